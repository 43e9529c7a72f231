// Windows of an input: maxima of them and products with them, against loops that know of one element at a time; blocks
// of any division, and tiling data that leads outside of tensors.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "runtime/program/opc_kernel_library.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <random>

using namespace opc;
using namespace opc::test;

namespace {

/// Steps along a dimension, and its sizes.
struct Axis {
  int64_t stride, dilation, pad, in, of, out;
};

/// A launch: `batches` of `channels` planes. A product has as many filters, a maximum has one channel. Either
/// may have a depth.
struct Launch {
  Axis down, along;
  int64_t batches = 1, channels = 1, filters = 0;
  std::optional<Axis> deep = std::nullopt;

  bool isProduct() const { return filters > 0; }
  Axis depth() const { return deep.value_or(Axis{1, 1, 0, 1, 1, 1}); }
  int64_t positions() const { return depth().of * down.of * along.of; }
  int64_t places() const { return depth().out * down.out * along.out; }
  int64_t plane() const { return depth().in * down.in * along.in; }
  /// Those of the tiling data, outermost first.
  std::vector<Axis> axes() const {
    return deep ? std::vector<Axis>{*deep, down, along} : std::vector<Axis>{down, along};
  }

  std::string text() const {
    std::string steps;
    for (const Axis &axis : axes())
      steps += (steps.empty() ? "" : ", ") + std::to_string(axis.stride) + ", " + std::to_string(axis.dilation) + ", " +
               std::to_string(axis.pad);
    const std::string window = "te.window = array<i64: " + steps + ">";
    if (isProduct())
      return "func.func @k(%m_w: memref<?x?xf32> {te.dims = array<i64: 0, 2>}, "
             "%m_x: memref<?x?xf32> {te.dims = array<i64: 2, 1>, " +
             window +
             "}, %m_y: memref<?x?xf32> {te.dims = array<i64: 0, 1>}) "
             "attributes {te.kernel, te.shape_key = \"contraction\"} {\n"
             "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%zero = arith.constant 0.0 : f32\n"
             "%w = bufferization.to_tensor %m_w restrict : memref<?x?xf32> to tensor<?x?xf32>\n"
             "%x = bufferization.to_tensor %m_x restrict : memref<?x?xf32> to tensor<?x?xf32>\n"
             "%m = tensor.dim %w, %c0 : tensor<?x?xf32>\n%n = tensor.dim %x, %c1 : tensor<?x?xf32>\n"
             "%e = tensor.empty(%m, %n) : tensor<?x?xf32>\n"
             "%f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>\n"
             "%p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, "
             "affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} "
             "ins(%w, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) {\n"
             "^bb0(%a: f32, %b: f32, %sum: f32):\n%q = arith.mulf %a, %b : f32\n%r = arith.addf %sum, %q : f32\n"
             "linalg.yield %r : f32\n} -> tensor<?x?xf32>\n"
             "bufferization.materialize_in_destination %p in restrict writable %m_y : (tensor<?x?xf32>, "
             "memref<?x?xf32>) -> ()\nreturn\n}\n";
    return "func.func @k(%m_x: memref<?x?x?xf32> {te.dims = array<i64: 0, 1, 2>, " + window +
           "}, %m_y: memref<?xf32> {te.dims = array<i64: 2>}) attributes {te.kernel, te.shape_key = \"windows\"} {\n"
           "%c2 = arith.constant 2 : index\n%low = arith.constant 0xFF800000 : f32\n"
           "%x = bufferization.to_tensor %m_x restrict : memref<?x?x?xf32> to tensor<?x?x?xf32>\n"
           "%n = tensor.dim %x, %c2 : tensor<?x?x?xf32>\n%e = tensor.empty(%n) : tensor<?xf32>\n"
           "%f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>\n"
           "%p = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (c)>], "
           "iterator_types = [\"reduction\", \"reduction\", \"parallel\"]} "
           "ins(%x : tensor<?x?x?xf32>) outs(%f : tensor<?xf32>) {\n"
           "^bb0(%a: f32, %max: f32):\n%r = arith.maximumf %a, %max : f32\nlinalg.yield %r : f32\n} -> tensor<?xf32>\n"
           "bufferization.materialize_in_destination %p in restrict writable %m_y : (tensor<?xf32>, memref<?xf32>) -> "
           "()\nreturn\n}\n";
  }
  std::vector<std::string> names() const {
    return isProduct() ? std::vector<std::string>{"w", "x", "y"} : std::vector<std::string>{"x", "y"};
  }
  std::vector<std::pair<std::string, int64_t>> fields() const {
    std::vector<std::pair<std::string, int64_t>> list = {{"block_num", 1000}, {"block_length", isProduct() ? 1 : 7},
                                                         {"batch0", 1},       {"batch1", batches},
                                                         {"tile_m", 12},      {"tile_n", 64}};
    const std::vector<int64_t> sizes = isProduct() ? std::vector<int64_t>{filters, places(), channels * positions()}
                                                   : std::vector<int64_t>{1, positions(), places()};
    for (size_t i = 0; i < sizes.size(); ++i)
      list.emplace_back("size" + std::to_string(i), sizes[i]);
    for (const std::string &name : names()) {
      const bool isInput = name == "x", isResult = name == "y";
      list.emplace_back(name + "_s0", 0);
      list.emplace_back(name + "_s1", isInput    ? channels * plane()
                                      : isResult ? std::max<int64_t>(filters, 1) * places()
                                                 : 0);
      list.emplace_back(name + "_r0", 0);
      list.emplace_back(name + "_m", isInput    ? (isProduct() ? plane() : 0)
                                     : isResult ? (isProduct() ? places() : 0)
                                                : channels * positions());
    }
    const std::vector<Axis> all = axes();
    for (size_t i = 0; i < all.size(); ++i) {
      list.emplace_back("window_in" + std::to_string(i), all[i].in);
      list.emplace_back("window_of" + std::to_string(i), all[i].of);
      list.emplace_back("window_out" + std::to_string(i), all[i].out);
    }
    return list;
  }
};

struct Data {
  static constexpr size_t kMargin = 64;
  std::vector<float> w, x, y;

