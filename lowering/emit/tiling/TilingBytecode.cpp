// One register a value. Comparisons that the machine lacks are made of `lt` and `eq`.

#include "lowering/emit/tiling/TilingBytecode.h"

#include "dialect/aicore/AICoreOps.h"
#include "lowering/emit/kernel/IntegerOps.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace opc;

namespace {

class TilingEmitter {
public:
  explicit TilingEmitter(const KernelInterface &kernel) : kernel(kernel), tiling(kernel.tiling) {}
  FailureOr<TilingFunction> emit();

private:
  LogicalResult emitInputs();
  LogicalResult emitOp(Operation *op);
  LogicalResult emitCompare(arith::CmpIOp compare);
  uint16_t compute(ScalarOp op, uint16_t a = 0, uint16_t b = 0, int64_t imm = 0);
  uint16_t constant(int64_t value) { return compute(ScalarOp::Const, 0, 0, value); }
  uint16_t registerOf(Value value) { return registers.lookup(value); }

  const KernelInterface &kernel;
  func::FuncOp tiling;
  TilingFunction function;
  uint32_t numRegisters = 0;
  llvm::DenseMap<Value, uint16_t> registers;
};

} // namespace

uint16_t TilingEmitter::compute(ScalarOp op, uint16_t a, uint16_t b, int64_t imm) {
  auto result = static_cast<uint16_t>(std::min<uint32_t>(numRegisters++, UINT16_MAX));
  function.code.push_back({op, result, a, b, imm});
  return result;
}

LogicalResult TilingEmitter::emitInputs() {
  for (BlockArgument argument : tiling.getArguments()) {
    auto size = tiling.getArgAttrOfType<aicore::SizeAttr>(argument.getArgNumber(),
                                                          aicore::AICoreDialect::kSizeAttr);
    if (!size)
      return tiling.emitOpError("[tiling_function_c2] expects each argument to say which size it "
                                "receives; argument ")
             << argument.getArgNumber() << " does not";
    TilingInput input;
    input.kind = static_cast<TilingInput::Kind>(size.getKind());
    input.dim = static_cast<int16_t>(size.getDim());
    if (StringAttr tensor = size.getTensor()) {
      auto found = llvm::find_if(
          kernel.tensors, [&](const auto &known) { return known.name == tensor.getValue(); });
      if (found == kernel.tensors.end())
        return tiling.emitOpError("[tiling_function_c2] expects sizes of tensors of '")
               << kernel.name << "', found " << tensor;
      input.tensor = static_cast<uint16_t>(found - kernel.tensors.begin());
    }
    function.inputs.push_back(input);
    registers[argument] = static_cast<uint16_t>(numRegisters++);
  }
  return success();
}

LogicalResult TilingEmitter::emitCompare(arith::CmpIOp compare) {
  std::optional<IntegerComparison> comparison = integerComparison(compare.getPredicate());
  if (!comparison)
    return compare.emitOpError("[tiling_function_c1] expects a signed comparison, found '")
           << arith::stringifyCmpIPredicate(compare.getPredicate()) << "'";
  uint16_t lhs = registerOf(compare.getLhs()), rhs = registerOf(compare.getRhs());
  if (comparison->swapped)
    std::swap(lhs, rhs);
  uint16_t result = compute(comparison->op, lhs, rhs);
  registers[compare.getResult()] =
      comparison->negated ? compute(ScalarOp::Eq, result, constant(0)) : result;
  return success();
}

LogicalResult TilingEmitter::emitOp(Operation *op) {
  auto isSize = [](Type type) { return type.isIndex() || type.isSignlessInteger(1); };
  bool typed =
      llvm::all_of(op->getOperandTypes(), isSize) && llvm::all_of(op->getResultTypes(), isSize);
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op); constantOp && typed) {
    auto value = cast<IntegerAttr>(constantOp.getValue());
    bool truth = value.getType().isSignlessInteger(1);
    registers[constantOp.getResult()] =
        constant(truth ? !value.getValue().isZero() : value.getInt());
    return success();
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op); compare && compare.getLhs().getType().isIndex())
    return emitCompare(compare);
  if (auto select = dyn_cast<arith::SelectOp>(op); select && typed) {
    registers[select.getResult()] =
        compute(ScalarOp::Select, registerOf(select.getCondition()),
                registerOf(select.getTrueValue()), registerOf(select.getFalseValue()));
    return success();
  }
  std::optional<ScalarOp> instruction = integerInstruction(op->getName().getStringRef());
  if (!instruction || !op->getResult(0).getType().isIndex())
    return op->emitOpError("[tiling_function_c1] expects const, add, sub, mul, floordiv, ceildiv, "
                           "rem, min, max, "
                           "comparisons and select on index, found '")
           << op->getName() << "'";
  registers[op->getResult(0)] =
      compute(*instruction, registerOf(op->getOperand(0)), registerOf(op->getOperand(1)));
  return success();
}

FailureOr<TilingFunction> TilingEmitter::emit() {
  if (tiling.isExternal() || !tiling.getBody().hasOneBlock())
    return tiling.emitOpError("[tiling_function_c1] expects a function of one block");
  if (failed(emitInputs()))
    return failure();
  Block &body = tiling.getBody().front();
  for (Operation &op : body.without_terminator())
    if (failed(emitOp(&op)))
      return failure();
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    function.outputs.push_back({kernel.fields[i], registerOf(value)});
  if (numRegisters > kMaxTilingRegisters || function.code.size() > kMaxTilingInstructions)
    return emitError(tiling.getLoc(), "[tiling_function_c3] expects a tiling function of at most ")
           << kMaxTilingRegisters << " values, found " << numRegisters;
  function.numRegisters = static_cast<uint16_t>(numRegisters);
  if (std::string problem = checkTiling(function); !problem.empty())
    return tiling.emitOpError(
               "[tiling_function_c1] expects a function that the scalar machine runs: ")
           << problem;
  return std::move(function);
}

FailureOr<TilingFunction> opc::emitTilingBytecode(const KernelInterface &kernel) {
  return TilingEmitter(kernel).emit();
}
