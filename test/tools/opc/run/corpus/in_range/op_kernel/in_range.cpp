// y = low < x < high ? x : 0. Two masks joined by logic on their bits; the zeros are made of a tile that nothing has
// written, as z & ~z.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

constexpr uint32_t TILE = 512;

class KernelInRange {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const InRangeTilingData &t) {
    total = t.total;
    low = t.low;
    high = t.high;
    xGm.SetGlobalBuffer((__gm__ float *)x, total);
    yGm.SetGlobalBuffer((__gm__ float *)y, total);
    pipe.InitBuffer(xQueue, 2, TILE * sizeof(float));
    pipe.InitBuffer(yQueue, 2, TILE * sizeof(float));
    pipe.InitBuffer(aboveBuf, TILE / 8);
    pipe.InitBuffer(belowBuf, TILE / 8);
    pipe.InitBuffer(zeroBuf, TILE * sizeof(float));
    pipe.InitBuffer(otherBuf, TILE * sizeof(float));
  }
  __aicore__ inline void Process() {
    LocalTensor<uint16_t> zero = zeroBuf.Get<uint16_t>();
    LocalTensor<uint16_t> other = otherBuf.Get<uint16_t>();
#if WRONG == 1
    Not(other, zero[16], TILE * 2 - 16);
#else
    Not(other, zero, TILE * 2);
#endif
    And(zero, zero, other, TILE * 2);
    for (uint32_t begin = 0; begin < total; begin += TILE) {
      Tile(begin, total - begin < TILE ? total - begin : TILE);
    }
  }

private:
  __aicore__ inline void Tile(uint32_t begin, uint32_t count) {
    const uint32_t padded = (count + 63) / 64 * 64;
    LocalTensor<float> x = xQueue.AllocTensor<float>();
    DataCopyPad(x, xGm[begin], {1, uint32_t(count * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
    xQueue.EnQue(x);
    x = xQueue.DeQue<float>();
    LocalTensor<uint8_t> above = aboveBuf.Get<uint8_t>();
    LocalTensor<uint8_t> below = belowBuf.Get<uint8_t>();
    CompareScalar(above, x, low, CMPMODE::GT, padded);
    CompareScalar(below, x, high, CMPMODE::GE, padded);
    LocalTensor<uint16_t> kept = above.ReinterpretCast<uint16_t>();
    LocalTensor<uint16_t> left = below.ReinterpretCast<uint16_t>();
    Not(left, left, padded / 16);
    And(kept, kept, left, padded / 16);
    LocalTensor<float> y = yQueue.AllocTensor<float>();
    Select(y, kept, x, zeroBuf.Get<float>(), SELMODE::VSEL_TENSOR_TENSOR_MODE, padded);
    yQueue.EnQue(y);
    xQueue.FreeTensor(x);
    y = yQueue.DeQue<float>();
#if WRONG == 2
    const uint32_t stored = padded;
#else
    const uint32_t stored = count;
#endif
    // finds 1: OPC-E0566 init_c3; finds 2: OPC-E0560 sim_c17
    DataCopyPad(yGm[begin], y, {1, uint32_t(stored * sizeof(float)), 0, 0, 0});
    yQueue.FreeTensor(y);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> xQueue;
  TQue<QuePosition::VECOUT, 2> yQueue;
  TBuf<> aboveBuf, belowBuf, zeroBuf, otherBuf;
  GlobalTensor<float> xGm, yGm;
  uint32_t total;
  float low, high;
};

extern "C" __global__ __aicore__ void in_range(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelInRange op;
  op.Init(x, y, t);
  op.Process();
}
