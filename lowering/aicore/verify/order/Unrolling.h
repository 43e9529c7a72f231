// What a kernel does, one op after the other: the list that its scalar unit would hand out, for given trip counts.
//
// A small interpreter of the kernel's scalar arithmetic walks the loops; tiling data with `cases` stand at the one
// that the caller says, others at their `max`, or at a large value where they have none. Loops run as often as the
// caller says, whatever their bound would be: the value of the bound is set to that, so that what is computed from it
// agrees. Lengths that cannot be known are whole tiles.
//
// How many rows a tile holds, and how far they are apart, changes from launch to launch. A view of row i, from i *
// step on and at most `step` long, is therefore the i-th of as many equal parts of its slot as the loop has rows;
// what else touches such a slot touches all of it.
//
// A kernel is walked some hundred times: it is translated once (KernelProgram.h), and each place in memory keeps its
// number from one walk to the next.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_UNROLLING_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_UNROLLING_H

#include "lowering/aicore/verify/order/KernelProgram.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <functional>
#include <tuple>

namespace opc::aicore::proof {

inline constexpr int kNoTile = -1;

/// Bytes that are touched: of UB by address, or of a tensor by offset.
struct Place {
  unsigned home = 0; ///< of the program
  bool inUB = false;
  int64_t begin = 0, end = 0;
  /// One of the parts that a loop over rows cuts a slot into: the slot, among those of all buffers.
  int tile = kNoTile;

  bool operator==(const Place &other) const {
    return begin == other.begin && end == other.end && home == other.home && tile == other.tile;
  }
};

/// What an event does to a place.
struct Touch {
  unsigned place;
  bool reads, writes;
};

/// One instruction for a pipe.
struct Event {
  const Instruction *instruction;
  int64_t id; ///< of a flag
  unsigned firstTouch, touchesEnd;
  unsigned iteration; ///< the innermost one around it
};

/// An iteration of a loop, and the one that its loop stands in. The first of a list stands for the kernel.
struct Iteration {
  unsigned outer;
  int64_t number;
};

/// How often the loops with a bound run: asked each time the bound is computed, with how often it was computed before.
using TripCounts = std::function<int64_t(mlir::Value bound, unsigned before)>;

enum class UnrollStatus { Done, TooLong, Unknown };

struct Unrolling {
  std::vector<Event> events;
  std::vector<Touch> touches;
  std::vector<Iteration> iterations;
  size_t steps = 0; ///< ops that were walked, scalar ones too
  UnrollStatus status = UnrollStatus::Done;
  mlir::Operation *unknownAt = nullptr; ///< with Unknown: what could not be evaluated
};

class Unroller {
public:
  explicit Unroller(mlir::func::FuncOp kernel);

  /// Fields of the tiling data with `cases`; a walk has the number of each that was chosen last, at
  /// first the first one.
  llvm::ArrayRef<Field> fields() const { return program.fields; }
  void choose(unsigned field, int64_t number) {
    for (Slot slot : program.fields[field].slots)
      program.numbers[slot] = number;
  }

  /// Walks the kernel, for at most `limit` ops. What is given holds until the next walk.
  const Unrolling &unroll(const TripCounts &trips, size_t limit);

  llvm::ArrayRef<Home> homes() const { return program.homes; }
  unsigned tiles() const { return program.slots; }
  /// All places that were met, of all walks since they were forgotten last.
  llvm::ArrayRef<Place> places() const { return allPlaces; }
  /// How often places were forgotten: their numbers begin anew.
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
  Number evaluate(const Step &step) const;
  unsigned placeOf(const AccessPlan &plan);
  Place locate(const AccessPlan &plan) const;
  void forget();

  KernelProgram program;
  const TripCounts *trips = nullptr;
  size_t limit = 0;
  Unrolling result;
  std::vector<Number> numbers;
  std::vector<unsigned> settings; ///< how often each bound got a value
  std::vector<int64_t> tripsOf;   ///< of the loops around what runs
  unsigned iteration = 0;
  std::vector<Place> allPlaces;
  llvm::DenseMap<std::tuple<unsigned, int64_t, int64_t, int>, unsigned> numberOfPlace;
  /// Places that each access met last, where they are found without that map.
  using Recent = std::array<unsigned, 8>;
  std::vector<Recent> recent;
  unsigned timesForgotten = 0;
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_UNROLLING_H
