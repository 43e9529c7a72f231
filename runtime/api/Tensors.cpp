#include "runtime/api/Tensors.h"

#include "runtime/api/Weights.h"
#include "runtime/core/tensor/DLPack.h"

#include <cstdio>
#include <cstring>

namespace opc::api {

static bool isContiguous(const DLTensor &tensor) {
  if (!tensor.strides)
    return true;
  uint64_t expected = 1;
  for (int32_t i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] == 0)
      return true; // without elements strides do not matter
    if (tensor.shape[i] != 1 && uint64_t(tensor.strides[i]) != expected)
      return false;
    expected *= uint64_t(tensor.shape[i]);
  }
  return true;
}

/// Why a tensor is refused, empty when it is accepted.
static std::string problemOf(const DLTensor &tensor) {
  if (tensor.device.device_type != kDLCPU)
    return "memory of the CPU, found device type " + std::to_string(int(tensor.device.device_type));
  if (!elementTypeOf(tensor.dtype) && !packedTypeOf(tensor.dtype))
    return "an element type of this runtime, found code " + std::to_string(tensor.dtype.code) + " of " +
           std::to_string(tensor.dtype.bits) + " bits in " + std::to_string(tensor.dtype.lanes) + " lanes";
  if (tensor.ndim < 0 || tensor.ndim > OPC_MAX_RANK)
    return "a rank of 0 to " + std::to_string(OPC_MAX_RANK) + ", found " + std::to_string(tensor.ndim);
  if (tensor.ndim > 0 && !tensor.shape)
    return "a shape, found a null pointer";
  for (int32_t i = 0; i < tensor.ndim; ++i)
    if (tensor.shape[i] < 0)
      return "sizes of at least 0, found " + std::to_string(tensor.shape[i]);
  if (!isContiguous(tensor))
    return "elements contiguous in row-major order, found strides";
  return {};
}

bool addSeldomToKey(const DLTensor *tensor, LaunchKey &key) {
  if (!tensor) {
    key.add(UINT64_MAX);
    return true;
  }
  if (tensor->device.device_type != kDLCPU || tensor->ndim < 0 || tensor->ndim > OPC_MAX_RANK ||
      (tensor->ndim > 0 && !tensor->shape) || (tensor->strides && !isContiguous(*tensor)))
    return false;
  key.add(keyHead(*tensor));
  for (int32_t i = 0; i < tensor->ndim; ++i)
    key.add(uint64_t(tensor->shape[i]));
  return true;
}

bool LaunchCall::addTo(LaunchKey &key) const {
  key.add(op);
  auto addAll = [&key](const DLTensor *const *tensors, size_t count) {
    key.add(count);
    for (size_t i = 0; i < count; ++i)
      if (!addToKey(tensors[i], key))
        return false;
    return true;
  };
  if (!addAll(inputs, numInputs) || !addAll(outputs, numOutputs))
    return false;
  addToKey(attributes, numAttributes, key);
  return true;
}

uint64_t LaunchCall::rough() const {
  // A factor for each position, so that the products are independent of each other.
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  uint64_t sum = (op * 2 + numInputs) * kFactor, factor = kFactor;
  auto add = [&](const DLTensor *tensor) {
    if (!tensor || !tensor->shape || uint32_t(tensor->ndim) > kFewDimensions)
      return;
    sum += keyHead(*tensor) * (factor += 2 * kFactor);
    for (int32_t i = 0; i < tensor->ndim; ++i)
      sum += uint64_t(tensor->shape[i]) * (factor += 2 * kFactor);
  };
  if (numInputs)
    add(inputs[0]);
  if (numOutputs)
    add(outputs[numOutputs - 1]);
  return sum * kFactor >> 32;
}

