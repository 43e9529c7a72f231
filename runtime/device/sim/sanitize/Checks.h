// The checks of a launch, in the order in which they run: bounds first, since all others rely on them; then order,
// since a race is the cause of errors in contents; then contents.
//
//   by default         mem, races in the times of this run, init by content, sync by the state of flags
//   with a selection   mem, and the selected ones of race, init and sync, proven by happens-before

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
  /// Whether flags that are still set at the end of a block are reported.
  bool flags() const { return checkFlags; }

private:
  std::vector<std::unique_ptr<SimObserver>> owned;
  std::vector<SimObserver *> observers; ///< the owned ones, then the caller's
  bool checkFlags;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_CHECKS_H
