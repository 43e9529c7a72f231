// Small functions that the emitted file defines for itself, if it calls them.

#ifndef OPC_LOWERING_EMIT_ASCENDC_HELPERS_H
#define OPC_LOWERING_EMIT_ASCENDC_HELPERS_H

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <vector>

namespace opc {

/// In the order in which they are printed; a helper may call earlier ones.
enum class Helper {
  Min, ///< of 64-bit numbers
  Max,
  FloorDiv,
  CeilDiv,
  MinFloat, ///< NaN if either operand is NaN, -0 is less than +0
  MaxFloat,
  FromBits,     ///< float constants that have no literal
  WholeVectors, ///< a count rounded up to whole vectors of 256 bytes, as Compare requires
  Row,          ///< DataCopyExtParams of one row
  RowsIn,       ///< DataCopyExtParams of rows from GM to UB
  RowsOut,      ///< DataCopyExtParams of rows from UB to GM
  NoPad,        ///< DataCopyPadExtParams that leave the rest of a block unchanged
  PadRow,       ///< DataCopyPadExtParams that fill the rest of a row's last block
  Read,         ///< an element of a tile
  FillBits,     ///< Duplicate of bfloat16, by its bits
  // Calls of the strided forms, which take at most 255 repeats and a single mask.
  CopyElements,
  PartCall, ///< the reduction that EachRepeat, EachBlock and ReduceRows perform
  EachRepeat,
  EachBlock,
  EachPair,
  SortGroups,
  WithRows,
  RepeatOfRows, ///< one call on the same repeat of every row, for ReduceRows
  JoinRepeats,
  ReduceRows,
  // Calls with other parameters.
  GatherAt, ///< offsets of int32_t
  KeepMasked,
  KeepPattern,
  ChannelsLast,
  MergeLists,
  // The cube.
  RowsToFractals,
  FractalsToTile,
  TileToFractals,
  FillBlocks,
  LoadFractals,
  LoadSquares,
  LoadBands,
  LoadIm2col,
  LoadBias,
  Multiply,
  MultiplyWithBias,
  FixpipeForm, ///< the parameters of FixpipeRows and FixpipeScaled
  FixpipeRows,
  FixpipeScaled,
};

class HelperSet {
public:
  /// Records that a helper is called, and returns its name.
  llvm::StringRef need(Helper helper);
  /// Keeps the barriers on the vector pipe between dependent calls of a helper, as kernels for other chips need them
  /// (--portable). This chip's vector pipe completes in order, and its headers refuse the call.
  void keepVectorBarriers() { vectorBarriers = true; }
  /// The definitions of all recorded helpers, as lines.
  std::vector<std::string> lines() const;
  /// Names that no class member or local may take.
  static std::vector<llvm::StringRef> names();

private:
  std::set<Helper> needed;
  bool vectorBarriers = false;
};

} // namespace opc

#endif // OPC_LOWERING_EMIT_ASCENDC_HELPERS_H
