// Rewrites GridSample and AffineGrid: places in an image that a run computes. A GridSample becomes rows of channels,
// gathered at the elements around each place and added with weights.

#include "lowering/graph/legalize/parts/Decomposer.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Sizes and attributes of a GridSample.
struct Decomposer::Sampling {
  Type element;
  Shape sizes, made; ///< of the image and of the result, without batches and channels
  int64_t batches = 0, channels = 0;
  int64_t pixels = 0, places = 0; ///< of a batch
  StringRef mode, padding;
  bool alignsCorners = false;
};

/// An element beside a place, of all places.
struct Decomposer::Tap {
  Value index;     ///< int32
  Value weight;    ///< null: 1
  Value isOutside; ///< whether it lies in the zeros around the image; null: never
};

bool Decomposer::readSampling(Sampling &form) {
  RankedTensorType type = typeOf(0), grid = typeOf(1);
  if (!type || !grid || !isa<FloatType>(type.getElementType()) || type.getElementType().isF64() ||
      grid.getElementType() != type.getElementType() || type.getRank() < 3 || type.getRank() > 5 ||
      grid.getRank() != type.getRank() || grid.getDimSize(0) != type.getDimSize(0) ||
      grid.getShape().back() != type.getRank() - 2)
    return false;
  form.element = type.getElementType();
  form.sizes = Shape(type.getShape().drop_front(2));
  form.made = Shape(grid.getShape().drop_front().drop_back());
  form.batches = type.getDimSize(0);
  form.channels = type.getDimSize(1);
  // Names before opset 20.
  form.mode = llvm::StringSwitch<StringRef>(word("mode", "linear"))
                  .Case("bilinear", "linear")
                  .Case("bicubic", "cubic")
                  .Default(word("mode", "linear"));
  form.padding = word("padding_mode", "zeros");
  form.alignsCorners = integer("align_corners", 0) != 0;
  std::optional<int64_t> pixels = elementsOf(form.sizes, kMostWritten), places = elementsOf(form.made, kMostWritten);
  if (!pixels || !places || *pixels < 1 || *places < 1 || form.batches < 1 || form.channels < 1 ||
      !elementsOf({form.batches, *pixels + 1}, kMostWritten) || !elementsOf({form.batches, *places}, kMostWritten) ||
      !llvm::is_contained({"linear", "nearest", "cubic"}, form.mode) ||
      (form.mode == "cubic" && form.sizes.size() > 2) ||
      !llvm::is_contained({"zeros", "border", "reflection"}, form.padding))
    return false;
  form.pixels = *pixels;
  form.places = *places;
  return true;
}

/// A number mirrored at `low` and `high` until it lies between them.
Value Decomposer::mirrored(Value from, double low, double high) {
  auto number = [&](double each) { return splat({}, builder.getF32Type(), each); };
  if (high <= low)
    return value("Mul", {from, number(0)});
  const double period = 2 * (high - low);
  Value away = value("Abs", value("Sub", {from, number(low)}));
  Value turns = value("Floor", value("Div", {away, number(period)}));
  Value within = value("Sub", {away, value("Mul", {turns, number(period)})});
  Value back = value("Sub", {number(period), within});
  return value("Add", {value("Min", {within, back}), number(low)});
}

/// The elements along a dimension around places in [-1, 1].
std::vector<Decomposer::Tap> Decomposer::tapsOf(const Sampling &form, Value at, int64_t size) {
  auto number = [&](double each) { return splat({}, builder.getF32Type(), each); };
  auto clipped = [&](Value from) {
    return value("Min", {value("Max", {from, number(0)}), number(static_cast<double>(size - 1))});
  };
  const bool zeros = form.padding == "zeros", mirrors = form.padding == "reflection";
  const double low = form.alignsCorners ? 0 : -0.5, high = static_cast<double>(size) - (form.alignsCorners ? 1.0 : 0.5);
  // The middle of the image is 0.
  Value place = value("Add", {value("Mul", {at, number((high - low) / 2)}), number((high + low) / 2)});
  if (form.mode == "nearest")
    place = value("Round", place);
  if (mirrors)
    place = mirrored(place, low, high);
  else if (zeros) // infinitely far is as far as four elements away, and the distance of its taps is a number
    place = value("Min", {value("Max", {place, number(-4)}), number(static_cast<double>(size + 3))});
  else if (form.mode != "cubic") // PyTorch and ONNX Runtime repeat the border for each tap of a curve
    place = clipped(place);
  auto tapAt = [&](Value index, Value weight) {
    Tap tap{cast(zeros ? index : clipped(index), builder.getI32Type()), weight, Value()};
    if (zeros)
      tap.isOutside = value(
          "Or", {value("Less", {index, number(0)}), value("Less", {number(static_cast<double>(size - 1)), index})});
    return tap;
  };
  if (form.mode == "nearest")
    return {tapAt(value("Round", place), Value())};
  Value first = value("Floor", place), far = value("Sub", {place, first});
  std::vector<Tap> taps;
  auto tap = [&](int64_t by, Value weight) {
    Value index = by == 0 ? first : value("Add", {first, number(static_cast<double>(by))});
    if (mirrors && form.mode == "cubic")
      index = mirrored(index, low, high);
    taps.push_back(tapAt(index, weight));
  };
  Value near = value("Sub", {number(1), far});
  if (form.mode == "linear") {
    tap(0, near);
    tap(1, far);
    return taps;
  }
  // The cubic convolution with coefficient -0.75: of distances up to 1, and from 1 to 2.
  constexpr double a = -0.75;
  auto polynomial = [&](Value x, ArrayRef<double> coefficients) {
    Value made = number(coefficients[0]);
    for (double each : coefficients.drop_front())
      made = value("Add", {value("Mul", {made, x}), number(each)});
    return made;
  };
  auto inner = [&](Value x) { return polynomial(x, {a + 2, -(a + 3), 0, 1}); };
  auto outer = [&](Value x) { return polynomial(x, {a, -5 * a, 8 * a, -4 * a}); };
  tap(-1, outer(value("Add", {far, number(1)})));
  tap(0, inner(far));
  tap(1, inner(near));
  tap(2, outer(value("Add", {near, number(1)})));
  return taps;
}

