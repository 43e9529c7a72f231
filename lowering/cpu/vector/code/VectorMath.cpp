#include "lowering/cpu/vector/code/VectorMath.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace opc::cpu {

//===----------------------------------------------------------------------===//
// Building blocks
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

// With 16 registers and no broadcast memory operands, LLVM copies a constant into a register for each use, which is
// half of the instructions of an iteration. A full vector in memory can be an operand of the fma. The global is
// marked as externally initialised; otherwise LLVM would replace it by its value.
Value *VectorMath::coefficient(Value *like, double value) {
  Type *type = like->getType();
  unsigned lanes = lanesOf(type), width = b.level.vectorBits / type->getScalarSizeInBits();
  if (!b.level.isX86() || b.level.masks || lanes == 0 || lanes % width != 0)
    return ConstantFP::get(type, value);
  Type *whole = withLanes(type->getScalarType(), width);
  Constant *initial = ConstantFP::get(whole, value);
  Module &module = *b.function->getParent();
  APInt number = cast<ConstantFP>(ConstantFP::get(type->getScalarType(), value))->getValueAPF().bitcastToAPInt();
  std::string name = "number." + std::to_string(type->getScalarSizeInBits()) + "." + toString(number, 16, false);
  GlobalVariable *global = module.getGlobalVariable(name, true);
  if (!global) {
    global = new GlobalVariable(module, whole, true, GlobalValue::InternalLinkage, initial, name);
    global->setExternallyInitialized(true);
    global->setAlignment(Align(b.level.vectorBits / 8));
  }
  Value *part = b.CreateAlignedLoad(whole, global, Align(b.level.vectorBits / 8));
  if (lanes == width)
    return part;
  SmallVector<int> positions;
  for (unsigned i = 0; i < lanes; ++i)
    positions.push_back(int(i % width));
  return b.CreateShuffleVector(part, positions);
}

// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
Value *VectorMath::polynomial(Value *x, ArrayRef<double> c) {
  Value *result = coefficient(x, c.back());
  for (double value : reverse(c.drop_back()))
    result = fma(result, x, coefficient(x, value));
  return result;
}

// (c[0] + c[1] x) + (c[2] + c[3] x) x^2 + ... by Horner's rule in x^2. The latency is about half, with as many
// operations if the square is needed anyway.
Value *VectorMath::pairedPolynomial(Value *x, Value *square, ArrayRef<double> c) {
  Value *result = nullptr;
  for (size_t i = (c.size() - 1) & ~size_t(1);; i -= 2) {
    Value *pair = polynomial(x, c.slice(i, std::min<size_t>(2, c.size() - i)));
    result = result ? fma(result, square, pair) : pair;
    if (i == 0)
      return result;
  }
}

// 2^k for integers from -126 to 127.
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

// A single instruction with the operands in this order: if either is NaN, the result is the second operand.
static Value *greater(CodeBuilder &b, Value *x, Value *y) {
  return b.CreateSelect(b.CreateFCmpOGT(x, y), x, y);
}
static Value *smaller(CodeBuilder &b, Value *x, Value *y) {
  return b.CreateSelect(b.CreateFCmpOLT(x, y), x, y);
}

// The constant, if all lanes are the same; nullptr otherwise.
static ConstantFP *constantOf(Value *x) {
  auto *constant = dyn_cast<Constant>(x);
  if (constant && constant->getType()->isVectorTy())
    constant = constant->getSplatValue();
  return dyn_cast_or_null<ConstantFP>(constant);
}

static bool isNumber(Value *x) {
  ConstantFP *constant = constantOf(x);
  return constant && !constant->isNaN();
}

