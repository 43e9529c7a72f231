#include "lowering/cpu/vector/VectorMath.h"

using namespace llvm;

namespace opc::cpu {

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

Value *VectorMath::number(Value *like, double value) {
  return ConstantFP::get(floats(like), value);
}

Value *VectorMath::integer(Value *like, int32_t value) {
  return ConstantInt::get(integers(like), uint32_t(value));
}

Value *VectorMath::fma(Value *x, Value *y, Value *z) {
  return b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z});
}

// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
Value *VectorMath::polynomial(Value *x, ArrayRef<double> c) {
  Value *result = number(x, c.back());
  for (double coefficient : reverse(c.drop_back()))
    result = fma(result, x, number(x, coefficient));
  return result;
}

// 2^k of integers from -126 to 127.
Value *VectorMath::powerOfTwo(Value *k) {
  return fromBits(b.CreateShl(b.CreateAdd(k, integer(k, 127)), 23));
}

Value *VectorMath::abs(Value *x) {
  return b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
}

Value *VectorMath::copySign(Value *magnitude, Value *sign) {
  Value *bit = b.CreateAnd(bits(sign), integer(sign, INT32_MIN));
  return fromBits(b.CreateOr(bits(magnitude), bit));
}

// One instruction each where it is in this order: the second operand is the result when one is NaN.
static Value *greater(CodeBuilder &b, Value *x, Value *y) {
  return b.CreateSelect(b.CreateFCmpOGT(x, y), x, y);
}
static Value *smaller(CodeBuilder &b, Value *x, Value *y) {
  return b.CreateSelect(b.CreateFCmpOLT(x, y), x, y);
}

static bool isNumber(Value *x) {
  if (auto *constant = dyn_cast<Constant>(x)) {
    if (constant->getType()->isVectorTy())
      constant = constant->getSplatValue();
    auto *number = dyn_cast_or_null<ConstantFP>(constant);
    return number && !number->isNaN();
  }
  return false;
}

Value *VectorMath::maximum(Value *x, Value *y) {
  if (isNumber(y))
    return greater(b, y, x);
  if (isNumber(x))
    return greater(b, x, y);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), x, greater(b, x, y));
}

Value *VectorMath::minimum(Value *x, Value *y) {
  if (isNumber(y))
    return smaller(b, y, x);
  if (isNumber(x))
    return smaller(b, x, y);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), x, smaller(b, x, y));
}

//===----------------------------------------------------------------------===//
// exp
//
//   e^x = 2^k e^r    k = x / ln 2 rounded, r = x - k ln 2 in two steps, |r| <= ln 2 / 2
//
// Adding 1.5 * 2^23 rounds x / ln 2 and leaves k in the low bits.
//===----------------------------------------------------------------------===//

static constexpr double kMagic = 0x1.8p23, kLog2E = 0x1.715476p+0;
static constexpr double kLn2High = 0x1.62e430p-1, kLn2Low = -0x1.05c610p-29;

Value *VectorMath::expPolynomial(Value *r) {
  return polynomial(r,
                    {1.0, 1.0, 0.5, 0x1.55541ap-3, 0x1.5554c0p-5, 0x1.126ad8p-7, 0x1.6a9cb6p-10});
}

Value *VectorMath::exp(Value *x) {
  // Below, results round to 0; above, to infinity. Such arguments are replaced before: their
  // results are known, and lanes that underflow are slow.
  Value *zero = b.CreateFCmpOLT(x, number(x, -103.97208f));
  Value *infinite = b.CreateFCmpOGT(x, number(x, 88.72284f));
  Value *y = b.CreateSelect(b.CreateOr(zero, infinite), number(x, 0), x);
  Value *shifted = fma(y, number(x, kLog2E), number(x, kMagic));
  Value *k = b.CreateSub(bits(shifted), bits(number(x, kMagic)));
  Value *whole = b.CreateFSub(shifted, number(x, kMagic));
  Value *r = fma(whole, number(x, -kLn2High), y);
  r = fma(whole, number(x, -kLn2Low), r);
  Value *p = expPolynomial(r);
  // Two factors: subnormal results are rounded once, and the largest do not overflow early.
  Value *half = b.CreateAShr(k, 1);
  Value *result = b.CreateFMul(b.CreateFMul(p, powerOfTwo(half)), powerOfTwo(b.CreateSub(k, half)));
  result = b.CreateSelect(zero, number(x, 0), result);
  return b.CreateSelect(infinite, ConstantFP::getInfinity(floats(x)), result);
}

