// Sorted lines: their first elements against std::stable_sort, for lines that a sample describes well, and for lines
// that mislead it.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace opc;
using namespace opc::test;

namespace {

class VectorSort : public LevelTest {};

/// The first elements of the lines of x along n, in order, and their indices.
std::string kernel(bool descending) {
  const std::string sort = std::string("te.sort %p along N to K ") + (descending ? "descending " : "");
  return "func.func @k(%x: memref<?x?xf32> {te.sorted}, %v: memref<?x?xf32>, %i: memref<?x?xi32>) attributes "
         "{te.kernel, te.shape_key = \"sorted\"} {\n"
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
         "%t = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>\n"
         "%m = tensor.dim %t, %c0 : tensor<?x?xf32>\n%n = tensor.dim %t, %c1 : tensor<?x?xf32>\n"
         "%e = tensor.empty(%m, %n) : tensor<?x?xf32>\n%f = tensor.empty(%m, %n) : tensor<?x?xi32>\n"
         "%o:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, "
         "affine_map<(m, n) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%t : tensor<?x?xf32>) "
         "outs(%e, %f : tensor<?x?xf32>, tensor<?x?xi32>) {\n^bb0(%p: f32, %a: f32, %b: i32):\n%r = " +
         sort + "loop 1\n%s = " + sort +
         "places loop 1\nlinalg.yield %r, %s : f32, i32\n} -> (tensor<?x?xf32>, tensor<?x?xi32>)\n"
         "bufferization.materialize_in_destination %o#0 in restrict writable %v : (tensor<?x?xf32>, memref<?x?xf32>) "
         "-> "
         "()\nbufferization.materialize_in_destination %o#1 in restrict writable %i : (tensor<?x?xi32>, "
         "memref<?x?xi32>) -> ()\nreturn\n}\n";
}

const std::vector<std::string> kFields = {"block_num", "block_length", "size0",  "size1",   "batch0", "batch1",
                                          "x_m",       "x_n",          "x_step", "x_count", "v_m",    "i_m"};

/// Runs a line of x, and compares the first k elements.
void check(const VectorHarness &harness, const std::vector<float> &x, int64_t k, bool descending, const char *what) {
  const auto n = int64_t(x.size());
  const std::map<std::string, int64_t> values = {{"block_num", 1}, {"block_length", 1}, {"size0", 1}, {"size1", k},
                                                 {"batch0", 1},    {"batch1", 1},       {"x_m", n},   {"x_n", 0},
                                                 {"x_step", 1},    {"x_count", n},      {"v_m", k},   {"i_m", k}};
  std::vector<int64_t> tiling;
  for (const std::string &field : kFields)
    tiling.push_back(values.at(field));
  std::vector<float> found(size_t(k), -77.0f);
  std::vector<int32_t> places(size_t(k), -77);
  ASSERT_EQ(harness.run("k", {tensor(x), tensor(found), tensor(places)}, tiling), 0) << what;
  std::vector<int32_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  // NaN is greater than any number.
  auto less = [&](int32_t a, int32_t b) {
    const float p = x[size_t(a)], q = x[size_t(b)];
    return std::isnan(q) ? !std::isnan(p) : p < q;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return descending ? less(b, a) : less(a, b); });
  for (size_t i = 0; i < size_t(k); ++i) {
    ASSERT_EQ(places[i], order[i]) << what << ", " << i << " of " << k << " of " << n;
    const float own = x[size_t(order[i])];
    ASSERT_TRUE(found[i] == own || (std::isnan(found[i]) && std::isnan(own))) << what << ", " << i;
  }
}

} // namespace

TEST_P(VectorSort, WhatASampleSays) {
  for (bool descending : {false, true}) {
    VectorHarness harness(kernel(descending), {"x", "v", "i"}, kFields, {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (auto [n, k] : std::vector<std::pair<int64_t, int64_t>>{{1, 1},
                                                                {300, 128},
                                                                {511, 128},
                                                                {512, 128},
                                                                {600, 127},
                                                                {8400, 300},
                                                                {40000, 129},
                                                                {16500, 4096},
                                                                {20001, 5000}}) {
      const int64_t distance = std::max<int64_t>(n / 256, 1);
      std::vector<float> random, few, rising, falling, low, high, same(size_t(n), 2.0f), numbersAndNaN;
      uint32_t seed = 3;
      for (int64_t i = 0; i < n; ++i) {
        seed = seed * 1664525u + 1013904223u;
        random.push_back(float(int32_t(seed)) * 0x1p-20f);
        few.push_back(float(seed >> 30));
        rising.push_back(float(i));
        falling.push_back(float(-i));
        // All elements of the sample are the least of the line, or the greatest.
        low.push_back(i % distance ? 1.0f + float(seed >> 16) : -float(seed >> 8));
        high.push_back(-low.back());
        numbersAndNaN.push_back(seed >> 31 ? NAN : float(seed >> 8));
      }
      check(harness, random, k, descending, "random");
      check(harness, few, k, descending, "few values");
      check(harness, rising, k, descending, "rising");
      check(harness, falling, k, descending, "falling");
      check(harness, low, k, descending, "a low sample");
      check(harness, high, k, descending, "a high sample");
      check(harness, same, k, descending, "one value");
      check(harness, numbersAndNaN, k, descending, "NaN");
      check(harness, std::vector<float>(size_t(n), NAN), k, descending, "NaN alone");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorSort, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
