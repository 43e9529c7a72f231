// Matrix products: every order of both operands, tails of rows, columns and k, batches with and without a matrix of
// their own, what follows on the results, blocks of any division, and tiling data that leads outside of tensors; of
// bytes with and without signs. The inner loops of every level are read as assembly: they touch no stack, at levels
// that this machine cannot run too.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "lowering/cpu/CpuLevel.h"
#include "lowering/cpu/library/LLVMModule.h"
#include "lowering/cpu/vector/contraction/Tiles.h"
#include "runtime/program/opc_kernel_library.h"

#include "lowering/cpu/vector/code/Walk.h"

#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <sstream>

#include <sys/mman.h>
#include <unistd.h>

using namespace opc;
using namespace opc::test;

namespace {

/// A kernel y = a b, or y = max(a b + bias, 0), or y = p - max p of each row of p = a b, in f32; or y = a b of bytes,
/// in i32, or of f16, in f32.
struct Form {
  bool isLeftTurned = false, isRightTurned = false, follows = false;
  bool isOfBytes = false, isLeftUnsigned = false, isRightUnsigned = false;
  bool isOfHalves = false;
  bool reducesRows = false;

  std::string text() const {
    const std::string operand = isOfBytes ? "i8" : isOfHalves ? "f16" : "f32", sum = isOfBytes ? "i32" : "f32";
    const std::string in = "tensor<?x?x" + operand + ">", out = "tensor<?x?x" + sum + ">";
    auto memref = [](const char *name, const std::string &shape, const std::string &dims) {
      return std::string("%m_") + name + ": memref<" + shape + "> {te.dims = array<i64: " + dims + ">}";
    };
    std::string text = "func.func @k(" + memref("a", "?x?x" + operand, isLeftTurned ? "2, 0" : "0, 2") + ", " +
                       memref("b", "?x?x" + operand, isRightTurned ? "1, 2" : "2, 1") + ", " +
                       (follows ? memref("bias", "1x?xf32", "-1, 1") + ", " : "") + memref("y", "?x?x" + sum, "0, 1") +
                       ") attributes {te.kernel, te.shape_key = \"contraction\"} {\n";
    text += "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%zero = arith.constant " +
            std::string(isOfBytes ? "0" : "0.0") + " : " + sum + "\n";
    for (const char *name : {"a", "b"})
      text += std::string("%") + name + " = bufferization.to_tensor %m_" + name + " restrict : memref<?x?x" + operand +
              "> to " + in + "\n";
    text += std::string("%m = tensor.dim %a, %c") + (isLeftTurned ? "1" : "0") + " : " + in + "\n";
    text += std::string("%n = tensor.dim %b, %c") + (isRightTurned ? "0" : "1") + " : " + in + "\n";
    text += "%e = tensor.empty(%m, %n) : " + out + "\n%f = linalg.fill ins(%zero : " + sum + ") outs(%e : " + out +
            ") -> " + out + "\n";
    text += std::string("%p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> ") +
            (isLeftTurned ? "(k, m)" : "(m, k)") + ">, affine_map<(m, n, k) -> " +
            (isRightTurned ? "(n, k)" : "(k, n)") +
            ">, affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} "
            "ins(%a, %b : " +
            in + ", " + in + ") outs(%f : " + out + ") {\n^bb0(%x: " + operand + ", %w: " + operand + ", %sum: " + sum +
            "):\n" + payload() + "linalg.yield %r : " + sum + "\n} -> " + out + "\n";
    if (follows)
      text += "%bias = bufferization.to_tensor %m_bias restrict : memref<1x?xf32> to tensor<1x?xf32>\n"
              "%o = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (0, n)>, "
              "affine_map<(m, n) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\"]} "
              "ins(%p, %bias : tensor<?x?xf32>, tensor<1x?xf32>) outs(%e : tensor<?x?xf32>) {\n"
              "^bb0(%x: f32, %w: f32, %old: f32):\n%q = arith.addf %x, %w : f32\n"
              "%r = arith.maximumf %q, %zero : f32\nlinalg.yield %r : f32\n} -> tensor<?x?xf32>\n";
    if (reducesRows)
      text += "%inf = arith.constant 0xFF800000 : f32\n%le = tensor.empty(%m) : tensor<?xf32>\n"
              "%lf = linalg.fill ins(%inf : f32) outs(%le : tensor<?xf32>) -> tensor<?xf32>\n"
              "%l = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], "
              "iterator_types = [\"parallel\", \"reduction\"]} ins(%p : tensor<?x?xf32>) outs(%lf : tensor<?xf32>) {\n"
              "^bb0(%x: f32, %old: f32):\n%r = arith.maximumf %x, %old : f32\nlinalg.yield %r : f32\n"
              "} -> tensor<?xf32>\n"
              "%o = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, "
              "affine_map<(m, n) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\"]} "
              "ins(%p, %l : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {\n"
              "^bb0(%x: f32, %w: f32, %old: f32):\n%r = arith.subf %x, %w : f32\nlinalg.yield %r : f32\n"
              "} -> tensor<?x?xf32>\n";
    return text + "bufferization.materialize_in_destination " + (follows || reducesRows ? "%o" : "%p") +
           " in restrict writable %m_y : (" + out + ", memref<?x?x" + sum + ">) -> ()\nreturn\n}\n";
  }
  std::string payload() const {
    if (isOfHalves)
      return "%x32 = arith.extf %x : f16 to f32\n%w32 = arith.extf %w : f16 to f32\n"
             "%q = arith.mulf %x32, %w32 : f32\n%r = arith.addf %sum, %q : f32\n";
    if (!isOfBytes)
      return "%q = arith.mulf %x, %w : f32\n%r = arith.addf %sum, %q : f32\n";
    auto widened = [](const char *from, const char *to, bool isUnsigned) {
      return std::string(to) + " = arith." + (isUnsigned ? "extui " : "extsi ") + from + " : i8 to i32\n";
    };
    return widened("%x", "%x32", isLeftUnsigned) + widened("%w", "%w32", isRightUnsigned) +
           "%q = arith.muli %x32, %w32 : i32\n%r = arith.addi %sum, %q : i32\n";
  }
  std::string title() const {
    std::string title = std::string(isLeftTurned ? "t" : "n") + (isRightTurned ? "t" : "n") + (follows ? " relu" : "");
    return isOfBytes ? title + (isLeftUnsigned ? " u8" : " s8") + (isRightUnsigned ? "u8" : "s8") : title;
  }
  std::vector<std::string> names() const {
    return follows ? std::vector<std::string>{"a", "b", "bias", "y"} : std::vector<std::string>{"a", "b", "y"};
  }
};

const std::vector<std::string> kSizes = {"block_num", "block_length", "tile_m", "tile_n", "size0",
                                         "size1",     "size2",        "batch0", "batch1"};

std::vector<std::string> fieldsOf(const Form &form) {
  std::vector<std::string> fields = kSizes;
  for (const std::string &name : form.names())
    for (const char *field : {"_s0", "_s1", "_m"})
      fields.push_back(name + field);
  return fields;
}

/// A launch of m x k times k x n, `batches` times; the right matrix is one for all of them if `isShared`.
struct Launch {
  int64_t m, n, k, batches = 1;
  bool isShared = false;
  int64_t tileM = 24, tileN = 64;

