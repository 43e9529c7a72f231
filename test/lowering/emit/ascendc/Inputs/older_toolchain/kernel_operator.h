// A build for one shape by a toolchain that has no REGISTER_TILING_DEFAULT: the class that the host registered has the
// values of that shape, and a struct of the kernel's own is a constant without any.

#pragma once
#include_next <kernel_operator.h>

struct AddReluTilingDataDef {
  uint32_t block_num_ = 1;
  uint64_t block_length = 16384;
  uint32_t tile_length = 8192;
  uint64_t total_length = 16384;
};

#undef REGISTER_TILING_DEFAULT
#undef GET_TILING_DATA
#undef GET_TILING_DATA_WITH_STRUCT
#define GET_TILING_DATA(NAME, ADDRESS) const AddReluTilingDataDef NAME
#define GET_TILING_DATA_WITH_STRUCT(TYPE, NAME, ADDRESS) const TYPE NAME
