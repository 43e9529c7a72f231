// y1 and y2: the two halves of the last dimension of x, copied rows at a time through the same buffer.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

extern "C" __global__ __aicore__ void split(GM_ADDR x, GM_ADDR y1, GM_ADDR y2, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  using T = DTYPE_X;
  GlobalTensor<T> in, out[2];
  in.SetGlobalBuffer((__gm__ T *)x, t.rows * t.half * 2);
  out[0].SetGlobalBuffer((__gm__ T *)y1, t.rows * t.half);
  out[1].SetGlobalBuffer((__gm__ T *)y2, t.rows * t.half);
  TPipe pipe;
  TBuf<TPosition::VECIN> buf;
  const uint32_t rowBytes = t.half * sizeof(T);
  pipe.InitBuffer(buf, t.group * ((rowBytes + 31) / 32 * 32));
  LocalTensor<T> local = buf.Get<T>();
  // One block for each half.
  const int64_t which = GetBlockIdx();
  for (uint32_t row = 0; row < t.rows; row += t.group) {
    const uint16_t n = t.rows - row < t.group ? t.rows - row : t.group;
#if WRONG == 1
    // finds 1: OPC-E0560 sim_c17
    DataCopyPad(local, in[row * 2 * t.half + which * t.half], {n, rowBytes, 2 * rowBytes, 0, 0}, {false, 0, 0, T(0)});
#else
    // finds 2: OPC-E0574 race_c1
    DataCopyPad(local, in[row * 2 * t.half + which * t.half], {n, rowBytes, rowBytes, 0, 0}, {false, 0, 0, T(0)});
#endif
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopyPad(out[which][row * t.half], local, {n, rowBytes, 0, 0, 0});
#if WRONG != 2
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
#endif
  }
}
