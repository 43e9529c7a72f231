// Rule 49: inputs that an operator is compiled with or without.

#include "ops/contract/read/Parts.h"

#include "ops/contract/Shapes.h"
#include "runtime/target/ElementKind.h"

#include <cmath>
#include <set>

namespace opc {

static std::vector<std::string> boolAttributes(const Contract &contract) {
  std::vector<std::string> names;
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.type == AttributeType::Bool && attribute.binding == Binding::Compile)
      names.push_back(attribute.name);
  return names;
}

/// The nearest name of an attribute, or the attribute itself.
static std::string fixOf(const Contract &contract, const std::string &presence) {
  const std::string nearest = suggest(presence, boolAttributes(contract));
  return nearest.empty() ? "below 'attributes': {name: " + presence + ", type: bool, bind: compile, default: true}"
                         : nearest;
}

/// The attribute is true by default, so that all other rules check a contract with all of its inputs.
static void checkAttribute(ContractErrors &errors, const Contract &contract, const ContractTensor &input) {
  const ContractAttribute *attribute = contract.findAttribute(input.presence);
  const bool *isThere = attribute ? std::get_if<bool>(&attribute->defaultValue) : nullptr;
  if (!isThere || !*isThere || attribute->binding != Binding::Compile)
    errors.report(ContractRule::Presence, input.location,
                  "expects 'present' of '" + input.name +
                      "' to name a bool attribute that binds when compiling and is true by default, found '" +
                      input.presence + "'",
                  attribute ? "" : fixOf(contract, input.presence));
}

/// Without the input, the other inputs must determine all sizes.
static void checkSizes(ContractErrors &errors, const Contract &contract, const ContractTensor &input) {
  std::set<std::string> known;
  for (const ContractTensor &other : contract.inputs)
    for (const ContractDim &dim : other.shape)
      for (const ContractDim &leaf : other.isOptional() ? std::vector<ContractDim>() : leavesOf(dim))
        known.insert(leaf.name);
  for (const ContractDimension &dimension : contract.dimensions)
    if (dimension.equals || dimension.window)
      known.insert(dimension.name);
  for (const ContractDim &dim : input.shape)
    for (const ContractDim &leaf : leavesOf(dim))
      if (leaf.kind != ContractDim::Fixed && !known.count(leaf.name))
        errors.report(ContractRule::Presence, leaf.location,
                      "expects dimensions of '" + input.name +
                          "', which may be absent, that another input has too, found '" + printDim(leaf) + "'");
}

/// Whether a type can represent a number; floats are float32 in bodies, or float64.
static bool hasNumber(ElementType type, const AttributeValue &value) {
  const auto *whole = std::get_if<int64_t>(&value);
  if (isFloat(type)) {
    const double number = whole ? double(*whole) : std::get<double>(value);
    return type == ElementType::Float64 || std::isfinite(float(number));
  }
  if (!whole)
    return false;
  const bool isUnsigned = type == ElementType::UInt8 || type == ElementType::UInt16 || type == ElementType::UInt32 ||
                          type == ElementType::UInt64;
  const unsigned bits = 8 * unsigned(elementSize(type));
  if (isUnsigned)
    return *whole >= 0 && (bits == 64 || *whole < int64_t(1) << bits);
  return bits == 64 || (*whole >= -(int64_t(1) << (bits - 1)) && *whole < int64_t(1) << (bits - 1));
}

/// Every row can represent the number that replaces the input.
static void checkNumber(ContractErrors &errors, const ContractTensor &input) {
  if (input.absent.index() == 0)
    return; // no number: reported already
  const bool isTruth = std::holds_alternative<bool>(input.absent);
  for (ElementType type : input.types) {
    const bool isBool = type == ElementType::Bool;
    if (isBool == isTruth && (isBool || isFloat(type) || std::holds_alternative<int64_t>(input.absent)))
      continue;
    return errors.report(ContractRule::Presence, input.location,
                         std::string("expects ") +
                             (isBool          ? "true or false"
                              : isFloat(type) ? "a number"
                                              : "a whole number") +
                             " in 'absent' for '" + input.name + "' of " + std::string(elementTypeName(type)) +
                             ", found " +
                             (isTruth  ? "a truth value"
                              : isBool ? "a number"
                                       : "one with a fraction"),
                         isBool ? "absent: true" : "");
  }
  if (isTruth)
    return;
  for (ElementType type : input.types)
    if (!hasNumber(type, input.absent))
      return errors.report(ContractRule::Presence, input.location,
                           "expects a number in 'absent' for '" + input.name + "' that " +
                               std::string(elementTypeName(type)) + " has, found one beyond its range");
}

/// Two rows that differ only in inputs that may be absent would be equal without them.
static void checkRows(ContractErrors &errors, const ContractDraft &draft) {
  const Contract &contract = draft.contract;
  std::set<std::pair<std::vector<ElementType>, bool>> seen;
  for (unsigned row = 0; row < contract.typeRows(); ++row) {
    std::vector<ElementType> types;
    for (const auto *tensors : {&contract.inputs, &contract.outputs})
      for (const ContractTensor &tensor : *tensors) {
        if (tensor.types.size() != contract.typeRows())
          return;
        if (tensor.presence.empty())
          types.push_back(tensor.types[row]);
      }
    if (!seen.emplace(std::move(types), contract.packedInput(row).has_value()).second)
      errors.report(ContractRule::Presence, draft.inputPlaces.front().types,
                    "expects type rows that differ without the inputs that may be absent, found row " +
                        std::to_string(row) + " equal to an earlier one");
  }
}

void checkPresence(ContractErrors &errors, const ContractDraft &draft) {
  const Contract &contract = draft.contract;
  bool any = false;
  for (const ContractTensor &input : contract.inputs) {
    if (input.presence.empty())
      continue;
    any = true;
    checkAttribute(errors, contract, input);
    checkNumber(errors, input);
    checkSizes(errors, contract, input);
    if (!input.required || &input == &contract.inputs.front())
      errors.report(ContractRule::Presence, input.location,
                    std::string("expects 'present' on an input ") +
                        (input.required ? "after the first one, which gives type rows their names, found it on '"
                                        : "without 'required: false', found both on '") +
                        input.name + "'",
                    input.required ? "write another input first" : "'present' alone says that it is optional");
  }
  if (!any)
    return;
  checkRows(errors, draft);
  for (const ContractBody &body : contract.bodies)
    if (body.level != BodyLevel::Te)
      errors.report(ContractRule::Presence, body.location,
                    "expects bodies at level te, where a number replaces an absent input, found "
                    "one by hand",
                    "two operators, or a body at level te");
}

} // namespace opc
