// Writes manifest.json. Keys have a fixed order and numbers their shortest form, so equal manifests give equal bytes.
//
// JSON has no numbers for infinite bounds and defaults or NaN; they are written as the strings "inf", "-inf" and "nan".
// A shape is a list of sizes (16), symbols ("N") and packs ("...S"). An instruction is a text, its name and four
// numbers: "add 4 2 3 0" for dst, a, b, imm. Each tiling function is written once; kernels refer to it by position.

#include "runtime/program/Manifest.h"
#include "runtime/program/ManifestNames.h"
#include "runtime/program/format/JsonText.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

using namespace opc;
using Json = nlohmann::ordered_json;

static Json toJson(double value) {
  if (std::isfinite(value))
    return value;
  if (std::isnan(value))
    return "nan";
  return value > 0 ? "inf" : "-inf";
}

static Json toJson(const ManifestTensor &tensor) {
  Json types = Json::array(), shape = Json::array();
  for (ElementType type : tensor.types)
    types.push_back(std::string(elementTypeName(type)));
  for (const ManifestDim &dim : tensor.shape) {
    if (dim.kind == ManifestDim::Fixed)
      shape.push_back(dim.size);
    else if (dim.kind == ManifestDim::Pack)
      shape.push_back(std::string(kPackPrefix) + dim.name);
    else
      shape.push_back(dim.name);
  }
  Json object = {{"name", tensor.name},         {"types", std::move(types)},
                 {"formats", tensor.formats},   {"shape", std::move(shape)},
                 {"required", tensor.required}, {"broadcast", std::string(kBroadcastNames[tensor.broadcast])}};
  if (tensor.isConstant)
    object["constant"] = true;
  if (tensor.reduces)
    object["reduces"] = {
        {"input", tensor.reduces->input}, {"axes", tensor.reduces->axes}, {"keep_dims", tensor.reduces->keepDims}};
  if (tensor.values) {
    object["values"] = {{"along", tensor.values->along}, {"from_end", tensor.values->fromEnd}};
    if (tensor.values->size != 0)
      object["values"]["size"] = tensor.values->size;
  }
  return object;
}

static Json listOfReals(const std::vector<double> &values) {
  Json list = Json::array();
  for (double value : values)
    list.push_back(toJson(value));
  return list;
}

static Json toJson(const ManifestAttribute &attribute) {
  Json object = {{"name", attribute.name},
                 {"type", std::string(kAttributeTypeNames[attribute.type])},
                 {"bind", std::string(kBindNames[attribute.bind])}};
  if (const auto *real = std::get_if<double>(&attribute.defaultValue))
    object["default"] = toJson(*real);
  else if (const auto *integer = std::get_if<int64_t>(&attribute.defaultValue))
    object["default"] = *integer;
  else if (const auto *truth = std::get_if<bool>(&attribute.defaultValue))
    object["default"] = *truth;
  else if (const auto *text = std::get_if<std::string>(&attribute.defaultValue))
    object["default"] = *text;
  else if (const auto *reals = std::get_if<std::vector<double>>(&attribute.defaultValue))
    object["default"] = listOfReals(*reals);
  else if (const auto *integers = std::get_if<std::vector<int64_t>>(&attribute.defaultValue))
    object["default"] = *integers;
  else if (const auto *truths = std::get_if<std::vector<bool>>(&attribute.defaultValue))
    object["default"] = *truths;
  else if (const auto *texts = std::get_if<std::vector<std::string>>(&attribute.defaultValue))
    object["default"] = *texts;
  if (attribute.minimum)
    object["minimum"] = toJson(*attribute.minimum);
  if (attribute.maximum)
    object["maximum"] = toJson(*attribute.maximum);
  return object;
}

static Json toJson(const std::vector<ScalarInstruction> &code) {
  Json list = Json::array();
  for (const ScalarInstruction &instruction : code) {
    auto op = static_cast<size_t>(instruction.op);
    std::string text = op < std::size(kScalarOpNames) ? std::string(kScalarOpNames[op]) : std::to_string(op);
    for (int64_t number : {int64_t(instruction.dst), int64_t(instruction.a), int64_t(instruction.b), instruction.imm})
      text += " " + std::to_string(number);
    list.push_back(std::move(text));
  }
  return list;
}

