// --graph-place: the memory of each value.
//
//   outputs   what computes an output writes it into the memory of the caller
//   joins     what computes a part of a join writes it into the memory of the join; where that cannot be, a copy does
//   branches  what computes a value of a list writes it into the memory of the branch's result, likewise
//   weights   constants, equal ones once
//   arena     everything else, by its life; a result may begin where an operand ends
//
// Memory is assigned over the whole model, so this is one walk and not a set of patterns.

#include "dialect/aicore/Tiles.h"
#include "lowering/graph/Passes.h"
#include "lowering/graph/memory/Arena.h"
#include "lowering/graph/memory/Branches.h"
#include "lowering/graph/memory/Memory.h"
#include "lowering/graph/memory/Overwrites.h"
#include "runtime/program/model/ModelPlan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace opc::graph {

#define GEN_PASS_DEF_PLACEPASS
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

using namespace mlir;
using namespace opc::graph;

/// Weights of this many bytes begin at a page, so that a page is never shared by two large ones.
static constexpr int64_t kPage = 4096;

Value opc::graph::rootOf(Value value) {
  while (auto view = value.getDefiningOp<ViewOp>())
    value = view.getOperand();
  return value;
}

static int64_t elementBytesOf(Value value) {
  std::optional<opc::ElementType> element =
      opc::aicore::elementTypeOf(cast<RankedTensorType>(value.getType()).getElementType());
  return element ? static_cast<int64_t>(opc::elementSize(*element)) : 0;
}

int64_t opc::graph::bytesOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements() * elementBytesOf(value);
}

std::pair<Value, int64_t> opc::graph::wholeOf(Value value) {
  int64_t start = 0;
  while (true)
    if (auto view = value.getDefiningOp<ViewOp>()) {
      value = view.getOperand();
    } else if (auto rows = value.getDefiningOp<RowsOp>()) {
      value = rows.getOperand();
    } else if (auto part = value.getDefiningOp<PartOp>()) {
      // Less than the bytes of the operand, which fit memory.
      start += static_cast<int64_t>(part.getStart()) * elementBytesOf(value);
      value = part.getOperand();
    } else {
      return {value, start};
    }
}

/// The place `start` bytes after the beginning of another one.
static PlaceAttr placeBehind(PlaceAttr place, int64_t start) {
  if (!place || start == 0)
    return place;
  const bool isOfCaller = place.getMemory() == Memory::Input || place.getMemory() == Memory::Output;
  return PlaceAttr::get(place.getContext(), place.getMemory(), place.getOffset() + (isOfCaller ? 0 : start),
                        place.getStart() + (isOfCaller ? start : 0));
}

PlaceAttr opc::graph::placeOf(Value value) {
  auto [whole, start] = wholeOf(value);
  if (auto argument = dyn_cast<BlockArgument>(whole))
    return placeBehind(PlaceAttr::get(value.getContext(), Memory::Input, argument.getArgNumber()), start);
  PlaceAttr place = llvm::TypeSwitch<Operation *, PlaceAttr>(whole.getDefiningOp())
                        .Case<ConstantOp, CopyOp, JoinOp>([](auto op) { return op.getPlaceAttr(); })
                        .Case<InstanceOp, BranchOp, HostOp>([&, whole = whole](auto op) {
                          return op.getPlaces()
                                     ? cast<PlaceAttr>((*op.getPlaces())[cast<OpResult>(whole).getResultNumber()])
                                     : PlaceAttr();
                        })
                        .Default([](Operation *) { return PlaceAttr(); });
  return placeBehind(place, start);
}

Value opc::graph::countOf(Value value) {
  while (auto copy = value.getDefiningOp<CopyOp>())
    value = copy.getOperand();
  if (auto rows = value.getDefiningOp<RowsOp>())
    return rows.getCount();
  auto host = value.getDefiningOp<HostOp>();
  return host && value == host.getResult(0) ? host.getResult(1) : Value();
}

namespace {

/// A range of another value's memory to which a value is written.
struct Home {
  Value value;
  int64_t start = 0;
};

class Placer {
public:
  Placer(ModelOp model, const opc::onnx::ContractSet &contracts)
      : model(model), contracts(contracts), builder(model.getContext()) {}
  void run();

private:
  void placeOutputs();
  void placeJoins();
  void placeBranches();
  void placeWeights();
  void placeArena();
  PlaceAttr place(Memory memory, int64_t offset) { return PlaceAttr::get(model.getContext(), memory, offset); }
  /// Whether a step writes a value, so that its memory can be chosen freely.
  static bool isWritten(Value value) {
    return isa_and_nonnull<InstanceOp, CopyOp, JoinOp, BranchOp, HostOp>(value.getDefiningOp());
  }
  /// Visits each op of the model; those in the lists of a branch come after the branch.
  template <typename Visit> void forEach(Visit visit) { model.getBody().walk<WalkOrder::PreOrder>(visit); }
  /// The memory of a written value: its own, or that of a join or a branch, and the offset in it.
  Home homeOf(Value value);

