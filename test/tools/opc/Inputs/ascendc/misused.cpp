// Queues, copies and checks used as they must not be, one for each CASE.

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void misused(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<half> xGm, yGm;
  xGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(x));
  yGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(y));
  TPipe pipe;
  TBuf<> buffer;
  TQue<TPosition::VECIN, 1> a, b, nowhere;
  pipe.InitBuffer(buffer, 1024);
  pipe.InitBuffer(a, 2, 64);
  pipe.InitBuffer(b, 1, 64);
  LocalTensor<half> t = buffer.Get<half>();
  switch (CASE) {
  case 1:
    nowhere.AllocTensor<half>();
    break;
  case 2: {
    LocalTensor<half> foreign = b.AllocTensor<half>();
    a.EnQue(foreign);
    break;
  }
  case 4: {
    LocalTensor<half> one = a.AllocTensor<half>();
    a.EnQue(one);
    a.EnQue(one);
    break;
  }
  case 5: {
    LocalTensor<half> one = a.AllocTensor<half>(), two = a.AllocTensor<half>();
    a.EnQue(one);
    a.EnQue(two);
    break;
  }
  case 7: {
    LocalTensor<half> one = a.AllocTensor<half>();
    a.FreeTensor(one);
    a.FreeTensor(one);
    break;
  }
  case 8:
    a.AllocTensor<half>();
    break;
  case 10:
    DataCopyPad(t, xGm, DataCopyExtParams(1, 5, 0, 0, 0), DataCopyPadExtParams<half>());
    break;
  case 11:
    ReduceDataBlock<ReduceType::SUM>(t[256], t, 128, 1, 1, 2, 16);
    break;
  case 12:
    Adds(t, t, half(1), uint64_t(129), 1, UnaryRepeatParams(1, 1, 8, 8));
    break;
  case 14:
    while (true)
      PipeBarrier<PIPE_V>();
  case 18:
    Duplicate(t, half(1), 64);
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
    Duplicate(t, half(3), 64);
    Adds(t, t, t.GetValue(0), 64);
    break;
  case 20:
    ascendc_assert(GetBlockNum() == 7);
    break;
  }
}
