// Maps the label of a rule ("sync_c1") to the codes that it is reported under.
//
// Messages contain both; pages and tests often contain the label alone. The tables are codes/Labels.def
// and codes/Rules.def.

#ifndef OPC_RUNTIME_DIAGNOSTIC_LABELS_H
#define OPC_RUNTIME_DIAGNOSTIC_LABELS_H

#include "runtime/diagnostic/Diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// Whether a text has the form of a label: a family in lower case, "_c", a number ("load_c1", "tiling_function_c2").
bool isLabel(std::string_view text);

/// Codes of a rule, the code used by `opc compile` first; empty when there is no such rule.
std::vector<Code> codesOfLabel(std::string_view label);

/// The text of a rule from codes/Rules.def; empty for rules of ops, passes and contracts, which the pages of
/// docs/reference describe.
std::string_view ruleText(std::string_view label);

/// Labels of the rules that are reported under a code, in the order of codes/Labels.def, without rules of contracts.
std::vector<std::string> labelsOfCode(Code code);

} // namespace opc

#endif // OPC_RUNTIME_DIAGNOSTIC_LABELS_H
