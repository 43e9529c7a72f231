// Tiles of windows of an input: constants about their layout that kernels and their tiling functions share.
//
//   padded   │ n │ n │ x │ x │ x │ x │ n │     a row of the input between neutral elements, in UB

#ifndef OPC_DIALECT_AICORE_TILES_WINDOWTILES_H
#define OPC_DIALECT_AICORE_TILES_WINDOWTILES_H

#include <cstdint>
#include <numeric>

namespace opc::aicore {

/// Additional elements of a padded row, beside those that the windows of a row cover, in units of 32 bytes of the
/// smallest element type: one unit before, one after, and one to round up.
inline constexpr int64_t kUnitsBesideWindows = 3;

/// For a convolution on the cube: maximum number of elements, of `bytes` each, of the channels that are read at once,
/// with a block before each. Packed filters need all channels of a fractal of k.
inline int64_t mostOfChannels(bool hasPackedFilters, int64_t bytes) {
  return (hasPackedFilters ? 40960 : 32768) / bytes;
}

/// Likewise, rows of the offsets by which elements are gathered, for parts of `depth` of k: one for each element of the
/// windows of a part. Parts of packed filters begin within a window, and so within these rows.
inline int64_t offsetRows(int64_t depth, bool hasPackedFilters) {
  return hasPackedFilters ? depth + depth / 4 : depth;
}

/// For a convolution on the vector unit: a tile of results holds this many times the positions of one filter.
inline constexpr int64_t kFiltersOfTile = 4;

/// Rows of windows that read the same rows of an input for different places: kh and kh + apart, for rows of places that
/// are `shift` apart.
struct SharedRows {
  int64_t apart, shift;
};
inline SharedRows sharedRows(int64_t stride, int64_t dilation) {
  const int64_t common = std::gcd(stride, dilation);
  return {stride / common, dilation / common};
}

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_TILES_WINDOWTILES_H
