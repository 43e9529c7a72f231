// On-chip memories: their names, and one range of addresses for all of them.
//
// On the chip each memory counts its bytes from 0. Flag insertion, the proof of order and the simulator need to know
// whether two instructions access common bytes, in any memory. So they map each memory to a window of one address
// range; the windows are defined by this project, not by the chip:
//
//   0          0x100000   0x200000   0x240000   0x280000   0x2c0000
//   | UB       | L1       | L0A      | L0B      | L0C      | BT  |
//
// UB is first, so an address in UB is the same number in both.

#ifndef OPC_RUNTIME_TARGET_MEMORIES_H
#define OPC_RUNTIME_TARGET_MEMORIES_H

#include "runtime/target/Enumerations.h"

#include <string_view>

namespace opc {

/// The start of the window of an on-chip memory. GM has none.
constexpr int64_t windowOf(Memory memory) {
  constexpr int64_t begins[kNumMemories] = {0, 0, 0x100000, 0x200000, 0x240000, 0x280000, 0x2c0000};
  return begins[static_cast<unsigned>(memory)];
}

/// The end of all windows, in bytes.
inline constexpr int64_t kWindowsEnd = 0x2d0000;

/// The memory whose window contains an address: the last one that begins at or before it.
constexpr Memory memoryAt(int64_t address) {
  Memory found = Memory::UB;
  for (unsigned memory = static_cast<unsigned>(Memory::UB); memory < kNumMemories; ++memory)
    if (address >= windowOf(Memory(memory)))
      found = Memory(memory);
  return found;
}

/// "UB", "L1", "L0A", "L0B", "L0C", "the bias table": for messages.
constexpr std::string_view memoryName(Memory memory) {
  constexpr std::string_view names[kNumMemories] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "the bias table"};
  return names[static_cast<unsigned>(memory)];
}

/// Bytes of a fractal of operands, and of one in L0C.
inline constexpr int64_t kFractalBytes = 512, kResultFractalBytes = 1024;
/// Rows of a fractal, and columns of one in L0C.
inline constexpr int64_t kFractalRows = 16;
/// Bytes of a row of an operand's fractal: 16 elements of 16 bits, 8 of 32 bits.
inline constexpr int64_t kFractalRowBytes = 32;

/// Bytes of a copy to the bias table, and of the scale of a column on the way out of L0C.
inline constexpr int64_t kBiasUnitBytes = 64, kScaleBytes = 8;

} // namespace opc

#endif // OPC_RUNTIME_TARGET_MEMORIES_H
