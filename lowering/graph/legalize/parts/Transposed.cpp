// Transposed convolutions as one convolution. Element q * stride + r of the result, before pads are removed, is a sum
// over elements of the operand from q back: for each r a convolution with the weights r, r + stride, r + 2 * stride,
// ... backwards. One convolution has the filters of all r, and its result is put in the order of elements.

#include "lowering/graph/legalize/parts/Windows.h"

#include <algorithm>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Sizes of one dimension each.
struct Decomposer::Transposition {
  Windows windows;
  Shape taps;  ///< of the weights of one r
  Shape apart; ///< elements of one r
  Shape whole; ///< elements of all, before pads are removed
  Shape sizes; ///< of the result
  int64_t group = 1, inputs = 0, filters = 0, phases = 1, tapsOfAll = 1, weights = 1;
};

bool Decomposer::readTransposition(Transposition &form) {
  RankedTensorType type = typeOf(0), weights = typeOf(1);
  Windows &windows = form.windows;
  if (!type || !weights || type.getRank() < 3 || weights.getRank() != type.getRank() || type.getDimSize(0) < 1 ||
      !isa<FloatType>(type.getElementType()) ||
      !readWindows(type.getShape().drop_front(2), weights.getShape().drop_front(2), windows))
    return false;
  const size_t rank = windows.rank();
  form.group = integer("group", 1);
  form.inputs = weights.getDimSize(0);
  form.filters = weights.getDimSize(1);
  std::optional<Shape> more = numbers("output_padding", rank, 0, 0), wanted = numbers("output_shape", rank, 0, 1);
  if (form.group < 1 || form.inputs < 1 || form.filters < 1 || form.inputs != type.getDimSize(1) ||
      form.inputs % form.group != 0 || !more || !wanted)
    return false;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t stride = windows.strides[i];
    const int64_t full = stride * (windows.sizes[i] - 1) + (*more)[i] + windows.reach(i);
    if (parameter("output_shape") || windows.isSame) {
      form.sizes.push_back(parameter("output_shape") ? (*wanted)[i] : windows.sizes[i] * stride);
      const int64_t total = std::max<int64_t>(full - form.sizes[i], 0);
      windows.before[i] = word("auto_pad", "NOTSET") == "SAME_UPPER" ? total / 2 : total - total / 2;
    } else {
      form.sizes.push_back(full - windows.before[i] - windows.behind[i]);
    }
    form.taps.push_back((windows.reach(i) + stride - 1) / stride);
    form.apart.push_back(windows.sizes[i] + form.taps[i] - 1);
    form.whole.push_back(form.apart[i] * stride);
    if (form.sizes[i] < 1 || form.sizes[i] > kMostWritten || windows.before[i] >= form.whole[i])
      return false;
  }
  std::optional<int64_t> phases = elementsOf(windows.strides, kMostWritten), taps = elementsOf(form.taps, kMostWritten),
                         count = elementsOf(windows.kernel, kMostWritten);
  if (!phases || !taps || !count || !elementsOf({form.inputs, form.filters, *phases, *taps}, kMostWritten * 16) ||
      !elementsOf({*phases, *taps}, kMostWritten))
    return false;
  form.phases = *phases;
  form.tapsOfAll = *taps;
  form.weights = *count;
  return true;
}

/// The filters of all r: the weight of each tap, and 0 for taps without a weight.
Value Decomposer::filtersOfPhases(const Transposition &form) {
  const Windows &windows = form.windows;
  Shape places;
  for (int64_t phase = 0; phase < form.phases; ++phase)
    for (int64_t tap = 0; tap < form.tapsOfAll; ++tap) {
      int64_t place = 0, unit = 1, leftPhase = phase, leftTap = tap;
      bool isWeight = true;
      for (size_t i = windows.rank(); i-- > 0;) {
        const int64_t stride = windows.strides[i];
        const int64_t at = leftPhase % stride + stride * (form.taps[i] - 1 - leftTap % form.taps[i]);
        leftPhase /= stride;
        leftTap /= form.taps[i];
        isWeight &= at % windows.dilations[i] == 0 && at / windows.dilations[i] < windows.kernel[i];
        place += at / windows.dilations[i] * unit;
        unit *= windows.kernel[i];
      }
      places.push_back(isWeight ? place : form.weights);
    }
  Value rows = node.getOperand(1);
  if (places != llvm::to_vector(llvm::seq<int64_t>(0, form.weights))) {
    rows = reshaped(rows, {form.inputs * form.filters, form.weights});
    if (llvm::is_contained(places, form.weights))
      rows = joined({rows, splat({form.inputs * form.filters, 1}, typeOf(1).getElementType(), 0)}, 1);
    rows = gathered(rows, places, 1);
  }
  rows = reshaped(rows, {form.group, form.inputs / form.group, form.filters, form.phases, form.tapsOfAll});
  Shape made = {form.group * form.filters * form.phases, form.inputs / form.group};
  llvm::append_range(made, form.taps);
  return reshaped(transposed(rows, {0, 2, 3, 1, 4}), made);
}

