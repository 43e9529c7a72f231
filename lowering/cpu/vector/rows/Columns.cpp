// Reductions along columns: y[k] = combination of x[r0, r1, k] over r0 and r1.
//
// Neighbouring columns are adjacent in memory. So a strip of columns has a buffer of partial results in the L1 cache,
// to which rows are added in groups. A tile is some columns of a group: its partial results are in registers while its
// rows pass. Each column is combined in the order of its rows, for any division into blocks and groups. Sums of 256
// rows and more are added to a total by compensated summation, as for parts of long rows.
//
// Kernels of the key `columns` have any number of reductions, and results with elements in all rows. As along rows
// (Rows.h), a reduction takes a pass over the rows of a strip, and values that depend on its result take the next pass.
// A value with one element for each column is computed once between passes and kept in a buffer. A strip has few enough
// columns that its rows stay in the L2 cache between passes.

#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/rows/Reduction.h"

using namespace llvm;

namespace opc::cpu {

namespace {

// The most columns in a strip. Rows of inputs within the caches are cut shorter, so that the groups of rows that are
// read and prefetched fit the L1 cache. Long rows from memory are one strip if the kernel has a single result of up to
// 32 bits: what is prefetched after the end of a row of a strip is read in vain.
constexpr unsigned kStrip = 2048, kCutRow = 1024, kWholeRow = 16384;
// Rows of a group. Each is a stream of its own; within the caches, that costs less than to load and store the partial
// results for each row. Rows of up to so many bytes have larger groups. Beyond the caches a group is one row, so that
// memory is read from beginning to end.
constexpr int64_t kGroup = 4, kLargeGroup = 8, kShortRow = 2048;
// The prefetch distance in bytes. It is at least a group, and at most a quarter of the rows.
constexpr int64_t kAhead = 8192;
// Bytes that a load reads at most. Rows rarely begin at multiples of 64 bytes, and then each load of 64 bytes touches
// two lines, but only every second load of 32.
constexpr unsigned kLoadBytes = 32;
// Registers of partial results in a tile.
constexpr unsigned kTileVectors = 4;
// Rows that are summed separately before they are added to the total.
constexpr int64_t kPartRows = 256;
// Elements of a strip with more than one pass.
constexpr int64_t kSweptElements = 65536;

class ColumnKernel {
public:
  ColumnKernel(CodeBuilder &b, FusedKernel &kernel, Frame &frame) : b(b), kernel(kernel), frame(frame) {
    wide = b.level.vectorBits / std::max(kernel.cost.widestBits, 16u);
    slots = 2 * wide;
    for (const KernelTensor &tensor : kernel.tensors)
      if (is_contained(tensor.dims, 2))
        widestBytes = std::max(widestBytes, tensor.element.bytes);
    hasPasses = kernel.kind != FusedKernel::Kind::ReduceColumns;
    wide = hasPasses || kernel.cost.usesFunctions ? slots : std::min(wide, kLoadBytes / widestBytes);
  }

  bool plan();
  void emit();

private:
  /// A value with one element for each column of the strip, in the type in which it is computed.
  struct Kept {
    Element element;
    Value *buffer;
  };

  /// A row of the strip, and the addresses of the tensors' elements in its first column.
  struct Row {
    Value *r1 = nullptr;
    SmallVector<Value *> pointers;
  };

  /// A group of rows: the first, their number, and of each tensor that has rows of its own the distance in elements to
  /// the next row, and to the row that is prefetched.
  struct Group {
    Row first;
    Value *rows;
    unsigned unrolled = 0; ///< the number of rows whose code is written out; 0 is a loop over `rows`
    SmallVector<Value *> steps, ahead;
  };

  /// A vector of elements: the lanes of buffers from `slot` on are columns of the strip from `column` on, the first
  /// `part` of them if that is not null.
  struct Span {
    Value *slot, *column, *part;
  };

