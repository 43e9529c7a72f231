// Random inputs from a seed.

#ifndef OPC_TOOLS_OPC_RANDOMINPUTS_H
#define OPC_TOOLS_OPC_RANDOMINPUTS_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/program/Manifest.h"

#include <cstdint>

namespace opc::tool {

/// Fills a tensor with floats from -4 to 4 or integers from -8 to 8. A seed gives the same bytes on every machine.
void fillRandom(Tensor &tensor, uint64_t seed);
/// Likewise for an input of an operator. One of which a launch refuses values has the first place alone, which every
/// dimension of places has.
void fillRandom(Tensor &tensor, uint64_t seed, const ManifestTensor &input);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RANDOMINPUTS_H
