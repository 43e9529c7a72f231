// Rows and reductions of vectors: every length around the width of a vector, several chunks,
// batches, and answers in double precision.

#include "test/unit/lowering/cpu/vector/RowBodies.h"
#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace opc;
using namespace opc::test;

namespace {
class VectorRows : public ::testing::TestWithParam<std::string> {};
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
  for (int64_t n :
       {1, 2, 3, 7, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000, 1023, 1024, 1025, 4097, 50257}) {
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

TEST_P(VectorRows, LayerNormOfHalf) {
  VectorHarness harness(kLayerNorm, {"x", "gamma", "y"}, kRowFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  auto half = [](float value) {
    _Float16 h = _Float16(value);
    uint16_t bits;
    memcpy(&bits, &h, 2);
    return bits;
  };
  auto wide = [](uint16_t bits) {
    _Float16 h;
    memcpy(&h, &bits, 2);
    return float(h);
  };
  for (int64_t n : {1, 2, 17, 31, 32, 33, 64, 100, 1000, 4096}) {
    constexpr int64_t m = 3;
    std::vector<uint16_t> x, gamma, y(m * n);
    for (float value : numbers(m * n, uint32_t(n)))
      x.push_back(half(value));
    for (float value : numbers(n, 99))
      gamma.push_back(half(value));
    float eps = 1e-5f;
    int64_t bits = 0;
    memcpy(&bits, &eps, 4);
    ASSERT_EQ(harness.run("layer_norm", {tensor(x), tensor(gamma), tensor(y)}, {1, m, n, m, bits}),
              0);
    for (int64_t i = 0; i < m; ++i) {
      double mean = 0, var = 0;
      for (int64_t j = 0; j < n; ++j)
        mean += wide(x[i * n + j]) / double(n);
      for (int64_t j = 0; j < n; ++j)
        var += std::pow(wide(x[i * n + j]) - mean, 2) / double(n);
      for (int64_t j = 0; j < n; ++j) {
        double expected = (wide(x[i * n + j]) - mean) / std::sqrt(var + eps) * wide(gamma[j]);
        ASSERT_NEAR(wide(y[i * n + j]), expected, 1e-4 + std::abs(expected) * 1e-3)
            << i << ", " << j;
      }
    }
  }
}

static std::string reduction(const std::string &key, const std::string &kept,
                             const std::string &iterators) {
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
    "block_num", "batch0", "batch1", "size0", "size1", "size2",
    "x_s0",      "x_s1",   "y_s0",   "y_s1",  "x_r0",  "block_length"};

// x [B0, R0, B1, K, R1] -> y [B0, B1, K] and x [B0, R0, B1, R1, K] -> y [B0, B1, K], R0 with a
// stride of its own.
TEST_P(VectorRows, ReductionsWithBatches) {
  for (bool columns : {false, true}) {
    VectorHarness harness(
        columns ? reduction("reduce_columns", "c", "\"reduction\", \"reduction\", \"parallel\"")
                : reduction("reduce_rows", "b", "\"reduction\", \"parallel\", \"reduction\""),
        {"x", "y"}, kReduceFields, {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (int64_t kept : {1, 5, 33, 130, 2050})
      for (int64_t inner : {1, 3, 4, 64, 201}) {
        int64_t b0 = 2, r0 = 3, b1 = 2, k = kept, r1 = inner;
        std::vector<float> x = numbers(b0 * r0 * b1 * k * r1, uint32_t(kept * inner)),
                           y(b0 * b1 * k, -7.0f);
        int64_t plane = k * r1;
        std::vector<int64_t> tiling = {
            9,      b0, b1,         r0, columns ? r1 : k, columns ? k : r1, r0 * b1 * plane, plane,
            b1 * k, k,  b1 * plane, 7};
        ASSERT_EQ(harness.run("reduce", {tensor(x), tensor(y)}, tiling, 0, 1 << 20), 0);
        for (int64_t i = 0; i < b0; ++i)
          for (int64_t j = 0; j < b1; ++j)
            for (int64_t c = 0; c < k; ++c) {
              double sum = 0;
              for (int64_t p = 0; p < r0; ++p)
                for (int64_t q = 0; q < r1; ++q)
                  sum += x[((i * r0 + p) * b1 + j) * plane + (columns ? q * k + c : c * r1 + q)];
              ASSERT_NEAR(y[(i * b1 + j) * k + c], sum / 2, 1e-4)
                  << columns << " " << kept << " " << inner;
            }
      }
    // Sizes that lead out are refused, whichever field says so.
    std::vector<float> x(1000), y(10);
    std::vector<int64_t> good = {1, 1, 1,   2, columns ? 50 : 10, columns ? 10 : 50, 0, 0,
                                 0, 0, 500, 10};
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
    // Nothing to add up gives half of nothing; nothing to keep gives nothing.
    std::vector<int64_t> empty = good;
    empty[3] = 0;
    y.assign(10, -7.0f);
    EXPECT_EQ(harness.run("reduce", {{x.data(), 0}, tensor(y)}, empty), 0);
    EXPECT_EQ(y, std::vector<float>(10, 0.0f));
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorRows, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