  bool isKept(mlir::Value value) const;
  unsigned sweepOf(mlir::Value value);
  void keep(mlir::Value value, mlir::Type type);
  void strip(Value *count);
  void sweep(unsigned number, Value *count);
  using Sums = SmallVector<std::pair<const Reduction *, unsigned>>;
  Sums startSweep(unsigned number, Value *count);
  Value *startOf(const Reduction &reduction, unsigned k);
  void addToTotals(const Sums &sums, Value *count);
  void finishSums(const Sums &sums, Value *count, bool hasTotals);
  void chooseGroups(Value *count);
  Value *comesFromMemory();
  Row rowAt(ArrayRef<Value *> r0, Value *r1);
  Row stripRow() { return {b.index(0), pointers}; }
  Group groupAt(ArrayRef<Value *> r0, Value *r1, Value *rows, unsigned unrolled = 0);
  void combineGroup(unsigned sweep, const Group &group, Value *count);
  void tile(unsigned sweep, const Group &group, Span at, unsigned vectors);
  Values combineRow(unsigned sweep, const Row &row, Span at, ArrayRef<Value *> partial);
  void columns(Value *begin, Value *count, function_ref<void(Span at)> body);
  Lane elementOf(mlir::Value value, const Row &row, Span at);
  Lane leaf(mlir::Value value, const Row &row, Span at);
  std::function<Value *(std::optional<unsigned> loop)> positions(Value *r1, Span at);
  void storeResult(unsigned output, Value *result, const Row &row, Span at);
  void computeKept(unsigned sweep, Value *count);
  void finish(Value *count);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  bool hasPasses; ///< any number of reductions, and results in all rows
  unsigned widestStrip = kStrip;
  unsigned wide, slots;                 ///< lanes of a vector of elements, and of one that only buffers have
  unsigned widestBytes = 1, sweeps = 0; ///< bytes of the widest element of a row
  SmallVector<Reduction> reductions;
  DenseMap<mlir::Value, Kept> kept;
  /// For sums: the total of earlier parts, and the rounding errors of its additions.
  DenseMap<mlir::Value, std::pair<Value *, Value *>> totals;
  DenseMap<mlir::Value, unsigned> sweepNumbers;
  SmallVector<Value *> pointers; ///< addresses of the tensors at the first column of the strip
  Value *firstColumn = nullptr;  ///< of the strip
  Value *readsThrough = nullptr; ///< whether strips are rows of inputs that are larger than the caches (i1)
  Value *rowsOfGroup = nullptr;
  Value *ahead = nullptr; ///< rows from a row to the one that is prefetched
};

} // namespace

bool ColumnKernel::isKept(mlir::Value value) const {
  if (std::optional<unsigned> tensor = kernel.tensorOf(value)) {
    const std::vector<int> &dims = kernel.tensors[*tensor].dims;
    return !is_contained(dims, 0) && !is_contained(dims, 1);
  }
  auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  if (type.getRank() == int64_t(kernel.loops))
    return !type.isDynamicDim(0) && !type.isDynamicDim(1);
  // The type of a value with fewer dimensions does not determine its loops.
  auto generic = value.getDefiningOp<mlir::linalg::GenericOp>();
  return !generic || generic.getNumReductionLoops() != 0 ||
         (!countsAlong(generic, {0, 1}) &&
          all_of(generic.getInputs(), [&](mlir::Value input) { return isKept(input); }));
}

/// The first sweep in which a value can be computed.
unsigned ColumnKernel::sweepOf(mlir::Value value) {
  if (auto found = sweepNumbers.find(value); found != sweepNumbers.end())
    return found->second;
  unsigned number = 0;
  if (auto op = value.getDefiningOp<mlir::linalg::GenericOp>()) {
    for (mlir::Value input : op.getInputs())
      number = std::max(number, sweepOf(input));
    number += op.getNumReductionLoops() != 0;
  }
  return sweepNumbers[value] = number;
}

void ColumnKernel::keep(mlir::Value value, mlir::Type type) {
  Element element = *Element::of(type, b.getContext());
  if (element.kind != Element::Bool) {
    element.kind = Element::Plain;
    element.memory = element.computed;
    element.bytes = element.computed->getScalarSizeInBits() / 8;
  }
  kept[value] = {element, b.buffer(element.memory, widestStrip)};
}

bool ColumnKernel::plan() {
  bool single = kernel.kind == FusedKernel::Kind::ReduceColumns;
  unsigned results = 0;
  for (mlir::linalg::GenericOp op : kernel.generics)
    results += op.getNumReductionLoops() ? op.getNumResults() : 0;
  if (single && results == 1 && kernel.cost.widestBits <= 32)
    widestStrip = kWholeRow;
  for (mlir::linalg::GenericOp op : kernel.generics) {
    if (!op.getNumReductionLoops()) {
      for (mlir::Value result : op.getResults())
        if (!single && isKept(result))
          keep(result, mlir::cast<mlir::RankedTensorType>(result.getType()).getElementType());
      continue;
    }
    if ((single && sweepOf(op.getResult(0)) > 1) || op.getNumReductionLoops() != 2) {
      op.emitOpError("[cpu_c8] expects reductions ")
          << (single ? "that do not depend on each other, " : "") << "over both loops of rows";
      return false;
    }
    std::optional<Reduction> reduction = Reduction::of(op);
    if (!reduction)
      return false;
    reductions.push_back(*reduction);
    for (unsigned k = 0; k < reduction->results(); ++k) {
      keep(reduction->result(k), reduction->type(k));
      const Kept &partial = kept.find(reduction->result(k))->second;
      if (reduction->losesDigits(k))
        totals[reduction->result(k)] = {b.buffer(partial.element.memory, widestStrip),
                                        b.buffer(partial.element.memory, widestStrip)};
    }
    sweeps = std::max(sweeps, sweepOf(op.getResult(0)));
  }
  for (mlir::Value value : kernel.stored) {
    if (isKept(value))
      continue;
    if (single) {
      kernel.function.emitOpError("[cpu_c8] expects outputs that are kept by a reduction");
      return false;
    }
    sweeps = std::max(sweeps, sweepOf(value) + 1);
  }
  if (single && reductions.empty()) {
    kernel.function.emitOpError("[cpu_c8] expects outputs that are kept by a reduction");
    return false;
  }
  return true;
}

// Processes full vectors from `begin` on. The last of them starts earlier so that it ends with the strip: it has a slot
// of its own, and computes some columns again. A strip that is shorter than a vector is part of one.
void ColumnKernel::columns(Value *begin, Value *count, function_ref<void(Span at)> body) {
  Value *zero = b.index(0), *last = b.CreateSub(count, b.index(wide));
  b.branch(
      b.CreateICmpSGE(last, zero),
      [&] { b.loop(begin, count, b.index(wide), [&](Value *i) { body({i, b.min(i, last), nullptr}); }); },
      [&] { body({zero, zero, count}); });
}

ColumnKernel::Row ColumnKernel::rowAt(ArrayRef<Value *> r0, Value *r1) {
  Row row{r1, pointers};
  for (auto [i, tensor] : enumerate(kernel.tensors)) {
    Value *offset = b.index(0);
    if (is_contained(tensor.dims, 1))
      offset = b.CreateMul(r1, frame.stride(i, 1));
    if (is_contained(tensor.dims, 0))
      offset = b.CreateAdd(offset, frame.outerOffset(i, r0));
    row.pointers[i] = b.at(pointers[i], tensor.element.memory, offset);
  }
  return row;
}

/// Whether the inputs are larger than the caches.
Value *ColumnKernel::comesFromMemory() {
  Value *bytes = b.index(0);
  for (unsigned i = 0; i < kernel.firstOutput(); ++i)
    if (kernel.isAlong(i, 1) && kernel.isAlong(i, 2))
      bytes = b.CreateAdd(bytes, b.CreateMul(frame.elementsOf(i), b.index(kernel.tensors[i].element.bytes)));
  return b.CreateICmpUGT(bytes, frame.streamThreshold);
}

// Without prefetching, the hardware starts anew in each page, which is a row or two. Kernels with several passes read
// rows from the L2 cache in all passes but one.
void ColumnKernel::chooseGroups(Value *count) {
  rowsOfGroup = b.index(kGroup);
  if (hasPasses)
    return;
  Value *isShort = b.CreateICmpSLE(count, b.index(kShortRow / widestBytes));
  rowsOfGroup = b.CreateSelect(isShort, b.index(kLargeGroup), rowsOfGroup);
  rowsOfGroup = b.CreateSelect(readsThrough, b.index(1), rowsOfGroup);
  Value *distance = b.CreateUDiv(b.index(kAhead / widestBytes), count);
  ahead = b.min(b.max(distance, rowsOfGroup), b.CreateLShr(frame.loopSize(1), 2));
}

ColumnKernel::Group ColumnKernel::groupAt(ArrayRef<Value *> r0, Value *r1, Value *rows, unsigned unrolled) {
  Group group{rowAt(r0, r1), rows, unrolled, {}, {}};
  for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
    Value *step = kernel.isAlong(i, 1) ? frame.stride(i, 1) : nullptr;
    group.steps.push_back(step);
    if (!step || !ahead || i >= kernel.firstOutput() || !kernel.isAlong(i, 2)) {
      group.ahead.push_back(nullptr);
      continue;
    }
    // In rows that are read from beginning to end, what is ahead is near.
    Value *near = b.index(kAhead / kernel.tensors[i].element.bytes);
    group.ahead.push_back(b.CreateSelect(readsThrough, near, b.CreateMul(ahead, step)));
  }
  return group;
}

