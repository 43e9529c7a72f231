// The kind of a contract: finds the loops of its kernels from the declared shapes, or the reason why there are none.

#include "ops/contract/domain/ShapeKeys.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Nests.h"

#include <algorithm>

namespace opc {

/// Maximum number of broadcasting inputs: two sets of them form one number of 63 bits in tiling functions.
static constexpr unsigned kMaxBroadcastInputs = 24;

static bool sameDim(const ContractDim &a, const ContractDim &b) {
  return a.kind == b.kind && a.name == b.name && a.size == b.size;
}

static bool sameShape(const std::vector<ContractDim> &a, const std::vector<ContractDim> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameDim);
}

static bool isPack(const std::vector<ContractDim> &shape) {
  return shape.size() == 1 && shape.front().kind == ContractDim::Pack;
}

std::optional<std::vector<int>> rowsDims(const std::vector<ContractDim> &shape, const std::vector<ContractDim> &whole) {
  if (sameShape(shape, whole))
    return std::vector<int>{0, 1};
  if (shape.size() == 1 && sameDim(shape.front(), whole.back()))
    return std::vector<int>{-1, 1};
  std::vector<ContractDim> prefix(whole.begin(), whole.end() - 1);
  if (sameShape(shape, prefix))
    return std::vector<int>{0};
  if (!shape.empty() && shape.back().kind == ContractDim::Fixed && shape.back().size == 1 &&
      sameShape({shape.begin(), shape.end() - 1}, prefix))
    return std::vector<int>{0, -1};
  return std::nullopt;
}

const std::vector<ContractDim> *wholeRows(const Contract &contract) {
  const std::vector<ContractDim> *whole = nullptr;
  for (const ContractTensor &input : contract.inputs)
    if (!input.shape.empty() && input.shape.back().kind == ContractDim::Symbol &&
        (!whole || input.shape.size() > whole->size()))
      whole = &input.shape;
  return whole;
}

static std::string kindOfRows(const Contract &contract) {
  const std::vector<ContractDim> *whole = wholeRows(contract);
  if (!whole)
    return "no input has a shape that ends in a symbol, as [...S, N] does";
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors) {
      if (tensor.broadcast != Broadcast::None)
        return "input '" + tensor.name + "' of an operator on rows broadcasts";
      if (!rowsDims(tensor.shape, *whole))
        return "the shape " + printShape(tensor.shape) + " of '" + tensor.name + "' is neither rows " +
               printShape(*whole) + " nor a parameter of them";
    }
  return {};
}

static std::string kindOfReduction(const Contract &contract) {
  const ContractReduction *first = nullptr;
  for (const ContractTensor &output : contract.outputs) {
    if (!output.reduces)
      return "output '" + output.name + "' does not reduce, another output does";
    if (!first)
      first = &*output.reduces;
    if (output.reduces->input != first->input || output.reduces->axes != first->axes)
      return "outputs '" + contract.outputs.front().name + "' and '" + output.name +
             "' reduce different inputs or axes";
  }
  const ContractTensor *reduced = contract.findTensor(first->input);
  for (const ContractTensor &input : contract.inputs) {
    if (input.broadcast != Broadcast::None)
      return "input '" + input.name + "' of a reduction broadcasts";
    if (!sameShape(input.shape, reduced->shape))
      return "input '" + input.name + "' has not the shape of '" + reduced->name + "'";
  }
  return {};
}

static std::string kindOfElementwise(const Contract &contract) {
  unsigned broadcasting = 0;
  for (const ContractTensor &input : contract.inputs)
    broadcasting += input.broadcast != Broadcast::None;
  if (broadcasting > kMaxBroadcastInputs)
    return std::to_string(broadcasting) + " inputs broadcast, at most " + std::to_string(kMaxBroadcastInputs) +
           " are served";
  return {};
}

/// Whether every tensor but scalars has the same shape [...S].
static bool isElementwise(const Contract &contract) {
  const std::vector<ContractDim> *pack = nullptr;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors) {
      if (tensor.broadcast == Broadcast::Scalar)
        continue;
      if (!isPack(tensor.shape) || (pack && !sameShape(tensor.shape, *pack)))
        return false;
      pack = &tensor.shape;
    }
  return pack != nullptr;
}

/// Whether shapes have products or windows, or a body has parts, positions, scans, sorts or gathers along dimensions.
static bool needsDomain(const Contract &contract) {
  if (hasNests(contract))
    return true;
  for (const ContractDimension &dimension : contract.dimensions)
    if (dimension.window)
      return true;
  for (const ContractBody &body : contract.bodies)
    if (!body.parts.empty() || !body.counts.empty() || !body.scans.empty() || !body.gathers.empty())
      return true;
  for (const ContractTensor &input : contract.inputs)
    if (input.values)
      return true;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      if (flatDims(tensor.shape).size() > tensor.shape.size())
        return true;
  return false;
}

