#include "runtime/core/tensor/DLPack.h"

namespace opc {

/// kDLBool of DLPack 1.0, which older headers lack.
static constexpr uint8_t kBool = 6;

DLDataType dataTypeOf(ElementType type) {
  uint8_t bits = uint8_t(elementSize(type) * 8);
  switch (type) {
  case ElementType::Float16:
  case ElementType::Float32:
  case ElementType::Float64:
    return {kDLFloat, bits, 1};
  case ElementType::BFloat16:
    return {kDLBfloat, bits, 1};
  case ElementType::Int8:
  case ElementType::Int16:
  case ElementType::Int32:
  case ElementType::Int64:
    return {kDLInt, bits, 1};
  case ElementType::UInt8:
  case ElementType::UInt16:
  case ElementType::UInt32:
  case ElementType::UInt64:
    return {kDLUInt, bits, 1};
  case ElementType::Bool:
    return {kBool, bits, 1};
  }
  return {kDLOpaqueHandle, bits, 1};
}

std::optional<ElementType> elementTypeOf(DLDataType type) {
  for (unsigned i = 0; i < kNumElementTypes; ++i) {
    DLDataType known = dataTypeOf(ElementType(i));
    if (known.code == type.code && known.bits == type.bits && known.lanes == type.lanes)
      return ElementType(i);
  }
  return std::nullopt;
}

DLTensor describe(Tensor &tensor) {
  DLTensor description{};
  description.data = tensor.data();
  description.device = {kDLCPU, 0};
  description.ndim = int32_t(tensor.shape().size());
  description.dtype = dataTypeOf(tensor.type());
  description.shape = const_cast<int64_t *>(tensor.shape().data());
  description.strides = nullptr;
  description.byte_offset = 0;
  return description;
}

} // namespace opc
