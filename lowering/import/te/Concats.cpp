#include "lowering/import/te/Concats.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Ranges.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace opc {

using te::BroadcastOp;
using te::ConcatOp;
using te::SliceOp;

Value filled(OpBuilder &builder, Value value, RankedTensorType type) {
  const mlir::Location at = value.getLoc();
  const auto element = TypeAttr::get(type.getElementType());
  if (!isa<RankedTensorType>(value.getType())) {
    if (auto constant = value.getDefiningOp<te::ConstantOp>())
      value = te::ConstantOp::create(builder, at, constant.getValue(), element);
    else if (value.getType() != type.getElementType())
      value = te::CastOp::create(builder, at, value, element, te::Rounding::NearestEven);
  }
  return value.getType() == type ? value : BroadcastOp::create(builder, at, value, Value(), TypeAttr::get(type));
}

namespace {

class ConcatMover {
public:
  ConcatMover(func::FuncOp function, const Contract &contract, const ShapeKey &key)
      : function(function), contract(contract), loops(key.loops) {}
  void move();

private:
  bool has(Value value, const ContractDim &sum);
  Value rangeOf(Value value, const ContractDim &sum, size_t place);
  Value resultOf(Value value, ArrayRef<ContractDim> sums);
  bool isMoved(Value value) const {
    return llvm::any_of(ranges,
                        [&](const auto &each) { return std::get<0>(each.first) == value.getAsOpaquePointer(); });
  }

  func::FuncOp function;
  const Contract &contract;
  const unsigned loops; ///< of the nest
  std::map<std::pair<void *, std::string>, bool> known;
  std::map<std::tuple<void *, std::string, size_t>, Value> ranges;
};

} // namespace

static bool isTerm(const ContractDim &sum, StringRef name) {
  return llvm::any_of(sum.terms, [&](const ContractDim &term) { return name == printDim(term); });
}

/// Whether a value has all of a sum, as an input or by a concat.
bool ConcatMover::has(Value value, const ContractDim &sum) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const unsigned number = argument.getArgNumber();
    return number < contract.inputs.size() &&
           llvm::any_of(contract.inputs[number].shape, [&](const ContractDim &dim) { return dim.name == sum.name; });
  }
  const auto [found, isNew] = known.try_emplace({value.getAsOpaquePointer(), sum.name}, false);
  if (!isNew)
    return found->second;
  Operation *op = value.getDefiningOp();
  bool isHere = llvm::any_of(op->getOperands(), [&](Value operand) { return has(operand, sum); });
  if (auto concat = dyn_cast<ConcatOp>(op))
    isHere |= concat.getDim() == sum.name && concat.getParts().size() == sum.terms.size();
  if (auto slice = dyn_cast<SliceOp>(op); slice && !slice.getIndex())
    isHere &= !isTerm(sum, slice.getDim());
  return known[{value.getAsOpaquePointer(), sum.name}] = isHere;
}

/// A value along a term of a sum.
Value ConcatMover::rangeOf(Value value, const ContractDim &sum, size_t place) {
  if (!has(value, sum))
    return value;
  Value &range = ranges[{value.getAsOpaquePointer(), sum.name, place}];
  if (range)
    return range;
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfterValue(value);
  if (isa<BlockArgument>(value))
    return range = SliceOp::create(builder, value.getLoc(), value, builder.getStringAttr(printDim(sum.terms[place])),
                                   IntegerAttr());
  Operation *op = value.getDefiningOp();
  if (auto concat = dyn_cast<ConcatOp>(op); concat && concat.getDim() == sum.name) {
    Value part = concat.getParts()[unsigned(place)];
    if (isa<RankedTensorType>(part.getType()))
      return range = part;
    // What computes with it is of the elements' type, and has all loops.
    const SmallVector<int64_t> shape(loops, ShapedType::kDynamic);
    return range = filled(builder, part, cast<RankedTensorType>(value.getType()).clone(shape));
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, rangeOf(operand, sum, place));
  builder.setInsertionPointAfter(op);
  return range = builder.clone(*op, mapping)->getResult(0);
}

/// A result of the body as concats along these of its sums, from the left to the right.
Value ConcatMover::resultOf(Value value, ArrayRef<ContractDim> sums) {
  if (sums.empty() || !has(value, sums.front()))
    return value;
  const ContractDim &sum = sums.front();
  auto concat = value.getDefiningOp<ConcatOp>();
  const bool isConcat = concat && concat.getDim() == sum.name;
  SmallVector<Value> parts;
  for (auto [place, term] : llvm::enumerate(sum.terms)) {
    Value part = isConcat ? concat.getParts()[unsigned(place)] : rangeOf(value, sum, place);
    // A range that is filled is not split along other sums.
    parts.push_back(isOfInputs(contract, term) ? resultOf(part, sums.drop_front()) : part);
  }
  if (isConcat && llvm::equal(parts, concat.getParts()))
    return value;
  OpBuilder builder(function.front().getTerminator());
  return ConcatOp::create(builder, value.getLoc(), parts, builder.getStringAttr(sum.name));
}

void ConcatMover::move() {
  Operation *ret = function.front().getTerminator();
  for (size_t i = 0; i < std::min<size_t>(contract.outputs.size(), ret->getNumOperands()); ++i) {
    SmallVector<ContractDim> sums;
    for (const ContractDim &dim : contract.outputs[i].shape)
      if (isSplit(contract, dim))
        sums.push_back(dim);
    ret->setOperand(unsigned(i), resultOf(ret->getOperand(unsigned(i)), sums));
  }
  // What is computed in ranges now reads whole inputs no longer.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (&op != ret && op.use_empty() && llvm::any_of(op.getResults(), [&](Value result) { return isMoved(result); }))
      op.erase();
}

void moveConcats(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  ConcatMover(function, contract, key).move();
}

} // namespace opc
