// y = x in another element type; each pair of types is a row. Pairs without an instruction of their own go through half
// or float.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

#include <type_traits>

using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;

template <typename X, typename Y> class KernelCast {
public:
  __aicore__ inline KernelCast() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t size, uint32_t tile) {
    // Both blocks take every second tile.
    this->size = size;
    this->tile = tile;
    xGm.SetGlobalBuffer((__gm__ X *)x, size);
    yGm.SetGlobalBuffer((__gm__ Y *)y, size);
    pipe.InitBuffer(inQueue, BUFFER_NUM, tile * sizeof(X));
    pipe.InitBuffer(outQueue, BUFFER_NUM, tile * sizeof(Y));
    pipe.InitBuffer(middle, tile * sizeof(half));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = GetBlockIdx() * tile; at < size; at += GetBlockNum() * tile) {
      const uint32_t count = size - at < tile ? size - at : tile;
      LocalTensor<X> in = inQueue.template AllocTensor<X>();
#if WRONG == 1
      // finds 1: OPC-E0560 sim_c17
      DataCopy(in, xGm[at + 64], (count + 31) / 32 * 32);
#else
      DataCopyPad(in, xGm[at], {1, uint32_t(count * sizeof(X)), 0, 0, 0}, {false, 0, 0, 0});
#endif
      inQueue.EnQue(in);
      Compute(count);
      LocalTensor<Y> out = outQueue.template DeQue<Y>();
      DataCopyPad(yGm[at], out, {1, uint32_t(count * sizeof(Y)), 0, 0, 0});
      outQueue.FreeTensor(out);
    }
  }

private:
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<X> in = inQueue.template DeQue<X>();
    LocalTensor<Y> out = outQueue.template AllocTensor<Y>();
    if constexpr (std::is_same_v<X, int8_t> && std::is_same_v<Y, float>) {
      LocalTensor<half> h = middle.Get<half>();
      Cast(h, in, RoundMode::CAST_NONE, count);
      Cast(out, h, RoundMode::CAST_NONE, count);
    } else {
#if WRONG == 2
      // finds 2: wrong result
      Cast(out, in, RoundMode::CAST_CEIL, count);
#else
      Cast(out, in, sizeof(X) > sizeof(Y) ? RoundMode::CAST_RINT : RoundMode::CAST_NONE, count);
#endif
    }
    outQueue.EnQue(out);
    inQueue.FreeTensor(in);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFER_NUM> inQueue;
  TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue;
  TBuf<QuePosition::VECCALC> middle;
  GlobalTensor<X> xGm;
  GlobalTensor<Y> yGm;
  uint32_t size, tile;
};

extern "C" __global__ __aicore__ void cast_to(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelCast<DTYPE_X, DTYPE_Y> op;
  op.Init(x, y, tiling_data.size, tiling_data.tile);
  op.Process();
}
