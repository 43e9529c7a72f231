#ifndef IDENTITY_TILING_H
#define IDENTITY_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(IdentityTilingData)
TILING_DATA_FIELD_DEF(uint64_t, bytes);
TILING_DATA_FIELD_DEF(uint32_t, chunk);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Identity, IdentityTilingData)
} // namespace optiling

#endif // IDENTITY_TILING_H
