// Worst numerics: the ends of intervals are those that Accuracy.def states, held against the C library in double;
// each open choice is made; draws repeat.

#include "runtime/device/sim/numerics/bounds/Worst.h"
#include "test/unit/runtime/device/sim/numerics/Numbers.h"

#include <cmath>
#include <set>

using namespace opc;
using namespace opc::sim;
using namespace opc::test;

namespace {

constexpr TypeRow kHalfRow{ElementType::Float16, ElementType::Float16};
constexpr TypeRow kFloatRow{ElementType::Float32, ElementType::Float32};
/// Draws that leave every open choice as exact mode has it: all low, all high, by instruction, by element; and those
/// that make all of them otherwise.
constexpr uint64_t kLow = 28, kHigh = 29, kByInstruction = 30, kByElement = 31, kOtherwise = 0;

template <typename Word>
std::vector<Word> worst(Intrinsic intrinsic, TypeRow row, VectorCall call, size_t size, Draw draw,
                        std::vector<Word> initial = {}) {
  initial.resize(size);
  call.destination = initial.data();
  call.count = call.count ? call.count : int64_t(size);
  performWorst(intrinsic, row, call, findVectorFunction(intrinsic, row, bestHostLevel()), draw);
  return initial;
}

template <typename Word> double valueOf(Word word) {
  if constexpr (sizeof(Word) == 2)
    return toFloat(Half{word});
  else
    return floatFromBits(word);
}

/// By the C library, which no one here wrote.
double exactOf(Intrinsic intrinsic, double a, double b) {
  switch (intrinsic) {
  case Intrinsic::vdiv:
    return a / b;
  case Intrinsic::vexp:
    return std::exp(a);
  case Intrinsic::vln:
    return std::log(a);
  case Intrinsic::vsqrt:
    return std::sqrt(a);
  case Intrinsic::vrsqrt:
    return 1 / std::sqrt(a);
  default:
    return 1 / a;
  }
}

/// Units in the last place of the exact value, or parts of it.
double measured(const Accuracy &accuracy, double error, double exact, int digits, int least) {
  if (accuracy.measure == ErrorMeasure::Relative)
    return error / std::fabs(exact);
  // Of a power of two the unit below it counts: it is the smaller one.
  return error / std::ldexp(1.0, std::max(std::ilogb(exact * (1 - 0x1p-40)), least) - digits);
}

/// All results of both ends: on their side, within the bound, and the next number is not.
template <typename Word> void checkEnds(Intrinsic intrinsic, const std::vector<Word> &a, const std::vector<Word> &b) {
  constexpr bool isHalf = sizeof(Word) == 2;
  const TypeRow row = isHalf ? kHalfRow : kFloatRow;
  const int digits = isHalf ? 10 : 23, least = isHalf ? -14 : -126;
  const double largest = isHalf ? 65504.0 : double(3.4028234663852886e38f);
  const Accuracy &accuracy = accuracyOf(intrinsic);
  const double bound = accuracy.boundOf(row.destination);
  VectorCall call;
  call.sources[0] = a.data();
  call.sources[1] = intrinsic == Intrinsic::vdiv ? b.data() : nullptr;
  call.count = int64_t(a.size());
  const auto nearest = apply(HostLevel::Plain, intrinsic, row, call, std::vector<Word>(a.size()));
  const auto low = worst<Word>(intrinsic, row, call, a.size(), {kLow, 0});
  const auto high = worst<Word>(intrinsic, row, call, a.size(), {kHigh, 0});
  size_t different = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double exact = exactOf(intrinsic, valueOf(a[i]), valueOf(b[i]));
    const std::string where = std::string(intrinsicInfo(intrinsic).name) + " of " + std::to_string(valueOf(a[i])) +
                              " number " + std::to_string(i);
    if (!std::isfinite(exact) || valueOf(nearest[i]) == 0 || std::isinf(valueOf(nearest[i]))) {
      if (std::fabs(exact) <= largest || !std::isfinite(exact)) {
        ASSERT_TRUE(same(row.destination, nearest[i], low[i])) << where;
        ASSERT_TRUE(same(row.destination, nearest[i], high[i])) << where;
      }
      continue;
    }
    different += low[i] != high[i];
    for (bool up : {false, true}) {
      const double found = valueOf(up ? high[i] : low[i]);
      ASSERT_TRUE(up ? found >= exact * (1 - 1e-15 * (exact > 0 ? 1 : -1))
                     : found <= exact * (1 + 1e-15 * (exact > 0 ? 1 : -1)))
          << where;
      if (std::isinf(found)) {
        // To the middle between the largest number and the power of two after it.
        const double middle = largest + std::ldexp(1.0, (isHalf ? 15 : 127) - digits - 1);
        ASSERT_LE(measured(accuracy, middle - std::fabs(exact), exact, digits, least), bound) << where;
        continue;
      }
      ASSERT_LE(measured(accuracy, std::fabs(found - exact), exact, digits, least), bound * (1 + 1e-9)) << where;
      if (found == 0)
        continue;
      const double step = std::ldexp(1.0, std::max(std::ilogb(found), least) - digits);
      const double next = up ? found + step : found - step;
      if (std::fabs(next) <= largest && next != 0)
        ASSERT_GT(measured(accuracy, std::fabs(next - exact), exact, digits, least), bound * (1 - 1e-9)) << where;
    }
  }
  EXPECT_GT(different, a.size() / 10) << intrinsicInfo(intrinsic).name;
}

