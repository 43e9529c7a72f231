// The loops of a matrix product around its register tiles, and the elementwise operations on its results.
//
//   tiles of this range of blocks, neighbours of a row of tiles at once
//     rows, as many as a left panel holds
//       parts of k: pack the left panel
//         columns, as many as right panels hold: pack them, multiply; after the last part of k compute what follows
//
// int8 and uint8 work the same way, with pairs or fours along k instead of elements, and i32 instead of f32 (Cells.h):
// k counts cells.
//
// Partial sums are in a buffer of f32 until the next part of k; if the result is an f32 tensor and no operation
// follows, they are in the tensor itself. The elementwise operations run on each finished panel of results, in
// the innermost cache. The parts of k depend only on its size, so a sum has one order for all numbers of blocks
// and threads.
//
// If rows of the results are reduced, the sums of some whole rows go to a buffer, and the kernel of rows (rows/Rows.h)
// reads them there. A row of any kernel is never divided, so each has one order of sums.
//
// Register tiles read operands of f32 where they are, if packing would cost more than it saves: the left one for few
// columns, the right one for few rows or if its own rows are short.
//
// A constant operand may be packed before the launch, whole and in the same order; then a launch reads its tiles or
// panels there.
//
// An operand may be computed from a tensor element by element. Then the elements of a part are computed into a buffer
// in the innermost cache, from which they are packed, or multiplied by a few rows, like those of a matrix of f32.
//
// A matrix of one row, or of a few, is multiplied without panels (FewRows.h): its product takes as long as reading the
// other operand once.
//
// Windows of an input (WindowedMatrix.h) are a right operand that does not exist in memory. If its rows are rows in
// memory, as in a 1 x 1 convolution, it is an ordinary operand. Otherwise planes of the input are copied, and tiles
// read windows from them (Planes.h); then there are unused positions between rows, which are removed after all of k. If
// the planes of one channel do not fit the buffer, packing makes panels of the windows. Most depthwise windows are read
// from the input itself, with the sums of a row in registers (WindowRows.h).
//
// Windows over three dimensions are computed plane by plane of results. In each they are windows over two, of as many
// channels as the input's times the planes of a window (WindowedMatrix.h).

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_PRODUCT_PRODUCT_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_PRODUCT_PRODUCT_H

#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/contraction/Cells.h"
#include "lowering/cpu/vector/contraction/FewRows.h"
#include "lowering/cpu/vector/contraction/Planes.h"
#include "lowering/cpu/vector/contraction/SmallPlanes.h"
#include "lowering/cpu/vector/contraction/Tiles.h"
#include "lowering/cpu/vector/contraction/WindowRows.h"
#include "lowering/cpu/vector/contraction/WindowedMatrix.h"
#include "lowering/cpu/vector/rows/Rows.h"

namespace opc::cpu {

// Elements that are computed at once, and stay in the innermost cache or close to it: all of them; rows along k of a
// panel, a multiple of the rows of a tile, and rows across k; of a row. For few rows of the result: columns along k, as
// many as are multiplied together, and of k.
inline constexpr int64_t kComputed = 16384, kComputedRows = 48, kComputedDepth = 16, kComputedOfRow = 512;
inline constexpr int64_t kComputedColumns = 4, kComputedAlongK = 2048;

// The sums of that many columns of a single row, and the left row for that much of k, stay in the innermost cache,
// beside the streams of the matrix; so do the sums of this many positions of windows and their plane.
inline constexpr int64_t kColumnsOfRow = 4096, kDepthOfRow = 16384, kPlacesOfRow = 2048;

// Cells between rows of a few rows, so that they do not share sets of the cache; vectors may end there.
inline constexpr int64_t kBetweenRows = 16;

/// A part of the results of one batch: rows and columns begin .. end.
struct ResultPart {
  llvm::Value *rowBegin, *rowEnd, *columnBegin, *columnEnd;
};

/// The code of one product. Each file of this folder has some of its functions, as the headings say.
class Product {
public:
  Product(CodeBuilder &b, FusedKernel &kernel, Frame &frame);

  /// Whether reductions of rows have a form (cpu_c8).
  bool plan();

  llvm::Value *emit();

private:
  /// The layout of planes of windows, and the offsets of rows of a part of k in them.
  struct PlaneTable {
    Planes planes = {};
    llvm::Value *table = nullptr;
    int64_t places = 0; ///< at most, at a time
    bool ofRow = false; ///< of a single row of results
  };
  struct Panels;

