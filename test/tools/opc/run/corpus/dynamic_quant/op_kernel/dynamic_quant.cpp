// y[r] = round(x[r] / scale[r]) as int8, scale[r] = max |x[r]| / 127: a reduction and a quantisation of each row, the
// scales stored in groups.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;
constexpr float INT8_MOST = 127.0f;

template <typename T> class DynamicQuant {
public:
  __aicore__ inline DynamicQuant(GM_ADDR x, GM_ADDR y, GM_ADDR scale, const DynamicQuantTilingData &t)
      : rows(t.rows), cols(t.cols), group(t.group) {
    xGm.SetGlobalBuffer((__gm__ T *)x);
    yGm.SetGlobalBuffer((__gm__ int8_t *)y);
    scaleGm.SetGlobalBuffer((__gm__ float *)scale);
    pipe.InitBuffer(xQueue, 2, t.padded * sizeof(T));
    pipe.InitBuffer(yQueue, 2, t.padded);
    pipe.InitBuffer(scaleQueue, 2, t.group * sizeof(float));
    pipe.InitBuffer(fBuf, t.padded * sizeof(float));
    pipe.InitBuffer(absBuf, t.padded * sizeof(float));
    pipe.InitBuffer(workBuf, t.padded * sizeof(float));
    pipe.InitBuffer(hBuf, t.padded * sizeof(half));
    pipe.InitBuffer(maxBuf, 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < rows; row += group) {
      const uint32_t n = rows - row < group ? rows - row : group;
      LocalTensor<float> scales = scaleQueue.template AllocTensor<float>();
      for (uint32_t i = 0; i < n; ++i)
        scales.SetValue(i, Row(row + i));
#if WRONG == 2
      scaleQueue.EnQue(scales);
      LocalTensor<float> out = scaleQueue.template DeQue<float>();
      // finds 2: OPC-E0560 sim_c17
      DataCopyPad(scaleGm[row + group], out, {1, uint32_t(n * sizeof(float)), 0, 0, 0});
#else
      scaleQueue.EnQue(scales);
      LocalTensor<float> out = scaleQueue.template DeQue<float>();
      DataCopyPad(scaleGm[row], out, {1, uint32_t(n * sizeof(float)), 0, 0, 0});
#endif
      scaleQueue.FreeTensor(out);
    }
  }

private:
  __aicore__ inline float Row(uint32_t row) {
    LocalTensor<float> f = fBuf.Get<float>(), a = absBuf.Get<float>(), m = maxBuf.Get<float>();
    LocalTensor<T> x = xQueue.template AllocTensor<T>();
    DataCopyPad(x, xGm[uint64_t(row) * cols], {1, uint32_t(cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
    xQueue.EnQue(x);
    x = xQueue.template DeQue<T>();
    if constexpr (std::is_same_v<T, float>)
      Adds(f, x, 0.0f, cols);
    else
      Cast(f, x, RoundMode::CAST_NONE, cols);
    xQueue.FreeTensor(x);
    Abs(a, f, cols);
    ReduceMax(m, a, workBuf.Get<float>(), cols);
    const float most = m.GetValue(0);
    const float scale = most / INT8_MOST;
#if WRONG == 1
    // finds 1: wrong result
    Muls(f, f, scale, cols);
#else
    Muls(f, f, most == 0.0f ? 0.0f : INT8_MOST / most, cols);
#endif
    Cast(f.ReinterpretCast<int32_t>(), f, RoundMode::CAST_RINT, cols);
    Cast(f, f.ReinterpretCast<int32_t>(), RoundMode::CAST_NONE, cols);
    Cast(hBuf.Get<half>(), f, RoundMode::CAST_NONE, cols);
    LocalTensor<int8_t> y = yQueue.template AllocTensor<int8_t>();
    Cast(y, hBuf.Get<half>(), RoundMode::CAST_NONE, cols);
    yQueue.EnQue(y);
    y = yQueue.template DeQue<int8_t>();
    DataCopyPad(yGm[uint64_t(row) * cols], y, {1, cols, 0, 0, 0});
    yQueue.FreeTensor(y);
    return scale;
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> xQueue;
  TQue<QuePosition::VECOUT, 1> yQueue, scaleQueue;
  TBuf<> fBuf, absBuf, workBuf, hBuf, maxBuf;
  GlobalTensor<T> xGm;
  GlobalTensor<int8_t> yGm;
  GlobalTensor<float> scaleGm;
  uint32_t rows, cols, group;
};

extern "C" __global__ __aicore__ void dynamic_quant(GM_ADDR x, GM_ADDR y, GM_ADDR scale, GM_ADDR workspace,
                                                    GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  DynamicQuant<DTYPE_X> op(x, y, scale, tiling_data);
  op.Process();
}
