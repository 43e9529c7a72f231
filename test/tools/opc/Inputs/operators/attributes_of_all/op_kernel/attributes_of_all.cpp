// z: the 24 values of the tiling data, which the host collected from attributes, descriptions and values of inputs.
#include "attributes_of_all_tiling.h"
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void attributes_of_all(GM_ADDR x, GM_ADDR axes, GM_ADDR same, GM_ADDR z,
                                                        GM_ADDR workspace, GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(AttributesOfAllTiling);
  GET_TILING_DATA(data, tiling);
  GlobalTensor<int32_t> to;
  to.SetGlobalBuffer((__gm__ int32_t *)z, 24);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 96);
  LocalTensor<int32_t> values = buffer.Get<int32_t>();
  for (int32_t i = 0; i < 24; ++i)
    values.SetValue(i, data.values[i]);
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
  DataCopy(to, values, 24);
}
