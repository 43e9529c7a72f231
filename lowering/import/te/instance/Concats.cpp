#include "lowering/import/te/instance/Concats.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Ranges.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

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
  ConcatMover(func::FuncOp function, const Contract &contract, unsigned loops)
      : function(function), contract(contract), loops(loops) {}
  void move();
  void combine(const Domain &domain);

private:
  Value combined(te::ReductionOpInterface reduction, const ContractDim &sum, const Domain &domain);
  void eraseMoved();
  bool has(Value value, const ContractDim &sum);
  Value rangeOf(Value value, const ContractDim &sum, size_t place);
  Value resultOf(Value value, ArrayRef<ContractDim> sums);
  bool isMoved(Value value) const {
    return llvm::any_of(ranges,
                        [&](const auto &each) { return std::get<0>(each.first) == value.getAsOpaquePointer(); });
  }

  func::FuncOp function;
  const Contract &contract;
  const unsigned loops;     ///< of the nest
  bool namesRanges = false; ///< values of ranges have names and types of their own
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

/// The location of a value of a range, which has its name (nameOfRange).
static mlir::Location locationOfRange(mlir::Location location, const std::string &range) {
  auto named = dyn_cast<NameLoc>(location);
  if (!named)
    return location;
  return NameLoc::get(StringAttr::get(location.getContext(), named.getName().str() + range), named.getChildLoc());
}

/// Infers the types of a copy again, whose operands are ranges, and names it.
static void takeTypes(Operation *copy, const std::string &range) {
  SmallVector<Type> types;
  auto infer = dyn_cast<InferTypeOpInterface>(copy);
  if (infer && succeeded(infer.inferReturnTypes(copy->getContext(), copy->getLoc(), copy->getOperands(),
                                                copy->getDiscardableAttrDictionary(), copy->getPropertiesStorage(),
                                                copy->getRegions(), types)))
    for (auto [result, type] : llvm::zip(copy->getResults(), types))
      result.setType(type);
  copy->setLoc(locationOfRange(copy->getLoc(), range));
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
  Operation *copy = builder.clone(*op, mapping);
  if (namesRanges)
    takeTypes(copy, nameOfRange(sum.name, place));
  return range = copy->getResult(0);
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
  eraseMoved();
}

/// What is computed in ranges now reads whole inputs no longer.
void ConcatMover::eraseMoved() {
  Operation *ret = function.front().getTerminator();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (&op != ret && op.use_empty() && llvm::any_of(op.getResults(), [&](Value result) { return isMoved(result); }))
      op.erase();
}

//===----------------------------------------------------------------------===//
// Reductions along sums
//===----------------------------------------------------------------------===//

/// A sum from the text of a concat, whose terms are factors.
static ContractDim sumOfText(StringRef text) {
  auto named = [](StringRef name) {
    ContractDim dim;
    dim.kind = llvm::isDigit(name.front()) ? ContractDim::Fixed : ContractDim::Symbol;
    dim.name = name.str();
    return dim;
  };
  ContractDim sum = named(text);
  SmallVector<StringRef> terms, factors;
  text.split(terms, '+');
  for (StringRef term : terms) {
    factors.clear();
    term.split(factors, '*');
    sum.terms.push_back(named(term));
    for (StringRef factor : factors)
      sum.terms.back().factors.push_back(named(factor));
  }
  return sum;
}

static bool hasFactor(const ContractDim &term, StringRef name) {
  return llvm::any_of(term.factors, [&](const ContractDim &factor) { return factor.name == name; });
}

/// What combines two ranges of a reduction; null for a reduction of another form. Those of a mean are sums.
static Value combine(OpBuilder &builder, Operation *reduction, Value a, Value b) {
  const mlir::Location at = reduction->getLoc();
  if (isa<te::ReduceSumOp, te::ReduceMeanOp>(reduction))
    return te::AddOp::create(builder, at, a, b);
  if (isa<te::ReduceProdOp>(reduction))
    return te::MulOp::create(builder, at, a, b);
  if (isa<te::ReduceMaxOp>(reduction))
    return te::MaximumOp::create(builder, at, a, b);
  if (isa<te::ReduceMinOp>(reduction))
    return te::MinimumOp::create(builder, at, a, b);
  if (isa<te::ReduceAnyOp>(reduction))
    return te::OrOp::create(builder, at, a, b);
  if (isa<te::ReduceAllOp>(reduction))
    return te::AndOp::create(builder, at, a, b);
  return {};
}

static Value castTo(OpBuilder &builder, Value value, Type element) {
  if (te::elementOf(value.getType()) == element)
    return value;
  return te::CastOp::create(builder, value.getLoc(), value, TypeAttr::get(element), te::Rounding::NearestEven);
}

