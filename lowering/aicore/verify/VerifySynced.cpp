// The invariant of phase `synced`: flags and barriers order all ops that depend on each other, for any number of tiles.
//
// The kernel is walked for every trip count from 0 to 2p + 1, where p is the period of slots and event ids. Larger trip
// counts add nothing. The relation between two iterations does not change if both move by p; two accesses at most p
// apart are both seen; and the order from iteration i to iterations after i + p follows along the pipe of the second
// access. This requires that branches, ids and slots repeat, which Repetition.h checks; a comparison with a counter
// adds the trips until its result is final. Nested loops take all combinations of trip counts. A bound that is
// recomputed in each iteration also takes mixtures of trip counts. All of this is done for each choice among the
// `cases` of tiling data.
//
// Each walk runs on the network of pipes (HappensBefore.h: rules sync_c1 to sync_c7). If there are many, an exploration
// covers all of them at once (Exploration.h). Only if it finds a problem do the walks run, to report the error and its
// iterations, or to show that the exploration assumed too much.
//
// sync_c8 states what must repeat, unroll_c1 and unroll_c2 limit the size of a kernel (Passes.td).

#include "lowering/aicore/verify/Rules.h"
#include "lowering/aicore/verify/order/Exploration.h"
#include "lowering/aicore/verify/order/HappensBefore.h"
#include "lowering/aicore/verify/order/TensorPlaces.h"
#include "lowering/aicore/verify/order/program/Repetition.h"
#include "lowering/aicore/verify/order/program/Unrolling.h"
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

/// The longest supported period of slots and event ids.
static constexpr int64_t kMaxPeriod = 16;
/// Limit for the trips that comparisons with a counter or a bound add.
static constexpr int64_t kMaxSettled = 64;
// Limits for the ops that are checked, in one unrolling and in all. At the limit the check takes a second or two, far
// more than for any practical kernel.
static constexpr size_t kMaxSteps = 1 << 19;
static constexpr size_t kMaxStepsInAll = 1 << 23;
/// Limit for all ops that are walked, including walks that show what an earlier one showed. Walking alone takes a
/// tenth of the time of a check.
static constexpr size_t kMostWalked = 1 << 25;
/// With this many combinations of trip counts, a kernel is explored, and the combination at which the exploration
/// stopped is walked first. With fewer it is explored once walks have taken this many ops, on the network or in all.
static constexpr size_t kManyChoices = 1 << 11;
static constexpr size_t kManySteps = 1 << 22;
static constexpr size_t kManyWalked = 1 << 24;
/// With this many, a kernel that is too large for the exploration is too large for walks as well.
static constexpr size_t kTooManyChoices = 1 << 16;

/// A trip count that shows as much as `trips` and is equal to it modulo the period, so that counters of a nest stay
/// in step.
static int64_t fewerTrips(int64_t trips, int64_t enough, int64_t period) {
  return trips <= enough ? trips : enough + (trips - enough) % period;
}

namespace {

/// Unrolls a kernel for all trip counts and checks each unrolling.
class SyncedRules {
public:
  SyncedRules(func::FuncOp kernel, const Target &target, OrderProof how)
      : kernel(kernel), target(target), how(how), repetition(kernel), unroller(proof::KernelProgram(kernel)),
        network(unroller, target) {}

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
  LogicalResult reportSize();
  FailureOr<bool> explore();
  LogicalResult tryAllCounts();
  LogicalResult tryCounts(const proof::TripCounts &counts);

  func::FuncOp kernel;
  const Target &target;
  const OrderProof how;
  const proof::Repetition repetition;
  proof::Unroller unroller;
  proof::Network network;
  int64_t period = 1;
  size_t steps = 0, walked = 0;
  std::set<std::array<uint8_t, 32>> seen; ///< digests of the unrollings that were checked
  proof::TripRanges bounds;
};

} // namespace

