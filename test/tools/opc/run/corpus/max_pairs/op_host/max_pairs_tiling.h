#ifndef MAX_PAIRS_TILING_H
#define MAX_PAIRS_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MaxPairsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, pairs);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(MaxPairs, MaxPairsTilingData)
} // namespace optiling

#endif // MAX_PAIRS_TILING_H