// The elements of an input in a row.
Lane ColumnKernel::elementOf(mlir::Value value, const Row &row, Span at) {
  std::optional<unsigned> tensor = kernel.tensorOf(value);
  if (!tensor)
    return {};
  const auto &[dims, element] = std::tie(kernel.tensors[*tensor].dims, kernel.tensors[*tensor].element);
  Value *pointer = row.pointers[*tensor];
  if (!is_contained(dims, 2))
    return {b.CreateVectorSplat(wide, load(b, pointer, b.index(0), element, 0)), false};
  if (at.part)
    return {loadPart(b, pointer, at.column, at.part, element, wide), false};
  return {load(b, pointer, at.column, element, wide), false};
}

Lane ColumnKernel::leaf(mlir::Value value, const Row &row, Span at) {
  if (auto found = kept.find(value); found != kept.end())
    return {load(b, found->second.buffer, at.slot, found->second.element, wide), false};
  return elementOf(value, row, at);
}

/// The values of a body's positions in some columns of a row.
std::function<Value *(std::optional<unsigned>)> ColumnKernel::positions(Value *r1, Span at) {
  return [this, r1, at](std::optional<unsigned> loop) {
    return loop == 2u ? b.numbersFrom(b.CreateAdd(firstColumn, at.column), wide) : b.numbers(r1, wide);
  };
}

