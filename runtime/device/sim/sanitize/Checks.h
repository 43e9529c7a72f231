// The checks of a launch, in the order in which they are asked: bounds first, since all others rely on them; then
// order, since a race explains what content shows of it; then content.
//
//   without a choice   mem, the races of this run's time, init by content, sync as flags show it
//   with one           mem, and of race, init and sync what was chosen, with the proof by order

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_CHECKS_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_CHECKS_H

#include "runtime/device/sim/launch/Launch.h"

#include <memory>
#include <vector>

namespace opc::sim {

class Checks {
public:
  Checks(const Launch &launch, const uint8_t *ub);

  bool blockStarts(int64_t block, int64_t cycle);
  bool issued(const SimInstruction &op);
  bool starts(const SimInstruction &op);
  bool performs(const SimInstruction &op);
  bool blockEnds(int64_t block, int64_t cycle);
  bool launchEnds();
  /// Whether flags that are left set are told.
  bool flags() const { return checkFlags; }

private:
  std::vector<std::unique_ptr<SimObserver>> owned;
  std::vector<SimObserver *> observers; ///< those, then the caller's
  bool checkFlags;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_CHECKS_H
