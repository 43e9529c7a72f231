// The sanitizers `race` and `sync` as one observer: both use the same vector clocks, in the order in which pipes
// start their instructions.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_ORDERCHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_ORDERCHECK_H

#include "runtime/device/sim/sanitize/FlagCheck.h"
#include "runtime/device/sim/sanitize/RaceCheck.h"

#include <optional>

namespace opc::sim {

class OrderCheck final : public SimObserver {
public:
  OrderCheck(const Launch &launch, bool races, bool flags);

  bool blockStarts(int64_t block, int64_t cycle) override;
  bool starts(const SimInstruction &op) override;

private:
  PipeClocks clocks;
  std::optional<RaceCheck> races;
  std::optional<FlagCheck> flags;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_ORDERCHECK_H
