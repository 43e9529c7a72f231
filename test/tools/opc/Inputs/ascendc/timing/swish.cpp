// Swish as one writes it by hand: queues of two buffers, and Muls, Exp, Adds and Div in place.
#include "kernel_operator.h"

using namespace AscendC;

struct SwishTiling {
  uint32_t total;
  uint32_t tile;
  float beta;
};
REGISTER_TILING_DEFAULT(SwishTiling);

class KernelSwish {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SwishTiling &tiling) {
    count = tiling.total / GetBlockNum();
    tile = tiling.tile;
    beta = tiling.beta;
    xGm.SetGlobalBuffer((__gm__ float *)x + count * GetBlockIdx(), count);
    yGm.SetGlobalBuffer((__gm__ float *)y + count * GetBlockIdx(), count);
    pipe.InitBuffer(in, 2, tile * sizeof(float));
    pipe.InitBuffer(out, 2, tile * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t i = 0; i < count / tile; ++i) {
      CopyIn(i);
      Compute();
      CopyOut(i);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t i) {
    LocalTensor<float> x = in.AllocTensor<float>();
    DataCopy(x, xGm[i * tile], tile);
    in.EnQue(x);
  }
  __aicore__ inline void Compute() {
    LocalTensor<float> x = in.DeQue<float>();
    LocalTensor<float> y = out.AllocTensor<float>();
    Muls(y, x, -beta, tile);
    Exp(y, y, tile);
    Adds(y, y, 1.0f, tile);
    Div(y, x, y, tile);
    out.EnQue(y);
    in.FreeTensor(x);
  }
  __aicore__ inline void CopyOut(uint32_t i) {
    LocalTensor<float> y = out.DeQue<float>();
    DataCopy(yGm[i * tile], y, tile);
    out.FreeTensor(y);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 2> out;
  GlobalTensor<float> xGm, yGm;
  uint32_t count, tile;
  float beta;
};

extern "C" __global__ __aicore__ void swish(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  KernelSwish op;
  op.Init(x, y, data);
  op.Process();
}
