// The scalar unit and copies on one line of global memory. CASE 0, 5 and 6 are right, 1 to 4 lack DataCacheCleanAndInvalid.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void cached(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 64);
  LocalTensor<int32_t> t = buffer.Get<int32_t>();
  GlobalTensor<int32_t> from, to, sum;
  from.SetGlobalBuffer((__gm__ int32_t *)x, 16);
  to.SetGlobalBuffer((__gm__ int32_t *)y, 16);
  sum.SetGlobalBuffer((__gm__ int32_t *)z, 16);
#if CASE == 6
  if (GetBlockIdx() == 0) {
    to.SetValue(8, 1);
    return;
  }
#endif
  DataCopy(t, from, 16);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  DataCopy(sum, t, 16);
#if CASE == 1 || CASE == 5
  to.SetValue(0, 1);
  int32_t before = to.GetValue(0);
#elif CASE == 3
  to.SetValue(8, 1);
#endif
#if CASE == 5
  DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(to[3]);
#elif CASE == 1
  DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(to);
  to.GetValue(3);
#endif
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
  DataCopy(to, t, 16);
  SetFlag<HardEvent::MTE3_S>(EVENT_ID0);
  WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
#if CASE == 1
  sum.SetValue(0, to.GetValue(5));
#elif CASE == 2
  to.SetValue(2, 7);
  SetFlag<HardEvent::S_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE2>(EVENT_ID0);
  DataCopy(t, to, 16);
#elif CASE == 4
  *((__gm__ int32_t *)y + 12) = 5;
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
  DataCopy(to, t, 8);
#else
  to.SetValue(15, 9);
  sum.SetValue(0, to.GetValue(15));
#endif
}
