// Lanes by bits and by the mask register: y = x, odd lanes doubled; z = the first `count` of x + y, the rest as it was. int16.

#include "kernel_operator.h"

using namespace AscendC;

struct MaskedTiling {
  uint32_t total, count;
};

extern "C" __global__ __aicore__ void masked(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(MaskedTiling, data, tiling);
  const uint8_t repeats = static_cast<uint8_t>(data.total / 128);
  GlobalTensor<int16_t> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ int16_t *)x, data.total);
  yGm.SetGlobalBuffer((__gm__ int16_t *)y, data.total);
  zGm.SetGlobalBuffer((__gm__ int16_t *)z, data.total);
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf, zBuf;
  pipe.InitBuffer(xBuf, data.total * sizeof(int16_t));
  pipe.InitBuffer(yBuf, data.total * sizeof(int16_t));
  pipe.InitBuffer(zBuf, data.total * sizeof(int16_t));
  LocalTensor<int16_t> xLocal = xBuf.Get<int16_t>(), yLocal = yBuf.Get<int16_t>(), zLocal = zBuf.Get<int16_t>();
  TQueSync<PIPE_MTE2, PIPE_V> loaded;
  TQueSync<PIPE_V, PIPE_MTE3> computed;

  DataCopy(xLocal, xGm, {static_cast<uint16_t>(repeats), 8, 0, 0});
  loaded.SetFlag(0);
  loaded.WaitFlag(0);
  Copy(yLocal, xLocal, 128, repeats, {1, 1, 8, 8});
  Duplicate(zLocal, static_cast<int16_t>(-1), 128, repeats, 1, 8);
  PipeBarrier<PIPE_V>();
  uint64_t odd[2] = {0xaaaaaaaaaaaaaaaaull, 0xaaaaaaaaaaaaaaaaull};
  Muls(yLocal, xLocal, static_cast<int16_t>(2), odd, repeats, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();

  SetMaskCount();
  SetVectorMask<int16_t, MaskMode::COUNTER>(0, data.count);
  Add<int16_t, false>(zLocal, xLocal, yLocal, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
  SetMaskNorm();
  ResetMask();
  computed.SetFlag(0);
  computed.WaitFlag(0);
  DataCopy(yGm, yLocal, data.total);
  DataCopy(zGm, zLocal, data.total);
}
