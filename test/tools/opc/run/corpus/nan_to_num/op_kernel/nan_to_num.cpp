// y = x, with NaN, infinity and -infinity replaced. x is NaN where it does not equal itself. The mask of a tile is
// reused for three selects.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;
constexpr uint32_t BUFFER_NUM = 2;

template <typename T> class KernelNanToNum {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const NanToNumTilingData &data) {
    length = data.length;
    tile = data.tile;
    nan = static_cast<T>(data.nan);
    high = static_cast<T>(data.posinf);
    low = static_cast<T>(data.neginf);
    xGm.SetGlobalBuffer((__gm__ T *)x, length);
    yGm.SetGlobalBuffer((__gm__ T *)y, length);
    pipe.InitBuffer(inQueue, BUFFER_NUM, tile * sizeof(T));
    pipe.InitBuffer(outQueue, BUFFER_NUM, tile * sizeof(T));
    pipe.InitBuffer(maskBuf, tile / 8);
  }
  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < length; at += tile) {
      const uint32_t n = length - at < tile ? length - at : tile;
      LocalTensor<T> x = inQueue.template AllocTensor<T>();
      DataCopyPad(x, xGm[at], {1, uint32_t(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
      inQueue.EnQue(x);
      Compute(n);
      LocalTensor<T> y = outQueue.template DeQue<T>();
      DataCopyPad(yGm[at], y, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
      outQueue.FreeTensor(y);
    }
  }

private:
  __aicore__ inline void Compute(uint32_t n) {
    constexpr uint32_t lanes = 256 / sizeof(T);
    const uint32_t whole = (n + lanes - 1) / lanes * lanes;
    LocalTensor<T> x = inQueue.template DeQue<T>();
    LocalTensor<T> y = outQueue.template AllocTensor<T>();
    LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
#if WRONG == 1
    // finds 1: wrong result
    Compare(mask, x, x, CMPMODE::NE, whole);
#else
    Compare(mask, x, x, CMPMODE::EQ, whole);
#endif
    Select(y, mask, x, nan, SELMODE::VSEL_TENSOR_SCALAR_MODE, n);
    Mins(y, y, high, n);
    Maxs(y, y, low, n);
    outQueue.EnQue(y);
#if WRONG == 2
    // finds 2: OPC-E0820 queue_c2
    outQueue.FreeTensor(x);
#else
    inQueue.FreeTensor(x);
#endif
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFER_NUM> inQueue;
  TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue;
  TBuf<QuePosition::VECCALC> maskBuf;
  GlobalTensor<T> xGm, yGm;
  uint32_t length, tile;
  T nan, high, low;
};

extern "C" __global__ __aicore__ void nan_to_num(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelNanToNum<DTYPE_X> op;
  op.Init(x, y, t);
  op.Process();
}
