// `opc model show`: the graph of a model as a page.

#ifndef OPC_TOOLS_OPC_MODEL_MODELSHOW_H
#define OPC_TOOLS_OPC_MODEL_MODELSHOW_H

#include "ops/onnx/coverage/Coverage.h"

#include <string>

namespace opc::tool {

/// One HTML page that needs no other file. Nodes of subgraphs and functions are listed at the nodes that contain them.
std::string modelPage(const onnx::Model &model, const onnx::Coverage &coverage);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELSHOW_H
