// Reductions along columns: y[k] = combination of x[r0, r1, k] over r0 and r1.
//
// Neighbouring columns are adjacent in memory. So a strip of columns has a buffer of partial results in the L1 cache,
// to which rows are added one after the other, some at a time: memory is read sequentially. Each column is combined in
// the order of its rows, for any division into blocks. Sums of 256 rows and more are added to a total by compensated
// summation, as for parts of long rows.
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

// The most columns in a strip: 8 KB of 32-bit partial results.
constexpr unsigned kStrip = 2048;
// Rows that are added between a load and a store of their partial results. Each is a copy of the body's code, and a
// stream of its own in memory.
constexpr unsigned kRowsAtOnce = 4;
// The prefetch distance in bytes. It is at least as many rows as are added at once, and a quarter of them at most.
constexpr int64_t kAhead = 8192;
// Rows that are summed separately before they are added to the total.
constexpr int64_t kPartRows = 256;
// Elements of a strip with more than one pass.
constexpr int64_t kSweptElements = 65536;

class ColumnKernel {
public:
  ColumnKernel(CodeBuilder &b, FusedKernel &kernel, Frame &frame) : b(b), kernel(kernel), frame(frame) {
    wide = 2 * b.level.vectorBits / std::max(kernel.cost.widestBits, 16u);
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

  /// Elements of an iteration: the lanes of buffers from `slot` on are columns of the strip from `column` on, the first
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
  Value *rowsAhead(Value *count);
  Row rowAt(ArrayRef<Value *> r0, Value *r1);
  Row stripRow() { return {b.index(0), pointers}; }
  void rows(unsigned sweep, ArrayRef<Value *> r0, Value *r1, unsigned howMany, Value *count);
  void columns(Value *count, function_ref<void(Span at)> body);
  void fetchAhead(const Row &row, Span at);
  Lane elementOf(mlir::Value value, const Row &row, Span at);
  Lane leaf(mlir::Value value, const Row &row, Span at);
  std::function<Value *(std::optional<unsigned> loop)> positions(Value *r1, Span at);
  void storeResult(unsigned output, Value *result, const Row &row, Span at);
  void computeKept(unsigned sweep, Value *count);
  void finish(Value *count);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  unsigned wide, sweeps = 0;
  SmallVector<Reduction> reductions;
  DenseMap<mlir::Value, Kept> kept;
  /// For sums: the total of earlier parts, and the rounding errors of its additions.
  DenseMap<mlir::Value, std::pair<Value *, Value *>> totals;
  DenseMap<mlir::Value, unsigned> sweepNumbers;
  SmallVector<Value *> pointers; ///< addresses of the tensors at the first column of the strip
  Value *firstColumn = nullptr;  ///< of the strip
  Value *ahead = nullptr;        ///< rows from a row to the one that is prefetched
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
  kept[value] = {element, b.buffer(element.memory, kStrip)};
}

bool ColumnKernel::plan() {
  bool single = kernel.kind == FusedKernel::Kind::ReduceColumns;
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
        totals[reduction->result(k)] = {b.buffer(partial.element.memory, kStrip),
                                        b.buffer(partial.element.memory, kStrip)};
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

// Processes full vectors. The last of them starts earlier so that it ends with the strip: it has a slot of its own, and
// computes some columns again. A strip that is shorter than a vector is part of one.
void ColumnKernel::columns(Value *count, function_ref<void(Span at)> body) {
  Value *zero = b.index(0), *last = b.CreateSub(count, b.index(wide));
  b.ifElse(
      b.CreateICmpSGE(last, zero),
      [&]() -> Values {
        b.loop(zero, count, b.index(wide), [&](Value *i) { body({i, b.min(i, last), nullptr}); });
        return {};
      },
      [&]() -> Values {
        body({zero, zero, count});
        return {};
      });
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

// Without prefetching, the hardware starts anew in each page, which is a row or two.
Value *ColumnKernel::rowsAhead(Value *count) {
  unsigned bytes = 1;
  for (unsigned i = 0; i < kernel.firstOutput(); ++i)
    if (is_contained(kernel.tensors[i].dims, 2))
      bytes = std::max(bytes, kernel.tensors[i].element.bytes);
  Value *distance = b.CreateUDiv(b.index(kAhead / bytes), count);
  return b.min(b.max(distance, b.index(kRowsAtOnce)), b.CreateLShr(frame.loopSize(1), 2));
}

void ColumnKernel::fetchAhead(const Row &row, Span at) {
  for (unsigned i = 0; i < kernel.firstOutput(); ++i) {
    const KernelTensor &tensor = kernel.tensors[i];
    if (!is_contained(tensor.dims, 1) || !is_contained(tensor.dims, 2))
      continue;
    Value *distance = b.CreateMul(ahead, frame.stride(i, 1));
    prefetch(b, row.pointers[i], b.CreateAdd(at.column, distance), tensor.element, wide, 0);
  }
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

void ColumnKernel::rows(unsigned sweep, ArrayRef<Value *> r0, Value *r1, unsigned howMany, Value *count) {
  SmallVector<Reduction *> own;
  for (Reduction &reduction : reductions)
    if (sweepOf(reduction.result(0)) == sweep + 1)
      own.push_back(&reduction);
  SmallVector<Row> taken;
  for (unsigned row = 0; row < howMany; ++row)
    taken.push_back(rowAt(r0, b.CreateAdd(r1, b.index(row))));
  columns(count, [&](Span at) {
    SmallVector<SmallVector<Lane>> carried;
    for (Reduction *reduction : own) {
      SmallVector<Lane> &lanes = carried.emplace_back();
      for (unsigned k = 0; k < reduction->results(); ++k) {
        const Kept &partial = kept.find(reduction->result(k))->second;
        lanes.push_back({load(b, partial.buffer, at.slot, partial.element, wide), false});
      }
    }
    for (const Row &row : taken) {
      if (ahead && howMany > 1 && !at.part)
        fetchAhead(row, at);
      auto find = [&](mlir::Value value) { return leaf(value, row, at); };
      Evaluator evaluator(b, frame, wide, find);
      evaluator.position = positions(row.r1, at);
      SmallVector<std::pair<unsigned, Value *>> results;
      for (auto [j, value] : enumerate(kernel.stored))
        if (!isKept(value) && sweepOf(value) == sweep)
          results.emplace_back(kernel.firstOutput() + j, evaluator.element(value).value);
      for (auto [reduction, lanes] : zip_equal(own, carried)) {
        SmallVector<Lane> next = evaluator.step(reduction->op, lanes);
        for (auto [k, lane] : enumerate(next))
          lanes[k] = {lane.rounds ? roundTo(b, lane.value, *Element::of(reduction->type(k), b.getContext()))
                                  : lane.value,
                      false};
      }
      for (auto [output, result] : results)
        storeResult(output, result, row, at);
    }
    for (auto [reduction, lanes] : zip_equal(own, carried))
      for (auto [k, lane] : enumerate(lanes)) {
        const Kept &partial = kept.find(reduction->result(k))->second;
        store(b, lane.value, partial.buffer, at.slot, partial.element);
      }
  });
}

Value *ColumnKernel::startOf(const Reduction &reduction, unsigned k) {
  auto fill = reduction.start(k).getDefiningOp<mlir::linalg::FillOp>();
  return fill ? b.CreateVectorSplat(wide, frame.scalar(fill.getInputs().front())) : reduction.neutral(b, k, wide);
}

// Adds the partial sums of a strip to their totals, and starts again from zero.
void ColumnKernel::addToTotals(const Sums &sums, Value *count) {
  b.loop(b.index(0), count, b.index(wide), [&](Value *i) {
    for (auto [reduction, k] : sums) {
      const auto &[element, buffer] = kept.find(reduction->result(k))->second;
      auto [total, lost] = totals.lookup(reduction->result(k));
      auto [sum, error] = twoSum(b, load(b, total, i, element, wide), load(b, buffer, i, element, wide));
      store(b, sum, total, i, element);
      store(b, b.CreateFAdd(load(b, lost, i, element, wide), error), lost, i, element);
      store(b, Constant::getNullValue(sum->getType()), buffer, i, element);
    }
  });
}

// Adds the partial sums of the last rows, or of all if there were no totals before.
void ColumnKernel::finishSums(const Sums &sums, Value *count, bool hasTotals) {
  b.loop(b.index(0), count, b.index(wide), [&](Value *i) {
    for (auto [reduction, k] : sums) {
      const auto &[element, buffer] = kept.find(reduction->result(k))->second;
      auto [total, lost] = totals.lookup(reduction->result(k));
      Value *before = hasTotals ? load(b, total, i, element, wide) : startOf(*reduction, k);
      auto [sum, error] = twoSum(b, before, load(b, buffer, i, element, wide));
      Value *errors = hasTotals ? load(b, lost, i, element, wide) : Constant::getNullValue(sum->getType());
      store(b, withErrors(b, sum, b.CreateFAdd(errors, error)), buffer, i, element);
    }
  });
}

/// Fills the partial results of a sweep. Returns those that are summed in parts.
ColumnKernel::Sums ColumnKernel::startSweep(unsigned number, Value *count) {
  Sums sums;
  b.loop(b.index(0), count, b.index(wide), [&](Value *i) {
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
  Value *r1Count = frame.loopSize(1), *step = b.index(kRowsAtOnce), *zero = b.index(0);
  ahead = kernel.kind == FusedKernel::Kind::ReduceColumns ? rowsAhead(count) : nullptr;
  auto range = [&](ArrayRef<Value *> r0, Value *begin, Value *end) {
    Value *whole = b.CreateAdd(begin, b.CreateAnd(b.CreateSub(end, begin), b.index(-int64_t(kRowsAtOnce))));
    b.loop(begin, whole, step, [&](Value *r1) { rows(number, r0, r1, kRowsAtOnce, count); });
    b.loop(whole, end, b.index(1), [&](Value *r1) { rows(number, r0, r1, 1, count); });
  };
  if (sums.empty()) {
    b.loop(zero, frame.loopSize(0), b.index(1), [&](Value *r0) { range(frame.tripsOfRuns(r0), zero, r1Count); });
    return;
  }
  Value *hasTotals = b.CreateICmpSGE(b.CreateMul(frame.loopSize(0), r1Count), b.index(kPartRows));
  b.ifThen(hasTotals, [&] {
    b.loop(zero, count, b.index(wide), [&](Value *i) {
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
  auto finished = [&](bool hasTotals) {
    finishSums(sums, count, hasTotals);
    return Values();
  };
  b.ifElse(hasTotals, [&] { return finished(true); }, [&] { return finished(false); });
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
  columns(count, [&](Span at) {
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
  columns(count, [&](Span at) {
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
