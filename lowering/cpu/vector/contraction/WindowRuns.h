// What functions over windows of an input share: their arguments, and runs of places, which are rows of the input a
// stride apart with zeros where a window reaches beside it.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWRUNS_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWRUNS_H

#include "lowering/cpu/vector/contraction/Panels.h"
#include "lowering/cpu/vector/contraction/WindowedMatrix.h"
#include "lowering/cpu/vector/windows/Positions.h"

namespace opc::cpu {

/// What functions of windows share: their arguments, and rows of places.
class Windows {
public:
  /// The arguments of a function that begin at `first`, as argumentsOf lists them.
  Windows(CodeBuilder &b, const WindowedMatrix &matrix, unsigned first);
  static llvm::SmallVector<llvm::Value *> argumentsOf(const WindowedMatrix &matrix);
  /// Steps are constants of the code, and so part of its function's name.
  static std::string nameOf(llvm::StringRef what, const WindowedMatrix &matrix);

protected:
  llvm::Value *floatAt(llvm::Value *pointer, llvm::Value *i) { return b.at(pointer, b.getFloatTy(), i); }
  void storeFloats(llvm::Value *value, llvm::Value *to, llvm::Value *i) {
    b.CreateAlignedStore(value, floatAt(to, i), llvm::Align(4));
  }
  /// Calls `each` for the runs of places from `column` on that are in one row: with their position, place and number.
  void forRuns(llvm::Value *column, llvm::Value *columns,
               llvm::function_ref<void(llvm::Value *at, llvm::Value *oh, llvm::Value *ow, llvm::Value *count)> each);
  llvm::Value *rowAt(llvm::Value *plane, llvm::Value *row) {
    return b.at(plane, element.memory, b.CreateMul(row, in[1]));
  }

  /// `count` places of a row of the plane, from element `start` on: what x has, and zeros around it. Up to a vector
  /// more is written, which the next run writes again.
  void run(llvm::Value *to, llvm::Value *plane, llvm::Value *row, llvm::Value *start, llvm::Value *count);
  /// Zeros from `begin` to before `end`, or a vector more.
  void zeros(llvm::Value *to, llvm::Value *begin, llvm::Value *end);
  /// `count` elements of a row of x from `start` on, a stride apart; perhaps a vector more is written. The plane has
  /// `behindStart` elements from the first one on.
  void copy(llvm::Value *to, llvm::Value *row, llvm::Value *start, llvm::Value *count, llvm::Value *behindStart);

  CodeBuilder &b;
  const Element &element;
  const WindowSteps &down, &along;
  const unsigned lanes;
  llvm::Value *from, *channelStep, *in[2], *of[2], *out[2];
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWRUNS_H
