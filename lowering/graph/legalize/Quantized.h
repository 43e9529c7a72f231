// Nodes of ONNX on whole numbers of a scale from a zero point on, in terms of products without zero points.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_QUANTIZED_H
#define OPC_LOWERING_GRAPH_LEGALIZE_QUANTIZED_H

#include "dialect/graph/GraphOps.h"

#include "mlir/IR/Builders.h"

namespace opc::graph {

/// Whether a node is MatMulInteger with zero points, QLinearMatMul or DynamicQuantizeLinear.
bool isQuantized(NodeOp node);

/// Writes nodes before one of them that compute the same, and replaces it by them (Decompose.h).
///
///   MatMulInteger with zero points   sum of (a - za)(b - zb) = sum of a b - za sum of b - zb (sum of a - K za):
///                                    MatMulInteger without them, whose products with ones are the sums; exact, since int32
///                                    wraps around. Sums of constant weights are constants. Of one zero point of the rows
///                                    alone: MatMulIntegerOffset of our own domain, in one pass
///   QLinearMatMul                    MatMulInteger, Cast, Mul by the scales, QuantizeLinear
///   DynamicQuantizeLinear            its scale and its zero point from ReduceMin and ReduceMax, QuantizeLinear
bool decomposeQuantized(NodeOp node, mlir::OpBuilder &builder);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_QUANTIZED_H