  using Lives = llvm::MapVector<Value, ArenaValue>;
  Value overwrittenBy(InstanceOp instance, size_t step, Lives &lives);

  ModelOp model;
  const opc::onnx::ContractSet &contracts;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> firsts;      ///< of a value that is written over another: the first value in its memory
  llvm::DenseMap<Value, PlaceAttr> outputs; ///< values that are outputs, and are written directly to the
                                            ///< caller's memory
  llvm::DenseMap<Value, Home> joined;       ///< values that are written into the memory of a join or branch
};

} // namespace

void Placer::placeOutputs() {
  auto output = cast<OutputOp>(model.getBody().front().getTerminator());
  builder.setInsertionPoint(output);
  for (OpOperand &operand : output->getOpOperands()) {
    Value root = rootOf(operand.get());
    PlaceAttr own = place(Memory::Output, operand.getOperandNumber());
    if (isWritten(root) && outputs.try_emplace(root, own).second)
      continue;
    auto copy = CopyOp::create(builder, output.getLoc(), operand.get().getType(), operand.get(), own);
    outputs[copy.getResult()] = own;
    operand.set(copy);
  }
}

void Placer::placeBranches() {
  forEach([&](BranchOp branch) {
    for (Region *list : {&branch.getThenSteps(), &branch.getElseSteps()}) {
      Operation *output = list->front().getTerminator();
      for (OpOperand &operand : output->getOpOperands()) {
        Value root = rootOf(operand.get());
        const Home home{branch.getResult(operand.getOperandNumber()), 0};
        // Only a step of the list itself may write there: a step outside would write in both cases.
        const bool isOfList = isWritten(root) && root.getDefiningOp()->getBlock() == &list->front();
        if (isOfList && !outputs.count(root) && joined.try_emplace(root, home).second)
          continue;
        builder.setInsertionPoint(output);
        auto copy = CopyOp::create(builder, output->getLoc(), operand.get().getType(), operand.get(), PlaceAttr());
        joined[copy.getResult()] = home;
        operand.set(copy);
      }
    }
  });
}

void Placer::placeJoins() {
  SmallVector<JoinOp> joins;
  forEach([&](JoinOp join) { joins.push_back(join); });
  for (JoinOp join : joins) {
    int64_t start = 0;
    for (OpOperand &operand : join->getOpOperands()) {
      Value root = rootOf(operand.get());
      const int64_t bytes = bytesOf(operand.get());
      // Excludes values that are already placed in an output or in another join, repeated operands, and values that are
      // computed outside of the join's block.
      const bool isOfBlock = isWritten(root) && root.getDefiningOp()->getBlock() == join->getBlock();
      if (!isOfBlock || outputs.count(root) || !joined.try_emplace(root, Home{join.getResult(), start}).second) {
        builder.setInsertionPoint(join);
        auto copy = CopyOp::create(builder, join.getLoc(), operand.get().getType(), operand.get(), PlaceAttr());
        joined[copy.getResult()] = {join.getResult(), start};
        operand.set(copy);
      }
      start += bytes;
    }
  }
}

Home Placer::homeOf(Value value) {
  Home home = {value, 0};
  for (auto next = joined.find(value); next != joined.end(); next = joined.find(home.value))
    home = {next->second.value, home.start + next->second.start};
  return home;
}

void Placer::placeWeights() {
  llvm::DenseMap<Attribute, int64_t> known; // equal weights share memory
  int64_t end = 0;
  forEach([&](ConstantOp constant) {
    int64_t bytes = bytesOf(constant.getResult());
    // The shape is no part of the bytes.
    Attribute key = constant.getValue();
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(key))
      key = DenseResourceElementsAttr::get(
          RankedTensorType::get({resource.getNumElements()}, resource.getElementType()), resource.getRawHandle());
    auto [offset, isNew] = known.try_emplace(key, 0);
    if (isNew) {
      int64_t alignment = bytes >= kPage ? kPage : static_cast<int64_t>(opc::kPlanAlignment);
      offset->second =
          static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(end), static_cast<uint64_t>(alignment)));
      end = offset->second + bytes;
    }
    constant.setPlaceAttr(place(Memory::Weights, offset->second));
  });
}

