// y = the transpose of 16 rows of half that lie a stride apart, tile by tile; sums = the sum of each row, adding into what the
// tiles before left there.

#include "kernel_operator.h"

using namespace AscendC;

struct TransposedTiling {
  uint32_t columns;
};

extern "C" __global__ __aicore__ void transposed(GM_ADDR x, GM_ADDR y, GM_ADDR sums, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  GET_TILING_DATA_MEMBER(TransposedTiling, columns, columns, tiling);
  constexpr uint32_t ROWS = 16, TILE = 64;
  GlobalTensor<half> xGm, yGm;
  GlobalTensor<float> sumsGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  yGm.SetGlobalBuffer((__gm__ half *)y);
  sumsGm.SetGlobalBuffer((__gm__ float *)sums);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out, sumOut;
  TBuf<TPosition::VECCALC> wideBuf;
  pipe.InitBuffer(in, 2, ROWS * TILE * sizeof(half));
  pipe.InitBuffer(out, 2, ROWS * TILE * sizeof(half));
  pipe.InitBuffer(sumOut, 1, ROWS * sizeof(float));
  pipe.InitBuffer(wideBuf, ROWS * TILE * sizeof(float));
  for (uint32_t at = 0; at < columns; at += TILE) {
    LocalTensor<half> a = in.AllocTensor<half>();
    // Rows of TILE elements out of rows of `columns`.
    DataCopyParams tile;
    tile.blockCount = ROWS;
    tile.blockLen = TILE * sizeof(half) / 32;
    tile.srcStride = static_cast<uint16_t>((columns - TILE) * sizeof(half) / 32);
    tile.dstStride = 0;
    DataCopy(a, xGm[at], tile);
    in.EnQue(a);
    a = in.DeQue<half>();
    LocalTensor<half> b = out.AllocTensor<half>();
    LocalTensor<float> s = sumOut.AllocTensor<float>(), wide = wideBuf.Get<float>();
    LocalTensor<half> from[16], to[16];
    for (uint32_t i = 0; i < ROWS; ++i) {
      from[i] = a[i * TILE];
      to[i] = b[i * ROWS];
    }
    TransDataTo5HDParams params(false, false, TILE / 16, 16, 1);
    TransDataTo5HD<half>(to, from, params);
    Cast(wide, a, RoundMode::CAST_NONE, ROWS * TILE);
    PipeBarrier<PIPE_V>();
    RepeatReduceSum(s, wide, ROWS, TILE, 1, 1, 1, 8);
    PipeBarrier<PIPE_V>();
    out.EnQue(b);
    sumOut.EnQue(s);
    in.FreeTensor(a);
    b = out.DeQue<half>();
    s = sumOut.DeQue<float>();
    DataCopy(yGm[at * ROWS], b, ROWS * TILE);
    if (at != 0) {
      PipeBarrier<PIPE_MTE3>();
      SetAtomicAdd<float>();
    }
    DataCopy(sumsGm, s, ROWS);
    DisableDmaAtomic();
    out.FreeTensor(b);
    sumOut.FreeTensor(s);
  }
}
