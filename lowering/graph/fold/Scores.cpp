// Joins the softmax of scores with the product that gives them: the weights of attention.
//
//   product   BatchMatMul, MatMul, or MatMulNt
//   scale     Mul or Div with numbers; may be missing
//   mask      after BatchMatMul and MatMul: Add with a row for each matrix, or a number for each score; may be missing
//   softmax   over the last dimension

#include "lowering/graph/fold/Patterns.h"

using namespace mlir;
using namespace opc::graph;

namespace {

/// The scores that a softmax reads.
struct Scores {
  InstanceOp product;
  double scale = 1;
  Value mask; ///< added to the scaled product; null if there is none
};

} // namespace

/// The longest rows for which the AI Core takes less time for both than for one after the other. Beyond 256 that is so
/// if L1 has all keys, in all types those of some 192 elements.
static constexpr int64_t kLongestRow = 1024, kLongestRowOfMany = 256, kLongestKey = 192;

/// The product of a value, perhaps scaled. No other operation reads any of it: it would be computed twice.
static std::optional<Scores> scaledProduct(Folder &folder, Value value) {
  auto [product, scale] = scaled(folder, value, /*isAlone=*/true);
  if (product.hasOneUse())
    for (StringRef opType : {"BatchMatMul", "MatMul", "MatMulNt"})
      if (InstanceOp found = folder.producer(product, opType))
        return Scores{found, scale, {}};
  return std::nullopt;
}

static std::optional<Scores> scoresOf(Folder &folder, Value value) {
  if (std::optional<Scores> plain = scaledProduct(folder, value))
    return plain;
  InstanceOp sum = value.hasOneUse() ? folder.producer(value, "Add") : InstanceOp();
  if (!sum)
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i)
    if (std::optional<Scores> scores = scaledProduct(folder, sum.getOperand(i));
        scores && sum.getOperand(i).getType() == value.getType()) {
      scores->mask = sum.getOperand(1 - i);
      return scores;
    }
  return std::nullopt;
}

/// The fused operator for these scores, with its operands; empty with a reason if there is none.
static StringRef fusedOf(Folder &folder, Scores &scores, Value last, std::string &reason) {
  const bool isTransposed = folder.isA(scores.product, "MatMulNt");
  if (!scores.mask)
    return isTransposed ? "MatMulSoftmax" : "BatchMatMulSoftmax";
  auto type = cast<RankedTensorType>(last.getType()), ofMask = cast<RankedTensorType>(scores.mask.getType());
  const ArrayRef<int64_t> shape = type.getShape();
  if (isTransposed || ofMask.getElementType() != type.getElementType() || ofMask.getRank() == 0 ||
      ofMask.getShape().back() != shape.back()) {
    reason = isTransposed ? "no contract has a mask after this product" : "its mask is no row of the scores' length";
    return {};
  }
  if (ofMask.getRank() == 1)
    scores.mask = folder.reshape(scores.mask, {1, shape.back()}, last);
  const int64_t rows = cast<RankedTensorType>(scores.mask.getType()).getShape().drop_back().back();
  return rows == 1 ? "BatchMatMulSoftmax" : "BatchMatMulAddSoftmax";
}

void opc::graph::foldScores(Folder &folder, InstanceOp instance) {
  if (!folder.isA(instance, "Softmax"))
    return;
  std::optional<Scores> scores = scoresOf(folder, instance.getOperand(0));
  if (!scores)
    return;
  Value last = instance.getResult(0);
  std::string reason;
  StringRef what = "softmax of scores";
  const int64_t ofKey = cast<RankedTensorType>(scores->product.getOperand(0).getType()).getShape().back();
  const int64_t longest = ofKey > kLongestKey ? kLongestRowOfMany : kLongestRow;
  if (cast<RankedTensorType>(last.getType()).getShape().back() > longest)
    return folder.nearly(what, instance,
                         "its rows are longer than " + std::to_string(longest) +
                             ", up to which one kernel takes less time than two on the AI Core with " +
                             std::to_string(ofKey) + " elements in a key");
  StringRef fused = fusedOf(folder, *scores, last, reason);
  if (fused.empty())
    return folder.nearly(what, instance, reason);
  SmallVector<Value> operands(scores->product.getOperands().take_front(2));
  if (scores->mask)
    operands.push_back(scores->mask);
  Builder &builder = folder.builder;
  DictionaryAttr parameters =
      builder.getDictionaryAttr(builder.getNamedAttr("scale", builder.getF64FloatAttr(scores->scale)));
  if (Value made = folder.make(fused, operands, parameters, last, reason))
    folder.replace(fused, last, made);
  else
    folder.nearly(what, instance, reason);
}
