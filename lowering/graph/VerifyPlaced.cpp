// --graph-verify-placed: the rules memory_c1 to memory_c5. The verifier walks the steps in order and keeps, for each
// byte of the arena and of the outputs, the value that was written there last. It walks both lists of a branch, one
// after the other; after each list, the bytes that the list wrote hold no value.

#include "dialect/graph/GraphOps.h"
#include "lowering/graph/Passes.h"
#include "lowering/graph/memory/Memory.h"
#include "lowering/graph/memory/Overwrites.h"
#include "runtime/program/model/ModelPlan.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace opc::graph {

#define GEN_PASS_DEF_VERIFYPLACEDPASS
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

using namespace mlir;
using namespace opc::graph;

namespace {

/// The owners of the bytes of one memory: ranges that do not overlap.
class Owners {
public:
  void write(int64_t begin, int64_t end, Value value) {
    if (begin == end)
      return;
    cut(begin);
    cut(end);
    ranges.erase(ranges.lower_bound(begin), ranges.lower_bound(end));
    ranges[begin] = {end, value};
  }
  bool owns(int64_t begin, int64_t end, Value value) const {
    auto range = ranges.upper_bound(begin);
    if (range != ranges.begin())
      --range;
    for (; begin < end; ++range) {
      if (range == ranges.end() || range->first > begin || range->second.first <= begin ||
          range->second.second != value)
        return false;
      begin = range->second.first;
    }
    return true;
  }

private:
  /// Divides the range that holds `at` in its middle.
  void cut(int64_t at) {
    auto range = ranges.lower_bound(at);
    if (range == ranges.begin() || (--range)->second.first <= at)
      return;
    ranges[at] = range->second;
    range->second.first = at;
  }
  std::map<int64_t, std::pair<int64_t, Value>> ranges; ///< begin to end and owner
};

class Verifier {
public:
  Verifier(ModelOp model, const opc::onnx::ContractSet &contracts) : model(model), contracts(contracts) {}
  LogicalResult run();

private:
  LogicalResult run(Block &block);
  LogicalResult runList(BranchOp branch, Block &list);
  /// Bytes of a memory: of the arena, or of an output.
  struct Bytes {
    std::pair<Memory, int64_t> memory;
    int64_t begin, end;
  };
  static Bytes bytesAt(PlaceAttr place, int64_t bytes) {
    const bool isOutput = place.getMemory() == Memory::Output;
    const int64_t begin = isOutput ? place.getStart() : place.getOffset();
    return {{place.getMemory(), isOutput ? place.getOffset() : 0}, begin, begin + bytes};
  }
  LogicalResult checkPlace(Operation *op, Value value);
  LogicalResult read(Operation *op, Value value);
  bool isOverwritten(Operation &op, Value operand);

  ModelOp model;
  const opc::onnx::ContractSet &contracts;
  std::map<std::pair<Memory, int64_t>, Owners> owners;
  std::vector<Bytes> written; ///< in lists of branches
};

} // namespace

LogicalResult Verifier::checkPlace(Operation *op, Value value) {
  PlaceAttr place = placeOf(value);
  if (!place || place.getMemory() == Memory::Input || place.getMemory() == Memory::Weights)
    return op->emitOpError("[memory_c1] expects a place in the arena or in an output for each result");
  const Bytes bytes = bytesAt(place, bytesOf(value));
  auto element = cast<RankedTensorType>(value.getType()).getElementType();
  const int64_t alignment = std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1);
  int64_t whole = static_cast<int64_t>(model.getArena().value_or(0));
  if (place.getMemory() == Memory::Output) {
    auto outputs = model.getBody().front().getTerminator()->getOperands();
    whole = place.getOffset() >= 0 && place.getOffset() < static_cast<int64_t>(outputs.size())
                ? bytesOf(outputs[static_cast<size_t>(place.getOffset())])
                : 0;
  }
  if (bytes.begin < 0 || bytes.begin % alignment != 0 || bytes.end > whole)
    return op->emitOpError("[memory_c2] expects a place within the ")
           << (place.getMemory() == Memory::Output ? "output" : "arena") << ", at a multiple of " << alignment
           << ", found bytes " << bytes.begin << " to " << bytes.end;
  return success();
}

/// Reads a value from its place: a range of a written value, or of a join, which is read from its operands.
LogicalResult Verifier::read(Operation *op, Value read) {
  struct Range {
    Value value;
    int64_t begin, end; ///< bytes of it
  };
  SmallVector<Range> ranges = {{read, 0, 0}};
  if (!read.getDefiningOp<AbsentOp>())
    ranges.front().end = bytesOf(read);
  while (!ranges.empty()) {
    auto [value, begin, end] = ranges.pop_back_val();
    if (value.getDefiningOp<AbsentOp>())
      continue;
    PlaceAttr place = placeOf(value);
    if (!place)
      return op->emitOpError("[memory_c1] expects a place for each value that is read");
    if (auto view = value.getDefiningOp<ViewOp>()) {
      ranges.push_back({view.getOperand(), begin, end});
    } else if (auto rows = value.getDefiningOp<RowsOp>()) {
      ranges.push_back({rows.getOperand(), begin, end});
    } else if (auto part = value.getDefiningOp<PartOp>()) {
      const int64_t elements = cast<RankedTensorType>(value.getType()).getNumElements();
      const int64_t start = elements == 0 ? 0 : static_cast<int64_t>(part.getStart()) * (bytesOf(value) / elements);
      ranges.push_back({part.getOperand(), begin + start, end + start});
    } else if (auto join = value.getDefiningOp<JoinOp>()) {
      int64_t start = 0;
      for (Value operand : join.getOperands()) {
        const int64_t bytes = bytesOf(operand);
        if (begin < start + bytes && start < end) {
          PlaceAttr own = placeOf(operand);
          if (!own || bytesAt(own, 0).memory != bytesAt(place, 0).memory ||
              bytesAt(own, 0).begin != bytesAt(place, 0).begin + start)
            return join.emitOpError("[memory_c4] expects its operands one after another in its memory, found bytes ")
                   << start << " to " << start + bytes << " elsewhere";
          ranges.push_back({operand, std::max(begin - start, int64_t(0)), std::min(end - start, bytes)});
        }
        start += bytes;
      }
    } else if (place.getMemory() == Memory::Arena || place.getMemory() == Memory::Output) {
      const Bytes bytes = bytesAt(place, end - begin);
      if (!owners[bytes.memory].owns(bytes.begin + begin, bytes.end + begin, value))
        return op->emitOpError("[memory_c3] expects its operands in their places, found bytes ")
               << bytes.begin + begin << " to " << bytes.end + begin << " written by another step";
    }
  }
  return success();
}

