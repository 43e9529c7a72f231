// Tiles of windows of an input: what kernels and the tiling functions that serve them both know of their layout.
//
//   padded   │ n │ n │ x │ x │ x │ x │ n │     a row of the input between neutral elements, in UB

#ifndef OPC_DIALECT_AICORE_WINDOWTILES_H
#define OPC_DIALECT_AICORE_WINDOWTILES_H

#include <cstdint>

namespace opc::aicore {

/// Elements of a padded row beside those over which the windows of a row of places reach, in units of 32 bytes of the
/// smallest element type: one before and one after them, and what fills them up.
inline constexpr int64_t kUnitsBesideWindows = 3;

/// Of a convolution on the cube: elements of the channels that are read at once, with a block before each.
inline constexpr int64_t kMostOfChannels = 16384;

/// Of a convolution on the vector unit: a tile of results has room for so many times the places of one filter.
inline constexpr int64_t kFiltersOfTile = 4;

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_WINDOWTILES_H
