// Finds norms and softmax that an exporter wrote in pieces.
//
//   centre      c = x - ReduceMean(x)                     over the last dimension
//   square      Pow(c, 2), Mul(c, c)
//   deviation   Sqrt(ReduceMean(square) + epsilon), Pow(.., 0.5)
//   quotient    Div(c, deviation), Mul(c, Reciprocal(deviation)), Mul(c, Div(1, deviation)), Mul(c, Rsqrt(..)),
//               Mul(c, Pow(.., -0.5))
//   LayerNorm   quotient * gamma + beta, each of both may be missing; RmsNorm has x for c, and no beta

#include "lowering/graph/fold/Patterns.h"

using namespace mlir;
using namespace opc::graph;

Value opc::graph::other(InstanceOp instance, Value one) {
  if (instance.getNumOperands() != 2 || instance.getOperand(0) == instance.getOperand(1))
    return {};
  return instance.getOperand(0) == one   ? instance.getOperand(1)
         : instance.getOperand(1) == one ? instance.getOperand(0)
                                         : Value();
}

Value opc::graph::givenOperand(InstanceOp instance, unsigned number) {
  Value operand = number < instance.getNumOperands() ? instance.getOperand(number) : Value();
  return operand && !operand.getDefiningOp<AbsentOp>() ? operand : Value();
}

Value opc::graph::asRow(Folder &folder, Value value, int64_t n, Value before) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getNumElements() != n || type.getRank() == 0 || type.getShape().back() != n)
    return {};
  return folder.reshape(value, n, before);
}

/// Whether a value is the mean of rows (or another reduction of them); returns the operand.
static Value reducedRows(Folder &folder, Value value, StringRef opType) {
  InstanceOp reduce = folder.producer(value, opType);
  if (!reduce || !reduce.getParametersAttr())
    return {};
  auto type = cast<RankedTensorType>(reduce.getOperand(0).getType());
  auto axes = reduce.getParametersAttr().getAs<DenseI64ArrayAttr>("axes");
  auto keep = reduce.getParametersAttr().getAs<BoolAttr>("keepdims");
  if (!axes || axes.size() != 1 || (axes[0] != -1 && axes[0] != type.getRank() - 1) || !keep || !keep.getValue())
    return {};
  return reduce.getOperand(0);
}

/// The operand of a square: Mul(c, c), Pow(c, 2).
static Value squared(Folder &folder, Value value) {
  if (InstanceOp product = folder.producer(value, "Mul"))
    return product.getOperand(0) == product.getOperand(1) ? product.getOperand(0) : Value();
  InstanceOp power = folder.producer(value, "Pow");
  return power && numberOf(power.getOperand(1)) == 2.0 ? power.getOperand(0) : Value();
}

/// The radicand of a square root.
static Value rooted(Folder &folder, Value value) {
  if (InstanceOp root = folder.producer(value, "Sqrt"))
    return root.getOperand(0);
  InstanceOp power = folder.producer(value, "Pow");
  return power && numberOf(power.getOperand(1)) == 0.5 ? power.getOperand(0) : Value();
}

/// The radicand of one over a square root.
static Value inverseRooted(Folder &folder, Value value) {
  if (InstanceOp root = folder.producer(value, "Rsqrt"))
    return root.getOperand(0);
  if (InstanceOp inverse = folder.producer(value, "Reciprocal"))
    return rooted(folder, inverse.getOperand(0));
  if (InstanceOp quotient = folder.producer(value, "Div"))
    return numberOf(quotient.getOperand(0)) == 1.0 ? rooted(folder, quotient.getOperand(1)) : Value();
  InstanceOp power = folder.producer(value, "Pow");
  return power && numberOf(power.getOperand(1)) == -0.5 ? power.getOperand(0) : Value();
}

namespace {
/// Rows divided by their deviation.
struct Quotient {
  Value rows; ///< x
  double epsilon = 0;
  bool isCentred = false;
};
} // namespace

