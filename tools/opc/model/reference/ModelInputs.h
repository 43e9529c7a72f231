// Tensors of models: memory for them, and inputs from a seed.

#ifndef OPC_TOOLS_OPC_MODEL_REFERENCE_MODELINPUTS_H
#define OPC_TOOLS_OPC_MODEL_REFERENCE_MODELINPUTS_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/model/ModelManifest.h"

#include <optional>
#include <vector>

namespace opc::tool {

/// Appends a tensor for each of a model's inputs or outputs. Returns false after reporting E0901 for want of memory.
bool addModelTensors(const std::vector<ModelTensor> &wanted, std::vector<Tensor> &tensors, Diagnostics &diagnostics);

/// Floats from -4 to 4; integers and truth values 0 or 1, which are valid indices and values of a mask.
void fillModelInput(Tensor &tensor, uint64_t seed);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_REFERENCE_MODELINPUTS_H
