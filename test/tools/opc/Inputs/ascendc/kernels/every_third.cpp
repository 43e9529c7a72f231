// y[i] = x[3 i] by computed offsets, z = y shifted and clamped, from int32; w = x itself, through a queue that only moves.

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void every_third(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(uint32_t, total, tiling);
  if (TILING_KEY_IS(7)) {
    const uint32_t kept = total / 3;
    GlobalTensor<int32_t> xGm, yGm, zGm, wGm;
    xGm.SetGlobalBuffer((__gm__ int32_t *)x, total);
    yGm.SetGlobalBuffer((__gm__ int32_t *)y, kept);
    zGm.SetGlobalBuffer((__gm__ int32_t *)z, kept);
    wGm.SetGlobalBuffer((__gm__ int32_t *)w, total);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 2> out;
    TBuf<TPosition::VECCALC> offsets;
    pipe.InitBuffer(through, 1, total * sizeof(int32_t));
    pipe.InitBuffer(in, 1, total * sizeof(int32_t));
    pipe.InitBuffer(out, 2, kept * sizeof(int32_t));
    pipe.InitBuffer(offsets, kept * sizeof(int32_t));
    LocalTensor<int32_t> xLocal = in.AllocTensor<int32_t>(), moved = through.AllocTensor<int32_t>();
    DataCopy(xLocal, xGm, total);
    DataCopy(moved, xGm, total);
    in.EnQue(xLocal);
    through.EnQue(moved);
    moved = through.DeQue<int32_t>();
    DataCopy(wGm, moved, total);
    through.FreeTensor(moved);

    LocalTensor<int32_t> places = offsets.Get<int32_t>();
    CreateVecIndex(places, 0, kept);
    PipeBarrier<PIPE_V>();
    Muls(places, places, 12, static_cast<int32_t>(kept));
    PipeBarrier<PIPE_V>();
    xLocal = in.DeQue<int32_t>();
    LocalTensor<int32_t> a = out.AllocTensor<int32_t>(), b = out.AllocTensor<int32_t>();
    Gather(a, xLocal, places.ReinterpretCast<uint32_t>(), 0, kept);
    PipeBarrier<PIPE_V>();
    ShiftRight(b, a, 2, static_cast<int32_t>(kept));
    PipeBarrier<PIPE_V>();
    Maxs(b, b, -50, static_cast<int32_t>(kept));
    PipeBarrier<PIPE_V>();
    b = b + a;
    PipeBarrier<PIPE_V>();
    if (out.VacantInQue() && !out.HasTensorInQue()) {
      out.EnQue(a);
      out.EnQue(b);
    }
    ascendc_assert(out.GetTensorCountInQue() == 2);
    in.FreeTensor(xLocal);
    a = out.DeQue<int32_t>();
    b = out.DeQue<int32_t>();
    DataCopy(yGm, a, kept);
    DataCopy(zGm, b, kept);
    out.FreeTensor(a);
    out.FreeTensor(b);
  }
}
