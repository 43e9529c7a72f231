// The rules of a contract by name. Rule NN has the label "contract_cNN" and the code OPC-E02NN. Its text is in
// runtime/diagnostic/codes/contract.def alone; `opc explain` and docs/reference/contract.md read it from there.

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
/// The fix to suggest when only the broken rule is known; empty when the message is enough.
std::string usualFix(ContractRule rule);
/// All of them in the order of their numbers.
const std::vector<ContractRule> &allContractRules();

/// Reports the errors of one file: at most 100 of them, then that there are more.
class ContractErrors {
public:
  /// `fixOf` gives the fix of an error that is reported without one.
  ContractErrors(std::string path, Diagnostics &diagnostics, std::string (*fixOf)(ContractRule) = usualFix)
      : path(std::move(path)), diagnostics(diagnostics), fixOf(fixOf) {}

  void report(ContractRule rule, Location location, std::string message, std::string fix = {});
  /// Whether this object reported an error; earlier errors of the same Diagnostics do not count.
  bool any() const { return count != 0; }
  Location at(unsigned line, unsigned column) const { return {path, line, column}; }

private:
  std::string path;
  Diagnostics &diagnostics;
  std::string (*fixOf)(ContractRule);
  size_t count = 0;
};

/// "did you mean 'types'?" when a candidate is similar to `found`, "one of: ..." otherwise.
std::string suggest(const std::string &found, const std::vector<std::string> &candidates);

} // namespace opc

#endif // OPC_OPS_CONTRACT_RULES_H
