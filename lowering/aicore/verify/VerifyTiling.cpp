// Verifies tiling functions, which the host runs before each launch and which proofs about kernels rely on. They use
// a closed set of operations without control flow, so that one small interpreter runs them everywhere, and their
// results keep what the kernels state of them: rules tiling_c5 to tiling_c9 (Passes.td).
//
// Ranges of values are known by intervals, starting from sizes that are not negative; arith.maxsi and arith.minsi
// establish bounds. For `cases`, values are known as lists: constants, the operands of selects, and results of
// arithmetic on these. Overflow is no concern here: the interpreter checks for it at each launch.

#include "lowering/aicore/verify/values/Facts.h"

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace opc::aicore {
#define GEN_PASS_DEF_VERIFYTILINGPASS
#include "lowering/aicore/Passes.h.inc"

static bool isIndexConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return constant && isa<IndexType>(constant.getType());
}

static bool isLegal(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getLhs().getType().isIndex() &&
           (compare.getPredicate() == arith::CmpIPredicate::slt || compare.getPredicate() == arith::CmpIPredicate::eq);
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::RemSIOp,
          arith::MinSIOp, arith::MaxSIOp, arith::SelectOp>(op))
    return op->getResult(0).getType().isIndex();
  return isIndexConstant(op) || isa<func::ReturnOp>(op);
}

static LogicalResult verifyLine(func::FuncOp tiling) {
  if (tiling.isExternal() || !tiling.getBody().hasOneBlock())
    return mlir::emitError(tiling.getLoc(), "[tiling_c5] expects a tiling function to be one straight line; '@")
           << tiling.getName() << "' has " << tiling.getBody().getBlocks().size() << " blocks";
  for (Operation &op : tiling.getBody().front()) {
    if (isLegal(&op))
      continue;
    InFlightDiagnostic diagnostic =
        op.emitError("[tiling_c5] expects arith.constant, addi, subi, muli, floordivsi, ceildivsi, remsi, "
                     "minsi, maxsi, select, and cmpi slt or eq, on index; found '")
        << op.getName() << "'";
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      diagnostic << " " << arith::stringifyCmpIPredicate(compare.getPredicate()) << " of "
                 << compare.getLhs().getType();
    else if (op.getNumResults() == 1)
      diagnostic << " of " << op.getResult(0).getType();
    return diagnostic;
  }
  return success();
}

static LogicalResult verifyDivisors(func::FuncOp tiling, const Facts &facts) {
  for (Operation &op : tiling.getBody().front()) {
    if (!isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::RemSIOp>(op))
      continue;
    if (Fact divisor = facts.of(op.getOperand(1)); divisor.min < 1)
      return op.emitError("[tiling_c6] expects a divisor that is known to be at least 1, found one in ")
             << toText(divisor) << "; arith.maxsi with 1 makes it so";
  }
  return success();
}

/// The kernels that refer to a tiling function.
static SmallVector<func::FuncOp> kernelsWith(func::FuncOp tiling) {
  SmallVector<func::FuncOp> kernels = kernelsOf(tiling->getParentOfType<ModuleOp>());
  llvm::erase_if(kernels, [&](func::FuncOp kernel) {
    auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(AICoreDialect::kTilingFunctionAttr);
    return !name || name.getValue() != tiling.getName();
  });
  return kernels;
}

namespace {

/// The possible values of each value of a tiling function, if they are few.
class FewValues {
public:
  FewValues(func::FuncOp tiling, const Facts &facts) : facts(facts) {
    for (Operation &op : tiling.getBody().front())
      if (op.getNumResults() == 1 && op.getResult(0).getType().isIndex())
        if (std::optional<List> list = derive(&op))
          lists[op.getResult(0)] = std::move(*list);
  }

  using List = SmallVector<int64_t, 4>; ///< ascending
  /// The possible values; nullopt if there may be many.
  std::optional<List> of(Value value) const {
    if (auto known = lists.find(value); known != lists.end())
      return known->second;
    return range(value);
  }

private:
  static constexpr int64_t kMost = 64;

