// values and indices of the k largest elements of each row, in order. Up to 128 elements: four runs of 32 sorted,
// merged by one instruction, then values and indices taken apart by patterns.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;
constexpr uint32_t RUN = 32, RUNS = 4, MOST = RUN * RUNS;
constexpr float LOWEST = -3.402823466e38f;

class TopK {
public:
  __aicore__ inline TopK() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR values, GM_ADDR indices, uint32_t rows, uint32_t cols, uint32_t k) {
    this->rows = rows;
    this->cols = cols;
    this->k = k;
    xGm.SetGlobalBuffer((__gm__ float *)x, rows * cols);
    valuesGm.SetGlobalBuffer((__gm__ float *)values, rows * k);
    indicesGm.SetGlobalBuffer((__gm__ int32_t *)indices, rows * k);
    pipe.InitBuffer(xQueue, 2, MOST * sizeof(float));
    pipe.InitBuffer(valueQueue, 2, MOST * sizeof(float));
    pipe.InitBuffer(indexQueue, 2, MOST * sizeof(int32_t));
    pipe.InitBuffer(scoreBuf, MOST * sizeof(float));
    pipe.InitBuffer(placeBuf, MOST * sizeof(int32_t));
    pipe.InitBuffer(sortedBuf, 2 * MOST * sizeof(float));
    pipe.InitBuffer(mergedBuf, 2 * MOST * sizeof(float));
  }
  __aicore__ inline void Process() {
    CreateVecIndex(placeBuf.Get<int32_t>(), int32_t(0), MOST);
    Duplicate(scoreBuf.Get<float>(), LOWEST, MOST);
    for (uint32_t row = 0; row < rows; ++row) {
      CopyIn(row);
      Sort();
      CopyOut(row);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t row) {
    LocalTensor<float> x = xQueue.AllocTensor<float>();
    DataCopyPad(x, xGm[row * cols], {1, uint32_t(cols * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
    xQueue.EnQue(x);
  }
  __aicore__ inline void Sort() {
    LocalTensor<float> x = xQueue.DeQue<float>();
    LocalTensor<float> score = scoreBuf.Get<float>();
    LocalTensor<float> sorted = sortedBuf.Get<float>(), merged = mergedBuf.Get<float>();
    LocalTensor<uint32_t> place = placeBuf.Get<uint32_t>();
#if WRONG == 1
    Sort32<float>(sorted, x, place, RUNS);
#else
    Adds(score, x, 0.0f, cols);
    Sort32<float>(sorted, score, place, RUNS);
#endif
    xQueue.FreeTensor(x);
    MrgSort4Info info;
    for (uint32_t i = 0; i < RUNS; ++i)
      info.elementLengths[i] = RUN;
    info.ifExhaustedSuspension = false;
    info.validBit = 0b1111;
    info.repeatTimes = 1;
#if WRONG == 2
    // finds 2: wrong result
    MrgSortSrcList<float> lists(sorted, sorted[RUN], sorted[2 * RUN], sorted[3 * RUN]);
#else
    MrgSortSrcList<float> lists(sorted, sorted[2 * RUN], sorted[4 * RUN], sorted[6 * RUN]);
#endif
    MrgSort<float>(merged, lists, info);
    LocalTensor<float> values = valueQueue.AllocTensor<float>();
    LocalTensor<int32_t> indices = indexQueue.AllocTensor<int32_t>();
    uint64_t taken = 0;
    const GatherMaskParams params(1, 2 * MOST / 64, 8, 0);
    GatherMask(values, merged, 1, false, 0, params, taken);
    GatherMask(indices, merged.ReinterpretCast<int32_t>(), 2, false, 0, params, taken);
    valueQueue.EnQue(values);
    indexQueue.EnQue(indices);
  }
  __aicore__ inline void CopyOut(uint32_t row) {
    LocalTensor<float> values = valueQueue.DeQue<float>();
    LocalTensor<int32_t> indices = indexQueue.DeQue<int32_t>();
    // finds 1: OPC-E0566 init_c3
    DataCopyPad(valuesGm[row * k], values, {1, uint32_t(k * sizeof(float)), 0, 0, 0});
    DataCopyPad(indicesGm[row * k], indices, {1, uint32_t(k * sizeof(int32_t)), 0, 0, 0});
    valueQueue.FreeTensor(values);
    indexQueue.FreeTensor(indices);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> xQueue;
  TQue<QuePosition::VECOUT, 1> valueQueue, indexQueue;
  TBuf<> scoreBuf, placeBuf, sortedBuf, mergedBuf;
  GlobalTensor<float> xGm, valuesGm;
  GlobalTensor<int32_t> indicesGm;
  uint32_t rows, cols, k;
};

extern "C" __global__ __aicore__ void top_k(GM_ADDR x, GM_ADDR values, GM_ADDR indices, GM_ADDR workspace,
                                            GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  TopK op;
  op.Init(x, values, indices, t.rows, t.cols, t.k);
  op.Process();
}
