// Tensors as DLPack describes them: what crosses the ABI.

#ifndef OPC_RUNTIME_CORE_DLPACK_H
#define OPC_RUNTIME_CORE_DLPACK_H

#include "runtime/core/Tensor.h"

#include <dlpack/dlpack.h>

namespace opc {

/// The tensor's memory on the CPU; valid while the tensor lives.
DLTensor describe(Tensor &tensor);

} // namespace opc

#endif // OPC_RUNTIME_CORE_DLPACK_H
