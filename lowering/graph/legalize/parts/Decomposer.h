// Rewrites one node as simpler ones (Decompose.h). Decompose.cpp has the table of forms, and each subject has a file.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_PARTS_DECOMPOSER_H
#define OPC_LOWERING_GRAPH_LEGALIZE_PARTS_DECOMPOSER_H

#include "lowering/graph/NodeFacts.h"
#include "ops/contract/Contract.h"

#include "mlir/IR/Builders.h"

#include <string>
#include <vector>

namespace opc::graph {

class Decomposer : NodeReader {
public:
  /// `opset` is the node's version of ONNX.
  Decomposer(NodeOp node, mlir::OpBuilder &builder, int64_t opset) : NodeReader(node), builder(builder), opset(opset) {}
  bool run();
  /// Whether nodes of an ONNX operator have a form, for some operands and attributes.
  static bool hasForm(llvm::StringRef op) { return formOf(op) != nullptr; }

private:
  using Form = bool (Decomposer::*)();
  /// The function that rewrites nodes of an ONNX operator; null if there is none.
  static Form formOf(llvm::StringRef op);

  using Value = mlir::Value;
  using Named = mlir::NamedAttribute;

  /// Maximum number of elements of a constant that is written for a node.
  static constexpr int64_t kMostWritten = int64_t(1) << 24;

  // Movement
  bool concat();
  /// The indices of one axis that a Slice takes, in ascending order.
  struct Range {
    size_t axis;
    int64_t start, end, step;
  };
  bool slice();
  bool nothing(mlir::RankedTensorType type, mlir::ArrayRef<Range> ranges);
  bool split();
  bool expand();
  bool gather();
  bool tile();

  // Pads
  /// The number of slices to add before and after an axis; negative numbers remove slices.
  struct Border {
    size_t axis;
    int64_t before, behind;
  };
  std::optional<mlir::SmallVector<Border>> borders(mlir::RankedTensorType type);
  mlir::Attribute fillOf(mlir::Type element);
  bool pad();
  bool padByPlaces(llvm::StringRef mode);
  bool centerCropPad();

  // Resize
  struct Resizing;
  bool upsample();
  bool resize();
  bool readResizing(Resizing &form);
  bool resizePlanes(const Resizing &form);
  bool resizeByTaps(const Resizing &form);

  // Windows
  /// Strides, dilations and pads of windows over the last dimensions, with `auto_pad` already in the pads.
  struct Windows;
  bool readWindows(mlir::ArrayRef<int64_t> sizes, mlir::ArrayRef<int64_t> kernel, Windows &windows);
  /// The node again, with explicit numbers for these windows.
  Value windowed(llvm::StringRef op, mlir::ArrayRef<Value> operands, const Windows &windows,
                 mlir::ArrayRef<Named> more = {});
  bool pool();
  bool lpPool();
  bool globalPool();
  bool poolPlaces(const Windows &windows);
  bool conv();
  bool convByGather(const Windows &windows);
  struct Transposition;
  bool convTranspose();
  bool col2Im();
  bool readTransposition(Transposition &form);
  Value filtersOfPhases(const Transposition &form);
  Value inOrder(const Transposition &form, Value from);

  // Attention
  struct Attending;
  bool attention();
  bool readAttention(Attending &form);
  bool readPast(Attending &form);
  bool readMask(const Attending &form);
  Value headsOf(unsigned operand, int64_t heads);
  Value visibleKeys(const Attending &form);
  Value biasOf(const Attending &form);
  bool seesKeys(const Attending &form);
  bool rotaryEmbedding();

  // Sampling
  struct Sampling;
  bool gridSample();
  bool readSampling(Sampling &form);
  Value mirrored(Value from, double low, double high);
  struct Tap;
  std::vector<Tap> tapsOf(const Sampling &form, Value at, int64_t size);
  bool affineGrid();

  // Fourier
  bool fourier();
  bool shortFourier();

  // Einsum
  struct Equation;
  bool einsum();
  bool readEquation(Equation &equation);
  Value arranged(Value from, llvm::StringRef letters, llvm::StringRef wanted);

  // Quantized
  bool matMulInteger();
  bool convInteger();
  bool quantizedConv();
  bool quantizedMatMul();
  bool dynamicQuantize();
  struct Blocks;
  bool readBlocks(Blocks &blocks);
  Value ofBlocks(unsigned operand, const Blocks &blocks);
  bool quantize();
  bool dequantize();
  Value meeting(unsigned operand, mlir::Type type, bool isOfRows);
  Value scaleOf(unsigned operand);
  /// Whether operands are given and are floats.
  bool areReal(mlir::ArrayRef<unsigned> operands);
  bool isOneOr(unsigned operand, int64_t columns);
  bool isZeroOf(unsigned zero, mlir::RankedTensorType type);
  bool isProductOfBytes(unsigned a, unsigned b, unsigned aZero, unsigned bZero);
  Value productOfBytes(Value left, mlir::ArrayRef<int64_t> leftShape, Value right, mlir::ArrayRef<int64_t> rightShape,
                       Value ofRows, Value ofColumns, bool isOne);
  Value convOfBytes(unsigned x, unsigned xZero, unsigned w, unsigned wZero);
  Value requantized(Value sums, Value scale, unsigned own, unsigned zero);

