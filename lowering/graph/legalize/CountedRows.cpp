#include "lowering/graph/legalize/CountedRows.h"

#include "lowering/graph/NodeFacts.h"
#include "lowering/graph/legalize/Views.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <functional>
#include <numeric>

using namespace mlir;
using namespace opc::graph;

/// Operators whose operands broadcast, and each of whose elements follows from those at its position.
static const llvm::StringSet<> &elementwise() {
  static const llvm::StringSet<> names = {"Abs",
                                          "Acos",
                                          "Acosh",
                                          "Add",
                                          "And",
                                          "Asin",
                                          "Asinh",
                                          "Atan",
                                          "Atanh",
                                          "BitwiseAnd",
                                          "BitwiseNot",
                                          "BitwiseOr",
                                          "BitwiseXor",
                                          "Cast",
                                          "CastLike",
                                          "Ceil",
                                          "Celu",
                                          "Clip",
                                          "Cos",
                                          "Cosh",
                                          "Div",
                                          "Elu",
                                          "Equal",
                                          "Erf",
                                          "Exp",
                                          "Floor",
                                          "Gelu",
                                          "Greater",
                                          "GreaterOrEqual",
                                          "HardSigmoid",
                                          "HardSwish",
                                          "Identity",
                                          "IsInf",
                                          "IsNaN",
                                          "LeakyRelu",
                                          "Less",
                                          "LessOrEqual",
                                          "Log",
                                          "Max",
                                          "Mean",
                                          "Min",
                                          "Mish",
                                          "Mod",
                                          "Mul",
                                          "Neg",
                                          "Not",
                                          "Or",
                                          "PRelu",
                                          "Pow",
                                          "Reciprocal",
                                          "Relu",
                                          "Round",
                                          "Selu",
                                          "Sigmoid",
                                          "Sign",
                                          "Sin",
                                          "Sinh",
                                          "Softplus",
                                          "Softsign",
                                          "Sqrt",
                                          "Sub",
                                          "Sum",
                                          "Swish",
                                          "Tan",
                                          "Tanh",
                                          "ThresholdedRelu",
                                          "Where",
                                          "Xor"};
  return names;
}

static constexpr const char *kCutsRows = "it cuts rows up, puts several into one, or has a size that is their number";

namespace {

class RowReader : NodeReader {
public:
  RowReader(NodeOp node, const RowsOfValues &known, bool isPart, std::string &reason)
      : NodeReader(node), known(known), isPart(isPart), reason(reason) {}
  std::optional<Rows> read();

private:
  using Dimension = std::optional<size_t>;

  std::nullopt_t no(const Twine &why) {
    reason = why.str();
    return std::nullopt;
  }
  const Rows *rowsOf(unsigned number) {
    auto at = number < node.getNumOperands() ? known.find(node.getOperand(number)) : known.end();
    return at == known.end() ? nullptr : &at->second;
  }
  int64_t rankOf(unsigned number) { return typeOf(number) ? typeOf(number).getRank() : 0; }
  /// Whether no operand but this one has counted rows.
  bool isOnly(unsigned number) {
    for (unsigned i = 0; i < node.getNumOperands(); ++i)
      if (i != number && rowsOf(i))
        return false;
    return true;
  }
  Dimension read(StringRef op, const Rows &first);
  Dimension broadcast(const Rows &first);
  Dimension gather();
  Dimension concat(const Rows &first);
  Dimension view(StringRef op, size_t dimension);
  /// The dimension of the first operand's rows, if the node computes along other axes alone.
  Dimension along(std::optional<Shape> axes, size_t dimension);
  Dimension reduce(std::optional<Shape> axes, size_t dimension);

  const RowsOfValues &known;
  const bool isPart;
  std::string &reason;
};

} // namespace