  /// All numbers of an interval.
  std::optional<List> range(Value value) const {
    const Fact fact = facts.of(value);
    if (!fact.hasMin() || !fact.hasMax() || __int128(fact.max) - fact.min >= kMost)
      return std::nullopt;
    List list;
    for (int64_t number = fact.min; number <= fact.max; ++number)
      list.push_back(number);
    return list;
  }

  std::optional<List> derive(Operation *op) const {
    std::optional<List> list;
    if (auto select = dyn_cast<arith::SelectOp>(op))
      list = ofSelect(select);
    else if (op->getNumOperands() == 2)
      list = combined(op);
    if (!list)
      return std::nullopt;
    const Fact fact = facts.of(op->getResult(0));
    llvm::erase_if(*list, [&](int64_t number) { return number < fact.min || number > fact.max; });
    llvm::sort(*list);
    list->erase(llvm::unique(*list), list->end());
    return int64_t(list->size()) <= kMost ? list : std::nullopt;
  }

  std::optional<List> ofSelect(arith::SelectOp select) const {
    std::optional<List> taken = of(select.getTrueValue()), other = of(select.getFalseValue());
    if (!taken || !other)
      return std::nullopt;
    taken->append(*other);
    return taken;
  }

  std::optional<List> combined(Operation *op) const {
    std::optional<List> left = of(op->getOperand(0)), right = of(op->getOperand(1));
    if (!left || !right)
      return std::nullopt;
    List list;
    for (int64_t a : *left)
      for (int64_t b : *right) {
        std::optional<__int128> number = result(op, a, b);
        if (!number || *number < INT64_MIN || *number > INT64_MAX)
          return std::nullopt;
        list.push_back(int64_t(*number));
      }
    return list;
  }

  static std::optional<__int128> result(Operation *op, __int128 a, __int128 b) {
    const bool divides = isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::RemSIOp>(op);
    if (divides && b < 1)
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, std::optional<__int128>>(op)
        .Case<arith::AddIOp>([&](Operation *) { return a + b; })
        .Case<arith::SubIOp>([&](Operation *) { return a - b; })
        .Case<arith::MulIOp>([&](Operation *) { return a * b; })
        .Case<arith::FloorDivSIOp>([&](Operation *) { return a / b - (a % b < 0); })
        .Case<arith::CeilDivSIOp>([&](Operation *) { return a / b + (a % b > 0); })
        .Case<arith::RemSIOp>([&](Operation *) { return a % b; })
        .Case<arith::MinSIOp>([&](Operation *) { return std::min(a, b); })
        .Case<arith::MaxSIOp>([&](Operation *) { return std::max(a, b); })
        .Default([](Operation *) { return std::nullopt; });
  }

  const Facts &facts;
  DenseMap<Value, List> lists;
};

} // namespace

static std::string listText(ArrayRef<int64_t> numbers) {
  std::string text = "[";
  for (int64_t number : numbers)
    text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  return text + "]";
}

/// Reports a result that may differ from all `cases` that a kernel states.
static LogicalResult verifyCases(func::FuncOp tiling, TilingDataOp read, Value result, const Facts &facts,
                                 Location place) {
  const std::optional<FewValues::List> values = FewValues(tiling, facts).of(result);
  auto isCase = [&](int64_t number) { return llvm::is_contained(*read.getCases(), number); };
  if (values && llvm::all_of(*values, isCase))
    return success();
  InFlightDiagnostic diagnostic =
      mlir::emitError(place, "[tiling_c9] expects results that are known to be one of the 'cases' "
                             "that a kernel states: \"")
      << read.getName() << "\" of '@" << tiling.getName() << "' is known to be in "
      << (values ? listText(*values) : toText(facts.of(result)));
  diagnostic.attachNote(read.getLoc()) << "here it is stated to be in " << listText(*read.getCases());
  return diagnostic;
}

