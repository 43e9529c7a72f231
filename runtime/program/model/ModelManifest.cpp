// The reader accepts exactly the keys that the writer writes.

#include "runtime/program/model/ModelManifest.h"

#include "runtime/program/PackageManifest.h"
#include "runtime/program/format/JsonReader.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/program/model/ModelSizes.h"

#include <set>

using namespace opc;

static constexpr int kVersion = 5;

const ModelFile *ModelManifest::findFile(std::string_view path) const {
  for (const ModelFile &file : files)
    if (file.path == path)
      return &file;
  return nullptr;
}

static std::string quoted(const std::string &text) {
  return "'" + printable(text, 200) + "'";
}

/// Why open sizes and the dimensions of inputs do not match, empty if they match.
static std::string checkDimensions(const ModelManifest &manifest) {
  std::set<std::string> known, used;
  for (const ModelSize &size : manifest.sizes)
    known.insert(size.name);
  for (const ModelTensor &input : manifest.inputs) {
    if (!input.sizes.empty() && input.sizes.size() != input.shape.size())
      return quoted(input.name) + " has another number of sizes than of dimensions";
    for (size_t d = 0; d < input.shape.size(); ++d) {
      const std::string size = input.sizes.empty() ? "" : input.sizes[d];
      if (size.empty() == (input.shape[d] == kOpenSize) || (!size.empty() && known.count(size) == 0))
        return quoted(input.name) + " has an open dimension without a size, or a size without an open dimension";
      used.insert(size);
    }
  }
  for (const ModelTensor &output : manifest.outputs)
    for (int64_t size : output.shape)
      if (!output.sizes.empty() || (size == kOpenSize && known.empty()))
        return quoted(output.name) + " has open sizes that no input has";
  for (const std::string &name : known)
    if (used.count(name) == 0)
      return "no input has the size " + quoted(name);
  return {};
}

std::string opc::checkModelManifest(const ModelManifest &manifest) {
  std::set<std::string> paths = {kModelManifestName};
  for (const ModelFile &file : manifest.files) {
    if (std::string why = checkPackagePath(file.path); !why.empty())
      return "file " + quoted(file.path) + ": " + why;
    if (!paths.insert(file.path).second)
      return "file " + quoted(file.path) + " is listed twice";
    if (file.sha256.size() != 64 || file.sha256.find_first_not_of("0123456789abcdef") != std::string::npos)
      return "file " + quoted(file.path) + " has no SHA-256";
  }
  if (std::string why = checkModelSizes(manifest.sizes); !why.empty())
    return why;
  if (std::string why = checkDimensions(manifest); !why.empty())
    return why;
  std::vector<std::string> needed = {kModelWeightsName, kModelKernelsName};
  for (size_t form = 0; form < numForms(manifest.sizes); ++form)
    needed.push_back(planPath(manifest.sizes, form));
  for (const std::string &name : needed)
    if (paths.count(name) == 0)
      return "the file '" + name + "' is not listed";
  std::set<std::string> kernels;
  for (const std::string &kernel : manifest.kernels) {
    if (std::string why = checkPackagePath(kernel); !why.empty())
      return "kernel " + quoted(kernel) + ": " + why;
    if (paths.count(kernel + "/manifest.json") == 0)
      return "the manifest of kernel " + quoted(kernel) + " is not listed";
    if (!kernels.insert(kernel).second)
      return "kernel " + quoted(kernel) + " is listed twice";
  }
  if (!manifest.cpuLibrary.empty() && !manifest.findFile(manifest.cpuLibrary))
    return "the library of kernels " + quoted(manifest.cpuLibrary) + " is not listed";
  for (const auto *list : {&manifest.inputs, &manifest.outputs}) {
    std::set<std::string> names;
    for (const ModelTensor &tensor : *list)
      if (!names.insert(tensor.name).second)
        return "the name " + quoted(tensor.name) + " is there twice";
      else if (tensor.rowsDependOnData && (list == &manifest.inputs || tensor.shape.empty()))
        return quoted(tensor.name) + " has no rows that could depend on data";
  }
  return {};
}

