// What crosses the C interface, as the runtime holds it.

#ifndef OPC_RUNTIME_API_TENSORS_H
#define OPC_RUNTIME_API_TENSORS_H

#include "runtime/api/opc_runtime.h"
#include "runtime/core/launch/LaunchCache.h"
#include "runtime/core/launch/PreparedLaunch.h"

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace opc::api {

/// The first element.
inline void *dataOf(const DLTensor &tensor) {
  return tensor.data ? static_cast<char *>(tensor.data) + tensor.byte_offset : nullptr;
}

/// Type and rank of a tensor in one word of a key.
inline uint64_t keyHead(const DLTensor &tensor) {
  uint32_t type;
  static_assert(sizeof type == sizeof tensor.dtype);
  std::memcpy(&type, &tensor.dtype, sizeof type);
  return uint64_t(type) << 32 | uint32_t(tensor.ndim);
}
/// A rank that is not seldom.
constexpr uint32_t kFewDimensions = 8;
/// Tensors that are seldom: not given, with strides, of many dimensions, or wrong.
bool addSeldomToKey(const DLTensor *tensor, LaunchKey &key);
/// Adds type and shape to a key; false when the tensor is none that could have been prepared.
inline bool addToKey(const DLTensor *tensor, LaunchKey &key) {
  if (__builtin_expect(!tensor || tensor->device.device_type != kDLCPU || tensor->strides ||
                           uint32_t(tensor->ndim) > kFewDimensions || !tensor->shape,
                       false))
    return addSeldomToKey(tensor, key);
  const size_t rank = size_t(tensor->ndim);
  uint64_t *words = key.extend(rank + 1);
  if (__builtin_expect(!words, false))
    return addSeldomToKey(tensor, key);
  *words = keyHead(*tensor);
  for (size_t i = 0; i < rank; ++i)
    words[i + 1] = uint64_t(tensor->shape[i]);
  return true;
}

/// A call of opc_launch_once, as far as it says which launch it needs.
struct LaunchCall {
  uint64_t op; ///< its number
  const DLTensor *const *inputs;
  size_t numInputs;
  const DLTensor *const *outputs;
  size_t numOutputs;
  const opc_attribute *attributes;
  size_t numAttributes;

  /// Adds all of it; false when a tensor is none that could have been prepared.
  bool addTo(LaunchKey &key) const;
  /// A hash of the operator, the first input and the last output: costs the same for any number of tensors.
  uint64_t rough() const;
  /// Whether `key` is what addTo makes of this call; one pass over the tensors, which also fills `data` with the
  /// first element of each. Says no, too, of what is seldom: strides.
  bool matches(const std::vector<uint64_t> &key, void **data) const;
};
/// Adds attributes to a key, in the order they are given.
void addToKey(const opc_attribute *attributes, size_t count, LaunchKey &key);

/// Forms of tensors, nothing for a null one. Nothing at all, with E0531, when one cannot be taken.
std::optional<std::vector<std::optional<TensorForm>>> formsOf(const DLTensor *const *tensors, size_t count,
                                                              Diagnostics &diagnostics);

/// Element types; nothing at all, with E0531, when one cannot be taken.
std::optional<std::vector<std::optional<ElementType>>> typesOf(const DLDataType *types, size_t count,
                                                               Diagnostics &diagnostics);

/// Attributes as texts, exact; nothing, with E0532, when a pointer is null.
std::optional<std::vector<NamedValue>> attributesOf(const opc_attribute *attributes, size_t count,
                                                    Diagnostics &diagnostics);

opc_form formOf(const TensorForm &form);

/// "x1 float16[2, 3], x2 not given"
std::string describe(const Manifest &manifest, const std::vector<std::optional<TensorForm>> &forms);

} // namespace opc::api

#endif // OPC_RUNTIME_API_TENSORS_H
