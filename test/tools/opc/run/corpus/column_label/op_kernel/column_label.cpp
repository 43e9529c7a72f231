// label[c] = table[r], where x[r][c] is the first largest element of column c; index[c] = r. Compares and selects of
// the first lanes of a repeat, for a tail of columns; a Gather whose result takes the place of its offsets.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

constexpr uint32_t LANES = 64;

class KernelColumnLabel {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR table, GM_ADDR label, GM_ADDR index, uint32_t rows, uint32_t cols) {
    this->rows = rows;
    this->cols = cols;
    xGm.SetGlobalBuffer((__gm__ float *)x, rows * cols);
    tableGm.SetGlobalBuffer((__gm__ float *)table, rows);
    labelGm.SetGlobalBuffer((__gm__ float *)label, cols);
    indexGm.SetGlobalBuffer((__gm__ int32_t *)index, cols);
    pipe.InitBuffer(xQueue, 2, LANES * sizeof(float));
    pipe.InitBuffer(tableQueue, 1, (rows * sizeof(float) + 31) / 32 * 32);
    pipe.InitBuffer(labelQueue, 1, LANES * sizeof(float));
    pipe.InitBuffer(indexQueue, 1, LANES * sizeof(int32_t));
    pipe.InitBuffer(bestBuf, LANES * sizeof(float));
    pipe.InitBuffer(rowBuf, LANES * sizeof(float));
    pipe.InitBuffer(numberBuf, LANES * sizeof(float));
    pipe.InitBuffer(maskBuf, 32);
  }
  __aicore__ inline void Process() {
    LocalTensor<float> table = tableQueue.AllocTensor<float>();
    DataCopyPad(table, tableGm, {1, uint32_t(rows * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
    tableQueue.EnQue(table);
    table = tableQueue.DeQue<float>();
    for (uint32_t begin = 0; begin < cols; begin += LANES) {
      const uint32_t lanes = cols - begin < LANES ? cols - begin : LANES;
      Largest(begin, lanes);
      Look(table, begin, lanes);
    }
    tableQueue.FreeTensor(table);
  }

private:
  __aicore__ inline void Largest(uint32_t begin, uint32_t lanes) {
    LocalTensor<float> best = bestBuf.Get<float>();
    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> number = numberBuf.Get<float>();
    LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
    Duplicate(row, 0.0f, LANES);
    for (uint32_t r = 0; r < rows; r++) {
      LocalTensor<float> x = xQueue.AllocTensor<float>();
      DataCopyPad(x, xGm[r * cols + begin], {1, uint32_t(lanes * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
      xQueue.EnQue(x);
      x = xQueue.DeQue<float>();
      if (r == 0) {
        Adds(best, x, 0.0f, lanes);
      } else {
        Duplicate(number, float(r), LANES);
#if WRONG == 1
        Compare(mask, x, best, CMPMODE::GT, uint64_t(lanes - 1), 1, {1, 1, 1, 8, 8, 8});
#else
        Compare(mask, x, best, CMPMODE::GT, uint64_t(lanes), 1, {1, 1, 1, 8, 8, 8});
#endif
        Select(row, mask, number, row, SELMODE::VSEL_TENSOR_TENSOR_MODE, lanes, 1, {1, 1, 1, 8, 8, 8});
        Max(best, best, x, lanes);
      }
      xQueue.FreeTensor(x);
    }
  }
  __aicore__ inline void Look(const LocalTensor<float> &table, uint32_t begin, uint32_t lanes) {
    LocalTensor<int32_t> index = indexQueue.AllocTensor<int32_t>();
    LocalTensor<int32_t> offset = labelQueue.AllocTensor<int32_t>();
    Cast(index, rowBuf.Get<float>(), RoundMode::CAST_ROUND, lanes);
    Muls(offset, index, int32_t(sizeof(float)), lanes);
    LocalTensor<float> label = offset.ReinterpretCast<float>();
#if WRONG == 2
    // finds 2: OPC-E0564 sim_c19
    Gather(label[8], table, offset.ReinterpretCast<uint32_t>(), 0, lanes);
#else
    Gather(label, table, offset.ReinterpretCast<uint32_t>(), 0, lanes);
#endif
    labelQueue.EnQue(label);
    indexQueue.EnQue(index);
    label = labelQueue.DeQue<float>();
    index = indexQueue.DeQue<int32_t>();
    // finds 1: OPC-E0566 init_c3
    DataCopyPad(labelGm[begin], label, {1, uint32_t(lanes * sizeof(float)), 0, 0, 0});
    DataCopyPad(indexGm[begin], index, {1, uint32_t(lanes * sizeof(int32_t)), 0, 0, 0});
    labelQueue.FreeTensor(label);
    indexQueue.FreeTensor(index);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> xQueue;
  TQue<QuePosition::VECIN, 1> tableQueue;
  TQue<QuePosition::VECOUT, 1> labelQueue, indexQueue;
  TBuf<> bestBuf, rowBuf, numberBuf, maskBuf;
  GlobalTensor<float> xGm, tableGm, labelGm;
  GlobalTensor<int32_t> indexGm;
  uint32_t rows, cols;
};

extern "C" __global__ __aicore__ void column_label(GM_ADDR x, GM_ADDR table, GM_ADDR label, GM_ADDR index,
                                                   GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelColumnLabel op;
  op.Init(x, table, label, index, t.rows, t.cols);
  op.Process();
}
