#include "runtime/target/MemoryModel.h"

#include <algorithm>
#include <cmath>

namespace opc {

BoardRates boardRates(const Target &target) {
  const double low = target.figure("board_load_rate_low"), high = target.figure("board_load_rate_high");
  return {low, std::sqrt(low * high), high};
}

double toGigabytes(const Target &target, double bytesPerCycle) {
  return bytesPerCycle * target.clockMHz() / 1000;
}
double toBytesPerCycle(const Target &target, double gigabytes) {
  return gigabytes * 1000 / target.clockMHz();
}

Target withRate(const Target &target, double bytesPerCycle) {
  return target.withFigure("load_rate", bytesPerCycle).withFigure("store_rate", bytesPerCycle);
}

Target withRates(const Target &target, const MemoryModel &memory) {
  return memory.boardRates ? withRate(target, toBytesPerCycle(target, boardRates(target).middle)) : target;
}

double copyCost(const Target &target, Pipe pipe, int64_t rows, int64_t rowBytes, int64_t cached) {
  const double whole = target.copyCost(pipe, rows, rowBytes);
  if (cached <= 0)
    return whole;
  const double bytes = double(std::min(cached, rows * rowBytes));
  return whole - bytes / target.figure("load_rate") + bytes / target.figure("l2_read_width");
}

int64_t copyCycles(const Target &target, Pipe pipe, int64_t rows, int64_t rowBytes, int64_t cached) {
  return cached > 0 ? int64_t(std::ceil(copyCost(target, pipe, rows, rowBytes, cached)))
                    : target.copyCycles(pipe, rows, rowBytes);
}

} // namespace opc
