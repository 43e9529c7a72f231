// Writes the ops of a placed kernel: views of buffers for tiles, DMA, and the steps of a tile program.
//
// Layout of a tile. A tile of rows is stored in UB row by row. Each row starts at a multiple of `ld` elements, which
// is a multiple of 32 bytes in every element type of the kernel:
//
//   cols = 5, ld = 8     x x x x x . . .    steps of one spread run over rows * ld elements, padding
//                        x x x x x . . .    included; steps of mixed spreads run row by row

#ifndef OPC_LOWERING_AICORE_PLACE_WRITER_KERNELWRITER_H
#define OPC_LOWERING_AICORE_PLACE_WRITER_KERNELWRITER_H

#include "dialect/aicore/index/IndexBuilder.h"
#include "lowering/aicore/place/writer/Needs.h"

#include <functional>

namespace opc::aicore {

/// Extents of the current tile, in elements; null if the kernel's form has none.
struct TileExtent {
  mlir::Value full;   ///< of Full values: rows * ld, or the count of a flat tile
  mlir::Value rows;   ///< rows of the tile
  mlir::Value cols;   ///< elements of a row, without padding
  mlir::Value ld;     ///< elements from one row to the next
  mlir::Value column; ///< of Column values: rows * columnStride
  /// The first position of the tile in the inner two loops, (m, n); null if no step uses positions.
  mlir::Value firstRow, firstColumn;
};

/// Also builds the kernel's index arithmetic.
class KernelWriter : public IndexBuilder {
public:
  KernelWriter(const TileProgram &program, const KernelShape &shape, const Homes &homes, const ScheduleAttr &schedule,
               const TileNeeds &needs, const Target &target, mlir::OpBuilder &builder, mlir::func::FuncOp kernel)
      : IndexBuilder(builder, kernel.getLoc(), kernel.getBody().front()), program(program), shape(shape), homes(homes),
        schedule(schedule), needs(needs), target(target), kernel(kernel) {}

  // Scalars, at the insertion point.
  mlir::Value field(llvm::StringRef name, std::optional<int64_t> min = std::nullopt,
                    std::optional<int64_t> max = std::nullopt);
  /// A field of the loops; with several nests, each nest has its own.
  mlir::Value loopField(llvm::StringRef name, std::optional<int64_t> min = std::nullopt,
                        std::optional<int64_t> max = std::nullopt) {
    return field(name.str() + shape.suffix, min, max);
  }
  mlir::Value blockIndex();
  /// A loop from 0 to `trips` by 1; `body` is called with the insertion point inside the loop.
  void loop(mlir::Value trips, llvm::function_ref<void(mlir::Value)> body);

  /// Makes the buffers of the homes that satisfy `take`, at the insertion point. A home may get buffers in several
  /// places, with different suffixes; later ops use the last one.
  void makeBuffers(llvm::function_ref<bool(const Home &, unsigned)> take, llvm::StringRef suffix = "");
  /// Makes the buffer of a value's home with this number of elements.
  mlir::Value makeBuffer(TileId value, int64_t elements);
  const TileNeeds &tileNeeds() const { return needs; }
  /// The most rows of a tile.
  int64_t rowsOfTile() const { return schedule.getRows(); }
  /// Elements from one row of a Column tile to the next.
  int64_t columnStride() const { return needs.columnStride; }
  /// The extent of a tile of whole rows.
  TileExtent extentOfRows(mlir::Value rows, mlir::Value columns, mlir::Value stride) {
    mlir::Value full = mul(rows, stride), column = mul(rows, constant(columnStride()));
    return {full, rows, columns, stride, column, {}, {}};
  }
  /// The step after a product that adds to it, if one intrinsic does both (dst = src0 * dst + src1): of whole float32
  /// tiles, where the product and the sum are written over a factor. Null if there is none.
  const TileStep *fusedWith(const TileStep &product) const;
  void writeFused(const TileStep &product, const TileStep &sum, const TileExtent &extent);
  /// The length of a row, rounded up to the alignment of rows.
  mlir::Value roundUpToRow(mlir::Value length);

