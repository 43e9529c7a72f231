// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta over the last dimension. mean and rstd of a row are outputs
// too, collected in UB and stored once at the end.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

#include <cmath>
using namespace AscendC;

template <typename T> class LayerNorm310 {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean, GM_ADDR rstd,
                              const LayerNormTilingData &data) {
    t = data;
    xGm.SetGlobalBuffer((__gm__ T *)x, t.rows * t.cols);
    gammaGm.SetGlobalBuffer((__gm__ T *)gamma, t.cols);
    betaGm.SetGlobalBuffer((__gm__ T *)beta, t.cols);
    yGm.SetGlobalBuffer((__gm__ T *)y, t.rows * t.cols);
    meanGm.SetGlobalBuffer((__gm__ float *)mean, t.rows);
    rstdGm.SetGlobalBuffer((__gm__ float *)rstd, t.rows);
    const uint32_t floats = (t.cols + 15) / 16 * 16 * sizeof(float);
    pipe.InitBuffer(inQueue, 2, floats);
    pipe.InitBuffer(outQueue, 2, floats);
    pipe.InitBuffer(gammaBuf, floats);
    pipe.InitBuffer(betaBuf, floats);
    pipe.InitBuffer(rowBuf, floats);
    pipe.InitBuffer(squareBuf, floats);
    pipe.InitBuffer(workBuf, floats);
    pipe.InitBuffer(sumBuf, 32);
    pipe.InitBuffer(statsBuf, 2 * (t.rows + 7) / 8 * 8 * sizeof(float) + 32);
  }
  __aicore__ inline void Process() {
    LoadRow(gammaGm, gammaBuf);
    LoadRow(betaGm, betaBuf);
    means = statsBuf.Get<float>();
    rstds = means[(t.rows + 7) / 8 * 8];
    for (uint32_t row = 0; row < t.rows; ++row)
      Row(row);
    SetFlag<HardEvent::S_MTE3>(0);
    WaitFlag<HardEvent::S_MTE3>(0);
    DataCopyPad(meanGm, means, {1, uint32_t(t.rows * sizeof(float)), 0, 0, 0});
    // finds 1: OPC-E0566 init_c3
    DataCopyPad(rstdGm, rstds, {1, uint32_t(t.rows * sizeof(float)), 0, 0, 0});
  }

private:
  __aicore__ inline void ToFloat(const LocalTensor<float> &to, const LocalTensor<T> &from) {
    if constexpr (std::is_same_v<T, float>)
      Adds(to, from, 0.0f, t.cols);
    else
      Cast(to, from, RoundMode::CAST_NONE, t.cols);
  }
  __aicore__ inline void LoadRow(const GlobalTensor<T> &from, TBuf<> &to) {
    LocalTensor<T> in = inQueue.template AllocTensor<T>();
    DataCopyPad(in, from, {1, uint32_t(t.cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
    inQueue.EnQue(in);
    in = inQueue.template DeQue<T>();
    ToFloat(to.Get<float>(), in);
    inQueue.FreeTensor(in);
  }
  __aicore__ inline float Sum(const LocalTensor<float> &of) {
    LocalTensor<float> sum = sumBuf.Get<float>();
    ReduceSum(sum, of, workBuf.Get<float>(), t.cols);
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
    return sum.GetValue(0);
  }
  __aicore__ inline void Row(uint32_t row) {
    LocalTensor<float> a = rowBuf.Get<float>();
    LocalTensor<float> b = squareBuf.Get<float>();
    LocalTensor<T> in = inQueue.template AllocTensor<T>();
    DataCopyPad(in, xGm[row * t.cols], {1, uint32_t(t.cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
    inQueue.EnQue(in);
    in = inQueue.template DeQue<T>();
    ToFloat(a, in);
    inQueue.FreeTensor(in);
    const float mean = Sum(a) * t.inverse;
    Adds(a, a, -mean, t.cols);
    Mul(b, a, a, t.cols);
    const float rstd = 1.0f / std::sqrt(Sum(b) * t.inverse + t.epsilon);
    means.SetValue(row, mean);
#if WRONG == 1
    rstds.SetValue(t.rows + 8, rstd);
#else
    rstds.SetValue(row, rstd);
#endif
    Muls(a, a, rstd, t.cols);
    Mul(a, a, gammaBuf.Get<float>(), t.cols);
    LocalTensor<T> out = outQueue.template AllocTensor<T>();
    if constexpr (std::is_same_v<T, float>) {
      Add(out, a, betaBuf.Get<float>(), t.cols);
    } else {
      Add(a, a, betaBuf.Get<float>(), t.cols);
      Cast(out, a, RoundMode::CAST_RINT, t.cols);
    }
    outQueue.EnQue(out);
    out = outQueue.template DeQue<T>();
    DataCopyPad(yGm[row * t.cols], out, {1, uint32_t(t.cols * sizeof(T)), 0, 0, 0});
    outQueue.FreeTensor(out);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  TBuf<> gammaBuf, betaBuf, rowBuf, squareBuf, workBuf, sumBuf, statsBuf;
  GlobalTensor<T> xGm, gammaGm, betaGm, yGm;
  GlobalTensor<float> meanGm, rstdGm;
  LocalTensor<float> means, rstds;
  LayerNormTilingData t;
};

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean,
                                                 GM_ADDR rstd, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  LayerNorm310<DTYPE_X> op;
  op.Init(x, gamma, beta, y, mean, rstd, tilingData);
  op.Process();
}
