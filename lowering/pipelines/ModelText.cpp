#include "lowering/pipelines/ModelText.h"

#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/onnx/ImportModel.h"
#include "lowering/pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace opc {

std::optional<std::string> modelText(const onnx::Model &model, Diagnostics &diagnostics) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  Diagnostics found;
  DiagnosticBridge bridge(context, found, Code::E0900);
  OwningOpRef<ModuleOp> module = importModel(model, context);
  PassManager passes(&context);
  GraphPipelineOptions options;
  options.stopAfter = GraphStop::Imported;
  buildGraphPipeline(passes, options);
  if (failed(passes.run(*module))) {
    // The importer is at fault, not the model.
    std::string why;
    if (!found.all().empty())
      why = ": [" + found.all().front().rule + "] " + found.all().front().message;
    diagnostics.error(Code::E0900, {model.path, 0, 0},
                      "the imported model breaks a rule of its phase" + printable(why, 500));
    return std::nullopt;
  }
  return printModel(*module);
}

} // namespace opc
