// Elementwise kernels: loops of wide vectors over as long a stretch as the tensors allow.
//
//   flat   the items of a range of blocks are one stretch
//   grid   rows of n: a stretch is a piece, a long row or many short ones, or the part of it that
//          belongs to this range of blocks (Grid.h)
//
// A stretch of `count` elements, `wide` at a time:
//
//   count < wide    operands go to buffers of `wide` elements, are worked on there, and come back
//   ordinary        one loop; its last turn is moved back to end with the stretch and computes a
//                   few elements again, which gives the same values (no output is an input)
//   streaming       as soon as the tensors exceed the cache of one core: stores past the caches in
//                   the aligned middle, with loads asked for ahead; the ordinary loop does the two
//                   ends
//
// So there are two copies of the body in a kernel, at any level, and no masks.

#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/Grid.h"
#include "lowering/cpu/vector/VectorKernels.h"

using namespace llvm;

namespace opc::cpu {

namespace {

// The two ends of a stretch are written by ordinary stores into lines that may just have streamed
// out: shorter stretches lose by it.
constexpr int64_t kLeastStream = 2048;
// How far ahead of their loads loops with functions or conversions ask for lines, at any level.
constexpr int64_t kBusyAhead = 4096;

class Elementwise {
public:
  Elementwise(CodeBuilder &b, FusedKernel &kernel, Frame &frame)
      : b(b), kernel(kernel), frame(frame) {
    unsigned lanes = b.level.vectorBits / kernel.cost.widestBits;
    wide = lanes * (kernel.cost.usesFunctions ? b.level.functionVectors()
                    : kernel.loops > 1        ? 2
                                              : 4);
    bool converts = any_of(kernel.tensors, [](const KernelTensor &tensor) {
      return tensor.element.kind != Element::Plain;
    });
    ahead = kernel.cost.usesFunctions || converts ? kBusyAhead : b.level.streamAhead;
  }

