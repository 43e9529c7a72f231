// Folds factors and shifts of channels into the constant weights of the convolution or product before them:
//
//   y = (w x + b) * factor + shift     becomes     (w * factor) x + (b * factor + shift)
//
// Each weight is computed in float64 and rounded once, to its type.

#include "lowering/graph/fold/Patterns.h"

#include <cmath>

using namespace mlir;
using namespace opc::graph;

/// Maximum number of elements of recomputed weights: 2 GiB of temporary float64.
static constexpr int64_t kMostWeights = int64_t(1) << 28;

namespace {

/// An operator whose result has channels, with the axis of its weights that counts them.
struct Channelled {
  StringRef opType;
  unsigned axis;
  bool isProduct; ///< channels are the last dimension of the result; of convolutions they are the second
};

class Channels {
public:
  Channels(Folder &folder, InstanceOp root, const Channelled &kind) : folder(folder), root(root), kind(kind) {}
  void run();

private:
  bool take();
  bool takeNorm(InstanceOp norm);
  std::optional<SmallVector<double>> perChannel(Value operand) const;
  void finish();

  Folder &folder;
  InstanceOp root;
  const Channelled &kind;
  Value top;
  int64_t channels = 0;
  SmallVector<double> factor, shift;
  bool scales = false;
  size_t taken = 0;
};

} // namespace

/// A number for each channel of a constant that is broadcast to the result; nullopt for others.
std::optional<SmallVector<double>> Channels::perChannel(Value operand) const {
  auto type = cast<RankedTensorType>(top.getType());
  if (std::optional<double> number = numberOf(operand);
      number && cast<RankedTensorType>(operand.getType()).getRank() <= type.getRank())
    return SmallVector<double>(static_cast<size_t>(channels), *number);
  auto shape = cast<RankedTensorType>(operand.getType()).getShape();
  // The dimension of the channels, counted from the last; all others must be 1.
  const int64_t place = kind.isProduct ? 0 : type.getRank() - 2;
  if (static_cast<int64_t>(shape.size()) > type.getRank() || static_cast<int64_t>(shape.size()) <= place)
    return std::nullopt;
  for (auto [i, size] : llvm::enumerate(llvm::reverse(shape)))
    if (size != (static_cast<int64_t>(i) == place ? channels : 1))
      return std::nullopt;
  return floatsOf(operand, channels);
}

bool Channels::takeNorm(InstanceOp norm) {
  SmallVector<SmallVector<double>> given;
  for (unsigned i = 1; i < 5; ++i) {
    std::optional<SmallVector<double>> numbers = floatsOf(norm.getOperand(i), channels);
    if (!numbers || static_cast<int64_t>(numbers->size()) != channels) {
      folder.nearly("BatchNorm in " + kind.opType.str(), norm, "its statistics are no constants");
      return false;
    }
    given.push_back(std::move(*numbers));
  }
  auto epsilon = norm.getParametersAttr() ? norm.getParametersAttr().getAs<FloatAttr>("epsilon") : FloatAttr();
  if (!epsilon)
    return false;
  for (size_t i = 0; i < factor.size(); ++i) {
    const double by = given[0][i] / std::sqrt(given[3][i] + epsilon.getValueAsDouble());
    factor[i] *= by;
    shift[i] = (shift[i] - given[2][i]) * by + given[1][i];
  }
  return scales = true;
}

