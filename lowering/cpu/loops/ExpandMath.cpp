// Expands exp and log of f32 into arithmetic.
//
//   exp(x) = 2^k e^r            k = x / ln 2 rounded, r = x - k ln 2 in two steps, |r| <= ln 2 / 2; e^r by a polynomial
//   log(x) = e ln 2 + log(m)    x = 2^e m, m in [sqrt(1/2), sqrt(2)), f = m - 1; log(1 + f) = f - f^2/2 + f^3 P(f)
//
// exp: adding 1.5 * 2^23 rounds x / ln 2 and leaves k in the low bits. 2^k is applied as two factors, so that
// subnormal results are rounded once and the largest results do not overflow early. Arguments whose result is 0 or
// infinity are replaced beforehand: on some machines lanes that underflow take a hundred times as long.
//
// log: splitting at sqrt(1/2) keeps f small on both sides of 1, where the logarithm is near 0 and e is 0. Subnormal
// arguments are scaled first.
//
// FMAs are used where a single rounding is intended; nothing else is contracted. Comparisons are ordered, so that NaN
// passes through. The coefficients of P are minimax for the relative error of the logarithm (5.9e-9 before rounding).

#include "lowering/cpu/Passes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace opc::cpu {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "lowering/cpu/Passes.h.inc"

namespace {

/// Operations on values of one shape: scalars, or vectors of any size.
class Expander {
public:
  Expander(ImplicitLocOpBuilder &b, Type type) : b(b), floats(type), integers(shaped(b.getI32Type())) {}

  Value exp(Value x);
  Value log(Value x);

private:
  Type shaped(Type element) {
    if (auto vector = dyn_cast<VectorType>(floats))
      return vector.clone(element);
    return element;
  }
  Value constant(Type type, Attribute value) {
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, value);
    return arith::ConstantOp::create(b, cast<TypedAttr>(value));
  }
  Value number(float value) { return constant(floats, b.getF32FloatAttr(value)); }
  Value integer(int32_t value) { return constant(integers, b.getI32IntegerAttr(value)); }
  Value special(uint32_t bits) {
    return constant(floats, b.getFloatAttr(b.getF32Type(), APFloat(APFloat::IEEEsingle(), APInt(32, bits))));
  }

  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value fma(Value x, Value y, Value z) { return math::FmaOp::create(b, x, y, z); }
  Value addInteger(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value subInteger(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value select(Value condition, Value yes, Value no) { return arith::SelectOp::create(b, condition, yes, no); }
  Value where(arith::CmpFPredicate predicate, Value x, Value y) { return arith::CmpFOp::create(b, predicate, x, y); }
  Value bits(Value x) { return arith::BitcastOp::create(b, integers, x); }
  Value fromBits(Value x) { return arith::BitcastOp::create(b, floats, x); }
  /// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
  Value polynomial(Value x, ArrayRef<float> c) {
    Value result = number(c.back());
    for (float coefficient : llvm::reverse(c.drop_back()))
      result = fma(result, x, number(coefficient));
    return result;
  }
  /// 2^k for integers from -126 to 127.
  Value powerOfTwo(Value k) { return fromBits(arith::ShLIOp::create(b, addInteger(k, integer(127)), integer(23))); }

  ImplicitLocOpBuilder &b;
  Type floats, integers;
};

} // namespace

Value Expander::exp(Value x) {
  // Below kLowest results round to 0, above kHighest to infinity.
  constexpr float kLowest = -103.97208f, kHighest = 88.72284f;
  Value zero = where(arith::CmpFPredicate::OLT, x, number(kLowest));
  Value infinite = where(arith::CmpFPredicate::OGT, x, number(kHighest));
  Value y = select(arith::OrIOp::create(b, zero, infinite), number(0), x);

  Value magic = number(0x1.8p23f);
  Value shifted = fma(y, number(0x1.715476p+0f), magic);
  Value k = subInteger(bits(shifted), bits(magic));
  Value whole = sub(shifted, magic);
  Value r = fma(whole, number(-0x1.62e430p-1f), y);
  r = fma(whole, number(0x1.05c610p-29f), r);
  Value p = polynomial(r, {1.0f, 1.0f, 0.5f, 0x1.55541ap-3f, 0x1.5554c0p-5f, 0x1.126ad8p-7f, 0x1.6a9cb6p-10f});

  Value half = arith::ShRSIOp::create(b, k, integer(1));
  Value result = mul(mul(p, powerOfTwo(half)), powerOfTwo(subInteger(k, half)));
  result = select(zero, number(0), result);
  return select(infinite, special(0x7f800000), result);
}

Value Expander::log(Value x) {
  // Subnormal numbers are made normal by a factor of 2^23.
  Value tiny = where(arith::CmpFPredicate::OLT, x, number(0x1p-126f));
  Value scaled = select(tiny, mul(x, number(0x1p23f)), x);
  // Exponent and significand, split at sqrt(1/2): the bits of m are those of x with e subtracted from the exponent
  // field.
  Value shifted = subInteger(bits(scaled), integer(0x3f3504f3));
  Value exponent = arith::ShRSIOp::create(b, shifted, integer(23));
  Value m = fromBits(subInteger(bits(scaled), arith::ShLIOp::create(b, exponent, integer(23))));
  Value e = arith::SIToFPOp::create(b, floats, exponent);
  e = select(tiny, sub(e, number(23)), e);

  Value f = sub(m, number(1));
  Value square = mul(f, f);
  Value p = polynomial(f, {0x1.555554p-2f, -0x1.000226p-2f, 0x1.99a008p-3f, -0x1.547246p-3f, 0x1.22da16p-3f,
                           -0x1.0d8536p-3f, 0x1.055b9ap-3f, -0x1.38b634p-4f});
  // Add small terms first: f^3 P(f), the low part of e ln 2, half the square, then f and the high part of e ln 2.
  Value tail = mul(mul(p, f), square);
  tail = fma(e, number(-0x1.05c610p-29f), tail);
  tail = fma(square, number(-0.5f), tail);
  Value result = add(f, tail);
  result = fma(e, number(0x1.62e430p-1f), result);

  Value infinity = special(0x7f800000);
  result = select(where(arith::CmpFPredicate::OEQ, x, infinity), infinity, result);
  result = select(where(arith::CmpFPredicate::OEQ, x, number(0)), special(0xff800000), result);
  // Negative numbers and NaN.
  return select(where(arith::CmpFPredicate::OGE, x, number(0)), result, special(0x7fc00000));
}

namespace {
struct ExpandMathPass : impl::ExpandMathPassBase<ExpandMathPass> {
  void runOnOperation() override;
};
} // namespace

void ExpandMathPass::runOnOperation() {
  SmallVector<Operation *> found;
  getOperation()->walk([&](Operation *op) {
    if (isa<math::ExpOp, math::LogOp>(op) && getElementTypeOrSelf(op->getResult(0)).isF32())
      found.push_back(op);
  });
  for (Operation *op : found) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Expander expander(b, op->getResult(0).getType());
    Value x = op->getOperand(0);
    op->getResult(0).replaceAllUsesWith(isa<math::ExpOp>(op) ? expander.exp(x) : expander.log(x));
    op->erase();
  }
}

} // namespace opc::cpu
