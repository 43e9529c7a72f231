// Rewrites DFT and STFT as products with cosines and sines.

#include "lowering/graph/legalize/parts/Decomposer.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// The cosine and the sine of 2 pi at / length: exact at the quarters.
static std::pair<double, double> turn(int64_t at, int64_t length) {
  at %= length;
  if (at * 4 % length == 0) {
    constexpr double kCosines[] = {1, 0, -1, 0}, kSines[] = {0, 1, 0, -1};
    const int64_t quarter = at * 4 / length;
    return {kCosines[quarter], kSines[quarter]};
  }
  const double angle = 2 * llvm::numbers::pi * static_cast<double>(at) / static_cast<double>(length);
  return {std::cos(angle), std::sin(angle)};
}

/// Matrices of cosines and sines for a transform of `rows` numbers to `columns`, with `factor(row)` in each row.
static std::pair<SmallVector<float>, SmallVector<float>> turns(int64_t rows, int64_t columns, int64_t length,
                                                               llvm::function_ref<double(int64_t)> factor) {
  SmallVector<float> cosines, sines;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      auto [cosine, sine] = turn(row * column, length);
      cosines.push_back(static_cast<float>(factor(row) * cosine));
      sines.push_back(static_cast<float>(factor(row) * sine));
    }
  return {cosines, sines};
}

/// The axis is an attribute before opset 20, an operand from then on.
bool Decomposer::fourier() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> given = has(2) ? list("", 2) : std::nullopt, length = has(1) ? list("", 1) : std::nullopt;
  if (!type || !type.getElementType().isF32() || type.getRank() < 3 || (has(2) && (!given || given->size() != 1)) ||
      (has(1) && (!length || length->size() != 1)))
    return false;
  std::optional<size_t> axis = place(given ? given->front() : integer("axis", opset < 20 ? 1 : -2), type.getRank());
  const bool isComplex = type.getShape().back() == 2, isInverse = integer("inverse", 0) != 0,
             isHalf = integer("onesided", 0) != 0;
  if (!axis || *axis + 1 == static_cast<size_t>(type.getRank()) || (!isComplex && type.getShape().back() != 1) ||
      (isHalf && isComplex != isInverse))
    return false;
  // The spectrum of real numbers has its first half; of this half come real numbers.
  const bool givesReal = isHalf && isInverse;
  int64_t rows = type.getDimSize(static_cast<unsigned>(*axis));
  const int64_t points = length ? length->front() : givesReal ? 2 * (rows - 1) : rows;
  if (points < 1 || points > kMostWritten || rows < 1 || llvm::is_contained(type.getShape(), 0))
    return false;
  const int64_t columns = isHalf && !isInverse ? points / 2 + 1 : points;
  // Numbers beyond the length are left out; those that are missing are zeros, and need no row.
  const int64_t most = givesReal ? points / 2 + 1 : points;
  if (!elementsOf({std::min(rows, most), columns}, kMostWritten))
    return false;
  Value own = node.getOperand(0);
  if (rows > most)
    own = sliced(own, 0, most, *axis);
  rows = std::min(rows, most);
  const auto last = static_cast<size_t>(type.getRank() - 1);
  Shape order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank() - 1)), shape(type.getShape().drop_back());
  std::swap(order[*axis], order.back());
  shape[*axis] = rows;
  // Real or imaginary numbers, with the axis as the last one.
  auto half = [&](int64_t number) {
    Value one = isComplex ? sliced(own, number, number + 1, last) : own;
    one = reshaped(one, shape);
    return *axis + 1 == last ? one : transposed(one, order);
  };
  auto factor = [&](int64_t row) {
    if (!isInverse)
      return 1.0;
    // Of a half, a number stands for two, except the first one and the middle of an even number.
    const bool isTwice = givesReal && row != 0 && 2 * row != points;
    return (isTwice ? 2.0 : 1.0) / static_cast<double>(points);
  };
  auto [cosines, sines] = turns(rows, columns, points, factor);
  if (!isInverse)
    for (float &sine : sines)
      sine = -sine;
  Value cosine = reals(cosines, {rows, columns}), sine = reals(sines, {rows, columns});
  // (re + i im) (cos + i sin)
  Value re = half(0), im = isComplex ? half(1) : Value();
  Value first = value("MatMul", {re, cosine}), second = givesReal ? Value() : value("MatMul", {re, sine});
  if (im) {
    first = value("Sub", {first, value("MatMul", {im, sine})});
    if (second)
      second = value("Add", {second, value("MatMul", {im, cosine})});
  }
  shape[*axis] = columns;
  shape.push_back(1);
  auto back = [&](Value from) { return reshaped(*axis + 1 == last ? from : transposed(from, order), shape); };
  finish(0, second ? joined({back(first), back(second)}, last) : back(first));
  return true;
}

/// Of real signals: a convolution whose filters are cosines and sines, multiplied by the window.
bool Decomposer::shortFourier() {
  RankedTensorType type = typeOf(0), window = typeOf(2);
  std::optional<Shape> step = list("", 1), length = has(3) ? list("", 3) : std::nullopt;
  if (!type || !type.getElementType().isF32() || type.getRank() != 3 || type.getDimSize(2) != 1 ||
      type.getDimSize(0) < 1 || !step || step->size() != 1 || step->front() < 1 || step->front() > kMostWritten ||
      (has(3) ? !length || length->size() != 1 : !has(2)) ||
      (has(2) && (!window || window.getElementType() != type.getElementType() || window.getRank() != 1)))
    return false;
  const int64_t points = length ? length->front() : window.getDimSize(0), signal = type.getDimSize(1);
  if (points < 1 || points > signal || !elementsOf({2, points, points}, kMostWritten) ||
      (has(2) && window.getDimSize(0) != points))
    return false;
  const int64_t batches = type.getDimSize(0), frames = (signal - points) / step->front() + 1,
                bins = integer("onesided", 1) != 0 ? points / 2 + 1 : points;
  auto [numbers, sines] = turns(bins, points, points, [](int64_t) { return 1.0; });
  for (float sine : sines)
    numbers.push_back(-sine);
  Value filters = reals(numbers, {2 * bins, 1, points});
  if (has(2))
    filters = value("Mul", {filters, node.getOperand(2)});
  const Named parameters[] = {named("kernel_shape", Shape{points}), named("strides", *step)};
  Value made = value("Conv", {reshaped(node.getOperand(0), {batches, 1, signal}), filters}, parameters);
  finish(0, transposed(reshaped(made, {batches, 2, bins, frames}), {0, 3, 2, 1}));
  return true;
}
