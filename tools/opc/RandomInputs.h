// Inputs that nobody gave: numbers from a seed.

#ifndef OPC_TOOLS_OPC_RANDOMINPUTS_H
#define OPC_TOOLS_OPC_RANDOMINPUTS_H

#include "runtime/core/tensor/Tensor.h"

#include <cstdint>

namespace opc::tool {

/// The same bytes for the same seed on every machine; floats from -4 to 4, integers from -8 to 8.
void fillRandom(Tensor &tensor, uint64_t seed);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RANDOMINPUTS_H
