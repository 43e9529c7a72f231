#include "runtime/core/DLPack.h"

namespace opc {

static DLDataType dataType(ElementType type) {
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
  case ElementType::Bool: // one byte, as NumPy's DLPack export spells it before DLPack 1.0
    return {kDLUInt, bits, 1};
  }
  return {kDLOpaqueHandle, bits, 1};
}

DLTensor describe(Tensor &tensor) {
  DLTensor description{};
  description.data = tensor.data();
  description.device = {kDLCPU, 0};
  description.ndim = int32_t(tensor.shape().size());
  description.dtype = dataType(tensor.type());
  description.shape = const_cast<int64_t *>(tensor.shape().data());
  description.strides = nullptr;
  description.byte_offset = 0;
  return description;
}

} // namespace opc