void ColumnKernel::storeResult(unsigned output, Value *result, const Row &row, Span at) {
  const Element &element = kernel.tensors[output].element;
  if (at.part)
    storePart(b, result, row.pointers[output], at.column, at.part, element);
  else
    store(b, result, row.pointers[output], at.column, element);
}

/// The results of a sweep in a vector of columns after a row, from those before.
Values ColumnKernel::combineRow(unsigned sweep, const Row &row, Span at, ArrayRef<Value *> partial) {
  auto find = [&](mlir::Value value) { return leaf(value, row, at); };
  Evaluator evaluator(b, frame, wide, find);
  evaluator.position = positions(row.r1, at);
  SmallVector<std::pair<unsigned, Value *>> results;
  for (auto [j, value] : enumerate(kernel.stored))
    if (!isKept(value) && sweepOf(value) == sweep)
      results.emplace_back(kernel.firstOutput() + j, evaluator.element(value).value);
  Values next;
  for (const Reduction &reduction : reductions) {
    if (sweepOf(reduction.result(0)) != sweep + 1)
      continue;
    SmallVector<Lane> lanes;
    for (unsigned k = 0; k < reduction.results(); ++k)
      lanes.push_back({partial[next.size() + k], false});
    for (auto [k, lane] : enumerate(evaluator.step(reduction.op, lanes)))
      next.push_back(lane.rounds ? roundTo(b, lane.value, *Element::of(reduction.type(k), b.getContext()))
                                 : lane.value);
  }
  for (auto [output, result] : results)
    storeResult(output, result, row, at);
  return next;
}