/// Folds the only reader of the result, if possible.
bool Channels::take() {
  if (!top.hasOneUse())
    return false;
  auto reader = dyn_cast<InstanceOp>(*top.user_begin());
  if (!reader || reader.getNumResults() != 1 || reader.getResult(0).getType() != top.getType())
    return false;
  // A product with vectors for rows has no channels that a BatchNorm would count.
  const bool isNorm =
      folder.isA(reader, "BatchNorm") && (!kind.isProduct || cast<RankedTensorType>(top.getType()).getRank() == 2);
  if (isNorm && reader.getOperand(0) == top)
    return takeNorm(reader);
  const bool isMul = folder.isA(reader, "Mul"), isAdd = folder.isA(reader, "Add"), isSub = folder.isA(reader, "Sub"),
             isDiv = folder.isA(reader, "Div");
  if (!isMul && !isAdd && !isSub && !isDiv)
    return false;
  Value operand = other(reader, top);
  if (!operand || ((isSub || isDiv) && reader.getOperand(0) != top))
    return false;
  std::optional<SmallVector<double>> numbers = perChannel(operand);
  if (!numbers || static_cast<int64_t>(numbers->size()) != channels)
    return false;
  if (isDiv && llvm::is_contained(*numbers, 0.0))
    return false; // infinities and NaN, which folded weights would not reproduce
  for (size_t i = 0; i < factor.size(); ++i) {
    const double number = (*numbers)[i], by = isMul ? number : isDiv ? 1 / number : 1;
    factor[i] *= by;
    shift[i] = shift[i] * by + (isAdd ? number : isSub ? -number : 0);
  }
  scales |= isMul || isDiv;
  return true;
}

void Channels::finish() {
  Value weights = root.getOperand(1);
  auto type = cast<RankedTensorType>(weights.getType());
  Value given = givenOperand(root, 2);
  std::optional<SmallVector<double>> bias;
  if (given)
    bias = floatsOf(given, channels);
  if (given && (!bias || static_cast<int64_t>(bias->size()) != channels))
    return folder.nearly(kind.opType, root, "what follows could be part of its bias, which is no constant");
  std::string reason;
  if (scales) {
    std::optional<SmallVector<double>> numbers = floatsOf(weights, kMostWeights);
    if (!numbers)
      return folder.nearly(kind.opType, root, "what follows could be part of its weights, which are no constant");
    int64_t inner = 1;
    for (int64_t size : type.getShape().drop_front(kind.axis + 1))
      inner *= size;
    for (size_t i = 0; i < numbers->size(); ++i)
      (*numbers)[i] *= factor[static_cast<size_t>(static_cast<int64_t>(i) / inner % channels)];
    weights = folder.makeFloats(type, "folded.weights", *numbers, top);
  }
  for (size_t i = 0; i < shift.size(); ++i)
    shift[i] += bias ? (*bias)[i] * factor[i] : 0;
  if (!llvm::all_of(factor, [](double each) { return std::isfinite(each); }) ||
      !llvm::all_of(shift, [](double each) { return std::isfinite(each); }))
    return folder.nearly(kind.opType, root, "what follows has factors or shifts that are not finite");
  Value row = folder.makeFloats(RankedTensorType::get(channels, type.getElementType()), "folded.bias", shift, top);
  Value made = folder.make(kind.opType, {root.getOperand(0), weights, row}, root.getParametersAttr(), top, reason);
  if (made)
    folder.replace(kind.opType, top, made);
  else
    folder.nearly(kind.opType, root, reason);
}

void Channels::run() {
  top = root.getResult(0);
  auto type = cast<RankedTensorType>(top.getType());
  channels = kind.isProduct ? type.getShape().back() : type.getDimSize(1);
  factor.assign(static_cast<size_t>(channels), 1);
  shift.assign(static_cast<size_t>(channels), 0);
  while (take()) {
    ++taken;
    top = cast<InstanceOp>(*top.user_begin()).getResult(0);
  }
  if (taken != 0)
    finish();
}

void opc::graph::foldChannels(Folder &folder, InstanceOp instance) {
  static const Channelled kinds[] = {
      {"Conv2d", 0, false},
      {"Conv1d", 0, false},
      {"Conv3d", 0, false},
      {"Linear", 0, true},
  };
  for (const Channelled &kind : kinds)
    if (folder.isA(instance, kind.opType))
      return Channels(folder, instance, kind).run();
}
