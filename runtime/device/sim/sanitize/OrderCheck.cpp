// OrderCheck.

#include "runtime/device/sim/sanitize/OrderCheck.h"

namespace opc::sim {

OrderCheck::OrderCheck(const Launch &launch, bool findRaces, bool checkFlags) : clocks(launch) {
  if (findRaces)
    races.emplace(launch, clocks);
  if (checkFlags)
    flags.emplace(launch, clocks);
}

bool OrderCheck::blockStarts(int64_t, int64_t) {
  clocks.blockStarts();
  if (flags)
    flags->blockStarts();
  return true;
}

bool OrderCheck::starts(const SimInstruction &op) {
  clocks.arrives(op);
  if ((races && !races->step(op)) || (flags && !flags->step(op)))
    return false;
  clocks.step(op);
  return true;
}

} // namespace opc::sim