/// Combines a group of rows in as many vectors from `at` on.
void ColumnKernel::tile(unsigned sweep, const Group &group, Span at, unsigned vectors) {
  SmallVector<Span> spans;
  for (unsigned v = 0; v < vectors; ++v) {
    Value *first = b.index(v * wide);
    spans.push_back({b.CreateAdd(at.slot, first), b.CreateAdd(at.column, first), at.part});
  }
  SmallVector<std::pair<const Kept *, Value *>> places; // the partial results of each vector, and their slots
  for (const Span &span : spans)
    for (const Reduction &reduction : reductions)
      for (unsigned k = 0; k < reduction.results() && sweepOf(reduction.result(0)) == sweep + 1; ++k)
        places.emplace_back(&kept.find(reduction.result(k))->second, span.slot);
  Values carried;
  for (auto [place, slot] : places)
    carried.push_back(load(b, place->buffer, slot, place->element, wide));
  for (auto [pointer, step] : zip_equal(group.first.pointers, group.steps))
    if (step)
      carried.push_back(pointer);
  const size_t results = places.size() / vectors;
  auto nextRow = [&](Value *number, ArrayRef<Value *> before) {
    Row row{b.CreateAdd(group.first.r1, number), group.first.pointers};
    ArrayRef<Value *> moved = before.drop_front(places.size());
    Values next, pointers;
    for (auto [i, tensor] : enumerate(kernel.tensors)) {
      if (!group.steps[i])
        continue;
      row.pointers[i] = moved[pointers.size()];
      pointers.push_back(b.at(row.pointers[i], tensor.element.memory, group.steps[i]));
      if (group.ahead[i] && !at.part)
        prefetch(b, row.pointers[i], b.CreateAdd(at.column, group.ahead[i]), tensor.element, vectors * wide, 0);
    }
    for (auto [v, span] : enumerate(spans))
      append_range(next, combineRow(sweep, row, span, before.slice(v * results, results)));
    append_range(next, pointers);
    return next;
  };
  for (unsigned row = 0; row < group.unrolled; ++row)
    carried = nextRow(b.index(row), Values(carried));
  if (!group.unrolled)
    carried = b.loop(b.index(0), group.rows, b.index(1), carried, nextRow);
  for (auto [i, place] : enumerate(places))
    store(b, carried[i], place.first->buffer, place.second, place.first->element);
}

/// Combines a group of rows, tile by tile. Columns after the last whole tile are tiles of one vector.
void ColumnKernel::combineGroup(unsigned sweep, const Group &group, Value *count) {
  unsigned results =
      count_if(kernel.stored, [&](mlir::Value value) { return !isKept(value) && sweepOf(value) == sweep; });
  for (const Reduction &reduction : reductions)
    if (sweepOf(reduction.result(0)) == sweep + 1)
      results += reduction.results();
  unsigned vectors = wide == slots ? 1 : kTileVectors / std::max(1u, results);
  vectors = llvm::bit_floor(std::max(1u, vectors));
  Value *begin = b.index(0);
  if (vectors > 1) {
    Value *width = b.index(int64_t(vectors) * wide), *whole = b.CreateAnd(count, b.CreateNeg(width));
    b.loop(begin, whole, width, [&](Value *i) { tile(sweep, group, {i, i, nullptr}, vectors); });
    begin = whole;
  }
  columns(begin, count, [&](Span at) { tile(sweep, group, at, 1); });
}

Value *ColumnKernel::startOf(const Reduction &reduction, unsigned k) {
  auto fill = reduction.start(k).getDefiningOp<mlir::linalg::FillOp>();
  return fill ? b.CreateVectorSplat(slots, frame.scalar(fill.getInputs().front())) : reduction.neutral(b, k, slots);
}

// Adds the partial sums of a strip to their totals, and starts again from zero.
void ColumnKernel::addToTotals(const Sums &sums, Value *count) {
  b.loop(b.index(0), count, b.index(slots), [&](Value *i) {
    for (auto [reduction, k] : sums) {
      const auto &[element, buffer] = kept.find(reduction->result(k))->second;
      auto [total, lost] = totals.lookup(reduction->result(k));
      auto [sum, error] = twoSum(b, load(b, total, i, element, slots), load(b, buffer, i, element, slots));
      store(b, sum, total, i, element);
      store(b, b.CreateFAdd(load(b, lost, i, element, slots), error), lost, i, element);
      store(b, Constant::getNullValue(sum->getType()), buffer, i, element);
    }
  });
}

// Adds the partial sums of the last rows, or of all if there were no totals before.
void ColumnKernel::finishSums(const Sums &sums, Value *count, bool hasTotals) {
  b.loop(b.index(0), count, b.index(slots), [&](Value *i) {
    for (auto [reduction, k] : sums) {
      const auto &[element, buffer] = kept.find(reduction->result(k))->second;
      auto [total, lost] = totals.lookup(reduction->result(k));
      Value *before = hasTotals ? load(b, total, i, element, slots) : startOf(*reduction, k);
      auto [sum, error] = twoSum(b, before, load(b, buffer, i, element, slots));
      Value *errors = hasTotals ? load(b, lost, i, element, slots) : Constant::getNullValue(sum->getType());
      store(b, withErrors(b, sum, b.CreateFAdd(errors, error)), buffer, i, element);
    }
  });
}

