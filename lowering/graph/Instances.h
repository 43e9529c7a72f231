// Creates instances from matches with contracts.

#ifndef OPC_LOWERING_GRAPH_INSTANCES_H
#define OPC_LOWERING_GRAPH_INSTANCES_H

#include "dialect/graph/GraphOps.h"
#include "ops/onnx/coverage/Match.h"

#include "mlir/IR/Builders.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace opc::graph {

/// Creates the instance of a match; the match has the sizes of all results. `operands` and `names` are the operands and
/// the names of the results of the matched node, in its order.
InstanceOp createInstance(mlir::OpBuilder &builder, mlir::Location location, const onnx::Match &match,
                          mlir::ArrayRef<mlir::Value> operands, mlir::ArrayRef<mlir::Attribute> names,
                          mlir::StringAttr name);

/// A constant of bytes as the runtime stores them; those of more than 16 elements are a blob of the context, named by
/// its hash, as the importer's are.
ConstantOp createConstant(mlir::OpBuilder &builder, mlir::Location location, mlir::RankedTensorType type,
                          mlir::StringRef name, mlir::StringRef bytes);

/// Runs the kernel of an instance whose operands are constants or absent: returns the bytes of each result, as the
/// runtime stores them, or nullopt if it cannot run now and remains a step.
using RunInstance = std::function<std::optional<std::vector<std::string>>(InstanceOp instance)>;

/// Replaces an instance of constants by the results of its kernel; false if that is not possible, or its operands are
/// not constants.
bool replaceByConstants(mlir::OpBuilder &builder, InstanceOp instance, const RunInstance &run);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_INSTANCES_H
