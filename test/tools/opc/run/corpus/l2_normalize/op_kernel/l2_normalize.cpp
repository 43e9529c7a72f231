// y = x / max(|x|, eps) over rows, several short rows to a tile: one load of a block of rows with padding between them,
// flags by hand between the pipes and the scalar unit.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

#include <math.h>

using namespace AscendC;

class L2Normalize {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const L2NormalizeTilingData &t) {
    data = t;
    xGm.SetGlobalBuffer((__gm__ float *)x, t.rows * t.cols);
    yGm.SetGlobalBuffer((__gm__ float *)y, t.rows * t.cols);
    pipe.InitBuffer(tileBuf, t.rowsPerTile * t.stride * sizeof(float));
    pipe.InitBuffer(squareBuf, t.stride * sizeof(float));
    pipe.InitBuffer(workBuf, t.stride * sizeof(float));
    pipe.InitBuffer(sumBuf, 12 * 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < data.rows; row += data.rowsPerTile) {
      Tile(row, data.rows - row < data.rowsPerTile ? data.rows - row : data.rowsPerTile);
    }
  }

private:
  __aicore__ inline void Tile(uint32_t row, uint32_t n) {
    LocalTensor<float> tile = tileBuf.Get<float>();
    LocalTensor<float> square = squareBuf.Get<float>();
    LocalTensor<float> sums = sumBuf.Get<float>();
    const DataCopyExtParams rows{static_cast<uint16_t>(n), static_cast<uint32_t>(data.cols * sizeof(float)), 0, 0, 0};
    // finds 2: OPC-E0574 race_c1
    DataCopyPad(tile, xGm[row * data.cols], rows, {false, 0, 0, 0});
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    for (uint32_t i = 0; i < n; ++i) {
      Mul(square, tile[i * data.stride], tile[i * data.stride], data.cols);
      ReduceSum(sums[i * 8], square, workBuf.Get<float>(), data.cols);
    }
    SetFlag<HardEvent::V_S>(EVENT_ID1);
    WaitFlag<HardEvent::V_S>(EVENT_ID1);
    for (uint32_t i = 0; i < n; ++i) {
      const float norm = sqrt(sums.GetValue(i * 8));
#if WRONG == 1
      // finds 1: OPC-E0561 sim_c14
      Muls(tile[i * data.cols], tile[i * data.cols], 1.0f / (norm > data.eps ? norm : data.eps), data.cols);
#else
      Muls(tile[i * data.stride], tile[i * data.stride], 1.0f / (norm > data.eps ? norm : data.eps), data.cols);
#endif
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopyPad(yGm[row * data.cols], tile, rows);
    // The next tile is loaded into the bytes that are stored here.
#if WRONG == 2
    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
#else
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
#endif
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
  }

  TPipe pipe;
  TBuf<TPosition::VECCALC> tileBuf, squareBuf, workBuf, sumBuf;
  GlobalTensor<float> xGm, yGm;
  L2NormalizeTilingData data;
};

extern "C" __global__ __aicore__ void l2_normalize(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  L2Normalize op;
  op.Init(x, y, t);
  op.Process();
}
