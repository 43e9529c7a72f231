// Foldings of single instances: equal instances, constants, and instances that change nothing.

#include "lowering/graph/Ranges.h"
#include "lowering/graph/fold/Patterns.h"
#include "lowering/graph/memory/Memory.h"

#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace opc::graph;

//===- equal instances --------------------------------------------------------===//

namespace {

/// Compares instances, views, parts, joins and constants by their computation; names are ignored.
struct SameValue : llvm::DenseMapInfo<Operation *> {
  static SmallVector<Attribute> attributesOf(Operation *op) {
    if (auto instance = dyn_cast<InstanceOp>(op))
      return {instance.getSourceAttr(), instance.getRowAttr(), instance.getParametersAttr()};
    if (auto constant = dyn_cast<ConstantOp>(op))
      return {constant.getValue()};
    if (auto part = dyn_cast<PartOp>(op))
      return {part.getStartAttr()};
    return {};
  }
  static unsigned getHashValue(const Operation *found) {
    auto *op = const_cast<Operation *>(found);
    return static_cast<unsigned>(llvm::hash_combine(
        op->getName().getAsOpaquePointer(), llvm::hash_combine_range(op->operand_begin(), op->operand_end()),
        llvm::hash_combine_range(op->result_type_begin(), op->result_type_end()),
        llvm::hash_combine_range(attributesOf(op))));
  }
  static bool isEqual(const Operation *left, const Operation *right) {
    if (left == right)
      return true;
    for (const Operation *each : {left, right})
      if (each == getEmptyKey() || each == getTombstoneKey())
        return false;
    auto *a = const_cast<Operation *>(left), *b = const_cast<Operation *>(right);
    return a->getName() == b->getName() && llvm::equal(a->getOperands(), b->getOperands()) &&
           llvm::equal(a->getResultTypes(), b->getResultTypes()) && attributesOf(a) == attributesOf(b);
  }
};

} // namespace

void opc::graph::foldEqual(Folder &folder, ModelOp model) {
  llvm::DenseSet<Operation *, SameValue> known;
  for (Operation &op : llvm::make_early_inc_range(model.getBody().front())) {
    // Absent operands are included: instances that lack one may be equal.
    if (!isa<InstanceOp, HostOp, ViewOp, PartOp, JoinOp, ConstantOp, AbsentOp>(op))
      continue;
    auto [first, isNew] = known.insert(&op);
    if (isNew)
      continue;
    if (auto instance = dyn_cast<InstanceOp>(op))
      folder.note({"equal", instance.getName().value_or("").str(), true, 1, {}});
    op.replaceAllUsesWith(*first);
    op.erase();
  }
}

//===- constants --------------------------------------------------------------===//

/// Limits the bytes of folded constants: for each instance the bytes of its operands, or 16 MiB; for all together the
/// bytes of the model's constants plus 256 MiB. So a chain of small nodes cannot fill memory.
class BytesOfConstants {
public:
  explicit BytesOfConstants(ModelOp model) {
    for (auto constant : model.getBody().getOps<ConstantOp>())
      left += bytesOf(constant.getResult());
  }
  /// Reserves the bytes of an op; otherwise returns the reason why it may not be computed.
  std::string take(Operation *op) {
    constexpr int64_t kFree = int64_t(1) << 24;
    int64_t given = 0, made = 0;
    for (Value operand : op->getOperands())
      given += operand.getDefiningOp<AbsentOp>() ? 0 : bytesOf(operand);
    for (Value result : op->getResults())
      made += bytesOf(result);
    if (made > std::max(given, kFree))
      return "its results would take more than 16 MiB and more than its operands";
    if (made > left)
      return "the results computed from constants would take 256 MiB more than the constants";
    left -= made;
    return {};
  }

private:
  int64_t left = int64_t(1) << 28;
};

