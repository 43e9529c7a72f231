#include "lowering/aicore/place/program/PayloadReader.h"

#include "dialect/te/TeOps.h"
#include "lowering/aicore/place/program/Expand.h"
#include "lowering/aicore/place/program/PayloadOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace opc::aicore {

LogicalResult PayloadReader::unknown(Operation *op) {
  const bool ofScalars = op->getNumOperands() > 0 && llvm::none_of(op->getOperands(), [&](Value value) {
                           return isTile(value) || masks.contains(value);
                         });
  InFlightDiagnostic error = op->emitError("[place_c3] expects operations that an AI Core kernel can be made of; '");
  error << authorsName(op);
  if (ofScalars)
    return error << "' of a scalar is none of them, since the scalar unit only adds, subtracts, "
                    "multiplies and divides: take its result as an attribute, or give the operator a "
                    "body at level aicore";
  return error << "' is none of them: give the operator a body at level aicore";
}

/// The value at the kernel's entry for a scalar of the fused function or of a payload; null if there is none.
Value PayloadReader::scalar(Value value) {
  if (Value known = scalars.lookupOrNull(value))
    return known;
  TypedAttr constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  double number = isa<FloatAttr>(constant) ? cast<FloatAttr>(constant).getValueAsDouble()
                                           : double(cast<IntegerAttr>(constant).getValue().getSExtValue());
  std::optional<ElementType> type = elementTypeOf(value.getType());
  // A double holds no integer of more than 53 bits.
  auto whole = dyn_cast<IntegerAttr>(constant);
  bool isExact = !whole || whole.getValue().getSignificantBits() <= 53;
  Value made = type && isExact && !value.getType().isInteger(1)
                   ? steps.scalarConstant(*type, number)
                   : Value(entry.clone(*value.getDefiningOp())->getResult(0));
  scalars.map(value, made);
  return made;
}

/// A tile with a scalar in every element. The chip cannot fill with bytes; they are converted from int32.
TileId PayloadReader::fillOf(Value number, ElementType type, Spread spread) {
  if (type != ElementType::Int8 && type != ElementType::UInt8)
    return steps.fill(number, type, spread);
  Type word = entry.getI32Type();
  IntegerAttr constant;
  Value wide;
  if (matchPattern(number, m_Constant(&constant)))
    wide = steps.scalarConstant(ElementType::Int32, double(constant.getValue().getSExtValue()));
  else if (number.getType().isInteger(1))
    wide = arith::ExtUIOp::create(entry, steps.getLocation(), word, number);
  else
    wide = arith::ExtSIOp::create(entry, steps.getLocation(), word, number);
  TileId whole = steps.fill(wide, ElementType::Int32, spread);
  return expandCast(steps, whole, type, Rounding::Rint, /*saturate=*/false);
}

/// A byte as a signed or unsigned one, where its reader distinguishes them; any other value as it is. Computed bytes
/// have no sign of their own in phase fused.
TileId PayloadReader::byteAs(TileId value, ElementType type) {
  const ElementType from = steps[value].type;
  const bool isOfBytes = (from == ElementType::Int8 || from == ElementType::UInt8) &&
                         (type == ElementType::Int8 || type == ElementType::UInt8);
  return isOfBytes ? expandCast(steps, value, type, Rounding::Rint, /*saturate=*/false) : value;
}

/// The type of a computed byte: unsigned if that spares a reader the conversion.
static ElementType byteTypeOf(Value value) {
  const bool isUnsigned =
      llvm::any_of(value.getUsers(), [](Operation *reader) { return signOfBytes(reader) == ElementType::UInt8; });
  return isUnsigned ? ElementType::UInt8 : ElementType::Int8;
}

/// Any value as a tile of the type.
FailureOr<TileId> PayloadReader::asTile(Value value, ElementType type, Spread spread) {
  if (isTile(value))
    return tile(value);
  Value number = scalar(value);
  if (!number)
    return failure();
  return fillOf(number, type, spread);
}

// Computes on tiles of one element what the scalar unit cannot compute.
LogicalResult PayloadReader::readUniform(Operation *op) {
  bool made = false;
  for (Value operand : op->getOperands()) {
    if (isTile(operand) || masks.contains(operand))
      continue;
    Value number = scalar(operand);
    std::optional<ElementType> type = elementTypeOf(operand.getType());
    if (!number || !type || !vectorUnitTakes(*type))
      return unknown(op);
    if (*type == ElementType::Bool) {
      number = arith::ExtUIOp::create(entry, op->getLoc(), entry.getI32Type(), number);
      type = ElementType::Int32;
    }
    tiles[operand] = fillOf(number, *type, Spread::One);
    made = true;
  }
  return made ? readPayload(op) : unknown(op);
}