/// One element of a call of one or two sources.
template <typename Word> Word one(Intrinsic intrinsic, TypeRow row, Word a, Word b, Draw draw) {
  VectorCall call;
  call.sources[0] = &a;
  call.sources[1] = &b;
  call.scalar = row.source == ElementType::Float16 ? floatBits(toFloat(Half{uint16_t(b)})) : b;
  return worst<Word>(intrinsic, row, call, 1, draw)[0];
}

uint16_t half(float value) {
  return toHalf(value).bits;
}

} // namespace

// An end that is too near hides errors that the chip may make; one too far blames kernels for what it cannot. Every
// half, and floats of all magnitudes.
TEST(Worst, EndsAreThoseOfTheTable) {
  const std::vector<uint16_t> all = allWords<uint16_t>();
  std::vector<uint16_t> other(all.rbegin(), all.rend());
  std::vector<uint32_t> floats = randomWords<uint32_t>(30000, 5), divisors = randomWords<uint32_t>(30000, 6);
  for (size_t i = 0; i < floats.size(); i += 2) // around 1, where results are normal
    floats[i] = floatBits(float(int32_t(floats[i])) * 0x1p-26f);
  unsigned intervals = 0;
  for (const IntrinsicInfo &info : allIntrinsics()) {
    if (!accuracyOf(info.intrinsic).isInterval())
      continue;
    ++intervals;
    checkEnds<uint16_t>(info.intrinsic, all, other);
    checkEnds<uint32_t>(info.intrinsic, floats, divisors);
  }
  EXPECT_EQ(intervals, 6u);
}

// What the table calls exact stays so, whatever the draw; what it leaves open does not.
TEST(Worst, ChangesWhatIsOpenAndNothingElse) {
  const size_t count = 1024;
  const auto words = randomWords<uint64_t>(4 * count, 12);
  const std::vector<uint32_t> offsets(count, 0);
  for (const IntrinsicInfo &info : allIntrinsics())
    for (TypeRow row : info.types) {
      const Accuracy &accuracy = accuracyOf(info.intrinsic);
      if (accuracy.leavesOpen(Overflow) && !accuracy.isInterval())
        EXPECT_TRUE(findSaturatingFunction(info.intrinsic, row)) << info.name;
      if (accuracy.open != Nothing || accuracy.isInterval())
        continue;
      VectorCall call;
      for (unsigned i = 0; i < sourceCount(info.form).most; ++i) {
        call.sources[i] = words.data() + i * count;
        call.lengths[i] = 64;
      }
      if (info.form == IntrinsicForm::Gather || info.form == IntrinsicForm::Scatter)
        call.sources[1] = offsets.data();
      const int64_t unit = countUnit(info.form, row.source);
      call.count = std::max<int64_t>(unit, 256 / unit * unit);
      call.scalar = floatBits(3.5f);
      const auto exact = apply(HostLevel::Plain, info.intrinsic, row, call, std::vector<uint64_t>(count * 4));
      for (uint64_t seed : {kOtherwise, kLow, kByElement}) {
        std::vector<uint64_t> found(count * 4);
        VectorCall again = call;
        again.destination = found.data();
        performWorst(info.intrinsic, row, again, findVectorFunction(info.intrinsic, row, HostLevel::Plain), {seed, 3});
        EXPECT_EQ(found, exact) << info.name;
      }
    }
}

