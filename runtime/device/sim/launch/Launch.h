// The state of a launch that all parts of the simulator share: program, target, memory, and error reporting.

#ifndef OPC_RUNTIME_DEVICE_SIM_LAUNCH_LAUNCH_H
#define OPC_RUNTIME_DEVICE_SIM_LAUNCH_LAUNCH_H

#include "runtime/device/sim/launch/Observer.h"
#include "runtime/device/sim/launch/Options.h"
#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/SimulatorProgram.h"

#include <string>

namespace opc::sim {

struct Launch {
  const SimulatorProgram &program;
  const Target &target;
  const std::vector<SimTensor> &tensors;
  const std::vector<int64_t> &tilingData;
  const SimOptions &options;
  Diagnostics &diagnostics;

  /// Bytes of on-chip memory that instructions address: those of UB, or all windows in a program for the cube.
  int64_t onChipBytes() const;
  /// The number of event ids that the program may use for a pair of pipes.
  unsigned eventIds() const;
  Location locationOf(const PipeInstruction &instruction) const;
  /// "'vaddrelu' on pipe v", "'set_flag v -> mte2'".
  std::string describe(const PipeInstruction &instruction) const;
  /// "buffer 'x1'" or "tensor 'y'".
  std::string describe(const ProgramOperand &operand) const;
  /// A remark for messages about a missing barrier: for a pipe that completes in order on this chip, that the barrier
  /// is missing only on other chips (Target::portable()). Empty for any other pipe.
  std::string onOtherChips(Pipe pipe) const;
  /// Reports an error at the location of an instruction. Errors of a sanitizer begin with their kind: "sync (double
  /// set): ...".
  Diagnostic &error(Code code, const PipeInstruction &instruction, std::string message, std::string rule,
                    std::string fix = {}) const;
  /// Adds a note at the location of another instruction.
  void note(Diagnostic &diagnostic, const PipeInstruction &instruction, const std::string &role) const;
};

/// Whether the launch can start: the program is valid and for this chip, and tensors and tiling data match it.
/// Reports an error otherwise.
bool checkLaunch(const Launch &launch, int64_t blockNum);

/// Reports that the launch exceeds its limit of pipe instructions (rule sim_c42); returns false.
bool refuseMoreInstructions(const Launch &launch, const PipeInstruction &instruction);

inline unsigned indexOf(Pipe pipe) {
  return static_cast<unsigned>(pipe);
}

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_LAUNCH_H
