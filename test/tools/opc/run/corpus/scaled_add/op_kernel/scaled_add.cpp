// y = a * scale + b. A template whose arguments are chosen by the host's tiling function: element type, number of
// tiles, whether there is a tail, whether the scale is other than 1. The tiling data is a plain structure.

#include "kernel_operator.h"
#include "scaled_add_struct.h"
#include "scaled_add_tiling_key.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T, bool SCALED> class KernelScaledAdd {
public:
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR y, const ScaledAddTilingData &t) {
    scale = t.scale;
    aGm.SetGlobalBuffer((__gm__ T *)a, t.total);
    bGm.SetGlobalBuffer((__gm__ T *)b, t.total);
    yGm.SetGlobalBuffer((__gm__ T *)y, t.total);
    const uint32_t bytes = (t.tile * sizeof(T) + 31) / 32 * 32;
    pipe.InitBuffer(aQueue, 2, bytes);
    pipe.InitBuffer(bQueue, 2, bytes);
    pipe.InitBuffer(yQueue, 2, bytes);
  }
  __aicore__ inline void Tile(uint32_t offset, uint32_t count) {
    LocalTensor<T> a = aQueue.template AllocTensor<T>();
    LocalTensor<T> b = bQueue.template AllocTensor<T>();
    DataCopyExtParams rows{1, uint32_t(count * sizeof(T)), 0, 0, 0};
    // finds 1: OPC-E0560 sim_c17
    DataCopyPad(a, aGm[offset], rows, {false, 0, 0, T(0)});
    DataCopyPad(b, bGm[offset], rows, {false, 0, 0, T(0)});
    aQueue.EnQue(a);
    bQueue.EnQue(b);
    a = aQueue.template DeQue<T>();
    b = bQueue.template DeQue<T>();
    LocalTensor<T> y = yQueue.template AllocTensor<T>();
    if constexpr (SCALED) {
      Muls(a, a, T(scale), count);
    }
    Add(y, a, b, count);
    yQueue.EnQue(y);
    y = yQueue.template DeQue<T>();
    DataCopyPad(yGm[offset], y, rows);
    aQueue.FreeTensor(a);
    bQueue.FreeTensor(b);
    yQueue.FreeTensor(y);
  }

private:
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> aQueue, bQueue;
  TQue<QuePosition::VECOUT, 2> yQueue;
  GlobalTensor<T> aGm, bGm, yGm;
  float scale;
};

template <typename D_T, int TILE_NUM, int MODE, int SCALED>
__global__ __aicore__ void scaled_add(GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(ScaledAddTilingData);
  GET_TILING_DATA_WITH_STRUCT(ScaledAddTilingData, t, tiling);
  KernelScaledAdd<D_T, SCALED != 0> op;
  op.Init(a, b, y, t);
  for (int i = 0; i < TILE_NUM - (MODE == SCALED_ADD_TAIL ? 1 : 0); i++) {
    op.Tile(i * t.tile, t.tile);
  }
#if WRONG == 1
  if constexpr (MODE == SCALED_ADD_TAIL) {
    op.Tile((TILE_NUM - 1) * t.tile, t.tile);
  }
#else
  if constexpr (MODE == SCALED_ADD_TAIL) {
    op.Tile((TILE_NUM - 1) * t.tile, t.total - (TILE_NUM - 1) * t.tile);
  }
#endif
}
