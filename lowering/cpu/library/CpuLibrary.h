// From lowered kernels to a kernel library of this host: `<op>.so`, without libc.
//
//   LLVM dialect, of kernels by hand ─► LLVM IR ─┐
//                                                ├─► entry table ─► object code ─► ld.lld ─► .so
//   phase fused, of te bodies ─► LLVM IR ────────┘
//
// All kernels of an operator share one table (runtime/program/opc_kernel_library.h). Slots, addresses, flags and
// barriers say when and where an AI Core works; loops in program order need none of them, so the CPU form checks the
// simulator without sharing what the passes decided.

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
  std::string name; ///< symbol of the kernel function, and name of the entry
  uint64_t tilingKey = 0;
  std::vector<uint8_t> tilingCode; ///< its tiling function as writeTiling gives it
};

struct CpuLibraryRequest {
  std::string opType; ///< "AddRelu"
  std::vector<CpuKernel> kernels;
  /// The contract's inputs, then outputs; te kernels need them.
  std::vector<std::string> tensorNames;
  /// Levels of one architecture, the plainest first. Kernels in the aicore dialect are compiled for the first alone.
  std::vector<std::string> cpuLevels = {"x86-64-v3"};
};

/// Seconds that each step took.
struct CpuLibraryTimes {
  double llvm = 0;     ///< to LLVM IR
  double optimise = 0; ///< LLVM's passes
  double codegen = 0;  ///< object code
  double link = 0;     ///< ld.lld
};

/// A library on its way. `start` turns the kernels into LLVM IR, from where on MLIR is not needed: code generation,
/// one thread a level, and the linker run beside whatever the caller does next.
class CpuLibraryBuild {
public:
  /// `module` has the request's kernels: kernels of te bodies at phase `fused`, or kernels by hand that the pipeline
  /// `cpu-loops-pipeline` lowered. It stays as it is. Null with E0370 to E0372.
  static std::unique_ptr<CpuLibraryBuild> start(mlir::ModuleOp module, const CpuLibraryRequest &request,
                                                Diagnostics &diagnostics, CpuLibraryTimes *times = nullptr);
  ~CpuLibraryBuild();
  /// Goes on in the background: the library appears at `outputPath` whole or not at all.
  void launch(const std::string &outputPath);
  /// Waits for that. False with E0373, E0374 or E0610.
  bool wait(Diagnostics &diagnostics);

private:
  class Work;
  explicit CpuLibraryBuild(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work;
};

/// Compiles the kernels that `request` names and writes the library to `outputPath`, which appears whole or not at
/// all. `module` stays as it is. False with E0370 to E0374 or E0610 when something is refused.
bool buildCpuLibrary(mlir::ModuleOp module, const CpuLibraryRequest &request, const std::string &outputPath,
                     Diagnostics &diagnostics, CpuLibraryTimes *times = nullptr);

} // namespace opc

#endif // OPC_LOWERING_CPU_LIBRARY_CPULIBRARY_H
