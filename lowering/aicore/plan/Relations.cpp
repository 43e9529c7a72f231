#include "lowering/aicore/plan/Relations.h"

#include <algorithm>
#include <map>
#include <set>

namespace opc::aicore {

PlanRelations::PlanRelations(const PlanProblem &problem) : apart(problem.items.size()), partners(problem.items.size()) {
  std::map<unsigned, std::vector<unsigned>> living;
  for (unsigned i = 0; i < problem.items.size(); ++i)
    for (unsigned time : problem.items[i].times)
      living[time].push_back(i);
  // Only maximal sets matter. For items that live without gaps, a set that is contained in another one is contained
  // in one of its neighbours in time.
  auto isWithin = [](const std::vector<unsigned> &set, const std::vector<unsigned> &other) {
    return std::includes(other.begin(), other.end(), set.begin(), set.end());
  };
  for (auto &[time, of] : living) {
    if (!crowds.empty() && isWithin(of, crowds.back()))
      continue;
    if (!crowds.empty() && isWithin(crowds.back(), of))
      crowds.back() = of;
    else
      crowds.push_back(of);
  }
  size_t count = problem.items.size();
  std::vector<std::vector<bool>> meets(count, std::vector<bool>(count));
  for (const std::vector<unsigned> &crowd : crowds)
    for (unsigned a : crowd)
      for (unsigned b : crowd)
        meets[a][b] = a != b;
  for (auto [a, b] : problem.keptApart)
    meets[a][b] = meets[b][a] = true;
  for (unsigned a = 0; a < count; ++a)
    for (unsigned b = 0; b < count; ++b)
      if (meets[a][b])
        apart[a].push_back(b);
  std::set<std::pair<unsigned, unsigned>> together;
  for (auto [a, b] : problem.coincident)
    if (!meets[a][b]) {
      together.insert({a, b});
      together.insert({b, a});
    }
  for (auto [a, b] : together)
    partners[a].push_back(b);
}

} // namespace opc::aicore
