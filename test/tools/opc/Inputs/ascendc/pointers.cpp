// y = 2 * x by pointers to global memory, after a copy of the first block by the vector unit's way; sum = what is in y.
// CASE 1 stores past y, 2 into x, 3 reads what the copy has not stored yet, 4 copies a structure,
// 5 has loops that a compiler makes calls of memset and memcpy of.
#include "kernel_operator.h"
using namespace AscendC;

struct Pair {
  int64_t first, second;
};

extern "C" __global__ __aicore__ void pointers(GM_ADDR x, GM_ADDR y, GM_ADDR sum) {
  __gm__ int32_t *from = (__gm__ int32_t *)x, *to = (__gm__ int32_t *)y;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 64);
  LocalTensor<int32_t> t = buffer.Get<int32_t>();
  GlobalTensor<int32_t> xGm, yGm;
  xGm.SetGlobalBuffer(from, 21);
  yGm.SetGlobalBuffer(to, 21);
  DataCopy(t, xGm, 16);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(t, t, 100, 16);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(yGm, t, 16);
#if CASE != 3
  SetFlag<HardEvent::MTE3_S>(EVENT_ID1);
  WaitFlag<HardEvent::MTE3_S>(EVENT_ID1);
#endif
  for (int i = 8; i < 21; ++i)
    to[i] = from[i] * 2;
  int32_t total = 0;
  for (int i = 0; i < 21; ++i)
    total += to[i];
  ((__gm__ int64_t *)sum)[0] = total;
  ((__gm__ int64_t *)sum)[1] = 0;
#if CASE == 1
  to[400] = 1;
#elif CASE == 2
  from[2] = 1;
#elif CASE == 5
  for (int i = 0; i < 21; ++i)
    to[i] = 0;
  for (int i = 0; i < 21; ++i)
    to[i] = from[i];
#elif CASE == 4
  *((__gm__ Pair *)sum) = Pair{total, -1};
#endif
}