void opc::graph::foldConstants(Folder &folder, ModelOp model, const RunInstance &run) {
  BytesOfConstants bytes(model);
  // Ranges of constants are constants for the patterns; a too large one remains a range, which needs no step.
  auto foldRange = [&](Operation &op) {
    if (isRangeOfConstants(&op) && bytes.take(&op).empty())
      replaceRange(folder.builder, &op);
  };
  for (Operation &op : llvm::make_early_inc_range(model.getBody().front()))
    foldRange(op);
  folder.forEach([&](InstanceOp instance) {
    const bool isConstant =
        llvm::all_of(instance.getOperands(),
                     [](Value operand) { return operand.getDefiningOp<AbsentOp>() || constantOf(operand); }) &&
        llvm::any_of(instance.getOperands(), [](Value operand) { return constantOf(operand) != nullptr; });
    if (!isConstant)
      return;
    if (std::string reason = bytes.take(instance); !reason.empty())
      return folder.nearly("constant", instance, reason);
    if (!replaceByConstants(folder.builder, instance, run))
      return folder.nearly("constant", instance, "its kernel could not be run while compiling");
    folder.erased("constant", instance);
  });
}

//===- instances that change nothing ------------------------------------------===//

/// The operand that the result of x * 1, x / 1, x + 0, x - 0 or x^1 equals; null for others.
static Value unchanged(Folder &folder, InstanceOp instance) {
  auto kinds = {
      std::tuple("Mul", 1.0, true), {"Div", 1.0, false}, {"Add", 0.0, true}, {"Sub", 0.0, false}, {"Pow", 1.0, false}};
  for (auto [opType, neutral, commutes] : kinds) {
    if (!folder.isA(instance, opType))
      continue;
    for (unsigned i : {1u, 0u})
      if ((i == 1 || commutes) && numberOf(instance.getOperand(i)) == neutral &&
          instance.getOperand(1 - i).getType() == instance.getResult(0).getType())
        return instance.getOperand(1 - i);
  }
  return {};
}

static std::optional<SmallVector<int64_t>> orderOf(Folder &folder, Value value) {
  InstanceOp transpose = folder.producer(value, "Transpose");
  auto order = transpose && transpose.getParametersAttr()
                   ? transpose.getParametersAttr().getAs<DenseI64ArrayAttr>("perm")
                   : DenseI64ArrayAttr();
  return order ? std::optional(SmallVector<int64_t>(order.asArrayRef())) : std::nullopt;
}

static void foldTranspose(Folder &folder, InstanceOp instance) {
  Value result = instance.getResult(0), operand = instance.getOperand(0);
  std::optional<SmallVector<int64_t>> order = orderOf(folder, result);
  if (!order)
    return;
  if (std::optional<SmallVector<int64_t>> inner = orderOf(folder, operand)) {
    for (int64_t &dim : *order)
      dim = (*inner)[static_cast<size_t>(dim)];
    operand = operand.getDefiningOp<InstanceOp>().getOperand(0);
  }
  // Dimensions of size 1 may move anywhere.
  auto shape = cast<RankedTensorType>(operand.getType()).getShape();
  SmallVector<int64_t> moved;
  for (int64_t dim : *order)
    if (shape[static_cast<size_t>(dim)] != 1)
      moved.push_back(dim);
  if (llvm::is_sorted(moved))
    return folder.replace("transpose of nothing", result,
                          folder.reshape(operand, cast<RankedTensorType>(result.getType()).getShape(), result));
  if (operand == instance.getOperand(0))
    return;
  std::string reason;
  Builder &builder = folder.builder;
  auto parameters = builder.getDictionaryAttr(builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(*order)));
  if (Value made = folder.make("Transpose", operand, parameters, result, reason))
    folder.replace("Transpose", result, made);
}

void opc::graph::foldNothing(Folder &folder, InstanceOp instance) {
  if (Value operand = unchanged(folder, instance))
    folder.replace("arithmetic of nothing", instance.getResult(0), operand);
  else if (folder.isA(instance, "Transpose"))
    foldTranspose(folder, instance);
}
