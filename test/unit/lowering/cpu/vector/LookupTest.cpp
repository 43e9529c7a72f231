// Elements at computed places: each way of `beyond` for each index, neighbours and others, rows as they lie; tiling
// data that leads outside of tensors.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "runtime/program/opc_kernel_library.h"

#include <gtest/gtest.h>

#include <map>

using namespace opc;
using namespace opc::test;

namespace {

/// y[m, n] = t[place of p[n]], or t[place of p[m], n] if `ofRows`, indices of i32 or i64.
std::string kernel(bool ofRows, const std::string &type, const std::string &beyond) {
  const std::string p = ofRows ? "?x1" : "1x?", t = ofRows ? "1x?" : "1x1";
  const std::string mapP = ofRows ? "(m, n) -> (m, 0)" : "(m, n) -> (0, n)";
  const std::string mapT = ofRows ? "(m, n) -> (0, n)" : "(m, n) -> (0, 0)";
  return "func.func @k(%m_t: memref<" + t + "xf32> {te.places = [\"V\"]}, %m_p: memref<" + p + "x" + type +
         ">, %m_y: memref<?x?xf32>) attributes {te.kernel, te.shape_key = \"lookup\"} {\n"
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
         "%t = bufferization.to_tensor %m_t restrict : memref<" +
         t + "xf32> to tensor<" + t +
         "xf32>\n"
         "%p = bufferization.to_tensor %m_p restrict : memref<" +
         p + "x" + type + "> to tensor<" + p + "x" + type +
         ">\n%m = memref.dim %m_y, %c0 : memref<?x?xf32>\n%n = memref.dim %m_y, %c1 : memref<?x?xf32>\n"
         "%e = tensor.empty(%m, %n) : tensor<?x?xf32>\n"
         "%o = linalg.generic {indexing_maps = [affine_map<" +
         mapT + ">, affine_map<" + mapP +
         ">, affine_map<(m, n) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%t, %p : tensor<" + t +
         "xf32>, tensor<" + p + "x" + type + ">) outs(%e : tensor<?x?xf32>) {\n^bb0(%x: f32, %i: " + type +
         ", %old: f32):\n%r = te.gather %x, %i along V beyond " + beyond +
         "\nlinalg.yield %r : f32\n} -> tensor<?x?xf32>\n"
         "bufferization.materialize_in_destination %o in restrict writable %m_y : (tensor<?x?xf32>, "
         "memref<?x?xf32>) -> ()\nreturn\n}\n";
}

/// y[m, n] = t[2m - 3, w] - t[m + n - 4, w] + (n / 2 + 1) - (m / 4 + 2) + (n < 1026 + m ? 1 : 2), with w = 1 - n / 3
/// and the nearest place.
const std::string kOfPositions =
    "func.func @k(%m_t: memref<1x1xf32> {te.places = [\"H\", \"W\"]}, %m_y: memref<?x?xf32>) attributes {te.kernel, "
    "te.shape_key = \"lookup\"} {\n"
    "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%i1 = arith.constant 1 : i32\n"
    "%i2 = arith.constant 2 : i32\n%i3 = arith.constant 3 : i32\n%half = arith.constant 0.5 : f32\n"
    "%quarter = arith.constant 0.25 : f32\n%one = arith.constant 1.0 : f32\n%two = arith.constant 2.0 : f32\n"
    "%t = bufferization.to_tensor %m_t restrict : memref<1x1xf32> to tensor<1x1xf32>\n"
    "%m = memref.dim %m_y, %c0 : memref<?x?xf32>\n%n = memref.dim %m_y, %c1 : memref<?x?xf32>\n"
    "%e = tensor.empty(%m, %n) : tensor<?x?xf32>\n"
    "%o = linalg.generic {indexing_maps = [affine_map<(m, n) -> (0, 0)>, affine_map<(m, n) -> (m, n)>], iterator_types "
    "= [\"parallel\", \"parallel\"]} ins(%t : tensor<1x1xf32>) outs(%e : tensor<?x?xf32>) {\n^bb0(%x: f32, %old: "
    "f32):\n"
    "%mi = linalg.index 0 {te.loop = 0 : i64} : index\n%mj = arith.index_cast %mi : index to i32\n"
    "%ni = linalg.index 1 {te.loop = 1 : i64} : index\n%nj = arith.index_cast %ni : index to i32\n"
    "%m2 = arith.muli %mj, %i2 : i32\n%h = arith.subi %m2, %i3 : i32\n%n3 = arith.divsi %nj, %i3 : i32\n"
    "%w = arith.subi %i1, %n3 : i32\n%a = te.gather %x, %h, %w along H, W\n"
    "%nf = arith.sitofp %nj : i32 to f32\n%nh = arith.mulf %nf, %half : f32\n%nv = arith.addf %nh, %one : f32\n"
    "%mf = arith.sitofp %mj : i32 to f32\n%mq = arith.mulf %mf, %quarter : f32\n%mv = arith.addf %mq, %two : f32\n"
    "%s = arith.addf %a, %nv : f32\n%d = arith.subf %s, %mv : f32\n"
    "%far = arith.constant 1026 : i32\n%at = arith.addi %mj, %far : i32\n%is = arith.cmpi slt, %nj, %at : i32\n"
    "%z = arith.select %is, %one, %two : f32\n%q = arith.addf %d, %z : f32\n"
    "%four = arith.constant 4 : i32\n%both = arith.addi %mj, %nj : i32\n%u = arith.subi %both, %four : i32\n"
    "%v = te.gather %x, %u, %w along H, W\n%r = arith.subf %q, %v : f32\n"
    "linalg.yield %r : f32\n} -> tensor<?x?xf32>\n"
    "bufferization.materialize_in_destination %o in restrict writable %m_y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()\n"
    "return\n}\n";

const std::vector<std::string> kPositionFields = {"block_num", "block_length", "size0", "size1", "batch0",  "batch1",
                                                  "t_s0",      "t_s1",         "t_m",   "t_n",   "t_step0", "t_count0",
                                                  "t_step1",   "t_count1",     "y_s0",  "y_s1",  "y_m"};

const std::vector<std::string> kFields = {"block_num", "block_length", "size0", "size1", "batch0",  "batch1",
                                          "t_s0",      "t_s1",         "t_m",   "t_n",   "t_step0", "t_count0",
                                          "p_s0",      "p_s1",         "p_m",   "y_s0",  "y_s1",    "y_m"};

std::vector<int64_t> tilingOf(const std::map<std::string, int64_t> &values,
                              const std::vector<std::string> &fields = kFields) {
  std::vector<int64_t> tiling;
  for (const std::string &field : fields) {
    auto found = values.find(field);
    tiling.push_back(found == values.end() ? 0 : found->second);
  }
  return tiling;
}

std::map<std::string, int64_t> sizesOf(int64_t m, int64_t n, int64_t count) {
  return {{"block_num", 1}, {"block_length", m}, {"size0", m},        {"size1", n}, {"batch0", 1},
          {"batch1", 1},    {"t_step0", 1},      {"t_count0", count}, {"y_m", n}};
}

/// Where `index` leads among `count` places, in a way of its own: step by step.
int64_t placeOf(int64_t index, int64_t count, const std::string &beyond) {
  if (beyond == "from_end" && index < 0)
    index += count;
  if (beyond == "wrap")
    return ((index % count) + count) % count;
  if (beyond == "reflect") {
    if (count == 1)
      return 0;
    const int64_t period = 2 * count - 2, turn = ((index % period) + period) % period;
    return turn < count ? turn : period - turn;
  }
  return index < 0 ? 0 : index >= count ? count - 1 : index;
}

template <typename T> std::vector<T> indicesOf(size_t n) {
  std::vector<T> indices;
  // Runs of neighbours, those beside the ends, and numbers whose negation, sum or double has no place in their type.
  for (size_t i = 0; i < n; ++i)
    indices.push_back(i % 64 < 40 ? T(i % 40) - 9 : T(i * 7 % 90) - 45);
  const T wide[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), std::numeric_limits<T>::min() + 1,
                    std::numeric_limits<T>::max() - 1};
  for (size_t i = 0; i < 4 && i < n / 16; ++i)
    indices[n / 2 + 3 * i] = wide[i];
  return indices;
}

