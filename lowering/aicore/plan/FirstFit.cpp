// First fit: each item in turn takes the address of a coincident item, or the lowest gap that is wide enough between
// the items that it must not overlap.

#include "lowering/aicore/plan/Relations.h"

#include <algorithm>
#include <numeric>

namespace opc::aicore {

namespace {

class FirstFit {
public:
  explicit FirstFit(const PlanProblem &problem) : problem(problem), relations(problem) {}

  PlanSolution place(const std::vector<unsigned> &order);

private:
  bool isFree(unsigned item, int64_t address, const PlanSolution &plan) const;
  int64_t addressFor(unsigned item, const PlanSolution &plan) const;

  const PlanProblem &problem;
  PlanRelations relations;
};

} // namespace

/// Whether the item may begin at the address: it overlaps none of the items that it must lie apart from, and
/// coincident items only if they begin at the same address.
bool FirstFit::isFree(unsigned item, int64_t address, const PlanSolution &plan) const {
  auto clear = [&](unsigned other) {
    return plan.addresses[other] < 0 || address + problem.items[item].bytes <= plan.addresses[other] ||
           plan.addresses[other] + problem.items[other].bytes <= address;
  };
  return std::all_of(relations.apart[item].begin(), relations.apart[item].end(), clear) &&
         std::all_of(relations.partners[item].begin(), relations.partners[item].end(),
                     [&](unsigned other) { return plan.addresses[other] == address || clear(other); });
}

int64_t FirstFit::addressFor(unsigned item, const PlanSolution &plan) const {
  std::vector<int64_t> ends = {0};
  for (unsigned partner : relations.partners[item])
    if (plan.addresses[partner] >= 0) {
      if (isFree(item, plan.addresses[partner], plan))
        return plan.addresses[partner];
      ends.push_back(alignUp(plan.addresses[partner] + problem.items[partner].bytes, problem.alignment));
    }
  for (unsigned other : relations.apart[item])
    if (plan.addresses[other] >= 0)
      ends.push_back(alignUp(plan.addresses[other] + problem.items[other].bytes, problem.alignment));
  std::sort(ends.begin(), ends.end());
  for (int64_t end : ends)
    if (isFree(item, end, plan))
      return end;
  return ends.back();
}

PlanSolution FirstFit::place(const std::vector<unsigned> &order) {
  PlanSolution plan;
  plan.addresses.assign(problem.items.size(), -1);
  for (unsigned item : order) {
    plan.addresses[item] = addressFor(item, plan);
    plan.bytes = std::max(plan.bytes, plan.addresses[item] + problem.items[item].bytes);
  }
  return plan;
}

PlanSolution planFirstFit(const PlanProblem &problem) {
  FirstFit firstFit(problem);
  std::vector<unsigned> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0u);
  PlanSolution plan = firstFit.place(order);
  if (plan.bytes <= problem.capacity)
    return plan;
  std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    int64_t left = problem.items[a].bytes, right = problem.items[b].bytes;
    return left != right ? left > right : a < b;
  });
  PlanSolution larger = firstFit.place(order);
  return larger.bytes < plan.bytes ? larger : plan;
}

} // namespace opc::aicore
