// The definition of an operator: host files report it in a child process as JSON, which is checked here like any file.

#include "ops/contract/Contract.h"
#include "tools/opc/source/host/HostLaunch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace opc::tool {

using nlohmann::json;

static constexpr size_t kMostTensors = 64;
static constexpr size_t kMostRows = 1000;
static constexpr int kFormatNd = 2; ///< ge::FORMAT_ND

namespace {
/// Collects what the host files define.
class DefinitionText final : public ascendc::HostDefinition {
public:
  json text = {{"operators", json::array()}, {"tilings", json::array()}};

  void op(const char *type, const char *file, uint32_t line) override {
    text["operators"].push_back({{"type", type},
                                 {"file", file},
                                 {"line", line},
                                 {"inputs", json::array()},
                                 {"outputs", json::array()},
                                 {"attributes", json::array()},
                                 {"chips", json::array()}});
  }
  void tensor(bool isOutput, const char *name, const char *presence, bool valueDepend) override {
    last = isOutput ? "outputs" : "inputs";
    current()[last].push_back({{"name", name},
                               {"presence", presence},
                               {"value_depend", valueDepend},
                               {"types", json::array()},
                               {"formats", json::array()}});
  }
  void row(int32_t type, int32_t format) override {
    json &tensor = current()[last].back();
    tensor["types"].push_back(type);
    tensor["formats"].push_back(format);
  }
  void attribute(const char *name, bool isRequired, const ascendc::HostValue &value) override {
    json record = {{"name", name}, {"required", isRequired}, {"kind", int(value.kind)}};
    if (value.present)
      record["default"] = valueOf(value);
    current()["attributes"].push_back(std::move(record));
  }
  void chip(const char *name) override { current()["chips"].push_back(name); }
  void functions(bool tiling, bool inferShape, bool inferType) override {
    current()["functions"] = {tiling, inferShape, inferType};
  }
  void tilingClass(const char *registeredFor, const char *name) override {
    text["tilings"].push_back({{"for", registeredFor}, {"name", name}, {"fields", json::array()}});
  }
  void tilingField(const char *type, const char *name, uint32_t count, bool isStructure) override {
    text["tilings"].back()["fields"].push_back({type, name, count, isStructure});
  }

private:
  json &current() { return text["operators"].back(); }
  static json valueOf(const ascendc::HostValue &value) {
    switch (value.kind) {
    case ascendc::HostValue::Bool:
      return value.integer != 0;
    case ascendc::HostValue::Int:
      return value.integer;
    case ascendc::HostValue::Float:
      return value.real;
    case ascendc::HostValue::String:
      return value.text;
    case ascendc::HostValue::ListFloat:
      return json(std::vector<double>(value.reals, value.reals + value.count));
    case ascendc::HostValue::ListBool: {
      json list = json::array();
      for (uint32_t i = 0; i < value.count; ++i)
        list.push_back(value.integers[i] != 0);
      return list;
    }
    default:
      return json(std::vector<int64_t>(value.integers, value.integers + value.count));
    }
  }
  std::string last;
};
} // namespace

std::string definitionText(ascendc::HostObject &object) {
  DefinitionText definition;
  object.define(definition);
  return definition.text.dump(-1, ' ', true, json::error_handler_t::replace);
}

//===----------------------------------------------------------------------===//
// The definition
//===----------------------------------------------------------------------===//

/// Reads the tensors of one direction; their type rows may still have elements that opc lacks.
static void readTensors(const json &list, std::vector<ManifestTensor> &tensors, std::vector<std::vector<int>> &types,
                        std::vector<std::vector<int>> &formats) {
  for (const json &record : list) {
    ManifestTensor tensor;
    tensor.name = record.at("name");
    tensor.required = record.at("presence") != "OPTIONAL";
    tensor.formats = {"ND"};
    tensors.push_back(std::move(tensor));
    types.push_back(record.at("types"));
    formats.push_back(record.at("formats"));
  }
}

static ManifestAttribute readAttribute(const json &record) {
  ManifestAttribute attribute;
  attribute.name = record.at("name");
  attribute.bind = ManifestAttribute::Shape; // no slot of tiling data
  const auto kind = ascendc::HostValue::Kind(record.at("kind").get<int>());
  const json *value = record.contains("default") ? &record.at("default") : nullptr;
  switch (kind) {
  case ascendc::HostValue::Bool:
    attribute.type = ManifestAttribute::Bool;
    if (value)
      attribute.defaultValue = value->get<bool>();
    break;
  case ascendc::HostValue::Float:
    attribute.type = ManifestAttribute::Float;
    if (value)
      attribute.defaultValue = value->get<double>();
    break;
  case ascendc::HostValue::String:
    attribute.type = ManifestAttribute::String;
    if (value)
      attribute.defaultValue = value->get<std::string>();
    break;
  case ascendc::HostValue::ListFloat:
    attribute.type = ManifestAttribute::ListFloat;
    if (value)
      attribute.defaultValue = value->get<std::vector<double>>();
    break;
  case ascendc::HostValue::ListBool:
    attribute.type = ManifestAttribute::ListBool;
    if (value)
      attribute.defaultValue = value->get<std::vector<bool>>();
    break;
  case ascendc::HostValue::ListInt:
  case ascendc::HostValue::ListListInt:
    attribute.type = ManifestAttribute::ListInt;
    if (value)
      attribute.defaultValue = value->get<std::vector<int64_t>>();
    break;
  default:
    attribute.type = ManifestAttribute::Int;
    if (value)
      attribute.defaultValue = value->get<int64_t>();
    break;
  }
  return attribute;
}

