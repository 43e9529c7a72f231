// Each value has a register. If the machine has too few, values reuse registers whose values are no longer read.
// Comparisons that the machine lacks are built from `lt` and `eq`.

#include "lowering/emit/tiling/TilingBytecode.h"

#include "dialect/aicore/AICoreOps.h"
#include "dialect/aicore/index/ScalarOps.h"

#include "llvm/ADT/DenseMap.h"

#include <numeric>

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
  void shareRegisters();
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

// The kind of a size is converted by its number.
static constexpr bool sameNumber(aicore::SizeKind a, TilingInput::Kind b) {
  return static_cast<int>(a) == static_cast<int>(b);
}
static_assert(sameNumber(aicore::SizeKind::NumElements, TilingInput::NumElements));
static_assert(sameNumber(aicore::SizeKind::Dim, TilingInput::Dim));
static_assert(sameNumber(aicore::SizeKind::Rank, TilingInput::Rank));
static_assert(sameNumber(aicore::SizeKind::MaxBlocks, TilingInput::MaxBlocks));
static_assert(sameNumber(aicore::SizeKind::Reduced, TilingInput::Reduced));

LogicalResult TilingEmitter::emitInputs() {
  for (BlockArgument argument : tiling.getArguments()) {
    auto size = tiling.getArgAttrOfType<aicore::SizeAttr>(argument.getArgNumber(), aicore::AICoreDialect::kSizeAttr);
    if (!size)
      return tiling.emitOpError("[tiling_function_c2] expects each argument to say which size it "
                                "receives; argument ")
             << argument.getArgNumber() << " does not";
    TilingInput input;
    input.kind = static_cast<TilingInput::Kind>(size.getKind());
    input.dim = static_cast<int16_t>(size.getDim());
    if (StringAttr tensor = size.getTensor()) {
      auto found = llvm::find_if(kernel.tensors, [&](const auto &known) { return known.name == tensor.getValue(); });
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
  std::optional<IntegerComparison> comparison = integerComparison(compare);
  if (!comparison)
    return compare.emitOpError("[tiling_function_c1] expects a signed comparison, found '")
           << arith::stringifyCmpIPredicate(compare.getPredicate()) << "'";
  uint16_t lhs = registerOf(compare.getLhs()), rhs = registerOf(compare.getRhs());
  if (comparison->swapped)
    std::swap(lhs, rhs);
  uint16_t result = compute(comparison->op, lhs, rhs);
  registers[compare.getResult()] = comparison->negated ? compute(ScalarOp::Eq, result, constant(0)) : result;
  return success();
}

LogicalResult TilingEmitter::emitOp(Operation *op) {
  auto isSize = [](Type type) { return type.isIndex() || type.isSignlessInteger(1); };
  bool typed = llvm::all_of(op->getOperandTypes(), isSize) && llvm::all_of(op->getResultTypes(), isSize);
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op); constantOp && typed) {
    auto value = cast<IntegerAttr>(constantOp.getValue());
    bool truth = value.getType().isSignlessInteger(1);
    registers[constantOp.getResult()] = constant(truth ? !value.getValue().isZero() : value.getInt());
    return success();
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op); compare && compare.getLhs().getType().isIndex())
    return emitCompare(compare);
  if (auto select = dyn_cast<arith::SelectOp>(op); select && typed) {
    registers[select.getResult()] = compute(ScalarOp::Select, registerOf(select.getCondition()),
                                            registerOf(select.getTrueValue()), registerOf(select.getFalseValue()));
    return success();
  }
  std::optional<ScalarOp> instruction = op->getNumResults() == 1 && typed ? binaryInstruction(op) : std::nullopt;
  if (!instruction || !op->getResult(0).getType().isIndex())
    return op->emitOpError("[tiling_function_c1] expects const, add, sub, mul, floordiv, ceildiv, "
                           "rem, min, max, "
                           "comparisons and select on index, found '")
           << op->getName() << "'";
  registers[op->getResult(0)] = compute(*instruction, registerOf(op->getOperand(0)), registerOf(op->getOperand(1)));
  return success();
}

/// Calls `visit` on each register that an instruction reads.
template <typename Visitor> static void forEachSource(ScalarInstruction &step, Visitor &&visit) {
  if (step.op == ScalarOp::Const)
    return;
  visit(step.a);
  visit(step.b);
  if (step.op == ScalarOp::Select) {
    auto other = static_cast<uint16_t>(step.imm);
    visit(other);
    step.imm = other;
  }
}

// The code is a straight line, so a register is free after the last read of its value. Inputs keep their registers,
// and results are read at the end of the function.
void TilingEmitter::shareRegisters() {
  std::vector<size_t> lastRead(numRegisters, 0);
  for (auto [at, step] : llvm::enumerate(function.code))
    forEachSource(step, [&, at = at](uint16_t source) { lastRead[source] = at; });
  for (const TilingFunction::Output &output : function.outputs)
    lastRead[output.reg] = function.code.size();
  const auto inputs = static_cast<uint16_t>(function.inputs.size());
  std::vector<uint16_t> now(numRegisters), free;
  std::iota(now.begin(), now.begin() + inputs, uint16_t(0));
  uint16_t next = inputs;
  for (auto [at, step] : llvm::enumerate(function.code)) {
    const uint16_t result = step.dst;
    llvm::SmallVector<uint16_t, 3> done;
    forEachSource(step, [&, at = at](uint16_t &source) {
      if (source >= inputs && lastRead[source] == at && !llvm::is_contained(done, source))
        done.push_back(source);
      source = now[source];
    });
    for (uint16_t source : done)
      free.push_back(now[source]);
    if (free.empty()) {
      now[result] = next++;
    } else {
      now[result] = free.back();
      free.pop_back();
    }
    step.dst = now[result];
    // A register whose value is never read is free at once.
    if (lastRead[result] == 0)
      free.push_back(now[result]);
  }
  for (TilingFunction::Output &output : function.outputs)
    output.reg = now[output.reg];
  numRegisters = next;
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
  if (function.code.size() > kMaxTilingInstructions)
    return emitError(tiling.getLoc(), "[tiling_function_c3] expects a tiling function of at most ")
           << kMaxTilingInstructions << " instructions, found " << function.code.size();
  if (numRegisters > kMaxTilingRegisters)
    shareRegisters();
  if (numRegisters > kMaxTilingRegisters)
    return emitError(tiling.getLoc(), "[tiling_function_c3] expects a tiling function of at most ")
           << kMaxTilingRegisters << " values that are needed at one time, found " << numRegisters;
  function.numRegisters = static_cast<uint16_t>(numRegisters);
  if (std::string problem = checkTiling(function); !problem.empty())
    return tiling.emitOpError("[tiling_function_c1] expects a function that the scalar machine runs: ") << problem;
  return std::move(function);
}

FailureOr<TilingFunction> opc::emitTilingBytecode(const KernelInterface &kernel) {
  return TilingEmitter(kernel).emit();
}