/// Compares tensors with the words of a key from `word` on. Returns the position after them, or null when they
/// differ. Needs no bounds checks: addTo made the key, so after words that equal those of this call there is always a
/// next one, a count or the head of a tensor, and the sizes follow a head.
static const uint64_t *matchTensors(const DLTensor *const *tensors, size_t count, const uint64_t *word, void **data) {
  if (*word++ != count)
    return nullptr;
  for (size_t t = 0; t < count; ++t) {
    const DLTensor *tensor = tensors[t];
    if (!tensor) {
      if (*word++ != UINT64_MAX)
        return nullptr;
      data[t] = nullptr;
      continue;
    }
    if (tensor->strides || ((*word ^ keyHead(*tensor)) | (tensor->device.device_type ^ kDLCPU)))
      return nullptr;
    // Equal heads have the same rank, one that addTo accepted.
    const size_t rank = uint32_t(tensor->ndim);
    const int64_t *shape = tensor->shape;
    if (rank && !shape)
      return nullptr;
    ++word;
    for (size_t i = 0; i < rank; ++i)
      if (*word++ != uint64_t(shape[i]))
        return nullptr;
    data[t] = dataOf(*tensor);
  }
  return word;
}

bool LaunchCall::matches(const std::vector<uint64_t> &key, void **data) const {
  const uint64_t *word = key.data(), *end = word + key.size();
  if (key.empty() || *word++ != op)
    return false;
  word = matchTensors(inputs, numInputs, word, data);
  if (word)
    word = matchTensors(outputs, numOutputs, word, data + numInputs);
  if (!word || numAttributes == 0)
    return word == end;
  LaunchKey rest;
  addToKey(attributes, numAttributes, rest);
  return rest.equals(word, size_t(end - word));
}

void addToKey(const opc_attribute *attributes, size_t count, LaunchKey &key) {
  for (size_t i = 0; i < count; ++i) {
    const opc_attribute &attribute = attributes[i];
    key.addText(attribute.name ? attribute.name : "");
    key.add(uint64_t(attribute.kind));
    if (attribute.kind == OPC_ATTRIBUTE_STRING) {
      key.addText(attribute.value.string_value ? attribute.value.string_value : "");
    } else if (attribute.kind == OPC_ATTRIBUTE_BOOL) {
      key.add(attribute.value.bool_value != 0);
    } else {
      uint64_t bits = 0;
      std::memcpy(&bits, &attribute.value, sizeof bits);
      key.add(bits);
    }
  }
}

std::optional<std::vector<std::optional<ElementType>>> typesOf(const DLDataType *types, size_t count,
                                                               Diagnostics &diagnostics) {
  std::vector<std::optional<ElementType>> result;
  for (size_t i = 0; i < count; ++i) {
    result.push_back(elementTypeOf(types[i]));
    if (result.back())
      continue;
    diagnostics.error(Code::E0531, {},
                      "expects an element type of this runtime for output " + std::to_string(i) + ", found code " +
                          std::to_string(types[i].code) + " of " + std::to_string(types[i].bits) + " bits in " +
                          std::to_string(types[i].lanes) + " lanes");
    return std::nullopt;
  }
  return result;
}

/// The form of a packed weight, which is given to an input.
static std::optional<TensorForm> packedForm(const DLTensor &tensor, const PackedType &type, size_t number,
                                            const Manifest *manifest, Diagnostics &diagnostics) {
  const std::string found = "one for '" + printable(type.input) + "' of '" + printable(type.opType) + "'";
  if (!manifest || number >= manifest->inputs.size()) {
    diagnostics.error(Code::E0531, {},
                      "tensor " + std::to_string(number) + " expects no packed weight, found " + found);
    return std::nullopt;
  }
  if (tensor.ndim < 2) {
    diagnostics.error(Code::E0531, {},
                      "tensor " + std::to_string(number) +
                          " expects two dimensions or more of a packed weight, found " + std::to_string(tensor.ndim));
    return std::nullopt;
  }
  const std::string &input = manifest->inputs[number].name;
  if (type.opType == manifest->opType && type.input == input)
    return TensorForm(type.type, Shape(tensor.shape, tensor.shape + tensor.ndim), type.form);
  diagnostics.error(Code::E0513, {},
                    "tensor " + std::to_string(number) + " expects a weight that is packed for '" + printable(input) +
                        "' of '" + printable(manifest->opType) + "', found " + found,
                    "launch_c21", "pack its .npy file for this operator");
  return std::nullopt;
}

