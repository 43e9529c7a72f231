// The values that a node gives the contract's attributes: its constants and its own attributes.

#include "ops/onnx/TensorData.h"
#include "ops/onnx/coverage/Matcher.h"
#include "runtime/target/Half.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace opc::onnx {

/// Whether a number is whole, and converts to 64 bits.
static bool isWhole(double number) {
  return std::fabs(number) <= 9007199254740992.0 && number == std::floor(number);
}

/// The elements of a constant of numbers, at most 64 of them.
static std::optional<std::vector<double>> numbersOf(const Model &model, const Tensor &tensor) {
  constexpr int64_t kMost = 64;
  if (tensor.elements() > kMost)
    return std::nullopt;
  if (std::optional<std::vector<int64_t>> whole = tensorIntegers(model, tensor, kMost))
    return std::vector<double>(whole->begin(), whole->end());
  TensorBytes bytes = tensorBytes(model, tensor);
  auto count = static_cast<size_t>(tensor.elements());
  std::vector<double> numbers;
  for (size_t i = 0; i < count; ++i) {
    if (tensor.type == ElementType::Float32 && bytes.get().size() == count * 4) {
      float value;
      std::memcpy(&value, bytes.get().data() + i * 4, 4);
      numbers.push_back(value);
    } else if (tensor.type == ElementType::Float16 && bytes.get().size() == count * 2) {
      Half bits;
      std::memcpy(&bits, bytes.get().data() + i * 2, 2);
      numbers.push_back(toFloat(bits));
    } else if (tensor.type == ElementType::BFloat16 && bytes.get().size() == count * 2) {
      BFloat16 bits;
      std::memcpy(&bits, bytes.get().data() + i * 2, 2);
      numbers.push_back(toFloat(bits));
    } else if (tensor.type == ElementType::Float64 && bytes.get().size() == count * 8) {
      double value;
      std::memcpy(&value, bytes.get().data() + i * 8, 8);
      numbers.push_back(value);
    } else {
      return std::nullopt;
    }
  }
  return numbers;
}

bool Matcher::checkConstant(size_t i, const ContractOnnxOperand &operand) {
  std::string which = "operand " + std::to_string(i + 1);
  bool given = i < node.inputs.size() && !node.inputs[i].empty();
  if (!given)
    return operand.name.empty() && operand.items.empty() ? true : no(which + " is left out");
  const Tensor *constant = operands[i].constant;
  if (!constant)
    return no(which + " is no constant");
  std::optional<std::vector<double>> numbers = numbersOf(model, *constant);
  if (!numbers)
    // bfloat16 and the like: an attribute that the kernel takes at launch may have any value.
    return operand.name.empty() ? no(which + " is no list of a few numbers") : true;
  if (operand.name.empty()) {
    if (operand.items.size() != numbers->size())
      return no(which + " has " + std::to_string(numbers->size()) + " elements instead of " +
                std::to_string(operand.items.size()));
    for (size_t j = 0; j < numbers->size(); ++j) {
      const std::string &item = operand.items[j];
      double found = (*numbers)[j];
      double wanted = 0;
      if (contract.findAttribute(item)) {
        if (!isWhole(found))
          return no("element " + std::to_string(j + 1) + " of " + which + " is no whole number");
        give(item, static_cast<int64_t>(found));
      } else if (std::from_chars(item.data(), item.data() + item.size(), wanted).ec != std::errc() || wanted != found) {
        return no("element " + std::to_string(j + 1) + " of " + which + " is not " + item);
      }
    }
    return true;
  }
  const ContractAttribute &attribute = *contract.findAttribute(operand.name);
  bool isList = attribute.type >= AttributeType::ListFloat;
  if (!isList && numbers->size() != 1)
    return no(which + " has " + std::to_string(numbers->size()) + " elements instead of one");
  bool wholeOnly = attribute.type == AttributeType::Int || attribute.type == AttributeType::ListInt;
  for (double number : *numbers)
    if ((wholeOnly && !isWhole(number)) || (attribute.minimum && number < *attribute.minimum) ||
        (attribute.maximum && number > *attribute.maximum))
      return no(which + " is outside of the range of " + quoted(attribute.name));
  if (attribute.type == AttributeType::ListInt)
    give(attribute.name, std::vector<int64_t>(numbers->begin(), numbers->end()));
  else if (attribute.type == AttributeType::ListFloat)
    give(attribute.name, *numbers);
  else if (attribute.type == AttributeType::Int)
    give(attribute.name, static_cast<int64_t>(numbers->front()));
  else if (attribute.type == AttributeType::Float)
    give(attribute.name, numbers->front());
  else if (attribute.type == AttributeType::Bool)
    give(attribute.name, numbers->front() != 0);
  return true;
}

