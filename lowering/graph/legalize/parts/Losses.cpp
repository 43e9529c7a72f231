// SoftmaxCrossEntropyLoss and NegativeLogLikelihoodLoss: the logarithms at the labels, each multiplied by the weight of
// its class, summed or for each row.

#include "lowering/graph/legalize/parts/Decomposer.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Samples, classes, positions of a sample; the label that the loss ignores.
struct Decomposer::Loss {
  RankedTensorType type, labels;
  int64_t samples = 0, classes = 0, places = 0;
  bool isOfScores = false;
  StringRef reduction;
  std::optional<int64_t> ignored;

  int64_t rows() const { return samples * places; }
};

bool Decomposer::readLoss(Loss &loss) {
  loss.type = typeOf(0);
  loss.labels = typeOf(1);
  loss.isOfScores = node.getOp() == "SoftmaxCrossEntropyLoss";
  loss.reduction = word("reduction", "mean");
  if (!loss.type || !loss.labels || loss.type.getRank() < 2 || !isa<FloatType>(loss.type.getElementType()) ||
      loss.type.getElementType().isF64() || node.getNumResults() > (loss.isOfScores ? 2 : 1) ||
      !llvm::is_contained({"none", "sum", "mean"}, loss.reduction))
    return false;
  Shape expected(loss.type.getShape());
  expected.erase(expected.begin() + 1);
  const Type label = loss.labels.getElementType();
  if (loss.labels.getShape() != ArrayRef(expected) || !(label.isSignlessInteger(32) || label.isSignlessInteger(64)))
    return false;
  std::optional<int64_t> places = elementsOf(loss.type.getShape().drop_front(2), INT64_MAX),
                         rows = elementsOf(expected, INT64_MAX);
  if (!places || !rows)
    return false;
  loss.samples = loss.type.getDimSize(0);
  loss.classes = loss.type.getDimSize(1);
  loss.places = *places;
  RankedTensorType weights = typeOf(2);
  if (has(2) && (!weights || weights.getShape() != ArrayRef(loss.classes) ||
                 weights.getElementType() != loss.type.getElementType()))
    return false;
  auto ignored = dyn_cast_or_null<IntegerAttr>(parameter("ignore_index"));
  // A value that labels cannot have is ignored.
  if (ignored && llvm::isIntN(label.getIntOrFloatBitWidth(), ignored.getInt()))
    loss.ignored = ignored.getInt();
  return true;
}

/// The loss of each row, the sum of all, or this sum divided by that of the weights. Sums are in float32, whose range
/// is enough for many rows. `weights` is null if all rows count equally.
void Decomposer::reduceLoss(const Loss &loss, Value each, Value weights) {
  if (loss.reduction == "none") {
    finish(0, reshaped(each, loss.labels.getShape()));
    return;
  }
  const Type element = loss.type.getElementType(), real = builder.getF32Type();
  auto wide = [&](Value from) { return converted(from, element, real); };
  auto reduced = [&](StringRef op, Value from) { return value(op, {from, wholes(0)}, named("keepdims", 0)); };
  Value made;
  if (loss.reduction == "sum" || weights)
    made = reduced("ReduceSum", wide(each));
  else
    made = reduced("ReduceMean", wide(each));
  if (loss.reduction == "mean" && weights)
    made = value("Div", {made, reduced("ReduceSum", wide(weights))});
  finish(0, converted(made, real, element));
}

bool Decomposer::crossEntropy() {
  Loss loss;
  if (!readLoss(loss))
    return false;
  const Type element = loss.type.getElementType();
  const unsigned width = loss.labels.getElementType().getIntOrFloatBitWidth();
  const int64_t rows = loss.rows();
  // The classes of a position become a row.
  Value logarithms = node.getOperand(0);
  if (loss.places != 1)
    logarithms = transposed(reshaped(logarithms, {loss.samples, loss.classes, loss.places}), {0, 2, 1});
  logarithms = reshaped(logarithms, {rows, loss.classes});
  if (loss.isOfScores)
    logarithms = value("LogSoftmax", logarithms, named("axis", -1));
  Value labels = reshaped(node.getOperand(1), rows), isIgnored, weights;
  if (loss.ignored) {
    // An ignored label need not be a class.
    isIgnored = value("Equal", {labels, wholes(*loss.ignored, {}, width)});
    labels = value("Where", {isIgnored, wholes(0, {}, width), labels});
  }
  Value found = value("GatherElements", {logarithms, reshaped(labels, {rows, 1})}, named("axis", 1));
  Value each = value("Neg", reshaped(found, rows));
  auto without = [&](Value from) { return value("Where", {isIgnored, splat({}, element, 0), from}); };
  if (has(2)) {
    weights = value("Gather", {node.getOperand(2), labels}, named("axis", 0));
    each = value("Mul", {each, weights});
  } else if (isIgnored) {
    weights = splat({}, element, 1);
  }
  if (isIgnored) {
    each = without(each);
    weights = without(weights);
  }
  reduceLoss(loss, each, weights);
  if (node.getNumResults() < 2 || node.getResult(1).use_empty())
    return true;
  if (loss.places != 1)
    logarithms = transposed(reshaped(logarithms, {loss.samples, loss.places, loss.classes}), {0, 2, 1});
  finish(1, reshaped(logarithms, loss.type.getShape()));
  return true;
}
