#include "runtime/device/cpu/PrivateCache.h"

#include <fstream>
#include <string>
#include <unistd.h>

namespace opc {

// "1024K", as Linux writes sizes of caches; 0 for anything else.
static int64_t fromSystem() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index2/size");
  int64_t number = 0;
  char unit = 0;
  if (!(file >> number >> unit) || number <= 0 || number > (1 << 20))
    return 0;
  return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : 0;
}

static int64_t readOnce() {
  constexpr int64_t kUnknown = int64_t(1) << 20;
  // The C library asks the processor where it can.
  if (long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0)
    return bytes;
  int64_t bytes = fromSystem();
  return bytes > 0 ? bytes : kUnknown;
}

int64_t privateCacheBytes() {
  static const int64_t bytes = readOnce();
  return bytes;
}

} // namespace opc
