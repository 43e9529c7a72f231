// Walks a kernel for all trip counts of its loops at once, and checks each instruction in each state of the pipes that
// can occur there.
//
// A walk of n nested loops is as long as the product of their trip counts, and there is a walk for each combination of
// trip counts. But the effect of a loop on the order between pipes depends on three things: the state before it
// (PipeState.h), the trip counts of it and its inner loops, and the numbers from outside that its branches, ids and
// slots use (Demands.h). So a loop, each iteration of one, and each segment of instructions in a body is walked once
// for each of these combinations, and later its outcome is looked up. There are few combinations: a nest returns to the
// same states after some iterations.
//
//   for tile        a state for the first tile, one for the second, and from the third on the one of two tiles before
//     for panel     6 trip counts from each of these
//       mmad ... walked for each state and slot
//
// Trip counts are those of the walks: a bound that is fixed in the kernel is chosen where it is first needed, and keeps
// its value. A bound that is computed in a loop may take any value each time.
//
// Tensors are ignored if TensorPlaces.h shows that no two instructions access the same bytes. Otherwise a whole tensor
// counts as one location.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_EXPLORATION_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_EXPLORATION_H

#include "lowering/aicore/verify/order/Demands.h"
#include "lowering/aicore/verify/order/PipeState.h"
#include "lowering/aicore/verify/order/program/TripChoices.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Allocator.h"

#include <string>
#include <vector>

namespace opc::aicore::proof {

class Exploration {
public:
  /// `isShared`: by home, whether two instructions may access the same bytes of a tensor, one of them with a write.
  Exploration(const KernelProgram &program, const Target &target, std::vector<bool> isShared, const TripRanges &ranges);

  /// Holds if every walk keeps all rules. Otherwise some walk breaks a rule, with tensors treated as above, or the
  /// answer is unknown.
  Verdict run();
  /// The trip count of a bound in the walk at which run() stopped.
  int64_t tripsAtEnd(mlir::Value bound) const;

private:
  using StateId = unsigned;
  using States = llvm::SmallVector<StateId, 1>;
  /// Numbers as bytes: the key of a look-up.
  using Key = llvm::SmallString<128>;

  class Current;

  TripRange tripsOf(mlir::Value bound) const { return ranges.find(bound)->second; }
  bool going() const { return verdict == Verdict::Holds; }
  void stop(Verdict reason) { verdict = going() ? reason : verdict; }
  StateId idOf(PipeState &state);
  static void append(Key &key, int64_t number);
  void append(Key &key, const Demands::Live &live) const;
  bool choose(const Demands::Live &live, size_t step, Current &state);
  bool beginRest(size_t step, StateId state);
  void runRest(size_t step, StateId state);
  States runStep(const Step &step, StateId state);
  States runBody(const Body &body, StateId state);
  void runBody(const Body &body, size_t step, StateId state, States &ends);
  States runLoop(const Step &step, StateId state);
  void issue(const Instruction &instruction, PipeState &state);

  const KernelProgram &program;
  const Demands demands;
  std::vector<bool> isShared;
  const TripRanges &ranges;
  std::vector<char> isOuter; ///< by bound: whether it is computed in the block of the kernel
  llvm::DenseMap<Slot, unsigned> boundOfSlot;
  Verdict verdict = Verdict::Holds;
  size_t steps = 0;
  unsigned calls = 0; ///< of runBody and runRest that have not returned
  std::vector<Number> numbers;
  std::vector<int64_t> trips; ///< of the current loops
  std::vector<PipeState> states;
  std::string stateBytes; ///< of the state that is looked up
  // Nothing is removed from these tables, so their entries are parts of large blocks.
  llvm::StringMap<StateId, llvm::BumpPtrAllocator> ids, segmentEnds;
  llvm::StringMap<States, llvm::BumpPtrAllocator> loopEnds, bodyEnds;
  llvm::StringSet<llvm::BumpPtrAllocator> begun; ///< rests of the kernel that were walked
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_EXPLORATION_H
