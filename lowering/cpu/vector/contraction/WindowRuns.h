// Common parts of functions over windows of an input: their arguments, and runs of positions, which are elements of an
// input row at the window's stride, with zeros for padding.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWRUNS_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWRUNS_H

#include "lowering/cpu/vector/contraction/Panels.h"
#include "lowering/cpu/vector/contraction/WindowedMatrix.h"
#include "lowering/cpu/vector/windows/Positions.h"

namespace opc::cpu {

/// The common arguments of functions over windows, and their rows of positions.
class Windows {
public:
  /// The arguments of a function that begin at `first`, as argumentsOf lists them.
  Windows(CodeBuilder &b, const WindowedMatrix &matrix, unsigned first);
  static llvm::SmallVector<llvm::Value *> argumentsOf(const WindowedMatrix &matrix);
  /// Strides and padding are constants in the code, so they are part of the function's name.
  static std::string nameOf(llvm::StringRef what, const WindowedMatrix &matrix);

protected:
  llvm::Value *floatAt(llvm::Value *pointer, llvm::Value *i) { return b.at(pointer, b.getFloatTy(), i); }
  void storeFloats(llvm::Value *value, llvm::Value *to, llvm::Value *i) {
    b.CreateAlignedStore(value, floatAt(to, i), llvm::Align(4));
  }
  /// Calls `each` for each run of positions from `column` on within one row, with its offset, first position
  /// and number.
  void forRuns(llvm::Value *column, llvm::Value *columns,
               llvm::function_ref<void(llvm::Value *at, llvm::Value *oh, llvm::Value *ow, llvm::Value *count)> each);
  llvm::Value *rowAt(llvm::Value *plane, llvm::Value *row) {
    return b.at(plane, element.memory, b.CreateMul(row, in[1]));
  }

  // Channels in order: a channel is its offset and, with a depth, the plane of the window.
  Values channelAt(llvm::Value *number);
  Values nextChannel(llvm::ArrayRef<llvm::Value *> channel);
  /// i1: whether the input has the plane of a channel; null without a depth. If not, planeOf is another one.
  llvm::Value *hasPlane(llvm::ArrayRef<llvm::Value *> channel);
  llvm::Value *planeOf(llvm::ArrayRef<llvm::Value *> channel);

  /// Writes `count` positions of a row of the plane, from element `start` on: elements of x, and zeros for padding. May
  /// write up to a vector more, which the next run overwrites.
  void run(llvm::Value *to, llvm::Value *plane, llvm::Value *row, llvm::Value *start, llvm::Value *count);
  /// Writes zeros from `begin` to before `end`, possibly a vector more.
  void zeros(llvm::Value *to, llvm::Value *begin, llvm::Value *end);
  /// Copies `count` elements of a row of x from `start` on, a stride apart; may write a vector more. The plane has
  /// `behindStart` elements from the first one on.
  void copy(llvm::Value *to, llvm::Value *row, llvm::Value *start, llvm::Value *count, llvm::Value *behindStart);

  CodeBuilder &b;
  const Element &element;
  const WindowSteps &down, &along;
  const unsigned lanes;
  llvm::Value *from, *channelStep, *in[2], *of[2], *out[2];

private:
  llvm::Value *planeNumber(llvm::ArrayRef<llvm::Value *> channel);

  const std::optional<WindowedMatrix::Depth> &deep;
  llvm::Value *inDepth = nullptr, *ofDepth = nullptr, *firstPlane = nullptr;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWRUNS_H
