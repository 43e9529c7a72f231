// Rules of boundary and precision that need the type table: which types overflow, which tolerances are required.

#include "ops/contract/read/Parts.h"
#include "runtime/target/ElementKind.h"

#include <algorithm>
#include <set>

namespace opc {

static void checkBoundary(ContractErrors &errors, const ContractDraft &draft, const std::set<ElementType> &outputs) {
  const ContractBoundary &boundary = draft.contract.boundary;
  if (boundary.saturation == ContractBoundary::Saturation::Clamp && draft.overflowGiven)
    errors.report(ContractRule::Boundary, draft.boundary, "expects no 'overflow' beside 'saturation: clamp', found one",
                  "remove 'overflow'");
  bool anyWhole = outputs.empty();
  for (ElementType type : outputs)
    anyWhole |= !isFloat(type);
  if (boundary.overflow == ContractBoundary::Overflow::Wrap && !anyWhole)
    errors.report(ContractRule::Boundary, draft.boundary,
                  "expects an integer output for 'overflow: wrap', found floating point only",
                  "write 'overflow: infinity'");
}

/// Rule 38, for `compute` or `accumulate`: each float type of the table converts to it without loss.
static void checkComputeType(ContractErrors &errors, const ContractDraft &draft, ElementType compute,
                             const std::set<ElementType> &types, const std::string &what) {
  for (ElementType type : types) {
    bool holds = !isFloat(type) || type == compute || (isFloat(compute) && elementSize(compute) > elementSize(type));
    if (holds)
      continue;
    errors.report(ContractRule::ComputeType, draft.precision,
                  "expects " + what + " in a type that holds " + std::string(elementTypeName(type)) + ", found " +
                      std::string(elementTypeName(compute)));
    return;
  }
}

/// Checks that each tolerance is for the type of an output and that no type has two; returns their types.
static std::set<ElementType> checkToleranceList(ContractErrors &errors,
                                                const std::vector<ContractTolerance> &tolerances,
                                                const std::set<ElementType> &outputs, const std::string &what) {
  std::set<ElementType> seen;
  for (const ContractTolerance &tolerance : tolerances) {
    std::string name(elementTypeName(tolerance.type));
    if (!outputs.count(tolerance.type))
      errors.report(ContractRule::ToleranceTypes, tolerance.location,
                    "expects a " + what + " for a type that an output has, found " + name);
    if (!seen.insert(tolerance.type).second)
      errors.report(ContractRule::ToleranceTypes, tolerance.location,
                    "expects one " + what + " for a type, found " + name + " again");
  }
  return seen;
}

static void checkToleranceTypes(ContractErrors &errors, const ContractDraft &draft,
                                const std::set<ElementType> &outputs) {
  const ContractPrecision &precision = draft.contract.precision;
  const std::set<ElementType> seen = checkToleranceList(errors, precision.tolerances, outputs, "tolerance");
  checkToleranceList(errors, precision.chipTolerances, outputs, "chip tolerance");
  for (ElementType type : outputs)
    if (!seen.count(type) && !draft.toleranceUnread)
      errors.report(ContractRule::ToleranceTypes, draft.precision,
                    "expects a tolerance for each type that an output has, found none for " +
                        std::string(elementTypeName(type)));
}

/// Whether a name may be a factor of the term that widens max_ulp: a float attribute or a required input of float type.
static bool isFactor(const Contract &contract, const std::string &name) {
  if (const ContractAttribute *attribute = contract.findAttribute(name))
    return attribute->type == AttributeType::Float;
  for (const ContractTensor &input : contract.inputs)
    if (input.name == name)
      return !input.isOptional() && (input.types.empty() || isFloat(input.types.front()));
  return false;
}

static void checkToleranceForm(ContractErrors &errors, const Contract &contract, const ContractTolerance &tolerance) {
  std::vector<std::string> factors;
  for (const ContractAttribute &attribute : contract.attributes)
    if (isFactor(contract, attribute.name))
      factors.push_back(attribute.name);
  for (const ContractTensor &input : contract.inputs)
    if (isFactor(contract, input.name))
      factors.push_back(input.name);
  for (const std::string &name : tolerance.plusUlpOf)
    if (!isFactor(contract, name))
      errors.report(ContractRule::ToleranceForm, tolerance.location,
                    "expects float attributes and required float inputs in 'plus_ulp_of', found '" + name + "'",
                    suggest(name, factors));
  std::vector<std::string> dims;
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape)
      if (dim.kind == ContractDim::Symbol && std::find(dims.begin(), dims.end(), dim.name) == dims.end())
        dims.push_back(dim.name);
  for (const std::string &name : tolerance.sums)
    if (std::find(dims.begin(), dims.end(), name) == dims.end())
      errors.report(ContractRule::ToleranceForm, tolerance.location,
                    "expects dimensions with names that inputs have in 'sums', found '" + name + "'",
                    suggest(name, dims));
  bool onlyUlp = tolerance.sums.empty() && !tolerance.absolute && !tolerance.meanRelative && !tolerance.maxRelative &&
                 !tolerance.subnormalsFlushed;
  if (!isFloat(tolerance.type) && !onlyUlp)
    errors.report(ContractRule::ToleranceForm, tolerance.location,
                  "expects 'max_ulp' alone for " + std::string(elementTypeName(tolerance.type)) + ", found more");
}

void checkPrecision(ContractErrors &errors, const ContractDraft &draft) {
  const Contract &contract = draft.contract;
  std::set<ElementType> outputs, all;
  bool complete = !contract.outputs.empty();
  for (const ContractTensor &output : contract.outputs) {
    outputs.insert(output.types.begin(), output.types.end());
    complete &= !output.types.empty() && output.types.size() == contract.typeRows();
  }
  all = outputs;
  for (const ContractTensor &input : contract.inputs)
    all.insert(input.types.begin(), input.types.end());
  for (const ContractTolerance &tolerance : contract.precision.tolerances)
    checkToleranceForm(errors, contract, tolerance);
  for (const ContractTolerance &tolerance : contract.precision.chipTolerances)
    checkToleranceForm(errors, contract, tolerance);
  if (std::optional<ElementType> compute = contract.precision.compute)
    checkComputeType(errors, draft, *compute, all, "computation");
  if (std::optional<ElementType> accumulate = contract.precision.accumulate)
    checkComputeType(errors, draft, *accumulate, all, "accumulation");
  if (!complete)
    return; // types of outputs are missing or do not match: reported already
  checkBoundary(errors, draft, outputs);
  if (draft.precision.line != 0)
    checkToleranceTypes(errors, draft, outputs);
}

} // namespace opc
