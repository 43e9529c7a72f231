#ifndef IN_RANGE_TILING_H
#define IN_RANGE_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(InRangeTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(float, low);
TILING_DATA_FIELD_DEF(float, high);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(InRange, InRangeTilingData)
} // namespace optiling

#endif // IN_RANGE_TILING_H
