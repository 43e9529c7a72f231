// `opc compile model.onnx`: from an ONNX model to a model folder.

#ifndef OPC_TOOLS_OPC_COMPILE_MODELCOMPILE_H
#define OPC_TOOLS_OPC_COMPILE_MODELCOMPILE_H

#include "lowering/pipelines/CompileModel.h"
#include "tools/opc/CacheFlags.h"
#include "tools/opc/Command.h"
#include "tools/opc/compile/ModelContracts.h"
#include "tools/opc/compile/ModelKernels.h"

#include <string>
#include <vector>

namespace opc::tool {

struct ModelCompileFlags {
  std::string model, socVersion, output, stopAfter, inputShape;
  std::vector<std::string> contracts;
  CacheFlags cache;
  bool explainMemory = false, explainFolding = false, printPipeline = false;
};

/// Whether a path names an ONNX model: it ends in ".onnx".
bool isModelFile(const std::string &path);

/// Checks combinations of flags before any file is read. False after an error.
bool checkModelFlags(const ModelCompileFlags &flags, Diagnostics &diagnostics);

/// Reads, compiles and writes; prints a summary.
ExitCode compileModelFile(const ModelCompileFlags &flags, Context &context);

/// Compiles a model, and folds nodes of constants with their own kernels. nullopt after an error.
std::optional<CompiledModel> compileFolded(const onnx::Model &model, const ModelContracts &contracts,
                                           std::string_view target, const std::string &stopAfter, ModelKernels &kernels,
                                           Diagnostics &diagnostics, Context &context);

/// Makes the kernels of a compiled model through the kernel cache and writes its folder. False after an error or a
/// signal; an earlier folder is then unchanged.
bool writeModelFolder(const CompiledModel &compiled, const std::string &target, const std::string &output,
                      ModelKernels &kernels, Diagnostics &diagnostics, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_MODELCOMPILE_H
