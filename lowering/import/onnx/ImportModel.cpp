#include "lowering/import/onnx/ImportModel.h"

#include "dialect/graph/GraphOps.h"
#include "lowering/import/onnx/ModelTypes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <unordered_map>

using namespace mlir;

namespace opc {

namespace {

/// Values of one graph by name; names of the graphs around it are found through `outer`.
struct Values {
  const Values *outer = nullptr;
  std::unordered_map<std::string_view, Value> known;

  Value find(std::string_view name) const {
    for (const Values *values = this; values; values = values->outer)
      if (auto found = values->known.find(name); found != values->known.end())
        return found->second;
    return {};
  }
};

/// Types that a graph states for its values, by name.
using Stated = std::unordered_map<std::string_view, const std::optional<onnx::Type> *>;

class Importer {
public:
  Importer(const onnx::Model &model, MLIRContext *context, ConstantHashes *hashes)
      : model(model), context(context), builder(context), constants(model, context, hashes) {}
  OwningOpRef<ModuleOp> run();

private:
  void importModelOp();
  void importFunction(const onnx::Function &function);
  /// Fills a block that has the inputs as arguments already.
  void importGraph(const onnx::Graph &graph, Values &values);
  void importNodes(const std::vector<onnx::Node> &nodes, Values &values, const Stated &stated);
  void importNode(const onnx::Node &node, Values &values, const Stated &stated);
  void importSubgraph(const onnx::Graph &graph, Region &region, const Values &outer);
  Attribute attributeOf(const onnx::Attribute &attribute);
  Value absent(Location location);
  DictionaryAttr opsets(const std::vector<onnx::OpsetImport> &imports);
  ArrayAttr names(ArrayRef<std::string_view> all);
  Location locationOf(const onnx::Node &node);
  StringAttr text(std::string_view value) { return textOf(value, context); }

  const onnx::Model &model;
  MLIRContext *context;
  OpBuilder builder;
  Constants constants;
};

} // namespace

static Stated statedTypes(const std::vector<onnx::Value> &outputs, const std::vector<onnx::Value> &values) {
  Stated stated;
  for (const onnx::Value &value : outputs)
    stated.emplace(value.name, &value.type);
  for (const onnx::Value &value : values)
    stated.emplace(value.name, &value.type);
  return stated;
}

Location Importer::locationOf(const onnx::Node &node) {
  std::string name = node.name.empty() ? "#" + std::to_string(node.index) : std::string(node.name);
  return NameLoc::get(StringAttr::get(context, name));
}

DictionaryAttr Importer::opsets(const std::vector<onnx::OpsetImport> &imports) {
  SmallVector<NamedAttribute> versions;
  for (const onnx::OpsetImport &import : imports)
    // A dictionary has no empty keys.
    versions.emplace_back(text(import.domain.empty() ? "ai.onnx" : import.domain),
                          builder.getI64IntegerAttr(import.version));
  return builder.getDictionaryAttr(versions);
}

ArrayAttr Importer::names(ArrayRef<std::string_view> all) {
  SmallVector<Attribute> list;
  for (std::string_view name : all)
    list.push_back(text(name));
  return builder.getArrayAttr(list);
}

Value Importer::absent(Location location) {
  return graph::AbsentOp::create(builder, location, builder.getNoneType());
}

/// An attribute other than a graph: numbers, texts, tensors, types, references.
Attribute Importer::attributeOf(const onnx::Attribute &attribute) {
  using A = onnx::Attribute;
  if (!attribute.reference.empty())
    return graph::ReferenceAttr::get(context, text(attribute.reference));
  SmallVector<Attribute> list;
  switch (attribute.kind) {
  case A::Float:
    return builder.getF32FloatAttr(attribute.floats.front());
  case A::Int:
    return builder.getI64IntegerAttr(attribute.ints.front());
  case A::String:
    return text(attribute.strings.front());
  case A::Floats:
    return builder.getDenseF32ArrayAttr(attribute.floats);
  case A::Ints:
    return builder.getDenseI64ArrayAttr(attribute.ints);
  case A::Strings:
    return names(attribute.strings);
  case A::TensorValue:
    return constants.elements(attribute.tensors.front());
  case A::SparseTensorValue:
    return constants.sparse(attribute.sparseTensors.front());
  case A::TypeValue:
    return TypeAttr::get(valueType(attribute.types.front(), context));
  case A::Tensors:
    for (const onnx::Tensor &tensor : attribute.tensors)
      list.push_back(constants.elements(tensor));
    return builder.getArrayAttr(list);
  case A::SparseTensors:
    for (const onnx::SparseTensor &tensor : attribute.sparseTensors)
      list.push_back(constants.sparse(tensor));
    return builder.getArrayAttr(list);
  case A::Types:
    for (const onnx::Type &type : attribute.types)
      list.push_back(TypeAttr::get(valueType(type, context)));
    return builder.getArrayAttr(list);
  case A::Undefined:
  case A::GraphValue:
  case A::Graphs:
    break;
  }
  return builder.getUnitAttr();
}

void Importer::importSubgraph(const onnx::Graph &graph, Region &region, const Values &outer) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&region);
  Values values;
  values.outer = &outer;
  for (const onnx::Value &input : graph.inputs)
    values.known[input.name] = block->addArgument(valueType(input.type, context), NameLoc::get(text(input.name)));
  importGraph(graph, values);
}