  explicit Data(const Launch &launch) {
    std::mt19937 random(11);
    auto draw = [&](int64_t count) {
      std::vector<float> values(static_cast<size_t>(count));
      for (float &value : values)
        value = float(int(random() % 9) - 4);
      return values;
    };
    w = draw(launch.filters * launch.channels * launch.positions());
    x = draw(launch.batches * launch.channels * launch.plane());
    y.assign(size_t(launch.batches * std::max<int64_t>(launch.filters, 1) * launch.places()) + kMargin, -77.0f);
  }
  std::vector<VectorHarness::Tensor> tensors(const Launch &launch) const {
    VectorHarness::Tensor result{y.data(), int64_t(y.size() - kMargin)};
    if (launch.isProduct())
      return {tensor(w), tensor(x), result};
    return {tensor(x), result};
  }
  std::vector<float> expected(const Launch &launch) const {
    std::vector<float> values = y;
    size_t next = 0;
    const Axis &down = launch.down, &along = launch.along, deep = launch.depth();
    for (int64_t batch = 0; batch < launch.batches; ++batch)
      for (int64_t filter = 0; filter < std::max<int64_t>(launch.filters, 1); ++filter)
        for (int64_t row = 0; row < deep.out * down.out; ++row)
          for (int64_t ow = 0; ow < along.out; ++ow) {
            float sum = 0, most = -INFINITY;
            const int64_t od = row / down.out, oh = row % down.out;
            for (int64_t c = 0; c < launch.channels; ++c)
              for (int64_t windowRow = 0; windowRow < deep.of * down.of; ++windowRow)
                for (int64_t kw = 0; kw < along.of; ++kw) {
                  const int64_t kd = windowRow / down.of, kh = windowRow % down.of;
                  int64_t d = od * deep.stride + kd * deep.dilation - deep.pad;
                  int64_t h = oh * down.stride + kh * down.dilation - down.pad;
                  int64_t v = ow * along.stride + kw * along.dilation - along.pad;
                  if (d < 0 || d >= deep.in || h < 0 || h >= down.in || v < 0 || v >= along.in)
                    continue;
                  const int64_t plane = (batch * launch.channels + c) * deep.in + d;
                  float element = x[size_t((plane * down.in + h) * along.in + v)];
                  most = std::max(most, element);
                  if (launch.isProduct())
                    sum += element *
                           w[size_t(((filter * launch.channels + c) * deep.of * down.of + windowRow) * along.of + kw)];
                }
            values[next++] = launch.isProduct() ? sum : most;
          }
    return values;
  }
};

std::vector<std::string> namesOf(const Launch &launch) {
  std::vector<std::string> names;
  for (const auto &[name, value] : launch.fields())
    names.push_back(name);
  return names;
}

std::vector<int64_t> tilingOf(const Launch &launch, const std::map<std::string, int64_t> &changes = {}) {
  std::vector<int64_t> values;
  for (const auto &[name, value] : launch.fields())
    values.push_back(changes.count(name) ? changes.at(name) : value);
  return values;
}

class VectorWindows : public ::testing::TestWithParam<std::string> {};

// Stride, dilation, padding, input, window, places.
const std::vector<Launch> kLaunches = {
    {{2, 1, 1, 9, 3, 5}, {2, 1, 1, 40, 3, 20}, 3},
    {{1, 2, 3, 5, 3, 7}, {1, 3, 4, 77, 2, 82}, 2},
    {{1, 1, 0, 1, 1, 1}, {3, 1, 5, 11, 2, 7}, 2},
    // Windows beside the input, and after its end.
    {{4, 1, 4, 2, 2, 4}, {9, 1, 9, 4, 3, 4}},
    {{1, 1, 0, 3, 3, 1}, {1, 1, 0, 4600, 5, 4596}},
    {{2, 1, 1, 9, 3, 5}, {2, 1, 1, 40, 3, 20}, 2, 3, 7},
    {{1, 2, 3, 5, 3, 7}, {1, 3, 4, 77, 2, 82}, 1, 2, 16},
    {{1, 2, 3, 5, 3, 7}, {1, 3, 4, 77, 2, 82}, 1, 2, 13},
    {{1, 1, 1, 6, 3, 6}, {3, 1, 2, 20, 4, 7}, 1, 5, 2},
    {{1, 1, 0, 8, 1, 8}, {1, 1, 0, 17, 1, 17}, 2, 300, 9},
    {{4, 1, 4, 2, 2, 4}, {9, 1, 9, 4, 3, 4}, 1, 1, 3},
    // One channel and one filter.
    {{1, 1, 1, 9, 3, 9}, {1, 1, 1, 101, 3, 101}, 2, 1, 1},
    {{2, 1, 2, 9, 5, 5}, {2, 2, 3, 50, 3, 26}, 2, 1, 1},
    {{1, 1, 1, 3, 3, 3}, {5, 1, 1, 30, 3, 6}, 1, 1, 1},
    {{1, 1, 2, 9, 5, 9}, {1, 1, 2, 7, 5, 7}, 2, 1, 1},
    {{1, 1, 3, 8, 7, 8}, {1, 2, 6, 37, 7, 37}, 1, 1, 1},
    {{1, 1, 4, 5, 3, 11}, {1, 1, 0, 20, 3, 18}, 1, 1, 1},
    {{2, 1, 1, 14, 3, 7}, {2, 1, 1, 18, 3, 9}, 2, 1, 1},
    {{2, 1, 1, 10, 3, 5}, {2, 1, 1, 10, 3, 5}, 1, 1, 1},
    {{2, 2, 2, 9, 3, 5}, {2, 2, 3, 50, 3, 26}, 1, 1, 1},
    {{2, 1, 2, 9, 5, 5}, {2, 1, 2, 70, 5, 35}, 1, 1, 1},
    // Elements behind the vectors of a row, in it and in its padding.
    {{2, 1, 1, 9, 3, 5}, {2, 1, 1, 67, 3, 34}, 2, 1, 1},
    {{2, 1, 0, 9, 3, 4}, {2, 1, 0, 65, 3, 32}, 1, 1, 1},
    {{2, 1, 3, 9, 7, 5}, {2, 1, 3, 71, 7, 36}, 1, 1, 1},
    {{1, 1, 0, 9, 3, 7}, {1, 1, 0, 34, 3, 32}, 1, 1, 1},
    // With gaps between the columns of the window.
    {{1, 2, 2, 9, 3, 9}, {1, 2, 2, 41, 3, 41}, 1, 1, 1},
    {{2, 2, 2, 9, 3, 5}, {2, 2, 2, 67, 3, 34}, 1, 1, 1},
    // Rows of the input that are read once: two vectors of them, more rows of padding than a window has, few rows.
    {{2, 1, 1, 28, 3, 14}, {2, 1, 1, 28, 3, 14}, 2, 1, 1},
    {{2, 1, 0, 9, 3, 4}, {2, 1, 0, 32, 3, 15}, 1, 1, 1},
    {{2, 1, 6, 5, 5, 7}, {2, 1, 5, 32, 5, 20}, 1, 1, 1},
    {{2, 1, 6, 2, 7, 4}, {2, 2, 3, 19, 7, 7}, 1, 1, 1},
    {{2, 1, 1, 7, 3, 4}, {2, 1, 9, 33, 3, 25}, 1, 1, 1},
    {{1, 1, 5, 4, 3, 12}, {1, 1, 1, 20, 3, 20}, 1, 1, 1},
    {{1, 1, 0, 3, 3, 1}, {1, 1, 2, 19, 5, 19}, 1, 1, 1},
    {{1, 1, 0, 4, 1, 4}, {1, 1, 0, 5, 1, 5}, 2, 3, 1},
    {{1, 1, 1, 4, 2, 5}, {1, 1, 1, 9, 2, 10}, 2, 3, 1},
    // Several parts of k, several blocks of places.
    {{1, 1, 1, 30, 3, 30}, {1, 1, 1, 23, 3, 23}, 1, 61, 20},
    {{2, 1, 3, 25, 7, 13}, {2, 1, 3, 31, 7, 16}, 2, 3, 8},
    // Padding that a row does not share with the next one, and rows beside others.
    {{1, 2, 2, 7, 3, 7}, {1, 2, 1, 12, 3, 10}, 1, 4, 7},
    {{3, 1, 0, 10, 1, 4}, {2, 1, 0, 37, 1, 19}, 2, 9, 6},
    // A row that no buffer holds.
    {{1, 1, 1, 2, 3, 2}, {1, 1, 1, 20000, 3, 20000}, 1, 1, 2},
};

// Several planes of places in the buffer, planes beside the input, one plane.
const std::vector<Launch> kVolumes = {
    {{2, 1, 1, 9, 3, 5}, {2, 1, 1, 11, 3, 6}, 2, 1, 0, Axis{2, 1, 1, 7, 3, 4}},
    {{1, 2, 3, 5, 3, 7}, {1, 3, 4, 77, 2, 82}, 1, 1, 0, Axis{1, 3, 4, 2, 3, 4}},
    {{1, 1, 0, 2, 2, 1}, {1, 1, 0, 4600, 5, 4596}, 2, 1, 0, Axis{3, 1, 0, 1, 1, 1}},
    {{1, 1, 0, 3, 1, 3}, {3, 1, 2, 20, 4, 7}, 2, 1, 0, Axis{4, 1, 4, 2, 2, 4}},
};

const std::vector<Launch> kProductsOfVolumes = {
    {{2, 1, 1, 9, 3, 5}, {2, 1, 1, 40, 3, 20}, 2, 3, 7, Axis{2, 1, 1, 7, 3, 4}},
    {{1, 2, 3, 5, 3, 7}, {1, 3, 4, 77, 2, 82}, 1, 2, 16, Axis{1, 3, 4, 2, 3, 4}},
    // Rows in memory; rows that would be but for a stride, padding or the planes of a window.
    {{1, 1, 0, 8, 1, 8}, {1, 1, 0, 17, 1, 17}, 2, 300, 9, Axis{1, 1, 0, 3, 1, 3}},
    {{1, 1, 0, 8, 1, 8}, {1, 1, 0, 17, 1, 17}, 2, 30, 9, Axis{2, 1, 0, 5, 1, 3}},
    {{1, 1, 0, 2, 1, 2}, {1, 1, 0, 7, 1, 7}, 1, 30, 2, Axis{1, 1, 1, 3, 1, 5}},
    {{1, 1, 0, 4, 1, 4}, {1, 1, 0, 5, 1, 5}, 2, 3, 1, Axis{1, 1, 0, 4, 2, 3}},
    // Parts of k that begin within a channel.
    {{1, 1, 1, 10, 3, 10}, {1, 1, 1, 12, 3, 12}, 1, 41, 20, Axis{1, 1, 1, 4, 3, 4}},
    {{1, 1, 1, 4, 3, 4}, {1, 1, 1, 4, 3, 4}, 1, 100, 1, Axis{1, 1, 1, 2, 3, 2}},
    // One channel and one filter, also of more planes than a part of k.
    {{1, 1, 1, 9, 3, 9}, {1, 1, 1, 101, 3, 101}, 2, 1, 1, Axis{1, 1, 1, 3, 3, 3}},
    {{2, 1, 2, 9, 5, 5}, {1, 1, 1, 7, 3, 7}, 1, 1, 1, Axis{4, 1, 4, 2, 2, 4}},
    {{1, 1, 2, 6, 5, 6}, {1, 1, 2, 20, 5, 20}, 1, 1, 1, Axis{1, 1, 0, 42, 41, 2}},
    // Rows that no buffer holds.
    {{1, 1, 1, 1, 3, 1}, {1, 1, 1, 20000, 3, 20000}, 1, 1, 2, Axis{1, 1, 1, 2, 2, 3}},
    {{1, 1, 1, 1, 3, 1}, {1, 1, 1, 20000, 3, 20000}, 1, 1, 1, Axis{1, 1, 1, 2, 2, 3}},
    {{2, 1, 1, 3, 3, 2}, {2, 1, 1, 20000, 3, 10000}, 1, 2, 3, Axis{1, 2, 1, 3, 2, 3}},
};

// Planes with short rows, of which a vector of AVX-512 has two; at most 64 results, which are a tile of the launch.
const std::vector<Launch> kSmallPlanes = {
    {{1, 1, 1, 7, 3, 7}, {1, 1, 1, 7, 3, 7}, 3, 1, 1},
    {{1, 1, 1, 8, 3, 8}, {1, 1, 1, 8, 3, 8}, 1, 1, 1},
    {{1, 1, 1, 1, 3, 1}, {1, 1, 1, 3, 3, 3}, 2, 1, 1},
    // One row of vectors: of one column, of a whole number of vectors.
    {{1, 1, 1, 20, 3, 20}, {1, 1, 1, 1, 3, 1}, 2, 1, 1},
    {{1, 1, 1, 32, 3, 32}, {1, 1, 1, 2, 3, 2}, 2, 1, 1},
    {{1, 1, 1, 6, 3, 6}, {1, 1, 1, 8, 3, 8}, 2, 1, 1},
    {{1, 1, 2, 7, 5, 7}, {1, 1, 2, 7, 5, 7}, 3, 1, 1},
    {{1, 1, 2, 8, 5, 8}, {1, 1, 2, 8, 5, 8}, 2, 1, 1},
    {{1, 1, 2, 20, 5, 20}, {1, 1, 2, 1, 5, 1}, 2, 1, 1},
    {{1, 1, 2, 3, 5, 3}, {1, 1, 2, 3, 5, 3}, 2, 1, 1},
    // As many elements as results, and another padding on each side or axis.
    {{1, 1, 1, 7, 3, 7}, {1, 1, 0, 7, 3, 7}, 3, 1, 1},
    {{1, 1, 0, 7, 3, 7}, {1, 1, 1, 7, 3, 7}, 3, 1, 1},
    {{1, 1, 2, 7, 5, 7}, {1, 1, 1, 7, 5, 7}, 2, 1, 1},
    // Columns of the window whose sums move, and others.
    {{2, 1, 1, 14, 3, 7}, {2, 1, 1, 14, 3, 7}, 3, 1, 1},
    {{2, 1, 1, 13, 5, 6}, {2, 1, 1, 13, 5, 6}, 2, 1, 1},
    {{2, 1, 4, 9, 5, 7}, {2, 1, 4, 11, 5, 8}, 1, 1, 1},
    {{2, 1, 0, 9, 3, 4}, {2, 1, 0, 15, 3, 7}, 1, 1, 1},
    {{2, 1, 3, 9, 7, 5}, {2, 1, 1, 15, 7, 6}, 1, 1, 1},
    {{1, 2, 1, 9, 3, 7}, {1, 2, 2, 8, 3, 8}, 2, 1, 1},
    {{1, 1, 4, 8, 3, 14}, {1, 1, 2, 2, 3, 4}, 1, 1, 1},
    {{2, 1, 2, 13, 5, 7}, {2, 1, 2, 15, 5, 8}, 2, 1, 1},
    {{2, 1, 1, 9, 3, 5}, {1, 2, 2, 6, 3, 6}, 1, 1, 1},
    {{1, 1, 1, 6, 3, 6}, {2, 1, 1, 8, 3, 4}, 1, 1, 1},
    {{2, 8, 9, 13, 3, 8}, {2, 1, 1, 16, 3, 8}, 1, 1, 1},
    {{1, 1, 3, 7, 7, 7}, {1, 1, 3, 7, 7, 7}, 2, 1, 1},
    {{1, 1, 1, 7, 5, 5}, {1, 1, 2, 6, 5, 6}, 1, 1, 1},
    {{1, 1, 8, 2, 5, 14}, {1, 1, 0, 7, 5, 3}, 1, 1, 1},
    {{2, 1, 3, 14, 7, 7}, {2, 1, 3, 14, 7, 7}, 1, 1, 1},
    // Several filters of one channel, several channels of one filter.
    {{1, 1, 1, 7, 3, 7}, {1, 1, 1, 7, 3, 7}, 2, 1, 2},
    {{1, 1, 1, 7, 3, 7}, {1, 1, 1, 7, 3, 7}, 2, 3, 1},
    // One more row, column, place or dilation than they have room for.
    {{1, 1, 1, 5, 3, 5}, {1, 1, 1, 9, 3, 9}, 1, 1, 1},
    {{1, 1, 1, 9, 3, 9}, {1, 1, 1, 8, 3, 8}, 2, 1, 1},
    {{1, 1, 1, 4, 3, 4}, {1, 1, 2, 8, 3, 10}, 1, 1, 1},
    {{2, 1, 1, 8, 3, 4}, {2, 1, 0, 17, 3, 8}, 1, 1, 1},
    {{2, 1, 1, 8, 3, 4}, {2, 1, 2, 16, 3, 9}, 1, 1, 1},
    {{2, 1, 1, 128, 3, 64}, {1, 1, 1, 1, 3, 1}, 1, 1, 1},
    {{1, 1000, 1000, 7, 3, 7}, {1, 1, 1, 7, 3, 7}, 1, 1, 1},
};

} // namespace

