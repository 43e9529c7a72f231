// Kernels of the key `strided`: parts of an input and of an output, rows that have a distance of their own, batches, a
// row that stands still, blocks that end inside of rows; and tiling data that leads outside of tensors.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "runtime/program/opc_kernel_library.h"

#include <gtest/gtest.h>

#include <map>

using namespace opc;
using namespace opc::test;

namespace {

class VectorStrided : public LevelTest {};

// y__0 = x__1 - w, y__1 = x__0 + w: x and y [m, n] in two parts, w [1, n].
const char *const kKernel = R"(
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (0, n)>
func.func @k(%x0: memref<?x?xf32> {te.name = "x__0", te.part_of = "x"},
             %x1: memref<?x?xf32> {te.name = "x__1", te.part_of = "x"}, %w: memref<1x?xf32> {te.name = "w"},
             %y0: memref<?x?xf32> {te.name = "y__0", te.part_of = "y"},
             %y1: memref<?x?xf32> {te.name = "y__1", te.part_of = "y"})
    attributes {te.kernel, te.shape_key = "strided"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = bufferization.to_tensor %x0 restrict : memref<?x?xf32> to tensor<?x?xf32>
  %t1 = bufferization.to_tensor %x1 restrict : memref<?x?xf32> to tensor<?x?xf32>
  %tw = bufferization.to_tensor %w restrict : memref<1x?xf32> to tensor<1x?xf32>
  %m = tensor.dim %t0, %c0 : tensor<?x?xf32>
  %n = tensor.dim %t0, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t0, %t1, %tw : tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x?xf32>)
      outs(%e, %e : tensor<?x?xf32>, tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o0: f32, %o1: f32):
    %p = arith.subf %b, %c : f32
    %q = arith.addf %a, %c : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<?x?xf32>, tensor<?x?xf32>)
  bufferization.materialize_in_destination %r#0 in restrict writable %y0 : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %y1 : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
)";

const std::vector<std::string> kNames = {"x", "w", "y"};

/// The tiling data of [outer, m, inner, part, n] in x and [outer, inner, part, m, n] in y, w being [inner, n].
struct Launch {
  int64_t outer = 2, inner = 3, m, n;

  int64_t items() const { return outer * inner * m * n; }
  std::map<std::string, int64_t> fields(int64_t length) const {
    std::map<std::string, int64_t> values = {{"block_num", (items() + length - 1) / std::max<int64_t>(length, 1)},
                                             {"block_length", length},
                                             {"size0", m},
                                             {"size1", n},
                                             {"batch0", outer},
                                             {"batch1", inner},
                                             {"w_s0", 0},
                                             {"w_s1", n},
                                             {"w_m", 1}};
    for (int64_t part : {0, 1}) {
      std::string x = "x__" + std::to_string(part), y = "y__" + std::to_string(part);
      values[x + "_at"] = part * n;
      values[x + "_s0"] = m * inner * 2 * n;
      values[x + "_s1"] = 2 * n;
      values[x + "_m"] = inner * 2 * n;
      values[y + "_at"] = part * m * n;
      values[y + "_s0"] = inner * 2 * m * n;
      values[y + "_s1"] = 2 * m * n;
      values[y + "_m"] = n;
    }
    return values;
  }
};

std::vector<std::string> fieldNames() {
  std::vector<std::string> names;
  for (const auto &[name, value] : Launch{1, 1, 1, 1}.fields(1))
    names.push_back(name);
  return names;
}

int32_t run(const VectorHarness &harness, const Launch &launch, const std::map<std::string, int64_t> &fields,
            std::vector<float> &y) {
  std::vector<float> x(size_t(2 * launch.items())), w(size_t(launch.inner * launch.n));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i * 7919 % 1021);
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = float(i * 31 % 257);
  y.assign(x.size() + 1, -7.0f);
  std::vector<int64_t> tiling;
  for (const auto &[name, value] : fields)
    tiling.push_back(value);
  int32_t status = 0;
  for (int64_t block = 0; block < fields.at("block_num"); ++block)
    status |= harness.run("k", {tensor(x), tensor(w), {y.data(), int64_t(x.size())}}, tiling, block, block + 1);
  return status;
}

} // namespace

TEST_P(VectorStrided, Parts) {
  VectorHarness harness(kKernel, kNames, fieldNames(), {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  for (int64_t n : {1, 2, 7, 16, 33, 64, 65, 129, 700, 4100})
    for (int64_t m : {1, 2, 5, 17}) {
      Launch launch{2, 3, m, n};
      for (int64_t length : {launch.items(), launch.items() / 3 + 1, std::max<int64_t>(launch.items() / 20, 29)}) {
        std::vector<float> y;
        ASSERT_EQ(run(harness, launch, launch.fields(length), y), 0);
        for (int64_t i = 0; i < int64_t(y.size()) - 1; ++i) {
          // Element (o, k, p, r, c) of y.
          int64_t c = i % n, r = i / n % m, p = i / n / m % 2, k = i / n / m / 2 % 3, o = i / n / m / 2 / 3;
          int64_t other = (((o * m + r) * 3 + k) * 2 + (1 - p)) * n + c;
          float w = float((k * n + c) * 31 % 257), x = float(other * 7919 % 1021);
          ASSERT_EQ(y[size_t(i)], p == 0 ? x - w : x + w) << i << " of " << m << " x " << n << ", blocks of " << length;
        }
        ASSERT_EQ(y.back(), -7.0f);
      }
    }
}

// Each number that leads to an element beyond a tensor, and none that leads to its last.
TEST_P(VectorStrided, OutsideOfTensors) {
  VectorHarness harness(kKernel, kNames, fieldNames(), {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  Launch launch{2, 3, 4, 70};
  const std::map<std::string, int64_t> good = launch.fields(launch.items());
  std::vector<float> y;
  for (const auto &[name, value] : good) {
    if (name == "block_num" || name == "block_length" || name == "w_m" || name == "w_s0")
      continue;
    // The first part ends before the last element of its tensor, by the size of the second.
    bool isFirst = name.find("__0") != std::string::npos;
    int64_t room = !isFirst ? 0 : name[0] == 'x' ? launch.n : launch.m * launch.n;
    for (int64_t wrong : {value + room + 1, int64_t(-1), INT64_MIN, INT64_MAX, INT64_MAX / 2, int64_t(1) << 40}) {
      std::map<std::string, int64_t> fields = good;
      fields[name] = wrong;
      EXPECT_EQ(run(harness, launch, fields, y), OPC_KERNEL_OUTSIDE_TENSOR) << name << " = " << wrong;
    }
    if (name.find("_at") == std::string::npos)
      continue;
    std::map<std::string, int64_t> fields = good;
    fields[name] = value + room;
    EXPECT_EQ(run(harness, launch, fields, y), 0) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorStrided, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
