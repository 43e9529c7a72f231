// synccheck by happens-before: each set comes after the wait for the previous set in every legal order, not only in
// the times of this run. Rules sync_c11 to sync_c13.
//
// Flags.h has the checks that one run shows by itself: a set of a set flag, a flag left set, a deadlock.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_FLAGCHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_FLAGCHECK_H

#include "runtime/device/sim/sanitize/state/PipeClocks.h"

namespace opc::sim {

class FlagCheck {
public:
  FlagCheck(const Launch &launch, const PipeClocks &clocks)
      : launch(launch), clocks(clocks), flags(clocks.numFlags()) {}

  void blockStarts() { flags.assign(flags.size(), {}); }
  /// Takes an instruction that its pipe starts; false after an error for a set that may come too early.
  bool step(const SimInstruction &op);

private:
  struct Flag {
    unsigned pending = 0;                 ///< sets that were not waited for yet
    const PipeInstruction *set = nullptr; ///< the last one
    const PipeInstruction *wait = nullptr;
    uint32_t waitPlace = 0; ///< position on its pipe
  };
  bool refuse(const SimInstruction &set, const Flag &flag, Code code, const char *rule, std::string found,
              std::string fix) const;

  const Launch &launch;
  const PipeClocks &clocks;
  std::vector<Flag> flags;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_FLAGCHECK_H
