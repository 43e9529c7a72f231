// From a match with a contract to an instance of it.

#ifndef OPC_LOWERING_GRAPH_INSTANCES_H
#define OPC_LOWERING_GRAPH_INSTANCES_H

#include "dialect/graph/GraphOps.h"
#include "ops/onnx/coverage/Match.h"

#include "mlir/IR/Builders.h"

namespace opc::graph {

/// The instance that a match says, which knows the sizes of all results. `operands` and `names` are the operands and
/// the names of the results of what was matched, in its order.
InstanceOp createInstance(mlir::OpBuilder &builder, mlir::Location location, const onnx::Match &match,
                          mlir::ArrayRef<mlir::Value> operands, mlir::ArrayRef<mlir::Attribute> names,
                          mlir::StringAttr name);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_INSTANCES_H