/// Whether a body reduces another dimension than the last of `whole`.
static bool reducesFront(const Contract &contract, const std::vector<ContractDim> &whole) {
  std::string reason;
  std::optional<Domain> domain = domainOf(contract, reason);
  return domain && domain->dims.size() == whole.size() &&
         std::find(domain->reduced.begin(), domain->reduced.end() - 1, true) != domain->reduced.end() - 1;
}

/// Whether an input has an element for each row: [...S], or [...S, 1] beside an output [...S]. As a part of the domain
/// its dimensions match the rows by name, and also what a reduction dropped.
static bool hasElementOfRows(const Contract &contract, const std::vector<ContractDim> &whole) {
  auto isElement = [&](const ContractTensor &tensor) { return rowsDims(tensor.shape, whole) == std::vector<int>{0}; };
  auto isKept = [&](const ContractTensor &tensor) { return rowsDims(tensor.shape, whole) == std::vector<int>{0, -1}; };
  return std::any_of(contract.inputs.begin(), contract.inputs.end(), isElement) ||
         (std::any_of(contract.inputs.begin(), contract.inputs.end(), isKept) &&
          std::any_of(contract.outputs.begin(), contract.outputs.end(), isElement));
}

bool isStrided(const DomainNest &nest) {
  return !nest.across && nest.loops.size() <= kMostLoops;
}

/// Without a matrix product exactly the elements of windows are reduced.
static std::string checkReducedWindows(const Contract &contract, const Domain &domain) {
  const WindowedInput &windows = *domain.windows;
  std::string sizes;
  bool areReduced = std::count(domain.reduced.begin(), domain.reduced.end(), true) == ptrdiff_t(windows.axes.size());
  for (const AxisWindow &axis : windows.axes) {
    sizes += (sizes.empty() ? "" : ", ") + axis.size.name;
    for (size_t dim = 0; dim < domain.dims.size(); ++dim)
      areReduced &= domain.dims[dim].name != axis.size.name || domain.reduced[dim];
  }
  if (areReduced)
    return {};
  return "the windows of '" + contract.inputs[windows.tensor].name + "' have the dimensions [" + sizes +
         "], and bodies reduce these and no others, or sum them in a matrix product";
}

/// Whether the windows of a nest without a matrix product have the form that its kernel supports.
static std::string checkWindows(const Contract &contract, const Domain &domain, const DomainNest &nest) {
  const WindowedInput &windows = *domain.windows;
  const std::string &name = contract.inputs[windows.tensor].name;
  if (nest.form != DomainNest::Columns || !nest.loops[0].dims.empty())
    return "the places of the windows of '" + name + "' are not the last dimensions of the results";
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (i != windows.tensor && !domain.dimsOf(i).empty() && hasLoop(domain, i, nest.loops[1]))
      return "input '" + contract.inputs[i].name + "' has " + loopText(domain, nest.loops[1]) +
             ", the dimensions of windows of '" + name + "', beside which te.matmul alone takes another input";
  const std::vector<SizeEquation> equations = equationsOf(contract);
  for (const AxisWindow &axis : windows.axes) {
    auto own = std::find_if(equations.begin(), equations.end(),
                            [&](const SizeEquation &each) { return each.name == axis.size.name; });
    if (own == equations.end() || own->value.op != SizeExpression::Const)
      return "'" + axis.size.name + "', the size of the windows over '" + axis.over.name +
             "', has no value that is known when compiling";
    if (own->value.value < 1)
      return "'" + axis.size.name + "', the size of the windows over '" + axis.over.name +
             "', has to be at least 1, it is " + std::to_string(own->value.value);
    int64_t reach = 0;
    if (__builtin_mul_overflow(own->value.value, axis.dilation, &reach) || reach > kLongestWindow)
      return "the windows over '" + axis.over.name + "' reach over more than " + std::to_string(kLongestWindow) +
             " elements";
  }
  if (nest.loops[2].dims.size() != windows.axes.size())
    return "the places of the windows of '" + name + "' are not the last dimensions of the results";
  return {};
}

std::string whyNoDomainKernel(const Contract &contract) {
  std::string reason;
  if (hasNests(contract)) {
    std::vector<LaunchNest> nests = nestsOf(contract, reason);
    for (const LaunchNest &nest : nests)
      if (reason.empty())
        reason = whyNoDomainKernel(nest.contract);
    return reason;
  }
  std::optional<Domain> domain = domainOf(contract, reason);
  if (domain && domain->windows)
    if (reason = checkReducedWindows(contract, *domain); !reason.empty())
      return reason;
  std::optional<DomainNest> nest = domain ? nestOf(contract, *domain, reason) : std::nullopt;
  if (!nest)
    return reason;
  if (domain->windows)
    return domain->hasParts() ? "bodies take windows and parts of tensors" : checkWindows(contract, *domain, *nest);
  if (domain->gathers() && (nest->across || nest->loops.size() > kMostLoops))
    return "tensors of a body that gathers need more loops than the " + std::to_string(kMostLoops) +
           " of a kernel, or end with other dimensions than the result";
  if (nest->form == DomainNest::Elementwise && (domain->hasParts() || (contract.nest && !domain->gathers())) &&
      !isStrided(*nest))
    return "tensors that " + std::string(domain->hasParts() ? "are taken in parts" : "a nest has beside others") +
           " need more loops than the " + std::to_string(kMostLoops) +
           " of a kernel, or end with other dimensions than the result";
  if (nest->form == DomainNest::Elementwise && (domain->counts() || domain->scans()) && !domain->computesPlaces &&
      !isStrided(*nest))
    return "tensors of a body that " + std::string(domain->counts() ? "counts" : "scans") +
           " need more loops than the " + std::to_string(kMostLoops) +
           " of a kernel, or end with other dimensions than the result";
  size_t groups = nest->form == DomainNest::Elementwise ? movingInputs(contract).size() : 0;
  if (groups > kMaxBroadcastInputs)
    return "inputs have " + std::to_string(groups) + " different parts of the dimensions, at most " +
           std::to_string(kMaxBroadcastInputs) + " are served";
  return {};
}

