// Writes the ops of a placed kernel: tiles as views of buffers, DMA, steps of a tile program.
//
// Lengths of one tile. A tile of rows lies in UB row by row, each row on a multiple of `ld` elements, so that rows
// start on 32 bytes in every element type of the kernel:
//
//   cols = 5, ld = 8     x x x x x . . .    steps of one spread run over all of rows * ld elements,
//                        x x x x x . . .    pads too; mixed ones go row by row

#ifndef OPC_LOWERING_AICORE_PLACE_KERNELWRITER_H
#define OPC_LOWERING_AICORE_PLACE_KERNELWRITER_H

#include "dialect/aicore/index/IndexBuilder.h"
#include "lowering/aicore/place/Homes.h"

namespace opc::aicore {

/// Extents of the tile at hand, in elements; null where the kernel's form has none.
struct TileExtent {
  mlir::Value full;   ///< of Full values: rows * ld, or the count of a flat tile
  mlir::Value rows;   ///< rows of the tile
  mlir::Value cols;   ///< elements of a row that count
  mlir::Value ld;     ///< elements from one row to the next
  mlir::Value column; ///< of Column values: rows * columnStride
};

/// Also builds the kernel's index arithmetic.
class KernelWriter : public IndexBuilder {
public:
  KernelWriter(const TileProgram &program, const Homes &homes, const ScheduleAttr &schedule, const TileNeeds &needs,
               const Target &target, mlir::OpBuilder &builder, mlir::func::FuncOp kernel)
      : IndexBuilder(builder, kernel.getLoc(), kernel.getBody().front()), program(program), homes(homes),
        schedule(schedule), needs(needs), target(target), kernel(kernel) {}

  // Scalars, at the builder's place.
  mlir::Value field(llvm::StringRef name, std::optional<int64_t> min = std::nullopt,
                    std::optional<int64_t> max = std::nullopt);
  mlir::Value blockIndex();
  /// A loop from 0 to `trips` by 1; the builder stands in it while `body` runs.
  void loop(mlir::Value trips, llvm::function_ref<void(mlir::Value)> body);

  /// Makes the buffers of homes for which `take` holds, at the builder's place. A home may get one in several places,
  /// told apart by the suffix; what is written then takes the last one.
  void makeBuffers(llvm::function_ref<bool(const Home &, unsigned)> take, llvm::StringRef suffix = "");
  /// Elements from one row of a Column tile to the next.
  int64_t columnStride() const { return 32 / needs.smallest; }
  /// What a row's length is rounded up to.
  mlir::Value roundUpToRow(mlir::Value length);

  /// `count` elements of a tensor from `offset`, to or from its flat tile.
  void loadFlat(TileId value, mlir::Value offset, mlir::Value count);
  void storeFlat(TileId value, unsigned tensor, mlir::Value offset, mlir::Value count);
  /// Rows of a tensor: `rows` times `cols` elements from `offset`, `stride` apart, to or from rows `ld` apart in UB.
  void loadRows(TileId value, mlir::Value offset, mlir::Value rows, mlir::Value cols, mlir::Value stride,
                mlir::Value ld);
  void storeRows(TileId value, unsigned tensor, mlir::Value offset, mlir::Value rows, mlir::Value cols,
                 mlir::Value stride, mlir::Value ld);

  /// Writes the steps for which `take` holds.
  void writeSteps(const TileExtent &extent, llvm::function_ref<bool(const TileStep &)> take);
  void writeStep(const TileStep &step, const TileExtent &extent);
  /// Reads One values that steps take as scalars; in front of the loop over tiles.
  void readOnes();

  /// Lays the Row values that mixed steps take into each of `rows` rows of their tiles, `ld` apart: such steps then
  /// run over a whole tile.
  void repeatRows(mlir::Value rows, mlir::Value ld);

  /// Fills the offsets that spread elements of rows over blocks; in front of all loops.
  void makeOffsets();
  /// The rows of a new tile, in all passes over them: what was spread for the last one counts no more.
  void startTile() { spread.clear(); }

  // One row a tile.
  /// Spreads or reads the row's element of Column values that the steps for which `take` holds take.
  void readRowScalars(llvm::function_ref<bool(const TileStep &)> take);
  /// A step on `length` elements of one row.
  void writeSingleRow(const TileStep &step, mlir::Value length);
  /// The result of a reduction before anything is folded into it.
  void writeIdentity(const TileStep &step, mlir::Value length);
  /// Reduces `length` elements and folds the outcome into the reduction's result.
  void writeFold(const TileStep &step, mlir::Value length);

  // Rows folded into one: the result's buffer has as many rows as a tile until they are folded.
  void accumulate(const TileStep &step, const TileExtent &extent);
  void foldAccumulator(const TileStep &step, mlir::Value rows, mlir::Value ld, mlir::Value cols);
  /// A view of a home: `length` elements from `offset`.
  mlir::Value view(unsigned home, mlir::Value offset, mlir::Value length);
  mlir::Value viewOf(TileId value, mlir::Value offset, mlir::Value length) {
    return view(homes.of[value], offset, length);
  }
  void setLocation(mlir::Location at) { location = at; }

private:
  void writeFlat(const TileStep &step, mlir::Value length, mlir::Value rowScalar);
  void writeRowByRow(const TileStep &step, const TileExtent &extent);
  void writeWithBlocks(const TileStep &step, mlir::Value rows, mlir::Value length);
  /// Spreads the elements of `rows` rows over blocks, if that is not done in this tile.
  void spreadRows(TileId column, mlir::Value rows);
  /// The blocks of `rows` rows from `first`.
  mlir::Value blocksOf(TileId column, mlir::Value first, mlir::Value rows);
  void writeReduction(const TileStep &step, const TileExtent &extent);
  void create(const TileStep &step, llvm::ArrayRef<mlir::Value> sources, mlir::Value scalar, mlir::Value destination);
  mlir::Value lengthOf(Spread spread, const TileExtent &extent);
  bool isMixed(const TileStep &step) const;
  mlir::Value wholeMask(TileId value);
  mlir::Value constantOf(ElementType type, double value);
  mlir::Value scratchOf(const TileStep &step);
  mlir::Value smallBuffer(const std::string &name, ElementType type, int64_t bytes);
  mlir::Value rowsOfTensor(unsigned tensor, mlir::Value offset, mlir::Value rows, mlir::Value cols, mlir::Value stride);
  mlir::Value part(mlir::Value memref, mlir::Value offset, mlir::Value length);

  const TileProgram &program;
  const Homes &homes;
  ScheduleAttr schedule;
  const TileNeeds &needs;
  const Target &target;
  mlir::func::FuncOp kernel;
  llvm::DenseMap<unsigned, mlir::Value> buffers; ///< by home
  llvm::DenseMap<TileId, mlir::Value> ones;      ///< scalars of One values, of Column ones of a row
  llvm::DenseMap<TileId, mlir::Value> foldParts, scratches;
  llvm::DenseSet<TileId> spread;   ///< Column values whose blocks are filled
  llvm::DenseSet<TileId> repeated; ///< Row values that lie in each row of their tile
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_KERNELWRITER_H
