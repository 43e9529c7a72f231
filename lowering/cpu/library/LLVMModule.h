// The steps from the LLVM dialect, or from fused kernels, to object code. CpuLibrary.cpp puts them in order.

#ifndef OPC_LOWERING_CPU_LIBRARY_LLVMMODULE_H
#define OPC_LOWERING_CPU_LIBRARY_LLVMMODULE_H

#include "lowering/cpu/CpuLevel.h"
#include "lowering/cpu/library/CpuLibrary.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace opc::cpu {

/// How the function of a kernel is called: what AICoreToLoops wrote into its attributes.
struct KernelSignature {
  std::string name;
  int64_t tensors = 0;
  std::vector<int64_t> bufferBytes;
  bool inOrder = false;
};

/// From the LLVM dialect to LLVM IR; nullptr when MLIR reported an error.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context);

/// Adds the entry of a function of loops.
llvm::Function *addLoopsEntry(llvm::Module &module, const KernelSignature &signature);

/// The entries of one level, in the order of the request's kernels.
struct LevelEntries {
  struct Entry {
    llvm::Function *function = nullptr;
    uint64_t flags = 0; ///< OPC_KERNEL_ENTRY_*
  };
  std::string level; ///< "x86-64-v3"
  std::vector<Entry> entries;
};

/// Adds the table of levels and entries and the query function. Entries may lie in other modules, of which the
/// table's has declarations.
void addEntryTable(llvm::Module &module, const CpuLibraryRequest &request, llvm::ArrayRef<LevelEntries> levels);

/// A machine of a CPU level; nullptr with a reason when LLVM has none. Threads may ask at once; a machine
/// is for one thread.
std::unique_ptr<llvm::TargetMachine> targetMachine(const CpuLevel &level, std::string &reason);
/// How a module came to be, which says what passes it needs.
enum class CodeForm {
  Loops,   ///< loops over elements, to be vectorised
  Vectors, ///< of vectors already; functions state their level themselves
};
/// States rules of code generation on every function, then runs LLVM's passes.
void optimise(llvm::Module &module, llvm::TargetMachine &machine, CodeForm form);
bool generateObject(llvm::Module &module, llvm::TargetMachine &machine, CodeForm form,
                    llvm::SmallVectorImpl<char> &object);

/// Names that an object needs and does not have; kernels must have none.
std::vector<std::string> undefinedSymbols(llvm::StringRef object);
/// Links objects to a shared library at `outputPath`. E0374 or E0610.
bool linkLibrary(llvm::ArrayRef<llvm::StringRef> objects, const std::string &outputPath, Diagnostics &diagnostics);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LIBRARY_LLVMMODULE_H
