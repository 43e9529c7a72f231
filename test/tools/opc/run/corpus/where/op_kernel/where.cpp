// y = condition ? x1 : x2. The condition is a tensor of bytes: cast to half, compared with 0, and its bits select.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;

class KernelWhere {
  using T = DTYPE_X1;

public:
  __aicore__ inline KernelWhere() {}
  __aicore__ inline void Init(GM_ADDR condition, GM_ADDR x1, GM_ADDR x2, GM_ADDR y, uint32_t totalLength,
                              uint32_t tileLength) {
    this->totalLength = totalLength;
    this->tileLength = tileLength;
    cGm.SetGlobalBuffer((__gm__ uint8_t *)condition, totalLength);
    x1Gm.SetGlobalBuffer((__gm__ T *)x1, totalLength);
    x2Gm.SetGlobalBuffer((__gm__ T *)x2, totalLength);
    yGm.SetGlobalBuffer((__gm__ T *)y, totalLength);
    pipe.InitBuffer(cQueue, BUFFER_NUM, tileLength * sizeof(uint8_t));
    pipe.InitBuffer(x1Queue, BUFFER_NUM, tileLength * sizeof(T));
    pipe.InitBuffer(x2Queue, BUFFER_NUM, tileLength * sizeof(T));
    pipe.InitBuffer(yQueue, BUFFER_NUM, tileLength * sizeof(T));
    pipe.InitBuffer(halfBuf, tileLength * sizeof(half));
#if WRONG == 1
    pipe.InitBuffer(maskBuf, tileLength / 16);
#else
    pipe.InitBuffer(maskBuf, tileLength / 8);
#endif
  }
  __aicore__ inline void Process() {
    const uint32_t loops = (totalLength + tileLength - 1) / tileLength;
    for (uint32_t i = 0; i < loops; ++i) {
      const uint32_t count = i + 1 < loops ? tileLength : totalLength - i * tileLength;
      CopyIn(i * tileLength, count);
      Compute(count);
      CopyOut(i * tileLength, count);
    }
  }

private:
  template <typename U>
  __aicore__ inline void Load(TQue<QuePosition::VECIN, BUFFER_NUM> &queue, GlobalTensor<U> from, uint32_t count) {
    LocalTensor<U> local = queue.AllocTensor<U>();
    DataCopyPad(local, from, {1, (uint32_t)(count * sizeof(U)), 0, 0, 0}, DataCopyPadExtParams<U>{false, 0, 0, 0});
    queue.EnQue(local);
  }
  __aicore__ inline void CopyIn(uint32_t offset, uint32_t count) {
    Load(cQueue, cGm[offset], count);
    Load(x1Queue, x1Gm[offset], count);
    Load(x2Queue, x2Gm[offset], count);
  }
  __aicore__ inline void Compute(uint32_t count) {
    auto c = cQueue.DeQue<uint8_t>();
    auto x1 = x1Queue.DeQue<T>();
    auto x2 = x2Queue.DeQue<T>();
    auto y = yQueue.AllocTensor<T>();
    auto flag = halfBuf.Get<half>();
    auto mask = maskBuf.Get<uint8_t>();
    Cast(flag, c, RoundMode::CAST_NONE, count);
    // finds 1: OPC-E0562 ascendc_c5
    CompareScalar(mask, flag, static_cast<half>(0), CMPMODE::NE, (count + 127) / 128 * 128);
#if WRONG == 2
    // finds 2: wrong result
    Select(y, mask, x2, x1, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
#else
    Select(y, mask, x1, x2, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
#endif
    yQueue.EnQue(y);
    cQueue.FreeTensor(c);
    x1Queue.FreeTensor(x1);
    x2Queue.FreeTensor(x2);
  }
  __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
    auto y = yQueue.DeQue<T>();
    DataCopyPad(yGm[offset], y, {1, (uint32_t)(count * sizeof(T)), 0, 0, 0});
    yQueue.FreeTensor(y);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFER_NUM> cQueue, x1Queue, x2Queue;
  TQue<QuePosition::VECOUT, BUFFER_NUM> yQueue;
  TBuf<QuePosition::VECCALC> halfBuf, maskBuf;
  GlobalTensor<uint8_t> cGm;
  GlobalTensor<T> x1Gm, x2Gm, yGm;
  uint32_t totalLength, tileLength;
};

extern "C" __global__ __aicore__ void where(GM_ADDR condition, GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace,
                                            GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelWhere op;
  op.Init(condition, x1, x2, y, tiling_data.totalLength, tiling_data.tileLength);
  op.Process();
}
