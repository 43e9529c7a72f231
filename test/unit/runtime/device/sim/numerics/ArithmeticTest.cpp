// Arithmetic and compounds in f16 and f32 against APFloat: all values of unary operations, a million
// pairs of binary ones.

#include "test/unit/runtime/device/sim/numerics/Numbers.h"

#include <functional>

using namespace opc;
using namespace opc::test;
using llvm::APFloat;

namespace {

constexpr auto kNearest = APFloat::rmNearestTiesToEven;
constexpr size_t kPairs = 1000000;

APFloat add(APFloat a, const APFloat &b) {
  a.add(b, kNearest);
  return a;
}
APFloat subtract(APFloat a, const APFloat &b) {
  a.subtract(b, kNearest);
  return a;
}
APFloat multiply(APFloat a, const APFloat &b) {
  a.multiply(b, kNearest);
  return a;
}
APFloat divide(APFloat a, const APFloat &b) {
  a.divide(b, kNearest);
  return a;
}
APFloat zeroLike(const APFloat &a) {
  return APFloat::getZero(a.getSemantics());
}
APFloat relu(const APFloat &a) {
  return llvm::maximum(a, zeroLike(a));
}
APFloat absolute(APFloat a) {
  a.clearSign();
  return a;
}
APFloat reciprocal(const APFloat &a) {
  return divide(APFloat(a.getSemantics(), 1), a);
}

using Unary = std::function<APFloat(const APFloat &)>;
using Binary = std::function<APFloat(const APFloat &, const APFloat &)>;
using Ternary = std::function<APFloat(const APFloat &, const APFloat &, const APFloat &)>;

template <typename Word>
void expectSame(ElementType type, const std::vector<Word> &expected, const std::vector<Word> &found,
                Intrinsic intrinsic, HostLevel level) {
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_TRUE(same(type, expected[i], found[i]))
        << intrinsicInfo(intrinsic).name << " lane " << i << " on " << hostLevelName(level) << ": " << std::hex
        << uint64_t(expected[i]) << " expected, " << uint64_t(found[i]) << " found";
}

template <typename Word>
void checkUnary(Intrinsic intrinsic, ElementType type, const Unary &reference, const std::vector<Word> &a) {
  std::vector<Word> expected(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    expected[i] = Word(bitsOf(reference(number(type, a[i]))));
  VectorCall call;
  call.sources[0] = a.data();
  call.count = int64_t(a.size());
  for (HostLevel level : hostLevels())
    expectSame(type, expected, apply(level, intrinsic, {type, type}, call, std::vector<Word>(a.size())), intrinsic,
               level);
}

template <typename Word>
void checkTernary(Intrinsic intrinsic, ElementType type, const Ternary &reference, unsigned seed) {
  const auto a = randomWords<Word>(kPairs, seed), b = randomWords<Word>(kPairs, seed + 1),
             d = randomWords<Word>(kPairs, seed + 2);
  std::vector<Word> expected(kPairs);
  for (size_t i = 0; i < kPairs; ++i)
    expected[i] = Word(bitsOf(reference(number(type, a[i]), number(type, b[i]), number(type, d[i]))));
  VectorCall call;
  call.sources[0] = a.data();
  call.sources[1] = b.data();
  call.count = int64_t(kPairs);
  for (HostLevel level : hostLevels())
    expectSame(type, expected, apply(level, intrinsic, {type, type}, call, d), intrinsic, level);
}

template <typename Word>
void checkBinary(Intrinsic intrinsic, ElementType type, const Binary &reference, unsigned seed) {
  checkTernary<Word>(
      intrinsic, type, [&](const APFloat &a, const APFloat &b, const APFloat &) { return reference(a, b); }, seed);
}

template <typename Word> void checkScalar(Intrinsic intrinsic, ElementType type, const Binary &reference) {
  const auto a = randomWords<Word>(100000, 5);
  for (float s : {1.5f, -0.1f, 0.0f, 65504.0f, 3e-8f, -INFINITY, NAN}) {
    APFloat scalar(s);
    bool lost;
    scalar.convert(semanticsOf(type), kNearest, &lost);
    std::vector<Word> expected(a.size());
    for (size_t i = 0; i < a.size(); ++i)
      expected[i] = Word(bitsOf(reference(number(type, a[i]), scalar)));
    VectorCall call;
    call.sources[0] = a.data();
    call.count = int64_t(a.size());
    call.scalar = floatBits(s);
    for (HostLevel level : hostLevels())
      expectSame(type, expected, apply(level, intrinsic, {type, type}, call, std::vector<Word>(a.size())), intrinsic,
                 level);
  }
}

/// Both types of one intrinsic.
void checkBinaries(Intrinsic intrinsic, const Binary &reference) {
  checkBinary<uint16_t>(intrinsic, ElementType::Float16, reference, 10);
  checkBinary<uint32_t>(intrinsic, ElementType::Float32, reference, 20);
}
void checkScalars(Intrinsic intrinsic, const Binary &reference) {
  checkScalar<uint16_t>(intrinsic, ElementType::Float16, reference);
  checkScalar<uint32_t>(intrinsic, ElementType::Float32, reference);
}
void checkTernaries(Intrinsic intrinsic, const Ternary &reference) {
  checkTernary<uint16_t>(intrinsic, ElementType::Float16, reference, 30);
  checkTernary<uint32_t>(intrinsic, ElementType::Float32, reference, 40);
}
void checkUnaries(Intrinsic intrinsic, const Unary &reference) {
  checkUnary(intrinsic, ElementType::Float16, reference, allWords<uint16_t>());
  checkUnary(intrinsic, ElementType::Float32, reference, randomWords<uint32_t>(kPairs, 50));
}

} // namespace

// A result that is rounded twice, or a flushed subnormal, differs from APFloat in one of a million pairs.
TEST(Arithmetic, Add) {
  checkBinaries(Intrinsic::vadd, add);
}
TEST(Arithmetic, Sub) {
  checkBinaries(Intrinsic::vsub, subtract);
}
TEST(Arithmetic, Mul) {
  checkBinaries(Intrinsic::vmul, multiply);
}
TEST(Arithmetic, Div) {
  checkBinaries(Intrinsic::vdiv, divide);
}

// NaN on either side and the two zeros: the rules that Semantics.h states are IEEE's maximum and minimum.
TEST(Arithmetic, Max) {
  checkBinaries(Intrinsic::vmax, llvm::maximum);
}
TEST(Arithmetic, Min) {
  checkBinaries(Intrinsic::vmin, llvm::minimum);
}

// The scalar operand travels as f32 and is rounded to the vector's type before the operation.
TEST(Arithmetic, WithScalars) {
  checkScalars(Intrinsic::vadds, add);
  checkScalars(Intrinsic::vmuls, multiply);
  checkScalars(Intrinsic::vmaxs, llvm::maximum);
  checkScalars(Intrinsic::vmins, llvm::minimum);
  checkScalars(Intrinsic::vleakyrelu, [](const APFloat &a, const APFloat &slope) {
    return a.isNaN() || a > zeroLike(a) ? a : multiply(a, slope);
  });
}

TEST(Arithmetic, Relu) {
  checkUnaries(Intrinsic::vrelu, relu);
}
TEST(Arithmetic, Abs) {
  checkUnaries(Intrinsic::vabs, absolute);
}
TEST(Arithmetic, Reciprocal) {
  checkUnaries(Intrinsic::vrec, reciprocal);
}

// A compound rounds after each step; a fused step would give other bits.
TEST(Arithmetic, Compounds) {
  checkBinaries(Intrinsic::vaddrelu, [](const APFloat &a, const APFloat &b) { return relu(add(a, b)); });
  checkBinaries(Intrinsic::vsubrelu, [](const APFloat &a, const APFloat &b) { return relu(subtract(a, b)); });
  checkTernaries(Intrinsic::vfma,
                 [](const APFloat &a, const APFloat &b, const APFloat &d) { return add(multiply(a, d), b); });
  checkTernaries(Intrinsic::vmuladdrelu,
                 [](const APFloat &a, const APFloat &b, const APFloat &d) { return relu(add(multiply(a, d), b)); });
  checkTernaries(Intrinsic::vmuladd,
                 [](const APFloat &a, const APFloat &b, const APFloat &d) { return add(multiply(a, b), d); });
}
