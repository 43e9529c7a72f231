// Which contracts compute a model, as `opc compile` would answer.

#ifndef OPC_TOOLS_OPC_MODEL_MODELLEGAL_H
#define OPC_TOOLS_OPC_MODEL_MODELLEGAL_H

#include "ops/onnx/Model.h"
#include "tools/opc/compile/ModelContracts.h"

namespace opc::tool {

/// What covers each node by itself, corrected by what the compiler makes of the whole: nodes that several contracts
/// compute together, branches whose condition is known, what is missing in one of these. Nodes of branches that are not
/// taken are left out. Sizes may be open. `refused` gets errors of the model itself, which no contract helps.
onnx::Coverage coverAsCompiled(const onnx::Model &model, const ModelContracts &contracts,
                               Diagnostics *refused = nullptr);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELLEGAL_H
