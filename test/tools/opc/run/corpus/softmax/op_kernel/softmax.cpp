// y = exp(x - max) / sum over the last dimension, row by row in float; the maximum and the sum pass through the scalar
// unit.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t BLOCK = 32;

template <typename T> class KernelSoftmax {
public:
  __aicore__ inline KernelSoftmax() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SoftmaxTilingData &data) {
    const uint32_t id = GetBlockIdx();
    length = data.rowLength;
    rows = id < data.formerNum ? data.formerRows : data.tailRows;
    const uint64_t first = id < data.formerNum
                               ? id * data.formerRows
                               : data.formerNum * data.formerRows + (id - data.formerNum) * data.tailRows;
    xGm.SetGlobalBuffer((__gm__ T *)x + first * length, rows * length);
    yGm.SetGlobalBuffer((__gm__ T *)y + first * length, rows * length);
    const uint32_t floats = (length * sizeof(float) + BLOCK - 1) / BLOCK * BLOCK;
    pipe.InitBuffer(inQueue, BUFFER_NUM, floats);
    pipe.InitBuffer(outQueue, BUFFER_NUM, floats);
    pipe.InitBuffer(rowBuf, floats);
    pipe.InitBuffer(workBuf, floats);
    pipe.InitBuffer(scalarBuf, BLOCK);
  }
  __aicore__ inline void Process() {
    for (uint32_t i = 0; i < rows; ++i) {
      CopyIn(i);
      Compute();
      CopyOut(i);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t i) {
    LocalTensor<T> in = inQueue.template AllocTensor<T>();
    DataCopyPad(in, xGm[i * length], {1, static_cast<uint32_t>(length * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
    inQueue.EnQue(in);
  }
  __aicore__ inline float Scalar(const LocalTensor<float> &from) {
    SetFlag<HardEvent::V_S>(EVENT_ID3);
    WaitFlag<HardEvent::V_S>(EVENT_ID3);
    return from.GetValue(0);
  }
  __aicore__ inline void Compute() {
    LocalTensor<T> in = inQueue.template DeQue<T>();
    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    LocalTensor<float> scalar = scalarBuf.Get<float>();
    if constexpr (std::is_same<T, float>::value) {
      Adds(row, in, 0.0f, length);
    } else {
      Cast(row, in, RoundMode::CAST_NONE, length);
    }
    inQueue.FreeTensor(in);
    ReduceMax(scalar, row, work, length);
    Adds(row, row, -Scalar(scalar), length);
    Exp(row, row, length);
#if WRONG == 1
    // finds 1: wrong result
    ReduceSum(scalar, row, work, length - 1);
#else
    ReduceSum(scalar, row, work, length);
#endif
    const float inverse = 1.0f / Scalar(scalar);
    LocalTensor<T> out = outQueue.template AllocTensor<T>();
    if constexpr (std::is_same<T, float>::value) {
      Muls(out, row, inverse, length);
    } else {
      Muls(row, row, inverse, length);
      Cast(out, row, RoundMode::CAST_RINT, length);
    }
    outQueue.EnQue(out);
  }
  __aicore__ inline void CopyOut(uint32_t i) {
    LocalTensor<T> out = outQueue.template DeQue<T>();
#if WRONG == 2
    // finds 2: OPC-E0574 race_c1
    DataCopy(yGm[i * length], out, (length + 15) / 16 * 16);
#else
    DataCopyPad(yGm[i * length], out, {1, static_cast<uint32_t>(length * sizeof(T)), 0, 0, 0});
#endif
    outQueue.FreeTensor(out);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFER_NUM> inQueue;
  TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue;
  TBuf<QuePosition::VECCALC> rowBuf, workBuf, scalarBuf;
  GlobalTensor<T> xGm, yGm;
  uint32_t rows, length;
};

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  KernelSoftmax<DTYPE_X> op;
  op.Init(x, y, tilingData);
  op.Process();
}
