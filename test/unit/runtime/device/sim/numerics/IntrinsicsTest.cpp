// What needs no foreign reference: compares, selects, reductions, logic, fills, gathers, integer arithmetic; that
// every row of the intrinsic table has a function on every level, and that all levels agree.

#include "test/unit/runtime/device/sim/numerics/Numbers.h"

#include <algorithm>

using namespace opc;
using namespace opc::test;

namespace {

constexpr ElementType kHalf = ElementType::Float16, kFloat = ElementType::Float32;

template <typename T> VectorCall callOf(const std::vector<T> &source) {
  VectorCall call;
  call.sources[0] = source.data();
  call.count = int64_t(source.size());
  return call;
}

template <typename Word, typename T> std::vector<Word> best(Intrinsic intrinsic, TypeRow row, VectorCall call, T size) {
  return apply(sim::bestHostLevel(), intrinsic, row, call, std::vector<Word>(size_t(size)));
}

float sumOf(std::vector<float> values) {
  while (values.size() > 1) {
    std::vector<float> next;
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      next.push_back(values[i] + values[i + 1]);
    if (values.size() % 2)
      next.push_back(values.back());
    values = next;
  }
  return values[0];
}

} // namespace

// A row that the chip has and the simulator lacks would crash a launch; levels that differ would make results
// depend on the machine.
TEST(Intrinsics, EveryRowIsThereAndAllLevelsAgree) {
  const size_t count = 333;
  const auto words = randomWords<uint64_t>(4 * count, 11);
  // Gathers need offsets inside; masks and numbers take any bits.
  std::vector<uint32_t> offsets(count);
  for (size_t i = 0; i < count; ++i)
    offsets[i] = uint32_t(i * 7 % count) * 4;
  for (const IntrinsicInfo &info : allIntrinsics())
    for (TypeRow row : info.types) {
      VectorCall call;
      for (unsigned i = 0; i < sourceCount(info.form).most; ++i) {
        call.sources[i] = words.data() + i * count;
        call.lengths[i] = 64 + 8 * int64_t(i);
      }
      if (info.form == IntrinsicForm::Gather || info.form == IntrinsicForm::Scatter)
        call.sources[1] = offsets.data();
      call.count = int64_t(count) / countUnit(info.form, row.source) * countUnit(info.form, row.source);
      if (info.form == IntrinsicForm::ChannelsLast)
        call.count = countUnit(info.form, row.source);
      if (info.form == IntrinsicForm::Merge)
        call.count = 64 + 72 + 80 + 88;
      call.scalar = floatBits(1.25f);
      for (int mode = 0; mode < 7; ++mode) {
        call.rounding = RoundingMode(mode);
        call.compare = CompareMode(std::min(mode, 5));
        call.pattern = GatherPattern(mode + 1);
        std::vector<uint32_t> expected;
        for (HostLevel level : hostLevels()) {
          const auto found = apply(level, info.intrinsic, row, call, randomWords<uint32_t>(4 * count, 12));
          if (level == HostLevel::Plain)
            expected = found;
          ASSERT_EQ(found, expected) << info.name << " on " << hostLevelName(level);
        }
      }
    }
}

// A NaN compares unequal and nothing else; bits past the count in the last byte are clear.
TEST(Intrinsics, CompareWritesOneBitAnElement) {
  const std::vector<float> a = {1, 2, NAN, 4, -0.0f, 6, 7, 8, 9, 1}, b = {1, 3, 3, NAN, 0.0f, 5, 7, 9, 8, 1};
  VectorCall call = callOf(a);
  call.sources[1] = b.data();
  const std::pair<CompareMode, std::vector<uint8_t>> expected[] = {
      {CompareMode::Lt, {0b10000010, 0b00}}, {CompareMode::Gt, {0b00100000, 0b01}},
      {CompareMode::Eq, {0b01010001, 0b10}}, {CompareMode::Le, {0b11010011, 0b10}},
      {CompareMode::Ge, {0b01110001, 0b11}}, {CompareMode::Ne, {0b10101110, 0b01}}};
  for (const auto &[mode, mask] : expected) {
    call.compare = mode;
    EXPECT_EQ(best<uint8_t>(Intrinsic::vcmp, {kFloat, ElementType::UInt8}, call, 2), mask) << compareModeName(mode);
  }
}

