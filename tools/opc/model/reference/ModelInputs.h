// Inputs of models from a seed.

#ifndef OPC_TOOLS_OPC_MODEL_REFERENCE_MODELINPUTS_H
#define OPC_TOOLS_OPC_MODEL_REFERENCE_MODELINPUTS_H

#include "runtime/core/tensor/Tensor.h"

namespace opc::tool {

/// Floats from -4 to 4; integers and truth values 0 or 1, which are valid indices and values of a mask.
void fillModelInput(Tensor &tensor, uint64_t seed);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_REFERENCE_MODELINPUTS_H
