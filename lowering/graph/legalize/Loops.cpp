// Peels loops whose condition is known before each of their steps: the nodes of one step are inserted before the Loop,
// and the remaining Loop reads their values. The walk visits it again after these nodes.
//
//   Loop(most, condition, carried..., scanned...)      `scanned` are the values of the steps so far, one list a result

#include "lowering/graph/legalize/Legalizer.h"

#include "lowering/graph/legalize/parts/Decompose.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

namespace {

/// The form of a Loop, from its body: carried values, and values that each step produces.
struct LoopForm {
  Block *body;
  size_t carried, scanned;
};

} // namespace

/// nullopt for other nodes, or a Loop that breaks its rules. `done` steps have values among the operands.
static std::optional<LoopForm> formOf(NodeOp node, size_t done) {
  if (node.getOp() != "Loop" || node.getDomain().value_or("ai.onnx") != "ai.onnx" || node.getBodies().size() != 1 ||
      node.getNumOperands() < 2)
    return std::nullopt;
  LoopForm form{&node.getBodies().front().front(), 0, 0};
  const size_t arguments = form.body->getNumArguments(), results = node.getNumResults();
  if (arguments < 2 || arguments - 2 > results || form.body->getTerminator()->getNumOperands() != 1 + results)
    return std::nullopt;
  form.carried = arguments - 2;
  form.scanned = results - form.carried;
  return node.getNumOperands() == 2 + form.carried + done * form.scanned ? std::optional(form) : std::nullopt;
}

/// The number of a constant operand; `otherwise` if it is omitted, nullopt if it is computed at run time.
static std::optional<int64_t> knownNumber(Value operand, int64_t otherwise) {
  if (operand.getDefiningOp<AbsentOp>())
    return otherwise;
  std::optional<SmallVector<int64_t>> values = integersOf(constantOf(operand));
  return values && values->size() == 1 ? std::optional(values->front()) : std::nullopt;
}

/// The values of all steps behind one another along a dimension of their own, at `axis`.
Value Legalizer::stackSteps(NodeOp node, ValueRange steps, StringAttr name, int64_t axis) {
  auto opset = builder.getDictionaryAttr(builder.getNamedAttr("ai.onnx", builder.getI64IntegerAttr(kDecomposedOpset)));
  auto emit = [&](StringRef op, ValueRange operands, StringAttr result, DictionaryAttr parameters) {
    auto made = NodeOp::create(builder, node.getLoc(), TypeRange(UnknownType::get(builder.getContext())),
                               builder.getStringAttr(op), StringAttr(), operands, builder.getArrayAttr(result), result,
                               parameters, ArrayAttr(), 0);
    origins[made] = originOf(node);
    opsets[made] = opset;
    return made.getResult(0);
  };
  Value first = ConstantOp::create(builder, node.getLoc(), RankedTensorType::get({1}, builder.getI64Type()), name,
                                   DenseElementsAttr::get(RankedTensorType::get({1}, builder.getI64Type()), axis),
                                   /*overridable=*/false, PlaceAttr());
  SmallVector<Value> rows;
  for (auto [i, step] : llvm::enumerate(steps))
    rows.push_back(emit("Unsqueeze", {step, first}, builder.getStringAttr(name.getValue() + "/" + Twine(i)), {}));
  return emit("Concat", rows, name,
              builder.getDictionaryAttr(builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis))));
}

