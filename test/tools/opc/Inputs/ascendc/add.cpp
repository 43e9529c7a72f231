// z = x + y in the queue style: two buffers each, tiles of 2048 elements, a tail that DataCopyPad moves.
// With -D FAULT=... one line is wrong.

#include "kernel_operator.h"

struct AddTiling {
  uint32_t total;
};

constexpr uint32_t kTile = 2048;

class KernelAdd {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total) {
    this->total = total;
    xGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(x), total);
    yGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(y), total);
    zGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(z), total);
    pipe.InitBuffer(inX, 2, kTile * sizeof(half));
    pipe.InitBuffer(inY, 2, kTile * sizeof(half));
    pipe.InitBuffer(outZ, 2, kTile * sizeof(half));
  }
  __aicore__ inline void Process() {
    for (uint32_t done = 0; done < total; done += kTile) {
      const uint32_t count = total - done < kTile ? total - done : kTile;
      CopyIn(done, count);
      Compute(count);
      CopyOut(done, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t offset, uint32_t count) {
    AscendC::LocalTensor<half> x = inX.AllocTensor<half>();
    AscendC::LocalTensor<half> y = inY.AllocTensor<half>();
    const AscendC::DataCopyExtParams row{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
    const AscendC::DataCopyPadExtParams<half> pad{false, 0, 0, half(0)};
    AscendC::DataCopyPad(x, xGm[offset], row, pad);
#ifdef FAULT_OVERFLOW
    AscendC::DataCopyPad(y, yGm[offset + 1], row, pad);
#else
    AscendC::DataCopyPad(y, yGm[offset], row, pad);
#endif
    inX.EnQue(x);
    inY.EnQue(y);
  }
  __aicore__ inline void Compute(uint32_t count) {
    AscendC::LocalTensor<half> x = inX.DeQue<half>();
    AscendC::LocalTensor<half> y = inY.DeQue<half>();
    AscendC::LocalTensor<half> z = outZ.AllocTensor<half>();
#ifdef FAULT_INIT
    AscendC::Add(z, x, z, count);
#else
    AscendC::Add(z, x, y, count);
#endif
    outZ.EnQue(z);
#ifdef FAULT_FREE
    inX.FreeTensor(x);
    AscendC::Adds(x, x, half(1), count);
#else
    inX.FreeTensor(x);
#endif
#ifndef FAULT_LEAK
    inY.FreeTensor(y);
#endif
  }
  __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
    AscendC::LocalTensor<half> z = outZ.DeQue<half>();
    AscendC::DataCopyPad(zGm[offset], z, {1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0});
    outZ.FreeTensor(z);
  }

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> inX, inY;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> outZ;
  AscendC::GlobalTensor<half> xGm, yGm, zGm;
  uint32_t total;
};

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(AddTiling, data, tiling);
  KernelAdd kernel;
  kernel.Init(x, y, z, data.total);
  kernel.Process();
}
