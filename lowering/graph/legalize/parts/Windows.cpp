// Rewrites pools and convolutions as simpler ones: windows whose pads follow from the size of the result, convolutions
// that no contract takes, and positions of maxima.

#include "lowering/graph/legalize/parts/Windows.h"

#include <algorithm>
#include <tuple>
#include <utility>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

bool Decomposer::readWindows(ArrayRef<int64_t> sizes, ArrayRef<int64_t> kernel, Windows &windows) {
  const size_t rank = sizes.size();
  std::optional<Shape> strides = numbers("strides", rank, 1, 1), dilations = numbers("dilations", rank, 1, 1),
                       pads = numbers("pads", 2 * rank, 0, 0);
  const StringRef autoPad = word("auto_pad", "NOTSET");
  if (kernel.size() != rank || rank < 1 || rank > 3 || !strides || !dilations || !pads ||
      llvm::any_of(kernel, [](int64_t size) { return size < 1 || size > kMostWritten; }) ||
      llvm::any_of(sizes, [](int64_t size) { return size < 1 || size > kMostWritten; }) ||
      !llvm::is_contained({"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}, autoPad))
    return false;
  windows.sizes = Shape(sizes);
  windows.kernel = Shape(kernel);
  windows.strides = *strides;
  windows.dilations = *dilations;
  windows.before.assign(pads->begin(), pads->begin() + static_cast<std::ptrdiff_t>(rank));
  windows.behind.assign(pads->begin() + static_cast<std::ptrdiff_t>(rank), pads->end());
  windows.roundsUp = integer("ceil_mode", 0) != 0;
  windows.isSame = autoPad.starts_with("SAME");
  if (autoPad == "VALID") {
    windows.before.assign(rank, 0);
    windows.behind.assign(rank, 0);
  }
  for (size_t i = 0; i < rank && windows.isSame; ++i) {
    // One window for each stride that begins within the operand.
    const int64_t count = (sizes[i] - 1) / (*strides)[i] + 1;
    const int64_t total = std::max<int64_t>((count - 1) * (*strides)[i] + windows.reach(i) - sizes[i], 0);
    windows.before[i] = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
    windows.behind[i] = total - windows.before[i];
    windows.roundsUp = false;
  }
  return true;
}

Value Decomposer::windowed(StringRef op, ArrayRef<Value> operands, const Windows &windows, ArrayRef<Named> more) {
  SmallVector<NamedAttribute> parameters(more);
  parameters.push_back(named("kernel_shape", windows.kernel));
  parameters.push_back(named("strides", windows.strides));
  parameters.push_back(named("dilations", windows.dilations));
  parameters.push_back(named("pads", windows.pads()));
  if (windows.roundsUp)
    parameters.push_back(named("ceil_mode", 1));
  return value(op, operands, parameters);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

bool Decomposer::pool() {
  RankedTensorType type = typeOf(0);
  auto kernel = dyn_cast_or_null<DenseI64ArrayAttr>(parameter("kernel_shape"));
  Windows windows;
  if (!type || type.getRank() < 3 || !kernel ||
      !readWindows(type.getShape().drop_front(2), kernel.asArrayRef(), windows) || type.getDimSize(0) < 1 ||
      type.getDimSize(1) < 1 || llvm::any_of(windows.counts(), [](int64_t count) { return count < 1; }))
    return false;
  const bool isMax = node.getOp() == "MaxPool";
  if (isMax && node.getNumResults() == 2)
    return poolPlaces(windows);
  const bool counts = !isMax && integer("count_include_pad", 0) != 0 && windows.hasPads();
  SmallVector<NamedAttribute> more;
  if (counts)
    more.push_back(named("count_include_pad", 1));
  if (node.getNumResults() != 1)
    return false;
  if (counts && windows.roundsUp) {
    // Elements beyond the padding do not count: the padding becomes part of the operand.
    Shape pads(2, 0), shape(type.getShape());
    pads.append(windows.before.begin(), windows.before.end());
    pads.append(2, 0);
    pads.append(windows.behind.begin(), windows.behind.end());
    Windows within = windows;
    for (size_t i = 0; i < windows.rank(); ++i) {
      within.sizes[i] += windows.before[i] + windows.behind[i];
      within.before[i] = within.behind[i] = 0;
    }
    Value made = windowed("AveragePool", value("Pad", {node.getOperand(0), wholes(pads)}), within);
    for (size_t i = 0; i < windows.rank(); ++i)
      if (within.count(i) != windows.count(i))
        made = sliced(made, 0, windows.count(i), 2 + i);
    finish(0, made);
    return true;
  }
  // Without padding, count_include_pad has no effect.
  const bool countsNone = !isMax && !counts && integer("count_include_pad", 0) != 0;
  if (word("auto_pad", "NOTSET") == "NOTSET" && !countsNone)
    return false;
  finish(0, windowed(node.getOp(), node.getOperand(0), windows, more));
  return true;
}

/// The root of the sum of powers of each window: the mean of all places, with padding as zeros, times their number.
/// Sums are in float32, whose range is enough.
bool Decomposer::lpPool() {
  RankedTensorType type = typeOf(0);
  auto kernel = dyn_cast_or_null<DenseI64ArrayAttr>(parameter("kernel_shape"));
  const int64_t power = integer("p", 2);
  Windows windows;
  if (!type || type.getRank() < 3 || !isa<FloatType>(type.getElementType()) || type.getElementType().isF64() ||
      !kernel || power < 1 || power > 64 || !readWindows(type.getShape().drop_front(2), kernel.asArrayRef(), windows) ||
      type.getDimSize(0) < 1 || type.getDimSize(1) < 1 ||
      llvm::any_of(windows.counts(), [](int64_t count) { return count < 1; }))
    return false;
  std::optional<int64_t> taps = elementsOf(windows.kernel, kMostWritten);
  if (!taps)
    return false;
  // What the last windows have beyond the padding is zero too, and counts: it becomes padding.
  const Shape counts = windows.counts();
  for (size_t i = 0; i < windows.rank(); ++i)
    windows.behind[i] = (counts[i] - 1) * windows.strides[i] + windows.reach(i) - windows.sizes[i] - windows.before[i];
  windows.roundsUp = false;
  const Type wide = builder.getF32Type(), element = type.getElementType();
  auto number = [&](double each) { return splat({}, wide, each); };
  Value own = converted(node.getOperand(0), element, wide);
  Value powers = power == 2 ? value("Mul", {own, own}) : value("Abs", own);
  if (power > 2)
    powers = value("Pow", {powers, number(static_cast<double>(power))});
  if (llvm::any_of(windows.behind, [](int64_t pad) { return pad < 0; })) {
    // Elements after the last window belong to none.
    for (size_t i = 0; i < windows.rank(); ++i)
      if (windows.behind[i] < 0) {
        powers = sliced(powers, 0, windows.sizes[i] + windows.behind[i], 2 + i);
        windows.behind[i] = 0;
      }
  }
  Value mean = windowed("AveragePool", powers, windows, named("count_include_pad", 1));
  Value sum = value("Mul", {mean, number(static_cast<double>(*taps))});
  if (power == 2)
    sum = value("Sqrt", sum);
  else if (power > 2)
    sum = value("Pow", {sum, number(1.0 / static_cast<double>(power))});
  finish(0, converted(sum, wide, element));
  return true;
}

/// The maxima and their positions: ArgMax over the elements of each window side by side finds the first largest one.
/// Padding has the index of an earlier element of the same window, and is never found before it.
bool Decomposer::poolPlaces(const Windows &windows) {
  RankedTensorType type = typeOf(0);
  const Shape counts = windows.counts();
  std::optional<int64_t> rows = elementsOf(type.getShape().take_front(2), kMostWritten),
                         plane = elementsOf(windows.sizes, kMostWritten),
                         taps = elementsOf(windows.kernel, kMostWritten), made = elementsOf(counts, kMostWritten);
  if (!isa<FloatType>(type.getElementType()) || !rows || !plane || !taps || !made ||
      !elementsOf({*rows, *taps, *made}, kMostWritten) || !elementsOf({*rows, *plane}, INT32_MAX))
    return false;
  const bool isColumns = integer("storage_order", 0) != 0;
  Shape places, told;
  for (int64_t window = 0; window < *made; ++window) {
    const size_t begin = places.size();
    std::optional<std::pair<int64_t, int64_t>> first;
    for (int64_t tap = 0; tap < *taps; ++tap) {
      int64_t place = 0, column = 0, left = window, leftTap = tap;
      bool isInside = true;
      Shape at(windows.rank(), 0);
      for (size_t i = windows.rank(); i-- > 0;) {
        at[i] = left % counts[i] * windows.strides[i] + leftTap % windows.kernel[i] * windows.dilations[i] -
                windows.before[i];
        isInside &= at[i] >= 0 && at[i] < windows.sizes[i];
        left /= counts[i];
        leftTap /= windows.kernel[i];
        column = column * windows.sizes[i] + at[i];
      }
      for (size_t i = 0; i < windows.rank(); ++i)
        place = place * windows.sizes[i] + at[i];
      if (isInside && !first)
        first = {place, isColumns ? column : place};
      places.push_back(isInside ? place : -1);
      told.push_back(isColumns ? column : place);
    }
    if (!first)
      return false;
    for (size_t i = begin; i < places.size(); ++i)
      if (places[i] < 0)
        std::tie(places[i], told[i]) = *first;
  }
  Shape shape(type.getShape().take_front(2)), starts, offsets;
  llvm::append_range(shape, counts);
  for (int64_t window = 0; window < *made; ++window)
    starts.push_back(window * *taps);
  for (int64_t row = 0; row < *rows; ++row)
    offsets.push_back(row * *plane);
  finish(0, windowed("MaxPool", node.getOperand(0), windows));
  if (node.getResult(1).use_empty())
    return true;
  Value flat = reshaped(node.getOperand(0), {*rows, *plane});
  Value apart = gathered(flat, places, 1, {*made, *taps});
  Value largest = reshaped(value("ArgMax", apart, named("axis", 2)), {*rows, *made});
  Value chosen = value("Add", {largest, wholes(starts)});
  Value found = value("Gather", {wholes(told, {int64_t(told.size())}, 32), chosen}, named("axis", int64_t(0)));
  Value whole = value("Add", {found, wholes(offsets, {*rows, 1}, 32)});
  finish(1, cast(reshaped(whole, shape), builder.getI64Type()));
  return true;
}

/// Treats rows and volumes as planes of one row.
bool Decomposer::globalPool() {
  RankedTensorType type = typeOf(0);
  if (!type || type.getRank() < 2 || type.getRank() == 4 || !isa<FloatType>(type.getElementType()))
    return false;
  // Without dimensions of positions there is one element, which is its own mean and maximum.
  if (type.getRank() == 2) {
    finish(0, node.getOperand(0));
    return true;
  }
  std::optional<int64_t> plane = elementsOf(type.getShape().drop_front(2), INT64_MAX);
  if (!plane)
    return false;
  Shape made(type.getShape().take_front(2));
  made.append(static_cast<size_t>(type.getRank()) - 2, 1);
  Value flat = reshaped(node.getOperand(0), {made[0], made[1], 1, *plane});
  finish(0, reshaped(value(node.getOp(), flat), made));
  return true;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

bool Decomposer::conv() {
  RankedTensorType type = typeOf(0), weights = typeOf(1);
  Windows windows;
  if (!type || !weights || type.getRank() < 3 || weights.getRank() != type.getRank() || type.getDimSize(0) < 1 ||
      !readWindows(type.getShape().drop_front(2), weights.getShape().drop_front(2), windows) ||
      llvm::any_of(windows.counts(), [](int64_t count) { return count < 1; }))
    return false;
  if (word("auto_pad", "NOTSET") == "NOTSET")
    return convByGather(windows);
  finish(0, windowed("Conv", SmallVector<Value>(node.getOperands()), windows, named("group", integer("group", 1))));
  return true;
}

/// For windows that no contract supports, with too large strides: their elements side by side, and a product.
bool Decomposer::convByGather(const Windows &windows) {
  RankedTensorType type = typeOf(0), weights = typeOf(1);
  const int64_t batch = type.getDimSize(0), channels = type.getDimSize(1), filters = weights.getDimSize(0);
  const Shape counts = windows.counts();
  std::optional<int64_t> made = elementsOf(counts, kMostWritten), taps = elementsOf(windows.kernel, kMostWritten);
  if (!isa<FloatType>(type.getElementType()) || type.getElementType() != weights.getElementType() ||
      integer("group", 1) != 1 || weights.getDimSize(1) != channels || channels < 1 || !made || !taps ||
      !elementsOf({batch, channels, *made, *taps}, kMostWritten))
    return false;
  Shape padded, pads(4 + 2 * windows.rank(), 0);
  for (size_t i = 0; i < windows.rank(); ++i) {
    padded.push_back(windows.sizes[i] + windows.before[i] + windows.behind[i]);
    pads[2 + i] = windows.before[i];
    pads[4 + windows.rank() + i] = windows.behind[i];
  }
  std::optional<int64_t> plane = elementsOf(padded, kMostWritten);
  if (!plane || !elementsOf({batch, channels, *plane}, kMostWritten))
    return false;
  Shape places;
  for (int64_t window = 0; window < *made; ++window)
    for (int64_t tap = 0; tap < *taps; ++tap) {
      int64_t place = 0, unit = 1, left = window, leftTap = tap;
      for (size_t i = windows.rank(); i-- > 0;) {
        place += (left % counts[i] * windows.strides[i] + leftTap % windows.kernel[i] * windows.dilations[i]) * unit;
        unit *= padded[i];
        left /= counts[i];
        leftTap /= windows.kernel[i];
      }
      places.push_back(place);
    }
  Value from = node.getOperand(0);
  if (windows.hasPads())
    from = value("Pad", {from, wholes(pads)});
  from = gathered(reshaped(from, {batch, channels, *plane}), places, 2, {*made, *taps});
  from = reshaped(transposed(from, {0, 2, 1, 3}), {batch * *made, channels * *taps});
  Value rows = transposed(reshaped(node.getOperand(1), {filters, channels * *taps}), {1, 0});
  Value result = value("MatMul", {from, rows});
  if (has(2))
    result = value("Add", {result, node.getOperand(2)});
  Shape shape = {batch, filters};
  llvm::append_range(shape, counts);
  finish(0, reshaped(transposed(reshaped(result, {batch, *made, filters}), {0, 2, 1}), shape));
  return true;
}