std::vector<float> tableOf(int64_t elements) {
  std::vector<float> table;
  for (int64_t i = 0; i < elements; ++i)
    table.push_back(float(i) * 0.5f - 4);
  return table;
}

} // namespace

class VectorLookup : public LevelTest {
protected:
  template <typename T> void everyWay(const std::string &type) {
    for (const std::string beyond : {"nearest", "from_end", "reflect", "wrap"}) {
      VectorHarness harness(kernel(false, type, beyond), {"t", "p", "y"}, kFields, {GetParam()});
      ASSERT_TRUE(harness.ready()) << harness.errors();
      for (int64_t count : {1, 2, 5, 31})
        for (size_t n : {1, 3, 8, 33, 130}) {
          std::vector<float> table = tableOf(count), y(2 * n + 16, -77.0f);
          std::vector<T> indices = indicesOf<T>(n);
          ASSERT_EQ(harness.run("k", {tensor(table), tensor(indices), {y.data(), int64_t(y.size()) - 16}},
                                tilingOf(sizesOf(2, int64_t(n), count))),
                    0);
          for (size_t i = 0; i < y.size(); ++i)
            ASSERT_EQ(y[i], i < 2 * n ? table[size_t(placeOf(int64_t(indices[i % n]), count, beyond))] : -77.0f)
                << beyond << " " << count << " " << n << " " << i << ": " << int64_t(indices[i % n]);
        }
    }
  }
};

