// The machine: a scalar unit, a queue for each pipe, and flags. It executes steps in the order of modelled time.
//
// Each round takes the step that can start first: the scalar unit's next instructions, the head of a pipe's queue, or
// a flag that becomes visible. `pickNext` alone determines the order by its choice among the ready steps.
//
//   start of an instruction      max(pipe is free, handed over, for a wait: the flag is visible)
//   end                          start + the target's cost; the pipe is free again
//   completion                   end, and on a pipe that does not complete in order as long again as a barrier takes
//   a barrier ends, a set shows  when everything its pipe started before has completed
//
// A barrier on a pipe that completes in order is not an instruction of the chip: it takes no time, neither on the
// pipe nor on the scalar unit.

#ifndef OPC_RUNTIME_DEVICE_SIM_MACHINE_H
#define OPC_RUNTIME_DEVICE_SIM_MACHINE_H

#include "runtime/device/sim/Core.h"
#include "runtime/device/sim/InstructionQueue.h"
#include "runtime/device/sim/L2.h"

#include <array>
#include <limits>
#include <optional>

namespace opc::sim {

class Machine : Core {
public:
  Machine(const Launch &launch, SimResult &result);

  /// Runs all blocks; false after an error.
  bool run(int64_t blockNum);

private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  struct PipeState {
    InstructionQueue queue;
    InstructionQueue sets;  ///< flags that were set and are not visible yet; `complete` is when they will be
    int64_t free = 0;       ///< when the pipe can start its next instruction
    int64_t complete = 0;   ///< when everything that it started is complete
    int64_t ready = kNever; ///< when the head of its queue can start
  };
  /// A step: the scalar unit, the head of a pipe's queue, or the oldest flag of a pipe that is not visible yet.
  struct Step {
    enum Kind : uint8_t { None, ScalarUnit, PipeHead, FlagVisible } kind = None;
    unsigned pipe = 0;
    int64_t time = kNever;
  };

  bool runBlock(int64_t block);
  Step pickNext() const;
  bool stepScalar(int64_t bound);
  bool issue();
  bool issueToScalar(SimInstruction &op);
  bool scalarRead();
  bool scalarWork();
  bool endScalarWait();
  bool stepPipe(unsigned pipe);
  bool showFlag(unsigned pipe);
  bool perform(SimInstruction &op);
  void updateReady(unsigned pipe);
  void touchL2(SimInstruction &op);
  int64_t costOf(const SimInstruction &op) const;
  bool checkCycles(int64_t time) const { return time <= launch.options.cycleLimit || refuseCycles(); }
  bool refuseCycles() const;
  bool deadlock() const;
  PipeUsage &usage(Pipe pipe) { return result.pipes[indexOf(pipe)]; }

  std::array<PipeState, kNumPipes> pipes;
  std::optional<L2> l2; ///< for all blocks of a launch
  unsigned fullPipe = 0;
  int64_t notIssued = 0; ///< barriers on pipes that complete in order
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_MACHINE_H
