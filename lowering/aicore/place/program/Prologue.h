// The operand of a matrix product that a body computes, as a tile program of its own. Its loops are the rows and
// columns of the operand in memory:
//
//   weights [N, K]       cast                      to a tile of float16; the cube multiplies it
//   scale   [N]          an element for each row: Column

#ifndef OPC_LOWERING_AICORE_PLACE_PROGRAM_PROLOGUE_H
#define OPC_LOWERING_AICORE_PLACE_PROGRAM_PROLOGUE_H

#include "lowering/aicore/place/program/KernelShape.h"
#include "lowering/aicore/place/program/TileProgram.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/DenseSet.h"

namespace opc::aicore {

struct Prologue {
  unsigned tensor = 0;   ///< the operand
  bool isRight = false;  ///< else it is the left one
  bool isAlongK = false; ///< it is contiguous along k
  /// Its one stored value is the operand for the cube, in the product's type.
  TileProgram program;
  /// The kernel's tensors with their spreads in the rows and columns of the operand; the last one is the result.
  KernelShape shape;

  TileId result() const { return program.stores.front().first; }
  /// Whether zeros of the operand are zeros of the result.
  bool keepsZeros() const;
};

/// The operations of a fused body that only compute operands of its product; none if there is no product.
llvm::DenseSet<mlir::Operation *> prologueOps(mlir::func::FuncOp fused);

/// Reads what computes operands; nothing computes one that is multiplied as it lies in memory. Arguments as those of
/// readFusedBody().
mlir::FailureOr<std::vector<Prologue>> readPrologues(mlir::func::FuncOp fused, const KernelShape &shape,
                                                     const Target &target, ElementType expansion,
                                                     mlir::OpBuilder &entry, mlir::IRMapping &scalars);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_PROGRAM_PROLOGUE_H
