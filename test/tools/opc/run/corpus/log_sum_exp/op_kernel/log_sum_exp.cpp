// y[c] = log(sum over r of exp(x[r][c])). A column comes as rows of one element, each of which fills a block with
// copies of itself; a mask gathers the last copy of each block.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

class KernelLogSumExp {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    this->rows = rows;
    this->cols = cols;
    xGm.SetGlobalBuffer((__gm__ float *)x, rows * cols);
    yGm.SetGlobalBuffer((__gm__ float *)y, cols);
    padded = (rows + 7) / 8 * 8;
    pipe.InitBuffer(xQueue, 1, padded * 32);
    pipe.InitBuffer(yQueue, 1, 32);
    pipe.InitBuffer(maskBuf, 256);
    pipe.InitBuffer(workBuf, padded * sizeof(float));
  }
  __aicore__ inline void Process() {
    LocalTensor<uint32_t> mask = maskBuf.Get<uint32_t>();
    Duplicate(mask, uint32_t(0x80808080), 64);
    for (uint32_t col = 0; col < cols; col++) {
      CopyIn(col);
      Compute(mask);
      CopyOut(col);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t col) {
    LocalTensor<float> x = xQueue.AllocTensor<float>();
#if WRONG == 2
    const uint32_t taken = 2;
#else
    const uint32_t taken = 1;
#endif
    DataCopyExtParams column{uint16_t(rows), uint32_t(taken * sizeof(float)), uint32_t((cols - taken) * sizeof(float)),
                             0, 0};
    DataCopyPad(x, xGm[col], column, {false, 0, 0, 0.0f});
    xQueue.EnQue(x);
  }
  __aicore__ inline void Compute(const LocalTensor<uint32_t> &mask) {
    LocalTensor<float> x = xQueue.DeQue<float>();
    LocalTensor<float> y = yQueue.AllocTensor<float>();
    LocalTensor<float> work = workBuf.Get<float>();
#if WRONG == 1
    const uint32_t count = rows * 8;
#else
    const uint32_t count = rows;
    uint64_t kept = 0;
    GatherMask(x, x, mask, false, 0, {1, uint16_t(padded / 8), 8, 0}, kept);
#endif
    ReduceMax(work, x, work, count);
    // finds 2: OPC-E0566 init_c3
    const float largest = work.GetValue(0);
    Adds(x, x, -largest, count);
    Exp(x, x, count);
    ReduceSum(work, x, work, count);
    Ln(work, work, 1);
    Adds(y, work, largest, 1);
    yQueue.EnQue(y);
    xQueue.FreeTensor(x);
  }
  __aicore__ inline void CopyOut(uint32_t col) {
    LocalTensor<float> y = yQueue.DeQue<float>();
    // finds 1: OPC-E0566 init_c3
    DataCopyPad(yGm[col], y, {1, sizeof(float), 0, 0, 0});
    yQueue.FreeTensor(y);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> xQueue;
  TQue<QuePosition::VECOUT, 1> yQueue;
  TBuf<> maskBuf, workBuf;
  GlobalTensor<float> xGm, yGm;
  uint32_t rows, cols, padded;
};

extern "C" __global__ __aicore__ void log_sum_exp(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelLogSumExp op;
  op.Init(x, y, t.rows, t.cols);
  op.Process();
}