// Computes with the scalar unit where all operands are scalars and it has the operation.
LogicalResult PayloadReader::readScalar(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return success(); // made where it is used
  bool known = isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
                   arith::MinimumFOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp,
                   arith::IndexCastOp, arith::SIToFPOp, arith::TruncIOp, arith::SelectOp>(op) ||
               (isa<arith::CmpIOp>(op) && op->getOperand(0).getType().isInteger(64));
  if (auto convert = dyn_cast<arith::SIToFPOp>(op); convert && !convert.getType().isF32()) {
    Value number = scalar(convert.getIn());
    std::optional<ElementType> type = elementTypeOf(convert.getType());
    if (!number || !type || !vectorUnitTakes(*type))
      return unknown(op);
    Value single = arith::SIToFPOp::create(entry, op->getLoc(), entry.getF32Type(), number);
    TileId wide = steps.fill(single, ElementType::Float32, Spread::One);
    tiles[op->getResult(0)] = steps.cast(wide, *type, Rounding::Rint);
    return success();
  }
  // The scalar unit computes floats only in float32.
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    known &= !isa<FloatType>(type) || type.isF32();
  if (!known)
    return readUniform(op);
  IRMapping operands;
  for (Value operand : op->getOperands()) {
    Value value = scalar(operand);
    if (!value)
      return readUniform(op);
    operands.map(operand, value);
  }
  scalars.map(op->getResult(0), entry.clone(*op, operands)->getResult(0));
  return success();
}

FailureOr<TileId> PayloadReader::readBinary(Operation *op, Intrinsic intrinsic) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (isTile(lhs) && isTile(rhs))
    return steps.binary(intrinsic, tile(lhs), tile(rhs));
  bool scalarLeft = !isTile(lhs);
  TileId source = tile(scalarLeft ? rhs : lhs);
  Value number = scalar(scalarLeft ? lhs : rhs);
  if (!number)
    return unknown(op);
  bool isFloat = isa<FloatType>(number.getType());
  auto minus = [&](Value value) -> Value {
    FloatAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return steps.scalarConstant(steps[source].type, -constant.getValueAsDouble());
    if (isFloat)
      return arith::NegFOp::create(entry, op->getLoc(), value);
    IntegerAttr whole;
    if (matchPattern(value, m_Constant(&whole)))
      return steps.scalarConstant(steps[source].type, -double(whole.getInt()));
    return {};
  };
  switch (intrinsic) {
  case Intrinsic::vadd:
    return steps.scalar(Intrinsic::vadds, source, number);
  case Intrinsic::vsub:
    if (!scalarLeft) {
      // The scalar unit computes integers only in 64 bits.
      Value opposite = minus(number);
      return opposite ? steps.scalar(Intrinsic::vadds, source, opposite)
                      : steps.binary(Intrinsic::vsub, source, fillOf(number, steps[source].type, steps[source].spread));
    }
    return steps.scalar(Intrinsic::vadds, expandNeg(steps, source), number);
  case Intrinsic::vmul:
    return steps.scalar(Intrinsic::vmuls, source, number);
  case Intrinsic::vmax:
    return steps.scalar(Intrinsic::vmaxs, source, number);
  case Intrinsic::vmin:
    return steps.scalar(Intrinsic::vmins, source, number);
  case Intrinsic::vdiv:
    // The floor of a quotient of positions is an index, which would be wrong if the quotient were a unit too small.
    if (!scalarLeft && !tables.empty() && steps[source].type == ElementType::Float32 && isOfPositions(source))
      return expandExactQuotient(steps, source, fillOf(number, ElementType::Float32, steps[source].spread));
    return scalarLeft ? expandDivide(steps, number, source) : expandDivide(steps, source, number);
  default:
    return unknown(op);
  }
}

/// Whether an op is arithmetic on bytes, which the chip lacks.
bool PayloadReader::isOfBytes(Operation *op) const {
  if (!binaryIntrinsic(op) && !isa<math::AbsIOp>(op))
    return false;
  return llvm::all_of(op->getOperandTypes(), [](Type type) { return type.isInteger(8); });
}

