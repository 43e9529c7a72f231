// The work of a launch without times: equal instructions are counted together. It gives the exact busy cycles of
// every pipe, on the chip of the run and on a chip with other figures, without running the launch again.

#ifndef OPC_RUNTIME_DEVICE_SIM_PROFILE_WORKTALLY_H
#define OPC_RUNTIME_DEVICE_SIM_PROFILE_WORKTALLY_H

#include "runtime/device/sim/launch/Observer.h"

#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace opc {

using PipeCycles = std::array<double, kNumPipes>;

/// Instructions of equal cost. Flags and barriers are not counted, since waiting is not work.
struct Work {
  PipeInstruction::Kind kind = PipeInstruction::Vector;
  Pipe pipe = Pipe::V;
  Intrinsic intrinsic{};                ///< Vector
  TypeRow types{};                      ///< Vector
  uint32_t instruction = 0;             ///< in the program
  int64_t count = 0;                    ///< Vector: elements; in a reduction of rows those of a row
  bool takesRows = false;               ///< Vector: a block for each row (RowForm.h)
  bool reducesRows = false;             ///< Vector: a reduction of each row (RowForm.h)
  int64_t rows = 0;                     ///< copies; vector instructions in the forms for rows
  int64_t rowBytes = 0;                 ///< copies: bytes of a row, without padding; mmad: k
  int64_t rowLength = 0;                ///< reductions of rows: elements from one row to the next
  int64_t cached = 0;                   ///< loads: bytes that L2 has
  Memory memory = Memory::UB;           ///< for copies of fractals: their destination
  int64_t times = 0;                    ///< how often
  double cost(const Target &) const;    ///< cycles of one instruction by the formula
  int64_t cycles(const Target &) const; ///< cycles of one instruction, rounded up to whole cycles
};

class WorkTally {
public:
  /// Adds an instruction that its pipe performed.
  void add(const SimInstruction &op);
  /// Sets the work of the scalar unit: its own instructions, and the instructions that it issued to pipes.
  void setScalar(int64_t instructions, int64_t issues) {
    scalarInstructions = instructions;
    scalarIssues = issues;
  }

  const std::vector<Work> &work() const { return all; }
  /// Busy cycles of each pipe as the machine counts them; the scalar unit's own instructions count with fractions of
  /// a cycle.
  PipeCycles busy(const Target &target) const;
  /// Busy cycles by the formulae, without rounding each instruction to whole cycles: linear in start-up costs, cycles
  /// of a class, and 1 / rate.
  PipeCycles cost(const Target &target) const;

private:
  struct Key {
    uint32_t instruction;
    int64_t count, rows, rowBytes, rowLength, cached;
    bool operator==(const Key &other) const {
      return instruction == other.instruction && count == other.count && rows == other.rows &&
             rowBytes == other.rowBytes && rowLength == other.rowLength && cached == other.cached;
    }
  };
  struct Hash {
    size_t operator()(const Key &key) const;
  };
  std::vector<Work> all;
  std::vector<size_t> latest; ///< by instruction: index of its last work, plus 1
  std::unordered_map<Key, size_t, Hash> places;
  int64_t scalarInstructions = 0, scalarIssues = 0;
};

/// The pipe that is busy longest; the first one of equals.
Pipe busiestPipe(const PipeCycles &busy);

/// The assumed figures for which, at half or double their value, another pipe is busy longest.
std::vector<std::string_view> figuresThatDecideBound(const WorkTally &tally, const Target &target);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_PROFILE_WORKTALLY_H
