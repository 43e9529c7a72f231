// y = x1 and x2 side by side along the last dimension: rows of both go to rows of y by the stride of the store, several
// rows to a copy. Types of one width share a kernel.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class Concat {
public:
  __aicore__ inline Concat(const ConcatTilingData &t) : t(t) {}
  __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR y) {
    in1.SetGlobalBuffer((__gm__ T *)x1, t.rows * t.cols1);
    in2.SetGlobalBuffer((__gm__ T *)x2, t.rows * t.cols2);
    out.SetGlobalBuffer((__gm__ T *)y, t.rows * (t.cols1 + t.cols2));
    pipe.InitBuffer(queue, 2,
                    t.rowsAtOnce * (Blocks(t.cols1) > Blocks(t.cols2) ? Blocks(t.cols1) : Blocks(t.cols2)) * 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < t.rows; row += t.rowsAtOnce) {
      const uint32_t n = t.rows - row < t.rowsAtOnce ? t.rows - row : t.rowsAtOnce;
      Move(in1[row * t.cols1], row * (t.cols1 + t.cols2), n, t.cols1, t.cols2);
#if WRONG == 1
      Move(in2[row * t.cols2], row * (t.cols1 + t.cols2) + t.cols2, n, t.cols2, t.cols1);
#else
      Move(in2[row * t.cols2], row * (t.cols1 + t.cols2) + t.cols1, n, t.cols2, t.cols1);
#endif
    }
  }

private:
  __aicore__ inline uint32_t Blocks(uint32_t cols) { return (cols * sizeof(T) + 31) / 32; }
  __aicore__ inline void Move(GlobalTensor<T> from, uint32_t to, uint16_t n, uint32_t cols, uint32_t gap) {
    LocalTensor<T> local = queue.template AllocTensor<T>();
    DataCopyPad(local, from, {n, uint32_t(cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
    queue.EnQue(local);
    local = queue.template DeQue<T>();
#if WRONG == 2
    // finds 2: OPC-E0562 ascendc_c5
    DataCopyPad(out[to], local, {n, uint32_t(cols * sizeof(T)), 1, uint32_t(gap * sizeof(T)), 0});
#else
    // finds 1: OPC-E0560 sim_c17
    DataCopyPad(out[to], local, {n, uint32_t(cols * sizeof(T)), 0, uint32_t(gap * sizeof(T)), 0});
#endif
    queue.FreeTensor(local);
  }

  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> queue;
  GlobalTensor<T> in1, in2, out;
  const ConcatTilingData &t;
};

extern "C" __global__ __aicore__ void concat(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  if (TILING_KEY_IS(2)) {
    Concat<int16_t> op(tilingData);
    op.Init(x1, x2, y);
    op.Process();
  } else if (TILING_KEY_IS(4)) {
    Concat<int32_t> op(tilingData);
    op.Init(x1, x2, y);
    op.Process();
  }
}
