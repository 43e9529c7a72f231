#ifndef ATTRIBUTES_OF_ALL_TILING_H
#define ATTRIBUTES_OF_ALL_TILING_H
struct AttributesOfAllTiling {
  int32_t values[24];
};
#endif
