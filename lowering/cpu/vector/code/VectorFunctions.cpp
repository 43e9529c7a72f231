// Logarithms and exponentials near zero, sines, powers, remainders, and quotients of integers.

#include "lowering/cpu/vector/code/VectorMath.h"

#include <cmath>

using namespace llvm;

namespace opc::cpu {

//===----------------------------------------------------------------------===//
// log1p, expm1, softplus
//===----------------------------------------------------------------------===//

// As log of u = 1 + x, with the rounding error of the sum added to f: without an exponent, f is x itself.
Value *VectorMath::logOfOneMore(Value *x) {
  Value *one = number(x, 1), *u = b.CreateFAdd(x, one), *rest = b.CreateFSub(u, one);
  Value *lost = b.CreateFAdd(b.CreateFSub(one, b.CreateFSub(u, rest)), b.CreateFSub(x, rest));
  Value *shifted = b.CreateSub(bits(u), integer(x, kRootOfHalf));
  Value *exponent = b.CreateAShr(shifted, 23);
  Value *m = fromBits(b.CreateSub(bits(u), b.CreateShl(exponent, 23)));
  // There is no rounding error from 2^24 on.
  Value *scale = powerOfTwo(b.CreateNeg(b.min(exponent, integer(x, 60))));
  Value *f = fma(lost, scale, b.CreateFSub(m, one));
  return logSeries(f, b.CreateSIToFP(exponent, floats(x)));
}

Value *VectorMath::log1p(Value *x) {
  Value *infinity = ConstantFP::getInfinity(floats(x)), *minus = number(x, -1);
  Value *result = b.CreateSelect(b.CreateFCmpOEQ(x, infinity), infinity, logOfOneMore(x));
  result = b.CreateSelect(b.CreateFCmpOEQ(x, minus), ConstantFP::getInfinity(floats(x), /*Negative=*/true), result);
  return b.CreateSelect(b.CreateFCmpOGE(x, minus), result, ConstantFP::getQNaN(floats(x)));
}

// 2^k e^r - 1 = 2^k t + (2^k - 1), t = e^r - 1 = r + r^2 P(r), computed with halves of both powers, so that 2^128 does
// not occur. If k is 0 the result is t.
Value *VectorMath::expm1(Value *x) {
  constexpr double kShift = kMagic + 126;
  Value *y = maximum(number(x, -20), minimum(number(x, 89), x));
  Value *shifted = fma(y, number(x, kLog2E), number(x, kShift));
  Value *whole = b.CreateFSub(shifted, number(x, kShift));
  Value *r = fma(whole, number(x, -kLn2High), y);
  r = fma(whole, number(x, -kLn2Low), r);
  Value *tail = polynomial(r, {0.5, 0x1.555554p-3, 0x1.5554f4p-5, 0x1.1112d2p-7, 0x1.6d4044p-10, 0x1.9e86e8p-13});
  Value *t = fma(b.CreateFMul(r, r), tail, r);
  Value *power = fromBits(b.CreateShl(bits(shifted), 23));
  Value *half = fma(power, t, b.CreateFSub(power, number(x, 0.5)));
  return b.CreateSelect(b.CreateFCmpOEQ(whole, number(x, 0)), t, b.CreateFAdd(half, half));
}

Value *VectorMath::softplus(Value *x) {
  return b.CreateFAdd(maximum(number(x, 0), x), logOfOneMore(exp(b.CreateFNeg(abs(x)))));
}

//===----------------------------------------------------------------------===//
// Sine and cosine
//
//   x = q pi + r    q whole for the sine, a half more for the cosine, |r| <= pi / 2
//
// Both are a sine of r, whose sign is the parity of q. Up to kNearAngle three parts of pi leave r with all its digits,
// because the first difference is exact.
//===----------------------------------------------------------------------===//

static constexpr double kNearAngle = 0x1p17, kInversePi = 0x1.45f306dc9c883p-2;
static constexpr double kMagicDouble = 0x1.8p52;

// 1 / pi in integers of 24 bits; the first is that of 2^-24.
static constexpr uint32_t kInversePiWords[] = {0x517cc1, 0xb72722, 0x0a94fe, 0x13abe8, 0xfa9a6e,
                                               0xe06db1, 0x4acc9e, 0x21c820, 0xff28b1};

// x / pi modulo 2, from the words of 1 / pi that matter for the exponent of x: of a 24-bit number times 2^e, the
// product with word i is a multiple of 2 if e is more than 24 i. Five words, whose products are exact in double
// precision, leave 2^-72.
std::pair<Value *, Value *> VectorMath::farAngle(Value *x, bool cosine) {
  Type *doubles = withLanes(b.getDoubleTy(), lanesOf(x->getType()));
  auto constant = [&](double value) { return ConstantFP::get(doubles, value); };
  auto nearest = [&](Value *value) { return b.CreateUnaryIntrinsic(Intrinsic::roundeven, value); };
  auto withoutTwos = [&](Value *value) {
    return b.CreateFSub(value, b.CreateFMul(constant(2), nearest(b.CreateFMul(value, constant(0.5)))));
  };
  Value *wide = b.CreateFPExt(x, doubles);
  Value *field = b.CreateAnd(b.CreateLShr(bits(x), 23), integer(x, 255));
  auto word = [](unsigned index) { return std::ldexp(double(kInversePiWords[index]), -24 * int(index + 1)); };
  SmallVector<Value *> products;
  for (unsigned i = 0; i < 5; ++i) {
    Value *factor = constant(word(i));
    for (unsigned skipped = 1; skipped < 5; ++skipped) {
      Value *skips = b.CreateICmpSGT(field, integer(x, int32_t(150 + 24 * skipped)));
      factor = b.CreateSelect(skips, constant(word(i + skipped)), factor);
    }
    products.push_back(b.CreateFMul(wide, factor));
  }
  Value *turns = withoutTwos(b.CreateFAdd(withoutTwos(products[0]), withoutTwos(products[1])));
  if (cosine)
    turns = b.CreateFSub(turns, constant(0.5));
  Value *shifted = b.CreateFAdd(b.CreateFAdd(turns, products[2]), constant(kMagicDouble));
  Value *whole = b.CreateFSub(shifted, constant(kMagicDouble));
  Value *rest =
      b.CreateFAdd(b.CreateFAdd(b.CreateFSub(turns, whole), products[2]), b.CreateFAdd(products[3], products[4]));
  Value *r = b.CreateFPTrunc(b.CreateFMul(rest, constant(0x1.921fb54442d18p+1)), x->getType());
  Type *words = withLanes(b.getInt64Ty(), lanesOf(x->getType()));
  return {r, b.CreateTrunc(b.CreateBitCast(shifted, words), integers(x))};
}

Value *VectorMath::sine(Value *x, bool cosine) {
  Value *turns = number(x, kMagic), *shifted = nullptr;
  if (cosine)
    shifted = b.CreateFAdd(fma(x, number(x, kInversePi), number(x, -0.5)), turns);
  else
    shifted = fma(x, number(x, kInversePi), turns);
  Value *quotient = b.CreateFSub(shifted, number(x, kMagic));
  if (cosine)
    quotient = b.CreateFAdd(quotient, number(x, 0.5));
  Value *near = x;
  for (double part : {0x1.921fb6p+1, -0x1.777a5cp-24, -0x1.ee59dap-49})
    near = fma(quotient, number(x, -part), near);
  Value *far = b.CreateFCmpUGT(abs(x), number(x, kNearAngle));
  Values reduced = b.ifRarely(
      b.anyLane(far),
      [&]() -> Values {
        auto [r, parity] = farAngle(x, cosine);
        return {b.CreateSelect(far, r, near), b.CreateSelect(far, parity, bits(shifted))};
      },
      [&]() -> Values { return {near, bits(shifted)}; });
  Value *r = reduced[0], *square = b.CreateFMul(r, r);
  Value *curve = polynomial(square, {-0x1.55554cp-3, 0x1.110edap-7, -0x1.9f70eep-13, 0x1.5dc8c4p-19});
  // At the ends of its range the polynomial rounds to more than 1.
  Value *result = fma(b.CreateFMul(square, r), curve, r);
  result = maximum(number(x, -1), minimum(number(x, 1), result));
  Value *parity = cosine ? b.CreateNot(reduced[1]) : reduced[1];
  return fromBits(b.CreateXor(bits(result), b.CreateShl(parity, 31)));
}

//===----------------------------------------------------------------------===//
// pow
//
//   |x|^y = 2^(y log2 |x|)    log2 m = s Q(s^2), s = (m - 1) / (m + 1), m in [sqrt(1/2), sqrt(2))
//
// Computed in double precision, which has enough digits for the exponent of every float; the result is rounded once.
//===----------------------------------------------------------------------===//

Value *VectorMath::pow(Value *x, Value *y) {
  Type *doubles = withLanes(b.getDoubleTy(), lanesOf(x->getType()));
  Type *words = withLanes(b.getInt64Ty(), lanesOf(x->getType()));
  auto constant = [&](double value) { return ConstantFP::get(doubles, value); };
  auto word = [&](int64_t value) { return ConstantInt::get(words, uint64_t(value)); };
  Value *size = b.CreateFPExt(abs(x), doubles), *wideY = b.CreateFPExt(y, doubles);

  Value *sizeBits = b.CreateBitCast(size, words);
  Value *exponent = b.CreateAShr(b.CreateSub(sizeBits, word(0x3fe6a09e667f3bcd)), 52);
  Value *m = b.CreateBitCast(b.CreateSub(sizeBits, b.CreateShl(exponent, 52)), doubles);
  Value *e = b.CreateBitCast(b.CreateAdd(exponent, b.CreateBitCast(constant(kMagicDouble), words)), doubles);
  e = b.CreateFSub(e, constant(kMagicDouble));
  Value *s = b.CreateFDiv(b.CreateFSub(m, constant(1)), b.CreateFAdd(m, constant(1)));
  Value *q = polynomial(b.CreateFMul(s, s), {0x1.71547652b825ep+1, 0x1.ec709dc53b18ep-1, 0x1.2776c2943c9fcp-1,
                                             0x1.a61a2e2bc8b33p-2, 0x1.47956ba6df65ep-2, 0x1.21afdc410374ap-2});
  Value *logarithm = fma(s, q, e), *infinity = ConstantFP::getInfinity(doubles);
  logarithm = b.CreateSelect(b.CreateFCmpOEQ(size, constant(0)), ConstantFP::getInfinity(doubles, true), logarithm);
  logarithm = b.CreateSelect(b.CreateFCmpOLT(size, infinity), logarithm, size); // infinity and NaN
  Value *t = b.CreateFMul(wideY, logarithm);
  Value *isOne = b.CreateOr(b.CreateFCmpOEQ(logarithm, constant(0)), b.CreateFCmpOEQ(wideY, constant(0)));
  t = b.CreateSelect(isOne, constant(0), t);
  t = b.CreateSelect(b.CreateFCmpOGT(t, constant(200)), constant(200), t);
  t = b.CreateSelect(b.CreateFCmpOLT(t, constant(-200)), constant(-200), t);

  Value *shifted = b.CreateFAdd(t, constant(kMagicDouble));
  Value *f = b.CreateFSub(t, b.CreateFSub(shifted, constant(kMagicDouble)));
  Value *power =
      polynomial(f, {0x1.ffffffffabbcbp-1, 0x1.62e42ff11629ap-1, 0x1.ebfbe0a4be864p-3, 0x1.c6b08aaf2e5fep-5,
                     0x1.3b29dc40d2cb8p-7, 0x1.5d8a7088e1620p-10, 0x1.446a1fdd47d00p-13, 0x1.fe17832fa6c00p-17});
  Value *scaled = b.CreateAdd(b.CreateBitCast(power, words), b.CreateShl(b.CreateBitCast(shifted, words), 52));
  Value *result = b.CreateFPTrunc(b.CreateBitCast(scaled, doubles), x->getType());
  // The integer arithmetic has lost a NaN.
  result = b.CreateSelect(b.CreateFCmpUNO(t, t), ConstantFP::getQNaN(x->getType()), result);

  auto nearest = [&](Value *value) { return b.CreateUnaryIntrinsic(Intrinsic::roundeven, value); };
  Value *isWhole = b.CreateFCmpOEQ(nearest(y), y), *half = b.CreateFMul(y, number(x, 0.5));
  Value *isOdd = b.CreateAnd(isWhole, b.CreateFCmpONE(nearest(half), half));
  Value *isNegative = b.CreateFCmpOLT(x, number(x, 0));
  result = b.CreateSelect(b.CreateAnd(isNegative, isOdd), b.CreateFNeg(result), result);
  // Of the negative numbers, only -infinity has powers with a fractional exponent; powers with a NaN exponent are NaN.
  Value *isFinite = b.CreateFCmpONE(x, ConstantFP::getInfinity(x->getType(), true));
  Value *hasNone = b.CreateAnd(isNegative, b.CreateNot(isWhole));
  hasNone = b.CreateAnd(hasNone, b.CreateOr(isFinite, b.CreateFCmpUNO(y, y)));
  return b.CreateSelect(hasNone, ConstantFP::getQNaN(x->getType()), result);
}

//===----------------------------------------------------------------------===//
// mod
//===----------------------------------------------------------------------===//

// In double precision a quotient of up to 28 bits times the divisor is exact, and so is the remainder. Larger
// quotients, which are rare, are computed in parts of 28 bits: eleven for the largest number divided by the smallest.
Value *VectorMath::mod(Value *x, Value *y, bool floor) {
  Type *doubles = withLanes(b.getDoubleTy(), lanesOf(x->getType()));
  auto constant = [&](double value) { return ConstantFP::get(doubles, value); };
  Value *size = b.CreateFPExt(abs(x), doubles), *divisor = b.CreateFPExt(abs(y), doubles);
  auto step = [&](Value *rest, Value *by) {
    Value *quotient = b.CreateUnaryIntrinsic(Intrinsic::trunc, b.CreateFDiv(rest, by));
    rest = fma(b.CreateFNeg(quotient), by, rest);
    // The quotient may have been rounded up to a whole number.
    return b.CreateSelect(b.CreateFCmpOLT(rest, constant(0)), b.CreateFAdd(rest, by), rest);
  };
  Value *isLarge = b.CreateFCmpUGE(size, b.CreateFMul(divisor, constant(0x1p28)));
  Values found = b.ifRarely(
      b.anyLane(isLarge),
      [&]() -> Values {
        constexpr int64_t kParts = 11;
        Value *first = constant(std::ldexp(1.0, 28 * (kParts - 1)));
        auto part = [&](Value *, ArrayRef<Value *> carried) -> Values {
          Value *rest = step(carried[0], b.CreateFMul(divisor, carried[1]));
          return {rest, b.CreateFMul(carried[1], constant(0x1p-28))};
        };
        return {b.loop(b.index(0), b.index(kParts), b.index(1), {size, first}, part).front()};
      },
      [&]() -> Values { return {step(size, divisor)}; });
  // If the dividend is smaller than the divisor, it is the remainder, also for an infinite divisor.
  Value *exact = b.CreateSelect(b.CreateFCmpOLT(size, divisor), size, found[0]);
  Value *rest = b.CreateFPTrunc(exact, x->getType()), *zero = number(x, 0);
  if (!floor)
    return copySign(rest, x);
  Value *differ = b.CreateXor(b.CreateFCmpOLT(x, zero), b.CreateFCmpOLT(y, zero));
  differ = b.CreateAnd(differ, b.CreateFCmpUNE(rest, zero));
  return copySign(b.CreateSelect(differ, b.CreateFSub(abs(y), rest), rest), y);
}

Value *VectorMath::sign(Value *x) {
  auto constant = [&](double value) { return ConstantFP::get(x->getType(), value); };
  Value *below = b.CreateSelect(b.CreateFCmpOLT(x, constant(0)), constant(-1), x);
  return b.CreateSelect(b.CreateFCmpOGT(x, constant(0)), constant(1), below);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

// CPUs divide no vectors of integers, but vectors of floats, and a float with more digits gives the quotient: if x / y
// is no integer, it is at least 1 / y away from one, and the rounding error is at most x / y / 2^24 (2^53), which is
// less for x of up to 2^16 (2^32).
static Value *quotientByFloats(CodeBuilder &b, Value *x, Value *y, bool isSigned) {
  Type *type = x->getType();
  const unsigned lanes = lanesOf(type), bits = type->getScalarSizeInBits();
  Type *words = withLanes(b.getInt32Ty(), lanes);
  auto extended = [&](Value *value) { return isSigned ? b.CreateSExt(value, words) : b.CreateZExt(value, words); };
  if (bits < 32) {
    Type *floats = withLanes(b.getFloatTy(), lanes);
    Value *quotient = b.CreateFDiv(b.CreateSIToFP(extended(x), floats), b.CreateSIToFP(extended(y), floats));
    return b.CreateTrunc(b.CreateFPToSI(quotient, words), type);
  }
  Type *doubles = withLanes(b.getDoubleTy(), lanes);
  auto asDouble = [&](Value *value) {
    return isSigned ? b.CreateSIToFP(value, doubles) : b.CreateUIToFP(value, doubles);
  };
  Value *quotient = b.CreateFDiv(asDouble(x), asDouble(y));
  if (isSigned)
    return b.CreateFPToSI(quotient, type);
  // AVX2 has no conversion to unsigned integers. In a double from 2^52 on, the lower bits are an integer.
  Value *whole = b.CreateUnaryIntrinsic(Intrinsic::trunc, quotient);
  Value *shifted = b.CreateFAdd(whole, ConstantFP::get(doubles, 0x1p52));
  return b.CreateTrunc(b.CreateBitCast(shifted, withLanes(b.getInt64Ty(), lanes)), type);
}

// Lane by lane, as a loop: LLVM would write out the division of each lane, with branches for small numbers.
static Value *quotientByLanes(CodeBuilder &b, Value *x, Value *y, bool isSigned) {
  Type *type = x->getType(), *one = type->getScalarType();
  const unsigned lanes = lanesOf(type);
  Value *dividends = b.buffer(one, lanes), *divisors = b.buffer(one, lanes);
  b.CreateAlignedStore(x, dividends, Align(64));
  b.CreateAlignedStore(y, divisors, Align(64));
  b.loop(b.index(0), b.index(lanes), b.index(1), [&](Value *i) {
    auto read = [&](Value *from) { return b.CreateAlignedLoad(one, b.at(from, one, i), Align(8)); };
    Value *dividend = read(dividends), *divisor = read(divisors);
    Value *quotient = isSigned ? b.CreateSDiv(dividend, divisor) : b.CreateUDiv(dividend, divisor);
    b.CreateAlignedStore(quotient, b.at(dividends, one, i), Align(8));
  });
  return b.CreateAlignedLoad(type, dividends, Align(64));
}

Value *VectorMath::quotient(Value *x, Value *y, bool isSigned) {
  if (!x->getType()->isVectorTy())
    return isSigned ? b.CreateSDiv(x, y) : b.CreateUDiv(x, y);
  const bool hasFloats = x->getType()->getScalarSizeInBits() <= 32;
  return hasFloats ? quotientByFloats(b, x, y, isSigned) : quotientByLanes(b, x, y, isSigned);
}

// A square for each digit of the largest exponent among the lanes, and a product where the digit is 1. Of a negative
// exponent only the last digit counts: it is the sign of a power of -1.
Value *VectorMath::wholePower(Value *x, Value *y) {
  Type *type = x->getType(), *single = type->getScalarType();
  Value *zero = Constant::getNullValue(type), *one = ConstantInt::get(type, 1);
  Value *isNegative = b.CreateICmpSLT(y, zero);
  Value *exponent = b.CreateSelect(isNegative, b.CreateAnd(y, one), y);
  Value *digits = type->isVectorTy() ? b.CreateOrReduce(exponent) : exponent;
  Value *leading = b.CreateIntrinsic(Intrinsic::ctlz, {single}, {digits, b.getFalse()});
  Value *rounds = b.CreateSub(ConstantInt::get(single, single->getIntegerBitWidth()), leading);
  auto square = [&](Value *, ArrayRef<Value *> carried) -> Values {
    Value *power = carried[0], *base = carried[1], *rest = carried[2];
    Value *isOdd = b.CreateICmpNE(b.CreateAnd(rest, one), zero);
    return {b.CreateMul(power, b.CreateSelect(isOdd, base, one)), b.CreateMul(base, base), b.CreateLShr(rest, one)};
  };
  Value *count = b.CreateZExtOrTrunc(rounds, b.getInt64Ty());
  Value *power = b.loop(b.index(0), count, b.index(1), {one, x, exponent}, square).front();
  Value *isUnit = b.CreateOr(b.CreateICmpEQ(x, one), b.CreateICmpEQ(x, Constant::getAllOnesValue(type)));
  return b.CreateSelect(b.CreateAnd(isNegative, b.CreateNot(isUnit)), zero, power);
}

} // namespace opc::cpu
