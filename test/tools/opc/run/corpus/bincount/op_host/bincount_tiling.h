#ifndef BINCOUNT_TILING_H
#define BINCOUNT_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(BincountTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(uint32_t, bins);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Bincount, BincountTilingData)
} // namespace optiling

#endif // BINCOUNT_TILING_H
