#include "tools/opc/process/DeferredSignals.h"

#include <csignal>

namespace opc::tool {

static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
static constexpr int kSignalCount = 3;

static volatile std::sig_atomic_t waiting = 0;
static struct sigaction before[kSignalCount];
static int depth = 0;

static void restore() {
  for (int i = 0; i < kSignalCount; ++i)
    sigaction(kSignals[i], &before[i], nullptr);
}

extern "C" {
static void keepSignal(int number) {
  if (waiting == 0) {
    waiting = number;
    return;
  }
  // sigaction and raise are async-signal-safe; the raised signal is blocked until this handler returns.
  restore();
  raise(number);
}
}

DeferredSignals::DeferredSignals() {
  if (depth++ > 0)
    return;
  waiting = 0;
  struct sigaction keep = {};
  keep.sa_handler = keepSignal;
  sigemptyset(&keep.sa_mask);
  for (int i = 0; i < kSignalCount; ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(kSignals[i], &keep, nullptr);
  }
}

DeferredSignals::~DeferredSignals() {
  if (--depth > 0)
    return;
  restore();
  int number = waiting;
  waiting = 0;
  if (number)
    raise(number);
}

bool DeferredSignals::arrived() {
  return waiting != 0;
}

void DeferredSignals::forget() {
  for (int number : kSignals)
    std::signal(number, SIG_DFL);
}

} // namespace opc::tool
