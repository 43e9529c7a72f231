// `opc model`: models of ONNX. `check` says which operators a model has and which contracts compute them, `import` prints
// it in the dialect graph.

#include "lowering/pipelines/ModelText.h"
#include "ops/onnx/Reader.h"
#include "tools/opc/Command.h"
#include "tools/opc/model/ModelCheck.h"
#include "tools/opc/model/ModelContracts.h"

#include <iostream>
#include <memory>

namespace opc::tool {

struct ModelOptions {
  std::string model;
  std::vector<std::string> contracts;
  bool nodes = false;
};

static ExitCode check(const ModelOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::unique_ptr<onnx::Model> model = onnx::loadModel(options.model, diagnostics);
  ModelContracts contracts;
  if (!model || !contracts.read(options.contracts, diagnostics))
    return context.finish(diagnostics);
  context.print(diagnostics);
  return reportCoverage(*model, coverModel(*model, contracts.forms()), options.nodes, context);
}

static ExitCode import(const ModelOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::unique_ptr<onnx::Model> model = onnx::loadModel(options.model, diagnostics);
  std::optional<std::string> text = model ? modelText(*model, diagnostics) : std::nullopt;
  if (text)
    std::cout << *text;
  return context.finish(diagnostics);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<ModelOptions>();
  Arguments sub = declaration.sub("check", "list a model's operators and what computes them",
                                  "  opc model check model.onnx\n"
                                  "  opc model check model.onnx --contracts=my_operators --nodes\n"
                                  "  opc model check model.onnx --format=json");
  sub.option("model", options->model, "model in ONNX").required().typeName("FILE");
  sub.option("--contracts", options->contracts, "folder with contracts of your own; may be given several times")
      .typeName("DIR")
      .oneEach();
  sub.flag("--nodes", options->nodes, "also list each node with types and shapes");
  declaration.on(sub, [options](Context &context) { return check(*options, context); });

  Arguments importing = declaration.sub("import", "print a model in the dialect graph", "  opc model import model.onnx");
  importing.option("model", options->model, "model in ONNX").required().typeName("FILE");
  declaration.on(importing, [options](Context &context) { return import(*options, context); });
  return {};
}

const Command &modelCommand() {
  static const Command command = {"model", "look at models in ONNX", "  opc model check model.onnx", declare};
  return command;
}

} // namespace opc::tool
