// Matrix products at phase `fused`, launches of them, and tensors whose sums are exact, for tests of the CPU form.

#ifndef OPC_TEST_UNIT_LOWERING_CPU_VECTOR_PRODUCTBODIES_H
#define OPC_TEST_UNIT_LOWERING_CPU_VECTOR_PRODUCTBODIES_H

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace opc::test::products {

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

inline const std::vector<std::string> kSizes = {"block_num", "block_length", "tile_m", "tile_n", "size0",
                                                "size1",     "size2",        "batch0", "batch1"};

inline std::vector<std::string> fieldsOf(const Form &form) {
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

inline std::vector<int64_t> tilingOf(const Form &form, const std::map<std::string, int64_t> &values) {
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

} // namespace opc::test::products

#endif // OPC_TEST_UNIT_LOWERING_CPU_VECTOR_PRODUCTBODIES_H
