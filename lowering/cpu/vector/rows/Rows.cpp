#include "lowering/cpu/vector/rows/Rows.h"

#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/rows/Moments.h"
#include "lowering/cpu/vector/rows/Positions.h"
#include "lowering/cpu/vector/rows/Softmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace llvm;

namespace opc::cpu {

// The input and output of several rows up to this size fit the cache of one core.
static constexpr int64_t kPrefetchRowBytes = 1 << 16;
// The length in bytes from which on rows that are only reduced are prefetched. Rows of a tensor of more bytes than the
// second, which leaves the cache of a core, are prefetched from one iteration on.
static constexpr int64_t kLeastReadAhead = 1024, kMostOfCore = 1 << 20;

// The buffers for rows that all items share have this many elements together: 32 KB of stack with AVX2. Registers of
// 512 bits halve the conversions: two rows of 4096 took 1.03 of the time without buffers, which fill the first-level
// cache with the row and its results.
static constexpr int64_t kWidened = 8192, kWidenedOf512 = 6144;
// Fewer items save less than the conversion of the shared rows takes.
static constexpr int64_t kLeastItems = 4;

mlir::Value withoutWidening(mlir::Value value) {
  while (auto cast = value.getDefiningOp<mlir::arith::ExtFOp>())
    value = cast.getIn();
  return value;
}

RowSweeps::RowSweeps(CodeBuilder &b, FusedKernel &kernel, Frame &frame) : b(b), kernel(kernel), frame(frame) {
  hasOuter = kernel.kind == FusedKernel::Kind::ReduceRows || kernel.kind == FusedKernel::Kind::SplitRows;
  itemLoop = kernel.itemLoop();
  innerLoop = itemLoop + 1;
  lanes = b.level.vectorBits / std::max(kernel.cost.widestBits, 16u);
  wide = lanes * (kernel.cost.usesFunctions ? b.level.functionVectors() : 4);
}

bool RowSweeps::isElement(mlir::Value value) const {
  auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  if (auto read = kernel.tensorOf(value)) {
    const std::vector<int> &dims = kernel.tensors[*read].dims;
    return is_contained(dims, int(innerLoop)) || (hasOuter && is_contained(dims, 0));
  }
  // Computed from a row alone, or from one element of each row; both have rank 1.
  auto generic = value.getDefiningOp<mlir::linalg::GenericOp>();
  if (generic && type.getRank() < int64_t(kernel.loops) && !isReduced(generic))
    return countsAlong(generic, innerLoop) ||
           any_of(generic.getInputs(), [&](mlir::Value input) { return isElement(input); });
  return type.getRank() == int64_t(kernel.loops) &&
         (type.isDynamicDim(innerLoop) || (hasOuter && type.isDynamicDim(0)));
}

unsigned RowSweeps::sweepOf(mlir::Value value) {
  if (auto found = sweepNumbers.find(value); found != sweepNumbers.end())
    return found->second;
  if (kernel.tensorOf(value))
    return 0;
  unsigned number = 0;
  if (auto op = value.getDefiningOp<mlir::linalg::GenericOp>()) {
    for (mlir::Value input : op.getInputs())
      number = std::max(number, sweepOf(input));
    number += isReduced(op);
  }
  return sweepNumbers[value] = number;
}

bool RowKernel::plan() {
  for (mlir::linalg::GenericOp op : kernel.generics) {
    counts |= countsAlong(op, {0, 1, 2});
    if (!isReduced(op))
      continue;
    std::optional<Reduction> reduction = Reduction::of(op);
    if (!reduction)
      return false;
    locates |= any_of(op.getBody()->getOps<mlir::linalg::IndexOp>(), [](auto index) { return !countedLoop(index); });
    bool whole = op.getNumReductionLoops() == (hasOuter ? 2u : 1u);
    for (mlir::Value result : op.getResults())
      whole &= !isElement(result);
    if (!whole) {
      op.emitOpError("[cpu_c8] expects reductions over the whole of a row");
      return false;
    }
    reductions.push_back(*reduction);
    sweeps = std::max(sweeps, sweepOf(op.getResult(0)));
  }
  for (mlir::Value value : kernel.stored)
    if (isElement(value))
      sweeps = std::max(sweeps, sweepOf(value) + 1);
  return true;
}

//===----------------------------------------------------------------------===//
// Rows that all items share
//===----------------------------------------------------------------------===//

/// float32 in memory.
static Element floats(CodeBuilder &b) {
  Element element;
  element.memory = element.computed = b.getFloatTy();
  element.bytes = sizeof(float);
  return element;
}

void RowSweeps::widenSharedRows() {
  // In batch loops the rows may differ.
  if (kernel.kind != FusedKernel::Kind::Rows || frame.batch[0])
    return;
  SmallVector<unsigned> shared;
  for (unsigned i = 0; i < kernel.firstOutput(); ++i) {
    const KernelTensor &tensor = kernel.tensors[i];
    const bool isHalf = tensor.element.kind == Element::Half || tensor.element.kind == Element::BFloat;
    if (isHalf && kernel.isAlong(i, int(innerLoop)) && !kernel.isAlong(i, int(itemLoop)))
      shared.push_back(i);
  }
  if (shared.empty())
    return;
  const int64_t room = (b.level.vectorBits > 256 ? kWidenedOf512 : kWidened) / int64_t(shared.size());
  for (unsigned i : shared)
    widened[i] = b.buffer(b.getFloatTy(), uint64_t(room));
  Value *n = frame.loopSize(innerLoop), *items = b.CreateSub(frame.end, frame.begin);
  isWidened = b.CreateAnd(b.CreateICmpSGE(items, b.index(kLeastItems)), b.CreateICmpSLE(n, b.index(room)));
  b.ifThen(isWidened, [&] {
    for (unsigned i : shared)
      span(b.index(0), n, {}, [&](Value *at, Value *count, ArrayRef<Value *>) -> Values {
        storeTurn(loadTurn(frame.tensor(i), at, count, kernel.tensors[i].element), widened[i], at, count, floats(b));
        return {};
      });
  });
}

bool RowSweeps::readsWidened(unsigned number) {
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  std::function<bool(mlir::Value)> reads = [&](mlir::Value value) {
    if (std::optional<unsigned> tensor = kernel.tensorOf(value))
      return widened.contains(*tensor);
    auto op = value.getDefiningOp<mlir::linalg::GenericOp>();
    return op && !isReduced(op) && seen.insert(op).second && any_of(op.getInputs(), reads);
  };
  return any_of(kernel.stored,
                [&](mlir::Value value) { return isElement(value) && sweepOf(value) == number && reads(value); }) ||
         any_of(reductions, [&](const Reduction &reduction) {
           mlir::linalg::GenericOp op = reduction.op;
           return sweepOf(reduction.result(0)) == number + 1 && any_of(op.getInputs(), reads);
         });
}

//===----------------------------------------------------------------------===//
// Elements and scalars
//===----------------------------------------------------------------------===//

Value *RowSweeps::tensorAt(unsigned i, ArrayRef<Value *> r0) {
  if (r0.empty() || !is_contained(kernel.tensors[i].dims, 0))
    return pointers[i];
  return b.at(pointers[i], kernel.tensors[i].element.memory, frame.outerOffset(i, r0));
}

Lane RowSweeps::leaf(mlir::Value value, ArrayRef<Value *> r0, Value *i, Value *count) {
  if (!isElement(value)) {
    auto found = scalars.find(value);
    return found == scalars.end() ? Lane() : Lane{b.CreateVectorSplat(wide, found->second), false};
  }
  std::optional<unsigned> tensor = kernel.tensorOf(value);
  if (!tensor)
    return {};
  const Element &element = kernel.tensors[*tensor].element;
  Value *first = tensorAt(*tensor, r0);
  // One element for each iteration of R0.
  if (!is_contained(kernel.tensors[*tensor].dims, int(innerLoop)))
    return {b.CreateVectorSplat(wide, load(b, first, b.index(0), element, 0)), false};
  if (fromWidened)
    if (Value *buffer = widened.lookup(*tensor))
      return {loadTurn(buffer, i, count, floats(b)), false};
  return {loadTurn(first, i, count, element), false};
}

std::function<Value *(std::optional<unsigned>)> RowSweeps::positions(Value *i, unsigned lanes) {
  return [this, i, lanes](std::optional<unsigned> loop) {
    return loop && *loop != innerLoop ? b.numbers(number, lanes) : b.numbersFrom(i, lanes);
  };
}

// A scalar of the item, computed from other scalars.
Value *RowSweeps::scalarOf(mlir::Value value) {
  auto known = [&](mlir::Value value) -> Lane {
    if (auto found = scalars.find(value); found != scalars.end())
      return {found->second, false};
    if (std::optional<unsigned> tensor = kernel.tensorOf(value))
      return {load(b, pointers[*tensor], b.index(0), kernel.tensors[*tensor].element, 0), false};
    return {};
  };
  Evaluator evaluator(b, frame, 0, known);
  evaluator.position = positions(nullptr, 0);
  Lane lane = evaluator.element(value);
  mlir::Type type = mlir::cast<mlir::RankedTensorType>(value.getType()).getElementType();
  return lane.rounds ? roundTo(b, lane.value, *Element::of(type, b.getContext())) : lane.value;
}

// Computes every scalar that is known before sweep `number`.
void RowSweeps::computeScalars(unsigned number) {
  for (mlir::Operation &op : kernel.function.front())
    for (mlir::Value value : op.getResults()) {
      if (!mlir::isa<mlir::RankedTensorType>(value.getType()) || isElement(value) || scalars.contains(value) ||
          sweepOf(value) > number || !(kernel.tensorOf(value) || mlir::isa<mlir::linalg::GenericOp>(op)))
        continue;
      if (auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(op); generic && isReduced(generic))
        continue;
      scalars[value] = scalarOf(value);
    }
}

//===----------------------------------------------------------------------===//
// Sweeps
//===----------------------------------------------------------------------===//

Values RowSweeps::turn(unsigned number, ArrayRef<Value *> r0, Value *i, Value *count, ArrayRef<Value *> accumulators) {
  auto find = [&](mlir::Value value) { return leaf(value, r0, i, count); };
  Evaluator evaluator(b, frame, wide, find);
  evaluator.position = positions(i, wide);
  // Evaluate all outputs before storing any of them. Some outputs have no other use.
  SmallVector<std::pair<unsigned, Value *>> results;
  for (auto [j, value] : enumerate(kernel.stored))
    if (isElement(value) && sweepOf(value) == number)
      results.emplace_back(kernel.firstOutput() + j, evaluator.element(value).value);
  Values next;
  for (const Reduction &reduction : reductions) {
    if (sweepOf(reduction.result(0)) != number + 1)
      continue;
    SmallVector<Lane> lanes;
    for (unsigned k = 0; k < reduction.results(); ++k)
      lanes.push_back({accumulators[next.size() + k], false});
    SmallVector<Lane> stepped = evaluator.step(reduction.op, lanes);
    for (auto [k, lane] : enumerate(stepped)) {
      Value *value = lane.rounds ? roundTo(b, lane.value, *Element::of(reduction.type(k), b.getContext())) : lane.value;
      if (count)
        value = b.CreateSelect(newLanes(count), value, lanes[k].value);
      next.push_back(value);
    }
  }
  for (auto [output, value] : results) {
    const Element &element = kernel.tensors[output].element;
    storeTurn(value, tensorAt(output, r0), i, count, element);
  }
  return next;
}

Values RowSweeps::span(Value *begin, Value *end, ArrayRef<Value *> initial, SpanBody body) {
  Value *length = b.CreateSub(end, begin), *rest = b.CreateAnd(length, b.index(wide - 1));
  Value *whole = b.CreateSub(end, rest);
  Values after = b.loop(begin, whole, b.index(wide), initial,
                        [&](Value *i, ArrayRef<Value *> carried) { return body(i, nullptr, carried); });
  auto moved = [&] {
    movedBack = true;
    Values result = body(b.CreateSub(end, b.index(wide)), rest, after);
    movedBack = false;
    return result;
  };
  auto part = [&] { return body(whole, rest, after); };
  return b.ifElse(
      b.CreateICmpSGT(rest, b.index(0)), [&] { return b.ifElse(b.CreateICmpSGE(length, b.index(wide)), moved, part); },
      [&] { return after; });
}

Value *RowSweeps::newLanes(Value *count) {
  if (!movedBack)
    return b.lanesBefore(wide, count);
  return b.CreateNot(b.lanesBefore(wide, b.CreateSub(b.index(wide), count)));
}

Value *RowSweeps::loadTurn(Value *pointer, Value *i, Value *count, const Element &element) {
  if (count && !movedBack)
    return loadPart(b, pointer, i, count, element, wide);
  return load(b, pointer, i, element, wide);
}

void RowSweeps::storeTurn(Value *value, Value *pointer, Value *i, Value *count, const Element &element) {
  if (count && !movedBack)
    storePart(b, value, pointer, i, count, element);
  else
    store(b, value, pointer, i, element);
}

std::optional<unsigned> RowSweeps::mainInput() const {
  for (unsigned i = 0; i < kernel.firstOutput(); ++i)
    if (kernel.isAlong(i, int(itemLoop)) && kernel.isAlong(i, int(innerLoop)))
      return i;
  return std::nullopt;
}

std::optional<unsigned> RowSweeps::mainOutput() const {
  for (auto [j, value] : enumerate(kernel.stored))
    if (isElement(value) && !hasOuter)
      return kernel.firstOutput() + j;
  return std::nullopt;
}

/// Elements of a row that are summed separately before they are added to the sum of the row.
static constexpr int64_t kPartElements = 16384;

// There may be hundreds of parts with nearly equal sums, whose rounding errors all have the same sign. So the errors
// are accumulated as well (compensated summation). A row with a single part has no extra cost.
Values RowSweeps::sumParts(const Owners &owners, Values neutral, function_ref<Values(Value *begin)> sumOfPart) {
  Value *n = frame.loopSize(innerLoop), *part = b.index(kPartElements);
  unsigned count = owners.size();
  Values nothing, initial = neutral;
  for (Value *value : neutral)
    nothing.push_back(Constant::getNullValue(value->getType()));
  append_range(initial, nothing);
  Values after = b.loop(b.index(0), n, part, initial, [&](Value *begin, ArrayRef<Value *> carried) -> Values {
    Values own = sumOfPart(begin);
    return b.ifElse(
        b.CreateICmpSGT(begin, b.index(0)),
        [&] {
          Values sums, lost;
          for (auto [i, owner] : enumerate(owners)) {
            bool careful = owner.first->losesDigits(owner.second);
            auto [sum, less] = careful
                                   ? twoSum(b, carried[i], own[i])
                                   : std::pair(owner.first->combine(b, owner.second, carried[i], own[i]), nothing[i]);
            sums.push_back(sum);
            lost.push_back(careful ? b.CreateFAdd(carried[count + i], less) : less);
          }
          append_range(sums, lost);
          return sums;
        },
        [&] {
          append_range(own, nothing);
          return own;
        });
  });
  ArrayRef<Value *> sums = ArrayRef(after).take_front(count);
  return b.ifElse(
      b.CreateICmpSGT(n, part),
      [&] {
        Values whole;
        for (auto [i, owner] : enumerate(owners)) {
          bool careful = owner.first->losesDigits(owner.second);
          whole.push_back(careful ? withErrors(b, sums[i], after[count + i]) : sums[i]);
        }
        return whole;
      },
      [&] { return Values(sums); });
}

Values RowSweeps::along(unsigned number, ArrayRef<Value *> r0, Values accumulators, const Owners &owners,
                        SpanBody turn) {
  Value *n = frame.loopSize(innerLoop);
  // While a sweep computes, the memory for later sweeps is prefetched: in the sweep before the last, the lines for
  // the results of the row; in the last sweep, the next row.
  std::optional<unsigned> read = mainInput(), written = mainOutput();
  // For rows that are too long, prefetch the current line instead: this takes no branch, and evicts nothing from the
  // cache.
  auto where = [&](unsigned tensor, Value *offset, Value *otherwise) {
    Value *bytes = b.CreateMul(n, b.index(kernel.tensors[tensor].element.bytes));
    return b.CreateSelect(b.CreateICmpSLE(bytes, b.index(kPrefetchRowBytes)), offset, otherwise);
  };
  Value *next = nullptr;
  if (read && sweeps > 1 && number + 1 == sweeps && !hasOuter)
    next = where(*read, n, b.index(0));
  // Rows that are only reduced follow each other. Short ones have a loop of their own, which takes no prefetch.
  Value *isLong = nullptr;
  if (read && sweeps == 1 && !owners.empty() && !kernel.cost.usesFunctions) {
    unsigned bytes = kernel.tensors[*read].element.bytes;
    Value *least = b.index(kLeastReadAhead / bytes);
    // Rows of 32 bits with AVX2 are as fast without.
    if (bytes < 4 || b.level.vectorBits > 256) {
      Value *isLarge = b.CreateICmpUGT(frame.elementsOf(*read), b.index(kMostOfCore / bytes));
      if (hasOuter)
        isLarge = b.CreateAnd(isLarge, b.CreateICmpEQ(frame.loopSize(0), b.index(1)));
      least = b.CreateSelect(isLarge, b.index(wide), least);
    }
    isLong = b.CreateICmpSGE(n, least);
    next = b.index(kReadAhead / bytes);
  }
  Value *claims = nullptr;
  if (written && sweeps > 1 && number + 2 == sweeps)
    claims = where(*written, b.index(-1), b.index(0));
  auto body = [&](Value *i, Value *count, ArrayRef<Value *> carried) {
    if (next)
      prefetch(b, tensorAt(*read, r0), b.CreateAdd(i, next), kernel.tensors[*read].element, wide, 0);
    if (claims)
      prefetch(b, pointers[*written], b.CreateAnd(i, claims), kernel.tensors[*written].element, wide, 0,
               /*write=*/true);
    return turn(i, count, carried);
  };
  if (owners.empty())
    return span(b.index(0), n, accumulators, body);
  Value *part = b.index(kPartElements);
  auto vectorsOfPart = [&](Value *begin) {
    Value *rest = b.CreateSub(n, begin);
    Value *length = b.CreateSelect(b.CreateICmpSLT(rest, part), rest, part);
    Values neutral;
    for (auto [reduction, k] : owners)
      neutral.push_back(reduction->neutral(b, k, wide));
    auto sweepPart = [&] { return span(begin, b.CreateAdd(begin, length), neutral, body); };
    if (!isLong)
      return sweepPart();
    Value *ahead = next;
    return b.ifElse(isLong, sweepPart, [&] {
      next = nullptr;
      Values sums = sweepPart();
      next = ahead;
      return sums;
    });
  };
  if (!hasOuter)
    return sumParts(owners, accumulators, [&](Value *begin) {
      Values sums = vectorsOfPart(begin);
      for (auto [i, owner] : enumerate(owners))
        sums[i] = owner.first->acrossLanes(b, owner.second, sums[i]);
      return sums;
    });
  return b.loop(b.index(0), n, part, accumulators, [&](Value *begin, ArrayRef<Value *> carried) {
    Values sums = vectorsOfPart(begin);
    for (auto [i, owner] : enumerate(owners))
      sums[i] = owner.first->combine(b, owner.second, carried[i], sums[i]);
    return sums;
  });
}

void RowSweeps::sweep(unsigned number) {
  Values accumulators;
  Owners owners;
  for (const Reduction &reduction : reductions)
    if (sweepOf(reduction.result(0)) == number + 1)
      for (unsigned k = 0; k < reduction.results(); ++k) {
        owners.emplace_back(&reduction, k);
        accumulators.push_back(reduction.neutral(b, k, hasOuter ? wide : 0));
      }
  auto swept = [&](Value *outer, ArrayRef<Value *> carried) {
    const Values r0 = outer ? frame.tripsOfRuns(outer) : Values();
    return along(number, r0, Values(carried), owners,
                 [&](Value *i, Value *count, auto before) { return turn(number, r0, i, count, before); });
  };
  Values results;
  if (hasOuter)
    results = b.loop(b.index(0), frame.loopSize(0), b.index(1), accumulators, swept);
  else if (isWidened && readsWidened(number))
    results = b.ifElse(
        isWidened,
        [&] {
          fromWidened = true;
          Values found = swept(nullptr, accumulators);
          fromWidened = false;
          return found;
        },
        [&] { return swept(nullptr, accumulators); });
  else
    results = swept(nullptr, accumulators);
  for (auto [owner, result] : zip_equal(owners, results)) {
    auto [reduction, k] = owner;
    Value *value = hasOuter ? reduction->acrossLanes(b, k, result) : result;
    Value *start = scalarOf(reduction->start(k));
    scalars[reduction->result(k)] = reduction->combine(b, k, start, value);
  }
}

void RowKernel::storeScalars() {
  for (auto [j, value] : enumerate(kernel.stored)) {
    if (isElement(value))
      continue;
    unsigned output = kernel.firstOutput() + j;
    auto found = scalars.find(value);
    Value *scalar = found == scalars.end() ? scalarOf(value) : found->second;
    store(b, scalar, pointers[output], b.index(0), kernel.tensors[output].element);
  }
}

void RowKernel::item() {
  computeScalars(0);
  SoftmaxForm softmax(*this);
  MomentsForm moments(*this);
  PositionsForm positions(*this);
  // Bodies with positions along loops keep the passes of the body.
  if (!counts && softmax.applies()) {
    softmax.emit();
  } else {
    unsigned next = 0;
    if (!counts && moments.applies()) {
      moments.emit();
      next = 2;
    } else if (!counts && positions.applies()) {
      positions.emit();
      next = 2;
    }
    for (; next < sweeps; ++next) {
      sweep(next);
      computeScalars(next + 1);
    }
  }
  storeScalars();
}

void RowKernel::emit() {
  widenSharedRows();
  b.loop(frame.begin, frame.end, b.index(1), [&](Value *row) {
    Frame::Place place = frame.placeOf(row, frame.loopSize(itemLoop));
    SmallVector<Value *> firstOf;
    for (unsigned i = 0; i < kernel.tensors.size(); ++i)
      firstOf.push_back(frame.elementAt(i, place, itemLoop));
    emitAt(place.item, firstOf);
  });
}

void RowKernel::emitAt(Value *of, ArrayRef<Value *> firstOf) {
  scalars.clear();
  number = of;
  pointers.assign(firstOf.begin(), firstOf.end());
  item();
}

bool emitRows(CodeBuilder &b, FusedKernel &kernel, Frame &frame) {
  RowKernel rows(b, kernel, frame);
  if (!rows.plan())
    return false;
  rows.emit();
  return true;
}

} // namespace opc::cpu
