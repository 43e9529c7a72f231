#include "lowering/graph/Ranges.h"

#include "dialect/aicore/Tiles.h"
#include "lowering/graph/Instances.h"
#include "lowering/graph/NodeFacts.h"

#include <algorithm>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

namespace {

using Shape = SmallVector<int64_t>;

/// A box: `count` elements of each dimension, from `start` on.
struct Box {
  Shape start, count;
};

class Ranges : NodeReader {
public:
  Ranges(NodeOp node, OpBuilder &builder, SmallVectorImpl<Value> &results)
      : NodeReader(node), builder(builder), results(results) {}
  bool run();

private:
  bool concat();
  bool slice();
  bool split();
  bool gather();

  /// The type of an operand with elements that the runtime supports; null for others.
  RankedTensorType typeOf(unsigned number) {
    RankedTensorType type = NodeReader::typeOf(number);
    return type && type.hasStaticShape() && aicore::elementTypeOf(type.getElementType()) ? type : RankedTensorType();
  }
  bool isOuter(ArrayRef<int64_t> shape, size_t axis) {
    return llvm::all_of(shape.take_front(axis), [](int64_t size) { return size == 1; });
  }
  StringRef nameOf(unsigned result) { return cast<StringAttr>(node.getResultNames()[result]).getValue(); }
  /// Adds the elements of a box of the first operand, with a shape; false if they are not a range.
  bool addBox(const Box &box, ArrayRef<int64_t> shape);

  OpBuilder &builder;
  SmallVectorImpl<Value> &results;
};

} // namespace

bool Ranges::addBox(const Box &box, ArrayRef<int64_t> shape) {
  RankedTensorType from = typeOf(0);
  int64_t start = 0, rows = 1, elements = 1;
  bool isRange = true;
  for (size_t i = 0; i < box.start.size(); ++i) {
    const int64_t size = from.getShape()[i];
    // After the first dimension with more than one index, all dimensions must be taken whole.
    isRange &= rows == 1 || box.count[i] == size;
    rows *= box.count[i];
    start = start * size + box.start[i];
    elements *= box.count[i];
  }
  if (!isRange || elements == 0)
    return false;
  auto to = RankedTensorType::get(shape, from.getElementType());
  Value operand = node.getOperand(0);
  if (elements != from.getNumElements())
    results.push_back(PartOp::create(builder, node.getLoc(), to, operand, builder.getI64IntegerAttr(start),
                                     builder.getStringAttr(nameOf(static_cast<unsigned>(results.size())))));
  else
    results.push_back(to == from ? operand : Value(ViewOp::create(builder, node.getLoc(), to, operand)));
  return true;
}

bool Ranges::concat() {
  RankedTensorType first = typeOf(0);
  std::optional<size_t> axis = first ? place(given("axis", 1), first.getRank()) : std::nullopt;
  if (!axis || !isOuter(first.getShape(), *axis))
    return false;
  Shape shape(first.getShape());
  shape[*axis] = 0;
  for (unsigned i = 0; i < node.getNumOperands(); ++i) {
    RankedTensorType type = typeOf(i);
    if (!type || type.getElementType() != first.getElementType() || type.getRank() != first.getRank())
      return false;
    for (size_t k = 0; k < shape.size(); ++k)
      if (k != *axis && type.getShape()[k] != shape[k])
        return false;
    if (llvm::AddOverflow(shape[*axis], type.getShape()[*axis], shape[*axis]))
      return false;
  }
  auto to = RankedTensorType::get(shape, first.getElementType());
  if (node.getNumOperands() == 1)
    results.push_back(node.getOperand(0));
  else
    results.push_back(
        JoinOp::create(builder, node.getLoc(), to, node.getOperands(), builder.getStringAttr(nameOf(0)), PlaceAttr()));
  return true;
}

