// y = each row in ascending order: scores negated for a sort that descends, runs of 32 merged by four in rounds between
// two buffers until one run is left.

#include "kernel_operator.h"

#ifndef WRONG
#define WRONG 0
#endif

using namespace AscendC;

template <typename T> class SortRows {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SortRowsTilingData &t) {
    rows = t.rows;
    cols = t.cols;
    padded = t.padded;
    xGm.SetGlobalBuffer((__gm__ T *)x, rows * cols);
    yGm.SetGlobalBuffer((__gm__ T *)y, rows * cols);
    pipe.InitBuffer(in, 1, padded * sizeof(T));
    pipe.InitBuffer(out, 1, padded * sizeof(float));
    pipe.InitBuffer(score, padded * sizeof(float));
    pipe.InitBuffer(index, padded * sizeof(uint32_t));
    pipe.InitBuffer(ping, 2 * padded * sizeof(float));
    pipe.InitBuffer(pong, 2 * padded * sizeof(float));
  }
  __aicore__ inline void Process() {
    Duplicate(index.Get<uint32_t>(), uint32_t(0), padded);
    for (uint32_t row = 0; row < rows; ++row) {
      LocalTensor<T> x = in.template AllocTensor<T>();
      DataCopyPad(x, xGm[row * cols], {1, uint32_t(cols * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
      in.EnQue(x);
      Sort();
      LocalTensor<T> y = out.template DeQue<T>();
      // finds 1: OPC-E0566 init_c3
      DataCopyPad(yGm[row * cols], y, {1, uint32_t(cols * sizeof(T)), 0, 0, 0});
      out.FreeTensor(y);
    }
  }

private:
  __aicore__ inline void Sort() {
    LocalTensor<T> x = in.template DeQue<T>();
    LocalTensor<float> s = score.Get<float>();
    Duplicate(s, -3.0e38f, padded);
    if constexpr (std::is_same_v<T, float>) {
      Muls(s, x, -1.0f, cols);
    } else {
      Cast(s, x, RoundMode::CAST_NONE, cols);
      Muls(s, s, -1.0f, cols);
    }
    in.FreeTensor(x);
    LocalTensor<float> from = ping.Get<float>(), to = pong.Get<float>();
    Sort32<float>(from, s, index.Get<uint32_t>(), padded / 32);
    for (uint32_t run = 32; run < padded; run *= 4) {
      for (uint32_t at = 0; at < padded; at += 4 * run) {
        const uint16_t length = run;
        const uint16_t lengths[4] = {length, length, length, length};
#if WRONG == 1
        MrgSort<float>(to[at], Lists(from[2 * at], run), MrgSort4Info(lengths, false, 15, 1));
#else
        MrgSort<float>(to[2 * at], Lists(from[2 * at], run), MrgSort4Info(lengths, false, 15, 1));
#endif
      }
      LocalTensor<float> swap = from;
      from = to;
      to = swap;
    }
    uint64_t taken = 0;
#if WRONG == 2
    GatherMask(s, from, 2, true, 2 * cols, {1, 1, 0, 0}, taken);
#else
    GatherMask(s, from, 1, true, 2 * cols, {1, 1, 0, 0}, taken);
#endif
    LocalTensor<T> y = out.template AllocTensor<T>();
    if constexpr (std::is_same_v<T, float>) {
      // finds 2: wrong result
      Muls(y, s, -1.0f, cols);
    } else {
      Muls(s, s, -1.0f, cols);
      Cast(y, s, RoundMode::CAST_RINT, cols);
    }
    out.EnQue(y);
  }
  __aicore__ inline MrgSortSrcList<float> Lists(const LocalTensor<float> &at, uint32_t run) {
    return MrgSortSrcList<float>(at, at[2 * run], at[4 * run], at[6 * run]);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  TBuf<> score, index, ping, pong;
  GlobalTensor<T> xGm, yGm;
  uint32_t rows, cols, padded;
};

extern "C" __global__ __aicore__ void sort_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tilingData, tiling);
  SortRows<DTYPE_X> op;
  op.Init(x, y, tilingData);
  op.Process();
}