/// Fills the partial results of a sweep. Returns those that are summed in parts.
ColumnKernel::Sums ColumnKernel::startSweep(unsigned number, Value *count) {
  Sums sums;
  b.loop(b.index(0), count, b.index(slots), [&](Value *i) {
    for (Reduction &reduction : reductions)
      for (unsigned k = 0; k < reduction.results() && sweepOf(reduction.result(0)) == number + 1; ++k) {
        Value *start = startOf(reduction, k);
        if (reduction.losesDigits(k)) {
          sums.emplace_back(&reduction, k);
          start = Constant::getNullValue(start->getType());
        }
        const Kept &partial = kept.find(reduction.result(k))->second;
        store(b, start, partial.buffer, i, partial.element);
      }
  });
  return sums;
}

void ColumnKernel::sweep(unsigned number, Value *count) {
  Sums sums = startSweep(number, count);
  Value *r1Count = frame.loopSize(1), *zero = b.index(0);
  chooseGroups(count);
  auto range = [&](ArrayRef<Value *> r0, Value *begin, Value *end) {
    Value *rows = b.CreateSub(end, begin), *whole = b.CreateAnd(rows, b.CreateNeg(rowsOfGroup)), *one = b.index(1);
    // Bodies of several passes compute more than they read: their rows are written out.
    if (hasPasses) {
      Value *rest = b.CreateAdd(begin, whole);
      b.loop(begin, rest, rowsOfGroup,
             [&](Value *r1) { combineGroup(number, groupAt(r0, r1, rowsOfGroup, kGroup), count); });
      b.loop(rest, end, one, [&](Value *r1) { combineGroup(number, groupAt(r0, r1, one, 1), count); });
      return;
    }
    // The last group has the rows that are left.
    b.loop(begin, b.CreateAdd(begin, b.max(whole, b.min(rows, one))), rowsOfGroup, [&](Value *r1) {
      Value *left = b.CreateSub(end, r1), *isLast = b.CreateICmpSLT(left, b.CreateShl(rowsOfGroup, 1));
      combineGroup(number, groupAt(r0, r1, b.CreateSelect(isLast, left, rowsOfGroup)), count);
    });
  };
  if (sums.empty()) {
    b.loop(zero, frame.loopSize(0), b.index(1), [&](Value *r0) { range(frame.tripsOfRuns(r0), zero, r1Count); });
    return;
  }
  Value *hasTotals = b.CreateICmpSGE(b.CreateMul(frame.loopSize(0), r1Count), b.index(kPartRows));
  b.ifThen(hasTotals, [&] {
    b.loop(zero, count, b.index(slots), [&](Value *i) {
      for (auto [reduction, k] : sums) {
        auto [total, lost] = totals.lookup(reduction->result(k));
        const Element &element = kept.find(reduction->result(k))->second.element;
        Value *start = startOf(*reduction, k);
        store(b, start, total, i, element);
        store(b, Constant::getNullValue(start->getType()), lost, i, element);
      }
    });
  });
  // The carried value counts the rows that are not yet in a total.
  b.loop(zero, frame.loopSize(0), b.index(1), {zero}, [&](Value *r0, ArrayRef<Value *> before) {
    const Values trips = frame.tripsOfRuns(r0);
    return b.loop(zero, r1Count, b.index(kPartRows), before, [&](Value *begin, ArrayRef<Value *> carried) -> Values {
      Value *end = b.min(b.CreateAdd(begin, b.index(kPartRows)), r1Count);
      range(trips, begin, end);
      Value *added = b.CreateAdd(carried.front(), b.CreateSub(end, begin));
      return b.ifElse(
          b.CreateICmpSGE(added, b.index(kPartRows)),
          [&]() -> Values {
            addToTotals(sums, count);
            return {zero};
          },
          [&]() -> Values { return {added}; });
    });
  });
  b.branch(hasTotals, [&] { finishSums(sums, count, true); }, [&] { finishSums(sums, count, false); });
}

