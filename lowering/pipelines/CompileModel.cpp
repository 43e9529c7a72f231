#include "lowering/pipelines/CompileModel.h"

#include "dialect/aicore/Tiles.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/graph/HostCalls.h"
#include "lowering/graph/NodeFacts.h"
#include "lowering/graph/memory/Memory.h"
#include "lowering/import/onnx/ImportModel.h"
#include "lowering/pipelines/Pipelines.h"
#include "ops/contract/Places.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <tuple>

using namespace mlir;

namespace opc {

/// The text of an attribute for launches and requests.
static std::string textOf(Attribute value) {
  auto real = [](double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", number);
    return std::string(text);
  };
  auto list = [](auto numbers, auto text) {
    std::string result;
    for (auto number : numbers)
      result += (result.empty() ? "" : ",") + text(number);
    return "[" + result + "]";
  };
  if (auto truth = dyn_cast<BoolAttr>(value))
    return truth.getValue() ? "true" : "false";
  if (auto whole = dyn_cast<IntegerAttr>(value))
    return std::to_string(whole.getInt());
  if (auto number = dyn_cast<FloatAttr>(value))
    return real(number.getValueAsDouble());
  if (auto text = dyn_cast<StringAttr>(value))
    return text.getValue().str();
  if (auto wholes = dyn_cast<DenseI64ArrayAttr>(value))
    return list(wholes.asArrayRef(), [](int64_t number) { return std::to_string(number); });
  if (auto reals = dyn_cast<DenseF64ArrayAttr>(value))
    return list(reals.asArrayRef(), real);
  return {};
}

/// The kernel of an instance, and the arguments of its launch; null after an error.
static const Contract *describeKernel(graph::InstanceOp instance, const onnx::ContractSet &contracts,
                                      const std::string &target, KernelRequest &request,
                                      std::vector<std::pair<std::string, std::string>> &attributes) {
  const Contract *contract = contracts.find(instance.getSource());
  auto row = static_cast<size_t>(instance.getRow());
  if (!contract || row >= contract->typeRows())
    return nullptr;
  request.contract = contract->path;
  request.target = target;
  for (const auto *tensors : {&writtenInputs(*contract), &contract->outputs})
    for (const ContractTensor &tensor : *tensors)
      request.types.emplace_back(elementTypeName(tensor.types[row]));
  if (instance.getParametersAttr())
    for (NamedAttribute own : instance.getParametersAttr()) {
      std::string name = own.getName().str(), text = textOf(own.getValue());
      const ContractAttribute *attribute = contract->findAttribute(name);
      if (attribute && attribute->binding == Binding::Compile)
        request.attributes[name] = text;
      else
        attributes.emplace_back(name, text);
    }
  return contract;
}

/// Whether an operand is an input that the instance's kernel lacks (ContractTensor::presence).
static bool isWithout(const Contract &contract, size_t operand, Value value) {
  // Operands of an input with a count are the last ones, and none is omitted.
  return operand < contract.inputs.size() && !contract.inputs[operand].presence.empty() &&
         value.getDefiningOp<graph::AbsentOp>();
}

/// Runs an instance of constants with the caller's function.
static std::optional<std::vector<std::string>>
runConstant(graph::InstanceOp instance, const onnx::ContractSet &contracts, const ModelCompileOptions &options) {
  KernelCall call;
  const Contract *contract = describeKernel(instance, contracts, options.target, call.request, call.attributes);
  if (!contract)
    return std::nullopt;
  auto formOf = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return KernelCall::Operand{
        aicore::elementTypeOf(type.getElementType()).value_or(ElementType::Float32), type.getShape().vec(), {}};
  };
  std::vector<graph::ConstantBytes> bytes;
  bytes.reserve(instance.getNumOperands());
  for (auto [i, operand] : llvm::enumerate(instance.getOperands())) {
    if (isWithout(*contract, i, operand))
      continue;
    if (operand.getDefiningOp<graph::AbsentOp>()) {
      call.operands.push_back(std::nullopt);
      continue;
    }
    bytes.emplace_back(graph::constantOf(operand));
    call.operands.push_back(formOf(operand));
    call.operands.back()->bytes = {bytes.back().get().data(), bytes.back().get().size()};
  }
  for (Value produced : instance.getResults())
    call.results.push_back(formOf(produced));
  std::optional<std::vector<std::string>> results = options.run(call);
  for (size_t i = 0; results && i < results->size(); ++i)
    if (static_cast<int64_t>((*results)[i].size()) != graph::bytesOf(instance.getResult(static_cast<unsigned>(i))))
      return std::nullopt;
  return results;
}

