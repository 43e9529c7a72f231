// y[i, c] = c == x[i] ? on : off: a row of `off` is made once, each row changes one element, stores it and changes it
// back. Flags by hand between the scalar unit and the store.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

extern "C" __global__ __aicore__ void one_hot(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  TPipe pipe;
  TBuf<TPosition::VECCALC> rowBuf;
  pipe.InitBuffer(rowBuf, (t.depth + 7) / 8 * 32);
  LocalTensor<float> row = rowBuf.Get<float>();
  GlobalTensor<int32_t> in;
  GlobalTensor<float> out;
  in.SetGlobalBuffer((__gm__ int32_t *)x, t.count);
  out.SetGlobalBuffer((__gm__ float *)y, t.count * t.depth);

#if WRONG == 1
  Duplicate(row, t.off, t.depth - 1);
#else
  Duplicate(row, t.off, t.depth);
#endif
  TQueSync<PIPE_V, PIPE_S> vectorToScalar;
  vectorToScalar.SetFlag(0);
  vectorToScalar.WaitFlag(0);
  for (uint32_t i = 0; i < t.count; ++i) {
    const int32_t hot = in.GetValue(i);
    const bool valid = hot >= 0 && hot < static_cast<int32_t>(t.depth);
    if (valid)
      row.SetValue(hot, t.on);
    SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    // finds 1: OPC-E0566 init_c3
    DataCopyPad(out[i * t.depth], row, {1, static_cast<uint32_t>(t.depth * sizeof(float)), 0, 0, 0});
    SetFlag<HardEvent::MTE3_S>(EVENT_ID0);
#if WRONG == 2
    if (valid)
      WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
#else
    WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
#endif
    if (valid)
      // finds 2: OPC-E0574 race_c1
      row.SetValue(hot, t.off);
  }
}
