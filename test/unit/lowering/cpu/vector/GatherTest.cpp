// Gathers: rows longer and shorter than a vector, elements, functions of them; indices that are no places; tiling data
// that leads outside of tensors.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "runtime/program/opc_kernel_library.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

using namespace opc;
using namespace opc::test;

namespace {

/// A kernel y = f(t[p]) over (m, n), with indices for each row, or for each element if `ofElements`.
std::string kernel(bool ofElements, bool fromEnd, const std::string &payload) {
  const std::string p = ofElements ? "1x?" : "?x1";
  return "func.func @k(%m_t: memref<?x?xf32> {te.gathered_by = \"p\"" + std::string(fromEnd ? ", te.from_end" : "") +
         "}, %m_p: memref<" + p +
         "xi32> {te.name = \"p\"}, %m_y: memref<?x?xf32>) attributes {te.kernel, te.shape_key = \"gather\"} {\n"
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
         "%t = bufferization.to_tensor %m_t restrict : memref<?x?xf32> to tensor<?x?xf32>\n"
         "%m = tensor.dim %t, %c0 : tensor<?x?xf32>\n%n = tensor.dim %t, %c1 : tensor<?x?xf32>\n"
         "%e = tensor.empty(%m, %n) : tensor<?x?xf32>\n"
         "%o = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], "
         "iterator_types = [\"parallel\", \"parallel\"]} ins(%t : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {\n"
         "^bb0(%x: f32, %old: f32):\n" +
         payload + (payload.empty() ? "linalg.yield %x" : "linalg.yield %r") +
         " : f32\n} -> tensor<?x?xf32>\n"
         "bufferization.materialize_in_destination %o in restrict writable %m_y : (tensor<?x?xf32>, "
         "memref<?x?xf32>) -> ()\nreturn\n}\n";
}

const std::string kCopy = "%one = arith.constant 1.0 : f32\n%r = arith.mulf %x, %one : f32\n";
const std::string kMove; // of an element, which nothing is computed from
const std::string kFunctions =
    "%a = math.exp %x : f32\n%b = math.tanh %x : f32\n%c = math.sin %x : f32\n%ab = arith.addf %a, %b : f32\n"
    "%r = arith.addf %ab, %c : f32\n";

const std::vector<std::string> kFields = {"block_num", "block_length", "size0", "size1", "batch0", "batch1",
                                          "t_s0",      "t_s1",         "t_m",   "t_n",   "t_step", "t_count",
                                          "p_s0",      "p_s1",         "p_m",   "y_s0",  "y_s1",   "y_m"};

std::vector<int64_t> tilingOf(const std::map<std::string, int64_t> &values) {
  std::vector<int64_t> tiling;
  for (const std::string &field : kFields) {
    auto found = values.find(field);
    tiling.push_back(found == values.end() ? 0 : found->second);
  }
  return tiling;
}

/// A table of `count` rows of `n` elements, and `m` rows of the result.
std::map<std::string, int64_t> rowsOf(int64_t count, int64_t n, int64_t m) {
  return {{"block_num", 1}, {"block_length", m}, {"size0", m}, {"size1", n}, {"batch0", 1}, {"batch1", 1},
          {"t_step", n},    {"t_count", count},  {"t_n", 1},   {"p_m", 1},   {"y_m", n}};
}

std::vector<float> tableOf(int64_t elements) {
  std::vector<float> table;
  for (int64_t i = 0; i < elements; ++i)
    table.push_back(float(i % 97) * 0.125f - 4);
  return table;
}

const std::vector<int32_t> kPlaces = {0, 2, 4, -1, 5, INT32_MIN, INT32_MAX, -5, -6, 1};
// Of a table of five.
const std::vector<size_t> kFromStart = {0, 2, 4, 0, 4, 0, 4, 0, 0, 1}, kFromEnd = {0, 2, 4, 4, 4, 0, 4, 0, 0, 1};

} // namespace

class VectorGather : public LevelTest {};

// An index that is no place would be read beyond the table, and rows that are no multiple of a vector beyond the row.
TEST_P(VectorGather, RowsOfAnyLength) {
  for (const std::string &payload : {kCopy, kMove})
    for (bool fromEnd : {false, true}) {
      VectorHarness harness(kernel(false, fromEnd, payload), {"t", "p", "y"}, kFields, {GetParam()});
      ASSERT_TRUE(harness.ready()) << harness.errors();
      const std::vector<size_t> &places = fromEnd ? kFromEnd : kFromStart;
      for (int64_t n : {1, 2, 7, 8, 15, 16, 31, 33, 64, 130, 9001}) {
        std::vector<float> table = tableOf(5 * n), y(kPlaces.size() * size_t(n) + 16, -77.0f);
        std::map<std::string, int64_t> fields = rowsOf(5, n, int64_t(kPlaces.size()));
        // Blocks of three rows, in any order, with and without non-temporal stores.
        fields["block_length"] = 3;
        fields["block_num"] = 4;
        for (int64_t block : {2, 0, 3, 1})
          ASSERT_EQ(harness.run("k", {tensor(table), tensor(kPlaces), {y.data(), int64_t(y.size()) - 16}},
                                tilingOf(fields), block, block + 1, block % 2 ? 0 : int64_t(1) << 40),
                    0);
        for (size_t i = 0; i < y.size(); ++i)
          ASSERT_EQ(y[i],
                    i / size_t(n) < places.size() ? table[places[i / size_t(n)] * size_t(n) + i % size_t(n)] : -77.0f)
              << n << " " << i;
      }
    }
}