  void flat();
  void grid();

private:
  void stretch(ArrayRef<Operand> operands, Value *count, Value *mayStream);
  void turn(ArrayRef<Operand> operands, Value *i, bool streaming);
  void streamMiddle(ArrayRef<Operand> operands, Value *count);
  bool streams() const { return b.level.streams && kernel.stored.size() == 1; }
  void endStreams();

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  unsigned wide;
  int64_t ahead; ///< bytes that the loads of streams are asked for ahead
};

} // namespace

// `wide` elements from i on.
void Elementwise::turn(ArrayRef<Operand> operands, Value *i, bool streaming) {
  auto leaf = [&](mlir::Value value) -> Lane {
    std::optional<unsigned> tensor = kernel.tensorOf(value);
    if (!tensor)
      return {};
    const Operand &operand = operands[*tensor];
    if (operand.scalar)
      return {b.CreateVectorSplat(wide, operand.scalar), false};
    const Element &element = kernel.tensors[*tensor].element;
    Value *at = operand.mask ? b.CreateAnd(i, operand.mask) : i;
    if (streaming && !operand.isBuffer)
      prefetch(b, operand.pointer, i, element, wide, ahead);
    return {load(b, operand.pointer, at, element, wide), false};
  };
  Evaluator evaluator(b, frame, wide, leaf);
  SmallVector<Value *> results;
  for (mlir::Value value : kernel.stored)
    results.push_back(evaluator.element(value).value);
  for (auto [j, result] : enumerate(results)) {
    unsigned output = kernel.firstOutput() + j;
    const Element &element = kernel.tensors[output].element;
    if (streaming)
      stream(b, result, operands[output].pointer, i, element);
    else
      store(b, result, operands[output].pointer, i, element);
  }
}

void Elementwise::streamMiddle(ArrayRef<Operand> operands, Value *count) {
  unsigned output = kernel.firstOutput();
  const Element &element = kernel.tensors[output].element;
  int64_t alignment = streamAlignment(element, wide);
  Value *address = b.CreatePtrToInt(operands[output].pointer, b.getInt64Ty());
  Value *before = b.CreateAnd(b.CreateNeg(address), b.index(alignment - 1));
  Value *first = b.CreateLShr(before, Log2_32(element.bytes));
  Value *end = b.CreateSub(count, b.index(wide - 1));
  b.loop(first, end, b.index(wide), [&](Value *i) { turn(operands, i, true); });
}

// Once for all stretches: it waits until they are through.
void Elementwise::endStreams() {
  if (streams())
    b.ifThen(frame.exceedsCache, [&] { cpu::endStreams(b); });
}

void Elementwise::stretch(ArrayRef<Operand> operands, Value *count, Value *mayStream) {
  Value *width = b.index(wide);
  Value *small = b.CreateICmpSLT(count, width);
  // Operands that move, in buffers when the stretch is small.
  SmallVector<Operand> chosen(operands);
  SmallVector<std::pair<unsigned, Value *>> buffers;
  for (unsigned i = 0; i < operands.size(); ++i)
    if (!operands[i].scalar)
      buffers.emplace_back(i, b.buffer(kernel.tensors[i].element.memory, wide));
  b.ifThen(small, [&] {
    for (auto [i, buffer] : buffers) {
      const Element &element = kernel.tensors[i].element;
      if (kernel.tensors[i].output)
        continue;
      b.CreateAlignedStore(Constant::getNullValue(withLanes(element.memory, wide)), buffer,
                           Align(64));
      copyElements(b, operands[i].pointer, buffer, count, element);
    }
  });
  for (auto [i, buffer] : buffers)
    chosen[i].pointer = b.CreateSelect(small, buffer, operands[i].pointer);
  Value *length = b.CreateSelect(small, width, count);

  Value *step = width;
  if (streams()) {
    Value *longEnough = b.CreateICmpSGE(count, b.index(std::max(kLeastStream, 4 * int64_t(wide))));
    Value *streams = b.CreateAnd(b.CreateAnd(frame.exceedsCache, mayStream), longEnough);
    b.ifThen(streams, [&] { streamMiddle(operands, count); });
    step = b.CreateSelect(streams, b.CreateSub(length, width), width);
  }
  Value *last = b.CreateSub(length, width);
  b.loop(b.index(0), length, step, [&](Value *i) { turn(chosen, b.min(i, last), false); });

  b.ifThen(small, [&] {
    for (auto [i, buffer] : buffers)
      if (kernel.tensors[i].output)
        copyElements(b, buffer, operands[i].pointer, count, kernel.tensors[i].element);
  });
}

void Elementwise::flat() {
  b.ifThen(b.CreateICmpSLT(frame.begin, frame.end), [&] {
    SmallVector<Operand> operands;
    for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
      const Element &element = kernel.tensors[i].element;
      Operand &operand = operands.emplace_back();
      operand.pointer = frame.tensor(i);
      if (is_contained(kernel.tensors[i].dims, 0))
        operand.pointer = b.at(operand.pointer, element.memory, frame.begin);
      else if (!kernel.tensors[i].output)
        operand.scalar = load(b, operand.pointer, b.index(0), element, 0);
    }
    stretch(operands, b.CreateSub(frame.end, frame.begin), b.getTrue());
    endStreams();
  });
}

void Elementwise::grid() {
  b.ifThen(b.CreateICmpSLT(frame.begin, frame.end), [&] {
    auto work = [&](ArrayRef<Operand> operands, Value *count, Value *mayStream) {
      stretch(operands, count, mayStream);
    };
    Grid(b, kernel, frame, wide).emit(work);
    endStreams();
  });
}

void emitElementwise(CodeBuilder &b, FusedKernel &kernel, Frame &frame) {
  Elementwise elementwise(b, kernel, frame);
  if (kernel.loops == 1)
    elementwise.flat();
  else
    elementwise.grid();
}

} // namespace opc::cpu