  // Recurrent
  struct Recurrence;
  bool recurrent();
  bool readRecurrence(Recurrence &form);
  bool isPlainRecurrence(const Recurrence &form);
  Value ofDirection(unsigned operand, int64_t direction, mlir::ArrayRef<int64_t> shape);
  void startRecurrence(Recurrence &form, Value from, int64_t direction);
  void stepOfLstm(Recurrence &form, Value given);
  void stepOfGru(Recurrence &form, Value given);
  void stepOfRnn(Recurrence &form, Value given);

  // Arithmetic
  bool castTo();
  bool castLike();
  std::optional<Shape> reducedAxes(int64_t rank);
  bool reduceNothing(mlir::RankedTensorType type);
  bool reduce();
  bool clip();
  bool gemm();
  bool matMul();
  bool sum();
  bool mean();
  bool power();
  bool bounds();
  bool quotient();
  bool position();
  bool topK();
  bool isInfinite();
  bool comparison();
  bool tangent();
  bool swiGlu();

  // Norms
  bool softmax();
  bool hardmax();
  bool layerNormalization();
  bool rmsNormalization();
  bool lpNormalization();
  bool meanVarianceNormalization();
  bool localNormalization();
  bool batchNormalization();
  bool logSumExp();

  // Losses
  struct Loss;
  bool crossEntropy();
  bool readLoss(Loss &loss);
  void reduceLoss(const Loss &loss, Value each, Value weights);

  // Places
  bool gatherNd();
  bool scatterNd();
  bool reverseSequence();
  Value placesOf(unsigned operand, mlir::ArrayRef<int64_t> sizes, int64_t batches);
  bool nonZero();
  bool compress();
  bool oneHot();
  bool eyeLike();
  bool spaceToDepth();
  bool dropout();

  bool isDefault(llvm::StringRef name, mlir::ArrayRef<int64_t> value);
  /// An attribute that is a text; `otherwise` where the file has none.
  llvm::StringRef word(llvm::StringRef name, llvm::StringRef otherwise);
  /// An attribute that is a real number; `otherwise` where the file has none.
  double real(llvm::StringRef name, double otherwise);
  /// An attribute that is a list of `count` numbers from `least` on; `otherwise` in each place where the file has none,
  /// nullopt where it has something else.
  std::optional<Shape> numbers(llvm::StringRef name, size_t count, int64_t otherwise, int64_t least);
  /// An empty domain is ONNX's own.
  NodeOp emit(llvm::StringRef op, mlir::ArrayRef<Value> operands, mlir::ArrayRef<Named> parameters = {},
              llvm::StringRef domain = {}, unsigned results = 1);
  /// The value of an emitted node.
  Value value(llvm::StringRef op, mlir::ArrayRef<Value> operands, mlir::ArrayRef<Named> parameters = {});
  Named named(llvm::StringRef name, int64_t number);
  Named named(llvm::StringRef name, mlir::ArrayRef<int64_t> numbers);
  Named named(llvm::StringRef name, llvm::StringRef text);
  Value constant(mlir::ElementsAttr elements);
  Value wholes(mlir::ArrayRef<int64_t> numbers) { return wholes(numbers, {int64_t(numbers.size())}); }
  Value wholes(mlir::ArrayRef<int64_t> numbers, mlir::ArrayRef<int64_t> shape, unsigned width = 64);
  Value reals(mlir::ArrayRef<float> numbers, mlir::ArrayRef<int64_t> shape);
  /// One number in each place.
  Value splat(mlir::ArrayRef<int64_t> shape, mlir::Type element, double number);
  Value sliced(Value from, int64_t start, int64_t end, size_t axis);
  /// The slices of a value at the given indices along an axis; `shape` is the shape of the indices.
  Value gathered(Value from, mlir::ArrayRef<int64_t> places, size_t axis, mlir::ArrayRef<int64_t> shape = {});
  Value reshaped(Value from, mlir::ArrayRef<int64_t> shape);
  Value transposed(Value from, mlir::ArrayRef<int64_t> order) { return value("Transpose", from, named("perm", order)); }
  Value cast(Value from, mlir::Type element);
  /// A value of type `own` as `wanted`; the value itself if they are equal.
  Value converted(Value from, mlir::Type own, mlir::Type wanted);
  /// A node for each group of operands; a group has as many operands as a contract accepts.
  mlir::SmallVector<Value> inGroups(mlir::StringRef op, mlir::ArrayRef<mlir::NamedAttribute> parameters = {});
  Value joined(mlir::ArrayRef<Value> parts, size_t axis);
  /// Replaces a result by a value; if a node was emitted for it, the node gets the name of the result.
  void finish(unsigned result, Value made);
  std::string nextName();

  mlir::OpBuilder &builder;
  int64_t opset;
  unsigned emitted = 0;
};

/// The product of non-negative sizes; nullopt if it exceeds `most`.
std::optional<int64_t> elementsOf(mlir::ArrayRef<int64_t> shape, int64_t most);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_PARTS_DECOMPOSER_H
