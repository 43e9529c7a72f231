#include "ops/contract/domain/Workspace.h"

#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Domain.h"
#include "ops/contract/domain/Reductions.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace opc {

/// Maximum number of tensors of a kernel.
static constexpr size_t kMostTensors = 16;

namespace {

/// Decides which reductions of a body are in the workspace.
class WorkspaceFinder {
public:
  WorkspaceFinder(Contract &contract, ContractBody &body, const Domain &domain)
      : contract(contract), body(body), domain(domain), flow(body.flow), isKept(flow.reductions.size()) {}
  void find();

private:
  using DimSet = std::vector<bool>; // of the domain
  struct Needs {
    std::set<unsigned> arguments, reductions; // all of them, up to those in the workspace
    DimSet dims;                              // that the operands have
    bool again = false;                       // a reduction depends on another one
  };
  DimSet dimsLeftBy(const ContractBodyStep &step, const Needs &needs) const {
    return opc::dimsLeftBy(contract, domain, step.axes, needs.dims);
  }
  NestWay wayOf(const ContractBodyStep &step) const { return nestWayOf(contract, domain, step.axes); }
  bool reducesApart(const ContractBodyResult &result) const;
  DimSet loopsOf(const ContractBodyStep &reduction) const;
  bool counts(const ContractBodyStep &step) const;
  bool fits(const ContractBodyStep &step, const ContractBodyStep &reduction) const;
  bool fitsAll(const ContractBodyStep &step) const;
  void keepOthers(const ContractBodyStep &step);
  void keepUsed(const std::vector<size_t> &apart);
  void addArgument(unsigned argument, Needs &needs) const;
  Needs needsOf(const ContractBodyStep &step) const;
  ContractBodyResult resultOf(const ContractBodyStep &step) const;
  std::string freeName() const;
  void addTensor(const ContractBodyStep &step);

  Contract &contract;
  ContractBody &body;
  const Domain &domain;
  const ContractBodyFlow &flow;
  std::vector<bool> isKept;      // of the reductions: it is in the workspace
  std::vector<unsigned> numbers; // of those, in the order of Contract::workspace
};

} // namespace

/// Whether a returned value reduces different sets of dimensions, also where it reads others, or scans, gathers or
/// takes parts beside that.
bool WorkspaceFinder::reducesApart(const ContractBodyResult &result) const {
  std::set<NestWay> ways;
  for (const std::vector<std::string> &axes : result.axes)
    if (NestWay way = nestWayOf(contract, domain, axes); way.isAny())
      ways.insert(std::move(way));
  return ways.size() > 1;
}

/// The loops of a reduction: those of its operands, or of what is left of them if it has a way of its own.
WorkspaceFinder::DimSet WorkspaceFinder::loopsOf(const ContractBodyStep &reduction) const {
  const Needs needs = needsOf(reduction);
  return wayOf(reduction).apart.empty() ? needs.dims : dimsLeftBy(reduction, needs);
}

static bool isWithin(const std::vector<bool> &dims, const std::vector<bool> &of) {
  for (size_t dim = 0; dim < dims.size(); ++dim)
    if (dims[dim] && !of[dim])
      return false;
  return true;
}

/// Whether a value has positions, or what it is computed from in its nest.
bool WorkspaceFinder::counts(const ContractBodyStep &step) const {
  const Needs needs = needsOf(step);
  return std::any_of(needs.arguments.begin(), needs.arguments.end(),
                     [](unsigned argument) { return argument >= kFirstCounted; });
}

/// Whether a nest can have a value and a reduction that it reads. What scans, sorts, takes parts or gathers at the
/// indices of an input does not count. In a body that sorts, the K greatest of `x [M, N]` less their sum over N are in
/// a nest of [M, K], which reads the sum.
bool WorkspaceFinder::fits(const ContractBodyStep &step, const ContractBodyStep &reduction) const {
  const std::string apart = wayOf(reduction).apart;
  if (!apart.empty() && apart != kComputes && !(apart == kGathers && domain.computesPlaces) && counts(step))
    return false;
  if (!domain.sorts)
    return true;
  DimSet loops = needsOf(step).dims;
  for (unsigned each : step.reductions)
    if (const DimSet own = loopsOf(flow.reductions[each]);
        !isKept[each] && wayOf(flow.reductions[each]) == wayOf(reduction) && isWithin(loops, own))
      loops = own;
  return isWithin(loopsOf(reduction), loops);
}

