// A scalar loop: each element with the sum of those before it that are larger than zero.
#include "kernel_operator.h"

using namespace AscendC;

struct SumTiling {
  uint32_t count;
};
REGISTER_TILING_DEFAULT(SumTiling);

extern "C" __global__ __aicore__ void running_sum(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, data.count);
  yGm.SetGlobalBuffer((__gm__ float *)y, data.count);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, data.count * sizeof(float));
  LocalTensor<float> tile = buffer.Get<float>();
  DataCopy(tile, xGm, data.count);
  SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
  float sum = 0;
  for (uint32_t i = 0; i < data.count; ++i) {
    const float value = tile.GetValue(i);
    if (value > 0)
      sum = sum * 0.5f + value; // work
    tile.SetValue(i, sum);
  }
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
  DataCopy(yGm, tile, data.count);
}