// The sources of a select are mask, set, clear, in this order.
TEST(Intrinsics, SelectTakesTheFirstWhereTheBitIsSet) {
  const std::vector<uint8_t> mask = {0b00000101, 0b1};
  const std::vector<uint16_t> a = {1, 2, 3, 4, 5, 6, 7, 8, 9}, b = {11, 12, 13, 14, 15, 16, 17, 18, 19};
  VectorCall call = callOf(mask);
  call.sources[1] = a.data();
  call.sources[2] = b.data();
  call.count = 9;
  EXPECT_EQ(best<uint16_t>(Intrinsic::vsel, {kHalf, kHalf}, call, 9),
            (std::vector<uint16_t>{1, 12, 3, 14, 15, 16, 17, 18, 9}));
  call.scalar = floatBits(1.0f);
  EXPECT_EQ(best<uint16_t>(Intrinsic::vsels, {kHalf, kHalf}, call, 9),
            (std::vector<uint16_t>{1, 0x3c00, 3, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 9}));
}

/// As the chip's call by count does it: whole repeats of `lanes`, the tail, then both.
float sumByCount(const std::vector<float> &values, size_t lanes) {
  const size_t whole = values.size() / lanes * lanes;
  if (whole == 0 || whole == values.size())
    return sumOf(values);
  const auto middle = values.begin() + ptrdiff_t(whole);
  return sumOf({values.begin(), middle}) + sumOf({middle, values.end()});
}

// The order of a sum is known: a chain, one tree over all elements, or another tree gives other bits. At 64 + 1 + 2
// the tail of three is summed before it meets the whole repeat.
TEST(Intrinsics, ReduceSumTakesWholeRepeatsThenTheTail) {
  std::mt19937 random(3);
  unsigned unlikeOneTree = 0;
  for (size_t count : {1, 2, 3, 63, 64, 65, 67, 127, 128, 129, 1000, 16384, 16385, 63488}) {
    std::vector<float> values(count);
    for (float &value : values)
      value = float(int(random())) * 1e-5f;
    const auto sum = best<uint32_t>(Intrinsic::vreduce_sum, {kFloat, kFloat}, callOf(values), 1);
    EXPECT_EQ(sum[0], floatBits(sumByCount(values, 64))) << count;
    unlikeOneTree += sum[0] != floatBits(sumOf(values));
    const auto high = best<uint32_t>(Intrinsic::vreduce_max, {kFloat, kFloat}, callOf(values), 1);
    EXPECT_EQ(floatFromBits(high[0]), *std::max_element(values.begin(), values.end()));
    values[count / 2] = NAN;
    const auto nan = best<uint32_t>(Intrinsic::vreduce_min, {kFloat, kFloat}, callOf(values), 1);
    EXPECT_TRUE(std::isnan(floatFromBits(nan[0])));
  }
  EXPECT_GT(unlikeOneTree, 0u);
}

// Half sums round at each step: 2048 + 1 is lost only when it happens in half.
TEST(Intrinsics, ReduceSumOfHalfRoundsToHalf) {
  const std::vector<Half> values = {toHalf(2048.0f), toHalf(1.0f), toHalf(2048.0f), toHalf(1.0f)};
  const auto sum = best<uint16_t>(Intrinsic::vreduce_sum, {kHalf, kHalf}, callOf(values), 1);
  EXPECT_EQ(toFloat(Half{sum[0]}), 4096.0f);
}

