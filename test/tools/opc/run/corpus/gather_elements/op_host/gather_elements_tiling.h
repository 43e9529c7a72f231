#ifndef GATHER_ELEMENTS_TILING_H
#define GATHER_ELEMENTS_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GatherElementsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, outCols);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(GatherElements, GatherElementsTilingData)
} // namespace optiling

#endif // GATHER_ELEMENTS_TILING_H
