// y = x, bytes of any type: one TQueBind from VECIN to VECOUT, nothing computed, two buffers in flight.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

class KernelIdentity {
public:
  __aicore__ inline KernelIdentity() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint64_t bytes, uint32_t chunk) {
    this->bytes = bytes;
    this->chunk = chunk;
    xGm.SetGlobalBuffer((__gm__ int8_t *)x, bytes);
    yGm.SetGlobalBuffer((__gm__ int8_t *)y, bytes);
    pipe.InitBuffer(queue, 2, chunk);
  }
  __aicore__ inline void Process() {
    for (uint64_t at = 0; at < bytes; at += chunk) {
      const uint32_t n = bytes - at < chunk ? bytes - at : chunk;
      CopyIn(at, n);
      CopyOut(at, n);
    }
  }

private:
  __aicore__ inline void CopyIn(uint64_t at, uint32_t n) {
    LocalTensor<int8_t> local = queue.AllocTensor<int8_t>();
    DataCopyPad(local, xGm[at], {1, n, 0, 0, 0}, {false, 0, 0, 0});
    queue.EnQue(local);
  }
  __aicore__ inline void CopyOut(uint64_t at, uint32_t n) {
    LocalTensor<int8_t> local = queue.DeQue<int8_t>();
#if WRONG == 1
    queue.FreeTensor(local);
    // finds 1: OPC-E0820 queue_c9
    DataCopyPad(yGm[at], local, {1, n, 0, 0, 0});
#elif WRONG == 2
    // finds 2: OPC-E0561 sim_c14
    DataCopyPad(yGm[at], local[1], {1, n - 1, 0, 0, 0});
    queue.FreeTensor(local);
#else
    DataCopyPad(yGm[at], local, {1, n, 0, 0, 0});
    queue.FreeTensor(local);
#endif
  }

  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> queue;
  GlobalTensor<int8_t> xGm, yGm;
  uint64_t bytes;
  uint32_t chunk;
};

extern "C" __global__ __aicore__ void identity(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  KernelIdentity op;
  op.Init(x, y, tiling_data.bytes, tiling_data.chunk);
  op.Process();
}