  /// Copies `count` elements of a tensor, from `offset` on, to or from a flat tile.
  void loadFlat(TileId value, mlir::Value offset, mlir::Value count);
  void storeFlat(TileId value, unsigned tensor, mlir::Value offset, mlir::Value count);
  /// Copies `rows` rows of `cols` elements, from `offset` on, `stride` apart in the tensor and `ld` apart in UB, to
  /// element `at` of the tile (default: its first).
  void loadRows(TileId value, mlir::Value offset, mlir::Value rows, mlir::Value cols, mlir::Value stride,
                mlir::Value ld, mlir::Value at = {});
  /// Copies one row of a tile whose lanes are columns, to its start, and then fills the padding: the copy need not wait
  /// for the vector unit.
  void loadRow(TileId value, mlir::Value offset, mlir::Value cols, mlir::Value stride, mlir::Value ld);
  /// The two steps of loadRows: fills the padding that a copy does not write, if an instruction reads it; and copies.
  void fillPadding(TileId value, mlir::Value rows, mlir::Value ld, mlir::Value at);
  void copyRows(TileId value, mlir::Value offset, mlir::Value rows, mlir::Value cols, mlir::Value stride,
                mlir::Value ld, mlir::Value at);
  void storeRows(TileId value, unsigned tensor, mlir::Value offset, mlir::Value rows, mlir::Value cols,
                 mlir::Value stride, mlir::Value ld, mlir::Value at = {});

  // Kernels whose launch decides which loops an input has. `length`: the number of its loaded elements.
  /// Copies `rows` rows of `cols` elements of an input, `stride` apart in the tensor and `ld` apart in UB.
  void loadPart(TileId value, mlir::Value offset, mlir::Value rows, mlir::Value cols, mlir::Value stride,
                mlir::Value ld);
  /// Fills a table with the byte offsets that expand loaded elements: rows are `rowBytes` apart, columns `columnBytes`.
  /// There are `others` rows of `ld` elements after the first; the padding after `cols` has the offset of the last
  /// element of its row.
  void makeTable(unsigned home, mlir::Value others, mlir::Value cols, mlir::Value ld, mlir::Value rowBytes,
                 mlir::Value columnBytes);
  /// The rows that a launch expands of an input, by its way; 0 if it goes the other one.
  struct SpreadRows {
    mlir::Value ofColumn; ///< rows whose first elements are repeated over them
    mlir::Value copied;   ///< rows into which the first one is copied, with it
  };
  /// Trips of the loops around the two ways, in all tiles of a launch.
  struct SpreadTrips {
    mlir::Value columns;    ///< 1 if an input does not vary along n, else 0
    mlir::Value copies;     ///< 0 if all inputs vary along m, 1 for up to 2^doublings rows, else 2
    unsigned doublings = 0; ///< in a trip
  };
  /// Expands in place; after makeOffsets.
  void writeSpread(const TileStep &step, mlir::Value length, const SpreadRows &rows, const SpreadTrips &trips,
                   const TileExtent &extent);
  // Indices of a gathered input are separate tiles, which the scalar unit reads. Returns a buffer for `most` elements
  // of a tensor and loads `count` of them, from `offset` on.
  mlir::Value loadIndices(unsigned tensor, int64_t most, mlir::Value offset, mlir::Value count);
  /// Reads an element of such a buffer.
  mlir::Value readIndex(unsigned tensor, mlir::Value indices, mlir::Value element);

  /// Before the first tile of rows: writes the initial values of scans, in `length` elements.
  void startScans(mlir::Value length);
  void writeScan(const TileStep &step, const TileExtent &extent);
  /// Writes the result of an exclusive scan for the first tile of rows.
  void writeOfNothing(const TileStep &step, const TileExtent &extent);
  void makeRowNumbers();
  void writeCount(const TileStep &step, const TileExtent &extent);
  void writeGather(const TileStep &step, mlir::Value length, const TileExtent &extent);
  void writeOver(const TileStep &step, mlir::Value length) { writeFlat(step, length, {}); }

  /// Writes the steps that satisfy `take`.
  void writeSteps(const TileExtent &extent, llvm::function_ref<bool(const TileStep &)> take);
  void writeStep(const TileStep &step, const TileExtent &extent);
  /// Reads the One values that steps take as scalars; before the loop over tiles.
  void readOnes();

