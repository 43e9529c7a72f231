// Rows of 64 floats: y = x + bias by a repeat form that stays at the bias, most = the largest of each row, spread = most less
// least, place = where the largest is.

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t COLUMNS = 64;

extern "C" __global__ __aicore__ void bias_rows(GM_ADDR x, GM_ADDR bias, GM_ADDR y, GM_ADDR most, GM_ADDR spread,
                                                GM_ADDR place, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(uint32_t, rows, tiling);
  GlobalTensor<float> xGm, biasGm, yGm, mostGm, spreadGm;
  GlobalTensor<uint32_t> placeGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  biasGm.SetGlobalBuffer((__gm__ float *)bias);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  mostGm.SetGlobalBuffer((__gm__ float *)most);
  spreadGm.SetGlobalBuffer((__gm__ float *)spread);
  placeGm.SetGlobalBuffer((__gm__ uint32_t *)place);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECIN, 1> biasIn;
  TQue<TPosition::VECOUT, 1> out;
  TQue<TPosition::VECOUT, 1> results;
  TBuf<> least, pairs;
  pipe.InitBuffer(in, 1, rows * COLUMNS * sizeof(float));
  pipe.InitBuffer(biasIn, 1, COLUMNS * sizeof(float));
  pipe.InitBuffer(out, 1, rows * COLUMNS * sizeof(float));
  pipe.InitBuffer(results, 3, 256 * sizeof(float));
  pipe.InitBuffer(least, 256 * sizeof(float));
  pipe.InitBuffer(pairs, 512 * sizeof(float));

  LocalTensor<float> xLocal = in.AllocTensor<float>(), biasLocal = biasIn.AllocTensor<float>();
  DataCopy(xLocal, xGm, rows * COLUMNS);
  DataCopy(biasLocal, biasGm, COLUMNS);
  in.EnQue(xLocal);
  biasIn.EnQue(biasLocal);
  xLocal = in.DeQue<float>();
  biasLocal = biasIn.DeQue<float>();
  LocalTensor<float> yLocal = out.AllocTensor<float>();
  Add(yLocal, xLocal, biasLocal, COLUMNS, rows, {1, 1, 1, 8, 8, 0});
  PipeBarrier<PIPE_V>();
  LocalTensor<float> mostLocal = results.AllocTensor<float>(), spreadLocal = results.AllocTensor<float>();
  LocalTensor<float> placeLocal = results.AllocTensor<float>();
  LocalTensor<float> leastLocal = least.Get<float>(), pairsLocal = pairs.Get<float>();
  WholeReduceMax(mostLocal, yLocal, COLUMNS, rows, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
  WholeReduceMin(leastLocal, yLocal, COLUMNS, rows, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
  WholeReduceMax(pairsLocal, yLocal, COLUMNS, rows, 1, 1, 8);
  PipeBarrier<PIPE_V>();
  Sub(spreadLocal, mostLocal, leastLocal, rows);
  uint64_t kept = 0;
  GatherMask(placeLocal, pairsLocal, 2, true, 2 * rows, {1, 1, 8, 0}, kept);
  ascendc_assert(kept == rows, "a pair for each row");
  out.EnQue(yLocal);
  results.EnQue(mostLocal);
  in.FreeTensor(xLocal);
  biasIn.FreeTensor(biasLocal);
  yLocal = out.DeQue<float>();
  DataCopy(yGm, yLocal, rows * COLUMNS);
  DataCopyExtParams row{1, static_cast<uint32_t>(rows * sizeof(float)), 0, 0, 0};
  mostLocal = results.DeQue<float>();
  DataCopyPad(mostGm, mostLocal, row);
  results.EnQue(spreadLocal);
  spreadLocal = results.DeQue<float>();
  DataCopyPad(spreadGm, spreadLocal, row);
  results.EnQue(placeLocal);
  placeLocal = results.DeQue<float>();
  DataCopyPad(placeGm, placeLocal.ReinterpretCast<uint32_t>(), row);
  out.FreeTensor(yLocal);
  results.FreeTensor(mostLocal);
  results.FreeTensor(spreadLocal);
  results.FreeTensor(placeLocal);
}
