// Calls of functions of the runtime in the dialect.

#ifndef OPC_LOWERING_GRAPH_HOSTCALLS_H
#define OPC_LOWERING_GRAPH_HOSTCALLS_H

#include "dialect/graph/GraphOps.h"
#include "runtime/program/model/HostFunction.h"

#include <optional>

namespace opc::graph {

/// The form of a value whose sizes are numbers.
HostForm hostFormOf(mlir::Value value);
/// A call of a function of ONNX with operands of sizes that are numbers (or absent) and attributes; nullopt when the
/// runtime has no such function, or an operand or attribute is of another kind.
std::optional<HostCall> hostCallOf(llvm::StringRef function, mlir::ValueRange operands,
                                   mlir::DictionaryAttr parameters);
std::optional<HostCall> hostCallOf(HostOp host);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_HOSTCALLS_H
