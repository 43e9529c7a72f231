// Rows and reductions of vectors: every length around the width of a vector, several chunks, batches, and answers
// in double precision.

#include "test/unit/lowering/cpu/vector/RowBodies.h"
#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace opc;
using namespace opc::test;

namespace {
class VectorRows : public LevelTest {};
} // namespace

static std::vector<float> numbers(size_t count, uint32_t seed, float scale = 0x1p-29f) {
  std::vector<float> values(count);
  for (float &value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = float(int32_t(seed)) * scale;
  }
  return values;
}

static const std::vector<std::string> kRowFields = {"block_num", "size0", "size1", "block_length"};

// What breaks without it: the ends of rows, of chunks, and rows after the first.
TEST_P(VectorRows, SoftmaxOfEveryLength) {
  VectorHarness harness(kSoftmax, {"x", "y"}, kRowFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  for (int64_t n : {1, 2, 3, 7, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000, 1023, 1024, 1025, 4097, 50257}) {
    int64_t m = n > 2000 ? 2 : 5;
    std::vector<float> x = numbers(m * n, uint32_t(n)), y(m * n + 1, -7.0f);
    ASSERT_EQ(harness.run("softmax", {tensor(x), {y.data(), m * n}}, {1, m, n, 2}, 0, 3), 0);
    for (int64_t i = 0; i < m; ++i) {
      double largest = -INFINITY, sum = 0;
      for (int64_t j = 0; j < n; ++j)
        largest = std::max(largest, double(x[i * n + j]));
      for (int64_t j = 0; j < n; ++j)
        sum += std::exp(x[i * n + j] - largest);
      for (int64_t j = 0; j < n; ++j) {
        double expected = std::exp(x[i * n + j] - largest) / sum;
        ASSERT_NEAR(y[i * n + j], expected, expected * 2e-6) << i << ", " << j << " of " << n;
      }
    }
    ASSERT_EQ(y[m * n], -7.0f);
  }
}

// What breaks without it: attention with masks, whose rows begin with thousands of -infinity.
TEST_P(VectorRows, SoftmaxOfInfinities) {
  VectorHarness harness(kSoftmax, {"x", "y"}, kRowFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (int64_t finite : {0, 1500, 2999}) {
    std::vector<float> x(3000, -infinity), y(3000, -7.0f);
    x[finite] = -50.0f;
    ASSERT_EQ(harness.run("softmax", {tensor(x), tensor(y)}, {1, 1, 3000, 1}), 0);
    for (int64_t j = 0; j < 3000; ++j)
      ASSERT_EQ(y[j], j == finite ? 1.0f : 0.0f) << j;
  }
  std::vector<float> x(3000, -infinity), y(3000, -7.0f);
  ASSERT_EQ(harness.run("softmax", {tensor(x), tensor(y)}, {1, 1, 3000, 1}), 0);
  EXPECT_NE(y[0], y[0]);
  // The maximum leaves NaN out; the sum does not. Any place in a turn, in any chunk.
  for (int64_t place : {0, 7, 2000, 2998, 2999}) {
    x.assign(3000, 0.0f);
    x[place] = std::nanf("");
    ASSERT_EQ(harness.run("softmax", {tensor(x), tensor(y)}, {1, 1, 3000, 1}), 0);
    for (int64_t j = 0; j < 3000; ++j)
      ASSERT_NE(y[j], y[j]) << place << ", " << j;
  }
}

static uint16_t halfBits(float value) {
  _Float16 half = _Float16(value);
  uint16_t bits;
  memcpy(&bits, &half, 2);
  return bits;
}

static float fromHalf(uint16_t bits) {
  _Float16 half;
  memcpy(&half, &bits, 2);
  return float(half);
}

TEST_P(VectorRows, LayerNormOfHalf) {
  VectorHarness harness(kLayerNorm, {"x", "gamma", "y"}, kRowFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  // From four rows on gamma is converted once, if it fits a buffer: of 6144 elements with AVX-512, of 8192 without.
  std::vector<std::pair<int64_t, int64_t>> shapes;
  for (int64_t n : {1, 2, 17, 31, 32, 33, 64, 100, 1000, 4096})
    for (int64_t m : {3, 4, 5})
      shapes.push_back({m, n});
  for (int64_t n : {6144, 6145, 8192, 8193, 50257})
    shapes.push_back({4, n});
  for (const auto &[m, n] : shapes) {
    std::vector<uint16_t> x, gamma, y(m * n);
    for (float value : numbers(m * n, uint32_t(n)))
      x.push_back(halfBits(value));
    for (float value : numbers(n, 99))
      gamma.push_back(halfBits(value));
    float eps = 1e-5f;
    int64_t bits = 0;
    memcpy(&bits, &eps, 4);
    ASSERT_EQ(harness.run("layer_norm", {tensor(x), tensor(gamma), tensor(y)}, {1, m, n, m, bits}), 0);
    for (int64_t i = 0; i < m; ++i) {
      double mean = 0, var = 0;
      for (int64_t j = 0; j < n; ++j)
        mean += fromHalf(x[i * n + j]) / double(n);
      for (int64_t j = 0; j < n; ++j)
        var += std::pow(fromHalf(x[i * n + j]) - mean, 2) / double(n);
      for (int64_t j = 0; j < n; ++j) {
        double expected = (fromHalf(x[i * n + j]) - mean) / std::sqrt(var + eps) * fromHalf(gamma[j]);
        ASSERT_NEAR(fromHalf(y[i * n + j]), expected, 1e-4 + std::abs(expected) * 1e-3) << i << ", " << j;
      }
    }
  }
}

static std::string reduction(const std::string &key, const std::string &kept, const std::string &iterators) {
  return R"(
#x = affine_map<(a, b, c) -> (a, b, c)>
#y = affine_map<(a, b, c) -> ()" +
         kept + R"()>
#one = affine_map<(k) -> (k)>
func.func @reduce(%x: memref<?x?x?xf32>, %y: memref<?xf32>) attributes {te.kernel, te.shape_key = ")" +
         key + R"("} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %t = bufferization.to_tensor %x restrict : memref<?x?x?xf32> to tensor<?x?x?xf32>
  %k = tensor.dim %t, %c1 : tensor<?x?x?xf32>
  %e = tensor.empty(%k) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#x, #y], iterator_types = [)" +
         iterators + R"(]}
      ins(%t : tensor<?x?x?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %h = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%s : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %half : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %h in restrict writable %y : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
)";
}

static const std::vector<std::string> kReduceFields = {
    "block_num", "batch0", "batch1", "size0", "size1", "size2", "x_s0", "x_s1", "y_s0", "y_s1", "x_r0", "block_length"};

// x [B0, R0, B1, K, R1] -> y [B0, B1, K] and x [B0, R0, B1, R1, K] -> y [B0, B1, K], R0 with a stride of its own.
TEST_P(VectorRows, ReductionsWithBatches) {
  for (bool columns : {false, true}) {
    VectorHarness harness(columns ? reduction("reduce_columns", "c", "\"reduction\", \"reduction\", \"parallel\"")
                                  : reduction("reduce_rows", "b", "\"reduction\", \"parallel\", \"reduction\""),
                          {"x", "y"}, kReduceFields, {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (int64_t kept : {1, 5, 33, 130, 2050})
      for (int64_t inner : {1, 3, 4, 64, 201}) {
        // Columns are summed in parts of 256 rows: less than one, exactly one, more.
        int64_t b0 = 2, r0 = inner == 64 ? 4 : 3, b1 = 2, k = kept, r1 = inner;
        std::vector<float> x = numbers(b0 * r0 * b1 * k * r1, uint32_t(kept * inner)), y(b0 * b1 * k, -7.0f);
        int64_t plane = k * r1;
        std::vector<int64_t> tiling = {
            9, b0, b1, r0, columns ? r1 : k, columns ? k : r1, r0 * b1 * plane, plane, b1 * k, k, b1 * plane, 7};
        ASSERT_EQ(harness.run("reduce", {tensor(x), tensor(y)}, tiling, 0, 1 << 20), 0);
        for (int64_t i = 0; i < b0; ++i)
          for (int64_t j = 0; j < b1; ++j)
            for (int64_t c = 0; c < k; ++c) {
              double sum = 0;
              for (int64_t p = 0; p < r0; ++p)
                for (int64_t q = 0; q < r1; ++q)
                  sum += x[((i * r0 + p) * b1 + j) * plane + (columns ? q * k + c : c * r1 + q)];
              ASSERT_NEAR(y[(i * b1 + j) * k + c], sum / 2, 1e-4) << columns << " " << kept << " " << inner;
            }
        // From memory, rows are combined in other groups and strips, in the same order.
        std::vector<float> fromMemory(y.size(), -7.0f);
        ASSERT_EQ(harness.run("reduce", {tensor(x), tensor(fromMemory)}, tiling, 0, 1 << 20, /*streamThreshold=*/0), 0);
        ASSERT_EQ(fromMemory, y) << columns << " " << kept << " " << inner;
      }
    // Sizes that lead out are refused, whichever field says so.
    std::vector<float> x(1000), y(10);
    std::vector<int64_t> good = {1, 1, 1, 2, columns ? 50 : 10, columns ? 10 : 50, 0, 0, 0, 0, 500, 10};
    EXPECT_EQ(harness.run("reduce", {tensor(x), tensor(y)}, good), 0);
    for (size_t field = 1; field + 1 < good.size(); ++field)
      for (int64_t value : {int64_t(-1), int64_t(1) << 33, INT64_MAX, INT64_MIN}) {
        std::vector<int64_t> bad = good;
        bad[field] = value;
        bool strideOfOne = field >= 6 && field <= 9 && value > 0; // of a batch with one trip
        bool rowMajor = field == 10 && value < 0;
        if (!strideOfOne && !rowMajor)
          EXPECT_NE(harness.run("reduce", {tensor(x), tensor(y)}, bad), 0) << field << " " << value;
      }
    // An empty sum gives half of 0; an empty result has no elements.
    std::vector<int64_t> empty = good;
    empty[3] = 0;
    y.assign(10, -7.0f);
    EXPECT_EQ(harness.run("reduce", {{x.data(), 0}, tensor(y)}, empty), 0);
    EXPECT_EQ(y, std::vector<float>(10, 0.0f));
  }
}

/// Rows of halves and what a normalisation of them is in double precision.
struct NormalRows {
  VectorHarness harness;
  explicit NormalRows(const std::string &level) : harness(kLayerNorm, {"x", "gamma", "y"}, kRowFields, {level}) {}

  /// The largest difference in an element of one row, gamma 1; NaN where there is one.
  double error(const std::vector<float> &row) {
    int64_t n = int64_t(row.size());
    std::vector<uint16_t> x, gamma(n, 0x3c00), y(n, 0);
    for (float value : row)
      x.push_back(halfBits(value));
    float eps = 1e-5f;
    int64_t bits = 0;
    memcpy(&bits, &eps, 4);
    if (harness.run("layer_norm", {tensor(x), tensor(gamma), tensor(y)}, {1, 1, n, 1, bits}) != 0)
      return INFINITY;
    double mean = 0, var = 0, largest = 0;
    for (uint16_t value : x)
      mean += fromHalf(value) / double(n);
    for (uint16_t value : x)
      var += std::pow(fromHalf(value) - mean, 2) / double(n);
    for (int64_t j = 0; j < n; ++j) {
      double expected = (fromHalf(x[j]) - mean) / std::sqrt(var + eps);
      // In units of the rounding to half, which the result has after it.
      double difference = std::abs(fromHalf(y[j]) - expected) / std::max(std::abs(expected), 0.01);
      if (difference != difference)
        return difference;
      largest = std::max(largest, difference);
    }
    return largest;
  }
};

// What breaks without it: variance from distances to the first element, which may be an outlier, or the only one that
// differs; rows of one number; infinities.
TEST_P(VectorRows, LayerNormWhateverTheFirstElementIs) {
  NormalRows rows(GetParam());
  ASSERT_TRUE(rows.harness.ready()) << rows.harness.errors();
  constexpr double kHalfRounding = 0x1p-11, kSums = 1e-4;
  for (int64_t n : {2, 33, 1000, 5000}) {
    std::vector<float> noise = numbers(n, uint32_t(n));
    for (float first : {0.0f, 3.0f, 10.0f, 100.0f, -3000.0f, 60000.0f})
      for (float offset : {0.0f, 5.0f, 500.0f}) {
        std::vector<float> row;
        for (float value : noise)
          row.push_back(value + offset);
        row[0] = first;
        EXPECT_LE(rows.error(row), kHalfRounding + kSums) << n << " " << first << " " << offset;
      }
    // Of one number the variance is nothing, and so is every result.
    for (float only : {0.0f, 0.1f, 1000.0f})
      EXPECT_LE(rows.error(std::vector<float>(n, only)), 1e-3) << n << " " << only;
    // A step: the first element says nothing about the second half.
    std::vector<float> step(n, 1.0f);
    std::fill(step.begin() + n / 2, step.end(), 2000.0f);
    EXPECT_LE(rows.error(step), kHalfRounding + kSums) << n;
    for (int64_t place : {int64_t(0), n - 1})
      for (float special : {INFINITY, -INFINITY, std::nanf("")}) {
        std::vector<float> row = noise;
        row[place] = special;
        EXPECT_TRUE(std::isnan(rows.error(row))) << n << " " << place << " " << special;
      }
  }
}

// What breaks without it: one sum over a long row, whose later elements fall short of its digits: 6 to 53 units in
// the last place at the first number for one size or the other, for 16, 32 and 64 lanes. The second is one for which
// the sums of 257 parts are all rounded the same way: 24.
TEST_P(VectorRows, SumsOfLongRowsAreMadeInParts) {
  VectorHarness reduced(reduction("reduce_rows", "b", R"("reduction", "parallel", "reduction")"), {"x", "y"},
                        kReduceFields, {GetParam()});
  VectorHarness row(kShare, {"x", "y"}, kRowFields, {GetParam()});
  ASSERT_TRUE(reduced.ready() && row.ready()) << reduced.errors() << row.errors();
  auto units = [](float found, double expected) {
    return std::abs(found - expected) / std::exp2(std::floor(std::log2(expected)) - 23);
  };
  for (float base : {1.0f / 3, 0.1f})
    for (int64_t n : {int64_t(1) << 20, (int64_t(1) << 22) + 12345}) {
      std::vector<float> x = numbers(n, 7, 0x1p-33f), y(n, -7.0f);
      double sum = 0;
      for (float &value : x)
        sum += value += base;
      ASSERT_EQ(row.run("share", {tensor(x), tensor(y)}, {1, 1, n, 1}), 0);
      auto j = std::max_element(x.begin(), x.end()) - x.begin();
      EXPECT_LE(units(y[j], x[j] / sum), 3) << base << " " << n;
      std::vector<int64_t> tiling = {1, 1, 1, 1, 1, n, n, n, 1, 1, n, 1};
      ASSERT_EQ(reduced.run("reduce", {tensor(x), {y.data(), 1}}, tiling), 0);
      EXPECT_LE(units(y[0], sum / 2), base == 0.1f ? 6 : 3) << base << " " << n;
    }
  // What is lost of infinity is nothing.
  std::vector<float> x(100000, 1.0f), y(100000);
  x[20000] = INFINITY;
  ASSERT_EQ(row.run("share", {tensor(x), tensor(y)}, {1, 1, 100000, 1}), 0);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_NE(y[20000], y[20000]);
}

/// The first or last position of the largest or smallest element of a row, as te.arg_max is fused; `type` is f32, or a
/// float of 16 bits, which is compared in f32.
static std::string position(bool isMax, bool isFirst, const std::string &type = "f32") {
  std::string extreme = isMax ? "arith.maximumf" : "arith.minimumf", from = isMax ? "0xFF800000" : "0x7F800000";
  std::string chosen = isFirst ? "arith.minsi" : "arith.maxsi", none = isFirst ? "2147483647" : "-1";
  std::string widened = type == "f32" ? "" : "    %a = arith.extf %h : " + type + " to f32\n";
  std::string argument = type == "f32" ? "%a" : "%h";
  return R"(
#x = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @position(%x: memref<?x?x)" +
         type + R"(>, %y: memref<?xi32>) attributes {te.kernel, te.shape_key = "rows_short"} {
  %c0 = arith.constant 0 : index
  %from = arith.constant )" +
         from + R"( : f32
  %none = arith.constant )" +
         none + R"( : i32
  %t = bufferization.to_tensor %x restrict : memref<?x?x)" +
         type + "> to tensor<?x?x" + type + R"(>
  %m = tensor.dim %t, %c0 : tensor<?x?x)" +
         type + R"(>
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%from : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %best = linalg.generic {indexing_maps = [#x, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<?x?x)" +
         type + R"(>) outs(%f : tensor<?xf32>) {
  ^bb0()" +
         argument + ": " + type + ", %o: f32):\n" + widened + R"(    %r = )" + extreme + R"( %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %ei = tensor.empty(%m) : tensor<?xi32>
  %fi = linalg.fill ins(%none : i32) outs(%ei : tensor<?xi32>) -> tensor<?xi32>
  %at = linalg.generic {indexing_maps = [#x, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t, %best : tensor<?x?x)" +
         type + R"(>, tensor<?xf32>) outs(%fi : tensor<?xi32>) {
  ^bb0()" +
         argument + ": " + type + ", %b: f32, %o: i32):\n" + widened + R"(    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %same = arith.cmpf oeq, %a, %b : f32
    %p = arith.select %same, %n, %none : i32
    %nan = arith.cmpf une, %a, %a : f32
    %q = arith.select %nan, %n, %p : i32
    %r = )" +
         chosen + R"( %o, %q : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  bufferization.materialize_in_destination %at in restrict writable %y : (tensor<?xi32>, memref<?xi32>) -> ()
  return
}
)";
}

/// A row of few different numbers, whose extremes occur several times; of infinities, zeros of both signs, NaN.
static std::vector<float> rowOf(const std::string &kind, int64_t n, uint32_t seed) {
  std::vector<float> row = numbers(size_t(n), seed);
  for (int64_t j = 0; j < n; ++j)
    row[j] = kind == "-inf"    ? -INFINITY
             : kind == "inf"   ? INFINITY
             : kind == "zeros" ? (row[j] < 0 ? -0.0f : 0.0f)
                               : std::round(row[j]);
  if (kind == "NaN")
    row[(seed >> 8) % n] = row[(seed >> 16) % n] = std::nanf("");
  return row;
}

// What breaks without it: rows shorter than a vector, the last vector, which processes elements twice, equal elements
// in several iterations, and NaN.
TEST_P(VectorRows, PositionsOfEveryLength) {
  for (bool isMax : {true, false})
    for (bool isFirst : {true, false}) {
      VectorHarness harness(position(isMax, isFirst), {"x", "y"}, kRowFields, {GetParam()});
      ASSERT_TRUE(harness.ready()) << harness.errors();
      for (int64_t n : {1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 1000})
        for (std::string kind : {"few", "-inf", "inf", "zeros", "NaN"})
          for (uint32_t seed = 1; seed < 4; ++seed) {
            std::vector<float> x = rowOf(kind, n, seed * 2654435761u + uint32_t(n));
            // Lanes past the row would win.
            x.push_back(isMax ? 1e9f : -1e9f);
            int64_t best = 0;
            for (int64_t j = 1; j < n; ++j) {
              const bool isBetter = std::isnan(x[j]) ? !std::isnan(x[best]) : isMax ? x[j] > x[best] : x[j] < x[best];
              const bool isSame = x[j] == x[best] || (std::isnan(x[j]) && std::isnan(x[best]));
              best = isBetter || (isSame && !isFirst) ? j : best;
            }
            std::vector<int32_t> y(2, -7);
            ASSERT_EQ(harness.run("position", {{x.data(), n}, {y.data(), 1}}, {1, 1, n, 1}), 0);
            ASSERT_EQ(y, (std::vector<int32_t>{int32_t(best), -7})) << isMax << isFirst << " " << kind << " " << n;
          }
    }
}

/// The value of a float of 16 bits.
static float valueOf(uint16_t bits, bool isHalf) {
  if (isHalf)
    return fromHalf(bits);
  const uint32_t word = uint32_t(bits) << 16;
  float value;
  memcpy(&value, &word, 4);
  return value;
}

/// Rows of 16-bit floats as bits: any bits that are no NaN, of one sign, zeros of both signs, some of them among
/// numbers of one sign, that and one number of the other, and one NaN of any sign.
static std::vector<uint16_t> bitsOf(const std::string &kind, bool isHalf, int64_t n, uint32_t seed) {
  const uint16_t infinity = isHalf ? 0x7c00 : 0x7f80;
  std::vector<uint16_t> row(size_t(n), 0);
  for (uint16_t &bits : row) {
    seed = seed * 1664525u + 1013904223u;
    const uint32_t drawn = seed >> 8;
    const bool isNear = kind.substr(0, 4) == "near", isZero = kind == "zeros" || (isNear && drawn % 61 < 2);
    const uint16_t magnitude = isZero ? 0 : kind == "few" ? (drawn & 3) << 9 : drawn % (infinity + 1);
    const uint16_t below = kind.back() == '+' ? 0 : 0x8000, drawnSign = (drawn >> 8) & 0x8000;
    const uint16_t sign = kind == "negative" ? 0x8000 : kind == "positive" ? 0 : isNear && !isZero ? below : drawnSign;
    bits = sign | magnitude;
  }
  if (kind == "near one -" || kind == "near one +")
    row[seed % uint64_t(n)] = 1 | (kind.back() == '-' ? 0 : 0x8000);
  if (kind == "NaN" || kind == "-NaN")
    row[seed % uint64_t(n)] = infinity + 1 + (seed >> 3) % 0x7f + (kind == "-NaN" ? 0x8000 : 0);
  return row;
}

/// Where the extreme of a row is, element by element; of a NaN, if there is one.
static int32_t placeOf(const std::vector<uint16_t> &row, bool isHalf, bool isMax, bool isFirst) {
  size_t best = 0;
  for (size_t j = 1; j < row.size(); ++j) {
    const float x = valueOf(row[j], isHalf), y = valueOf(row[best], isHalf);
    const bool isBetter = std::isnan(x) ? !std::isnan(y) : isMax ? x > y : x < y;
    if (isBetter || (!isFirst && (x == y || (std::isnan(x) && std::isnan(y)))))
      best = j;
  }
  return int32_t(best);
}

// What breaks without it: floats of 16 bits are compared as whole numbers, so all signs and both zeros, NaN of either
// sign, rows shorter than a register and than an iteration of four, rows whose first iteration shows no sign of the
// extreme, and lanes past the row.
TEST_P(VectorRows, PositionsOfHalves) {
  for (const char *type : {"f16", "bf16"})
    for (int form = 0; form < 4; ++form) {
      const bool isHalf = type[0] == 'f', isMax = form & 1, isFirst = form & 2;
      VectorHarness harness(position(isMax, isFirst, type), {"x", "y"}, kRowFields, {GetParam()});
      ASSERT_TRUE(harness.ready()) << harness.errors();
      for (int64_t n : {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 255, 257, 1000})
        for (std::string kind : {"any", "few", "positive", "negative", "zeros", "near -", "near +", "near one -",
                                 "near one +", "NaN", "-NaN"})
          for (uint32_t seed = 1; seed < 4; ++seed) {
            std::vector<uint16_t> x = bitsOf(kind, isHalf, n, seed * 2654435761u + uint32_t(n));
            const int32_t best = placeOf(x, isHalf, isMax, isFirst);
            x.push_back(isMax ? 0x7fff : 0xffff);
            std::vector<int32_t> y(2, -7);
            ASSERT_EQ(harness.run("position", {{x.data(), n}, {y.data(), 1}}, {1, 1, n, 1}), 0);
            ASSERT_EQ(y, (std::vector<int32_t>{best, -7})) << type << form << " " << kind << " " << n;
          }
    }
}

// What breaks without it: iterations are counted in 16 bits, so long rows are searched in parts, whose extremes may be
// equal; the last iteration of a row begins in the part before.
TEST_P(VectorRows, PositionsOfHalvesInLongRows) {
  for (bool isFirst : {true, false}) {
    VectorHarness harness(position(true, isFirst, "f16"), {"x", "y"}, kRowFields, {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    // A part has 2^21 elements with registers of 32 bytes, 2^22 with 64.
    for (int64_t n : {(1 << 21) + 5, (1 << 22) + 5, (1 << 23) + 77})
      for (std::vector<int64_t> places :
           {std::vector<int64_t>{3, n - 7}, {n - 1}, {(1 << 21) - 1}, {1 << 21, 1 << 22}}) {
        // Both below 0, the extreme above it, both above it.
        for (auto [others, extreme] :
             {std::pair<uint16_t, uint16_t>{0xc000, 0xbc00}, {0xc000, 0x3c00}, {0x3c00, 0x4000}}) {
          std::vector<uint16_t> x(size_t(n), others);
          for (int64_t place : places)
            if (place < n)
              x[size_t(place)] = extreme;
          auto best = isFirst ? std::find(x.begin(), x.end(), extreme) - x.begin()
                              : n - 1 - (std::find(x.rbegin(), x.rend(), extreme) - x.rbegin());
          std::vector<int32_t> y(1, -7);
          ASSERT_EQ(harness.run("position", {tensor(x), tensor(y)}, {1, 1, n, 1}), 0);
          ASSERT_EQ(y[0], best) << n << " " << places[0] << " " << extreme;
        }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorRows, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