// Half of e^(x + low) for x in [-86.64, 89]; |low| much smaller. The exponent is added to that of
// e^r, less one: so twice the result overflows to infinity for the largest arguments. What comes of
// NaN is anything.
Value *VectorMath::halfExp(Value *x, Value *low) {
  Value *shifted = fma(x, number(x, kLog2E), number(x, kMagic - 1));
  Value *whole = b.CreateFSub(shifted, number(x, kMagic - 1));
  Value *r = fma(whole, number(x, -kLn2High), x);
  r = fma(whole, number(x, -kLn2Low), r);
  if (low)
    r = b.CreateFAdd(r, low);
  Value *p = expPolynomial(r);
  return fromBits(b.CreateAdd(bits(p), b.CreateShl(bits(shifted), 23)));
}

Value *VectorMath::inRange(Value *x) {
  return maximum(number(x, -86.64), minimum(number(x, 89.0), x));
}

Value *VectorMath::boundedExp(Value *x) {
  Value *y = inRange(x);
  // 2 + 0 y is NaN where y is.
  return b.CreateFMul(halfExp(y), fma(y, number(x, 0), number(x, 2)));
}

Value *VectorMath::flushedExp(Value *x) {
  return b.CreateSelect(b.CreateFCmpOLT(x, number(x, -86.64)), number(x, 0), boundedExp(x));
}

//===----------------------------------------------------------------------===//
// log
//
//   log(x) = e ln 2 + log(m)    x = 2^e m, m in [sqrt(1/2), sqrt(2)), f = m - 1
//   log(1 + f) = f - f^2/2 + f^3 P(f)
//===----------------------------------------------------------------------===//

Value *VectorMath::log(Value *x) {
  // Subnormal numbers become normal ones by a factor of 2^23.
  Value *tiny = b.CreateFCmpOLT(x, number(x, 0x1p-126));
  Value *scaled = b.CreateSelect(tiny, b.CreateFMul(x, number(x, 0x1p23)), x);
  // Bits of m are those of x less e in the exponent's place.
  Value *shifted = b.CreateSub(bits(scaled), integer(x, 0x3f3504f3));
  Value *exponent = b.CreateAShr(shifted, 23);
  Value *m = fromBits(b.CreateSub(bits(scaled), b.CreateShl(exponent, 23)));
  Value *e = b.CreateSIToFP(exponent, floats(x));
  e = b.CreateSelect(tiny, b.CreateFSub(e, number(x, 23)), e);

  Value *f = b.CreateFSub(m, number(x, 1));
  Value *square = b.CreateFMul(f, f);
  Value *p = polynomial(f, {0x1.555554p-2, -0x1.000226p-2, 0x1.99a008p-3, -0x1.547246p-3,
                            0x1.22da16p-3, -0x1.0d8536p-3, 0x1.055b9ap-3, -0x1.38b634p-4});
  // Small parts first.
  Value *tail = b.CreateFMul(b.CreateFMul(p, f), square);
  tail = fma(e, number(x, kLn2Low), tail);
  tail = fma(square, number(x, -0.5), tail);
  Value *result = fma(e, number(x, kLn2High), b.CreateFAdd(f, tail));

  Value *infinity = ConstantFP::getInfinity(floats(x));
  result = b.CreateSelect(b.CreateFCmpOEQ(x, infinity), infinity, result);
  result = b.CreateSelect(b.CreateFCmpOEQ(x, number(x, 0)),
                          ConstantFP::getInfinity(floats(x), /*Negative=*/true), result);
  // Negative numbers and NaN.
  return b.CreateSelect(b.CreateFCmpOGE(x, number(x, 0)), result, ConstantFP::getQNaN(floats(x)));
}

//===----------------------------------------------------------------------===//
// tanh and erf: an odd polynomial near 0, 1 less something that exp gives beyond
//===----------------------------------------------------------------------===//