/// The value of an attribute in the terms of contracts; monostate for tensors, graphs and types.
static AttributeValue plainValue(const Attribute &attribute) {
  auto texts = [&] { return std::vector<std::string>(attribute.strings.begin(), attribute.strings.end()); };
  switch (attribute.kind) {
  case Attribute::Float:
    return static_cast<double>(attribute.floats.front());
  case Attribute::Int:
    return attribute.ints.front();
  case Attribute::String:
    return texts().front();
  case Attribute::Floats:
    return std::vector<double>(attribute.floats.begin(), attribute.floats.end());
  case Attribute::Ints:
    return attribute.ints;
  case Attribute::Strings:
    return texts();
  default:
    return {};
  }
}

static std::string valueText(const AttributeValue &value) {
  if (auto *whole = std::get_if<int64_t>(&value))
    return std::to_string(*whole);
  if (auto *text = std::get_if<std::string>(&value))
    return quoted(*text);
  if (auto *real = std::get_if<double>(&value)) {
    // Numeric attributes of a model are float32.
    char text[32];
    std::snprintf(text, sizeof text, "%.7g", *real);
    return std::string(text).find_first_of(".en") == std::string::npos ? std::string(text) + ".0" : text;
  }
  return "a list";
}

/// The value of an attribute that the node lacks.
bool Matcher::giveDefault(const ContractOnnxAttribute &expected, const ContractAttribute &attribute) {
  if (expected.defaultValue.index() == 0)
    return no("attribute " + quoted(expected.name) + " is missing");
  if (attribute.type != AttributeType::ListInt || !std::holds_alternative<std::string>(expected.defaultValue)) {
    give(attribute.name, expected.defaultValue);
    return true;
  }
  // The reversed order has as many dimensions as the operand.
  if (operands.empty() || !operands[0].shape)
    return no("attribute " + quoted(expected.name) + " is missing, and the rank of the operand is not known");
  std::vector<int64_t> order;
  for (size_t i = operands[0].shape->size(); i-- > 0;)
    order.push_back(int64_t(i));
  give(attribute.name, std::move(order));
  return true;
}

/// The value of a node's attribute as one of the contract's attribute; monostate if the contract does not take it.
static AttributeValue valueAs(const ContractAttribute &attribute, AttributeValue value) {
  auto outside = [&](double number) {
    return (attribute.minimum && number < *attribute.minimum) || (attribute.maximum && number > *attribute.maximum);
  };
  switch (attribute.type) {
  case AttributeType::Float:
    if (!std::holds_alternative<double>(value))
      return {};
    // A bound that is not a float32, such as 1e-12, may be above its float32 in a model.
    for (const std::optional<double> &bound : {attribute.minimum, attribute.maximum})
      if (bound && static_cast<float>(*bound) == static_cast<float>(std::get<double>(value)))
        value = *bound;
    return outside(std::get<double>(value)) ? AttributeValue() : value;
  case AttributeType::Int:
    if (!std::holds_alternative<int64_t>(value) || outside(static_cast<double>(std::get<int64_t>(value))))
      return {};
    return value;
  case AttributeType::Bool:
    return std::holds_alternative<int64_t>(value) ? AttributeValue(std::get<int64_t>(value) != 0) : AttributeValue();
  case AttributeType::String:
    if (!std::holds_alternative<std::string>(value) ||
        (!attribute.choices.empty() && std::find(attribute.choices.begin(), attribute.choices.end(),
                                                 std::get<std::string>(value)) == attribute.choices.end()))
      return {};
    return value;
  case AttributeType::ListInt:
    if (!std::holds_alternative<std::vector<int64_t>>(value))
      return {};
    for (int64_t number : std::get<std::vector<int64_t>>(value))
      if (outside(static_cast<double>(number)))
        return {};
    return value;
  case AttributeType::ListFloat:
    return std::holds_alternative<std::vector<double>>(value) ? value : AttributeValue();
  default:
    return {};
  }
}

