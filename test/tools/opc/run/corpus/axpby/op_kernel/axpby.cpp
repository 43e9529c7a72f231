// y = alpha * x + beta * y0. Eight logical blocks as in the first samples: the length of a block rounded up to 32
// bytes, the last block shorter, four tiles to a block.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

constexpr int32_t BUFFER_NUM = 2;

class KernelAxpby {
public:
  __aicore__ inline KernelAxpby() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y0, GM_ADDR y, AxpbyTilingData *data) {
    this->alpha = data->alpha;
    this->beta = data->beta;
    this->tileLength = data->tileLength;
#if WRONG == 1
    this->begin = data->tileLength * AscendC::GetBlockIdx();
#else
    this->begin = data->blockLength * AscendC::GetBlockIdx();
#endif
    this->length =
        data->totalLength - this->begin < data->blockLength ? data->totalLength - this->begin : data->blockLength;
    xGm.SetGlobalBuffer((__gm__ DTYPE_X *)x, data->totalLength);
    y0Gm.SetGlobalBuffer((__gm__ DTYPE_Y0 *)y0, data->totalLength);
    yGm.SetGlobalBuffer((__gm__ DTYPE_Y *)y, data->totalLength);
    pipe.InitBuffer(inQueueX, BUFFER_NUM, this->tileLength * sizeof(DTYPE_X));
    pipe.InitBuffer(inQueueY, BUFFER_NUM, this->tileLength * sizeof(DTYPE_Y0));
    pipe.InitBuffer(outQueueY, BUFFER_NUM, this->tileLength * sizeof(DTYPE_Y));
  }
  __aicore__ inline void Process() {
    for (uint32_t done = 0; done < length; done += tileLength) {
      uint32_t count = length - done < tileLength ? length - done : tileLength;
      CopyIn(begin + done, count);
      Compute(count);
      CopyOut(begin + done, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t offset, uint32_t count) {
    auto xLocal = inQueueX.AllocTensor<DTYPE_X>();
    auto y0Local = inQueueY.AllocTensor<DTYPE_Y0>();
    AscendC::DataCopyParams params{1, static_cast<uint16_t>(count * sizeof(DTYPE_X)), 0, 0};
    AscendC::DataCopyPadParams noPad{false, 0, 0, 0};
    AscendC::DataCopyPad(xLocal, xGm[offset], params, noPad);
    AscendC::DataCopyPad(y0Local, y0Gm[offset], params, noPad);
    inQueueX.EnQue(xLocal);
    inQueueY.EnQue(y0Local);
  }
  __aicore__ inline void Compute(uint32_t count) {
    auto xLocal = inQueueX.DeQue<DTYPE_X>();
    auto y0Local = inQueueY.DeQue<DTYPE_Y0>();
    auto yLocal = outQueueY.AllocTensor<DTYPE_Y>();
#if WRONG == 2
    AscendC::Axpy(yLocal, xLocal, (DTYPE_X)alpha, count);
#else
    AscendC::Muls(yLocal, y0Local, (DTYPE_Y0)beta, count);
    AscendC::Axpy(yLocal, xLocal, (DTYPE_X)alpha, count);
#endif
    outQueueY.EnQue(yLocal);
    inQueueX.FreeTensor(xLocal);
    inQueueY.FreeTensor(y0Local);
  }
  __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
    auto yLocal = outQueueY.DeQue<DTYPE_Y>();
    AscendC::DataCopyParams params{1, static_cast<uint16_t>(count * sizeof(DTYPE_Y)), 0, 0};
    // finds 1: OPC-E0566 init_c1; finds 2: OPC-E0566 init_c3
    AscendC::DataCopyPad(yGm[offset], yLocal, params);
    outQueueY.FreeTensor(yLocal);
  }

private:
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::QuePosition::VECIN, BUFFER_NUM> inQueueX, inQueueY;
  AscendC::TQue<AscendC::QuePosition::VECOUT, BUFFER_NUM> outQueueY;
  AscendC::GlobalTensor<DTYPE_X> xGm;
  AscendC::GlobalTensor<DTYPE_Y0> y0Gm;
  AscendC::GlobalTensor<DTYPE_Y> yGm;
  uint32_t begin, length, tileLength;
  float alpha, beta;
};

extern "C" __global__ __aicore__ void axpby(GM_ADDR x, GM_ADDR y0, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  KernelAxpby op;
  op.Init(x, y0, y, &tilingData);
  op.Process();
}
