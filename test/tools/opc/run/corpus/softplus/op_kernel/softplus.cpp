// y = ln(1 + exp(beta * x)) / beta, and x where beta * x is above the threshold: a compare over whole repeats, then a
// select by its bits. One tiling key for each element type.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

template <typename T, bool needsCast> class KernelSoftplus {
public:
  __aicore__ inline KernelSoftplus() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, SoftplusTilingData &data) {
    const uint32_t id = GetBlockIdx();
    this->coreDataNum = id < data.bigCoreNum ? data.bigCoreDataNum : data.smallCoreDataNum;
    const uint32_t begin = id * data.smallCoreDataNum + (id < data.bigCoreNum ? id : data.bigCoreNum);
    this->part = data.ubPartDataNum;
    this->beta = data.beta;
    this->threshold = data.threshold;
    xGm.SetGlobalBuffer((__gm__ T *)x + begin, this->coreDataNum);
    yGm.SetGlobalBuffer((__gm__ T *)y + begin, this->coreDataNum);
    pipe.InitBuffer(inQueue, BUFFER_NUM, part * sizeof(T));
    pipe.InitBuffer(outQueue, BUFFER_NUM, part * sizeof(T));
    pipe.InitBuffer(workBuf, part * sizeof(float));
    pipe.InitBuffer(softBuf, part * sizeof(float));
    pipe.InitBuffer(maskBuf, part / 8);
  }
  __aicore__ inline void Process() {
    for (uint32_t offset = 0; offset < coreDataNum; offset += part) {
      const uint32_t count = coreDataNum - offset < part ? coreDataNum - offset : part;
      LocalTensor<T> in = inQueue.template AllocTensor<T>();
      DataCopyPad(in, xGm[offset], {1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
      inQueue.EnQue(in);
      Compute(count);
      LocalTensor<T> out = outQueue.template DeQue<T>();
      DataCopyPad(yGm[offset], out, {1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
      outQueue.FreeTensor(out);
    }
  }

private:
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<T> in = inQueue.template DeQue<T>();
    LocalTensor<T> out = outQueue.template AllocTensor<T>();
    LocalTensor<float> work = workBuf.Get<float>();
    LocalTensor<float> soft = softBuf.Get<float>();
    LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
    const uint32_t whole = (count + 63) / 64 * 64;
    if constexpr (needsCast) {
      Cast(work, in, RoundMode::CAST_NONE, count);
      Muls(work, work, beta, count);
    } else {
      Muls(work, in, beta, count);
    }
    Mins(soft, work, threshold, count);
    Exp(soft, soft, count);
    Adds(soft, soft, 1.0f, count);
    Ln(soft, soft, count);
#if WRONG == 1
    // finds 1: OPC-E0563 ascendc_c10
    CompareScalar(mask, work, threshold, CMPMODE::LE, count);
#elif WRONG == 2
    // finds 2: wrong result
    CompareScalar(mask, work, threshold, CMPMODE::GT, whole);
#else
    CompareScalar(mask, work, threshold, CMPMODE::LE, whole);
#endif
    Select(soft, mask, soft, work, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
    if constexpr (needsCast) {
      Muls(soft, soft, 1.0f / beta, count);
      Cast(out, soft, RoundMode::CAST_ROUND, count);
    } else {
      Muls(out, soft, 1.0f / beta, count);
    }
    outQueue.EnQue(out);
    inQueue.FreeTensor(in);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFER_NUM> inQueue;
  TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue;
  TBuf<QuePosition::VECCALC> workBuf, softBuf, maskBuf;
  GlobalTensor<T> xGm, yGm;
  uint32_t coreDataNum, part;
  float beta, threshold;
};

extern "C" __global__ __aicore__ void softplus(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  if (TILING_KEY_IS(1)) {
    KernelSoftplus<float, false> op;
    op.Init(x, y, tiling_data);
    op.Process();
  } else if (TILING_KEY_IS(2)) {
    KernelSoftplus<half, true> op;
    op.Init(x, y, tiling_data);
    op.Process();
  }
}
