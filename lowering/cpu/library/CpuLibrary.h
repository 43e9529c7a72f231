// From lowered kernels to a kernel library: `<op>.so`, without libc.
//
//   LLVM dialect, of kernels by hand ─► LLVM IR ─┐
//                                                ├─► entry table ─► object code ─► ld.lld ─► .so
//   phase fused, of te bodies ─► LLVM IR ────────┘
//
// All kernels of an operator share one table (runtime/program/opc_kernel_library.h). Slots, addresses, flags and
// barriers state when and where an AI Core works. Loops in program order need none of them, so the CPU kernels check
// the simulator without sharing the decisions of the passes.

#ifndef OPC_LOWERING_CPU_LIBRARY_CPULIBRARY_H
#define OPC_LOWERING_CPU_LIBRARY_CPULIBRARY_H

#include "runtime/diagnostic/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace opc {

/// A kernel function of the module that becomes an entry of the library.
struct CpuKernel {
  std::string name; ///< symbol of the kernel function, also the name of the entry
  uint64_t tilingKey = 0;
  std::vector<uint8_t> tilingCode; ///< the tiling function, encoded by writeTiling
  /// Symbols of the kernel functions of all nests of a launch; empty: it has one kernel function.
  std::vector<std::string> nests = {};
  bool inOrder = false; ///< a nest reads results of nests before it

  std::vector<std::string> functions() const { return nests.empty() ? std::vector<std::string>{name} : nests; }
};

struct CpuLibraryRequest {
  std::string opType; ///< "AddRelu"
  std::vector<CpuKernel> kernels;
  /// The contract's inputs, then its outputs; required for te kernels.
  std::vector<std::string> tensorNames;
  /// Levels of one architecture, the most basic first. Kernels in the aicore dialect are compiled only for the first.
  std::vector<std::string> cpuLevels = {"x86-64-v3"};
  bool keepObjects = false; ///< for CpuLibraryBuild::objects()
};

/// Seconds spent in each step.
struct CpuLibraryTimes {
  double llvm = 0;     ///< translation to LLVM IR
  double optimise = 0; ///< LLVM's passes
  double codegen = 0;  ///< object code
  double link = 0;     ///< ld.lld
};

/// A library being built. `start` translates the kernels to LLVM IR; MLIR is not needed after that. Code generation,
/// with a thread for each level, and the linker run in the background.
class CpuLibraryBuild {
public:
  /// `module` holds the requested kernels: kernels of te bodies at phase `fused`, or kernels by hand that the
  /// pipeline `cpu-loops-pipeline` has lowered. It is not modified. Returns null and reports E0370 to E0372 on error.
  static std::unique_ptr<CpuLibraryBuild> start(mlir::ModuleOp module, const CpuLibraryRequest &request,
                                                Diagnostics &diagnostics, CpuLibraryTimes *times = nullptr);
  ~CpuLibraryBuild();
  /// Continues in the background. The library appears at `outputPath` as a whole or not at all.
  void launch(const std::string &outputPath);
  /// Waits for the background work. Returns false and reports E0373, E0374 or E0610 on error.
  bool wait(Diagnostics &diagnostics);
  /// After it: the objects as an archive (Bundle.h), if the request asked for them.
  const std::string &objects() const;

private:
  class Work;
  explicit CpuLibraryBuild(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work;
};

/// Compiles the kernels that `request` names and writes the library to `outputPath`, where it appears as a whole or
/// not at all. `module` is not modified. Returns false and reports E0370 to E0374 or E0610 on error.
bool buildCpuLibrary(mlir::ModuleOp module, const CpuLibraryRequest &request, const std::string &outputPath,
                     Diagnostics &diagnostics, CpuLibraryTimes *times = nullptr);

} // namespace opc

#endif // OPC_LOWERING_CPU_LIBRARY_CPULIBRARY_H
