#ifndef ONE_HOT_TILING_H
#define ONE_HOT_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(OneHotTilingData)
TILING_DATA_FIELD_DEF(uint32_t, count);
TILING_DATA_FIELD_DEF(uint32_t, depth);
TILING_DATA_FIELD_DEF(float, on);
TILING_DATA_FIELD_DEF(float, off);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(OneHot, OneHotTilingData)
} // namespace optiling

#endif // ONE_HOT_TILING_H
