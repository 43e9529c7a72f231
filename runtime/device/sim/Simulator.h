// The simulator of an AI Core: runs a simulator program on tensors in memory, checks every access and counts cycles.
//
//   scalar unit --issue--> queue of MTE2 | V | MTE3 | ...      one queue per pipe, first in, first out
//                           pipes perform in the order of time; only flags and barriers order two of them
//
// Results follow the program and the semantics of Semantics.h, bit-identical on every machine. Cycles follow the
// target's cost functions. A program that accesses memory out of bounds, has a data race, or deadlocks is stopped
// with an error that names the lines of the body.

#ifndef OPC_RUNTIME_DEVICE_SIM_SIMULATOR_H
#define OPC_RUNTIME_DEVICE_SIM_SIMULATOR_H

#include "runtime/device/sim/launch/Options.h"
#include "runtime/device/sim/profile/WorkTally.h"
#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/SimulatorProgram.h"

#include <array>
#include <cstdint>
#include <vector>

namespace opc {

/// The activity of one pipe, in cycles of the core clock.
struct PipeUsage {
  int64_t busyCycles = 0;   ///< copies, vector work, scalar instructions
  int64_t syncCycles = 0;   ///< flags and barriers, including waiting time
  int64_t instructions = 0; ///< without flags and barriers
  int64_t bytes = 0;        ///< read and written by copies and vector work
};

struct SimResult {
  bool completed = false; ///< ran to its end without an error; otherwise the other fields cover the part that ran
  int64_t cycles = 0;     ///< from launch to the completion of the last pipe, all blocks
  int64_t scalarSteps = 0;
  int64_t pipeInstructions = 0;
  std::array<PipeUsage, kNumPipes> pipes{};
  WorkTally work; ///< breakdown of the busy cycles

  const PipeUsage &usage(Pipe pipe) const { return pipes[static_cast<unsigned>(pipe)]; }
  /// The share of all cycles in which a pipe neither computes nor copies, 0 to 1.
  double idleShare(Pipe pipe) const;
};

/// Runs `blockNum` logical blocks one after the other on one core. `tensors` are the inputs, then the outputs;
/// `tilingData` has one 64-bit slot per field, with the bits of a float32 field in the low half. Errors go to
/// `diagnostics` with locations in the body; the outputs of a launch that did not complete hold what was stored
/// before the error.
SimResult simulate(const SimulatorProgram &program, const Target &target, const std::vector<SimTensor> &tensors,
                   const std::vector<int64_t> &tilingData, int64_t blockNum, const SimOptions &options,
                   Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_SIMULATOR_H
