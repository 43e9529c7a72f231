#include "ops/contract/domain/Domain.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Workspace.h"

#include <algorithm>
#include <charconv>
#include <set>

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

/// Reads the dimensions of all tensors, and what they tell of the domain; false if inputs broadcast, with the reason.
static bool readShapes(const Contract &contract, Domain &domain, std::string &reason) {
  for (const ContractTensor *tensor : tensorsOf(contract)) {
    if (tensor->broadcast == Broadcast::Numpy) {
      reason = "input '" + tensor->name +
               "' broadcasts, which is for shapes [...S] alone: dimensions with names meet by name";
      return false;
    }
    const bool hasWindows = domain.windows && domain.windows->tensor == domain.shapes.size();
    domain.shapes.push_back(flatDims(hasWindows ? windowShape(tensor->shape, *domain.windows) : tensor->shape));
    domain.hasProducts |= flatDims(tensor->shape).size() > tensor->shape.size();
    domain.hasRanges |= std::any_of(domain.shapes.back().begin(), domain.shapes.back().end(),
                                    [](const ContractDim &dim) { return !dim.sum.empty() || !dim.terms.empty(); });
  }
  return true;
}

/// The tensor with the largest shape, among the outputs if no input counts (`amongOutputs`).
static size_t largestOf(const Contract &contract, const std::vector<std::vector<ContractDim>> &shapes,
                        bool amongOutputs) {
  const std::vector<const ContractTensor *> tensors = tensorsOf(contract);
  auto isMore = [&](const std::vector<ContractDim> &shape, const std::vector<ContractDim> &whole) {
    return contract.nestTakesUnits ? withoutUnits(shape).size() > withoutUnits(whole).size() : isLarger(shape, whole);
  };
  size_t largest = amongOutputs ? contract.inputs.size() : 0;
  for (size_t i = largest + 1; i < tensors.size(); ++i)
    if (tensors[i]->broadcast == Broadcast::None && isMore(shapes[i], shapes[largest]))
      largest = i;
  return largest;
}

/// Finds the dimensions of each tensor in the domain; false if one has others, with the reason.
static bool alignTensors(const Contract &contract, Domain &domain, std::string &reason) {
  const std::vector<const ContractTensor *> tensors = tensorsOf(contract);
  for (size_t i = 0; i < tensors.size(); ++i) {
    std::optional<std::vector<int>> places =
        tensors[i]->broadcast == Broadcast::Scalar ? std::vector<int>() : align(domain.shapes[i], domain.dims);
    if (!places) {
      reason = "the shape " + printShape(tensors[i]->shape) + " of " + toldName(*tensors[i]) +
               " does not consist of dimensions of " + printShape(domain.dims) + ", the shape of " +
               toldName(*tensors[domain.whole]) + ", each of them once";
      return false;
    }
    domain.tensors.push_back(std::move(*places));
  }
  return true;
}

/// Marks the symbols that a body's text names.
static void markNamed(const Domain &domain, const std::vector<std::string> &names, std::vector<bool> &marks) {
  for (size_t dim = 0; dim < domain.dims.size(); ++dim)
    if (domain.dims[dim].kind == ContractDim::Symbol &&
        std::find(names.begin(), names.end(), domain.dims[dim].name) != names.end())
      marks[dim] = true;
}

