// --graph-legalize. One walk in the order of the model does three things that need each other: a shape follows from a
// contract, shape arithmetic follows from a shape, and what a Reshape is follows from shape arithmetic.
//
//   node ─► known already?      ─► graph.constant
//        ─► matches a contract? ─► graph.instance
//        ─► one range of bytes? ─► graph.part, graph.join
//        ─► changes a shape?    ─► graph.view
//        ─► a function?         ─► its nodes, which the walk visits next
//        ─► a known condition?  ─► the nodes of the branch, likewise
//        ─► parts?              ─► simpler nodes (Decompose.h), likewise
//        ─► missing, and what depends on it is missing too where that is certain

#include "lowering/graph/Legalize.h"

#include "lowering/graph/Decompose.h"
#include "lowering/graph/Instances.h"
#include "lowering/graph/NodeFacts.h"
#include "lowering/graph/Passes.h"
#include "lowering/graph/Ranges.h"
#include "lowering/graph/ShapeArithmetic.h"
#include "lowering/graph/Views.h"
#include "ops/onnx/coverage/ContractSet.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace opc::graph {

#define GEN_PASS_DEF_LEGALIZEPASS
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Most bytes that the values of a model may have together: sums of them stay below 2^63.
static constexpr uint64_t kMostBytes = uint64_t(1) << 56;

/// Most elements of all constants that nodes say by a shape or a range: a file of weights has each of them, and a node
/// of a few bytes says millions.
static constexpr int64_t kMostMade = int64_t(1) << 26;

/// Most elements of a value that is computed at once when its operands are known: sizes may depend on it.
static constexpr int64_t kMostKnown = 4096;

/// Most nodes that functions may become: functions that call functions grow fast.
static constexpr size_t kMostInlined = size_t(1) << 16;

namespace {

class Legalizer {
public:
  Legalizer(ModelOp model, const onnx::FormIndex &forms, const RunInstance &run, LegalReport *report)
      : model(model), forms(forms), kernels(run), report(report), builder(model.getContext()) {}
  LogicalResult run();

private:
  void checkInputs();
  void legalize(NodeOp node);
  bool foldConstant(NodeOp node);
  bool findMatch(NodeOp node, bool isKnown, onnx::Match &found, std::string &reason);
  bool makeInstance(NodeOp node, std::string &reason);
  bool isMissing(NodeOp node, std::string &reason);
  void lookBehind(NodeOp node);
  std::string supplyOf(NodeOp node) { return onnx::supplyOf(facts.nodeOf(node), forms.operators()); }
  void addMissing(NodeOp node, const std::string &reason);
  void buildInstance(NodeOp node, const onnx::Match &match);
  bool makeView(NodeOp node, std::string &reason);
  bool makeRanges(NodeOp node);
  /// Whether the user has a contract for its operator, which then is asked first: the one of the user is chosen.
  bool isOfUser(NodeOp node) const {
    const std::vector<onnx::FormIndex::Entry> &entries = forms.find(node.getDomain().value_or(""), node.getOp());
    return !entries.empty() && entries.front().ofUser;
  }
  bool makeParts(NodeOp node);
  void inlineFunction(NodeOp node, FunctionOp function);
  bool chooseBranch(NodeOp node);
  bool dependsOnData(Value value);
  void refuseControlFlow(NodeOp node);
  FunctionOp findFunction(NodeOp node) const;
  /// Replaces a node by values; false after an error when the file states another type for one.
  bool replace(NodeOp node, ValueRange values);
  InFlightDiagnostic error(Operation *op, const char *rule) {
    hasFailed = true;
    return emitError(op->getLoc()) << "[" << rule << "] ";
  }
  int64_t opsetOf(NodeOp node);
  /// Counts the bytes of a value; false after an error when there are too many.
  bool count(Operation *op, Type type);
  void eraseDead();
  void reportMissing();
  void findFunctions();
  /// Which node of the file a node comes from, as reports name it.
  std::pair<std::string, std::string> originOf(NodeOp node);
  /// Says what became of a node; what is missing stays so.
  void note(const std::pair<std::string, std::string> &origin, LegalNode found);

