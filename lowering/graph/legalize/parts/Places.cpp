// Rewrites gathers and scatters at tuples of indices, one-hot rows, diagonals, and blocks of planes as simpler nodes.

#include "lowering/graph/legalize/parts/Decompose.h"
#include "lowering/graph/legalize/parts/Decomposer.h"

#include "dialect/aicore/Tiles.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// The largest number of rows of a table that tuples index: sums of the terms of a tuple stay within int32.
static constexpr int64_t kMostPlaces = int64_t(1) << 24;

/// The rows that the tuples of an operand index in a table of dimensions `sizes` for each of `batches`, as int32 of
/// [batches, tuples of each]. A tuple with an index outside of its dimension gets a row that the table does not have.
/// The last dimension of the operand has one index for each of `sizes`; the caller has checked the product of sizes.
Value Decomposer::placesOf(unsigned operand, ArrayRef<int64_t> sizes, int64_t batches) {
  RankedTensorType type = typeOf(operand);
  const auto count = static_cast<int64_t>(sizes.size());
  int64_t total = 1;
  Shape steps(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 0; total *= sizes[i])
    steps[i] = total;
  const int64_t tuples = batches == 0 ? 0 : type.getNumElements() / count / batches, most = total * batches;
  Value index = reshaped(node.getOperand(operand), {batches, tuples, count});
  if (!type.getElementType().isInteger(64))
    index = cast(index, builder.getI64Type());
  Value dimensions = wholes(sizes), none = wholes(0, {});
  Value isBehind = value("Less", {index, none});
  Value fromFront = value("Where", {isBehind, value("Add", {index, dimensions}), index});
  Value isIn = value("And", {value("Not", value("Less", {fromFront, none})), value("Less", {fromFront, dimensions})});
  Value terms = value("Where", {isIn, value("Mul", {fromFront, wholes(steps)}), wholes(most, {})});
  terms = cast(terms, builder.getI32Type());
  Value made;
  for (int64_t i = 0; i < count; ++i) {
    Value term = count == 1 ? terms : sliced(terms, i, i + 1, 2);
    made = made ? value("Add", {made, term}) : term;
  }
  made = reshaped(made, {batches, tuples});
  if (batches == 1)
    return made;
  Shape starts;
  for (int64_t i = 0; i < batches; ++i)
    starts.push_back(i * total);
  return value("Add", {made, wholes(starts, {batches, 1}, 32)});
}

/// Tuples with more indices than contracts have, or within batches: a gather of rows at computed indices.
bool Decomposer::gatherNd() {
  RankedTensorType type = typeOf(0), tuples = typeOf(1);
  const int64_t batchRank = integer("batch_dims", 0);
  if (!type || !tuples || tuples.getRank() < 1 || batchRank < 0 || batchRank >= type.getRank() ||
      batchRank >= tuples.getRank() ||
      !(tuples.getElementType().isInteger(64) || tuples.getElementType().isInteger(32)))
    return false;
  ArrayRef<int64_t> shape = type.getShape(), outer = shape.take_front(static_cast<size_t>(batchRank));
  const int64_t count = tuples.getShape().back();
  if (count < 1 || count > type.getRank() - batchRank || tuples.getShape().take_front(outer.size()) != outer)
    return false;
  ArrayRef<int64_t> sizes = shape.slice(outer.size(), static_cast<size_t>(count)),
                    inner = shape.drop_front(outer.size() + static_cast<size_t>(count));
  std::optional<int64_t> batches = elementsOf(outer, kMostPlaces), total = elementsOf(sizes, kMostPlaces),
                         row = elementsOf(inner, INT64_MAX);
  if (!batches || !total || !row || !elementsOf({*batches, *total, count}, INT32_MAX / 2))
    return false;
  Value places = placesOf(1, sizes, *batches);
  const int64_t found = tuples.getNumElements() / count;
  Value rows = reshaped(node.getOperand(0), {*batches * *total, *row});
  Value made = value("Gather", {rows, reshaped(places, found)}, named("axis", 0));
  Shape shaped(tuples.getShape().drop_back());
  llvm::append_range(shaped, inner);
  finish(0, reshaped(made, shaped));
  return true;
}

