// Elementwise kernels of vectors: every length around the width of a vector, any cut into blocks, streams, types, and
// tiling data that lie.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "runtime/target/Half.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;

namespace {
class VectorElementwise : public LevelTest {};
} // namespace

static const std::vector<std::string> kFlatFields = {"block_num", "size0", "block_length"};

static std::string addRelu(const std::string &type) {
  return flatKernel("add_relu", {type, type, type},
                    "%z = arith.constant 0.0 : " + type + "\n%a = arith.addf %0, %1 : " + type +
                        "\n%y = arith.maximumf %a, %z : " + type);
}

static std::vector<float> numbers(size_t count, uint32_t seed) {
  std::vector<float> values(count);
  for (float &value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = float(int32_t(seed)) * 0x1p-28f;
  }
  return values;
}

// What breaks without it: the last elements of a tensor, or the byte after it.
TEST_P(VectorElementwise, EveryLengthAndNothingBehind) {
  VectorHarness harness(addRelu("f32"), {"x1", "x2", "y"}, kFlatFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  for (int64_t n = 0; n < 300; ++n) {
    std::vector<float> a = numbers(n, 1), b = numbers(n, 2), y(n + 8, -7.0f);
    ASSERT_EQ(harness.run("add_relu", {tensor(a), tensor(b), {y.data(), n}}, {1, n, n}), 0);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(y[i], std::max(a[i] + b[i], 0.0f)) << i << " of " << n;
    for (int64_t i = n; i < n + 8; ++i)
      ASSERT_EQ(y[i], -7.0f) << i << " of " << n;
  }
}

// What breaks without it: an unaligned stream, or one that leaves out an end.
TEST_P(VectorElementwise, StreamsAtEveryAlignment) {
  VectorHarness harness(addRelu("f32"), {"x1", "x2", "y"}, kFlatFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  constexpr int64_t n = 3001;
  std::vector<float> a = numbers(n, 1), b = numbers(n, 2);
  for (int64_t shift = 0; shift < 20; ++shift) {
    std::vector<float> y(n + 40, -7.0f);
    ASSERT_EQ(
        harness.run("add_relu", {tensor(a), tensor(b), {y.data() + shift, n}}, {1, n, n}, 0, 1, /*streamThreshold=*/0),
        0);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(y[shift + i], std::max(a[i] + b[i], 0.0f)) << i;
    ASSERT_EQ(y[shift + n], -7.0f);
    if (shift)
      ASSERT_EQ(y[shift - 1], -7.0f);
  }
}

// Loops of functions and of divisions choose between two kinds of stores. What breaks without it: a non-temporal store
// of an iteration that was moved to an end of the row, which is not aligned, or an end that is left out.
TEST_P(VectorElementwise, LoopsOfFunctionsStreamAtEveryAlignment) {
  constexpr int64_t n = 9001;
  auto check = [&](const std::string &kernel, auto element) {
    using T = decltype(element);
    VectorHarness harness(kernel, {"x", "y"}, kFlatFields, {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    std::vector<T> x(n), stored(n);
    for (int64_t i = 0; i < n; ++i)
      x[i] = T(i % 3001);
    ASSERT_EQ(harness.run("k", {tensor(x), tensor(stored)}, {1, n, n}), 0);
    for (int64_t shift = 0; shift < int64_t(80 / sizeof(T)); ++shift) {
      std::vector<T> y(n + 80, T(77));
      ASSERT_EQ(harness.run("k", {tensor(x), {y.data() + shift, n}}, {1, n, n}, 0, 1, /*streamThreshold=*/0), 0);
      for (int64_t i = 0; i < n; ++i)
        ASSERT_EQ(y[shift + i], stored[i]) << i << " of a row that begins at " << shift;
      ASSERT_EQ(y[shift + n], T(77));
      if (shift)
        ASSERT_EQ(y[shift - 1], T(77));
    }
  };
  check(flatKernel("k", {"f16", "f16"},
                   "%a = arith.extf %0 : f16 to f32\n%b = math.exp %a : f32\n%y = arith.truncf %b : f32 to f16"),
        uint16_t());
  check(flatKernel("k", {"f32", "f32"}, "%y = math.tanh %0 : f32"), float());
  check(flatKernel("k", {"i32", "i32"}, "%c = arith.constant 7 : i32\n%y = arith.remsi %0, %c : i32"), int32_t());
}

// What breaks without it: results that depend on how work is cut.
TEST_P(VectorElementwise, BlocksCutAnywhereGiveTheSameBits) {
  VectorHarness harness(flatKernel("swish", {"f16", "f16"},
                                   "%a = arith.extf %0 : f16 to f32\n%o = arith.constant 1.0 : "
                                   "f32\n%b = te.swish %a, %o\n%y = "
                                   "arith.truncf %b : f32 to f16"),
                        {"x", "y"}, kFlatFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  constexpr int64_t n = 65536;
  std::vector<uint16_t> x(n), whole(n);
  for (int64_t i = 0; i < n; ++i)
    x[i] = uint16_t(i);
  ASSERT_EQ(harness.run("swish", {tensor(x), tensor(whole)}, {1, n, n}), 0);
  for (int64_t length : {1, 7, 64, 1000, 4096}) {
    std::vector<uint16_t> y(n);
    int64_t blocks = (n + length - 1) / length;
    for (int64_t block = 0; block < blocks; block += 3)
      ASSERT_EQ(harness.run("swish", {tensor(x), tensor(y)}, {blocks, n, length}, block, block + 3), 0);
    for (int64_t i = 0; i < n; ++i)
      if (toFloat(Half{x[i]}) == toFloat(Half{x[i]}))
        ASSERT_EQ(y[i], whole[i]) << i << " in blocks of " << length;
  }
}

// f16 without casts in the body: each operation rounds, and a maximum does not care when.
TEST_P(VectorElementwise, HalfRoundsEachOperation) {
  VectorHarness harness(flatKernel("chain", {"f16", "f16", "f16"},
                                   "%a = arith.mulf %0, %1 : f16\n%b = arith.addf %a, %0 : f16\n"
                                   "%y = arith.maximumf %b, %1 : f16"),
                        {"x1", "x2", "y"}, kFlatFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  constexpr int64_t n = 65536;
  std::vector<uint16_t> a(n), b(n), y(n);
  for (int64_t i = 0; i < n; ++i) {
    a[i] = uint16_t(i);
    b[i] = uint16_t(i * 40503u + 77u);
  }
  ASSERT_EQ(harness.run("chain", {tensor(a), tensor(b), tensor(y)}, {1, n, n}), 0);
  for (int64_t i = 0; i < n; ++i) {
    float p = toFloat(Half{a[i]}), q = toFloat(Half{b[i]});
    float sum = toFloat(toHalf(toFloat(toHalf(p * q)) + p));
    float expected = sum != sum || q != q ? NAN : std::max(sum, q);
    float found = toFloat(Half{y[i]});
    if (expected != expected)
      ASSERT_NE(found, found) << i;
    else
      ASSERT_EQ(found, expected) << i;
  }
}

// What breaks without it: memory that is not the tensor's, or a kernel that never ends.
TEST_P(VectorElementwise, RefusesTilingDataThatLeadOut) {
  VectorHarness harness(addRelu("f32"), {"x1", "x2", "y"}, kFlatFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<float> a(100, 1.0f), b(100, 1.0f), y(100, -7.0f);
  for (int64_t size : {int64_t(101), int64_t(1) << 40, INT64_MAX, int64_t(-1), INT64_MIN})
    EXPECT_EQ(harness.run("add_relu", {tensor(a), tensor(b), tensor(y)}, {1, size, 64}, 0, 2),
              OPC_KERNEL_OUTSIDE_TENSOR)
        << size;
  EXPECT_EQ(y, std::vector<float>(100, -7.0f));
  // Blocks beyond the last and lengths of no use do what is there.
  for (int64_t length : {INT64_MIN, int64_t(-5), int64_t(0), int64_t(1), INT64_MAX})
    EXPECT_EQ(harness.run("add_relu", {tensor(a), tensor(b), tensor(y)}, {1, 100, length}, 0, INT64_MAX), 0);
  EXPECT_EQ(y, std::vector<float>(100, 2.0f));
  EXPECT_EQ(harness.run("add_relu", {tensor(a), tensor(b), tensor(y)}, {1, 100, 64}, INT64_MIN, -1), 0);
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorElementwise, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
