// y = x1 == x2 as bytes. Bits of a compare become 1 and 0 by a select on a tensor of ones, then half, then 8 bits.
// Whole tiles are computed, also over the padded tail of the last one; only the valid part is stored.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class KernelEqual {
public:
  __aicore__ inline KernelEqual() {}
  __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, uint32_t total, uint32_t tile, uint32_t tileNum,
                              uint32_t tail) {
    this->tile = tile;
    this->tileNum = tileNum;
    this->tail = tail;
    x1Gm.SetGlobalBuffer((__gm__ T *)x1, total);
    x2Gm.SetGlobalBuffer((__gm__ T *)x2, total);
    yGm.SetGlobalBuffer((__gm__ uint8_t *)y, total);
    pipe.InitBuffer(x1Que, 2, tile * sizeof(T));
    pipe.InitBuffer(x2Que, 2, tile * sizeof(T));
    pipe.InitBuffer(yQue, 2, tile);
    pipe.InitBuffer(bits, tile / 8);
    pipe.InitBuffer(ones, tile * sizeof(half));
    pipe.InitBuffer(flags, tile * sizeof(half));
  }
  __aicore__ inline void Process() {
    LocalTensor<half> one = ones.Get<half>();
    Duplicate(one, half(1), tile);
    for (uint32_t i = 0; i < tileNum; ++i) {
      const uint32_t count = i == tileNum - 1 ? tail : tile;
      CopyIn(i * tile, count);
      Compute(one);
      CopyOut(i * tile, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t offset, uint32_t count) {
    LocalTensor<T> a = x1Que.template AllocTensor<T>();
    LocalTensor<T> b = x2Que.template AllocTensor<T>();
    DataCopyExtParams row{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
    DataCopyPad(a, x1Gm[offset], row, {false, 0, 0, 0});
#if WRONG == 1
    // finds 1: OPC-E0560 sim_c17
    DataCopyPad(b, x2Gm[offset + 1], row, {false, 0, 0, 0});
#else
    DataCopyPad(b, x2Gm[offset], row, {false, 0, 0, 0});
#endif
    x1Que.EnQue(a);
    x2Que.EnQue(b);
  }
  __aicore__ inline void Compute(const LocalTensor<half> &one) {
    LocalTensor<T> a = x1Que.template DeQue<T>();
    LocalTensor<T> b = x2Que.template DeQue<T>();
    LocalTensor<uint8_t> y = yQue.template AllocTensor<uint8_t>();
    LocalTensor<uint8_t> mask = bits.Get<uint8_t>();
    LocalTensor<half> flag = flags.Get<half>();
    Compare(mask, a, b, CMPMODE::EQ, tile);
    Select(flag, mask, one, half(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, tile);
    Cast(y, flag, RoundMode::CAST_NONE, tile);
    yQue.EnQue(y);
    x1Que.FreeTensor(a);
    x2Que.FreeTensor(b);
  }
  __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
    LocalTensor<uint8_t> y = yQue.template DeQue<uint8_t>();
#if WRONG == 2
    count += 3;
#endif
    // finds 2: OPC-E0562 ascendc_c5
    DataCopyPad(yGm[offset], y, {1, count, 0, 0, 0});
    yQue.FreeTensor(y);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> x1Que, x2Que;
  TQue<QuePosition::VECOUT, 2> yQue;
  TBuf<> bits, ones, flags;
  GlobalTensor<T> x1Gm, x2Gm;
  GlobalTensor<uint8_t> yGm;
  uint32_t tile, tileNum, tail;
};

extern "C" __global__ __aicore__ void equal(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelEqual<DTYPE_X1> op;
  op.Init(x1, x2, y, tiling_data.total, tiling_data.tile, tiling_data.tileNum, tiling_data.tail);
  op.Process();
}
