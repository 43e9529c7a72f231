#ifndef SCATTER_UPDATE_TILING_H
#define SCATTER_UPDATE_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ScatterUpdateTilingData)
TILING_DATA_FIELD_DEF(uint32_t, count);
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, cols);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(ScatterUpdate, ScatterUpdateTilingData)
} // namespace optiling

#endif // SCATTER_UPDATE_TILING_H