/// The kept row that has the same types; nullopt for the first of its kind.
static std::optional<size_t> sameRow(const Manifest &manifest, const std::vector<std::vector<int>> &types, size_t row) {
  const size_t numInputs = manifest.inputs.size();
  auto kept = [&](size_t i) -> const std::vector<ElementType> & {
    return (i < numInputs ? manifest.inputs[i] : manifest.outputs[i - numInputs]).types;
  };
  for (size_t earlier = 0; !types.empty() && earlier < kept(0).size(); ++earlier) {
    bool isSame = true;
    for (size_t i = 0; i < types.size(); ++i)
      isSame = isSame && kept(i)[earlier] == *elementTypeOfFramework(types[i][row]);
    if (isSame)
      return earlier;
  }
  return std::nullopt;
}

/// Keeps the type rows whose tensors all have elements in opc. Of rows that differ only in formats, the first one
/// without an image format is kept, since arrays have no format.
static void readRows(const std::vector<std::vector<int>> &types, const std::vector<std::vector<int>> &formats,
                     HostOperator &op) {
  size_t rows = types.empty() ? 0 : types.front().size();
  for (const std::vector<int> &each : types)
    rows = std::min(rows, each.size());
  op.formats.resize(types.size());
  for (size_t row = 0; row < std::min(rows, kMostRows); ++row) {
    std::string missing;
    for (const std::vector<int> &each : types)
      if (!elementTypeOfFramework(each[row]))
        missing = frameworkTypeName(each[row]);
    if (!missing.empty()) {
      op.leftOut.push_back(missing);
      continue;
    }
    auto formatOf = [&](size_t i) { return row < formats[i].size() ? formats[i][row] : kFormatNd; };
    if (const std::optional<size_t> same = sameRow(op.manifest, types, row)) {
      bool isPlain = true;
      for (size_t i = 0; i < types.size(); ++i)
        isPlain = isPlain && formatOf(i) == kFormatNd;
      for (size_t i = 0; i < types.size() && isPlain; ++i)
        op.formats[i][*same] = kFormatNd;
      continue;
    }
    for (size_t i = 0; i < types.size(); ++i) {
      const size_t numInputs = op.manifest.inputs.size();
      ManifestTensor &tensor = i < numInputs ? op.manifest.inputs[i] : op.manifest.outputs[i - numInputs];
      tensor.types.push_back(*elementTypeOfFramework(types[i][row]));
      op.formats[i].push_back(formatOf(i));
    }
  }
}

static HostOperator readOperator(const json &record) {
  HostOperator op;
  op.location = Location{record.at("file"), record.at("line").get<unsigned>(), 0};
  op.manifest.opType = record.at("type");
  op.manifest.name = snakeCase(op.manifest.opType);
  op.manifest.target = "Ascend310B";
  std::vector<std::vector<int>> types, formats;
  readTensors(record.at("inputs"), op.manifest.inputs, types, formats);
  readTensors(record.at("outputs"), op.manifest.outputs, types, formats);
  readRows(types, formats, op);
  // An operator without an output stores to its inputs.
  for (size_t i = 0; record.at("outputs").empty() && i < op.manifest.inputs.size(); ++i)
    if (op.manifest.inputs[i].required) {
      op.manifest.outputs.push_back(op.manifest.inputs[i]);
      op.formats.push_back(op.formats[i]);
    }
  for (const json &input : record.at("inputs"))
    op.valueDepend.push_back(input.at("value_depend"));
  for (const json &attribute : record.at("attributes"))
    op.manifest.attributes.push_back(readAttribute(attribute));
  for (const char *direction : {"inputs", "outputs"})
    for (const json &tensor : record.at(direction))
      if (tensor.at("presence") == "DYNAMIC")
        op.lists.push_back(tensor.at("name"));
  op.chips = record.at("chips").get<std::vector<std::string>>();
  op.hasTiling = record.at("functions").at(0);
  op.infersShapes = record.at("functions").at(1);
  return op;
}

