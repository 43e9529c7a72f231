// Kernels that nothing good comes of, one for each CASE.

#include "kernel_operator.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

using namespace AscendC;

int Deep(volatile int *p, int n) {
  volatile int local[100];
  local[0] = n;
  return Deep(local, n + 1) + local[0] + *p;
}

extern "C" __global__ __aicore__ void hostile(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<half> yGm;
  yGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(y));
  TPipe pipe;
  TBuf<> buffer;
  TQue<TPosition::VECIN, 1> a, b, c;
  volatile int zero = 0;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<half> t = buffer.Get<half>();
  switch (CASE) {
  case 1:
    while (zero == 0) {
    }
  case 2:
    yGm.SetValue(0, Deep(&zero, 1));
    break;
  case 3:
    *t.GetPhyAddr() = 3;
    break;
  case 4:
    __builtin_memset(y, zero, 4096);
    break;
  case 5:
    pipe.InitBuffer(a, 2, 130000);
    break;
  case 6:
    pipe.InitBuffer(a, 4, 32);
    pipe.InitBuffer(b, 4, 32);
    pipe.InitBuffer(c, 1, 32);
    break;
  case 7:
    while (true)
      Adds(t, t, half(1), 16);
  case 8:
    WaitFlag<HardEvent::V_MTE3>(0);
    break;
  case 9:
    Adds(t[3], t, half(1), 16);
    break;
  case 10:
    SetFlag<HardEvent::V_MTE3>(7);
    break;
  case 11:
    yGm.SetValue(0, 3 / zero);
    break;
  case 12:
    exit(0);
  case 13:
    Adds(t, t, half(1), 1000);
    break;
  case 14:
    sleep(1000);
    break;
  case 15:
    pipe.InitBuffer(a, 1, 64);
    a.DeQue<half>();
    break;
  case 16: // what it starts sleeps on, and holds what it has
    if (fork() == 0)
      while (true)
        sleep(1000);
    break;
  case 17: // deaf to its limits
    for (int fd = 3; fd < 100; ++fd)
      close(fd);
    signal(SIGALRM, SIG_IGN);
    signal(SIGXCPU, SIG_IGN);
    while (true)
      sleep(1000);
  case 18:
    yGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(x) + (int64_t(1) << 40));
    DataCopy(yGm, t, 16);
    break;
  case 19:
    for (int64_t i = 0; i < int64_t(1) << 60; ++i)
      zero = int(i);
  default:
    abort();
  }
}
