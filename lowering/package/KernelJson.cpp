#include "lowering/package/KernelJson.h"

#include "runtime/program/format/JsonText.h"

#include "runtime/program/format/Sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace opc;
using Json = nlohmann::ordered_json;

static constexpr const char *kChip = "ascend310b";

/// Type codes of the vendor's framework.
static unsigned typeCode(ElementType type) {
  static constexpr unsigned codes[] = {1, 0, 27, 2, 4, 6, 7, 3, 8, 9, 10, 12, 11};
  static_assert(std::size(codes) == kNumElementTypes);
  return codes[static_cast<size_t>(type)];
}

static unsigned formatCode(const std::string &format) {
  if (format == "NCHW")
    return 0;
  if (format == "NHWC")
    return 1;
  if (format == "NC1HWC0")
    return 3;
  if (packedFormOf(format) != PackedForm::None)
    return 29;
  return 2; // ND
}

static std::string text(const Json &json) {
  return writeJson(json, 2) + "\n";
}

std::vector<unsigned> opc::compiledRows(const Manifest &manifest) {
  std::vector<unsigned> rows;
  for (const ManifestKernel &kernel : manifest.kernels)
    if (std::find(rows.begin(), rows.end(), kernel.typeRow) == rows.end())
      rows.push_back(kernel.typeRow);
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Identifies a row: its types, formats and attributes, and the contract.
static std::string staticKey(const KernelJsonOperator &op, unsigned row) {
  std::string key = op.contract->opType + "/" + op.manifest->contractSha256 + "/" + op.manifest->target;
  for (const std::string &simplified : simplifiedKeys(*op.contract, row))
    key += "/" + simplified;
  return sha256(key);
}

std::string opc::kernelBinaryName(const KernelJsonOperator &op, unsigned row) {
  return op.contract->opType + "_" + staticKey(op, row).substr(0, 32);
}

std::vector<std::string> opc::simplifiedKeys(const Contract &contract, unsigned row) {
  std::string tensors;
  for (const auto *list : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *list)
      tensors +=
          "/" + std::to_string(typeCode(tensor.types[row])) + "," + std::to_string(formatCode(tensor.formats[row]));
  // d: whether the caller requires deterministic results, which these kernels always give. p: the precision mode,
  // which is 1 for high_performance, as in supportInfo, and 0 if the caller requests none.
  std::vector<std::string> keys;
  for (const char *modes : {"/d=0,p=1", "/d=0,p=0", "/d=1,p=1", "/d=1,p=0"})
    keys.push_back(contract.opType + modes + tensors);
  return keys;
}

static Json tensorsJson(const std::vector<ContractTensor> &tensors, unsigned row) {
  Json list = Json::array();
  for (size_t i = 0; i < tensors.size(); ++i)
    list.push_back({{"name", tensors[i].name},
                    {"index", i},
                    {"dtype", std::string(elementTypeName(tensors[i].types[row]))},
                    {"format", frameworkFormatOf(tensors[i].formats[row])},
                    {"paramType", tensors[i].required ? "required" : "optional"},
                    {"shape", {-2}},
                    {"format_match_mode", "FormatAgnostic"}});
  return list;
}

/// The attribute value for a kernel that supports all values: the one that the vendor's build uses for this type,
/// whatever the default is.
static Json valueOfType(AttributeType type) {
  switch (type) {
  case AttributeType::Float:
    return 0.0;
  case AttributeType::Int:
    return 0;
  case AttributeType::Bool:
    return false;
  case AttributeType::String:
    return "";
  default:
    return Json::array();
  }
}

static Json attributesJson(const Contract &contract) {
  static constexpr std::string_view types[] = {"float",      "int",      "bool",      "str",
                                               "list_float", "list_int", "list_bool", "list_str"};
  Json list = Json::array();
  for (const ContractAttribute &attribute : contract.attributes)
    list.push_back({{"name", attribute.name},
                    {"dtype", std::string(types[static_cast<size_t>(attribute.type)])},
                    {"value", valueOfType(attribute.type)}});
  return list;
}

/// The fields that `supportInfo` and an entry of `binList` share, in their order.
static Json supportInfo(const KernelJsonOperator &op, unsigned row) {
  return {{"implMode", "high_performance"},
          {"int64Mode", false},
          {"simplifiedKeyMode", 0},
          {"simplifiedKey", simplifiedKeys(*op.contract, row)},
          {"staticKey", staticKey(op, row)},
          {"inputs", tensorsJson(op.contract->inputs, row)},
          {"outputs", tensorsJson(op.contract->outputs, row)},
          {"attrs", attributesJson(*op.contract)},
          {"opMode", "dynamic"},
          {"optionalInputMode", "gen_placeholder"},
          {"deterministic", "ignore"}};
}

static std::string kernelPath(const KernelJsonOperator &op, unsigned row) {
  return std::string(kChip) + "/" + op.contract->name + "/" + kernelBinaryName(op, row);
}

std::string opc::kernelJson(const KernelJsonOperator &op, unsigned row) {
  std::string name = kernelBinaryName(op, row);
  Json kernels = Json::array();
  for (const ManifestKernel &kernel : op.manifest->kernels)
    if (kernel.typeRow == row)
      kernels.push_back({{"kernelName", name + "_" + std::to_string(kernel.tilingKey)}});
  // One entry each for inputs, outputs and the workspace; none of them must be cleared first.
  Json parameters = Json::array();
  for (size_t i = 0; i < op.contract->inputs.size() + op.contract->outputs.size() + 1; ++i)
    parameters.push_back(nullptr);
  Json object = {{"binFileName", name},
                 {"binFileSuffix", ".o"},
                 {"blockDim", -1}, // from tiling
                 {"coreType", "VectorCore"},
                 {"core_type", "AIV"},
                 {"kernelName", name},
                 {"kernelList", std::move(kernels)},
                 {"magic", "RT_DEV_BINARY_MAGIC_ELF"},
                 {"memoryStamping", Json::array()},
                 {"opParaSize", op.tilingBytes},
                 {"parameters", std::move(parameters)},
                 {"sha256", ""},
                 {"workspace", {{"num", 1}, {"size", {-1}}, {"type", {0}}}},
                 {"optionalInputMode", "gen_placeholder"},
                 {"compileInfo", Json::object()},
                 {"supportInfo", supportInfo(op, row)},
                 {"filePath", kernelPath(op, row) + ".json"}};
  return text(object);
}

std::string opc::kernelConfigJson(const KernelJsonOperator &op) {
  Json list = Json::array();
  for (unsigned row : compiledRows(*op.manifest)) {
    Json entry = supportInfo(op, row);
    entry["binInfo"] = {{"jsonFilePath", kernelPath(op, row) + ".json"}};
    list.push_back(std::move(entry));
  }
  return text({{"binList", std::move(list)}});
}

static Json binaryParameters(const std::vector<ContractTensor> &tensors) {
  Json list = Json::array();
  for (size_t i = 0; i < tensors.size(); ++i)
    list.push_back({{"name", tensors[i].name},
                    {"index", i},
                    {"paramType", tensors[i].required ? "required" : "optional"},
                    {"formatMode", "static_nd_agnostic"}});
  return list;
}

std::string opc::binaryInfoJson(const std::vector<KernelJsonOperator> &ops) {
  Json object = Json::object();
  for (const KernelJsonOperator &op : ops) {
    Json binaries = Json::array();
    for (unsigned row : compiledRows(*op.manifest))
      binaries.push_back({{"coreType", 2},
                          {"simplifiedKey", simplifiedKeys(*op.contract, row)},
                          {"binPath", kernelPath(op, row) + ".o"},
                          {"jsonPath", kernelPath(op, row) + ".json"}});
    Json parameters = {{"inputs", binaryParameters(op.contract->inputs)},
                       {"outputs", binaryParameters(op.contract->outputs)}};
    if (!op.contract->attributes.empty()) {
      Json names = Json::array();
      for (const ContractAttribute &attribute : op.contract->attributes)
        names.push_back(attribute.name);
      parameters["attrs"] = std::move(names);
    }
    object[op.contract->opType] = {{"dynamicRankSupport", true},
                                   {"simplifiedKeyMode", 0},
                                   {"optionalInputMode", "gen_placeholder"},
                                   {"params", std::move(parameters)},
                                   {"binaryList", std::move(binaries)}};
  }
  return text(object);
}
