// Nodes that several contracts compute together: a node of ONNX in terms of simpler ones.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_DECOMPOSE_H
#define OPC_LOWERING_GRAPH_LEGALIZE_DECOMPOSE_H

#include "dialect/graph/GraphOps.h"

#include "mlir/IR/Builders.h"

namespace opc::graph {

/// The opset in whose terms decompose() writes nodes.
inline constexpr int64_t kDecomposedOpset = 21;

/// The domain of nodes that decompose() writes for contracts whose operators ONNX does not have.
inline constexpr llvm::StringLiteral kOwnDomain = "opc";

/// Writes nodes before `node` that compute the same, which each is simpler than it, and replaces it by them. False when
/// it is none of the forms below; it is unchanged then. The types and sizes of its operands are known.
///
///   Concat of more than two        Concat of two, one behind the other
///   Slice of several axes          a Slice for each; with a step, which a reshape makes a dimension of its own;
///                                  backwards a Gather at places that are constants
///   Split into other than two      a Slice for each part
///   Pad with constants             Pad of two dimensions of four, between reshapes
///   Pad by edges, mirrored, again  a Gather along each axis at places that are constants
///   Resize, nearest or linear      of the last two dimensions: ResizeNearest2d, ResizeLinear2d of our own domain
///   Expand of floats               Mul by ones where it repeats; of others Where
///   ConvTranspose, strides of the window's size    Conv with windows of 1, DepthToSpace
///   Cast of truth values to floats Where; to the type that there is: nothing
///   Clip by one bound, or by computed ones  Max, Min
///   Gemm with factors or a sum     Gemm without them, Mul, Add
///   reductions with `noop_with_empty_axes` and axes: without it
bool decompose(NodeOp node, mlir::OpBuilder &builder);

/// Whether a node may be one of these forms, before types and sizes of its operands are known.
bool mayDecompose(NodeOp node);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_DECOMPOSE_H