  /// Nodes without a contract, of one operator and one reason.
  struct Missing {
    NodeOp first;
    std::string reason;
    size_t nodes = 0;
  };
  std::vector<Missing> missing;
  ModelOp model;
  const onnx::FormIndex &forms;
  const RunInstance &kernels;
  LegalReport *report;
  OpBuilder builder;
  NodeFacts facts;
  DenseMap<Operation *, std::pair<std::string, std::string>> origins; ///< of nodes that others became
  DenseMap<Operation *, DictionaryAttr> opsets;                       ///< of nodes that were in functions
  DenseSet<Value> unknown;                                            ///< results of nodes with an error
  DenseMap<std::pair<StringRef, StringRef>, FunctionOp> functions;    ///< of the module, by domain and name
  Operation *next = nullptr;                                          ///< the op that the walk visits next
  size_t inlined = 0;
  uint64_t bytes = 0;
  int64_t canMake = kMostMade; ///< elements
  bool hasFailed = false;
};

} // namespace

static bool isSettled(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && onnxElementType(tensor.getElementType()) != onnx::ElementType::Undefined;
}

/// A type of the file as people read it: "float32[1, N]".
static std::string typeText(Type type) {
  onnx::Fact fact;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return "no tensor of a known rank";
  fact.type = onnxElementType(tensor.getElementType());
  fact.shape.emplace();
  auto names = dyn_cast_or_null<DimsAttr>(tensor.getEncoding());
  for (auto [i, size] : llvm::enumerate(tensor.getShape())) {
    StringRef name = names ? names.getNames()[i].getValue() : StringRef();
    fact.shape->push_back(ShapedType::isDynamic(size) ? onnx::Dim{std::nullopt, {name.data(), name.size()}}
                                                      : onnx::Dim{size, {}});
  }
  return factText(fact);
}

/// The name of a node's first result that has one; empty when none has.
static std::string firstNameOf(NodeOp node) {
  for (Attribute name : node.getResultNames())
    if (auto text = cast<StringAttr>(name); !text.empty())
      return text.str();
  return {};
}

std::pair<std::string, std::string> Legalizer::originOf(NodeOp node) {
  if (auto known = origins.find(node); known != origins.end())
    return known->second;
  return {"", firstNameOf(node)};
}

void Legalizer::note(const std::pair<std::string, std::string> &origin, LegalNode found) {
  if (!report || origin.second.empty())
    return;
  auto [place, isNew] = report->try_emplace(origin, found);
  if (!isNew && (place->second.kind == LegalNode::Open || found.kind == LegalNode::Missing))
    place->second = std::move(found);
}

void Legalizer::checkInputs() {
  ArrayAttr names = model.getArgAttrsAttr();
  for (BlockArgument argument : model.getBody().getArguments()) {
    if (isSettled(argument.getType())) {
      if (!count(model, argument.getType()))
        unknown.insert(argument);
      continue;
    }
    auto name =
        names ? cast<DictionaryAttr>(names[argument.getArgNumber()]).getAs<StringAttr>("graph.name") : StringAttr();
    error(model, "legalize_c1") << "expects inputs to be tensors whose sizes are numbers, found '"
                                << (name ? name.getValue() : "?") << "' of " << typeText(argument.getType());
    unknown.insert(argument);
  }
}

int64_t Legalizer::opsetOf(NodeOp node) {
  auto own = opsets.find(node);
  DictionaryAttr versions = own == opsets.end() ? model.getOpsets() : own->second;
  StringRef domain = node.getDomain().value_or("ai.onnx");
  auto version = versions.getAs<IntegerAttr>(domain.empty() ? "ai.onnx" : domain);
  return version ? version.getInt() : 0;
}

bool Legalizer::count(Operation *op, Type type) {
  // A bound for elements of any type.
  uint64_t product = sizeof(double);
  auto tensor = cast<RankedTensorType>(type);
  bool isEmpty = false;
  for (int64_t each : tensor.getShape()) {
    isEmpty |= each == 0;
    const auto size = static_cast<uint64_t>(std::max<int64_t>(each, 1));
    product = product > kMostBytes / size ? kMostBytes : product * size;
  }
  // A size of 0 does not excuse others, which a view would multiply.
  bytes = std::min(kMostBytes, bytes + (isEmpty && product < kMostBytes ? 0 : product));
  if (bytes < kMostBytes)
    return true;
  error(op, "legalize_c7") << "expects values that memory holds, less than 2^56 bytes together, found one of "
                           << typeText(type);
  bytes = 0; // told once
  return false;
}

/// Whether what the file states of a value may be a type.
static bool agrees(Type stated, RankedTensorType found) {
  auto tensor = dyn_cast<TensorType>(stated);
  if (!tensor)
    return isa<UnknownType>(stated);
  if (!isa<UnknownType>(tensor.getElementType()) && tensor.getElementType() != found.getElementType())
    return false;
  if (!tensor.hasRank())
    return true;
  if (tensor.getRank() != found.getRank())
    return false;
  return llvm::all_of(llvm::zip(tensor.getShape(), found.getShape()), [](auto sizes) {
    return ShapedType::isDynamic(std::get<0>(sizes)) || std::get<0>(sizes) == std::get<1>(sizes);
  });
}