void Importer::importNode(const onnx::Node &node, Values &values, const Stated &stated) {
  Location location = locationOf(node);
  SmallVector<Value> operands;
  for (std::string_view name : node.inputs)
    operands.push_back(name.empty() ? absent(location) : values.find(name));
  SmallVector<Type> types;
  for (std::string_view name : node.outputs) {
    auto type = stated.find(name);
    types.push_back(type == stated.end() ? graph::UnknownType::get(context) : valueType(*type->second, context));
  }
  SmallVector<NamedAttribute> parameters;
  SmallVector<Attribute> graphNames;
  std::vector<const onnx::Graph *> graphs;
  for (const onnx::Attribute &attribute : node.attributes) {
    bool isGraph = attribute.kind == onnx::Attribute::GraphValue || attribute.kind == onnx::Attribute::Graphs;
    if (!isGraph || !attribute.reference.empty())
      parameters.emplace_back(text(attribute.name), attributeOf(attribute));
    for (const onnx::Graph &graph : attribute.graphs) {
      graphNames.push_back(text(attribute.name));
      graphs.push_back(&graph);
    }
  }
  auto made = graph::NodeOp::create(
      builder, location, types, text(node.op), node.domain.empty() ? StringAttr() : text(node.domain), operands,
      names(node.outputs), node.name.empty() ? StringAttr() : text(node.name),
      parameters.empty() ? DictionaryAttr() : builder.getDictionaryAttr(parameters),
      graphNames.empty() ? ArrayAttr() : builder.getArrayAttr(graphNames), static_cast<unsigned>(graphs.size()));
  for (size_t i = 0; i < graphs.size(); ++i)
    importSubgraph(*graphs[i], made.getBodies()[i], values);
  for (auto [name, result] : llvm::zip(node.outputs, made.getResults()))
    if (!name.empty())
      values.known[name] = result;
}

void Importer::importNodes(const std::vector<onnx::Node> &nodes, Values &values, const Stated &stated) {
  for (const onnx::Node &node : nodes)
    importNode(node, values, stated);
}

void Importer::importGraph(const onnx::Graph &graph, Values &values) {
  auto addConstant = [&](std::string_view name, Attribute value) {
    Location location = NameLoc::get(text(name));
    bool isInput = values.known.count(name) != 0;
    Type type = isa<ElementsAttr>(value)
                    ? Type(cast<ElementsAttr>(value).getShapedType())
                    : Type(graph::SparseTensorType::get(context, cast<graph::SparseAttr>(value).getType()));
    bool overridable =
        isInput || llvm::any_of(graph.inputs, [&](const onnx::Value &input) { return input.name == name; });
    values.known[name] =
        graph::ConstantOp::create(builder, location, type, text(name), value, overridable, graph::PlaceAttr());
  };
  for (const onnx::Tensor &tensor : graph.initializers)
    addConstant(tensor.name, constants.elements(tensor));
  for (const onnx::SparseTensor &tensor : graph.sparseInitializers)
    addConstant(tensor.values.name, constants.sparse(tensor));
  importNodes(graph.nodes, values, statedTypes(graph.outputs, graph.values));
  SmallVector<Value> outputs;
  for (const onnx::Value &output : graph.outputs)
    outputs.push_back(values.find(output.name));
  graph::OutputOp::create(builder, builder.getUnknownLoc(), outputs);
}

/// Makes a symbol name from a name of the file; MLIR quotes names that are not identifiers.
static std::string symbolName(std::string_view name, const char *otherwise) {
  return name.empty() ? std::string(otherwise) : std::string(name);
}

