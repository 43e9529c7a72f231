// Shadow memory: the last access to each byte. The unified buffer and each tensor that a kernel stores to have a row
// of numbers for each pipe and kind of access.
//
//   p in UB               block       0   1   2   3   4   5
//   written by mte2       place + 1   7   7   7   9   9   0      its 7th instruction, its 9th, none
//
// A place is the index of an instruction on its pipe. Places increase along a pipe, so a comparison needs only the
// latest one: when it is ordered, all earlier ones are too.
//
// For the unified buffer the granularity is a block of 32 bytes, in which vector unit and copy engines address it;
// for tensors it is ranges of bytes. When two instructions access the same block, RaceCheck compares them byte by
// byte before it reports a race.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_SHADOW_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_SHADOW_H

#include "runtime/device/sim/launch/Launch.h"
#include "runtime/device/sim/sanitize/state/Intervals.h"

#include <vector>

namespace opc::sim {

/// Kinds of accesses. Two reads do not conflict, nor do two atomic adds.
enum class Way : uint8_t { Read, Write, Add };

class Shadow {
public:
  /// The accesses of one pipe of one kind.
  struct Row {
    Pipe pipe;
    Way way;
    uint32_t newest = 0;          ///< the largest number
    std::vector<uint32_t> blocks; ///< of UB
    Intervals ranges;             ///< of a tensor
  };
  struct Memory {
    int64_t block = 0;     ///< bytes of a block of UB; 0 for a tensor
    std::vector<Row> rows; ///< empty when no instruction of the program writes to the memory
  };

  explicit Shadow(const Launch &launch);

  Memory &of(const SimAccess &access);
  const Memory &of(const SimAccess &access) const;

  /// The latest place + 1 of a row in the bytes of an access; 0 for none.
  static uint32_t latest(const Memory &memory, const Row &row, const SimAccess &access);
  /// All places + 1 of a row in the bytes of an access that are larger than `complete`, each once.
  static std::vector<uint32_t> later(const Memory &memory, const Row &row, const SimAccess &access, uint32_t complete);
  static void note(const Memory &memory, Row &row, const SimAccess &access, uint32_t placePlusOne);

private:
  std::vector<Memory> memories; ///< the unified buffer, then the tensors
};

/// The kind of an instruction's access.
Way wayOf(const PipeInstruction &instruction, const SimAccess &access);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_SHADOW_H
