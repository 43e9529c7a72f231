#include "lowering/pipelines/Compiler.h"

#include "lowering/cpu/library/Bundle.h"
#include "lowering/pipelines/CacheCompiler.h"
#include "lowering/pipelines/operator/TestLevels.h"

namespace opc {

namespace {
class LinkedCompiler final : public Compiler {
public:
  const std::vector<std::string> &phaseNames() const override { return opc::phaseNames(); }
  std::vector<CpuLevelName> cpuLevelNames() const override { return opc::cpuLevelNames(); }
  CompileResult compileOperator(const Contract &contract, const CompileOptions &options,
                                Diagnostics &diagnostics) const override {
    return opc::compileOperator(contract, options, diagnostics);
  }
  std::vector<PipelineText> pipelinesOf(const Contract &contract, const CompileOptions &options) const override {
    return opc::pipelinesOf(contract, options);
  }
  BuildPackageResult buildPackage(const std::vector<Contract> &contracts, const BuildPackageOptions &options,
                                  Diagnostics &diagnostics) const override {
    return opc::buildPackage(contracts, options, diagnostics);
  }
  std::shared_ptr<KernelCompiler> createCacheCompiler() const override { return opc::createCacheCompiler(); }
  std::optional<CompiledModel> compileModel(const onnx::Model &model, const onnx::ContractSet &contracts,
                                            const ModelCompileOptions &options,
                                            Diagnostics &diagnostics) const override {
    return opc::compileModel(model, contracts, options, diagnostics);
  }
  PipelineText modelPipeline(const std::string &stopAfter, const std::vector<std::string> &contracts) const override {
    return opc::modelPipeline(stopAfter, contracts);
  }
  std::optional<std::string> bundleKernels(const std::vector<std::string> &archives,
                                           Diagnostics &diagnostics) const override {
    return opc::bundleKernels(archives, diagnostics);
  }
  std::optional<std::string> modelText(const onnx::Model &model, Diagnostics &diagnostics) const override {
    return opc::modelText(model, diagnostics);
  }
  std::string fewerCpuLevels() const override { return fewerLevels(); }
  const std::string &build() const override { return compilerBuild(); }
};
} // namespace

extern "C" const Compiler *opc_compiler() {
  static const LinkedCompiler compiler;
  return &compiler;
}

} // namespace opc
