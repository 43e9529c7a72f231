// Labels of the rules, and the one place where a broken rule becomes a diagnostic.

#include "ops/contract/Rules.h"

namespace opc {

static constexpr size_t kMaxErrors = 100;
// Longer words are no misspelling of anything, and the distance of two long ones costs time.
static constexpr size_t kLongestMisspelling = 64;

std::string ruleLabel(ContractRule rule) {
  // "OPC-E0209" is rule 9 of family 02.
  std::string_view name = codeInfo(static_cast<Code>(rule)).name;
  std::string_view number = name.substr(name.size() - 2);
  return "contract_c" + std::string(number[0] == '0' ? number.substr(1) : number);
}

const std::vector<ContractRule> &allContractRules() {
  static const std::vector<ContractRule> rules = {
#define OPC_CONTRACT_RULE(NAME, NUMBER) ContractRule::NAME,
#include "ops/contract/Rules.def"
#undef OPC_CONTRACT_RULE
  };
  return rules;
}

void ContractErrors::report(ContractRule rule, Location location, std::string message,
                            std::string fix) {
  if (++count > kMaxErrors)
    return;
  Diagnostic &diagnostic = diagnostics.error(static_cast<Code>(rule), std::move(location),
                                             std::move(message), ruleLabel(rule), std::move(fix));
  if (count == kMaxErrors)
    diagnostic.notes.push_back(
        {{path, 0, 0}, "this is error 100 of the file; those after it are not shown"});
}

std::string suggest(const std::string &found, const std::vector<std::string> &candidates) {
  if (found.size() <= kLongestMisspelling) {
    std::string nearest = nearestName(found, candidates);
    if (!nearest.empty())
      return "did you mean '" + nearest + "'?";
  }
  std::string all;
  for (const std::string &candidate : candidates)
    all += (all.empty() ? "one of: " : ", ") + candidate;
  return all;
}

} // namespace opc
