// y[r] = the sum of row r. ReduceSum of each row into one element, which the scalar unit puts where it belongs; the
// sums of several rows are stored together.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;
constexpr uint32_t GROUP = 16;

template <typename T> class KernelReduceSum {
public:
  __aicore__ inline KernelReduceSum() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ReduceSumTilingData &tiling) {
    cols = tiling.cols;
    aligned = tiling.alignedCols;
    begin = GetBlockIdx() * tiling.rowsPerCore;
    end = begin + tiling.rowsPerCore < tiling.rows ? begin + tiling.rowsPerCore : tiling.rows;
    xGm.SetGlobalBuffer((__gm__ T *)x, tiling.rows * cols);
    yGm.SetGlobalBuffer((__gm__ T *)y, tiling.rows);
    pipe.InitBuffer(xQueue, 2, aligned * sizeof(T));
    pipe.InitBuffer(yQueue, 2, GROUP * sizeof(float));
    pipe.InitBuffer(workBuf, aligned * sizeof(float));
    pipe.InitBuffer(wideBuf, aligned * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = begin; row < end; row += GROUP) {
      const uint32_t n = end - row < GROUP ? end - row : GROUP;
      LocalTensor<T> y = yQueue.template AllocTensor<T>();
      for (uint32_t i = 0; i < n; ++i) {
        CopyIn(row + i);
        y.SetValue(i, T(SumOfRow()));
      }
      yQueue.EnQue(y);
      y = yQueue.template DeQue<T>();
      const int32_t id = EVENT_ID1;
      SetFlag<HardEvent::S_MTE3>(id);
      WaitFlag<HardEvent::S_MTE3>(id);
      DataCopyPad(yGm[row], y, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
      yQueue.FreeTensor(y);
      SetFlag<HardEvent::MTE3_S>(id);
      WaitFlag<HardEvent::MTE3_S>(id);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t row) {
    LocalTensor<T> x = xQueue.template AllocTensor<T>();
    DataCopyPad(x, xGm[row * cols], {1, uint32_t(cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
    xQueue.EnQue(x);
  }
  __aicore__ inline float SumOfRow() {
    LocalTensor<T> x = xQueue.template DeQue<T>();
    LocalTensor<float> work = workBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
#if WRONG == 1
    const uint32_t n = aligned;
#else
    const uint32_t n = cols;
#endif
    if constexpr (std::is_same_v<T, float>) {
      ReduceSum(sum, x, work, n);
    } else {
      LocalTensor<float> wide = wideBuf.Get<float>();
      Cast(wide, x, RoundMode::CAST_NONE, n);
      ReduceSum(sum, wide, work, n);
    }
    xQueue.FreeTensor(x);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
#if WRONG == 2
    // finds 2: OPC-E0572 sim_c33
    WaitFlag<HardEvent::V_S>(EVENT_ID2);
#else
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
#endif
    // finds 1: OPC-E0566 init_c3
    const float result = sum.GetValue(0);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    return result;
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> xQueue;
  TQue<QuePosition::VECOUT, 2> yQueue;
  TBuf<QuePosition::VECCALC> workBuf, wideBuf, sumBuf;
  GlobalTensor<T> xGm, yGm;
  uint32_t cols, aligned, begin, end;
};

extern "C" __global__ __aicore__ void reduce_sum(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  KernelReduceSum<DTYPE_X> op;
  op.Init(x, y, tilingData);
  op.Process();
}