// Byte arithmetic is computed in int32 and wrapped.
FailureOr<TileId> PayloadReader::readBytes(Operation *op) {
  const std::optional<ElementType> sign = signOfBytes(op);
  ElementType type = sign.value_or(byteTypeOf(op->getResult(0)));
  Spread spread = Spread::One;
  for (Value operand : op->getOperands()) {
    spread = join(spread, spreadOf(operand));
    if (!sign && isTile(operand) && steps[tile(operand)].type == ElementType::UInt8)
      type = ElementType::UInt8;
  }
  SmallVector<TileId, 2> wide;
  for (Value operand : op->getOperands()) {
    FailureOr<TileId> byte = asTile(operand, type, spread);
    if (failed(byte))
      return unknown(op);
    const TileId meant = sign ? byteAs(*byte, *sign) : *byte;
    wide.push_back(expandCast(steps, meant, ElementType::Int32, Rounding::Rint, /*saturate=*/false));
  }
  std::optional<Intrinsic> intrinsic = binaryIntrinsic(op);
  TileId result = intrinsic ? steps.binary(*intrinsic, wide[0], wide[1]) : expandAbs(steps, wide[0]);
  return expandCast(steps, result, type, Rounding::Rint, /*saturate=*/false);
}

// The chip has no powers of integers. A scalar is a tile of one element.
FailureOr<TileId> PayloadReader::readWholePower(math::IPowIOp op) {
  const std::optional<ElementType> type = elementTypeOf(op.getType());
  if (type != ElementType::Int16 && type != ElementType::Int32)
    return unknown(op);
  FailureOr<TileId> lhs = asTile(op.getLhs(), *type, Spread::One), rhs = asTile(op.getRhs(), *type, Spread::One);
  if (failed(lhs) || failed(rhs))
    return unknown(op);
  return expandWholePower(steps, *lhs, *rhs);
}

