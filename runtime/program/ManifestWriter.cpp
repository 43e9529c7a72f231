// manifest.json as text. Keys come in a fixed order and numbers in shortest form, so equal
// manifests are equal bytes.
//
// Infinite bounds and defaults have no JSON number; they are the strings "inf", "-inf" and "nan". A
// shape is a list of sizes (16), symbols ("N") and packs ("...S"). An instruction is [name, dst, a,
// b, imm].

#include "runtime/program/Manifest.h"
#include "runtime/program/ManifestNames.h"

#include <nlohmann/json.hpp>

#include <cmath>

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
  return {{"name", tensor.name},
          {"types", std::move(types)},
          {"formats", tensor.formats},
          {"shape", std::move(shape)},
          {"required", tensor.required}};
}

static Json toJson(const ManifestAttribute &attribute) {
  Json object = {{"name", attribute.name},
                 {"type", std::string(kAttributeTypeNames[attribute.type])},
                 {"bind", std::string(kBindNames[attribute.launch ? 1 : 0])}};
  if (const auto *real = std::get_if<double>(&attribute.defaultValue))
    object["default"] = toJson(*real);
  else if (const auto *integer = std::get_if<int64_t>(&attribute.defaultValue))
    object["default"] = *integer;
  else if (const auto *truth = std::get_if<bool>(&attribute.defaultValue))
    object["default"] = *truth;
  else if (const auto *text = std::get_if<std::string>(&attribute.defaultValue))
    object["default"] = *text;
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
    Json name = op < std::size(kScalarOpNames) ? Json(std::string(kScalarOpNames[op])) : Json(op);
    list.push_back(
        {std::move(name), instruction.dst, instruction.a, instruction.b, instruction.imm});
  }
  return list;
}

static Json toJson(const ManifestSymbol &symbol) {
  return {
      {"name", symbol.name},     {"minimum", symbol.minimum},        {"maximum", symbol.maximum},
      {"inputs", symbol.inputs}, {"registers", symbol.numRegisters}, {"code", toJson(symbol.code)},
      {"label", symbol.label}};
}

static Json toJson(const TilingFunction &tiling) {
  Json inputs = Json::array(), outputs = Json::array();
  for (const TilingInput &input : tiling.inputs)
    inputs.push_back({{"kind", std::string(kTilingInputNames[input.kind])},
                      {"tensor", input.tensor},
                      {"dim", input.dim}});
  for (const TilingFunction::Output &output : tiling.outputs)
    outputs.push_back({{"name", output.field.name},
                       {"type", std::string(kTilingFieldNames[output.field.type])},
                       {"register", output.reg}});
  return {{"inputs", std::move(inputs)},
          {"registers", tiling.numRegisters},
          {"code", toJson(tiling.code)},
          {"outputs", std::move(outputs)}};
}

static Json toJson(const ManifestKernel &kernel) {
  return {{"name", kernel.name},
          {"tiling_key", kernel.tilingKey},
          {"type_row", kernel.typeRow},
          {"simulator_program", kernel.simulatorProgram},
          {"tiling", toJson(kernel.tiling)},
          {"launch_attributes", kernel.launchAttributes}};
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
  Json object = {{"schema_version", kManifestVersion},
                 {"op_type", manifest.opType},
                 {"name", manifest.name},
                 {"version", manifest.version},
                 {"compiler", manifest.compiler},
                 {"target", manifest.target},
                 {"body", manifest.body},
                 {"contract_sha256", manifest.contractSha256},
                 {"inputs", listToJson(manifest.inputs)},
                 {"outputs", listToJson(manifest.outputs)},
                 {"attributes", listToJson(manifest.attributes)},
                 {"symbols", listToJson(manifest.symbols)},
                 {"kernels", listToJson(manifest.kernels)},
                 {"cpu_library", manifest.cpuLibrary},
                 {"cpu_levels", manifest.cpuLevels},
                 {"files", listToJson(manifest.files)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
