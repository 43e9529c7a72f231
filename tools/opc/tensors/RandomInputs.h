// Random inputs from a seed.

#ifndef OPC_TOOLS_OPC_TENSORS_RANDOMINPUTS_H
#define OPC_TOOLS_OPC_TENSORS_RANDOMINPUTS_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/program/Manifest.h"

#include <cstdint>

namespace opc::tool {

/// Fills a tensor with floats from -4 to 4 or integers from -8 to 8. A seed gives the same bytes on every machine.
void fillRandom(Tensor &tensor, uint64_t seed);
/// The same for an input of an operator. If a launch refuses values of the input, all its elements are index 0, which
/// is always valid.
void fillRandom(Tensor &tensor, uint64_t seed, const ManifestTensor &input);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TENSORS_RANDOMINPUTS_H
