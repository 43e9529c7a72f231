// The event flags between pipes, with the checks of synccheck: rules sim_c30 to sim_c32.
//
// A flag is identified by an ordered pair of pipes and an id. A set makes it visible once everything that its pipe
// started before has completed; a wait clears it. Every set has exactly one wait: setting a flag that is still set is
// an error, and so is a flag that is still set at the end of a block.

#ifndef OPC_RUNTIME_DEVICE_SIM_FLAGS_H
#define OPC_RUNTIME_DEVICE_SIM_FLAGS_H

#include "runtime/device/sim/launch/Launch.h"

namespace opc::sim {

class Flags {
public:
  explicit Flags(const Launch &launch);

  void clear();
  /// Whether kernels may use the id of a set or wait; reports an error otherwise.
  bool checkId(const SimInstruction &op) const;
  /// Makes a set take effect at `time`. Returns false after an error when the flag is set already.
  bool set(const SimInstruction &op, int64_t time);
  /// Whether the flag that a wait names is set.
  bool isSet(const SimInstruction &wait) const {
    return at(wait.instruction->other, wait.instruction->pipe, wait.flagId).set;
  }
  /// The time at which the flag of a wait was set.
  int64_t time(const SimInstruction &wait) const {
    return at(wait.instruction->other, wait.instruction->pipe, wait.flagId).time;
  }
  void take(const SimInstruction &wait);
  /// Reports all flags that are still set; false when there are any.
  bool checkEnd() const;

private:
  struct Flag {
    bool set = false;
    uint32_t setter = 0; ///< index of the instruction
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