bool Legalizer::replace(NodeOp node, ValueRange values) {
  for (auto [result, value] : llvm::zip(node.getResults(), values)) {
    if (!value)
      continue;
    auto found = dyn_cast<RankedTensorType>(value.getType());
    if (found && !agrees(result.getType(), found)) {
      StringRef name = cast<StringAttr>(node.getResultNames()[result.getResultNumber()]).getValue();
      error(node, "legalize_c2") << "expects results as the file states them, found '" << name << "' of "
                                 << typeText(found) << " for " << typeText(result.getType()) << " at "
                                 << describe(node);
      return false;
    }
    if (found && !value.getDefiningOp<ConstantOp>() && !count(node, found))
      unknown.insert(value);
    if (unknown.contains(value))
      for (OpResult each : node->getResults())
        unknown.insert(each);
    result.replaceAllUsesWith(value);
  }
  node.erase();
  return true;
}

//===- constants --------------------------------------------------------------===//

/// The value of a Constant, however it is written; null for texts and sparse tensors.
static ElementsAttr valueOfConstant(NodeOp node) {
  Builder builder(node.getContext());
  DictionaryAttr parameters = node.getParametersAttr();
  if (!parameters || parameters.size() != 1)
    return {};
  StringRef name = parameters.getValue().front().getName();
  Attribute value = parameters.getValue().front().getValue();
  if (auto elements = dyn_cast<ElementsAttr>(value); elements && name == "value")
    return elements;
  if (auto real = dyn_cast<FloatAttr>(value); real && name == "value_float")
    return DenseElementsAttr::get(RankedTensorType::get({}, builder.getF32Type()), value);
  if (auto whole = dyn_cast<IntegerAttr>(value); whole && name == "value_int")
    return DenseElementsAttr::get(RankedTensorType::get({}, builder.getI64Type()), value);
  if (auto reals = dyn_cast<DenseF32ArrayAttr>(value); reals && name == "value_floats")
    return DenseElementsAttr::get(RankedTensorType::get({reals.size()}, builder.getF32Type()), reals.asArrayRef());
  if (auto wholes = dyn_cast<DenseI64ArrayAttr>(value); wholes && name == "value_ints")
    return DenseElementsAttr::get(RankedTensorType::get({wholes.size()}, builder.getI64Type()), wholes.asArrayRef());
  return {};
}

/// The value of a ConstantOfShape whose shape is known, of any type that is not packed, with at most `most` elements.
/// Null for others.
static ElementsAttr valueOfShape(NodeOp node, int64_t most) {
  if (node.getOp() != "ConstantOfShape" || node.getDomain().value_or("ai.onnx") != "ai.onnx" ||
      node.getNumOperands() != 1)
    return {};
  std::optional<SmallVector<int64_t>> sizes = integersOf(constantOf(node.getOperand(0)));
  if (!sizes || sizes->size() > kMostRank)
    return {};
  int64_t product = 1;
  for (int64_t size : *sizes) {
    if (size < 0 || (size != 0 && product > most / size))
      return {};
    product *= size;
  }
  DictionaryAttr parameters = node.getParametersAttr();
  auto value = parameters ? parameters.getAs<DenseIntOrFPElementsAttr>("value") : DenseIntOrFPElementsAttr();
  Builder builder(node.getContext());
  if (!parameters || !parameters.contains("value"))
    return DenseElementsAttr::get(RankedTensorType::get(*sizes, builder.getF32Type()), 0.0f);
  if (!value || value.getNumElements() != 1)
    return {};
  return value.reshape(RankedTensorType::get({}, value.getElementType()))
      .resizeSplat(RankedTensorType::get(*sizes, value.getElementType()));
}

