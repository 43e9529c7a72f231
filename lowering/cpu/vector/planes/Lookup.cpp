#include "lowering/cpu/vector/planes/Lookup.h"

#include "lowering/cpu/vector/code/VectorMath.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opc::cpu {

Lookup::Lookup(CodeBuilder &b, FusedKernel &kernel, Frame &frame, PositionValues &positions, unsigned lanes)
    : b(b), kernel(kernel), positions(positions), lanes(lanes), tables(kernel.tensors.size()) {
  for (unsigned i = 0; i < kernel.tensors.size(); ++i)
    if (!kernel.tensors[i].places.empty())
      tables[i] = frame.table(i);
}

unsigned Lookup::tensorOf(mlir::Operation &op) const {
  auto generic = mlir::cast<mlir::linalg::GenericOp>(op.getParentOp());
  auto argument = mlir::cast<mlir::BlockArgument>(mlir::cast<te::GatherOp>(op).getOperand());
  return *kernel.tensorOf(generic.getInputs()[argument.getArgNumber()]);
}

/// Whether a value of a payload differs from lane to lane.
bool Lookup::moves(mlir::Value value) {
  if (auto found = moving.find(value); found != moving.end())
    return found->second;
  bool result = false;
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
    auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(argument.getOwner()->getParentOp());
    if (generic) {
      std::optional<unsigned> tensor;
      if (argument.getArgNumber() < generic.getInputs().size())
        tensor = kernel.tensorOf(generic.getInputs()[argument.getArgNumber()]);
      result = !tensor || kernel.isAlong(*tensor, 1);
    }
  } else if (mlir::Operation *op = value.getDefiningOp();
             mlir::isa_and_nonnull<mlir::linalg::GenericOp>(op->getParentOp())) {
    if (auto index = mlir::dyn_cast<mlir::linalg::IndexOp>(op))
      result = countedLoop(index) == 1u;
    else
      result = any_of(op->getOperands(), [&](mlir::Value operand) { return moves(operand); });
  }
  return moving[value] = result;
}

/// The remainder of a division that rounds down, for divisors of at least 1. It has no vector instruction: it is only
/// for indices that are outside of the range by more than its length.
static Value *remainder(CodeBuilder &b, Value *x, Value *divisor) {
  Value *quotient = VectorMath(b).quotient(x, divisor, /*isSigned=*/true);
  Value *rest = b.CreateSub(x, b.CreateMul(quotient, divisor));
  return b.CreateSelect(b.CreateICmpSLT(rest, Constant::getNullValue(x->getType())), b.CreateAdd(rest, divisor), rest);
}

/// An index of 32 bits within the range, for any index of 32 or 64 bits. The range has 1 to 2^31 - 1 elements.
Value *Lookup::inRange(Value *index, Value *count, te::Beyond beyond) {
  Type *type = index->getType();
  const unsigned width = lanesOf(type);
  Type *words = withLanes(b.getInt32Ty(), width), *wide = withLanes(b.getInt64Ty(), width);
  auto all = [&](Value *scalar, Type *as) {
    scalar = b.CreateSExtOrTrunc(scalar, as->getScalarType());
    return width ? b.CreateVectorSplat(width, scalar) : scalar;
  };
  Value *zero = Constant::getNullValue(type), *places = all(count, type);
  Value *last = b.CreateSub(places, ConstantInt::get(type, 1));
  auto nearest = [&](Value *place) { return b.max(b.min(place, last), zero); };
  Value *isBefore = b.CreateICmpSLT(index, zero);
  if (beyond == te::Beyond::FromEnd)
    index = b.CreateSelect(isBefore, b.CreateAdd(index, places), index);
  if (beyond == te::Beyond::Nearest || beyond == te::Beyond::FromEnd)
    return b.CreateSExtOrTrunc(nearest(index), words);
  // One step brings most indices into the range; a remainder brings the others.
  const bool mirrors = beyond == te::Beyond::Reflect;
  Value *isBehind = b.CreateICmpSGT(index, last);
  Value *before = mirrors ? b.CreateNeg(index) : b.CreateAdd(index, places);
  Value *behind = mirrors ? b.CreateSub(b.CreateAdd(last, last), index) : b.CreateSub(index, places);
  Value *near = b.CreateSelect(isBefore, before, b.CreateSelect(isBehind, behind, index));
  Value *isFar = b.anyLane(b.CreateOr(b.CreateICmpSLT(near, zero), b.CreateICmpSGT(near, last)));
  Values found = b.ifRarely(
      isFar,
      [&]() -> Values {
        Value *number = b.CreateSExtOrTrunc(index, wide), *end = all(b.CreateSub(count, b.index(1)), wide);
        if (!mirrors)
          return {b.CreateSExtOrTrunc(remainder(b, number, all(count, wide)), type)};
        Value *turn =
            remainder(b, number, all(b.max(b.CreateMul(b.CreateSub(count, b.index(1)), b.index(2)), b.index(1)), wide));
        Value *back = b.CreateSub(b.CreateAdd(end, end), turn);
        return {b.CreateSExtOrTrunc(b.CreateSelect(b.CreateICmpSGT(turn, end), back, turn), type)};
      },
      [&]() -> Values { return {near}; });
  return b.CreateSExtOrTrunc(nearest(found.front()), words);
}

