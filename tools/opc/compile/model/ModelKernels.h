// Provides kernels while a model is compiled, through the kernel cache: for its folder and for nodes of constants.

#ifndef OPC_TOOLS_OPC_COMPILE_MODEL_MODELKERNELS_H
#define OPC_TOOLS_OPC_COMPILE_MODEL_MODELKERNELS_H

#include "lowering/pipelines/CompileModel.h"
#include "runtime/core/cache/KernelCache.h"

#include <memory>
#include <optional>
#include <string>

namespace opc::tool {

class ModelKernels {
public:
  /// Loads the compiler. Kernels run on one thread of the CPU.
  explicit ModelKernels(CacheSettings settings);

  /// The operator of a request whose contract is named as in the set; null after an error. `label` is for the log.
  std::shared_ptr<Operator> get(KernelRequest request, const std::string &label, Diagnostics &diagnostics);
  /// The results of a launch on constants; nullopt if the kernel cannot be made or run: then the node stays a step, and
  /// writing the folder reports the error.
  std::optional<std::vector<std::string>> run(const KernelCall &call);

private:
  KernelCache cache;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_MODEL_MODELKERNELS_H
