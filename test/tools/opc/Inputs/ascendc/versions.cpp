// Calls of one version of the toolkit, a line each; with BOTH those that all versions have.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void versions(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> ub;
  pipe.InitBuffer(ub, 8192);
  GlobalTensor<half> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  yGm.SetGlobalBuffer((__gm__ half *)y);
  LocalTensor<half> a = ub.GetWithOffset<half>(128, 0), b = ub.GetWithOffset<half>(128, 256);
  LocalTensor<uint8_t> mask = ub.GetWithOffset<uint8_t>(32, 512);
  // A place for each result: no call waits for another.
  LocalTensor<half> r[4];
  for (int i = 0; i < 4; ++i)
    r[i] = ub.GetWithOffset<half>(128, 1024 + i * 256);
  DataCopy(a, xGm, 128);
  DataCopy(b, xGm, 128);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
#ifdef BOTH
  CompareScalar(mask, a, half(1), CMPMODE::LT, 128);
  FusedMulAddRelu(b, a, a, 128);
  WholeReduceSum(r[0], a, 128, 1, 1, 1, 8);
  BlockReduceMax(r[1], a, 1, 128, 1, 1, 8);
  PairReduceSum(r[2], a, 1, 128, 1, 1, 8);
#else
  Compares(mask, a, half(1), CMPMODE::LT, 128);
  MulAddRelu(b, a, a, 128);
  ReduceRepeat<ReduceType::SUM>(r[0], a, 128, 1, 1, 1, 8);
  ReduceDataBlock<ReduceType::MAX>(r[1], a, 128, 1, 1, 1, 8);
  ReducePairElem<ReduceType::SUM>(r[2], a, 128, 1, 1, 1, 8);
  RepeatReduceSum(r[3], a, 1, 128, 0, 1, 1, 8);
#endif
#ifdef BFLOAT16
  Duplicate(ub.GetWithOffset<bfloat16_t>(128, 4096), bfloat16_t(1), 128);
#endif
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  SetAtomicAdd<half>();
  DataCopy(yGm, b, 128);
#ifdef BOTH
  SetAtomicNone();
#else
  DisableDmaAtomic();
#endif
}
