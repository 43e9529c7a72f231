// y = x[begins : begins + sizes], up to four dimensions; begin and size are lists. Rows of the last dimension are
// copied one by one, the others counted by hand.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class KernelSlice {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, SliceTilingData *data) {
    t = data;
    xGm.SetGlobalBuffer((__gm__ T *)x, Product(t->inDims, 0));
    yGm.SetGlobalBuffer((__gm__ T *)y, Product(t->sizes, 0));
    pipe.InitBuffer(queue, 2, (t->rowBytes + 31) / 32 * 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t a = GetBlockIdx(); a < t->sizes[0]; a += GetBlockNum())
      for (uint32_t b = 0; b < t->sizes[1]; ++b)
        for (uint32_t c = 0; c < t->sizes[2]; ++c) {
          const uint64_t from = (uint64_t(a + t->begins[0]) * t->inDims[1] + b + t->begins[1]) * t->inDims[2] + c;
#if WRONG == 1
          CopyRow(from * t->inDims[3] + t->begins[3], ((a * t->sizes[1] + b) * t->sizes[2] + c) * t->sizes[3]);
#else
          CopyRow((from + t->begins[2]) * t->inDims[3] + t->begins[3],
                  ((a * t->sizes[1] + b) * t->sizes[2] + c) * t->sizes[3]);
#endif
        }
  }

private:
  static __aicore__ inline uint64_t Product(const uint32_t *of, int32_t first) {
    uint64_t product = 1;
    for (int32_t i = first; i < 4; ++i)
      product *= of[i];
    return product;
  }
  __aicore__ inline void CopyRow(uint64_t from, uint64_t to) {
    LocalTensor<T> row = queue.template AllocTensor<T>();
    // finds 1: wrong result
    DataCopyPad(row, xGm[from], {1, t->rowBytes, 0, 0, 0}, {false, 0, 0, 0});
    queue.EnQue(row);
    row = queue.template DeQue<T>();
#if WRONG == 2
    // finds 2: OPC-E0562 ascendc_c5
    DataCopyPad(yGm[to], row, {2, t->rowBytes, 0, 0, 0});
#else
    DataCopyPad(yGm[to], row, {1, t->rowBytes, 0, 0, 0});
#endif
    queue.FreeTensor(row);
  }

  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  GlobalTensor<T> xGm, yGm;
  SliceTilingData *t;
};

extern "C" __global__ __aicore__ void slice(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelSlice<DTYPE_X> op;
  op.Init(x, y, &tiling_data);
  op.Process();
}
