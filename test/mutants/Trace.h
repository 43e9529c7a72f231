// What one launch does, as a list of instructions in the order of the text; and whether two such lists are the same
// kernel as far as memory and order go.
//
// This decides what counts as a mutant, so it shares nothing with the checkers that mutants are held against: no
// clocks, no unrolling of IR. Order is reachability in a graph that is written out:
//
//   start(i), done(i)          of each instruction; start before done
//   start(i) -> start(j)       j is the next of i's pipe
//   all(i)                     all of the pipe up to i is done
//   set      done after all()  and before the start of its wait, the n-th set of an event with its
//   n-th wait barrier  done after all()  and before the next start of its pipe wait     done before
//   the next start of its pipe
//
// A launch is also a dataflow: each byte that an instruction reads was written by one instruction before it in the
// text, at one place of its destination.

#ifndef OPC_TEST_MUTANTS_TRACE_H
#define OPC_TEST_MUTANTS_TRACE_H

#include "runtime/device/sim/launch/Observer.h"
#include "runtime/target/Target.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace opc::mutants {

/// Bytes of UB, or of a tensor; `address` of UB counts from where the buffer begins.
struct Touch {
  bool inUB = false, write = false;
  uint16_t home = 0; ///< buffer or tensor
  int64_t address = 0, rowBytes = 0, rows = 1, stride = 0;

  bool operator==(const Touch &other) const {
    return std::tie(inUB, write, home, address, rowBytes, rows, stride) ==
           std::tie(other.inUB, other.write, other.home, other.address, other.rowBytes, other.rows, other.stride);
  }
};

struct Step {
  unsigned op = 0; ///< of the kernel, as it was before it was changed
  PipeInstruction::Kind kind = PipeInstruction::Barrier;
  Pipe pipe = Pipe::S, other = Pipe::S;
  int64_t event = 0, block = 0;
  std::optional<uint64_t> filled; ///< the bits of each element that a fill of L1 writes
  std::vector<Touch> touches;

  bool isWork() const {
    return kind != PipeInstruction::SetFlag && kind != PipeInstruction::WaitFlag && kind != PipeInstruction::Barrier;
  }
};

struct Trace {
  std::vector<Step> steps;
  std::vector<int64_t> bases; ///< of the buffers, in UB
  bool completed = false;
};

/// Writes down what a launch issues. `ops[k]` is the op that the program's k-th instruction came from.
class Recorder final : public SimObserver {
public:
  Recorder(const SimulatorProgram &program, std::vector<unsigned> ops, size_t limit);
  /// Ends the launch past `limit` steps.
  bool issued(const SimInstruction &instruction) override;

  Trace trace;

private:
  std::vector<unsigned> ops;
  size_t limit;
};

/// An instruction, whatever stands around it: the op and how often it was issued before.
using Name = std::pair<unsigned, unsigned>;

/// A trace taken apart. What must be in order are neighbours alone: a write and the reads of it, a write and those
/// who read or wrote before; the rest follows along such chains.
class Facts {
public:
  Facts(const Trace &trace, const Target &target);

  struct Pair {
    size_t first, second; ///< steps that touch one byte, one of them a write
  };
  /// From byte `begin` to before `end` of what is read stands what `writer` wrote from byte `from` of
  /// its destination on.
  struct Piece {
    int64_t begin, end;
    Name writer;
    int64_t from;
    std::optional<uint64_t> filled; ///< what the writer filled it with
  };
  static constexpr Name kNobody = {~0u, 0};

  /// Whether waits and sets make pairs, and none waits for itself.
  bool runs() const { return runnable; }
  const std::vector<Pair> &pairs() const { return conflicts; }
  /// Whether `first` is complete before `second` starts, on any day.
  bool ordered(size_t first, size_t second) const;
  /// Whether all pairs are, and each set comes after the wait for the set before.
  bool allOrdered() const { return runnable && inOrder; }
  Name nameOf(size_t step) const { return names[step]; }
  /// What each read finds, by instruction and number of the touch; outputs under no instruction.
  const std::map<std::pair<Name, unsigned>, std::vector<Piece>> &reads() const { return found; }
  /// Ops of whose results on chip something was read, in any of their steps, but fills of L1.
  const std::set<unsigned> &used() const { return usedOps; }
  /// Likewise fills of L1.
  const std::set<unsigned> &usedFills() const { return usedFillOps; }
  /// Pairs of steps: a set and the wait that takes it.
  const std::vector<std::pair<size_t, size_t>> &flags() const { return matched; }

private:
  void nameSteps();
  void matchFlags(size_t begin, size_t end);
  void order(size_t begin, size_t end, const Target &target);
  void flow(size_t begin, size_t end);
  bool checkOrder(size_t begin, size_t end);

  const Trace &trace;
  std::vector<Name> names;
  std::vector<Pair> conflicts;
  std::vector<std::pair<size_t, size_t>> matched;
  std::map<std::pair<Name, unsigned>, std::vector<Piece>> found;
  std::set<unsigned> usedOps, usedFillOps;
  std::vector<size_t> blockOf;               ///< for each step where its block begins
  std::vector<std::vector<uint64_t>> before; ///< for each step, what is done before it starts
  bool runnable = true, inOrder = true;
};

enum class Verdict {
  Same,      ///< each read finds what it found, and all that must be in order is
  OtherFlow, ///< all is in order, was written and is read, but something else is computed
  Different
};
/// With `byValue`, two fills with one value are one writer: each read finds the same numbers.
Verdict compare(const Facts &original, const Facts &changed, bool byValue);

} // namespace opc::mutants

#endif // OPC_TEST_MUTANTS_TRACE_H
