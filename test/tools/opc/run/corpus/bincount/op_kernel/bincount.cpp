// y[b] = how many elements of x are b: counted in UB by the scalar unit, one buffer, one block.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

class Bincount {
public:
  __aicore__ inline Bincount(GM_ADDR x, GM_ADDR y, const BincountTilingData &t) : t(t) {
    xGm.SetGlobalBuffer((__gm__ int32_t *)x, t.total);
    yGm.SetGlobalBuffer((__gm__ int32_t *)y, t.bins);
    pipe.InitBuffer(queue, 2, t.tile * sizeof(int32_t));
    pipe.InitBuffer(counts, (t.bins + 7) / 8 * 32);
  }
  __aicore__ inline void Process() {
    LocalTensor<int32_t> count = counts.Get<int32_t>();
    Duplicate(count, 0, t.bins);
    Order<HardEvent::V_S>();
    for (uint32_t at = 0; at < t.total; at += t.tile) {
      const uint32_t n = t.total - at < t.tile ? t.total - at : t.tile;
      LocalTensor<int32_t> x = queue.AllocTensor<int32_t>();
      DataCopyPad(x, xGm[at], {1, uint32_t(n * sizeof(int32_t)), 0, 0, 0}, {false, 0, 0, 0});
      queue.EnQue(x);
      x = queue.DeQue<int32_t>();
      Order<HardEvent::MTE2_S>();
#if WRONG == 1
      for (uint32_t i = 0; i < t.tile; ++i) {
#else
      for (uint32_t i = 0; i < n; ++i) {
#endif
        // finds 1: OPC-E0566 init_c3
        const int32_t bin = x.GetValue(i);
        if (bin >= 0 && bin < static_cast<int32_t>(t.bins))
          count.SetValue(bin, count.GetValue(bin) + 1);
      }
      Order<HardEvent::S_MTE2>();
      queue.FreeTensor(x);
    }
    Order<HardEvent::S_MTE3>();
#if WRONG == 2
    // finds 2: OPC-E0560 sim_c17
    DataCopy(yGm[t.bins], count, (t.bins + 7) / 8 * 8);
#else
    DataCopyPad(yGm, count, {1, uint32_t(t.bins * sizeof(int32_t)), 0, 0, 0});
#endif
  }

private:
  template <HardEvent event> __aicore__ inline void Order() {
    SetFlag<event>(EVENT_ID1);
    WaitFlag<event>(EVENT_ID1);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  TBuf<TPosition::VECCALC> counts;
  GlobalTensor<int32_t> xGm, yGm;
  const BincountTilingData &t;
};

extern "C" __global__ __aicore__ void bincount(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  Bincount op(x, y, tilingData);
  op.Process();
}
