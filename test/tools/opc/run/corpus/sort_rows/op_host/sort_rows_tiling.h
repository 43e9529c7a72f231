#ifndef SORT_ROWS_TILING_H
#define SORT_ROWS_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SortRowsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, padded);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(SortRows, SortRowsTilingData)
} // namespace optiling

#endif // SORT_ROWS_TILING_H