// The chip divides no integers. A scalar is a tile of one element.
FailureOr<TileId> PayloadReader::readWholeQuotient(Operation *op) {
  const bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(op);
  std::optional<ElementType> type = elementTypeOf(op->getResult(0).getType());
  if (type == ElementType::Int8)
    type = signOfBytes(op);
  else if (isUnsigned || (type != ElementType::Int16 && type != ElementType::Int32))
    return unknown(op);
  TileId operands[2];
  for (unsigned index = 0; index < 2; ++index) {
    FailureOr<TileId> number = asTile(op->getOperand(index), *type, Spread::One);
    if (failed(number))
      return unknown(op);
    operands[index] = byteAs(*number, *type);
  }
  const bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(op);
  return expandWholeQuotient(steps, operands[0], operands[1], *type, isRemainder);
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

FailureOr<TileId> PayloadReader::readCast(Operation *op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  std::optional<ElementType> type = elementTypeOf(result.getType());
  bool truth = operand.getType().isInteger(1) || masks.contains(operand);
  if (!type || !vectorUnitTakes(*type))
    return unknown(op);
  if (auto cast = dyn_cast<te::CastOp>(op); cast && cast.getIsUnsigned() && type == ElementType::Int8)
    type = ElementType::UInt8;
  if (isa<arith::TruncIOp>(op) && type == ElementType::Int8)
    type = byteTypeOf(result);
  if (truth)
    return truthAsNumber(operand, *type);
  TileId source = tile(operand);
  if (std::optional<ElementType> sign = signOfBytes(op))
    source = byteAs(source, *sign);
  auto cast = dyn_cast<te::CastOp>(op);
  Rounding rounding = cast ? roundingOf(cast.getRounding()) : Rounding::Rint;
  if (isa<arith::FPToSIOp>(op))
    rounding = Rounding::Trunc;
  return expandCast(steps, source, *type, rounding, cast && cast.getSaturate());
}

FailureOr<TileId> PayloadReader::readFloat(Operation *op) {
  Value operand = op->getOperand(0);
  if (!isTile(operand))
    return unknown(op);
  TileId x = tile(operand);
  return llvm::TypeSwitch<Operation *, FailureOr<TileId>>(op)
      .Case([&](arith::NegFOp) { return expandNeg(steps, x); })
      .Case([&](math::RsqrtOp) { return expandRsqrt(steps, x); })
      .Case([&](te::SigmoidOp) { return expandSigmoid(steps, x); })
      .Case([&](te::TanhOp) { return expandTanh(steps, x); })
      .Case([&](te::ErfOp) { return expandErf(steps, x); })
      .Case([&](math::FloorOp) { return expandWhole(steps, x, Rounding::Floor); })
      .Case([&](math::CeilOp) { return expandWhole(steps, x, Rounding::Ceil); })
      .Case([&](math::RoundEvenOp) { return expandWhole(steps, x, Rounding::Rint); })
      .Case([&](math::TruncOp) { return expandWhole(steps, x, Rounding::Trunc); })
      .Case([&](te::SignOp) { return expandSign(steps, x); })
      .Case([&](math::ExpM1Op) { return expandExpm1(steps, x); })
      .Case([&](math::Log1pOp) { return expandLog1p(steps, x); })
      .Case([&](te::SoftplusOp) { return expandSoftplus(steps, x); })
      .Case([&](math::SinOp) { return expandSine(steps, x, /*cosine=*/false); })
      .Case([&](math::CosOp) { return expandSine(steps, x, /*cosine=*/true); })
      .Case([&](te::GeluOp gelu) { return expandGelu(steps, x, gelu.getForm() == te::GeluForm::Tanh); })
      .Case([&](te::SwishOp swish) -> FailureOr<TileId> {
        if (isTile(swish.getRhs()))
          return expandSwish(steps, x, tile(swish.getRhs()));
        if (!swish.getRhs().getType().isF32())
          return unknown(op);
        return expandSwish(steps, x, scalar(swish.getRhs()));
      })
      .Default([&](Operation *) -> FailureOr<TileId> { return unknown(op); });
}

// A scalar is a tile of one element; steps on it cost almost nothing.
FailureOr<TileId> PayloadReader::readTwoFloats(Operation *op) {
  FailureOr<TileId> operands[2];
  for (unsigned index = 0; index < 2; ++index) {
    Value value = op->getOperand(index);
    operands[index] = asTile(value, *elementTypeOf(value.getType()), Spread::One);
    if (failed(operands[index]))
      return unknown(op);
  }
  if (auto mod = dyn_cast<te::ModOp>(op))
    return expandMod(steps, *operands[0], *operands[1], mod.getForm() == te::ModForm::Floor);
  return expandPow(steps, *operands[0], *operands[1]);
}

/// The binary intrinsic that combines two elements in a scan.
static Intrinsic combiningIn(te::ScanForm form) {
  switch (form) {
  case te::ScanForm::Sum:
    return Intrinsic::vadd;
  case te::ScanForm::Product:
    return Intrinsic::vmul;
  case te::ScanForm::Max:
    return Intrinsic::vmax;
  }
  return Intrinsic::vadd;
}

LogicalResult PayloadReader::readScan(te::ScanOp scan) {
  if (!shape.isScanned || !scan.getLoop() || *scan.getLoop() > 1)
    return unknown(scan);
  std::optional<ElementType> type = elementTypeOf(scan.getType());
  if (!type)
    return unknown(scan);
  FailureOr<TileId> source = asTile(scan.getOperand(), *type, Spread::Full);
  if (failed(source))
    return unknown(scan);
  tiles[scan.getResult()] = steps.scan(combiningIn(scan.getForm()), steps.widen(*source, Spread::Full),
                                       {scan.getExclusive(), scan.getReverse(), *scan.getLoop() == 1});
  return failure(steps.failed());
}

// Elements are sorted as float32 or int32 (LineSorts).
LogicalResult PayloadReader::readSort(te::SortOp sort) {
  auto table = tables.find(sort.getOperand());
  if (shape.form != KernelForm::Sorted || table == tables.end() || !sort.getLoop() || *sort.getLoop() > 1)
    return unknown(sort);
  std::optional<ElementType> type = elementTypeOf(sort.getOperand().getType());
  const ElementType stored = shape.tensors[table->second].type;
  if (!type)
    return unknown(sort);
  const TileStep::Sort ways = {table->second, sort.getDescending(), sort.getPlaces(), *sort.getLoop() == 1};
  if (sort.getPlaces()) {
    tiles[sort.getResult()] = steps.sort(ways, ElementType::Int32);
    return failure(steps.failed());
  }
  const TileId found = steps.sort(ways, stored == ElementType::Int32 ? stored : ElementType::Float32);
  if (isFloat(*type))
    tiles[sort.getResult()] = steps.cast(found, *type, Rounding::Rint);
  else
    tiles[sort.getResult()] = expandCast(steps, found, stored, Rounding::Rint, /*saturate=*/false);
  return failure(steps.failed());
}

/// Positions along the inner two loops, (m, n), of a kernel that may have another one around them.
LogicalResult PayloadReader::readCount(linalg::IndexOp index) {
  const bool isPlane = (shape.form == KernelForm::Grid && shape.isStrided) || shape.form == KernelForm::Rows;
  const bool hasOuter = shape.form == KernelForm::SplitRows || shape.form == KernelForm::Columns;
  const int64_t loop = index->getAttrOfType<IntegerAttr>(te::TeDialect::kLoopAttr).getInt() - hasOuter;
  if (!(isPlane || hasOuter) || loop < 0 || loop > 1)
    return unknown(index);
  tiles[index.getResult()] = steps.count(unsigned(loop));
  return failure(steps.failed());
}

/// Whether one operation reads a value of a payload: in its generic, and in others if another generic made it.
static bool isReadOnce(Value value) {
  if (!value.hasOneUse())
    return false;
  auto argument = dyn_cast<BlockArgument>(value);
  auto reader = argument ? dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp()) : linalg::GenericOp();
  if (!reader)
    return true;
  Value tensor = reader->getOperand(argument.getArgNumber());
  auto maker = tensor.getDefiningOp<linalg::GenericOp>();
  if (!tensor.hasOneUse() || !maker)
    return tensor.hasOneUse();
  return maker.getBody()->getTerminator()->getOperand(cast<OpResult>(tensor).getResultNumber()).hasOneUse();
}