/// The value of a Range of floats of 32 bits whose operands are known, with at most `most` elements. It has no kernel.
/// Null for others.
static ElementsAttr valueOfRange(NodeOp node, int64_t most) {
  if (node.getOp() != "Range" || node.getDomain().value_or("ai.onnx") != "ai.onnx" || node.getNumOperands() != 3)
    return {};
  float numbers[3];
  for (unsigned i = 0; i < 3; ++i) {
    ElementsAttr elements = constantOf(node.getOperand(i));
    if (!elements || elements.getShapedType().getNumElements() != 1 ||
        !elements.getShapedType().getElementType().isF32())
      return {};
    ConstantBytes bytes(elements);
    if (bytes.get().size() != sizeof(float))
      return {};
    std::memcpy(&numbers[i], bytes.get().data(), sizeof(float));
  }
  const double count = std::ceil((double(numbers[1]) - double(numbers[0])) / double(numbers[2]));
  if (!(count >= 0 && count <= static_cast<double>(most)))
    return {};
  std::vector<float> values;
  for (int64_t i = 0; i < static_cast<int64_t>(count); ++i)
    values.push_back(static_cast<float>(double(numbers[0]) + static_cast<double>(i) * double(numbers[2])));
  auto type = RankedTensorType::get(static_cast<int64_t>(values.size()), Float32Type::get(node.getContext()));
  return DenseElementsAttr::get(type, ArrayRef<float>(values));
}

bool Legalizer::foldConstant(NodeOp node) {
  bool isConstant = node.getOp() == "Constant" && node.getDomain().value_or("ai.onnx") == "ai.onnx";
  ElementsAttr value = isConstant ? valueOfConstant(node) : evaluateShapes(node);
  const bool isSaid = value != nullptr;
  if (!value)
    value = valueOfShape(node, canMake);
  if (!value)
    value = valueOfRange(node, canMake);
  if (!value || node.getNumResults() != 1)
    return false;
  if (!isSaid)
    canMake -= value.getNumElements();
  auto name = cast<StringAttr>(node.getResultNames()[0]);
  Value made = ConstantOp::create(builder, node.getLoc(), value.getShapedType(), name, value,
                                  /*overridable=*/false, PlaceAttr());
  note(originOf(node), {LegalNode::Constant, nullptr, "", ""});
  replace(node, made);
  return true;
}

//===- instances --------------------------------------------------------------===//

/// Whether a match says all that an instance needs: types and shapes, the value of each attribute that the node gives,
/// and an operand of the node for each result.
static bool isWhole(const onnx::Match &match, NodeOp node, std::string &reason) {
  auto no = [&](std::string why) {
    reason = "'" + match.contract->opType + "': " + std::move(why);
    return false;
  };
  for (const ContractTensor &output : match.contract->outputs)
    if (!llvm::is_contained(match.form->outputs, output.name))
      return no("its form in ONNX lacks the output '" + output.name + "'");
  for (const onnx::Fact &fact : match.results)
    if (!fact.sizes() || fact.type == onnx::ElementType::Undefined)
      return no("the shape of a result does not follow");
  if (!match.isCertain)
    return no("types or shapes are not known");
  for (auto [i, operand] : llvm::enumerate(match.form->inputs)) {
    bool given = i < node.getNumOperands() && !node.getOperand(static_cast<unsigned>(i)).getDefiningOp<AbsentOp>();
    if (given && match.contract->findAttribute(operand.name) && match.attributes.count(operand.name) == 0)
      return no("the constant of '" + operand.name + "' cannot be read");
  }
  return true;
}

/// The contract that computes a node. With `isKnown` the types and shapes of all operands are known, and a match is
/// whole; without it a match is one that holds if they fit. False with a reason; without one no contract names the
/// operator.
bool Legalizer::findMatch(NodeOp node, bool isKnown, onnx::Match &found, std::string &reason) {
  onnx::Node plain = facts.nodeOf(node);
  std::vector<onnx::Fact> operands, results(plain.outputs.size());
  for (Value operand : node.getOperands())
    operands.push_back(unknown.contains(operand) ? onnx::Fact() : facts.factOf(operand));
  for (size_t i = 0; i < results.size(); ++i)
    if (auto stated = dyn_cast<TensorType>(node.getResult(static_cast<unsigned>(i)).getType()))
      results[i].type = onnxElementType(stated.getElementType());
  const onnx::Model none;
  int64_t opset = opsetOf(node);
  std::string ofThisOpset;
  for (const onnx::FormIndex::Entry &entry : forms.find(plain.domain, plain.op)) {
    onnx::Match match = matchForm(*entry.contract, *entry.form, none, plain, opset, operands, results);
    std::string why;
    if (match.contract && (!isKnown || isWhole(match, node, why))) {
      found = std::move(match);
      return true;
    }
    if (!match.contract)
      why = "'" + entry.contract->opType + "': " + match.reason;
    // Among several forms the one of the node's opset says most.
    bool isOfOpset = opset >= entry.form->since && opset <= entry.form->until;
    if (reason.empty() || (ofThisOpset.empty() && isOfOpset))
      reason = why;
    if (isOfOpset)
      ofThisOpset = why;
  }
  return false;
}

