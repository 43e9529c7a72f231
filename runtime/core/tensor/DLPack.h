// Tensors as DLPack describes them: what crosses the ABI.

#ifndef OPC_RUNTIME_CORE_TENSOR_DLPACK_H
#define OPC_RUNTIME_CORE_TENSOR_DLPACK_H

#include "runtime/core/tensor/Tensor.h"

#include <dlpack/dlpack.h>

#include <optional>

namespace opc {

DLDataType dataTypeOf(ElementType type);
/// Nothing when no element type is written so. Bool has the code that DLPack gives it since 1.0; an
/// unsigned byte is UInt8.
std::optional<ElementType> elementTypeOf(DLDataType type);

/// The tensor's memory on the CPU; valid while the tensor lives.
DLTensor describe(Tensor &tensor);

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_DLPACK_H
