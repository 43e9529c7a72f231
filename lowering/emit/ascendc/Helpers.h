// Small functions that the emitted file defines for itself, each only where it is called.

#ifndef OPC_LOWERING_EMIT_ASCENDC_HELPERS_H
#define OPC_LOWERING_EMIT_ASCENDC_HELPERS_H

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <vector>

namespace opc {

/// In the order in which they are printed: a helper may call those before it.
enum class Helper {
  Min, ///< of 64-bit numbers
  Max,
  FloorDiv,
  CeilDiv,
  MinFloat, ///< NaN wins, -0 is less than +0
  MaxFloat,
  FromBits,     ///< floats that no literal spells
  WholeVectors, ///< a count rounded up to whole vectors of 256 bytes, as Compare takes it
  Row,          ///< DataCopyExtParams of one row
  RowsIn,       ///< of rows from GM to UB
  RowsOut,      ///< of rows from UB to GM
  NoPad,        ///< DataCopyPadExtParams that leave the rest of a block
  PadRow,       ///< DataCopyPadExtParams that fill the rest of a row's last block
  Read,         ///< an element of a tile
  FillBits,     ///< Duplicate of bfloat16, by its bits
  // Calls of the strided forms, which take at most 255 repeats and a mask for all of them.
  CopyElements,
  PartCall, ///< which reduction EachRepeat and EachBlock do
  EachRepeat,
  EachBlock,
  EachPair,
  SortGroups,
  WithRows,
  // Calls with parameters of their own.
  GatherAt, ///< offsets of int32_t
  KeepMasked,
  KeepPattern,
  ChannelsLast,
  MergeLists,
};

class HelperSet {
public:
  /// Notes that a helper is called; its name.
  llvm::StringRef need(Helper helper);
  /// Definitions of all that are needed, line by line.
  std::vector<std::string> lines() const;
  /// Names that no class member or local may take.
  static std::vector<llvm::StringRef> names();

private:
  std::set<Helper> needed;
};

} // namespace opc

#endif // OPC_LOWERING_EMIT_ASCENDC_HELPERS_H