bool Legalizer::makeInstance(NodeOp node, std::string &reason) {
  onnx::Match match;
  if (!findMatch(node, /*isKnown=*/true, match, reason))
    return false;
  note(originOf(node), {LegalNode::Instance, match.contract, "", ""});
  buildInstance(node, match);
  return true;
}

/// Whether nothing will compute a node of unknown operands, whatever they are; then why.
bool Legalizer::isMissing(NodeOp node, std::string &reason) {
  onnx::Match match;
  bool isConstant = node.getOp() == "Constant" && node.getDomain().value_or("ai.onnx") == "ai.onnx";
  if (isConstant || isView(node) || mayDecompose(node) || !node.getBodies().empty() || findFunction(node) ||
      findMatch(node, /*isKnown=*/false, match, reason))
    return false;
  // What may be shape arithmetic is not missing, nor what is a constant once sizes are known.
  auto first = node.getNumOperands() != 0 ? dyn_cast<TensorType>(node.getOperand(0).getType()) : TensorType();
  const bool readsShape = node.getOp() == "Shape" || node.getOp() == "Size" || node.getOp() == "Range";
  return !(mayComputeShapes(node) && (readsShape || !(first && isa<FloatType>(first.getElementType()))));
}

/// Looks at a node behind one that is missing: all that is missing is told at once, as far as it is sure.
void Legalizer::lookBehind(NodeOp node) {
  for (OpResult result : node->getResults())
    unknown.insert(result);
  std::string reason;
  if (isMissing(node, reason))
    return addMissing(node, reason);
  if (!node.getBodies().empty() &&
      (node.getOp() != "If" || llvm::any_of(node.getOperands(), [&](Value each) { return dependsOnData(each); })))
    return refuseControlFlow(node);
  note(originOf(node), {LegalNode::Open, nullptr, "", ""});
  // A branch may not be taken: its nodes are for the report alone.
  if (report)
    for (Region &body : node.getBodies())
      body.walk([&](NodeOp inner) {
        std::string why;
        if (isMissing(inner, why))
          note(originOf(inner), {LegalNode::Missing, nullptr, why, supplyOf(inner)});
        else
          note(originOf(inner), {LegalNode::Open, nullptr, "", ""});
      });
}

void Legalizer::buildInstance(NodeOp node, const onnx::Match &match) {
  SmallVector<Value> operands(node.getOperands());
  SmallVector<Attribute> names(node.getResultNames().begin(), node.getResultNames().end());
  InstanceOp made = createInstance(builder, node.getLoc(), match, operands, names, node.getNameAttr());
  SmallVector<Value> values(node.getNumResults());
  for (auto [result, output] : llvm::zip(made.getResults(), match.contract->outputs))
    values[static_cast<size_t>(llvm::find(match.form->outputs, output.name) - match.form->outputs.begin())] = result;
  const bool isWhole = replace(node, values);
  // Sizes may be computed from these, by floats too.
  const bool isSmall = llvm::all_of(made.getResults(), [](Value result) {
    return cast<RankedTensorType>(result.getType()).getNumElements() <= kMostKnown;
  });
  if (isWhole && isSmall)
    replaceByConstants(builder, made, kernels);
}

//===- views ------------------------------------------------------------------===//

bool Legalizer::makeView(NodeOp node, std::string &reason) {
  if (!isView(node))
    return false;
  std::optional<SmallVector<int64_t>> shape = viewShape(node, reason);
  if (!shape)
    return false;
  Value operand = node.getOperand(0);
  auto from = cast<RankedTensorType>(operand.getType());
  auto to = RankedTensorType::get(*shape, from.getElementType());
  Value made;
  // A constant of another shape is a constant.
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(constantOf(operand)))
    made = ConstantOp::create(builder, node.getLoc(), to, cast<StringAttr>(node.getResultNames()[0]),
                              DenseResourceElementsAttr::get(to, resource.getRawHandle()), false, PlaceAttr());
  else if (auto dense = dyn_cast_or_null<DenseIntOrFPElementsAttr>(constantOf(operand)))
    made = ConstantOp::create(builder, node.getLoc(), to, cast<StringAttr>(node.getResultNames()[0]), dense.reshape(to),
                              false, PlaceAttr());
  else
    made = to == from ? operand : Value(ViewOp::create(builder, node.getLoc(), to, operand));
  note(originOf(node), {LegalNode::View, nullptr, "", ""});
  // The mask of a Dropout, which nobody reads, has no value.
  SmallVector<Value> values(node.getNumResults());
  values[0] = made;
  replace(node, values);
  return true;
}

