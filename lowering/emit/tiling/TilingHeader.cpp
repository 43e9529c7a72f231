// Each op of a tiling function becomes an EmitC call of the helper class that is printed before it.

#include "lowering/emit/tiling/TilingHeader.h"

#include "dialect/aicore/index/ScalarOps.h"
#include "lowering/emit/cpp/Markers.h"
#include "lowering/emit/cpp/Names.h"
#include "lowering/emit/cpp/Predicates.h"
#include "lowering/emit/cpp/TilingStruct.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace opc;

// Arithmetic that records errors instead of wrapping. CLASS is replaced by the name of the class.
static constexpr llvm::StringLiteral kMath =
    R"(// Index arithmetic in 64 bits. What overflows or divides by zero is noted, and yields 0.
class CLASS {
 public:
  bool Ok() const { return ok; }
  int64_t Add(int64_t a, int64_t b) { return __builtin_add_overflow(a, b, &result) ? Fail() : result; }
  int64_t Sub(int64_t a, int64_t b) { return __builtin_sub_overflow(a, b, &result) ? Fail() : result; }
  int64_t Mul(int64_t a, int64_t b) { return __builtin_mul_overflow(a, b, &result) ? Fail() : result; }
  int64_t FloorDiv(int64_t a, int64_t b) {
    return Divides(a, b) ? a / b - (a % b != 0 && (a % b < 0) != (b < 0)) : Fail();
  }
  int64_t CeilDiv(int64_t a, int64_t b) {
    return Divides(a, b) ? a / b + (a % b != 0 && (a % b < 0) == (b < 0)) : Fail();
  }
  int64_t Rem(int64_t a, int64_t b) { return Divides(a, b) ? a % b : Fail(); }
  int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
  int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }
  uint32_t ToUInt32(int64_t a) { return a < 0 || a > int64_t(UINT32_MAX) ? uint32_t(Fail()) : uint32_t(a); }
  uint64_t ToUInt64(int64_t a) { return a < 0 ? uint64_t(Fail()) : uint64_t(a); }

 private:
  int64_t Fail() {
    ok = false;
    return 0;
  }
  static bool Divides(int64_t a, int64_t b) { return b != 0 && !(a == INT64_MIN && b == -1); }
  bool ok = true;
  int64_t result = 0;
};
)";

static TilingStruct structOf(ArrayRef<KernelInterface> kernels) {
  std::vector<std::vector<TilingField>> fields;
  for (const KernelInterface &kernel : kernels)
    fields.push_back(kernel.fields);
  return tilingStruct(fields);
}

namespace {

class HeaderBuilder {
public:
  HeaderBuilder(OpBuilder &builder, StringRef name, ArrayRef<KernelInterface> kernels)
      : b(builder), name(name), type(upperCamel(name)), data(structOf(kernels)), kernels(kernels) {}
  LogicalResult build();

private:
  void line(const llvm::Twine &text) { emitc::VerbatimOp::create(b, b.getUnknownLoc(), text.str()); }
  LogicalResult buildFunction(func::FuncOp tiling);
  /// Unused values are still computed, since their computation may overflow. This silences warnings about them.
  void noteUnused(Value value) {
    if (value.use_empty())
      emitc::VerbatimOp::create(b, value.getLoc(), b.getStringAttr("static_cast<void>({});"), values.lookup(value));
  }
  FailureOr<Value> buildOp(Operation *op);
  Value call(Location loc, StringRef helper, ValueRange operands) {
    return emitc::CallOpaqueOp::create(b, loc, b.getI64Type(), ("math." + helper).str(), operands).getResult(0);
  }

  OpBuilder &b;
  StringRef name;
  std::string type;
  TilingStruct data;
  ArrayRef<KernelInterface> kernels;
  llvm::DenseMap<Value, Value> values;
};

} // namespace

/// The function of the Math class for an instruction; empty if there is none.
static StringRef helperOf(std::optional<ScalarOp> instruction) {
  if (!instruction)
    return {};
  switch (*instruction) {
  case ScalarOp::Add:
    return "Add";
  case ScalarOp::Sub:
    return "Sub";
  case ScalarOp::Mul:
    return "Mul";
  case ScalarOp::FloorDiv:
    return "FloorDiv";
  case ScalarOp::CeilDiv:
    return "CeilDiv";
  case ScalarOp::Rem:
    return "Rem";
  case ScalarOp::Min:
    return "Min";
  case ScalarOp::Max:
    return "Max";
  default:
    return {};
  }
}

FailureOr<Value> HeaderBuilder::buildOp(Operation *op) {
  Location loc = op->getLoc();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(values.lookup(operand));
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = cast<IntegerAttr>(constant.getValue());
    bool truth = value.getType().isInteger(1);
    std::string text = truth ? (value.getValue().isZero() ? "false" : "true") : std::to_string(value.getInt());
    Type type = truth ? b.getI1Type() : Type(b.getI64Type());
    return emitc::LiteralOp::create(b, loc, type, text).getResult();
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    std::optional<emitc::CmpPredicate> predicate = cppPredicate(compare);
    if (!predicate)
      return op->emitOpError("[tiling_function_c1] expects a signed comparison");
    return emitc::CmpOp::create(b, loc, b.getI1Type(), *predicate, operands[0], operands[1]).getResult();
  }
  if (isa<arith::SelectOp>(op))
    return emitc::ConditionalOp::create(b, loc, operands[1].getType(), operands[0], operands[1], operands[2])
        .getResult();
  StringRef helper = helperOf(binaryInstruction(op));
  if (helper.empty())
    return op->emitOpError("[tiling_function_c1] expects an op of the closed set, found '") << op->getName() << "'";
  return call(loc, helper, operands);
}