namespace {

/// Makes the plan of a placed model.
class Planner {
public:
  Planner(graph::ModelOp model, const onnx::Model &source, const onnx::ContractSet &contracts,
          const ModelCompileOptions &options)
      : model(model), source(source), contracts(contracts), options(options) {}
  bool run(CompiledModel &compiled, Diagnostics &diagnostics);

private:
  uint32_t valueOf(Value value);
  std::string nameOf(Value value);
  bool addSteps(Block &block, Diagnostics &diagnostics);
  bool addInstance(graph::InstanceOp instance, Diagnostics &diagnostics);
  bool addBranch(graph::BranchOp branch, Diagnostics &diagnostics);
  void addHost(graph::HostOp host);
  /// A step with an op's operands and results.
  PlanStep stepOf(Operation *op, PlanStep::Kind kind);
  void addWeights();
  bool isOfFile(StringRef bytes) const;
  void addEnds();

  graph::ModelOp model;
  const onnx::Model &source;
  const onnx::ContractSet &contracts;
  const ModelCompileOptions &options;
  CompiledModel *result = nullptr;
  llvm::DenseMap<Value, uint32_t> values;
  /// By contract, types and attributes of their request.
  std::map<std::tuple<std::string, std::vector<std::string>, std::map<std::string, std::string>>, uint32_t> kernels;
};

} // namespace

std::string Planner::nameOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    ArrayAttr names = model.getArgAttrsAttr();
    auto name =
        names ? cast<DictionaryAttr>(names[argument.getArgNumber()]).getAs<StringAttr>(graph::GraphDialect::kNameAttr)
              : StringAttr();
    return name ? name.getValue().str() : "";
  }
  if (auto constant = value.getDefiningOp<graph::ConstantOp>())
    return constant.getName().str();
  if (auto part = value.getDefiningOp<graph::PartOp>())
    return part.getName().str();
  if (auto join = value.getDefiningOp<graph::JoinOp>())
    return join.getName().str();
  return llvm::TypeSwitch<Operation *, std::string>(value.getDefiningOp())
      .Case<graph::InstanceOp, graph::BranchOp, graph::HostOp>([&](auto op) {
        return cast<StringAttr>(op.getResultNames()[cast<OpResult>(value).getResultNumber()]).getValue().str();
      })
      .Default(std::string());
}

uint32_t Planner::valueOf(Value value) {
  auto [place, isNew] = values.try_emplace(value, result->plan.values.size());
  if (!isNew)
    return place->second;
  auto type = cast<RankedTensorType>(value.getType());
  graph::PlaceAttr memory = graph::placeOf(value);
  PlanValue planned;
  planned.memory = static_cast<PlanValue::Memory>(memory.getMemory());
  planned.offset = static_cast<uint64_t>(memory.getOffset());
  planned.type = aicore::elementTypeOf(type.getElementType()).value_or(ElementType::Float32);
  planned.shape.assign(type.getShape().begin(), type.getShape().end());
  planned.start = static_cast<uint64_t>(memory.getStart());
  planned.name = nameOf(value).substr(0, 4096);
  result->plan.values.push_back(std::move(planned));
  return place->second;
}

