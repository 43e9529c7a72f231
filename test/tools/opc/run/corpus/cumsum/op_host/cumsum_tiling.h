#ifndef CUMSUM_TILING_H
#define CUMSUM_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(CumsumTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, part);
TILING_DATA_FIELD_DEF(bool, exclusive);
TILING_DATA_FIELD_DEF(bool, reverse);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Cumsum, CumsumTilingData)
} // namespace optiling

#endif // CUMSUM_TILING_H
