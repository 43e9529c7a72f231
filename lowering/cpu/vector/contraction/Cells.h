// Cells of panels: the numbers of 32 bits that products read, made from elements of a matrix in memory.
//
// An f32, f16 or bf16 element is an f32 cell. For int8 and uint8, two neighbours along k form a cell, each as i16, so
// that one instruction multiplies both with those of another cell and adds the products, without saturation. At levels
// that multiply and add four bytes at once, four neighbours form a cell, as bytes. That instruction needs an unsigned
// and a signed operand. If both have the same signedness, the top bits of one operand's bytes are flipped: this adds
// 128 to signed bytes and subtracts 128 from unsigned ones, in one operation, and 128 times the sum of the other
// operand is subtracted from the result, or added. i32 wraps around, so the result is exact.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_CELLS_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_CELLS_H

#include "lowering/cpu/vector/contraction/Panels.h"

namespace opc::cpu {

/// Part of the names of shared functions.
std::string cellsName(const CellProduct &cells);
/// The type of a cell with this number of elements, and of sums.
llvm::Type *cellType(CodeBuilder &b, unsigned elements);
/// sum + the products of cells. All are vectors of one number of lanes, or scalars.
llvm::Value *addProducts(CodeBuilder &b, const CellProduct &product, llvm::Value *left, llvm::Value *right,
                         llvm::Value *sum);
/// Accumulates the error of a flipped operand, for cells of four bytes: `sum` + the elements of `cells`, which are
/// those of the other operand; it is the left one if `isLeft`.
llvm::Value *addElements(CodeBuilder &b, const CellProduct &product, bool isLeft, llvm::Value *cells, llvm::Value *sum);
/// The value that is added to the result to correct it.
llvm::Value *correction(CodeBuilder &b, const CellProduct &product, bool isLeft, llvm::Value *elements);

/// Reads cells of a matrix. Sizes along k are in elements, positions along k in cells.
class Cells {
public:
  Cells(CodeBuilder &b, const MatrixPart &matrix);

  const unsigned elementsOfCell;
  const Element plain; ///< a cell in a panel

  /// The number of cells for elements along k, and the number of whole ones.
  llvm::Value *countOf(llvm::Value *elements);
  llvm::Value *wholeOf(llvm::Value *elements) { return b.CreateLShr(elements, shift()); }

  /// Whole cells of a row of memory along k, from cell `i` on.
  llvm::Value *along(llvm::Value *row, llvm::Value *i, unsigned lanes);
  /// Any cell of a row along k with `elements` elements.
  llvm::Value *one(llvm::Value *row, llvm::Value *i, llvm::Value *elements);

  /// The rows of memory for cells along another dimension than k, and the bits of existing elements in a cell; null:
  /// all exist.
  struct Rows {
    llvm::SmallVector<llvm::Value *, 4> of;
    llvm::Value *kept = nullptr;
  };
  /// The rows of a matrix with `elements` rows along k, `step` elements apart.
  Rows rowsAt(llvm::Value *from, llvm::Value *step, llvm::Value *k, llvm::Value *elements);
  /// Cells from `column` on; if `count` is not null, of the first `count` columns, the others being 0.
  llvm::Value *across(const Rows &rows, llvm::Value *column, unsigned lanes, llvm::Value *count = nullptr);

  /// Cells of `vectors` vectors from `column` on; in the order of `inParts` if `isInParts`.
  Values across(const Rows &rows, llvm::Value *column, unsigned lanes, unsigned vectors, bool isInParts = false);

  /// Four vectors of 64 numbers, in order, in the order in which instructions interleave bytes: vector i has the parts
  /// i of 128 bits of the four vectors. Applied twice it changes nothing.
  Values inParts(llvm::ArrayRef<llvm::Value *> vectors);

private:
  unsigned shift() const { return elementsOfCell == 4 ? 2 : elementsOfCell == 2 ? 1 : 0; }
  unsigned bits() const { return 32 / elementsOfCell; }
  llvm::Value *keptOf(llvm::Value *first, llvm::Value *elements);
  llvm::Value *widened(llvm::Value *bytes, llvm::Type *type);
  llvm::Value *cellsOf(llvm::Value *bytes, unsigned lanes);
  llvm::Value *cellOf(llvm::ArrayRef<llvm::Value *> bytes, llvm::Value *kept);
  llvm::Value *interleaved(llvm::ArrayRef<llvm::Value *> rows);
  Values interleavedWide(llvm::ArrayRef<llvm::Value *> rows, bool isInParts);
  llvm::Value *flipped(llvm::Value *cells);

  CodeBuilder &b;
  const Element element;
  const bool isUnsigned, isFlipped;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_CELLS_H
