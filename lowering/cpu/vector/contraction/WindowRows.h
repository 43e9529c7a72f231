// A row of results of depthwise windows in registers: one channel times one filter, read from the input itself.
//
//   sums[0 .. lanes) of row oh  =
//     for kh, kw:  weight[kh][kw] * x[oh * s + kh * d - p][(ow + 0 .. lanes) * s + kw * d - p]
//
// Columns of padding are lanes that a mask leaves 0, and rows of padding are skipped. So nothing is copied before and
// nothing is moved after, and no load waits for a store: for planes of 7 x 7 that took most of the time.
//
// With stride 1 or 2 both ways each row of the input is read once for all rows of results that need it, whose sums wait
// in registers:
//
//   row i of the input:   results[i - 2 + p] += weights[2] * row, complete
//                         results[i - 1 + p] += weights[1] * row
//                         results[i     + p]  = weights[0] * row

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWROWS_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWROWS_H

#include "lowering/cpu/vector/contraction/WindowedMatrix.h"

namespace opc::cpu {

class WindowRows {
public:
  /// Columns of windows for which there is code.
  static constexpr int64_t kColumns[] = {3, 5, 7};
  /// Whether a level has the loads for these elements, and strides and dilations are those of a case above.
  static bool canRead(const CodeBuilder &b, const WindowedMatrix &matrix);
  /// i1: whether windows have this number of columns and of rows.
  static llvm::Value *hasSize(CodeBuilder &b, const WindowedMatrix &matrix, int64_t columns);

  /// `weights`: f32, a row of `columns` for each row of the window.
  WindowRows(CodeBuilder &b, const WindowedMatrix &matrix, llvm::Value *weights, int64_t columns);

  using Results = llvm::function_ref<void(llvm::Value *place, llvm::Value *sums)>;
  /// Calls `each` for the rows of results begin .. end, in order, with the place of `column` in the plane and the sums
  /// of a vector of columns from there on. Lanes that are no columns of the results are unspecified.
  void sweep(llvm::Value *column, llvm::Value *begin, llvm::Value *end, Results each);

private:
  void choose(llvm::Value *first);
  llvm::Value *sums(llvm::Value *row);
  llvm::Value *addRow(llvm::Value *row, llvm::Value *sum, llvm::function_ref<llvm::Value *(unsigned tap)> weight);
  Values elementsOf(llvm::Value *row);
  Values elementsOfShort(llvm::Value *row);
  Values elementsShifted(llvm::Value *row);
  bool canShift() const;
  void sweepOnce(llvm::Value *column, llvm::Value *begin, llvm::Value *end, Results each);
  llvm::Value *placeOf(llvm::Value *row, llvm::Value *column) {
    return b.CreateAdd(b.CreateMul(row, matrix.sizes.out[1]), column);
  }
  llvm::Value *rowAt(llvm::Value *row);
  Values step(llvm::Value *at, llvm::ArrayRef<llvm::Value *> waiting,
              llvm::function_ref<llvm::Value *(int64_t number)> isInside);
  llvm::Value *maskFrom(llvm::Value *start, unsigned lanes);
  llvm::Value *loadAt(llvm::Value *row, unsigned tap, unsigned number);

  CodeBuilder &b;
  const WindowedMatrix &matrix;
  llvm::Value *weights;
  Values splats; ///< of all weights
  const int64_t columns;
  const unsigned lanes;
  llvm::Value *start = nullptr; ///< for the first column of the window, the column of the input for lane 0
  llvm::SmallVector<llvm::Value *>
      masks; ///< for each column of the window and each of its loads: lanes inside of the row
  /// Elements behind two vectors that columns of a window need: 2 * (lanes - 1) + columns - 1 is the last one.
  static constexpr unsigned kBehind = 8;
  llvm::Value *behind = nullptr; ///< their mask
  unsigned loads = 1;            ///< of a column of the window
  bool isShort = false;          ///< two loads are a whole row of the input, for all columns of the window
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWROWS_H
