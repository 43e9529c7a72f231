// A profile of a launch by instruction: the timeline of the pipes, the occupancy of the unified buffer over time, and
// sums for each instruction of the program.
//
// Sums cover the whole launch. The timeline and the list of buffer lives keep the first `limit` entries each and
// count the rest, so that memory is bounded for launches of any length.

#ifndef OPC_RUNTIME_DEVICE_SIM_PROFILE_PROFILER_H
#define OPC_RUNTIME_DEVICE_SIM_PROFILE_PROFILER_H

#include "runtime/device/sim/launch/Observer.h"

#include <cstdint>
#include <map>
#include <vector>

namespace opc {

/// Whether an instruction is a flag or a barrier, which orders work and is none itself.
inline bool isSync(const PipeInstruction &instruction) {
  return instruction.kind == PipeInstruction::SetFlag || instruction.kind == PipeInstruction::WaitFlag ||
         instruction.kind == PipeInstruction::Barrier;
}

/// An instruction that a pipe performed; the time of a wait starts when its pipe stalls.
struct ProfiledStep {
  uint32_t instruction = 0; ///< in the program
  int64_t start = 0, end = 0;
  int64_t count = 0; ///< elements; copies: of all rows
  int64_t bytes = 0; ///< of a copy
  int64_t flagId = 0;
};

/// A live range in an on-chip memory: from the first write to the last use of what was written. A new one begins
/// when an instruction overwrites bytes that were read, without reading them itself.
struct BufferLife {
  uint16_t buffer = 0;
  int64_t address = 0, bytes = 0;   ///< hull of the bytes that were accessed, in the window of the memory
  int64_t start = 0, end = 0;       ///< cycles
  uint32_t writer = 0, last = 0;    ///< the first and the last instruction that accessed it
  int64_t readFrom = 0, readTo = 0; ///< hull of the bytes that were read
};

/// Sums of one instruction of the program.
struct InstructionSums {
  int64_t calls = 0;
  int64_t cycles = 0; ///< start to end; waits include the waiting time
  int64_t elements = 0;
  int64_t bytes = 0; ///< of copies
  int64_t rows = 0;  ///< of copies
};

class Profiler final : public SimObserver {
public:
  Profiler(const SimulatorProgram &program, size_t limit);

  bool blockStarts(int64_t block, int64_t cycle) override;
  bool performs(const SimInstruction &op) override;
  bool blockEnds(int64_t block, int64_t cycle) override;

  const std::vector<ProfiledStep> &steps() const { return allSteps; }
  const std::vector<BufferLife> &lives() const { return allLives; }
  const std::vector<InstructionSums> &sums() const { return instructionSums; }
  int64_t droppedSteps() const { return stepsDropped; }
  int64_t droppedLives() const { return livesDropped; }
  /// Cycles in which at least one of MTE2, V and MTE3 worked.
  int64_t workedCycles() const { return worked; }
  /// The largest number of bytes of a memory that were live at one time, over the live ranges that were kept.
  int64_t peakBytes(Memory memory) const;

private:
  using Slot = std::pair<uint16_t, int64_t>;
  void touch(const SimInstruction &op, const SimAccess &access, bool alsoRead);
  void close(const BufferLife &life);

  const SimulatorProgram &program;
  size_t limit;
  std::vector<ProfiledStep> allSteps;
  std::vector<BufferLife> allLives;
  std::vector<InstructionSums> instructionSums;
  std::map<Slot, BufferLife> open;
  int64_t stepsDropped = 0, livesDropped = 0, worked = 0, workedTo = 0;
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_PROFILE_PROFILER_H
