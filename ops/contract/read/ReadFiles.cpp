// Reads `bodies`, `reference`, `schedule` and `test_shapes`.

#include "ops/contract/read/Parts.h"

#include "ops/contract/Names.h"

namespace opc {

static std::string readPath(ContractErrors &errors, const YamlNode *node, const std::string &what, Location &where) {
  if (!node)
    return {};
  where = errors.at(node->line, node->column);
  std::optional<std::string> path = readText(errors, node, what);
  if (!path)
    return {};
  std::string wrong = checkRelativePath(*path);
  if (wrong.empty())
    return *path;
  errors.report(ContractRule::FilePath, where,
                "expects " + what + " to be a plain path below the contract's folder, found '" + printable(*path, 60) +
                    "', which " + wrong);
  return {};
}

/// Reads names of type rows; checkBodyTypes matches them with the rows once the type table is checked.
static void readBodyTypes(ContractErrors &errors, const YamlNode *node, ContractDraft &draft) {
  const std::vector<YamlNode> *items = readList(errors, node, "'types'", 1);
  if (!items)
    return;
  DraftBodyTypes types;
  types.body = draft.contract.bodies.size();
  types.location = errors.at(node->line, node->column);
  for (const YamlNode &item : *items)
    if (std::optional<std::string> name = readText(errors, &item, "a type row"))
      types.rows.push_back({*name, errors.at(item.line, item.column)});
  draft.bodyTypes.push_back(std::move(types));
}

static void readBody(ContractErrors &errors, const YamlNode &node, ContractDraft &draft) {
  std::vector<ContractBody> &bodies = draft.contract.bodies;
  static const Choices<BodyLevel> levels = {{"aicore", BodyLevel::AICore}, {"te", BodyLevel::Te}};
  static const Choices<BodyDevices> devices = {{"all", BodyDevices::All}, {"cpu", BodyDevices::Cpu}};
  Fields fields(errors, node, mappings::body);
  ContractBody body;
  const YamlNode *levelNode = fields.require("level");
  std::optional<BodyLevel> level = readChoice(errors, levelNode, "'level'", levels);
  body.file = readPath(errors, fields.require("file"), "'file'", body.location);
  readBodyTypes(errors, fields.find("types"), draft);
  if (!level)
    return;
  body.level = *level;
  body.devices = readChoice(errors, fields.find("devices"), "'devices'", devices).value_or(body.devices);
  if (body.level == BodyLevel::AICore && body.devices == BodyDevices::Cpu)
    errors.report(ContractRule::BodyTypes, fields.keyLocation("devices"),
                  "expects a kernel by hand, at level aicore, to serve all devices, found 'cpu'",
                  "leave 'devices' out, or write the body at level te");
  draft.bodyLevels.push_back(errors.at(levelNode->line, levelNode->column));
  bodies.push_back(std::move(body));
}

void readFiles(ContractErrors &errors, const Fields &top, ContractDraft &draft) {
  const std::vector<YamlNode> *items = readList(errors, top.require("bodies"), "'bodies'", 1);
  for (size_t i = 0; items && i < items->size(); ++i)
    readBody(errors, (*items)[i], draft);
  draft.contract.reference = readPath(errors, top.require("reference"), "'reference'", draft.referenceAt);
  draft.contract.schedule = readPath(errors, top.find("schedule"), "'schedule'", draft.scheduleAt);
}

static std::optional<std::vector<int64_t>> readSizes(ContractErrors &errors, const YamlNode &node) {
  const std::vector<YamlNode> *items = readList(errors, &node, "a test shape");
  if (!items)
    return std::nullopt;
  std::vector<int64_t> sizes;
  for (const YamlNode &item : *items) {
    std::optional<int64_t> size = readInt(errors, &item, "a size");
    if (!size)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

void readTestShapes(ContractErrors &errors, const YamlNode *node, ContractDraft &draft) {
  const std::vector<YamlNode> *items = readList(errors, node, "'test_shapes'");
  for (size_t i = 0; items && i < items->size(); ++i) {
    const YamlNode &item = (*items)[i];
    if (item.kind != YamlNode::Map) {
      errors.report(ContractRule::Kind, errors.at(item.line, item.column),
                    "expects an item of 'test_shapes' to be a mapping from inputs to sizes, found " + describe(item));
      continue;
    }
    DraftTestShape shape;
    shape.location = errors.at(item.line, item.column);
    for (const YamlEntry &entry : item.entries)
      if (std::optional<std::vector<int64_t>> sizes = readSizes(errors, entry.value))
        shape.inputs.push_back({entry.key, errors.at(entry.line, entry.column), std::move(*sizes)});
    draft.testShapes.push_back(std::move(shape));
  }
}

} // namespace opc
