// The happens-before order of instructions, by a vector clock for each pipe: which instructions are certain to be
// complete before another one starts.
//
//   clock[p][q] = n before the next start on pipe p, the first n instructions of pipe q are complete
//
//   set p -> q     carries p's clock, raised to all that p started before: a flag becomes visible
//                  when everything before it on its pipe is complete
//   wait p -> q    q's clock takes the maximum with what the flag carries
//   barrier p      clock[p][p] rises to all that p started before
//   in order       on a pipe that completes in order clock[p][p] rises with every instruction
//
//   issue          of kernels by hand: what the scalar unit knows where it issues an instruction is
//                  known to that instruction's pipe
//
// Otherwise only flags and barriers order instructions; the times of a run and the order of issue do not. The last rule
// holds on the chip too: the scalar unit issues nothing while it waits. Kernels that opc makes do not rely on it.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_PIPECLOCKS_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_PIPECLOCKS_H

#include "runtime/device/sim/launch/Launch.h"

#include <array>
#include <deque>
#include <vector>

namespace opc::sim {

class PipeClocks {
public:
  explicit PipeClocks(const Launch &launch);

  /// Starts a logical block; all pipes are idle between blocks.
  void blockStarts();
  /// The next instruction of its pipe is about to start: the pipe learns the state of the scalar unit at its issue.
  void arrives(const SimInstruction &op);
  /// Takes the next instruction of its pipe, in the order in which the pipe starts them.
  void step(const SimInstruction &op);

  /// The number of instructions that the pipe has started, which is the place of its next one, from 0.
  uint32_t started(Pipe pipe) const { return counts[indexOf(pipe)]; }
  /// How many of `earlier`'s instructions are complete before `pipe` starts its next one.
  uint32_t complete(Pipe pipe, Pipe earlier) const { return clocks[indexOf(pipe)][indexOf(earlier)]; }
  /// Index of a flag among all pairs of pipes and ids.
  size_t flagIndex(const SimInstruction &flag) const;
  size_t numFlags() const { return carried.size(); }

private:
  using Clock = std::array<uint32_t, kNumPipes>;

  /// The state of the scalar unit from one of its waits on.
  struct Known {
    int64_t sequence; ///< of the wait
    Clock clock;
  };

  size_t ids;
  bool issueOrders; ///< the last rule holds
  std::array<bool, kNumPipes> inOrder{};
  std::array<Clock, kNumPipes> clocks{};
  Clock counts{};
  std::vector<Known> known;               ///< in the order of issue
  std::array<size_t, kNumPipes> taken{};  ///< how many of `known` the pipe has taken
  std::vector<std::deque<Clock>> carried; ///< for each flag, the clocks of sets that no wait has consumed
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_PIPECLOCKS_H
