// The rules of a contract by name. Rule NN has the label "contract_cNN" and the code OPC-E02NN; what it says stands
// once, in runtime/diagnostic/codes/contract.def, where `opc explain` and docs/reference/contract.md take it from.

#ifndef OPC_OPS_CONTRACT_RULES_H
#define OPC_OPS_CONTRACT_RULES_H

#include "runtime/diagnostic/Diagnostic.h"

#include <string>
#include <vector>

namespace opc {

enum class ContractRule : unsigned {
#define OPC_CONTRACT_RULE(NAME, NUMBER) NAME = static_cast<unsigned>(Code::E##NUMBER),
#include "ops/contract/Rules.def"
#undef OPC_CONTRACT_RULE
};

/// "contract_c9".
std::string ruleLabel(ContractRule rule);
/// What mends a mistake where nothing is known of it but its rule; empty: the message says it all.
std::string usualFix(ContractRule rule);
/// All of them in the order of their numbers.
const std::vector<ContractRule> &allContractRules();

/// What a reading of one file found. Says at most 100 errors, then that there are more.
class ContractErrors {
public:
  ContractErrors(std::string path, Diagnostics &diagnostics) : path(std::move(path)), diagnostics(diagnostics) {}

  void report(ContractRule rule, Location location, std::string message, std::string fix = {});
  /// Whether this reading reported anything; earlier errors of the same Diagnostics do not count.
  bool any() const { return count != 0; }
  Location at(unsigned line, unsigned column) const { return {path, line, column}; }

private:
  std::string path;
  Diagnostics &diagnostics;
  size_t count = 0;
};

/// "did you mean 'types'?" for a near name, "one of: ..." when none is near.
std::string suggest(const std::string &found, const std::vector<std::string> &candidates);

} // namespace opc

#endif // OPC_OPS_CONTRACT_RULES_H