static std::string kindOfContraction(const Contract &contract) {
  std::string reason;
  if (std::optional<Domain> domain = domainOf(contract, reason))
    (void)contractionOf(contract, *domain, reason);
  return reason;
}

std::vector<std::vector<unsigned>> movingInputs(const Contract &contract) {
  std::vector<std::vector<unsigned>> groups;
  std::string reason;
  std::optional<Domain> domain;
  if (std::none_of(contract.inputs.begin(), contract.inputs.end(),
                   [](const ContractTensor &input) { return input.broadcast == Broadcast::Numpy; }))
    domain = domainOf(contract, reason);
  auto same = [&](unsigned a, unsigned b) { return domain->dimsOf(a) == domain->dimsOf(b); };
  for (unsigned i = 0; i < contract.inputs.size(); ++i) {
    if (contract.inputs[i].broadcast == Broadcast::Numpy)
      groups.push_back({i});
    if (!domain || contract.inputs[i].broadcast != Broadcast::None ||
        domain->tensors[i] == domain->tensors[domain->whole])
      continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](auto &group) { return same(group.front(), i); });
    if (group == groups.end())
      groups.push_back({i});
    else
      group->push_back(i);
  }
  return groups;
}

/// An element of a list in an equation beyond the end of the list; empty if there is none.
static std::string missingElement(const Contract &contract, const SizeExpression &size) {
  if (size.op == SizeExpression::Symbol && size.symbol.find('[') != std::string::npos &&
      !valueOfSize(contract, size.symbol))
    return size.symbol;
  for (const SizeExpression &operand : size.operands)
    if (std::string missing = missingElement(contract, operand); !missing.empty())
      return missing;
  return {};
}

std::string missingElementOf(const Contract &contract, const ContractDimension &dimension) {
  return dimension.equals ? missingElement(contract, *dimension.equals) : "";
}

bool mayOverwriteInputs(const Contract &contract) {
  std::string reason;
  const ContractBody &body = contract.bodies.front();
  return contract.outputs.size() == 1 && isElementwise(contract) && body.level == BodyLevel::Te && body.axes.empty() &&
         contractKind(contract, reason) == ContractKind::Elementwise;
}

std::optional<ContractKind> contractKind(const Contract &contract, std::string &reason) {
  reason.clear();
  for (const ContractDimension &dimension : contract.dimensions)
    if (std::string missing = missingElementOf(contract, dimension); !missing.empty())
      return reason = "'" + missing + "', of the equation of '" + dimension.name + "', has no value when compiling",
             std::nullopt;
  for (const ContractTensor &input : contract.inputs)
    if (!input.required)
      return reason = "input '" + input.name + "' is optional", std::nullopt;
  for (const ContractTensor &input : contract.inputs)
    if (input.broadcast == Broadcast::Batch && !multiplies(contract))
      return reason = "the batch of input '" + input.name +
                      "' broadcasts ('broadcast: batch'), which is for matrices that a body multiplies",
             std::nullopt;
  if (multiplies(contract)) {
    reason = kindOfContraction(contract);
    return reason.empty() ? std::optional(ContractKind::Contraction) : std::nullopt;
  }
  bool reduces = std::any_of(contract.outputs.begin(), contract.outputs.end(),
                             [](const ContractTensor &output) { return bool(output.reduces); });
  ContractKind kind = reduces                   ? ContractKind::Reduction
                      : isElementwise(contract) ? ContractKind::Elementwise
                                                : ContractKind::Rows;
  reason = kind == ContractKind::Reduction     ? kindOfReduction(contract)
           : kind == ContractKind::Elementwise ? kindOfElementwise(contract)
                                               : kindOfRows(contract);
  if (kind == ContractKind::Rows &&
      (!reason.empty() || needsDomain(contract) || reducesFront(contract, *wholeRows(contract)))) {
    kind = ContractKind::Domain;
    reason = whyNoDomainKernel(contract);
  }
  if (kind == ContractKind::Rows && hasElementOfRows(contract, *wholeRows(contract)) &&
      whyNoDomainKernel(contract).empty())
    kind = ContractKind::Domain;
  if (!reason.empty())
    return std::nullopt;
  return kind;
}

} // namespace opc
