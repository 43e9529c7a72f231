// Deadlock: which pipes wait, for which flag of which other pipe. Rule sim_c33.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_DEADLOCK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_DEADLOCK_H

#include "runtime/device/sim/launch/Launch.h"

#include <optional>
#include <vector>

namespace opc::sim {

/// Tells it at the first of the instructions that pipes stand at, with a note for each other one. `fullPipe`: the
/// scalar unit waits for room in the queue of that pipe.
void reportDeadlock(const Launch &launch, const std::vector<const SimInstruction *> &standing,
                    std::optional<Pipe> fullPipe);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_DEADLOCK_H
