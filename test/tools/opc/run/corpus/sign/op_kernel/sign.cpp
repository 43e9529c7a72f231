// y = -1, 0 or 1. Two compares and two selects; the temporaries of a tile share one buffer by offsets.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class KernelSign {
public:
  __aicore__ inline KernelSign() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SignTilingData &tiling, TPipe *tPipe) {
    length = tiling.length;
    tileLength = tiling.tileLength;
    xGm.SetGlobalBuffer((__gm__ T *)x, length);
    yGm.SetGlobalBuffer((__gm__ T *)y, length);
    tPipe->InitBuffer(inQueueX, 2, tileLength * sizeof(T));
    tPipe->InitBuffer(outQueueY, 2, tileLength * sizeof(T));
    tPipe->InitBuffer(tmpBuf, tileLength * 2 * sizeof(float) + tileLength / 8);
  }
  __aicore__ inline void Process() {
    const uint32_t loops = length / tileLength;
    for (uint32_t i = 0; i < loops; i++) {
      CopyIn(i, tileLength);
      Compute(tileLength);
      CopyOut(i, tileLength);
    }
    const uint32_t rest = length % tileLength;
    if (rest > 0) {
      CopyIn(loops, rest);
      Compute(rest);
      CopyOut(loops, rest);
    }
  }

private:
  __aicore__ inline void CopyIn(int32_t i, uint32_t count) {
    LocalTensor<T> xLocal = inQueueX.template AllocTensor<T>();
    DataCopyPad(xLocal, xGm[i * tileLength], {1, uint32_t(count * sizeof(T)), 0, 0, 0}, {true, 0, 0, 0});
    inQueueX.EnQue(xLocal);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<T> xLocal = inQueueX.template DeQue<T>();
    // finds 2: OPC-E0820 queue_c3
    LocalTensor<T> yLocal = outQueueY.template AllocTensor<T>();
    LocalTensor<float> x = tmpBuf.GetWithOffset<float>(tileLength, 0);
#if WRONG == 1
    // finds 1: wrong result
    LocalTensor<float> s = tmpBuf.GetWithOffset<float>(tileLength, tileLength * sizeof(half));
#else
    LocalTensor<float> s = tmpBuf.GetWithOffset<float>(tileLength, tileLength * sizeof(float));
#endif
    LocalTensor<uint8_t> bits = tmpBuf.GetWithOffset<uint8_t>(tileLength / 8, tileLength * 2 * sizeof(float));
    const uint32_t aligned = (count + 63) / 64 * 64;
    if constexpr (std::is_same_v<T, float>) {
      Adds(x, xLocal, 0.0f, count);
    } else {
      Cast(x, xLocal, RoundMode::CAST_NONE, count);
    }
    CompareScalar(bits, x, 0.0f, CMPMODE::GT, aligned);
    Duplicate(s, 1.0f, aligned);
    Select(s, bits, s, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
    CompareScalar(bits, x, 0.0f, CMPMODE::GE, aligned);
    Select(s, bits, s, -1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
    if constexpr (std::is_same_v<T, float>) {
      Adds(yLocal, s, 0.0f, count);
    } else {
      Cast(yLocal, s, RoundMode::CAST_RINT, count);
    }
    outQueueY.EnQue(yLocal);
    inQueueX.FreeTensor(xLocal);
  }
  __aicore__ inline void CopyOut(int32_t i, uint32_t count) {
    LocalTensor<T> yLocal = outQueueY.template DeQue<T>();
    DataCopyPad(yGm[i * tileLength], yLocal, {1, uint32_t(count * sizeof(T)), 0, 0, 0});
#if WRONG != 2
    outQueueY.FreeTensor(yLocal);
#endif
  }

  TQue<TPosition::VECIN, 1> inQueueX;
  TQue<TPosition::VECOUT, 1> outQueueY;
  TBuf<TPosition::VECCALC> tmpBuf;
  GlobalTensor<T> xGm, yGm;
  uint32_t length, tileLength;
};

extern "C" __global__ __aicore__ void sign(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  TPipe pipe;
  KernelSign<DTYPE_X> op;
  op.Init(x, y, tilingData, &pipe);
  op.Process();
}