/// An element of memory for each lane, at offsets in lanes or in memory.
Value *Lookup::loadEach(Value *row, Value *offsets, const Element &element) {
  Value *result = PoisonValue::get(withLanes(element.memory, lanes));
  Type *word = b.getInt32Ty();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value *own = offsets->getType()->isPointerTy()
                     ? b.CreateAlignedLoad(word, b.at(offsets, word, b.index(lane)), Align(4))
                     : b.CreateExtractElement(offsets, lane);
    Value *offset = b.CreateSExt(own, b.getInt64Ty());
    Value *value = b.CreateAlignedLoad(element.memory, b.at(row, element.memory, offset), Align(element.bytes));
    result = b.CreateInsertElement(result, value, lane);
  }
  return result;
}

/// The offset from the indices that `counts` selects, among those that change along a row or those that do not: one
/// offset for each lane, or a scalar. Null if there are none.
Value *Lookup::sumOver(te::GatherOp gather, Places places, bool areMoving, OfIndex counts) {
  const unsigned tensor = tensorOf(*gather);
  const std::vector<std::string> &dims = kernel.tensors[tensor].places;
  Value *sum = nullptr;
  for (auto [dim, place, index] :
       zip_equal(gather.getDims().getAsValueRange<mlir::StringAttr>(), places, gather.getIndices())) {
    if (moves(index) != areMoving || !counts(index))
      continue;
    const size_t number = size_t(find(dims, dim) - dims.begin());
    Value *step = b.CreateTrunc(tables[tensor].steps[number], b.getInt32Ty());
    Value *own = areMoving ? place : b.CreateExtractElement(place, uint64_t(0));
    Value *at = inRange(own, tables[tensor].counts[number], gather.getBeyond());
    at = b.CreateMul(at, areMoving ? b.CreateVectorSplat(lanes, step) : step);
    sum = sum ? b.CreateAdd(sum, at) : at;
  }
  return sum;
}

Value *Lookup::ofRow(mlir::Operation &op, Places places) {
  return sumOver(mlir::cast<te::GatherOp>(op), places, /*areMoving=*/false,
                 [&](mlir::Value index) { return positions.isOfRow(index); });
}

Value *Lookup::ofColumns(mlir::Operation &op, Places places) {
  return sumOver(mlir::cast<te::GatherOp>(op), places, /*areMoving=*/true,
                 [&](mlir::Value index) { return positions.isOfColumn(index); });
}

Value *Lookup::elements(mlir::Operation &op, Places places, Value *row, Value *i, Value *ofRow, Value *ofColumns) {
  auto gather = mlir::cast<te::GatherOp>(op);
  const unsigned tensor = tensorOf(op);
  const Frame::Table &table = tables[tensor];
  const Element &element = kernel.tensors[tensor].element;
  Type *word = b.getInt32Ty();
  auto withOthers = [&](Value *before, bool areMoving) {
    Value *others = sumOver(gather, places, areMoving, [&](mlir::Value index) {
      return !before || !(areMoving ? positions.isOfColumn(index) : positions.isOfRow(index));
    });
    return before && others ? b.CreateAdd(before, others) : before ? before : others;
  };
  Value *columnSums = ofColumns ? b.CreateAlignedLoad(withLanes(b.getInt32Ty(), lanes), ofColumns, Align(4)) : nullptr;
  Value *still = withOthers(ofRow, false), *moved = withOthers(columnSums, true);
  if (!still)
    still = b.getInt32(0);
  Value *from = b.at(row, element.memory, b.CreateSExt(still, b.getInt64Ty()));
  const bool hasColumns = kernel.isAlong(tensor, 1);
  if (!moved && !hasColumns) {
    Value *one = b.CreateAlignedLoad(element.memory, from, Align(element.bytes));
    return fromMemory(b, b.CreateVectorSplat(lanes, one), element);
  }
  Value *numbers = b.lanesFrom0(lanes);
  auto columns = [&] {
    Value *first = b.CreateVectorSplat(lanes, b.CreateTrunc(i, word));
    return b.CreateMul(b.CreateAdd(first, numbers), b.CreateVectorSplat(lanes, b.CreateTrunc(table.column, word)));
  };
  auto together = [&](Value *offset) -> Values {
    Value *address = b.at(from, element.memory, offset);
    return {b.CreateAlignedLoad(withLanes(element.memory, lanes), address, Align(element.bytes))};
  };
  Values loaded;
  if (!moved) {
    loaded = b.ifElse(
        b.CreateICmpEQ(table.column, b.index(1)), [&] { return together(i); },
        [&]() -> Values { return {loadEach(from, columns(), element)}; });
  } else {
    if (hasColumns)
      moved = b.CreateAdd(moved, columns());
    Value *first = b.CreateExtractElement(moved, uint64_t(0));
    Value *following = b.CreateAdd(b.CreateVectorSplat(lanes, first), numbers);
    Value *areApart = b.anyLane(b.CreateICmpNE(moved, following));
    loaded = b.ifElse(
        areApart, [&]() -> Values { return {loadEach(from, moved == columnSums ? ofColumns : moved, element)}; },
        [&] { return together(b.CreateSExt(first, b.getInt64Ty())); });
  }
  return fromMemory(b, loaded.front(), element);
}

} // namespace opc::cpu
