// Functions of f32, in arithmetic alone: the C library differs between machines and is no part of a kernel library.
// Scalars and vectors alike; every lane's result depends on that lane alone and is the same at all levels that
// round an FMA once.
//
// docs/rationale/cpu.md has a table of the largest errors and how it was made.

#ifndef OPC_LOWERING_CPU_VECTOR_VECTORMATH_H
#define OPC_LOWERING_CPU_VECTOR_VECTORMATH_H

#include "lowering/cpu/vector/CodeBuilder.h"

namespace opc::cpu {

class VectorMath {
public:
  explicit VectorMath(CodeBuilder &b) : b(b) {}

  /// Subnormal results are rounded once.
  llvm::Value *exp(llvm::Value *x);
  /// exp for what only adds or divides by it: results below 2^-125 become 2^-125. Lanes that underflow cost a hundred
  /// times an ordinary one.
  llvm::Value *boundedExp(llvm::Value *x);
  /// The same, with 0 for what is below 2^-125.
  llvm::Value *flushedExp(llvm::Value *x);
  /// The same for x <= 0 or NaN, which takes fewer operations.
  llvm::Value *decayingExp(llvm::Value *x);
  llvm::Value *log(llvm::Value *x);
  llvm::Value *tanh(llvm::Value *x);
  llvm::Value *erf(llvm::Value *x);
  /// 1 / (1 + e^-x)
  llvm::Value *sigmoid(llvm::Value *x);
  /// x / (1 + e^(-beta x)); `beta` is null for 1
  llvm::Value *swish(llvm::Value *x, llvm::Value *beta = nullptr);
  /// x Phi(x)
  llvm::Value *gelu(llvm::Value *x);
  /// The same in float32 alone, a third of the operations: 4 ulp, or kNearGeluError away.
  llvm::Value *nearGelu(llvm::Value *x);
  static constexpr double kNearGeluUlp = 4, kNearGeluError = 4e-8;
  /// x / (1 + e^(-2 sqrt(2/pi) (x + 0.044715 x^3)))
  llvm::Value *geluTanh(llvm::Value *x);

  /// Max and min propagate NaN; either zero may come of two.
  llvm::Value *maximum(llvm::Value *x, llvm::Value *y);
  llvm::Value *minimum(llvm::Value *x, llvm::Value *y);
  llvm::Value *abs(llvm::Value *x);

private:
  llvm::Type *floats(llvm::Value *x) { return withLanes(b.getFloatTy(), lanesOf(x->getType())); }
  llvm::Type *integers(llvm::Value *x) { return withLanes(b.getInt32Ty(), lanesOf(x->getType())); }
  llvm::Value *number(llvm::Value *like, double value);
  llvm::Value *integer(llvm::Value *like, int32_t value);
  llvm::Value *fma(llvm::Value *x, llvm::Value *y, llvm::Value *z);
  llvm::Value *bits(llvm::Value *x) { return b.CreateBitCast(x, integers(x)); }
  llvm::Value *fromBits(llvm::Value *x) { return b.CreateBitCast(x, floats(x)); }
  /// A constant that an fma adds or multiplies by, like `like`: in memory where that saves instructions. Nobody finds
  /// out its value any more.
  llvm::Value *coefficient(llvm::Value *like, double value);
  /// Of single or double precision.
  llvm::Value *polynomial(llvm::Value *x, llvm::ArrayRef<double> coefficients);
  llvm::Value *pairedPolynomial(llvm::Value *x, llvm::Value *square, llvm::ArrayRef<double> coefficients);
  llvm::Value *powerOfTwo(llvm::Value *k);
  /// x * 2^k for whole k, rounded once, to 0 and infinity at the ends: one instruction of 512-bit registers of
  /// x86-64. Whether it is there for values like x.
  bool hasScale(llvm::Value *x) const;
  llvm::Value *scaled(llvm::Value *x, llvm::Value *k);
  /// e^x = p 2^k for x that need no special case: p, and magic + k, where magic is 1.5 * 2^23 and a whole number
  /// that is added to k.
  std::pair<llvm::Value *, llvm::Value *> reducedExp(llvm::Value *x, double magic);
  llvm::Value *halfExp(llvm::Value *x);
  /// numerator / (1 + e^-(u + low)); |low| much smaller than |u|.
  llvm::Value *logistic(llvm::Value *numerator, llvm::Value *u, llvm::Value *low = nullptr);
  /// The same for u in [-16, 16], or with `isFar` in [-175.4, 40] and 0 for the least.
  llvm::Value *logisticQuotient(llvm::Value *numerator, llvm::Value *u, llvm::Value *low, bool isFar);
  llvm::Value *inRange(llvm::Value *x);
  llvm::Value *copySign(llvm::Value *magnitude, llvm::Value *sign);

  CodeBuilder &b;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_VECTORMATH_H
