// --graph-legalize. One walk in the order of the model does three things that need each other: a shape follows from a
// contract, shape arithmetic follows from a shape, and the shape of a Reshape follows from shape arithmetic.
//
//   node ─► known already?      ─► graph.constant
//        ─► matches a contract? ─► graph.instance
//        ─► one range of bytes? ─► graph.part, graph.join
//        ─► changes a shape?    ─► graph.view
//        ─► a function?         ─► its nodes, which the walk visits next
//        ─► a known condition?  ─► the nodes of the branch, likewise
//        ─► another condition?  ─► the nodes of both branches, likewise, and graph.choose after them
//        ─► a loop whose condition is known?  ─► the nodes of one step, likewise, and the rest of the loop after them
//        ─► rows by the data?   ─► graph.host
//        ─► parts?              ─► simpler nodes (Decompose.h), likewise
//        ─► missing, and what depends on it is missing too where that is certain

#include "lowering/graph/legalize/Legalize.h"

#include "lowering/graph/Passes.h"
#include "lowering/graph/legalize/Legalizer.h"
#include "lowering/graph/legalize/StatedTypes.h"
#include "lowering/graph/legalize/Views.h"
#include "lowering/graph/legalize/parts/Decompose.h"
#include "ops/onnx/coverage/ContractSet.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace opc::graph {

#define GEN_PASS_DEF_LEGALIZEPASS
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

using namespace mlir;
using namespace opc;
using namespace opc::graph;

using namespace opc::graph;

/// Maximum of the bytes of all values of a model: sums of them stay below 2^63.
static constexpr uint64_t kMostBytes = uint64_t(1) << 56;

/// Maximum number of nodes from inlined functions: functions that call functions grow fast.
static constexpr size_t kMostInlined = size_t(1) << 16;

std::string Legalizer::firstNameOf(NodeOp node) {
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
    error(model, "legalize_c1")
        << "expects inputs to be tensors of a known element type whose sizes are numbers, found '"
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
  // Other sizes are checked even if one is 0, since a view would multiply them.
  bytes = std::min(kMostBytes, bytes + (isEmpty && product < kMostBytes ? 0 : product));
  if (bytes < kMostBytes)
    return true;
  error(op, "legalize_c7") << "expects values that memory holds, less than 2^56 bytes together, found one of "
                           << typeText(type);
  bytes = 0; // reported once
  return false;
}

bool Legalizer::replace(NodeOp node, ValueRange values) {
  for (auto [result, value] : llvm::zip(node.getResults(), values)) {
    if (!value)
      continue;
    auto found = dyn_cast<RankedTensorType>(value.getType());
    if (found && !agrees(result.getType(), found) &&
        !(made && agreesInRows(result.getType(), found, made->dimension))) {
      StringRef name = cast<StringAttr>(node.getResultNames()[result.getResultNumber()]).getValue();
      if (!isStale(result, found)) {
        error(node, "legalize_c2") << "expects results as the file states them, found '" << name << "' of "
                                   << typeText(found) << " for " << typeText(result.getType()) << " at "
                                   << describe(node);
        return false;
      }
      // No size in bytes depends on what the file states.
      emitWarning(node.getLoc()) << "[legalize_c2] '" << name << "' is of " << typeText(found)
                                 << ", and the file states " << typeText(result.getType()) << " for it";
    }
    if (found && !value.getDefiningOp<ConstantOp>() && !count(node, found))
      unknown.insert(value);
    if (unknown.contains(value))
      for (OpResult each : node->getResults())
        unknown.insert(each);
    result.replaceAllUsesWith(value);
    rows.erase(result);
    if (made)
      rows[value] = *made;
  }
  node.erase();
  return true;
}

void Legalizer::legalize(NodeOp node) {
  const bool isKnown = llvm::none_of(node.getOperands(), [&](Value operand) { return unknown.contains(operand); });
  std::string reason;
  onnx::Match match;
  made = std::nullopt;
  // Another node may get this address later.
  if (choices.erase(node)) {
    if (isKnown)
      makeChoice(node);
    else
      unknown.insert(node->result_begin(), node->result_end());
    return;
  }
  if (!readsCountedRows(node))
    return;
  if (isKnown && isPartsFirst(node) && !isOfUser(node) && makeParts(node))
    return;
  if (isKnown && node.getBodies().empty() &&
      (foldConstant(node) || (!isOfUser(node) && makeRanges(node)) || makeInstance(node, reason) || makeRanges(node) ||
       makeView(node, reason) || makeHost(node, reason)))
    return;
  if (isKnown &&
      (chooseBranch(node) || inlineBranches(node) || (inlined < kMostInlined && unrollLoop(node)) || loopOfScan(node)))
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
      error(outputs, "legalize_c1")
          << "expects outputs to be tensors of a known element type whose sizes are numbers, found "
          << cast<StringAttr>(name) << " of " << typeText(value.getType());
  countOutputs(outputs);
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
    // Functions are inlined now.
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
