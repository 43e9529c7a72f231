#include "ops/contract/domain/Nests.h"

#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/Reductions.h"

#include <algorithm>

namespace opc {

bool hasNests(const Contract &contract) {
  return !contract.nest && (splitsSums(contract) || reducesApart(contract));
}

void addSecondForms(std::vector<LaunchNest> &nests) {
  std::vector<LaunchNest> longRows, stridedRows;
  for (const LaunchNest &first : nests) {
    std::string why;
    const std::optional<Domain> own = domainOf(first.contract, why);
    const std::optional<DomainNest> loops = own ? nestOf(first.contract, *own, why) : std::nullopt;
    if (loops && loops->form == DomainNest::Rows)
      longRows.push_back(first);
    else if (loops && loops->hasStridedRows())
      stridedRows.push_back(first);
  }
  // The first form of strided rows serves all launches, so none is refused for the lack of a second one.
  const size_t room = kMostNests - std::min(kMostNests, nests.size() + longRows.size());
  stridedRows.resize(std::min(stridedRows.size(), room));
  for (std::vector<LaunchNest> *of : {&longRows, &stridedRows})
    for (LaunchNest &second : *of) {
      second.first = second.contract.nest;
      second.contract.nest = unsigned(nests.size());
      nests.push_back(std::move(second));
    }
}

std::vector<LaunchNest> nestsOf(const Contract &contract, std::string &reason) {
  return splitsSums(contract) ? rangeNestsOf(contract, reason) : reductionNestsOf(contract, reason);
}

} // namespace opc