/// Copies the nodes of the body before a Loop, with values for the body's arguments; returns the body's results.
SmallVector<Value> Legalizer::copyStep(NodeOp node, Block &body, ValueRange carried, int64_t step) {
  IRMapping mapping;
  StringAttr own = builder.getStringAttr((node.getName().value_or("").empty() ? node.getOp() : *node.getName()).str() +
                                         "/" + std::to_string(step));
  auto number = [&](Type type, Attribute value) {
    auto tensor = RankedTensorType::get({}, type);
    return ConstantOp::create(builder, node.getLoc(), tensor, own, DenseElementsAttr::get(tensor, value), false,
                              PlaceAttr());
  };
  mapping.map(body.getArgument(0), number(builder.getI64Type(), builder.getI64IntegerAttr(step)));
  mapping.map(body.getArgument(1), number(builder.getI1Type(), builder.getBoolAttr(true)));
  for (auto [argument, value] : llvm::zip(body.getArguments().drop_front(2), carried))
    mapping.map(argument, value);
  const DictionaryAttr ofFunction = opsets.lookup(node);
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    copy->walk([&](Operation *) { ++inlined; });
    copy->walk([&](NodeOp inner) {
      origins[inner] = {"", firstNameOf(inner)};
      opsets.erase(inner);
      if (ofFunction)
        opsets[inner] = ofFunction;
    });
    if (auto inner = dyn_cast<NodeOp>(copy)) {
      SmallVector<Attribute> names;
      for (Attribute name : inner.getResultNames())
        names.push_back(builder.getStringAttr(own.getValue() + "/" + cast<StringAttr>(name).getValue()));
      inner.setResultNamesAttr(builder.getArrayAttr(names));
      inner.setName((own.getValue() + "/" + inner.getName().value_or(inner.getOp())).str());
    }
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// Inserts the nodes of one more step before a Loop, or replaces it by its results after the last step. False if its
/// steps are not known.
bool Legalizer::unrollLoop(NodeOp node) {
  const auto done = static_cast<size_t>(loopSteps.lookup(node));
  std::optional<LoopForm> form = formOf(node, done);
  std::optional<int64_t> most = form ? knownNumber(node.getOperand(0), INT64_MAX) : std::nullopt,
                         condition = form ? knownNumber(node.getOperand(1), 1) : std::nullopt;
  if (!most || !condition)
    return false;
  const bool isOver = static_cast<int64_t>(done) >= *most || *condition == 0;
  auto results = node.getResults().drop_front(form->carried);
  // Without any step, the sizes of the steps' results are unknown.
  if (isOver && done == 0 && llvm::any_of(results, [](Value result) { return !result.use_empty(); }))
    return false;
  SmallVector<Value> values(node.getOperands().slice(2, form->carried));
  auto scanned = [&](size_t result) { return node.getOperands().slice(2 + form->carried + result * done, done); };
  Operation *before = node->getPrevNode();
  if (isOver) {
    const Stacking ofScan = stackings.lookup(node);
    for (size_t i = 0; i < form->scanned; ++i) {
      SmallVector<Value> all(scanned(i));
      if (!ofScan.directions.empty() && ofScan.directions[i] != 0)
        std::reverse(all.begin(), all.end());
      values.push_back(done == 0 ? Value()
                                 : stackSteps(node, all, cast<StringAttr>(node.getResultNames()[form->carried + i]),
                                              ofScan.axes.empty() ? 0 : ofScan.axes[i]));
    }
  } else {
    // Empty steps count too, and so do lists of the steps' results, which are written again for each step.
    inlined += 1 + form->scanned * done / 16;
    SmallVector<Value> given = copyStep(node, *form->body, values, static_cast<int64_t>(done));
    SmallVector<Value> operands = {node.getOperand(0), given[0]};
    operands.append(given.begin() + 1, given.begin() + 1 + static_cast<std::ptrdiff_t>(form->carried));
    for (size_t i = 0; i < form->scanned; ++i) {
      llvm::append_range(operands, scanned(i));
      operands.push_back(given[1 + form->carried + i]);
    }
    auto left = NodeOp::create(builder, node.getLoc(), node.getResultTypes(), node.getOpAttr(), node.getDomainAttr(),
                               operands, node.getResultNamesAttr(), node.getNameAttr(), node.getParametersAttr(),
                               node.getGraphsAttr(), 1);
    left.getBodies().front().takeBody(node.getBodies().front());
    origins[left] = originOf(node);
    if (DictionaryAttr ofFunction = opsets.lookup(node))
      opsets[left] = ofFunction;
    loopSteps[left] = static_cast<int64_t>(done) + 1;
    if (auto ofScan = stackings.find(node); ofScan != stackings.end())
      stackings[left] = Stacking(ofScan->second);
    values = SmallVector<Value>(left.getResults());
  }
  note(originOf(node), {LegalNode::Call, nullptr, "", ""});
  Operation *first = before ? before->getNextNode() : &model.getBody().front().front();
  next = first == node ? node->getNextNode() : first;
  for (auto [result, value] : llvm::zip(node.getResults(), values))
    if (value)
      result.replaceAllUsesWith(value);
  loopSteps.erase(node);
  stackings.erase(node);
  node.erase();
  return true;
}
