// Rules 47 and 48: attributes that give orders and positions of dimensions, and inputs whose values are indices.

#include "ops/contract/read/Parts.h"

#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"

#include <algorithm>

namespace opc {

static std::vector<std::string> attributesOf(const Contract &contract, AttributeType type) {
  std::vector<std::string> names;
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.type == type && attribute.binding == Binding::Compile)
      names.push_back(attribute.name);
  return names;
}

static bool hasValue(const Contract &contract, const std::string &name, AttributeType type) {
  const ContractAttribute *attribute = contract.findAttribute(name);
  return attribute && attribute->type == type && attribute->binding == Binding::Compile &&
         attribute->defaultValue.index() != 0;
}

/// The attributes that shapes and dimensions name.
static void checkAttributes(ContractErrors &errors, const Contract &contract) {
  auto check = [&](const std::string &name, AttributeType type, const Location &where, const std::string &what) {
    if (!name.empty() && !hasValue(contract, name, type))
      errors.report(ContractRule::Places, where,
                    "expects " + what + " in " + (type == AttributeType::Int ? "an int" : "a list_int") +
                        " attribute that binds at compile time and has a default, found '" + name + "'",
                    suggest(name, attributesOf(contract, type)));
  };
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape)
      if (!dim.order.empty())
        errors.report(ContractRule::Places, dim.location,
                      "expects the order of a pack in outputs only, found '..." + dim.name + "[" + dim.order +
                          "]' in an input",
                      "write '..." + dim.name + "'");
  for (const ContractTensor &output : contract.outputs)
    for (const ContractDim &dim : output.shape)
      check(dim.order, AttributeType::ListInt, dim.location, "the order of '" + printDim(dim) + "'");
  for (const ContractDimension &dimension : contract.dimensions)
    check(dimension.axis, AttributeType::Int, dimension.location, "the axis of '" + dimension.name + "'");
}

/// Symbols that replace a pack have unique names.
static void checkNames(ContractErrors &errors, const Contract &contract) {
  const Contract &written = *contract.written;
  auto isPack = [&](const std::string &name) {
    return std::any_of(written.inputs.begin(), written.inputs.end(), [&](const ContractTensor &input) {
      return std::any_of(input.shape.begin(), input.shape.end(),
                         [&](const ContractDim &dim) { return dim.kind == ContractDim::Pack && dim.name == name; });
    });
  };
  for (const auto *tensors : {&written.inputs, &written.outputs})
    for (const ContractTensor &tensor : *tensors)
      for (const ContractDim &dim : tensor.shape)
        for (const ContractDim &leaf : leavesOf(dim)) {
          size_t line = leaf.name.find_last_of('_');
          bool isNumbered = line != std::string::npos && line + 1 < leaf.name.size() &&
                            leaf.name.find_first_not_of("0123456789", line + 1) == std::string::npos;
          if (leaf.kind == ContractDim::Symbol && isNumbered && isPack(leaf.name.substr(0, line)))
            errors.report(ContractRule::NameOnce, leaf.location,
                          "expects a name that no dimension of '..." + leaf.name.substr(0, line) + "' has, found '" +
                              leaf.name + "'");
        }
}

static void checkPacks(ContractErrors &errors, const std::vector<ContractTensor> &tensors,
                       const std::vector<TensorPlaces> &places) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    auto packs = std::count_if(tensors[i].shape.begin(), tensors[i].shape.end(),
                               [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; });
    if (packs > 1)
      errors.report(ContractRule::ShapeForm, places[i].shape,
                    "expects at most one pack in a shape, found " + std::to_string(packs),
                    "'axis' of the dimension between two packs says where it is");
  }
}

void checkPlaces(ContractErrors &errors, ContractDraft &draft) {
  Contract &contract = draft.contract;
  checkAttributes(errors, contract);
  if (errors.any())
    return;
  if (!hasPlaces(contract))
    return checkPacks(errors, contract.inputs, draft.inputPlaces);
  std::string wrong = bindPlaces(contract);
  if (!wrong.empty())
    return errors.report(ContractRule::Places, contract.location,
                         "expects shapes for the defaults of attributes: " + wrong);
  checkNames(errors, contract);
}

void checkValues(ContractErrors &errors, const ContractDraft &draft) {
  std::vector<std::string> symbols;
  for (const ContractTensor &input : draft.contract.inputs)
    for (const ContractDim &dim : input.shape)
      if (dim.kind == ContractDim::Symbol && dim.factors.empty() && dim.terms.empty())
        symbols.push_back(dim.name);
  for (const ContractTensor &input : draft.contract.inputs) {
    if (!input.values)
      continue;
    const std::string &along = input.values->along;
    bool isOther =
        std::any_of(draft.contract.inputs.begin(), draft.contract.inputs.end(), [&](const ContractTensor &other) {
          return &other != &input && std::any_of(other.shape.begin(), other.shape.end(), [&](const ContractDim &dim) {
            return dim.kind == ContractDim::Symbol && dim.name == along;
          });
        });
    if (!isOther)
      errors.report(ContractRule::Values, input.values->location,
                    "expects a dimension of another input, along which the values are places, found '" + along + "'",
                    suggest(along, symbols));
    for (ElementType type : input.types)
      if (type != ElementType::Int32 && type != ElementType::Int64) {
        errors.report(ContractRule::Values, input.values->location,
                      "expects values of int32 or int64 as places, found '" + input.name + "' of " +
                          std::string(elementTypeName(type)));
        break;
      }
    if (input.isOptional() || input.broadcast != Broadcast::None)
      errors.report(ContractRule::Values, input.values->location,
                    "expects places in a required input that does not broadcast, found '" + input.name + "'");
  }
}

} // namespace opc