/// The quotient of `numerator` and the root of `radicand`.
static std::optional<Quotient> quotientOf(Folder &folder, Value numerator, Value radicand, std::string &reason) {
  auto no = [&](const char *why) {
    reason = why;
    return std::nullopt;
  };
  InstanceOp sum = radicand ? folder.producer(radicand, "Add") : InstanceOp();
  if (!sum)
    return std::nullopt; // any quotient by a root
  std::optional<double> epsilon = numberOf(sum.getOperand(1));
  Value variance = sum.getOperand(0);
  if (!epsilon) {
    epsilon = numberOf(sum.getOperand(0));
    variance = sum.getOperand(1);
  }
  Value square = reducedRows(folder, variance, "ReduceMean");
  Value base = square ? squared(folder, square) : Value();
  if (!base)
    return folder.producer(variance, "ReduceMean") ? no("its mean is not one of squares over the last dimension")
                                                   : std::nullopt;
  if (!epsilon)
    return no("its epsilon is no constant number");
  if (base != numerator)
    return no("it divides another value than it squares");
  if (InstanceOp centre = folder.producer(numerator, "Sub"))
    if (reducedRows(folder, centre.getOperand(1), "ReduceMean") == centre.getOperand(0))
      return Quotient{centre.getOperand(0), *epsilon, true};
  return Quotient{numerator, *epsilon, false};
}

void opc::graph::foldNorm(Folder &folder, InstanceOp instance) {
  std::string reason;
  std::optional<Quotient> found;
  if (folder.isA(instance, "Div")) {
    found = quotientOf(folder, instance.getOperand(0), rooted(folder, instance.getOperand(1)), reason);
  } else if (folder.isA(instance, "Mul")) {
    for (unsigned i = 0; i < 2 && !found; ++i)
      found = quotientOf(folder, instance.getOperand(1 - i), inverseRooted(folder, instance.getOperand(i)), reason);
  }
  if (!found) {
    if (!reason.empty())
      folder.nearly("LayerNorm", instance, reason);
    return;
  }
  Value top = instance.getResult(0);
  auto type = cast<RankedTensorType>(top.getType());
  const int64_t n = type.getShape().back();
  // A row that `reader` combines with the current value.
  auto take = [&](StringRef opType) -> Value {
    InstanceOp reader = folder.onlyReader(top, opType);
    Value operand = reader ? other(reader, top) : Value();
    Value row =
        operand && reader.getResult(0).getType() == type ? asRow(folder, operand, n, reader.getResult(0)) : Value();
    if (row)
      top = reader.getResult(0);
    return row;
  };
  Value gamma = take("Mul");
  Value beta = found->isCentred ? take("Add") : Value();
  if (!gamma)
    gamma = folder.makeFloats(RankedTensorType::get(n, type.getElementType()), "ones",
                              SmallVector<double>(static_cast<size_t>(n), 1), top);
  SmallVector<Value> operands = {found->rows, gamma};
  if (beta)
    operands.push_back(beta);
  Builder &builder = folder.builder;
  auto parameters = builder.getDictionaryAttr(builder.getNamedAttr("epsilon", builder.getF64FloatAttr(found->epsilon)));
  StringRef what = found->isCentred ? "LayerNorm" : "RmsNorm";
  if (Value made = folder.make(what, operands, parameters, top, reason))
    folder.replace(what, top, made);
  else
    folder.nearly(what, instance, reason);
}

/// Div(e, ReduceSum(e)) with e = Exp(Sub(x, ReduceMax(x))), over the last dimension.
void opc::graph::foldSoftmax(Folder &folder, InstanceOp instance) {
  if (!folder.isA(instance, "Div"))
    return;
  InstanceOp power = folder.producer(instance.getOperand(0), "Exp");
  if (!power || !folder.producer(instance.getOperand(1), "ReduceSum"))
    return;
  auto nearly = [&](std::string reason) { folder.nearly("Softmax", instance, std::move(reason)); };
  if (reducedRows(folder, instance.getOperand(1), "ReduceSum") != power.getResult(0))
    return nearly("its sum is not that of the exponentials over the last dimension");
  InstanceOp below = folder.producer(power.getOperand(0), "Sub");
  Value x = below ? below.getOperand(0) : Value();
  if (!below || reducedRows(folder, below.getOperand(1), "ReduceMax") != x)
    return nearly("no maximum of the rows is subtracted, so its exponentials overflow where Softmax does not");
  std::string reason;
  if (Value made = folder.make("Softmax", x, {}, instance.getResult(0), reason))
    folder.replace("Softmax", instance.getResult(0), made);
  else
    nearly(reason);
}
