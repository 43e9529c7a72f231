// The kernel of a matrix product, and of what follows on its results. ContractionKernel.cpp has the loops over tiles;
// there is one file for each part of the work: ContractionOperands.cpp loads operands to L1, ContractionResults.cpp
// stores tiles or computes with them, ContractionRows.cpp has kernels whose steps reduce rows.

#ifndef OPC_LOWERING_AICORE_PLACE_CONTRACTION_CONTRACTIONKERNEL_H
#define OPC_LOWERING_AICORE_PLACE_CONTRACTION_CONTRACTIONKERNEL_H

#include "lowering/aicore/Iterations.h"
#include "lowering/aicore/place/contraction/ComputedOperand.h"

#include "dialect/aicore/tiles/RowTiles.h"
#include "runtime/target/toolkit/KernelCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace opc::aicore {

/// Whether steps reduce rows, which are then whole in a tile.
inline bool reducesRows(const TileProgram &program) {
  return llvm::any_of(program.steps, [](const TileStep &step) { return step.reducesRows(); });
}

class ContractionKernel {
public:
  explicit ContractionKernel(const KernelParts &parts)
      : parts(parts), w(parts.writer), product(parts.shape.product),
        tile(isLongRow(parts.schedule)
                 ? tileOfLongRows(parts.schedule, operandBytes(product.type), parts.target)
                 : CubeTile::of(parts.schedule, operandBytes(product.type),
                                !parts.program.storesProduct() && !reducesRows(parts.program), parts.target)),
        rows(tile.rows), depth(tile.depth), panelDepth(tile.panelDepth(parts.target)),
        perRow(kFractalRowBytes / elementSize(product.type)),
        ofFractal(hasBands(product.isLeftAlongK) || hasBands(product.isRightAlongK) ? kFractalRows : perRow),
        right(ResidentRight::of(tile, parts.target)), ofColumns(product.isRightAlongK ? kFractalRows : ofFractal),
        width(std::max(tile.width, ofColumns)) {}
  void write();

private:
  mlir::Value field(unsigned tensor, const char *suffix, std::optional<int64_t> min = std::nullopt) {
    return w.field(parts.nameOf(tensor) + suffix, min);
  }
  mlir::Value startOf(unsigned tensor) { return starts.empty() ? parts.startOf(tensor, batches) : starts[tensor]; }
  mlir::Value startOfPacked(unsigned tensor, mlir::Value ofRow, bool isAlongK);
  /// Whether a packed operand is the filters of windows: one matrix for all groups. No other left operand is packed.
  bool isFilters(unsigned tensor) const { return tensor == product.left; }
  mlir::Value rowsOfFilters();
  mlir::Value whole(mlir::Value size, int64_t unit = kFractalRows) {
    return w.mul(w.ceilDiv(size, w.constant(unit)), w.constant(unit));
  }
  mlir::Value isEqual(mlir::Value a, mlir::Value b) {
    return mlir::arith::CmpIOp::create(w.ops(), w.getLocation(), mlir::arith::CmpIPredicate::eq, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return mlir::arith::SelectOp::create(w.ops(), w.getLocation(), condition, a, b);
  }
  mlir::Value buffer(const std::string &name, int64_t elements, Space space, Layout layout, ElementType type);
  mlir::Value makeResult(int64_t columns);
  bool hasRowInL0c() const {
    return isLongRow(parts.schedule) && bytesOfResult(tile.part) <= parts.target.memoryBytes(Memory::L0C);
  }
  int64_t bytesOfResult(int64_t columns) const { return rows * columns * int64_t(sizeof(float)); }
  Extent extentOf(mlir::Value place, mlir::Value size, int64_t most, int64_t unit);
  void startRows(mlir::Value number);
  void startBatch(mlir::Value number);
  Extent partOf(mlir::Value number, int64_t most);
  Extent stepOf(mlir::Value step) { return partOf(step, depth); }
  /// Whether L1 has an operand in bands of 16 of k.
  bool hasBands(bool isAlongK) const { return !isAlongK && perRow < kFractalRows; }
  /// Whether the last column of fractals is padding, since two of them belong together.
  mlir::Value endsInHalf(const Extent &columns) {
    return mlir::arith::CmpIOp::create(w.ops(), w.getLocation(), mlir::arith::CmpIPredicate::sge,
                                       w.sub(columns.whole, columns.size), w.constant(perRow));
  }
  /// A part of an operand in L1, whose columns of fractals are `height` rows apart.
  struct Part {
    mlir::Value tile, height;
  };
  /// Loads a part of an operand for the range `k`, with at most `most` of its rows or columns `across`.
  Part loadPartOf(unsigned tensor, bool isAlongK, const Extent &across, int64_t most, const Extent &k);
  Part loadLeft(const Extent &k) { return loadPartOf(product.left, product.isLeftAlongK, m, rows, k); }
  Part loadRight(const Extent &k) { return loadPartOf(product.right, product.isRightAlongK, n, width, k); }
  void multiplyStep(Extent k, mlir::Value isFirst, mlir::Value result);
  void multiply(const Extent &k, Part left, Part right, mlir::Value isFirst, mlir::Value result);
  void loadPacked(unsigned tensor, const Extent &lines, const Extent &columns, bool isAlongK, mlir::Value part,
                  mlir::Value height);
  void fillLastTwo(mlir::Value part, const Extent &lines, const Extent &columns, mlir::Value height, ElementType type);
  void loadBands(unsigned tensor, const Extent &lines, const Extent &columns, mlir::Value part, int64_t most);
  /// At most `most` lines and columns.
  void loadPart(unsigned tensor, const Extent &lines, const Extent &columns, std::pair<int64_t, int64_t> most,
                bool isAlongK, mlir::Value part, mlir::Value height);
  mlir::Value bufferOf(unsigned tensor, const char *suffix, int64_t elements) {
    return buffer(parts.nameOf(tensor) + suffix, elements, Space::L1, Layout::NZ, product.type);
  }
  /// What makes an operand; null if it is multiplied as it lies in memory.
  ComputedOperand *computedOf(unsigned tensor) const {
    auto found = llvm::find_if(computed, [&](const auto &each) { return each->isOf(tensor); });
    return found == computed.end() ? nullptr : found->get();
  }
  /// Of k, in a part of an operand in L1.
  int64_t depthOfParts() const {
    return parts.shape.hasResidentRight               ? right.depth
           : parts.shape.isResident || hasDeepParts() ? tile.partDepth()
                                                      : depth;
  }
  /// Whether L1 has parts of several steps of both operands, which do not stay there.
  bool hasDeepParts() const {
    return reducesRows(parts.program) && !parts.shape.hasResidentRight &&
           tile.depthOfReduced(product.isRightAlongK, parts.program.foldsLanes()) > depth;
  }
  mlir::Value partOf(mlir::Value tile, mlir::Value number, int64_t elements, int64_t unit = 0);
  void loadPanel(mlir::Value panel, mlir::Value partsOfK);
  void multiplyInL1(mlir::Value leftPart, mlir::Value rightPart, mlir::Value step, mlir::Value result);
  void multiplyParts(mlir::Value partsOfK, mlir::Value sums);
  void multiplyRun(mlir::Value panel, mlir::Value partsOfK, mlir::Value sums);
  void finishTile(mlir::Value sums);
  void writeRuns(mlir::Value first, mlir::Value tiles, mlir::Value result);
  struct RowsInUb;
  void writeRowsOfTiles(mlir::Value first, mlir::Value tiles, mlir::Value result);
  void writeRowOfTiles(const RowsInUb &rowsInUb, mlir::Value result);
  void writeRunsOfRows(const RowsInUb &rowsInUb, mlir::Value first, mlir::Value tiles, mlir::Value result);
  void loadMatrix(mlir::Value matrix, mlir::Value steps);
  void loadLeftRows(mlir::Value left, mlir::Value steps);
  void forEachTile(llvm::function_ref<void(mlir::Value)> body);
  void loadRightPart(mlir::Value steps, mlir::Value at, mlir::Value number, int64_t most);
  mlir::Value stepOfMatrix(mlir::Value place, mlir::Value number, mlir::Value step);
  void writePieces(mlir::Value sums, mlir::Value stride);
  void storeResult(mlir::Value result);
  void writeOnes() { parts.writeOnes(batches); }
  TileId productValue() const;
  int64_t roomInUb() const;
  int64_t partsOfPiece() const;
  /// A part of a tile in UB: some columns of all rows, or some rows of all columns, `from` the first of the tile on.
  struct PartOfTile {
    Extent rows, columns;
    mlir::Value from;
  };
  bool hasPartsOfRows() const { return tile.partRows < rows; }
  bool isDelayed() const;
  bool isComputedAlongK() const { return computedOf(product.right) ? product.isRightAlongK : product.isLeftAlongK; }
  mlir::Value isBelow(mlir::Value a, mlir::Value b) {
    return mlir::arith::CmpIOp::create(w.ops(), w.getLocation(), mlir::arith::CmpIPredicate::slt, a, b);
  }
  mlir::Value viewOfResult(mlir::Value result, mlir::Value offset, int64_t elements);
  void writeTile(llvm::function_ref<void(mlir::Value)> place, mlir::Value number, mlir::Value tiles,
                 llvm::function_ref<void(mlir::Value)> multiplyTile, mlir::Value result);
  /// Whether a value is a row that is the same in all parts of a tile, and is there before the first of them.
  bool isRowOfTile(TileId value) const { return hasRowsOnce && parts.spreadOf(value) == Spread::Row; }
  PartOfTile partOfTile(mlir::Value number);
  mlir::Value fractalsOf(mlir::Value result, const PartOfTile &part);
  mlir::Value rowStride(const Extent &columns);
  void copyResults(mlir::Value result, mlir::Value to, const PartOfTile &part);
  void writePiece(mlir::Value result, mlir::Value number, int64_t count);
  void writeEpilogue(mlir::Value result);
  void copyDelayed(mlir::Value result);
  void writeDelayed();
  void writePart(mlir::Value result, const PartOfTile &part);
  void loadRowsOfTile();
  bool computesRowsOnce() const;
  void computeRowsOfTile();
  /// Whether a row is loaded once for a tile. If parts have some of the columns, this requires that parts of it begin
  /// at whole blocks and are no wider than fractals, which is not so for kernels with bytes, and that no step works in
  /// place of it, as `alias` allows: the last part may overlap the one before.
  bool isOfTile(TileId value) {
    if (isRowOfTile(value))
      return parts.isInput(value);
    if (!parts.isInput(value) || parts.spreadOf(value) != Spread::Row ||
        parts.homes.repeatedHomes.contains(parts.homes.of[value]) || parts.schedule.getAlias() ||
        w.columnStride() > kFractalRows)
      return false;
    const ElementType type = parts.program.values[value].type;
    return kFractalRows * int64_t(elementSize(type)) % parts.target.ubAlignment() == 0;
  }

  const KernelParts &parts;
  KernelWriter &w;
  const ProductOperands &product;
  const CubeTile tile;
  const int64_t rows, depth; ///< of it
  const int64_t panelDepth;  ///< of k that a resident panel has
  const int64_t perRow;      ///< of an operand that 32 bytes hold
  const int64_t ofFractal;   ///< of k that a fractal of an operand has, or two that are transposed together
  const ResidentRight right; ///< for a key with a right matrix in L1
  const int64_t ofColumns;   ///< columns that n is filled up to: bytes of [K, N] are transposed in squares of 32
  const int64_t width;       ///< columns that buffers have, of at least one square
  const bool hasRowsOnce = computesRowsOnce();
  const bool delays = isDelayed();
  mlir::Value delayed; ///< in UB: the results of the tile before, if iterations compute with these
  mlir::Value isThere; ///< false for a product after the last tile or results before the first; null if there is none
  /// A size, or 0 for what is not there.
  mlir::Value ifThere(mlir::Value size) { return isThere ? w.min(size, orNone(kMostSize)) : size; }
  mlir::Value orNone(int64_t number) { return select(isThere, w.constant(number), w.constant(0)); }
  static constexpr int64_t kMostSize = 1 << 16; ///< more than any size of a tile
  mlir::Value sizeM, sizeN, sizeK, across, down;
  mlir::SmallVector<mlir::Value> trips; ///< of the batch loops but the outermost, innermost first
  mlir::SmallVector<KernelParts::BatchLoop> batches{{"_s0", mlir::Value()},
                                                    {"_s1", mlir::Value()}}; ///< null before the first tile
  mlir::SmallVector<mlir::Value> starts; ///< of all tensors in the current batch, if there are many loops
  Extent m, n;
  llvm::DenseSet<unsigned> ofTile; ///< homes of rows that are loaded once for a tile
  mlir::SmallVector<std::unique_ptr<ComputedOperand>, 2> computed;
  std::optional<TileId> ofPiece; ///< the product, if Fixpipe has written it for several parts
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_CONTRACTION_CONTRACTIONKERNEL_H
