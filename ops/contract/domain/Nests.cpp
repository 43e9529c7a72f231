#include "ops/contract/domain/Nests.h"

#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/Reductions.h"

namespace opc {

bool hasNests(const Contract &contract) {
  return !contract.nest && (splitsSums(contract) || reducesApart(contract));
}

std::vector<LaunchNest> nestsOf(const Contract &contract, std::string &reason) {
  return splitsSums(contract) ? rangeNestsOf(contract, reason) : reductionNestsOf(contract, reason);
}

} // namespace opc
