// y = x with `left` and `right` elements of a value beside each row. The row is built in UB: filled, then the data is
// loaded after the left part, which starts at no block, by the scalar unit.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class PadRows {
public:
  __aicore__ inline PadRows() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const PadRowsTilingData &data) {
    t = data;
    xGm.SetGlobalBuffer((__gm__ T *)x, t.rows * t.cols);
    yGm.SetGlobalBuffer((__gm__ T *)y, t.rows * t.outCols);
    pipe.InitBuffer(inQueue, 2, (t.cols + 7) / 8 * 32);
    pipe.InitBuffer(outQueue, 2, (t.outCols + 7) / 8 * 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t i = 0; i < t.rows; ++i) {
      LocalTensor<T> in = inQueue.template AllocTensor<T>();
      DataCopyPad(in, xGm[i * t.cols], {1, uint32_t(t.cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
      inQueue.EnQue(in);
      in = inQueue.template DeQue<T>();
      LocalTensor<T> out = outQueue.template AllocTensor<T>();
      Duplicate(out, static_cast<T>(t.value), t.outCols);
#if WRONG == 1
      // finds 1: OPC-E0561 sim_c14
      Adds(out[t.left], in, T(0), t.cols);
#else
      PipeBarrier<PIPE_ALL>();
#if WRONG == 2
      for (uint32_t c = 0; c <= t.cols; ++c)
#else
      for (uint32_t c = 0; c < t.cols; ++c)
#endif
        // finds 2: OPC-E0820 queue_c9
        out.SetValue(t.left + c, in.GetValue(c));
      PipeBarrier<PIPE_ALL>();
#endif
      inQueue.FreeTensor(in);
      outQueue.EnQue(out);
      out = outQueue.template DeQue<T>();
      DataCopyPad(yGm[i * t.outCols], out, {1, uint32_t(t.outCols * sizeof(T)), 0, 0, 0});
      outQueue.FreeTensor(out);
    }
  }

private:
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inQueue;
  TQue<QuePosition::VECOUT, 1> outQueue;
  GlobalTensor<T> xGm, yGm;
  PadRowsTilingData t;
};

extern "C" __global__ __aicore__ void pad_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  PadRows<DTYPE_X> op;
  op.Init(x, y, tilingData);
  op.Process();
}