bool readDefinition(const std::string &text, HostSource &source, Diagnostics &diagnostics) {
  try {
    const json definition = json::parse(text);
    for (const json &record : definition.at("operators"))
      source.operators.push_back(readOperator(record));
    for (const json &record : definition.at("tilings")) {
      TilingStructure tiling{record.at("for"), record.at("name"), {}};
      for (const json &field : record.at("fields"))
        tiling.fields.push_back({field.at(0), field.at(1), field.at(2), field.at(3)});
      source.tilings.push_back(std::move(tiling));
    }
  } catch (const json::exception &error) {
    diagnostics.error(Code::E0805, {source.files.front()},
                      "the host files gave a definition that cannot be read: " + printable(error.what(), 200),
                      "ascendc_c25");
  }
  if (source.operators.empty() && !diagnostics.hasErrors())
    diagnostics.error(Code::E0805, {source.files.front()}, "expects an operator's definition, found no OP_ADD",
                      "ascendc_c25", "class Add : public OpDef { ... }; OP_ADD(Add);");
  return !diagnostics.hasErrors();
}

//===----------------------------------------------------------------------===//
// The operator of a kernel
//===----------------------------------------------------------------------===//

/// A name without '_' in lower case: AddCustom and add_custom are the same.
static std::string folded(const std::string &name) {
  std::string result;
  for (unsigned char c : name)
    if (c != '_')
      result += char(std::tolower(c));
  return result;
}

static bool isIdentifier(const std::string &name) {
  auto isLetter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  return !name.empty() && isLetter(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), [&](unsigned char c) { return isLetter(c) || std::isdigit(c); });
}

/// The first name of a definition that is not an identifier, since macros and files are named after it; empty if there
/// is none.
static std::optional<std::string> wrongName(const Manifest &manifest) {
  std::vector<std::string> names = {manifest.opType};
  for (const auto *list : {&manifest.inputs, &manifest.outputs})
    for (const ManifestTensor &tensor : *list)
      names.push_back(tensor.name);
  for (const ManifestAttribute &attribute : manifest.attributes)
    names.push_back(attribute.name);
  for (const std::string &name : names)
    if (!isIdentifier(name))
      return name;
  return std::nullopt;
}

/// Reports definitions that no launch can use, or that are for other chips.
static void checkOperator(const HostOperator &op, Diagnostics &diagnostics) {
  const Manifest &manifest = op.manifest;
  const std::string who = "operator '" + printable(manifest.opType) + "' ";
  auto refuse = [&](const std::string &message, const std::string &fix) {
    diagnostics.error(Code::E0805, op.location, who + message, "ascendc_c25", fix);
  };
  for (const std::string &name : op.lists)
    refuse("expects tensors one by one, found '" + printable(name) + "', a list of tensors (DYNAMIC)",
           "the simulator has no lists of tensors; a kernel for a fixed number of inputs runs");
  if (const std::optional<std::string> wrong = wrongName(manifest))
    refuse("expects names that are identifiers, found '" + printable(*wrong) + "'", "letters, digits and '_'");
  if (manifest.inputs.size() + manifest.outputs.size() > kMostTensors)
    refuse("expects at most " + std::to_string(kMostTensors) + " tensors", "");
  if (manifest.outputs.empty())
    refuse("expects a tensor that it stores to, found none", "this->Output(\"y\")");
  else if (manifest.outputs.front().types.empty())
    refuse(op.leftOut.empty() ? "expects DataType with a type for each tensor, found none"
                              : "has no row of types that can run here: " + op.leftOut.front(),
           "this->Input(\"x\").DataType({ge::DT_FLOAT16})");
  if (op.chips.empty() || std::find(op.chips.begin(), op.chips.end(), "ascend310b") != op.chips.end())
    return;
  diagnostics.remark(Code::E0805, op.location,
                     who + "is defined for " + printable(op.chips.front()) +
                         " and not for ascend310b: a build for this chip has no kernel of it",
                     "ascendc_c25", "this->AICore().AddConfig(\"ascend310b\")");
}

/// The operator that a kernel implements, by its name; null after an error.
static const HostOperator *operatorNamed(const HostSource &source, const std::string &kernel,
                                         Diagnostics &diagnostics) {
  for (const HostOperator &op : source.operators)
    if (folded(op.manifest.opType) == folded(kernel))
      return &op;
  if (source.operators.size() == 1)
    return &source.operators.front();
  std::string list;
  for (const HostOperator &op : source.operators)
    list += (list.empty() ? "'" : ", '") + printable(op.manifest.opType) + "'";
  diagnostics.error(Code::E0805, source.operators.front().location,
                    "expects the definition of the operator of kernel '" + printable(kernel) + "', found " + list,
                    "ascendc_c25", "--kernel names the kernel to run");
  return nullptr;
}

const HostOperator *findHostOperator(const HostSource &source, const std::string &kernel, Diagnostics &diagnostics) {
  const HostOperator *op = operatorNamed(source, kernel, diagnostics);
  if (op)
    checkOperator(*op, diagnostics);
  return diagnostics.hasErrors() ? nullptr : op;
}

} // namespace opc::tool
