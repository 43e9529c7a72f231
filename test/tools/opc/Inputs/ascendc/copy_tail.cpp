// y = x, bytes of any number: whole blocks of 32 by DataCopy, what is left by DataCopyPad, through one queue that is
// filled by loads and emptied by stores; blocks share the work. With -D FAULT=... one line is wrong.

#include "kernel_operator.h"

struct CopyTiling {
  uint32_t total, perBlock;
};

constexpr uint32_t kTile = 16384;

extern "C" __global__ __aicore__ void copy_tail(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(CopyTiling, data, tiling);
  const uint32_t begin = static_cast<uint32_t>(AscendC::GetBlockIdx()) * data.perBlock;
  const uint32_t end = begin + data.perBlock < data.total ? begin + data.perBlock : data.total;
  AscendC::GlobalTensor<uint8_t> xGm, yGm;
  xGm.SetGlobalBuffer(x, data.total);
  yGm.SetGlobalBuffer(y, data.total);
  AscendC::TPipe pipe;
  AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 2, kTile);
  for (uint32_t at = begin; at < end; at += kTile) {
    const uint32_t bytes = end - at < kTile ? end - at : kTile;
    AscendC::LocalTensor<uint8_t> tile = queue.AllocTensor<uint8_t>();
    const bool whole = bytes % 32 == 0;
    if (whole) {
      AscendC::DataCopy(tile, xGm[at], bytes);
    } else {
      AscendC::DataCopyPad(tile, xGm[at], {1, bytes, 0, 0, 0}, {false, 0, 0, 0});
    }
    queue.EnQue(tile);
    tile = queue.DeQue<uint8_t>();
#if defined(FAULT_TAIL)
    AscendC::DataCopy(yGm[at], tile, bytes);
#elif defined(BLOCKS)
    AscendC::DataCopy(yGm[at], tile, (bytes + 31) / 32 * 32);
#elif defined(FAULT_OVERFLOW)
    AscendC::DataCopy(yGm[at + 64], tile, (bytes + 31) / 32 * 32);
#else
    if (whole) {
      AscendC::DataCopy(yGm[at], tile, bytes);
    } else {
      AscendC::DataCopyPad(yGm[at], tile, {1, bytes, 0, 0, 0});
    }
#endif
    queue.FreeTensor(tile);
  }
}
