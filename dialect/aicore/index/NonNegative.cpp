// Upstream's integer range analysis assumes that sums and products may wrap and that loop-carried values are
// arbitrary, so it knows nothing about `i * 64` or a running counter. Here overflow is an error, and this analysis
// uses that.
//
// Walks definitions. A loop-carried value is assumed to be non-negative while its next value is checked: if the first
// value is not negative and each iteration preserves that, no value is. Assumptions of a failed attempt are discarded.

#include "dialect/aicore/index/NonNegative.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace opc;

using Assumed = llvm::DenseSet<Value>;

static bool holds(Value value, Assumed &assumed);

static bool holdsForCarried(scf::ForOp loop, unsigned index, Assumed &assumed) {
  return holds(loop.getInitArgs()[index], assumed) && holds(loop.getYieldedValues()[index], assumed);
}

static bool holds(Value value, Assumed &assumed) {
  if (!assumed.insert(value).second)
    return true;
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isNonNegative();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return false;
    if (argument == loop.getInductionVar())
      return holds(loop.getLowerBound(), assumed) && holds(loop.getStep(), assumed);
    return holdsForCarried(loop, argument.getArgNumber() - 1, assumed);
  }
  Operation *op = value.getDefiningOp();
  if (auto source = dyn_cast<InferIntRangeInterface>(op); source && op->getNumOperands() == 0) {
    bool found = false;
    source.inferResultRanges({}, [&](Value, const ConstantIntRanges &range) { found = range.smin().isNonNegative(); });
    return found;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return holdsForCarried(loop, cast<OpResult>(value).getResultNumber(), assumed);
  if (isa<arith::RemSIOp>(op))
    return holds(op->getOperand(0), assumed);
  if (isa<arith::MaxSIOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      Assumed attempt = assumed;
      bool found = holds(operand, attempt);
      if (found)
        assumed = std::move(attempt);
      return found;
    });
  if (isa<arith::AddIOp, arith::MulIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::DivSIOp, arith::MinSIOp,
          arith::RemUIOp, arith::DivUIOp, arith::CeilDivUIOp, arith::MinUIOp, arith::MaxUIOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) { return holds(operand, assumed); });
  return false;
}

bool opc::isNonNegative(Value value) {
  Assumed assumed;
  return holds(value, assumed);
}
