#include "lowering/graph/legalize/Views.h"

#include "lowering/graph/NodeFacts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace opc::graph;

using Shape = SmallVector<int64_t>;

namespace {

class View {
public:
  View(NodeOp node, std::string &reason) : node(node), reason(reason) {}
  std::optional<Shape> shape();

private:
  std::nullopt_t no(const Twine &why) {
    reason = why.str();
    return std::nullopt;
  }
  std::optional<Shape> reshape(ArrayRef<int64_t> from, int64_t elements);
  std::optional<Shape> flatten(ArrayRef<int64_t> from);
  std::optional<Shape> squeeze(ArrayRef<int64_t> from);
  std::optional<Shape> unsqueeze(ArrayRef<int64_t> from);
  bool has(unsigned number) {
    return number < node.getNumOperands() && !node.getOperand(number).getDefiningOp<AbsentOp>();
  }
  int64_t integer(StringRef name, int64_t otherwise) {
    auto value = node.getParametersAttr() ? node.getParametersAttr().getAs<IntegerAttr>(name) : IntegerAttr();
    return value ? value.getInt() : otherwise;
  }
  /// A list that is an attribute or, in later opsets, an operand; nullopt with a reason if it is not a constant.
  std::optional<Shape> list(StringRef name, unsigned number);
  std::optional<Shape> places(Shape axes, int64_t rank);

  NodeOp node;
  std::string &reason;
};

} // namespace

static std::string text(ArrayRef<int64_t> shape) {
  return "[" + llvm::join(llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }), ", ") + "]";
}

std::optional<Shape> View::list(StringRef name, unsigned number) {
  if (auto own =
          node.getParametersAttr() ? node.getParametersAttr().getAs<DenseI64ArrayAttr>(name) : DenseI64ArrayAttr())
    return Shape(own.asArrayRef());
  if (!has(number))
    return no("it has no '" + name + "'");
  std::optional<Shape> values = integersOf(constantOf(node.getOperand(number)));
  return values ? values : no("its '" + name + "' is computed while the model runs");
}

std::optional<Shape> View::places(Shape axes, int64_t rank) {
  for (int64_t &axis : axes) {
    if (axis < -rank || axis >= rank)
      return no("axis " + Twine(axis) + " is outside of rank " + Twine(rank));
    axis += axis < 0 ? rank : 0;
  }
  Shape sorted = axes;
  llvm::sort(sorted);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return no("it names an axis twice");
  return axes;
}

std::optional<Shape> View::reshape(ArrayRef<int64_t> from, int64_t elements) {
  std::optional<Shape> shape = list("shape", 1);
  if (!shape)
    return std::nullopt;
  bool keepsZero = integer("allowzero", 0) != 0;
  int64_t known = 1, open = -1;
  for (auto [i, size] : llvm::enumerate(*shape)) {
    if (size == 0 && !keepsZero) {
      if (i >= from.size())
        return no("its shape " + text(*shape) + " keeps a size that is not there");
      size = from[i];
    }
    if (size < -1 || (size == -1 && open >= 0))
      return no("its shape is " + text(*shape));
    if (size == -1) {
      open = static_cast<int64_t>(i);
      continue;
    }
    std::optional<int64_t> product = llvm::checkedMul(known, size);
    if (!product)
      return no("its shape is " + text(*shape));
    known = *product;
  }
  if (open >= 0 && known != 0 && elements % known == 0)
    (*shape)[static_cast<size_t>(open)] = elements / known;
  else if (open >= 0 || known != elements)
    return no(Twine(elements) + " elements do not fill " + text(*shape));
  return shape;
}

std::optional<Shape> View::flatten(ArrayRef<int64_t> from) {
  auto rank = static_cast<int64_t>(from.size());
  int64_t axis = integer("axis", 1);
  if (axis < -rank || axis > rank)
    return no("axis " + Twine(axis) + " is outside of rank " + Twine(rank));
  axis += axis < 0 ? rank : 0;
  Shape shape = {1, 1};
  for (int64_t i = 0; i < rank; ++i)
    shape[i < axis ? 0 : 1] *= from[static_cast<size_t>(i)];
  return shape;
}

std::optional<Shape> View::squeeze(ArrayRef<int64_t> from) {
  bool all = !has(1) && !(node.getParametersAttr() && node.getParametersAttr().contains("axes"));
  std::optional<Shape> axes = all ? Shape() : list("axes", 1);
  axes = axes ? places(*axes, static_cast<int64_t>(from.size())) : std::nullopt;
  if (!axes)
    return std::nullopt;
  Shape shape;
  for (auto [i, size] : llvm::enumerate(from)) {
    bool named = llvm::is_contained(*axes, static_cast<int64_t>(i));
    if (named && size != 1)
      return no("axis " + Twine(i) + " has size " + Twine(size) + " instead of 1");
    if (!named && !(all && size == 1))
      shape.push_back(size);
  }
  return shape;
}

std::optional<Shape> View::unsqueeze(ArrayRef<int64_t> from) {
  std::optional<Shape> axes = list("axes", 1);
  if (!axes)
    return std::nullopt;
  auto rank = static_cast<int64_t>(from.size() + axes->size());
  axes = places(*axes, rank);
  if (!axes)
    return std::nullopt;
  Shape shape;
  const int64_t *next = from.begin();
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(llvm::is_contained(*axes, i) ? 1 : *next++);
  return shape;
}

std::optional<Shape> View::shape() {
  auto type = has(0) ? dyn_cast<RankedTensorType>(node.getOperand(0).getType()) : RankedTensorType();
  if (!type || !type.hasStaticShape())
    return no("the shape of its operand is not known");
  ArrayRef<int64_t> from = type.getShape();
  StringRef op = node.getOp();
  if (op == "Reshape")
    return reshape(from, type.getNumElements());
  if (op == "Flatten")
    return flatten(from);
  if (op == "Squeeze")
    return squeeze(from);
  if (op == "Unsqueeze")
    return unsqueeze(from);
  if (op == "Dropout" && has(2)) {
    std::optional<Shape> training = integersOf(constantOf(node.getOperand(2)));
    if (!training || training->size() != 1 || training->front() != 0)
      return no("it drops elements: 'training_mode' is not false");
  }
  if (op == "Dropout" && node.getNumResults() > 1 && !node.getResult(1).use_empty())
    return no("its mask is read");
  return Shape(from);
}

bool opc::graph::isView(NodeOp node) {
  static constexpr StringLiteral names[] = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout"};
  return node.getDomain().value_or("ai.onnx") == "ai.onnx" && llvm::is_contained(names, node.getOp());
}

std::optional<Shape> opc::graph::viewShape(NodeOp node, std::string &reason) {
  std::optional<Shape> shape = View(node, reason).shape();
  if (shape && shape->size() > kMostRank) {
    reason = "its rank is " + std::to_string(shape->size()) + ", more than " + std::to_string(kMostRank);
    return std::nullopt;
  }
  return shape;
}
