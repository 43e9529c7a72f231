// `opc model`: ONNX models. `check` lists the operators of a model and the contracts that compute them, `import` prints
// it in the dialect graph, `show` draws it, `extract` makes a model of one node.

#include "ops/onnx/Reader.h"
#include "runtime/core/File.h"
#include "tools/opc/Command.h"
#include "tools/opc/compile/InputConstants.h"
#include "tools/opc/compile/InputShapes.h"
#include "tools/opc/compile/model/ModelContracts.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/model/ModelCheck.h"
#include "tools/opc/model/ModelExtract.h"
#include "tools/opc/model/ModelLegal.h"
#include "tools/opc/model/ModelShow.h"

#include <iostream>
#include <memory>

namespace opc::tool {

struct ModelOptions {
  std::string model;
  std::vector<std::string> contracts, constants;
  std::string output, inputShape;
  bool nodes = false;
};

static ExitCode check(const ModelOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::unique_ptr<onnx::Model> model = onnx::loadModel(options.model, diagnostics);
  ModelContracts contracts;
  const std::optional<InputConstants> constants =
      model ? setInputConstants(*model, options.constants, diagnostics) : std::nullopt;
  if (!constants || !contracts.read(options.contracts, diagnostics) ||
      (!options.inputShape.empty() && !setInputShapes(*model, options.inputShape, diagnostics)))
    return context.finish(diagnostics);
  context.print(diagnostics);
  Diagnostics refused;
  const onnx::Coverage coverage = coverAsCompiled(*model, contracts, &refused);
  const ExitCode found = reportCoverage(*model, coverage, options.nodes, context);
  return refused.hasErrors() ? context.finish(refused) : found;
}

static ExitCode show(const ModelOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::unique_ptr<onnx::Model> model = onnx::loadModel(options.model, diagnostics);
  ModelContracts contracts;
  if (!model || !contracts.read(options.contracts, diagnostics))
    return context.finish(diagnostics);
  std::string page = modelPage(*model, coverAsCompiled(*model, contracts));
  std::optional<AtomicFile> file = AtomicFile::create(options.output, diagnostics);
  if (file) {
    file->write(page.data(), page.size());
    if (file->commit(diagnostics))
      context.info("wrote '" + printablePath(options.output) + "'; open it in a browser");
  }
  return context.finish(diagnostics);
}

static ExitCode import(const ModelOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::unique_ptr<onnx::Model> model = onnx::loadModel(options.model, diagnostics);
  std::optional<std::string> text = model ? compiler().modelText(*model, diagnostics) : std::nullopt;
  if (text)
    std::cout << *text;
  return context.finish(diagnostics);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<ModelOptions>();
  Arguments sub = declaration.sub("check", "list a model's operators and what computes them",
                                  "  opc model check model.onnx\n"
                                  "  opc model check model.onnx --input_shape='x:1,3,224,224'\n"
                                  "  opc model check model.onnx --contracts=my_operators --nodes\n"
                                  "  opc model check model.onnx --format=json");
  sub.option("model", options->model, "model in ONNX").required().typeName("FILE");
  sub.option("--contracts", options->contracts, "folder with contracts of your own; may be given several times")
      .typeName("DIR")
      .oneEach();
  addInputShape(sub, options->inputShape,
                "sizes that the model leaves open: NAME:SIZE,SIZE;...; the answer is then certain");
  addConstants(sub, options->constants);
  sub.flag("--nodes", options->nodes, "also list each node with types and shapes");
  declaration.on(sub, [options](Context &context) { return check(*options, context); });

  Arguments showing = declaration.sub("show", "draw a model as a page for a browser",
                                      "  opc model show model.onnx --output=model.html");
  showing.option("model", options->model, "model in ONNX").required().typeName("FILE");
  addOutput(showing, options->output, "page to write").required();
  showing.option("--contracts", options->contracts, "folder with contracts of your own; may be given several times")
      .typeName("DIR")
      .oneEach();
  declaration.on(showing, [options](Context &context) { return show(*options, context); });

  auto extracted = std::make_shared<ModelExtractFlags>();
  Arguments extracting = declaration.sub(
      "extract", "write a model of one node, with its inputs and expected results",
      "  opc model extract model.onnx --node=Conv_3 --output=case\n"
      "  opc model extract model.onnx --node=Conv_3 --input_shape='x:1,3,224,224' --input x=@x.npy --output=case");
  extracting.option("model", extracted->model, "model in ONNX").required().typeName("FILE");
  extracting.option("--node", extracted->node, "name of a node, or of a result of one").required().typeName("NAME");
  addOutput(extracting, extracted->output, "folder to write: node.onnx, input.N.npy, expected.N.npy").required();
  addInputShape(extracting, extracted->inputShape, "sizes that the model leaves open: NAME:SIZE,SIZE;...");
  addConstants(extracting, extracted->constants);
  addInputs(extracting, extracted->inputs);
  addSeed(extracting, extracted->seed, "seed of the inputs (default 0)");
  addPython(extracting, extracted->python);
  declaration.on(extracting, [extracted](Context &context) { return extractNode(*extracted, context); });

  Arguments importing =
      declaration.sub("import", "print a model in the dialect graph", "  opc model import model.onnx");
  importing.option("model", options->model, "model in ONNX").required().typeName("FILE");
  declaration.on(importing, [options](Context &context) { return import(*options, context); });
  return {};
}

const Command &modelCommand() {
  static const Command command = {"model", "inspect ONNX models", "  opc model check model.onnx", declare};
  return command;
}

} // namespace opc::tool
