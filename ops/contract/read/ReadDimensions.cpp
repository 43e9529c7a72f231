// Reads `dimensions`: bounds of symbols and packs, and equations as trees of operations.

#include "ops/contract/read/Parts.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Windows.h"

namespace opc {

static const Choices<SizeExpression::Op> kOperations = {
    {"add", SizeExpression::Add},         {"sub", SizeExpression::Sub},
    {"mul", SizeExpression::Mul},         {"floordiv", SizeExpression::FloorDiv},
    {"ceildiv", SizeExpression::CeilDiv}, {"rem", SizeExpression::Rem},
    {"min", SizeExpression::Min},         {"max", SizeExpression::Max},
    {"lt", SizeExpression::Lt},           {"eq", SizeExpression::Eq},
    {"select", SizeExpression::Select}};

static std::optional<SizeExpression> readSize(ContractErrors &errors, const YamlNode &node);

static std::optional<SizeExpression> readOperation(ContractErrors &errors, const YamlNode &node) {
  Location where = errors.at(node.line, node.column);
  if (node.entries.size() != 1) {
    errors.report(ContractRule::SizeForm, where,
                  "expects one operation in a mapping, found " + std::to_string(node.entries.size()));
    return std::nullopt;
  }
  const YamlEntry &entry = node.entries.front();
  SizeExpression size;
  size.location = where;
  std::vector<std::string> names;
  bool known = false;
  for (const auto &[name, op] : kOperations) {
    names.emplace_back(name);
    if (entry.key == name) {
      known = true;
      size.op = op;
    }
  }
  if (!known) {
    errors.report(ContractRule::SizeForm, errors.at(entry.line, entry.column),
                  "expects an operation on sizes, found '" + printable(entry.key, 60) + "'", suggest(entry.key, names));
    return std::nullopt;
  }
  size_t arity = size.op == SizeExpression::Select ? 3 : 2;
  if (entry.value.kind != YamlNode::List || entry.value.items.size() != arity) {
    std::string found = entry.value.kind == YamlNode::List ? std::to_string(entry.value.items.size()) + " items"
                                                           : describe(entry.value);
    errors.report(ContractRule::SizeForm, errors.at(entry.value.line, entry.value.column),
                  "expects '" + entry.key + "' to have a list of " + std::to_string(arity) + " sizes, found " + found);
    return std::nullopt;
  }
  for (const YamlNode &item : entry.value.items) {
    std::optional<SizeExpression> operand = readSize(errors, item);
    if (!operand)
      return std::nullopt;
    size.operands.push_back(std::move(*operand));
  }
  return size;
}

/// A number, a symbol or an operation. The YAML reader limits the depth.
static std::optional<SizeExpression> readSize(ContractErrors &errors, const YamlNode &node) {
  if (node.kind == YamlNode::Map)
    return readOperation(errors, node);
  SizeExpression size;
  size.location = errors.at(node.line, node.column);
  // An element of a list: "strides[1]".
  size_t open = node.text.find('['), behind = node.text.find_first_not_of("0123456789", open + 1);
  bool isElement =
      open != std::string::npos && behind > open + 1 && behind - open < 4 && node.text.substr(behind) == "]";
  bool isText = node.kind == YamlNode::Scalar && (!node.quoted || isElement) && !node.text.empty();
  if (!isText || node.text.front() == '.') {
    errors.report(ContractRule::SizeForm, size.location,
                  "expects a number, a symbol or an operation as a size, found " + describe(node));
    return std::nullopt;
  }
  char first = node.text.front();
  if ((first >= '0' && first <= '9') || first == '-') {
    std::optional<int64_t> value = readInt(errors, &node, "a size");
    if (!value)
      return std::nullopt;
    size.value = *value;
    return size;
  }
  size.op = SizeExpression::Symbol;
  YamlNode name = node;
  if (isElement)
    name.text.resize(open);
  // In a list or mapping on one line YAML requires quotes around brackets.
  name.quoted &= !isElement;
  std::optional<std::string> symbol = readName(errors, &name, "a symbol");
  if (!symbol)
    return std::nullopt;
  size.symbol = isElement ? *symbol + "[" + node.text.substr(open + 1) : *symbol;
  return size;
}

/// Reads a number or a name for a window; a number is at least `otherwise`.
static SizeExpression readStep(ContractErrors &errors, const Fields &fields, const char *key, int64_t otherwise) {
  SizeExpression size;
  size.value = otherwise;
  size.location = fields.location();
  const YamlNode *node = fields.find(key);
  if (!node)
    return size;
  if (node->kind == YamlNode::Map) {
    errors.report(ContractRule::SizeForm, errors.at(node->line, node->column),
                  "expects '" + std::string(key) + "' of a window to be a number or an attribute, found a mapping",
                  "name an int attribute that binds when compiling");
    return size;
  }
  SizeExpression step = readSize(errors, *node).value_or(size);
  if (step.op == SizeExpression::Const && (step.value < otherwise || step.value > kLargestWindowStep)) {
    errors.report(ContractRule::SizeForm, step.location,
                  "expects '" + std::string(key) + "' of a window to be from " + std::to_string(otherwise) + " to " +
                      std::to_string(kLargestWindowStep) + ", found " + std::to_string(step.value));
    return size;
  }
  return step;
}

/// The window of a dimension; nullopt after an error.
static std::optional<ContractWindow> readWindow(ContractErrors &errors, const YamlNode &node) {
  Fields fields(errors, node, mappings::window);
  ContractWindow window;
  std::optional<std::string> over = readName(errors, fields.require("over"), "'over'");
  std::optional<std::string> size = readName(errors, fields.require("size"), "'size'");
  window.stride = readStep(errors, fields, "stride", 1);
  window.dilation = readStep(errors, fields, "dilation", 1);
  window.padBegin = readStep(errors, fields, "pad_begin", 0);
  window.padEnd = readStep(errors, fields, "pad_end", 0);
  window.roundUp = readStep(errors, fields, "round_up", 0);
  if (!over || !size)
    return std::nullopt;
  window.over = *over;
  window.size = *size;
  return window;
}

/// A pair of bounds with lower <= minimum <= maximum <= upper.
static void readBounds(ContractErrors &errors, const Fields &fields, const std::string &suffix, int64_t upper,
                       int64_t &minimum, int64_t &maximum) {
  std::string low = "minimum" + suffix, high = "maximum" + suffix;
  minimum = readInt(errors, fields.find(low), "'" + low + "'").value_or(0);
  maximum = readInt(errors, fields.find(high), "'" + high + "'").value_or(upper);
  if (minimum >= 0 && minimum <= maximum && maximum <= upper)
    return;
  Location where = fields.keyLocation(fields.find(low) ? low : high);
  errors.report(ContractRule::DimensionBounds, where,
                "expects 0 <= " + low + " <= " + high +
                    (suffix.empty() ? std::string() : " <= " + std::to_string(upper)) + ", found " +
                    std::to_string(minimum) + " and " + std::to_string(maximum));
  minimum = 0;
  maximum = upper;
}

static void refuse(ContractErrors &errors, const Fields &fields, const char *key, const char *of) {
  if (fields.find(key))
    errors.report(ContractRule::DimensionBounds, fields.keyLocation(key),
                  "expects '" + std::string(key) + "' on " + of + " only, found it elsewhere", "remove it");
}

static ContractDimension readDimension(ContractErrors &errors, const YamlNode &node, ContractDraft &draft) {
  ContractDimension dimension;
  Fields fields(errors, node, mappings::dimension);
  const YamlNode *name = fields.require("name");
  dimension.location = name ? errors.at(name->line, name->column) : fields.location();
  std::optional<ContractDim> dim = name ? readDim(errors, *name) : std::nullopt;
  if (dim && dim->kind == ContractDim::Fixed)
    errors.report(ContractRule::DimensionName, dimension.location,
                  "expects the name of a symbol or a pack, found the size " + std::to_string(dim->size));
  else if (dim && (!dim->factors.empty() || !dim->terms.empty()))
    errors.report(ContractRule::DimensionName, dimension.location,
                  "expects the name of a symbol or a pack, found the " +
                      std::string(dim->terms.empty() ? "product '" : "sum '") + dim->name + "'",
                  dim->terms.empty() ? "describe its factors" : "describe its terms");
  else if (dim)
    dimension.name = dim->name;
  dimension.each = dim ? dim->each : "";
  dimension.isPack = dim && dim->kind == ContractDim::Pack;
  readBounds(errors, fields, "", INT64_MAX, dimension.minimum, dimension.maximum);
  if (dimension.isPack) {
    int64_t minimum = 0, maximum = kMaxRank;
    readBounds(errors, fields, "_rank", kMaxRank, minimum, maximum);
    dimension.minimumRank = static_cast<unsigned>(minimum);
    dimension.maximumRank = static_cast<unsigned>(maximum);
    refuse(errors, fields, "equals", "symbols");
    refuse(errors, fields, "window", "symbols");
    refuse(errors, fields, "axis", "symbols");
    return dimension;
  }
  refuse(errors, fields, "minimum_rank", "packs");
  refuse(errors, fields, "maximum_rank", "packs");
  if (const YamlNode *axis = fields.find("axis"))
    dimension.axis = readName(errors, axis, "'axis'").value_or("");
  const YamlNode *equals = fields.find("equals");
  if (equals)
    dimension.equals = readSize(errors, *equals);
  if (const YamlNode *window = fields.find("window")) {
    if (equals)
      errors.report(ContractRule::DimensionBounds, fields.keyLocation("window"),
                    "expects 'equals' or 'window' of a symbol, found both", "remove one of them");
    dimension.window = readWindow(errors, *window);
    if (dimension.window)
      dimension.equals = placesOf(*dimension.window);
  }
  if ((equals || fields.find("window")) && !dimension.equals)
    draft.unreadEquations.push_back(dimension.name);
  return dimension;
}

void readDimensions(ContractErrors &errors, const YamlNode *node, ContractDraft &draft) {
  const std::vector<YamlNode> *items = readList(errors, node, "'dimensions'");
  for (size_t i = 0; items && i < items->size(); ++i)
    draft.contract.dimensions.push_back(readDimension(errors, (*items)[i], draft));
}

} // namespace opc
