// The graph dialect: models as nodes that call operators. GraphDialect.td describes it.

#ifndef OPC_DIALECT_GRAPH_GRAPHDIALECT_H
#define OPC_DIALECT_GRAPH_GRAPHDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"

#include "dialect/graph/GraphDialect.h.inc"
#include "dialect/graph/GraphEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/graph/GraphAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/graph/GraphTypes.h.inc"

#endif // OPC_DIALECT_GRAPH_GRAPHDIALECT_H