/// Tuples with several indices: a scatter of rows at computed indices.
bool Decomposer::scatterNd() {
  RankedTensorType type = typeOf(0), tuples = typeOf(1), updates = typeOf(2);
  if (!type || !tuples || !updates || tuples.getRank() < 1 ||
      !(tuples.getElementType().isInteger(64) || tuples.getElementType().isInteger(32)))
    return false;
  const int64_t count = tuples.getShape().back();
  // One index in each row of a matrix would be rewritten as this node again.
  if (count < 1 || count > type.getRank() || (count == 1 && tuples.getRank() == 2))
    return false;
  ArrayRef<int64_t> sizes = type.getShape().take_front(static_cast<size_t>(count)),
                    inner = type.getShape().drop_front(static_cast<size_t>(count));
  std::optional<int64_t> total = elementsOf(sizes, kMostPlaces), row = elementsOf(inner, INT64_MAX);
  Shape expected(tuples.getShape().drop_back());
  llvm::append_range(expected, inner);
  if (!total || !row || updates.getShape() != ArrayRef(expected) || !elementsOf({*total, count}, INT32_MAX / 2))
    return false;
  const int64_t found = tuples.getNumElements() / count;
  Value places = cast(placesOf(1, sizes, 1), builder.getI64Type());
  SmallVector<Named> parameters;
  if (Attribute reduction = parameter("reduction"))
    parameters.push_back(builder.getNamedAttr("reduction", reduction));
  Value made = value("ScatterND",
                     {reshaped(node.getOperand(0), {*total, *row}), reshaped(places, {found, 1}),
                      reshaped(node.getOperand(2), {found, *row})},
                     parameters);
  finish(0, reshaped(made, type.getShape()));
  return true;
}

/// The first elements of each sample in reverse: rows of one time step of a sample, gathered at computed indices.
bool Decomposer::reverseSequence() {
  RankedTensorType type = typeOf(0), lengths = typeOf(1);
  const int64_t batchAxis = integer("batch_axis", 1), timeAxis = integer("time_axis", 0);
  if (!type || !lengths || type.getRank() < 2 || batchAxis + timeAxis != 1 || batchAxis * timeAxis != 0 ||
      lengths.getShape() != type.getShape().slice(static_cast<size_t>(batchAxis), 1) ||
      !lengths.getElementType().isInteger(64))
    return false;
  const int64_t batches = type.getDimSize(static_cast<unsigned>(batchAxis)),
                times = type.getDimSize(static_cast<unsigned>(timeAxis));
  std::optional<int64_t> rows = elementsOf({batches, times}, kMostPlaces),
                         row = elementsOf(type.getShape().drop_front(2), INT64_MAX);
  if (!rows || !row || *rows < 1 || *row < 1)
    return false;
  auto whole = [&](ArrayRef<int64_t> numbers, ArrayRef<int64_t> shape) { return wholes(numbers, shape, 32); };
  // Along both axes as the operand has them.
  const Shape perBatch = batchAxis == 0 ? Shape{batches, 1} : Shape{1, batches},
              perTime = batchAxis == 0 ? Shape{1, times} : Shape{times, 1};
  Value steps = whole(llvm::to_vector(llvm::seq<int64_t>(0, times)), perTime);
  Value count = reshaped(cast(node.getOperand(1), builder.getI32Type()), perBatch);
  Value mirrored = value("Sub", {value("Sub", {count, whole(1, {})}), steps});
  Value step = value("Where", {value("Less", {steps, count}), mirrored, steps});
  Shape starts;
  for (int64_t i = 0; i < batches; ++i)
    starts.push_back(batchAxis == 0 ? i * times : i);
  if (batchAxis == 1)
    step = value("Mul", {step, whole(batches, {})});
  Value places = reshaped(value("Add", {step, whole(starts, perBatch)}), *rows);
  Value made = value("Gather", {reshaped(node.getOperand(0), {*rows, *row}), places}, named("axis", 0));
  finish(0, reshaped(made, type.getShape()));
  return true;
}

/// The function of the host gives the indices of an element in a row, as its number of rows depends on data; ONNX has
/// them in a column.
bool Decomposer::nonZero() {
  RankedTensorType type = typeOf(0);
  if (!type || type.getRank() == 0)
    return false;
  Value rows = emit("NonZero", node.getOperand(0), {}, kOwnDomain).getResult(0);
  finish(0, value("Transpose", rows, named("perm", {1, 0})));
  return true;
}

/// The slices along an axis, or the elements without one, at which a condition is true.
bool Decomposer::compress() {
  RankedTensorType type = typeOf(0), condition = typeOf(1);
  if (!type || !condition || condition.getRank() != 1 || !condition.getElementType().isInteger(1))
    return false;
  const bool isFlat = !parameter("axis");
  const std::optional<size_t> axis = isFlat ? 0 : place(given("axis", 0), type.getRank());
  const int64_t size = isFlat ? type.getNumElements() : axis ? type.getDimSize(static_cast<unsigned>(*axis)) : 0;
  if (!axis || condition.getDimSize(0) > size)
    return false;
  Value places = reshaped(value("NonZero", node.getOperand(1)), {condition.getDimSize(0)});
  finish(0, value("Gather", {isFlat ? reshaped(node.getOperand(0), {size}) : node.getOperand(0), places},
                  named("axis", static_cast<int64_t>(*axis))));
  return true;
}

