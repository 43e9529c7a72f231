// values[r], indices[r] = the largest element of row r and its place: two outputs. ReduceMax with the index, whose bits
// lie in an element of the input's type.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class KernelArgMax {
  using Index = std::conditional_t<std::is_same_v<T, half>, uint16_t, uint32_t>;

public:
  __aicore__ inline KernelArgMax(GM_ADDR x, GM_ADDR values, GM_ADDR indices, const ArgMaxTilingData &t)
      : rows(t.rows), cols(t.cols) {
    xGm.SetGlobalBuffer((__gm__ T *)x, rows * cols);
    valuesGm.SetGlobalBuffer((__gm__ T *)values, rows);
    indicesGm.SetGlobalBuffer((__gm__ int32_t *)indices, rows);
    pipe.InitBuffer(inQueue, 2, t.colsPadded * sizeof(T));
    pipe.InitBuffer(valueQueue, 1, 32);
    pipe.InitBuffer(indexQueue, 1, 32);
    pipe.InitBuffer(work, t.colsPadded * sizeof(T));
    pipe.InitBuffer(best, 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < rows; row++) {
      LocalTensor<T> x = inQueue.template AllocTensor<T>();
      DataCopyPad(x, xGm[row * cols], {1, uint32_t(cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      inQueue.EnQue(x);
      x = inQueue.template DeQue<T>();
      LocalTensor<T> pair = best.Get<T>();
#if WRONG == 1
      // finds 1: wrong result
      ReduceMax(pair, x, work.Get<T>(), 1, true);
#else
      ReduceMax(pair, x, work.Get<T>(), cols, true);
#endif
      inQueue.FreeTensor(x);
      // The compiler of the toolkit orders the scalar unit after the vector unit.
      T value = pair.GetValue(0);
      const int32_t index = pair.template ReinterpretCast<Index>().GetValue(1);
      LocalTensor<T> v = valueQueue.template AllocTensor<T>();
      LocalTensor<int32_t> i = indexQueue.template AllocTensor<int32_t>();
      v.SetValue(0, value);
#if WRONG == 2
      // finds 2: OPC-E0562 ascendc_c5
      i.SetValue(8, index);
#else
      i.SetValue(0, index);
#endif
      valueQueue.EnQue(v);
      indexQueue.EnQue(i);
      v = valueQueue.template DeQue<T>();
      i = indexQueue.template DeQue<int32_t>();
      DataCopyPad(valuesGm[row], v, {1, sizeof(T), 0, 0, 0});
      DataCopyPad(indicesGm[row], i, {1, sizeof(int32_t), 0, 0, 0});
      valueQueue.FreeTensor(v);
      indexQueue.FreeTensor(i);
    }
  }

private:
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> inQueue;
  TQue<QuePosition::VECOUT, 1> valueQueue, indexQueue;
  TBuf<> work, best;
  GlobalTensor<T> xGm, valuesGm;
  GlobalTensor<int32_t> indicesGm;
  uint32_t rows, cols;
};

extern "C" __global__ __aicore__ void arg_max(GM_ADDR x, GM_ADDR values, GM_ADDR indices, GM_ADDR workspace,
                                              GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelArgMax<DTYPE_X> op(x, values, indices, tiling_data);
  op.Process();
}
