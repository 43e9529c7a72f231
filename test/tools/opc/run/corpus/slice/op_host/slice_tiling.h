#ifndef SLICE_TILING_H
#define SLICE_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SliceTilingData)
TILING_DATA_FIELD_DEF_ARR(uint32_t, 4, inDims);
TILING_DATA_FIELD_DEF_ARR(uint32_t, 4, begins);
TILING_DATA_FIELD_DEF_ARR(uint32_t, 4, sizes);
TILING_DATA_FIELD_DEF(uint32_t, rowBytes);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Slice, SliceTilingData)
} // namespace optiling

#endif // SLICE_TILING_H
