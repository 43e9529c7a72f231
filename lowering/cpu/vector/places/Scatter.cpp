// Kernels with te.scatter: an input is copied to the output, and the output's rows or elements at the given indices are
// computed from their old values and from updates.
//
//   data [V, N], indices [I], updates [I, N]    row indices[i] of the output is combined with row i, by vectors
//   data [A, V], indices [A, I], updates [A, I]    element by element
//
// One block does all the work in the order of the updates, since two of them may have one index. For the same reason no
// element is computed twice, as inner kernels otherwise do at the ends of rows, and a row is read after the one before
// was written. An index is clamped to its range before it becomes an address.

#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/VectorKernels.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opc::cpu {

// The distance of the prefetched element.
constexpr int64_t kAhead = 16;

namespace {

class ScatterKernel {
public:
  ScatterKernel(CodeBuilder &b, FusedKernel &kernel, Frame &frame)
      : b(b), kernel(kernel), frame(frame), output(unsigned(kernel.tensors.size()) - 1), before(*kernel.begunAs),
        lanes(b.level.vectorBits / kernel.cost.widestBits) {}

  void emit();

private:
  void copy();
  Value *placeIn(unsigned tensor, Value *indices, Value *column);
  Value *pointerOf(unsigned tensor, ArrayRef<Value *> rows, Value *column);
  void compute(ArrayRef<Value *> rows, Value *column, unsigned width);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  const unsigned output, before; ///< tensors: the written one, and the one that initialises it
  const unsigned lanes;
};

} // namespace

void ScatterKernel::copy() {
  Type *byte = b.getInt8Ty();
  const Element element{Element::Plain, byte, byte, 1};
  const unsigned wide = 4 * b.level.vectorBits / 8;
  Value *from = frame.tensor(before), *to = frame.tensor(output);
  Value *bytes = b.CreateMul(frame.elementsOf(output), b.index(kernel.tensors[output].element.bytes));
  Value *whole = b.CreateMul(b.CreateUDiv(bytes, b.index(wide)), b.index(wide));
  b.loop(b.index(0), whole, b.index(wide),
         [&](Value *i) { store(b, load(b, from, i, element, wide), to, i, element); });
  copyElements(b, b.at(from, byte, whole), b.at(to, byte, whole), b.CreateSub(bytes, whole), element);
}

/// The offset in a tensor of the index in an element of a row of indices.
Value *ScatterKernel::placeIn(unsigned tensor, Value *indices, Value *column) {
  const KernelTensor &own = kernel.tensors[tensor];
  const Element &element = kernel.tensors[*own.indices].element;
  Value *index = load(b, indices, column, element, 0), *count = frame.places(tensor);
  index = b.CreateSExt(index, b.getInt64Ty());
  if (own.fromEnd)
    index = b.CreateAdd(index, b.CreateAnd(b.CreateAShr(index, 63), count));
  // Empty dimensions were refused with the launch's sizes (Frame::reachOf).
  index = b.max(b.min(index, b.CreateSub(count, b.index(1))), b.index(0));
  return b.CreateMul(index, frame.placeDistance(tensor));
}

/// The address of an element of a tensor. `rows`: the start of the row of each tensor.
Value *ScatterKernel::pointerOf(unsigned tensor, ArrayRef<Value *> rows, Value *column) {
  const KernelTensor &own = kernel.tensors[tensor];
  if (!own.indices)
    return kernel.isAlong(tensor, 1) ? b.at(rows[tensor], own.element.memory, column) : rows[tensor];
  Value *at = b.CreateMul(column, frame.columnDistance(tensor));
  if (kernel.hasIndexOfEach(tensor)) {
    const bool moves = kernel.isAlong(*own.indices, 1);
    at = b.CreateAdd(at, placeIn(tensor, rows[*own.indices], moves ? column : b.index(0)));
  }
  return b.at(rows[tensor], own.element.memory, at);
}

