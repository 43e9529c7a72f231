// The compiler as one object, which a function of its library returns.
//
// Loading MLIR and LLVM takes 25 ms of processor time, most of it relocations. So a program that only sometimes
// compiles does not link this library; it opens libopc_pipelines.so when a command first needs it, and calls the
// compiler through this interface.

#ifndef OPC_LOWERING_PIPELINES_COMPILER_H
#define OPC_LOWERING_PIPELINES_COMPILER_H

#include "lowering/pipelines/BuildPackage.h"
#include "lowering/pipelines/Compile.h"
#include "lowering/pipelines/CompileModel.h"
#include "lowering/pipelines/ModelText.h"
#include "runtime/compiler.h"

#include <memory>
#include <string>
#include <vector>

namespace opc {

/// Each call is the function of that name in Compile.h, BuildPackage.h, CacheCompiler.h, CompileModel.h,
/// ModelText.h or lowering/cpu/library/Bundle.h.
class Compiler {
public:
  virtual ~Compiler() = default;
  virtual const std::vector<std::string> &phaseNames() const = 0;
  virtual std::vector<CpuLevelName> cpuLevelNames() const = 0;
  /// The levels that a test leaves of the default ones (OPC_TEST_CPU_LEVELS); empty where it leaves out none.
  virtual std::string fewerCpuLevels() const = 0;
  virtual CompileResult compileOperator(const Contract &contract, const CompileOptions &options,
                                        Diagnostics &diagnostics) const = 0;
  virtual std::vector<PipelineText> pipelinesOf(const Contract &contract, const CompileOptions &options) const = 0;
  virtual BuildPackageResult buildPackage(const std::vector<Contract> &contracts, const BuildPackageOptions &options,
                                          Diagnostics &diagnostics) const = 0;
  virtual std::shared_ptr<KernelCompiler> createCacheCompiler() const = 0;
  virtual std::optional<CompiledModel> compileModel(const onnx::Model &model, const onnx::ContractSet &contracts,
                                                    const ModelCompileOptions &options,
                                                    Diagnostics &diagnostics) const = 0;
  virtual PipelineText modelPipeline(const std::string &stopAfter, const std::vector<std::string> &contracts) const = 0;
  virtual std::optional<std::string> bundleKernels(const std::vector<std::string> &archives,
                                                   Diagnostics &diagnostics) const = 0;
  virtual std::optional<std::string> modelText(const onnx::Model &model, Diagnostics &diagnostics) const = 0;
  virtual const std::string &build() const = 0;
};

/// The name of the function that returns the compiler, which lives as long as the process.
#define OPC_COMPILER_ENTRY "opc_compiler"
extern "C" const Compiler *opc_compiler();

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_COMPILER_H
