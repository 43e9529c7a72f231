// y = softmax of each row of x, rows of up to 1024 floats: the row's maximum and sum pass the scalar unit.
// With -D FAULT=... one line is wrong.

#include "kernel_operator.h"

struct SoftmaxTiling {
  uint32_t rows, columns;
};

constexpr uint32_t kMost = 1024;

class KernelSoftmax {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SoftmaxTiling &data) {
    tiling = data;
    xGm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(x));
    yGm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(y));
    pipe.InitBuffer(in, 2, kMost * sizeof(float));
    pipe.InitBuffer(out, 2, kMost * sizeof(float));
    pipe.InitBuffer(work, kMost * sizeof(float));
    pipe.InitBuffer(result, 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < tiling.rows; ++row) {
      CopyIn(row);
      Compute();
      CopyOut(row);
    }
  }

private:
  __aicore__ inline AscendC::DataCopyExtParams Row() const {
    return {1, static_cast<uint32_t>(tiling.columns * sizeof(float)), 0, 0, 0};
  }
  __aicore__ inline void CopyIn(uint32_t row) {
    AscendC::LocalTensor<float> x = in.AllocTensor<float>();
    AscendC::DataCopyPad(x, xGm[row * tiling.columns], Row(), {false, 0, 0, 0.0f});
    in.EnQue(x);
  }
  /// One element that the vector unit wrote.
  __aicore__ inline float Read(const AscendC::LocalTensor<float> &tensor) {
#ifndef FAULT_RACE
    AscendC::SetFlag<AscendC::HardEvent::V_S>(0);
    AscendC::WaitFlag<AscendC::HardEvent::V_S>(0);
#endif
    float value = tensor.GetValue(0);
#ifndef FAULT_RACE
    AscendC::SetFlag<AscendC::HardEvent::S_V>(0);
    AscendC::WaitFlag<AscendC::HardEvent::S_V>(0);
#endif
    return value;
  }
  __aicore__ inline void Compute() {
    const int32_t n = static_cast<int32_t>(tiling.columns);
    AscendC::LocalTensor<float> x = in.DeQue<float>();
    AscendC::LocalTensor<float> y = out.AllocTensor<float>();
    AscendC::LocalTensor<float> scratch = work.Get<float>(), one = result.Get<float>();
    AscendC::ReduceMax(one, x, scratch, n);
    const float most = Read(one);
    AscendC::Adds(y, x, -most, n);
#ifndef FAULT_BARRIER
    AscendC::PipeBarrier<PIPE_V>();
#endif
    AscendC::Exp(y, y, n);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::ReduceSum(one, y, scratch, n);
    const float sum = Read(one);
    AscendC::Muls(y, y, 1.0f / sum, n);
#ifdef FAULT_SYNC
    AscendC::SetFlag<AscendC::HardEvent::V_S>(1);
#endif
    AscendC::PipeBarrier<PIPE_V>();
    out.EnQue(y);
    in.FreeTensor(x);
  }
  __aicore__ inline void CopyOut(uint32_t row) {
    AscendC::LocalTensor<float> y = out.DeQue<float>();
    AscendC::DataCopyPad(yGm[row * tiling.columns], y, Row());
    out.FreeTensor(y);
  }

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
  AscendC::TBuf<AscendC::TPosition::VECCALC> work, result;
  AscendC::GlobalTensor<float> xGm, yGm;
  SoftmaxTiling tiling;
};

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(SoftmaxTiling, data, tiling);
  KernelSoftmax kernel;
  kernel.Init(x, y, data);
  kernel.Process();
}
