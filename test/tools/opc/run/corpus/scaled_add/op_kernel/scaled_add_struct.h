#ifndef SCALED_ADD_STRUCT_H
#define SCALED_ADD_STRUCT_H

#include <cstdint>

struct ScaledAddTilingData {
  uint32_t total;
  uint32_t tile;
  float scale;
};

#endif // SCALED_ADD_STRUCT_H
