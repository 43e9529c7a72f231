#include "ops/contract/Domain.h"

#include "ops/contract/Shapes.h"

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

static std::vector<const ContractTensor *> tensorsOf(const Contract &contract) {
  std::vector<const ContractTensor *> tensors;
  for (const auto *list : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *list)
      tensors.push_back(&tensor);
  return tensors;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// Whether a shape has more dimensions than another, or as many and fewer of them a fixed 1.
static bool isLarger(const std::vector<ContractDim> &a, const std::vector<ContractDim> &b) {
  if (a.size() != b.size())
    return a.size() > b.size();
  return std::count_if(a.begin(), a.end(), isUnit) < std::count_if(b.begin(), b.end(), isUnit);
}

/// The dimension of the domain for each dimension of a shape; nullopt when it has others, or one of them twice.
/// `takesUnits`: a fixed 1 is none of them.
static std::optional<std::vector<int>> alignByName(const std::vector<ContractDim> &shape,
                                                   const std::vector<ContractDim> &dims, bool takesUnits) {
  std::vector<int> places;
  for (const ContractDim &dim : shape) {
    if (takesUnits && isUnit(dim)) {
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

/// The dimensions of a tensor in the domain: all of them in order, each perhaps a fixed 1, or some of them in any
/// order. Operands of a matrix product have some of them in any case, and so have those of a scatter.
static std::optional<std::vector<int>> align(const std::vector<ContractDim> &shape,
                                             const std::vector<ContractDim> &dims, bool multiplies) {
  std::vector<int> places;
  if (shape.size() == dims.size()) {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (!sameDim(shape[i], dims[i]) && !isUnit(shape[i]))
        return alignByName(shape, dims, multiplies);
      places.push_back(sameDim(shape[i], dims[i]) ? int(i) : -1);
    }
    return places;
  }
  return alignByName(shape, dims, multiplies);
}

/// The dimension of the domain that a number counts; nullopt when the number does not say which. Numbers count from the
/// side on which no pack stands, and nothing where a product is one dimension of a tensor and several of the domain.
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

/// Marks the dimensions that an axis of a body's text names. What does not name one is an error of the import.
static void markReduced(const Contract &contract, const std::string &axis, Domain &domain) {
  auto mark = [&](int64_t number) {
    if (std::optional<size_t> dim = dimOfNumber(domain, number))
      domain.reduced[*dim] = true;
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
      domain.reduced[dim] = true;
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

/// Whether a body gathers along a dimension at places that it computes: those of no input are along it.
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

/// Whether an output has a dimension along which the values of an input are places.
static bool isScattered(const Contract &contract) {
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

/// Of a contract whose body scatters: the input that has the loops, which is the largest without a gathered dimension.
static size_t updatesOf(const Contract &contract, const std::vector<std::vector<ContractDim>> &shapes) {
  size_t updates = contract.inputs.size();
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    const bool isCandidate = !contract.inputs[i].values && contract.inputs[i].broadcast == Broadcast::None &&
                             std::none_of(shapes[i].begin(), shapes[i].end(),
                                          [&](const ContractDim &dim) { return isGathered(contract, dim); });
    if (isCandidate && (updates == contract.inputs.size() || isLarger(shapes[i], shapes[updates])))
      updates = i;
  }
  return updates;
}

/// Appends the dimensions that inputs alone have: those over which products are summed, and those that are gathered.
static void addInputDims(const Contract &contract, const std::vector<std::vector<ContractDim>> &shapes,
                         bool gatheredAlone, std::vector<ContractDim> &dims) {
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    for (const ContractDim &dim : shapes[i])
      if (!isUnit(dim) && (!gatheredAlone || isGathered(contract, dim)) &&
          std::none_of(dims.begin(), dims.end(), [&](const ContractDim &other) { return sameDim(other, dim); }))
        dims.push_back(dim);
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
    if (isCandidate && isLarger(shapes[i], shapes[domain.whole]))
      domain.whole = i;
  }
  if (domain.scatters)
    domain.whole = updatesOf(contract, shapes);
  // The order of the domain is that in which results are written.
  for (size_t i = tensors.size(); i-- > contract.inputs.size();)
    if (hasSameDims(shapes[i], shapes[domain.whole]))
      domain.whole = i;
  domain.dims = shapes[domain.whole];
  if (domain.multiplies || gathers)
    addInputDims(contract, shapes, !domain.multiplies, domain.dims);
  for (size_t i = 0; i < domain.dims.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (sameDim(domain.dims[i], domain.dims[j]))
        return reason = "the shape " + printShape(domain.dims) + " of '" + tensors[domain.whole]->name + "' has '" +
                        printDim(domain.dims[i]) + "' twice",
               std::nullopt;
  domain.shapes = shapes;
  domain.reduced.resize(domain.dims.size());
  domain.parted.resize(domain.dims.size());
  domain.counted.resize(domain.dims.size());
  domain.scanned.resize(domain.dims.size());
  for (const ContractDim &dim : domain.dims)
    domain.gathered.push_back(isGathered(contract, dim));
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ContractTensor *tensor = tensors[i];
    std::optional<std::vector<int>> places = tensor->broadcast == Broadcast::Scalar
                                                 ? std::vector<int>()
                                                 : align(shapes[i], domain.dims, domain.multiplies || domain.scatters);
    if (!places)
      return reason = "the shape " + printShape(tensor->shape) + " of '" + tensor->name +
                      "' does not consist of dimensions of " + printShape(domain.dims) + ", the shape of '" +
                      tensors[domain.whole]->name + "', each of them once",
             std::nullopt;
    domain.tensors.push_back(std::move(*places));
  }
  for (const ContractBody &body : contract.bodies) {
    for (const std::string &axis : body.axes)
      markReduced(contract, axis, domain);
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

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Most operands of a kernel.
static constexpr size_t kMostOperands = 32;

/// The size of a dimension along which parts are taken; nullopt when it is not known when compiling.
static std::optional<int64_t> partsAlong(const std::vector<SizeEquation> &equations, const ContractDim &dim) {
  for (const SizeEquation &equation : equations)
    if (equation.name == dim.name && equation.value.op == SizeExpression::Const)
      return equation.value.value;
  return std::nullopt;
}

std::vector<DomainOperand> operandsOf(const Contract &contract, const Domain &domain) {
  std::vector<DomainOperand> operands;
  const std::vector<SizeEquation> equations = equationsOf(contract);
  std::vector<const ContractTensor *> tensors = tensorsOf(contract);
  for (size_t tensor = 0; tensor < tensors.size(); ++tensor) {
    std::vector<DomainOperand> parts = {{tensor, tensors[tensor]->name, {}}};
    const bool isRange = contract.nest && tensors[tensor]->broadcast != Broadcast::Scalar;
    if (isRange)
      parts[0].name += "__n" + std::to_string(*contract.nest);
    for (unsigned dim : domain.dimsOf(tensor)) {
      if (!domain.parted[dim])
        continue;
      std::vector<DomainOperand> finer;
      for (const DomainOperand &part : parts)
        for (int64_t index = 0; index < *partsAlong(equations, domain.dims[dim]); ++index) {
          finer.push_back(part);
          finer.back().index.emplace_back(dim, index);
          finer.back().name += (part.index.empty() && !isRange ? "__" : "_") + std::to_string(index);
        }
      parts = std::move(finer);
    }
    operands.insert(operands.end(), parts.begin(), parts.end());
  }
  return operands;
}

/// Whether tensors can be taken in parts. Returns why not.
static std::string checkParts(const Contract &contract, const Domain &domain) {
  const std::vector<SizeEquation> equations = equationsOf(contract);
  std::vector<const ContractTensor *> tensors = tensorsOf(contract);
  size_t operands = 0;
  for (size_t dim = 0; dim < domain.dims.size(); ++dim) {
    if (!domain.parted[dim])
      continue;
    const std::string &name = domain.dims[dim].name;
    std::optional<int64_t> size = partsAlong(equations, domain.dims[dim]);
    if (!size || *size < 1 || *size > int64_t(kMostOperands))
      return "'" + name + "', along which a body takes parts, has no size from 1 to " + std::to_string(kMostOperands) +
             " that is known when compiling";
    if (domain.reduced[dim])
      return "bodies reduce '" + name + "' and take parts along it";
  }
  if (std::find(domain.reduced.begin(), domain.reduced.end(), true) != domain.reduced.end())
    return contract.nest ? "bodies reduce dimensions and take ranges of others"
                         : "bodies reduce dimensions and take parts along others";
  for (size_t tensor = 0; tensor < tensors.size(); ++tensor) {
    size_t parts = 1;
    std::vector<unsigned> own = domain.dimsOf(tensor);
    for (unsigned dim : own)
      if (domain.parted[dim])
        parts = std::min(parts * size_t(*partsAlong(equations, domain.dims[dim])), kMostOperands + 1);
    operands += parts;
    if (!own.empty() && domain.parted[own.back()])
      return "'" + domain.dims[own.back()].name + "', along which a body takes parts, is the last dimension of '" +
             tensors[tensor]->name + "': the elements of a part are neighbours";
  }
  if (operands > kMostOperands)
    return "tensors and their parts are " + std::to_string(operands) + ", more than the " +
           std::to_string(kMostOperands) + " that a kernel has";
  return {};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::string loopText(const Domain &domain, const DomainLoop &loop) {
  std::string text;
  for (unsigned dim : loop.dims)
    text += (text.empty() ? "" : ", ") + printDim(domain.dims[dim]);
  return "'" + text + "'";
}

std::vector<DomainLoop> loopsOf(const Domain &domain) {
  std::vector<DomainLoop> loops;
  auto isAlone = [&](unsigned dim) { return domain.counted[dim] || domain.scanned[dim]; };
  auto joins = [&](unsigned dim) {
    if (loops.empty() || loops.back().dims.back() + 1 != dim || domain.reduced[dim] != domain.reduced[dim - 1] ||
        isAlone(dim) || isAlone(dim - 1))
      return false;
    for (size_t tensor = 0; tensor < domain.tensors.size(); ++tensor) {
      std::vector<unsigned> own = domain.dimsOf(tensor);
      auto place = std::find(own.begin(), own.end(), dim), before = std::find(own.begin(), own.end(), dim - 1);
      if (place == own.end() ? before != own.end() : before == own.end() || before + 1 != place)
        return false;
      // Behind a range of a sum other elements follow.
      const std::vector<int> &places = domain.tensors[tensor];
      auto outer = std::find(places.begin(), places.end(), int(dim - 1)),
           inner = std::find(outer, places.end(), int(dim));
      for (auto at = outer; at != inner; ++at)
        if (!domain.shapes[tensor][size_t(at + 1 - places.begin())].sum.empty())
          return false;
    }
    return true;
  };
  for (unsigned dim = 0; dim < domain.dims.size(); ++dim) {
    if (domain.parted[dim] || domain.gathered[dim])
      continue;
    if (!joins(dim))
      loops.push_back({{}, domain.reduced[dim]});
    loops.back().dims.push_back(dim);
  }
  return loops;
}

/// Whether each output has all dimensions that are kept, and of those that are reduced all or none.
static std::string checkOutputs(const Contract &contract, const Domain &domain) {
  for (size_t i = 0; i < contract.outputs.size(); ++i) {
    size_t tensor = contract.inputs.size() + i;
    const std::string &name = contract.outputs[i].name;
    std::optional<bool> hasReduced;
    for (size_t dim = 0; dim < domain.dims.size(); ++dim) {
      bool has = domain.has(tensor, dim);
      std::string text = printDim(domain.dims[dim]);
      std::optional<size_t> places = placesAlong(contract, text);
      if (has && domain.gathered[dim] && !(domain.scatters && places))
        return "output '" + name + "' has '" + text + "', along which " +
               (places         ? "the values of '" + contract.inputs[*places].name + "' are places"
                : domain.sorts ? "bodies sort"
                               : "a body gathers: its places are along another dimension");
      if (domain.scatters)
        continue;
      if (!has && !domain.reduced[dim] && !domain.parted[dim] && !domain.gathered[dim])
        return "output '" + name + "' has no '" + text + "', which no body reduces";
      if (domain.reduced[dim] && hasReduced.value_or(has) != has)
        return "output '" + name + "' has a part of the dimensions that bodies reduce";
      if (domain.reduced[dim])
        hasReduced = has;
    }
  }
  return {};
}

/// Whether tensors can be gathered from. Returns why not.
static std::string checkGathered(const Contract &contract, const Domain &domain) {
  if (domain.multiplies || domain.hasParts() || contract.nest ||
      std::find(domain.reduced.begin(), domain.reduced.end(), true) != domain.reduced.end())
    return "bodies gather along a dimension, and reduce others, multiply matrices or take parts";
  if (domain.computesPlaces) {
    for (const ContractTensor &input : contract.inputs)
      if (input.values)
        return "bodies gather at places that they compute, and at those that '" + input.name + "' has";
    for (size_t dim = 0; dim < domain.dims.size(); ++dim)
      if (domain.gathered[dim] && (domain.counted[dim] || domain.scanned[dim]))
        return "bodies gather along '" + domain.dims[dim].name + "', and count or scan along it";
    return {};
  }
  for (size_t tensor = 0; tensor < domain.tensors.size(); ++tensor) {
    std::vector<unsigned> own = domain.dimsOf(tensor);
    if (std::count_if(own.begin(), own.end(), [&](unsigned dim) { return domain.gathered[dim]; }) > 1)
      return "input '" + contract.tensorAt(tensor).name + "' has two dimensions along which inputs have places";
  }
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (contract.inputs[i].values && contract.inputs[j].values &&
          contract.inputs[i].values->along == contract.inputs[j].values->along)
        return "inputs '" + contract.inputs[j].name + "' and '" + contract.inputs[i].name + "' have places along '" +
               contract.inputs[i].values->along + "', and one has them";
  return {};
}

/// Whether a kernel can sort along a dimension. Returns why not.
static std::string checkSorted(const Contract &contract, const Domain &domain) {
  if (domain.counts() || domain.scatters || domain.computesPlaces ||
      std::any_of(contract.bodies.begin(), contract.bodies.end(),
                  [](const ContractBody &body) {
                    return std::any_of(body.scans.begin(), body.scans.end(),
                                       [](const std::string &scan) { return !sortOf(scan); });
                  }) ||
      std::any_of(contract.inputs.begin(), contract.inputs.end(), [](auto &input) { return bool(input.values); }))
    return "bodies sort along a dimension, and gather, scatter, count or scan";
  if (std::count(domain.gathered.begin(), domain.gathered.end(), true) > 1 ||
      std::count(domain.scanned.begin(), domain.scanned.end(), true) > 1)
    return "bodies sort along two dimensions, where a kernel sorts along one";
  const auto found = std::find(domain.scanned.begin(), domain.scanned.end(), true);
  if (found == domain.scanned.end())
    return "bodies sort, and results have no dimension of the name behind 'to'";
  const std::string name = printDim(domain.dims[size_t(found - domain.scanned.begin())]);
  for (size_t tensor = 0; tensor < contract.inputs.size(); ++tensor)
    if (domain.gatheredOf(tensor) && domain.has(tensor, size_t(found - domain.scanned.begin())))
      return "input '" + contract.inputs[tensor].name + "', which bodies sort, has '" + name + "' too";
  const std::vector<DomainLoop> loops = loopsOf(domain);
  for (size_t loop = 0; loop + 2 < loops.size(); ++loop)
    if (domain.scanned[loops[loop].dims.front()])
      return "'" + name +
             "', which results have in the place of a sorted dimension, is none of the two innermost "
             "loops: dimensions behind it that all tensors treat alike are one loop";
  return {};
}

/// Whether a kernel can scatter. Returns why not.
static std::string checkScattered(const Contract &contract, const Domain &domain) {
  if (domain.sorts || domain.counts() || domain.scans())
    return "bodies scatter along a dimension, and sort, count or scan";
  if (contract.outputs.size() != 1)
    return "bodies scatter, and have " + std::to_string(contract.outputs.size()) +
           " results, where a scatter is the one";
  const size_t result = contract.inputs.size();
  if (domain.whole == result)
    return "bodies scatter, and no input has the dimensions of what is scattered";
  if (!domain.gatheredOf(result))
    return "bodies scatter, and output '" + contract.outputs.front().name +
           "' has no dimension along which the values of an input are places";
  // Behind the dimensions of the updates, those of the indices may stand for the result's.
  const size_t places = *placesAlong(contract, domain.dims[*domain.gatheredOf(result)].name);
  for (size_t dim = 0; dim < domain.dims.size(); ++dim)
    if (!domain.gathered[dim] && !domain.has(result, dim) && !domain.has(places, dim))
      return "'" + printDim(domain.dims[dim]) + "' is a dimension of updates, and of neither '" +
             contract.inputs[places].name + "' nor '" + contract.outputs.front().name + "'";
  return {};
}

/// Whether a kernel can count along dimensions. Returns why not.
static std::string checkCounted(const Contract &contract, const Domain &domain) {
  if (domain.multiplies || domain.windows || domain.hasParts() || (domain.gathers() && !domain.computesPlaces) ||
      contract.nest)
    return "bodies count along a dimension, and reduce windows, multiply matrices, gather or take parts";
  // Where others are reduced, the nest says which loops are the innermost ones (checkCountedIn).
  const bool reduces = std::find(domain.reduced.begin(), domain.reduced.end(), true) != domain.reduced.end();
  const std::vector<DomainLoop> loops = loopsOf(domain);
  for (size_t loop = 0; !reduces && loop + 2 < loops.size(); ++loop)
    if (domain.counted[loops[loop].dims.front()])
      return "bodies count along " + loopText(domain, loops[loop]) +
             ", which is none of the two innermost loops: dimensions behind it that all tensors treat alike, and along "
             "which nothing counts, are one loop";
  return {};
}

/// Whether a kernel can scan along a dimension. Returns why not.
static std::string checkScanned(const Contract &contract, const Domain &domain) {
  if (domain.multiplies || domain.windows || domain.hasParts() || domain.gathers() || domain.counts() ||
      contract.nest || std::find(domain.reduced.begin(), domain.reduced.end(), true) != domain.reduced.end())
    return "bodies scan along a dimension, and reduce others, multiply matrices, gather, count or take parts";
  if (std::count(domain.scanned.begin(), domain.scanned.end(), true) > 1)
    return "bodies scan along two dimensions, where a kernel scans along one";
  const std::vector<DomainLoop> loops = loopsOf(domain);
  for (size_t loop = 0; loop + 2 < loops.size(); ++loop)
    if (domain.scanned[loops[loop].dims.front()])
      return "bodies scan along " + loopText(domain, loops[loop]) +
             ", which is none of the two innermost loops: dimensions behind it that all tensors treat alike are one "
             "loop";
  return {};
}

std::optional<unsigned> scannedLoop(const Domain &domain, const DomainNest &nest) {
  for (unsigned back = 0; back < nest.loops.size(); ++back) {
    const std::vector<unsigned> &dims = nest.loops[nest.loops.size() - 1 - back].dims;
    if (dims.size() == 1 && domain.scanned[dims.front()])
      return back;
  }
  return std::nullopt;
}

/// The loop along which the elements of a tensor are neighbours; nullopt for one element.
static std::optional<unsigned> neighboursOf(const Domain &domain, const std::vector<DomainLoop> &loops, size_t tensor) {
  std::vector<unsigned> own = domain.dimsOf(tensor);
  for (unsigned loop = 0; loop < loops.size() && !own.empty(); ++loop)
    if (std::find(loops[loop].dims.begin(), loops[loop].dims.end(), own.back()) != loops[loop].dims.end())
      return loop;
  return std::nullopt;
}

bool isAcross(const Domain &domain, const DomainNest &nest, size_t tensor) {
  const std::vector<unsigned> &last = nest.loops.back().dims;
  return !last.empty() && hasLoop(domain, tensor, nest.loops.back()) && domain.dimsOf(tensor).back() != last.back();
}

/// Finds the loop along which inputs that are read across have neighbours. Returns why there is no kernel.
static std::string checkPermuted(const Contract &contract, const Domain &domain, DomainNest &nest) {
  size_t first = 0;
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    // What is gathered is gathered element by element then.
    if (!isAcross(domain, nest, i) || domain.gatheredOf(i))
      continue;
    std::optional<unsigned> loop = neighboursOf(domain, nest.loops, i);
    if (nest.across && nest.across != loop)
      return "inputs '" + contract.inputs[first].name + "' and '" + contract.inputs[i].name +
             "' end with different dimensions, neither of which is the last of '" + contract.outputs.front().name + "'";
    if (!nest.across)
      first = i;
    nest.across = loop;
  }
  return {};
}

/// Whether a kernel that reduces can count along dimensions. Returns why not.
static std::string checkCountedIn(const Domain &domain, const DomainNest &nest) {
  for (unsigned dim = 0; dim < domain.dims.size(); ++dim) {
    auto isHere = [&](const DomainLoop &loop) { return loop.dims == std::vector<unsigned>{dim}; };
    if (domain.counted[dim] && std::none_of(nest.loops.end() - 2, nest.loops.end(), isHere))
      return "bodies count along '" + printDim(domain.dims[dim]) +
             "', which is none of the two innermost loops of a kernel that reduces others";
  }
  return {};
}

std::optional<DomainNest> nestOf(const Contract &contract, const Domain &domain, std::string &reason) {
  reason = checkOutputs(contract, domain);
  if (reason.empty() && (domain.hasParts() || contract.nest))
    reason = checkParts(contract, domain);
  if (reason.empty() && domain.gathers())
    reason = checkGathered(contract, domain);
  if (reason.empty() && domain.sorts)
    reason = checkSorted(contract, domain);
  if (reason.empty() && domain.scatters)
    reason = checkScattered(contract, domain);
  if (reason.empty() && domain.counts())
    reason = checkCounted(contract, domain);
  if (reason.empty() && domain.scans())
    reason = checkScanned(contract, domain);
  if (!reason.empty())
    return std::nullopt;
  std::vector<DomainLoop> loops = loopsOf(domain);
  DomainNest nest;
  nest.isPermuted = domain.hasParts() || domain.gathers() || domain.scans() || contract.nest;
  bool reduces = std::any_of(loops.begin(), loops.end(), [](const DomainLoop &loop) { return loop.reduced; });
  for (size_t i = 0; i < domain.tensors.size(); ++i) {
    if (!domain.isPermuted(i))
      continue;
    bool isOutput = i >= contract.inputs.size();
    const std::string &name = (isOutput ? contract.outputs[i - contract.inputs.size()] : contract.inputs[i]).name;
    if (isOutput)
      return reason = "output '" + name + "' has its dimensions in another order than " +
                      (domain.scatters ? "input '" + contract.tensorAt(domain.whole).name + "', the updates"
                                       : "output '" + contract.outputs.front().name + "'"),
             std::nullopt;
    if (reduces)
      return reason = "input '" + name + "' has its dimensions in another order than " + printShape(domain.dims) +
                      ", of which a body reduces some",
             std::nullopt;
    nest.isPermuted = true;
  }
  if (!reduces) {
    nest.isPermuted |= domain.counts();
    // Rows at a distance are a loop even where there is but one.
    if (nest.isPermuted && loops.size() < 2)
      loops.insert(loops.begin(), 2 - loops.size(), DomainLoop());
    nest.loops = std::move(loops);
    if (nest.isPermuted)
      reason = checkPermuted(contract, domain, nest);
    if (!reason.empty())
      return std::nullopt;
    return nest;
  }
  // From the innermost loop outwards, each takes the next place of its kind.
  DomainLoop inner = loops.back();
  loops.pop_back();
  std::vector<DomainLoop> kept, reduced;
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
    (loop->reduced ? reduced : kept).push_back(*loop);
  const size_t mostReduced = inner.reduced ? 1 : 2, mostKept = inner.reduced ? 3 : 2;
  auto tooMany = [&](const char *what, const std::vector<DomainLoop> &found, size_t most) {
    return std::string("the ") + what + " dimensions form more loops than the " + std::to_string(most) +
           " that a kernel has beside " + loopText(domain, inner) + ": " + loopText(domain, found[most]) +
           " is one too many";
  };
  if (reduced.size() > mostReduced)
    return reason = tooMany("reduced", reduced, mostReduced), std::nullopt;
  if (kept.size() > mostKept)
    return reason = tooMany("kept", kept, mostKept), std::nullopt;
  auto take = [](std::vector<DomainLoop> &from, bool isReduced) {
    DomainLoop loop;
    loop.reduced = isReduced;
    if (from.empty())
      return loop;
    loop = from.front();
    from.erase(from.begin());
    return loop;
  };
  if (inner.reduced) {
    nest.form = reduced.empty() ? DomainNest::Rows : DomainNest::SplitRows;
    if (nest.form == DomainNest::SplitRows)
      nest.loops.push_back(take(reduced, true));
    nest.loops.push_back(take(kept, false));
  } else {
    nest.form = DomainNest::Columns;
    DomainLoop r1 = take(reduced, true);
    nest.loops = {take(reduced, true), r1};
  }
  nest.loops.push_back(inner);
  nest.batches[1] = take(kept, false);
  nest.batches[0] = take(kept, false);
  if (reason = checkCountedIn(domain, nest); !reason.empty())
    return std::nullopt;
  // A tile of columns has rows along r1, which a copy steps through.
  for (size_t i = 0; i < contract.inputs.size() && nest.form == DomainNest::Columns; ++i)
    if (!nest.loops[0].dims.empty() && hasLoop(domain, i, nest.loops[0]) && !hasLoop(domain, i, nest.loops[1]))
      return reason = "input '" + contract.inputs[i].name + "' has " + loopText(domain, nest.loops[0]) + " without " +
                      loopText(domain, nest.loops[1]) + ", which is reduced with it",
             std::nullopt;
  return nest;
}

} // namespace opc
