// Flags, barriers, the block.

#ifndef STRICT_SYNC_H
#define STRICT_SYNC_H

#include "Types.h"

namespace strict {

constexpr const char *pairOf(AscendC::HardEvent event) {
  constexpr const char *words[] = {"MTE2_V",    "V_MTE2",   "MTE3_V",   "V_MTE3", "MTE2_MTE3", "MTE3_MTE2", "S_V",
                                   "V_S",       "S_MTE2",   "MTE2_S",   "S_MTE3", "MTE3_S",    "V_V",       "MTE2_MTE1",
                                   "MTE1_MTE2", "MTE1_M",   "M_MTE1",   "M_V",    "V_M",       "M_FIX",     "FIX_M",
                                   "MTE3_MTE1", "MTE1_V",   "V_MTE1",   "M_S",    "FIX_MTE2",  "FIX_MTE3",  "MTE2_FIX",
                                   "FIX_S",     "MTE1_FIX", "FIX_MTE1", "M_MTE2", "MTE2_M"};
  return words[static_cast<int>(event)];
}
constexpr const char *wordOf(pipe_t pipe) {
  constexpr const char *words[] = {"PIPE_S",    "PIPE_V",    "PIPE_M",   "PIPE_MTE1",
                                   "PIPE_MTE2", "PIPE_MTE3", "PIPE_ALL", "PIPE_FIX"};
  return words[pipe];
}

} // namespace strict

namespace AscendC {

template <HardEvent event> void SetFlag(int32_t) {
  static_assert(strict::takes("SetFlag", "call", strict::pairOf(event)), "SetFlag: no flag between these pipes");
}
template <HardEvent event> void WaitFlag(int32_t) {
  static_assert(strict::takes("WaitFlag", "call", "any"), "");
  static_assert(strict::takes("SetFlag", "call", strict::pairOf(event)), "WaitFlag: no flag between these pipes");
}
template <pipe_t pipe> void PipeBarrier() {
  static_assert(strict::takes("PipeBarrier", "call", strict::wordOf(pipe)), "PipeBarrier: emits nothing for this pipe");
}
inline int64_t GetBlockIdx() {
  static_assert(strict::takes("GetBlockIdx", "call", "any"), "");
  return 0;
}

} // namespace AscendC

#endif
