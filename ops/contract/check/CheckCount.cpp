// Rule 50: inputs that represent as many tensors as an attribute counts when compiling.

#include "ops/contract/read/Parts.h"

#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"

#include <algorithm>
#include <cmath>

namespace opc {

/// The nearest name of an attribute that may be a count, or else the text of such an attribute.
static std::string fixOf(const Contract &contract, const std::string &count) {
  std::vector<std::string> names;
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.type == AttributeType::Int && attribute.binding == Binding::Compile)
      names.push_back(attribute.name);
  const std::string nearest = suggest(count, names);
  return nearest.empty() ? "below 'attributes': {name: " + count +
                               ", type: int, bind: compile, default: 2, range: {minimum: 1, maximum: 8}}"
                         : nearest;
}

/// Checks that the attribute has a value and a range, which is the limit.
static void checkAttribute(ContractErrors &errors, const Contract &contract, const ContractTensor &input) {
  const ContractAttribute *attribute = contract.findAttribute(input.count);
  if (!attribute || attribute->binding != Binding::Compile || !std::holds_alternative<int64_t>(attribute->defaultValue))
    return errors.report(ContractRule::Counted, input.location,
                         "expects 'count' of '" + input.name +
                             "' to name an int attribute that binds when compiling and has a default, found '" +
                             input.count + "'",
                         attribute ? "" : fixOf(contract, input.count));
  if (attribute->minimum.value_or(0) < 1 || attribute->maximum.value_or(kMaxCount + 1.0) > kMaxCount)
    errors.report(ContractRule::Counted, attribute->location,
                  "expects a range within 1 to " + std::to_string(kMaxCount) + " of '" + attribute->name +
                      "', the count of '" + input.name + "', found another one",
                  "range: {minimum: 1, maximum: 8}");
}

/// Checks the dimensions that have a count, in all shapes and entries.
static void checkEach(ContractErrors &errors, const Contract &contract, const ContractTensor *counted) {
  auto check = [&](const std::string &name, const std::string &each, const Location &where, const ContractTensor *of) {
    if (each.empty())
      return true;
    const bool isOwn = counted && each == counted->count && (!of || of == counted);
    if (!isOwn)
      errors.report(ContractRule::Counted, where,
                    "expects dimensions with a count in the shape of the input that has it, and in outputs, found '" +
                        name + "[" + each + "]'",
                    counted ? "'" + counted->name + "' has 'count: " + counted->count + "'"
                            : "'count: " + each + "' below an input");
    return isOwn;
  };
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape)
      for (const ContractDim &leaf : leavesOf(dim))
        if (check(leaf.name, leaf.each, leaf.location, &input) && !leaf.each.empty() && !dim.terms.empty())
          errors.report(ContractRule::Counted, leaf.location,
                        "expects a dimension with a count by itself in an input, found it in '" + dim.name + "'");
  for (const ContractTensor &output : contract.outputs)
    for (const ContractDim &dim : output.shape)
      for (const ContractDim &leaf : leavesOf(dim))
        check(leaf.name, leaf.each, leaf.location, nullptr);
  for (const ContractDimension &dimension : contract.dimensions)
    if (check(dimension.name, dimension.each, dimension.location, nullptr) && !dimension.each.empty() &&
        dimension.equals)
      errors.report(ContractRule::Counted, dimension.location,
                    "expects bounds or 'axis' of a dimension with a count, found an equation of '" + dimension.name +
                        "'");
}

/// Checks that no other tensor or dimension has a name such as "x_0" or "A_0".
static void checkNames(ContractErrors &errors, const Contract &contract, const ContractTensor &counted) {
  auto isOf = [](const std::string &name, const std::string &stem) {
    return name.size() > stem.size() + 1 && name.compare(0, stem.size(), stem) == 0 && name[stem.size()] == '_' &&
           name.find_first_not_of("0123456789", stem.size() + 1) == std::string::npos;
  };
  auto check = [&](const std::string &name, const std::string &stem, const Location &where) {
    if (isOf(name, stem))
      errors.report(ContractRule::NameOnce, where,
                    "expects a name that is none of '" + stem + "', which has a count, found '" + name + "'");
  };
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      check(tensor.name, counted.name, tensor.location);
  for (const ContractAttribute &attribute : contract.attributes)
    check(attribute.name, counted.name, attribute.location);
  for (const ContractDim &each : counted.shape)
    if (!each.each.empty())
      for (const auto *tensors : {&contract.inputs, &contract.outputs})
        for (const ContractTensor &tensor : *tensors)
          for (const ContractDim &dim : tensor.shape)
            for (const ContractDim &leaf : leavesOf(dim)) {
              check(leaf.name, each.name, leaf.location);
              if (leaf.name == each.name && leaf.each.empty())
                errors.report(ContractRule::NameOnce, leaf.location,
                              "expects '" + each.name + "[" + each.each + "]', a dimension of each '" + counted.name +
                                  "', found '" + each.name + "' without its count");
            }
}

void checkCount(ContractErrors &errors, const ContractDraft &draft) {
  const Contract &contract = draft.contract;
  const ContractTensor *counted = nullptr;
  for (const ContractTensor &input : contract.inputs) {
    if (input.count.empty())
      continue;
    counted = &input;
    checkAttribute(errors, contract, input);
    if (&input != &contract.inputs.back())
      errors.report(ContractRule::Counted, input.location,
                    "expects 'count' on the last input, of which a launch has any number, found it on '" + input.name +
                        "'",
                    "write it after the others");
    if (input.isOptional() || input.values)
      errors.report(ContractRule::Counted, input.location,
                    "expects 'count' without 'required: false', 'present' and 'values', found both on '" + input.name +
                        "'");
  }
  checkEach(errors, contract, counted);
  if (!counted)
    return;
  checkNames(errors, contract, *counted);
  for (const ContractTensor &output : contract.outputs)
    if (output.reduces && output.reduces->input == counted->name)
      errors.report(ContractRule::Counted, output.location,
                    "expects 'reduces' to name an input without a count, found '" + counted->name + "'");
  for (const ContractBody &body : contract.bodies)
    if (body.level != BodyLevel::Te)
      errors.report(ContractRule::Counted, body.location,
                    "expects bodies at level te, which are written for any count, found one by hand",
                    "an operator for each count, or a body at level te");
}

} // namespace opc