  // Product.cpp: the tiles of a launch and the buffers that they share.
  llvm::Value *tiles(llvm::Value *item);
  void wholeRowsOf(const ResultPart &whole);
  void part(const ResultPart &part);
  void makeBuffers();
  /// Calls `each` with the first and the number of each part of k; there is at least one part, which may be empty.
  void partsOfK(llvm::Value *most,
                llvm::function_ref<void(llvm::Value *k, llvm::Value *depth, llvm::Value *isLast)> each);

  // PanelLoops.cpp: blocks of rows by panels.
  void blocks(const ResultPart &part);
  llvm::Value *readsRightInPlace(llvm::Value *rows);
  void rowBlock(const ResultPart &part);
  void panels(const Panels &of);
  void panel(const Panels &of, llvm::Value *place, llvm::Value *columns);
  void askNext(const Panels &of, llvm::Value *place, PanelProduct &product);
  void multiply(const PanelProduct &product, llvm::Value *columns);

  // RowLoops.cpp: one row, or a few, without panels.
  void singleRow(const ResultPart &part);
  void fewRows(const ResultPart &part);
  void multiplyFew(RowProduct product, llvm::Value *column, llvm::Value *k, llvm::Value *depth);
  llvm::Value *isFew();
  std::pair<llvm::Value *, llvm::Value *> partOfFew();

  // WindowLoops.cpp: windows that are copied to planes, and single rows of windows.
  void forPlanes(const ResultPart &part, llvm::function_ref<void(const ResultPart &)> each);
  /// The column of a result in its plane.
  llvm::Value *inPlane(llvm::Value *column) { return right.depth ? b.CreateSub(column, firstOfPlane) : column; }
  void rowBlockOfPlanes(const ResultPart &part, const PlaneTable &of);
  void rowsOfWindows(const ResultPart &part);
  void rowsOfWindows(const ResultPart &part, WindowRows &windows);
  void rowOfWindows(const ResultPart &part);
  llvm::Value *isChannel();
  llvm::Value *areSmallPlanes();
  void smallPlanesOf(llvm::ArrayRef<llvm::Value *> first, llvm::Value *batches);
  llvm::Value *weightsOfRow(llvm::Value *row);
  PlaneTable planeTable(int64_t places, bool ofRow);
  WindowedMatrix windows();
  WindowedMatrix sizesOfWindows();

  // Operands.cpp: operands in memory, packed, or computed.
  llvm::Value *canPack(unsigned operand, bool alongK, unsigned otherLoop);
  llvm::Value *canDivide(llvm::Value *rows, llvm::Value *length);
  llvm::Value *blockLength(llvm::Value *rows);
  void forEachMatrix(unsigned operand, llvm::function_ref<void(llvm::Value *first)> each);
  llvm::Value *packWhole(unsigned operand);
  PanelProduct leftOf(llvm::Value *row, llvm::Value *rows, llvm::Value *k, llvm::Value *depth, llvm::Value *columns);
  void packComputed(llvm::Value *row, llvm::Value *rows, llvm::Value *k, llvm::Value *depth);
  void packRow(llvm::Value *to, llvm::Value *row, llvm::Value *k, llvm::Value *depth);
  void packRight(llvm::Value *to, llvm::Value *column, llvm::Value *columns, llvm::Value *k, llvm::Value *depth);
  /// The element of an operand's matrix at a row and a column in memory.
  MatrixPart matrixAt(unsigned tensor, llvm::Value *row, llvm::Value *column);
  MatrixPart operandAt(unsigned operand, llvm::Value *row, llvm::Value *column, llvm::Value *rows, llvm::Value *columns,
                       llvm::Value *ahead = nullptr);
  Lane lanesOfTensor(mlir::Value value, llvm::ArrayRef<llvm::Value *> rowsAt, llvm::Value *column, llvm::Value *count);
  llvm::Value *computeLanes(unsigned operand, llvm::ArrayRef<llvm::Value *> rowsAt, llvm::Value *column,
                            llvm::Value *count);
  /// What is multiplied of an operand; null if that is its tensor.
  mlir::Value computedOf(unsigned operand) const {
    return operand == kernel.leftOperand ? kernel.leftComputed : kernel.rightComputed;
  }
  /// Whether register tiles can read the left operand in memory.
  bool readsLeftFloats() const {
    return sizes.readsLeft && left.element.kind == Element::Plain && elementsOfCell == 1 && !kernel.leftComputed;
  }
  /// Likewise the right operand.
  bool readsFloats() const {
    return !isRightAlongK && right.element.kind == Element::Plain && elementsOfCell == 1 && !kernel.rightComputed;
  }