/// All operands have the rows, or one element there.
RowReader::Dimension RowReader::broadcast(const Rows &first) {
  int64_t rank = 0;
  std::optional<int64_t> fromEnd;
  for (unsigned i = 0; i < node.getNumOperands(); ++i) {
    rank = std::max(rank, rankOf(i));
    if (const Rows *rows = rowsOf(i)) {
      const int64_t own = rankOf(i) - static_cast<int64_t>(rows->dimension);
      if (rows->count != first.count || (fromEnd && *fromEnd != own))
        return no("it combines rows that are counted apart");
      fromEnd = own;
    }
  }
  for (unsigned i = 0; i < node.getNumOperands(); ++i)
    if (!rowsOf(i) && typeOf(i) && rankOf(i) >= *fromEnd && typeOf(i).getDimSize(rankOf(i) - *fromEnd) != 1)
      return no("it combines them with rows of which there is always one number");
  return static_cast<size_t>(rank - *fromEnd);
}

RowReader::Dimension RowReader::gather() {
  const Dimension axis = place(given("axis", 0), rankOf(0));
  if (!axis || (rowsOf(0) && rowsOf(1)))
    return no("it gathers from counted rows at counted places");
  if (const Rows *places = rowsOf(1))
    return *axis + places->dimension;
  const size_t dimension = rowsOf(0)->dimension;
  if (dimension == *axis)
    return no("it picks rows by their numbers, which need not be there");
  return dimension < *axis ? dimension : dimension - 1 + static_cast<size_t>(rankOf(1));
}

RowReader::Dimension RowReader::concat(const Rows &first) {
  const Dimension axis = place(given("axis", std::nullopt), rankOf(0));
  if (!axis || *axis == first.dimension)
    return no("it joins them to other rows, whose places depend on the number");
  for (unsigned i = 0; i < node.getNumOperands(); ++i) {
    const Rows *rows = rowsOf(i);
    if (!rows || rows->count != first.count || rows->dimension != first.dimension)
      return no("it combines them with rows that are counted apart");
  }
  return first.dimension;
}

/// The rows keep their elements and what is before them, however many there are: sizes that are numbers in the file,
/// and dimensions that it drops because their size is 1, are of a certain number of rows.
RowReader::Dimension RowReader::view(StringRef op, size_t dimension) {
  const std::optional<Shape> to = viewShape(node, reason);
  if (!to)
    return std::nullopt;
  const int64_t rank = rankOf(0), rankAfter = static_cast<int64_t>(to->size());
  auto isListed = [](ArrayRef<int64_t> axes, size_t at, int64_t rank) {
    return llvm::is_contained(axes, static_cast<int64_t>(at)) ||
           llvm::is_contained(axes, static_cast<int64_t>(at) - rank);
  };
  if (op == "Flatten")
    return dimension == 0 && place(integer("axis", 1), rank) == 1 ? Dimension(0) : no(kCutsRows);
  if (op == "Unsqueeze") {
    const std::optional<Shape> axes = list("axes", 1);
    size_t at = 0;
    for (size_t left = dimension; isListed(*axes, at, rankAfter) || left != 0; ++at)
      left -= isListed(*axes, at, rankAfter) ? 0 : 1;
    return at;
  }
  if (op == "Squeeze") {
    const std::optional<Shape> axes = list("axes", 1);
    if (!axes || isListed(*axes, dimension, rank))
      return no("it drops them as a dimension if there is one");
    size_t at = dimension;
    for (size_t i = 0; i < dimension; ++i)
      at -= isListed(*axes, i, rank) ? 1 : 0;
    return at;
  }
  const std::optional<Shape> written = list("shape", 1);
  ArrayRef<int64_t> from = typeOf(0).getShape();
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  };
  for (size_t i = 0; i < to->size(); ++i) {
    const bool isOpen =
        isPart || (*written)[i] == -1 || ((*written)[i] == 0 && i == dimension && integer("allowzero", 0) == 0);
    if (isOpen && (*to)[i] == from[dimension] &&
        product(ArrayRef(*to).take_front(i)) == product(from.take_front(dimension)))
      return i;
  }
  return no(kCutsRows);
}

