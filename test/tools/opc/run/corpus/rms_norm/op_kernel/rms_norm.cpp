// y = x / sqrt(mean(x * x) + eps) * gamma. The squares of a row are reduced in two steps: one sum for each repeat, then
// one for all. Rows of up to 64 repeats.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class KernelRmsNorm {
public:
  __aicore__ inline KernelRmsNorm() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, const RmsNormTilingData &tiling) {
    n = tiling.cols;
    repeats = tiling.repeats;
    eps = tiling.eps;
    const uint32_t first = GetBlockIdx() * tiling.rowsPerBlock;
    rows = tiling.rows - first < tiling.rowsPerBlock ? tiling.rows - first : tiling.rowsPerBlock;
    xGm.SetGlobalBuffer((__gm__ T *)x + first * n, rows * n);
    gammaGm.SetGlobalBuffer((__gm__ T *)gamma, n);
    yGm.SetGlobalBuffer((__gm__ T *)y + first * n, rows * n);
    const uint32_t padded = repeats * 64;
    pipe.InitBuffer(xQueue, 2, padded * sizeof(T));
    pipe.InitBuffer(yQueue, 2, padded * sizeof(T));
    pipe.InitBuffer(gammaQueue, 1, padded * sizeof(T));
    pipe.InitBuffer(rowBuf, padded * sizeof(float));
    pipe.InitBuffer(squareBuf, padded * sizeof(float));
    pipe.InitBuffer(sumBuf, 64 * sizeof(float));
    pipe.InitBuffer(totalBuf, 32);
    pipe.InitBuffer(gammaBuf, padded * sizeof(float));
  }
  __aicore__ inline void Process() {
    LocalTensor<float> gamma = gammaBuf.Get<float>();
    LocalTensor<T> g = gammaQueue.template AllocTensor<T>();
    DataCopyPad(g, gammaGm, {1, uint32_t(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
    gammaQueue.EnQue(g);
    g = gammaQueue.template DeQue<T>();
    Widen(gamma, g);
    gammaQueue.FreeTensor(g);
    // The lanes after a row add nothing: squares of 0.
    Duplicate(rowBuf.Get<float>(), 0.0f, repeats * 64);
    for (uint32_t i = 0; i < rows; ++i) {
      LocalTensor<T> x = xQueue.template AllocTensor<T>();
      DataCopyPad(x, xGm[i * n], {1, uint32_t(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      xQueue.EnQue(x);
      Compute(gamma);
      LocalTensor<T> y = yQueue.template DeQue<T>();
      DataCopyPad(yGm[i * n], y, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
      yQueue.FreeTensor(y);
    }
  }

private:
  __aicore__ inline void Widen(const LocalTensor<float> &to, const LocalTensor<T> &from) {
    if constexpr (std::is_same_v<T, half>)
      Cast(to, from, RoundMode::CAST_NONE, n);
    else
      Muls(to, from, 1.0f, n);
  }
  __aicore__ inline void Compute(const LocalTensor<float> &gamma) {
    LocalTensor<T> x = xQueue.template DeQue<T>();
    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> square = squareBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    LocalTensor<float> total = totalBuf.Get<float>();
    Widen(row, x);
    xQueue.FreeTensor(x);
    Mul(square, row, row, repeats * 64);
    WholeReduceSum(sum, square, 64, repeats, 1, 1, 8);
#if WRONG == 1
    WholeReduceSum(total, sum, 64, 1, 1, 1, 8);
#else
    WholeReduceSum(total, sum, repeats, 1, 1, 1, 8);
#endif
    Muls(sum, total, 1.0f / n, 1);
    Adds(sum, sum, eps, 1);
    Sqrt(sum, sum, 1);
#if WRONG != 2
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    // finds 1: OPC-E0566 init_c3
    const float factor = 1.0f / sum.GetValue(0);
#else
    // finds 2: OPC-E0572 sim_c33
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    const float factor = 1.0f / sum.GetValue(0);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
#endif
    Muls(square, row, factor, n);
    LocalTensor<T> y = yQueue.template AllocTensor<T>();
    if constexpr (std::is_same_v<T, half>) {
      Mul(square, square, gamma, n);
      Cast(y, square, RoundMode::CAST_RINT, n);
    } else {
      Mul(y, square, gamma, n);
    }
    yQueue.EnQue(y);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> xQueue, gammaQueue;
  TQue<QuePosition::VECOUT, 1> yQueue;
  TBuf<QuePosition::VECCALC> rowBuf, squareBuf, sumBuf, totalBuf, gammaBuf;
  GlobalTensor<T> xGm, gammaGm, yGm;
  uint32_t rows, n, repeats;
  float eps;
};

extern "C" __global__ __aicore__ void rms_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelRmsNorm<DTYPE_X> op;
  op.Init(x, gamma, y, tiling_data);
  op.Process();
}
