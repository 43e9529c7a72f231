// Common code of the parts of the driver loop: their arguments, arrays with a slot for each tensor, and calls
// of planes.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_WALKPARTS_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_WALKPARTS_H

#include "lowering/cpu/vector/code/Walk.h"

namespace opc::cpu {

/// Base of these functions, whose first arguments are (description, pointers, tiling, ...). Arrays have a slot for
/// each tensor.
class Part {
public:
  Part(CodeBuilder &b, unsigned tensors)
      : b(b), tensors(tensors), description(b.function->getArg(0)), pointers(b.function->getArg(1)),
        tiling(b.function->getArg(2)), described(b, description, tiling) {}

protected:
  void eachTensor(llvm::function_ref<void(llvm::Value *t, llvm::Value *tensor)> body) {
    b.loop(b.index(0), b.index(tensors), b.index(1), [&](llvm::Value *t) { body(t, described.tensor(t)); });
  }
  llvm::Value *array(unsigned perTensor = 1) {
    auto *memory = llvm::cast<llvm::AllocaInst>(b.buffer(b.getInt64Ty(), perTensor * tensors));
    memory->setAlignment(llvm::Align(8));
    return memory;
  }
  llvm::Value *get(llvm::Value *array, llvm::Value *t, llvm::Type *type) {
    return b.CreateAlignedLoad(type, b.at(array, b.getInt64Ty(), t), llvm::Align(8));
  }
  void set(llvm::Value *array, llvm::Value *t, llvm::Value *value) {
    b.CreateAlignedStore(value, b.at(array, b.getInt64Ty(), t), llvm::Align(8));
  }
  llvm::Value *byteAt(llvm::Value *pointer, llvm::Value *byte) { return b.at(pointer, b.getInt8Ty(), byte); }
  llvm::Value *isSet(llvm::Value *tensor, described::TensorSlot which) {
    return b.CreateIsNotNull(described.slotOf(tensor, which));
  }

  CodeBuilder &b;
  unsigned tensors;
  llvm::Value *description, *pointers, *tiling;
  Described described;
};

/// A part whose last arguments are begin, end and stream: it processes the items begin .. end.
class RowsPart : protected Part {
public:
  RowsPart(CodeBuilder &b, unsigned tensors)
      : Part(b, tensors), begin(b.function->getArg(3)), end(b.function->getArg(4)), stream(b.function->getArg(5)),
        m(described.field(described::M)), n(described.field(described::N)), batch1(described.field(described::Batch1)),
        at(array()), behind(array()), steps(array(2)) {}

protected:
  void setStep(llvm::Value *t, llvm::Value *bytes, llvm::Value *ahead) {
    set(steps, t, bytes);
    set(steps, b.CreateAdd(t, b.index(tensors)), ahead);
  }
  void callPlane(described::Slot plane, llvm::Value *rows, llvm::Value *count, llvm::Value *stream);
  /// The same for a plane given by its address. The tensor `still` is a scalar in it, regardless of its description; -1
  /// is no tensor.
  void callPlane(llvm::Value *plane, bool isShort, llvm::Value *rows, llvm::Value *count, llvm::Value *stream,
                 llvm::Value *still);

  llvm::Value *begin, *end, *stream, *m, *n, *batch1;
  llvm::Value *at, *behind, *steps; ///< arguments of the next call of a plane; the second for the ends of its rows

private:
  llvm::Value *overwrites();
};

/// The parts of the key `any`, in the function that `b` builds. The second is for kernels with inputs that are read
/// across.
void emitAnyRows(CodeBuilder &b, unsigned tensors);
void emitAcrossRows(CodeBuilder &b, unsigned tensors);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_WALKPARTS_H
