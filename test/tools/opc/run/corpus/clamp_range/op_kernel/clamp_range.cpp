// y = min(max(x, min_value), max_value). The limits travel as floats and are cast to the element type; the output queue
// takes the result of one call over the other's.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <class T> class Clamp {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t length, uint32_t tile, float low, float high) {
    length_ = length;
    tile_ = tile;
    low_ = static_cast<T>(low);
    high_ = static_cast<T>(high);
    src_.SetGlobalBuffer((__gm__ T *)x, length);
    dst_.SetGlobalBuffer((__gm__ T *)y, length);
    pipe_.InitBuffer(in_, 2, tile * sizeof(T));
    // finds 1: OPC-E0810 ascendc_c6
    pipe_.InitBuffer(out_, 2, tile * sizeof(T));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < length_; at += tile_) {
      const uint32_t n = length_ - at > tile_ ? tile_ : length_ - at;
      auto a = in_.template AllocTensor<T>();
      DataCopyPad(a, src_[at], {1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      in_.EnQue(a);
      a = in_.template DeQue<T>();
      auto b = out_.template AllocTensor<T>();
      Maxs(b, a, low_, n);
      Mins(b, b, high_, n);
#if WRONG == 2
      // finds 2: OPC-E0574 race_c1
      DataCopyPad(dst_[at], b, {1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0});
      out_.FreeTensor(b);
#else
      out_.EnQue(b);
      b = out_.template DeQue<T>();
      DataCopyPad(dst_[at], b, {1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0});
      out_.FreeTensor(b);
#endif
      in_.FreeTensor(a);
    }
  }

private:
  TPipe pipe_;
  TQue<TPosition::VECIN, 1> in_;
  TQue<TPosition::VECOUT, 1> out_;
  GlobalTensor<T> src_, dst_;
  uint32_t length_, tile_;
  T low_, high_;
};

extern "C" __global__ __aicore__ void clamp_range(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  Clamp<DTYPE_X> op;
  op.Init(x, y, t.length, t.tile, t.minValue, t.maxValue);
  op.Process();
}
