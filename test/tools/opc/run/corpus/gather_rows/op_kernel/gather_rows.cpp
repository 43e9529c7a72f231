// y[i] = x[indices[i]]: indices are read by the scalar unit from global memory, each row goes through a queue. Negative
// indices count from the end.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class GatherRows {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR indices, GM_ADDR y, const GatherRowsTilingData &t) {
    rows = t.rows;
    cols = t.cols;
    begin = GetBlockIdx() * t.perBlock;
    end = begin + t.perBlock < t.count ? begin + t.perBlock : t.count;
    xGm.SetGlobalBuffer((__gm__ T *)x, rows * cols);
    indicesGm.SetGlobalBuffer((__gm__ int32_t *)indices, t.count);
    yGm.SetGlobalBuffer((__gm__ T *)y, t.count * cols);
    pipe.InitBuffer(queue, 2, (cols * sizeof(T) + 31) / 32 * 32);
  }
  __aicore__ inline void Process() {
    const DataCopyExtParams row{1, static_cast<uint32_t>(cols * sizeof(T)), 0, 0, 0};
    for (uint32_t i = begin; i < end; ++i) {
      int32_t index = indicesGm.GetValue(i);
#if WRONG != 1
      if (index < 0)
        index += rows;
#endif
      auto local = queue.template AllocTensor<T>();
      // finds 1: OPC-E0560 sim_c17
      DataCopyPad(local, xGm[index * cols], row, {false, 0, 0, T(0)});
#if WRONG == 2
      // finds 2: OPC-E0574 race_c1
      DataCopyPad(yGm[i * cols], local, row);
#else
      queue.EnQue(local);
      local = queue.template DeQue<T>();
      DataCopyPad(yGm[i * cols], local, row);
#endif
      queue.FreeTensor(local);
    }
  }

private:
  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> queue;
  GlobalTensor<T> xGm, yGm;
  GlobalTensor<int32_t> indicesGm;
  uint32_t rows, cols, begin, end;
};

extern "C" __global__ __aicore__ void gather_rows(GM_ADDR x, GM_ADDR indices, GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  GatherRows<DTYPE_X> op;
  op.Init(x, indices, y, tiling_data);
  op.Process();
}
