// What all parts of the simulator share of one launch: program, target, bound memory, and how an error is told.

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

  /// Event ids of a pair of pipes that the program may use.
  unsigned eventIds() const;
  Location locationOf(const PipeInstruction &instruction) const;
  /// "'vaddrelu' on pipe v", "'set_flag v -> mte2'".
  std::string describe(const PipeInstruction &instruction) const;
  /// "buffer 'x1'" or "tensor 'y'".
  std::string describe(const ProgramOperand &operand) const;
  /// For a missing barrier of a pipe that completes in order on the chip itself: that it is missing on other chips
  /// alone (Target::portable()). Empty for any other pipe.
  std::string onOtherChips(Pipe pipe) const;
  /// An error at the line of an instruction. What a sanitizer finds is told with its kind first: "sync
  /// (double set): ...".
  Diagnostic &error(Code code, const PipeInstruction &instruction, std::string message, std::string rule,
                    std::string fix = {}) const;
  /// Adds where another instruction stands.
  void note(Diagnostic &diagnostic, const PipeInstruction &instruction, const std::string &role) const;
};

/// Whether the launch can start: the program is valid and was made for this chip, tensors and tiling
/// data are as it says.
bool checkLaunch(const Launch &launch, int64_t blockNum);

/// The launch is past its limit of pipe instructions (rule sim_c42); false.
bool refuseMoreInstructions(const Launch &launch, const PipeInstruction &instruction);

inline unsigned indexOf(Pipe pipe) {
  return static_cast<unsigned>(pipe);
}

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_LAUNCH_H
