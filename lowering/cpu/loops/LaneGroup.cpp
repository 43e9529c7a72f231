#include "lowering/cpu/loops/LaneGroup.h"

#include "lowering/cpu/loops/Lanes.h"
#include "lowering/cpu/loops/LoopEmitter.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace opc::aicore;

namespace opc::cpu {

bool LaneStep::isLaneOp(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return cast<MemRefType>(load.getSource().getType()).getRank() == 1 && !load.getPad() && !load.getRowStride();
  if (auto store = dyn_cast<StoreOp>(op))
    return cast<MemRefType>(store.getSource().getType()).getRank() == 1 && !store.getAtomicAdd() &&
           !store.getRowStride();
  auto vector = dyn_cast<VectorOpInterface>(op);
  if (!vector || vector.takesRows())
    return false;
  return worksByLane(intrinsicInfo(vector.getIntrinsic()).form);
}

//===----------------------------------------------------------------------===//
// Which steps share a loop
//===----------------------------------------------------------------------===//

static bool sameNumber(Value x, Value y) {
  APInt a, b;
  return x == y || (matchPattern(x, m_ConstantInt(&a)) && matchPattern(y, m_ConstantInt(&b)) && a == b);
}

static bool meet(const FlatView &x, const FlatView &y) {
  return x.root == y.root;
}

// If one of two accesses to the same memory is a write, lane i of both must be the same element.
static bool samePlace(const FlatView &x, const FlatView &y) {
  return !meet(x, y) || sameNumber(x.offset, y.offset);
}

// Whether each lane of a step stays within its own element, as forwarding in a group requires.
static bool keepsLanes(const LaneStep &step) {
  return llvm::all_of(step.sources, [&](const FlatView &source) { return samePlace(source, step.destination); });
}

bool LaneGroup::accepts(const LaneStep &step) const {
  if (steps.empty())
    return true;
  if (!keepsLanes(step) || !keepsLanes(steps.front()) ||
      !sameNumber(step.destination.columns(), steps.front().destination.columns()))
    return false;
  for (const LaneStep &before : steps) {
    bool fits =
        samePlace(before.destination, step.destination) &&
        llvm::all_of(step.sources, [&](const FlatView &source) { return samePlace(source, before.destination); }) &&
        llvm::all_of(before.sources, [&](const FlatView &source) { return samePlace(source, step.destination); });
    if (!fits)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

// Whether `holds` is true for every user of a buffer, including users of its views.
static bool allUsers(Value memref, function_ref<bool(Operation *)> holds) {
  return llvm::all_of(memref.getUsers(), [&](Operation *user) {
    if (isa<memref::DimOp>(user))
      return true;
    if (isa<memref::SubViewOp, memref::CastOp, memref::ReinterpretCastOp>(user))
      return allUsers(user->getResult(0), holds);
    return holds(user);
  });
}

// Whether only this group uses the buffer, and writes it before reading it. Its lanes then need no memory.
bool LaneGroup::isPrivate(BufferOp buffer, Value root) const {
  bool inside = allUsers(buffer.getMemref(), [&](Operation *user) {
    return llvm::any_of(steps, [&](const LaneStep &step) { return step.op == user; });
  });
  if (!inside || !keepsLanes(steps.front()))
    return false;
  for (const LaneStep &step : steps) {
    bool reads = llvm::any_of(step.sources, [&](const FlatView &source) { return source.root == root; });
    bool writes = step.destination.root == root;
    if (reads || (writes && step.accumulates))
      return false;
    if (writes)
      return true;
  }
  return false;
}

static Value laneOf(ImplicitLocOpBuilder &b, const LaneStep &step, ArrayRef<Value> sources, Value scalar,
                    Value destination, Value index) {
  auto vector = dyn_cast<VectorOpInterface>(step.op);
  if (!vector)
    return sources.front();
  Intrinsic intrinsic = vector.getIntrinsic();
  if (intrinsic == Intrinsic::vcopy)
    return sources.front();
  TypeRow types = *vector.getTypeRow();
  Lane lane;
  lane.index = index;
  lane.destination = destination ? widen(b, destination, step.destination.type) : Value();
  Value first = sources.empty() ? scalar : sources.front();
  Value second = sources.size() > 1 ? sources[1] : scalar;
  lane.lhs = widen(b, first, types.source);
  if (second && !sources.empty())
    lane.rhs = widen(b, second, types.source);
  if (intrinsicInfo(intrinsic).form == IntrinsicForm::Cast)
    return convert(b, lane.lhs, types, vector.getRoundingMode());
  return laneResult(b, intrinsic, types, lane);
}

// A single check for the whole group, which runs completely or not at all. A range that several steps access is
// checked once.
Value LaneGroup::checkAll(LoopEmitter &emitter, Value count) const {
  ImplicitLocOpBuilder &b = emitter.builder();
  IndexMath math(b);
  Value inTensors = arith::ConstantIntOp::create(b, 1, 1), inTiles = inTensors;
  SmallVector<const FlatView *> checked;
  auto check = [&](const FlatView &view) {
    bool known = llvm::any_of(checked, [&](const FlatView *other) {
      return meet(view, *other) && sameNumber(view.offset, other->offset) &&
             sameNumber(view.columns(), other->columns());
    });
    if (known)
      return;
    checked.push_back(&view);
    Value &inside = view.global ? inTensors : inTiles;
    inside = math.both(inside, rowInside(b, view, count));
    inTiles = math.both(inTiles, emitter.sameLength(count, view.columns()));
  };
  for (const LaneStep &step : steps) {
    b.setLoc(step.op->getLoc());
    for (const FlatView &source : step.sources)
      check(source);
    check(step.destination);
  }
  emitter.report(inTensors, OPC_KERNEL_OUTSIDE_TENSOR);
  emitter.report(inTiles, OPC_KERNEL_OUTSIDE_TILE);
  return math.both(inTensors, inTiles);
}

void LaneGroup::emit(LoopEmitter &emitter, const llvm::DenseMap<Value, BufferOp> &buffers) {
  if (steps.empty())
    return;
  ImplicitLocOpBuilder &b = emitter.builder();
  mlir::Location after = b.getLoc();

  Value count = steps.front().destination.columns();
  Value all = checkAll(emitter, count);
  llvm::SmallDenseSet<Value> kept;
  for (const LaneStep &step : steps) {
    auto found = buffers.find(step.destination.root);
    if (found != buffers.end() && isPrivate(found->second, step.destination.root))
      kept.insert(step.destination.root);
  }

  IndexMath math(b);
  Value lanes = math.select(all, count, math.of(0));
  emitter.spend(lanes);
  emitter.forEach(lanes, [&](Value i) {
    // The values that the previous steps have written, as they would be in memory.
    llvm::SmallDenseMap<Value, Value> written;
    auto read = [&](const FlatView &view) {
      auto found = written.find(view.root);
      return found != written.end() ? found->second : loadAt(b, view, view.offset, i);
    };
    for (const LaneStep &step : steps) {
      b.setLoc(step.op->getLoc());
      SmallVector<Value> sources = llvm::map_to_vector(step.sources, read);
      Value destination = step.accumulates ? read(step.destination) : Value();
      Value result = laneOf(b, step, sources, step.scalar, destination, i);
      written[step.destination.root] = result;
      if (!kept.contains(step.destination.root))
        storeAt(b, result, step.destination, step.destination.offset, i);
    }
  });
  steps.clear();
  b.setLoc(after);
}

} // namespace opc::cpu