TEST_P(VectorWindows, AreReadWhereTheyLie) {
  std::map<std::string, std::unique_ptr<VectorHarness>> kernels; // sizes are data of a launch
  std::vector<Launch> launches;
  for (const std::vector<Launch> &some : {kLaunches, kVolumes, kProductsOfVolumes})
    for (const Launch &launch : some)
      if (takesLevel(GetParam(), size_t(&launch - some.data())))
        launches.push_back(launch);
  if (GetParam() == "x86-64-v4") // the other level has no code of its own for them
    launches.insert(launches.end(), kSmallPlanes.begin(), kSmallPlanes.end());
  for (const Launch &launch : launches) {
    std::unique_ptr<VectorHarness> &kernel = kernels[launch.text()];
    if (!kernel)
      kernel = std::make_unique<VectorHarness>(launch.text(), launch.names(), namesOf(launch),
                                               std::vector<std::string>{GetParam()});
    VectorHarness &harness = *kernel;
    ASSERT_TRUE(harness.ready()) << harness.errors();
    Data data(launch);
    const std::vector<float> expected = data.expected(launch), before = data.y;
    ASSERT_EQ(harness.run("k", data.tensors(launch), tilingOf(launch), 0, 1000), 0);
    EXPECT_EQ(data.y, expected) << launch.text();
    if (launch.isProduct() && launch.filters > 1) {
      data.y = before;
      const int32_t status = harness.runPacked("k", 0, data.tensors(launch), tilingOf(launch), 0, 1000);
      // 1 to 3 filters after the last whole tile of the launch are read as they are.
      const int64_t rest = launch.filters % 12;
      const bool isPacked = launch.filters < 12 || rest == 0 || rest > 3;
      ASSERT_EQ(status, isPacked ? 0 : OPC_KERNEL_NOT_PACKED) << launch.text();
      if (isPacked)
        EXPECT_EQ(data.y, expected) << launch.text();
    }
    // A block writes no results of another one.
    data.y = before;
    ASSERT_EQ(harness.run("k", data.tensors(launch), tilingOf(launch), 0, 1), 0);
    for (size_t i = 0; launch.isProduct() && i < data.y.size(); ++i)
      if (int64_t(i) % launch.places() >= 64 || int64_t(i) / launch.places() >= 12)
        ASSERT_EQ(data.y[i], before[i]) << launch.text();
    // Blocks in any order make the same results.
    data.y = before;
    for (int64_t block = 1000; block-- > 0;)
      ASSERT_EQ(harness.run("k", data.tensors(launch), tilingOf(launch), block, block + 1), 0);
    EXPECT_EQ(data.y, expected) << launch.text();
  }
}

