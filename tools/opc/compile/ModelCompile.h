// `opc compile model.onnx`: from an ONNX model to a model folder.

#ifndef OPC_TOOLS_OPC_COMPILE_MODELCOMPILE_H
#define OPC_TOOLS_OPC_COMPILE_MODELCOMPILE_H

#include "lowering/pipelines/CompileModel.h"
#include "runtime/target/Target.h"
#include "tools/opc/CacheFlags.h"
#include "tools/opc/Command.h"
#include "tools/opc/compile/InputShapes.h"
#include "tools/opc/compile/model/ModelContracts.h"
#include "tools/opc/compile/model/ModelFamily.h"
#include "tools/opc/compile/model/ModelKernels.h"

#include <string>
#include <vector>

namespace opc::tool {

struct ModelCompileFlags {
  std::string model, socVersion, output, stopAfter, inputShape;
  std::vector<std::string> contracts, constants;
  CacheFlags cache;
  bool explainMemory = false, explainFolding = false, printPipeline = false;
};

/// Whether a path names an ONNX model: it ends in ".onnx".
bool isModelFile(const std::string &path);

/// Checks combinations of flags before any file is read. False after an error.
bool checkModelFlags(const ModelCompileFlags &flags, Diagnostics &diagnostics);

/// Reads, compiles and writes; prints a summary.
ExitCode compileModelFile(const ModelCompileFlags &flags, Context &context);

/// Compiles the forms of one model (ModelSizes.h), and folds nodes of constants with their own kernels. The arguments
/// must outlive it.
class FormCompiler {
public:
  FormCompiler(onnx::Model &model, InputForms forms, const ModelContracts &contracts, const Target &target,
               ModelKernels &kernels, Diagnostics &diagnostics, Context &context)
      : model(model), forms(std::move(forms)), contracts(contracts), target(target), kernels(kernels),
        diagnostics(diagnostics), context(context) {}

  const std::vector<ModelSize> &sizes() const { return forms.sizes; }
  size_t largest() const { return numForms(forms.sizes) - 1; }
  /// nullopt after an error or a signal.
  std::optional<CompiledModel> compile(size_t form, const std::string &stopAfter = "");
  /// All forms; the largest is already compiled. nullopt after an error or a signal.
  std::optional<ModelFamily> family(CompiledModel &ofLargest);

private:
  bool add(ModelFamily &family, size_t form, CompiledModel &compiled);

  onnx::Model &model;
  const InputForms forms;
  const ModelContracts &contracts;
  const Target &target;
  ModelKernels &kernels;
  Diagnostics &diagnostics;
  Context &context;
  ConstantHashes hashes;
};

/// "seq 16, batch 1": the sizes of a form.
std::string formText(const std::vector<ModelSize> &sizes, size_t form);

/// Makes the kernels of a model through the kernel cache and writes its folder. False after an error or a signal; an
/// earlier folder is then unchanged.
bool writeModelFolder(const ModelFamily &family, const std::string &target, const std::string &output,
                      ModelKernels &kernels, Diagnostics &diagnostics, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_MODELCOMPILE_H
