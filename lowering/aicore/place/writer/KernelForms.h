// The loops of a placed kernel, one file for each form. Each function expects the builder at the end of the kernel's
// entry block and leaves it there, after the loops.

#ifndef OPC_LOWERING_AICORE_PLACE_WRITER_KERNELFORMS_H
#define OPC_LOWERING_AICORE_PLACE_WRITER_KERNELFORMS_H

#include "lowering/aicore/place/program/Prologue.h"
#include "lowering/aicore/place/writer/KernelWriter.h"

namespace opc::aicore {

struct KernelParts {
  const TileProgram &program;
  const KernelShape &shape;
  const Homes &homes;
  ScheduleAttr schedule;
  const Target &target;
  KernelWriter &writer;
  /// Passes over a row: one for each level of reductions, and a last one if rows are stored.
  unsigned passes = 1;
  /// The reduction depth of each value (levelsOf).
  const std::vector<unsigned> &levels;
  llvm::ArrayRef<Prologue> prologues = {}; ///< of Contraction: what computes operands

  bool isInput(TileId value) const { return program.values[value].tensor.has_value(); }
  Spread spreadOf(TileId value) const { return program.spreadOf(value); }
  const std::string &nameOf(unsigned tensor) const { return shape.tensors[tensor].name; }

  /// A loop around the kernel's tiles: the suffix of the fields with its stride in each tensor, and its counter; null
  /// if the kernel has no such loop.
  using BatchLoop = std::pair<const char *, mlir::Value>;
  /// The offset of a tensor in this iteration of the batch loops, in elements.
  mlir::Value startOf(unsigned tensor, llvm::ArrayRef<BatchLoop> loops) const {
    bool isPart = shape.tensors[tensor].isPart;
    mlir::Value start = isPart ? writer.field(nameOf(tensor) + "_at", 0) : writer.constant(0);
    for (auto [suffix, counter] : loops) {
      if (!counter)
        continue;
      const bool hasRuns = shape.batchRuns > 1 && llvm::StringRef(suffix) == "_s0";
      if (!hasRuns)
        start = writer.add(start, writer.mul(counter, writer.field(nameOf(tensor) + suffix)));
      else
        start = addTrips(start, nameOf(tensor) + "_b", tripsOf(counter, "batch0", shape.batchRuns));
    }
    return start;
  }

  /// The number of a trip of R0 in each of its runs, innermost first.
  llvm::SmallVector<mlir::Value, 2> tripsOfRuns(mlir::Value outerTrip) const {
    return tripsOf(outerTrip, "size0", shape.outerRuns);
  }
  /// Likewise of a loop with this number of runs, whose sizes are the fields `loop` "_r0", "_r1" and so on.
  llvm::SmallVector<mlir::Value, 2> tripsOf(mlir::Value trip, const std::string &loop, unsigned runs) const {
    llvm::SmallVector<mlir::Value, 2> trips;
    for (unsigned run = 0; run + 1 < runs; ++run) {
      mlir::Value size = writer.max(writer.loopField(loop + "_r" + std::to_string(run), 0), writer.constant(1));
      trips.push_back(writer.rem(trip, size));
      trip = writer.floorDiv(trip, size);
    }
    trips.push_back(trip);
    return trips;
  }
  /// The offset of a tensor in a trip of R0, in elements, from its start in the batch.
  mlir::Value addOuter(mlir::Value start, unsigned tensor, llvm::ArrayRef<mlir::Value> trips) const {
    return addTrips(start, nameOf(tensor) + "_r", trips);
  }
  /// Adds trips times the strides in the fields `name` "0", "1" and so on.
  mlir::Value addTrips(mlir::Value start, const std::string &name, llvm::ArrayRef<mlir::Value> trips) const {
    for (auto [run, trip] : llvm::enumerate(trips))
      start = writer.add(start, writer.mul(trip, writer.field(name + std::to_string(run))));
    return start;
  }