// Comparisons are such that NaN takes the polynomial.
Value *VectorMath::tanh(Value *x) {
  Value *a = minimum(number(x, 10), abs(x));
  Value *next = fma(halfExp(b.CreateFAdd(a, a)), number(x, 2), number(x, 1)); // e^2a + 1
  Value *far = b.CreateFSub(number(x, 1), b.CreateFDiv(number(x, 2), next));
  Value *square = b.CreateFMul(x, x);
  Value *p = polynomial(
      square, {-0x1.555532p-2, 0x1.110726p-3, -0x1.b83c5ap-5, 0x1.522698p-6, -0x1.75e1bep-8});
  Value *near = fma(b.CreateFMul(p, square), x, x);
  Value *isFar = b.CreateFCmpOGE(a, number(x, 0.625));
  return b.CreateSelect(isFar, copySign(far, x), near);
}

Value *VectorMath::erf(Value *x) {
  // From 4 on the result is 1.
  Value *a = minimum(number(x, 4), abs(x));
  Value *logarithm = polynomial(a, {-0x1.743d3ep-13, -0x1.20b432p+0, -0x1.462cb2p-1, -0x1.aa230ep-4,
                                    0x1.6cfcd6p-6, -0x1.908116p-9, 0x1.9d84fap-13});
  Value *far = fma(halfExp(logarithm), number(x, -2), number(x, 1));
  Value *square = b.CreateFMul(x, x);
  Value *p = polynomial(square, {0x1.06eba6p-3, -0x1.8126fap-2, 0x1.ce1dd2p-4, -0x1.b6bee2p-6,
                                 0x1.4876c8p-8, -0x1.3f4f6ep-11});
  Value *near = fma(p, x, x);
  Value *isFar = b.CreateFCmpOGE(a, number(x, 0.9));
  return b.CreateSelect(isFar, copySign(far, x), near);
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

Value *VectorMath::sigmoid(Value *x) {
  Value *y = inRange(b.CreateFNeg(x));
  // 1 + 0 y, for the sake of NaN.
  Value *one = fma(y, number(x, 0), number(x, 1));
  return b.CreateFDiv(one, fma(halfExp(y), number(x, 2), number(x, 1)));
}

Value *VectorMath::swish(Value *x, Value *beta) {
  Value *scaled = beta ? b.CreateFMul(b.CreateFNeg(beta), x) : b.CreateFNeg(x);
  // A NaN of beta is in the quotient's way by no operand but this one.
  Value *y = inRange(scaled), *next = fma(halfExp(y), number(x, 2), number(x, 1));
  if (beta && !isNumber(beta))
    next = fma(y, number(x, 0), next);
  return b.CreateFDiv(x, next);
}

// Phi(x) = erfc(-x / sqrt(2)) / 2 on the left, 1 - Phi(-x) on the right, so that no digits are lost
// where Phi is small. erfc(a) = e^(-a^2) t Q(t) with t = 1 / (1 + a / 2); what a^2 loses by
// rounding goes into the exponential as its low part.
Value *VectorMath::gelu(Value *x) {
  constexpr double kFurthest = 13.16; // Phi is below 2^-125 there
  Value *z = minimum(number(x, kFurthest), abs(x));
  Value *a = b.CreateFMul(z, number(x, 0x1.6a09e6p-1));
  Value *square = b.CreateFMul(z, z), *low = fma(z, z, b.CreateFNeg(square));
  // Half of the exponential, as half of erfc is asked for.
  Value *e = halfExp(b.CreateFMul(square, number(x, -0.5)), b.CreateFMul(low, number(x, -0.5)));
  Value *t = b.CreateFDiv(number(x, 1), fma(a, number(x, 0.5), number(x, 1)));
  Value *q = b.CreateFMul(
      polynomial(t, {0x1.20db98p-2, 0x1.212144p-2, 0x1.f232e2p-3, 0x1.9dd694p-3, -0x1.9c7eeep-6,
                     0x1.1a99acp-2, -0x1.f10822p-2, 0x1.2282a0p-2, -0x1.e26eaep-5}),
      t);
  Value *half = b.CreateFMul(e, q);
  Value *phi =
      b.CreateSelect(b.CreateFCmpOLT(x, number(x, 0)), half, b.CreateFSub(number(x, 1), half));
  // Far on the left the result is as good as 0, for -infinity too.
  return b.CreateFMul(maximum(number(x, -kFurthest), x), phi);
}

Value *VectorMath::geluTanh(Value *x) {
  constexpr double kTwiceRoot = 1.5957691216057308; // 2 sqrt(2 / pi)
  Value *cubic = fma(b.CreateFMul(x, x), number(x, 0.044715 * kTwiceRoot), number(x, kTwiceRoot));
  return swish(x, cubic);
}

} // namespace opc::cpu