/// A reduction along a sum from those of its ranges; null where it is none.
Value ConcatMover::combined(te::ReductionOpInterface reduction, const ContractDim &sum, const Domain &domain) {
  auto nameOf = [&](int64_t axis) { return StringRef(domain.dims[size_t(axis)].name); };
  auto isOfSum = [&](int64_t axis) {
    return llvm::any_of(sum.terms, [&](const ContractDim &term) { return hasFactor(term, nameOf(axis)); });
  };
  if (isa<te::ArgMaxOp, te::ArgMinOp>(reduction) || llvm::none_of(reduction.getAxes(), isOfSum) ||
      !has(reduction.getOperand(), sum))
    return {};
  SmallVector<SmallVector<int64_t>> axesOf;
  for (const ContractDim &term : sum.terms) {
    axesOf.emplace_back();
    for (int64_t axis : reduction.getAxes())
      if (!isOfSum(axis) || hasFactor(term, nameOf(axis)))
        axesOf.back().push_back(axis);
  }
  // A range of fixed size is reduced over nothing. The number of its elements is in no tensor.
  const bool isMean = isa<te::ReduceMeanOp>(reduction);
  if (isMean && llvm::any_of(axesOf, [](ArrayRef<int64_t> axes) { return axes.empty(); }))
    return {};
  OpBuilder builder(reduction);
  const mlir::Location at = reduction.getLoc();
  const Type element = te::elementOf(reduction.getOperand().getType());
  // Numbers of elements may be more than 16 bits represent.
  const Type ofMean = isMean && element.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : element;
  Value result, count;
  for (auto [place, axes] : llvm::enumerate(axesOf)) {
    Value value = rangeOf(reduction.getOperand(), sum, place);
    Value one = isMean ? Value(te::ConstantOp::create(builder, at, builder.getF64FloatAttr(1.0), TypeAttr::get(ofMean)))
                       : Value();
    const std::string range = nameOfRange(sum.name, place);
    auto sumOf = [&](Value of, const std::string &name) -> Value {
      return te::ReduceSumOp::create(builder, locationOfRange(at, name), of, axes, /*keep=*/true);
    };
    if (isMean) {
      one = sumOf(BroadcastOp::create(builder, at, one, value, TypeAttr()), range + kOfCount);
      value = sumOf(value, range);
    } else if (!axes.empty()) {
      Operation *copy = builder.clone(*reduction.getOperation());
      copy->setOperand(0, value);
      copy->setAttr("axes", builder.getDenseI64ArrayAttr(axes));
      takeTypes(copy, range);
      value = copy->getResult(0);
    }
    value = castTo(builder, value, ofMean);
    result = result ? opc::combine(builder, reduction, result, value) : value;
    if (isMean)
      count = count ? Value(te::AddOp::create(builder, at, count, one)) : one;
  }
  return isMean ? castTo(builder, te::DivOp::create(builder, at, result, count), element) : result;
}

void ConcatMover::combine(const Domain &domain) {
  llvm::SmallSetVector<StringRef, 4> sums;
  for (ConcatOp concat : function.front().getOps<ConcatOp>())
    if (llvm::all_of(concat.getParts(), [](Value part) { return isa<RankedTensorType>(part.getType()); }))
      sums.insert(concat.getDim());
  namesRanges = true;
  SmallVector<Operation *> done;
  for (StringRef text : sums) {
    const ContractDim sum = sumOfText(text);
    for (Operation &op : function.front()) {
      auto reduction = dyn_cast<te::ReductionOpInterface>(op);
      Value value = reduction ? combined(reduction, sum, domain) : Value();
      if (!value)
        continue;
      op.getResult(0).replaceAllUsesWith(value);
      done.push_back(&op);
    }
  }
  // Not before, since what is known of a value is found by its address.
  for (Operation *op : llvm::reverse(done))
    op->erase();
  eraseMoved();
}

void moveConcats(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  ConcatMover(function, contract, key.loops).move();
}

LogicalResult refuseRead(ConcatOp concat) {
  InFlightDiagnostic error = concat.emitOpError("[concat_c2] expects results that have '")
                             << concat.getDim() << "', where they are computed from it";
  error.attachNote() << "fix: reduce each range along its own term, and combine what comes of them";
  return error;
}

LogicalResult combineRanges(func::FuncOp function, const Contract &contract) {
  std::string reason;
  if (splitsSums(contract) || function.front().getOps<ConcatOp>().empty())
    return success();
  if (const std::optional<Domain> domain = domainOf(contract, reason))
    ConcatMover(function, contract, unsigned(domain->dims.size())).combine(*domain);
  // Along `A[n]`, of one input with a count, takeEach and takeParts decide.
  for (ConcatOp concat : function.front().getOps<ConcatOp>())
    if (!concat->use_empty() && concat.getDim().contains('+'))
      return refuseRead(concat);
  return success();
}

} // namespace opc
