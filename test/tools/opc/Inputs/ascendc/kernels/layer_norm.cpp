// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta of each row: sums pass the scalar unit, Duplicate spreads one of them.

#include "kernel_operator.h"
#include "layer_norm_tiling.h"

using namespace AscendC;

class KernelLayerNorm {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, const LayerNormTilingData *tiling) {
    rows = tiling->rows;
    columns = tiling->columns;
    epsilon = tiling->epsilon;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    gammaGm.SetGlobalBuffer((__gm__ float *)gamma);
    betaGm.SetGlobalBuffer((__gm__ float *)beta);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    bytes = (columns * sizeof(float) + 31) / 32 * 32;
    pipe.InitBuffer(inQueue, 2, bytes);
    pipe.InitBuffer(paramQueue, 1, 2 * bytes);
    pipe.InitBuffer(outQueue, 2, bytes);
    pipe.InitBuffer(scratch, bytes);
    pipe.InitBuffer(spread, bytes);
    pipe.InitBuffer(one, 32);
  }
  __aicore__ inline void Process() {
    LocalTensor<float> params = paramQueue.AllocTensor<float>();
    DataCopyPad(params, gammaGm, Row(), {false, 0, 0, 0.0f});
    DataCopyPad(params[bytes / sizeof(float)], betaGm, Row(), {false, 0, 0, 0.0f});
    paramQueue.EnQue(params);
    params = paramQueue.DeQue<float>();
    for (uint32_t row = 0; row < rows; ++row) {
      LocalTensor<float> x;
      inQueue.AllocTensor(x);
      DataCopyPad(x, xGm[row * columns], Row(), {false, 0, 0, 0.0f});
      inQueue.EnQue(x);
      Normalise(params, params[bytes / sizeof(float)]);
      LocalTensor<float> y = outQueue.DeQue<float>();
      DataCopyPad(yGm[row * columns], y, Row());
      outQueue.FreeTensor(y);
    }
    paramQueue.FreeTensor(params);
  }

private:
  __aicore__ inline DataCopyExtParams Row() { return {1, columns * static_cast<uint32_t>(sizeof(float)), 0, 0, 0}; }
  __aicore__ inline float Sum(const LocalTensor<float> &values) {
    LocalTensor<float> sum = one.Get<float>(), work = scratch.Get<float>();
    ReduceSum(sum, values, work, columns);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    float result = sum.GetValue(0);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    return result;
  }
  __aicore__ inline void Normalise(const LocalTensor<float> &gamma, const LocalTensor<float> &beta) {
    LocalTensor<float> x = inQueue.DeQue<float>(), y = outQueue.AllocTensor<float>(), s = spread.Get<float>();
    const float mean = Sum(x) / static_cast<float>(columns);
    Adds(x, x, -mean, columns);
    PipeBarrier<PIPE_V>();
    Mul(y, x, x, columns);
    PipeBarrier<PIPE_V>();
    const float variance = Sum(y) / static_cast<float>(columns);
    Duplicate(s, variance + epsilon, columns);
    PipeBarrier<PIPE_V>();
    Sqrt(s, s, columns);
    PipeBarrier<PIPE_V>();
    Div(y, x, s, columns);
    PipeBarrier<PIPE_V>();
    Mul(y, y, gamma, columns);
    PipeBarrier<PIPE_V>();
    Add(y, y, beta, columns);
    PipeBarrier<PIPE_V>();
    outQueue.EnQue(y);
    inQueue.FreeTensor(x);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQueue, paramQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  TBuf<TPosition::VECCALC> scratch, spread, one;
  GlobalTensor<float> xGm, gammaGm, betaGm, yGm;
  uint32_t rows, columns, bytes;
  float epsilon;
};

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  KernelLayerNorm op;
  op.Init(x, gamma, beta, y, &data);
  op.Process();
}
