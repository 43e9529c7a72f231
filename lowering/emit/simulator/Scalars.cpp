// Emits scalar ops: one table row if the machine has the instruction, otherwise a few instructions.
//
// Integers have 64 bits. Overflow is an error of the machine where MLIR would wrap. f32 values are bits in the low half
// of a register. Values that are known when the program is emitted (constants and their sums) take no instruction.

#include "dialect/aicore/index/ScalarOps.h"
#include "lowering/emit/simulator/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace opc;

static bool isInteger(Type type) {
  return type.isIndex() || type.isSignlessInteger(64);
}
static bool isTruth(Type type) {
  return type.isSignlessInteger(1);
}

// Conversions that leave the register unchanged: i1 is 0 or 1, and wider integers are their value.
static bool isWidening(Operation *op) {
  if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp, arith::ExtSIOp>(op))
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (isInteger(from))
    return isInteger(to);
  bool keepsValue = isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) == isTruth(from);
  return keepsValue && (to.isIndex() || to.isSignlessInteger());
}

LogicalResult SimulatorEmitter::emitConstant(Operation *op, TypedAttr value) {
  Value result = op->getResult(0);
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    bool truth = isTruth(integer.getType());
    if (!truth && integer.getValue().getSignificantBits() > 64)
      return op->emitOpError("[simulator_c3] expects constants of up to 64 bits, found ") << value;
    define(result, Term::constant(truth ? !integer.getValue().isZero() : integer.getValue().getSExtValue()));
    return success();
  }
  auto real = dyn_cast<FloatAttr>(value);
  if (!real || !(value.getType().isF32() || value.getType().isF16() || value.getType().isBF16()))
    return op->emitOpError("[simulator_c3] expects constants of index, integers, f32, f16 or bf16, found ") << value;
  // f16 and bf16 are only scalar operands of intrinsics, where they are passed as the f32 of the same value.
  llvm::APFloat wide = real.getValue();
  bool losesInfo;
  wide.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  define(result, Term::constant(static_cast<int64_t>(wide.bitcastToAPInt().getZExtValue())));
  return success();
}

LogicalResult SimulatorEmitter::emitCompare(Operation *op) {
  auto compare = cast<arith::CmpIOp>(op);
  bool ordered =
      compare.getPredicate() != arith::CmpIPredicate::eq && compare.getPredicate() != arith::CmpIPredicate::ne;
  if (ordered && isTruth(compare.getLhs().getType()))
    return op->emitOpError("[simulator_c3] expects i1 to be compared for equality only");
  std::optional<IntegerComparison> comparison = integerComparison(compare);
  if (!comparison)
    return op->emitOpError("[simulator_c1] expects a signed comparison, found '")
           << arith::stringifyCmpIPredicate(compare.getPredicate()) << "'";
  uint16_t lhs = registerOf(compare.getLhs()), rhs = registerOf(compare.getRhs());
  if (comparison->swapped)
    std::swap(lhs, rhs);
  uint16_t result = code.compute(comparison->op, lhs, rhs);
  if (comparison->negated)
    result = code.compute(ScalarOp::Eq, result, code.constant(0));
  define(compare.getResult(), Term::inRegister(result));
  return success();
}

// The low bits as a signed number: the remainder, from -2^bits to 2^bits, corrected once by 2^bits.
uint16_t SimulatorEmitter::wrapped(uint16_t value, unsigned bits) {
  if (bits >= 64)
    return value;
  const int64_t size = int64_t(1) << bits;
  uint16_t rest = code.compute(ScalarOp::Rem, value, code.constant(size));
  auto choose = [&](uint16_t condition, int64_t more) {
    uint16_t moved = code.compute(ScalarOp::Add, rest, code.constant(more));
    rest = code.compute(ScalarOp::Select, condition, moved, rest);
  };
  choose(code.compute(ScalarOp::Lt, code.constant(size / 2 - 1), rest), -size);
  choose(code.compute(ScalarOp::Lt, rest, code.constant(-size / 2)), size);
  return rest;
}

LogicalResult SimulatorEmitter::emitScalarOp(Operation *op, bool &handled) {
  handled = true;
  if (auto read = dyn_cast<aicore::TilingDataOp>(op)) {
    auto field = static_cast<int64_t>(*interface.findField(read.getName()));
    define(read.getValue(), Term::inRegister(code.compute(ScalarOp::Param, 0, 0, field)));
    return success();
  }
  if (auto block = dyn_cast<aicore::BlockIdxOp>(op)) {
    define(block.getValue(), Term::inRegister(code.compute(ScalarOp::BlockIdx)));
    return success();
  }
  if (!isa<arith::ArithDialect>(op->getDialect())) {
    handled = false;
    return success();
  }

  Value result = op->getResult(0);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return emitConstant(op, constant.getValue());
  if (isa<arith::CmpIOp>(op) && (isInteger(op->getOperand(0).getType()) || isTruth(op->getOperand(0).getType())))
    return emitCompare(op);
  if (auto select = dyn_cast<arith::SelectOp>(op); select && isTruth(select.getCondition().getType())) {
    uint16_t condition = registerOf(select.getCondition()), whenTrue = registerOf(select.getTrueValue());
    define(result,
           Term::inRegister(code.compute(ScalarOp::Select, condition, whenTrue, registerOf(select.getFalseValue()))));
    return success();
  }
  if (isWidening(op)) {
    define(result, term(op->getOperand(0)));
    return success();
  }
  if (isa<arith::TruncIOp>(op) && isInteger(op->getOperand(0).getType()) && !isTruth(result.getType())) {
    define(result, Term::inRegister(wrapped(registerOf(op->getOperand(0)), result.getType().getIntOrFloatBitWidth())));
    return success();
  }
  if (isa<arith::NegFOp>(op) && result.getType().isF32()) {
    define(result, Term::inRegister(code.compute(ScalarOp::FNeg, registerOf(op->getOperand(0)))));
    return success();
  }
  if (isa<arith::SIToFPOp>(op) && result.getType().isF32()) {
    define(result, Term::inRegister(code.compute(ScalarOp::FFromInt, registerOf(op->getOperand(0)))));
    return success();
  }
  if (isa<arith::XOrIOp>(op) && isTruth(result.getType())) {
    uint16_t equal = code.compute(ScalarOp::Eq, registerOf(op->getOperand(0)), registerOf(op->getOperand(1)));
    define(result, Term::inRegister(code.compute(ScalarOp::Eq, equal, code.constant(0))));
    return success();
  }
  if (std::optional<ScalarOp> instruction = binaryInstruction(op)) {
    Term lhs = term(op->getOperand(0)), rhs = term(op->getOperand(1));
    if (*instruction == ScalarOp::Add)
      define(result, code.add(lhs, rhs));
    else if (*instruction == ScalarOp::Mul)
      define(result, code.multiply(lhs, rhs));
    else
      define(result, Term::inRegister(code.compute(*instruction, code.registerOf(lhs), code.registerOf(rhs))));
    return success();
  }
  return op->emitOpError("[simulator_c3] expects scalar arithmetic that the scalar unit has, on "
                         "index, i64, i1 or f32; found '")
         << op->getName() << "' on " << op->getOperand(0).getType();
}
