// z = x + alpha * y over tiles; the last tile is shorter.
#include "kernel_operator.h"
using namespace AscendC;

class ScaledAddKernel {
public:
  __aicore__ inline ScaledAddKernel() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, uint32_t tile, float alpha) {
    this->total = total;
    this->tile = tile;
    this->alpha = alpha;
    xGm.SetGlobalBuffer((__gm__ DTYPE_X *)x, total);
    yGm.SetGlobalBuffer((__gm__ DTYPE_Y *)y, total);
    zGm.SetGlobalBuffer((__gm__ DTYPE_Z *)z, total);
    pipe.InitBuffer(inX, 2, tile * sizeof(DTYPE_X));
    pipe.InitBuffer(inY, 2, tile * sizeof(DTYPE_X));
    pipe.InitBuffer(outZ, 2, tile * sizeof(DTYPE_X));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < total; at += tile)
      Tile(at, total - at < tile ? total - at : tile);
  }

private:
  __aicore__ inline void Tile(uint32_t at, uint32_t count) {
    DataCopyExtParams row{1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0};
    DataCopyPadExtParams<DTYPE_X> pad{false, 0, 0, 0};
    LocalTensor<DTYPE_X> x = inX.AllocTensor<DTYPE_X>();
    LocalTensor<DTYPE_X> y = inY.AllocTensor<DTYPE_X>();
    DataCopyPad(x, xGm[at], row, pad);
    DataCopyPad(y, yGm[at], row, pad);
    inX.EnQue(x);
    inY.EnQue(y);
    x = inX.DeQue<DTYPE_X>();
    y = inY.DeQue<DTYPE_X>();
    LocalTensor<DTYPE_X> z = outZ.AllocTensor<DTYPE_X>();
    if (TILING_KEY_IS(1))
      Muls(y, y, static_cast<DTYPE_X>(alpha), count);
    Add(z, x, y, count);
    outZ.EnQue(z);
    inX.FreeTensor(x);
    inY.FreeTensor(y);
    z = outZ.DeQue<DTYPE_X>();
    DataCopyPad(zGm[at], z, row);
    outZ.FreeTensor(z);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> inX, inY;
  TQue<QuePosition::VECOUT, 2> outZ;
  GlobalTensor<DTYPE_X> xGm, yGm, zGm;
  uint32_t total = 0, tile = 0;
  float alpha = 1;
};

extern "C" __global__ __aicore__ void scaled_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tilingGm) {
  GET_TILING_DATA(data, tilingGm);
  ScaledAddKernel op;
  op.Init(x, y, z, data.total, data.sizes[1], data.alpha);
  op.Process();
}
