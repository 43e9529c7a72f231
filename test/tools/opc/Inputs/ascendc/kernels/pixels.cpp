// Rows of uint8 pixels to float in [-1, 1], each row with two elements of -1 on its left and with -1 up to its end.

#include "kernel_operator.h"

using namespace AscendC;

struct PixelsTiling {
  uint16_t rows;
  uint16_t columns;
  uint32_t width;
};

class KernelPixels {
public:
  __aicore__ inline KernelPixels(TPipe *pipe) : pipe(pipe) {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const PixelsTiling &data) {
    tiling = data;
    xGm.SetGlobalBuffer((__gm__ uint8_t *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    const uint32_t pixels = data.rows * data.width;
    pipe->InitBuffer(in, 1, pixels);
    pipe->InitBuffer(out, 1, pixels * sizeof(float));
    pipe->InitBuffer(calc, pixels * sizeof(half));
  }
  __aicore__ inline void Process() {
    const int32_t pixels = static_cast<int32_t>(tiling.rows * tiling.width);
    LocalTensor<uint8_t> x = in.AllocTensor<uint8_t>();
    DataCopyExtParams rows{tiling.rows, tiling.columns, 0, 0, 0};
    DataCopyPadExtParams<uint8_t> pad{true, 2, static_cast<uint8_t>(tiling.width - tiling.columns - 2), 0};
    DataCopyPad(x, xGm, rows, pad);
    in.EnQue(x);
    x = in.DeQue<uint8_t>();
    LocalTensor<half> narrow = calc.Get<half>();
    LocalTensor<float> y = out.AllocTensor<float>();
    Cast(narrow, x, RoundMode::CAST_NONE, pixels);
    PipeBarrier<PIPE_V>();
    // 64 lanes a repeat, of half a repeat of half.
    Cast(y, narrow, RoundMode::CAST_NONE, 64, static_cast<uint8_t>(pixels / 64), {1, 1, 8, 4});
    PipeBarrier<PIPE_V>();
    Muls(y, y, 2.0f / 255.0f, pixels);
    PipeBarrier<PIPE_V>();
    Adds(y, y, -1.0f, pixels);
    PipeBarrier<PIPE_V>();
    out.EnQue<float>(y);
    in.FreeTensor(x);
    y = out.DeQue<float>();
    DataCopy(yGm, y, pixels);
    out.FreeTensor(y);
  }

private:
  TPipe *pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  TBuf<QuePosition::VECCALC> calc;
  GlobalTensor<uint8_t> xGm;
  GlobalTensor<float> yGm;
  PixelsTiling tiling;
};

extern "C" __global__ __aicore__ void pixels(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(PixelsTiling, data, tiling);
  TPipe pipe;
  KernelPixels op(&pipe);
  op.Init(x, y, data);
  op.Process();
}