bool WorkspaceFinder::fitsAll(const ContractBodyStep &step) const {
  return std::all_of(step.reductions.begin(), step.reductions.end(),
                     [&](unsigned each) { return fits(step, flow.reductions[each]); });
}

/// Puts the reductions into the workspace on which a value depends and which reduce other dimensions than it does, or
/// have other loops. All reductions before it keep this rule, so those that it reads stand for what they depend on.
void WorkspaceFinder::keepOthers(const ContractBodyStep &step) {
  NestWay own = wayOf(step);
  for (auto each = step.reductions.rbegin(); each != step.reductions.rend(); ++each) {
    const NestWay other = wayOf(flow.reductions[*each]);
    if (isKept[*each])
      continue;
    if (!fits(step, flow.reductions[*each])) {
      isKept[*each] = true;
      continue;
    }
    if (!own.isAny())
      own = other;
    isKept[*each] = own != other;
  }
}

/// Takes those out of the workspace that no such result needs.
void WorkspaceFinder::keepUsed(const std::vector<size_t> &apart) {
  std::vector<bool> isUsed(isKept.size());
  for (size_t i : apart)
    for (unsigned reduction : needsOf(flow.returned[i]).reductions)
      isUsed[reduction] = true;
  // From the last one on: each reads those before it alone.
  for (size_t i = isUsed.size(); i-- > 0;)
    if (isUsed[i])
      for (unsigned reduction : needsOf(flow.reductions[i]).reductions)
        isUsed[reduction] = true;
  isKept = isUsed;
}

/// Adds an argument of the function, or a returned value, with its dimensions.
void WorkspaceFinder::addArgument(unsigned argument, Needs &needs) const {
  needs.arguments.insert(argument);
  auto addDims = [&](size_t tensor) {
    for (unsigned dim : domain.dimsOf(tensor))
      needs.dims[dim] = true;
  };
  if (argument >= kFirstCounted) {
    if (argument - kFirstCounted < body.counts.size())
      for (size_t dim = 0; dim < domain.dims.size(); ++dim)
        if (domain.dims[dim].kind == ContractDim::Symbol &&
            domain.dims[dim].name == body.counts[argument - kFirstCounted])
          needs.dims[dim] = true;
    return;
  }
  if (argument >= kFirstReturned) {
    const size_t output = argument - (argument >= kFirstShaped ? kFirstShaped : kFirstReturned);
    if (output < contract.outputs.size())
      addDims(contract.inputs.size() + output);
    return;
  }
  for (size_t input : inputsOfArgument(contract, argument))
    addDims(input);
}

WorkspaceFinder::Needs WorkspaceFinder::needsOf(const ContractBodyStep &step) const {
  Needs needs;
  needs.dims.resize(domain.dims.size());
  for (unsigned argument : step.arguments)
    addArgument(argument, needs);
  for (unsigned reduction : step.reductions) {
    const Needs own = needsOf(flow.reductions[reduction]);
    const DimSet left = dimsLeftBy(flow.reductions[reduction], own);
    for (size_t dim = 0; dim < left.size(); ++dim)
      needs.dims[dim] = needs.dims[dim] || left[dim];
    if (isKept[reduction]) {
      needs.reductions.insert(reduction);
      continue;
    }
    needs.arguments.insert(own.arguments.begin(), own.arguments.end());
    needs.reductions.insert(own.reductions.begin(), own.reductions.end());
    needs.again |= own.again || !step.axes.empty();
  }
  return needs;
}

/// A value as a result of a nest, which reads values in the workspace as other results.
ContractBodyResult WorkspaceFinder::resultOf(const ContractBodyStep &step) const {
  const Needs needs = needsOf(step);
  ContractBodyResult result;
  result.arguments.assign(needs.arguments.begin(), needs.arguments.end());
  for (size_t i = 0; i < numbers.size(); ++i)
    if (needs.reductions.count(numbers[i]))
      result.arguments.push_back(unsigned(kFirstReturned + contract.outputs.size() + i));
  result.reducesAgain = needs.again;
  if (wayOf(step).isAny()) {
    result.axes = {step.axes};
    return result;
  }
  for (unsigned reduction : step.reductions)
    if (!isKept[reduction] && result.axes.empty())
      result.axes = {flow.reductions[reduction].axes};
  return result;
}

