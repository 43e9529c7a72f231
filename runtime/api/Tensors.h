// Conversions from the types of the C interface to those of the runtime.

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
/// Largest rank of the fast path.
constexpr uint32_t kFewDimensions = 8;
/// The slow path of addToKey: tensors that are null, have strides or many dimensions, or are invalid.
bool addSeldomToKey(const DLTensor *tensor, LaunchKey &key);
/// Adds type and shape to a key; false when no launch can be prepared for the tensor.
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

/// The arguments of opc_launch_once that determine the launch.
struct LaunchCall {
  uint64_t op; ///< id of the operator
  const DLTensor *const *inputs;
  size_t numInputs;
  const DLTensor *const *outputs;
  size_t numOutputs;
  const opc_attribute *attributes;
  size_t numAttributes;

  /// Adds all arguments to a key; false when no launch can be prepared for a tensor.
  bool addTo(LaunchKey &key) const;
  /// A hash of the operator, the first input and the last output: costs the same for any number of tensors.
  uint64_t rough() const;
  /// Whether `key` is the key that addTo makes for this call, in one pass over the tensors that also sets `data` to
  /// the first element of each. Conservative: false for tensors with strides.
  bool matches(const std::vector<uint64_t> &key, void **data) const;
};
/// Adds attributes to a key, in the given order.
void addToKey(const opc_attribute *attributes, size_t count, LaunchKey &key);

/// The forms of tensors, with nullopt for a null tensor. Inputs of an operator (`manifest`) may be weights that are
/// packed for them. Returns nullopt after reporting E0531 when a tensor is refused, E0513 for a weight of others
/// (launch_c21).
std::optional<std::vector<std::optional<TensorForm>>>
formsOf(const DLTensor *const *tensors, size_t count, Diagnostics &diagnostics, const Manifest *manifest = nullptr);

/// The element types; nullopt after reporting E0531 when a type is not supported.
std::optional<std::vector<std::optional<ElementType>>> typesOf(const DLDataType *types, size_t count,
                                                               Diagnostics &diagnostics);

/// Attributes as texts that preserve their exact values; nullopt after reporting E0532 when a pointer is null.
std::optional<std::vector<NamedValue>> attributesOf(const opc_attribute *attributes, size_t count,
                                                    Diagnostics &diagnostics);

opc_form formOf(const TensorForm &form);

/// "x1 float16[2, 3], x2 not given"
std::string describe(const Manifest &manifest, const std::vector<std::optional<TensorForm>> &forms);

} // namespace opc::api

#endif // OPC_RUNTIME_API_TENSORS_H
