// Runs a bound launch on the simulator with the complete result, for profiling and calibration.

#ifndef OPC_TOOLS_OPC_RUN_SIMLAUNCH_H
#define OPC_TOOLS_OPC_RUN_SIMLAUNCH_H

#include "runtime/core/launch/Launch.h"
#include "runtime/device/sim/Simulator.h"

#include <vector>

namespace opc::tool {

/// Runs `launch` of `program` on `chip`; false after an error. `inputs` are in the manifest's order.
bool simulateLaunch(const Manifest &manifest, const SimulatorProgram &program, const Target &chip,
                    const std::vector<const Tensor *> &inputs, BoundLaunch &launch, const SimOptions &options,
                    SimResult &result, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_SIMLAUNCH_H
