// Checks at the end of a launch that every element of every output was stored, unless it held values
// before. Rule init_c1.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_OUTPUTCHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_OUTPUTCHECK_H

#include "runtime/device/sim/launch/Launch.h"
#include "runtime/device/sim/sanitize/state/Intervals.h"

#include <vector>

namespace opc::sim {

class OutputCheck final : public SimObserver {
public:
  explicit OutputCheck(const Launch &launch) : launch(launch), outputs(launch.tensors.size()) {}

  bool performs(const SimInstruction &op) override;
  bool launchEnds() override;

private:
  struct Output {
    Intervals stored;
    const PipeInstruction *store = nullptr; ///< the last one
  };

  const Launch &launch;
  std::vector<Output> outputs; ///< by tensor
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_OUTPUTCHECK_H
