#include "ops/contract/write/WriteSchedule.h"

#include "ops/contract/Knobs.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "ops/contract/read/Reader.h"

#include <algorithm>

namespace opc {

namespace {

/// "tile: 4096" for each knob that the entry has.
std::vector<std::string> knobsOf(const ContractSchedule &entry) {
  std::vector<std::string> knobs;
  for (const Knob &known : kKnobs) {
    const std::optional<ScheduleKnob> &knob = entry.*known.value;
    if (!knob)
      continue;
    std::string value = std::to_string(knob->value);
    if (known.form == KnobForm::Bool)
      value = knob->value ? "true" : "false";
    else if (known.form == KnobForm::FloatType)
      value = "float" + value;
    knobs.push_back(std::string(known.name) + ": " + value);
  }
  return knobs;
}

/// Whether two entries are equal, regardless of their locations.
bool isEqual(const ContractSchedule &a, const ContractSchedule &b) {
  return a.typeRow == b.typeRow && a.key == b.key && knobsOf(a) == knobsOf(b);
}

/// Whether a text reads as the contract's entries followed by `more`.
bool readsAs(const std::string &text, const Contract &contract, const std::vector<ContractSchedule> &more) {
  std::vector<ContractSchedule> expected = contract.schedules;
  expected.insert(expected.end(), more.begin(), more.end());
  Diagnostics diagnostics;
  auto read = parseSchedule(text, contract.filePath(contract.schedule), contract, diagnostics);
  return read && std::equal(read->begin(), read->end(), expected.begin(), expected.end(), isEqual);
}

/// The lines of a text, each with its line break.
std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

std::string commentLine(const std::string &why, size_t indent) {
  return why.empty() ? "" : std::string(indent, ' ') + "# " + why + "\n";
}

} // namespace

std::string knobsText(const ContractSchedule &entry) {
  std::string text;
  for (const std::string &knob : knobsOf(entry))
    text += (text.empty() ? "'" : ", '") + knob + "'";
  return text;
}

/// "types: float32", "key: flat", "slots: 1".
static std::vector<std::string> fieldsOf(const Contract &contract, const ContractSchedule &entry) {
  std::vector<std::string> fields = knobsOf(entry);
  if (entry.key)
    fields.insert(fields.begin(), "key: " + shapeKeys(contract)[*entry.key].name);
  if (entry.typeRow)
    fields.insert(fields.begin(), "types: " + contract.typeRowName(*entry.typeRow));
  return fields;
}

std::string entryLines(const Contract &contract, const std::vector<ContractSchedule> &entries, size_t indent) {
  std::string text;
  for (const ContractSchedule &entry : entries) {
    std::vector<std::string> fields = fieldsOf(contract, entry);
    for (size_t i = 0; i < fields.size(); ++i)
      text += std::string(indent, ' ') + (i == 0 ? "- " : "  ") + fields[i] + "\n";
  }
  return text;
}

std::string entriesText(const Contract &contract, const std::vector<ContractSchedule> &entries) {
  std::string text;
  for (const ContractSchedule &entry : entries) {
    std::string fields;
    for (const std::string &field : fieldsOf(contract, entry))
      fields += (fields.empty() ? "" : ", ") + field;
    text += (text.empty() ? "{" : ", {") + fields + "}";
  }
  return text;
}

std::string newScheduleText(const Contract &contract, const std::vector<ContractSchedule> &entries,
                            const std::string &why) {
  return "schema: 1\nkernels:\n" + commentLine(why, 2) + entryLines(contract, entries, 2);
}

std::optional<std::string> scheduleTextWith(const std::string &text, const Contract &contract,
                                            const std::vector<ContractSchedule> &entries, const std::string &why) {
  if (contract.schedules.empty() || !readsAs(text, contract, {}))
    return std::nullopt;
  const Location &last = contract.schedules.back().location;
  std::vector<std::string> lines = linesOf(text);
  if (last.line == 0 || last.line > lines.size())
    return std::nullopt;
  // The dash of the last entry, before its first key.
  const std::string &line = lines[last.line - 1];
  size_t dash = line.find_first_not_of(' ');
  if (dash == std::string::npos || line[dash] != '-' || line.find_first_not_of(' ', dash + 1) + 1 != last.column)
    return std::nullopt;
  // Lines that are indented further belong to the entry.
  size_t end = last.line;
  for (size_t next = end; next < lines.size(); ++next) {
    size_t first = lines[next].find_first_not_of(" \t\r\n");
    bool isText = first != std::string::npos && lines[next][first] != '#';
    if (isText && first <= dash)
      break;
    if (isText)
      end = next + 1;
  }
  std::string made;
  for (size_t i = 0; i < end; ++i)
    made += lines[i];
  if (made.back() != '\n')
    made += '\n';
  made += commentLine(why, dash) + entryLines(contract, entries, dash);
  for (size_t i = end; i < lines.size(); ++i)
    made += lines[i];
  if (!readsAs(made, contract, entries))
    return std::nullopt;
  return made;
}

} // namespace opc
