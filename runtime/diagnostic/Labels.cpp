// The tables of labels and rules, read from their .def files at compile time, and the lookup.

#include "runtime/diagnostic/Labels.h"

#include <algorithm>

namespace opc {

namespace {
struct LabelRange {
  std::string_view family;
  unsigned first, last;
  Code code;
};
} // namespace

static const LabelRange kRanges[] = {
#define OPC_LABELS(FAMILY, FIRST, LAST, NUMBER) {#FAMILY, FIRST, LAST, Code::E##NUMBER},
#include "runtime/diagnostic/codes/Labels.def"
#undef OPC_LABELS
};

namespace {
struct Rule {
  std::string_view label, text;
};
} // namespace

static const Rule kRules[] = {
#define OPC_RULE(FAMILY, NUMBER, TEXT) {#FAMILY "_c" #NUMBER, TEXT},
#include "runtime/diagnostic/codes/Rules.def"
#undef OPC_RULE
};

/// Splits "load_c1" into its family and its number; false for text that is not a label.
static bool split(std::string_view label, std::string_view &family, unsigned &number) {
  size_t mark = label.rfind("_c");
  if (mark == std::string_view::npos || mark == 0)
    return false;
  family = label.substr(0, mark);
  std::string_view digits = label.substr(mark + 2);
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  auto isFamily = [&](char c) { return (c >= 'a' && c <= 'z') || isDigit(c) || c == '_'; };
  // Numbers have at most three digits and no leading zero.
  if (digits.empty() || digits.size() > 3 || digits.front() == '0' ||
      !std::all_of(digits.begin(), digits.end(), isDigit) || !std::all_of(family.begin(), family.end(), isFamily))
    return false;
  number = 0;
  for (char digit : digits)
    number = number * 10 + static_cast<unsigned>(digit - '0');
  return true;
}

bool isLabel(std::string_view text) {
  std::string_view family;
  unsigned number;
  return split(text, family, number);
}

std::vector<Code> codesOfLabel(std::string_view label) {
  std::string_view family;
  unsigned number;
  std::vector<Code> codes;
  if (!split(label, family, number))
    return codes;
  // Rule NN of a contract has the code OPC-E02NN (ops/contract/Rules.h).
  if (family == "contract" && number < 100) {
    std::string name = "02" + std::string(number < 10 ? "0" : "") + std::to_string(number);
    if (const CodeInfo *info = findCode(name))
      codes.push_back(info->code);
  }
  for (const LabelRange &range : kRanges)
    if (range.family == family && range.first <= number && number <= range.last)
      codes.push_back(range.code);
  return codes;
}

std::string_view ruleText(std::string_view label) {
  for (const Rule &rule : kRules)
    if (rule.label == label)
      return rule.text;
  return {};
}

std::vector<std::string> labelsOfCode(Code code) {
  std::vector<std::string> labels;
  for (const LabelRange &range : kRanges)
    for (unsigned number = range.first; range.code == code && number <= range.last; ++number)
      labels.push_back(std::string(range.family) + "_c" + std::to_string(number));
  return labels;
}

} // namespace opc
