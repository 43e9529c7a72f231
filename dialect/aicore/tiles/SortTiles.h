// Sorted lines: constants about their tiles that kernels and their tiling functions share.

#ifndef OPC_DIALECT_AICORE_TILES_SORTTILES_H
#define OPC_DIALECT_AICORE_TILES_SORTTILES_H

#include <cstdint>

namespace opc::aicore {

/// Maximum number of elements of a line: their indices are counted in float32.
inline constexpr int64_t kMostOfSorted = int64_t(1) << 24;

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_TILES_SORTTILES_H