  int64_t tiles() const { return batches * ((m + tileM - 1) / tileM) * ((n + tileN - 1) / tileN); }
  std::map<std::string, int64_t> fields(const Form &form) const {
    return {{"block_num", tiles()},
            {"block_length", 1},
            {"tile_m", tileM},
            {"tile_n", tileN},
            {"size0", m},
            {"size1", n},
            {"size2", k},
            {"batch0", 1},
            {"batch1", batches},
            {"a_s1", m * k},
            {"a_m", form.isLeftTurned ? m : k},
            {"b_s1", isShared ? 0 : k * n},
            {"b_m", form.isRightTurned ? k : n},
            {"y_s1", m * n},
            {"y_m", n}};
  }
};

std::vector<int64_t> tilingOf(const Form &form, const std::map<std::string, int64_t> &values) {
  std::vector<int64_t> tiling;
  for (const std::string &field : fieldsOf(form)) {
    auto found = values.find(field);
    tiling.push_back(found == values.end() ? 0 : found->second);
  }
  return tiling;
}

/// Tensors of a launch with whole numbers, so that every sum is exact, and a margin after the results.
struct Data {
  static constexpr size_t kMargin = 64;
  std::vector<float> a, b, bias, y;

  Data(const Launch &launch, unsigned seed) {
    std::mt19937 random(seed);
    auto draw = [&](int64_t count) {
      std::vector<float> values(static_cast<size_t>(count));
      for (float &value : values)
        value = float(int(random() % 9) - 4);
      return values;
    };
    a = draw(launch.batches * launch.m * launch.k);
    b = draw((launch.isShared ? 1 : launch.batches) * launch.k * launch.n);
    bias = draw(launch.n);
    y.assign(size_t(launch.batches * launch.m * launch.n) + kMargin, -77.0f);
  }

  std::vector<VectorHarness::Tensor> tensors(const Form &form) const {
    VectorHarness::Tensor result{y.data(), int64_t(y.size() - kMargin)};
    if (form.follows)
      return {tensor(a), tensor(b), tensor(bias), result};
    return {tensor(a), tensor(b), result};
  }

