#ifndef NAN_TO_NUM_TILING_H
#define NAN_TO_NUM_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(NanToNumTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF(float, nan);
TILING_DATA_FIELD_DEF(float, posinf);
TILING_DATA_FIELD_DEF(float, neginf);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(NanToNum, NanToNumTilingData)
} // namespace optiling

#endif // NAN_TO_NUM_TILING_H
