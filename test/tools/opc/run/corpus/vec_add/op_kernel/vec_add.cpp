// y = x1 + x2. Queues with two buffers, the work divided into big and small cores, the last tile by its own count. The
// vector unit adds no 8 bits, so int8 goes through half.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

template <typename T> class KernelVecAdd {
public:
  __aicore__ inline KernelVecAdd() {}
  __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, uint32_t smallCoreDataNum, uint32_t bigCoreDataNum,
                              uint32_t bigCoreNum, uint32_t tileDataNum, uint32_t total) {
    ASSERT(GetBlockNum() != 0 && "block dim can not be zero!");
    uint32_t start = GetBlockIdx() * bigCoreDataNum;
    this->coreDataNum = bigCoreDataNum;
    if (GetBlockIdx() >= bigCoreNum) {
      this->coreDataNum = smallCoreDataNum;
      start -= (bigCoreDataNum - smallCoreDataNum) * (GetBlockIdx() - bigCoreNum);
    }
    if (start + this->coreDataNum > total)
      this->coreDataNum = total - start;
    this->tileDataNum = tileDataNum;
    x1Gm.SetGlobalBuffer((__gm__ T *)x1 + start, this->coreDataNum);
    x2Gm.SetGlobalBuffer((__gm__ T *)x2 + start, this->coreDataNum);
    yGm.SetGlobalBuffer((__gm__ T *)y + start, this->coreDataNum);
    pipe.InitBuffer(inQueueX1, BUFFER_NUM, tileDataNum * sizeof(T));
    pipe.InitBuffer(inQueueX2, BUFFER_NUM, tileDataNum * sizeof(T));
    pipe.InitBuffer(outQueueY, BUFFER_NUM, tileDataNum * sizeof(T));
    if constexpr (std::is_same_v<T, int8_t>) {
      pipe.InitBuffer(castBuf1, tileDataNum * sizeof(half));
      pipe.InitBuffer(castBuf2, tileDataNum * sizeof(half));
    }
  }
  __aicore__ inline void Process() {
    const uint32_t tileNum = (coreDataNum + tileDataNum - 1) / tileDataNum;
    for (uint32_t i = 0; i < tileNum; i++) {
      const uint32_t count = i + 1 == tileNum ? coreDataNum - i * tileDataNum : tileDataNum;
      CopyIn(i, count);
      Compute(count);
      CopyOut(i, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t progress, uint32_t count) {
    // finds 1: OPC-E0820 queue_c3
    LocalTensor<T> x1Local = inQueueX1.AllocTensor<T>();
    LocalTensor<T> x2Local = inQueueX2.AllocTensor<T>();
    DataCopyExtParams copyParams{1, (uint32_t)(count * sizeof(T)), 0, 0, 0};
    DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
    DataCopyPad(x1Local, x1Gm[progress * tileDataNum], copyParams, padParams);
    DataCopyPad(x2Local, x2Gm[progress * tileDataNum], copyParams, padParams);
    inQueueX1.EnQue(x1Local);
    inQueueX2.EnQue(x2Local);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<T> x1Local = inQueueX1.DeQue<T>();
    LocalTensor<T> x2Local = inQueueX2.DeQue<T>();
    LocalTensor<T> yLocal = outQueueY.AllocTensor<T>();
    if constexpr (std::is_same_v<T, int8_t>) {
      LocalTensor<half> a = castBuf1.Get<half>();
      LocalTensor<half> b = castBuf2.Get<half>();
      Cast(a, x1Local, RoundMode::CAST_NONE, count);
      Cast(b, x2Local, RoundMode::CAST_NONE, count);
      Add(a, a, b, count);
      Cast(yLocal, a, RoundMode::CAST_RINT, count);
    } else {
      Add(yLocal, x1Local, x2Local, count);
    }
    outQueueY.EnQue<T>(yLocal);
#if WRONG != 1
    inQueueX1.FreeTensor(x1Local);
#endif
    inQueueX2.FreeTensor(x2Local);
  }
  __aicore__ inline void CopyOut(uint32_t progress, uint32_t count) {
    LocalTensor<T> yLocal = outQueueY.DeQue<T>();
#if WRONG == 2
    // finds 2: OPC-E0566 init_c1
    DataCopy(yGm[progress * tileDataNum], yLocal, count);
#else
    DataCopyExtParams copyParams{1, (uint32_t)(count * sizeof(T)), 0, 0, 0};
    DataCopyPad(yGm[progress * tileDataNum], yLocal, copyParams);
#endif
    outQueueY.FreeTensor(yLocal);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX1, inQueueX2;
  TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueY;
  TBuf<QuePosition::VECCALC> castBuf1, castBuf2;
  GlobalTensor<T> x1Gm, x2Gm, yGm;
  uint32_t coreDataNum;
  uint32_t tileDataNum;
};

extern "C" __global__ __aicore__ void vec_add(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelVecAdd<DTYPE_X1> op;
  op.Init(x1, x2, y, tiling_data.smallCoreDataNum, tiling_data.bigCoreDataNum, tiling_data.bigCoreNum,
          tiling_data.tileDataNum, tiling_data.total);
  op.Process();
}

#ifndef ASCENDC_CPU_DEBUG
void vec_add_do(uint32_t blockDim, void *l2ctrl, void *stream, uint8_t *x1, uint8_t *x2, uint8_t *y, uint8_t *workspace,
                uint8_t *tiling) {
  vec_add<<<blockDim, l2ctrl, stream>>>(x1, x2, y, workspace, tiling);
}
#endif