std::optional<std::vector<std::optional<TensorForm>>> formsOf(const DLTensor *const *tensors, size_t count,
                                                              Diagnostics &diagnostics, const Manifest *manifest) {
  std::vector<std::optional<TensorForm>> forms;
  for (size_t i = 0; i < count; ++i) {
    forms.emplace_back();
    if (!tensors[i])
      continue;
    const DLTensor &tensor = *tensors[i];
    if (std::string problem = problemOf(tensor); !problem.empty()) {
      diagnostics.error(Code::E0531, {}, "tensor " + std::to_string(i) + " expects " + problem);
      return std::nullopt;
    }
    if (const std::optional<PackedType> packed = packedTypeOf(tensor.dtype)) {
      forms.back() = packedForm(tensor, *packed, i, manifest, diagnostics);
      if (!forms.back())
        return std::nullopt;
      continue;
    }
    forms.back() = TensorForm(*elementTypeOf(tensor.dtype), Shape(tensor.shape, tensor.shape + tensor.ndim));
  }
  return forms;
}

std::optional<std::vector<NamedValue>> attributesOf(const opc_attribute *attributes, size_t count,
                                                    Diagnostics &diagnostics) {
  std::vector<NamedValue> values;
  for (size_t i = 0; i < count; ++i) {
    const opc_attribute &attribute = attributes[i];
    std::string text;
    bool whole = attribute.name != nullptr;
    switch (attribute.kind) {
    case OPC_ATTRIBUTE_FLOAT: {
      char number[40];
      std::snprintf(number, sizeof number, "%.17g", attribute.value.float_value);
      text = number;
      break;
    }
    case OPC_ATTRIBUTE_INT:
      text = std::to_string(attribute.value.int_value);
      break;
    case OPC_ATTRIBUTE_BOOL:
      text = attribute.value.bool_value ? "true" : "false";
      break;
    case OPC_ATTRIBUTE_STRING:
      whole &= attribute.value.string_value != nullptr;
      text = attribute.value.string_value ? attribute.value.string_value : "";
      break;
    default:
      diagnostics.error(Code::E0532, {},
                        "attribute " + std::to_string(i) +
                            " expects a kind of opc_attribute_kind, "
                            "found " +
                            std::to_string(int(attribute.kind)));
      return std::nullopt;
    }
    if (!whole) {
      diagnostics.error(Code::E0532, {},
                        "attribute " + std::to_string(i) +
                            " expects a name and a value, found a "
                            "null pointer");
      return std::nullopt;
    }
    values.emplace_back(attribute.name, text);
  }
  return values;
}

opc_form formOf(const TensorForm &form) {
  opc_form result{};
  result.dtype = dataTypeOf(form.type);
  result.ndim = int32_t(form.shape.size());
  for (size_t i = 0; i < form.shape.size() && i < OPC_MAX_RANK; ++i)
    result.shape[i] = form.shape[i];
  return result;
}

std::string describe(const Manifest &manifest, const std::vector<std::optional<TensorForm>> &forms) {
  std::string text;
  for (size_t i = 0; i < forms.size(); ++i) {
    text += text.empty() ? "" : ", ";
    text += i < manifest.inputs.size() ? printable(manifest.inputs[i].name) : std::to_string(i);
    text += " ";
    text += forms[i] ? std::string(elementTypeName(forms[i]->type)) + shapeText(forms[i]->shape) : "not given";
    if (forms[i] && forms[i]->packed != PackedForm::None)
      text += " in " + std::string(formatOf(forms[i]->packed));
  }
  return text;
}

} // namespace opc::api