static bool isOne(Value *x) {
  ConstantFP *constant = constantOf(x);
  return constant && constant->isExactlyValue(1.0);
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

// Coefficients of e^r.
static constexpr double kExpCoefficients[] = {1.0,           1.0,           0.5,           0x1.55541ap-3,
                                              0x1.5554c0p-5, 0x1.126ad8p-7, 0x1.6a9cb6p-10};

// Lanes of a 512-bit register.
static constexpr unsigned kScaleLanes = 16;

bool VectorMath::hasScale(Value *x) const {
  unsigned lanes = lanesOf(x->getType());
  return b.level.isX86() && b.level.vectorBits == 512 && lanes != 0 && lanes % kScaleLanes == 0;
}

Value *VectorMath::scaled(Value *x, Value *k) {
  constexpr unsigned currentRounding = 4;
  Type *whole = x->getType(), *part = withLanes(b.getFloatTy(), kScaleLanes);
  Value *result = PoisonValue::get(whole);
  for (unsigned lane = 0; lane < lanesOf(whole); lane += kScaleLanes) {
    Value *at = b.index(lane);
    Value *scaled = b.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                                      {b.CreateExtractVector(part, x, at), b.CreateExtractVector(part, k, at),
                                       PoisonValue::get(part), b.getInt16(0xffff), b.getInt32(currentRounding)});
    result = b.CreateInsertVector(whole, result, scaled, at);
  }
  return result;
}

Value *VectorMath::exp(Value *x) {
  // Below kLeast results round to 0, above kMost to infinity.
  constexpr double kLeast = -103.97208f, kMost = 89;
  if (hasScale(x)) {
    // A single instruction underflows to 0 and overflows to infinity correctly.
    Value *y = maximum(number(x, -104), minimum(number(x, kMost), x));
    auto [p, shifted] = reducedExp(y, kMagic);
    return scaled(p, b.CreateFSub(shifted, number(x, kMagic)));
  }
  // In most vectors every result is far from both limits.
  Value *far = b.CreateFCmpUGT(abs(x), number(x, 87));
  Values result = b.ifRarely(
      b.anyLane(far),
      [&]() -> Values {
        // Lanes that underflow are slow, so arguments whose result is 0 are replaced.
        Value *zero = b.CreateFCmpOLT(x, number(x, kLeast));
        Value *y = b.CreateSelect(zero, number(x, 0), minimum(number(x, kMost), x));
        // Two factors, 2^(k >> 1) and 2^(k - (k >> 1)), so that subnormal results are rounded once and the largest
        // results do not overflow early. The low bits of `shifted` are k plus the bias of both exponents.
        auto [p, shifted] = reducedExp(y, kMagic + 2 * 127);
        Value *half = b.CreateLShr(bits(shifted), 1);
        Value *first = fromBits(b.CreateShl(half, 23));
        Value *second = fromBits(b.CreateShl(b.CreateSub(bits(shifted), half), 23));
        Value *scaled = b.CreateFMul(b.CreateFMul(p, first), second);
        return {b.CreateSelect(zero, number(x, 0), scaled)};
      },
      [&]() -> Values {
        auto [p, shifted] = reducedExp(x, kMagic + 127);
        return {b.CreateFMul(p, fromBits(b.CreateShl(bits(shifted), 23)))};
      });
  return result[0];
}

std::pair<Value *, Value *> VectorMath::reducedExp(Value *x, double magic) {
  Value *shifted = fma(x, coefficient(x, kLog2E), coefficient(x, magic));
  Value *whole = b.CreateFSub(shifted, coefficient(x, magic));
  Value *r = fma(whole, coefficient(x, -kLn2High), x);
  r = fma(whole, coefficient(x, -kLn2Low), r);
  return {polynomial(r, kExpCoefficients), shifted};
}

// Half of e^x for x in [-86.64, 89]. k - 1 is added to the exponent of e^r, so twice the result overflows to infinity
// for the largest arguments. The result for NaN is arbitrary.
Value *VectorMath::halfExp(Value *x) {
  auto [p, shifted] = reducedExp(x, kMagic - 1);
  return fromBits(b.CreateAdd(bits(p), b.CreateShl(bits(shifted), 23)));
}

Value *VectorMath::inRange(Value *x) {
  return maximum(number(x, -86.64), minimum(number(x, 89.0), x));
}

Value *VectorMath::boundedExp(Value *x) {
  Value *y = inRange(x);
  // 2 + 0 y is 2, or NaN if y is NaN.
  return b.CreateFMul(halfExp(y), fma(y, number(x, 0), number(x, 2)));
}

Value *VectorMath::flushedExp(Value *x) {
  return b.CreateSelect(b.CreateFCmpOLT(x, number(x, -86.64)), number(x, 0), boundedExp(x));
}

