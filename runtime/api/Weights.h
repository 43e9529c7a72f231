// Packed weights of the C interface: the element types of their descriptions.
//
// A DLTensor has no format. The type of a weight is one of the runtime's own: a code beyond those of DLPack, the bits
// of its elements, and, in place of lanes, a number for the operator and input that it was packed for. So a key of a
// launch tells a packed tensor from others as it tells float16 from float32, and another input refuses it by name.

#ifndef OPC_RUNTIME_API_WEIGHTS_H
#define OPC_RUNTIME_API_WEIGHTS_H

#include "runtime/api/opc_runtime.h"
#include "runtime/core/tensor/Tensor.h"

#include <optional>
#include <string>

namespace opc::api {

struct PackedType {
  ElementType type = ElementType::Float16;
  std::string opType, input; ///< that it was packed for: "Linear", "b"
  PackedForm form = PackedForm::Matrices;
};

/// The type of a packed weight, the same one in the whole process; nullopt after 65,535 different ones.
std::optional<DLDataType> dataTypeOf(const PackedType &type);
/// Nullopt for types that the other function did not return.
std::optional<PackedType> packedTypeOf(DLDataType type);

} // namespace opc::api

struct opc_weight {
  opc::Tensor tensor;
  DLTensor description;
};

#endif // OPC_RUNTIME_API_WEIGHTS_H