/// Reads an operation along a loop: numbers of elements, running values, sorted lines, elements at computed indices;
/// nullopt for one that computes each element from its operands there.
std::optional<LogicalResult> PayloadReader::readAlongLoop(Operation *op) {
  if (auto index = dyn_cast<linalg::IndexOp>(op); index && index->hasAttr(te::TeDialect::kLoopAttr))
    return readCount(index);
  if (auto scan = dyn_cast<te::ScanOp>(op))
    return readScan(scan);
  if (auto sort = dyn_cast<te::SortOp>(op))
    return readSort(sort);
  if (auto gather = dyn_cast<te::GatherOp>(op))
    return readLookup(gather);
  return std::nullopt;
}

/// Whether an operation makes another name of its operand, and makes it: a cast of a number of elements, which is no
/// position in a tile, and a wider type in which a sort reads the elements.
bool PayloadReader::readAlias(Operation *op) {
  if (auto whole = dyn_cast<arith::IndexCastOp>(op);
      whole && isTile(whole.getIn()) && !positions.contains(whole.getIn())) {
    tiles[whole.getOut()] = tile(whole.getIn());
    return true;
  }
  auto wide = dyn_cast<arith::ExtFOp>(op);
  if (!wide || shape.form != KernelForm::Sorted || !tables.contains(wide.getIn()))
    return false;
  const unsigned number = tables.lookup(wide.getIn());
  tables[wide.getOut()] = number;
  return true;
}

/// Reads a position among the elements of a reduction: those in a row, which is the inner loop, or in a column.
LogicalResult PayloadReader::readPosition(Operation *op) {
  const bool isColumns = shape.form == KernelForm::Columns;
  const bool hasRows = shape.form == KernelForm::Rows || shape.form == KernelForm::Contraction;
  auto index = dyn_cast<linalg::IndexOp>(op);
  if (index && ((!hasRows && !isColumns) || index.getDim() != 1))
    return unknown(op);
  tiles[op->getResult(0)] = !index ? tile(op->getOperand(0)) : isColumns ? steps.positionsOfRows() : steps.positions();
  positions.insert(op->getResult(0));
  return failure(steps.failed());
}

