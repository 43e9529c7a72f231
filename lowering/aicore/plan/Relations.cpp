#include "lowering/aicore/plan/Relations.h"

#include <algorithm>
#include <map>
#include <set>

namespace opc::aicore {

PlanRelations::PlanRelations(const PlanProblem &problem)
    : apart(problem.items.size()), partners(problem.items.size()) {
  std::map<unsigned, std::vector<unsigned>> living;
  for (unsigned i = 0; i < problem.items.size(); ++i)
    for (unsigned time : problem.items[i].times)
      living[time].push_back(i);
  std::set<std::vector<unsigned>> known;
  for (auto &[time, of] : living) {
    bool isPart = std::any_of(living.begin(), living.end(), [&, &set = of](const auto &other) {
      return other.second.size() > set.size() &&
             std::includes(other.second.begin(), other.second.end(), set.begin(), set.end());
    });
    if (!isPart && known.insert(of).second)
      crowds.push_back(of);
  }
  std::set<std::pair<unsigned, unsigned>> pairs;
  for (const std::vector<unsigned> &crowd : crowds)
    for (unsigned a : crowd)
      for (unsigned b : crowd)
        if (a != b)
          pairs.insert({a, b});
  for (auto [a, b] : problem.keptApart) {
    pairs.insert({a, b});
    pairs.insert({b, a});
  }
  for (auto [a, b] : pairs)
    apart[a].push_back(b);
  std::set<std::pair<unsigned, unsigned>> together;
  for (auto [a, b] : problem.coincident)
    if (!pairs.count({a, b})) {
      together.insert({a, b});
      together.insert({b, a});
    }
  for (auto [a, b] : together)
    partners[a].push_back(b);
}

} // namespace opc::aicore