// Numbers that no tiling function gives must neither read or write outside of tensors nor run for long.
TEST_P(VectorWindows, RefuseWrongTilingData) {
  size_t number = 0;
  for (const Launch &launch : {kLaunches[0], kLaunches[5], kProductsOfVolumes[0], kVolumes[0]}) {
    if (!takesLevel(GetParam(), number++)) // a maximum and a product each
      continue;
    VectorHarness harness(launch.text(), launch.names(), namesOf(launch), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    std::vector<std::pair<std::string, int64_t>> wrong = {
        {"window_in0", 10},
        {"window_in0", -1},
        {"window_in1", 41},
        {"window_in1", int64_t(1) << 62},
        {"window_of0", 4},
        {"window_of1", -3},
        {"window_of1", INT64_MIN},
        {"window_out0", 6},
        {"window_out1", INT64_MAX},
        {"size2", 101},
        {"batch1", 4},
        {"batch1", INT64_MAX},
        {"x_s1", -1},
        {"x_s1", int64_t(1) << 40},
    };
    if (launch.deep)
      wrong.insert(wrong.end(), {{"window_in2", launch.along.in + 1},
                                 {"window_in2", -1},
                                 {"window_in1", int64_t(1) << 32},
                                 {"window_of2", 2},
                                 {"window_out2", 7},
                                 {"window_out0", -4}});
    if (launch.isProduct()) {
      wrong.insert(wrong.end(), {{"x_m", -360}, {"x_m", 100000}, {"size2", 36}, {"size1", 99}, {"size0", 8}});
      // Of a product, more k than the filters have.
      wrong.push_back({"size2", 1 << 30});
    } else {
      wrong.insert(wrong.end(), {{"size0", 2}, {"size1", 8}});
    }
    for (const auto &[name, value] : wrong) {
      Data data(launch);
      const std::vector<float> before = data.y;
      EXPECT_EQ(harness.run("k", data.tensors(launch), tilingOf(launch, {{name, value}}), 0, 1000),
                OPC_KERNEL_OUTSIDE_TENSOR)
          << name << " = " << value;
      EXPECT_EQ(data.y, before) << name << " = " << value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorWindows, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param == "x86-64-v3" ? "v3" : "v4"; });