bool Planner::addInstance(graph::InstanceOp instance, Diagnostics &diagnostics) {
  KernelRequest request;
  PlanStep step = stepOf(instance, PlanStep::Launch);
  const Contract *contract = describeKernel(instance, contracts, options.target, request, step.attributes);
  if (!contract) {
    diagnostics.error(Code::E0900, {source.path}, "an instance names a contract that is not there");
    return false;
  }
  for (size_t i = step.operands.size(); i-- > 0;)
    if (isWithout(*contract, i, instance.getOperand(static_cast<unsigned>(i))))
      step.operands.erase(step.operands.begin() + static_cast<ptrdiff_t>(i));
  step.node = instance.getName().value_or("").str().substr(0, 4096);
  auto [kernel, isNew] = kernels.try_emplace({request.contract, request.types, request.attributes},
                                             static_cast<uint32_t>(result->kernels.size()));
  if (isNew)
    result->kernels.push_back(std::move(request));
  step.kernel = kernel->second;
  result->plan.steps.push_back(std::move(step));
  return true;
}

/// Whether bytes are those of the model's files, which outlive the context.
bool Planner::isOfFile(StringRef bytes) const {
  auto within = [&](std::string_view file) {
    return std::less_equal<const char *>()(file.data(), bytes.begin()) &&
           std::less_equal<const char *>()(bytes.end(), file.data() + file.size());
  };
  if (source.file && within(source.file->bytes()))
    return true;
  return llvm::any_of(source.externalFiles, [&](const auto &each) { return within(each.second->bytes()); });
}

void Planner::addWeights() {
  std::map<uint64_t, bool> seen;
  for (auto constant : model.getBody().getOps<graph::ConstantOp>()) {
    auto offset = static_cast<uint64_t>(constant.getPlace()->getOffset());
    graph::ConstantBytes bytes(cast<ElementsAttr>(constant.getValue()));
    result->plan.weightBytes = std::max(result->plan.weightBytes, offset + bytes.get().size());
    if (bytes.get().empty() || !seen.emplace(offset, true).second)
      continue;
    std::string_view view(bytes.get().data(), bytes.get().size());
    if (!bytes.isView() || !isOfFile(bytes.get())) {
      result->owned.push_back(std::make_unique<std::string>(view));
      view = *result->owned.back();
    }
    result->weights.push_back({offset, view});
  }
  llvm::sort(result->weights, [](const ModelWeight &a, const ModelWeight &b) { return a.offset < b.offset; });
}

void Planner::addEnds() {
  auto tensorOf = [&](uint32_t value, StringRef name) {
    const PlanValue &planned = result->plan.values[value];
    return ModelTensor{name.str(), planned.type, planned.shape, false};
  };
  for (BlockArgument argument : model.getBody().getArguments()) {
    result->plan.inputs.push_back(valueOf(argument));
    result->inputs.push_back(tensorOf(result->plan.inputs.back(), nameOf(argument)));
  }
  Operation *output = model.getBody().front().getTerminator();
  for (auto [name, value] : llvm::zip(model.getOutputs(), output->getOperands())) {
    result->plan.outputs.push_back(valueOf(value));
    result->outputs.push_back(tensorOf(result->plan.outputs.back(), cast<StringAttr>(name).getValue()));
    Value count = graph::countOf(value);
    result->plan.counts.push_back(count ? static_cast<int32_t>(valueOf(count)) : -1);
    result->outputs.back().rowsDependOnData = count != nullptr;
  }
}

PlanStep Planner::stepOf(Operation *op, PlanStep::Kind kind) {
  PlanStep step;
  step.kind = kind;
  for (Value operand : op->getOperands())
    step.operands.push_back(operand.getDefiningOp<graph::AbsentOp>() ? -1 : static_cast<int32_t>(valueOf(operand)));
  for (Value produced : op->getResults())
    step.results.push_back(valueOf(produced));
  return step;
}

bool Planner::addBranch(graph::BranchOp branch, Diagnostics &diagnostics) {
  std::vector<PlanStep> &steps = result->plan.steps;
  const size_t number = steps.size();
  steps.push_back(stepOf(branch, PlanStep::Branch));
  steps.back().node = branch.getName().value_or("").str().substr(0, 4096);
  if (!addSteps(branch.getThenSteps().front(), diagnostics))
    return false;
  steps[number].ifTrue = static_cast<uint32_t>(steps.size() - number - 1);
  if (!addSteps(branch.getElseSteps().front(), diagnostics))
    return false;
  steps[number].ifFalse = static_cast<uint32_t>(steps.size() - number - 1 - steps[number].ifTrue);
  return true;
}

