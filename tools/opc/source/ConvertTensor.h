// A tensor's elements in another type.

#ifndef OPC_TOOLS_OPC_SOURCE_CONVERTTENSOR_H
#define OPC_TOOLS_OPC_SOURCE_CONVERTTENSOR_H

#include "runtime/core/tensor/Tensor.h"

#include <optional>

namespace opc::tool {

/// The elements of `tensor` in `type`: floats are rounded to the nearest, also to integers; values outside of an
/// integer type saturate, and NaN becomes 0. Nullopt if there is no memory.
std::optional<Tensor> convertTensor(const Tensor &tensor, ElementType type);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_CONVERTTENSOR_H
