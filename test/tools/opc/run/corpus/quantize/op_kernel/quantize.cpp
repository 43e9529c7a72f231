// y = round(x / scale) + zero as int8, saturated: float to half with one rounding, half to int8.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class KernelQuantize {
public:
  __aicore__ inline KernelQuantize(const QuantizeTilingData &data) : data(data) {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
    begin = GetBlockIdx() * data.perCore;
    end = begin + data.perCore < data.total ? begin + data.perCore : data.total;
    xGm.SetGlobalBuffer((__gm__ T *)x, data.total);
    yGm.SetGlobalBuffer((__gm__ int8_t *)y, data.total);
    pipe.InitBuffer(inQueue, 2, data.tile * sizeof(T));
    pipe.InitBuffer(outQueue, 2, data.tile * sizeof(int8_t));
    pipe.InitBuffer(floatBuf, data.tile * sizeof(float));
    pipe.InitBuffer(halfBuf, data.tile * sizeof(half));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = begin; at < end; at += data.tile) {
      const uint32_t n = end - at < data.tile ? end - at : data.tile;
      LocalTensor<T> x = inQueue.template AllocTensor<T>();
      DataCopyPad(x, xGm[at], {1, uint32_t(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      // finds 2: OPC-E0820 queue_c5
      inQueue.EnQue(x);
      Quantize(n);
      LocalTensor<int8_t> y = outQueue.DeQue<int8_t>();
      DataCopyPad(yGm[at], y, {1, n, 0, 0, 0});
      outQueue.FreeTensor(y);
    }
  }

private:
  __aicore__ inline void Quantize(uint32_t n) {
    LocalTensor<T> x = inQueue.template DeQue<T>();
    LocalTensor<int8_t> y = outQueue.AllocTensor<int8_t>();
    LocalTensor<float> f = floatBuf.Get<float>();
    LocalTensor<half> h = halfBuf.Get<half>();
    if constexpr (std::is_same_v<T, float>) {
      Muls(f, x, data.inverse, n);
    } else {
      Cast(f, x, RoundMode::CAST_NONE, n);
      Muls(f, f, data.inverse, n);
    }
    // To whole numbers first: half has too few digits for the fraction.
    LocalTensor<int32_t> i = floatBuf.Get<int32_t>();
#if WRONG == 1
    // finds 1: wrong result
    Cast(i, f, RoundMode::CAST_FLOOR, n);
#else
    Cast(i, f, RoundMode::CAST_RINT, n);
#endif
    Cast(f, i, RoundMode::CAST_NONE, n);
    Adds(f, f, data.zero, n);
    Cast(h, f, RoundMode::CAST_RINT, n);
    Cast(y, h, RoundMode::CAST_RINT, n);
    outQueue.EnQue(y);
#if WRONG == 2
    inQueue.EnQue(x);
#else
    inQueue.FreeTensor(x);
#endif
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  TBuf<TPosition::VECCALC> floatBuf, halfBuf;
  GlobalTensor<T> xGm;
  GlobalTensor<int8_t> yGm;
  QuantizeTilingData data;
  uint32_t begin, end;
};

extern "C" __global__ __aicore__ void quantize(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  KernelQuantize<DTYPE_X> op(tilingData);
  op.Init(x, y);
  op.Process();
}
