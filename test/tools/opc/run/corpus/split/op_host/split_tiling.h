#ifndef SPLIT_TILING_H
#define SPLIT_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SplitTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, half);
TILING_DATA_FIELD_DEF(uint32_t, group);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Split, SplitTilingData)
} // namespace optiling

#endif // SPLIT_TILING_H
