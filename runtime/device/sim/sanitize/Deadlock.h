// Reports deadlocks: which pipes wait for which flags of which other pipes. Rule sim_c33.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_DEADLOCK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_DEADLOCK_H

#include "runtime/device/sim/launch/Launch.h"

#include <optional>
#include <vector>

namespace opc::sim {

/// Reports a deadlock at the first of the instructions that pipes wait at, with a note for each other one. `fullPipe`
/// is the pipe whose full queue the scalar unit waits for.
void reportDeadlock(const Launch &launch, const std::vector<const SimInstruction *> &standing,
                    std::optional<Pipe> fullPipe);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_DEADLOCK_H