//===- ranges -----------------------------------------------------------------===//

bool Legalizer::makeRanges(NodeOp node) {
  SmallVector<Value> made;
  if (!rangesOf(node, builder, made))
    return false;
  for (Value &value : made)
    if (isRangeOfConstants(value.getDefiningOp()) &&
        cast<RankedTensorType>(value.getType()).getNumElements() <= kMostKnown)
      value = replaceRange(builder, value.getDefiningOp());
  note(originOf(node), {LegalNode::View, nullptr, "", ""});
  replace(node, made);
  return true;
}

//===- parts ------------------------------------------------------------------===//

/// Nodes that contracts compute together, which the walk visits next.
bool Legalizer::makeParts(NodeOp node) {
  Operation *before = node->getPrevNode(), *behind = node->getNextNode();
  const auto origin = originOf(node);
  if (!decompose(node, builder))
    return false;
  next = before ? before->getNextNode() : &model.getBody().front().front();
  auto opset = builder.getDictionaryAttr(builder.getNamedAttr("ai.onnx", builder.getI64IntegerAttr(kDecomposedOpset)));
  for (Operation *op = next; op != behind; op = op->getNextNode())
    if (isa<NodeOp>(op)) {
      opsets[op] = opset;
      origins[op] = origin;
    }
  note(origin, {LegalNode::Parts, nullptr, "", ""});
  return true;
}

//===- functions --------------------------------------------------------------===//

static std::pair<StringRef, StringRef> keyOf(StringRef domain, StringRef op) {
  return {domain == "ai.onnx" ? StringRef() : domain, op};
}

void Legalizer::findFunctions() {
  for (auto function : model->getParentOfType<ModuleOp>().getOps<FunctionOp>()) {
    auto [place, isNew] = functions.try_emplace(keyOf(function.getDomain(), function.getName()), function);
    if (!isNew)
      place->second = {}; // overloads, which a node cannot name
  }
}

FunctionOp Legalizer::findFunction(NodeOp node) const {
  return functions.lookup(keyOf(node.getDomain().value_or(""), node.getOp()));
}

/// Puts the values of a call in the place of references; those that neither the call nor a default gives go away.
static void bindReferences(NodeOp node, const NamedAttrList &values) {
  if (!node.getParametersAttr())
    return;
  SmallVector<NamedAttribute> parameters;
  for (NamedAttribute own : node.getParametersAttr()) {
    auto reference = dyn_cast<ReferenceAttr>(own.getValue());
    if (!reference)
      parameters.push_back(own);
    else if (Attribute value = values.get(reference.getName().getValue()))
      parameters.emplace_back(own.getName(), value);
  }
  node.setParametersAttr(DictionaryAttr::get(node.getContext(), parameters));
}

void Legalizer::inlineFunction(NodeOp node, FunctionOp function) {
  NamedAttrList values;
  for (NamedAttribute own : function.getParameters())
    if (!isa<UnitAttr>(own.getValue()))
      values.set(own.getName(), own.getValue());
  if (node.getParametersAttr())
    for (NamedAttribute own : node.getParametersAttr())
      values.set(own.getName(), own.getValue());
  IRMapping mapping;
  for (BlockArgument argument : function.getBody().getArguments())
    mapping.map(argument, argument.getArgNumber() < node.getNumOperands()
                              ? node.getOperand(argument.getArgNumber())
                              : Value(AbsentOp::create(builder, node.getLoc(), builder.getNoneType())));
  note(originOf(node), {LegalNode::Call, nullptr, "", ""});
  Operation *before = node->getPrevNode();
  std::string prefix = (node.getName().value_or("").empty() ? node.getOp() : *node.getName()).str() + "/";
  for (Operation &op : function.getBody().front().without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    // What is in branches counts: it may become the model's.
    copy->walk([&](Operation *) { ++inlined; });
    copy->walk([&](NodeOp own) {
      bindReferences(own, values);
      // Not its origin: an erased node that was at this address may have left one.
      origins[own] = {function.getName().str(), firstNameOf(own)};
      opsets[own] = function.getOpsets();
    });
    if (auto own = dyn_cast<NodeOp>(copy)) {
      SmallVector<Attribute> names;
      for (Attribute name : own.getResultNames())
        names.push_back(builder.getStringAttr(prefix + cast<StringAttr>(name).getValue()));
      own.setResultNamesAttr(builder.getArrayAttr(names));
      own.setName(prefix + own.getName().value_or(own.getOp()).str());
    }
  }
  Operation *first = before ? before->getNextNode() : &model.getBody().front().front();
  next = first == node ? node->getNextNode() : first;
  SmallVector<Value> results;
  for (Value output : function.getBody().front().getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(output));
  results.resize(node.getNumResults());
  // Their types follow when their nodes are visited.
  for (auto [result, value] : llvm::zip(node.getResults(), results))
    if (value)
      result.replaceAllUsesWith(value);
  node.erase();
}