// The low bits of `shifted` are the exponent field of 2^k, which is at least 2. NaN propagates through the product.
Value *VectorMath::decayingExp(Value *x) {
  auto [p, shifted] = reducedExp(maximum(number(x, -86.64), x), kMagic + 127);
  Value *result = b.CreateFMul(p, fromBits(b.CreateShl(bits(shifted), 23)));
  return b.CreateSelect(b.CreateFCmpOLT(x, number(x, -86.64)), number(x, 0), result);
}

//===----------------------------------------------------------------------===//
// log
//
//   log(x) = e ln 2 + log(m)    x = 2^e m, m in [sqrt(1/2), sqrt(2)), f = m - 1
//   log(1 + f) = f - f^2/2 + f^3 P(f)
//===----------------------------------------------------------------------===//

Value *VectorMath::logSeries(Value *f, Value *e) {
  Value *square = b.CreateFMul(f, f);
  Value *p = polynomial(f, {0x1.555554p-2, -0x1.000226p-2, 0x1.99a008p-3, -0x1.547246p-3, 0x1.22da16p-3, -0x1.0d8536p-3,
                            0x1.055b9ap-3, -0x1.38b634p-4});
  // Add small terms first.
  Value *tail = b.CreateFMul(b.CreateFMul(p, f), square);
  tail = fma(e, number(f, kLn2Low), tail);
  tail = fma(square, number(f, -0.5), tail);
  return fma(e, number(f, kLn2High), b.CreateFAdd(f, tail));
}

Value *VectorMath::log(Value *x) {
  // Subnormal numbers are made normal by a factor of 2^23.
  Value *tiny = b.CreateFCmpOLT(x, number(x, 0x1p-126));
  Value *scaled = b.CreateSelect(tiny, b.CreateFMul(x, number(x, 0x1p23)), x);
  // The bits of m are those of x with e subtracted from the exponent field.
  Value *shifted = b.CreateSub(bits(scaled), integer(x, kRootOfHalf));
  Value *exponent = b.CreateAShr(shifted, 23);
  Value *m = fromBits(b.CreateSub(bits(scaled), b.CreateShl(exponent, 23)));
  Value *e = b.CreateSIToFP(exponent, floats(x));
  e = b.CreateSelect(tiny, b.CreateFSub(e, number(x, 23)), e);

  Value *result = logSeries(b.CreateFSub(m, number(x, 1)), e);
  Value *infinity = ConstantFP::getInfinity(floats(x));
  result = b.CreateSelect(b.CreateFCmpOEQ(x, infinity), infinity, result);
  result =
      b.CreateSelect(b.CreateFCmpOEQ(x, number(x, 0)), ConstantFP::getInfinity(floats(x), /*Negative=*/true), result);
  // Negative numbers and NaN.
  return b.CreateSelect(b.CreateFCmpOGE(x, number(x, 0)), result, ConstantFP::getQNaN(floats(x)));
}

//===----------------------------------------------------------------------===//
// tanh
//
//   tanh |x| = n / d    n = p - 1 + (p + 1) t, d = p + 1 + (p - 1) t
//
// p = 2^k, |x| = k ln 2 / 2 + r, t = tanh r, an odd polynomial. n is computed as d - 2 + 2 t, so that the rounding
// error of d is in both; it changes the quotient, 1 - 2 (1 - t) / d, by at most the fraction 2 (1 - t) / d. d - 2 is
// exact, and if k is 0, d is 2 and the quotient is t itself. The fraction is small from tanh |x| = 1/4 on, so k is 1
// only from there, and r ranges from -0.09 to 0.26.
//===----------------------------------------------------------------------===//

Value *VectorMath::tanh(Value *x) {
  constexpr double kShift = kMagic + 127, kLater = 0.0866;
  Value *a = minimum(number(x, 10), abs(x));
  Value *shifted = fma(b.CreateFSub(a, number(x, kLater)), number(x, 2 * kLog2E), number(x, kShift));
  Value *whole = b.CreateFSub(shifted, number(x, kShift));
  Value *r = fma(whole, number(x, -kLn2High / 2), a);
  Value *square = b.CreateFMul(r, r);
  // Relative error 2^-27.9 for |r| <= 0.26.
  Value *tail = polynomial(square, {-0x1.555506p-2, 0x1.10d986p-3, -0x1.a3afa8p-5});
  Value *t = fma(b.CreateFMul(square, r), tail, r);
  Value *power = fromBits(b.CreateShl(bits(shifted), 23)), *one = number(x, 1);
  Value *d = fma(b.CreateFSub(power, one), t, b.CreateFAdd(power, one));
  Value *two = number(x, 2), *n = fma(t, two, b.CreateFSub(d, two));
  return copySign(b.CreateFDiv(n, d), x);
}