RowReader::Dimension RowReader::along(std::optional<Shape> axes, size_t dimension) {
  if (!axes)
    return no("its axes are computed while the model runs");
  for (int64_t axis : *axes)
    if (const Dimension each = place(axis, rankOf(0)); !each || *each == dimension)
      return no("it computes along the rows");
  return dimension;
}

RowReader::Dimension RowReader::reduce(std::optional<Shape> axes, size_t dimension) {
  if (!along(axes, dimension))
    return std::nullopt;
  if (axes->empty())
    return no("it computes along the rows");
  if (integer("keepdims", 1) != 0)
    return dimension;
  return dimension -
         static_cast<size_t>(llvm::count_if(*axes, [&](int64_t axis) { return *place(axis, rankOf(0)) < dimension; }));
}

RowReader::Dimension RowReader::read(StringRef op, const Rows &first) {
  if (elementwise().contains(op))
    return broadcast(first);
  if (op == "Gather")
    return gather();
  if (op == "Concat")
    return concat(first);
  // The rows of places, each of which names an element or a row of the data.
  if (op == "GatherND" && rowsOf(1) && isOnly(1) && integer("batch_dims", 0) == 0 &&
      static_cast<int64_t>(rowsOf(1)->dimension) + 1 < rankOf(1))
    return rowsOf(1)->dimension;
  if (!rowsOf(0) || !isOnly(0))
    return no("no rule says what its rows follow from");
  const size_t dimension = first.dimension;
  const Shape last = {-1};
  if (op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze")
    return view(op, dimension);
  if (op == "Transpose") {
    std::optional<Shape> order = list("perm", 1);
    if (!order)
      return static_cast<size_t>(rankOf(0)) - 1 - dimension;
    return static_cast<size_t>(llvm::find(*order, static_cast<int64_t>(dimension)) - order->begin());
  }
  if (op == "Slice")
    return along(axes("axes", 3, has(1) && typeOf(1) ? typeOf(1).getNumElements() : rankOf(0)), dimension);
  if (op == "Split")
    return along(Shape{integer("axis", 0)}, dimension);
  // Opset 12 and earlier compute along all dimensions from the axis on.
  if ((op == "Softmax" || op == "LogSoftmax" || op == "Hardmax") && dimension == 0)
    return along(Shape{integer("axis", -1)}, dimension);
  if (op == "ArgMax" || op == "ArgMin")
    return reduce(Shape{integer("axis", 0)}, dimension);
  if (op.starts_with("Reduce"))
    return reduce(axes("axes", 1, 0), dimension);
  if (op == "MatMul")
    return along(last, dimension);
  return no(op == "Shape" || op == "Size" ? "their number would be a value of the model"
                                          : "no rule says what its rows follow from");
}

std::optional<Rows> RowReader::read() {
  for (unsigned i = 0; i < node.getNumOperands(); ++i)
    if (const Rows *first = rowsOf(i)) {
      for (unsigned each = 0; each < node.getNumOperands(); ++each)
        if (has(each) && !typeOf(each))
          return no("the type of an operand is not known");
      const StringRef domain = node.getDomain().value_or("ai.onnx"), op = node.getOp();
      // Operators of the library by their own names come from parts of nodes. Only these need no more than rows.
      const bool isOwn = domain == "opc" &&
                         (elementwise().contains(op) || ((op == "ArgMax" || op == "ArgMin") && first->dimension == 0));
      const Dimension dimension = (domain == "ai.onnx" || isOwn) && node.getBodies().empty()
                                      ? read(op, *first)
                                      : Dimension(no("no rule says what its rows follow from"));
      if (!dimension)
        return std::nullopt;
      return Rows{first->count, *dimension};
    }
  return no("it reads no counted rows");
}

std::optional<Rows> opc::graph::rowsOfResults(NodeOp node, const RowsOfValues &known, bool isPart,
                                              std::string &reason) {
  return RowReader(node, known, isPart, reason).read();
}
