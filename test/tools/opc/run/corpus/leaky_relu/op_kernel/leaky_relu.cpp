// y = x > 0 ? x : slope * x. A tiling key for each way through: one tile in a single buffer, or many in two.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T, int32_t BUFFERS> class KernelLeakyRelu {
public:
  __aicore__ inline KernelLeakyRelu() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t totalLength, uint32_t tileNum, uint32_t tileLength,
                              uint32_t lastTileLength, float slope) {
    this->tileNum = tileNum;
    this->tileLength = tileLength;
    this->lastTileLength = lastTileLength;
    this->slope = slope;
    xGm.SetGlobalBuffer((__gm__ T *)x, totalLength);
    yGm.SetGlobalBuffer((__gm__ T *)y, totalLength);
    pipe.InitBuffer(inQueue, BUFFERS, tileLength * sizeof(T));
    pipe.InitBuffer(outQueue, BUFFERS, tileLength * sizeof(T));
  }
  __aicore__ inline void Process() {
    for (uint32_t i = 0; i + 1 < tileNum; i++)
      Tile(i * tileLength, tileLength);
    Tile((tileNum - 1) * tileLength, lastTileLength);
  }

private:
  __aicore__ inline void Tile(uint32_t at, uint32_t n) {
    {
      LocalTensor<T> x = inQueue.template AllocTensor<T>();
      DataCopyPad(x, xGm[at], {1, uint32_t(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
      inQueue.EnQue(x);
    }
    {
      LocalTensor<T> x = inQueue.template DeQue<T>();
      LocalTensor<T> y = outQueue.template AllocTensor<T>();
#if WRONG == 2
      Relu(y, x, n);
      // finds 2: wrong result
      Axpy(y, x, static_cast<T>(slope), n);
#else
      LeakyRelu(y, x, static_cast<T>(slope), n);
#endif
      outQueue.template EnQue<T>(y);
      inQueue.FreeTensor(x);
    }
    {
      LocalTensor<T> y = outQueue.template DeQue<T>();
      // finds 1: OPC-E0566 init_c1
      DataCopyPad(yGm[at], y, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
      outQueue.FreeTensor(y);
    }
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFERS> inQueue;
  TQue<QuePosition::VECOUT, BUFFERS> outQueue;
  GlobalTensor<T> xGm, yGm;
  uint32_t tileNum, tileLength, lastTileLength;
  float slope;
};

#define RUN(BUFFERS)                                                                                                   \
  KernelLeakyRelu<DTYPE_X, BUFFERS> op;                                                                                \
  op.Init(x, y, t.totalLength, t.tileNum, t.tileLength, t.lastTileLength, t.negativeSlope);                            \
  op.Process();

extern "C" __global__ __aicore__ void leaky_relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  if (TILING_KEY_IS(10)) {
    RUN(1)
  } else if (TILING_KEY_IS(20)) {
    RUN(2)
  }
}