//===----------------------------------------------------------------------===//
// erf: an odd polynomial near 0, 1 minus an exponential beyond
//===----------------------------------------------------------------------===//

// Below 0.9 x + x P(x^2); from there on 1 - 2^y, where y is a polynomial of |x|: log2 of 1 - erf |x| within 2^-29.
// The comparison selects the polynomial for NaN. Error 1.67 ulp, at 0.933562; never above 1.
Value *VectorMath::erf(Value *x) {
  // From 4 on the result is 1.
  Value *a = minimum(number(x, 4), abs(x));
  Value *y = polynomial(a, {-0x1.0c8bc4e5fd4cfp-12, -0x1.a082fa03986dbp+0, -0x1.d69213dc2ce51p-1, -0x1.33646f849bce8p-3,
                            0x1.074828bf022e3p-5, -0x1.20e68475f8ec7p-8, 0x1.2a49853dad30ap-12});
  Value *shifted = b.CreateFAdd(y, coefficient(x, kMagic - 1));
  Value *r = b.CreateFSub(y, b.CreateFSub(shifted, coefficient(x, kMagic - 1)));
  // 2^r with relative error 2^-23.7, of which an eighth remains when it is subtracted from 1.
  Value *power = polynomial(r, {0x1.00000133bb44ep+0, 0x1.62e428c6581bdp-1, 0x1.ebf91751c2a6fp-3, 0x1.c6b6e47afd4d2p-5,
                                0x1.3d0c52dba5eaap-7, 0x1.5c0912f59e497p-10});
  Value *half = fromBits(b.CreateAdd(bits(power), b.CreateShl(bits(shifted), 23)));
  Value *far = fma(half, number(x, -2), number(x, 1));
  Value *square = b.CreateFMul(x, x);
  Value *p = polynomial(square,
                        {0x1.06eba6p-3, -0x1.8126fap-2, 0x1.ce1dd2p-4, -0x1.b6bee2p-6, 0x1.4876c8p-8, -0x1.3f4f6ep-11});
  Value *near = fma(p, x, x);
  Value *isFar = b.CreateFCmpOGE(a, number(x, 0.9));
  return b.CreateSelect(isFar, copySign(far, x), near);
}

//===----------------------------------------------------------------------===//
// Activations
//
// sigmoid, swish and gelu's tanh form are x / (1 + e^-u). Rounding errors before the division are kept small: u may
// be given with the rounding error of its own computation (`low`), and in e^-u = 2^k (1 + t) the term with t is added
// last.
//===----------------------------------------------------------------------===//

// Up to kFarLogistic, 1 + 2^k is exact and e^-u does not underflow. Above kMostLogistic, adding e^-u does not change
// 1. Below kLeastLogistic, the quotient is 0.
static constexpr double kFarLogistic = 16, kMostLogistic = 40, kLeastLogistic = -175.4;

// In most vectors no lane is far, and none is NaN. Otherwise the power in the divisor is limited to 2^126, and the
// rest of it scales the quotient: results below 2^-126 are then rounded like all others, and the divisor is never
// infinite. Lanes that are not far get the same bits either way.
Value *VectorMath::logistic(Value *numerator, Value *u, Value *low) {
  Value *far = b.CreateFCmpUGT(abs(u), number(u, kFarLogistic));
  Values result = b.ifRarely(
      b.anyLane(far),
      [&]() -> Values {
        Value *bounded = maximum(number(u, kLeastLogistic), minimum(number(u, kMostLogistic), u));
        // A clamped u has no low part.
        Value *own = low ? b.CreateSelect(b.CreateFCmpOEQ(bounded, u), low, number(u, 0)) : nullptr;
        return {logisticQuotient(numerator, bounded, own, true)};
      },
      [&]() -> Values { return {logisticQuotient(numerator, u, low, false)}; });
  return result[0];
}

