// Depthwise windows of planes whose rows of results are at most half a vector: one channel times one filter, read from
// the input itself, two rows of results in a vector. Vectors of single rows (WindowRows.h) would be half empty, and
// each row has its loads, branches and stores.
//
//   input rows r and r + 1 (stride 1: one load)     results of the rows 2i and 2i + 1, beside each other
//     x00 x01 … x06 x10 x11 … x16                     y00 y01 … y06 y10 y11 … y16
//
//   for two rows of the input; a mask leaves rows of padding 0
//     for each column of the window: elements permuted to their results; a mask leaves columns of padding 0
//       for each row of the window:  sums += weight * elements
//
// With a stride of 2, columns of the window before the padding's end have the elements of the column two further, one
// result later: their sums are moved by a lane in the end, in place of elements for each row.
//
// Permutations and masks depend on the sizes alone, so a launch makes them once for all planes.
//
// Windows of 3 x 3 and 5 x 5 with stride 1 whose results have the sizes of the input take the plane as one row of
// vectors. The elements that a row of the window multiplies begin at most a vector before or after its results, so one
// permutation of two neighbouring vectors brings them to their lanes, and each vector is loaded once. The sums of a
// column of the window are moved to their results in the end, by one or two lanes of neighbouring vectors:
//
//     before │ now │ after      before the plane and after it are zeros, which rows of padding read
//       x[i - W …]              sums of a column move from x[i ± 1]; for columns of padding a mask leaves 0

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_SMALLPLANES_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_SMALLPLANES_H

#include "lowering/cpu/vector/contraction/WindowedMatrix.h"

namespace opc::cpu {

class SmallPlanes {
public:
  /// Columns of windows for which there is code.
  static constexpr int64_t kColumns[] = {3, 5, 7};
  /// Whether a level has the permutations, and strides and dilations are small.
  static bool canRead(const CodeBuilder &b, const WindowedMatrix &matrix);

  /// The tables of a launch, whose sizes `matrix` has; they are filled if `fits`.
  SmallPlanes(CodeBuilder &b, const WindowedMatrix &matrix);

  llvm::Value *fits; ///< i1: the sizes of windows and planes are those of this code

  using Results = llvm::function_ref<void(llvm::Value *place, llvm::Value *sums, llvm::Value *count)>;
  /// Calls `each` for every two rows of a plane whose first element is `from`: with the first of their results, their
  /// sums and the number of results from there on. `weights`: f32, a row of `columns` for each row of the window.
  void sweep(CodeBuilder &b, llvm::Value *from, llvm::Value *weights, int64_t columns, Results each) const;

private:
  bool loadsTwoRows() const { return matrix.steps[0].stride == 1; }
  bool canBeFlat() const;
  /// Rows and columns of a window that keeps the size of a plane.
  int64_t flatWindow() const { return 2 * matrix.steps[0].padBegin + 1; }
  void fillFlat(CodeBuilder &b) const;
  void sweepFlat(CodeBuilder &b, llvm::Value *from, llvm::Value *weights, Results each) const;
  void sweepRows(CodeBuilder &b, llvm::Value *from, llvm::Value *weights, int64_t columns, Results each) const;
  void fillRows(CodeBuilder &b) const;
  void fillColumns(CodeBuilder &b) const;
  int64_t movedFrom(int64_t column, int64_t columns) const;
  llvm::Value *placeOf(CodeBuilder &b, llvm::Value *from, llvm::Value *row) const;
  llvm::Value *rowsAt(CodeBuilder &b, llvm::Value *place, llvm::Value *row) const;

  /// The permutations and masks of the columns of a window, and its weights.
  struct Taps {
    Values orders, available, splats;
    llvm::Value *weights;
    unsigned lanes;
    llvm::Value *splat(CodeBuilder &b, int64_t weight) const;
    llvm::Value *moved(CodeBuilder &b, llvm::Value *rows, llvm::Value *second, int64_t column) const;
  };
  using Rows = llvm::function_ref<void(llvm::Value *place, llvm::Value *sums)>;
  Taps tapsOf(CodeBuilder &b, llvm::Value *weights, int64_t columns) const;
  void sweepResults(CodeBuilder &b, llvm::Value *from, const Taps &taps, int64_t columns, Rows give) const;
  void sweepInput(CodeBuilder &b, llvm::Value *from, const Taps &taps, int64_t columns, Rows give) const;

  const WindowedMatrix matrix;
  const unsigned lanes;
  llvm::Value *isFlat;                 ///< i1: the plane is one row of vectors
  llvm::Value *flatOrders, *flatMasks; ///< for each row of a window; for each vector one for its load and of columns
  llvm::Value *places;                 ///< results of a plane
  llvm::Value *rowMasks;               ///< of the load from a row on, the first one being that of padding
  llvm::Value *orders, *available;     ///< for each column of a window: the permutation, and the lanes without padding
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_SMALLPLANES_H
