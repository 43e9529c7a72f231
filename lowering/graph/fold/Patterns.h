// The patterns of folding. Each looks from one instance for the pieces that it accepts; its comment lists them.

#ifndef OPC_LOWERING_GRAPH_FOLD_PATTERNS_H
#define OPC_LOWERING_GRAPH_FOLD_PATTERNS_H

#include "lowering/graph/fold/FoldPass.h"
#include "lowering/graph/fold/Folder.h"

namespace opc::graph {

/// Merges equal instances with equal operands, and equal views.
void foldEqual(Folder &folder, ModelOp model);
/// Instances of constants become constants.
void foldConstants(Folder &folder, ModelOp model, const RunInstance &run);
/// Removes x * 1, x / 1, x + 0, x - 0, x^1; joins a transpose of a transpose; removes a transpose that moves
/// no element.
void foldNothing(Folder &folder, InstanceOp instance);

/// LayerNorm and RmsNorm, from the quotient of rows and their deviation.
void foldNorm(Folder &folder, InstanceOp instance);
/// Softmax, from the quotient of exponentials and their sum.
void foldSoftmax(Folder &folder, InstanceOp instance);
/// Gelu, GeluTanh, Swish, HardSwish and Mish, from the product of an operand and a gate.
void foldGate(Folder &folder, InstanceOp instance);
/// Reports attention that was found in pieces: no contract computes it as a whole.
void tellAttention(Folder &folder, InstanceOp instance);

/// Factors and shifts of channels after a convolution or a product become part of its weights and bias: BatchNorm, and
/// Mul, Div, Add and Sub with constants.
void foldChannels(Folder &folder, InstanceOp instance);
/// Conv2dBiasRelu, Conv2dBiasLeakyRelu, Conv2dBiasSwish, Conv2dBiasAdd and Conv2dBiasAddRelu, Conv3dBiasRelu,
/// Conv3dBiasAdd and Conv3dBiasAddRelu, from a convolution and the operations after it.
void foldConvolution(Folder &folder, InstanceOp instance);
/// MatMulBias, MatMulGelu, MatMulRelu, MatMulSwish and MatMulAdd, from a product, a bias and the operation after it.
void foldProduct(Folder &folder, InstanceOp instance);
/// MatMulDequant, from a product of int8, a scale and a bias.
void foldDequantised(Folder &folder, InstanceOp instance);
/// AddLayerNorm, BiasGelu and AddRelu, from a sum and the operation after it.
void foldSum(Folder &folder, InstanceOp instance);

/// MatMulSoftmax, BatchMatMulSoftmax and BatchMatMulAddSoftmax, from a softmax and what gives its scores.
void foldScores(Folder &folder, InstanceOp instance);

/// Splits a value into a value and a number, through nested products and quotients with numbers; with `isAlone` through
/// those that have one reader.
std::pair<mlir::Value, double> scaled(Folder &folder, mlir::Value value, bool isAlone = false);
/// A value of shape [n] for one of shape [n] or [1, ..., n]; null for others.
mlir::Value asRow(Folder &folder, mlir::Value value, int64_t n, mlir::Value before);
/// An operand of an instance; null if it is omitted.
mlir::Value givenOperand(InstanceOp instance, unsigned number);
/// The operand of an instance with two that is not `one`; null when both are.
mlir::Value other(InstanceOp instance, mlir::Value one);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_FOLD_PATTERNS_H
