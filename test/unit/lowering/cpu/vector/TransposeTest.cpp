// Matrices that are transposed into the result (rows/Transpose.cpp), and rows that are copied as they are, with
// ordinary and with non-temporal stores. All memory ends where a page without access begins; MoveTest has rows beside
// others.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace opc;
using namespace opc::test;

namespace {

class VectorTranspose : public LevelTest {};

/// `size` bytes up to the end of a page, behind which every access is a fault.
class Guarded {
public:
  explicit Guarded(size_t size) : page(size_t(sysconf(_SC_PAGESIZE))) {
    whole = (size + page - 1) / page * page + page;
    start = static_cast<uint8_t *>(mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(start + whole - page, page, PROT_NONE);
    data = start + whole - page - size;
  }
  ~Guarded() { munmap(start, whole); }
  Guarded(const Guarded &) = delete;
  Guarded &operator=(const Guarded &) = delete;

  uint8_t *data;

private:
  size_t page, whole;
  uint8_t *start;
};

using Fields = std::map<std::string, int64_t>;

std::vector<std::string> namesOf(const Fields &fields) {
  std::vector<std::string> names;
  for (const auto &[name, value] : fields)
    names.push_back(name);
  return names;
}

/// y [m, n] = x, with these attributes of x and this shape key.
std::string moveKernel(const std::string &type, const std::string &ofX, const std::string &key) {
  const std::string tensor = "tensor<?x?x" + type + ">", memref = "memref<?x?x" + type + ">";
  return "#id = affine_map<(m, n) -> (m, n)>\nfunc.func @k(%x: " + memref + ofX + ", %y: " + memref +
         ") attributes {te.kernel, te.shape_key = \"" + key +
         "\"} {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%t = bufferization.to_tensor %x "
         "restrict : " +
         memref + " to " + tensor + "\n%m = tensor.dim %t, %c0 : " + tensor + "\n%n = tensor.dim %t, %c1 : " + tensor +
         "\n%e = tensor.empty(%m, %n) : " + tensor +
         "\n%r = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]} ins(%t : " +
         tensor + ") outs(%e : " + tensor + ") {\n^bb0(%a: " + type + ", %o: " + type +
         "):\nlinalg.yield %a : " + type + "\n} -> " + tensor +
         "\nbufferization.materialize_in_destination %r in restrict writable %y : (" + tensor + ", " + memref +
         ") -> ()\nreturn\n}\n";
}

/// y [m, n] = x [outer, n, m] for each of `outer` matrices: the tiling data of the key `any`, x being read across.
Fields acrossFields(int64_t outer, int64_t m, int64_t n, int64_t length) {
  Fields fields = {{"block_num", (outer * m * n + length - 1) / length},
                   {"block_length", length},
                   {"size0", m},
                   {"size1", n},
                   {"batch1", outer},
                   {"x_along_m", 1},
                   {"x_n", m},
                   {"x_m", 1}};
  for (const char *loop : {"batch0", "batch2", "batch3", "batch4", "batch5"})
    fields[loop] = 1;
  for (const char *name : {"x", "y"})
    for (int step = 0; step < 6; ++step)
      fields[name + ("_s" + std::to_string(step))] = step == 1 ? m * n : 0;
  return fields;
}

/// y [batch, m, n] = x, whose rows have these distances.
Fields stridedFields(int64_t batch, int64_t m, int64_t n, int64_t ofX, int64_t ofY) {
  return {{"block_num", 1},  {"block_length", batch * m * n},
          {"size0", m},      {"size1", n},
          {"batch0", 1},     {"batch1", batch},
          {"x_s0", 0},       {"x_s1", m * ofX},
          {"x_m", ofX},      {"y_s0", 0},
          {"y_s1", m * ofY}, {"y_m", ofY}};
}

std::vector<int64_t> valuesOf(const Fields &fields) {
  std::vector<int64_t> values;
  for (const auto &[name, value] : fields)
    values.push_back(value);
  return values;
}

void fill(uint8_t *bytes, size_t size, unsigned seed) {
  std::minstd_rand random(seed);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = uint8_t(random() >> 8);
}

template <typename T>
void checkTranspose(const VectorHarness &harness, int64_t outer, int64_t m, int64_t n, int64_t length, bool streams) {
  const size_t count = size_t(outer * m * n);
  Guarded x(count * sizeof(T)), y(count * sizeof(T));
  fill(x.data, count * sizeof(T), unsigned(m * 1000 + n));
  std::memset(y.data, 0xa5, count * sizeof(T));
  const Fields fields = acrossFields(outer, m, n, length);
  for (int64_t block = 0; block < fields.at("block_num"); ++block)
    ASSERT_EQ(harness.run("k", {{x.data, int64_t(count)}, {y.data, int64_t(count)}}, valuesOf(fields), block, block + 1,
                          streams ? 0 : int64_t(1) << 40),
              0);
  const T *from = reinterpret_cast<const T *>(x.data), *to = reinterpret_cast<const T *>(y.data);
  for (int64_t matrix = 0; matrix < outer; ++matrix)
    for (int64_t row = 0; row < m; ++row)
      for (int64_t column = 0; column < n; ++column)
        ASSERT_EQ(to[(matrix * m + row) * n + column], from[(matrix * n + column) * m + row])
            << outer << " x " << m << " x " << n << ", row " << row << ", column " << column << ", blocks of " << length
            << (streams ? ", streams" : "");
}

/// Matrices with fewer rows or columns than a block, with parts of blocks and of tiles at either end, and with lines
/// that share sets of the cache in the operand, the result or both.
template <typename T> void checkTransposes(const std::string &type, const std::string &level) {
  VectorHarness harness(moveKernel(type, " {te.of_launch, te.across}", "any"), {"x", "y"},
                        namesOf(acrossFields(1, 1, 1, 1)), {level});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  auto each = [&](int64_t outer, int64_t m, int64_t n, int64_t length) {
    for (bool streams : {false, true})
      if (!::testing::Test::HasFatalFailure())
        checkTranspose<T>(harness, outer, m, n, length, streams);
  };
  for (int64_t m : {2, 3, 4, 7, 8, 15, 16, 17, 33, 64, 70})
    for (int64_t n : {1, 2, 5, 8, 15, 16, 31, 33, 64, 67, 130})
      each(2, m, n, 2 * m * n);
  const int64_t line = 64 / int64_t(sizeof(T)), page = 1024 / int64_t(sizeof(T));
  for (auto [m, n] : {std::pair(4 * line + 3, 4 * page + 9), std::pair(5 * line + 1, 300l), std::pair(page, page),
                      std::pair(page + line / 2, 2 * page), std::pair(2 * page, 77l), std::pair(19l, 3 * page + 5)}) {
    each(1, m, n, m * n);
    each(3, m, n, (m / 3 + 1) * n);
  }
  // Columns a multiple of 512 bytes apart and rows of whole lines, which streams store from registers: with lines of
  // columns that are left over, more columns than a strip has, and blocks with other rows, which begin inside of lines.
  for (auto [m, n] : {std::pair(8 * line, 8 * line), std::pair(16 * line, 13 * line),
                      std::pair(24 * line, 1024 + 7 * line), std::pair(8 * line, 2048 + line)}) {
    each(1, m, n, m * n);
    each(2, m, n, (m / 2 + 1) * n);
    each(1, m, n, (m - 5) * n);
  }
}

/// Rows of every length up to three vectors and of some more, from all alignments to all others.
template <typename T> void checkRows(const std::string &type, const std::string &level) {
  VectorHarness harness(moveKernel(type, "", "strided"), {"x", "y"}, namesOf(stridedFields(1, 1, 1, 1, 1)), {level});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<int64_t> lengths;
  for (int64_t n = 1; n * int64_t(sizeof(T)) <= 200; ++n)
    lengths.push_back(n);
  for (int64_t bytes : {256, 512, 513, 640, 1000, 1024, 2055, 16384, 16400})
    lengths.push_back(bytes / int64_t(sizeof(T)));
  for (int64_t n : lengths)
    for (int64_t gap : {0, 1, 16, 37})
      for (bool streams : {false, true}) {
        const int64_t batch = 2, m = 5, ofX = n + gap, ofY = n + (gap == 16 ? 0 : gap * 3 % 41);
        const size_t inX = size_t(batch * m * ofX - gap), inY = size_t(batch * m * ofY - (ofY - n));
        Guarded x(inX * sizeof(T)), y(inY * sizeof(T));
        fill(x.data, inX * sizeof(T), unsigned(n));
        std::memset(y.data, 0xa5, inY * sizeof(T));
        ASSERT_EQ(harness.run("k", {{x.data, int64_t(inX)}, {y.data, int64_t(inY)}},
                              valuesOf(stridedFields(batch, m, n, ofX, ofY)), 0, 1, streams ? 0 : int64_t(1) << 40),
                  0);
        T untouched;
        std::memset(&untouched, 0xa5, sizeof(T));
        const T *from = reinterpret_cast<const T *>(x.data), *to = reinterpret_cast<const T *>(y.data);
        for (int64_t i = 0; i < int64_t(inY); ++i) {
          const int64_t row = i / ofY, column = i % ofY;
          ASSERT_EQ(to[i], column < n ? from[row * ofX + column] : untouched)
              << "element " << column << " of row " << row << " of " << n << ", distances " << ofX << " and " << ofY
              << (streams ? ", streams" : "");
        }
      }
}

} // namespace

TEST_P(VectorTranspose, TransposeInt8) {
  checkTransposes<int8_t>("i8", GetParam());
}
TEST_P(VectorTranspose, TransposeFloat16) {
  checkTransposes<int16_t>("f16", GetParam());
}
TEST_P(VectorTranspose, TransposeFloat32) {
  checkTransposes<int32_t>("f32", GetParam());
}
TEST_P(VectorTranspose, TransposeInt64) {
  checkTransposes<int64_t>("i64", GetParam());
}

TEST_P(VectorTranspose, RowsInt8) {
  checkRows<int8_t>("i8", GetParam());
}
TEST_P(VectorTranspose, RowsFloat16) {
  checkRows<int16_t>("f16", GetParam());
}
TEST_P(VectorTranspose, RowsFloat32) {
  checkRows<int32_t>("f32", GetParam());
}

// What overwrites its input: every element is its own copy.
TEST_P(VectorTranspose, RowsOntoThemselves) {
  VectorHarness harness(moveKernel("i16", "", "strided"), {"x", "y"}, namesOf(stridedFields(1, 1, 1, 1, 1)),
                        {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  for (int64_t n : {1, 31, 100, 5000})
    for (bool streams : {false, true}) {
      std::vector<int16_t> x(size_t(6 * n));
      fill(reinterpret_cast<uint8_t *>(x.data()), x.size() * 2, unsigned(n));
      const std::vector<int16_t> before = x;
      ASSERT_EQ(harness.run("k", {tensor(x), tensor(x)}, valuesOf(stridedFields(2, 3, n, n, n)), 0, 1,
                            streams ? 0 : int64_t(1) << 40),
                0);
      ASSERT_EQ(x, before);
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorTranspose, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