/// Along another axis than the last: with a transpose after it. Indices that are floats become integers.
bool Decomposer::oneHot() {
  RankedTensorType type = typeOf(0);
  std::optional<size_t> axis = type ? place(integer("axis", -1), type.getRank() + 1) : std::nullopt;
  if (!axis || node.getNumOperands() != 3)
    return false;
  const bool isLast = static_cast<int64_t>(*axis) == type.getRank(), isReal = isa<FloatType>(type.getElementType());
  if (!isReal && integer("axis", -1) == -1)
    return false;
  SmallVector<Value> operands(node.getOperands());
  if (isReal)
    operands[0] = cast(operands[0], builder.getI64Type());
  Value made = value("OneHot", operands, named("axis", -1));
  // Type rows differ only in the type of the result.
  if (RankedTensorType ends = typeOf(2)) {
    Shape shape(type.getShape());
    shape.push_back(ShapedType::kDynamic);
    made.setType(RankedTensorType::get(shape, ends.getElementType()));
  }
  if (!isLast) {
    Shape order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(*axis), type.getRank());
    made = transposed(made, order);
  }
  finish(0, made);
  return true;
}

/// A matrix of a type that the node names: a constant, for any operand.
bool Decomposer::eyeLike() {
  static constexpr int64_t kMostOfMatrix = int64_t(1) << 20;
  RankedTensorType type = typeOf(0);
  if (!type || type.getRank() != 2 || !elementsOf(type.getShape(), kMostOfMatrix))
    return false;
  Type element = type.getElementType();
  if (parameter("dtype")) {
    std::optional<onnx::ElementType> to = onnx::elementTypeOf(integer("dtype", 0));
    std::optional<opc::ElementType> known = to ? onnx::opcType(*to) : std::nullopt;
    if (!known)
      return false;
    element = aicore::mlirTypeOf(*known, node.getContext());
  }
  if (!isa<FloatType, IntegerType>(element))
    return false;
  const int64_t diagonal = integer("k", 0), columns = type.getDimSize(1);
  auto real = dyn_cast<FloatType>(element);
  const Attribute zero = builder.getZeroAttr(element),
                  one = real ? Attribute(FloatAttr::get(real, 1)) : Attribute(IntegerAttr::get(element, 1));
  SmallVector<Attribute> elements(static_cast<size_t>(type.getNumElements()), zero);
  for (int64_t i = 0; i < type.getDimSize(0); ++i)
    if (diagonal >= -i && diagonal < columns - i)
      elements[static_cast<size_t>(i * columns + i + diagonal)] = one;
  finish(0, constant(DenseElementsAttr::get(RankedTensorType::get(type.getShape(), element), elements)));
  return true;
}

/// Blocks whose elements are adjacent among the channels (the order CRD).
bool Decomposer::spaceToDepth() {
  RankedTensorType type = typeOf(0);
  const int64_t block = integer("blocksize", 0);
  if (!type || type.getRank() != 4 || word("mode", "DCR") != "CRD" || block < 1 || type.getDimSize(2) % block != 0 ||
      type.getDimSize(3) % block != 0)
    return false;
  const int64_t samples = type.getDimSize(0), channels = type.getDimSize(1), rows = type.getDimSize(2) / block,
                columns = type.getDimSize(3) / block;
  if (!elementsOf({channels, block, block}, kMostWritten))
    return false;
  Value apart = reshaped(node.getOperand(0), {samples, channels, rows, block, columns, block});
  finish(0, reshaped(transposed(apart, {0, 1, 3, 5, 2, 4}), {samples, channels * block * block, rows, columns}));
  return true;
}

/// All elements, and a mask that keeps all: outside of training, and if no elements are dropped.
bool Decomposer::dropout() {
  RankedTensorType type = typeOf(0);
  if (!type || node.getNumResults() > 2 || opset < 12 || !elementsOf(type.getShape(), kMostWritten))
    return false;
  if (has(2)) {
    std::optional<Shape> training = integersOf(constantOf(node.getOperand(2)));
    auto ratio = has(1) ? dyn_cast_or_null<DenseFPElementsAttr>(constantOf(node.getOperand(1))) : DenseFPElementsAttr();
    const bool dropsNone = ratio && ratio.getNumElements() == 1 && (*ratio.begin()).isZero();
    if (!training || training->size() != 1 || (training->front() != 0 && !dropsNone))
      return false;
  }
  finish(0, node.getOperand(0));
  if (node.getNumResults() == 2)
    finish(1, splat(type.getShape(), builder.getI1Type(), 1));
  return true;
}