Value *VectorMath::logisticQuotient(Value *numerator, Value *u, Value *low, bool isFar) {
  // The low bits of `shifted` are the exponent field of a power of two.
  constexpr double kShift = kMagic + 127;
  Value *shifted = fma(u, number(u, -kLog2E), number(u, kShift));
  Value *whole = b.CreateFSub(shifted, number(u, kShift));
  // t = e^-r - 1; the coefficients of its polynomial have the signs of powers of -r.
  Value *r = fma(whole, number(u, kLn2High), u);
  r = fma(whole, number(u, kLn2Low), r);
  if (low)
    r = b.CreateFAdd(r, low);
  SmallVector<double> tail(ArrayRef(kExpCoefficients).drop_front(2));
  for (unsigned i = 1; i < tail.size(); i += 2)
    tail[i] = -tail[i];
  Value *square = b.CreateFMul(r, r);
  Value *t = fma(square, pairedPolynomial(r, square, tail), b.CreateFNeg(r));
  Value *field = bits(shifted), *bounded = field;
  if (isFar)
    bounded = b.CreateBinaryIntrinsic(Intrinsic::smin, field, bits(number(u, kShift + 126)));
  Value *power = fromBits(b.CreateShl(bounded, 23));
  Value *one = number(u, 1), *sum = b.CreateFAdd(power, one);
  Value *divisor = fma(power, t, sum);
  if (!isFar)
    return b.CreateFDiv(numerator, divisor);
  // `lost` is the part of the 1 that the sum loses from 2^24 on, or of the power below 2^-23. It is added last, so
  // that nearly all rounding is in the last sum.
  Value *lost = b.CreateFSub(one, b.CreateFSub(sum, power));
  Value *careful = b.CreateFAdd(sum, fma(power, t, lost));
  divisor = b.CreateSelect(b.CreateFCmpOEQ(lost, number(u, 0)), divisor, careful);
  return b.CreateFMul(b.CreateFDiv(numerator, divisor), powerOfTwo(b.CreateSub(bounded, field)));
}

Value *VectorMath::sigmoid(Value *x) {
  return logistic(number(x, 1), x);
}

Value *VectorMath::swish(Value *x, Value *beta) {
  if (!beta || isOne(beta))
    return logistic(x, x);
  Value *product = b.CreateFMul(beta, x);
  return logistic(x, product, fma(beta, x, b.CreateFNeg(product)));
}

// max(x, 0) - z Phi(-z), where z = |x|, on both sides of 0. In double precision: in single precision the exponential,
// the division and the polynomial each add an ulp of error where Phi is small.
//
//   Phi(-z) = e^(-z^2 / 2) P(z) / Q(z)    error 2^-25.9, 2^-25.4 where results are subnormal
//   e^(-z^2 / 2) = 2^k 2^r                |r| <= 1/2, error 2^-29
Value *VectorMath::gelu(Value *x) {
  constexpr double kFurthest = 14.5, kMagic = 0x1.8p52; // z Phi(-z) is 0 in single precision there
  Type *doubles = withLanes(b.getDoubleTy(), lanesOf(x->getType()));
  auto constant = [&](double value) { return ConstantFP::get(doubles, value); };
  Value *z = b.CreateFPExt(minimum(number(x, kFurthest), abs(x)), doubles);
  Value *square = b.CreateFMul(z, z), *scale = constant(-0x1.71547652b82fep-1); // -log2(e) / 2
  Value *shifted = fma(square, scale, constant(kMagic));
  Value *r = fma(square, scale, b.CreateFSub(constant(kMagic), shifted));
  Value *power = polynomial(r, {0x1.0000000261693p+0, 0x1.62e430c7e6cdap-1, 0x1.ebfbdadc66767p-3, 0x1.c6aed4bb44817p-5,
                                0x1.3b2dbbf2b7451p-7, 0x1.5f4569ed09c4cp-10, 0x1.41d313d5dbf4fp-13});
  Type *words = withLanes(b.getInt64Ty(), lanesOf(x->getType()));
  Value *e = b.CreateBitCast(
      b.CreateAdd(b.CreateBitCast(power, words), b.CreateShl(b.CreateBitCast(shifted, words), 52)), doubles);
  Value *p = polynomial(z, {0x1.0000000a3b070p-1, 0x1.c17ef393d244bp-2, 0x1.785ae460c733bp-3, 0x1.4e696888f63a7p-5,
                            0x1.0fafa38c5ad1ap-8});
  Value *q = polynomial(z, {1.0, 0x1.ad01a83c2d2ffp+0, 0x1.3462a8d3542cbp+0, 0x1.e22dc374f800dp-2, 0x1.a326534b0a6dap-4,
                            0x1.5481030bb02ebp-7});
  Value *left = b.CreateFMul(b.CreateFDiv(b.CreateFMul(z, p), q), e);
  Value *right = b.CreateFPExt(greater(b, x, number(x, 0)), doubles);
  return b.CreateFPTrunc(b.CreateFSub(right, left), x->getType());
}

