// Checks whether the flags and barriers of an unrolled kernel enforce all necessary orders, for any timing of the
// pipes.
//
// The pipes form a network of queues: each executes its instructions in order, a wait blocks until its flag is set,
// and nothing else blocks one pipe for another. Such a network is determinate (compare Kahn process networks), so a
// single run, in any order, shows everything. A vector clock for each pipe runs along:
//
//   clock[p][q] = n    the next instruction of pipe p comes after the first n instructions of pipe q are complete
//
//   set p -> q    publishes p's clock, including all earlier instructions of p
//   wait p -> q   q's clock becomes the maximum of its own and the published one
//   barrier p     clock[p][p] rises to include all earlier instructions
//
// Two accesses to one byte, one of them a write, are ordered if the clock of the later one covers the earlier one.
// Order alone is not enough: two loads to one address are ordered on one pipe, but one tile is lost. So each byte
// also remembers its writer, and a read must find the writer that it would find if each buffer had bytes of its own
// and the ops ran one after the other.
//
// The rules are sync_c1 to sync_c7 in the description of the pass (Passes.td).

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_HAPPENSBEFORE_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_HAPPENSBEFORE_H

#include "lowering/aicore/verify/order/Segments.h"
#include "lowering/aicore/verify/order/program/Unrolling.h"
#include "runtime/target/Target.h"

#include "mlir/IR/Diagnostics.h"

#include <array>

namespace opc::aicore::proof {

inline constexpr int kNobody = -1;

/// A number of instructions for each pipe, padded for vectorisation.
using Clock = std::array<int, (kNumPipes + 7) / 8 * 8>;

/// The state of a segment of memory while the network runs. Instructions are identified by their position on their
/// pipe, counted from 1; 0 means none.
struct Cell {
  int writer = kNobody; ///< event
  unsigned writerPipe = 0;
  int write = 0;         ///< position of the writer on its pipe
  Clock reads{};         ///< last instruction of each pipe that read it since the write
  bool hasTiles = false; ///< whether one of the accesses was to a row of a tile
  /// The tiles of these rows.
  int writerTile = kNoTile;
  std::array<int, kNumPipes> readerTile;
  Cell() { readerTile.fill(kNoTile); }
};

/// The last instruction of each pipe that wrote a row of a tile or a place, and the last that read one.
struct TileTouches {
  Clock writes{}, reads{};
};

/// The state of the flags between two pipes with one id.
struct Channel {
  int pending = kNobody; ///< event of the set that has not been waited for
  Clock published;
  int lastWait = kNobody; ///< event
  int lastSet = kNobody;
};

inline unsigned indexOf(Pipe pipe) {
  return static_cast<unsigned>(pipe);
}

/// Whether a clock covers the given instructions of all pipes.
inline bool isCovered(const Clock &instructions, const Clock &by) {
  int beyond = 0;
  for (unsigned pipe = 0; pipe < by.size(); ++pipe)
    beyond |= instructions[pipe] > by[pipe];
  return !beyond;
}

/// Checks unrollings of a kernel, one after the other.
class Network {
public:
  Network(const Unroller &unroller, const Target &target)
      : unroller(unroller), target(target), channels(size_t(kNumPipes) * kNumPipes * target.eventIds()) {}

  /// Reports the first rule that the unroller's last walk breaks.
  mlir::LogicalResult verify(const Unrolling &unrolling);

private:
  void begin(const Unrolling &unrolling);
  bool isDispatched(int event) const;
  bool advance(unsigned pipe, mlir::LogicalResult &result);
  mlir::LogicalResult checkIds() const;
  bool findWriters();
  void findNeighbours();

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
  // The current unrolling.
  llvm::ArrayRef<Event> events;
  llvm::ArrayRef<Touch> touches;
  llvm::ArrayRef<Iteration> iterations;
  Segments segments;
  std::vector<int> places; ///< of each event, in the queue of its pipe
  std::array<std::vector<int>, kNumPipes> queues;
  std::array<size_t, kNumPipes> next{};
  /// For each pipe, the number of instructions of each other pipe that it knows to be complete. A pipe that completes
  /// in order covers itself.
  std::array<Clock, kNumPipes> clocks{};
  std::vector<Cell> cells;
  std::vector<TileTouches> lastOfTile; ///< by slot, for slots that are divided into rows
  /// For each place, those of other buffers with which only some trip counts give it common bytes; and the last
  /// instructions that accessed a place with such neighbours.
  std::vector<std::vector<unsigned>> neighbours;
  std::vector<TileTouches> lastOfPlace;
  unsigned forgotten = 0; ///< Unroller::forgotten() as of `neighbours`
  std::vector<Channel> channels;
  /// The expected writers: for each event in program order, for each place in UB that it reads, of each segment; and
  /// the index where those of an event begin.
  std::vector<int> expected;
  std::vector<unsigned> expectedOf;
  /// The segments of each buffer: the index of the first in `writers`, and the range of segments.
  struct Own {
    size_t begin = 0;
    unsigned first = UINT_MAX, end = 0;
  };
  std::vector<Own> own;
  std::vector<int> writers; ///< last writer of each segment of each buffer
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_HAPPENSBEFORE_H
