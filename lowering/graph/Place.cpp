// --graph-place: the memory of each value.

#include "dialect/aicore/Tiles.h"
#include "lowering/graph/Arena.h"
#include "lowering/graph/Memory.h"
#include "lowering/graph/Passes.h"
#include "runtime/program/model/ModelPlan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
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

int64_t opc::graph::bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  std::optional<opc::ElementType> element = opc::aicore::elementTypeOf(type.getElementType());
  return element ? type.getNumElements() * static_cast<int64_t>(opc::elementSize(*element)) : 0;
}

PlaceAttr opc::graph::placeOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return PlaceAttr::get(value.getContext(), Memory::Input, argument.getArgNumber());
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<ConstantOp>(op))
    return constant.getPlaceAttr();
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getPlaceAttr();
  if (auto view = dyn_cast<ViewOp>(op))
    return placeOf(rootOf(view.getOperand()));
  if (auto instance = dyn_cast<InstanceOp>(op); instance && instance.getPlaces())
    return cast<PlaceAttr>((*instance.getPlaces())[cast<OpResult>(value).getResultNumber()]);
  return {};
}

namespace {

class Placer {
public:
  explicit Placer(ModelOp model) : model(model), builder(model.getContext()) {}
  void run();

private:
  void placeOutputs();
  void placeWeights();
  void placeArena();
  PlaceAttr place(Memory memory, int64_t offset) { return PlaceAttr::get(model.getContext(), memory, offset); }

  ModelOp model;
  OpBuilder builder;
  llvm::DenseMap<Value, PlaceAttr> outputs; ///< results of instances that are outputs
};

} // namespace

void Placer::placeOutputs() {
  auto output = cast<OutputOp>(model.getBody().front().getTerminator());
  builder.setInsertionPoint(output);
  for (OpOperand &operand : output->getOpOperands()) {
    Value root = rootOf(operand.get());
    PlaceAttr own = place(Memory::Output, operand.getOperandNumber());
    if (root.getDefiningOp<InstanceOp>() && outputs.try_emplace(root, own).second)
      continue;
    operand.set(CopyOp::create(builder, output.getLoc(), operand.get().getType(), operand.get(), own));
  }
}

void Placer::placeWeights() {
  llvm::DenseMap<Attribute, int64_t> known; // equal weights are one
  int64_t end = 0;
  for (auto constant : model.getBody().getOps<ConstantOp>()) {
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
  }
}

void Placer::placeArena() {
  // A step is an instance or a copy; a value lives from the step that writes it to the last that reads it or a view of
  // it.
  llvm::DenseMap<Operation *, size_t> steps;
  for (Operation &op : model.getBody().front())
    if (isa<InstanceOp, CopyOp>(op))
      steps.try_emplace(&op, steps.size());
  llvm::MapVector<Value, ArenaValue> values;
  for (auto instance : model.getBody().getOps<InstanceOp>())
    for (Value result : instance.getResults())
      if (!outputs.count(result))
        values[result] = {steps[instance], steps[instance], bytesOf(result), 0};
  for (auto [op, step] : steps)
    for (Value operand : op->getOperands())
      if (auto found = values.find(rootOf(operand)); found != values.end())
        found->second.last = std::max(found->second.last, step);
  std::vector<ArenaValue> problem;
  for (auto &[value, life] : values)
    problem.push_back(life);
  const auto alignment = static_cast<int64_t>(opc::kPlanAlignment);
  model.setArena(placeInArena(problem, alignment));
  size_t next = 0;
  for (auto &[value, life] : values)
    life.offset = problem[next++].offset;
  for (auto instance : model.getBody().getOps<InstanceOp>()) {
    SmallVector<Attribute> places;
    for (Value result : instance.getResults()) {
      auto output = outputs.find(result);
      places.push_back(output != outputs.end() ? output->second : place(Memory::Arena, values[result].offset));
    }
    instance.setPlacesAttr(builder.getArrayAttr(places));
  }
}

void Placer::run() {
  placeOutputs();
  placeWeights();
  placeArena();
  model.setPhaseAttr(PhaseAttr::get(model.getContext(), Phase::Placed));
}

namespace {
struct PlacePass : opc::graph::impl::PlacePassBase<PlacePass> {
  void runOnOperation() override {
    for (auto model : getOperation().getOps<ModelOp>())
      if (model.getPhase().getValue() == Phase::Folded)
        Placer(model).run();
  }
};
} // namespace