// Computes the kept values that depend on the reductions before a pass.
void ColumnKernel::computeKept(unsigned sweep, Value *count) {
  SmallVector<mlir::Value> values;
  for (mlir::linalg::GenericOp op : kernel.generics)
    for (mlir::Value result : op.getResults())
      if (!op.getNumReductionLoops() && kept.contains(result) && sweepOf(result) == sweep)
        values.push_back(result);
  if (values.empty())
    return;
  const Row row = stripRow();
  columns(b.index(0), count, [&](Span at) {
    SmallVector<std::pair<const Kept *, Value *>> results;
    auto find = [&](mlir::Value value) { return is_contained(values, value) ? Lane() : leaf(value, row, at); };
    Evaluator evaluator(b, frame, wide, find);
    evaluator.position = positions(row.r1, at);
    for (mlir::Value value : values) {
      Lane lane = evaluator.element(value);
      mlir::Type type = mlir::cast<mlir::RankedTensorType>(value.getType()).getElementType();
      Value *rounded = lane.rounds ? roundTo(b, lane.value, *Element::of(type, b.getContext())) : lane.value;
      results.emplace_back(&kept.find(value)->second, rounded);
    }
    for (auto [place, result] : results)
      store(b, result, place->buffer, at.slot, place->element);
  });
}

// Computes the outputs with one element for each column of a strip.
void ColumnKernel::finish(Value *count) {
  if (none_of(kernel.stored, [&](mlir::Value value) { return isKept(value); }))
    return;
  const Row row = stripRow();
  columns(b.index(0), count, [&](Span at) {
    auto find = [&](mlir::Value value) { return leaf(value, row, at); };
    Evaluator evaluator(b, frame, wide, find);
    evaluator.position = positions(row.r1, at);
    for (auto [j, value] : enumerate(kernel.stored)) {
      unsigned output = kernel.firstOutput() + j;
      if (isKept(value))
        storeResult(output, evaluator.element(value).value, row, at);
    }
  });
}

void ColumnKernel::strip(Value *count) {
  computeKept(0, count);
  for (unsigned number = 0; number < sweeps; ++number) {
    sweep(number, count);
    computeKept(number + 1, count);
  }
  finish(count);
}

// The items are the columns of all batches, in order.
void ColumnKernel::emit() {
  Value *k = frame.loopSize(2), *widest = b.index(kStrip);
  if (kernel.kind == FusedKernel::Kind::ReduceColumns) {
    readsThrough = comesFromMemory();
    readsThrough = b.CreateAnd(readsThrough, b.CreateICmpSLE(k, b.index(widestStrip)));
    widest = b.CreateSelect(readsThrough, b.index(widestStrip), b.index(kCutRow));
  }
  if (sweeps > 1) {
    Value *rows = b.max(b.CreateMul(frame.loopSize(0), frame.loopSize(1)), b.index(1));
    Value *fitting = b.CreateAnd(b.CreateUDiv(b.index(kSweptElements), rows), b.index(-int64_t(wide)));
    widest = b.max(b.min(fitting, widest), b.index(wide));
  }
  b.ifThen(b.CreateICmpSLT(frame.begin, frame.end), [&] {
    Value *firstBatch = b.CreateUDiv(frame.begin, k);
    Value *lastBatch = b.CreateUDiv(b.CreateSub(frame.end, b.index(1)), k);
    b.loop(firstBatch, b.CreateAdd(lastBatch, b.index(1)), b.index(1), [&](Value *batch) {
      Value *start = b.CreateMul(batch, k);
      Value *from = b.max(b.CreateSub(frame.begin, start), b.index(0));
      Value *to = b.min(b.CreateSub(frame.end, start), k);
      // Strips of equal width: a narrow last one would read few bytes of each row.
      Value *all = b.CreateSub(to, from), *one = b.index(1);
      Value *strips = b.CreateUDiv(b.CreateAdd(all, b.CreateSub(widest, one)), widest);
      Value *width = b.CreateUDiv(b.CreateAdd(all, b.CreateSub(strips, one)), strips);
      width = b.CreateAnd(b.CreateAdd(width, b.index(wide - 1)), b.index(-int64_t(wide)));
      b.loop(from, to, width, [&](Value *column) {
        Frame::Place place = frame.placeOf(b.CreateAdd(start, column), k);
        if (!frame.batch[0])
          place.item = column;
        pointers.clear();
        for (unsigned i = 0; i < kernel.tensors.size(); ++i)
          pointers.push_back(frame.elementAt(i, place, 2));
        firstColumn = place.item;
        strip(b.min(b.CreateSub(to, column), width));
      });
    });
  });
}

bool emitColumns(CodeBuilder &b, FusedKernel &kernel, Frame &frame) {
  ColumnKernel columns(b, kernel, frame);
  if (!columns.plan())
    return false;
  columns.emit();
  return true;
}

} // namespace opc::cpu