bool Decomposer::gridSample() {
  Sampling form;
  if (!readSampling(form))
    return false;
  const Type wide = builder.getF32Type();
  const size_t rank = form.sizes.size();
  const int64_t rows = form.batches * form.pixels;
  auto toWide = [&](Value from) { return converted(from, form.element, wide); };
  // Channels of a pixel become a row. Places outside of the image read a row of zeros after all others.
  Value image = toWide(transposed(reshaped(node.getOperand(0), {form.batches, form.channels, form.pixels}), {0, 2, 1}));
  image = reshaped(image, {rows, form.channels});
  if (form.padding == "zeros")
    image = joined({image, splat({1, form.channels}, wide, 0)}, 0);
  Value grid = toWide(reshaped(node.getOperand(1), {form.batches, form.places, static_cast<int64_t>(rank)}));
  std::vector<std::vector<Tap>> taps;
  for (size_t i = 0; i < rank; ++i) {
    // The first coordinate is that of the last dimension.
    const auto last = static_cast<int64_t>(rank - 1 - i);
    taps.push_back(tapsOf(form, reshaped(sliced(grid, last, last + 1, 2), {form.batches, form.places}), form.sizes[i]));
  }
  Shape starts;
  for (int64_t batch = 0; batch < form.batches; ++batch)
    starts.push_back(batch * form.pixels);
  Value sum;
  // Every choice of a tap along each dimension.
  SmallVector<size_t> choice(rank, 0);
  for (bool more = true; more;) {
    Value at, weight, isOutside;
    for (size_t i = 0; i < rank; ++i) {
      const Tap &tap = taps[i][choice[i]];
      at = at ? value("Add", {value("Mul", {at, wholes(form.sizes[i], {}, 32)}), tap.index}) : tap.index;
      if (tap.weight)
        weight = weight ? value("Mul", {weight, tap.weight}) : tap.weight;
      if (tap.isOutside)
        isOutside = isOutside ? value("Or", {isOutside, tap.isOutside}) : tap.isOutside;
    }
    if (form.batches > 1)
      at = value("Add", {at, wholes(starts, {form.batches, 1}, 32)});
    if (isOutside)
      at = value("Where", {isOutside, wholes(rows, {}, 32), at});
    Value found = value("Gather", {image, reshaped(at, form.batches * form.places)}, named("axis", 0));
    if (weight)
      found = value("Mul", {found, reshaped(weight, {form.batches * form.places, 1})});
    sum = sum ? value("Add", {sum, found}) : found;
    more = false;
    for (size_t i = rank; i-- > 0 && !more;) {
      choice[i] = (choice[i] + 1) % taps[i].size();
      more = choice[i] != 0;
    }
  }
  Value made = transposed(reshaped(sum, {form.batches, form.places, form.channels}), {0, 2, 1});
  Shape shape = {form.batches, form.channels};
  llvm::append_range(shape, form.made);
  finish(0, reshaped(converted(made, wide, form.element), shape));
  return true;
}

/// The places of a grid, which is a constant, moved by a matrix for each batch.
bool Decomposer::affineGrid() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> sizes = list("", 1);
  if (!type || !isa<FloatType>(type.getElementType()) || type.getRank() != 3 || !sizes || sizes->size() < 4 ||
      sizes->size() > 5 || llvm::any_of(*sizes, [](int64_t size) { return size < 1; }))
    return false;
  const Shape planes(sizes->begin() + 2, sizes->end());
  const auto rank = static_cast<int64_t>(planes.size());
  std::optional<int64_t> places = elementsOf(planes, kMostWritten / 4);
  if (!places || type.getShape() != ArrayRef({sizes->front(), rank, rank + 1}))
    return false;
  const bool alignsCorners = integer("align_corners", 0) != 0;
  // Of each place its coordinates, the last dimension first, and 1: a column each.
  SmallVector<float> columns(static_cast<size_t>((rank + 1) * *places), 1.0f);
  for (int64_t place = 0; place < *places; ++place) {
    int64_t left = place;
    for (int64_t i = 0; i < rank; ++i) {
      const int64_t size = planes[static_cast<size_t>(rank - 1 - i)], at = left % size;
      left /= size;
      const double first = alignsCorners ? -1.0 : -1.0 + 1.0 / static_cast<double>(size),
                   step = alignsCorners ? (size > 1 ? 2.0 / static_cast<double>(size - 1) : 0)
                                        : 2.0 / static_cast<double>(size);
      columns[static_cast<size_t>(i * *places + place)] = static_cast<float>(first + step * static_cast<double>(at));
    }
  }
  Value base = converted(reals(columns, {rank + 1, *places}), builder.getF32Type(), type.getElementType());
  Shape made = {sizes->front()};
  llvm::append_range(made, planes);
  made.push_back(rank);
  finish(0, reshaped(transposed(value("MatMul", {node.getOperand(0), base}), {0, 2, 1}), made));
  return true;
}
