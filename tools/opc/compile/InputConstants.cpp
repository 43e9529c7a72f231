#include "tools/opc/compile/InputConstants.h"

#include "ops/onnx/coverage/Match.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/target/Half.h"
#include "tools/opc/Assignment.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

namespace opc::tool {

using Json = nlohmann::ordered_json;

template <typename T> static bool storeWhole(const Json &number, void *to) {
  T value;
  if (number.is_boolean())
    value = static_cast<T>(number.get<bool>());
  else if (number.is_number_unsigned() &&
           number.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<T>::max()))
    value = static_cast<T>(number.get<uint64_t>());
  else if (number.is_number_integer() && !number.is_number_unsigned() && std::is_signed_v<T> &&
           number.get<int64_t>() >= static_cast<int64_t>(std::numeric_limits<T>::min()))
    value = static_cast<T>(number.get<int64_t>());
  else
    return false;
  std::memcpy(to, &value, sizeof value);
  return true;
}

template <typename T> static bool storeReal(const Json &number, void *to) {
  if (!number.is_number())
    return false;
  const auto value = static_cast<T>(number.get<double>());
  std::memcpy(to, &value, sizeof value);
  return true;
}

/// Writes a number as an element; false if the type cannot represent it.
static bool storeElement(ElementType type, const Json &number, void *to) {
  switch (type) {
  case ElementType::Bool:
    if (!number.is_boolean())
      return false;
    *static_cast<uint8_t *>(to) = number.get<bool>() ? 1 : 0;
    return true;
  case ElementType::Int8:
    return storeWhole<int8_t>(number, to);
  case ElementType::UInt8:
    return storeWhole<uint8_t>(number, to);
  case ElementType::Int16:
    return storeWhole<int16_t>(number, to);
  case ElementType::UInt16:
    return storeWhole<uint16_t>(number, to);
  case ElementType::Int32:
    return storeWhole<int32_t>(number, to);
  case ElementType::UInt32:
    return storeWhole<uint32_t>(number, to);
  case ElementType::Int64:
    return storeWhole<int64_t>(number, to);
  case ElementType::UInt64:
    return storeWhole<uint64_t>(number, to);
  case ElementType::Float32:
    return storeReal<float>(number, to);
  case ElementType::Float64:
    return storeReal<double>(number, to);
  case ElementType::Float16: {
    if (!number.is_number())
      return false;
    const Half value = toHalf(number.get<double>());
    std::memcpy(to, &value, sizeof value);
    return true;
  }
  case ElementType::BFloat16:
    return false; // files have them
  }
  return false;
}

/// The tensor of a text that is a number or a list of numbers; nullopt if it does not fit.
static std::optional<Tensor> tensorOf(const std::string &text, ElementType type, const std::vector<onnx::Dim> &sizes) {
  Json value;
  JsonProblem problem;
  if (!parseJson(text, {}, value, problem) || value.is_object() || value.is_string() || value.is_null())
    return std::nullopt;
  Shape shape;
  for (const onnx::Dim &size : sizes)
    shape.push_back(size.size.value_or(-1));
  if (value.is_array()) {
    const auto count = static_cast<int64_t>(value.size());
    if (shape.size() != 1 || (shape[0] >= 0 && shape[0] != count))
      return std::nullopt;
    shape[0] = count;
  } else if (std::find(shape.begin(), shape.end(), -1) != shape.end()) {
    return std::nullopt;
  }
  std::optional<Tensor> tensor = Tensor::create(type, shape);
  for (int64_t i = 0; tensor && i < tensor->numElements(); ++i) {
    const Json &number = value.is_array() ? value[static_cast<size_t>(i)] : value;
    if (!storeElement(type, number, static_cast<char *>(tensor->data()) + static_cast<size_t>(i) * elementSize(type)))
      return std::nullopt;
  }
  return tensor;
}

