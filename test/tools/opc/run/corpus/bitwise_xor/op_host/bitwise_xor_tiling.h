#ifndef BITWISE_XOR_TILING_H
#define BITWISE_XOR_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(BitwiseXorTilingData)
TILING_DATA_FIELD_DEF(uint32_t, words);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(BitwiseXor, BitwiseXorTilingData)
} // namespace optiling

#endif // BITWISE_XOR_TILING_H
