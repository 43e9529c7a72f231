// Reductions of windows: y[oh, ow] = combination of x[oh * s + kh * d - p, ow * s + kw * d - p] over kh and kw.
//
//   for some rows of places oh that fit a buffer together, or for parts of one row
//     down     for each column of x that the windows reach: combine the rows kh of x that there are, into the buffer
//     along    for each vector of places ow: combine elements kw of the buffer, compute what follows, store
//
//        buffer   │ n │ n │ x'│ x'│ x'│ x'│ x'│ n │        n: neutral elements beside the input
//                   └── window ──┘
//
// Combining down first takes KH + KW steps instead of KH * KW, and reads x by whole vectors for every stride. Rows of
// padding are skipped, and columns of padding are neutral elements of the buffer, so no loop over elements has a test.
// Several short rows go down before the first goes along: a load across two stores waits until both are in the cache.
// The order of combination does not depend on the blocks.
//
// Windows with a depth, y[od, oh, ow], go down through their planes: rows kh of each plane kd that there is. Rows of
// places are counted through the planes of places.

#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/rows/Reduction.h"
#include "lowering/cpu/vector/windows/Positions.h"
#include "ops/contract/domain/Windows.h"

using namespace llvm;

namespace opc::cpu {

namespace {

// Columns of a buffer: 16 KB of 32-bit numbers, for several windows of the longest kind.
constexpr int64_t kBuffer = 2 * kLongestWindow;
// Elements after the buffer that a vector of strided elements may touch.
constexpr int64_t kBehindBuffer = 512;
// Rows of places that share the buffer.
constexpr int64_t kMostRows = 16;
// Of windows with a depth: rows of places for which rows are asked ahead, and the rows that are asked for each at most.
constexpr int64_t kRowsAhead = 2, kMostRowsAsked = 4;

class WindowKernel {
public:
  WindowKernel(CodeBuilder &b, FusedKernel &kernel, Frame &frame)
      : b(b), kernel(kernel), frame(frame), input(*kernel.windowed), down((*kernel.tensors[input].windows)[0]),
        along((*kernel.tensors[input].windows)[1]), depth(kernel.tensors[input].depth) {
    wide = 2 * b.level.vectorBits / std::max(kernel.cost.widestBits, 16u);
  }

  bool plan();
  void emit();

private:
  /// A result of a reduction, and the combinations down each column.
  struct Partial {
    const Reduction *reduction;
    unsigned result;
    Element element;
    Value *buffer;
  };

  /// The rows of the input under a row of places: those of a plane, and the planes of windows with a depth.
  struct InputRows {
    Value *first;
    ValidRange rows;
    Value *firstPlane = nullptr;
    ValidRange planes = {nullptr, nullptr};
  };

