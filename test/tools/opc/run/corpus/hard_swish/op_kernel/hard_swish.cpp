// y = x * min(max(x + 3, 0), 6) / 6. No queues: one TBuf in two halves, each with its own event id, and flags set by
// hand.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class HardSwish {
public:
  __aicore__ inline HardSwish(GM_ADDR x, GM_ADDR y, uint32_t total, uint32_t chunk, TPipe *pipe)
      : total(total), chunk(chunk) {
    xGm.SetGlobalBuffer((__gm__ T *)x, total);
    yGm.SetGlobalBuffer((__gm__ T *)y, total);
    pipe->InitBuffer(buf, 4 * chunk * sizeof(T));
    for (uint32_t i = 0; i < 2; ++i) {
      in[i] = buf.template GetWithOffset<T>(chunk, i * chunk * sizeof(T));
      out[i] = buf.template GetWithOffset<T>(chunk, (2 + i) * chunk * sizeof(T));
    }
  }
  __aicore__ inline void Process() {
    // Each half starts empty.
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID1);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID1);
    uint32_t half = 0;
    for (uint32_t offset = 0; offset < total; offset += chunk, half ^= 1) {
      const uint32_t count = total - offset < chunk ? total - offset : chunk;
      OneChunk(offset, count, half, half ? EVENT_ID1 : EVENT_ID0);
    }
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID1);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID1);
  }

private:
  __aicore__ inline void OneChunk(uint32_t offset, uint32_t count, uint32_t half, event_t id) {
    const DataCopyExtParams row{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
    WaitFlag<HardEvent::V_MTE2>(id);
    DataCopyPad(in[half], xGm[offset], row, {false, 0, 0, T(0)});
    // finds 1: OPC-E0570 sync_c11
    SetFlag<HardEvent::MTE2_V>(id);

#if WRONG == 1
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
#else
    WaitFlag<HardEvent::MTE2_V>(id);
#endif
#if WRONG == 2
    // finds 2: OPC-E0570 sync_c11
    SetFlag<HardEvent::MTE3_V>(id);
#endif
    WaitFlag<HardEvent::MTE3_V>(id);
    Adds(out[half], in[half], T(3), count);
    Maxs(out[half], out[half], T(0), count);
    Mins(out[half], out[half], T(6), count);
    Mul(out[half], out[half], in[half], count);
    Muls(out[half], out[half], T(1.0f / 6.0f), count);
    SetFlag<HardEvent::V_MTE2>(id);
    SetFlag<HardEvent::V_MTE3>(id);

    WaitFlag<HardEvent::V_MTE3>(id);
    DataCopyPad(yGm[offset], out[half], row);
    SetFlag<HardEvent::MTE3_V>(id);
  }

  TBuf<TPosition::VECCALC> buf;
  LocalTensor<T> in[2], out[2];
  GlobalTensor<T> xGm, yGm;
  uint32_t total, chunk;
};

extern "C" __global__ __aicore__ void hard_swish(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  TPipe pipe;
  HardSwish<DTYPE_X> op(x, y, tilingData.total, tilingData.chunk, &pipe);
  op.Process();
}