  /// Copies the Row values of mixed steps that satisfy `take` into the `others` rows after the first of their tiles,
  /// `ld` apart. These steps then run over the whole tile.
  void repeatRows(mlir::Value others, mlir::Value ld, llvm::function_ref<bool(TileId)> take);

  /// The same for one value, by copies that double the number of rows: its tile has `rows` rows, `ld` apart.
  void doubleRows(TileId row, mlir::Value rows, mlir::Value ld);
  bool isRepeated(TileId row) const { return homes.repeated.contains(row); }
  /// From now on the value is the `length` elements of its buffer from `offset` on.
  void narrow(TileId value, mlir::Value offset, int64_t length);
  /// The same of another buffer.
  void narrow(TileId value, mlir::Value buffer, mlir::Value offset, int64_t length);

  /// Fills the offsets that spread the elements of rows over blocks; before all loops. Both functions take the bytes of
  /// an element: `rowsOf` gives the number of rows (default: as many as a tile has), `apart` the bytes from one row's
  /// element to the next (default: those of Column tiles).
  void makeOffsets(llvm::function_ref<mlir::Value(unsigned)> rowsOf = {},
                   llvm::function_ref<mlir::Value(unsigned)> apart = {});
  /// Starts a new tile of rows (in all passes over it): no elements have been spread for it yet.
  void startTile() { spread.clear(); }
  /// The same for one value.
  void startPiece(TileId column) { spread.erase(column); }

  // Kernels with one row per tile.
  /// Spreads or reads the row's elements of Column values, for the steps that satisfy `take`.
  void readRowScalars(llvm::function_ref<bool(const TileStep &)> take);
  /// Writes a step on `length` elements of one row.
  void writeSingleRow(const TileStep &step, mlir::Value length);
  /// Initialises the result of a reduction with the identity.
  void writeIdentity(const TileStep &step, mlir::Value length);
  /// Reduces `length` elements and folds the partial result into the reduction's result.
  /// `first`: the column of the row at which they begin.
  void writeFold(const TileStep &step, mlir::Value length, mlir::Value first);

  /// Makes the offsets that gather single lanes of blocks, for reductions by a binary intrinsic; call before all loops.
  /// `ofRows`: for tiles of several rows.
  void makeLaneOffsets(bool ofRows);

  /// Writes a step on one row of a tile, whose rows are `ld` elements apart.
  void writeRowOf(const TileStep &step, mlir::Value row, mlir::Value ld);
  /// The name, with "_" appended while a tensor has it.
  std::string freeName(std::string name) const {
    while (llvm::any_of(shape.tensors, [&](const KernelTensor &tensor) { return tensor.name == name; }))
      name += "_";
    return name;
  }

  // Reduction over rows: until its rows are folded, the result's buffer has as many rows as a tile.
  void accumulate(const TileStep &step, const TileExtent &extent);
  /// Folds the `others` rows after the first into it.
  void foldAccumulator(const TileStep &step, mlir::Value others, mlir::Value ld, mlir::Value cols);
  /// A view of a view, or of a home: `length` elements from `offset`.
  mlir::Value part(mlir::Value memref, mlir::Value offset, mlir::Value length);
  mlir::Value view(unsigned home, mlir::Value offset, mlir::Value length);
  mlir::Value viewOf(TileId value, mlir::Value offset, mlir::Value length) {
    return view(homes.of[value], offset, length);
  }
  void setLocation(mlir::Location at) { location = at; }
  /// `rows` rows of `cols` elements of a tensor, from `offset` on, `stride` apart.
  mlir::Value rowsOfTensor(unsigned tensor, mlir::Value offset, mlir::Value rows, mlir::Value cols, mlir::Value stride);
  mlir::Value constantOf(ElementType type, double value);
  /// An index as the scalar of an intrinsic on int32.
  mlir::Value asWord(mlir::Value index);
  /// The insertion point, and the location of ops.
  mlir::OpBuilder &ops() { return builder; }
  mlir::Location getLocation() const { return location; }

