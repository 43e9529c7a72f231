#ifndef GATHER_ROWS_TILING_H
#define GATHER_ROWS_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GatherRowsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, count);
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, perBlock);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(GatherRows, GatherRowsTilingData)
} // namespace optiling

#endif // GATHER_ROWS_TILING_H
