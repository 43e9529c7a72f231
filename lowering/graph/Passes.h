// Passes on models. See Passes.td.

#ifndef OPC_LOWERING_GRAPH_PASSES_H
#define OPC_LOWERING_GRAPH_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace opc::graph {

#define GEN_PASS_DECL
#include "lowering/graph/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_PASSES_H
