// Kernels that compute nothing: rows of every length at every address, with and without non-temporal stores, of
// elements of every size; values that fill rows; several nests; and nothing written beside the rows.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

using namespace opc;
using namespace opc::test;

namespace {

class VectorMove : public LevelTest {};

const std::vector<std::string> kFields = {"block_num", "block_length", "size0", "size1", "batch0", "batch1",
                                          "x_s0",      "x_s1",         "x_m",   "y_s0",  "y_s1",   "y_m"};

/// y[m, n] = x[m, n], or x[m] for a shape of "?x1", of the key `strided`. `payload` makes %r of an element %p.
std::string movedRows(const std::string &type, const std::string &shape, const std::string &payload) {
  const std::string x = shape + "x" + type, y = "?x?x" + type;
  return "func.func @k(%x: memref<" + x + ">, %y: memref<" + y +
         ">) attributes {te.kernel, te.shape_key = \"strided\"} {\n"
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
         "%t = bufferization.to_tensor %x restrict : memref<" +
         x + "> to tensor<" + x + ">\n%m = memref.dim %y, %c0 : memref<" + y + ">\n%n = memref.dim %y, %c1 : memref<" +
         y + ">\n%e = tensor.empty(%m, %n) : tensor<" + y +
         ">\n%o = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, " + (shape == "?x1" ? "0" : "n") +
         ")>, affine_map<(m, n) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%t : tensor<" + x +
         ">) outs(%e : tensor<" + y + ">) {\n^bb0(%p: " + type + ", %old: " + type + "):\n" + payload +
         "linalg.yield " + (payload.empty() ? "%p" : "%r") + " : " + type + "\n} -> tensor<" + y +
         ">\nbufferization.materialize_in_destination %o in restrict writable %y : (tensor<" + y + ">, memref<" + y +
         ">) -> ()\nreturn\n}\n";
}

/// y[m, n] = 1 and a half.
std::string filledRows(const std::string &type) {
  const std::string y = "?x?x" + type;
  return "func.func @k(%y: memref<" + y +
         ">) attributes {te.kernel, te.shape_key = \"strided\"} {\n"
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%v = arith.constant 1.5 : f32\n"
         "%m = memref.dim %y, %c0 : memref<" +
         y + ">\n%n = memref.dim %y, %c1 : memref<" + y + ">\n%e = tensor.empty(%m, %n) : tensor<" + y +
         ">\n%o = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = [\"parallel\", "
         "\"parallel\"]} outs(%e : tensor<" +
         y + ">) {\n^bb0(%old: " + type + "):\n" +
         (type == "f32" ? "" : "%r = arith.truncf %v : f32 to " + type + "\n") + "linalg.yield " +
         (type == "f32" ? "%v" : "%r") + " : " + type + "\n} -> tensor<" + y +
         ">\nbufferization.materialize_in_destination %o in restrict writable %y : (tensor<" + y + ">, memref<" + y +
         ">) -> ()\nreturn\n}\n";
}

struct Rows {
  int64_t m, n, toDistance, fromDistance; ///< in elements
};

std::vector<int64_t> tilingOf(const Rows &rows) {
  const std::map<std::string, int64_t> values = {
      {"block_num", 1}, {"block_length", rows.m * rows.n}, {"size0", rows.m},       {"size1", rows.n}, {"batch0", 1},
      {"batch1", 1},    {"x_m", rows.fromDistance},        {"y_m", rows.toDistance}};
  std::vector<int64_t> tiling;
  for (const std::string &name : kFields)
    tiling.push_back(values.count(name) ? values.at(name) : 0);
  return tiling;
}

/// Runs a kernel on rows whose output begins `shift` elements after an aligned address, and compares every byte of the
/// memory around them. `of` gives byte `i` of a row of the output.
template <typename Byte>
void check(const VectorHarness &harness, std::vector<uint8_t> *x, int64_t bytes, const Rows &rows, int64_t shift,
           int64_t threshold, Byte of) {
  const int64_t before = 64 + shift * bytes, length = ((rows.m - 1) * rows.toDistance + rows.n) * bytes;
  std::vector<uint8_t> memory(size_t(before + length + 192), 0xa5);
  uint8_t *begin = memory.data() + (-reinterpret_cast<uintptr_t>(memory.data()) & 63) + before;
  std::vector<VectorHarness::Tensor> tensors;
  if (x)
    tensors.push_back({x->data(), int64_t(x->size()) / bytes});
  tensors.push_back({begin, length / bytes});
  ASSERT_EQ(harness.run("k", tensors, tilingOf(rows), 0, 1, threshold), 0);
  std::vector<uint8_t> expected(memory.size(), 0xa5);
  for (int64_t row = 0; row < rows.m; ++row)
    for (int64_t i = 0; i < rows.n * bytes; ++i)
      expected[size_t(begin - memory.data() + row * rows.toDistance * bytes + i)] = of(row, i);
  ASSERT_TRUE(memory == expected) << rows.m << " rows of " << rows.n << " elements of " << bytes << " bytes, shift "
                                  << shift << ", threshold " << threshold;
}

std::vector<uint8_t> noise(int64_t bytes) {
  std::vector<uint8_t> values;
  uint32_t seed = 7;
  for (int64_t i = 0; i < bytes; ++i)
    values.push_back(uint8_t((seed = seed * 1664525u + 1013904223u) >> 24));
  return values;
}

struct Case {
  std::string type;
  int64_t bytes;
};
const std::vector<Case> kCases = {{"i8", 1}, {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"i64", 8}};

/// Lengths in bytes: all up to three iterations and a line, which have every remainder, and a long row.
template <typename Body> void forEachLength(int64_t bytes, Body body) {
  for (int64_t n = 1; n * bytes <= 3 * 256 + 64; ++n)
    body(n);
  body(9001 / bytes);
}

} // namespace