/// Marks what a body does along the dimensions. A gathered dimension has no parts.
static void markBody(const Contract &contract, const ContractBody &body, Domain &domain) {
  for (const std::string &axis : body.axes)
    markReduced(contract, domain, axis, domain.reduced);
  for (const std::string &axis : body.summed)
    markReduced(contract, domain, axis, domain.summed);
  markNamed(domain, body.parts, domain.parted);
  for (size_t dim = 0; dim < domain.dims.size(); ++dim)
    domain.parted[dim] = domain.parted[dim] && !domain.gathered[dim];
  markNamed(domain, body.counts, domain.counted);
  std::vector<std::string> scanned;
  for (const std::string &scan : body.scans) {
    const std::optional<std::pair<std::string, std::string>> sort = sortOf(scan);
    scanned.push_back(sort ? sort->second : scan);
  }
  markNamed(domain, scanned, domain.scanned);
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

/// The dimensions of all tensors, for a body that reduces, gathers or sorts where no tensor has all of them. Gathered
/// values have the dimensions of their indices in the place of the gathered one, which is one of the last unless
/// something is sorted along it. Others are in the order of the shapes where these agree, and else in that of results,
/// then of inputs.
static std::vector<ContractDim> dimsOfAll(const Contract &contract, std::vector<std::vector<ContractDim>> shapes) {
  std::vector<ContractDim> found, dims;
  auto placeIn = [](std::vector<ContractDim> &of, const ContractDim &dim) {
    auto same = std::find_if(of.begin(), of.end(), [&](const ContractDim &other) { return sameDim(other, dim); });
    const auto place = size_t(same - of.begin());
    if (same == of.end())
      of.push_back(dim);
    return place;
  };
  auto isLast = [&](const ContractDim &dim) { return isGathered(contract, dim) && !isSorted(contract, dim.name); };
  const std::vector<std::vector<ContractDim>> written = shapes;
  for (std::vector<ContractDim> &shape : shapes)
    for (size_t place = 0; place < shape.size(); ++place) {
      if (!isLast(shape[place]))
        continue;
      const std::optional<size_t> indices = placesAlong(contract, shape[place].name);
      shape.erase(shape.begin() + ptrdiff_t(place));
      if (indices)
        shape.insert(shape.begin() + ptrdiff_t(place), written[*indices].begin(), written[*indices].end());
      break;
    }
  std::rotate(shapes.begin(), shapes.begin() + ptrdiff_t(contract.inputs.size()), shapes.end());
  std::set<std::pair<size_t, size_t>> pairs; // neighbours of a shape, by their places in `found`
  for (const std::vector<ContractDim> &shape : shapes) {
    std::optional<size_t> last;
    for (const ContractDim &dim : withoutUnits(shape)) {
      if (isLast(dim))
        continue;
      const size_t place = placeIn(found, dim);
      if (last && *last != place)
        pairs.emplace(*last, place);
      last = place;
    }
  }
  std::vector<bool> isTaken(found.size());
  auto isNext = [&](size_t place) {
    return !isTaken[place] && std::none_of(pairs.begin(), pairs.end(), [&](const auto &pair) {
      return pair.second == place && !isTaken[pair.first];
    });
  };
  while (dims.size() < found.size()) {
    size_t next = 0;
    while (next < found.size() && !isNext(next))
      ++next;
    // Shapes disagree.
    if (next == found.size())
      next = size_t(std::find(isTaken.begin(), isTaken.end(), false) - isTaken.begin());
    isTaken[next] = true;
    dims.push_back(found[next]);
  }
  for (const std::vector<ContractDim> &shape : written)
    for (const ContractDim &dim : shape)
      if (isLast(dim))
        placeIn(dims, dim);
  return dims;
}

static bool reducesAny(const Contract &contract) {
  return std::any_of(contract.bodies.begin(), contract.bodies.end(),
                     [](const ContractBody &body) { return !body.axes.empty(); });
}

static bool hasDim(const std::vector<ContractDim> &shape, const ContractDim &dim) {
  return std::any_of(shape.begin(), shape.end(), [&](const ContractDim &other) { return sameDim(other, dim); });
}

/// Whether a body reduces dimensions of which no tensor has all. Others are those of all results.
static bool reducesOuter(const Contract &contract, const Domain &domain,
                         const std::vector<std::vector<ContractDim>> &shapes) {
  if (!reducesAny(contract) || std::all_of(shapes.begin(), shapes.end(), [&](const std::vector<ContractDim> &shape) {
        return std::all_of(shape.begin(), shape.end(),
                           [&](const ContractDim &dim) { return isUnit(dim) || hasDim(shapes[domain.whole], dim); });
      }))
    return false;
  Domain all = domain;
  all.dims = dimsOfAll(contract, shapes);
  std::vector<bool> isLeft(all.dims.size(), true);
  for (const ContractBody &body : contract.bodies) {
    const std::vector<bool> reduced = dimsOfAxes(contract, all, body.axes);
    for (size_t dim = 0; dim < all.dims.size(); ++dim)
      isLeft[dim] = isLeft[dim] && !reduced[dim] &&
                    std::find(body.parts.begin(), body.parts.end(), all.dims[dim].name) == body.parts.end();
  }
  for (size_t dim = 0; dim < all.dims.size(); ++dim)
    for (size_t tensor = contract.inputs.size(); tensor < shapes.size(); ++tensor)
      if (isLeft[dim] && !hasDim(shapes[tensor], all.dims[dim]))
        return false;
  return true;
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
  reason.clear();
  domain.windows = windowsOf(contract, reason);
  if (!reason.empty() || !readShapes(contract, domain, reason))
    return std::nullopt;
  const std::vector<std::vector<ContractDim>> &shapes = domain.shapes;
  domain.whole = largestOf(contract, shapes, domain.multiplies || gathers);
  if (domain.scatters)
    domain.whole = updatesOf(contract, shapes);
  // The domain has the order of the results.
  for (size_t i = tensors.size(); i-- > contract.inputs.size();)
    if (hasSameDims(shapes[i], shapes[domain.whole]))
      domain.whole = i;
  const bool reduces = !contract.nest && reducesAny(contract);
  const bool sortsApart = domain.sorts && !contract.nest &&
                          std::any_of(contract.bodies.begin(), contract.bodies.end(), [](const ContractBody &body) {
                            return body.scans.size() > 1 || !body.gathers.empty();
                          });
  if (!domain.multiplies && !domain.scatters)
    domain.isOfAll =
        gathers ? reduces || sortsApart : !domain.windows && !domain.sorts && reducesOuter(contract, domain, shapes);
  // Several sizes of 1 are no dimensions, since each dimension of the domain is one: a mask [B, 1, 1, L].
  const std::vector<ContractDim> &whole = shapes[domain.whole];
  const bool hasUnits =
      std::count_if(whole.begin(), whole.end(), isUnit) > 1 &&
      std::none_of(whole.begin(), whole.end(), [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; });
  domain.dims = domain.isOfAll                        ? dimsOfAll(contract, shapes)
                : contract.nestTakesUnits || hasUnits ? withoutUnits(whole)
                                                      : whole;
  if (!domain.isOfAll && (domain.multiplies || gathers))
    addInputDims(contract, shapes, !domain.multiplies, domain.dims);
  domain.isOfAll |= hasUnits;
  for (size_t i = 0; i < domain.dims.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (sameDim(domain.dims[i], domain.dims[j]))
        return reason = "the shape " + printShape(domain.dims) + " of " + toldName(*tensors[domain.whole]) + " has '" +
                        printDim(domain.dims[i]) + "' twice",
               std::nullopt;
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
  if (!alignTensors(contract, domain, reason))
    return std::nullopt;
  for (const ContractBody &body : contract.bodies)
    markBody(contract, body, domain);
  return domain;
}

} // namespace opc
