#ifndef VEC_ADD_TILING_H
#define VEC_ADD_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(VecAddTilingData)
TILING_DATA_FIELD_DEF(uint32_t, smallCoreDataNum);
TILING_DATA_FIELD_DEF(uint32_t, bigCoreDataNum);
TILING_DATA_FIELD_DEF(uint32_t, bigCoreNum);
TILING_DATA_FIELD_DEF(uint32_t, tileDataNum);
TILING_DATA_FIELD_DEF(uint32_t, total);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(VecAdd, VecAddTilingData)
} // namespace optiling

#endif // VEC_ADD_TILING_H
