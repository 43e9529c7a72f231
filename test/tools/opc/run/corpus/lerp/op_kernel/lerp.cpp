// y = start + weight * (end - start). The weight is a tensor of one element that the scalar unit reads from global
// memory, or one for each element: a tiling key each.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;
#define BUFFER_NUM 2

template <bool oneWeight> class Lerp {
  using T = DTYPE_START;

public:
  __aicore__ inline Lerp() {}
  __aicore__ inline void Init(GM_ADDR start, GM_ADDR end, GM_ADDR weight, GM_ADDR y, uint32_t total, uint32_t tile) {
    this->total = total;
    this->tile = tile;
    startGm.SetGlobalBuffer((__gm__ T *)start, total);
    endGm.SetGlobalBuffer((__gm__ T *)end, total);
    weightGm.SetGlobalBuffer((__gm__ T *)weight, oneWeight ? 1 : total);
    yGm.SetGlobalBuffer((__gm__ T *)y, total);
    pipe.InitBuffer(startQueue, BUFFER_NUM, tile * sizeof(T));
    pipe.InitBuffer(endQueue, BUFFER_NUM, tile * sizeof(T));
    if constexpr (oneWeight) {
      w = weightGm.GetValue(0);
    } else {
      pipe.InitBuffer(weightQueue, BUFFER_NUM, tile * sizeof(T));
    }
    pipe.InitBuffer(yQueue, BUFFER_NUM, tile * sizeof(T));
  }
  __aicore__ inline void Process() {
    uint32_t offset = 0;
    while (offset < total) {
      const uint32_t n = total - offset < tile ? total - offset : tile;
      Stage(startQueue, startGm, offset, n);
      Stage(endQueue, endGm, offset, n);
      if constexpr (!oneWeight)
        Stage(weightQueue, weightGm, offset, n);
      Compute(n);
      LocalTensor<T> y = yQueue.DeQue<T>();
      // finds 1: OPC-E0574 race_c1
      DataCopyPad(yGm[offset], y, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
      yQueue.FreeTensor(y);
#if WRONG == 1
      offset += tile - 1;
#else
      offset += tile;
#endif
    }
  }

private:
  __aicore__ inline void Stage(TQue<QuePosition::VECIN, BUFFER_NUM> &queue, GlobalTensor<T> &from, uint32_t offset,
                               uint32_t n) {
    LocalTensor<T> local = queue.AllocTensor<T>();
    DataCopyPad(local, from[offset], {1, uint32_t(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
    queue.EnQue(local);
  }
  __aicore__ inline void Compute(uint32_t n) {
    LocalTensor<T> s = startQueue.DeQue<T>();
    LocalTensor<T> e = endQueue.DeQue<T>();
    LocalTensor<T> y = yQueue.AllocTensor<T>();
    Sub(y, e, s, n);
    if constexpr (oneWeight) {
      Muls(y, y, w, n);
    } else {
      LocalTensor<T> weight = weightQueue.DeQue<T>();
      Mul(y, y, weight, n);
      weightQueue.FreeTensor(weight);
    }
#if WRONG == 2
    startQueue.FreeTensor(s);
    // finds 2: OPC-E0820 queue_c2
    endQueue.FreeTensor(s);
#else
    Add(y, y, s, n);
    startQueue.FreeTensor(s);
    endQueue.FreeTensor(e);
#endif
    yQueue.EnQue(y);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFER_NUM> startQueue, endQueue, weightQueue;
  TQue<QuePosition::VECOUT, BUFFER_NUM> yQueue;
  GlobalTensor<T> startGm, endGm, weightGm, yGm;
  uint32_t total, tile;
  T w;
};

extern "C" __global__ __aicore__ void lerp(GM_ADDR start, GM_ADDR end, GM_ADDR weight, GM_ADDR y, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  if (TILING_KEY_IS(0)) {
    Lerp<false> op;
    op.Init(start, end, weight, y, tiling_data.totalLength, tiling_data.tileLength);
    op.Process();
  } else if (TILING_KEY_IS(1)) {
    Lerp<true> op;
    op.Init(start, end, weight, y, tiling_data.totalLength, tiling_data.tileLength);
    op.Process();
  }
}
