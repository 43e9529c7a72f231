// Running values of the scans of an inner kernel (Elementwise.cpp), in memory after the pointers of its tensors.
//
//   along m   a value for each column of a piece: a plane combines row after row with it
//   along n   one value, with which a row begins; the lanes of a vector are combined in log2(lanes) steps

#ifndef OPC_LOWERING_CPU_VECTOR_PLANES_SCAN_H
#define OPC_LOWERING_CPU_VECTOR_PLANES_SCAN_H

#include "lowering/cpu/vector/FusedKernel.h"

namespace opc::cpu {

class RunningScans {
public:
  /// The number of columns of a piece; each has memory for a running value.
  static constexpr int64_t kPiece = 4096;
  /// Bytes of the running values of a scan.
  static constexpr int64_t kBytes = kPiece * 8;

  RunningScans(CodeBuilder &b, FusedKernel &kernel, unsigned wide, llvm::Value *memory)
      : b(b), kernel(kernel), wide(wide), memory(memory) {}

  bool isReverse() const;
  /// Along n: `begin` gives the value with which a row begins, in all lanes, and `end` keeps the value with which it
  /// ends. Along m there are none.
  Values begin();
  void end(llvm::ArrayRef<llvm::Value *> last);
  Values carried; ///< between the turns of a row
  /// The results of a scan for `wide` elements of its operand, from column `i` on.
  llvm::Value *combine(mlir::Operation &scan, llvm::Value *value, llvm::Value *i);

  /// Fills the running values of `count` columns with each scan's initial value.
  static void reset(CodeBuilder &b, FusedKernel &kernel, llvm::Value *memory, llvm::Value *count);

private:
  llvm::Value *along(mlir::Operation &scan, llvm::Value *value, llvm::Value *&carry);
  llvm::Value *placeOf(unsigned scan, llvm::Value *column);

  CodeBuilder &b;
  FusedKernel &kernel;
  unsigned wide;
  llvm::Value *memory;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_PLANES_SCAN_H
