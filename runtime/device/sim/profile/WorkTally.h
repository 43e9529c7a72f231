// What a launch was charged for, without the times: equal instructions counted together. From it follow the busy cycles
// of every pipe, on the chip of the run and on one with other figures, exactly and without running anything again.

#ifndef OPC_RUNTIME_DEVICE_SIM_PROFILE_WORKTALLY_H
#define OPC_RUNTIME_DEVICE_SIM_PROFILE_WORKTALLY_H

#include "runtime/device/sim/launch/Observer.h"

#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace opc {

using PipeCycles = std::array<double, kNumPipes>;

/// Instructions that cost the same, flags and barriers left out: waiting is no work.
struct Work {
  PipeInstruction::Kind kind = PipeInstruction::Vector;
  Pipe pipe = Pipe::V;
  Intrinsic intrinsic{};                ///< Vector
  TypeRow types{};                      ///< Vector
  uint32_t instruction = 0;             ///< in the program
  int64_t count = 0;                    ///< Vector: elements
  bool takesRows = false;               ///< Vector: a block for each row (RowForm.h)
  int64_t rows = 0;                     ///< copies; those of a vector that takes rows
  int64_t rowBytes = 0;                 ///< copies: of a row, as asked for
  int64_t times = 0;                    ///< how often
  double cost(const Target &) const;    ///< cycles of one by the formula
  int64_t cycles(const Target &) const; ///< cycles of one as charged: whole ones
};

class WorkTally {
public:
  /// An instruction that its pipe performed.
  void add(const SimInstruction &op);
  /// What the scalar unit did beside: instructions of its own, and instructions handed to pipes.
  void setScalar(int64_t instructions, int64_t issues) {
    scalarInstructions = instructions;
    scalarIssues = issues;
  }

  const std::vector<Work> &work() const { return all; }
  /// Busy cycles of each pipe as the machine charges them; the scalar unit's own instructions also by fractions of a
  /// cycle, so that half of one is half.
  PipeCycles busy(const Target &target) const;
  /// The same by the formulae, without the rounding to whole cycles of each instruction: linear in start-up costs,
  /// cycles of a class, and 1 / rate.
  PipeCycles cost(const Target &target) const;

private:
  struct Key {
    uint32_t instruction;
    int64_t count, rows, rowBytes;
    bool operator==(const Key &other) const {
      return instruction == other.instruction && count == other.count && rows == other.rows &&
             rowBytes == other.rowBytes;
    }
  };
  struct Hash {
    size_t operator()(const Key &key) const;
  };
  std::vector<Work> all;
  std::vector<size_t> latest; ///< by instruction: its last work, and 1 more
  std::unordered_map<Key, size_t, Hash> places;
  int64_t scalarInstructions = 0, scalarIssues = 0;
};

/// The pipe that is busy longest; of equals the first.
Pipe busiestPipe(const PipeCycles &busy);

/// The assumed figures at half or double of which another pipe is busy longest.
std::vector<std::string_view> figuresThatDecideBound(const WorkTally &tally, const Target &target);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_PROFILE_WORKTALLY_H
