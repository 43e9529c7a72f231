// Elements at computed indices: constants about their tiles that kernels and their tiling functions share.

#ifndef OPC_DIALECT_AICORE_TILES_LOOKUPTILES_H
#define OPC_DIALECT_AICORE_TILES_LOOKUPTILES_H

#include <cstdint>

namespace opc::aicore {

/// Maximum number of elements of a line that is loaded whole, and gathered by offsets.
inline constexpr int64_t kMostOfLine = 4096;

/// The most elements of a row that are copied one by one and then put together; each is copied to a block of 32 bytes.
inline constexpr int64_t kElementsAtOnce = 256;

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_TILES_LOOKUPTILES_H
