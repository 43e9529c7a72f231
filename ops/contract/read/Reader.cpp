// Reads a contract from its file: limits of the text, YAML, parts, checks.

#include "ops/contract/read/Reader.h"

#include "ops/contract/Names.h"
#include "ops/contract/Places.h"
#include "ops/contract/domain/Workspace.h"
#include "ops/contract/read/FileText.h"
#include "ops/contract/read/Parts.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace opc {

static constexpr int64_t kSchema = 1;

/// "1.0.0": three numbers of 0 to 65535 without leading zeros.
static bool isVersion(std::string_view text) {
  for (int part = 0; part < 3; ++part) {
    uint16_t number = 0;
    std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), number);
    size_t digits = static_cast<size_t>(result.ptr - text.data());
    if (result.ec != std::errc() || (text.front() == '0' && digits > 1))
      return false;
    text.remove_prefix(digits);
    if (part == 2)
      return text.empty();
    if (text.empty() || text.front() != '.')
      return false;
    text.remove_prefix(1);
  }
  return false;
}

static void readVersion(ContractErrors &errors, const YamlNode *node, Contract &contract) {
  std::optional<std::string> version = readText(errors, node, "'version'");
  if (!version)
    return;
  if (isVersion(*version))
    contract.version = *version;
  else
    errors.report(ContractRule::Version, errors.at(node->line, node->column),
                  "expects three numbers in 'version', found '" + printable(*version, 60) + "'", "as in 1.0.0");
}

static void readOpType(ContractErrors &errors, const Fields &top, Contract &contract) {
  const YamlNode *node = top.require("op_type");
  std::optional<std::string> opType = readText(errors, node, "'op_type'");
  if (!opType)
    return;
  contract.location = errors.at(node->line, node->column);
  std::string wrong = checkOpType(*opType);
  if (!wrong.empty()) {
    errors.report(ContractRule::OpType, contract.location,
                  "expects 'op_type' in UpperCamel, found '" + printable(*opType, 60) + "', which " + wrong);
    return;
  }
  contract.opType = *opType;
  contract.name = snakeCase(*opType);
}

/// Rule 17, for the name derived from op_type and for the one that kernel_name gives instead.
static void readKernelName(ContractErrors &errors, const Fields &top, Contract &contract) {
  const YamlNode *node = top.find("kernel_name");
  Location where = contract.location;
  if (node) {
    where = errors.at(node->line, node->column);
    std::optional<std::string> name = readText(errors, node, "'kernel_name'");
    if (!name)
      return;
    contract.name = *name;
  }
  if (contract.name.empty())
    return;
  std::string wrong = checkKernelName(contract.name);
  if (!wrong.empty())
    errors.report(ContractRule::KernelName, where,
                  "expects a kernel's name that host builds can link, found '" + printable(contract.name, 60) +
                      "', which " + wrong,
                  node ? "" : "add 'kernel_name: " + contract.name + "_kernel'");
}

static void readSchema(ContractErrors &errors, const YamlNode *node) {
  std::optional<int64_t> schema = readInt(errors, node, "'schema'");
  if (schema && *schema != kSchema)
    errors.report(ContractRule::Schema, errors.at(node->line, node->column),
                  "expects 'schema: 1', found " + std::to_string(*schema));
}

static void readParts(ContractErrors &errors, const YamlNode &root, ContractDraft &draft) {
  Fields top(errors, root, mappings::contract);
  Contract &contract = draft.contract;
  readSchema(errors, top.require("schema"));
  readOpType(errors, top, contract);
  readKernelName(errors, top, contract);
  readVersion(errors, top.require("version"), contract);
  contract.summary = readText(errors, top.require("summary"), "'summary'", 200).value_or("");
  readTensors(errors, top.require("inputs"), /*areInputs=*/true, draft);
  readTensors(errors, top.require("outputs"), /*areInputs=*/false, draft);
  readAttributes(errors, top.find("attributes"), draft);
  readDimensions(errors, top.find("dimensions"), draft);
  readBoundary(errors, top.find("boundary"), draft);
  readPrecision(errors, top.require("precision"), draft);
  readFiles(errors, top, draft);
  readTestShapes(errors, top.find("test_shapes"), draft);
}