static Json toJson(const ManifestSymbol &symbol) {
  return {{"name", symbol.name},
          {"minimum", symbol.minimum},
          {"maximum", symbol.maximum},
          {"minimum_rank", symbol.minimumRank},
          {"maximum_rank", symbol.maximumRank},
          {"inputs", symbol.inputs},
          {"registers", symbol.numRegisters},
          {"code", toJson(symbol.code)},
          {"label", symbol.label}};
}

static Json toJson(const TilingFunction &tiling) {
  Json inputs = Json::array(), outputs = Json::array();
  for (const TilingInput &input : tiling.inputs)
    inputs.push_back(
        {{"kind", std::string(kTilingInputNames[input.kind])}, {"tensor", input.tensor}, {"dim", input.dim}});
  for (const TilingFunction::Output &output : tiling.outputs)
    outputs.push_back({{"name", output.field.name},
                       {"type", std::string(kTilingFieldNames[output.field.type])},
                       {"register", output.reg}});
  return {{"inputs", std::move(inputs)},
          {"registers", tiling.numRegisters},
          {"code", toJson(tiling.code)},
          {"outputs", std::move(outputs)}};
}

/// Positions in "tilings" by the bytes of the tiling function. Kernels of a type row share their tiling function.
using TilingPositions = std::map<std::vector<uint8_t>, size_t>;
static Json toJson(const std::vector<ManifestKernel> &kernels, TilingPositions &positions, Json &tilings) {
  Json list = Json::array();
  for (const ManifestKernel &kernel : kernels) {
    auto [position, added] = positions.emplace(writeTiling(kernel.tiling), tilings.size());
    if (added)
      tilings.push_back(toJson(kernel.tiling));
    list.push_back({{"name", kernel.name},
                    {"tiling_key", kernel.tilingKey},
                    {"type_row", kernel.typeRow},
                    {"simulator_program", kernel.simulatorProgram},
                    {"tiling", position->second},
                    {"launch_attributes", kernel.launchAttributes}});
    if (!kernel.cpuAlone.empty())
      list.back()["cpu_alone"] = kernel.cpuAlone;
    if (kernel.assumesFixToV)
      list.back()["fix_to_v"] = "direct";
  }
  return list;
}

static Json toJson(const ManifestFile &file) {
  return {{"path", file.path}, {"sha256", file.sha256}};
}

template <typename T> static Json listToJson(const std::vector<T> &values) {
  Json list = Json::array();
  for (const T &value : values)
    list.push_back(toJson(value));
  return list;
}

std::string opc::writeManifest(const Manifest &manifest) {
  Json tilings = Json::array();
  TilingPositions positions;
  Json kernels = toJson(manifest.kernels, positions, tilings);
  Json cpuKernels = toJson(manifest.cpuKernels, positions, tilings);
  Json object = {{"schema_version", kManifestVersion},
                 {"op_type", manifest.opType},
                 {"name", manifest.name},
                 {"version", manifest.version},
                 {"compiler", manifest.compiler},
                 {"target", manifest.target},
                 {"body", manifest.body},
                 {"contract_sha256", manifest.contractSha256},
                 {"op_mode", std::string(kOpModeNames[manifest.isStatic])},
                 {"refuses_empty", manifest.refusesEmpty},
                 {"inputs", listToJson(manifest.inputs)},
                 {"outputs", listToJson(manifest.outputs)},
                 {"attributes", listToJson(manifest.attributes)},
                 {"symbols", listToJson(manifest.symbols)},
                 {"tilings", std::move(tilings)},
                 {"kernels", std::move(kernels)},
                 {"cpu_kernels", std::move(cpuKernels)},
                 {"cpu_library", manifest.cpuLibrary},
                 {"cpu_levels", manifest.cpuLevels},
                 {"files", listToJson(manifest.files)}};
  if (!manifest.workspace.empty())
    object["workspace"] = listToJson(manifest.workspace);
  return writeJson(object, 2) + "\n";
}