static std::string sizeName(aicore::SizeAttr size) {
  std::string name = aicore::stringifySizeKind(size.getKind()).str();
  if (size.getKind() == aicore::SizeKind::Dim || size.getKind() == aicore::SizeKind::Reduced)
    name += size.getDim() < 0 ? "_last_" + std::to_string(-size.getDim()) : "_" + std::to_string(size.getDim());
  if (StringAttr tensor = size.getTensor())
    name += "_" + tensor.str();
  return lowerCamel(name);
}

LogicalResult HeaderBuilder::buildFunction(func::FuncOp tiling) {
  Location loc = tiling.getLoc();
  Block &body = tiling.getBody().front();
  auto dataType = emitc::OpaqueType::get(b.getContext(), type + "TilingData &");
  SmallVector<Type> inputs(tiling.getNumArguments(), b.getI64Type());
  inputs.push_back(dataType);
  auto function =
      emitc::FuncOp::create(b, loc, upperCamel(tiling.getName()), b.getFunctionType(inputs, {b.getI1Type()}));
  function.setSpecifiersAttr(b.getStrArrayAttr({"inline"}));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(function.addEntryBlock());

  NameScope scope;
  scope.reserve("math");
  for (auto [argument, value] : llvm::zip(tiling.getArguments(), function.getArguments())) {
    auto size = tiling.getArgAttrOfType<aicore::SizeAttr>(argument.getArgNumber(), aicore::AICoreDialect::kSizeAttr);
    markName(b, value, scope.take(sizeName(size)));
    values[argument] = value;
    noteUnused(argument);
  }
  markName(b, function.getArguments().back(), scope.take("data"));
  line(type + "TilingMath math;");
  for (Operation &op : body.without_terminator()) {
    FailureOr<Value> value = buildOp(&op);
    if (failed(value))
      return failure();
    values[op.getResult(0)] = *value;
    if (isa<arith::ConstantOp>(op))
      continue;
    noteUnused(op.getResult(0));
    std::string wanted = bodyName(op.getResult(0));
    for (OpOperand &use : op.getResult(0).getUses())
      if (wanted.empty() && use.getOwner() == body.getTerminator())
        wanted = tiling.getResultAttrOfType<StringAttr>(use.getOperandNumber(), aicore::AICoreDialect::kNameAttr).str();
    if (!wanted.empty())
      markName(b, *value, scope.take(lowerCamel(wanted)));
  }
  for (auto [i, result] : llvm::enumerate(body.getTerminator()->getOperands())) {
    auto fieldName = tiling.getResultAttrOfType<StringAttr>(i, aicore::AICoreDialect::kNameAttr);
    auto field =
        llvm::find_if(data.fields, [&](const TilingField &known) { return known.name == fieldName.getValue(); });
    std::string text = "data." + memberName(fieldName) + " = math." +
                       (field->type == TilingField::UInt32 ? "ToUInt32" : "ToUInt64") + "({});";
    emitc::VerbatimOp::create(b, loc, b.getStringAttr(text), values.lookup(result));
  }
  Value ok = emitc::LiteralOp::create(b, loc, b.getI1Type(), "math.Ok()");
  emitc::ReturnOp::create(b, loc, ok);
  return success();
}

LogicalResult HeaderBuilder::build() {
  auto file = emitc::FileOp::create(b, b.getUnknownLoc(), (name + "_tiling.h").str());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&file.getBodyRegion().front());
  std::string guardName = name.upper() + "_TILING_H";
  line("// Tiling data of " + type + ", and the functions of the host that compute it.");
  line("#ifndef " + llvm::Twine(guardName));
  line("#define " + llvm::Twine(guardName));
  emitc::IncludeOp::create(b, b.getUnknownLoc(), "cstdint", /*is_standard_include=*/true);
  line("");
  for (const std::string &text : tilingStructLines(name.str(), data))
    line(text);
  line("");
  line("#ifndef __CCE_AICORE__");
  std::string math = kMath.str(), mathName = type + "TilingMath";
  math.replace(math.find("CLASS"), 5, mathName);
  SmallVector<StringRef> lines;
  StringRef(math).rtrim('\n').split(lines, '\n');
  for (StringRef text : lines)
    line(text);
  line("");
  llvm::DenseSet<Operation *> done;
  for (const KernelInterface &kernel : kernels)
    if (done.insert(kernel.tiling).second && failed(buildFunction(kernel.tiling)))
      return failure();
  line("#endif  // __CCE_AICORE__");
  line("");
  line("#endif  // " + llvm::Twine(guardName));
  return success();
}

LogicalResult opc::buildTilingHeader(OpBuilder &builder, StringRef name, ArrayRef<KernelInterface> kernels) {
  return HeaderBuilder(builder, name, kernels).build();
}