static bool fits(const Tensor &tensor, ElementType type, const std::vector<onnx::Dim> &sizes) {
  return tensor.type() == type && tensor.shape().size() == sizes.size() &&
         std::equal(sizes.begin(), sizes.end(), tensor.shape().begin(),
                    [](const onnx::Dim &size, int64_t found) { return !size.size || *size.size == found; });
}

/// The value of an input; nullopt after an error.
static std::optional<Tensor> readConstant(const std::string &name, const std::string &text, const onnx::Value &input,
                                          Diagnostics &diagnostics) {
  const bool isTensor = input.type && input.type->kind == onnx::Type::Tensor && input.type->hasRank;
  const std::optional<ElementType> type = isTensor ? onnx::opcType(input.type->element) : std::nullopt;
  std::optional<Tensor> tensor;
  std::string found = "'" + printable(text, 200) + "'";
  if (type && !text.empty() && text.front() == '@') {
    std::vector<TensorFile> files = parseTensorFiles({name + "=" + text}, "constant", name, {name}, diagnostics);
    tensor = files.empty() ? std::nullopt : readNpy(files[0].path, files[0].bfloat16, diagnostics);
    if (!tensor)
      return std::nullopt;
    if (fits(*tensor, *type, input.type->shape))
      return tensor;
    found = std::string(elementTypeName(tensor->type())) + " " + shapeText(tensor->shape());
  } else if (type) {
    tensor = tensorOf(text, *type, input.type->shape);
    if (tensor)
      return tensor;
  }
  onnx::Fact fact;
  if (isTensor) {
    fact.type = input.type->element;
    fact.shape = input.type->shape;
  }
  diagnostics.error(
      Code::E0523, {},
      "the model expects '" + printable(name, 200) + "' to be " +
          (isTensor ? factText(fact) : std::string("no tensor of a known rank")) + ": found " + found,
      {}, isTensor ? "--constant NAME=NUMBER, NAME=[NUMBER,NUMBER] for one dimension, or NAME=@FILE.npy" : "");
  return std::nullopt;
}

std::optional<InputConstants> setInputConstants(onnx::Model &model, const std::vector<std::string> &texts,
                                                Diagnostics &diagnostics) {
  std::vector<std::string> names;
  for (const onnx::Value &input : model.graph.inputs)
    names.emplace_back(input.name);
  InputConstants constants;
  constants.reserve(texts.size()); // the model refers to the elements
  for (const auto &[name, text] : parseAttributes(texts, diagnostics, "--constant")) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      const std::string nearest = nearestName(name, names);
      diagnostics.error(Code::E0521, {},
                        "'" + printable(model.graph.name, 200) + "' has no input '" + printable(name, 200) + "'", {},
                        nearest.empty() ? "" : "did you mean '" + printable(nearest, 200) + "'?");
      continue;
    }
    if (std::any_of(constants.begin(), constants.end(),
                    [&name = name](const auto &each) { return each.first == name; })) {
      diagnostics.error(Code::E0109, {}, "--constant gives '" + printable(name, 200) + "' twice");
      continue;
    }
    onnx::Value &input = model.graph.inputs[static_cast<size_t>(at - names.begin())];
    std::optional<Tensor> value = readConstant(name, text, input, diagnostics);
    if (!value)
      continue;
    constants.emplace_back(name, std::move(*value));
    const Tensor &tensor = constants.back().second;
    for (size_t d = 0; d < tensor.shape().size(); ++d)
      input.type->shape[d] = {tensor.shape()[d], {}};
    // An initializer with the name of an input is its value.
    auto &initializers = model.graph.initializers;
    initializers.erase(std::remove_if(initializers.begin(), initializers.end(),
                                      [&](const onnx::Tensor &each) { return each.name == input.name; }),
                       initializers.end());
    onnx::Tensor constant;
    constant.name = input.name;
    constant.type = input.type->element;
    constant.shape = tensor.shape();
    constant.bytes = {static_cast<const char *>(tensor.data()), static_cast<size_t>(tensor.numBytes())};
    initializers.push_back(std::move(constant));
  }
  if (diagnostics.hasErrors())
    return std::nullopt;
  return constants;
}

} // namespace opc::tool
