// Functions of f32 in plain arithmetic: the C library differs between machines and is not part of a kernel library.
// For scalars and vectors. The result of a lane depends only on that lane, and is the same at all levels whose FMA
// rounds once.
//
// docs/rationale/cpu.md has a table of the largest errors and states how it was made.

#ifndef OPC_LOWERING_CPU_VECTOR_CODE_VECTORMATH_H
#define OPC_LOWERING_CPU_VECTOR_CODE_VECTORMATH_H

#include "lowering/cpu/vector/code/CodeBuilder.h"

namespace opc::cpu {

class VectorMath {
public:
  explicit VectorMath(CodeBuilder &b) : b(b) {}

  /// Subnormal results are rounded once.
  llvm::Value *exp(llvm::Value *x);
  /// exp for use in sums and divisors: results below 2^-125 become 2^-125. Lanes that underflow would take a hundred
  /// times as long.
  llvm::Value *boundedExp(llvm::Value *x);
  /// As above, but results below 2^-125 become 0.
  llvm::Value *flushedExp(llvm::Value *x);
  /// As above, for x <= 0 or NaN only, with fewer operations.
  llvm::Value *decayingExp(llvm::Value *x);
  llvm::Value *log(llvm::Value *x);
  /// log(1 + x) and e^x - 1, with all digits near 0.
  llvm::Value *log1p(llvm::Value *x);
  llvm::Value *expm1(llvm::Value *x);
  /// log(1 + e^x)
  llvm::Value *softplus(llvm::Value *x);
  /// The sine or cosine of angles of any size; NaN for infinities.
  llvm::Value *sine(llvm::Value *x, bool cosine);
  /// As C's pow, but a zero counts as positive. The error is below an ulp.
  llvm::Value *pow(llvm::Value *x, llvm::Value *y);
  /// The exact remainder of x / y with the sign of y (`floor`) or x.
  llvm::Value *mod(llvm::Value *x, llvm::Value *y, bool floor);
  /// Of integers: x / y, rounded towards zero, for y other than 0 and quotients that do not overflow. LLVM would write
  /// out the division of each lane.
  llvm::Value *quotient(llvm::Value *x, llvm::Value *y, bool isSigned);
  /// Of signed integers: x^y, which wraps. With a negative y it is 1, -1 or, where x is neither, 0.
  llvm::Value *wholePower(llvm::Value *x, llvm::Value *y);
  llvm::Value *tanh(llvm::Value *x);
  llvm::Value *erf(llvm::Value *x);
  /// 1 / (1 + e^-x)
  llvm::Value *sigmoid(llvm::Value *x);
  /// x / (1 + e^(-beta x)); `beta` is null for 1
  llvm::Value *swish(llvm::Value *x, llvm::Value *beta = nullptr);
  /// x Phi(x)
  llvm::Value *gelu(llvm::Value *x);
  /// The same in float32 only, with a third of the operations. The error is at most 4 ulp or kNearGeluError.
  llvm::Value *nearGelu(llvm::Value *x);
  static constexpr double kNearGeluUlp = 4, kNearGeluError = 4e-8;
  /// x / (1 + e^(-2 sqrt(2/pi) (x + 0.044715 x^3)))
  llvm::Value *geluTanh(llvm::Value *x);

  /// Max and min propagate NaN; of two zeros the result may be either.
  llvm::Value *maximum(llvm::Value *x, llvm::Value *y);
  llvm::Value *minimum(llvm::Value *x, llvm::Value *y);
  llvm::Value *abs(llvm::Value *x);
  /// The sign: -1, 0 or 1; NaN for NaN. In single or double precision.
  llvm::Value *sign(llvm::Value *x);

private:
  // Adding kMagic to a number below 2^22 rounds it and leaves the whole number in the low bits.
  static constexpr double kMagic = 0x1.8p23, kLog2E = 0x1.715476p+0;
  static constexpr double kLn2High = 0x1.62e430p-1, kLn2Low = -0x1.05c610p-29;
  static constexpr int32_t kRootOfHalf = 0x3f3504f3; ///< the bits of sqrt(1/2)

  llvm::Type *floats(llvm::Value *x) { return withLanes(b.getFloatTy(), lanesOf(x->getType())); }
  llvm::Type *integers(llvm::Value *x) { return withLanes(b.getInt32Ty(), lanesOf(x->getType())); }
  llvm::Value *number(llvm::Value *like, double value);
  llvm::Value *integer(llvm::Value *like, int32_t value);
  llvm::Value *fma(llvm::Value *x, llvm::Value *y, llvm::Value *z);
  llvm::Value *bits(llvm::Value *x) { return b.CreateBitCast(x, integers(x)); }
  llvm::Value *fromBits(llvm::Value *x) { return b.CreateBitCast(x, floats(x)); }
  /// A constant operand of an fma, with the type of `like`; in memory if that saves instructions. LLVM cannot fold it
  /// then.
  llvm::Value *coefficient(llvm::Value *like, double value);
  /// In single or double precision.
  llvm::Value *polynomial(llvm::Value *x, llvm::ArrayRef<double> coefficients);
  llvm::Value *pairedPolynomial(llvm::Value *x, llvm::Value *square, llvm::ArrayRef<double> coefficients);
  llvm::Value *powerOfTwo(llvm::Value *k);
  /// x * 2^k for integral k, rounded once, with underflow to 0 and overflow to infinity: a single instruction for
  /// 512-bit registers of x86-64. hasScale() is true if it exists for values like x.
  bool hasScale(llvm::Value *x) const;
  llvm::Value *scaled(llvm::Value *x, llvm::Value *k);
  /// e^x = p 2^k for x that need no special case: returns p, and magic + k, where magic is 1.5 * 2^23 plus an integer
  /// that is to be added to k.
  std::pair<llvm::Value *, llvm::Value *> reducedExp(llvm::Value *x, double magic);
  llvm::Value *halfExp(llvm::Value *x);
  /// numerator / (1 + e^-(u + low)), where |low| is much smaller than |u|.
  llvm::Value *logistic(llvm::Value *numerator, llvm::Value *u, llvm::Value *low = nullptr);
  /// As above, for u in [-16, 16]; or with `isFar` for u in [-175.4, 40], where the result for the least u is 0.
  llvm::Value *logisticQuotient(llvm::Value *numerator, llvm::Value *u, llvm::Value *low, bool isFar);
  /// log(2^e (1 + f)) for f from sqrt(1/2) - 1 to sqrt(2) - 1.
  llvm::Value *logSeries(llvm::Value *f, llvm::Value *e);
  /// log(1 + x) for x above -1 and below infinity.
  llvm::Value *logOfOneMore(llvm::Value *x);
  /// r, and an integer with the parity of the quotient, for angles beyond 2^17.
  std::pair<llvm::Value *, llvm::Value *> farAngle(llvm::Value *x, bool cosine);
  llvm::Value *inRange(llvm::Value *x);
  llvm::Value *copySign(llvm::Value *magnitude, llvm::Value *sign);

  CodeBuilder &b;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CODE_VECTORMATH_H