bool Ranges::slice() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> starts = list("starts", 1), ends = list("ends", 2), steps = list("", 4);
  if (!type || !starts || !ends || starts->size() != ends->size() || (has(4) && !steps))
    return false;
  const std::optional<Shape> axes = this->axes("axes", 3, static_cast<int64_t>(starts->size()));
  if (!steps)
    steps = Shape(starts->size(), 1);
  if (!axes || axes->size() != starts->size() || steps->size() != starts->size())
    return false;
  Box box{Shape(static_cast<size_t>(type.getRank()), 0), Shape(type.getShape())};
  SmallVector<bool> seen(static_cast<size_t>(type.getRank()), false);
  for (size_t i = 0; i < starts->size(); ++i) {
    std::optional<size_t> axis = place((*axes)[i], type.getRank());
    if (!axis || seen[*axis] || (*steps)[i] < 1)
      return false;
    seen[*axis] = true;
    const int64_t size = type.getShape()[*axis];
    auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? (at < -size ? 0 : at + size) : at, 0, size); };
    box.start[*axis] = clamp((*starts)[i]);
    box.count[*axis] = clamp((*ends)[i]) - box.start[*axis];
    if (box.count[*axis] < 1)
      return false;
    if ((*steps)[i] > 1 && box.count[*axis] > (*steps)[i])
      return false;
    if ((*steps)[i] > 1)
      box.count[*axis] = 1;
  }
  return addBox(box, box.count);
}

bool Ranges::split() {
  RankedTensorType type = typeOf(0);
  std::optional<size_t> axis = type ? place(given("axis", 0), type.getRank()) : std::nullopt;
  if (!axis || !isOuter(type.getShape(), *axis))
    return false;
  std::optional<Shape> sizes = splitSizes(type.getShape()[*axis]);
  if (!sizes)
    return false;
  Box box{Shape(static_cast<size_t>(type.getRank()), 0), Shape(type.getShape())};
  for (int64_t each : *sizes) {
    box.count[*axis] = each;
    if (!addBox(box, box.count))
      return false;
    box.start[*axis] += each;
  }
  return true;
}

bool Ranges::gather() {
  RankedTensorType type = typeOf(0), indices = typeOf(1);
  std::optional<size_t> axis = type ? place(given("axis", 0), type.getRank()) : std::nullopt;
  std::optional<Shape> numbers = indices ? integersOf(constantOf(node.getOperand(1))) : std::nullopt;
  if (!axis || !numbers || numbers->size() != 1)
    return false;
  const int64_t size = type.getShape()[*axis], index = numbers->front();
  if (index < -size || index >= size)
    return false;
  Box box{Shape(static_cast<size_t>(type.getRank()), 0), Shape(type.getShape())};
  box.start[*axis] = index < 0 ? index + size : index;
  box.count[*axis] = 1;
  Shape shape(type.getShape().take_front(*axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, type.getShape().drop_front(*axis + 1));
  return shape.size() <= kMostRank && addBox(box, shape);
}

bool Ranges::run() {
  if (node.getDomain().value_or("ai.onnx") != "ai.onnx")
    return false;
  StringRef op = node.getOp();
  return op == "Concat"   ? concat()
         : op == "Slice"  ? slice()
         : op == "Split"  ? split()
         : op == "Gather" ? gather()
                          : false;
}

bool opc::graph::rangesOf(NodeOp node, OpBuilder &builder, SmallVectorImpl<Value> &results) {
  if (Ranges(node, builder, results).run() && results.size() == node.getNumResults())
    return true;
  for (Value made : results)
    if (Operation *op = made.getDefiningOp();
        op && isa<PartOp, JoinOp, ViewOp>(op) && op->use_empty() && !llvm::is_contained(node.getOperands(), made))
      op->erase();
  results.clear();
  return false;
}

bool opc::graph::isRangeOfConstants(Operation *op) {
  return isa_and_nonnull<PartOp, JoinOp>(op) && op->getNumOperands() > 0 && llvm::all_of(op->getOperands(), constantOf);
}

Value opc::graph::replaceRange(OpBuilder &builder, Operation *op) {
  std::string bytes;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (auto part = dyn_cast<PartOp>(op)) {
    // Only its own bytes: the whole may be large, and have many parts.
    const size_t each = elementSize(*aicore::elementTypeOf(type.getElementType()));
    bytes = ConstantBytes(constantOf(part.getOperand()))
                .get()
                .substr(static_cast<size_t>(part.getStart()) * each, static_cast<size_t>(type.getNumElements()) * each)
                .str();
  } else {
    for (Value operand : op->getOperands())
      bytes += ConstantBytes(constantOf(operand)).get();
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  StringRef name = isa<PartOp>(op) ? cast<PartOp>(op).getName() : cast<JoinOp>(op).getName();
  Value made = createConstant(builder, op->getLoc(), type, name, bytes);
  op->replaceAllUsesWith(ValueRange(made));
  op->erase();
  return made;
}
