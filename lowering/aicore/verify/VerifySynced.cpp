// The invariant of phase `synced`: flags and barriers order all that depends on each other, for any
// number of tiles.
//
// The kernel is unrolled for every number of trips from 0 to 2p + 1, p being the period after which
// slots and event ids repeat, and each unrolling is checked (HappensBefore.h: rules sync_c1 to
// sync_c7). More trips show nothing new: what one iteration does to another does not change when
// both move by p iterations; two accesses at most p apart are both seen; and from a in iteration i
// to b in a later one than i + p the order follows along b's pipe. Loops in loops run all pairs of
// trip counts. A bound that is computed anew in each iteration also takes a mixture of counts.
//
//   sync_c8   loop bounds, branches and event ids follow from constants, counters and tiling data
//   unroll_c1 a kernel is small enough to be unrolled

#include "lowering/aicore/verify/Facts.h"
#include "lowering/aicore/verify/HappensBefore.h"
#include "lowering/aicore/verify/Rules.h"
#include "lowering/aicore/verify/Unrolling.h"

#include "lowering/aicore/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <numeric>

using namespace mlir;

namespace opc::aicore {
#define GEN_PASS_DEF_VERIFYSYNCEDPASS
#include "lowering/aicore/Passes.h.inc"

/// The longest period, and the most ops that are walked in one unrolling and in all, a second or
/// two: far beyond any kernel that is written.
static constexpr int64_t kMaxPeriod = 16;
static constexpr size_t kMaxSteps = 1 << 19;
static constexpr size_t kMaxStepsInAll = 1 << 23;
/// Mixtures of trip counts that are tried when a bound changes.
static constexpr unsigned kMixtures = 16;

/// Iterations after which slots and ids repeat: the least common multiple of slot counts and of
/// divisors of remainders.
static int64_t periodOf(func::FuncOp kernel) {
  int64_t period = 1;
  auto lengthen = [&period](int64_t factor) {
    if (factor < 1 || period > kMaxPeriod)
      return;
    period = factor > kMaxPeriod ? kMaxPeriod + 1 : std::lcm(period, factor);
  };
  kernel.walk([&](Operation *op) {
    llvm::APInt divisor;
    if (auto buffer = dyn_cast<BufferOp>(op))
      lengthen(buffer.getSlots());
    else if (isa<arith::RemSIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&divisor)))
      lengthen(divisor.getSExtValue());
  });
  return period;
}

/// A number of trips that shows as much as `trips`, and leaves counters of a nest in step: equal
/// modulo the period.
static int64_t fewerTrips(int64_t trips, int64_t period) {
  int64_t enough = 2 * period + 1;
  return trips <= enough ? trips : enough + (trips - enough) % period;
}

namespace {

/// A bound of loops and the trip counts it takes.
struct Bound {
  int64_t most;  ///< from 0
  int64_t least; ///< a constant bound has one count
  bool changes;  ///< computed anew in an outer loop
};

/// Unrolls a kernel for all trip counts.
class SyncedRules {
public:
  SyncedRules(func::FuncOp kernel, const Target &target)
      : kernel(kernel), unroller(kernel), network(unroller, target) {}

  LogicalResult verify() {
    period = periodOf(kernel);
    if (period > kMaxPeriod)
      return mlir::emitError(kernel.getLoc(),
                             "[unroll_c1] expects slots and event ids that repeat after at most ")
             << kMaxPeriod << " iterations";
    collectBounds();
    return tryAllCounts();
  }

private:
  void collectBounds();
  LogicalResult tryAllCounts();
  LogicalResult tryCounts(const proof::TripCounts &counts);

  func::FuncOp kernel;
  proof::Unroller unroller;
  proof::Network network;
  int64_t period = 1;
  size_t steps = 0;
  llvm::MapVector<Value, Bound> bounds;
};

} // namespace

