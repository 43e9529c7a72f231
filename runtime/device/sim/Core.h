// What the simulator's machines have in common, whatever order their pipes take: the units of a core, and the way of
// an instruction from the scalar unit to its pipe.

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

  /// Unified buffer, flags and scalar unit as a block finds them; false after an error.
  bool startBlock(int64_t index, int64_t cycle);
  /// The instruction that the scalar unit issues, with its registers; false past the limit.
  bool take(SimInstruction &op);
  /// Whether it may go to its pipe; false with an error.
  bool admit(const SimInstruction &op);
  /// What the scalar unit reads from UB now; kept as well where the launch asks for it.
  uint64_t readScalar(const SimInstruction &op);
  /// Adds what a copy or an intrinsic did to its pipe's figures.
  void account(const SimInstruction &op);

  const Launch &launch;
  SimResult &result;
  Executor executor;
  ScalarUnit scalarUnit;
  Flags flags;
  Checks checks;

  Scalar scalar = Scalar::Halted;
  SimInstruction current; ///< what the scalar unit issues, or waits with
  int64_t block = 0;
  int64_t sequence = 0;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_CORE_H