/// Computes `width` elements of a row from `column` on; one for 0.
void ScatterKernel::compute(ArrayRef<Value *> rows, Value *column, unsigned width) {
  Value *zero = b.index(0), *target = pointerOf(output, rows, column);
  auto leaf = [&](mlir::Value value) -> Lane {
    std::optional<unsigned> tensor = kernel.tensorOf(value);
    if (!tensor)
      return {};
    const Element &element = kernel.tensors[*tensor].element;
    // The output already contains the initial value.
    Value *pointer = *tensor == before ? target : pointerOf(*tensor, rows, column);
    if (width == 0 || kernel.isAlong(*tensor, 1))
      return {load(b, pointer, zero, element, width), false};
    return {b.CreateVectorSplat(width, load(b, pointer, zero, element, 0)), false};
  };
  Evaluator evaluator(b, frame, width, leaf);
  store(b, evaluator.element(kernel.stored.front()).value, target, zero, kernel.tensors[output].element);
}

void ScatterKernel::emit() {
  copy();
  Value *zero = b.index(0), *one = b.index(1), *n = frame.loopSize(1);
  auto outerLoop = [&](Value *trips, function_ref<void(Value *)> body) {
    trips ? b.loop(zero, trips, one, body) : body(zero);
  };
  // Elements of other gathered inputs have their own indices as well.
  bool byVectors = true;
  for (unsigned tensor = 0; tensor < kernel.tensors.size(); ++tensor)
    byVectors &= !kernel.hasIndexOfEach(tensor);
  outerLoop(frame.batch[0], [&](Value *outer) {
    outerLoop(frame.batch[1], [&](Value *inner) {
      b.loop(zero, frame.loopSize(0), one, [&](Value *row) {
        SmallVector<Value *> rows;
        for (unsigned tensor = 0; tensor < kernel.tensors.size(); ++tensor) {
          Value *offset = kernel.isAlong(tensor, 0) ? b.CreateMul(row, frame.rowDistance(tensor)) : zero;
          if (frame.batch[0]) {
            offset = b.CreateAdd(offset, b.CreateMul(outer, frame.batchStride(tensor, 0)));
            offset = b.CreateAdd(offset, b.CreateMul(inner, frame.batchStride(tensor, 1)));
          }
          rows.push_back(b.at(frame.tensor(tensor), kernel.tensors[tensor].element.memory, offset));
        }
        SmallVector<Value *> places = rows;
        for (unsigned tensor = 0; tensor < kernel.tensors.size(); ++tensor) {
          const KernelTensor &own = kernel.tensors[tensor];
          if (own.indices && !kernel.hasIndexOfEach(tensor))
            places[tensor] = b.at(rows[tensor], own.element.memory, placeIn(tensor, rows[*own.indices], zero));
        }
        Value *whole = byVectors ? b.CreateMul(b.CreateUDiv(n, b.index(lanes)), b.index(lanes)) : zero;
        if (byVectors)
          b.loop(zero, whole, b.index(lanes), [&](Value *column) { compute(places, column, lanes); });
        const bool jumps = kernel.hasIndexOfEach(output) && kernel.isAlong(*kernel.tensors[output].indices, 1);
        Value *last = b.CreateSub(n, one);
        b.loop(whole, n, one, [&](Value *column) {
          // The hardware cannot predict the address of a later element.
          if (jumps) {
            Value *ahead = pointerOf(output, places, b.min(b.CreateAdd(column, b.index(kAhead)), last));
            prefetch(b, ahead, zero, kernel.tensors[output].element, 1, 0, /*write=*/true);
          }
          compute(places, column, 0);
        });
      });
    });
  });
}

bool emitScatter(CodeBuilder &b, FusedKernel &kernel, Frame &frame) {
  // The launch's first block.
  Value *isFirst = b.CreateAnd(b.CreateICmpEQ(b.function->getArg(1), b.index(0)),
                               b.CreateICmpSGT(b.function->getArg(2), b.index(0)));
  b.ifThen(isFirst, [&] { ScatterKernel(b, kernel, frame).emit(); });
  return true;
}

} // namespace opc::cpu
