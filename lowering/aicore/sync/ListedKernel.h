// A kernel as all of its instruction lists need it.
//
// There are up to some hundred lists, each of which executes the kernel's ops many times. So the kernel is read once,
// into steps whose operands are places in a vector, and arithmetic on which no order depends is left out.

#ifndef OPC_LOWERING_AICORE_SYNC_LISTEDKERNEL_H
#define OPC_LOWERING_AICORE_SYNC_LISTEDKERNEL_H

#include "lowering/aicore/sync/InstructionList.h"

#include "dialect/aicore/index/Evaluate.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace opc::aicore {

/// The half-open range [begin, end).
struct ListedRange {
  int64_t begin = INT64_MIN, end = INT64_MAX; ///< the whole range
  bool meets(const ListedRange &other) const { return begin < other.end && other.begin < end; }
};

/// The bytes of UB or the elements of a tensor that an access touches: with the largest tiling data, and with the
/// smallest.
struct ListedSpan {
  mlir::Value tensor; ///< null in UB
  mlir::Value buffer; ///< null of a tensor
  bool writes = false;
  ListedRange most, least;
  /// In UB, the bytes among which other trip counts choose, for instance the first `rows` * 8 of a slot. Accesses
  /// through one buffer follow the trips alike; those through two buffers that share memory may meet for trip counts
  /// that no list has.
  ListedRange reach;
  bool meets(const ListedSpan &other) const {
    if (buffer != other.buffer)
      return reach.meets(other.reach);
    return most.meets(other.most) || least.meets(other.least);
  }
};

/// An operand of a step: a number, a place in Lister::values, or nothing.
struct ListedOperand {
  enum : unsigned { kNothing = ~0u, kNumber = ~0u - 1 };
  unsigned place = kNothing;
  int64_t number = 0; ///< with kNumber
};

/// The range of an access, in terms of values of the kernel: `size` elements of a slot of a buffer, or of a tensor,
/// from `offset` on.
struct ListedView {
  ListedSpan all; ///< if nothing else is known
  ListedOperand slot;
  int64_t slots = 0, slotBytes = 0, elementBytes = 0;
  ListedOperand offset, size;
};

/// A value: the number that branches and ids depend on; a guess for slots, in which tiling data without a `max` are
/// large; and two for places in tensors, in which those with a `max` are that, or as small as they may be.
struct ListedNumber {
  std::optional<int64_t> number, guess, most, least;
  static ListedNumber of(std::optional<int64_t> number) { return {number, number, number, number}; }
};

/// An op of the kernel, with what all of its executions share.
struct ListedStep {
  enum Kind : uint8_t { Loop, Branch, Issue, Given, Bound, Computed } kind = Given;
  unsigned result = 0;           ///< place of its value; of a loop, of its counter
  ListedOperand lhs, rhs;        ///< of Computed; the bound of a loop, the condition of a branch, the id of a flag
  ListedNumber given;            ///< of Given
  EvaluatedOp op{ScalarOp::Add}; ///< of Computed
  mlir::Value bound;             ///< of Bound and Loop: the key of its trip count
  bool isRepeated = false;       ///< of Bound: it is computed in a loop
  unsigned inner = 0, other = 0; ///< of Loop and Branch: the body or branches, places in ListedKernel::blocks
  mlir::Block *region = nullptr, *otherRegion = nullptr; ///< likewise, null for a branch without ops
  // Of Loop: the regions that are entered together with it (several nests may start with it), and whether its
  // iterations are the iterations of its body's region.
  llvm::SmallVector<mlir::Block *, 1> entered;
  bool counts = false;
  // Of Issue.
  ListedInstruction instruction;
  unsigned work = 0; ///< place in Lister::occurrences, if it is neither a flag nor a barrier
  llvm::SmallVector<ListedView, 4> spans;
};

/// A kernel as all of its lists need it.
class ListedKernel {
public:
  ListedKernel(mlir::func::FuncOp kernel, const Target &target, llvm::ArrayRef<OpOrder> orders, const SyncNests &nests,
               const llvm::DenseMap<mlir::Operation *, int> &groupOf);

  mlir::Block &body;
  const Target &target;
  llvm::ArrayRef<OpOrder> orders;
  std::vector<std::vector<ListedStep>> blocks; ///< first the kernel's body
  llvm::DenseMap<mlir::Operation *, unsigned> workOf;
  unsigned numValues() const { return unsigned(places.size()); }

private:
  unsigned placeOf(mlir::Value value) { return places.try_emplace(value, unsigned(places.size())).first->second; }
  ListedOperand operandOf(mlir::OpFoldResult value);
  ListedView viewOf(const Access &access);
  unsigned read(mlir::Block &block);
  ListedStep stepOf(mlir::scf::ForOp loop);
  ListedStep stepOf(mlir::scf::IfOp branch);
  ListedStep stepOf(PipeOpInterface op);
  ListedStep stepOf(mlir::Value result);
  void dropNeedless();

  const SyncNests &nests;
  const llvm::DenseMap<mlir::Operation *, int> &groupOf;
  llvm::DenseSet<mlir::Value> bounds; ///< trip counts of loops
  llvm::DenseMap<mlir::Value, unsigned> places;
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_SYNC_LISTEDKERNEL_H
