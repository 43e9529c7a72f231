// Emits scalar ops as C++: an operator, a helper or a literal for each.

#include "dialect/aicore/index/ScalarOps.h"
#include "lowering/emit/ascendc/KernelClass.h"
#include "lowering/emit/cpp/Predicates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <charconv>

using namespace mlir;
using namespace opc;

Type KernelClassBuilder::cppType(Type type) {
  if (type.isIndex())
    return b.getI64Type();
  if (type.isF16() || type.isBF16())
    return emitc::OpaqueType::get(b.getContext(), type.isF16() ? "half" : "bfloat16_t");
  return type;
}

Value KernelClassBuilder::literal(Type type, const llvm::Twine &text) {
  return emitc::LiteralOp::create(b, kernel.getLoc(), type, text.str());
}

Value KernelClassBuilder::call(Location loc, Type type, StringRef callee, ValueRange operands, ArrayAttr order,
                               ArrayAttr templates) {
  return emitc::CallOpaqueOp::create(b, loc, TypeRange(type), callee, operands, order, templates).getResult(0);
}

// The shortest float literal that is read back as the same f32.
static std::string floatText(float value) {
  char digits[32];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return text + (text.find_first_of(".e") == std::string::npos ? ".0f" : "f");
}

Value KernelClassBuilder::constantLiteral(TypedAttr constant) {
  Type type = constant.getType();
  if (auto integer = dyn_cast<IntegerAttr>(constant)) {
    if (type.isSignlessInteger(1))
      return literal(type, integer.getValue().isZero() ? "false" : "true");
    int64_t value = integer.getValue().getSExtValue();
    if (value == INT64_MIN)
      return literal(cppType(type), "(-9223372036854775807 - 1)");
    // Calls require a scalar of exactly the type of their tiles, but a plain number is an int.
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    if (width < 32 || (width == 32 && value == INT32_MIN))
      return literal(cppType(type), "static_cast<int" + llvm::Twine(width) + "_t>(" + llvm::Twine(value) + ")");
    return literal(cppType(type), llvm::Twine(value));
  }
  llvm::APFloat real = cast<FloatAttr>(constant).getValue();
  std::string name = type.isF32() ? "float" : type.isF16() ? "half" : "bfloat16_t";
  // Numbers without a literal, and bfloat16, whose conversion from a literal is not guaranteed.
  if (!real.isFinite() || type.isBF16()) {
    std::string bits = llvm::utohexstr(real.bitcastToAPInt().getZExtValue(), /*LowerCase=*/true);
    std::string carrier = type.isF32() ? "uint32_t" : "uint16_t";
    return literal(cppType(type), helpers.need(Helper::FromBits) + "<" + name + ">(" + carrier + "(0x" + bits + "))");
  }
  bool losesInfo;
  real.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  std::string text = floatText(real.convertToFloat());
  return literal(cppType(type), type.isF32() ? text : "static_cast<half>(" + text + ")");
}

Value KernelClassBuilder::launchValue(unsigned field, Type type) {
  std::string member = "tiling." + memberName(interface.fields[field].name);
  if (type.isF32())
    return literal(type, member);
  if (type.isSignlessInteger(1))
    return literal(type, "(" + member + " != 0)");
  return literal(type, "static_cast<int" + llvm::Twine(type.getIntOrFloatBitWidth()) + "_t>(" + member + ")");
}

Value KernelClassBuilder::use(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return constantLiteral(cast<TypedAttr>(constant.getValue()));
  if (Value known = values.lookup(value))
    return known;
  return emitc::GetFieldOp::create(b, kernel.getLoc(), cppType(value.getType()), fields.lookup(value));
}

// The name of a value in the body, or one derived from its uses.
std::string KernelClassBuilder::wantedName(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &kernel.getBody().front())
    return kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), aicore::AICoreDialect::kNameAttr).str();
  std::string name = bodyName(value);
  if (!name.empty())
    return name;
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()))
      return argument != loop.getInductionVar() ? "" : loop->getParentOfType<scf::ForOp>() || !tileLoop ? "i" : "tile";
  for (Operation *user : value.getUsers()) {
    auto subview = dyn_cast<memref::SubViewOp>(user);
    if (!subview)
      continue;
    if (llvm::is_contained(subview.getSizes(), value))
      return "count";
    if (llvm::is_contained(subview.getOffsets(), value))
      return subview.getSource().getType().getRank() == 2 ? "slot" : "offset";
  }
  return {};
}

void KernelClassBuilder::define(Value value, Value printed) {
  values[value] = printed;
  // Literals and fields are printed where they are used and have no name of their own.
  if (isa_and_nonnull<emitc::LiteralOp, emitc::GetFieldOp>(printed.getDefiningOp()))
    return;
  std::string name = wantedName(value);
  if (!name.empty())
    markName(b, printed, methodNames.take(lowerCamel(name)));
}