// A half that grows too large: in sums, products, functions, casts, and at each level of a tree. What was
// infinite stays infinite.
TEST(Worst, OverflowHoldsAtTheLargest) {
  const uint16_t big = half(60000), inf = kHalfInfinity, held = kHalfMax;
  const Draw exact{kLow, 0}, other{kOtherwise, 0};
  for (Intrinsic intrinsic :
       {Intrinsic::vadd, Intrinsic::vmul, Intrinsic::vadds, Intrinsic::vmuls, Intrinsic::vaddrelu}) {
    EXPECT_EQ(one(intrinsic, kHalfRow, big, big, exact), inf) << intrinsicInfo(intrinsic).name;
    EXPECT_EQ(one(intrinsic, kHalfRow, big, big, other), held) << intrinsicInfo(intrinsic).name;
    EXPECT_EQ(one(intrinsic, kHalfRow, inf, big, other), inf) << intrinsicInfo(intrinsic).name;
  }
  EXPECT_EQ(one(Intrinsic::vsub, kHalfRow, half(-60000), big, other), held | 0x8000);
  EXPECT_EQ(one(Intrinsic::vexp, kHalfRow, half(12), half(0), other), held);
  EXPECT_EQ(one(Intrinsic::vexp, kHalfRow, inf, half(0), other), inf);
  EXPECT_EQ(one(Intrinsic::vdiv, kHalfRow, big, half(0.5f), other), held);
  EXPECT_EQ(one(Intrinsic::vdiv, kHalfRow, big, half(0), other), inf);

  // The first pair is held, so the sum is finite: 65504 - 29904, to the nearest half.
  const std::vector<uint16_t> values = {big, big, half(-30000), half(100)};
  VectorCall call;
  call.sources[0] = values.data();
  call.count = 4;
  EXPECT_EQ(worst<uint16_t>(Intrinsic::vreduce_sum, kHalfRow, call, 1, exact)[0], inf);
  EXPECT_EQ(worst<uint16_t>(Intrinsic::vreduce_sum, kHalfRow, call, 1, other)[0], half(35584));

  const std::vector<float> floats = {1e6f, -1e6f, INFINITY, 3.4e38f};
  for (RoundingMode mode : {RoundingMode::Rint, RoundingMode::Floor, RoundingMode::Ceil}) {
    VectorCall cast;
    cast.sources[0] = floats.data();
    cast.rounding = mode;
    EXPECT_EQ(worst<uint16_t>(Intrinsic::vcast, {ElementType::Float32, ElementType::Float16}, cast, 4, other),
              (std::vector<uint16_t>{held, uint16_t(held | 0x8000), inf, held}));
    EXPECT_EQ(worst<uint16_t>(Intrinsic::vcast, {ElementType::Float32, ElementType::BFloat16}, cast, 4, other)[3],
              0x7f7f);
  }

  // Beyond 64 bits: the low bits of the whole number, or the nearest integer.
  const std::vector<float> huge = {0x1.8p64f, -0x1p63f, -0x1p70f, NAN};
  VectorCall cast;
  cast.sources[0] = huge.data();
  const TypeRow row{ElementType::Float32, ElementType::Int64};
  const uint64_t lowest = uint64_t(1) << 63;
  EXPECT_EQ(worst<uint64_t>(Intrinsic::vcast, row, cast, 4, exact), (std::vector<uint64_t>{lowest, lowest, 0, 0}));
  EXPECT_EQ(worst<uint64_t>(Intrinsic::vcast, row, cast, 4, other),
            (std::vector<uint64_t>{lowest - 1, lowest, lowest, 0}));
}

// (1 + e)^2 - 1 - 2e is e^2 when fused, and nothing when the product is rounded.
TEST(Worst, ProductsOfMultiplyAddsAreFused) {
  const float e = 0x1p-13f;
  for (Intrinsic intrinsic : {Intrinsic::vfma, Intrinsic::vmuladd, Intrinsic::vmuladdrelu})
    for (bool isFused : {false, true}) {
      const float factor = 1 + e, addend = -1 - 2 * e;
      const bool toDestination = intrinsic == Intrinsic::vmuladd;
      const uint32_t a = floatBits(factor), b = floatBits(toDestination ? factor : addend),
                     d = floatBits(toDestination ? addend : factor);
      VectorCall call;
      call.sources[0] = &a;
      call.sources[1] = &b;
      const auto found = worst<uint32_t>(intrinsic, kFloatRow, call, 1, {isFused ? kOtherwise : kLow, 0}, {d});
      EXPECT_EQ(floatFromBits(found[0]), isFused ? e * e : 0.0f) << intrinsicInfo(intrinsic).name;
    }
}

