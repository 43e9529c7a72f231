// The squared difference: of each element, its sum, or its mean. A word says which; it becomes a tiling key. One block
// adds the sums of its tiles in the scalar unit.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T, bool reduces> class MseLoss {
public:
  __aicore__ inline MseLoss() {}
  __aicore__ inline void Init(GM_ADDR predict, GM_ADDR label, GM_ADDR y, uint32_t total, uint32_t tile, float factor) {
    this->total = total;
    this->tile = tile;
    this->factor = factor;
    predictGm.SetGlobalBuffer((__gm__ T *)predict, total);
    labelGm.SetGlobalBuffer((__gm__ T *)label, total);
    yGm.SetGlobalBuffer((__gm__ T *)y, reduces ? 1 : total);
    pipe.InitBuffer(predictQueue, 2, tile * sizeof(T));
    pipe.InitBuffer(labelQueue, 2, tile * sizeof(T));
    pipe.InitBuffer(yQueue, 1, tile * sizeof(T));
    pipe.InitBuffer(a, tile * sizeof(float));
    pipe.InitBuffer(b, tile * sizeof(float));
    pipe.InitBuffer(sum, 32);
  }
  __aicore__ inline void Process() {
    float result = 0;
    for (uint32_t at = 0; at < total; at += tile) {
      const uint32_t n = total - at < tile ? total - at : tile;
      LocalTensor<float> square = Square(at, n);
      if constexpr (reduces) {
        LocalTensor<float> s = sum.Get<float>();
        ReduceSum(s, square, b.Get<float>(), n);
        SetFlag<HardEvent::V_S>(EVENT_ID0);
        WaitFlag<HardEvent::V_S>(EVENT_ID0);
        result += s.GetValue(0);
        SetFlag<HardEvent::S_V>(EVENT_ID0);
        WaitFlag<HardEvent::S_V>(EVENT_ID0);
      } else {
        LocalTensor<T> y = yQueue.template AllocTensor<T>();
        if constexpr (std::is_same_v<T, float>)
          Adds(y, square, 0.0f, n);
        else
          Cast(y, square, RoundMode::CAST_RINT, n);
        Store(y, at, n);
      }
    }
    if constexpr (reduces) {
      LocalTensor<float> s = sum.Get<float>();
      LocalTensor<T> y = yQueue.template AllocTensor<T>();
      Duplicate(s, result * factor, 8);
      if constexpr (std::is_same_v<T, float>)
        Adds(y, s, 0.0f, 1);
      else
        Cast(y, s, RoundMode::CAST_RINT, 1);
#if WRONG == 2
      Store(y, 64, 1);
#else
      Store(y, 0, 1);
#endif
    }
  }

private:
  __aicore__ inline void Widen(const LocalTensor<float> &to, const LocalTensor<T> &from, uint32_t n) {
    if constexpr (std::is_same_v<T, float>)
      Adds(to, from, 0.0f, n);
    else
      Cast(to, from, RoundMode::CAST_NONE, n);
  }
  __aicore__ inline LocalTensor<float> Square(uint32_t at, uint32_t n) {
    const DataCopyExtParams row{1, uint32_t(n * sizeof(T)), 0, 0, 0};
    LocalTensor<T> p = predictQueue.template AllocTensor<T>();
    LocalTensor<T> l = labelQueue.template AllocTensor<T>();
    DataCopyPad(p, predictGm[at], row, {false, 0, 0, T(0)});
    DataCopyPad(l, labelGm[at], row, {false, 0, 0, T(0)});
    predictQueue.EnQue(p);
    labelQueue.EnQue(l);
    p = predictQueue.template DeQue<T>();
    l = labelQueue.template DeQue<T>();
    Widen(a.Get<float>(), p, n);
    Widen(b.Get<float>(), l, n);
    predictQueue.FreeTensor(p);
    labelQueue.FreeTensor(l);
    LocalTensor<float> d = a.Get<float>();
    Sub(d, d, b.Get<float>(), n);
    Mul(d, d, d, n);
    return d;
  }
  __aicore__ inline void Store(LocalTensor<T> y, uint32_t at, uint32_t n) {
    yQueue.EnQue(y);
    y = yQueue.template DeQue<T>();
    // finds 2: OPC-E0560 sim_c17
    DataCopyPad(yGm[at], y, {1, uint32_t(n * sizeof(T)), 0, 0, 0});
    yQueue.FreeTensor(y);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> predictQueue, labelQueue;
  TQue<QuePosition::VECOUT, 1> yQueue;
  TBuf<QuePosition::VECCALC> a, b, sum;
  GlobalTensor<T> predictGm, labelGm, yGm;
  uint32_t total, tile;
  float factor;
};

extern "C" __global__ __aicore__ void mse_loss(GM_ADDR predict, GM_ADDR label, GM_ADDR y, GM_ADDR workspace,
                                               GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  if (TILING_KEY_IS(1)) {
    MseLoss<DTYPE_PREDICT, false> op;
    op.Init(predict, label, y, t.total, t.tile, t.factor);
    op.Process();
  } else if (TILING_KEY_IS(2)) {
    MseLoss<DTYPE_PREDICT, true> op;
    op.Init(predict, label, y, t.total, t.tile, t.factor);
    op.Process();
  }
}
