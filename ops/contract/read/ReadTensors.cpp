// Reads `inputs` and `outputs`: names, type tables, formats, shapes, broadcast rules.

#include "ops/contract/read/Parts.h"

#include "ops/contract/Names.h"
#include "ops/contract/Shapes.h"

#include <algorithm>
#include <charconv>

namespace opc {

static const std::vector<std::string> kFormats = {"ND", "NCHW", "NHWC", "NC1HWC0", "FRACTAL_NZ", "FILTERS_NZ"};
static constexpr int64_t kMaxFixedSize = INT32_MAX;

/// The name of a type in contracts for a name that other tools use; empty when there is none.
static std::string_view usualName(std::string_view alias) {
  static const Choices<std::string_view> aliases = {
      {"half", "float16"},    {"fp16", "float16"},  {"f16", "float16"},    {"float", "float32"}, {"fp32", "float32"},
      {"f32", "float32"},     {"bf16", "bfloat16"}, {"double", "float64"}, {"f64", "float64"},   {"int", "int32"},
      {"i8", "int8"},         {"i16", "int16"},     {"i32", "int32"},      {"i64", "int64"},     {"u8", "uint8"},
      {"bfloat", "bfloat16"}, {"boolean", "bool"}};
  for (const auto &pair : aliases)
    if (pair.first == alias)
      return pair.second;
  return {};
}

std::optional<ElementType> readElementType(ContractErrors &errors, const YamlNode *node, const std::string &what) {
  if (!node)
    return std::nullopt;
  if (node->kind == YamlNode::Scalar) {
    std::string_view usual = usualName(node->text);
    if (!usual.empty()) {
      errors.report(ContractRule::ClosedSet, errors.at(node->line, node->column),
                    "expects " + what + " to be one of its set, found '" + node->text + "'",
                    "did you mean '" + std::string(usual) + "'?");
      return std::nullopt;
    }
  }
  Choices<ElementType> types;
  for (unsigned i = 0; i < kNumElementTypes; ++i) {
    ElementType type = static_cast<ElementType>(i);
    types.emplace_back(elementTypeName(type), type);
  }
  return readChoice(errors, node, what, types);
}

/// A product or a sum: "H*R", "2*D", "A+L*T+B". The parts are factors or terms, separated by `sign`.
static std::optional<ContractDim> readComposed(ContractErrors &errors, const YamlNode &node, char sign) {
  const bool isSum = sign == '+';
  ContractDim whole;
  whole.location = errors.at(node.line, node.column);
  std::vector<ContractDim> &parts = isSum ? whole.terms : whole.factors;
  for (size_t begin = 0; begin <= node.text.size();) {
    size_t end = std::min(node.text.find(sign, begin), node.text.size());
    size_t first = std::min(node.text.find_first_not_of(' ', begin), end);
    YamlNode part = node;
    part.text = node.text.substr(first, end - first);
    part.text.erase(part.text.find_last_not_of(' ') + 1);
    part.column += first + node.quoted;
    part.quoted = false;
    std::optional<ContractDim> read;
    if (part.text.empty() || part.text.front() == '.')
      errors.report(ContractRule::ShapeForm, errors.at(part.line, part.column),
                    "expects a symbol or a size as a " + std::string(isSum ? "term" : "factor") +
                        " of a dimension, found " +
                        (part.text.empty() ? "nothing" : "'" + printable(part.text, 60) + "'"));
    else
      read = readDim(errors, part);
    if (!read)
      return std::nullopt;
    if (!isSum && !read->each.empty()) {
      errors.report(ContractRule::ShapeForm, read->location,
                    "expects dimensions of one tensor as factors, found '" + part.text + "'",
                    "a dimension with a count is one by itself, or a term of a sum");
      return std::nullopt;
    }
    int64_t least = isSum ? 1 : 2;
    if (read->kind == ContractDim::Fixed && read->size < least) {
      errors.report(ContractRule::ShapeForm, read->location,
                    "expects sizes of at least " + std::to_string(least) + " as " + (isSum ? "terms" : "factors") +
                        " of a dimension, found " + part.text);
      return std::nullopt;
    }
    whole.name += (whole.name.empty() ? "" : std::string(1, sign)) + printDim(*read);
    parts.push_back(std::move(*read));
    begin = end + 1;
  }
  std::vector<ContractDim> leaves = leavesOf(whole);
  for (auto leaf = leaves.begin(); isSum && leaf != leaves.end(); ++leaf)
    if (std::any_of(leaves.begin(), leaf, [&](const ContractDim &other) {
          return other.kind == leaf->kind && other.name == leaf->name && leaf->kind == ContractDim::Symbol;
        })) {
      errors.report(ContractRule::ShapeForm, leaf->location,
                    "expects each symbol once in a sum, found '" + leaf->name + "' again",
                    "equal terms are a product, '2*" + leaf->name + "'");
      return std::nullopt;
    }
  return whole;
}

std::optional<ContractDim> readDim(ContractErrors &errors, const YamlNode &node) {
  ContractDim dim;
  dim.location = errors.at(node.line, node.column);
  // An order has brackets, which need quotes in a list on one line.
  bool isText =
      node.kind == YamlNode::Scalar && !node.text.empty() && (!node.quoted || node.text.find('[') != std::string::npos);
  if (!isText) {
    errors.report(ContractRule::ShapeForm, dim.location,
                  "expects a symbol, a size or a pack in a shape, found " + describe(node));
    return std::nullopt;
  }
  for (char sign : {'+', '*'})
    if (node.text.find(sign) != std::string::npos)
      return readComposed(errors, node, sign);
  if (node.text.compare(0, 3, "...") == 0) {
    YamlNode name = node, order = node;
    const size_t bracket = std::min(node.text.find('['), node.text.size());
    name.text = node.text.substr(3, bracket - 3);
    name.column += 3;
    std::optional<std::string> read = readName(errors, &name, "the name of a pack");
    if (!read)
      return std::nullopt;
    if (bracket < node.text.size()) {
      const bool isClosed = node.text.back() == ']';
      order.text = node.text.substr(bracket + 1, node.text.size() - bracket - 1 - isClosed);
      order.column += bracket + 1;
      if (!isClosed) {
        errors.report(ContractRule::ShapeForm, dim.location,
                      "expects the order of a pack between brackets, found '" + printable(node.text, 60) + "'",
                      "as in ..." + *read + "[perm]");
        return std::nullopt;
      }
      std::optional<std::string> attribute = readName(errors, &order, "the attribute of an order");
      if (!attribute)
        return std::nullopt;
      dim.order = *attribute;
    }
    dim.kind = ContractDim::Pack;
    dim.name = *read;
    return dim;
  }
  if (node.text.find('[') != std::string::npos)
    return readEach(errors, node, dim.name, dim.each) ? std::optional(dim) : std::nullopt;
  bool isNumber = (node.text.front() >= '0' && node.text.front() <= '9') || node.text.front() == '-';
  if (!isNumber) {
    std::optional<std::string> read = readName(errors, &node, "a symbol of a shape");
    if (!read)
      return std::nullopt;
    dim.name = *read;
    return dim;
  }
  std::optional<int64_t> size = readInt(errors, &node, "a size in a shape");
  if (!size)
    return std::nullopt;
  if (*size < 0 || *size > kMaxFixedSize) {
    errors.report(ContractRule::ShapeForm, dim.location,
                  "expects a size of 0 to 2147483647 in a shape, found " + node.text);
    return std::nullopt;
  }
  dim.kind = ContractDim::Fixed;
  dim.size = *size;
  return dim;
}

bool readEach(ContractErrors &errors, const YamlNode &node, std::string &name, std::string &each) {
  const size_t bracket = node.text.find('[');
  YamlNode own = node, attribute = node;
  own.text = node.text.substr(0, bracket);
  const bool isClosed = node.text.back() == ']';
  attribute.text = node.text.substr(bracket + 1, node.text.size() - bracket - 1 - isClosed);
  attribute.column += bracket + 1;
  if (!isClosed) {
    errors.report(ContractRule::ShapeForm, errors.at(node.line, node.column),
                  "expects the count of a dimension between brackets, found '" + printable(node.text, 60) + "'",
                  "as in A[n]");
    return false;
  }
  std::optional<std::string> read = readName(errors, &own, "a symbol of a shape");
  std::optional<std::string> count = readName(errors, &attribute, "the attribute of a count");
  if (!read || !count)
    return false;
  name = std::move(*read);
  each = std::move(*count);
  return true;
}

static bool readShape(ContractErrors &errors, const YamlNode *node, std::vector<ContractDim> &shape) {
  const std::vector<YamlNode> *items = readList(errors, node, "'shape'");
  if (!items)
    return false;
  size_t packs = 0, dims = 0;
  for (const YamlNode &item : *items) {
    std::optional<ContractDim> dim = readDim(errors, item);
    if (!dim)
      return false;
    packs += dim->kind == ContractDim::Pack;
    size_t own = std::max<size_t>(dim->factors.size(), 1);
    for (const ContractDim &term : dim->terms)
      own = std::max(own, term.factors.size());
    dims += own;
    shape.push_back(*dim);
  }
  Location where = errors.at(node->line, node->column);
  if (dims - packs > kMaxRank) {
    errors.report(ContractRule::ShapeForm, where,
                  "expects at most 8 dimensions in a shape" +
                      std::string(dims > shape.size() ? ", counting the factors of products" : "") + ", found " +
                      std::to_string(dims - packs));
    return false;
  }
  return true;
}

static void readTypes(ContractErrors &errors, const YamlNode *node, std::vector<ElementType> &types) {
  const std::vector<YamlNode> *items = readList(errors, node, "'types'", 1);
  if (!items)
    return;
  std::vector<ElementType> read;
  for (const YamlNode &item : *items)
    if (std::optional<ElementType> type = readElementType(errors, &item, "a type"))
      read.push_back(*type);
  if (read.size() == items->size())
    types = std::move(read);
}

/// One word for all rows, or a list; the default is ND. `types` must have been read before.
static void readFormats(ContractErrors &errors, const YamlNode *node, ContractTensor &tensor) {
  if (!node || node->kind == YamlNode::Scalar) {
    std::optional<size_t> format = node ? readChoiceIndex(errors, node, "'formats'", kFormats) : 0;
    if (format)
      tensor.formats.assign(tensor.types.size(), kFormats[*format]);
    return;
  }
  const std::vector<YamlNode> *items = readList(errors, node, "'formats'", 1);
  if (!items)
    return;
  for (const YamlNode &item : *items) {
    std::optional<size_t> format = readChoiceIndex(errors, &item, "a format", kFormats);
    if (!format)
      return;
    tensor.formats.push_back(kFormats[*format]);
  }
  if (!tensor.types.empty() && tensor.formats.size() != tensor.types.size())
    errors.report(ContractRule::Formats, errors.at(node->line, node->column),
                  "expects one format or one for each of the " + std::to_string(tensor.types.size()) +
                      " type rows, found " + std::to_string(tensor.formats.size()));
}

static std::optional<ContractReduction> readReduction(ContractErrors &errors, const YamlNode &node) {
  Fields fields(errors, node, mappings::reduces);
  std::optional<std::string> input = readName(errors, fields.require("input"), "'input'");
  std::optional<std::string> axes = readName(errors, fields.require("axes"), "'axes'");
  const YamlNode *keep = fields.find("keep_dims");
  std::optional<std::string> keepDims = readName(errors, keep, "'keep_dims'");
  if (!input || !axes || (keep && !keepDims))
    return std::nullopt;
  return ContractReduction{*input, *axes, keepDims.value_or("")};
}

static std::optional<ContractValues> readValues(ContractErrors &errors, const YamlNode &node) {
  static const Choices<bool> choices = {{"outside", false}, {"from_end", true}};
  static const Choices<bool> outsides = {{"nearest", false}, {"refused", true}};
  Fields fields(errors, node, mappings::values);
  ContractValues values;
  const YamlNode *along = fields.require("along");
  std::optional<std::string> name = readName(errors, along, "'along'");
  if (!name)
    return std::nullopt;
  values.along = *name;
  values.location = errors.at(along->line, along->column);
  values.fromEnd = readChoice(errors, fields.find("negative"), "'negative'", choices).value_or(false);
  values.refuses = readChoice(errors, fields.find("outside"), "'outside'", outsides).value_or(false);
  return values;
}

/// `present` and `absent`. A number without a fraction is an integer; `true` and `false` are truth values.
static void readPresence(ContractErrors &errors, const Fields &fields, ContractTensor &tensor) {
  const YamlNode *present = fields.find("present"), *absent = fields.find("absent");
  if (!present && !absent)
    return;
  if (!present || !absent) {
    errors.report(ContractRule::Presence, fields.keyLocation(present ? "present" : "absent"),
                  std::string("expects 'present' and 'absent' together, found '") + (present ? "present" : "absent") +
                      "' alone");
    return;
  }
  tensor.presence = readName(errors, present, "'present'").value_or("");
  if (absent->text == "true" || absent->text == "false") {
    if (std::optional<bool> truth = readBool(errors, absent, "'absent'"))
      tensor.absent = *truth;
    return;
  }
  std::optional<double> number = readNumber(errors, absent, "'absent'");
  if (!number)
    return;
  int64_t whole = 0;
  const char *end = absent->text.data() + absent->text.size();
  if (std::from_chars(absent->text.data(), end, whole).ptr == end)
    tensor.absent = whole;
  else
    tensor.absent = *number;
}

static void readBroadcast(ContractErrors &errors, const YamlNode *node, ContractTensor &tensor) {
  static const Choices<Broadcast> choices = {{"none", Broadcast::None},
                                             {"numpy", Broadcast::Numpy},
                                             {"scalar", Broadcast::Scalar},
                                             {"batch", Broadcast::Batch}};
  std::optional<Broadcast> broadcast = readChoice(errors, node, "'broadcast'", choices);
  if (!broadcast)
    return;
  tensor.broadcast = *broadcast;
  const bool isBatch = *broadcast == Broadcast::Batch;
  for (size_t i = 1; i < tensor.shape.size(); ++i)
    if ((isBatch || *broadcast == Broadcast::Numpy) && tensor.shape[i].kind == ContractDim::Pack)
      errors.report(ContractRule::TensorKeys, tensor.shape[i].location,
                    "expects the pack first in a shape with 'broadcast: " + std::string(broadcastName(*broadcast)) +
                        "', found it at position " + std::to_string(i + 1));
  const bool hasPack = std::any_of(tensor.shape.begin(), tensor.shape.end(),
                                   [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; });
  if (isBatch && !tensor.shape.empty() && !hasPack)
    errors.report(ContractRule::TensorKeys, tensor.shape.front().location,
                  "expects a pack in a shape with 'broadcast: batch', found " + printShape(tensor.shape),
                  "the pack comes first, [...S, M, K]: its dimensions broadcast, the others do not");
}

static void readShapeOrReduction(ContractErrors &errors, const Fields &fields, ContractTensor &tensor,
                                 TensorPlaces &places) {
  const YamlNode *reduces = fields.find("reduces");
  if (reduces)
    tensor.reduces = readReduction(errors, *reduces);
  // An output that reduces may keep the shape of its input.
  if (!reduces || fields.find("shape"))
    places.hasShape = readShape(errors, fields.require("shape"), tensor.shape);
}

/// Reports keys that only inputs have with a message of their own, instead of as misspelt keys.
static void refuseInputKeys(ContractErrors &errors, const Fields &fields) {
  for (const char *key : {"required", "constant", "broadcast", "values", "present", "absent", "count"})
    if (fields.find(key))
      errors.report(ContractRule::TensorKeys, fields.keyLocation(key),
                    "expects '" + std::string(key) + "' on inputs only, found it on an output", "remove it");
}

static void readTensor(ContractErrors &errors, const YamlNode &node, bool isInput, ContractTensor &tensor,
                       TensorPlaces &places) {
  Fields fields(errors, node, isInput ? mappings::input : mappings::output);
  const YamlNode *name = fields.require("name");
  tensor.name = readName(errors, name, "'name'").value_or("");
  tensor.location = name ? errors.at(name->line, name->column) : fields.location();
  tensor.summary = readText(errors, fields.find("summary"), "'summary'", 200).value_or("");
  readTypes(errors, fields.require("types"), tensor.types);
  readFormats(errors, fields.find("formats"), tensor);
  places.types = fields.keyLocation("types");
  places.formats = fields.keyLocation("formats");
  places.required = fields.keyLocation("required");
  if (const YamlNode *shape = fields.find("shape"))
    places.shape = errors.at(shape->line, shape->column);
  if (!isInput) {
    readShapeOrReduction(errors, fields, tensor, places);
    refuseInputKeys(errors, fields);
    return;
  }
  places.hasShape = readShape(errors, fields.require("shape"), tensor.shape);
  tensor.required = readBool(errors, fields.find("required"), "'required'").value_or(true);
  tensor.isConstant = readBool(errors, fields.find("constant"), "'constant'").value_or(false);
  places.constant = fields.keyLocation("constant");
  readBroadcast(errors, fields.find("broadcast"), tensor);
  if (const YamlNode *values = fields.find("values"))
    tensor.values = readValues(errors, *values);
  readPresence(errors, fields, tensor);
  if (const YamlNode *count = fields.find("count"))
    tensor.count = readName(errors, count, "'count'").value_or("");
  if (fields.find("reduces"))
    errors.report(ContractRule::TensorKeys, fields.keyLocation("reduces"),
                  "expects 'reduces' on outputs only, found it on an input", "remove it");
}

void readTensors(ContractErrors &errors, const YamlNode *node, bool areInputs, ContractDraft &draft) {
  const std::vector<YamlNode> *items = readList(errors, node, areInputs ? "'inputs'" : "'outputs'", 1);
  if (!items)
    return;
  std::vector<ContractTensor> &tensors = areInputs ? draft.contract.inputs : draft.contract.outputs;
  std::vector<TensorPlaces> &places = areInputs ? draft.inputPlaces : draft.outputPlaces;
  tensors.resize(items->size());
  places.resize(items->size());
  for (size_t i = 0; i < items->size(); ++i)
    readTensor(errors, (*items)[i], areInputs, tensors[i], places[i]);
}

} // namespace opc