/// Adds the test shapes, which have all inputs, to the original contract; other values of attributes may remove some.
static void keepTestShapes(Contract &contract) {
  if (!contract.written || contract.testShapes.empty())
    return;
  auto written = std::make_shared<Contract>(*contract.written);
  written->testShapes = contract.testShapes;
  contract.written = std::move(written);
}

static std::optional<Contract> parse(std::string_view text, const std::string &path, Diagnostics &diagnostics,
                                     bool looksAtFiles) {
  ContractErrors errors(path, diagnostics);
  if (!checkText(text, errors))
    return std::nullopt;
  std::optional<YamlNode> root = readYaml(text, errors);
  if (!root)
    return std::nullopt;
  ContractDraft draft;
  draft.contract.path = path;
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  draft.contract.directory = folder.empty() ? "." : folder.string();
  readParts(errors, *root, draft);
  checkNames(errors, draft);
  checkTypeTable(errors, draft);
  checkReductions(errors, draft);
  checkValues(errors, draft);
  checkPresence(errors, draft);
  checkCount(errors, draft);
  checkConstants(errors, draft);
  checkSizes(errors, draft);
  checkPrecision(errors, draft);
  if (looksAtFiles)
    checkFiles(errors, draft);
  if (!errors.any())
    checkPlaces(errors, draft);
  if (!errors.any())
    needPlaces(draft.contract);
  // Forms in ONNX, binding test shapes and naming type rows require a draft that keeps all rules above.
  if (!errors.any()) {
    if (const YamlEntry *onnx = root->find("onnx"))
      readOnnx(errors, &onnx->value, draft);
    checkTestShapes(errors, draft);
    checkBodyTypes(errors, draft);
  }
  if (!errors.any() && looksAtFiles) {
    readBodyAxes(errors, draft.contract);
    bindParts(draft.contract);
    needPlaces(draft.contract);
    findWorkspace(draft.contract);
    readSchedule(errors, diagnostics, draft);
  }
  keepTestShapes(draft.contract);
  if (errors.any() || draft.scheduleBroken)
    return std::nullopt;
  return std::move(draft.contract);
}

std::optional<Contract> parseContract(std::string_view text, const std::string &path, Diagnostics &diagnostics) {
  return parse(text, path, diagnostics, /*looksAtFiles=*/false);
}

/// The fix to suggest for a path that is a folder: the contract in it, or the contract that was compiled into it. An op
/// folder has a copy of the contract, without the body and the reference that it names.
static std::string fixForFolder(const std::string &path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(std::filesystem::path(path) / "manifest.json", error))
    return "this is what `opc compile` wrote; name the op_contract.yaml that it was compiled from";
  const std::filesystem::path contract = std::filesystem::path(path) / "op_contract.yaml";
  if (std::filesystem::is_regular_file(contract, error))
    return "name the file in it: " + printablePath(contract.string());
  return "name an op_contract.yaml; `opc new` writes one";
}

std::optional<Contract> loadContract(const std::string &path, Diagnostics &diagnostics) {
  std::error_code error;
  std::filesystem::file_status status = std::filesystem::status(path, error);
  auto refuse = [&](const char *found, const std::string &fix = {}) {
    diagnostics.error(Code::E0600, {path, 0, 0}, std::string("expects a contract that can be read, found ") + found, {},
                      fix);
    return std::nullopt;
  };
  if (status.type() == std::filesystem::file_type::not_found)
    return refuse("no such file");
  if (std::filesystem::is_directory(status))
    return refuse("a folder", fixForFolder(path));
  if (!std::filesystem::is_regular_file(status))
    return refuse("no plain file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return refuse("a file that may not be read");
  const std::string text = readUpTo(stream, kReadLimit);
  if (stream.bad())
    return refuse("an error while reading");
  return parse(text, path, diagnostics, /*looksAtFiles=*/true);
}

} // namespace opc
