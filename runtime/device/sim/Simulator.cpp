// Runs one launch: checks, machine, result.

#include "runtime/device/sim/Simulator.h"

#include "runtime/device/sim/Adversary.h"
#include "runtime/device/sim/Machine.h"
#include "runtime/device/sim/profile/Trace.h"

namespace opc {

double SimResult::idleShare(Pipe pipe) const {
  return cycles == 0 ? 1.0 : 1.0 - double(usage(pipe).busyCycles) / double(cycles);
}

SimResult simulate(const SimulatorProgram &program, const Target &target, const std::vector<SimTensor> &tensors,
                   const std::vector<int64_t> &tilingData, int64_t blockNum, const SimOptions &options,
                   Diagnostics &diagnostics) {
  SimResult result;
  SimOptions local = options;
  const sim::Launch launch{program, target, tensors, tilingData, local, diagnostics};
  if (!sim::checkLaunch(launch, blockNum))
    return result;
  if (options.order == SimOrder::Adversarial) { // no times: no cycles, no trace
    result.completed = sim::Adversary(launch, result).run(blockNum);
    return result;
  }
  sim::Trace trace(launch);
  if (!trace.begin())
    return result;
  if (trace.wanted())
    local.observers.push_back(&trace);
  result.completed = sim::Machine(launch, result).run(blockNum) && trace.finish();
  return result;
}

} // namespace opc