std::string opc::writeModelManifest(const ModelManifest &manifest) {
  using Json = nlohmann::ordered_json;
  auto tensors = [](const std::vector<ModelTensor> &list) {
    Json json = Json::array();
    for (const ModelTensor &tensor : list)
      json.push_back({{"name", tensor.name},
                      {"type", elementTypeName(tensor.type)},
                      {"shape", tensor.shape},
                      {"sizes", tensor.sizes},
                      {"rows_depend_on_data", tensor.rowsDependOnData}});
    return json;
  };
  Json sizes = Json::array();
  for (const ModelSize &size : manifest.sizes)
    sizes.push_back({{"name", size.name}, {"from", size.from}, {"to", size.to}, {"step", size.step}});
  Json files = Json::array();
  for (const ModelFile &file : manifest.files)
    files.push_back({{"path", file.path}, {"sha256", file.sha256}, {"size", file.size}});
  Json json = {{"schema_version", kVersion},         {"name", manifest.name},
               {"compiler", manifest.compiler},      {"target", manifest.target},
               {"sizes", std::move(sizes)},          {"arena_bytes", manifest.arenaBytes},
               {"inputs", tensors(manifest.inputs)}, {"outputs", tensors(manifest.outputs)},
               {"kernels", manifest.kernels},        {"cpu_library", manifest.cpuLibrary},
               {"files", std::move(files)}};
  return writeJson(json, 2) + "\n";
}

namespace {

class Reader : public JsonReader {
public:
  bool read(const std::string &text, ModelManifest &manifest);

private:
  bool tensors(const Json &json, const JsonPlace &where, std::vector<ModelTensor> &list);
  bool size(const Json &json, const JsonPlace &where, ModelSize &size);
  bool file(const Json &json, const JsonPlace &where, ModelFile &file);
};

} // namespace

bool Reader::tensors(const Json &json, const JsonPlace &where, std::vector<ModelTensor> &all) {
  return list(json, where, all, [&](const Json &one, const JsonPlace &place, ModelTensor &tensor) {
    std::string type;
    if (!object(one, place, {"name", "type", "shape", "sizes", "rows_depend_on_data"}) ||
        !text(one["name"], place + ".name", tensor.name) || !text(one["type"], place + ".type", type) ||
        !integers(one["shape"], place + ".shape", tensor.shape) ||
        !texts(one["sizes"], place + ".sizes", tensor.sizes) ||
        !truth(one["rows_depend_on_data"], place + ".rows_depend_on_data", tensor.rowsDependOnData))
      return false;
    std::optional<ElementType> known = parseElementType(type);
    if (!known)
      return fail(place + ".type", "expects a type of elements, found " + inQuotes(type));
    tensor.type = *known;
    return true;
  });
}

bool Reader::size(const Json &json, const JsonPlace &where, ModelSize &size) {
  return object(json, where, {"name", "from", "to", "step"}) && text(json["name"], where + ".name", size.name) &&
         integer(json["from"], where + ".from", size.from) && integer(json["to"], where + ".to", size.to) &&
         integer(json["step"], where + ".step", size.step);
}

bool Reader::file(const Json &json, const JsonPlace &where, ModelFile &file) {
  return object(json, where, {"path", "sha256", "size"}) && text(json["path"], where + ".path", file.path) &&
         text(json["sha256"], where + ".sha256", file.sha256) && integer(json["size"], where + ".size", file.size);
}

bool Reader::read(const std::string &whole, ModelManifest &manifest) {
  Json json;
  int version = 0;
  const JsonPlace top("");
  if (!parse(whole, json))
    return false;
  // Other versions have other keys, so the version is checked first.
  if (json.is_object() && json.contains("schema_version") &&
      integer(json["schema_version"], "schema_version", version) && version != kVersion)
    return fail("schema_version",
                "expects " + std::to_string(kVersion) + ", found " + std::to_string(version) + "; compile again");
  if (!object(json, top,
              {"schema_version", "name", "compiler", "target", "sizes", "arena_bytes", "inputs", "outputs", "kernels",
               "cpu_library", "files"}) ||
      !integer(json["schema_version"], "schema_version", version))
    return false;
  return text(json["name"], "name", manifest.name) && text(json["compiler"], "compiler", manifest.compiler) &&
         text(json["target"], "target", manifest.target) &&
         list(json["sizes"], "sizes", manifest.sizes,
              [&](const Json &one, const JsonPlace &place, ModelSize &each) { return size(one, place, each); }) &&
         integer(json["arena_bytes"], "arena_bytes", manifest.arenaBytes) &&
         tensors(json["inputs"], "inputs", manifest.inputs) && tensors(json["outputs"], "outputs", manifest.outputs) &&
         texts(json["kernels"], "kernels", manifest.kernels) &&
         text(json["cpu_library"], "cpu_library", manifest.cpuLibrary) &&
         list(json["files"], "files", manifest.files,
              [&](const Json &one, const JsonPlace &place, ModelFile &each) { return file(one, place, each); });
}

std::string opc::readModelManifest(const std::string &text, ModelManifest &manifest) {
  Reader reader;
  manifest = {};
  return reader.read(text, manifest) ? checkModelManifest(manifest) : reader.problem;
}
