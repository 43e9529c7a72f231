// Reads the author's schedule file (docs/reference/schedule.md), which replaces choices of the heuristic for the
// kernels of a te body.
//
//   schema: 1
//   kernels:
//     - types: float16        a type row; without it all
//       key: rows_x2_row      a shape key; without it all
//       tile: 4096
//       slots: 1
//
// The text must keep the rules of every file of a contract (1 to 13); then entries are matched with the operator's
// type rows and shape keys (44), and their numbers are checked against the limits of such a kernel (45). Only the
// compiler can check whether the schedule fits into UB.

#include "ops/contract/Knobs.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "ops/contract/read/FileText.h"
#include "ops/contract/read/Parts.h"
#include "ops/contract/read/Reader.h"

#include <algorithm>
#include <fstream>

namespace opc {

namespace {

constexpr int64_t kSchema = 1;
constexpr int64_t kTileUnit = 256, kLargestTile = int64_t(1) << 20;
constexpr int64_t kMostRows = 4095;
constexpr size_t kMostEntries = 1024; // one for each type row and shape key, and more
constexpr int64_t kLeastAlignment = 32, kLargestAlignment = 4096;

class ScheduleReader {
public:
  ScheduleReader(ContractErrors &errors, const Contract &contract)
      : errors(errors), contract(contract), keys(shapeKeys(contract)) {}

  std::vector<ContractSchedule> read(const YamlNode &root);

private:
  ContractSchedule readEntry(const YamlNode &node);
  std::optional<unsigned> readTypeRow(const YamlNode *node);
  std::optional<unsigned> readKey(const YamlNode *node);
  std::optional<int64_t> readValue(const YamlNode *node, const Knob &knob);
  void checkKnobs(const ContractSchedule &entry);
  void refuse(const ScheduleKnob &knob, const std::string &rule, const std::string &fix);

