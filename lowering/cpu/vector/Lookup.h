// Elements of inputs at places that a payload computes: te.gather in kernels of the shape key `lookup`.
//
//   place      brought into its range, as `beyond` says, before it is multiplied by a distance
//   offset     the sum over the dimensions, in 32 bits, since the table has fewer than 2^31 elements (Frame.h)
//   load       lanes whose offsets follow each other are one load, others one each
//
// Places that do not move along a row are scalars: where all of them are, a row of the table is read as it lies.

#ifndef OPC_LOWERING_CPU_VECTOR_LOOKUP_H
#define OPC_LOWERING_CPU_VECTOR_LOOKUP_H

#include "dialect/te/TeOps.h"
#include "lowering/cpu/vector/Frame.h"

namespace opc::cpu {

class Lookup {
public:
  /// Reads the sizes of the tables; before the loop over the row.
  Lookup(CodeBuilder &b, FusedKernel &kernel, Frame &frame, unsigned lanes);

  /// The tensor from which a te.gather of a payload reads.
  unsigned tensorOf(mlir::Operation &gather) const;
  /// The elements for the lanes from column `i` on. `row` is where the row of the table begins whose places are all 0.
  llvm::Value *elements(mlir::Operation &gather, llvm::ArrayRef<llvm::Value *> places, llvm::Value *row,
                        llvm::Value *i);

private:
  bool moves(mlir::Value value);
  bool movesAlongRow(unsigned tensor) const { return llvm::is_contained(kernel.tensors[tensor].dims, 1); }
  llvm::Value *inRange(llvm::Value *place, llvm::Value *count, te::Beyond beyond);
  llvm::Value *loadEach(llvm::Value *row, llvm::Value *offsets, const Element &element);

  CodeBuilder &b;
  FusedKernel &kernel;
  unsigned lanes;
  std::vector<Frame::Table> tables; ///< for each tensor
  llvm::DenseMap<mlir::Value, bool> moving;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_LOOKUP_H
