#include "ops/contract/domain/Domain.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Workspace.h"

#include <algorithm>
#include <charconv>

namespace opc {

static bool isUnit(const ContractDim &dim) {
  return dim.kind == ContractDim::Fixed && dim.size == 1;
}

static bool sameDim(const ContractDim &a, const ContractDim &b) {
  return a.kind == b.kind && a.name == b.name && a.size == b.size;
}

bool Domain::has(size_t tensor, size_t dim) const {
  const std::vector<int> &own = tensors[tensor];
  return std::find(own.begin(), own.end(), int(dim)) != own.end();
}

std::vector<unsigned> Domain::dimsOf(size_t tensor) const {
  std::vector<unsigned> own;
  for (int dim : tensors[tensor])
    if (dim >= 0)
      own.push_back(unsigned(dim));
  return own;
}

bool Domain::isPermuted(size_t tensor) const {
  std::vector<unsigned> own = dimsOf(tensor);
  own.erase(std::remove_if(own.begin(), own.end(), [&](unsigned dim) { return gathered[dim]; }), own.end());
  return !std::is_sorted(own.begin(), own.end());
}

bool Domain::hasParts() const {
  return std::find(parted.begin(), parted.end(), true) != parted.end();
}

bool Domain::gathers() const {
  return std::find(gathered.begin(), gathered.end(), true) != gathered.end();
}

bool Domain::counts() const {
  return std::find(counted.begin(), counted.end(), true) != counted.end();
}

bool Domain::scans() const {
  return !sorts && std::find(scanned.begin(), scanned.end(), true) != scanned.end();
}

std::optional<unsigned> Domain::gatheredOf(size_t tensor) const {
  for (unsigned dim : dimsOf(tensor))
    if (gathered[dim])
      return dim;
  return std::nullopt;
}

std::optional<size_t> placesAlong(const Contract &contract, const std::string &dimension) {
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (contract.inputs[i].values && contract.inputs[i].values->along == dimension)
      return i;
  return std::nullopt;
}

bool hasLoop(const Domain &domain, size_t tensor, const DomainLoop &loop) {
  return std::all_of(loop.dims.begin(), loop.dims.end(), [&](unsigned dim) { return domain.has(tensor, dim); });
}

size_t placesOfRange(const ContractDim &first) {
  return first.sum.empty() ? 1 : std::max<size_t>(first.sum.front().terms[first.place].factors.size(), 1);
}

std::vector<const ContractTensor *> tensorsOf(const Contract &contract) {
  std::vector<const ContractTensor *> tensors;
  for (const auto *list : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *list)
      tensors.push_back(&tensor);
  return tensors;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// Whether a shape has more dimensions than another, or the same number with fewer fixed 1.
static bool isLarger(const std::vector<ContractDim> &a, const std::vector<ContractDim> &b) {
  if (a.size() != b.size())
    return a.size() > b.size();
  return std::count_if(a.begin(), a.end(), isUnit) < std::count_if(b.begin(), b.end(), isUnit);
}

static std::vector<ContractDim> withoutUnits(std::vector<ContractDim> shape) {
  shape.erase(std::remove_if(shape.begin(), shape.end(), isUnit), shape.end());
  return shape;
}

/// The dimension of the domain for each dimension of a shape; nullopt if it has others, or one of them twice.
/// A fixed 1 is none of them: [H, 1, 1] beside [B, H, L, M] has H alone.
static std::optional<std::vector<int>> alignByName(const std::vector<ContractDim> &shape,
                                                   const std::vector<ContractDim> &dims) {
  std::vector<int> places;
  for (const ContractDim &dim : shape) {
    if (isUnit(dim)) {
      places.push_back(-1);
      continue;
    }
    auto found = std::find_if(dims.begin(), dims.end(), [&](const ContractDim &other) { return sameDim(other, dim); });
    auto place = int(found - dims.begin());
    if (found == dims.end() || std::find(places.begin(), places.end(), place) != places.end())
      return std::nullopt;
    places.push_back(place);
  }
  return places;
}

/// The dimensions of a tensor in the domain: all of them in order, each possibly a fixed 1, or some of them in any
/// order.
static std::optional<std::vector<int>> align(const std::vector<ContractDim> &shape,
                                             const std::vector<ContractDim> &dims) {
  std::vector<int> places;
  if (shape.size() == dims.size()) {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (!sameDim(shape[i], dims[i]) && !isUnit(shape[i]))
        return alignByName(shape, dims);
      places.push_back(sameDim(shape[i], dims[i]) ? int(i) : -1);
    }
    return places;
  }
  return alignByName(shape, dims);
}

/// The dimension of the domain that a number counts; nullopt if the number is ambiguous. Numbers count from the side
/// without a pack; they are invalid if a product is one dimension of a tensor and several of the domain.
static std::optional<size_t> dimOfNumber(const Domain &domain, int64_t number) {
  auto count = int64_t(domain.dims.size());
  int64_t at = number < 0 ? number + count : number;
  if (at < 0 || at >= count || domain.hasProducts)
    return std::nullopt;
  for (int64_t i = number < 0 ? at : 0, end = number < 0 ? count : at + 1; i < end; ++i)
    if (domain.dims[size_t(i)].kind == ContractDim::Pack)
      return std::nullopt;
  return size_t(at);
}

/// Marks the dimensions that an axis of a body's text names. The importer reports unknown names.
static void markReduced(const Contract &contract, const Domain &domain, const std::string &axis,
                        std::vector<bool> &reduced) {
  auto mark = [&](int64_t number) {
    if (std::optional<size_t> dim = dimOfNumber(domain, number))
      reduced[*dim] = true;
  };
  int64_t number = 0;
  auto [end, error] = std::from_chars(axis.data(), axis.data() + axis.size(), number);
  if (error == std::errc() && end == axis.data() + axis.size())
    return mark(number);
  if (!axis.empty() && axis.front() == '#') {
    const ContractAttribute *attribute = contract.findAttribute(std::string_view(axis).substr(1));
    if (!attribute || attribute->binding != Binding::Compile)
      return;
    if (const auto *one = std::get_if<int64_t>(&attribute->defaultValue))
      mark(*one);
    if (const auto *list = std::get_if<std::vector<int64_t>>(&attribute->defaultValue))
      std::for_each(list->begin(), list->end(), mark);
    return;
  }
  for (size_t dim = 0; dim < domain.dims.size(); ++dim)
    if (domain.dims[dim].kind != ContractDim::Fixed && domain.dims[dim].name == axis)
      reduced[dim] = true;
}

std::vector<bool> dimsOfAxes(const Contract &contract, const Domain &domain, const std::vector<std::string> &axes) {
  std::vector<bool> reduced(domain.dims.size());
  for (const std::string &axis : axes)
    markReduced(contract, domain, axis, reduced);
  return reduced;
}

/// Whether two shapes have the same dimensions, in different orders.
static bool hasSameDims(const std::vector<ContractDim> &a, const std::vector<ContractDim> &b) {
  bool isSame = std::equal(a.begin(), a.end(), b.begin(), b.end(), sameDim);
  return !isSame && std::is_permutation(a.begin(), a.end(), b.begin(), b.end(), sameDim);
}

bool multiplies(const Contract &contract) {
  return std::any_of(contract.bodies.begin(), contract.bodies.end(),
                     [](const ContractBody &body) { return body.multiplies; });
}

/// Whether a body gathers along a dimension at computed indices: no input has indices along it.
static bool isLookedUp(const Contract &contract, const ContractDim &dim) {
  return dim.kind == ContractDim::Symbol && !placesAlong(contract, dim.name) &&
         std::any_of(contract.bodies.begin(), contract.bodies.end(), [&](const ContractBody &body) {
           return std::find(body.gathers.begin(), body.gathers.end(), dim.name) != body.gathers.end();
         });
}

std::optional<std::pair<std::string, std::string>> sortOf(const std::string &scan) {
  const size_t to = scan.find(" to ");
  if (to == std::string::npos)
    return std::nullopt;
  return std::pair(scan.substr(0, to), scan.substr(to + 4));
}

/// Whether a body sorts along a dimension; along any, without a name.
static bool isSorted(const Contract &contract, const std::string &name = {}) {
  for (const ContractBody &body : contract.bodies)
    for (const std::string &scan : body.scans)
      if (std::optional<std::pair<std::string, std::string>> sort = sortOf(scan))
        if (name.empty() || sort->first == name)
          return true;
  return false;
}

/// Whether inputs broadcast at launch along a pack, as batches of matrices do.
static bool isStretched(const Contract &contract, const ContractDim &dim) {
  return dim.kind == ContractDim::Pack &&
         std::any_of(contract.inputs.begin(), contract.inputs.end(), [&](const ContractTensor &input) {
           return input.broadcast == Broadcast::Batch && sameDim(input.shape.front(), dim);
         });
}

bool isScattered(const Contract &contract) {
  for (const ContractTensor &output : contract.outputs)
    for (const ContractDim &dim : output.shape)
      if (dim.kind == ContractDim::Symbol && placesAlong(contract, dim.name))
        return true;
  return false;
}

/// Whether a body gathers or sorts along a dimension.
static bool isGathered(const Contract &contract, const ContractDim &dim) {
  return dim.kind == ContractDim::Symbol &&
         (placesAlong(contract, dim.name) || isLookedUp(contract, dim) || isSorted(contract, dim.name));
}

/// For a contract whose body scatters: the input with the loops, which is the largest one without a gathered dimension;
/// of several the first that is not the indices. Updates that are numbers have the loops of their indices.
static size_t updatesOf(const Contract &contract, const std::vector<std::vector<ContractDim>> &shapes) {
  size_t updates = contract.inputs.size();
  for (bool ofIndices : {false, true})
    for (size_t i = 0; i < contract.inputs.size(); ++i) {
      const bool isCandidate = bool(contract.inputs[i].values) == ofIndices &&
                               contract.inputs[i].broadcast == Broadcast::None &&
                               std::none_of(shapes[i].begin(), shapes[i].end(),
                                            [&](const ContractDim &dim) { return isGathered(contract, dim); });
      if (isCandidate && (updates == contract.inputs.size() || isLarger(shapes[i], shapes[updates])))
        updates = i;
    }
  return updates;
}

/// Appends the dimensions that only inputs have: the summed ones of products, and the gathered ones.
static void addInputDims(const Contract &contract, const std::vector<std::vector<ContractDim>> &shapes,
                         bool gatheredAlone, std::vector<ContractDim> &dims) {
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    for (const ContractDim &dim : shapes[i])
      if (!isUnit(dim) && (!gatheredAlone || isGathered(contract, dim)) &&
          std::none_of(dims.begin(), dims.end(), [&](const ContractDim &other) { return sameDim(other, dim); }))
        dims.push_back(dim);
}

/// The dimensions of all tensors, for a body that gathers and reduces: no tensor has all of them. Gathered values have
/// the dimensions of their indices in the place of the gathered one. A dimension comes after the one that is before it
/// in the first tensor that has it; gathered ones are the last.
static std::vector<ContractDim> dimsOfAll(const Contract &contract, std::vector<std::vector<ContractDim>> shapes) {
  std::vector<ContractDim> dims;
  auto find = [&](const ContractDim &dim) {
    return std::find_if(dims.begin(), dims.end(), [&](const ContractDim &other) { return sameDim(other, dim); });
  };
  const std::vector<std::vector<ContractDim>> written = shapes;
  for (std::vector<ContractDim> &shape : shapes)
    for (size_t place = 0; place < shape.size(); ++place) {
      if (!isGathered(contract, shape[place]))
        continue;
      const std::optional<size_t> indices = placesAlong(contract, shape[place].name);
      shape.erase(shape.begin() + ptrdiff_t(place));
      if (indices)
        shape.insert(shape.begin() + ptrdiff_t(place), written[*indices].begin(), written[*indices].end());
      break;
    }
  std::stable_sort(shapes.begin(), shapes.end(), isLarger);
  for (const std::vector<ContractDim> &shape : shapes) {
    auto next = dims.begin();
    for (const ContractDim &dim : shape)
      if (!isUnit(dim) && !isGathered(contract, dim)) {
        const auto known = find(dim);
        next = (known == dims.end() ? dims.insert(next, dim) : known) + 1;
      }
  }
  for (const std::vector<ContractDim> &shape : written)
    for (const ContractDim &dim : shape)
      if (isGathered(contract, dim) && find(dim) == dims.end())
        dims.push_back(dim);
  return dims;
}

/// The dimensions of all tensors, for a body that reduces what it computes from inputs of different dimensions, such as
/// a distance of each row of one input from each row of another. A dimension comes after those that are before it in a
/// tensor, so that inputs with the same last dimension end with it; of several the first is one of the results.
static std::vector<ContractDim> dimsOfPairs(std::vector<std::vector<ContractDim>> shapes, size_t numInputs) {
  std::rotate(shapes.begin(), shapes.begin() + ptrdiff_t(numInputs), shapes.end());
  std::vector<ContractDim> left, dims;
  auto contains = [](const std::vector<ContractDim> &list, const ContractDim &dim) {
    return std::any_of(list.begin(), list.end(), [&](const ContractDim &other) { return sameDim(other, dim); });
  };
  for (const std::vector<ContractDim> &shape : shapes)
    for (const ContractDim &dim : withoutUnits(shape))
      if (!contains(left, dim))
        left.push_back(dim);
  auto isFirst = [&](const ContractDim &dim) {
    return std::all_of(shapes.begin(), shapes.end(), [&](const std::vector<ContractDim> &shape) {
      auto own =
          std::find_if(shape.begin(), shape.end(), [&](const ContractDim &other) { return sameDim(other, dim); });
      return own == shape.end() ||
             std::none_of(shape.begin(), own, [&](const ContractDim &before) { return contains(left, before); });
    });
  };
  while (!left.empty()) {
    auto next = std::find_if(left.begin(), left.end(), isFirst);
    // Orders that contradict each other have no such dimension; one of the tensors then is permuted.
    if (next == left.end())
      next = left.begin();
    dims.push_back(*next);
    left.erase(next);
  }
  return dims;
}

/// Whether a body reduces, no tensor has all dimensions, and inputs have those of the results: what is reduced is
/// computed from several inputs.
static bool reducesPairs(const Contract &contract, const Domain &domain,
                         const std::vector<std::vector<ContractDim>> &shapes) {
  const bool reduces = std::any_of(contract.bodies.begin(), contract.bodies.end(),
                                   [](const ContractBody &body) { return !body.axes.empty(); });
  if (!reduces || domain.multiplies || domain.scatters || domain.windows)
    return false;
  auto hasDim = [](const std::vector<ContractDim> &shape, const ContractDim &dim) {
    return std::any_of(shape.begin(), shape.end(), [&](const ContractDim &other) { return sameDim(other, dim); });
  };
  const auto firstOutput = shapes.begin() + ptrdiff_t(contract.inputs.size());
  bool isOfPairs = false;
  for (const std::vector<ContractDim> &shape : shapes)
    for (const ContractDim &dim : withoutUnits(shape)) {
      const bool isOfInput = std::any_of(shapes.begin(), firstOutput, [&](auto &input) { return hasDim(input, dim); });
      if (dim.kind == ContractDim::Pack || !dim.sum.empty() || !dim.terms.empty() || !isOfInput)
        return false;
      isOfPairs |= !hasDim(shapes[domain.whole], dim);
    }
  return isOfPairs;
}

std::optional<Domain> domainOf(const Contract &contract, std::string &reason) {
  std::vector<const ContractTensor *> tensors = tensorsOf(contract);
  Domain domain;
  domain.multiplies = multiplies(contract);
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape)
      domain.computesPlaces |= isLookedUp(contract, dim);
  const bool gathers = domain.computesPlaces ||
                       std::any_of(contract.inputs.begin(), contract.inputs.end(),
                                   [](const ContractTensor &input) { return bool(input.values); }) ||
                       isSorted(contract);
  domain.sorts = isSorted(contract);
  domain.scatters = isScattered(contract);
  if (domain.multiplies || gathers)
    domain.whole = contract.inputs.size();
  reason.clear();
  domain.windows = windowsOf(contract, reason);
  if (!reason.empty())
    return std::nullopt;
  std::vector<std::vector<ContractDim>> shapes;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i]->broadcast == Broadcast::Numpy)
      return reason = "input '" + tensors[i]->name +
                      "' broadcasts, which is for shapes [...S] alone: dimensions with " + "names meet by name",
             std::nullopt;
    bool hasWindows = domain.windows && domain.windows->tensor == i;
    shapes.push_back(flatDims(hasWindows ? windowShape(tensors[i]->shape, *domain.windows) : tensors[i]->shape));
    domain.hasProducts |= flatDims(tensors[i]->shape).size() > tensors[i]->shape.size();
    domain.hasRanges |= std::any_of(shapes[i].begin(), shapes[i].end(),
                                    [](const ContractDim &dim) { return !dim.sum.empty() || !dim.terms.empty(); });
    bool isCandidate =
        tensors[i]->broadcast == Broadcast::None && ((!domain.multiplies && !gathers) || i > domain.whole);
    auto isMore = [&](const std::vector<ContractDim> &whole) {
      return contract.nestTakesUnits ? withoutUnits(shapes[i]).size() > withoutUnits(whole).size()
                                     : isLarger(shapes[i], whole);
    };
    if (isCandidate && isMore(shapes[domain.whole]))
      domain.whole = i;
  }
  if (domain.scatters)
    domain.whole = updatesOf(contract, shapes);
  // The domain has the order of the results.
  for (size_t i = tensors.size(); i-- > contract.inputs.size();)
    if (hasSameDims(shapes[i], shapes[domain.whole]))
      domain.whole = i;
  const bool reduces = !contract.nest && std::any_of(contract.bodies.begin(), contract.bodies.end(),
                                                     [](const ContractBody &body) { return !body.axes.empty(); });
  domain.isOfPairs = !gathers && reducesPairs(contract, domain, shapes);
  // Several sizes of 1 are no dimensions, since each dimension of the domain is one: a mask [B, 1, 1, L].
  const bool hasUnits = std::count_if(shapes[domain.whole].begin(), shapes[domain.whole].end(), isUnit) > 1 &&
                        std::none_of(shapes[domain.whole].begin(), shapes[domain.whole].end(),
                                     [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; });
  const bool reducesGathered = reduces && gathers && !domain.multiplies && !domain.scatters && !domain.sorts;
  domain.isOfAll = domain.isOfPairs || reducesGathered || hasUnits;
  domain.dims = domain.isOfPairs                      ? dimsOfPairs(shapes, contract.inputs.size())
                : reducesGathered                     ? dimsOfAll(contract, shapes)
                : contract.nestTakesUnits || hasUnits ? withoutUnits(shapes[domain.whole])
                                                      : shapes[domain.whole];
  if (!domain.isOfPairs && !reducesGathered && (domain.multiplies || gathers))
    addInputDims(contract, shapes, !domain.multiplies, domain.dims);
  for (size_t i = 0; i < domain.dims.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (sameDim(domain.dims[i], domain.dims[j]))
        return reason = "the shape " + printShape(domain.dims) + " of " + toldName(*tensors[domain.whole]) + " has '" +
                        printDim(domain.dims[i]) + "' twice",
               std::nullopt;
  domain.shapes = shapes;
  for (size_t dim = 0; dim < domain.dims.size(); ++dim)
    if (isStretched(contract, domain.dims[dim]))
      domain.stretched = unsigned(dim);
  domain.reduced.resize(domain.dims.size());
  domain.summed.resize(domain.dims.size());
  domain.parted.resize(domain.dims.size());
  domain.counted.resize(domain.dims.size());
  domain.scanned.resize(domain.dims.size());
  for (const ContractDim &dim : domain.dims)
    domain.gathered.push_back(isGathered(contract, dim));
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ContractTensor *tensor = tensors[i];
    std::optional<std::vector<int>> places =
        tensor->broadcast == Broadcast::Scalar ? std::vector<int>() : align(shapes[i], domain.dims);
    if (!places)
      return reason = "the shape " + printShape(tensor->shape) + " of " + toldName(*tensor) +
                      " does not consist of dimensions of " + printShape(domain.dims) + ", the shape of " +
                      toldName(*tensors[domain.whole]) + ", each of them once",
             std::nullopt;
    domain.tensors.push_back(std::move(*places));
  }
  for (const ContractBody &body : contract.bodies) {
    for (const std::string &axis : body.axes)
      markReduced(contract, domain, axis, domain.reduced);
    for (const std::string &axis : body.summed)
      markReduced(contract, domain, axis, domain.summed);
    for (size_t dim = 0; dim < domain.dims.size(); ++dim)
      if (domain.dims[dim].kind == ContractDim::Symbol && !domain.gathered[dim] &&
          std::find(body.parts.begin(), body.parts.end(), domain.dims[dim].name) != body.parts.end())
        domain.parted[dim] = true;
    for (size_t dim = 0; dim < domain.dims.size(); ++dim)
      if (domain.dims[dim].kind == ContractDim::Symbol &&
          std::find(body.counts.begin(), body.counts.end(), domain.dims[dim].name) != body.counts.end())
        domain.counted[dim] = true;
    for (size_t dim = 0; dim < domain.dims.size(); ++dim)
      if (domain.dims[dim].kind == ContractDim::Symbol &&
          std::find(body.scans.begin(), body.scans.end(), domain.dims[dim].name) != body.scans.end())
        domain.scanned[dim] = true;
    for (const std::string &scan : body.scans)
      for (size_t dim = 0; dim < domain.dims.size(); ++dim)
        if (std::optional<std::pair<std::string, std::string>> sort = sortOf(scan);
            sort && domain.dims[dim].kind == ContractDim::Symbol && domain.dims[dim].name == sort->second)
          domain.scanned[dim] = true;
  }
  return domain;
}

} // namespace opc
