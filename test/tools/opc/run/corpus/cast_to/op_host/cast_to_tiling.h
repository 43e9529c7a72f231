#ifndef CAST_TO_TILING_H
#define CAST_TO_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(CastToTilingData)
TILING_DATA_FIELD_DEF(uint32_t, size);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(CastTo, CastToTilingData)
} // namespace optiling

#endif // CAST_TO_TILING_H
