// y = value in the shape of x: nothing is loaded, one buffer is stored many times.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> __aicore__ inline void FillBuffer(const LocalTensor<T> &buffer, float value, uint32_t count) {
  if constexpr (sizeof(T) == 1) {
    // No Duplicate of 8 bits: two of them are a word.
    const uint16_t byte = static_cast<uint8_t>(static_cast<int8_t>(value));
    Duplicate(buffer.template ReinterpretCast<uint16_t>(), static_cast<uint16_t>(byte << 8 | byte), (count + 1) / 2);
  } else {
    Duplicate(buffer, static_cast<T>(value), count);
  }
}

extern "C" __global__ __aicore__ void fills(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  using T = DTYPE_Y;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, data.part * sizeof(T));
  LocalTensor<T> filled = buf.Get<T>();
  GlobalTensor<T> out;
  out.SetGlobalBuffer((__gm__ T *)y, data.total);
  FillBuffer(filled, data.value, data.part);
#if WRONG == 1
  PipeBarrier<PIPE_V>();
#else
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
#endif
  for (uint32_t at = GetBlockIdx() * data.part; at < data.total; at += GetBlockNum() * data.part) {
    uint32_t count = data.total - at;
#if WRONG != 2
    if (count > data.part)
      count = data.part;
#endif
    // finds 1: OPC-E0574 race_c1; finds 2: OPC-E0562 ascendc_c5
    DataCopyPad(out[at], filled, {1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
  }
}
