// Unrolls a kernel: the list of instructions that its scalar unit would issue, for given trip counts.
//
// A small interpreter of the kernel's scalar arithmetic walks the loops. Tiling data with `cases` have the value that
// the caller chooses, others their `max`, or a large value if they have none. Loops run as often as the caller says,
// whatever their bounds are; the value of a bound is set to that number, so that values computed from it agree.
// Unknown lengths count as whole tiles.
//
// The number of rows in a tile, and the distance between them, change from launch to launch. So a view of row i,
// which starts at i * step and has at most `step` elements, is the i-th of equal parts of its slot, as many as the
// loop has rows. Any other access to such a slot covers the whole slot.
//
// A walk has few trips, so an access whose offset or length depends on them shows few of its bytes: `rows` * 8 elements
// of a buffer reach another one in the same bytes for 20 rows, but not for the 5 of a walk. Among accesses through one
// buffer this does not matter, because they all follow the trips alike. Against another buffer, such an access counts
// as its whole slot (Place::reachBegin).
//
// A kernel is walked hundreds of times. It is translated once (KernelProgram.h), and each place in memory keeps its
// number from one walk to the next.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_UNROLLING_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_UNROLLING_H

#include "lowering/aicore/verify/order/program/KernelProgram.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <functional>
#include <tuple>

namespace opc::aicore::proof {

inline constexpr int kNoTile = -1;

/// The bytes that are accessed: a range of addresses in UB, or a range of offsets in a tensor.
struct Place {
  unsigned home = 0; ///< of the program
  bool inUB = false;
  int64_t begin = 0, end = 0;
  /// The slot (among those of all buffers) that a loop over rows divides, if this is one of its rows.
  int tile = kNoTile;
  /// The bytes among which other trip counts choose: the slot for an access that moves, else those above.
  int64_t reachBegin = 0, reachEnd = 0;
  bool moves = false;

  /// A view of no bytes of UB: an access to it reads and writes nothing.
  bool isEmpty() const { return inUB && tile == kNoTile && begin == end; }

  bool operator==(const Place &other) const {
    return begin == other.begin && end == other.end && home == other.home && tile == other.tile && moves == other.moves;
  }
};

/// The result of a step of arithmetic for the current numbers of all slots; nullopt if it is unknown.
Number evaluate(const Step &step, llvm::ArrayRef<Number> numbers);

/// The location of an access, for the current numbers of all slots and the trip counts of the current loops. An access
/// whose offset or length is unknown covers the whole slot or tensor, one whose length is 0 none of it.
Place locate(const KernelProgram &program, const AccessPlan &plan, llvm::ArrayRef<Number> numbers,
             llvm::ArrayRef<int64_t> tripsOf);

/// How an event accesses a place.
struct Touch {
  unsigned place;
  bool reads, writes;
};

/// An instruction issued to a pipe.
struct Event {
  const Instruction *instruction;
  int64_t id; ///< of a flag
  unsigned firstTouch, touchesEnd;
  unsigned iteration; ///< innermost iteration around it
};

/// An iteration of a loop, and the iteration around that loop. The first of a list represents the kernel.
struct Iteration {
  unsigned outer;
  int64_t number;
};

/// The trip count of the loops with a bound. Called each time the bound is computed, with the number of earlier
/// computations.
using TripCounts = std::function<int64_t(mlir::Value bound, unsigned before)>;

enum class UnrollStatus { Done, TooLong, Unknown };

struct Unrolling {
  std::vector<Event> events;
  std::vector<Touch> touches;
  std::vector<Iteration> iterations;
  size_t steps = 0; ///< ops that were walked, including scalar ops
  UnrollStatus status = UnrollStatus::Done;
  mlir::Operation *unknownAt = nullptr; ///< with Unknown: the op that could not be evaluated
};

class Unroller {
public:
  explicit Unroller(KernelProgram kernel);

  const KernelProgram &kernel() const { return program; }
  /// The fields of the tiling data with `cases`. A walk uses the last chosen case of each, initially the first one.
  llvm::ArrayRef<Field> fields() const { return program.fields; }
  void choose(unsigned field, int64_t number) {
    for (Slot slot : program.fields[field].slots)
      program.numbers[slot] = number;
  }

  /// Walks the kernel, for at most `limit` ops. The result is valid until the next walk.
  const Unrolling &unroll(const TripCounts &trips, size_t limit);

  llvm::ArrayRef<Home> homes() const { return program.homes; }
  unsigned tiles() const { return program.slots; }
  /// All places of all walks since places were last forgotten.
  llvm::ArrayRef<Place> places() const { return allPlaces; }
  /// How often places were forgotten. Each time, their numbers start again.
  unsigned forgotten() const { return timesForgotten; }

private:
  bool going() const { return result.status == UnrollStatus::Done; }
  void stop(UnrollStatus status, mlir::Operation *op) {
    result.status = status;
    result.unknownAt = op;
  }
  void run(const Body &body);
  void runLoop(const Step &step);
  void runBranch(const Step &step);
  void issue(const Instruction &instruction);
  unsigned placeOf(const AccessPlan &plan, const Place &place);
  void forget();

  KernelProgram program;
  const TripCounts *trips = nullptr;
  size_t limit = 0;
  Unrolling result;
  std::vector<Number> numbers;
  std::vector<unsigned> settings; ///< how often each bound was set
  std::vector<int64_t> tripsOf;   ///< trip counts of the current loops
  unsigned iteration = 0;
  std::vector<Place> allPlaces;
  llvm::DenseMap<std::tuple<unsigned, int64_t, int64_t, int, unsigned>, unsigned> numberOfPlace;
  /// The last places of each access, which are looked up before the map.
  using Recent = std::array<unsigned, 8>;
  std::vector<Recent> recent;
  unsigned timesForgotten = 0;
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_UNROLLING_H
