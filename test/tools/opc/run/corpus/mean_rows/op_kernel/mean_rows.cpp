// y = the mean over the first axis. Columns are divided into tiles, and each tile walks down the rows with a pair of
// accumulators, one for even and one for odd rows.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class MeanRows {
public:
  __aicore__ inline MeanRows(const MeanRowsTilingData &data, GM_ADDR x, GM_ADDR y) : data(data) {
    xGm.SetGlobalBuffer((__gm__ T *)x, data.rows * data.cols);
    yGm.SetGlobalBuffer((__gm__ T *)y, data.cols);
    pipe.InitBuffer(inQueue, 2, data.tile * sizeof(T));
    pipe.InitBuffer(outQueue, 1, data.tile * sizeof(T));
    pipe.InitBuffer(accumulators, 2 * data.tile * sizeof(float));
    pipe.InitBuffer(wide, data.tile * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = GetBlockIdx() * data.tile; at < data.cols; at += GetBlockNum() * data.tile) {
      Columns(at, data.cols - at < data.tile ? data.cols - at : data.tile);
    }
  }

private:
  __aicore__ inline void Columns(uint32_t at, uint32_t n) {
    LocalTensor<float> acc = accumulators.Get<float>();
    Duplicate(acc, 0.0f, 2 * data.tile);
    for (uint32_t row = 0; row < data.rows; ++row) {
      LocalTensor<T> in = inQueue.template AllocTensor<T>();
      DataCopyPad(in, xGm[row * data.cols + at], {1, uint32_t(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      inQueue.EnQue(in);
      in = inQueue.template DeQue<T>();
#if WRONG == 1
      LocalTensor<float> mine = acc[row % 2 * n];
#else
      LocalTensor<float> mine = acc[row % 2 * data.tile];
#endif
      if constexpr (std::is_same_v<T, half>) {
        Cast(wide.Get<float>(), in, RoundMode::CAST_NONE, n);
        Add(mine, mine, wide.Get<float>(), n);
      } else {
        // finds 1: OPC-E0561 sim_c14
        Add(mine, mine, in, n);
      }
      inQueue.FreeTensor(in);
    }
    LocalTensor<T> out = outQueue.template AllocTensor<T>();
    Add(acc, acc, acc[data.tile], n);
    Muls(acc, acc, data.factor, n);
    if constexpr (std::is_same_v<T, half>) {
      Cast(out, acc, RoundMode::CAST_RINT, n);
    } else {
#if WRONG == 2
      // finds 2: OPC-E0562 ascendc_c5
      Adds(out, acc, 0.0f, data.tile + 8);
#else
      Adds(out, acc, 0.0f, n);
#endif
    }
    outQueue.EnQue(out);
    out = outQueue.template DeQue<T>();
    DataCopyPad(yGm[at], out, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
    outQueue.FreeTensor(out);
  }

  const MeanRowsTilingData &data;
  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  TBuf<> accumulators, wide;
  GlobalTensor<T> xGm, yGm;
};

extern "C" __global__ __aicore__ void mean_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  MeanRows<DTYPE_X> op(tilingData, x, y);
  op.Process();
}
