// y = x * scale + bias for rows, where bias is an optional input: the kernel gets a null pointer without it.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class KernelBiasAdd {
public:
  __aicore__ inline KernelBiasAdd() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR scale, GM_ADDR bias, GM_ADDR y, const BiasAddTilingData &tiling) {
    n = tiling.rowLength;
    first = GetBlockIdx() * tiling.rowsPerCore;
#if WRONG == 1
    last = first + tiling.rowsPerCore;
#else
    last = first + tiling.rowsPerCore < tiling.rowNum ? first + tiling.rowsPerCore : tiling.rowNum;
#endif
    hasBias = tiling.hasBias;
    xGm.SetGlobalBuffer((__gm__ T *)x, tiling.rowNum * n);
    scaleGm.SetGlobalBuffer((__gm__ T *)scale, n);
    yGm.SetGlobalBuffer((__gm__ T *)y, tiling.rowNum * n);
    if (hasBias)
      biasGm.SetGlobalBuffer((__gm__ T *)bias, n);
    pipe.InitBuffer(xQueue, 2, tiling.rowBytes);
    pipe.InitBuffer(yQueue, 2, tiling.rowBytes);
    pipe.InitBuffer(scaleQueue, 1, tiling.rowBytes);
    pipe.InitBuffer(biasQueue, 1, tiling.rowBytes);
  }
  __aicore__ inline void Process() {
    LocalTensor<T> scale = Load(scaleQueue, scaleGm);
    LocalTensor<T> bias;
    if (hasBias)
      bias = Load(biasQueue, biasGm);
    for (uint32_t row = first; row < last; ++row) {
      LocalTensor<T> x = Load(xQueue, xGm[row * n]);
      LocalTensor<T> y = yQueue.template AllocTensor<T>();
      // finds 2: OPC-E0574 race_c1
      Mul(y, x, scale, n);
      if (hasBias)
        Add(y, y, bias, n);
      yQueue.EnQue(y);
      xQueue.FreeTensor(x);
      y = yQueue.template DeQue<T>();
      DataCopyPad(yGm[row * n], y, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
      yQueue.FreeTensor(y);
    }
    scaleQueue.FreeTensor(scale);
    if (hasBias)
      biasQueue.FreeTensor(bias);
  }

private:
  template <typename Q> __aicore__ inline LocalTensor<T> Load(Q &queue, const GlobalTensor<T> &from) {
    LocalTensor<T> local = queue.template AllocTensor<T>();
    // finds 1: OPC-E0560 sim_c17
    DataCopyPad(local, from, {1, uint32_t(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
#if WRONG == 2
    return local;
#else
    queue.EnQue(local);
    return queue.template DeQue<T>();
#endif
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> xQueue;
  TQue<QuePosition::VECIN, 1> scaleQueue, biasQueue;
  TQue<QuePosition::VECOUT, 2> yQueue;
  GlobalTensor<T> xGm, scaleGm, biasGm, yGm;
  uint32_t n, first, last;
  bool hasBias;
};

extern "C" __global__ __aicore__ void bias_add(GM_ADDR x, GM_ADDR scale, GM_ADDR bias, GM_ADDR y, GM_ADDR workspace,
                                               GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelBiasAdd<DTYPE_X> op;
  op.Init(x, scale, bias, y, tiling_data);
  op.Process();
}