void Importer::importModelOp() {
  const onnx::Graph &graph = model.graph;
  SmallVector<Attribute> argumentNames;
  SmallVector<std::string_view> outputs;
  for (const onnx::Value &output : graph.outputs)
    outputs.push_back(output.name);
  SmallVector<NamedAttribute> metadata;
  llvm::StringMap<bool> seen;
  for (auto [key, value] : model.metadata)
    if (!key.empty() && seen.try_emplace(StringRef(key.data(), key.size()), true).second)
      metadata.emplace_back(text(key), text(value));
  auto made = graph::ModelOp::create(
      builder, builder.getUnknownLoc(), text(symbolName(graph.name, "model")), opsets(model.opsets), names(outputs),
      graph::PhaseAttr::get(context, graph::Phase::Imported), ArrayAttr(),
      metadata.empty() ? DictionaryAttr() : builder.getDictionaryAttr(metadata), IntegerAttr(), IntegerAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&made.getBody());
  std::unordered_map<std::string_view, bool> isConstant;
  for (const onnx::Tensor &tensor : graph.initializers)
    isConstant[tensor.name] = true;
  for (const onnx::SparseTensor &tensor : graph.sparseInitializers)
    isConstant[tensor.values.name] = true;
  Values values;
  for (const onnx::Value &input : graph.inputs) {
    if (isConstant.count(input.name) != 0)
      continue;
    values.known[input.name] = block->addArgument(valueType(input.type, context), NameLoc::get(text(input.name)));
    argumentNames.push_back(
        builder.getDictionaryAttr(builder.getNamedAttr(graph::GraphDialect::kNameAttr, text(input.name))));
  }
  if (!argumentNames.empty())
    made.setArgAttrsAttr(builder.getArrayAttr(argumentNames));
  importGraph(graph, values);
}

void Importer::importFunction(const onnx::Function &function) {
  SmallVector<NamedAttribute> parameters;
  llvm::StringMap<bool> seen;
  auto add = [&](std::string_view name, Attribute value) {
    if (!name.empty() && seen.try_emplace(StringRef(name.data(), name.size()), true).second)
      parameters.emplace_back(text(name), value);
  };
  for (const onnx::Attribute &attribute : function.attributeDefaults)
    add(attribute.name, attributeOf(attribute));
  for (std::string_view name : function.attributes)
    add(name, builder.getUnitAttr());
  std::string symbol = (function.domain.empty() ? "" : std::string(function.domain) + ".") +
                       std::string(function.name) +
                       (function.overload.empty() ? "" : "." + std::string(function.overload));
  SmallVector<std::string_view> outputs(function.outputs.begin(), function.outputs.end());
  auto made = graph::FunctionOp::create(builder, builder.getUnknownLoc(), text(symbol), text(function.name),
                                        text(function.domain), opsets(function.opsets), names(outputs),
                                        builder.getDictionaryAttr(parameters), ArrayAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&made.getBody());
  Stated stated = statedTypes({}, function.values);
  Values values;
  SmallVector<Attribute> argumentNames;
  for (std::string_view input : function.inputs) {
    auto type = stated.find(input);
    Type known = type == stated.end() ? graph::UnknownType::get(context) : valueType(*type->second, context);
    values.known[input] = block->addArgument(known, NameLoc::get(text(input)));
    argumentNames.push_back(
        builder.getDictionaryAttr(builder.getNamedAttr(graph::GraphDialect::kNameAttr, text(input))));
  }
  if (!argumentNames.empty())
    made.setArgAttrsAttr(builder.getArrayAttr(argumentNames));
  importNodes(function.nodes, values, stated);
  SmallVector<Value> results;
  for (std::string_view name : function.outputs)
    results.push_back(values.find(name));
  graph::OutputOp::create(builder, builder.getUnknownLoc(), results);
}

OwningOpRef<ModuleOp> Importer::run() {
  context->loadDialect<graph::GraphDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToStart(module->getBody());
  for (const onnx::Function &function : model.functions)
    importFunction(function);
  importModelOp();
  return module;
}

OwningOpRef<ModuleOp> importModel(const onnx::Model &model, MLIRContext &context, ConstantHashes *hashes) {
  return Importer(model, &context, hashes).run();
}

std::string printModel(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().elideLargeResourceString(0));
  // The printer prints an empty section for elided contents.
  StringRef shown = StringRef(text).rtrim();
  if (shown.consume_back("{-#\n\n#-}"))
    shown = shown.rtrim();
  return shown.str() + "\n";
}

} // namespace opc
