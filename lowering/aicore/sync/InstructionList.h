// A kernel unrolled to a list of instructions, for given trip counts of its loops: what the scalar unit would issue,
// in that order, and which instructions must come after which.

#ifndef OPC_LOWERING_AICORE_SYNC_INSTRUCTIONLIST_H
#define OPC_LOWERING_AICORE_SYNC_INSTRUCTIONLIST_H

#include "lowering/aicore/sync/SyncProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <memory>
#include <vector>

namespace opc::aicore {

/// One instruction of a list.
struct ListedInstruction {
  enum Kind { Work, Set, Wait, Barrier } kind = Work;
  unsigned pipe = 0;
  unsigned place = 0;   ///< position on its pipe
  unsigned channel = 0; ///< flags only
  int group = -1;       ///< flags and barriers only
  /// Instructions that must be complete before this one starts.
  llvm::SmallVector<unsigned, 2> after;
};

/// Trip counts of loops, by their upper bounds.
struct Trips {
  llvm::DenseMap<mlir::Value, int64_t> counts;
  llvm::DenseMap<mlir::Value, int64_t> least; ///< the smallest count; 0 of those that are not there
  /// With 1 or 2, a bound that is computed in a loop is the smallest count every other time; 0 for none.
  unsigned mixture = 0;
};

class ListedKernel;

/// Makes instruction lists of one kernel. Its ops are analysed once, in the constructor.
class KernelLister {
public:
  /// `groupOf` maps flags and barriers to their groups. All arguments must outlive the lister.
  KernelLister(mlir::func::FuncOp kernel, const Target &target, llvm::ArrayRef<OpOrder> orders, const SyncNests &nests,
               const llvm::DenseMap<mlir::Operation *, int> &groupOf);
  ~KernelLister();

  /// The kernel's instructions; nullopt when a branch condition or an event id is unknown, or when there are too many.
  std::optional<std::vector<ListedInstruction>> list(const Trips &trips) const;

private:
  std::unique_ptr<const ListedKernel> kernel;
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_SYNC_INSTRUCTIONLIST_H
