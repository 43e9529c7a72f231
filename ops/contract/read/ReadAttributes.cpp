// Reads `attributes`: type, binding, default, range or choices.

#include "ops/contract/AttributeText.h"
#include "ops/contract/Places.h"
#include "ops/contract/domain/Workspace.h"
#include "ops/contract/read/Parts.h"

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>

namespace opc {

// Ranges are stored as doubles, which represent larger whole numbers only in part.
static constexpr int64_t kExactInt = int64_t(1) << 53;

static bool isList(AttributeType type) {
  return type >= AttributeType::ListFloat;
}
static bool isWhole(AttributeType type) {
  return type == AttributeType::Int || type == AttributeType::ListInt;
}
static bool isNumber(AttributeType type) {
  return isWhole(type) || type == AttributeType::Float || type == AttributeType::ListFloat;
}
static bool isText(AttributeType type) {
  return type == AttributeType::String || type == AttributeType::ListString;
}

static const Choices<AttributeType> &attributeTypes() {
  static const Choices<AttributeType> table = [] {
    Choices<AttributeType> result;
    for (AttributeType type :
         {AttributeType::Float, AttributeType::Int, AttributeType::Bool, AttributeType::String,
          AttributeType::ListFloat, AttributeType::ListInt, AttributeType::ListBool, AttributeType::ListString})
      result.emplace_back(attributeTypeName(type), type);
    return result;
  }();
  return table;
}

/// Reads one bound; whole numbers for whole attributes.
static std::optional<double> readBound(ContractErrors &errors, const YamlNode *node, const std::string &what,
                                       AttributeType type) {
  if (!node || !isWhole(type))
    return readNumber(errors, node, what);
  std::optional<int64_t> bound = readInt(errors, node, what);
  if (!bound)
    return std::nullopt;
  if (*bound >= -kExactInt && *bound <= kExactInt)
    return static_cast<double>(*bound);
  errors.report(ContractRule::Range, errors.at(node->line, node->column),
                "expects bounds of whole numbers within 2^53, found " + node->text);
  return std::nullopt;
}

static void readRange(ContractErrors &errors, const YamlNode *node, ContractAttribute &attribute) {
  if (!node)
    return;
  Location where = errors.at(node->line, node->column);
  if (!isNumber(attribute.type)) {
    errors.report(ContractRule::Range, where,
                  "expects 'range' on numbers, found it on a " + std::string(attributeTypeName(attribute.type)));
    return;
  }
  Fields fields(errors, *node, mappings::range);
  if (!fields.isMap())
    return;
  attribute.minimum = readBound(errors, fields.find("minimum"), "'minimum'", attribute.type);
  attribute.maximum = readBound(errors, fields.find("maximum"), "'maximum'", attribute.type);
  if (!fields.find("minimum") && !fields.find("maximum"))
    errors.report(ContractRule::Range, where, "expects 'minimum' or 'maximum' in 'range', found neither");
  if (attribute.minimum && attribute.maximum && *attribute.minimum > *attribute.maximum)
    errors.report(ContractRule::Range, where, "expects the minimum of a range not above its maximum, found it above");
}

static void readChoices(ContractErrors &errors, const YamlNode *node, ContractAttribute &attribute) {
  if (!node)
    return;
  if (!isText(attribute.type)) {
    errors.report(ContractRule::Range, errors.at(node->line, node->column),
                  "expects 'choices' on strings, found it on a " + std::string(attributeTypeName(attribute.type)));
    return;
  }
  const std::vector<YamlNode> *items = readList(errors, node, "'choices'", 1);
  for (size_t i = 0; items && i < items->size(); ++i) {
    const YamlNode &item = (*items)[i];
    std::optional<std::string> choice = readText(errors, &item, "a choice");
    if (!choice)
      continue;
    for (const std::string &other : attribute.choices)
      if (other == *choice)
        errors.report(ContractRule::Range, errors.at(item.line, item.column),
                      "expects each choice once, found '" + printable(*choice, 60) + "' again");
    attribute.choices.push_back(*choice);
  }
}

static void reportDefault(ContractErrors &errors, const YamlNode &node, const std::string &rule) {
  errors.report(ContractRule::Default, errors.at(node.line, node.column),
                "expects a default " + rule + ", found " + describe(node));
}

/// Whether a number is within the range; reports an error when it is not.
static bool inRange(ContractErrors &errors, const YamlNode &node, const ContractAttribute &attribute, double value) {
  bool below = attribute.minimum && value < *attribute.minimum;
  bool above = attribute.maximum && value > *attribute.maximum;
  if (below || above)
    reportDefault(errors, node, "within the attribute's range");
  return !below && !above;
}

static std::optional<double> readFloatItem(ContractErrors &errors, const YamlNode &node,
                                           const ContractAttribute &attribute) {
  std::optional<double> value = readNumber(errors, &node, "a default of type float");
  if (!value || !inRange(errors, node, attribute, *value))
    return std::nullopt;
  if (std::fabs(*value) <= FLT_MAX)
    return value;
  reportDefault(errors, node, "that fits float32");
  return std::nullopt;
}

static std::optional<int64_t> readIntItem(ContractErrors &errors, const YamlNode &node,
                                          const ContractAttribute &attribute) {
  std::optional<int64_t> value = readInt(errors, &node, "a default of type int");
  if (!value || !inRange(errors, node, attribute, static_cast<double>(*value)))
    return std::nullopt;
  return value;
}

static std::optional<bool> readBoolItem(ContractErrors &errors, const YamlNode &node, const ContractAttribute &) {
  return readBool(errors, &node, "a default of type bool");
}

static std::optional<std::string> readStringItem(ContractErrors &errors, const YamlNode &node,
                                                 const ContractAttribute &attribute) {
  if (node.quoted && node.text.empty() && attribute.choices.empty())
    return std::string();
  std::optional<std::string> value = readText(errors, &node, "a default of type string");
  if (!value || attribute.choices.empty())
    return value;
  for (const std::string &choice : attribute.choices)
    if (choice == *value)
      return value;
  errors.report(ContractRule::Default, errors.at(node.line, node.column),
                "expects a default among the attribute's choices, found '" + printable(*value, 60) + "'",
                suggest(*value, attribute.choices));
  return std::nullopt;
}

/// Reads one value, or a list of values, with the reader of one item.
template <typename Item>
static AttributeValue readItems(ContractErrors &errors, const YamlNode &node, const ContractAttribute &attribute,
                                std::optional<Item> (*readItem)(ContractErrors &, const YamlNode &,
                                                                const ContractAttribute &)) {
  if (!isList(attribute.type)) {
    std::optional<Item> item = readItem(errors, node, attribute);
    return item ? AttributeValue(*item) : AttributeValue();
  }
  const std::vector<YamlNode> *nodes = readList(errors, &node, "a default of a list type");
  if (!nodes)
    return {};
  std::vector<Item> items;
  for (const YamlNode &itemNode : *nodes)
    if (std::optional<Item> item = readItem(errors, itemNode, attribute))
      items.push_back(*item);
  return items;
}

AttributeValue readDefault(ContractErrors &errors, const YamlNode *node, const ContractAttribute &attribute) {
  if (!node)
    return {};
  switch (attribute.type) {
  case AttributeType::Float:
  case AttributeType::ListFloat:
    return readItems<double>(errors, *node, attribute, readFloatItem);
  case AttributeType::Int:
  case AttributeType::ListInt:
    return readItems<int64_t>(errors, *node, attribute, readIntItem);
  case AttributeType::Bool:
  case AttributeType::ListBool:
    return readItems<bool>(errors, *node, attribute, readBoolItem);
  case AttributeType::String:
  case AttributeType::ListString:
    return readItems<std::string>(errors, *node, attribute, readStringItem);
  }
  return {};
}

static ContractAttribute readAttribute(ContractErrors &errors, const YamlNode &node) {
  static const Choices<Binding> bindings = {
      {"compile", Binding::Compile}, {"launch", Binding::Launch}, {"shape", Binding::Shape}};
  ContractAttribute attribute;
  Fields fields(errors, node, mappings::attribute);
  const YamlNode *name = fields.require("name");
  attribute.name = readName(errors, name, "'name'").value_or("");
  attribute.location = name ? errors.at(name->line, name->column) : fields.location();
  attribute.summary = readText(errors, fields.find("summary"), "'summary'", 200).value_or("");
  std::optional<Binding> binding = readChoice(errors, fields.require("bind"), "'bind'", bindings);
  attribute.binding = binding.value_or(Binding::Compile);
  std::optional<AttributeType> type = readChoice(errors, fields.require("type"), "'type'", attributeTypes());
  if (!type)
    return attribute;
  attribute.type = *type;
  if (attribute.binding == Binding::Launch && (isList(*type) || isText(*type)))
    errors.report(ContractRule::LaunchType, fields.keyLocation("bind"),
                  "expects a float, an int or a bool to bind at launch, found a " +
                      std::string(attributeTypeName(*type)),
                  "write 'bind: compile'");
  readRange(errors, fields.find("range"), attribute);
  readChoices(errors, fields.find("choices"), attribute);
  attribute.defaultValue = readDefault(errors, fields.find("default"), attribute);
  return attribute;
}

/// Splits a text at ',' and trims blanks; brackets around the text are optional.
static std::vector<YamlNode> itemsOf(std::string_view text) {
  auto trim = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ')
      part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ')
      part.remove_suffix(1);
    return part;
  };
  std::vector<YamlNode> items;
  text = trim(text);
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
    text = trim(text.substr(1, text.size() - 2));
  while (!text.empty()) {
    size_t end = std::min(text.find(','), text.size());
    YamlNode item;
    item.kind = YamlNode::Scalar;
    item.text = trim(text.substr(0, end));
    items.push_back(std::move(item));
    if (end + 1 == text.size())
      items.push_back({}); // no item follows the last ','
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return items;
}

std::optional<AttributeValue> readAttributeText(const ContractAttribute &attribute, const std::string &text) {
  YamlNode node;
  node.kind = isList(attribute.type) ? YamlNode::List : YamlNode::Scalar;
  node.text = text;
  if (node.kind == YamlNode::List)
    node.items = itemsOf(text);
  // A text attribute takes any text, also one that looks like a number.
  node.quoted = isText(attribute.type);
  for (YamlNode &item : node.items)
    item.quoted = isText(attribute.type);
  Diagnostics diagnostics;
  ContractErrors errors("", diagnostics);
  AttributeValue value = readDefault(errors, &node, attribute);
  return errors.any() || value.index() == 0 ? std::nullopt : std::optional(std::move(value));
}

/// What an attribute admits: "an int from 0 to 9", "'a' or 'b'".
static std::string admittedText(const ContractAttribute &attribute) {
  std::string text;
  for (const std::string &choice : attribute.choices)
    text += (text.empty() ? "'" : " or '") + choice + "'";
  if (!text.empty())
    return text;
  const bool isWhole = attribute.type == AttributeType::Int || attribute.type == AttributeType::ListInt;
  auto bound = [&](double value) {
    if (isWhole)
      return std::to_string(static_cast<int64_t>(value));
    char buffer[32];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  };
  const auto type = attributeTypeName(attribute.type);
  text = (type == "int" ? "an " : "a ") + std::string(type);
  if (attribute.minimum)
    text += " from " + bound(*attribute.minimum) + (attribute.maximum ? "" : " on");
  if (attribute.maximum)
    text += (attribute.minimum ? " to " : " up to ") + bound(*attribute.maximum);
  return text;
}

bool bindAttributes(Contract &contract, const std::map<std::string, std::string> &values, Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  std::vector<std::string> names;
  std::string namesText;
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.binding == Binding::Compile) {
      names.push_back(attribute.name);
      namesText += (namesText.empty() ? "it binds '" : ", '") + attribute.name + "'";
    }
  for (const auto &[name, text] : values) {
    auto attribute = std::find_if(contract.attributes.begin(), contract.attributes.end(),
                                  [&, &name = name](const ContractAttribute &each) {
                                    return each.name == name && each.binding == Binding::Compile;
                                  });
    if (attribute == contract.attributes.end()) {
      std::string nearest = nearestName(name, names);
      diagnostics.error(Code::E0521, contract.location,
                        "'" + contract.opType + "' binds no attribute '" + printable(name) + "' when it is compiled",
                        "launch_c6", nearest.empty() ? namesText : "did you mean '" + nearest + "'?");
      continue;
    }
    if (std::optional<AttributeValue> value = readAttributeText(*attribute, text))
      attribute->defaultValue = std::move(*value);
    else
      diagnostics.error(Code::E0526, attribute->location,
                        "attribute '" + name + "' expects a value of its type within its range and choices, found '" +
                            printable(text, 60) + "'",
                        "launch_c7", admittedText(*attribute));
  }
  if (diagnostics.errorCount() != before)
    return false;
  std::string wrong = bindPlaces(contract);
  if (!wrong.empty())
    diagnostics.error(Code::E0526, contract.location, wrong, "launch_c7");
  else
    findWorkspace(contract);
  return wrong.empty();
}

void readAttributes(ContractErrors &errors, const YamlNode *node, ContractDraft &draft) {
  const std::vector<YamlNode> *items = readList(errors, node, "'attributes'");
  for (size_t i = 0; items && i < items->size(); ++i)
    draft.contract.attributes.push_back(readAttribute(errors, (*items)[i]));
}

} // namespace opc
