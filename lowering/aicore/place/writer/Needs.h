// The resource usage of a kernel as a function of its tile size, from its tile program and the homes of its values:
// what the buffers take for an element, a row and a tile, and how much work the units do for each.

#ifndef OPC_LOWERING_AICORE_PLACE_WRITER_NEEDS_H
#define OPC_LOWERING_AICORE_PLACE_WRITER_NEEDS_H

#include "lowering/aicore/place/writer/Homes.h"

namespace opc::aicore {

/// The reduction depth of each value: the largest number of reductions on a path to it, the value included.
std::vector<unsigned> levelsOf(const TileProgram &program);
/// The number of passes over a long row.
unsigned passesOf(const TileProgram &program, const std::vector<unsigned> &levels);

/// Whether elements of Column values are compared. Their buffers then are multiples of a repeat of the vector unit,
/// and the masks multiples of a block.
bool comparesColumns(const TileProgram &program);

/// The maximum number of columns of a tile of a matrix product, and the capacity of a row.
inline constexpr int64_t kMaxWidth = 512;

/// The longest row that is folded only by halves; longer rows are first folded to this many elements.
inline constexpr int64_t kFoldedElements = 256;

/// The resource usage of a kernel, as a function of its tile size.
struct TileNeeds {
  int64_t tileBits = 0;    ///< for each element of a tile: all Full and Row buffers, all slots
  int64_t rowBytes = 0;    ///< for each row of a tile: all Column buffers, all slots
  int64_t secondBits = 0;  ///< share of second slots in tileBits
  int64_t secondBytes = 0; ///< share of second slots in rowBytes
  int64_t fixedBytes = 0;  ///< independent of the tile size
  int64_t buffers = 0;
  int64_t loads = 0;         ///< copies into UB for each tile
  int64_t loadBytes = 0;     ///< for each element of a tile
  int64_t storeBytes = 0;    ///< for each element of a tile
  int64_t smallest = 4;      ///< bytes of the smallest element type, which determines the stride of rows
  int64_t columnStride = 8;  ///< elements from one row of a Column buffer to the next, in every type
  bool readsScalars = false; ///< the scalar unit reads UB in the loop over tiles
  int64_t passes = 1;        ///< over a row
  int64_t tileOps = 0;       ///< intrinsics executed for each tile
  int64_t rowOps = 0;        ///< intrinsics executed for each row of a tile
  int64_t cycles = 0;        ///< of the vector unit for NeedsAttr::kCountedElements, without start-up costs
  /// The share of `cycles` up to the last intrinsic that touches a loaded tile, and from the first one that touches a
  /// stored tile.
  int64_t loadReach = 0, storeReach = 0;
  int64_t operandBytes = 2; ///< of an element of the operands of the cube
  bool foldsLanes = false;  ///< a reduction of rows is a loop over them
};
TileNeeds needsOf(const TileProgram &program, const KernelShape &shape, const Homes &homes, bool inPasses,
                  const Target &target);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_WRITER_NEEDS_H