/// Names that are equal without case and '_' are one name in C.
static std::string plainName(const std::string &name) {
  std::string plain;
  for (char c : name)
    if (c != '_')
      plain += char(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

/// A name that no tensor or attribute has, whose place, NAME_at, is the name of none either.
std::string WorkspaceFinder::freeName() const {
  std::set<std::string> taken;
  for (const auto *tensors : {&contract.inputs, &contract.outputs, &contract.workspace})
    for (const ContractTensor &tensor : *tensors)
      taken.insert(plainName(tensor.name));
  for (const ContractAttribute &attribute : contract.attributes)
    taken.insert(plainName(attribute.name));
  for (size_t number = contract.workspace.size();; ++number) {
    const std::string name = "between_" + std::to_string(number);
    if (taken.count(plainName(name)) == 0 && taken.count(plainName(name + "_at")) == 0)
      return name;
  }
}

void WorkspaceFinder::addTensor(const ContractBodyStep &step) {
  ContractTensor tensor;
  tensor.name = freeName();
  tensor.summary = step.value;
  tensor.types.assign(contract.typeRows(), ElementType::Float32);
  tensor.formats.assign(contract.typeRows(), "ND");
  const DimSet left = dimsLeftBy(step, needsOf(step));
  // In the order of an operand that has them all.
  std::vector<unsigned> order;
  for (unsigned dim = 0; dim < domain.dims.size(); ++dim)
    if (left[dim])
      order.push_back(dim);
  for (unsigned argument : step.arguments)
    for (size_t input : argument < kFirstReturned ? inputsOfArgument(contract, argument) : std::vector<size_t>())
      if (const std::vector<unsigned> own = domain.dimsOf(input);
          std::is_permutation(order.begin(), order.end(), own.begin(), own.end()))
        order = own;
  for (unsigned dim : order)
    tensor.shape.push_back(domain.dims[dim]);
  contract.workspace.push_back(std::move(tensor));
}

void WorkspaceFinder::find() {
  std::set<std::string> names;
  for (const ContractDim &dim : domain.dims)
    names.insert(printDim(dim));
  // Fixed sizes have no name by which a tensor could have one of two.
  const size_t outputs = contract.outputs.size();
  std::vector<size_t> apart;
  if (flow.results.size() != outputs || flow.returned.size() != outputs || names.size() != domain.dims.size())
    return;
  for (size_t i = 0; i < outputs; ++i)
    if (reducesApart(flow.results[i]) || !fitsAll(flow.returned[i]))
      apart.push_back(i);
  if (apart.empty())
    return;
  for (const ContractBodyStep &step : flow.reductions)
    keepOthers(step);
  for (size_t i : apart)
    keepOthers(flow.returned[i]);
  keepUsed(apart);
  for (size_t i = 0; i < isKept.size(); ++i)
    if (isKept[i])
      numbers.push_back(unsigned(i));
  if (contract.inputs.size() + contract.outputs.size() + numbers.size() > kMostTensors)
    return;
  // The others are computed in one nest, as they are without a workspace.
  for (size_t i : apart)
    body.results[i] = resultOf(flow.returned[i]);
  for (unsigned number : numbers) {
    addTensor(flow.reductions[number]);
    body.results.push_back(resultOf(flow.reductions[number]));
  }
}

std::string toldName(const ContractTensor &tensor, const std::string &what) {
  return tensor.location.file.empty() && !tensor.summary.empty()
             ? "the value '%" + tensor.summary + "'"
             : (what.empty() ? "" : what + " ") + "'" + tensor.name + "'";
}

void findWorkspace(Contract &contract) {
  contract.workspace.clear();
  for (ContractBody &body : contract.bodies)
    if (body.level == BodyLevel::Te)
      body.results = body.flow.results;
  std::string reason;
  std::vector<ContractBody *> bodies;
  for (ContractBody &body : contract.bodies)
    if (body.level == BodyLevel::Te)
      bodies.push_back(&body);
  if (bodies.size() != 1 || contract.nest || !canDivide(contract) || isOneKernel(contract))
    return;
  if (const std::optional<Domain> domain = domainOf(contract, reason))
    WorkspaceFinder(contract, *bodies.front(), *domain).find();
}

} // namespace opc
