// The event flags between pipes, and synccheck over them: rules sim_c30 to sim_c32.
//
// A flag belongs to an ordered pair of pipes and an id. A set makes it visible when all that its pipe did before has
// completed; a wait takes it. Every set has exactly one wait: a set of a flag that is still set is an error, and so
// is a flag that nobody waited for at the end of a block.

#ifndef OPC_RUNTIME_DEVICE_SIM_FLAGS_H
#define OPC_RUNTIME_DEVICE_SIM_FLAGS_H

#include "runtime/device/sim/launch/Launch.h"

namespace opc::sim {

class Flags {
public:
  explicit Flags(const Launch &launch);

  void clear();
  /// Whether the id of a set or wait is one that kernels may use; an error otherwise.
  bool checkId(const SimInstruction &op) const;
  /// A set takes effect at `time`. False with an error when the flag is set already.
  bool set(const SimInstruction &op, int64_t time);
  /// Whether the flag that a wait names is set.
  bool isSet(const SimInstruction &wait) const {
    return at(wait.instruction->other, wait.instruction->pipe, wait.flagId).set;
  }
  /// When it was set.
  int64_t time(const SimInstruction &wait) const {
    return at(wait.instruction->other, wait.instruction->pipe, wait.flagId).time;
  }
  void take(const SimInstruction &wait);
  /// Errors for all flags that are still set.
  bool checkEnd() const;

private:
  struct Flag {
    bool set = false;
    uint32_t setter = 0; ///< instruction
    int64_t time = 0;
  };
  size_t index(Pipe from, Pipe to, int64_t id) const {
    return (size_t(from) * kNumPipes + size_t(to)) * ids + size_t(id);
  }
  const Flag &at(Pipe from, Pipe to, int64_t id) const { return flags[index(from, to, id)]; }

  const Launch &launch;
  size_t ids;
  std::vector<Flag> flags;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_FLAGS_H
