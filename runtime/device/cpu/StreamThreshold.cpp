#include "runtime/device/cpu/StreamThreshold.h"

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace opc {

// The size of a cache in the form of Linux, "1024K"; 0 for anything else.
static int64_t sizeIn(const std::string &path) {
  constexpr int64_t kMost = int64_t(1) << 20; // no machine has a cache of 1 TB
  std::ifstream file(path);
  int64_t number = 0;
  char unit = 0;
  if (!(file >> number >> unit) || number <= 0 || number > kMost)
    return 0;
  return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : 0;
}

int64_t streamThresholdOf(const std::string &folder) {
  int64_t largest = 0;
  constexpr int kMostCaches = 8;
  for (int index = 0; index < kMostCaches; ++index)
    largest = std::max(largest, sizeIn(folder + "/index" + std::to_string(index) + "/size"));
  // A cache of hundreds of MB is shared by about a hundred cores, of which a launch may have two: other cores
  // evict its output before the next kernel reads it. Measured on a virtual machine with two cores and a cache of
  // 480 MB (docs/rationale/cpu.md).
  constexpr int64_t kLargestShare = int64_t(64) << 20;
  return std::min(largest / 2, kLargestShare);
}

static int64_t readOnce() {
  constexpr int64_t kUnknown = int64_t(1) << 20;
  int64_t bytes = streamThresholdOf("/sys/devices/system/cpu/cpu0/cache");
  // Ask the C library, which on some machines queries the processor.
  for (int which : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (long size = sysconf(which); bytes == 0 && size > 0)
      bytes = size / 2;
  return bytes > 0 ? bytes : kUnknown;
}

int64_t streamThresholdBytes() {
  static const int64_t bytes = readOnce();
  return bytes;
}

} // namespace opc
