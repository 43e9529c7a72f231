// y = the transpose of each matrix of 16 bits: 16 x 16 elements by one instruction, rows of a tile by a strided copy.
// Edges are copied short.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;
constexpr uint32_t EDGE = 16;

class KernelTranspose {
public:
  __aicore__ inline KernelTranspose() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const TransposeTilingData &t) {
    batch = t.batch;
    rows = t.rows;
    cols = t.cols;
    xGm.SetGlobalBuffer((__gm__ DTYPE_X *)x, batch * rows * cols);
    yGm.SetGlobalBuffer((__gm__ DTYPE_Y *)y, batch * rows * cols);
    pipe.InitBuffer(in, 2, EDGE * EDGE * sizeof(DTYPE_X));
    pipe.InitBuffer(out, 2, EDGE * EDGE * sizeof(DTYPE_X));
  }
  __aicore__ inline void Process() {
    for (uint32_t b = 0; b < batch; ++b)
      for (uint32_t r = 0; r < rows; r += EDGE)
        for (uint32_t c = 0; c < cols; c += EDGE)
          Square(b * rows * cols, r, c, Least(rows - r), Least(cols - c));
  }

private:
  __aicore__ inline uint32_t Least(uint32_t n) { return n < EDGE ? n : EDGE; }
  __aicore__ inline void Square(uint32_t base, uint32_t r, uint32_t c, uint32_t height, uint32_t width) {
    constexpr uint32_t size = sizeof(DTYPE_X);
    LocalTensor<DTYPE_X> a = in.AllocTensor<DTYPE_X>();
    Duplicate(a, DTYPE_X(0), EDGE * EDGE);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID5);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID5);
    DataCopyExtParams load;
    load.blockCount = height;
    load.blockLen = width * size;
#if WRONG == 1
    load.srcStride = cols * size;
#else
    load.srcStride = (cols - width) * size;
#endif
    load.dstStride = 0;
    // finds 1: OPC-E0560 sim_c17
    DataCopyPad(a, xGm[base + r * cols + c], load, {false, 0, 0, 0});
    in.EnQue(a);
    a = in.DeQue<DTYPE_X>();
    LocalTensor<DTYPE_Y> b = out.AllocTensor<DTYPE_Y>();
    Transpose(b, a);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<DTYPE_Y>();
    DataCopyExtParams store;
    store.blockCount = width;
    store.blockLen = height * size;
    store.srcStride = 0;
#if WRONG == 2
    store.dstStride = (rows - EDGE) * size;
#else
    store.dstStride = (rows - height) * size;
#endif
    // finds 2: OPC-E0566 init_c1
    DataCopyPad(yGm[base + c * rows + r], b, store);
    out.FreeTensor(b);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  GlobalTensor<DTYPE_X> xGm;
  GlobalTensor<DTYPE_Y> yGm;
  uint32_t batch, rows, cols;
};

extern "C" __global__ __aicore__ void transpose(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  KernelTranspose op;
  op.Init(x, y, tilingData);
  op.Process();
}
