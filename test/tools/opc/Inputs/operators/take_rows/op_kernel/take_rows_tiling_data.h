#ifndef TAKE_ROWS_TILING_DATA_H
#define TAKE_ROWS_TILING_DATA_H
// Used by the host's files and by the kernel.
struct TakeRowsTilingData {
  uint32_t bytes;
  uint64_t first;
};
#endif
