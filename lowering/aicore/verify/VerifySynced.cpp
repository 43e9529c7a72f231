// The invariant of phase `synced`: flags and barriers order all that depends on each other, for any number of tiles.
//
// The kernel is unrolled for every number of trips from 0 to 2p + 1, p being the period after which slots and event
// ids repeat, and each unrolling is checked (HappensBefore.h: rules sync_c1 to sync_c7). More trips show nothing new:
// what one iteration does to another does not change when both move by p iterations; two accesses at most p apart are
// both seen; and from a in iteration i to b in a later one than i + p the order follows along b's pipe. Branches, ids
// and slots have to repeat for that, which Repetition.h sees to: a comparison with a counter adds the trips until it
// has changed. Loops in loops run all pairs of trip counts. A bound that is computed anew in each iteration also
// takes a mixture of counts. All of it is done for each choice among the `cases` of tiling data.
//
// sync_c8 says what repeats, unroll_c1 and unroll_c2 how large a kernel may be (Passes.td).

#include "lowering/aicore/verify/Rules.h"
#include "lowering/aicore/verify/order/HappensBefore.h"
#include "lowering/aicore/verify/order/Repetition.h"
#include "lowering/aicore/verify/order/Unrolling.h"
#include "lowering/aicore/verify/values/Facts.h"

#include "lowering/aicore/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/BLAKE3.h"

#include <set>

using namespace mlir;

namespace opc::aicore {
#define GEN_PASS_DEF_VERIFYSYNCEDPASS
#include "lowering/aicore/Passes.h.inc"

/// The longest period, and the most ops that are walked in one unrolling and in all, a second or two: far beyond any
/// kernel that is written.
static constexpr int64_t kMaxPeriod = 16;
/// The most trips that comparisons with a counter or a bound add.
static constexpr int64_t kMaxSettled = 64;
static constexpr size_t kMaxSteps = 1 << 19;
static constexpr size_t kMaxStepsInAll = 1 << 23;
/// The most ops that are walked with those of walks that show what another one showed: a walk alone takes a
/// tenth of the time.
static constexpr size_t kMostWalked = 1 << 25;
/// Mixtures of trip counts that are tried when a bound changes.
static constexpr unsigned kMixtures = 16;

/// A number of trips that shows as much as `trips`, and leaves counters of a nest in step: equal modulo the period.
static int64_t fewerTrips(int64_t trips, int64_t enough, int64_t period) {
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
      : kernel(kernel), repetition(kernel), unroller(kernel), network(unroller, target) {}

  LogicalResult verify() {
    period = repetition.period(kMaxPeriod);
    if (period > kMaxPeriod)
      return mlir::emitError(kernel.getLoc(), "[unroll_c1] expects slots and event ids that repeat after at most ")
             << kMaxPeriod << " iterations";
    if (failed(checkRepetition()) || failed(collectBounds()))
      return failure();
    return tryAllCases();
  }

private:
  LogicalResult checkRepetition() const;
  LogicalResult collectBounds();
  LogicalResult tryAllCases();
  LogicalResult tryAllCounts();
  LogicalResult tryCounts(const proof::TripCounts &counts);

  func::FuncOp kernel;
  const proof::Repetition repetition;
  proof::Unroller unroller;
  proof::Network network;
  int64_t period = 1;
  size_t steps = 0, walked = 0;
  std::set<std::array<uint8_t, 32>> seen; ///< digests of what walks showed
  llvm::MapVector<Value, Bound> bounds;
};

} // namespace

/// What a value stands for that a walk has one number of, for a note.
static std::string freeText(Value cause) {
  Operation *op = cause.getDefiningOp();
  if (auto read = dyn_cast_or_null<TilingDataOp>(op))
    return "\"" + read.getName().str() + "\" states no 'cases'";
  if (isa_and_nonnull<BlockIdxOp>(op))
    return "the block's index differs from block to block";
  if (isa_and_nonnull<ScalarReadOp>(op))
    return "an element of a tile is known when the kernel runs";
  if (!op)
    return "an argument of the kernel is known at the launch alone";
  return "this does not repeat from iteration to iteration";
}

static constexpr StringRef kUnknown =
    "[sync_c8] expects branches, event ids and slots that follow from constants, tiling data with "
    "'cases', and loop counters by remainders and comparisons with these";

