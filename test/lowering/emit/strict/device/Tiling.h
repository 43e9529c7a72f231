// Tiling data as the build of a kernel makes it.
//
// With dynamic shapes the bytes of the launch are copied into the structure. With static shapes there are no bytes:
// the toolkit writes `const S name;` and means the class that the host registered for the operator, whose fields it
// gives their values; a structure of the kernel's own has neither. REGISTER_TILING_DEFAULT in front brings the copy
// back; older toolkits lack it, and GET_TILING_DATA is then the registered class (OPC_REGISTERED names it).

#ifndef STRICT_TILING_H
#define STRICT_TILING_H

#include "Types.h"

#define __global__
#define __aicore__
#define __gm__
#define GM_ADDR uint8_t *

namespace strict {

struct NotRegistered;
template <typename S> void copyTiling(S &to, const uint8_t *from);

template <typename S, typename Registered> struct StaticTiling {
  using type = const S;
};
template <typename S> struct StaticTiling<S, S> {
  using type = S;
};

inline uint64_t tilingKey = 0;

} // namespace strict

/// Stands for what no REGISTER_TILING_DEFAULT of the kernel shadows.
using StrictRegistered = strict::NotRegistered;

#define TILING_KEY_VAR strict::tilingKey
#define TILING_KEY_IS(KEY) (TILING_KEY_VAR == (KEY))
#ifdef OPC_OLDER
#define GET_TILING_DATA(NAME, ADDRESS) const OPC_REGISTERED NAME
#else
#define REGISTER_TILING_DEFAULT(S) using StrictRegistered = S
#endif
#ifdef OPC_STATIC_SHAPES
#define GET_TILING_DATA_WITH_STRUCT(S, NAME, ADDRESS) strict::StaticTiling<S, StrictRegistered>::type NAME
#else
#define GET_TILING_DATA_WITH_STRUCT(S, NAME, ADDRESS)                                                                  \
  S NAME;                                                                                                              \
  strict::copyTiling(NAME, ADDRESS)
#endif

#endif
