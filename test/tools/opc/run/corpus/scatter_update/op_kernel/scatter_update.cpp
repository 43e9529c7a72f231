// var[indices[i]] = updates[i], in place: var is an input and an output of one name. Rows are stored where the scalar
// unit says; later updates win.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class ScatterUpdate {
public:
  __aicore__ inline void Init(GM_ADDR var, GM_ADDR indices, GM_ADDR updates, const ScatterUpdateTilingData &t) {
    count = t.count;
    rows = t.rows;
    cols = t.cols;
    varGm.SetGlobalBuffer((__gm__ T *)var, rows * cols);
    indicesGm.SetGlobalBuffer((__gm__ int32_t *)indices, count);
    updatesGm.SetGlobalBuffer((__gm__ T *)updates, count * cols);
    pipe.InitBuffer(queue, 2, (cols * sizeof(T) + 31) / 32 * 32);
    pipe.InitBuffer(indexQueue, 1, (count * sizeof(int32_t) + 31) / 32 * 32);
  }
  __aicore__ inline void Process() {
    LocalTensor<int32_t> index = indexQueue.AllocTensor<int32_t>();
    DataCopyPad(index, indicesGm, {1, uint32_t(count * sizeof(int32_t)), 0, 0, 0}, {false, 0, 0, 0});
    SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
    for (uint32_t i = 0; i < count; ++i) {
#if WRONG == 2
      // finds 2: OPC-E0566 init_c3
      const int32_t to = index.GetValue(i + 1);
#else
      const int32_t to = index.GetValue(i);
#endif
      if (to < 0 || to >= static_cast<int32_t>(rows))
        continue;
      LocalTensor<T> row = queue.template AllocTensor<T>();
      DataCopyPad(row, updatesGm[i * cols], {1, uint32_t(cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      queue.EnQue(row);
      row = queue.template DeQue<T>();
      // finds 1: OPC-E0574 race_c1
      DataCopyPad(varGm[to * cols], row, {1, uint32_t(cols * sizeof(T)), 0, 0, 0});
      queue.FreeTensor(row);
      // Two updates of one row keep their order.
#if WRONG != 1
      PipeBarrier<PIPE_MTE3>();
#endif
    }
    indexQueue.FreeTensor(index);
  }

private:
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  TQue<TPosition::VECIN, 1> indexQueue;
  GlobalTensor<T> varGm, updatesGm;
  GlobalTensor<int32_t> indicesGm;
  uint32_t count, rows, cols;
};

extern "C" __global__ __aicore__ void scatter_update(GM_ADDR var, GM_ADDR indices, GM_ADDR updates, GM_ADDR var_out,
                                                     GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  ScatterUpdate<DTYPE_VAR> op;
  op.Init(var, indices, updates, tilingData);
  op.Process();
}