void SyncedRules::collectBounds() {
  Facts facts(kernel);
  kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    Value value = loop.getUpperBound();
    llvm::APInt constant;
    Bound bound = {2 * period + 1, 0, false};
    if (matchPattern(value, m_ConstantInt(&constant)))
      bound.most = bound.least = fewerTrips(std::max<int64_t>(0, constant.getSExtValue()), period);
    else if (int64_t least = facts.of(value).min; least > 0)
      bound = {std::max(bound.most, fewerTrips(least, period)), fewerTrips(least, period),
               value.getParentRegion() != &kernel.getBody()};
    else
      bound.changes = value.getParentRegion() != &kernel.getBody();
    // Sizes that are known, as in a static operator, allow no more trips than there are: past them
    // an unrolling would walk off the tensors.
    bound.most = std::min(bound.most, std::max(bound.least, facts.of(value).max));
    bounds.insert({value, bound});
  });
}

LogicalResult SyncedRules::tryCounts(const proof::TripCounts &counts) {
  const proof::Unrolling &unrolling = unroller.unroll(counts, kMaxSteps);
  steps += unrolling.steps;
  if (unrolling.status == proof::UnrollStatus::TooLong || steps > kMaxStepsInAll)
    return mlir::emitError(
               kernel.getLoc(),
               "[unroll_c1] expects a kernel that can be unrolled for a few trips of each loop; '@")
           << kernel.getName() << "' has too many loops or instructions";
  if (unrolling.status == proof::UnrollStatus::Unknown)
    return unrolling.unknownAt->emitError(
        "[sync_c8] expects loop bounds, branches and event ids that follow from constants, "
        "loop counters and tiling data");
  return network.verify(unrolling);
}

// Counts through all combinations like the digits of a number.
LogicalResult SyncedRules::tryAllCounts() {
  SmallVector<int64_t> counts;
  for (auto &[value, bound] : bounds)
    counts.push_back(bound.least);
  auto indexOf = [&](Value value) { return std::distance(bounds.begin(), bounds.find(value)); };
  while (true) {
    if (failed(tryCounts([&](Value bound, unsigned) { return counts[indexOf(bound)]; })))
      return failure();
    size_t digit = 0;
    for (; digit < counts.size(); ++digit) {
      const Bound &bound = (bounds.begin() + digit)->second;
      if (++counts[digit] <= bound.most)
        break;
      counts[digit] = bound.least;
    }
    if (digit == counts.size())
      break;
  }
  if (llvm::none_of(bounds, [](const auto &entry) { return entry.second.changes; }))
    return success();
  for (unsigned mixture = 0; mixture < kMixtures; ++mixture) {
    auto mixed = [&](Value value, unsigned before) {
      const Bound &bound = bounds.find(value)->second;
      // What does not change runs as often as it may, so that the others take many of their counts.
      if (!bound.changes)
        return bound.most;
      // Steps of different length through the counts: every two of them meet in some mixture.
      return bound.least + (mixture + before * (mixture + 1)) % (bound.most - bound.least + 1);
    };
    if (failed(tryCounts(mixed)))
      return failure();
  }
  return success();
}

/// Barriers that do nothing on this chip are no mistake: they may be there for another one.
static void tellIdleBarriers(func::FuncOp kernel, const Target &target) {
  PipeBarrierOp first;
  unsigned others = 0;
  kernel.walk([&](PipeBarrierOp barrier) {
    if (!target.completesInOrder(toTarget(barrier.getOn())))
      return;
    first ? void(++others) : void(first = barrier);
  });
  if (!first)
    return;
  InFlightDiagnostic remark = mlir::emitRemark(first.getLoc(), "'pipe_barrier ");
  remark << stringifyPipe(first.getOn()) << "' does nothing on " << target.name()
         << ", where that pipe completes in order";
  if (others)
    remark << (others == 1 ? "; so does " : "; so do ") << others << " more of this kernel";
  remark << "; other chips may need it (--portable)";
}

LogicalResult verifySyncedRules(func::FuncOp kernel, const Target &target) {
  if (failed(SyncedRules(kernel, target).verify()))
    return failure();
  tellIdleBarriers(kernel, target);
  return success();
}

namespace {
struct VerifySyncedPass : impl::VerifySyncedPassBase<VerifySyncedPass> {
  using VerifySyncedPassBase::VerifySyncedPassBase;
  void runOnOperation() override {
    if (failed(verifyKernelsAt(getOperation(), target, Phase::Synced, portable)))
      return signalPassFailure();
  }
};
} // namespace

} // namespace opc::aicore