/// The reason why a walk has only one of many possible values of `cause`, for a note.
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
    proof::TripRange bound = {enough, 0};
    // What reads a tile reads the pieces that all trips have written.
    const bool writesPieces = !loop.getBody()->getOps<StoreNzOp>().empty();
    if (matchPattern(value, m_ConstantInt(&constant)))
      bound.most = bound.least = writesPieces && constant.getSExtValue() <= kMaxSettled
                                     ? std::max<int64_t>(0, constant.getSExtValue())
                                     : fewerTrips(std::max<int64_t>(0, constant.getSExtValue()), enough, period);
    else if (int64_t least = facts.of(value).min; least > 0)
      bound = {std::max(bound.most, fewerTrips(least, enough, period)), fewerTrips(least, enough, period),
               value.getParentRegion() != &kernel.getBody()};
    else
      bound.changes = value.getParentRegion() != &kernel.getBody();
    // Known sizes, as in a static operator, limit the trip counts: an unrolling with more trips would leave the
    // tensors.
    bound.most = std::min(bound.most, std::max(bound.least, facts.of(value).max));
    bounds.insert({value, bound});
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// A digest of what the network reads: instructions, ids and places, but not iterations. Loop nests show the same for
/// many trip counts, such as two times three and three times two. Places keep their numbers until they are forgotten.
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

LogicalResult SyncedRules::reportSize() {
  return mlir::emitError(kernel.getLoc(),
                         "[unroll_c1] expects a kernel that can be unrolled for a few trips of each loop; '@")
         << kernel.getName() << "' has too many loops or instructions";
}

LogicalResult SyncedRules::tryCounts(const proof::TripCounts &counts) {
  const proof::Unrolling &unrolling = unroller.unroll(counts, kMaxSteps);
  walked += unrolling.steps;
  const bool isNew =
      unrolling.status != proof::UnrollStatus::Done || seen.insert(digestOf(unrolling, unroller.forgotten())).second;
  if (isNew)
    steps += unrolling.steps;
  if (unrolling.status == proof::UnrollStatus::TooLong || steps > kMaxStepsInAll || walked > kMostWalked)
    return reportSize();
  if (unrolling.status == proof::UnrollStatus::Unknown)
    return unrolling.unknownAt->emitError(kUnknown);
  return isNew ? network.verify(unrolling) : success();
}

// Tries all combinations of cases, as the digits of a number.
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

/// Whether an exploration shows that all combinations of trip counts keep the rules. If it ends at one that breaks
/// them, and there are many, that one is walked at once.
FailureOr<bool> SyncedRules::explore() {
  proof::Exploration exploration(unroller.kernel(), target, proof::sharedTensors(unroller.kernel(), bounds), bounds);
  const proof::Verdict verdict = exploration.run();
  if (verdict == proof::Verdict::TooMuch && proof::numberOfChoices(bounds, kTooManyChoices) == kTooManyChoices)
    return reportSize();
  if (verdict == proof::Verdict::Breaks && proof::numberOfChoices(bounds, kManyChoices) == kManyChoices &&
      failed(tryCounts([&](Value bound, unsigned) { return exploration.tripsAtEnd(bound); })))
    return failure();
  return verdict == proof::Verdict::Holds;
}

LogicalResult SyncedRules::tryAllCounts() {
  bool mayExplore = how != OrderProof::Walked;
  FailureOr<bool> covered = false;
  auto exploreOnce = [&] {
    mayExplore = false;
    covered = explore();
    return succeeded(covered) && !*covered;
  };
  const bool areMany = proof::numberOfChoices(bounds, kManyChoices) == kManyChoices;
  if (mayExplore && (areMany || how == OrderProof::Explored) && !exploreOnce())
    return covered;
  const size_t before = steps, walkedBefore = walked;
  const bool all = proof::forEachChoice(bounds, [&](const proof::TripCounts &counts) {
    if (mayExplore && (steps - before > kManySteps || walked - walkedBefore > kManyWalked) && !exploreOnce())
      return false;
    return succeeded(tryCounts(counts));
  });
  return success(all || (succeeded(covered) && *covered));
}

/// Remarks on barriers that do nothing on this chip. They are no error: they may be there for another chip.
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

LogicalResult verifyOrder(func::FuncOp kernel, const Target &target, OrderProof how) {
  // A kernel states that it assumes flags between FIX and V.
  if (kernel->hasAttr(AICoreDialect::kFixToVAttr))
    return SyncedRules(kernel, target.withFixToV(), how).verify();
  return SyncedRules(kernel, target, how).verify();
}

LogicalResult verifySyncedRules(func::FuncOp kernel, const Target &target) {
  if (failed(verifyOrder(kernel, target, OrderProof::Chosen)))
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
