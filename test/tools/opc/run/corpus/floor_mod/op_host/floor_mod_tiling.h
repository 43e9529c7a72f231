#ifndef FLOOR_MOD_TILING_H
#define FLOOR_MOD_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(FloorModTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(uint32_t, perBlock);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(FloorMod, FloorModTilingData)
} // namespace optiling

#endif // FLOOR_MOD_TILING_H
