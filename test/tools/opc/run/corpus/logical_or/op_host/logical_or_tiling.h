#ifndef LOGICAL_OR_TILING_H
#define LOGICAL_OR_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(LogicalOrTilingData)
TILING_DATA_FIELD_DEF(uint32_t, bytes);
TILING_DATA_FIELD_DEF(uint32_t, tileBytes);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(LogicalOr, LogicalOrTilingData)
} // namespace optiling

#endif // LOGICAL_OR_TILING_H
