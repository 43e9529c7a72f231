#include "lowering/cpu/vector/planes/Move.h"

#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/code/Copies.h"

using namespace llvm;

namespace opc::cpu {

/// Whether all elements of the only output are one value that no tensor has.
static bool fills(FusedKernel &kernel) {
  if ((kernel.kind != FusedKernel::Kind::Elementwise && kernel.kind != FusedKernel::Kind::Gather) ||
      kernel.stored.size() != 1 || kernel.generics.size() != 1)
    return false;
  mlir::linalg::GenericOp generic = kernel.generics.front();
  return generic.getNumResults() == 1 && kernel.stored.front() == generic.getResult(0) && generic.getInputs().empty() &&
         generic.getBody()->getArgument(0).use_empty();
}

bool onlyMoves(FusedKernel &kernel) {
  return kernel.copiedInput() || fills(kernel);
}

void emitMovePlane(CodeBuilder &b, FusedKernel &kernel, Frame &frame, ArrayRef<bool> still) {
  Value *pointers = b.function->getArg(0), *steps = b.function->getArg(1);
  Value *rows = b.function->getArg(2), *count = b.function->getArg(3);
  const unsigned output = kernel.firstOutput(), tensors = output + 1;
  const Element &element = kernel.tensors[output].element;
  const std::optional<unsigned> input = kernel.copiedInput();
  const unsigned source = input.value_or(output); // a value that no tensor has is read nowhere
  auto argument = [&](Value *array, Type *type, unsigned i) {
    return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), array, i), Align(8));
  };
  auto byteAt = [&](Value *pointer, Value *byte) { return b.at(pointer, b.getInt8Ty(), byte); };
  RowMover mover(b, element.bytes);
  frame.readScalars(b.function->getArg(5));
  if (!input) {
    auto none = [](mlir::Value) { return Lane(); };
    Value *one = Evaluator(b, frame, 1, none).element(kernel.stored.front()).value;
    mover.setValue(b.CreateExtractElement(toMemory(b, one, element), uint64_t(0)));
  }
  Value *toStep = argument(steps, b.getInt64Ty(), output), *fromStep = argument(steps, b.getInt64Ty(), source);
  Value *distance = argument(steps, b.getInt64Ty(), tensors + source);
  Value *bytes = b.CreateMul(count, b.index(element.bytes)), *streams = mover.mayStream(b.function->getArg(4), bytes);
  Value *first[] = {argument(pointers, b.getPtrTy(), output), argument(pointers, b.getPtrTy(), source)};
  auto each = [&](function_ref<void(Value *, Value *)> row) -> Values {
    b.loop(b.index(0), rows, b.index(1), first, [&](Value *, ArrayRef<Value *> at) -> Values {
      row(at[0], at[1]);
      return {byteAt(at[0], toStep), byteAt(at[1], fromStep)};
    });
    return {};
  };
  b.ifElse(
      b.CreateICmpEQ(count, b.index(1)),
      [&] {
        return each(
            [&](Value *to, Value *from) { b.CreateAlignedStore(mover.element(from), to, Align(element.bytes)); });
      },
      [&] {
        return each([&](Value *to, Value *from) {
          if (input && still[*input])
            mover.setValue(b.CreateAlignedLoad(element.memory, from, Align(element.bytes)));
          mover.row(to, from, byteAt(from, distance), bytes, streams);
        });
      });
  b.CreateRetVoid();
}

} // namespace opc::cpu
