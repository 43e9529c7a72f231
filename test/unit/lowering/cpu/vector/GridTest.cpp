// Elementwise kernels over rows: rows shorter and longer than a vector, a piece and a buffer, operands that
// are repeated for each row or stand still along it, batches with strides of their own, blocks that end inside
// of rows, streams.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;

namespace {

class VectorGrid : public LevelTest {};

/// y = x * scale + bias + one, with `type` for all: x [m, n], bias [1, n], scale [m, 1], one [1, 1].
std::string gridKernel(const std::string &type) {
  std::string text = R"(
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (0, n)>
#column = affine_map<(m, n) -> (m, 0)>
#one = affine_map<(m, n) -> (0, 0)>
func.func @k(%x: memref<?x?xT>, %bias: memref<1x?xT>, %scale: memref<?x1xT>, %one: memref<1x1xT>,
             %y: memref<?x?xT>) attributes {te.kernel, te.shape_key = "grid"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tx = bufferization.to_tensor %x restrict : memref<?x?xT> to tensor<?x?xT>
  %tb = bufferization.to_tensor %bias restrict : memref<1x?xT> to tensor<1x?xT>
  %ts = bufferization.to_tensor %scale restrict : memref<?x1xT> to tensor<?x1xT>
  %to = bufferization.to_tensor %one restrict : memref<1x1xT> to tensor<1x1xT>
  %m = tensor.dim %tx, %c0 : tensor<?x?xT>
  %n = tensor.dim %tx, %c1 : tensor<?x?xT>
  %e = tensor.empty(%m, %n) : tensor<?x?xT>
  %r = linalg.generic {indexing_maps = [#id, #row, #column, #one, #id], iterator_types = ["parallel", "parallel"]}
      ins(%tx, %tb, %ts, %to : tensor<?x?xT>, tensor<1x?xT>, tensor<?x1xT>, tensor<1x1xT>) outs(%e : tensor<?x?xT>) {
  ^bb0(%a: T, %b: T, %s: T, %o: T, %out: T):
    %p = arith.MUL %a, %s : T
    %q = arith.ADD %p, %b : T
    %z = arith.ADD %q, %o : T
    linalg.yield %z : T
  } -> tensor<?x?xT>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?x?xT>, memref<?x?xT>) -> ()
  return
}
)";
  bool floats = type[0] != 'i';
  const std::pair<std::string, std::string> words[] = {
      {"xT", "x" + type}, {": T", ": " + type}, {"MUL", floats ? "mulf" : "muli"}, {"ADD", floats ? "addf" : "addi"}};
  for (const auto &[from, to] : words)
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

const std::vector<std::string> kNames = {"x", "bias", "scale", "one", "y"};
const std::vector<std::string> kFields = {"block_num", "size0",  "size1",   "block_length", "batch0",   "batch1",
                                          "x_s0",      "x_s1",   "bias_s0", "bias_s1",      "scale_s0", "scale_s1",
                                          "one_s0",    "one_s1", "y_s0",    "y_s1"};

template <typename T> void check(const VectorHarness &harness, int64_t m, int64_t n, int64_t cache) {
  constexpr int64_t kOuter = 2, kInner = 3, kBatches = kOuter * kInner;
  // x and scale have all batches, bias the inner ones, `one` none.
  std::vector<T> x(kBatches * m * n), bias(kInner * n), scale(kBatches * m), one = {T(5)};
  std::vector<T> y(kBatches * m * n + 1, T(-7)), expected = y;
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = T(int64_t(i * 7919 % 61) - 30);
  for (size_t i = 0; i < bias.size(); ++i)
    bias[i] = T(int64_t(i * 104729 % 97) - 48);
  for (size_t i = 0; i < scale.size(); ++i)
    scale[i] = T(int64_t(i * 31 % 13) - 6);
  for (int64_t batch = 0; batch < kBatches; ++batch)
    for (int64_t r = 0; r < m; ++r)
      for (int64_t c = 0; c < n; ++c) {
        int64_t i = (batch * m + r) * n + c;
        expected[i] = T(x[i] * scale[batch * m + r] + bias[batch % kInner * n + c] + one[0]);
      }
  // Blocks that end where they like, each in a call of its own.
  int64_t items = kBatches * m * n;
  for (int64_t length : {items, items / 3 + 1, std::max<int64_t>(items / 50, 29)}) {
    std::fill(y.begin(), y.end(), T(-7));
    int64_t blocks = (items + length - 1) / length;
    std::vector<int64_t> tiling = {blocks, m, n,          length, kOuter, kInner, kInner * m * n, m * n,
                                   0,      n, kInner * m, m,      0,      0,      kInner * m * n, m * n};
    for (int64_t block = 0; block < blocks; ++block)
      ASSERT_EQ(harness.run("k", {tensor(x), tensor(bias), tensor(scale), tensor(one), {y.data(), items}}, tiling,
                            block, block + 1, cache),
                0);
    for (size_t i = 0; i < y.size(); ++i)
      ASSERT_EQ(y[i], expected[i]) << "element " << i << " of " << m << " x " << n << " in blocks of " << length;
  }
}

template <typename T> void checkAll(const std::string &type, const std::string &level) {
  VectorHarness harness(gridKernel(type), kNames, kFields, {level});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  for (int64_t cache : {int64_t(1) << 40, int64_t(0)})
    for (int64_t n : {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 65, 127, 128, 129, 700, 1024, 1025, 4100})
      for (int64_t m : {1, 2, 5, 67}) {
        check<T>(harness, m, n, cache);
        if (::testing::Test::HasFatalFailure())
          return;
      }
}

} // namespace

TEST_P(VectorGrid, Float32) {
  checkAll<float>("f32", GetParam());
}
// Vectors have four times the lanes.
TEST_P(VectorGrid, Int8) {
  checkAll<int8_t>("i8", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorGrid, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