/// The list must write the branch's results to their places.
LogicalResult Verifier::runList(BranchOp branch, Block &list) {
  const size_t before = written.size();
  auto forget = [&](const Bytes &bytes) { owners[bytes.memory].write(bytes.begin, bytes.end, Value()); };
  for (Value result : branch.getResults())
    forget(bytesAt(placeOf(result), bytesOf(result)));
  if (failed(run(list)))
    return failure();
  for (auto [value, result] : llvm::zip(list.getTerminator()->getOperands(), branch.getResults())) {
    PlaceAttr place = placeOf(value);
    if (!place || place != placeOf(result))
      return branch.emitOpError("[memory_c5] expects each list to write the results in their places");
    if (failed(read(list.getTerminator(), value)))
      return failure();
  }
  for (size_t i = before; i < written.size(); ++i)
    forget(written[i]);
  return success();
}

/// Whether a step may write its result over an operand, and does.
bool Verifier::isOverwritten(Operation &op, Value operand) {
  auto instance = dyn_cast<InstanceOp>(op);
  if (!instance || operand.getDefiningOp<AbsentOp>() || instance.getNumResults() != 1)
    return false;
  const Value result = instance.getResult(0);
  PlaceAttr place = placeOf(operand);
  return place && place == placeOf(result) && bytesOf(operand) == bytesOf(result) &&
         cast<RankedTensorType>(operand.getType()).getNumElements() ==
             cast<RankedTensorType>(result.getType()).getNumElements() &&
         mayOverwrite(instance, contracts);
}

LogicalResult Verifier::run(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (isa<ViewOp, PartOp, RowsOp, ConstantOp, AbsentOp>(op))
      continue;
    for (Value result : op.getResults())
      if (failed(checkPlace(&op, result)))
        return failure();
    auto branch = dyn_cast<BranchOp>(op);
    if (branch && (failed(read(&op, branch.getCondition())) || failed(runList(branch, branch.getThenSteps().front())) ||
                   failed(runList(branch, branch.getElseSteps().front()))))
      return failure();
    for (Value operand : op.getOperands())
      if (isOverwritten(op, operand) && failed(read(&op, operand)))
        return failure();
    // Results first: then the read reports a result that overwrites any other operand.
    for (Value result : op.getResults()) {
      const Bytes bytes = bytesAt(placeOf(result), bytesOf(result));
      if (isa<JoinOp>(op))
        continue;
      owners[bytes.memory].write(bytes.begin, bytes.end, result);
      written.push_back(bytes);
    }
    if (auto join = dyn_cast<JoinOp>(op)) {
      if (failed(read(&op, join.getResult())))
        return failure();
    } else if (!branch) {
      for (Value operand : op.getOperands())
        if (!isOverwritten(op, operand) && failed(read(&op, operand)))
          return failure();
    }
  }
  return success();
}

LogicalResult Verifier::run() {
  if (failed(run(model.getBody().front())))
    return failure();
  Operation *end = model.getBody().front().getTerminator();
  for (OpOperand &output : end->getOpOperands()) {
    PlaceAttr place = placeOf(output.get());
    if (!place || place.getMemory() != Memory::Output || place.getOffset() != output.getOperandNumber() ||
        place.getStart() != 0)
      return model.emitOpError("[memory_c1] expects output ")
             << output.getOperandNumber() << " in the memory of the caller for it";
    if (failed(read(end, output.get())))
      return failure();
    if (Value count = countOf(output.get()); count && failed(read(end, count)))
      return failure();
  }
  return success();
}

namespace {
struct VerifyPlacedPass : opc::graph::impl::VerifyPlacedPassBase<VerifyPlacedPass> {
  using VerifyPlacedPassBase::VerifyPlacedPassBase;
  explicit VerifyPlacedPass(const opc::onnx::ContractSet &contracts) : given(&contracts) {}

  void runOnOperation() override {
    opc::onnx::ContractSet read;
    if (!given && failed(readContracts(contracts, getOperation(), read)))
      return signalPassFailure();
    for (auto model : getOperation().getOps<ModelOp>())
      if (model.getPhase().getValue() == Phase::Placed && failed(Verifier(model, given ? *given : read).run()))
        return signalPassFailure();
  }

  const opc::onnx::ContractSet *given = nullptr;
};
} // namespace

std::unique_ptr<Pass> opc::graph::createVerifyPlacedPass(const onnx::ContractSet &contracts) {
  return std::make_unique<VerifyPlacedPass>(contracts);
}