// Functions are computed alike in the planes of whole vectors and of one element.
TEST_P(VectorGather, FunctionsOfShortRows) {
  VectorHarness harness(kernel(false, false, kFunctions), {"t", "p", "y"}, kFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<float> table = tableOf(5 * 64), whole(10 * 64), narrow(10 * 3);
  ASSERT_EQ(harness.run("k", {tensor(table), tensor(kPlaces), tensor(whole)}, tilingOf(rowsOf(5, 64, 10))), 0);
  // Three columns of the same rows.
  std::map<std::string, int64_t> fields = rowsOf(5, 3, 10);
  fields["t_step"] = 64;
  ASSERT_EQ(harness.run("k", {tensor(table), tensor(kPlaces), tensor(narrow)}, tilingOf(fields)), 0);
  for (size_t i = 0; i < narrow.size(); ++i) {
    EXPECT_EQ(narrow[i], whole[i / 3 * 64 + i % 3]) << i;
    const double x = table[kFromStart[i / 3] * 64 + i % 3];
    EXPECT_NEAR(narrow[i], std::exp(x) + std::tanh(x) + std::sin(x), 1e-4 * (1 + std::exp(x))) << i;
  }
}

// Elements go through a buffer, in pieces of it.
TEST_P(VectorGather, Elements) {
  VectorHarness harness(kernel(true, true, kMove), {"t", "p", "y"}, kFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  for (size_t n : {1, 3, 8, 33, 1023, 1024, 1025, 2500}) {
    std::vector<int32_t> places;
    for (size_t i = 0; i < n; ++i)
      places.push_back(kPlaces[i % kPlaces.size()]);
    std::vector<float> table = tableOf(2 * 5), y(2 * n + 16, -77.0f);
    ASSERT_EQ(harness.run("k", {tensor(table), tensor(places), {y.data(), int64_t(y.size()) - 16}},
                          tilingOf({{"block_num", 1},
                                    {"block_length", 2},
                                    {"size0", 2},
                                    {"size1", int64_t(n)},
                                    {"batch0", 1},
                                    {"batch1", 1},
                                    {"t_m", 5},
                                    {"t_step", 1},
                                    {"t_count", 5},
                                    {"y_m", int64_t(n)}})),
              0);
    for (size_t i = 0; i < y.size(); ++i)
      ASSERT_EQ(y[i], i < 2 * n ? table[i / n * 5 + kFromEnd[i % n % kPlaces.size()]] : -77.0f) << n << " " << i;
  }
}

// A wrong size would be an address.
TEST_P(VectorGather, HoldsSizesAgainstTensors) {
  VectorHarness harness(kernel(false, false, kCopy), {"t", "p", "y"}, kFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<float> table = tableOf(5 * 40);
  auto status = [&](const std::map<std::string, int64_t> &changes, bool &written) {
    std::vector<float> y(10 * 40, -77.0f);
    std::map<std::string, int64_t> fields = rowsOf(5, 40, 10);
    for (const auto &[name, value] : changes)
      fields[name] = value;
    int32_t result = harness.run("k", {tensor(table), tensor(kPlaces), tensor(y)}, tilingOf(fields));
    written = y != std::vector<float>(10 * 40, -77.0f);
    return result;
  };
  bool written = false;
  EXPECT_EQ(status({}, written), 0);
  EXPECT_TRUE(written);
  for (const auto &[name, value] : std::vector<std::pair<std::string, int64_t>>{
           {"size0", 11},  {"size0", -1},  {"size1", 41},         {"size1", INT64_MAX},
           {"t_count", 6}, {"t_count", 0}, {"t_count", -1},       {"t_count", INT64_MAX},
           {"t_step", 41}, {"t_step", -1}, {"t_step", INT64_MAX}, {"t_m", 1},
           {"t_m", -1},    {"t_n", 2},     {"t_n", -1},           {"p_m", 2},
           {"p_m", -1},    {"y_m", 41},    {"y_m", -40},          {"batch0", 1 << 20},
           {"batch1", 2}}) {
    EXPECT_EQ(status({{name, value}}, written), OPC_KERNEL_OUTSIDE_TENSOR) << name << " = " << value;
    EXPECT_FALSE(written) << name << " = " << value;
  }
  // Columns at no distance: the last row would begin in the table and end past it.
  EXPECT_EQ(status({{"t_n", 0}, {"t_step", 49}}, written), OPC_KERNEL_OUTSIDE_TENSOR);
  EXPECT_FALSE(written);
  for (const auto &[name, value] :
       std::vector<std::pair<std::string, int64_t>>{{"block_length", 0}, {"block_length", INT64_MAX}, {"t_count", 1}})
    EXPECT_EQ(status({{name, value}}, written), 0) << name << " = " << value;
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorGather, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param == "x86-64-v3" ? "v3" : "v4"; });
