#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void row_softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  const SoftMaxTiling softmax = data.softmax;
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float *)x);
  to.SetGlobalBuffer((__gm__ float *)y);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  TBuf<> maxima, sums, temporary;
  const uint32_t bytes = data.columns * sizeof(float), whole = (data.columns + 7) / 8 * 8;
  pipe.InitBuffer(in, 1, whole * sizeof(float));
  pipe.InitBuffer(out, 1, whole * sizeof(float));
  pipe.InitBuffer(maxima, 32);
  pipe.InitBuffer(sums, 32);
  pipe.InitBuffer(temporary, data.temporary);
  LocalTensor<float> max = maxima.Get<float>(), sum = sums.Get<float>();
  for (uint32_t i = 0; i < data.rows; ++i) {
    LocalTensor<float> row = in.AllocTensor<float>(), result = out.AllocTensor<float>();
    DataCopyPad(row, from[i * data.columns], DataCopyExtParams(1, bytes, 0, 0, 0),
                DataCopyPadExtParams<float>(false, 0, 0, 0));
    in.EnQue(row);
    row = in.DeQue<float>();
    SoftMax<float>(result, sum, max, row, temporary.Get<uint8_t>(), softmax,
                   SoftMaxShapeInfo{softmax.srcM, whole, softmax.srcM, softmax.srcK});
    out.EnQue(result);
    in.FreeTensor(row);
    result = out.DeQue<float>();
    DataCopyPad(to[i * data.columns], result, DataCopyExtParams(1, bytes, 0, 0, 0));
    out.FreeTensor(result);
  }
}