  bool dependsOnWindowsAlone(mlir::Value value) const;
  InputRows rowsUnder(Value *place);
  Value *rowsTogether();
  void rows(Value *place, Value *places);
  void part(Value *place, Value *places, Value *from, Value *count);
  void fillNeutral(Value *from, Value *to);
  void askAhead(Value *from, unsigned lanes);
  Values combineRow(Value *at, ArrayRef<Value *> carried, Value *part, unsigned lanes);
  void combineDown(const InputRows &under, Value *column, Value *to, Value *lanesOrNull, unsigned lanes);
  void combineAlong(Value *at, Value *first, Value *part, unsigned lanes);
  void sweep(Value *count, function_ref<void(Value *i, Value *part, unsigned lanes)> body);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  const unsigned input;
  const WindowSteps down, along;
  const std::optional<WindowSteps> depth;
  unsigned wide;
  SmallVector<Reduction> reductions;
  SmallVector<Partial> partials;
  SmallVector<Value *> pointers; ///< in a batch: the tensors at the first position of the row; the input's plane
};

} // namespace

/// Whether a value before a reduction is computed only from elements of windows and scalars.
bool WindowKernel::dependsOnWindowsAlone(mlir::Value value) const {
  if (std::optional<unsigned> tensor = kernel.tensorOf(value))
    return *tensor == input || kernel.tensors[*tensor].dims == std::vector<int>{-1, -1, -1};
  if (value.getDefiningOp<mlir::linalg::FillOp>())
    return true;
  auto op = value.getDefiningOp<mlir::linalg::GenericOp>();
  return op && !op.getNumReductionLoops() &&
         all_of(op.getInputs(), [&](mlir::Value each) { return dependsOnWindowsAlone(each); });
}

bool WindowKernel::plan() {
  for (mlir::linalg::GenericOp op : kernel.generics) {
    if (!op.getNumReductionLoops())
      continue;
    if (op.getNumReductionLoops() != 2 ||
        !all_of(op.getInputs(), [&](mlir::Value each) { return dependsOnWindowsAlone(each); })) {
      op.emitOpError("[cpu_c8] expects reductions of windows over all positions, of what is computed from their "
                     "elements and scalars");
      return false;
    }
    std::optional<Reduction> reduction = Reduction::of(op);
    if (!reduction)
      return false;
    reductions.push_back(*reduction);
  }
  for (const Reduction &reduction : reductions)
    for (unsigned k = 0; k < reduction.results(); ++k) {
      Element element = *Element::of(reduction.type(k), b.getContext());
      if (element.kind != Element::Bool)
        element = {Element::Plain, element.computed, element.computed, element.computed->getScalarSizeInBits() / 8};
      partials.push_back({&reduction, k, element, b.buffer(element.memory, kBuffer + kBehindBuffer)});
    }
  // Stored values have an element for each position of the window, and none for others.
  auto isKept = [&](mlir::Value value) {
    return !kernel.tensorOf(value) && mlir::cast<mlir::RankedTensorType>(value.getType()).getNumDynamicDims() == 1;
  };
  if (partials.empty() || !all_of(kernel.stored, isKept)) {
    kernel.function.emitOpError("[cpu_c8] expects outputs with one element for each place of a window");
    return false;
  }
  return true;
}

/// Calls `body` for vectors of `count` elements; the last may overlap the one before. Fewer elements than a vector are
/// a part of one.
void WindowKernel::sweep(Value *count, function_ref<void(Value *, Value *, unsigned)> body) {
  b.ifElse(
      b.CreateICmpSGE(count, b.index(wide)),
      [&]() -> Values {
        Value *last = b.CreateSub(count, b.index(wide));
        b.loop(b.index(0), count, b.index(wide), [&](Value *i) { body(b.min(i, last), nullptr, wide); });
        return {};
      },
      [&]() -> Values {
        b.ifThen(b.CreateICmpSGT(count, b.index(0)), [&] { body(b.index(0), count, wide); });
        return {};
      });
}

/// Fills the buffers with neutral elements from one column to before another, possibly beyond it.
void WindowKernel::fillNeutral(Value *from, Value *to) {
  b.loop(from, to, b.index(wide), [&](Value *i) {
    for (const Partial &partial : partials)
      store(b, partial.reduction->neutral(b, partial.result, wide), partial.buffer, i, partial.element);
  });
}

/// Combines a vector of a row of the input with what the rows before it made.
Values WindowKernel::combineRow(Value *at, ArrayRef<Value *> carried, Value *part, unsigned lanes) {
  const Element &element = kernel.tensors[input].element;
  auto leaf = [&](mlir::Value value) -> Lane {
    std::optional<unsigned> tensor = kernel.tensorOf(value);
    if (!tensor)
      return {};
    if (*tensor != input)
      return {b.CreateVectorSplat(lanes, load(b, pointers[*tensor], b.index(0), kernel.tensors[*tensor].element, 0)),
              false};
    return {part ? loadPart(b, pointers[input], at, part, element, lanes)
                 : load(b, pointers[input], at, element, lanes),
            false};
  };
  Evaluator evaluator(b, frame, lanes, leaf);
  Values next;
  for (const Reduction &reduction : reductions) {
    SmallVector<Lane> before;
    for (unsigned k = 0; k < reduction.results(); ++k)
      before.push_back({carried[next.size() + k], false});
    for (auto [k, lane] : enumerate(evaluator.step(reduction.op, before)))
      next.push_back(lane.rounds ? roundTo(b, lane.value, *Element::of(reduction.type(unsigned(k)), b.getContext()))
                                 : lane.value);
  }
  return next;
}

/// Asks for the rows of a plane that a row of places some rows later is the first to read: planes are far apart, and
/// the hardware does not follow several at once.
void WindowKernel::askAhead(Value *from, unsigned lanes) {
  Value *behind = b.CreateAdd(b.CreateMul(b.CreateSub(frame.window.of[0], b.index(1)), b.index(down.dilation)),
                              b.index(1 + (kRowsAhead - 1) * down.stride));
  for (int64_t row = 0; row < std::min(down.stride, kMostRowsAsked); ++row)
    prefetch(b, pointers[input], b.CreateAdd(from, b.CreateMul(b.CreateAdd(behind, b.index(row)), frame.window.in[1])),
             kernel.tensors[input].element, lanes, 0);
}

/// Combines the rows of a vector of columns.
void WindowKernel::combineDown(const InputRows &under, Value *column, Value *to, Value *part, unsigned lanes) {
  Values state;
  for (const Partial &partial : partials)
    state.push_back(partial.reduction->neutral(b, partial.result, lanes));
  Value *step = b.CreateMul(frame.window.in[1], b.index(down.dilation));
  Value *start = b.CreateAdd(b.CreateMul(under.first, frame.window.in[1]), column);
  auto combinePlane = [&](Value *from, ArrayRef<Value *> initial) {
    return b.loop(under.rows.first, under.rows.behind, b.index(1), initial,
                  [&](Value *kh, ArrayRef<Value *> carried) -> Values {
                    return combineRow(b.CreateAdd(from, b.CreateMul(kh, step)), carried, part, lanes);
                  });
  };
  if (depth) {
    Value *plane = b.CreateMul(frame.window.in[0], frame.window.in[1]);
    state = b.loop(under.planes.first, under.planes.behind, b.index(1), state,
                   [&](Value *kd, ArrayRef<Value *> carried) -> Values {
                     Value *number = b.CreateAdd(under.firstPlane, b.CreateMul(kd, b.index(depth->dilation)));
                     Value *from = b.CreateAdd(start, b.CreateMul(number, plane));
                     askAhead(from, lanes);
                     return combinePlane(from, carried);
                   });
  } else {
    state = combinePlane(start, state);
  }
  for (auto [partial, value] : zip_equal(partials, state))
    store(b, value, partial.buffer, to, partial.element);
}

/// Combines the columns of windows, of which the first begins at the buffer's column `first`, and stores results from
/// position `at` on.
void WindowKernel::combineAlong(Value *at, Value *first, Value *part, unsigned lanes) {
  Values state;
  for (const Partial &partial : partials) {
    auto fill = partial.reduction->start(partial.result).getDefiningOp<mlir::linalg::FillOp>();
    Value *start = fill ? frame.scalar(fill.getInputs().front()) : partial.reduction->neutral(b, partial.result, 0);
    state.push_back(lanes ? b.CreateVectorSplat(lanes, start) : start);
  }
  state = b.loop(b.index(0), frame.window.of[1], b.index(1), state, [&](Value *kw, ArrayRef<Value *> carried) {
    Value *column = b.CreateAdd(first, b.CreateMul(kw, b.index(along.dilation)));
    Values next;
    for (auto [partial, before] : zip_equal(partials, carried)) {
      Value *element = loadStrided(b, partial.buffer, column, partial.element, lanes, along.stride);
      next.push_back(partial.reduction->combine(b, partial.result, before, element));
    }
    return next;
  });
  auto leaf = [&](mlir::Value value) -> Lane {
    for (auto [partial, combined] : zip_equal(partials, state))
      if (value == partial.reduction->result(partial.result))
        return {combined, false};
    std::optional<unsigned> tensor = kernel.tensorOf(value);
    if (!tensor)
      return {};
    const KernelTensor &of = kernel.tensors[*tensor];
    if (!is_contained(of.dims, 2)) {
      Value *scalar = load(b, pointers[*tensor], b.index(0), of.element, 0);
      return {lanes ? b.CreateVectorSplat(lanes, scalar) : scalar, false};
    }
    return {part ? loadPart(b, pointers[*tensor], at, part, of.element, lanes)
                 : load(b, pointers[*tensor], at, of.element, lanes),
            false};
  };
  Evaluator evaluator(b, frame, lanes, leaf);
  SmallVector<Value *> results;
  for (mlir::Value value : kernel.stored)
    results.push_back(evaluator.element(value).value);
  for (auto [number, result] : enumerate(results)) {
    unsigned output = kernel.firstOutput() + unsigned(number);
    if (part)
      storePart(b, result, pointers[output], at, part, kernel.tensors[output].element);
    else
      store(b, result, pointers[output], at, kernel.tensors[output].element);
  }
}

/// The rows of the input under a row of places of a batch.
WindowKernel::InputRows WindowKernel::rowsUnder(Value *place) {
  auto firstOf = [&](Value *place, const WindowSteps &steps) {
    return b.CreateSub(b.CreateMul(place, b.index(steps.stride)), b.index(steps.padBegin));
  };
  InputRows under;
  if (depth) {
    under.firstPlane = firstOf(b.CreateUDiv(place, frame.window.out[0]), *depth);
    under.planes = validRange(b, under.firstPlane, depth->dilation, frame.window.inDepth, frame.window.ofDepth);
    place = b.CreateURem(place, frame.window.out[0]);
  }
  under.first = firstOf(place, down);
  under.rows = validRange(b, under.first, down.dilation, frame.window.in[0], frame.window.of[0]);
  return under;
}

/// Computes `count` positions from `from` on in each of `places` rows from `place` on, whose windows fit the buffer.
void WindowKernel::part(Value *place, Value *places, Value *from, Value *count) {
  Value *reach = b.CreateMul(b.CreateSub(frame.window.of[1], b.index(1)), b.index(along.dilation));
  Value *zero = b.index(0), *one = b.index(1);
  Value *span = b.CreateAdd(b.CreateAdd(b.CreateMul(b.CreateSub(count, one), b.index(along.stride)), reach), one);
  Value *firstColumn = b.CreateSub(b.CreateMul(from, b.index(along.stride)), b.index(along.padBegin));
  ValidRange columns = validRange(b, firstColumn, 1, frame.window.in[1], span);
  b.loop(zero, places, one, [&](Value *number) {
    const InputRows under = rowsUnder(b.CreateAdd(place, number));
    Value *base = b.CreateMul(number, span), *behind = b.CreateAdd(base, columns.behind),
          *end = b.CreateAdd(base, span);
    // Fills may run over columns that are written next: of this row, and of the rows after it.
    fillNeutral(base, b.CreateAdd(base, columns.first));
    fillNeutral(behind, end);
    sweep(b.CreateSub(columns.behind, columns.first), [&](Value *i, Value *part, unsigned lanes) {
      Value *column = b.CreateAdd(columns.first, i), *to = b.CreateAdd(base, column);
      combineDown(under, b.CreateAdd(firstColumn, column), to, part, lanes);
      // Lanes after the part are padding.
      if (part)
        fillNeutral(behind, b.min(end, b.CreateAdd(to, b.index(lanes))));
    });
  });
  b.loop(zero, places, one, [&](Value *number) {
    Value *base = b.CreateMul(number, span), *at = b.CreateAdd(b.CreateMul(number, frame.window.out[1]), from);
    auto combine = [&](Value *i, Value *part, unsigned lanes) {
      combineAlong(b.CreateAdd(at, i), b.CreateAdd(base, b.CreateMul(i, b.index(along.stride))), part, lanes);
    };
    if (along.stride <= kVectorStride)
      return sweep(count, combine);
    b.loop(zero, count, one, [&](Value *i) { combine(i, nullptr, 0); });
  });
}

/// Positions of a row whose windows fit the buffer.
static Value *positionsOfPart(CodeBuilder &b, Value *window, const WindowSteps &along) {
  Value *room = b.max(b.CreateSub(b.index(kBuffer), b.CreateMul(window, b.index(along.dilation))), b.index(0));
  return b.CreateAdd(b.CreateUDiv(room, b.index(along.stride)), b.index(1));
}

/// How many whole rows fit the buffer; 1 also for rows that are computed in parts.
Value *WindowKernel::rowsTogether() {
  Value *span = b.CreateAdd(b.CreateMul(frame.window.out[1], b.index(along.stride)),
                            b.CreateMul(frame.window.of[1], b.index(along.dilation)));
  return b.max(b.min(b.CreateUDiv(b.index(kBuffer), span), b.index(kMostRows)), b.index(1));
}

/// Computes `places` rows of positions; one, if a row does not fit the buffer.
void WindowKernel::rows(Value *place, Value *places) {
  Value *most = positionsOfPart(b, frame.window.of[1], along);
  b.loop(b.index(0), frame.window.out[1], most,
         [&](Value *from) { part(place, places, from, b.min(most, b.CreateSub(frame.window.out[1], from))); });
}

// The items are the positions of all batches, in order. A row belongs to the block with its first position.
void WindowKernel::emit() {
  Value *length = frame.window.out[1], *rowsOfBatch = frame.window.out[0];
  if (depth)
    rowsOfBatch = b.CreateMul(rowsOfBatch, frame.window.outDepth);
  b.ifThen(b.CreateICmpSLT(frame.begin, frame.end), [&] {
    auto firstRowFrom = [&](Value *item) {
      return b.CreateUDiv(b.CreateAdd(item, b.CreateSub(length, b.index(1))), length);
    };
    Value *first = firstRowFrom(frame.begin), *last = firstRowFrom(frame.end), *together = rowsTogether();
    b.ifThen(b.CreateICmpSLT(first, last), [&] {
      b.whileBefore(first, last, {}, [&](Value *number, ArrayRef<Value *>) -> Values {
        Frame::Place place = frame.placeOf(b.CreateMul(number, length), frame.loopSize(2));
        Value *rowOfBatch = b.CreateURem(number, rowsOfBatch);
        Value *left = b.min(b.CreateSub(last, number), b.CreateSub(rowsOfBatch, rowOfBatch));
        Value *places = b.min(left, together);
        pointers.clear();
        for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
          Frame::Place at = place;
          if (i == input)
            at.item = b.index(0);
          pointers.push_back(frame.elementAt(i, at, 2));
        }
        rows(rowOfBatch, places);
        return {b.CreateAdd(number, places)};
      });
    });
  });
}

bool emitWindows(CodeBuilder &b, FusedKernel &kernel, Frame &frame) {
  WindowKernel windows(b, kernel, frame);
  if (!windows.plan())
    return false;
  windows.emit();
  return true;
}

} // namespace opc::cpu