// What breaks without it: bytes of a row's first and last line, or those of its neighbours.
TEST_P(VectorMove, RowsOfEveryLength) {
  for (const Case &one : kCases) {
    VectorHarness harness(movedRows(one.type, "?x?", ""), {"x", "y"}, kFields, {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    forEachLength(one.bytes, [&](int64_t n) {
      const Rows rows{3, n, n + n % 3, n + n % 5};
      std::vector<uint8_t> x = noise(((rows.m - 1) * rows.fromDistance + n) * one.bytes);
      auto of = [&](int64_t row, int64_t i) { return x[size_t(row * rows.fromDistance * one.bytes + i)]; };
      for (int64_t threshold : {int64_t(0), int64_t(1) << 40})
        for (int64_t shift : {int64_t(0), n * 7 % (64 / one.bytes)})
          check(harness, &x, one.bytes, rows, shift, threshold, of);
    });
  }
}

// What breaks without it: an end of a row at one of the 64 places in a line.
TEST_P(VectorMove, RowsAtEveryAddress) {
  VectorHarness harness(movedRows("i8", "?x?", ""), {"x", "y"}, kFields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  for (int64_t shift = 0; shift < 64; ++shift)
    for (int64_t n : {1, 3, 63, 64, 127, 255, 256, 300, 319, 320, 575}) {
      const Rows rows{2, n, n, n};
      std::vector<uint8_t> x = noise(2 * n);
      for (int64_t threshold : {int64_t(0), int64_t(1) << 40})
        check(harness, &x, 1, rows, shift, threshold, [&](int64_t row, int64_t i) { return x[size_t(row * n + i)]; });
    }
}

// What breaks without it: a value that is cut to another size than its element's.
TEST_P(VectorMove, RowsOfOneElement) {
  for (const Case &one : kCases) {
    VectorHarness harness(movedRows(one.type, "?x1", ""), {"x", "y"}, kFields, {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    std::vector<uint8_t> x = noise(3 * one.bytes);
    forEachLength(one.bytes, [&](int64_t n) {
      for (int64_t threshold : {int64_t(0), int64_t(1) << 40})
        check(harness, &x, one.bytes, {3, n, n + 1, 1}, n % 5, threshold,
              [&](int64_t row, int64_t i) { return x[size_t(row * one.bytes + i % one.bytes)]; });
    });
  }
}

TEST_P(VectorMove, Constants) {
  const std::map<std::string, std::vector<uint8_t>> values = {
      {"f32", {0, 0, 0xc0, 0x3f}}, {"f16", {0, 0x3e}}, {"bf16", {0xc0, 0x3f}}};
  for (const auto &entry : values) {
    const std::vector<uint8_t> &value = entry.second;
    const auto bytes = int64_t(value.size());
    VectorHarness harness(filledRows(entry.first), {"y"}, kFields, {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    forEachLength(bytes, [&](int64_t n) {
      for (int64_t threshold : {int64_t(0), int64_t(1) << 40})
        check(harness, nullptr, bytes, {3, n, n + 2, 0}, n % 7, threshold,
              [&](int64_t, int64_t i) { return value[size_t(i % bytes)]; });
    });
  }
}

// Halves that are moved by way of float32 keep all bits, those of signalling NaN too. What is computed is no move.
TEST_P(VectorMove, HalvesByWayOfFloat) {
  for (bool negates : {false, true}) {
    const std::string payload = "%w = arith.extf %p : f16 to f32\n" +
                                std::string(negates ? "%q = arith.negf %w : f32\n" : "") + "%r = arith.truncf " +
                                (negates ? "%q" : "%w") + " : f32 to f16\n";
    VectorHarness harness(movedRows("f16", "?x?", payload), {"x", "y"}, kFields, {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    std::vector<uint8_t> x = negates ? std::vector<uint8_t>(2 * 300, 0x3c) : noise(2 * 300);
    check(harness, &x, 2, {1, 300, 300, 300}, 3, int64_t(1) << 40,
          [&](int64_t, int64_t i) { return uint8_t(x[size_t(i)] ^ (negates && i % 2 ? 0x80 : 0)); });
  }
}

// An output that begins where its input does stays what it is.
TEST_P(VectorMove, OntoItself) {
  VectorHarness moved(movedRows("f32", "?x?", ""), {"x", "y"}, kFields, {GetParam()});
  ASSERT_TRUE(moved.ready()) << moved.errors();
  for (int64_t n : {1, 5, 16, 100, 3001}) {
    std::vector<uint8_t> x = noise(4 * n), before = x;
    for (int64_t threshold : {int64_t(0), int64_t(1) << 40}) {
      const VectorHarness::Tensor same{x.data(), n};
      ASSERT_EQ(moved.run("k", {same, same}, tilingOf({1, n, n, n}), 0, 1, threshold), 0);
      ASSERT_TRUE(x == before) << n;
    }
  }
}

/// A nest that moves x[m, n] to the range of y that begins at y__n<number>_at.
static std::string nest(int number) {
  const std::string name = "__n" + std::to_string(number);
  std::string text = movedRows("f32", "?x?", "");
  auto replace = [&](const std::string &what, const std::string &by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace("@k", "@k" + name);
  replace("f32>, %y", "f32> {te.name = \"x" + name + "\", te.part_of = \"x\"}, %y");
  replace("f32>) attributes {te.kernel", "f32> {te.name = \"y" + name +
                                             "\", te.part_of = \"y\"}) attributes {te.kernel, "
                                             "te.nest = " +
                                             std::to_string(number) + " : i64");
  return text;
}

// A call runs nests in turns. What breaks without it: blocks that no turn has, of any division of a launch into calls,
// and a launch that does not end because its tiling data has many blocks.
TEST_P(VectorMove, NestsInTurns) {
  constexpr int64_t m = 37, n = 90, whole = 2 * n;
  struct Blocks {
    int64_t number, length;
  };
  const std::vector<std::string> of = {"_n0", "_n1"};
  std::vector<std::string> fields;
  for (const std::string &number : of)
    for (const char *field : {"block_num", "block_length", "size0", "size1", "batch0", "batch1"})
      fields.push_back(field + number);
  for (const std::string &number : of)
    for (const char *field : {"x_%_at", "x_%_s0", "x_%_s1", "x_%_m", "y_%_at", "y_%_s0", "y_%_s1", "y_%_m"}) {
      std::string name = field;
      fields.push_back(name.replace(name.find('%'), 1, number));
    }
  VectorHarness harness(nest(0) + nest(1), {"x", "y"}, fields, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<float> x(size_t(m * whole));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i);
  const std::vector<Blocks> cuts = {{1, m * n}, {3, 1300}, {8, 420}, {m * n + 1, 1}, {INT64_MAX, 1}, {INT64_MAX, 64}};
  for (const Blocks &first : cuts)
    for (const Blocks &second : cuts) {
      const int64_t all = first.number > INT64_MAX - second.number ? INT64_MAX : first.number + second.number;
      for (const std::vector<int64_t> &ends : {std::vector<int64_t>{0, all}, {0, 1, 2, 7, 300, all}}) {
        std::vector<int64_t> tiling;
        for (const std::string &field : fields) {
          const bool isFirst = field.find("_n0") != std::string::npos;
          const Blocks &blocks = isFirst ? first : second;
          auto is = [&](const char *name) { return field.rfind(name, 0) == 0; };
          auto ends_with = [&](const std::string &end) {
            return field.size() > end.size() && field.compare(field.size() - end.size(), end.size(), end) == 0;
          };
          tiling.push_back(is("block_num")      ? blocks.number
                           : is("block_length") ? blocks.length
                           : is("size0")        ? m
                           : is("size1")        ? n
                           : is("batch")        ? 1
                           : ends_with("_m")    ? whole
                           : ends_with("_at")   ? (isFirst ? 0 : n)
                                                : 0);
        }
        std::vector<float> y(x.size() + 8, -7.0f);
        for (size_t i = 0; i + 1 < ends.size(); ++i) {
          const int64_t from = std::min(ends[i], all), to = std::min(ends[i + 1], all);
          const int64_t threshold = first.number % 2 ? 0 : int64_t(1) << 40;
          ASSERT_EQ(harness.run("k", {tensor(x), {y.data(), int64_t(x.size())}}, tiling, from, to, threshold), 0);
        }
        if (first.number == INT64_MAX)
          continue; // no block of the second is in the range
        for (size_t i = 0; i < y.size(); ++i)
          ASSERT_EQ(y[i], i < x.size() ? x[i] : -7.0f)
              << i << ", " << first.number << " and " << second.number << " blocks in " << ends.size() - 1 << " calls";
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorMove, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