// max(x, 0) - z / 2 2^y    z = |x|, y = z Q(z): log2 of 1 - erf(z / sqrt(2)); 0 for 2^y from 6 on
//
// Rounding y changes 2^y by |y| ln 2 ulp, which matters only far below 0, where the result is small. Measured for all
// floats against f64: 1.4 ulp above 0; below 0 at most 4 ulp or kNearGeluError.
Value *VectorMath::nearGelu(Value *x) {
  constexpr double kFurthest = 6;
  Value *z = minimum(number(x, kFurthest), abs(x));
  Value *q = polynomial(z, {-0x1.26aec2dc03246p+0, -0x1.d63e35d4cba86p-2, -0x1.ad97d7e0a788dp-5, 0x1.c7db4687b6e50p-8,
                            -0x1.95403c1b90b45p-16, -0x1.0a534642976dep-12, 0x1.072c8cf93fbaap-14,
                            -0x1.de25c24d9e840p-18, 0x1.5cfad83ccc578p-22});
  Value *shifted = fma(z, q, coefficient(x, kMagic - 1));
  Value *r = fma(z, q, b.CreateFSub(coefficient(x, kMagic - 1), shifted));
  Value *power = polynomial(r, {1.0, 0x1.62e430c70df35p-1, 0x1.ebfbdb01e1291p-3, 0x1.c6aed58b2a1c3p-5,
                                0x1.3b2d9eac2c80fp-7, 0x1.5f45249d3a4abp-10, 0x1.41e79a4b932e8p-13});
  Value *half = fromBits(b.CreateAdd(bits(power), b.CreateShl(bits(shifted), 23)));
  half = b.CreateSelect(b.CreateFCmpOLT(z, number(x, kFurthest)), half, number(x, 0));
  return fma(b.CreateFNeg(z), half, maximum(x, number(x, 0)));
}

// The argument of the exponential, 2 sqrt(2 / pi) (x + 0.044715 x^3), reaches 104 before the result is 0, so it is
// computed in double-float arithmetic.
Value *VectorMath::geluTanh(Value *x) {
  // 2 sqrt(2 / pi) in two parts, of which the first is short enough for exact differences, and 0.044715 times it.
  constexpr double kRoot = 1.5957691216057308, kRootHigh = 0x1.988p+0;
  constexpr double kCube = 0.044715 * kRoot, kCubeHigh = float(kCube);
  // At the lower limit, the exponent makes logistic's quotient 0.
  Value *near = maximum(number(x, -12.94), minimum(number(x, 6), x));
  Value *square = b.CreateFMul(near, near), *squareLow = fma(near, near, b.CreateFNeg(square));
  Value *factor = fma(square, number(x, kCubeHigh), number(x, kRootHigh));
  Value *rounded = b.CreateFSub(factor, number(x, kRootHigh));
  Value *factorLow = fma(square, number(x, kCubeHigh), b.CreateFNeg(rounded));
  factorLow = fma(square, number(x, kCube - kCubeHigh), factorLow);
  factorLow = fma(squareLow, number(x, kCubeHigh), factorLow);
  factorLow = b.CreateFAdd(factorLow, number(x, kRoot - kRootHigh));
  Value *u = b.CreateFMul(near, factor), *low = fma(near, factor, b.CreateFNeg(u));
  return logistic(x, u, fma(near, factorLow, low));
}

} // namespace opc::cpu
