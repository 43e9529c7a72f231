#include "lowering/aicore/plan/Planner.h"

#include "lowering/aicore/plan/PipeClock.h"

#include <algorithm>
#include <set>

using namespace mlir;

namespace opc::aicore {

/// Limit for pairs that are kept apart because of their cost; each takes a search.
static constexpr unsigned kMostPairs = 32;
/// Limit for runs of the cost model that look for such pairs.
static constexpr unsigned kMostRuns = 1000;
/// Limit of a search that only improves a plan.
static constexpr uint64_t kBetterNodes = 20000;

namespace {

class Planner {
public:
  Planner(func::FuncOp kernel, const KernelRanges &ranges, const PlanRequest &request)
      : ranges(ranges), request(request), clock(kernel, ranges, *request.target) {}

  std::optional<KernelPlan> run(PlanFailure &failure);

private:
  std::optional<PlanSolution> solve(const PlanProblem &problem, SearchEffort &effort, bool &searched);
  PlanProblem problem(Sharing sharing) const {
    return problemOf(ranges, sharing, request.target->ubBytes(), request.alignment);
  }
  void keepApartWhatCosts(KernelPlan &plan);

  const KernelRanges &ranges;
  const PlanRequest &request;
  PipeClock clock;
};

} // namespace

std::optional<PlanSolution> Planner::solve(const PlanProblem &problem, SearchEffort &effort, bool &searched) {
  PlanSolution first = planFirstFit(problem);
  if (first.bytes <= problem.capacity) {
    searched = false;
    return first;
  }
  searched = true;
  return planExactly(problem, effort);
}

static bool share(const KernelRanges &ranges, const std::vector<int64_t> &addresses, unsigned a, unsigned b) {
  return addresses[a] < addresses[b] + BufferOp(ranges.buffers[b].buffer).getBytes() &&
         addresses[b] < addresses[a] + BufferOp(ranges.buffers[a].buffer).getBytes();
}

// Keeps pairs of buffers apart, one pair at a time, the most expensive first. A pair stays apart if a plan is found
// that takes no more cycles.
void Planner::keepApartWhatCosts(KernelPlan &plan) {
  PlanProblem tighter = problem(Sharing::Text);
  std::set<std::pair<unsigned, unsigned>> tried;
  int64_t beyond = int64_t(1) << 40; // beyond every address
  unsigned runs = 0;
  for (unsigned round = 0; round < kMostPairs && plan.cycles > plan.cyclesApart; ++round) {
    std::optional<std::pair<unsigned, unsigned>> worst;
    int64_t least = plan.cycles;
    for (unsigned a = 0; a < ranges.buffers.size(); ++a)
      for (unsigned b = a + 1; b < ranges.buffers.size(); ++b) {
        if (tried.count({a, b}) || !share(ranges, plan.solution.addresses, a, b) || ++runs > kMostRuns)
          continue;
        std::vector<int64_t> addresses = plan.solution.addresses;
        addresses[b] = beyond;
        int64_t cycles = clock.cyclesOfTile(addresses);
        if (!worst || cycles < least) {
          worst = {a, b};
          least = cycles;
        }
      }
    if (!worst || least >= plan.cycles)
      return;
    tried.insert(*worst);
    tighter.keptApart.push_back(*worst);
    SearchEffort effort;
    effort.nodeLimit = kBetterNodes;
    bool searched = false;
    std::optional<PlanSolution> better = solve(tighter, effort, searched);
    int64_t cycles = better ? clock.cyclesOfTile(better->addresses) : 0;
    if (!better || cycles > plan.cycles) {
      tighter.keptApart.pop_back();
      continue;
    }
    plan.solution = std::move(*better);
    plan.cycles = cycles;
  }
}

std::optional<KernelPlan> Planner::run(PlanFailure &failure) {
  failure = {};
  PlanProblem text = problem(Sharing::Text);
  if (!text.check().empty()) {
    failure.proved = true;
    failure.needed = text.peak().first;
    return std::nullopt;
  }
  KernelPlan plan;
  plan.cyclesApart = clock.cyclesApart();
  std::vector<Sharing> degrees = {Sharing::Pipes, Sharing::Text};
  if (request.sideBySide)
    degrees.insert(degrees.begin(), Sharing::None);
  for (Sharing sharing : degrees) {
    SearchEffort effort;
    PlanProblem next = problem(sharing);
    std::optional<PlanSolution> found = solve(next, effort, plan.searched);
    if (!found) {
      failure.proved = effort.complete;
      failure.needed = std::max(next.peak().first, request.target->ubBytes() + 1);
      continue;
    }
    plan.solution = std::move(*found);
    plan.sharing = sharing;
    plan.cycles = clock.cyclesOfTile(plan.solution.addresses);
    if (sharing == Sharing::Text)
      keepApartWhatCosts(plan);
    if (!text.verify(plan.solution.addresses).empty()) {
      failure.proved = false;
      return std::nullopt;
    }
    return plan;
  }
  return std::nullopt;
}

std::optional<KernelPlan> planKernel(func::FuncOp kernel, const KernelRanges &ranges, const PlanRequest &request,
                                     PlanFailure &failure) {
  return Planner(kernel, ranges, request).run(failure);
}

std::optional<PlanSolution> planMemory(const KernelRanges &ranges, Memory memory, const Target &target) {
  const PlanProblem text = problemOf(ranges, Sharing::Text, target.memoryBytes(memory), target.memoryAlignment(memory));
  for (Sharing sharing : {Sharing::Pipes, Sharing::Text}) {
    PlanProblem problem = problemOf(ranges, sharing, text.capacity, text.alignment);
    if (!problem.check().empty())
      return std::nullopt;
    std::optional<PlanSolution> found = planFirstFit(problem);
    SearchEffort effort;
    if (found->bytes > problem.capacity)
      found = planExactly(problem, effort);
    if (found && text.verify(found->addresses).empty())
      return found;
  }
  return std::nullopt;
}

PlanRequest planRequestOf(func::FuncOp kernel, const Target &target) {
  PlanRequest request;
  request.target = &target;
  auto schedule = kernel->getAttrOfType<ScheduleAttr>(AICoreDialect::kScheduleAttr);
  request.sideBySide = static_cast<bool>(schedule);
  request.alignment = std::max<int64_t>(target.ubAlignment(), schedule ? schedule.getAlignment() : 0);
  return request;
}

} // namespace opc::aicore