//===- branches ---------------------------------------------------------------===//

/// Whether a value depends on more than the sizes of the inputs.
bool Legalizer::dependsOnData(Value value) {
  llvm::SmallSetVector<Value, 16> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (isa<BlockArgument>(values[i]))
      return true;
    Operation *op = values[i].getDefiningOp();
    auto node = dyn_cast<NodeOp>(op);
    if (node && (node.getOp() == "Shape" || node.getOp() == "Size") &&
        node.getDomain().value_or("ai.onnx") == "ai.onnx")
      continue;
    values.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

void Legalizer::refuseControlFlow(NodeOp node) {
  const bool isIf = node.getOp() == "If";
  const bool isDamaged = isIf && node.getNumOperands() == 1 && constantOf(node.getOperand(0));
  const std::string why = isDamaged
                              ? "its condition is known, but its branch is missing, has inputs, or has not its results"
                          : isIf ? "its condition is computed while the model runs"
                                 : "it repeats its graph while the model runs";
  const std::string fix =
      isDamaged ? "export the model again"
      : isIf    ? "a condition that is a constant, or follows from sizes, chooses the branch while compiling; "
                  "export the model without the other branch"
                : "export the model with the steps written out, one behind the other";
  InFlightDiagnostic told = error(node, "legalize_c5");
  told << "expects no control flow, found " << describe(node) << ": " << why;
  told.attachNote() << "fix: " << fix;
  note(originOf(node), {LegalNode::Missing, nullptr, why, fix});
}

/// Puts the branch of an If whose condition is known in its place.
bool Legalizer::chooseBranch(NodeOp node) {
  if (node.getOp() != "If" || node.getDomain().value_or("ai.onnx") != "ai.onnx" || node.getNumOperands() != 1 ||
      !node.getGraphs())
    return false;
  std::optional<SmallVector<int64_t>> condition = integersOf(constantOf(node.getOperand(0)));
  if (!condition || condition->size() != 1)
    return false;
  StringRef wanted = condition->front() != 0 ? "then_branch" : "else_branch";
  for (auto [name, body] : llvm::zip(*node.getGraphs(), node.getBodies())) {
    // A branch has no inputs; what a file gives it as one has no value.
    if (cast<StringAttr>(name).getValue() != wanted || body.getNumArguments() != 0 ||
        body.front().getTerminator()->getNumOperands() != node.getNumResults())
      continue;
    for (auto [result, value] : llvm::zip(node.getResults(), body.front().getTerminator()->getOperands()))
      if (auto found = dyn_cast<RankedTensorType>(value.getType());
          found && found.hasStaticShape() && !agrees(result.getType(), found))
        error(node, "legalize_c2") << "expects results as the file states them, found " << typeText(found) << " for "
                                   << typeText(result.getType()) << " at " << describe(node);
    note(originOf(node), {LegalNode::Call, nullptr, "", ""});
    Block &branch = body.front();
    SmallVector<Value> results(branch.getTerminator()->getOperands());
    if (auto own = opsets.find(node); own != opsets.end())
      branch.walk([&, opset = own->second](NodeOp inner) { opsets[inner] = opset; });
    Operation *before = node->getPrevNode();
    branch.getTerminator()->erase();
    node->getBlock()->getOperations().splice(node->getIterator(), branch.getOperations());
    Operation *first = before ? before->getNextNode() : &model.getBody().front().front();
    next = first == node ? node->getNextNode() : first;
    // Their types follow when their nodes are visited.
    node->replaceAllUsesWith(results);
    node.erase();
    return true;
  }
  return false;
}

//===- the walk ---------------------------------------------------------------===//

void Legalizer::legalize(NodeOp node) {
  const bool isKnown = llvm::none_of(node.getOperands(), [&](Value operand) { return unknown.contains(operand); });
  std::string reason;
  onnx::Match match;
  if (isKnown && node.getBodies().empty() &&
      (foldConstant(node) || (!isOfUser(node) && makeRanges(node)) || makeInstance(node, reason) || makeRanges(node) ||
       makeView(node, reason)))
    return;
  if (isKnown && chooseBranch(node))
    return;
  if (FunctionOp function = node.getBodies().empty() ? findFunction(node) : FunctionOp();
      function && (isKnown || !findMatch(node, /*isKnown=*/false, match, reason))) {
    if (inlined < kMostInlined)
      return inlineFunction(node, function);
    error(node, "legalize_c6") << "expects functions to be at most " << kMostInlined << " nodes, found more at "
                               << describe(node);
    next = nullptr;
    return;
  }
  if (!isKnown)
    return lookBehind(node);
  if (makeParts(node))
    return;
  for (OpResult result : node->getResults())
    unknown.insert(result);
  if (!node.getBodies().empty()) {
    refuseControlFlow(node);
  } else if (isView(node)) {
    error(node, "legalize_c4") << "expects the shape of a view to be known, found " << describe(node) << ": " << reason;
  } else {
    addMissing(node, reason);
  }
}

void Legalizer::addMissing(NodeOp node, const std::string &reason) {
  const std::string why = reason.empty() ? "no contract has it under 'onnx'" : reason;
  if (report)
    note(originOf(node), {LegalNode::Missing, nullptr, why, supplyOf(node)});
  auto same = llvm::find_if(missing, [&](Missing &each) {
    return each.first.getOp() == node.getOp() && each.first.getDomainAttr() == node.getDomainAttr() &&
           each.reason == why;
  });
  if (same == missing.end())
    same = missing.insert(missing.end(), {node, why, 0});
  ++same->nodes;
}

void Legalizer::reportMissing() {
  for (const Missing &each : missing) {
    NodeOp node = each.first;
    InFlightDiagnostic told = error(node, "legalize_c3");
    told << "expects a contract for each node, found none for " << describe(node);
    if (each.nodes > 1)
      told << " and " << each.nodes - 1 << " more";
    told << ": " << each.reason;
    told.attachNote() << "fix: " << supplyOf(node);
  }
}

void Legalizer::eraseDead() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(model.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

LogicalResult Legalizer::run() {
  checkInputs();
  findFunctions();
  Block &block = model.getBody().front();
  for (Operation *op = &block.front(); op; op = next) {
    next = op->getNextNode();
    builder.setInsertionPoint(op);
    if (auto node = dyn_cast<NodeOp>(op))
      legalize(node);
  }
  reportMissing();
  if (hasFailed)
    return failure();
  eraseDead();
  auto outputs = cast<OutputOp>(block.getTerminator());
  for (auto [name, value] : llvm::zip(model.getOutputs(), outputs.getValues()))
    if (!isSettled(value.getType()))
      error(outputs, "legalize_c1") << "expects outputs to be tensors whose sizes are numbers, found "
                                    << cast<StringAttr>(name) << " of " << typeText(value.getType());
  if (hasFailed)
    return failure();
  model.setPhaseAttr(PhaseAttr::get(model.getContext(), Phase::Legal));
  return success();
}

namespace {

struct LegalizePass : opc::graph::impl::LegalizePassBase<LegalizePass> {
  using LegalizePassBase::LegalizePassBase;
  LegalizePass(const onnx::FormIndex &forms, RunInstance run, LegalReport *report)
      : given(&forms), kernels(std::move(run)), report(report) {}

  void runOnOperation() override {
    onnx::ContractSet read;
    Diagnostics diagnostics;
    const onnx::FormIndex *forms = given;
    if (!forms) {
      for (const std::string &folder : contracts)
        if (!read.addFolder(folder, /*ofUser=*/true, diagnostics)) {
          getOperation().emitError() << diagnostics.all().back().message;
          return signalPassFailure();
        }
      forms = &read.forms();
    }
    bool all = true;
    for (auto model : getOperation().getOps<ModelOp>())
      if (model.getPhase().getValue() == Phase::Imported)
        all &= succeeded(Legalizer(model, *forms, kernels, report).run());
    if (!all)
      return signalPassFailure();
    // Functions are in the models now.
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<FunctionOp>()))
      function.erase();
  }

  const onnx::FormIndex *given = nullptr;
  RunInstance kernels;
  LegalReport *report = nullptr;
};

} // namespace

std::unique_ptr<Pass> opc::graph::createLegalizePass(const onnx::FormIndex &forms, RunInstance run,
                                                     LegalReport *report) {
  return std::make_unique<LegalizePass>(forms, std::move(run), report);
}
