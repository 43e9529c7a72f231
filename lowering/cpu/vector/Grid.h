// Rows of an elementwise kernel over two loops, cut into pieces: stretches in which each operand
// moves with the output or stands still.
//
//   y[m, n] = x[m, n] + bias[1, n] * scale[m, 1]
//
//   long rows    a piece is a row: bias moves, scale is one vector of its element
//   short rows   a piece is as many rows as 4096 elements hold. x and y go on from row to row;
//                bias is repeated in a buffer, once, and scale is spread out in one, each piece
//
// Short rows so become long stretches: whole vectors, streams, and no work for each row but to
// spread its operands along it.

#ifndef OPC_LOWERING_CPU_VECTOR_GRID_H
#define OPC_LOWERING_CPU_VECTOR_GRID_H

#include "lowering/cpu/vector/Frame.h"

namespace opc::cpu {

/// An operand of a stretch.
struct Operand {
  llvm::Value *pointer = nullptr; ///< to its first element
  llvm::Value *scalar = nullptr;  ///< its one element; null when it moves
  /// What is left of the distance from the first element: all bits, or none where vectors from the
  /// first element serve everywhere. Null for all.
  llvm::Value *mask = nullptr;
  bool isBuffer = false; ///< in the function's frame: nothing to ask for ahead
};

class Grid {
public:
  /// `wide`: elements of a turn.
  Grid(CodeBuilder &b, FusedKernel &kernel, Frame &frame, unsigned wide);

  using Stretch =
      llvm::function_ref<void(llvm::ArrayRef<Operand>, llvm::Value *count, llvm::Value *mayStream)>;
  /// The items frame.begin .. frame.end, at least one.
  void emit(Stretch stretch);

private:
  bool isAlong(unsigned tensor, int loop) const;
  /// to[0 .. count) = from[0 .. n) again and again.
  void repeat(llvm::Value *from, llvm::Value *to, llvm::Value *count, const Element &element);
  /// Each of `rows` elements over a row of the buffer; one vector of the first when rows are long.
  void spread(llvm::Value *from, llvm::Value *to, llvm::Value *rows, const Element &element);
  Operand operandOf(unsigned tensor, const Frame::Place &place, llvm::Value *rows,
                    llvm::Value *startsBatch);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  unsigned wide;
  bool spreads = false; ///< an operand stands still along rows
  llvm::Value *n, *isShort;
  llvm::SmallVector<llvm::Value *> buffers; ///< of tensors that are repeated or spread
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_GRID_H