bool Matcher::checkContractAttribute(const ContractOnnxAttribute &expected, const Attribute *found) {
  const ContractAttribute &attribute = *contract.findAttribute(expected.attribute);
  if (!found)
    return giveDefault(expected, attribute);
  const AttributeValue written = plainValue(*found);
  AttributeValue value = valueAs(attribute, written);
  if (value.index() == 0)
    return no("attribute " + quoted(expected.name) + " is " + valueText(written) + ", which " + quoted(attribute.name) +
              " of the contract does not take");
  give(attribute.name, std::move(value));
  return true;
}

bool Matcher::checkAxis(const ContractOnnxAttribute &expected, const Attribute *found) {
  AttributeValue value = found ? plainValue(*found) : expected.defaultValue;
  if (value.index() == 0)
    return no("attribute " + quoted(expected.name) + " is missing");
  auto *list = std::get_if<std::vector<int64_t>>(&value);
  if (list && list->size() == 1)
    value = list->front();
  auto *axis = std::get_if<int64_t>(&value);
  if (!axis)
    return no("attribute " + quoted(expected.name) + " is " + valueText(value) + ", the contract has one axis");
  if (*axis == *expected.axis)
    return true;
  // If both count from the same end, they differ. If they count from different ends, the rank decides, if it is known.
  bool decided = (*axis < 0) == (*expected.axis < 0);
  if (!decided && !operands.empty() && operands[0].shape) {
    auto rank = static_cast<int64_t>(operands[0].shape->size());
    decided = (*axis < 0 ? *axis + rank : *axis) != (*expected.axis < 0 ? *expected.axis + rank : *expected.axis);
  }
  if (!decided)
    return true;
  return no("attribute " + quoted(expected.name) + " is " + std::to_string(*axis) + ", the contract has axis " +
            std::to_string(*expected.axis));
}

bool Matcher::checkAttribute(const ContractOnnxAttribute &expected, const Attribute *found) {
  if (found && !found->reference.empty())
    return no("attribute " + quoted(expected.name) + " is one of the function around the node");
  if (expected.ignored)
    return true;
  if (!expected.attribute.empty())
    return checkContractAttribute(expected, found);
  if (expected.axis)
    return checkAxis(expected, found);
  if (!expected.typeOf.empty()) {
    if (!found || found->kind != Attribute::Int)
      return no("attribute " + quoted(expected.name) + " is missing");
    demandedType = elementTypeOf(found->ints.front());
    demandedOutput = expected.typeOf;
    return demandedType ? true : no("attribute " + quoted(expected.name) + " is no type");
  }
  AttributeValue value = found ? plainValue(*found) : expected.defaultValue;
  if (value == expected.value)
    return true;
  if (value.index() == 0)
    return no("attribute " + quoted(expected.name) + " is missing, the contract has " + valueText(expected.value));
  return no("attribute " + quoted(expected.name) + " is " + valueText(value) + ", the contract has " +
            valueText(expected.value));
}

bool Matcher::checkAttributes() {
  for (const Attribute &attribute : node.attributes) {
    bool known = std::any_of(form.attributes.begin(), form.attributes.end(),
                             [&](const ContractOnnxAttribute &each) { return each.name == attribute.name; });
    if (!known)
      return no("the contract has no place for attribute " + quoted(attribute.name));
  }
  for (const ContractOnnxAttribute &expected : form.attributes)
    if (!checkAttribute(expected, node.find(expected.name)))
      return false;
  return true;
}

} // namespace opc::onnx