  std::vector<float> expected(const Form &form, const Launch &launch) const {
    std::vector<float> values = y;
    for (int64_t batch = 0; batch < launch.batches; ++batch)
      for (int64_t i = 0; i < launch.m; ++i)
        for (int64_t j = 0; j < launch.n; ++j) {
          double sum = 0;
          const float *left = a.data() + batch * launch.m * launch.k;
          const float *right = b.data() + (launch.isShared ? 0 : batch * launch.k * launch.n);
          for (int64_t k = 0; k < launch.k; ++k)
            sum += double(left[form.isLeftTurned ? k * launch.m + i : i * launch.k + k]) *
                   right[form.isRightTurned ? j * launch.k + k : k * launch.n + j];
          if (form.follows)
            sum = std::max(sum + bias[size_t(j)], 0.0);
          values[size_t((batch * launch.m + i) * launch.n + j)] = float(sum);
        }
    for (auto row = values.begin(); form.reducesRows && row < values.end() - kMargin; row += launch.n) {
      const float largest = *std::max_element(row, row + launch.n);
      std::for_each(row, row + launch.n, [&](float &value) { value -= largest; });
    }
    return values;
  }
};

class VectorContraction : public LevelTest {};

const std::vector<Form> kForms = {{false, false, false}, {true, false, false}, {false, true, false},
                                  {true, true, false},   {false, false, true}, {true, true, true}};

} // namespace

