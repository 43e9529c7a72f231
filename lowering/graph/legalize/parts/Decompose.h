// Decomposes nodes that several contracts compute together: rewrites an ONNX node as simpler ones.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_PARTS_DECOMPOSE_H
#define OPC_LOWERING_GRAPH_LEGALIZE_PARTS_DECOMPOSE_H

#include "dialect/graph/GraphOps.h"

#include "mlir/IR/Builders.h"

namespace opc::graph {

/// The opset of the nodes that decompose() writes.
inline constexpr int64_t kDecomposedOpset = 23;

/// The domain of nodes that decompose() writes for contracts without an ONNX operator.
inline constexpr llvm::StringLiteral kOwnDomain = "opc";

/// Writes simpler nodes before `node` that compute the same, and replaces it by them. Returns false, and changes
/// nothing, if it is none of the forms below. The types and sizes of its operands must be known; `opset` is its version
/// of ONNX.
///
///   Concat of more than 16         Concat of 16 or fewer; if no contract takes them, a chain of Concat of two
///   Slice of several axes          a Slice for each; with a step, which a reshape makes a dimension of its own;
///                                  backwards a Gather at places that are constants; of no elements a constant
///   Split into other than two      a Slice for each part
///   Pad with constants             Concat with borders; by negative numbers Slice
///   Pad with a number that is computed  Concat with borders of this number, repeated
///   Pad by edges, mirrored, again  a Gather along each axis at places that are constants
///   Resize, nearest or linear      of the last two dimensions: ResizeNearest2d, ResizeLinear2d of our own domain
///   Resize otherwise               along each axis a Gather at places that are constants, Mul by weights and ReduceSum
///   Expand of floats               Mul by ones where it repeats; of others Where; of no elements a constant
///   Resize of integers between elements  of float32, and Cast
///   Gather of many dimensions      between reshapes
///   GatherND, ScatterND of longer tuples, or within batches  Gather, ScatterND of rows at computed indices
///   NonZero                        NonZero of our own domain, a function of the host with rows of indices; Transpose
///   Compress                       NonZero of the condition, Gather
///   OneHot along another axis, of floats  along the last one, Transpose, Cast
///   EyeLike of another type        a constant
///   Attention                      heads, MatMul, Mul, Add of a mask, Softmax, MatMul
///   RotaryEmbedding with places of tokens, of a part of each head, of pairs  of all halves, between Gather and Slice
///   SwiGLU                         Sigmoid, Mul
///   GridSample                     rows of channels by Gather at computed indices, Mul by weights, Add
///   AffineGrid                     MatMul with the places of the grid
///   DFT                            MatMul with cosines and sines
///   STFT of real signals           Conv whose filters are cosines and sines
///   CenterCropPad                  Slice, Pad
///   Col2Im                         ConvTranspose whose filters have one 1 each
///   ReverseSequence                Gather of rows at computed indices
///   Tan                            Sin, Cos, Div
///   Hardmax                        ArgMax of our own domain, Equal, Cast
///   Upsample                       Resize
///   LpPool                         AveragePool of powers, the root
///   SpaceToDepth in the order CRD  Transpose between reshapes
///   MaxPool, AveragePool, Conv with `auto_pad`  with pads that are numbers
///   GlobalMaxPool, GlobalAveragePool of rows and volumes  of planes
///   MaxPool with positions         MaxPool; the elements of each window by Gather, ArgMax, Gather
///   AveragePool that counts padding and rounds up  Pad, AveragePool
///   ConvTranspose                  Conv with the filters of each place of a stride, DepthToSpace, Slice
///   Cast of truth values to floats Where; to the type that there is: nothing
///   Clip by one bound, or by computed ones  Max, Min
///   Max, Min of integers           Less, Where
///   Greater, GreaterOrEqual, LessOrEqual of integers  Less, Not
///   IsInf of one sign              Equal
///   Div of bytes                   in float32
///   Pow of two types               Cast, Pow
///   Sum, Max, Min of more than 16  of 16 or fewer; if no contract takes them, a chain of nodes of two
///   Mean of more than 16           Sum, Mul
///   Concat, Sum, Max, Min, Mean of one operand  the operand
///   MatMul of vectors, or of stacks that repeat  Reshape, Expand, MatMul
///   Einsum of one operand or two   ReduceSum, Transpose, MatMul between reshapes
///   LRN                            AveragePool over channels, Pow, Div
///   Tile of any rank               Expand between reshapes
///   Gemm with factors or a sum     Gemm without them, Mul, Add
///   Softmax, LogSoftmax along other axes, before opset 13 along several  between reshapes or transposes
///   BatchNormalization in training ReduceMean and arithmetic
///   LayerNormalization over several axes, without bias, with its moments  of rows; ReduceMean, Sqrt, Reciprocal
///   ArgMax, ArgMin, TopK           of our own domain, whose positions are int32, and Cast
///   MatMulInteger with zero points  without them, and products with ones, which are sums; for one zero point of all
///                                  rows MatMulIntegerOffset of our own domain, in one pass
///   ConvInteger                    the elements of each window by Gather, products of bytes
///   QLinearConv, QLinearMatMul     likewise, and QuantizeLinear
///   DynamicQuantizeLinear          ReduceMax, ReduceMin, arithmetic, QuantizeLinear
///   LSTM, GRU, RNN of sequences of one length their steps, unrolled
///   Conv that no contract takes    the elements of each window by Gather, MatMul
///   reductions with `noop_with_empty_axes`  without it; without axes nothing
///   ReduceMax, ReduceMin, ReduceLogSumExp of no elements  a constant
///   ReduceLogSumExp of any axes    of rows, after a Transpose
///   RMSNormalization over several axes  of rows
///   LpNormalization along any axis  ReduceL1 or ReduceL2, Where, Div
///   SoftmaxCrossEntropyLoss, NegativeLogLikelihoodLoss  LogSoftmax, GatherElements, weights by Gather, ReduceSum, Div
///   QuantizeLinear, DequantizeLinear of blocks, of 16 bits, without a zero point  in float32
///   Dropout whose mask is used     its operand, and a constant
bool decompose(NodeOp node, mlir::OpBuilder &builder, int64_t opset);

/// Whether a node is decomposed before matching: the contracts for its operator have another result type than ONNX, or
/// would copy a value that is the unchanged operand.
bool isPartsFirst(NodeOp node);

/// Whether a node may be one of these forms, before types and sizes of its operands are known.
bool mayDecompose(NodeOp node);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_PARTS_DECOMPOSE_H
