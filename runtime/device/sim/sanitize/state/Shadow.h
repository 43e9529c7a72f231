// Who touched which bytes last: for the unified buffer and for each tensor that a kernel stores to, one row of
// numbers for each pipe and way of access.
//
//   p in UB               block       0   1   2   3   4   5
//   written by mte2       place + 1   7   7   7   9   9   0      its 7th instruction, its 9th, nobody
//
// A place is the number of an instruction on its pipe. Places grow along a pipe, so the latest of a range is all that
// a comparison needs: when that one is ordered, the others are.
//
// The unified buffer is counted in blocks of 32 bytes, which is how vector unit and copy engines address it; of a
// tensor ranges of bytes are kept. A block in which two instructions meet is looked at again byte by byte (RaceCheck)
// before anything is said.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_SHADOW_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_SHADOW_H

#include "runtime/device/sim/launch/Launch.h"
#include "runtime/device/sim/sanitize/state/Intervals.h"

#include <vector>

namespace opc::sim {

/// How an access is held against others: two reads and two atomic adds may meet.
enum class Way : uint8_t { Read, Write, Add };

class Shadow {
public:
  /// The touches of one pipe in one way.
  struct Row {
    Pipe pipe;
    Way way;
    uint32_t newest = 0;          ///< the largest number
    std::vector<uint32_t> blocks; ///< of UB
    Intervals ranges;             ///< of a tensor
  };
  struct Memory {
    int64_t block = 0;     ///< bytes of a block of UB; 0 for a tensor
    std::vector<Row> rows; ///< none for what no instruction of the program writes
  };

  explicit Shadow(const Launch &launch);

  Memory &of(const SimAccess &access);
  const Memory &of(const SimAccess &access) const;

  /// The latest place + 1 of a row in the bytes that the access touches; 0 for none.
  static uint32_t latest(const Memory &memory, const Row &row, const SimAccess &access);
  /// All places + 1 of a row there that are larger than `complete`, each once.
  static std::vector<uint32_t> later(const Memory &memory, const Row &row, const SimAccess &access, uint32_t complete);
  static void note(const Memory &memory, Row &row, const SimAccess &access, uint32_t placePlusOne);

private:
  std::vector<Memory> memories; ///< the unified buffer, then the tensors
};

/// How the instruction uses the operand of an access.
Way wayOf(const PipeInstruction &instruction, const SimAccess &access);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_SHADOW_H
