// Finds the contracts that compute a model, as in `opc compile`.

#ifndef OPC_TOOLS_OPC_MODEL_MODELLEGAL_H
#define OPC_TOOLS_OPC_MODEL_MODELLEGAL_H

#include "ops/onnx/Model.h"
#include "tools/opc/compile/model/ModelContracts.h"

namespace opc::tool {

/// The coverage of each node by itself, corrected by the compiler's result for the whole model: nodes that several
/// contracts compute together, branches with a known condition, and missing nodes in these. Nodes of branches that are
/// not taken are omitted. Sizes may be open. `refused` receives errors of the model itself, which no contract can fix.
onnx::Coverage coverAsCompiled(const onnx::Model &model, const ModelContracts &contracts,
                               Diagnostics *refused = nullptr);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELLEGAL_H
