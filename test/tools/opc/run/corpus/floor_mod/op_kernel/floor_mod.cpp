// y = x1 - floor(x1 / x2) * x2. int32 and half are computed in float. The kernel has functions named like those of the
// C library.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

__aicore__ inline uint32_t min(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// q = floor(a / b)
__aicore__ inline void div(const LocalTensor<float> &q, const LocalTensor<float> &a, const LocalTensor<float> &b,
                           const LocalTensor<int32_t> &whole, uint32_t n) {
  Div(q, a, b, n);
#if WRONG == 1
  // finds 1: wrong result
  Cast(whole, q, RoundMode::CAST_TRUNC, n);
#else
  Cast(whole, q, RoundMode::CAST_FLOOR, n);
#endif
  Cast(q, whole, RoundMode::CAST_NONE, n);
}

template <typename T> class FloorMod {
public:
  __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, const FloorModTilingData &t) {
    const uint32_t begin = GetBlockIdx() * t.perBlock;
    count_ = min(t.perBlock, t.total - begin);
    tile_ = t.tile;
    a_.SetGlobalBuffer((__gm__ T *)x1 + begin, count_);
    b_.SetGlobalBuffer((__gm__ T *)x2 + begin, count_);
    y_.SetGlobalBuffer((__gm__ T *)y + begin, count_);
    pipe_.InitBuffer(aQueue_, 2, tile_ * sizeof(T));
    pipe_.InitBuffer(bQueue_, 2, tile_ * sizeof(T));
    pipe_.InitBuffer(yQueue_, 2, tile_ * sizeof(T));
    pipe_.InitBuffer(wide_, 3 * tile_ * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t i = 0; i < count_; i += tile_) {
      Tile(i, min(tile_, count_ - i));
    }
  }

private:
  __aicore__ inline void Tile(uint32_t at, uint32_t n) {
    LocalTensor<T> a = aQueue_.template AllocTensor<T>();
    LocalTensor<T> b = bQueue_.template AllocTensor<T>();
    const DataCopyExtParams row{1, uint32_t(n * sizeof(T)), 0, 0, 0};
    DataCopyPad(a, a_[at], row, {false, 0, 0, 0});
    DataCopyPad(b, b_[at], row, {false, 0, 0, 0});
#if WRONG == 2
    bQueue_.EnQue(b);
#else
    aQueue_.EnQue(a);
    bQueue_.EnQue(b);
#endif
    // finds 2: OPC-E0820 queue_c6
    a = aQueue_.template DeQue<T>();
    b = bQueue_.template DeQue<T>();
    LocalTensor<T> y = yQueue_.template AllocTensor<T>();
    LocalTensor<float> q = wide_.Get<float>();
    LocalTensor<float> x = q[tile_];
    LocalTensor<float> d = q[2 * tile_];
    if constexpr (std::is_same<T, float>::value) {
      div(q, a, b, x.template ReinterpretCast<int32_t>(), n);
      Mul(q, q, b, n);
      Sub(y, a, q, n);
    } else {
      Cast(x, a, RoundMode::CAST_NONE, n);
      Cast(d, b, RoundMode::CAST_NONE, n);
      div(q, x, d, q.template ReinterpretCast<int32_t>(), n);
      Mul(q, q, d, n);
      Sub(q, x, q, n);
      if constexpr (std::is_same<T, int32_t>::value) {
        Cast(y, q, RoundMode::CAST_RINT, n);
      } else {
        Cast(y, q, RoundMode::CAST_NONE, n);
      }
    }
    yQueue_.EnQue(y);
    aQueue_.FreeTensor(a);
    bQueue_.FreeTensor(b);
    y = yQueue_.template DeQue<T>();
    DataCopyPad(y_[at], y, row);
    yQueue_.FreeTensor(y);
  }

  TPipe pipe_;
  TQue<TPosition::VECIN, 1> aQueue_, bQueue_;
  TQue<TPosition::VECOUT, 1> yQueue_;
  TBuf<> wide_;
  GlobalTensor<T> a_, b_, y_;
  uint32_t count_, tile_;
};

extern "C" __global__ __aicore__ void floor_mod(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  FloorMod<DTYPE_X1> op;
  op.Init(x1, x2, y, tilingData);
  op.Process();
}
