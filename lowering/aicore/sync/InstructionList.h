// A kernel as a list of instructions, for given numbers of trips of its loops: what its scalar unit would hand out,
// and what of it has to come after what.

#ifndef OPC_LOWERING_AICORE_SYNC_INSTRUCTIONLIST_H
#define OPC_LOWERING_AICORE_SYNC_INSTRUCTIONLIST_H

#include "lowering/aicore/sync/RedundantSync.h"

#include <memory>
#include <vector>

namespace opc::aicore {

/// One instruction of a list.
struct ListedInstruction {
  enum Kind { Work, Set, Wait, Barrier } kind = Work;
  unsigned pipe = 0;
  unsigned place = 0;   ///< on its pipe
  unsigned channel = 0; ///< of a flag
  int group = -1;       ///< of a flag or barrier
  /// Instructions that have to be complete before this one starts.
  llvm::SmallVector<unsigned, 2> after;
};

/// How often loops run, by bound.
struct Trips {
  llvm::DenseMap<mlir::Value, int64_t> counts;
  /// With 1 and 2 a bound that is computed in a loop is 0 every other time.
  unsigned mixture = 0;
};

struct ListedKernel;

/// Makes lists of one kernel. What its ops touch is looked up once.
class KernelLister {
public:
  /// `groupOf`: of flags and barriers, by op. All of these have to outlive the lister.
  KernelLister(mlir::func::FuncOp kernel, const Target &target, llvm::ArrayRef<OpOrder> orders, const SyncNests &nests,
               const llvm::DenseMap<mlir::Operation *, int> &groupOf);
  ~KernelLister();

  /// The kernel's instructions; nullopt when a branch or an event id is not known, or there are too many.
  std::optional<std::vector<ListedInstruction>> list(const Trips &trips) const;

private:
  std::unique_ptr<const ListedKernel> kernel;
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_SYNC_INSTRUCTIONLIST_H