// Whatever is a tail: of rows and columns of a register tile, of a panel, of a part of k, of a tile of the launch.
TEST_P(VectorContraction, ComputesEveryTail) {
  const std::vector<Launch> launches = {
      {1, 1, 1},      {5, 3, 7},       {6, 16, 8},      {7, 17, 9},           {13, 70, 40},
      {25, 130, 257}, {29, 50, 257},   {1, 200, 300},   {1, 7, 1000},         {2, 33, 515},
      {205, 65, 12},  {217, 20, 9},    {8, 40, 30},     {9, 33, 20},          {10, 20, 5},
      {11, 24, 0},    {3, 40, 20, 4},  {1, 40, 20, 3},  {9, 20, 33, 5, true}, {2, 511, 515},
      {16, 531, 1},   {13, 521, 1043}, {16, 1030, 257}, {15, 37, 701},        {17, 513, 512},
      {3, 5, 130, 2}, {49, 1025, 9},   {50, 512, 9},    {40, 1024, 9},        {13, 1024, 9}};
  for (const Form &form : kForms) {
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (const Launch &launch : launches) {
      Data data(launch, 31);
      const std::vector<float> expected = data.expected(form, launch);
      ASSERT_EQ(harness.run("k", data.tensors(form), tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
      EXPECT_EQ(data.y, expected) << launch.batches << " of " << launch.m << "x" << launch.n << "x" << launch.k
                                  << (form.isLeftTurned ? " left turned" : "")
                                  << (form.isRightTurned ? " right turned" : "") << (form.follows ? " relu" : "");
      const std::vector<int64_t> tiling = tilingOf(form, launch.fields(form));
      for (int64_t place = 0; place < OPC_KERNEL_PACKED_PLACES; ++place) {
        std::fill(data.y.begin(), data.y.end(), -77.0f);
        const int32_t status = harness.runPacked("k", place, data.tensors(form), tiling, 0, launch.tiles());
        // A single row is read as it is, and so are few rows where that is faster, and rows of which 1 to 3 are after
        // the last part of the launch.
        const int64_t rest = launch.m % launch.tileM;
        const bool isFew = launch.m <= 16 && (form.isRightTurned ? launch.k >= std::max<int64_t>(128, 16 * launch.m)
                                                                 : launch.k * launch.n >= int64_t(1) << 18);
        const bool isPacked =
            launch.m > 1 && !isFew && (place != 0 || launch.m < launch.tileM || rest == 0 || rest > 3);
        EXPECT_EQ(status, isPacked ? 0 : OPC_KERNEL_NOT_PACKED);
        EXPECT_EQ(data.y, expected) << "packed " << place << ": " << launch.m << "x" << launch.n << "x" << launch.k
                                    << (form.isLeftTurned ? " left turned" : "")
                                    << (form.isRightTurned ? " right turned" : "");
      }
    }
  }
}

namespace {

class ContractionOfBytes : public ::testing::TestWithParam<std::string> {};

/// The number that a byte is.
int32_t numberOf(int8_t byte, bool isUnsigned) {
  return isUnsigned ? int32_t(uint8_t(byte)) : int32_t(byte);
}

} // namespace

// All bytes occur, the extreme ones often: nothing saturates, whatever the signs, in any order and at any tail; of a
// single row, in panels, and packed before.
TEST_P(ContractionOfBytes, AreExact) {
  const std::vector<Launch> launches = {{1, 1, 1},     {1, 70, 41},     {1, 130, 203},  {1, 5, 67},     {5, 3, 7},
                                        {6, 64, 8},    {7, 17, 9},      {13, 70, 1043}, {25, 130, 6},   {205, 65, 12},
                                        {10, 24, 0},   {2, 40, 1},      {1, 24, 0},     {3, 40, 20, 4}, {2, 33, 2051},
                                        {16, 530, 70}, {11, 131, 5003}, {17, 70, 300},  {1, 700, 777}};
  // Orders and signs; those with signs alike are computed in another way than mixed ones.
  const std::vector<Form> forms = {{false, false, false, true, false, false}, {true, true, false, true, false, false},
                                   {true, false, false, true, true, true},    {false, true, false, true, true, true},
                                   {false, true, false, true, true, false},   {true, false, false, true, false, true}};
  std::mt19937 random(29);
  auto draw = [&](int64_t count) {
    std::vector<int8_t> bytes(static_cast<size_t>(count));
    for (int8_t &byte : bytes)
      byte = random() % 2 ? int8_t(random()) : int8_t(random() % 3 + 127); // 127, -128, -127
    return bytes;
  };
  for (const Form &form : forms) {
    if (!takesLevel(GetParam(), size_t(&form - forms.data())))
      continue;
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    std::vector<Launch> all = launches;
    if (&form == &forms.front()) // a row with several parts of k, once
      all.push_back({1, 66, 65544});
    for (const Launch &launch : all) {
      const std::vector<int8_t> a = draw(launch.batches * launch.m * launch.k),
                                b = draw(launch.batches * launch.k * launch.n);
      std::vector<int32_t> y(size_t(launch.batches * launch.m * launch.n) + Data::kMargin, -77), expected = y;
      for (int64_t batch = 0; batch < launch.batches; ++batch)
        for (int64_t i = 0; i < launch.m; ++i)
          for (int64_t j = 0; j < launch.n; ++j) {
            int32_t sum = 0;
            for (int64_t k = 0; k < launch.k; ++k) {
              const int64_t left = form.isLeftTurned ? k * launch.m + i : i * launch.k + k;
              const int64_t right = form.isRightTurned ? j * launch.k + k : k * launch.n + j;
              sum += numberOf(a[size_t(batch * launch.m * launch.k + left)], form.isLeftUnsigned) *
                     numberOf(b[size_t(batch * launch.k * launch.n + right)], form.isRightUnsigned);
            }
            expected[size_t((batch * launch.m + i) * launch.n + j)] = sum;
          }
      const std::vector<VectorHarness::Tensor> tensors = {
          tensor(a), tensor(b), {y.data(), int64_t(y.size() - Data::kMargin)}};
      const std::vector<int64_t> tiling = tilingOf(form, launch.fields(form));
      const std::string title = form.title() + ": " + std::to_string(launch.m) + "x" + std::to_string(launch.n) + "x" +
                                std::to_string(launch.k);
      ASSERT_EQ(harness.run("k", tensors, tiling, 0, launch.tiles()), 0);
      EXPECT_EQ(y, expected) << title;
      for (int64_t place = 0; place < OPC_KERNEL_PACKED_PLACES; ++place) {
        std::fill(y.begin(), y.end(), -77);
        const int32_t status = harness.runPacked("k", place, tensors, tiling, 0, launch.tiles());
        EXPECT_EQ(y, expected) << "packed " << place << ": " << title;
        // The packed right operand has room for sums of columns after it unless a column has a single element. Rows of
        // which 1 to 3 are after the last part of the launch are not packed. For a single row only fours are packed
        // that it would have to interleave.
        const bool hasDots = GetParam().find("-vnni") != std::string::npos;
        const bool hasSums = hasDots && form.isLeftUnsigned == form.isRightUnsigned;
        const bool isPacked = !(hasSums && launch.k < 2) && (launch.m > 1 || (hasDots && !form.isRightTurned));
        if (place == 1)
          EXPECT_EQ(status, isPacked ? 0 : OPC_KERNEL_NOT_PACKED) << title;
      }
    }
  }
}

namespace {

/// Memory between two pages that may not be read.
class Edge {
public:
  explicit Edge(size_t bytes) {
    const auto page = size_t(sysconf(_SC_PAGESIZE));
    const size_t room = (bytes + page - 1) / page * page;
    whole = room + 2 * page;
    void *mapped = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
      return;
    memory = static_cast<char *>(mapped);
    isReady = mprotect(memory, page, PROT_NONE) == 0 && mprotect(memory + page + room, page, PROT_NONE) == 0;
    first = memory + page;
    last = first + room - bytes;
  }
  ~Edge() {
    if (memory)
      munmap(memory, whole);
  }
  Edge(const Edge &) = delete;
  Edge &operator=(const Edge &) = delete;

  bool isReady = false;
  char *first = nullptr,
       *last = nullptr; ///< of as many bytes, after the page before them, and before the one after them

private:
  size_t whole = 0;
  char *memory = nullptr;
};

} // namespace

// A few rows, and a single one, read the matrix where it is: there is nothing before its first row and after its
// last one.
TEST_P(ContractionOfBytes, ReadNothingBesideAMatrix) {
  Form ofHalves, ofHalvesTurned{false, true};
  ofHalves.isOfHalves = ofHalvesTurned.isOfHalves = true;
  size_t number = 0;
  for (const Form &form : {Form{}, Form{false, true}, Form{false, false, false, true}, Form{false, true, false, true},
                           ofHalves, ofHalvesTurned}) {
    if (!form.isOfBytes && GetParam().find("-vnni") != std::string::npos)
      continue; // the level without it has the same kernel of floats
    if (!takesLevel(GetParam(), number++))
      continue;
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (Launch launch :
         {Launch{5, 517, 509}, Launch{2, 6, 131}, Launch{1, 67, 131}, Launch{1, 331, 9}, Launch{1, 3, 7}}) {
      launch.tileN = 512;
      const size_t bytes = form.isOfBytes ? 1 : form.isOfHalves ? 2 : sizeof(float);
      Edge a(size_t(launch.m * launch.k) * bytes), b(size_t(launch.k * launch.n) * bytes);
      ASSERT_TRUE(a.isReady && b.isReady);
      std::vector<int32_t> y(size_t(launch.m * launch.n), -1), zeros(y.size(), 0);
      for (bool isLast : {false, true}) {
        std::fill(y.begin(), y.end(), -1);
        const std::vector<VectorHarness::Tensor> tensors = {{isLast ? a.last : a.first, launch.m * launch.k},
                                                            {isLast ? b.last : b.first, launch.k * launch.n},
                                                            tensor(y)};
        ASSERT_EQ(harness.run("k", tensors, tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
        EXPECT_EQ(y, zeros) << form.title() << ": " << launch.m << "x" << launch.n << "x" << launch.k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ContractionOfBytes, ::testing::ValuesIn(levelsHere(true)), [](const auto &info) {
  std::string name = info.param.substr(7);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Packing a matrix may write into the next one. Matrices of a batch that lie in another order than they are packed in
// stay as they are; in that order they are packed.
TEST_P(VectorContraction, PacksBatchesInTheOrderInWhichTheyLie) {
  const Form form;
  VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  constexpr int64_t kOuter = 2, kInner = 3;
  const Launch launch{6, 16, 8, kOuter * kInner};
  const int64_t matrix = launch.m * launch.k;
  for (bool isTurned : {false, true}) {
    Data data(launch, 5);
    const std::vector<float> expected = data.expected(form, launch), a = data.a;
    std::map<std::string, int64_t> fields = launch.fields(form);
    fields["batch0"] = kOuter;
    fields["batch1"] = kInner;
    fields["a_s0"] = isTurned ? matrix : kInner * matrix;
    fields["a_s1"] = isTurned ? kOuter * matrix : matrix;
    fields["b_s0"] = kInner * launch.k * launch.n;
    fields["y_s0"] = kInner * launch.m * launch.n;
    for (int64_t outer = 0; outer < kOuter && isTurned; ++outer)
      for (int64_t inner = 0; inner < kInner; ++inner)
        std::copy_n(a.begin() + (outer * kInner + inner) * matrix, matrix,
                    data.a.begin() + (inner * kOuter + outer) * matrix);
    const std::vector<int64_t> tiling = tilingOf(form, fields);
    ASSERT_EQ(harness.run("k", data.tensors(form), tiling, 0, launch.tiles()), 0);
    EXPECT_EQ(data.y, expected) << "as it is, turned: " << isTurned;
    std::fill(data.y.begin(), data.y.end(), -77.0f);
    // The second block begins between two matrices of the inner loop.
    ASSERT_EQ(harness.run("k", data.tensors(form), tiling, 0, kInner - 1), 0);
    ASSERT_EQ(harness.run("k", data.tensors(form), tiling, kInner - 1, launch.tiles()), 0);
    EXPECT_EQ(data.y, expected) << "in two blocks, turned: " << isTurned;
    std::fill(data.y.begin(), data.y.end(), -77.0f);
    const int32_t status = harness.runPacked("k", 0, data.tensors(form), tiling, 0, launch.tiles());
    EXPECT_EQ(status, isTurned ? OPC_KERNEL_NOT_PACKED : 0);
    if (status == 0)
      EXPECT_EQ(data.y, expected) << "packed, turned: " << isTurned;
  }
}

// One row and a few of f16: sums in registers or in memory, rows that share sets of the cache, several parts of k.
TEST_P(VectorContraction, OfHalvesAreExact) {
  const uint16_t halves[] = {0xc400, 0xc200, 0xc000, 0xbc00, 0, 0x3c00, 0x4000, 0x4200, 0x4400}; // -4 to 4
  auto halvesOf = [&](const std::vector<float> &values) {
    std::vector<uint16_t> found;
    for (float value : values)
      found.push_back(std::isinf(value) ? 0x7c00 : halves[int(value) + 4]);
    return found;
  };
  for (bool isRightTurned : {false, true}) {
    Form form;
    form.isRightTurned = isRightTurned;
    form.isOfHalves = true;
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    std::vector<Launch> launches = {{1, 600, 41}, {1, 331, 9},  {1, 2048, 11}, {1, 256, 1}, {1, 70, 200},
                                    {1, 300, 0},  {5, 530, 70}, {16, 40, 131}, {3, 9, 30},  {1, 260, 30, 3}};
    if (!isRightTurned)
      launches.push_back({1, 258, 16391});
    for (Launch launch : launches) {
      launch.tileN = 512;
      Data data(launch, unsigned(launch.n));
      // An infinite number in the last vector that the vectors before have added.
      if (const int64_t k = launch.k - 15; k > 20 && launch.batches == 1) {
        data.b[size_t(isRightTurned ? k : k * launch.n)] = INFINITY;
        for (int64_t i = 0; i < launch.m; ++i)
          data.a[size_t(i * launch.k + k)] = 1;
      }
      const std::vector<uint16_t> a = halvesOf(data.a), b = halvesOf(data.b);
      const std::vector<float> expected = data.expected(form, launch);
      const std::vector<VectorHarness::Tensor> tensors = {tensor(a), tensor(b), data.tensors(form).back()};
      ASSERT_EQ(harness.run("k", tensors, tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
      EXPECT_EQ(data.y, expected) << launch.m << "x" << launch.n << "x" << launch.k << (isRightTurned ? " turned" : "");
    }
  }
}

// Threads take any ranges of blocks: the bits of a result do not depend on which, or in what order.
TEST_P(VectorContraction, BlocksDecideAboutNoSum) {
  for (bool isRightTurned : {false, true}) {
    const Form form{false, isRightTurned, true};
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (Launch launch : {Launch{100, 210, 700}, Launch{1, 500, 700}, Launch{15, 530, 700}}) {
      Data data(launch, 7);
      std::mt19937 random(3);
      for (std::vector<float> *values : {&data.a, &data.b})
        for (float &value : *values)
          value = std::ldexp(float(random() % 65536) - 32768.0f, -12);
      const std::vector<int64_t> tiling = tilingOf(form, launch.fields(form));
      ASSERT_EQ(harness.run("k", data.tensors(form), tiling, 0, launch.tiles()), 0);
      const std::vector<float> whole = data.y;
      std::fill(data.y.begin(), data.y.end(), -77.0f);
      for (int64_t block = launch.tiles(); block-- > 0;)
        ASSERT_EQ(harness.run("k", data.tensors(form), tiling, block, block + 1), 0);
      EXPECT_EQ(std::memcmp(data.y.data(), whole.data(), whole.size() * sizeof(float)), 0) << launch.m;
      for (int64_t place = 0; place < OPC_KERNEL_PACKED_PLACES && launch.m > 16; ++place) {
        std::fill(data.y.begin(), data.y.end(), -77.0f);
        ASSERT_EQ(harness.runPacked("k", place, data.tensors(form), tiling, 0, launch.tiles()), 0);
        EXPECT_EQ(std::memcmp(data.y.data(), whole.data(), whole.size() * sizeof(float)), 0) << "packed " << place;
      }
      // Nor does a result depend on the tiles of the launch.
      launch.tileM = 60;
      launch.tileN = 128;
      std::fill(data.y.begin(), data.y.end(), -77.0f);
      ASSERT_EQ(harness.run("k", data.tensors(form), tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
      EXPECT_EQ(std::memcmp(data.y.data(), whole.data(), whole.size() * sizeof(float)), 0) << launch.m;
    }
  }
}

// Rows that are reduced are whole in a tile of the launch. As many are kept at a time as have 2^17 results: here all of
// a tile, some of it, and one. The left operand is never packed before, the right one as for other products.
TEST_P(VectorContraction, KeepsWholeRows) {
  for (const auto &[isLeftTurned, isRightTurned] : {std::pair(false, false), {true, false}, {false, true}}) {
    Form form{isLeftTurned, isRightTurned};
    form.reducesRows = true;
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (Launch launch : {Launch{1, 1, 1}, Launch{5, 3, 0}, Launch{29, 50, 257}, Launch{1, 4099, 7},
                          Launch{13, 8195, 3}, Launch{70, 4001, 5}, Launch{3, 131077, 2}, Launch{25, 67, 40, 3}}) {
      launch.tileM = 60;
      launch.tileN = launch.n;
      Data data(launch, 31);
      const std::vector<float> expected = data.expected(form, launch);
      const std::vector<int64_t> tiling = tilingOf(form, launch.fields(form));
      ASSERT_EQ(harness.run("k", data.tensors(form), tiling, 0, launch.tiles()), 0);
      EXPECT_EQ(data.y, expected) << launch.m << "x" << launch.n << "x" << launch.k << " " << form.title();
      for (int64_t place = 0; place < OPC_KERNEL_PACKED_PLACES; ++place) {
        std::fill(data.y.begin(), data.y.end(), -77.0f);
        const int32_t status = harness.runPacked("k", place, data.tensors(form), tiling, 0, launch.tiles());
        EXPECT_EQ(data.y, expected) << "packed " << place << ": " << launch.m << "x" << launch.n << "x" << launch.k;
        if (place == 0) {
          EXPECT_EQ(status, OPC_KERNEL_NOT_PACKED);
        }
      }
    }
  }
}

// Whatever tiling data says, rows are whole, and none is longer than what is kept.
TEST_P(VectorContraction, KeepsNoLongerRows) {
  Form form;
  form.reducesRows = true;
  VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  Launch launch{20, 30, 40};
  launch.tileN = 7;
  Data data(launch, 5);
  const std::vector<float> expected = data.expected(form, launch);
  ASSERT_EQ(harness.run("k", data.tensors(form), tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
  EXPECT_EQ(data.y, expected);
  for (const auto &[rows, columns] :
       {std::pair<int64_t, int64_t>(0, int64_t(1) << 40), {0, INT64_MAX}, {0, int64_t(1) << 24}}) {
    std::map<std::string, int64_t> values = launch.fields(form);
    for (const char *field : {"size2", "a_m", "b_m"})
      values[field] = 0;
    values["size0"] = rows;
    values["size1"] = values["tile_n"] = values["y_m"] = columns;
    EXPECT_EQ(harness.run("k", data.tensors(form), tilingOf(form, values), 0, 1000), OPC_KERNEL_OUTSIDE_TENSOR);
    EXPECT_EQ(data.y, expected);
  }
}

// Numbers that no tiling function gives must neither write outside of the results nor run for long.
TEST_P(VectorContraction, RefusesWrongTilingData) {
  const Form form{false, true, true};
  VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  const Launch launch{20, 30, 40, 2};
  auto status = [&](const std::map<std::string, int64_t> &changes, bool &written) {
    Data data(launch, 5);
    std::map<std::string, int64_t> values = launch.fields(form);
    for (const auto &[name, value] : changes)
      values[name] = value;
    const std::vector<float> before = data.y;
    int32_t found = harness.run("k", data.tensors(form), tilingOf(form, values), 0, 1000);
    EXPECT_TRUE(std::equal(data.y.end() - Data::kMargin, data.y.end(), before.end() - Data::kMargin));
    written = data.y != before;
    return found;
  };
  bool written = false;
  for (const auto &[name, value] : std::vector<std::pair<std::string, int64_t>>{{"size0", 21},
                                                                                {"size0", -1},
                                                                                {"size0", INT64_MAX},
                                                                                {"size1", 31},
                                                                                {"size1", int64_t(1) << 40},
                                                                                {"size2", 41},
                                                                                {"size2", INT64_MIN},
                                                                                {"batch1", 3},
                                                                                {"batch0", 2},
                                                                                {"batch0", INT64_MAX},
                                                                                {"a_m", -40},
                                                                                {"a_m", 41},
                                                                                {"a_m", INT64_MAX},
                                                                                {"b_m", 41},
                                                                                {"y_m", 31},
                                                                                {"y_m", -30},
                                                                                {"a_s1", -1},
                                                                                {"a_s1", 801},
                                                                                {"b_s1", 1 << 30},
                                                                                {"y_s1", 601},
                                                                                {"y_s1", INT64_MAX - 1},
                                                                                {"bias_s1", 1}}) {
    EXPECT_EQ(status({{name, value}}, written), OPC_KERNEL_OUTSIDE_TENSOR) << name << " = " << value;
    EXPECT_FALSE(written) << name << " = " << value;
  }
  // Rows that lie at one place, and results that do, would be more work than the tensors have elements.
  EXPECT_EQ(status({{"size0", 100000}, {"a_m", 0}, {"y_m", 0}}, written), OPC_KERNEL_OUTSIDE_TENSOR);
  EXPECT_EQ(status({{"batch0", 1 << 20}}, written), OPC_KERNEL_OUTSIDE_TENSOR);
  // Tiles of any size divide the results somehow.
  for (const auto &[name, value] : std::vector<std::pair<std::string, int64_t>>{{"tile_m", 0},
                                                                                {"tile_m", -5},
                                                                                {"tile_n", 1},
                                                                                {"tile_n", INT64_MAX},
                                                                                {"tile_m", INT64_MIN},
                                                                                {"block_length", 7},
                                                                                {"block_length", -1},
                                                                                {"block_length", INT64_MAX}})
    EXPECT_EQ(status({{name, value}}, written), 0) << name << " = " << value;
  EXPECT_TRUE(written);
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorContraction, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param == "x86-64-v3" ? "v3" : "v4"; });

/// The assembly of the register tiles of a level, of f32 or of bytes.
static std::string assemblyOf(const CpuLevel &level, bool isOfBytes) {
  llvm::LLVMContext context;
  llvm::Module module("tiles", context);
  llvm::Type *pointer = llvm::PointerType::getUnqual(context), *i64 = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(context),
      {pointer, i64, pointer, i64, pointer, pointer, i64, i64, i64, llvm::Type::getInt1Ty(context)}, false);
  const cpu::PanelSizes sizes(level);
  using Rows = cpu::PanelProduct::Rows;
  for (Rows rows : {Rows::Apart, Rows::Table}) {
    if (isOfBytes && rows == Rows::Table)
      continue; // of windows, which are of floats
    llvm::Function *caller = cpu::newFunction(module, "caller", type, level);
    caller->setLinkage(llvm::GlobalValue::ExternalLinkage);
    cpu::CodeBuilder b(caller, level);
    auto argument = [&](unsigned i) { return caller->getArg(i); };
    cpu::PanelProduct product;
    if (isOfBytes)
      product.cells = {level.dotsOfBytes ? 4u : 2u, true, true};
    product.left = argument(0);
    product.leftStep = product.firstK = argument(1);
    product.isTiled = argument(9);
    product.kStep = argument(3);
    product.rowsOfRight = rows;
    product.right = product.next = argument(2);
    product.nextRows = product.nextStep = argument(1);
    product.start = nullptr;
    product.rightStep = rows == Rows::Table ? argument(4) : argument(3);
    product.sums = argument(5);
    product.sumStep = argument(6);
    product.rows = argument(7);
    product.depth = argument(8);
    product.continues = argument(9);
    cpu::multiplyPanels(b, product, isOfBytes ? sizes.ofBytes : sizes.vectors);
    b.CreateRetVoid();
  }
  std::string reason;
  std::unique_ptr<llvm::TargetMachine> machine = cpu::targetMachine(level, reason);
  EXPECT_TRUE(machine) << reason;
  cpu::optimise(module, *machine, cpu::CodeForm::Vectors);
  llvm::SmallString<0> text;
  EXPECT_TRUE(cpu::generateObject(module, *machine, cpu::CodeForm::Vectors, text, llvm::CodeGenFileType::AssemblyFile));
  return text.str().str();
}

// A sum that is spilled makes the inner loop several times as slow, and nothing else shows it.
static void keepsSums(const CpuLevel &level, bool isOfBytes) {
  const cpu::PanelSizes sizes(level);
  // Four steps of k, of pairs two where there are many columns. A pair is one instruction of x86-64, two of aarch64.
  const bool isOfPairs = isOfBytes && !level.dotsOfBytes;
  const size_t ofStep = size_t(sizes.rows) * (isOfBytes ? sizes.ofBytes : sizes.vectors);
  const size_t products = ofStep * (isOfPairs && sizes.vectors > 2 ? 2 : 4) * (isOfPairs && !level.isX86() ? 2 : 1);
  std::istringstream text(assemblyOf(level, isOfBytes));
  std::string line, block;
  size_t inBlock = 0, fullLoops = 0;
  auto endBlock = [&] {
    if (inBlock >= products) {
      fullLoops += inBlock == products;
      // Of x86-64 and of aarch64.
      EXPECT_EQ(block.find("%rsp"), std::string::npos) << level.name.str() << "\n" << block;
      EXPECT_EQ(block.find("[sp"), std::string::npos) << level.name.str() << "\n" << block;
    }
    block.clear();
    inBlock = 0;
  };
  while (std::getline(text, line)) {
    if (line.find(':') != std::string::npos && line[0] != '\t')
      endBlock();
    block += line + "\n";
    // A block ends after a jump: of x86-64, or a conditional one of aarch64.
    const bool jumps = line.rfind("\tj", 0) == 0 || line.rfind("\tb.", 0) == 0;
    for (const char *product : {"vfmadd", "\tfmla", "vpmaddwd", "vpdpbusd", "\tmla"})
      inBlock += line.find(product) != std::string::npos;
    if (jumps)
      endBlock();
  }
  endBlock();
  EXPECT_EQ(fullLoops, isOfBytes ? 1u : 2u)
      << level.name.str() << ": a loop over rows that are apart, one by a table unless it is of bytes";
}

TEST(ContractionTiles, KeepTheirSumsInRegisters) {
  for (const CpuLevel &level : cpuLevels())
    for (bool isOfBytes : {false, true})
      keepsSums(level, isOfBytes);
}