/// The first value in the memory that an instance may write its result to: of an operand that ends with this step.
/// Null if there is none, or the result is not the arena's.
Value Placer::overwrittenBy(InstanceOp instance, size_t step, Lives &lives) {
  if (instance.getNumResults() != 1 || !lives.contains(instance.getResult(0)))
    return {};
  const Value result = instance.getResult(0);
  auto firstOf = [&](Value home) { return firsts.lookup_or(home, home); };
  // A range of the memory of a value.
  auto homeOfOperand = [&](Value operand) {
    auto [whole, start] = wholeOf(operand);
    const Home home = homeOf(whole);
    return Home{home.value, home.start + start};
  };
  auto isAlike = [&](Value operand) {
    return bytesOf(operand) == bytesOf(result) && elementBytesOf(operand) == elementBytesOf(result);
  };
  for (Value operand : instance.getOperands()) {
    if (operand.getDefiningOp<AbsentOp>() || !isAlike(operand))
      continue;
    const Value home = homeOfOperand(operand).value, first = firstOf(home);
    const auto *life = lives.find(first);
    const bool ends = life != lives.end() && life->second.last == step && bytesOf(home) == bytesOf(result);
    // No other operand is a part of that memory.
    const bool isWhole = llvm::all_of(instance.getOperands(), [&](Value other) {
      return other.getDefiningOp<AbsentOp>() || firstOf(homeOfOperand(other).value) != first || isAlike(other);
    });
    if (ends && isWhole && mayOverwrite(instance, contracts))
      return first;
  }
  return {};
}

void Placer::placeArena() {
  // Memory is live from the first step that writes to it to the last that reads it. Steps of the lists of a branch come
  // after it: values that the second list reads are live through the first.
  llvm::MapVector<Operation *, size_t> steps;
  forEach([&](Operation *op) {
    if (isa<InstanceOp, CopyOp, BranchOp, HostOp>(op))
      steps.insert({op, steps.size()});
  });
  Lives lives;
  auto live = [&](Value value, size_t step) {
    Value home = homeOf(wholeOf(value).first).value;
    if (!isWritten(home) || outputs.count(home))
      return;
    auto [life, isNew] = lives.insert({home, ArenaValue{step, step, bytesOf(home), 0}});
    life->second.first = std::min(life->second.first, step);
    life->second.last = std::max(life->second.last, step);
  };
  for (auto [op, step] : steps) {
    // The memory of a branch's result is reserved from the branch to the end of its lists, even if the result
    // is unused.
    for (auto around = op->getParentOfType<BranchOp>(); around; around = around->getParentOfType<BranchOp>())
      for (Value result : around.getResults())
        live(result, step);
    for (Value result : op->getResults())
      live(result, step);
    for (Value operand : op->getOperands())
      live(operand, step);
  }
  for (Value output : model.getBody().front().getTerminator()->getOperands())
    if (Value count = countOf(output))
      live(count, steps.size());
  // In the order of steps: what a step overwrites has its final live range.
  for (auto [op, step] : steps)
    if (auto instance = dyn_cast<InstanceOp>(op))
      if (Value first = overwrittenBy(instance, step, lives)) {
        firsts[instance.getResult(0)] = first;
        lives[first].last = lives[instance.getResult(0)].last;
      }
  std::vector<ArenaValue> problem;
  for (auto &[value, life] : lives)
    if (!firsts.contains(value))
      problem.push_back(life);
  const auto alignment = static_cast<int64_t>(opc::kPlanAlignment);
  model.setArena(placeInArena(problem, alignment));
  model.setArenaBound(arenaLowerBound(problem, alignment));
  size_t next = 0;
  for (auto &[value, life] : lives)
    if (!firsts.contains(value))
      life.offset = problem[next++].offset;
  for (auto [value, first] : firsts)
    lives[value].offset = lives[first].offset;
  auto placeOfResult = [&](Value value) {
    const Home home = homeOf(value);
    if (auto output = outputs.find(home.value); output != outputs.end())
      return placeBehind(output->second, home.start);
    return place(Memory::Arena, lives[home.value].offset + home.start);
  };
  forEach([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<CopyOp, JoinOp>([&](auto own) { own.setPlaceAttr(placeOfResult(own.getResult())); })
        .Case<InstanceOp, BranchOp, HostOp>([&](auto own) {
          SmallVector<Attribute> places;
          for (Value result : own.getResults())
            places.push_back(placeOfResult(result));
          own.setPlacesAttr(builder.getArrayAttr(places));
        });
  });
}

void Placer::run() {
  makeBranches(model);
  placeOutputs();
  placeBranches();
  placeJoins();
  placeWeights();
  placeArena();
  model.setPhaseAttr(PhaseAttr::get(model.getContext(), Phase::Placed));
}

namespace {
struct PlacePass : opc::graph::impl::PlacePassBase<PlacePass> {
  using PlacePassBase::PlacePassBase;
  explicit PlacePass(const opc::onnx::ContractSet &contracts) : given(&contracts) {}

  void runOnOperation() override {
    opc::onnx::ContractSet read;
    if (!given && failed(readContracts(contracts, getOperation(), read)))
      return signalPassFailure();
    for (auto model : getOperation().getOps<ModelOp>())
      if (model.getPhase().getValue() == Phase::Folded)
        Placer(model, given ? *given : read).run();
  }

  const opc::onnx::ContractSet *given = nullptr;
};
} // namespace

std::unique_ptr<Pass> opc::graph::createPlacePass(const onnx::ContractSet &contracts) {
  return std::make_unique<PlacePass>(contracts);
}