// Arguments and results that are subnormal count as zero; the smallest normal number stays.
TEST(Worst, SubnormalsAreFlushed) {
  auto of = [](Intrinsic intrinsic, float a, float b, uint64_t seed) {
    return floatFromBits(one(intrinsic, kFloatRow, floatBits(a), floatBits(b), {seed, 0}));
  };
  EXPECT_GT(of(Intrinsic::vexp, -95, 0, kLow), 0);
  EXPECT_EQ(of(Intrinsic::vexp, -95, 0, kOtherwise), 0);
  EXPECT_LT(of(Intrinsic::vln, 1e-40f, 0, kLow), -90);
  EXPECT_EQ(of(Intrinsic::vln, 1e-40f, 0, kOtherwise), -INFINITY);
  EXPECT_EQ(of(Intrinsic::vsqrt, 1e-40f, 0, kOtherwise), 0);
  EXPECT_EQ(of(Intrinsic::vdiv, 1, 1e-39f, kOtherwise), INFINITY);
  EXPECT_EQ(of(Intrinsic::vdiv, -1e-30f, 1e10f, kOtherwise), 0);
  EXPECT_TRUE(std::signbit(of(Intrinsic::vdiv, -1e-30f, 1e10f, kOtherwise)));
  EXPECT_GT(of(Intrinsic::vsqrt, 0x1p-126f, 0, kOtherwise), 0);
  EXPECT_EQ(of(Intrinsic::vadd, 1e-40f, 0, kOtherwise), 1e-40f) << "no page says so of an adder";
}

// One seed is one draw; ends differ by instruction or by element, as the seed says.
TEST(Worst, DrawsFollowTheirSeed) {
  const std::vector<uint32_t> x(200, floatBits(3.0f));
  VectorCall call;
  call.sources[0] = x.data();
  auto found = [&](uint64_t seed, uint64_t instruction) {
    return worst<uint32_t>(Intrinsic::vsqrt, kFloatRow, call, x.size(), {seed, instruction});
  };
  const uint32_t low = found(kLow, 0)[0], high = found(kHigh, 0)[0];
  EXPECT_LT(low, high);
  std::set<std::vector<uint32_t>> ofInstructions;
  for (uint64_t instruction = 0; instruction < 32; ++instruction) {
    const auto results = found(kByInstruction, instruction);
    EXPECT_EQ(results, found(kByInstruction, instruction));
    EXPECT_EQ(std::set<uint32_t>(results.begin(), results.end()).size(), 1u);
    ofInstructions.insert(results);
  }
  EXPECT_EQ(ofInstructions.size(), 2u);
  const auto mixed = found(kByElement, 0);
  EXPECT_EQ(std::set<uint32_t>(mixed.begin(), mixed.end()), (std::set<uint32_t>{low, high}));
  EXPECT_NE(mixed, found(kByElement + 32, 0));
  EXPECT_NE(mixed, found(kByElement, 1));
}

// A block for each row: the quotient of each lane is that of its row's block.
TEST(Worst, DivisorsMayBeBlocksOfRows) {
  const std::vector<float> x(48, 1.0f);
  std::vector<float> blocks(16);
  for (size_t i = 0; i < blocks.size(); ++i)
    blocks[i] = float(3 + i);
  VectorCall call;
  call.sources[0] = x.data();
  call.sources[1] = blocks.data();
  call.lengths[1] = 16;
  const auto found = worst<uint32_t>(Intrinsic::vdiv, kFloatRow, call, 48, {kHigh, 0});
  for (size_t i = 0; i < 48; ++i) {
    const float exact = 1.0f / blocks[i / 24 * 8 + i % 8];
    EXPECT_NEAR(floatFromBits(found[i]), exact, exact * 0x1p-22f) << i;
  }
}

// e^x of a tiny negative x lies just below 1, where the unit is half of that above: 1 + 2^-23 is more than two units
// away. Without the comparison of exact differences in endOfInterval the rounding of its sum lets that number in.
TEST(Worst, ExpJustBelowOneStaysBelowTheNextNumber) {
  std::vector<float> x(64, -4.86903787e-17f);
  VectorCall call;
  call.sources[0] = x.data();
  for (uint64_t draw : {kHigh, kByElement})
    for (uint32_t bits : worst<uint32_t>(Intrinsic::vexp, kFloatRow, call, x.size(), Draw{draw, 7}))
      EXPECT_LE(floatFromBits(bits), 1.0f);
}
