// Softmax of rows that UB does not hold: the exponentials of a row are kept in the workspace, each block in a part of
// its own, and read again when their sum is known.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

class LongSoftmax {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, const LongSoftmaxTilingData &tiling) {
    t = tiling;
    xGm.SetGlobalBuffer((__gm__ float *)x, t.rows * t.cols);
    yGm.SetGlobalBuffer((__gm__ float *)y, t.rows * t.cols);
    keptGm.SetGlobalBuffer((__gm__ float *)workspace + GetBlockIdx() * t.workCols, t.workCols);
    pipe.InitBuffer(in, 2, t.tile * sizeof(float));
    pipe.InitBuffer(out, 2, t.tile * sizeof(float));
    pipe.InitBuffer(work, t.tile * sizeof(float));
    pipe.InitBuffer(scalar, 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = GetBlockIdx(); row < t.rows; row += GetBlockNum()) {
      float most = -3.0e38f;
      for (uint32_t at = 0; at < t.cols; at += t.tile) {
        LocalTensor<float> x = Load(xGm[row * t.cols + at], Count(at));
        ReduceMax(scalar.Get<float>(), x, work.Get<float>(), Count(at));
        in.FreeTensor(x);
        const float found = Scalar();
        most = found > most ? found : most;
      }
      float sum = 0;
      for (uint32_t at = 0; at < t.cols; at += t.tile) {
        LocalTensor<float> x = Load(xGm[row * t.cols + at], Count(at));
        LocalTensor<float> e = out.AllocTensor<float>();
        Adds(e, x, -most, Count(at));
        Exp(e, e, Count(at));
        in.FreeTensor(x);
        ReduceSum(scalar.Get<float>(), e, work.Get<float>(), Count(at));
        sum += Scalar();
        Store(keptGm[at], e, Count(at));
      }
      // What the store pipe wrote to global memory is loaded again.
#if WRONG != 1
      Order<HardEvent::MTE3_MTE2>();
#endif
      for (uint32_t at = 0; at < t.cols; at += t.tile) {
        LocalTensor<float> e = Load(keptGm[at], Count(at));
        LocalTensor<float> y = out.AllocTensor<float>();
        Muls(y, e, 1.0f / sum, Count(at));
        in.FreeTensor(e);
        Store(yGm[row * t.cols + at], y, Count(at));
      }
      Order<HardEvent::MTE2_MTE3>();
    }
  }

private:
  template <HardEvent event> __aicore__ inline void Order() {
    SetFlag<event>(EVENT_ID4);
    WaitFlag<event>(EVENT_ID4);
  }
  __aicore__ inline uint32_t Count(uint32_t at) { return t.cols - at < t.tile ? t.cols - at : t.tile; }
  __aicore__ inline LocalTensor<float> Load(const GlobalTensor<float> &from, uint32_t n) {
    LocalTensor<float> local = in.AllocTensor<float>();
    // finds 1: OPC-E0574 race_c1
    DataCopyPad(local, from, {1, uint32_t(n * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
    in.EnQue(local);
    return in.DeQue<float>();
  }
  __aicore__ inline void Store(const GlobalTensor<float> &to, LocalTensor<float> &local, uint32_t n) {
    out.EnQue(local);
    local = out.DeQue<float>();
    // finds 2: OPC-E0560 sim_c17
    DataCopyPad(to, local, {1, uint32_t(n * sizeof(float)), 0, 0, 0});
    out.FreeTensor(local);
  }
  __aicore__ inline float Scalar() {
    Order<HardEvent::V_S>();
    const float value = scalar.Get<float>().GetValue(0);
    Order<HardEvent::S_V>();
    return value;
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  TBuf<> work, scalar;
  GlobalTensor<float> xGm, yGm, keptGm;
  LongSoftmaxTilingData t;
};

extern "C" __global__ __aicore__ void long_softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  LongSoftmax op;
  op.Init(x, y, workspace, tilingData);
  op.Process();
}
