// Whether the flags and barriers of an unrolled kernel order all that must be ordered, whatever the pipes' timing.
//
// The pipes are a network of queues: each takes its instructions in order, a wait stands until its flag is set, and
// nothing else holds one pipe back for another. Such a network has one outcome, so running it once, in any order,
// shows all. Beside it runs a vector clock for each pipe:
//
//   clock[p][q] = n    what pipe p does next comes after the first n instructions of pipe q are complete
//
//   set p -> q    publishes p's clock, with all of p's own instructions before it
//   wait p -> q   q's clock becomes the maximum of its own and what was published
//   barrier p     clock[p][p] rises to all before it
//
// Two accesses to one byte, one of them a write, are ordered when the later one's clock covers the earlier one. That
// is not all: two loads to one address are in order on one pipe, and one tile is lost. So each byte also remembers
// who wrote it, and a read must find the writer it would find if each buffer had bytes of its own and the ops ran one
// after the other.
//
// The rules are sync_c1 to sync_c7 of the pass's description (Passes.td).

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_HAPPENSBEFORE_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_HAPPENSBEFORE_H

#include "lowering/aicore/verify/order/Segments.h"
#include "lowering/aicore/verify/order/Unrolling.h"
#include "runtime/target/Target.h"

#include "mlir/IR/Diagnostics.h"

#include <array>

namespace opc::aicore::proof {

inline constexpr int kNobody = -1;

/// A number of instructions for each pipe, filled up for the vector unit.
using Clock = std::array<int, (kNumPipes + 7) / 8 * 8>;

/// What is known of a segment of memory while the network runs. Instructions are told by how many there are on their
/// pipe up to them: 0 is none.
struct Cell {
  int writer = kNobody; ///< event
  unsigned writerPipe = 0;
  int write = 0;         ///< the writer's, on its pipe
  Clock reads{};         ///< the last one of each pipe that read since
  bool hasTiles = false; ///< one of the tiles below was one
  /// The tile that they touched a row of.
  int writerTile = kNoTile;
  std::array<int, kNumPipes> readerTile;
  Cell() { readerTile.fill(kNoTile); }
};

/// The last instruction of each pipe that wrote a row of a tile, and that read one.
struct TileTouches {
  Clock writes{}, reads{};
};

/// The flags of one pair of pipes and one id.
struct Channel {
  int pending = kNobody; ///< the set that is not waited for yet, an event
  Clock published;
  int lastWait = kNobody; ///< event
  int lastSet = kNobody;
};

inline unsigned indexOf(Pipe pipe) {
  return static_cast<unsigned>(pipe);
}

/// Whether no pipe has gone beyond what a clock covers.
inline bool isCovered(const Clock &instructions, const Clock &by) {
  int beyond = 0;
  for (unsigned pipe = 0; pipe < by.size(); ++pipe)
    beyond |= instructions[pipe] > by[pipe];
  return !beyond;
}

/// Checks one unrolling of a kernel after the other.
class Network {
public:
  Network(const Unroller &unroller, const Target &target)
      : unroller(unroller), target(target), channels(size_t(kNumPipes) * kNumPipes * target.eventIds()) {}

  /// Reports the first rule that what the unroller walked last breaks.
  mlir::LogicalResult verify(const Unrolling &unrolling);

private:
  void begin(const Unrolling &unrolling);
  bool isDispatched(int event) const;
  bool advance(unsigned pipe, mlir::LogicalResult &result);
  mlir::LogicalResult checkIds() const;
  bool findWriters();

  mlir::LogicalResult work(int event);
  mlir::LogicalResult access(int event, const Touch &touch, const int *writers);
  mlir::LogicalResult set(int event);
  void wait(int event);
  int unordered(unsigned pipe, unsigned byPipe, int instruction, int itsTile, int tile, bool writes) const;
  int unorderedOf(const Cell &cell, unsigned pipe, int tile, bool writes) const;

  const Event &eventAt(int event) const { return events[size_t(event)]; }
  mlir::Operation *opOf(int event) const { return eventAt(event).instruction->op; }
  unsigned pipeOf(int event) const { return indexOf(eventAt(event).instruction->pipe); }
  const Place &placeOf(const Touch &touch) const { return unroller.places()[touch.place]; }
  llvm::ArrayRef<Touch> touchesOf(const Event &event) const {
    return llvm::ArrayRef(touches).slice(event.firstTouch, event.touchesEnd - event.firstTouch);
  }
  Channel &channelOf(Pipe from, Pipe to, int64_t id) {
    return channels[(indexOf(from) * kNumPipes + indexOf(to)) * target.eventIds() + unsigned(id)];
  }

  mlir::LogicalResult reportRace(int earlier, int later, const Place &place) const;
  mlir::LogicalResult reportLost(int event, const Place &place, int expected, int found) const;
  mlir::LogicalResult reportStandstill() const;
  mlir::LogicalResult reportUnwaited() const;
  mlir::InFlightDiagnostic report(int event, llvm::StringRef rule) const {
    return mlir::emitError(opOf(event)->getLoc(), rule);
  }
  std::string nameOf(int event) const;
  std::string homeName(const Place &place) const;

  const Unroller &unroller;
  const Target &target;
  // What is walked now.
  llvm::ArrayRef<Event> events;
  llvm::ArrayRef<Touch> touches;
  llvm::ArrayRef<Iteration> iterations;
  Segments segments;
  std::vector<int> places; ///< of each event in its pipe's queue
  std::array<std::vector<int>, kNumPipes> queues;
  std::array<size_t, kNumPipes> next{};
  /// How far each pipe is told of the others. A pipe that completes in order knows all of itself.
  std::array<Clock, kNumPipes> clocks{};
  std::vector<Cell> cells;
  std::vector<TileTouches> lastOfTile; ///< of each slot that is cut into rows
  std::vector<Channel> channels;
  /// The writer of each segment of each place in UB that is read, in the order of the text, event after event, and
  /// where those of an event begin.
  std::vector<int> expected;
  std::vector<unsigned> expectedOf;
  /// Segments of each buffer: where they begin in `writers`, and the first of them.
  struct Own {
    size_t begin = 0;
    unsigned first = UINT_MAX, end = 0;
  };
  std::vector<Own> own;
  std::vector<int> writers; ///< the last one of each segment of each buffer
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_HAPPENSBEFORE_H
