// Executes a simulator program in an adversarial order: one of the orders that flags and barriers leave open, chosen
// by a seed, with a preference for unfavourable ones.
//
// Legal orders:
//   - the scalar unit issues instructions in order, and each pipe starts them in order
//   - an instruction that has started takes effect at any later time. A barrier waits for everything that its pipe
//     has started; a flag becomes visible when everything that its pipe started before has taken effect; a wait
//     blocks until its flag is visible. Nothing else waits.
//   - on a pipe that completes in order, effects are in order too
//
// So either of two unordered instructions may take effect first, and a missing flag or barrier shows in results where
// it would not in the order of modelled time. The actors are the scalar unit, the start of each pipe and the effects
// of each pipe. They have ranks: of the actors that can act, the one with the lowest rank does. Ranks are shuffled
// from time to time. Among delayed effects usually the newest comes first.
//
// A seed determines the order, on any machine: `--order=adversarial --seed=N` replays it.

#ifndef OPC_RUNTIME_DEVICE_SIM_ADVERSARY_H
#define OPC_RUNTIME_DEVICE_SIM_ADVERSARY_H

#include "runtime/device/sim/Core.h"
#include "runtime/device/sim/InstructionQueue.h"

#include <array>
#include <random>

namespace opc::sim {

class Adversary : Core {
public:
  /// Does not set cycles in `result`.
  Adversary(const Launch &launch, SimResult &result);

  /// Runs all blocks; false after an error.
  bool run(int64_t blockNum);

private:
  struct PipeState {
    InstructionQueue queue;               ///< issued
    std::vector<SimInstruction> underWay; ///< started and not yet in effect, flags included
  };
  /// The actors: the scalar unit, then the start of each pipe, then the effects of each pipe.
  static constexpr unsigned kActors = 1 + 2 * kNumPipes;

  bool runBlock(int64_t index);
  void deal();
  bool canAct(unsigned actor) const;
  bool act(unsigned actor);
  bool canStart(unsigned pipe) const;
  bool start(unsigned pipe);
  /// The index in `underWay` of the instruction that takes effect next; its size when there is none.
  size_t nextEffect(unsigned pipe) const;
  bool takeEffect(unsigned pipe);
  bool stepScalar();
  bool issue(bool read);
  bool perform(const SimInstruction &op);
  bool deadlock() const;
  uint64_t draw(uint64_t below) { return random() % below; }

  std::mt19937_64 random;

  std::array<PipeState, kNumPipes> pipes;
  std::array<unsigned, kActors> ranks{}; ///< actors in the order of their ranks
  uint64_t stepsToDeal = 0;
  bool newestFirst = true;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_ADVERSARY_H
