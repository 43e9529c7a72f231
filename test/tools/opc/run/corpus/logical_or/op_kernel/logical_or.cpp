// y = x1 || x2 on bool, two to a word of 16 bits; an odd last byte is done by the scalar unit.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

class KernelLogicalOr {
public:
  __aicore__ inline KernelLogicalOr() {}
  __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, uint32_t bytes, uint32_t tileBytes) {
    this->bytes = bytes;
    this->tileBytes = tileBytes;
    x1Gm.SetGlobalBuffer((__gm__ int8_t *)x1, bytes);
    x2Gm.SetGlobalBuffer((__gm__ int8_t *)x2, bytes);
    yGm.SetGlobalBuffer((__gm__ int8_t *)y, bytes);
    pipe.InitBuffer(inQueue1, 2, tileBytes);
    pipe.InitBuffer(inQueue2, 2, tileBytes);
    pipe.InitBuffer(outQueue, 2, tileBytes);
  }
  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < bytes; at += tileBytes) {
      uint32_t n = bytes - at < tileBytes ? bytes - at : tileBytes;
      LocalTensor<int8_t> a = inQueue1.AllocTensor<int8_t>();
      LocalTensor<int8_t> b = inQueue2.AllocTensor<int8_t>();
      DataCopyPad(a, x1Gm[at], {1, n, 0, 0, 0}, {false, 0, 0, 0});
      DataCopyPad(b, x2Gm[at], {1, n, 0, 0, 0}, {false, 0, 0, 0});
      inQueue1.EnQue(a);
      inQueue2.EnQue(b);
      a = inQueue1.DeQue<int8_t>();
      b = inQueue2.DeQue<int8_t>();
      LocalTensor<int8_t> y = outQueue.AllocTensor<int8_t>();
#if WRONG == 1
      Or(y.ReinterpretCast<int16_t>(), a.ReinterpretCast<int16_t>(), b.ReinterpretCast<int16_t>(), n / 2);
#else
      if (n >= 2)
        Or(y.ReinterpretCast<int16_t>(), a.ReinterpretCast<int16_t>(), b.ReinterpretCast<int16_t>(), n / 2);
      if (n % 2 != 0) {
        SetFlag<HardEvent::V_S>(EVENT_ID0);
        WaitFlag<HardEvent::V_S>(EVENT_ID0);
        y.SetValue(n - 1, a.GetValue(n - 1) | b.GetValue(n - 1));
#if WRONG != 2
        SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
#endif
        WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
      }
#endif
      outQueue.EnQue(y);
      inQueue1.FreeTensor(a);
      inQueue2.FreeTensor(b);
      y = outQueue.DeQue<int8_t>();
      // finds 1: OPC-E0566 init_c3
      DataCopyPad(yGm[at], y, {1, n, 0, 0, 0});
      outQueue.FreeTensor(y);
    }
  }

private:
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inQueue1, inQueue2;
  TQue<QuePosition::VECOUT, 1> outQueue;
  GlobalTensor<int8_t> x1Gm, x2Gm, yGm;
  uint32_t bytes, tileBytes;
};

// finds 2: OPC-E0572 sim_c33
extern "C" __global__ __aicore__ void logical_or(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  KernelLogicalOr op;
  op.Init(x1, x2, y, tilingData.bytes, tilingData.tileBytes);
  op.Process();
}
