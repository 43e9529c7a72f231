#ifndef HARD_SWISH_TILING_H
#define HARD_SWISH_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(HardSwishTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(uint32_t, chunk);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(HardSwish, HardSwishTilingData)
} // namespace optiling

#endif // HARD_SWISH_TILING_H
