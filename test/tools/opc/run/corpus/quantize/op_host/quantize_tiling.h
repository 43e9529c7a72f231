#ifndef QUANTIZE_TILING_H
#define QUANTIZE_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(QuantizeTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(uint32_t, perCore);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF(float, inverse);
TILING_DATA_FIELD_DEF(float, zero);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Quantize, QuantizeTilingData)
} // namespace optiling

#endif // QUANTIZE_TILING_H
