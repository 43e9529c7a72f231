// A compilation of an operator: what its stages share. CompileOperator.cpp lists the stages in their order and has
// those for the AI Core and the package, CpuStages.cpp those for the CPU.

#ifndef OPC_LOWERING_PIPELINES_COMPILATION_H
#define OPC_LOWERING_PIPELINES_COMPILATION_H

#include "lowering/cpu/library/CpuLibrary.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/package/Package.h"
#include "lowering/pipelines/Compile.h"
#include "lowering/pipelines/Pipelines.h"
#include "ops/contract/check/Devices.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/FileSystem.h"

#include <map>
#include <memory>
#include <optional>

namespace opc {

/// A kernel of the module, with what launches need to know.
struct KernelOfRow {
  std::string name;
  uint64_t tilingKey;
  unsigned typeRow;
};

/// A compilation. Each stage returns whether to continue; errors are in the diagnostics.
class Compilation {
public:
  Compilation(const Contract &contract, const CompileOptions &options)
      : written(contract), contract(options.renamed ? *options.renamed : contract), options(options),
        context(mlir::MLIRContext::Threading::DISABLED) {
    body = options.body ? options.body : &contract.bodies.front();
    rows = options.typeRows.empty() ? contract.rowsOf(*body) : options.typeRows;
  }

  ~Compilation() {
    cpuBuild.reset();
    if (!cpuFolder.empty())
      llvm::sys::fs::remove_directories(cpuFolder);
  }

  CompileResult run();
  /// The passes of each pipeline that run() uses, in order.
  std::vector<PipelineText> pipelines();
  /// Copies the reported diagnostics to `target`.
  void report(Diagnostics &target);

private:
  /// A step of the compilation, with its name for --timing and StageFault.h.
  struct Stage {
    const char *name;
    bool (Compilation::*run)();
  };
  std::vector<Stage> stages() const;
  bool runStage(const Stage &stage);

  bool import();
  bool lowerTe();
  bool schedule();
  bool lower();
  bool runAicore(const AicorePipelineOptions &pipeline, Diagnostics &found);
  bool checkTiling();
  bool emitAscendC();
  bool emitKernels();
  bool startCpu();
  bool finishCpu();
  bool package();

  bool rename();
  bool checkRows();
  bool checkStop();
  bool completeStaticShapes();
  void readKernels();
  void listKernels();
  std::optional<CpuLibraryRequest> requestTeLibrary();
  CpuLibraryRequest requestLoopsLibrary() const;
  void listCpuKernels(const CpuLibraryRequest &library);
  std::string cpuPath() const;
  Location bodyPlace() const { return {contract.filePath(body->file)}; }
  Advice tilingAdvice() const;
  AicorePipelineOptions aicoreOptions() const;
  void printModule(mlir::ModuleOp printed);
  bool isTe() const { return body->level == BodyLevel::Te; }
  /// Whether no compiled type row has a kernel for the AI Core.
  bool isForCpuAlone() const {
    return isTe() && llvm::all_of(rows, [&](unsigned row) { return !whyCpuAlone(row).empty(); });
  }
  /// Why a type row has no kernel for the AI Core: by its contract, or by the shapes of a static operator.
  std::string whyCpuAlone(unsigned row) const;
  bool tellCpuAlone();
  /// Whether the result is an op folder, and not a module or an explanation.
  bool makesFolder() const { return options.stopAfter.empty(); }

  const Contract &written;  ///< the contract that the body must agree with
  const Contract &contract; ///< the contract that names everything after the import
  const CompileOptions &options;
  Diagnostics diagnostics;
  const ContractBody *body;
  std::vector<unsigned> rows;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool wasImported = false;
  StaticShapes shapes; ///< including those of the outputs
  /// Type rows that the CPU alone serves with these shapes, and why.
  std::map<unsigned, std::string> cpuAloneRows;
  std::vector<KernelOfRow> kernels;
  PackageRequest request;
  llvm::SmallString<128> cpuFolder;            ///< working folder of the linker; empty until it is made
  mlir::OwningOpRef<mlir::ModuleOp> cpuModule; ///< the kernels while they are compiled for the CPU
  std::unique_ptr<CpuLibraryBuild> cpuBuild;
  CompileResult result;
};

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_COMPILATION_H
