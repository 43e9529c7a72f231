#ifndef LONG_SOFTMAX_TILING_H
#define LONG_SOFTMAX_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(LongSoftmaxTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF(uint32_t, workCols);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(LongSoftmax, LongSoftmaxTilingData)
} // namespace optiling

#endif // LONG_SOFTMAX_TILING_H
