// Sorted lines: their first elements against std::stable_sort, for lines that a sample describes well, and for lines
// that mislead it.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <type_traits>

using namespace opc;
using namespace opc::test;

namespace {

class VectorSort : public LevelTest {};

/// The first elements of the lines of x along n, in order, and their indices.
std::string kernel(bool descending, const std::string &type = "f32", bool isUnsigned = false) {
  const std::string sort = std::string("te.sort %p along N to K ") + (descending ? "descending " : "");
  const std::string loop = std::string(isUnsigned ? "unsigned " : "") + "loop 1\n";
  std::string text =
      "func.func @k(%x: memref<?x?xT> {te.sorted}, %v: memref<?x?xT>, %i: memref<?x?xi32>) attributes "
      "{te.kernel, te.shape_key = \"sorted\"} {\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%t = bufferization.to_tensor %x restrict : memref<?x?xT> to tensor<?x?xT>\n"
      "%m = tensor.dim %t, %c0 : tensor<?x?xT>\n%n = tensor.dim %t, %c1 : tensor<?x?xT>\n"
      "%e = tensor.empty(%m, %n) : tensor<?x?xT>\n%f = tensor.empty(%m, %n) : tensor<?x?xi32>\n"
      "%o:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, "
      "affine_map<(m, n) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%t : tensor<?x?xT>) "
      "outs(%e, %f : tensor<?x?xT>, tensor<?x?xi32>) {\n^bb0(%p: T, %a: T, %b: i32):\n%r = " +
      sort + loop + "%s = " + sort + "places " + loop +
      "linalg.yield %r, %s : T, i32\n} -> (tensor<?x?xT>, tensor<?x?xi32>)\n"
      "bufferization.materialize_in_destination %o#0 in restrict writable %v : (tensor<?x?xT>, memref<?x?xT>) -> "
      "()\nbufferization.materialize_in_destination %o#1 in restrict writable %i : (tensor<?x?xi32>, "
      "memref<?x?xi32>) -> ()\nreturn\n}\n";
  for (size_t at = text.find('T'); at != std::string::npos; at = text.find('T', at + type.size()))
    text.replace(at, 1, type);
  return text;
}

const std::vector<std::string> kFields = {"block_num", "block_length", "size0",  "size1",   "batch0", "batch1",
                                          "x_m",       "x_n",          "x_step", "x_count", "v_m",    "i_m"};

/// Runs a line of x, and compares the first k elements.
template <typename T>
void check(const VectorHarness &harness, const std::vector<T> &x, int64_t k, bool descending, const char *what) {
  const auto n = int64_t(x.size());
  const std::map<std::string, int64_t> values = {{"block_num", 1}, {"block_length", 1}, {"size0", 1}, {"size1", k},
                                                 {"batch0", 1},    {"batch1", 1},       {"x_m", n},   {"x_n", 0},
                                                 {"x_step", 1},    {"x_count", n},      {"v_m", k},   {"i_m", k}};
  std::vector<int64_t> tiling;
  for (const std::string &field : kFields)
    tiling.push_back(values.at(field));
  std::vector<T> found(size_t(k), T(77));
  std::vector<int32_t> places(size_t(k), -77);
  ASSERT_EQ(harness.run("k", {tensor(x), tensor(found), tensor(places)}, tiling), 0) << what;
  std::vector<int32_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  // NaN is greater than any number.
  auto less = [&](int32_t a, int32_t b) {
    const T p = x[size_t(a)], q = x[size_t(b)];
    return std::isnan(q) ? !std::isnan(p) : p < q;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return descending ? less(b, a) : less(a, b); });
  for (size_t i = 0; i < size_t(k); ++i) {
    ASSERT_EQ(places[i], order[i]) << what << ", " << i << " of " << k << " of " << n;
    const T own = x[size_t(order[i])];
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

template <typename T> static void checkWhole(const std::string &level, const std::string &type) {
  const auto least = std::numeric_limits<T>::min(), greatest = std::numeric_limits<T>::max();
  const std::vector<T> few = {least, T(least + 1),    greatest,           T(greatest - 1), 0,
                              1,     T(greatest / 2), T(greatest / 2 + 1)};
  for (bool descending : {false, true}) {
    VectorHarness harness(kernel(descending, type, std::is_unsigned_v<T>), {"x", "v", "i"}, kFields, {level});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (auto [n, k] : std::vector<std::pair<int64_t, int64_t>>{{7, 7}, {600, 40}, {2100, 2049}, {9000, 5000}}) {
      std::vector<T> ends, wide;
      uint64_t seed = 5;
      for (int64_t i = 0; i < n; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        ends.push_back(few[size_t(seed >> 61)]);
        wide.push_back(T(seed ^ seed >> 32));
      }
      check(harness, ends, k, descending, "ends of the range");
      check(harness, wide, k, descending, "whole numbers");
      check(harness, std::vector<T>(size_t(n), descending ? least : greatest), k, descending, "the last number alone");
    }
  }
}

// What breaks without it: ranks of 64 bits are wider than a register, have shorter pieces, and signs of their own.
TEST_P(VectorSort, WholeNumbersToTheEndsOfTheirRange) {
  checkWhole<int64_t>(GetParam(), "i64");
  checkWhole<uint64_t>(GetParam(), "i64");
  checkWhole<uint32_t>(GetParam(), "i32");
  checkWhole<int8_t>(GetParam(), "i8");
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorSort, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
