#ifndef SCALED_ADD_TILING_H
#define SCALED_ADD_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
constexpr uint32_t kSizes = 2;
BEGIN_TILING_DATA_DEF(OtherTilingData)
TILING_DATA_FIELD_DEF(uint64_t, unused);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Other, OtherTilingData)

BEGIN_TILING_DATA_DEF(ScaledAddTilingData)
TILING_DATA_FIELD_DEF(uint8_t, first);
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF_ARR(uint32_t, kSizes, sizes);
TILING_DATA_FIELD_DEF_STRUCT(OtherTilingData, other);
TILING_DATA_FIELD_DEF(float, alpha);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaledAdd, ScaledAddTilingData)
} // namespace optiling
#endif
