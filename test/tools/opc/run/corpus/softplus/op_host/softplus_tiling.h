#ifndef SOFTPLUS_TILING_H
#define SOFTPLUS_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SoftplusTilingData)
TILING_DATA_FIELD_DEF(uint32_t, smallCoreDataNum);
TILING_DATA_FIELD_DEF(uint32_t, bigCoreDataNum);
TILING_DATA_FIELD_DEF(uint32_t, bigCoreNum);
TILING_DATA_FIELD_DEF(uint32_t, ubPartDataNum);
TILING_DATA_FIELD_DEF(float, beta);
TILING_DATA_FIELD_DEF(float, threshold);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Softplus, SoftplusTilingData)
} // namespace optiling

#endif // SOFTPLUS_TILING_H