  ContractErrors &errors;
  const Contract &contract;
  std::vector<ShapeKey> keys;
};

bool isPowerOfTwo(int64_t number) {
  return number > 0 && (number & (number - 1)) == 0;
}

/// Whether tiles of the key's kernel have several rows.
bool hasRows(const ShapeKey &key) {
  return key.kind != ShapeKey::Flat && (!key.isLong || key.kind == ShapeKey::Contraction);
}

} // namespace

std::optional<unsigned> ScheduleReader::readTypeRow(const YamlNode *node) {
  std::optional<std::string> name = readText(errors, node, "'types'");
  if (!name)
    return std::nullopt;
  std::vector<std::string> known = contract.typeRowNames();
  auto found = std::find(known.begin(), known.end(), *name);
  if (found != known.end())
    return unsigned(found - known.begin());
  errors.report(ContractRule::ScheduleKernel, errors.at(node->line, node->column),
                "expects 'types' to be a row of the contract's type table, found '" + printable(*name, 60) + "'",
                suggest(*name, known));
  return std::nullopt;
}

std::optional<unsigned> ScheduleReader::readKey(const YamlNode *node) {
  std::optional<std::string> name = readText(errors, node, "'key'");
  if (!name)
    return std::nullopt;
  std::vector<std::string> known;
  for (const ShapeKey &key : keys) {
    known.push_back(key.name);
    if (key.name == *name)
      return key.number;
  }
  errors.report(ContractRule::ScheduleKernel, errors.at(node->line, node->column),
                "expects 'key' to be a shape key of '" + contract.opType + "', found '" + printable(*name, 60) + "'",
                suggest(*name, known));
  return std::nullopt;
}

std::optional<int64_t> ScheduleReader::readValue(const YamlNode *node, const Knob &knob) {
  std::string what = "'" + std::string(knob.name) + "'";
  switch (knob.form) {
  case KnobForm::Number:
    return readInt(errors, node, what);
  case KnobForm::Bool:
    return readBool(errors, node, what);
  case KnobForm::FloatType:
    break;
  }
  std::optional<std::string> name = readText(errors, node, what);
  if (!name)
    return std::nullopt;
  for (int64_t bits : {16, 32})
    if (*name == "float" + std::to_string(bits))
      return bits;
  errors.report(ContractRule::ScheduleNumber, errors.at(node->line, node->column),
                "expects " + what + " to be float16 or float32, found '" + printable(*name, 60) + "'",
                suggest(*name, {"float16", "float32"}));
  return std::nullopt;
}

void ScheduleReader::refuse(const ScheduleKnob &knob, const std::string &rule, const std::string &fix) {
  errors.report(ContractRule::ScheduleNumber, knob.location,
                "expects " + rule + ", found " + std::to_string(knob.value), fix);
}

void ScheduleReader::checkKnobs(const ContractSchedule &entry) {
  if (entry.tile) {
    int64_t tile = entry.tile->value;
    if (tile < kTileUnit || tile > kLargestTile || tile % kTileUnit != 0)
      refuse(*entry.tile, "'tile' to be a multiple of 256 elements, from 256 to 1048576",
             "the nearest below is " +
                 std::to_string(std::clamp(tile / kTileUnit * kTileUnit, kTileUnit, kLargestTile)));
  }
  if (entry.rows && (entry.rows->value < 1 || entry.rows->value > kMostRows))
    refuse(*entry.rows, "'rows' from 1 to 4095", "");
  if (entry.slots && (entry.slots->value < 1 || entry.slots->value > 2))
    refuse(*entry.slots, "'slots' to be 1 or 2", "2 lets DMA and the vector unit work on two tiles; more gain nothing");
  if (entry.prefetch && entry.prefetch->value && entry.slots && entry.slots->value == 1)
    errors.report(ContractRule::ScheduleNumber, entry.prefetch->location,
                  "expects two slots where the next tile is loaded first, found 'slots: 1'",
                  "leave 'prefetch' or 'slots' out");
  if (entry.alignment && (!isPowerOfTwo(entry.alignment->value) || entry.alignment->value < kLeastAlignment ||
                          entry.alignment->value > kLargestAlignment))
    refuse(*entry.alignment, "'alignment' to be a power of two from 32 to 4096", "");
  if (!entry.key)
    return;
  const ShapeKey &key = keys[*entry.key];
  if (entry.rows && !hasRows(key))
    errors.report(ContractRule::ScheduleNumber, entry.rows->location,
                  "expects 'rows' for kernels with several rows in a tile, found key '" + key.name + "', which " +
                      (key.isLong ? "takes one row at a time" : "has no rows but a flat tile"),
                  "leave 'rows' out");
}

static Mapping mappingOfEntries() {
  Mapping mapping = {"an entry of 'kernels'", {"types", "key"}};
  for (const Knob &knob : kKnobs)
    mapping.keys.emplace_back(knob.name);
  return mapping;
}

ContractSchedule ScheduleReader::readEntry(const YamlNode &node) {
  static const Mapping mapping = mappingOfEntries();
  Fields fields(errors, node, mapping);
  ContractSchedule entry;
  entry.location = fields.location();
  entry.typeRow = readTypeRow(fields.find("types"));
  entry.key = readKey(fields.find("key"));
  for (const Knob &knob : kKnobs) {
    const YamlNode *at = fields.find(knob.name);
    if (std::optional<int64_t> value = readValue(at, knob))
      entry.*knob.value = {*value, errors.at(at->line, at->column), fields.find("key") != nullptr};
  }
  checkKnobs(entry);
  return entry;
}

std::vector<ContractSchedule> ScheduleReader::read(const YamlNode &root) {
  static const Mapping mapping = {"a schedule file", {"schema", "kernels"}};
  Fields top(errors, root, mapping);
  const YamlNode *schemaNode = top.require("schema");
  std::optional<int64_t> schema = readInt(errors, schemaNode, "'schema'");
  if (schema && *schema != kSchema)
    errors.report(ContractRule::Schema, errors.at(schemaNode->line, schemaNode->column),
                  "expects 'schema: 1', found " + std::to_string(*schema));
  std::vector<ContractSchedule> entries;
  const std::vector<YamlNode> *items = readList(errors, top.require("kernels"), "'kernels'", 1, kMostEntries);
  for (size_t i = 0; items && i < items->size(); ++i)
    entries.push_back(readEntry((*items)[i]));
  return entries;
}

/// The fix to suggest where a schedule file breaks a rule of every file of a contract.
static std::string usualFixOfSchedule(ContractRule rule) {
  switch (rule) {
  case ContractRule::Size:
    return "a schedule file is a page of text: is this the file that is meant?";
  case ContractRule::OneDocument:
  case ContractRule::Depth:
    return "docs/reference/schedule.md shows such a file; without choices of your own, leave 'schedule' out of the "
           "contract";
  case ContractRule::Count:
    return "an entry is at least one number, as '- slots: 1'; without entries, leave 'schedule' out of the contract";
  default:
    return usualFix(rule);
  }
}

std::optional<std::vector<ContractSchedule>> parseSchedule(std::string_view text, const std::string &path,
                                                           const Contract &contract, Diagnostics &diagnostics) {
  ContractErrors own(path, diagnostics, usualFixOfSchedule);
  std::optional<YamlNode> root;
  if (checkText(text, own))
    root = readYaml(text, own);
  std::vector<ContractSchedule> entries;
  if (root)
    entries = ScheduleReader(own, contract).read(*root);
  if (own.any())
    return std::nullopt;
  return entries;
}

void readSchedule(ContractErrors &errors, Diagnostics &diagnostics, ContractDraft &draft) {
  Contract &contract = draft.contract;
  if (contract.schedule.empty())
    return;
  if (!contract.findBody(BodyLevel::Te)) {
    errors.report(ContractRule::ScheduleKernel, draft.scheduleAt,
                  "expects a body at level te where there is a schedule, found none",
                  "leave 'schedule' out; a kernel by hand has its loops and buffers in its text");
    return;
  }
  std::string path = contract.filePath(contract.schedule);
  std::ifstream stream(path, std::ios::binary);
  auto entries = parseSchedule(readUpTo(stream, kReadLimit), path, contract, diagnostics);
  if (entries)
    contract.schedules = std::move(*entries);
  draft.scheduleBroken = !entries;
}

ContractSchedule scheduleOf(const Contract &contract, unsigned typeRow, unsigned key) {
  ContractSchedule chosen;
  for (const ContractSchedule &entry : contract.schedules) {
    if ((entry.typeRow && *entry.typeRow != typeRow) || (entry.key && *entry.key != key))
      continue;
    chosen.location = entry.location;
    for (const Knob &knob : kKnobs)
      if (entry.*knob.value)
        chosen.*knob.value = entry.*knob.value;
  }
  return chosen;
}

} // namespace opc
