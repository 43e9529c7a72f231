// y = x1 ^ x2, as (x1 | x2) & ~(x1 & x2): the chip has logic on 16 bits, and 32 bits are twice as many of them.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

class BitwiseXor {
public:
  __aicore__ inline BitwiseXor(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, uint32_t words, uint32_t tile)
      : words_(words), tile_(tile) {
    a_.SetGlobalBuffer((__gm__ uint16_t *)x1, words);
    b_.SetGlobalBuffer((__gm__ uint16_t *)x2, words);
    y_.SetGlobalBuffer((__gm__ uint16_t *)y, words);
    pipe_.InitBuffer(qa_, 2, tile * 2);
    pipe_.InitBuffer(qb_, 2, tile * 2);
    pipe_.InitBuffer(qy_, 2, tile * 2);
  }
  __aicore__ inline void Process() {
    for (uint32_t i = 0; i < words_; i += tile_) {
      const uint32_t n = words_ - i < tile_ ? words_ - i : tile_;
      Load(i, n);
      Xor(n);
      Store(i, n);
    }
  }

private:
  __aicore__ inline void Load(uint32_t i, uint32_t n) {
    LocalTensor<uint16_t> a = qa_.AllocTensor<uint16_t>();
    LocalTensor<uint16_t> b = qb_.AllocTensor<uint16_t>();
    DataCopyExtParams row{1, n * 2, 0, 0, 0};
    DataCopyPadExtParams<uint16_t> none{false, 0, 0, 0};
    DataCopyPad(a, a_[i], row, none);
    DataCopyPad(b, b_[i], row, none);
    qa_.EnQue(a);
    qb_.EnQue(b);
  }
  __aicore__ inline void Xor(uint32_t n) {
    LocalTensor<uint16_t> a = qa_.DeQue<uint16_t>();
    LocalTensor<uint16_t> b = qb_.DeQue<uint16_t>();
    LocalTensor<uint16_t> y = qy_.AllocTensor<uint16_t>();
    And(y, a, b, n);
    Not(y, y, n);
#if WRONG == 1
    // finds 1: wrong result
    And(y, y, a, n);
#else
    Or(a, a, b, n);
    And(y, y, a, n);
#endif
#if WRONG == 2
    qy_.FreeTensor(y);
#else
    qy_.EnQue(y);
#endif
    qa_.FreeTensor(a);
    qb_.FreeTensor(b);
  }
  __aicore__ inline void Store(uint32_t i, uint32_t n) {
    // finds 2: OPC-E0820 queue_c6
    LocalTensor<uint16_t> y = qy_.DeQue<uint16_t>();
    DataCopyPad(y_[i], y, DataCopyExtParams(1, n * 2, 0, 0, 0));
    qy_.FreeTensor(y);
  }

  TPipe pipe_;
  TQue<TPosition::VECIN, 2> qa_, qb_;
  TQue<TPosition::VECOUT, 2> qy_;
  GlobalTensor<uint16_t> a_, b_, y_;
  uint32_t words_, tile_;
};

extern "C" __global__ __aicore__ void bitwise_xor(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  BitwiseXor op(x1, x2, y, t.words, t.tile);
  op.Process();
}
