// y = x / (1 + exp(-1.595769 * (x + 0.044715 * x^3))), the tanh form. Whole-tensor operators, a buffer reused as
// output.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

namespace {
constexpr float SCALE = -1.595769121f;
constexpr float CUBE = 0.044715f;
} // namespace

template <typename T> class KernelGelu {
public:
  __aicore__ inline KernelGelu() = default;
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const GeluTilingData *__restrict tiling) {
    const uint64_t id = AscendC::GetBlockIdx();
    uint64_t start;
    if (id < tiling->formerNum) {
      start = id * tiling->formerLength;
      length = tiling->formerLength;
    } else {
      start = tiling->formerNum * tiling->formerLength + (id - tiling->formerNum) * tiling->tailLength;
      length = tiling->tailLength;
    }
    if (tiling->totalLength - start < length)
      length = tiling->totalLength - start;
    tile = tiling->tileLength;
    xGm.SetGlobalBuffer((__gm__ T *)x + start, length);
    yGm.SetGlobalBuffer((__gm__ T *)y + start, length);
    pipe.InitBuffer(inQ, 2, tile * sizeof(T));
    pipe.InitBuffer(outQ, 2, tile * sizeof(T));
    pipe.InitBuffer(bufA, tile * sizeof(float));
    pipe.InitBuffer(bufB, tile * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint64_t i = 0; i < length; i += tile) {
      const uint32_t n = length - i < tile ? length - i : tile;
      CopyIn(i, n);
      Compute(n);
      CopyOut(i, n);
    }
  }

private:
  __aicore__ inline void CopyIn(uint64_t i, uint32_t n) {
    AscendC::LocalTensor<T> x = inQ.template AllocTensor<T>();
    AscendC::DataCopyPad(x, xGm[i], {1, (uint32_t)(n * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
#if WRONG == 2
    inQ.EnQue(x);
    // finds 2: OPC-E0820 queue_c4
    inQ.EnQue(x);
#else
    inQ.EnQue(x);
#endif
  }
  __aicore__ inline void Compute(uint32_t n) {
    AscendC::LocalTensor<T> in = inQ.template DeQue<T>();
    AscendC::LocalTensor<T> out = outQ.template AllocTensor<T>();
    AscendC::LocalTensor<float> x = bufA.Get<float>();
    AscendC::LocalTensor<float> t = bufB.Get<float>();
    x.SetSize(n);
    t.SetSize(n);
    if constexpr (sizeof(T) == 2) {
      AscendC::Cast(x, in, AscendC::RoundMode::CAST_NONE, n);
    } else {
      AscendC::Muls(x, in, 1.0f, n);
    }
    t = x * x;
    t = t * x;
#if WRONG == 1
    // finds 1: wrong result
    AscendC::Muls(t, t, SCALE, n);
    AscendC::Axpy(t, x, CUBE, n);
#else
    AscendC::Muls(t, t, CUBE * SCALE, n);
    AscendC::Axpy(t, x, SCALE, n);
#endif
    AscendC::Exp(t, t, n);
    AscendC::Adds(t, t, 1.0f, n);
    if constexpr (sizeof(T) == 2) {
      t = x / t;
      AscendC::Cast(out, t, AscendC::RoundMode::CAST_RINT, n);
    } else {
      AscendC::Div(out, x, t, n);
    }
    outQ.EnQue(out);
    inQ.FreeTensor(in);
  }
  __aicore__ inline void CopyOut(uint64_t i, uint32_t n) {
    AscendC::LocalTensor<T> out = outQ.template DeQue<T>();
    AscendC::DataCopyPad(yGm[i], out, {1, (uint32_t)(n * sizeof(T)), 0, 0, 0});
    outQ.FreeTensor(out);
  }

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> inQ;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQ;
  AscendC::TBuf<AscendC::TPosition::VECCALC> bufA, bufB;
  AscendC::GlobalTensor<T> xGm, yGm;
  uint64_t length;
  uint32_t tile;
};

extern "C" __global__ __aicore__ void gelu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  KernelGelu<DTYPE_X> op;
  op.Init(x, y, &tilingData);
  op.Process();
}
