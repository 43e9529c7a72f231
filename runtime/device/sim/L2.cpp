#include "runtime/device/sim/L2.h"

#include <algorithm>

namespace opc::sim {

L2::L2(const Target &target)
    : lineBytes(int64_t(target.figure("l2_line_bytes"))), most(size_t(target.figure("l2_bytes")) / size_t(lineBytes)) {
}

/// Whether L2 has the line; it is then the one that was touched last.
bool L2::touchLine(const Line &line) {
  const auto [place, isNew] = places.try_emplace(line);
  if (!isNew) {
    latest.splice(latest.begin(), latest, place->second);
    return true;
  }
  latest.push_front(line);
  place->second = latest.begin();
  if (latest.size() > most) {
    places.erase(latest.back());
    latest.pop_back();
  }
  return false;
}

int64_t L2::touch(const SimAccess &access) {
  int64_t found = 0;
  for (int64_t row = 0; row < access.rows && access.rowBytes > 0; ++row) {
    const int64_t begin = access.address + row * access.stride, end = begin + access.rowBytes;
    for (int64_t number = begin / lineBytes; number * lineBytes < end; ++number)
      if (touchLine({access.operand->tensor, number}))
        found += std::min(end, (number + 1) * lineBytes) - std::max(begin, number * lineBytes);
  }
  return found;
}

} // namespace opc::sim
