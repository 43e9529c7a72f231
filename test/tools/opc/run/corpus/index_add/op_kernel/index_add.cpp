// var[index[i]] += alpha * source[i], in place, by atomic adds of the store: blocks may meet in a row.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class IndexAdd {
public:
  __aicore__ inline void Init(GM_ADDR var, GM_ADDR index, GM_ADDR source, const IndexAddTilingData &data) {
    t = data;
    varGm.SetGlobalBuffer((__gm__ T *)var, t.rows * t.cols);
    indexGm.SetGlobalBuffer((__gm__ int32_t *)index, t.count);
    sourceGm.SetGlobalBuffer((__gm__ T *)source, t.count * t.cols);
    pipe.InitBuffer(inQueue, 2, (t.cols * sizeof(T) + 31) / 32 * 32);
    pipe.InitBuffer(outQueue, 2, (t.cols * sizeof(T) + 31) / 32 * 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t i = GetBlockIdx(); i < t.count; i += GetBlockNum()) {
      const int32_t row = indexGm.GetValue(i);
      LocalTensor<T> in = inQueue.template AllocTensor<T>();
      DataCopyPad(in, sourceGm[i * t.cols], {1, uint32_t(t.cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      inQueue.EnQue(in);
      in = inQueue.template DeQue<T>();
      LocalTensor<T> out = outQueue.template AllocTensor<T>();
      Muls(out, in, static_cast<T>(t.alpha), t.cols);
      outQueue.EnQue(out);
      inQueue.FreeTensor(in);
      out = outQueue.template DeQue<T>();
#if WRONG == 1
      // The read of the next index waits for this store, so that stores come in order, and the last one stays.
      // finds 1: wrong result
      DataCopyPad(varGm[row * t.cols], out, {1, uint32_t(t.cols * sizeof(T)), 0, 0, 0});
#else
      SetAtomicAdd<T>();
#if WRONG == 2
      // finds 2: OPC-E0560 sim_c17
      DataCopyPad(varGm[row * t.cols + 1], out, {1, uint32_t(t.cols * sizeof(T)), 0, 0, 0});
#else
      DataCopyPad(varGm[row * t.cols], out, {1, uint32_t(t.cols * sizeof(T)), 0, 0, 0});
#endif
      SetAtomicNone();
#endif
      outQueue.FreeTensor(out);
    }
  }

private:
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inQueue;
  TQue<QuePosition::VECOUT, 1> outQueue;
  GlobalTensor<T> varGm, sourceGm;
  GlobalTensor<int32_t> indexGm;
  IndexAddTilingData t;
};

extern "C" __global__ __aicore__ void index_add(GM_ADDR var, GM_ADDR index, GM_ADDR source, GM_ADDR out,
                                                GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  IndexAdd<DTYPE_VAR> op;
  op.Init(var, index, source, tilingData);
  op.Process();
}
