// y[i] = max(x[2 i], x[2 i + 1]): even and odd elements are taken apart by patterns, the count comes back.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class MaxPairs {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t pairs, uint32_t tile) {
    this->pairs = pairs;
    this->tile = tile;
    xGm.SetGlobalBuffer((__gm__ T *)x, 2 * pairs);
    yGm.SetGlobalBuffer((__gm__ T *)y, pairs);
    const uint32_t bytes = (tile * sizeof(T) + 31) / 32 * 32;
    pipe.InitBuffer(xQueue, 2, 2 * bytes);
    pipe.InitBuffer(yQueue, 2, bytes);
    pipe.InitBuffer(even, bytes);
#if WRONG == 1
    pipe.InitBuffer(odd, bytes / 2);
#else
    pipe.InitBuffer(odd, bytes);
#endif
  }
  __aicore__ inline void Process() {
    for (uint32_t i = 0; i < pairs; i += tile) {
      const uint32_t n = pairs - i < tile ? pairs - i : tile;
      auto x = xQueue.template AllocTensor<T>();
      DataCopyPad(x, xGm[2 * i], {1, uint32_t(2 * n * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
      xQueue.EnQue(x);
      x = xQueue.template DeQue<T>();
      auto y = yQueue.template AllocTensor<T>();
      uint64_t evens = 0, odds = 0;
      const GatherMaskParams params{1, 1, 0, 0};
      GatherMask(even.Get<T>(), x, 1, true, 2 * n, params, evens);
      // finds 1: OPC-E0562 ascendc_c5; finds 2: OPC-E0566 init_c2
      GatherMask(odd.Get<T>(), x, 2, true, 2 * n, params, odds);
      ASSERT(evens == n && odds == n);
#if WRONG == 2
      Max(y, even.Get<T>(), even.Get<T>(), odds);
#else
      Max(y, even.Get<T>(), odd.Get<T>(), odds);
#endif
      yQueue.EnQue(y);
      xQueue.FreeTensor(x);
      y = yQueue.template DeQue<T>();
      DataCopyPad(yGm[i], y, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
      yQueue.FreeTensor(y);
    }
  }

private:
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> xQueue;
  TQue<QuePosition::VECOUT, 1> yQueue;
  TBuf<> even, odd;
  GlobalTensor<T> xGm, yGm;
  uint32_t pairs, tile;
};

extern "C" __global__ __aicore__ void max_pairs(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  MaxPairs<DTYPE_X> op;
  op.Init(x, y, tilingData.pairs, tilingData.tile);
  op.Process();
}
