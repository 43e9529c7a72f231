#ifndef CLAMP_RANGE_TILING_H
#define CLAMP_RANGE_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ClampRangeTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF(float, minValue);
TILING_DATA_FIELD_DEF(float, maxValue);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(ClampRange, ClampRangeTilingData)
} // namespace optiling

#endif // CLAMP_RANGE_TILING_H