// An index that is no place would be an address, and one whose negation overflows a wrong place.
TEST_P(VectorLookup, EveryIndex) {
  everyWay<int32_t>("i32");
  everyWay<int64_t>("i64");
}

// Rows are read as they lie, or column by column where the table has a distance between columns.
TEST_P(VectorLookup, Rows) {
  VectorHarness harness(kernel(true, "i32", "from_end"), {"t", "p", "y"}, kFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  const std::vector<int32_t> indices = {0, 4, -1, 2, -5, 9, -9};
  for (int64_t n : {1, 7, 8, 33, 70})
    for (bool isTurned : {false, true}) {
      std::vector<float> table = tableOf(5 * n), y(7 * size_t(n), -77.0f);
      std::map<std::string, int64_t> fields = sizesOf(7, n, 5);
      fields["t_step0"] = isTurned ? 1 : n;
      fields["t_n"] = isTurned ? 5 : 1;
      fields["p_m"] = 1;
      ASSERT_EQ(harness.run("k", {tensor(table), tensor(indices), tensor(y)}, tilingOf(fields)), 0);
      for (size_t i = 0; i < y.size(); ++i) {
        const auto row = size_t(placeOf(indices[i / size_t(n)], 5, "from_end")), column = i % size_t(n);
        ASSERT_EQ(y[i], table[isTurned ? column * 5 + row : row * size_t(n) + column]) << n << " " << i;
      }
    }
}

// Values that depend only on the row or on the column are computed once for each; columns in pieces of 1024.
TEST_P(VectorLookup, OfPositions) {
  VectorHarness harness(kOfPositions, {"t", "y"}, kPositionFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  const std::vector<float> table = tableOf(4 * 2);
  for (int64_t m : {1, 5})
    for (int64_t n : {1, 7, 16, 1023, 1024, 1025, 1031, 2100}) {
      std::map<std::string, int64_t> fields = {{"block_num", 1}, {"block_length", m}, {"size0", m},   {"size1", n},
                                               {"batch0", 1},    {"batch1", 1},       {"t_step0", 2}, {"t_count0", 4},
                                               {"t_step1", 1},   {"t_count1", 2},     {"y_m", n}};
      std::vector<float> y(size_t(m * n) + 16, -77.0f);
      ASSERT_EQ(harness.run("k", {tensor(table), {y.data(), m * n}}, tilingOf(fields, kPositionFields)), 0);
      for (int64_t i = 0; i < int64_t(y.size()); ++i) {
        const int64_t row = i / n, column = i % n;
        auto at = [&](int64_t h) {
          return table[size_t(placeOf(h, 4, "nearest") * 2 + placeOf(1 - column / 3, 2, "nearest"))];
        };
        const float wanted = at(2 * row - 3) + (float(column) / 2 + 1) - (float(row) / 4 + 2) +
                             (column < 1026 + row ? 1 : 2) - at(row + column - 4);
        ASSERT_EQ(y[size_t(i)], i < m * n ? wanted : -77.0f) << m << " " << n << " " << i;
      }
    }
}

// Without rows no index is read, and there may be none.
TEST_P(VectorLookup, NoRows) {
  VectorHarness harness(kernel(false, "i32", "nearest"), {"t", "p", "y"}, kFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<float> table = tableOf(5), y;
  const std::vector<int32_t> indices;
  EXPECT_EQ(harness.run("k", {tensor(table), tensor(indices), tensor(y)}, tilingOf(sizesOf(0, 5, 5))), 0);
  EXPECT_EQ(harness.run("k", {tensor(table), tensor(indices), tensor(y)}, tilingOf(sizesOf(1, 5, 5))),
            OPC_KERNEL_OUTSIDE_TENSOR);
}

// A wrong size would be an address.
TEST_P(VectorLookup, HoldsSizesAgainstTensors) {
  VectorHarness harness(kernel(true, "i32", "nearest"), {"t", "p", "y"}, kFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<float> table = tableOf(5 * 40);
  const std::vector<int32_t> indices(10, 3);
  auto status = [&](const std::string &name, int64_t value, bool &written) {
    std::vector<float> y(10 * 40, -77.0f);
    std::map<std::string, int64_t> fields = sizesOf(10, 40, 5);
    fields["t_step0"] = 40;
    fields["t_n"] = 1;
    fields["p_m"] = 1;
    fields[name] = value;
    int32_t result = harness.run("k", {tensor(table), tensor(indices), tensor(y)}, tilingOf(fields));
    written = y != std::vector<float>(10 * 40, -77.0f);
    return result;
  };
  bool written = false;
  EXPECT_EQ(status("t_n", 1, written), 0);
  EXPECT_TRUE(written);
  for (const auto &[name, value] : std::vector<std::pair<std::string, int64_t>>{{"size0", 11},
                                                                                {"size0", -1},
                                                                                {"size1", 41},
                                                                                {"size1", INT64_MAX},
                                                                                {"t_count0", 6},
                                                                                {"t_count0", 0},
                                                                                {"t_count0", -1},
                                                                                {"t_count0", INT64_MAX},
                                                                                {"t_step0", 41},
                                                                                {"t_step0", -1},
                                                                                {"t_step0", INT64_MAX},
                                                                                {"t_n", 2},
                                                                                {"t_n", -1},
                                                                                {"p_m", 2},
                                                                                {"p_m", -1},
                                                                                {"y_m", 41},
                                                                                {"y_m", -40},
                                                                                {"batch0", 1 << 20},
                                                                                {"batch1", 2}}) {
    EXPECT_EQ(status(name, value, written), OPC_KERNEL_OUTSIDE_TENSOR) << name << " = " << value;
    EXPECT_FALSE(written) << name << " = " << value;
  }
  EXPECT_EQ(status("t_count0", 1, written), 0);
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorLookup, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param == "x86-64-v3" ? "v3" : "v4"; });
