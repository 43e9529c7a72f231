// Cells of panels: elements of a matrix in memory as the numbers of 32 bits that products read.
//
// An f32, f16 or bf16 element is an f32 cell. Of int8 and uint8 two neighbours along k are a cell, each as i16, so that
// one instruction multiplies both with those of another cell and adds the products, without saturation.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_CELLS_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_CELLS_H

#include "lowering/cpu/vector/contraction/Panels.h"

namespace opc::cpu {

/// The type of a cell, and of sums.
llvm::Type *cellType(CodeBuilder &b, bool isOfPairs);
/// sum + the products of cells. All are vectors of one number of lanes, or scalars.
llvm::Value *addProducts(CodeBuilder &b, llvm::Value *left, llvm::Value *right, llvm::Value *sum);

/// Reads cells of a matrix. Sizes along k are in elements, positions along k in cells.
class Cells {
public:
  Cells(CodeBuilder &b, const MatrixPart &matrix);

  const Element plain; ///< a cell in a panel

  /// Cells that elements along k are, and how many of them are whole.
  llvm::Value *countOf(llvm::Value *elements);
  llvm::Value *wholeOf(llvm::Value *elements);

  /// Whole cells of a row of memory along k, from cell `i` on.
  llvm::Value *along(llvm::Value *row, llvm::Value *i, unsigned lanes);
  /// Any cell of a row along k that has `elements`.
  llvm::Value *one(llvm::Value *row, llvm::Value *i, llvm::Value *elements);

  /// The rows of memory of cells along another dimension than k.
  struct Rows {
    llvm::Value *first, *second, *kept;
  };
  /// Of a matrix of `elements` rows along k, `step` elements apart.
  Rows rowsAt(llvm::Value *from, llvm::Value *step, llvm::Value *k, llvm::Value *elements);
  /// Cells from `column` on; if `count` is not null, of the first `count` columns, the others being 0.
  llvm::Value *across(const Rows &rows, llvm::Value *column, unsigned lanes, llvm::Value *count = nullptr);

private:
  struct Second {
    llvm::Value *place = nullptr, *kept = nullptr;
  };
  Second secondOf(llvm::Value *first, llvm::Value *elements);
  llvm::Value *widened(llvm::Value *bytes, llvm::Type *type);
  llvm::Value *pairsOf(llvm::Value *bytes, unsigned lanes);
  llvm::Value *pairOf(llvm::Value *first, llvm::Value *second, llvm::Value *kept);

  CodeBuilder &b;
  const Element element;
  const bool isUnsigned, isOfPairs;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_CELLS_H
