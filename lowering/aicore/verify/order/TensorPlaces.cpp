#include "lowering/aicore/verify/order/TensorPlaces.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace opc::aicore::proof {

/// Limit for the walked steps of all tensors. Beyond it tensors count as shared.
static constexpr size_t kMostSteps = size_t(1) << 23;
static constexpr size_t kMostStepsInWalk = size_t(1) << 19;

namespace {

/// Reduces a kernel to the accesses to one tensor.
class Reduction {
public:
  Reduction(const KernelProgram &program, unsigned home) : result(program), program(program) {
    for (Instruction &instruction : result.instructions) {
      instruction.kind = Instruction::Work;
      instruction.id = kNoSlot;
      llvm::erase_if(instruction.accesses, [&](const AccessPlan &plan) { return plan.home != home; });
    }
    result.body = reduced(program.body);
  }

  KernelProgram result;
  DenseSet<Value> bounds; ///< that the accesses depend on

private:
  static bool issues(const Body &body) {
    return llvm::any_of(body.steps, [](const Step &step) {
      return step.kind == Step::Issue || step.kind == Step::Loop || step.kind == Step::Branch;
    });
  }
  void need(Slot slot) {
    if (slot != kNoSlot)
      needed.insert(slot);
  }
  bool keep(const Step &step) {
    switch (step.kind) {
    case Step::Issue: {
      const Instruction &instruction = result.instructions[step.index];
      for (const AccessPlan &plan : instruction.accesses) {
        need(plan.length);
        for (Slot offset : plan.offsets)
          need(offset);
      }
      return !instruction.accesses.empty();
    }
    case Step::Loop: {
      KernelProgram::Loop &loop = result.loops[step.index];
      loop.body = reduced(program.loops[step.index].body);
      if (!issues(loop.body))
        return false;
      if (loop.constant)
        bounds.insert(loop.op.getUpperBound());
      else
        need(step.a);
      return true;
    }
    case Step::Branch: {
      KernelProgram::Branch &branch = result.branches[step.index];
      branch.taken = reduced(program.branches[step.index].taken);
      branch.other = reduced(program.branches[step.index].other);
      if (!issues(branch.taken) && !issues(branch.other))
        return false;
      need(step.a);
      return true;
    }
    case Step::Bound:
      if (!needed.contains(step.result))
        return false;
      bounds.insert(program.bounds[step.index]);
      return true;
    default:
      if (!needed.contains(step.result))
        return false;
      for (Slot operand : {step.a, step.b, step.c})
        need(operand);
      return true;
    }
  }
  Body reduced(const Body &body) {
    Body kept;
    for (const Step &step : llvm::reverse(body.steps))
      if (keep(step))
        kept.steps.push_back(step);
    std::reverse(kept.steps.begin(), kept.steps.end());
    kept.ops = kept.steps.size();
    return kept;
  }

  const KernelProgram &program;
  DenseSet<Slot> needed;
};

} // namespace

/// Whether two locations of a walk, one of them written, overlap.
static bool overlaps(const Unroller &unroller, const Unrolling &walk) {
  struct Range {
    int64_t begin, end;
    bool writes;
  };
  std::vector<Range> ranges;
  for (const Touch &touch : walk.touches) {
    const Place &place = unroller.places()[touch.place];
    ranges.push_back({place.begin, place.end, touch.writes});
  }
  llvm::sort(ranges, [](const Range &a, const Range &b) { return a.begin < b.begin; });
  int64_t end = INT64_MIN, endOfWrites = INT64_MIN;
  for (const Range &range : ranges) {
    if (range.begin < (range.writes ? end : endOfWrites))
      return true;
    end = std::max(end, range.end);
    if (range.writes)
      endOfWrites = std::max(endOfWrites, range.end);
  }
  return false;
}

std::vector<bool> sharedTensors(const KernelProgram &program, const TripRanges &ranges) {
  std::vector<bool> isWritten(program.homes.size()), isShared(program.homes.size());
  for (const Instruction &instruction : program.instructions)
    for (const AccessPlan &plan : instruction.accesses)
      if (plan.writes && !program.homes[plan.home].inUB)
        isWritten[plan.home] = true;
  size_t steps = 0;
  for (unsigned home = 0; home < program.homes.size(); ++home) {
    if (!isWritten[home])
      continue;
    Reduction reduction(program, home);
    TripRanges own;
    for (const auto &[bound, range] : ranges)
      if (reduction.bounds.contains(bound))
        own.insert({bound, range});
    Unroller unroller(std::move(reduction.result));
    isShared[home] = !forEachChoice(own, [&](const TripCounts &counts) {
      const Unrolling &walk = unroller.unroll(counts, kMostStepsInWalk);
      steps += walk.steps + 1;
      return walk.status == UnrollStatus::Done && steps <= kMostSteps && !overlaps(unroller, walk);
    });
  }
  return isShared;
}

} // namespace opc::aicore::proof