/// Puts elements of all r in their order.
Value Decomposer::inOrder(const Transposition &form, Value from) {
  const Windows &windows = form.windows;
  const size_t rank = windows.rank();
  if (form.phases == 1)
    return from;
  if (rank == 2 && windows.strides[0] == windows.strides[1])
    return value("DepthToSpace", from, {named("blocksize", windows.strides[0]), named("mode", "CRD")});
  const int64_t batch = typeOf(0).getDimSize(0), outputs = form.group * form.filters;
  Shape blocks = {batch * outputs}, order = {0}, together = {batch, outputs};
  llvm::append_range(blocks, windows.strides);
  llvm::append_range(blocks, form.apart);
  for (size_t i = 0; i < rank; ++i) {
    order.push_back(static_cast<int64_t>(1 + rank + i));
    order.push_back(static_cast<int64_t>(1 + i));
  }
  llvm::append_range(together, form.whole);
  return reshaped(transposed(reshaped(from, blocks), order), together);
}

bool Decomposer::convTranspose() {
  Transposition form;
  if (!readTransposition(form))
    return false;
  const size_t rank = form.windows.rank();
  Windows inner = form.windows;
  inner.kernel = form.taps;
  inner.strides.assign(rank, 1);
  inner.dilations.assign(rank, 1);
  for (size_t i = 0; i < rank; ++i)
    inner.before[i] = inner.behind[i] = form.taps[i] - 1;
  Value rows = filtersOfPhases(form);
  Value result = inOrder(form, windowed("Conv", {node.getOperand(0), rows}, inner, named("group", form.group)));
  Shape pads(4 + 2 * rank, 0);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t start = form.windows.before[i], end = std::min(start + form.sizes[i], form.whole[i]);
    if (start != 0 || end != form.whole[i])
      result = sliced(result, start, end, 2 + i);
    pads[4 + rank + i] = start + form.sizes[i] - end;
  }
  if (llvm::any_of(pads, [](int64_t pad) { return pad != 0; }))
    result = value("Pad", {result, wholes(pads)});
  if (has(2)) {
    Shape channel(rank + 1, 1);
    channel[0] = form.group * form.filters;
    result = value("Add", {result, reshaped(node.getOperand(2), channel)});
  }
  finish(0, result);
  return true;
}

/// Blocks added at their places in an image: a transposed convolution whose filters have one 1 each.
bool Decomposer::col2Im() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> sizes = list("", 1), block = list("", 2);
  if (!type || type.getRank() != 3 || !isa<FloatType>(type.getElementType()) || type.getDimSize(0) < 1 || !sizes ||
      !block)
    return false;
  Windows windows;
  std::optional<int64_t> taps = elementsOf(*block, 1 << 12), plane = elementsOf(*sizes, kMostWritten);
  if (!taps || !plane || !readWindows(*sizes, *block, windows) || type.getDimSize(1) % *taps != 0 ||
      type.getDimSize(1) < 1 || elementsOf(windows.counts(), kMostWritten) != type.getDimSize(2))
    return false;
  const int64_t channels = type.getDimSize(1) / *taps;
  if (!elementsOf({type.getDimSize(1), *taps}, kMostWritten))
    return false;
  SmallVector<float> ones(static_cast<size_t>(channels * *taps * *taps), 0.0f);
  for (int64_t i = 0; i < channels * *taps; ++i)
    ones[static_cast<size_t>(i * *taps + i % *taps)] = 1;
  Shape blocks = {type.getDimSize(0), type.getDimSize(1)}, filters = {type.getDimSize(1), 1};
  llvm::append_range(blocks, windows.counts());
  llvm::append_range(filters, *block);
  Value weights = converted(reals(ones, filters), builder.getF32Type(), type.getElementType());
  // Elements after the last block have none.
  Shape rest;
  for (size_t i = 0; i < windows.rank(); ++i)
    rest.push_back(windows.sizes[i] + windows.before[i] + windows.behind[i] - windows.reach(i) -
                   (windows.count(i) - 1) * windows.strides[i]);
  finish(0, windowed("ConvTranspose", {reshaped(node.getOperand(0), blocks), weights}, windows,
                     {named("group", channels), named("output_padding", rest)}));
  return true;
}
