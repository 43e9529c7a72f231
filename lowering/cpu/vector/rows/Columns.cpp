// Reductions along columns: y[k] = combination of x[r0, r1, k] over r0 and r1.
//
// Neighbouring columns are adjacent in memory. So a strip of columns has a buffer of partial results in the L1 cache,
// to which rows are added one after the other, four at a time: memory is read sequentially. Each column is combined
// in the order of its rows, whatever the blocks are.

#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/rows/Reduction.h"

using namespace llvm;

namespace opc::cpu {

namespace {

// Columns in a strip: 8 KB of 32-bit partial results.
constexpr unsigned kStrip = 2048;
constexpr unsigned kRowsAtOnce = 4;

class ColumnKernel {
public:
  ColumnKernel(CodeBuilder &b, FusedKernel &kernel, Frame &frame) : b(b), kernel(kernel), frame(frame) {
    wide = 2 * b.level.vectorBits / std::max(kernel.cost.widestBits, 16u);
  }

  bool plan();
  void emit();

private:
  void strip(Value *count);
  void rows(Value *r0, Value *r1, unsigned howMany, Value *count);
  void columns(Value *count, function_ref<void(Value *i, Value *part)> body);
  Lane elementOf(mlir::Value value, Value *r0, Value *r1, Value *i, Value *part);
  void finish(Value *count);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  unsigned wide;
  std::optional<Reduction> reduction;
  SmallVector<Element> elements; ///< of the partial results
  SmallVector<Value *> partials;
  SmallVector<Value *> pointers; ///< addresses of the tensors at the first column of the strip
};

} // namespace

static bool isKept(const FusedKernel &kernel, mlir::Value value) {
  auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  return type.getRank() < int64_t(kernel.loops) || !type.isDynamicDim(0);
}

bool ColumnKernel::plan() {
  for (mlir::linalg::GenericOp op : kernel.generics) {
    if (!op.getNumReductionLoops())
      continue;
    if (reduction || op.getNumReductionLoops() != 2) {
      op.emitOpError("[cpu_c8] expects one reduction, over both loops of rows");
      return false;
    }
    reduction = Reduction::of(op);
    if (!reduction)
      return false;
  }
  for (mlir::Value value : kernel.stored)
    if (!reduction || !isKept(kernel, value)) {
      kernel.function.emitOpError("[cpu_c8] expects outputs that are kept by a reduction");
      return false;
    }
  for (unsigned k = 0; k < reduction->results(); ++k) {
    elements.push_back(*Element::of(reduction->type(k), b.getContext()));
    // Partial results are kept in the computation type.
    elements.back().kind = Element::Plain;
    elements.back().memory = elements.back().computed;
    elements.back().bytes = elements.back().computed->getScalarSizeInBits() / 8;
    partials.push_back(b.buffer(elements.back().memory, kStrip));
  }
  return true;
}

// Processes full vectors, then a partial one.
void ColumnKernel::columns(Value *count, function_ref<void(Value *i, Value *part)> body) {
  Value *rest = b.CreateAnd(count, b.index(wide - 1)), *whole = b.CreateSub(count, rest);
  b.loop(b.index(0), whole, b.index(wide), [&](Value *i) { body(i, nullptr); });
  b.ifThen(b.CreateICmpSGT(rest, b.index(0)), [&] { body(whole, rest); });
}

// The elements of an input at one row, from column `i` on.
Lane ColumnKernel::elementOf(mlir::Value value, Value *r0, Value *r1, Value *i, Value *part) {
  std::optional<unsigned> tensor = kernel.tensorOf(value);
  if (!tensor)
    return {};
  const KernelTensor &argument = kernel.tensors[*tensor];
  Value *offset = i;
  if (is_contained(argument.dims, 1))
    offset = b.CreateAdd(offset, b.CreateMul(r1, frame.stride(*tensor, 1)));
  if (is_contained(argument.dims, 0))
    offset = b.CreateAdd(offset, b.CreateMul(r0, frame.outerStride(*tensor)));
  if (!is_contained(argument.dims, 2)) {
    Value *scalar = load(b, pointers[*tensor], b.CreateSub(offset, i), argument.element, 0);
    return {b.CreateVectorSplat(wide, scalar), false};
  }
  if (part)
    return {loadPart(b, pointers[*tensor], offset, part, argument.element, wide), false};
  return {load(b, pointers[*tensor], offset, argument.element, wide), false};
}

void ColumnKernel::rows(Value *r0, Value *r1, unsigned howMany, Value *count) {
  columns(count, [&](Value *i, Value *part) {
    SmallVector<Lane> carried;
    for (auto [element, partial] : zip_equal(elements, partials))
      carried.push_back({load(b, partial, i, element, wide), false});
    for (unsigned row = 0; row < howMany; ++row) {
      Value *at = b.CreateAdd(r1, b.index(row));
      auto leaf = [&](mlir::Value value) { return elementOf(value, r0, at, i, part); };
      Evaluator evaluator(b, frame, wide, leaf);
      SmallVector<Lane> next = evaluator.step(reduction->op, carried);
      for (auto [k, lane] : enumerate(next))
        carried[k] = {
            lane.rounds ? roundTo(b, lane.value, *Element::of(reduction->type(k), b.getContext())) : lane.value, false};
    }
    for (auto [element, partial, lane] : zip_equal(elements, partials, carried))
      store(b, lane.value, partial, i, element);
  });
}

// Computes the outputs of a strip from its partial results.
void ColumnKernel::finish(Value *count) {
  columns(count, [&](Value *i, Value *part) {
    auto leaf = [&](mlir::Value value) -> Lane {
      for (unsigned k = 0; k < reduction->results(); ++k)
        if (value == reduction->result(k))
          return {load(b, partials[k], i, elements[k], wide), false};
      return elementOf(value, b.index(0), b.index(0), i, part);
    };
    Evaluator evaluator(b, frame, wide, leaf);
    for (auto [j, value] : enumerate(kernel.stored)) {
      unsigned output = kernel.firstOutput() + j;
      Value *result = evaluator.element(value).value;
      if (part)
        storePart(b, result, pointers[output], i, part, kernel.tensors[output].element);
      else
        store(b, result, pointers[output], i, kernel.tensors[output].element);
    }
  });
}

void ColumnKernel::strip(Value *count) {
  b.loop(b.index(0), count, b.index(wide), [&](Value *i) {
    for (unsigned k = 0; k < reduction->results(); ++k) {
      auto fill = reduction->start(k).getDefiningOp<mlir::linalg::FillOp>();
      Value *start =
          fill ? b.CreateVectorSplat(wide, frame.scalar(fill.getInputs().front())) : reduction->neutral(b, k, wide);
      store(b, start, partials[k], i, elements[k]);
    }
  });
  Value *r1Count = frame.loopSize(1), *step = b.index(kRowsAtOnce);
  Value *fours = b.CreateAnd(r1Count, b.index(-int64_t(kRowsAtOnce)));
  b.loop(b.index(0), frame.loopSize(0), b.index(1), [&](Value *r0) {
    b.loop(b.index(0), fours, step, [&](Value *r1) { rows(r0, r1, kRowsAtOnce, count); });
    b.loop(fours, r1Count, b.index(1), [&](Value *r1) { rows(r0, r1, 1, count); });
  });
  finish(count);
}

// The items are the columns of all batches, in order.
void ColumnKernel::emit() {
  Value *k = frame.loopSize(2);
  b.ifThen(b.CreateICmpSLT(frame.begin, frame.end), [&] {
    Value *firstBatch = b.CreateUDiv(frame.begin, k);
    Value *lastBatch = b.CreateUDiv(b.CreateSub(frame.end, b.index(1)), k);
    b.loop(firstBatch, b.CreateAdd(lastBatch, b.index(1)), b.index(1), [&](Value *batch) {
      Value *start = b.CreateMul(batch, k);
      Value *from = b.max(b.CreateSub(frame.begin, start), b.index(0));
      Value *to = b.min(b.CreateSub(frame.end, start), k);
      b.loop(from, to, b.index(kStrip), [&](Value *column) {
        Frame::Place place = frame.placeOf(b.CreateAdd(start, column), k);
        if (!frame.batch[0])
          place.item = column;
        pointers.clear();
        for (unsigned i = 0; i < kernel.tensors.size(); ++i)
          pointers.push_back(frame.elementAt(i, place, 2));
        strip(b.min(b.CreateSub(to, column), b.index(kStrip)));
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
