// Ops of the graph dialect.

#ifndef OPC_DIALECT_GRAPH_GRAPHOPS_H
#define OPC_DIALECT_GRAPH_GRAPHOPS_H

#include "dialect/graph/GraphDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/graph/GraphOps.h.inc"

#endif // OPC_DIALECT_GRAPH_GRAPHOPS_H
