// The steps from the LLVM dialect, or from fused kernels, to object code. CpuLibrary.cpp runs them in order.

#ifndef OPC_LOWERING_CPU_LIBRARY_LLVMMODULE_H
#define OPC_LOWERING_CPU_LIBRARY_LLVMMODULE_H

#include "lowering/cpu/CpuLevel.h"
#include "runtime/diagnostic/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace opc {
struct CpuKernel;
} // namespace opc

namespace opc::cpu {

/// The signature of a kernel's function, from the attributes that AICoreToLoops sets.
struct KernelSignature {
  std::string name;
  int64_t tensors = 0;
  std::vector<int64_t> bufferBytes;
  bool inOrder = false;
};

/// Translates the LLVM dialect to LLVM IR; nullptr if MLIR reported an error.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context);

/// Adds the entry for a function of loops.
llvm::Function *addLoopsEntry(llvm::Module &module, const KernelSignature &signature);

/// The entries of one level, in the order of the kernels.
struct LevelEntries {
  struct Entry {
    llvm::Function *function = nullptr;
    uint64_t flags = 0; ///< OPC_KERNEL_ENTRY_*
  };
  std::string level; ///< "x86-64-v3"
  std::vector<Entry> entries;
};

/// Adds the table of levels and entries, and the query function. Entries of other modules must be declared in the
/// module of the table.
void addEntryTable(llvm::Module &module, llvm::StringRef opType, llvm::ArrayRef<CpuKernel> kernels,
                   llvm::ArrayRef<LevelEntries> levels);

/// A target machine for a CPU level; nullptr and a reason if LLVM has none. This function is thread-safe; a machine
/// must be used by a single thread.
std::unique_ptr<llvm::TargetMachine> targetMachine(const CpuLevel &level, std::string &reason);
/// How a module was made, which determines the passes it needs.
enum class CodeForm {
  Loops,   ///< loops over elements, to be vectorised
  Vectors, ///< already vectorised; functions state their level themselves
};
/// Sets attributes for code generation on every function, then runs LLVM's passes.
void optimise(llvm::Module &module, llvm::TargetMachine &machine, CodeForm form);
/// Writes an object, or the assembly of the same code.
bool generateObject(llvm::Module &module, llvm::TargetMachine &machine, CodeForm form,
                    llvm::SmallVectorImpl<char> &object,
                    llvm::CodeGenFileType type = llvm::CodeGenFileType::ObjectFile);

/// The symbols that an object refers to and does not define; kernels must have none.
std::vector<std::string> undefinedSymbols(llvm::StringRef object);
/// Links objects into a shared library at `outputPath`. Reports E0374 or E0610 on error.
bool linkLibrary(llvm::ArrayRef<llvm::StringRef> objects, const std::string &outputPath, Diagnostics &diagnostics);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LIBRARY_LLVMMODULE_H
