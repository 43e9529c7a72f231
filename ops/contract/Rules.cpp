// Labels of the rules, and the only place that reports a broken rule as a diagnostic.

#include "ops/contract/Rules.h"

namespace opc {

static constexpr size_t kMaxErrors = 100;
// Longer words get no suggestion: they are not misspellings, and the edit distance of long words is slow to compute.
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

std::string usualFix(ContractRule rule) {
  switch (static_cast<Code>(rule)) {
  case Code::E0201:
    return "a contract is a page of text: is this the file that is meant?";
  case Code::E0202:
    return "save the file as UTF-8, without control characters";
  case Code::E0203:
    return "indent with blanks, two more for each level; a text with ': ' or '#' needs quotes";
  case Code::E0204:
    return "'opc new' writes a contract to begin with";
  case Code::E0205:
    return "docs/reference/contract.md has every key with its place";
  case Code::E0214:
    return "letters and digits, the first one in upper case, as in AddRelu";
  case Code::E0216:
    return "letters, digits and single '_', as in x1 or row_scale";
  case Code::E0218:
    return "give one of the two another name";
  case Code::E0219:
    return "docs/reference/contract.md says what each list holds";
  case Code::E0220:
    return "one type in each list for each type row";
  case Code::E0223:
    return "a shape is a list of symbols (N), sizes (4), products of both (H*D) and at most one pack (...S)";
  case Code::E0224:
    return "use a symbol of an input, or give it 'equals' under 'dimensions'";
  case Code::E0247:
    return "an order has each number from 0 on once, as [0, 2, 1]; an axis is from -8 to 7";
  case Code::E0248:
    return "indices are int32 or int64, as 'values: {along: V}' beside a table of [V, N]";
  case Code::E0249:
    return "'present: has_bias' and 'absent: 0.0' on the input; has_bias: an attribute of type bool with 'bind: "
           "compile' and 'default: true'";
  case Code::E0226:
    return "axes: an attribute of type list_int; keep_dims: one of type bool; both with 'bind: "
           "shape'";
  case Code::E0227:
    return "another default, or another range";
  case Code::E0228:
    return "a range is of numbers, the minimum first; choices are of strings, each once";
  case Code::E0231:
    return "0 <= minimum <= maximum; ranks belong to packs, equations to symbols";
  case Code::E0234:
    return "an equation has a value whatever the sizes are";
  case Code::E0236:
    return "an entry under 'tolerance' for each type of the outputs, and no other";
  case Code::E0237:
    return "'max_ulp: 1', or 'mean_relative' and 'max_relative'; 'absolute' joins them";
  case Code::E0240:
    return "a plain name of a file beside the contract, as add_relu.mlir";
  case Code::E0241:
    return "write that file, or name the one that is there";
  default:
    return {};
  }
}

void ContractErrors::report(ContractRule rule, Location location, std::string message, std::string fix) {
  if (++count > kMaxErrors)
    return;
  if (fix.empty())
    fix = fixOf(rule);
  Diagnostic &diagnostic = diagnostics.error(static_cast<Code>(rule), std::move(location), std::move(message),
                                             ruleLabel(rule), std::move(fix));
  if (count == kMaxErrors)
    diagnostic.notes.push_back({{path, 0, 0}, "this is error 100 of the file; those after it are not shown"});
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
