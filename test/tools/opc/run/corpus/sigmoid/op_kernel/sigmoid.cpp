// y = 1 / (1 + exp(-x)). half and bfloat16 are cast to float, computed and cast back with one rounding.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;

template <typename T> class KernelSigmoid {
public:
  __aicore__ inline KernelSigmoid() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SigmoidTilingData &data) {
    tileNum = data.tileNum;
    tileLength = data.tileLength;
    lastLength = data.lastLength;
    xGm.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(x), data.totalNum);
    yGm.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(y), data.totalNum);
    pipe.InitBuffer(xQueue, BUFFER_NUM, tileLength * sizeof(T));
    pipe.InitBuffer(yQueue, BUFFER_NUM, tileLength * sizeof(T));
    if constexpr (!std::is_same<T, float>::value) {
      pipe.InitBuffer(wide, tileLength * sizeof(float));
    }
    pipe.InitBuffer(one, tileLength * sizeof(float));
  }
  __aicore__ inline void Process() {
    // Tiles go round the blocks.
    for (uint32_t i = GetBlockIdx(); i < tileNum; i += GetBlockNum()) {
      const uint32_t count = i == tileNum - 1 ? lastLength : tileLength;
      CopyIn(i * tileLength, count);
      Compute(count);
      CopyOut(i * tileLength, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t offset, uint32_t count) {
    LocalTensor<T> local = xQueue.AllocTensor<T>();
    DataCopyExtParams params;
    params.blockCount = 1;
    params.blockLen = count * sizeof(T);
    DataCopyPad(local, xGm[offset], params, DataCopyPadExtParams<T>());
    xQueue.EnQue(local);
  }
  __aicore__ inline void Sigmoid(const LocalTensor<float> &to, const LocalTensor<float> &from, uint32_t count) {
    LocalTensor<float> ones = one.Get<float>();
    Muls(to, from, -1.0f, count);
    Exp(to, to, count);
    Adds(to, to, 1.0f, count);
    Duplicate(ones, 1.0f, count);
    Div(to, ones, to, count);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<T> xLocal = xQueue.DeQue<T>();
    LocalTensor<T> yLocal = yQueue.AllocTensor<T>();
    if constexpr (std::is_same<T, float>::value) {
      Sigmoid(yLocal, xLocal, count);
    } else {
      LocalTensor<float> tmp = wide.Get<float>();
#if WRONG == 1
      xQueue.FreeTensor(xLocal);
#endif
      // finds 1: OPC-E0820 queue_c9
      Cast(tmp, xLocal, RoundMode::CAST_NONE, count);
      Sigmoid(tmp, tmp, count);
      Cast(yLocal, tmp, RoundMode::CAST_RINT, count);
#if WRONG == 1
      yQueue.EnQue(yLocal);
      return;
#endif
    }
    yQueue.EnQue(yLocal);
    xQueue.FreeTensor(xLocal);
  }
  __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
    LocalTensor<T> yLocal = yQueue.DeQue<T>();
    DataCopyExtParams params;
    params.blockCount = 1;
    params.blockLen = count * sizeof(T);
#if WRONG == 2
    params.blockLen = tileLength * sizeof(T);
#endif
    // finds 2: OPC-E0560 sim_c17
    DataCopyPad(yGm[offset], yLocal, params);
    yQueue.FreeTensor(yLocal);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFER_NUM> xQueue;
  TQue<QuePosition::VECOUT, BUFFER_NUM> yQueue;
  TBuf<TPosition::VECCALC> wide, one;
  GlobalTensor<T> xGm, yGm;
  uint32_t tileNum, tileLength, lastLength;
};

extern "C" __global__ __aicore__ void sigmoid(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelSigmoid<DTYPE_X> op;
  op.Init(x, y, tiling_data);
  op.Process();
}
