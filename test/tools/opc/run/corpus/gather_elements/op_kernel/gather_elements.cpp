// y[r, i] = x[r, index[r, i]]: the instruction Gather within a row, offsets in bytes made of the indices by a shift.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class GatherElements {
public:
  __aicore__ inline GatherElements(GM_ADDR x, GM_ADDR index, GM_ADDR y, const GatherElementsTilingData &t)
      : rows(t.rows), cols(t.cols), outCols(t.outCols) {
    xGm.SetGlobalBuffer((__gm__ T *)x, rows * cols);
    indexGm.SetGlobalBuffer((__gm__ int32_t *)index, rows * outCols);
    yGm.SetGlobalBuffer((__gm__ T *)y, rows * outCols);
    pipe.InitBuffer(xQueue, 2, Padded(cols * sizeof(T)));
    pipe.InitBuffer(indexQueue, 2, Padded(outCols * sizeof(int32_t)));
    pipe.InitBuffer(yQueue, 2, Padded(outCols * sizeof(T)));
    pipe.InitBuffer(offsetBuf, Padded(outCols * sizeof(int32_t)));
  }
  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < rows; ++row) {
      CopyIn(row);
      Compute();
      CopyOut(row);
    }
  }

private:
  static __aicore__ inline uint32_t Padded(uint32_t bytes) { return (bytes + 31) / 32 * 32; }
  __aicore__ inline void CopyIn(uint32_t row) {
    LocalTensor<T> x = xQueue.template AllocTensor<T>();
    LocalTensor<int32_t> index = indexQueue.template AllocTensor<int32_t>();
    DataCopyPad(x, xGm[row * cols], {1, uint32_t(cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
    DataCopyPad(index, indexGm[row * outCols], {1, uint32_t(outCols * sizeof(int32_t)), 0, 0, 0}, {false, 0, 0, 0});
    xQueue.EnQue(x);
    indexQueue.EnQue(index);
  }
  __aicore__ inline void Compute() {
    LocalTensor<T> x = xQueue.template DeQue<T>();
    LocalTensor<int32_t> index = indexQueue.template DeQue<int32_t>();
    LocalTensor<T> y = yQueue.template AllocTensor<T>();
    LocalTensor<int32_t> offset = offsetBuf.Get<int32_t>();
#if WRONG == 1
    ShiftLeft(offset, index, 3, outCols);
#elif WRONG == 2
    Muls(offset, index, static_cast<int32_t>(2), outCols);
#else
    Muls(offset, index, static_cast<int32_t>(sizeof(T)), outCols);
#endif
    // finds 1: OPC-E0560 sim_c17; finds 2: OPC-E0560 sim_c17
    Gather(y, x, offset.ReinterpretCast<uint32_t>(), 0, outCols);
    yQueue.EnQue(y);
    xQueue.FreeTensor(x);
    indexQueue.FreeTensor(index);
  }
  __aicore__ inline void CopyOut(uint32_t row) {
    LocalTensor<T> y = yQueue.template DeQue<T>();
    DataCopyPad(yGm[row * outCols], y, {1, uint32_t(outCols * sizeof(T)), 0, 0, 0});
    yQueue.FreeTensor(y);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> xQueue, indexQueue;
  TQue<QuePosition::VECOUT, 1> yQueue;
  TBuf<> offsetBuf;
  GlobalTensor<T> xGm, yGm;
  GlobalTensor<int32_t> indexGm;
  uint32_t rows, cols, outCols;
};

extern "C" __global__ __aicore__ void gather_elements(GM_ADDR x, GM_ADDR index, GM_ADDR y, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  GatherElements<DTYPE_X> op(x, index, y, tiling_data);
  op.Process();
}
