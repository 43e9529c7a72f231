// Another machine for the same programs: one of the orders that flags and barriers leave open, chosen by a seed, and
// bad ones rather than likely ones.
//
// What is legal:
//   - the scalar unit hands out instructions in order, and each pipe starts them in order
//   - an instruction that has started takes effect at any later time. A barrier waits for all
//     that its pipe has started; a flag becomes visible when all that its pipe started before has
//     taken effect; a wait stands until its flag is visible. Nothing else waits for anything.
//   - on a pipe that completes in order, effects come in order too
//
// So of two instructions that nothing orders, either may take effect first, and a missing flag or barrier changes
// numbers here that it does not change in the order of time. Those who act (scalar unit; of each pipe its start and
// its effects) have ranks; of those who can act, the first in rank does, and from time to time the ranks are dealt
// anew. Late effects are the newest first.
//
// One seed is one order, on any machine: `--order=adversarial --seed=N` replays it.

#ifndef OPC_RUNTIME_DEVICE_SIM_ADVERSARY_H
#define OPC_RUNTIME_DEVICE_SIM_ADVERSARY_H

#include "runtime/device/sim/Core.h"

#include <array>
#include <deque>
#include <random>

namespace opc::sim {

class Adversary : Core {
public:
  /// `result` gets no cycles.
  Adversary(const Launch &launch, SimResult &result);

  /// Runs all blocks; false after an error.
  bool run(int64_t blockNum);

private:
  struct PipeState {
    std::deque<SimInstruction> queue;     ///< handed out
    std::vector<SimInstruction> underWay; ///< started, without effect so far; flags too
  };
  /// Who may act: the scalar unit, then for each pipe its start, then for each pipe its effects.
  static constexpr unsigned kActors = 1 + 2 * kNumPipes;

  bool runBlock(int64_t index);
  void deal();
  bool canAct(unsigned actor) const;
  bool act(unsigned actor);
  bool canStart(unsigned pipe) const;
  bool start(unsigned pipe);
  /// The place in `underWay` of what takes effect next; its size when nothing can.
  size_t nextEffect(unsigned pipe) const;
  bool takeEffect(unsigned pipe);
  bool stepScalar();
  bool issue(bool read);
  bool perform(const SimInstruction &op);
  bool deadlock() const;
  uint64_t draw(uint64_t below) { return random() % below; }

  std::mt19937_64 random;

  std::array<PipeState, kNumPipes> pipes;
  std::array<unsigned, kActors> ranks{}; ///< actors, the first to act first
  uint64_t stepsToDeal = 0;
  bool newestFirst = true;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_ADVERSARY_H