  /// The argument of the kernel that holds a tensor, or of which it is a part.
  mlir::Value memoryOf(unsigned tensor) { return kernel.getArgument(shape.tensors[tensor].argument); }
  /// Writes steps with a lookup; the kernel form with lookups sets it (LookupSteps.h).
  std::function<void(const TileStep &, const TileExtent &)> lookUp;
  /// Writes scans along rows; the kernel form with such scans sets it (LineScans.h).
  std::function<void(const TileStep &, const TileExtent &)> scanLines;
  /// Writes results of sorts; the kernel form with sorts sets it (LineSorts.h).
  std::function<void(const TileStep &, const TileExtent &)> sortLines;

private:
  /// Copies the first `done` of `rows` rows into the next ones.
  void copyRowsOnce(TileId row, mlir::Value done, mlir::Value rows, mlir::Value ld);
  int64_t wordsOfIndex(unsigned tensor) const { return shape.tensors[tensor].type == ElementType::Int64 ? 2 : 1; }
  void writeFlat(const TileStep &step, mlir::Value length, mlir::Value rowScalar);
  void writeRowByRow(const TileStep &step, const TileExtent &extent);
  void writeWithBlocks(const TileStep &step, mlir::Value rows, mlir::Value length);
  /// Spreads the elements of `rows` rows over blocks, unless that was already done for this tile.
  void spreadRows(TileId column, mlir::Value rows);
  /// The blocks of `rows` rows, from row `first` on.
  mlir::Value blocksOf(TileId column, mlir::Value first, mlir::Value rows);
  void writeReduction(const TileStep &step, const TileExtent &extent);
  void writePartPosition(const TileStep &step, mlir::Value part, mlir::Value first);
  void writeRowFolds(const TileStep &step, const TileExtent &extent);
  void writePartFold(const TileStep &step, mlir::Value length);
  /// Folds `length` elements of a row to a block of 32 bytes.
  void foldToBlock(const TileStep &step, mlir::Value row, mlir::Value length, mlir::Value trips,
                   mlir::Value destination);
  /// The parts of a row after its first kFoldedElements.
  mlir::Value foldTrips(mlir::Value length);
  mlir::Value foldBlocks(const TileStep &step, mlir::Value blocks, mlir::Value rows);
  int64_t lanesOf(const TileStep &step) const;
  mlir::Value foldBuffer(const TileStep &step);
  void create(const TileStep &step, llvm::ArrayRef<mlir::Value> sources, mlir::Value scalar, mlir::Value destination);
  mlir::Value lengthOf(Spread spread, const TileExtent &extent);
  bool isMixed(const TileStep &step) const;
  mlir::Value wholeMask(TileId value);
  mlir::Value scratchOf(const TileStep &step);
  mlir::Value smallBuffer(const std::string &name, ElementType type, int64_t bytes);

  const TileProgram &program;
  const KernelShape &shape;
  const Homes &homes;
  ScheduleAttr schedule;
  const TileNeeds &needs;
  const Target &target;
  mlir::func::FuncOp kernel;
  llvm::DenseMap<unsigned, mlir::Value> buffers; ///< by home
  llvm::DenseMap<TileId, mlir::Value> ones;      ///< scalars of One values, and of the current row of Column values
  llvm::DenseMap<TileId, mlir::Value> foldParts, scratches;
  mlir::Value rowNumbers;                                ///< of a tile's rows, if a step uses positions along m
  llvm::DenseMap<TileId, mlir::Value> inTile;            ///< positions before they are converted to integers
  llvm::DenseMap<unsigned, mlir::Value> foldTiles;       ///< by element type
  llvm::DenseMap<mlir::Value, mlir::Value> tripsOfFolds; ///< foldTrips() by length
  /// Byte offsets, by the number of lanes in a block: those of each lane, for all rows, and those that move dense
  /// elements to their rows.
  struct LaneOffsets {
    llvm::SmallVector<mlir::Value, 8> lanes;
    mlir::Value back;
  };
  std::map<int64_t, LaneOffsets> laneOffsets;
  llvm::DenseSet<TileId> spread;   ///< Column values whose blocks are filled for this tile
  llvm::DenseSet<TileId> repeated; ///< Row values that were copied into each row of their tile
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_WRITER_KERNELWRITER_H
