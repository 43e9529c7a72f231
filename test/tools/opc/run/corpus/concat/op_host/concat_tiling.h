#ifndef CONCAT_TILING_H
#define CONCAT_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ConcatTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, cols1);
TILING_DATA_FIELD_DEF(uint32_t, cols2);
TILING_DATA_FIELD_DEF(uint32_t, rowsAtOnce);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Concat, ConcatTilingData)
} // namespace optiling

#endif // CONCAT_TILING_H