LogicalResult SyncedRules::checkRepetition() const {
  proof::Repetition::Stray stray = repetition.stray();
  if (!stray.op)
    return success();
  InFlightDiagnostic diagnostic = stray.op->emitError(kUnknown);
  diagnostic.attachNote(stray.cause.getLoc()) << freeText(stray.cause);
  return diagnostic;
}

LogicalResult SyncedRules::collectBounds() {
  Facts facts(kernel);
  WalkResult walk = kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    Value value = loop.getUpperBound();
    llvm::APInt constant;
    const int64_t settled = repetition.settled(value), enough = 2 * period + 1 + settled;
    if (settled > kMaxSettled) {
      mlir::emitError(loop.getLoc(), "[unroll_c1] expects branches that a loop takes alike after at most ")
          << kMaxSettled << " iterations, found one that compares its counter or bound with more";
      return WalkResult::interrupt();
    }
    Bound bound = {enough, 0, false};
    if (matchPattern(value, m_ConstantInt(&constant)))
      bound.most = bound.least = fewerTrips(std::max<int64_t>(0, constant.getSExtValue()), enough, period);
    else if (int64_t least = facts.of(value).min; least > 0)
      bound = {std::max(bound.most, fewerTrips(least, enough, period)), fewerTrips(least, enough, period),
               value.getParentRegion() != &kernel.getBody()};
    else
      bound.changes = value.getParentRegion() != &kernel.getBody();
    // Sizes that are known, as in a static operator, allow no more trips than there are: past them an unrolling would
    // walk off the tensors.
    bound.most = std::min(bound.most, std::max(bound.least, facts.of(value).max));
    bounds.insert({value, bound});
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// What the network is given: instructions, ids and places, and no iterations. Nests of loops show the same for many
/// numbers of trips, as two times three and three times two. Places have their numbers until they are forgotten.
static std::array<uint8_t, 32> digestOf(const proof::Unrolling &unrolling, unsigned forgotten) {
  llvm::BLAKE3 digest;
  std::vector<uint64_t> words = {forgotten};
  auto flush = [&] {
    digest.update(ArrayRef(reinterpret_cast<const uint8_t *>(words.data()), words.size() * sizeof(uint64_t)));
    words.clear();
  };
  for (const proof::Event &event : unrolling.events) {
    words.push_back(reinterpret_cast<uintptr_t>(event.instruction));
    words.push_back(uint64_t(event.id));
    words.push_back(event.touchesEnd - event.firstTouch);
    for (unsigned touch = event.firstTouch; touch < event.touchesEnd; ++touch) {
      const proof::Touch &one = unrolling.touches[touch];
      words.push_back(uint64_t(one.place) << 2 | uint64_t(one.reads) << 1 | uint64_t(one.writes));
    }
    if (words.size() > 1024)
      flush();
  }
  flush();
  return digest.final<32>();
}

LogicalResult SyncedRules::tryCounts(const proof::TripCounts &counts) {
  const proof::Unrolling &unrolling = unroller.unroll(counts, kMaxSteps);
  walked += unrolling.steps;
  const bool isNew =
      unrolling.status != proof::UnrollStatus::Done || seen.insert(digestOf(unrolling, unroller.forgotten())).second;
  if (isNew)
    steps += unrolling.steps;
  if (unrolling.status == proof::UnrollStatus::TooLong || steps > kMaxStepsInAll || walked > kMostWalked)
    return mlir::emitError(kernel.getLoc(),
                           "[unroll_c1] expects a kernel that can be unrolled for a few trips of each loop; '@")
           << kernel.getName() << "' has too many loops or instructions";
  if (unrolling.status == proof::UnrollStatus::Unknown)
    return unrolling.unknownAt->emitError(kUnknown);
  return isNew ? network.verify(unrolling) : success();
}

// All combinations of cases, like the digits of a number.
LogicalResult SyncedRules::tryAllCases() {
  ArrayRef<proof::Field> fields = unroller.fields();
  SmallVector<size_t> digits(fields.size());
  while (true) {
    for (auto [field, digit] : llvm::enumerate(digits))
      unroller.choose(unsigned(field), fields[field].cases[digit]);
    if (failed(tryAllCounts()))
      return failure();
    size_t field = 0;
    for (; field < digits.size() && ++digits[field] == fields[field].cases.size(); ++field)
      digits[field] = 0;
    if (field == digits.size())
      return success();
  }
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