/// Reports a result whose known range exceeds the range that a kernel states.
static LogicalResult verifyResult(func::FuncOp tiling, TilingDataOp read, Fact result, Location place) {
  int64_t min = read.getLeast(), max = read.getMost().value_or(INT64_MAX);
  if (min <= result.min && result.max <= max)
    return success();
  InFlightDiagnostic diagnostic =
      mlir::emitError(place, "[tiling_c7] expects results within the bounds that a kernel states: \"")
      << read.getName() << "\" of '@" << tiling.getName() << "' is known to be in " << toText(result);
  diagnostic.attachNote(read.getLoc()) << "here it is stated to be in " << toText({min, max, 1});
  return diagnostic;
}

/// Facts for the launches that select the kernel: those in which the number of the shape key, which determines
/// "tiling_key", is the kernel's.
static Facts factsFor(func::FuncOp tiling, func::ReturnOp results, func::FuncOp kernel) {
  auto key = kernel->getAttrOfType<IntegerAttr>(AICoreDialect::kTilingKeyAttr);
  if (!key)
    return Facts(tiling);
  for (unsigned index = 0; index < tiling.getNumResults(); ++index) {
    auto name = tiling.getResultAttrOfType<StringAttr>(index, AICoreDialect::kNameAttr);
    if (!name || name.getValue() != "tiling_key")
      continue;
    Value number = results.getOperand(index);
    int64_t value = key.getInt();
    if (auto select = number.getDefiningOp<arith::SelectOp>())
      number = select.getFalseValue();
    llvm::APInt base;
    if (auto sum = number.getDefiningOp<arith::AddIOp>(); sum && matchPattern(sum.getRhs(), m_ConstantInt(&base))) {
      number = sum.getLhs();
      value -= base.getSExtValue();
    }
    if (!matchPattern(number, m_Constant()))
      return Facts(tiling, number, value);
  }
  return Facts(tiling);
}

static LogicalResult verifyResults(func::FuncOp tiling, const Facts &facts) {
  auto results = cast<func::ReturnOp>(tiling.getBody().front().getTerminator());
  llvm::StringMap<unsigned> fields;
  for (unsigned index = 0; index < tiling.getNumResults(); ++index)
    if (auto name = tiling.getResultAttrOfType<StringAttr>(index, AICoreDialect::kNameAttr))
      fields[name.getValue()] = index;
  auto placeOf = [&](unsigned index) {
    Operation *defining = results.getOperand(index).getDefiningOp();
    return defining ? defining->getLoc() : results.getLoc();
  };
  if (results.getNumOperands() != 0)
    if (Fact blocks = facts.of(results.getOperand(0)); blocks.min < 1)
      return mlir::emitError(placeOf(0), "[tiling_c8] expects \"block_num\" to be known to be at least 1, found it in ")
             << toText(blocks) << "; arith.maxsi with 1 makes it so";
  for (func::FuncOp kernel : kernelsWith(tiling)) {
    Facts ofKey = factsFor(tiling, results, kernel);
    WalkResult walk = kernel.walk([&](TilingDataOp read) -> WalkResult {
      auto field = fields.find(read.getName());
      if (field == fields.end())
        return WalkResult::advance(); // placed_c17
      unsigned index = field->second;
      if (read.getCases())
        return WalkResult(verifyCases(tiling, read, results.getOperand(index), ofKey, placeOf(index)));
      return WalkResult(verifyResult(tiling, read, ofKey.of(results.getOperand(index)), placeOf(index)));
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}

static LogicalResult verifyTiling(func::FuncOp tiling) {
  if (failed(verifyLine(tiling)))
    return failure();
  Facts facts(tiling);
  return success(succeeded(verifyDivisors(tiling, facts)) && succeeded(verifyResults(tiling, facts)));
}

namespace {
struct VerifyTilingPass : impl::VerifyTilingPassBase<VerifyTilingPass> {
  void runOnOperation() override {
    bool allWell = true;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(AICoreDialect::kTilingAttr))
        allWell &= succeeded(verifyTiling(function));
    if (!allWell)
      return signalPassFailure();
  }
};
} // namespace

} // namespace opc::aicore