// Integers wrap, shifts by the width or more leave nothing, signed shifts repeat the sign.
TEST(Intrinsics, Integers) {
  const std::vector<int16_t> a = {32767, -32768, -1, 300}, b = {1, -1, 1, 300};
  VectorCall call = callOf(a);
  call.sources[1] = b.data();
  const TypeRow row{ElementType::Int16, ElementType::Int16};
  using Words = std::vector<uint16_t>;
  EXPECT_EQ(best<uint16_t>(Intrinsic::vadd, row, call, 4), (Words{0x8000, 0x7fff, 0, 600}));
  EXPECT_EQ(best<uint16_t>(Intrinsic::vmul, row, call, 4), (Words{0x7fff, 0x8000, 0xffff, uint16_t(90000)}));
  EXPECT_EQ(best<uint16_t>(Intrinsic::vabs, row, call, 4), (Words{0x7fff, 0x8000, 1, 300}));
  EXPECT_EQ(best<uint16_t>(Intrinsic::vand, row, call, 4), (Words{1, 0x8000, 1, 300}));
  EXPECT_EQ(best<uint16_t>(Intrinsic::vnot, row, call, 4), (Words{0x8000, 0x7fff, 0, uint16_t(~300)}));
  call.scalar = 4;
  EXPECT_EQ(best<uint16_t>(Intrinsic::vshr, row, call, 4), (Words{2047, 0xf800, 0xffff, 18}));
  EXPECT_EQ(best<uint16_t>(Intrinsic::vshl, row, call, 4), (Words{0xfff0, 0, 0xfff0, 4800}));
  call.scalar = 16;
  EXPECT_EQ(best<uint16_t>(Intrinsic::vshr, row, call, 4), (Words{0, 0xffff, 0xffff, 0}));
  EXPECT_EQ(best<uint16_t>(Intrinsic::vshl, row, call, 4), (Words{0, 0, 0, 0}));
}

// Fills and gathers: the scalar is rounded to the type, numbers count up from it, offsets are bytes.
TEST(Intrinsics, FillsAndGathers) {
  VectorCall call;
  call.count = 200;
  call.scalar = floatBits(2047.0f);
  EXPECT_EQ(best<uint16_t>(Intrinsic::vbrc, {kHalf, kHalf}, call, 200)[199], toHalf(2047.0f).bits);
  const auto range = best<uint16_t>(Intrinsic::varange, {kHalf, kHalf}, call, 200);
  EXPECT_EQ(range[1], toHalf(2048.0f).bits);
  EXPECT_EQ(range[2], toHalf(2048.0f).bits); // 2049 is a tie
  EXPECT_EQ(range[4], toHalf(2052.0f).bits); // 2051 too
  call.scalar = uint64_t(-3);
  const TypeRow row{ElementType::Int32, ElementType::Int32};
  EXPECT_EQ(best<uint32_t>(Intrinsic::varange, row, call, 200)[5], 2u);

  const std::vector<uint32_t> source = {10, 11, 12, 13}, offsets = {12, 0, 4, 4};
  call = callOf(source);
  call.sources[1] = offsets.data();
  EXPECT_EQ(best<uint32_t>(Intrinsic::vgather, row, call, 4), (std::vector<uint32_t>{13, 10, 11, 11}));
}

// Mixed compounds: half products are exact in float; casts at the end saturate.
TEST(Intrinsics, MixedCompounds) {
  const std::vector<Half> a = {toHalf(300.0f), toHalf(-2.5f), toHalf(0.1f)},
                          b = {toHalf(300.0f), toHalf(1.0f), toHalf(0.1f)};
  VectorCall call = callOf(a);
  call.sources[1] = b.data();
  std::vector<uint32_t> sum = {floatBits(1.0f), floatBits(0.5f), 0};
  VectorCall scaled = callOf(a);
  scaled.scalar = floatBits(300.0f);
  sum = apply(sim::bestHostLevel(), Intrinsic::vaxpy, {kHalf, kFloat}, scaled, sum);
  EXPECT_EQ(floatFromBits(sum[0]), 90001.0f);
  EXPECT_EQ(floatFromBits(sum[1]), -749.5f);
  EXPECT_EQ(floatFromBits(sum[2]), toFloat(a[2]) * 300.0f);
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(best<uint8_t>(Intrinsic::vaddrelucast, {kHalf, ElementType::Int8}, call, 3), (Bytes{127, 0, 0}));
  EXPECT_EQ(best<uint8_t>(Intrinsic::vmulcast, {kHalf, ElementType::Int8}, call, 3), (Bytes{127, 0xfe, 0}));
  EXPECT_EQ(best<uint8_t>(Intrinsic::vmulcast, {kHalf, ElementType::UInt8}, call, 3), (Bytes{255, 0, 0}));
}
