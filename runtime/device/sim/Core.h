// The base class of the simulator's machines, independent of the order of pipes: the units of a core, and how
// instructions get from the scalar unit to a pipe.

#ifndef OPC_RUNTIME_DEVICE_SIM_CORE_H
#define OPC_RUNTIME_DEVICE_SIM_CORE_H

#include "runtime/device/sim/Executor.h"
#include "runtime/device/sim/Flags.h"
#include "runtime/device/sim/ScalarUnit.h"
#include "runtime/device/sim/Simulator.h"
#include "runtime/device/sim/sanitize/Checks.h"

namespace opc::sim {

class Core {
protected:
  enum class Scalar : uint8_t { Running, Waiting, QueueFull, Halted };

  Core(const Launch &launch, SimResult &result)
      : launch(launch), result(result), executor(launch), scalarUnit(launch), flags(launch),
        checks(launch, executor.ub()) {}

  /// Resets the unified buffer, the flags and the scalar unit for a block; false after an error.
  bool startBlock(int64_t index, int64_t cycle);
  /// Captures the instruction that the scalar unit issues and its registers; false past the limit.
  bool take(SimInstruction &op);
  /// Whether an instruction may be issued; false after an error.
  bool admit(const SimInstruction &op);
  /// The value of a scalar read from UB now; also recorded if the launch requests it.
  uint64_t readScalar(const SimInstruction &op);
  /// Adds the work of a copy or an intrinsic to the statistics of its pipe.
  void account(const SimInstruction &op);

  const Launch &launch;
  SimResult &result;
  Executor executor;
  ScalarUnit scalarUnit;
  Flags flags;
  Checks checks;

  Scalar scalar = Scalar::Halted;
  SimInstruction current; ///< the instruction that the scalar unit issues or waits for
  int64_t block = 0;
  int64_t sequence = 0;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_CORE_H
