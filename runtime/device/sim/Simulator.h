// The simulator of an AI Core: runs a simulator program over tensors in memory, checks every access, counts cycles.
//
//   scalar unit --issue--> queue of MTE2 | V | MTE3 | ...      one queue a pipe, first in, first out
//                           pipes perform in the order of time; flags and barriers alone order two of them
//
// What a launch computes is what the program says under the semantics of Semantics.h, bit for bit the same on every
// machine. What it costs comes from the target's cost functions. A program that reads or writes where it must not,
// races in the modelled time, or waits for ever is stopped with an error that names the lines of the body.

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

/// What one pipe did, in cycles of the core clock.
struct PipeUsage {
  int64_t busyCycles = 0;   ///< copies, vector work, scalar instructions
  int64_t syncCycles = 0;   ///< flags and barriers, with the time they waited
  int64_t instructions = 0; ///< without flags and barriers
  int64_t bytes = 0;        ///< read and written by copies and vector work
};

struct SimResult {
  bool completed = false; ///< ran to its end without an error; the other fields tell how far it came
  int64_t cycles = 0;     ///< from launch to the completion of the last pipe, all blocks
  int64_t scalarSteps = 0;
  int64_t pipeInstructions = 0;
  std::array<PipeUsage, kNumPipes> pipes{};
  WorkTally work; ///< what the busy cycles are made of

  const PipeUsage &usage(Pipe pipe) const { return pipes[static_cast<unsigned>(pipe)]; }
  /// The part of all cycles in which a pipe neither computes nor copies, 0 to 1.
  double idleShare(Pipe pipe) const;
};

/// Runs `blockNum` logical blocks one after the other on the one core. `tensors` are the inputs, then the outputs;
/// `tilingData` has one 64-bit slot for each field, a float32 field its bits in the low half. Errors go to
/// `diagnostics`, with places in the body; outputs of a launch that did not complete hold whatever was stored before.
SimResult simulate(const SimulatorProgram &program, const Target &target, const std::vector<SimTensor> &tensors,
                   const std::vector<int64_t> &tilingData, int64_t blockNum, const SimOptions &options,
                   Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_SIMULATOR_H