LogicalResult KernelClassBuilder::emitScalar(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return success();
  FailureOr<Value> printed = scalarResult(op);
  if (failed(printed))
    return failure();
  Value result = op->getResult(0);
  auto field = fields.find(result);
  // A cast between types that are one in the text prints its operand, which keeps its own name or field.
  const bool isOperand = llvm::any_of(op->getOperands(), [&](Value each) { return values.lookup(each) == *printed; });
  if (!inInit || field == fields.end()) {
    isOperand ? void(values[result] = *printed) : define(result, *printed);
    return success();
  }
  // Literals and fields are assigned to the field, and later uses read the field.
  if (isa_and_nonnull<emitc::LiteralOp, emitc::GetFieldOp>(printed->getDefiningOp()) || isa<BlockArgument>(*printed) ||
      isOperand) {
    verbatim(op->getLoc(), field->second + " = {};", *printed);
    return success();
  }
  values[result] = *printed;
  markField(b, *printed, field->second);
  return success();
}

Value KernelClassBuilder::binaryResult(Location loc, Type type, ScalarOp instruction, ArrayRef<Value> operands) {
  auto helper = [&](Helper which) { return call(loc, type, helpers.need(which), operands); };
  bool truth = type.isInteger(1);
  switch (instruction) {
  case ScalarOp::Add:
  case ScalarOp::FAdd:
    return emitc::AddOp::create(b, loc, type, operands[0], operands[1]);
  case ScalarOp::Sub:
  case ScalarOp::FSub:
    return emitc::SubOp::create(b, loc, type, operands[0], operands[1]);
  case ScalarOp::Mul:
  case ScalarOp::FMul:
    return emitc::MulOp::create(b, loc, type, operands[0], operands[1]);
  case ScalarOp::FDiv:
    return emitc::DivOp::create(b, loc, type, operands[0], operands[1]);
  case ScalarOp::Rem:
    return emitc::RemOp::create(b, loc, type, operands[0], operands[1]);
  case ScalarOp::FloorDiv:
    return helper(Helper::FloorDiv);
  case ScalarOp::CeilDiv:
    return helper(Helper::CeilDiv);
  case ScalarOp::Min:
    return truth ? emitc::LogicalAndOp::create(b, loc, type, operands[0], operands[1]) : helper(Helper::Min);
  case ScalarOp::Max:
    return truth ? emitc::LogicalOrOp::create(b, loc, type, operands[0], operands[1]) : helper(Helper::Max);
  case ScalarOp::FMax:
    return helper(Helper::MaxFloat);
  case ScalarOp::FMin:
    return helper(Helper::MinFloat);
  default:
    llvm_unreachable("binaryInstruction gives no other");
  }
}

FailureOr<Value> KernelClassBuilder::scalarResult(Operation *op) {
  Location loc = op->getLoc();
  Type type = cppType(op->getResult(0).getType());
  if (auto read = dyn_cast<aicore::TilingDataOp>(op))
    return literal(type, "static_cast<int64_t>(tiling." + memberName(read.getName()) + ")");
  if (isa<aicore::BlockIdxOp>(op))
    return call(loc, type, "AscendC::GetBlockIdx", {});
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    FailureOr<TilePlace> place = placeOf(op, dim.getSource());
    std::optional<int64_t> index = dim.getConstantIndex();
    if (failed(place) || !index || !place->buffer || *index < 0 || *index >= int64_t(place->sizes.size()))
      return op->emitOpError("[ascendc_c3] expects the size of a tile; sizes of tensors arrive as tiling data");
    return valueOf(place->sizes[*index]);
  }

  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(use(operand));
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    if (std::optional<emitc::CmpPredicate> predicate = cppPredicate(compare))
      return emitc::CmpOp::create(b, loc, type, *predicate, operands[0], operands[1]).getResult();
  if (isa<arith::SelectOp>(op) && op->getOperand(0).getType().isInteger(1))
    return emitc::ConditionalOp::create(b, loc, type, operands[0], operands[1], operands[2]).getResult();
  if (isa<arith::NegFOp>(op) && type.isF32())
    return emitc::UnaryMinusOp::create(b, loc, type, operands[0]).getResult();
  if (isa<arith::TruncIOp>(op) || (isa<arith::SIToFPOp>(op) && type.isF32()))
    return emitc::CastOp::create(b, loc, type, operands[0]).getResult();
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op) && !op->getOperand(0).getType().isInteger(1))
    return operands[0].getType() == type ? operands[0] : emitc::CastOp::create(b, loc, type, operands[0]).getResult();
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) && op->getOperand(0).getType().isInteger(1))
    return emitc::CastOp::create(b, loc, type, operands[0]).getResult();

  if (isa<arith::XOrIOp>(op) && type.isInteger(1))
    return emitc::CmpOp::create(b, loc, type, emitc::CmpPredicate::ne, operands[0], operands[1]).getResult();
  if (std::optional<ScalarOp> instruction = binaryInstruction(op))
    return binaryResult(loc, type, *instruction, operands);
  return op->emitOpError("[ascendc_c1] expects ops that Ascend C's scalar unit has, on index, "
                         "i64, i1 or f32; found '")
         << op->getName() << "'";
}
