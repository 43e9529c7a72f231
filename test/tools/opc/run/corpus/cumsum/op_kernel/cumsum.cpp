// y[i] = x[0] + ... + x[i] along the first axis: an accumulator row in UB, to which each row is added. exclusive and
// reverse are attributes.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class KernelCumsum {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const CumsumTilingData &data) {
    rows = data.rows;
    cols = data.cols;
    first = GetBlockIdx() * data.part;
    n = cols - first < data.part ? cols - first : data.part;
    exclusive = data.exclusive;
    reverse = data.reverse;
    xGm.SetGlobalBuffer((__gm__ T *)x, rows * cols);
    yGm.SetGlobalBuffer((__gm__ T *)y, rows * cols);
    pipe.InitBuffer(inQueue, 2, data.part * sizeof(T));
    pipe.InitBuffer(outQueue, 2, data.part * sizeof(T));
    pipe.InitBuffer(sumBuf, data.part * sizeof(float));
    pipe.InitBuffer(wideBuf, data.part * sizeof(float));
  }
  __aicore__ inline void Process() {
#if WRONG != 1
    Duplicate(sumBuf.Get<float>(), 0.0f, n);
#endif
    for (uint32_t i = 0; i < rows; ++i) {
      const uint32_t offset = (reverse ? rows - 1 - i : i) * cols + first;
      LocalTensor<T> x = inQueue.template AllocTensor<T>();
      DataCopyPad(x, xGm[offset], {1, uint32_t(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      inQueue.EnQue(x);
      Step();
      LocalTensor<T> y = outQueue.template DeQue<T>();
      // finds 1: OPC-E0566 init_c3
      DataCopyPad(yGm[offset], y, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
      outQueue.FreeTensor(y);
    }
  }

private:
  __aicore__ inline void Put(const LocalTensor<T> &y, const LocalTensor<float> &sum) {
    if constexpr (std::is_same_v<T, float>)
      Adds(y, sum, 0.0f, n);
    else
      Cast(y, sum, RoundMode::CAST_RINT, n);
  }
  __aicore__ inline void Step() {
    LocalTensor<T> x = inQueue.template DeQue<T>();
    LocalTensor<T> y = outQueue.template AllocTensor<T>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    if (exclusive)
      Put(y, sum);
    if constexpr (std::is_same_v<T, float>) {
      Add(sum, sum, x, n);
    } else {
      LocalTensor<float> wide = wideBuf.Get<float>();
      Cast(wide, x, RoundMode::CAST_NONE, n);
      Add(sum, sum, wide, n);
    }
#if WRONG == 2
    // finds 2: wrong result
    Put(y, sum);
#else
    if (!exclusive)
      Put(y, sum);
#endif
    outQueue.EnQue(y);
    inQueue.FreeTensor(x);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inQueue;
  TQue<QuePosition::VECOUT, 1> outQueue;
  TBuf<QuePosition::VECCALC> sumBuf, wideBuf;
  GlobalTensor<T> xGm, yGm;
  uint32_t rows, cols, first, n;
  bool exclusive, reverse;
};

extern "C" __global__ __aicore__ void cumsum(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelCumsum<DTYPE_X> op;
  op.Init(x, y, tiling_data);
  op.Process();
}