  // Results.cpp: the elementwise operations on sums.
  void finish(llvm::Value *row, llvm::Value *rows, llvm::Value *column, llvm::Value *columns, llvm::Value *from,
              llvm::Value *step);
  /// The pointers of resultRows() for column 0, and vectors of the inputs that have one number for a whole row; null
  /// for others.
  struct ResultRow {
    llvm::SmallVector<llvm::Value *> at;
    Values wholeRow;
  };
  ResultRow resultRow(llvm::Value *row);
  void finishVector(llvm::ArrayRef<llvm::Value *> rowsAt, llvm::Value *sums, llvm::Value *column, llvm::Value *count,
                    llvm::ArrayRef<llvm::Value *> ofWholeRow = {});
  void finishVectorOrPart(const ResultRow &row, llvm::Value *column, llvm::Value *sums, llvm::Value *isWhole,
                          llvm::Value *count);
  llvm::SmallVector<llvm::Value *> resultRows(llvm::Value *row, llvm::Value *column);
  void keep(llvm::Value *row, llvm::Value *rows, llvm::Value *column, llvm::Value *columns, llvm::Value *from,
            llvm::Value *step);
  void finishRows(const ResultPart &part);

  // Cells: the number of all of k; the position in memory of one, and the number of elements of some from there on.
  llvm::Value *cellsOfK() { return ceilDiv(frame.loopSize(2), b.index(elementsOfCell)); }
  llvm::Value *inMemory(llvm::Value *k) { return b.CreateMul(k, b.index(elementsOfCell)); }
  llvm::Value *elementsFrom(llvm::Value *k, llvm::Value *depth) {
    return elementsOfCell > 1 ? b.min(inMemory(depth), b.CreateSub(frame.loopSize(2), inMemory(k))) : depth;
  }
  /// The multiplication of cells in panels, and for a single row. If both operands are signed or both unsigned, one
  /// is flipped.
  CellProduct cellsOfPanels() { return {elementsOfCell, !right.isUnsigned, isAlike()}; }
  CellProduct cellsOfRow() { return {elementsOfCell, left.isUnsigned, isAlike()}; }
  bool isAlike() const { return elementsOfCell == 4 && left.isUnsigned == right.isUnsigned; }
  /// The offset of the sums of columns in the packed form of the right operand, in cells.
  llvm::Value *packedStarts(llvm::Value *column) {
    return b.CreateAdd(b.CreateMul(cellsOfK(), frame.loopSize(1)), column);
  }

  // Arithmetic of the emitted code.
  llvm::Value *floatAt(llvm::Value *pointer, llvm::Value *i) { return b.at(pointer, b.getFloatTy(), i); }
  llvm::Value *ceilDiv(llvm::Value *a, llvm::Value *by) {
    return b.CreateUDiv(b.CreateAdd(a, b.CreateSub(by, b.index(1))), by);
  }
  llvm::Value *roundUp(llvm::Value *a, int64_t unit) { return b.CreateMul(ceilDiv(a, b.index(unit)), b.index(unit)); }
  /// Quotient and remainder. A division takes as long as the products of a short row, so it is avoided for
  /// small numbers.
  std::pair<llvm::Value *, llvm::Value *> divided(llvm::Value *a, llvm::Value *by);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  const PanelSizes sizes;
  const KernelTensor &left, &right;
  const bool isLeftAlongK, isRightAlongK;
  const unsigned elementsOfCell;
  const mlir::Value product;
  bool isDirect = false;                                         ///< sums are in the tensor of results itself
  llvm::SmallVector<llvm::Value *> batch;                        ///< the first element of each tensor in a batch
  llvm::Value *isLeftPacked = nullptr, *isRightPacked = nullptr; ///< i1
  llvm::Value *packedLeft = nullptr, *packedRight = nullptr;     ///< if packed: the first element of the batch
  llvm::Value *leftPanel = nullptr, *rightPanel = nullptr, *sums = nullptr;
  llvm::Value *computed = nullptr;     ///< a part of an operand whose elements are computed
  llvm::Value *readsFewRows = nullptr; ///< i1: a few rows are multiplied without panels (FewRows.h); false for windows
  llvm::Value *readsRows = nullptr;    ///< i1: rows of the right operand are rows in memory; null if it has no windows
  PlaneTable planes, planesOfRow;
  std::optional<SmallPlanes> smallPlanes; ///< of windows of one channel
  /// With a depth: the plane of results that is computed, and the first of its columns.
  llvm::Value *planeOfResults = nullptr, *firstOfPlane = nullptr;
  // Of a kernel that reduces rows.
  std::optional<FusedKernel> finishedRows;
  std::optional<RowKernel> rowKernel;
  llvm::Value *wholeRows = nullptr, *firstWhole = nullptr; ///< results of whole rows, and the first of these rows
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_PRODUCT_PRODUCT_H
