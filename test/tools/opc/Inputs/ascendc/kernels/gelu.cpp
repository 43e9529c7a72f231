// y = x / (1 + exp(-1.702 x)) of half, computed in float: two blocks, double buffered queues, one temporary, a tail.

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t TILE = 2048;

struct GeluTiling {
  uint32_t total;
};

class KernelGelu {
public:
  __aicore__ inline KernelGelu() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const GeluTiling &tiling) {
    uint32_t blocks = static_cast<uint32_t>(GetBlockNum());
    uint32_t share = (tiling.total + blocks - 1) / blocks;
    uint32_t start = share * static_cast<uint32_t>(GetBlockIdx());
    this->length = tiling.total - start < share ? tiling.total - start : share;
    xGm.SetGlobalBuffer((__gm__ half *)x + start, this->length);
    yGm.SetGlobalBuffer((__gm__ half *)y + start, this->length);
    pipe.InitBuffer(inQueue, BUFFER_NUM, TILE * sizeof(half));
    pipe.InitBuffer(outQueue, BUFFER_NUM, TILE * sizeof(half));
    pipe.InitBuffer(work, 2 * TILE * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t done = 0; done < length; done += TILE) {
      uint32_t count = length - done < TILE ? length - done : TILE;
      CopyIn(done, count);
      Compute(count);
      CopyOut(done, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t offset, uint32_t count) {
    LocalTensor<half> xLocal = inQueue.AllocTensor<half>();
    DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
    DataCopyPadExtParams<half> pad{true, 0, 0, 0};
    DataCopyPad(xLocal, xGm[offset], params, pad);
    inQueue.EnQue(xLocal);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<half> xLocal = inQueue.DeQue<half>();
    LocalTensor<half> yLocal = outQueue.AllocTensor<half>();
    LocalTensor<float> wide = work.Get<float>(TILE);
    LocalTensor<float> below = work.GetWithOffset<float>(TILE, TILE * sizeof(float));
    Cast(wide, xLocal, RoundMode::CAST_NONE, count);
    inQueue.FreeTensor(xLocal);
    PipeBarrier<PIPE_V>();
    Muls(below, wide, -1.702f, count);
    PipeBarrier<PIPE_V>();
    Exp(below, below, count);
    PipeBarrier<PIPE_V>();
    Adds(below, below, 1.0f, count);
    PipeBarrier<PIPE_V>();
    Div(wide, wide, below, count);
    PipeBarrier<PIPE_V>();
    Cast(yLocal, wide, RoundMode::CAST_RINT, count);
    PipeBarrier<PIPE_V>(); // the temporaries are the next tile's
    outQueue.EnQue<half>(yLocal);
  }
  __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
    LocalTensor<half> yLocal = outQueue.DeQue<half>();
    DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
    DataCopyPad(yGm[offset], yLocal, params);
    outQueue.FreeTensor(yLocal);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, BUFFER_NUM> inQueue;
  TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue;
  TBuf<QuePosition::VECCALC> work;
  GlobalTensor<half> xGm, yGm;
  uint32_t length;
};

extern "C" __global__ __aicore__ void gelu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(GeluTiling, data, tiling);
  KernelGelu op;
  op.Init(x, y, data);
  op.Process();
}
