// Conversions between tensors and DLPack, for the ABI.

#ifndef OPC_RUNTIME_CORE_TENSOR_DLPACK_H
#define OPC_RUNTIME_CORE_TENSOR_DLPACK_H

#include "runtime/core/tensor/Tensor.h"

#include <dlpack/dlpack.h>

#include <optional>

namespace opc {

DLDataType dataTypeOf(ElementType type);
/// nullopt when no element type corresponds. Bool has its code of DLPack 1.0; an unsigned byte is UInt8.
std::optional<ElementType> elementTypeOf(DLDataType type);

/// Describes the tensor's memory on the CPU; valid while the tensor lives.
DLTensor describe(Tensor &tensor);

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_DLPACK_H
