// y = x reversed along the last dimension, element by element in the scalar unit; the compiler of the toolkit orders
// it.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class KernelFlip {
public:
  __aicore__ inline KernelFlip() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    this->rows = rows;
    this->cols = cols;
    xGm.SetGlobalBuffer((__gm__ T *)x, rows * cols);
    yGm.SetGlobalBuffer((__gm__ T *)y, rows * cols);
    pipe.InitBuffer(inQueue, 1, (cols * sizeof(T) + 31) / 32 * 32);
    pipe.InitBuffer(outQueue, 1, (cols * sizeof(T) + 31) / 32 * 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t i = 0; i < rows; i++) {
      LocalTensor<T> x = inQueue.template AllocTensor<T>();
      DataCopyPad(x, xGm[i * cols], {1, uint32_t(cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      inQueue.EnQue(x);
      x = inQueue.template DeQue<T>();
      LocalTensor<T> y = outQueue.template AllocTensor<T>();
#if WRONG == 1
      for (uint32_t c = 1; c < cols; c++)
        y.SetValue(c, x(cols - c));
#elif WRONG == 2
      for (uint32_t c = 0; c < cols / 2; c++) {
        y.SetValue(c, x.GetValue(cols - 1 - c));
        y.SetValue(cols - 1 - c, x.GetValue(c));
      }
#else
      for (uint32_t c = 0; c < cols; c++)
        y.SetValue(c, x.GetValue(cols - 1 - c));
#endif
      inQueue.FreeTensor(x);
      outQueue.EnQue(y);
      y = outQueue.template DeQue<T>();
      // finds 1: OPC-E0566 init_c3; finds 2: OPC-E0566 init_c3
      DataCopyPad(yGm[i * cols], y, {1, uint32_t(cols * sizeof(T)), 0, 0, 0});
      outQueue.FreeTensor(y);
    }
  }

private:
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inQueue;
  TQue<QuePosition::VECOUT, 1> outQueue;
  GlobalTensor<T> xGm, yGm;
  uint32_t rows, cols;
};

extern "C" __global__ __aicore__ void flip(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelFlip<DTYPE_X> op;
  op.Init(x, y, tiling_data.rows, tiling_data.cols);
  op.Process();
}