void Planner::addHost(graph::HostOp host) {
  PlanStep step = stepOf(host, PlanStep::Host);
  step.node = host.getName().value_or("").str().substr(0, 4096);
  // A legal model: the runtime has the function.
  if (std::optional<HostCall> call = graph::hostCallOf(host)) {
    step.kernel = static_cast<uint32_t>(call->function);
    step.attributes = call->attributes;
  }
  result->plan.steps.push_back(std::move(step));
}

bool Planner::addSteps(Block &block, Diagnostics &diagnostics) {
  for (Operation &op : block) {
    if (auto instance = dyn_cast<graph::InstanceOp>(op)) {
      if (!addInstance(instance, diagnostics))
        return false;
    } else if (auto branch = dyn_cast<graph::BranchOp>(op)) {
      if (!addBranch(branch, diagnostics))
        return false;
    } else if (auto host = dyn_cast<graph::HostOp>(op)) {
      addHost(host);
    } else if (isa<graph::CopyOp, graph::JoinOp>(op)) {
      result->plan.steps.push_back(stepOf(&op, isa<graph::CopyOp>(op) ? PlanStep::Copy : PlanStep::Join));
    }
  }
  return true;
}

bool Planner::run(CompiledModel &compiled, Diagnostics &diagnostics) {
  result = &compiled;
  result->name = std::string(source.graph.name);
  result->plan.arenaBytes = static_cast<uint64_t>(model.getArena().value_or(0));
  addEnds();
  if (!addSteps(model.getBody().front(), diagnostics))
    return false;
  addWeights();
  result->plan.kernels = static_cast<uint32_t>(result->kernels.size());
  result->arenaLowerBound = static_cast<uint64_t>(model.getArenaBound().value_or(0));
  if (std::string why = checkPlan(result->plan); !why.empty()) {
    diagnostics.error(Code::E0900, {source.path}, "the plan of the model cannot be run: " + why);
    return false;
  }
  return true;
}

PipelineText modelPipeline(const std::string &stopAfter, const std::vector<std::string> &contracts) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  GraphPipelineOptions options;
  options.stopAfter = graphStopByName(stopAfter).value_or(GraphStop::Placed);
  options.contracts = contracts;
  return pipelineText("graph", context, [&](OpPassManager &passes) { buildGraphPipeline(passes, options); });
}

std::optional<CompiledModel> compileModel(const onnx::Model &model, const onnx::ContractSet &contracts,
                                          const ModelCompileOptions &options, Diagnostics &diagnostics) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DiagnosticBridge bridge(context, diagnostics, Code::E1011, {model.path, 0, 0});
  OwningOpRef<ModuleOp> module = importModel(model, context, options.hashes);
  PassManager passes(&context);
  GraphPipelineOptions pipeline;
  CompiledModel compiled;
  pipeline.set = &contracts;
  pipeline.report = &compiled.folded;
  if (options.run)
    pipeline.run = [&](graph::InstanceOp instance) { return runConstant(instance, contracts, options); };
  pipeline.stopAfter =
      options.legal ? GraphStop::Legal : graphStopByName(options.stopAfter).value_or(GraphStop::Placed);
  pipeline.legal = options.legal;
  buildGraphPipeline(passes, pipeline);
  size_t before = diagnostics.errorCount();
  if (failed(passes.run(*module))) {
    if (diagnostics.errorCount() == before)
      diagnostics.error(Code::E0900, {model.path, 0, 0}, "a pass on the model failed without a reason");
    return std::nullopt;
  }
  if (options.legal)
    return compiled;
  if (!options.stopAfter.empty()) {
    compiled.module = printModel(*module);
    return compiled;
  }
  Planner planner(*module->getOps<graph::ModelOp>().begin(), model, contracts, options);
  if (!planner.run(compiled, diagnostics))
    return std::nullopt;
  return compiled;
}

} // namespace opc