/// The relu of a tile. That of a sum or difference with no other reader is a single intrinsic on this chip. Folding a
/// row adds many times, and the relu of a sum is not the sum of relus; and a value with one element for each row is not
/// a valid operand.
FailureOr<TileId> PayloadReader::readRelu(Operation *op) {
  Value value = op->getOperand(0);
  const ElementType type = steps[tile(value)].type;
  const TileStep *last = steps.lastStep();
  const bool afterSum = last && last->result == tile(value) && isReadOnce(value) && !last->rowScalar &&
                        !last->foldsRows && !last->foldsLanes && !last->scan &&
                        (last->intrinsic == Intrinsic::vadd || last->intrinsic == Intrinsic::vsub) &&
                        steps.supports(Intrinsic::vaddrelu, {type, type});
  if (afterSum) {
    steps.fuseRelu();
    return tile(value);
  }
  if (steps.supports(Intrinsic::vrelu, {type, type}))
    return steps.unary(Intrinsic::vrelu, tile(value));
  return readBinary(op, Intrinsic::vmax);
}

/// Reads an operation of which an operand is a tile, and whose result is one.
FailureOr<TileId> PayloadReader::readNumber(Operation *op) {
  if (isOfBytes(op))
    return readBytes(op);
  if (std::optional<Intrinsic> intrinsic = binaryIntrinsic(op)) {
    const bool isRelu = intrinsic == Intrinsic::vmax && isTile(op->getOperand(0)) && isZero(op->getOperand(1));
    return isRelu ? readRelu(op) : readBinary(op, *intrinsic);
  }
  if (isa<math::AbsIOp>(op))
    return expandAbs(steps, tile(op->getOperand(0)));
  if (std::optional<Intrinsic> intrinsic = unaryIntrinsic(op))
    return steps.unary(*intrinsic, tile(op->getOperand(0)));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return readSelect(select);
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp, te::CastOp>(op))
    return readCast(op);
  if (isa<te::ModOp, math::PowFOp>(op))
    return readTwoFloats(op);
  if (auto power = dyn_cast<math::IPowIOp>(op))
    return readWholePower(power);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return readWholeQuotient(op);
  return readFloat(op);
}

LogicalResult PayloadReader::readPayload(Operation *op) {
  steps.setLocation(op->getLoc());
  if (std::optional<LogicalResult> read = readAlongLoop(op))
    return *read;
  if (readAlias(op))
    return success();
  if (llvm::any_of(op->getOperands(),
                   [&](Value operand) { return isTile(operand) && saturated.contains(tile(operand)); }))
    return unknown(op);
  if (isa<linalg::IndexOp>(op) || (isa<arith::IndexCastOp>(op) && positions.contains(op->getOperand(0))))
    return readPosition(op);
  const bool anyTile =
      llvm::any_of(op->getOperands(), [&](Value operand) { return isTile(operand) || masks.contains(operand); });
  if (!anyTile)
    return readScalar(op);
  Value result = op->getResult(0);
  if (std::optional<Comparison> comparison = comparisonOf(op)) {
    masks[result] = {*comparison, op->getOperand(0), op->getOperand(1), signOfBytes(op)};
    return success();
  }
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return result.getType().isInteger(1) ? readLogic(op) : unknown(op);
  FailureOr<TileId> made = readNumber(op);
  if (failed(made) || steps.failed())
    return failure();
  tiles[result] = *made;
  return success();
}

LogicalResult PayloadReader::readInputs(linalg::GenericOp generic) {
  for (auto [input, element] : llvm::zip(generic.getDpsInputs(), generic.getRegion().front().getArguments())) {
    if (isTile(input))
      tiles[element] = tile(input);
    else if (auto table = tables.find(input); table != tables.end())
      tables.insert({element, unsigned(table->second)});
    else if (masks.contains(input))
      masks[element] = masks[input];
    else if (Value number = scalar(input))
      scalars.map(element, number);
    else
      return unknown(generic);
  }
  return success();
}

LogicalResult PayloadReader::readElementwise(linalg::GenericOp generic) {
  if (failed(readInputs(generic)))
    return failure();
  Block &body = generic.getRegion().front();
  for (Operation &op : body.without_terminator())
    if (failed(readPayload(&op)))
      return failure();
  for (auto [yielded, result] : llvm::zip(body.getTerminator()->getOperands(), generic.getResults())) {
    if (isTile(yielded)) {
      tiles[result] = tile(yielded);
    } else if (masks.contains(yielded)) {
      masks[result] = masks[yielded];
    } else if (Value number = scalar(yielded)) {
      // A tensor that is constant in every element.
      tiles[result] = fillOf(number, *elementTypeOf(yielded.getType()), Spread::Full);
    } else {
      return unknown(generic);
    }
  }
  return success();
}

} // namespace opc::aicore
