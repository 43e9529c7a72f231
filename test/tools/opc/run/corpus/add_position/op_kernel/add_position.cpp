// y[r, c] = x[r, c] + start + step * c: positions made by CreateVecIndex once, then added to each row.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class AddPosition {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const AddPositionTilingData &t) {
    rows = t.rows;
    cols = t.cols;
    start = t.start;
    step = t.step;
    xGm.SetGlobalBuffer((__gm__ T *)x, rows * cols);
    yGm.SetGlobalBuffer((__gm__ T *)y, rows * cols);
    pipe.InitBuffer(inQueue, 2, t.colsAligned * sizeof(T));
    pipe.InitBuffer(outQueue, 2, t.colsAligned * sizeof(T));
    pipe.InitBuffer(positionBuf, t.colsAligned * sizeof(T));
    pipe.InitBuffer(indexBuf, t.colsAligned * sizeof(float));
  }
  __aicore__ inline void Process() {
    LocalTensor<T> position = positionBuf.Get<T>();
    LocalTensor<float> index = indexBuf.Get<float>();
    CreateVecIndex(index, 0.0f, cols);
    Muls(index, index, step, cols);
    Adds(index, index, start, cols);
    if constexpr (std::is_same_v<T, float>) {
      Adds(position, index, 0.0f, cols);
    } else {
      Cast(position, index, RoundMode::CAST_RINT, cols);
    }
    for (uint32_t row = 0; row < rows; ++row) {
      CopyIn(row);
      LocalTensor<T> in = inQueue.template DeQue<T>();
      LocalTensor<T> out = outQueue.template AllocTensor<T>();
#if WRONG == 1
      // finds 1: OPC-E0561 sim_c14
      Add(out, in, position[1], cols - 1);
#else
      Add(out, in, position, cols);
#endif
      outQueue.EnQue(out);
      inQueue.FreeTensor(in);
      CopyOut(row);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t row) {
    LocalTensor<T> in = inQueue.template AllocTensor<T>();
#if WRONG == 2
    // finds 2: OPC-E0562 ascendc_c5
    DataCopyPad(in, xGm[row * cols], {1, uint32_t(cols * sizeof(float)), 0, 0, 0}, {false, 0, 0, T(0)});
#else
    DataCopyPad(in, xGm[row * cols], {1, uint32_t(cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
#endif
    inQueue.EnQue(in);
  }
  __aicore__ inline void CopyOut(uint32_t row) {
    LocalTensor<T> out = outQueue.template DeQue<T>();
    DataCopyPad(yGm[row * cols], out, {1, uint32_t(cols * sizeof(T)), 0, 0, 0});
    outQueue.FreeTensor(out);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inQueue;
  TQue<QuePosition::VECOUT, 1> outQueue;
  TBuf<QuePosition::VECCALC> positionBuf, indexBuf;
  GlobalTensor<T> xGm, yGm;
  uint32_t rows, cols;
  float start, step;
};

extern "C" __global__ __aicore__ void add_position(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  AddPosition<DTYPE_X> op;
  op.Init(x, y, tilingData);
  op.Process();
}