  /// Whether an input has one element for a whole tile, which may differ between batches.
  bool hasOnes() const {
    return llvm::any_of(program.values,
                        [](const TileValue &value) { return value.tensor && value.spread == Spread::One; });
  }
  /// Whether this element differs between batches, so that batch loops load it.
  bool onesMove() const {
    if (shape.form != KernelForm::Grid || !shape.isStrided)
      return shape.isBatched && hasOnes();
    return llvm::any_of(program.values, [&](const TileValue &value) {
      return value.tensor && value.spread == Spread::One && !shape.tensors[*value.tensor].isStill;
    });
  }
  /// Loads and computes the values that are one element for a whole tile.
  void writeOnes(llvm::ArrayRef<BatchLoop> loops) const {
    for (TileId value = 0; value < program.values.size(); ++value)
      if (isInput(value) && spreadOf(value) == Spread::One)
        writer.loadFlat(value, startOf(*program.values[value].tensor, loops), writer.constant(1));
    writer.writeSteps({}, [&](const TileStep &step) { return spreadOf(step.result) == Spread::One; });
    writer.readOnes();
  }
};

/// One loop over tiles of a flat tensor; fields block_length, tile_length, size0.
void writeFlatKernel(const KernelParts &parts);

/// Tiles of several rows: Grid, and Rows and ReduceRows whose rows fit a tile (Grid rows may be split). Fields
/// row_length, tile_rows, block_rows, size*, batch*, strides.
void writeRowsKernel(const KernelParts &parts);
/// Tiles of rows of a launch with any loops: Any. The same fields, and batch2 to batch5.
void writeAnyKernel(const KernelParts &parts);
/// One row at a time, in passes over its columns: SplitRows, and Rows and ReduceRows of any length. Fields row_length,
/// block_rows, size*, batch*, strides.
void writeLongRowsKernel(const KernelParts &parts);
/// Reduction over rows: ReduceColumns. Fields row_length, tile_rows, block_columns, size*, batch1, strides.
void writeColumnsKernel(const KernelParts &parts);
/// Any number of reductions over rows, in passes over the rows of a part of the columns: Columns. The same fields, and
/// batch0.
void writeColumnPassesKernel(const KernelParts &parts);

/// Reductions of windows of an input: Windows. Fields row_length, tile_rows, tiles, tiles_down, tiles_across,
/// block_tiles, window_*, batch*, strides.
void writeWindowsKernel(const KernelParts &parts);

/// Products with the windows of an input, on the vector unit: Convolution. The same fields, tiles_filters and
/// tile_filters.
void writeConvolutionKernel(const KernelParts &parts);

/// Tiles of rows, some of which are read at given indices: Gather. The fields of Grid, and count, step, m, n of
/// gathered tensors.
void writeGatherKernel(const KernelParts &parts);
/// Adds the memory for the tiles of its indices.
void addIndices(const KernelShape &shape, TileNeeds &needs);

/// A copy, then rows of updates at indices: Scatter. The fields of Gather, and of the result its elements.
void writeScatterKernel(const KernelParts &parts);
/// Adds the memory for the copy and the tiles of indices.
void addScatter(const KernelShape &shape, TileNeeds &needs);

/// The first elements of sorted lines of an input, and their indices: Sorted. Fields size*, batch*, block_groups,
/// strides, and count, step, m, n of the input.
void writeSortedKernel(const KernelParts &parts);

/// Tiles of a matrix product: Contraction (contraction/ContractionKernel.cpp).
void writeContractionKernel(const KernelParts &parts);
/// What computes an operand needs this (contraction/ComputedOperand.cpp).
TileNeeds needsOfPrologue(const Prologue &prologue, const Target &target);
/// Adds its memory to the needs of the kernel.
void addPrologue(const Prologue &prologue, const Target &target, TileNeeds &needs);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_WRITER_KERNELFORMS_H
