// Reads manifest.json, trusting nothing in it.
//
// First the text becomes JSON: bounded in size and depth, no key twice. Then `Reader` walks it key
// by key: each key has one type and must be there, unknown keys are refused, and the first problem
// is kept with the place where it was found
// ("kernels[0].tiling.code[3]"). Last, `checkManifest` says whether what was read makes sense.

#include "runtime/program/Manifest.h"
#include "runtime/program/ManifestNames.h"

#include "runtime/diagnostic/Diagnostic.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <set>

using namespace opc;
using Json = nlohmann::ordered_json;

static constexpr size_t kMaxManifestBytes = 16u << 20;
static constexpr int kMaxManifestDepth = 16;
static constexpr size_t kMaxListLength = 1u << 16;
static constexpr size_t kMaxKeys = 64;

static std::string inQuotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

namespace {

/// Walks the JSON; after the first problem every step does nothing.
class Reader {
public:
  std::string problem;

  void read(const Json &json, Manifest &manifest);

private:
  bool fail(const std::string &where, const std::string &text) {
    if (problem.empty())
      problem = (where.empty() ? "" : where + ": ") + text;
    return false;
  }

  bool object(const Json &json, const std::string &where, std::set<std::string_view> required,
              const std::set<std::string_view> &optional = {});
  bool text(const Json &json, const std::string &where, std::string &value);
  bool truth(const Json &json, const std::string &where, bool &value);
  bool real(const Json &json, const std::string &where, double &value);
  template <typename T> bool integer(const Json &json, const std::string &where, T &value);
  template <typename Enum, size_t N>
  bool name(const Json &json, const std::string &where, const std::string_view (&names)[N],
            Enum &value);
  template <typename T, typename ReadElement>
  bool list(const Json &json, const std::string &where, std::vector<T> &values,
            ReadElement &&readElement);
  bool texts(const Json &json, const std::string &where, std::vector<std::string> &values);

  bool read(const Json &json, const std::string &where, ElementType &value);
  bool read(const Json &json, const std::string &where, ManifestDim &value);
  bool read(const Json &json, const std::string &where, ManifestTensor &value);
  bool read(const Json &json, const std::string &where, ManifestAttribute &value);
  bool read(const Json &json, const std::string &where, ScalarInstruction &value);
  bool read(const Json &json, const std::string &where, ManifestSymbol &value);
  bool read(const Json &json, const std::string &where, TilingInput &value);
  bool read(const Json &json, const std::string &where, TilingFunction::Output &value);
  bool read(const Json &json, const std::string &where, TilingFunction &value);
  bool read(const Json &json, const std::string &where, ManifestKernel &value);
  bool read(const Json &json, const std::string &where, ManifestFile &value);
  template <typename T>
  bool readList(const Json &json, const std::string &where, std::vector<T> &values) {
    return list(json, where, values, [this](const Json &element, const std::string &at, T &value) {
      return read(element, at, value);
    });
  }
  bool defaultValue(const Json &json, const std::string &where, ManifestAttribute &attribute);
};

} // namespace

bool Reader::object(const Json &json, const std::string &where, std::set<std::string_view> required,
                    const std::set<std::string_view> &optional) {
  if (!json.is_object())
    return fail(where, std::string("expects an object, found ") + json.type_name());
  for (const auto &[key, value] : json.items())
    if (required.erase(key) == 0 && optional.count(key) == 0)
      return fail(where, "expects no key " + inQuotes(key));
  if (!required.empty())
    return fail(where, "expects a key " + inQuotes(*required.begin()));
  return true;
}

bool Reader::text(const Json &json, const std::string &where, std::string &value) {
  if (!json.is_string())
    return fail(where, std::string("expects a string, found ") + json.type_name());
  value = json.get<std::string>();
  if (value.size() > 4096 || value.find('\0') != std::string::npos)
    return fail(where, "expects at most 4096 bytes and no NUL");
  return true;
}

bool Reader::truth(const Json &json, const std::string &where, bool &value) {
  if (!json.is_boolean())
    return fail(where, std::string("expects true or false, found ") + json.type_name());
  value = json.get<bool>();
  return true;
}

bool Reader::real(const Json &json, const std::string &where, double &value) {
  if (json.is_number()) {
    value = json.get<double>();
    return true;
  }
  std::string word = json.is_string() ? json.get<std::string>() : std::string();
  if (word == "inf" || word == "-inf")
    value = (word[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
  else if (word == "nan")
    value = std::numeric_limits<double>::quiet_NaN();
  else
    return fail(where, "expects a number, \"inf\", \"-inf\" or \"nan\"");
  return true;
}

template <typename T> bool Reader::integer(const Json &json, const std::string &where, T &value) {
  if (json.is_number_unsigned()) {
    auto number = json.get<uint64_t>();
    if (number <= static_cast<uint64_t>(std::numeric_limits<T>::max())) {
      value = static_cast<T>(number);
      return true;
    }
  } else if (json.is_number_integer()) {
    auto number = json.get<int64_t>();
    if (std::is_signed_v<T> && number >= static_cast<int64_t>(std::numeric_limits<T>::min())) {
      value = static_cast<T>(number);
      return true;
    }
  }
  return fail(where, "expects a whole number from " +
                         std::to_string(std::numeric_limits<T>::min()) + " to " +
                         std::to_string(std::numeric_limits<T>::max()));
}

template <typename Enum, size_t N>
bool Reader::name(const Json &json, const std::string &where, const std::string_view (&names)[N],
                  Enum &value) {
  std::string word;
  if (!text(json, where, word))
    return false;
  for (size_t i = 0; i < N; ++i)
    if (names[i] == word) {
      value = static_cast<Enum>(i);
      return true;
    }
  std::string all;
  for (std::string_view each : names)
    all += (all.empty() ? "" : ", ") + std::string(each);
  return fail(where, "expects one of " + all + "; found " + inQuotes(word));
}

template <typename T, typename ReadElement>
bool Reader::list(const Json &json, const std::string &where, std::vector<T> &values,
                  ReadElement &&readElement) {
  if (!json.is_array())
    return fail(where, std::string("expects a list, found ") + json.type_name());
  if (json.size() > kMaxListLength)
    return fail(where, "expects at most " + std::to_string(kMaxListLength) + " elements");
  values.clear();
  for (size_t i = 0; i < json.size(); ++i)
    if (!readElement(json[i], where + "[" + std::to_string(i) + "]", values.emplace_back()))
      return false;
  return true;
}

bool Reader::texts(const Json &json, const std::string &where, std::vector<std::string> &values) {
  return list(json, where, values,
              [this](const Json &element, const std::string &at, std::string &value) {
                return text(element, at, value);
              });
}

bool Reader::read(const Json &json, const std::string &where, ElementType &value) {
  std::string word;
  if (!text(json, where, word))
    return false;
  std::optional<ElementType> type = parseElementType(word);
  if (!type)
    return fail(where, "expects an element type, found " + inQuotes(word));
  value = *type;
  return true;
}

bool Reader::read(const Json &json, const std::string &where, ManifestDim &value) {
  if (json.is_number()) {
    value.kind = ManifestDim::Fixed;
    return integer(json, where, value.size);
  }
  std::string word;
  if (!text(json, where, word))
    return false;
  bool pack = word.compare(0, kPackPrefix.size(), kPackPrefix) == 0;
  value.kind = pack ? ManifestDim::Pack : ManifestDim::Symbol;
  value.name = pack ? word.substr(kPackPrefix.size()) : word;
  return true;
}

bool Reader::read(const Json &json, const std::string &where, ManifestTensor &value) {
  return object(json, where, {"name", "types", "formats", "shape", "required"}) &&
         text(json["name"], where + ".name", value.name) &&
         readList(json["types"], where + ".types", value.types) &&
         texts(json["formats"], where + ".formats", value.formats) &&
         readList(json["shape"], where + ".shape", value.shape) &&
         truth(json["required"], where + ".required", value.required);
}

bool Reader::defaultValue(const Json &json, const std::string &where,
                          ManifestAttribute &attribute) {
  switch (attribute.type) {
  case ManifestAttribute::Float:
    return real(json, where, attribute.defaultValue.emplace<double>());
  case ManifestAttribute::Int:
    return integer(json, where, attribute.defaultValue.emplace<int64_t>());
  case ManifestAttribute::Bool:
    return truth(json, where, attribute.defaultValue.emplace<bool>());
  case ManifestAttribute::String:
    return text(json, where, attribute.defaultValue.emplace<std::string>());
  }
  return false;
}

bool Reader::read(const Json &json, const std::string &where, ManifestAttribute &value) {
  if (!object(json, where, {"name", "type", "bind"}, {"default", "minimum", "maximum"}) ||
      !text(json["name"], where + ".name", value.name) ||
      !name(json["type"], where + ".type", kAttributeTypeNames, value.type) ||
      !name(json["bind"], where + ".bind", kBindNames, value.launch))
    return false;
  if (json.contains("default") && !defaultValue(json["default"], where + ".default", value))
    return false;
  if (json.contains("minimum") &&
      !real(json["minimum"], where + ".minimum", value.minimum.emplace()))
    return false;
  return !json.contains("maximum") ||
         real(json["maximum"], where + ".maximum", value.maximum.emplace());
}

bool Reader::read(const Json &json, const std::string &where, ScalarInstruction &value) {
  if (!json.is_array() || json.size() != 5)
    return fail(where, "expects [name, dst, a, b, imm]");
  return name(json[0], where, kScalarOpNames, value.op) && integer(json[1], where, value.dst) &&
         integer(json[2], where, value.a) && integer(json[3], where, value.b) &&
         integer(json[4], where, value.imm);
}

bool Reader::read(const Json &json, const std::string &where, ManifestSymbol &value) {
  return object(json, where,
                {"name", "minimum", "maximum", "inputs", "registers", "code", "label"}) &&
         text(json["name"], where + ".name", value.name) &&
         integer(json["minimum"], where + ".minimum", value.minimum) &&
         integer(json["maximum"], where + ".maximum", value.maximum) &&
         texts(json["inputs"], where + ".inputs", value.inputs) &&
         integer(json["registers"], where + ".registers", value.numRegisters) &&
         readList(json["code"], where + ".code", value.code) &&
         text(json["label"], where + ".label", value.label);
}

bool Reader::read(const Json &json, const std::string &where, TilingInput &value) {
  return object(json, where, {"kind", "tensor", "dim"}) &&
         name(json["kind"], where + ".kind", kTilingInputNames, value.kind) &&
         integer(json["tensor"], where + ".tensor", value.tensor) &&
         integer(json["dim"], where + ".dim", value.dim);
}

bool Reader::read(const Json &json, const std::string &where, TilingFunction::Output &value) {
  return object(json, where, {"name", "type", "register"}) &&
         text(json["name"], where + ".name", value.field.name) &&
         name(json["type"], where + ".type", kTilingFieldNames, value.field.type) &&
         integer(json["register"], where + ".register", value.reg);
}

bool Reader::read(const Json &json, const std::string &where, TilingFunction &value) {
  return object(json, where, {"inputs", "registers", "code", "outputs"}) &&
         readList(json["inputs"], where + ".inputs", value.inputs) &&
         integer(json["registers"], where + ".registers", value.numRegisters) &&
         readList(json["code"], where + ".code", value.code) &&
         readList(json["outputs"], where + ".outputs", value.outputs);
}

bool Reader::read(const Json &json, const std::string &where, ManifestKernel &value) {
  return object(json, where,
                {"name", "tiling_key", "type_row", "simulator_program", "tiling",
                 "launch_attributes"}) &&
         text(json["name"], where + ".name", value.name) &&
         integer(json["tiling_key"], where + ".tiling_key", value.tilingKey) &&
         integer(json["type_row"], where + ".type_row", value.typeRow) &&
         text(json["simulator_program"], where + ".simulator_program", value.simulatorProgram) &&
         read(json["tiling"], where + ".tiling", value.tiling) &&
         texts(json["launch_attributes"], where + ".launch_attributes", value.launchAttributes);
}

bool Reader::read(const Json &json, const std::string &where, ManifestFile &value) {
  return object(json, where, {"path", "sha256"}) &&
         text(json["path"], where + ".path", value.path) &&
         text(json["sha256"], where + ".sha256", value.sha256);
}

void Reader::read(const Json &json, Manifest &manifest) {
  int version = 0;
  // The version comes first: another version may have other keys.
  if (!json.is_object() || !json.contains("schema_version")) {
    fail("", "expects an object with a key 'schema_version'");
    return;
  }
  if (!integer(json["schema_version"], "schema_version", version))
    return;
  if (version != kManifestVersion) {
    fail("schema_version",
         "expects " + std::to_string(kManifestVersion) + ", found " + std::to_string(version));
    return;
  }
  unsigned body = 0;
  bool done = object(json, "",
                     {"schema_version", "op_type", "name", "version", "compiler", "target", "body",
                      "contract_sha256", "inputs", "outputs", "attributes", "symbols", "kernels",
                      "cpu_library", "cpu_levels", "files"}) &&
              text(json["op_type"], "op_type", manifest.opType) &&
              text(json["name"], "name", manifest.name) &&
              text(json["version"], "version", manifest.version) &&
              text(json["compiler"], "compiler", manifest.compiler) &&
              text(json["target"], "target", manifest.target) &&
              name(json["body"], "body", kBodyNames, body) &&
              text(json["contract_sha256"], "contract_sha256", manifest.contractSha256) &&
              readList(json["inputs"], "inputs", manifest.inputs) &&
              readList(json["outputs"], "outputs", manifest.outputs) &&
              readList(json["attributes"], "attributes", manifest.attributes) &&
              readList(json["symbols"], "symbols", manifest.symbols) &&
              readList(json["kernels"], "kernels", manifest.kernels) &&
              text(json["cpu_library"], "cpu_library", manifest.cpuLibrary) &&
              texts(json["cpu_levels"], "cpu_levels", manifest.cpuLevels) &&
              readList(json["files"], "files", manifest.files);
  if (!done)
    return;
  manifest.body = kBodyNames[body];
  problem = checkManifest(manifest);
}

/// Text to JSON. Refuses a key that occurs twice in one object, and depth beyond what a manifest
/// has.
static std::string parse(const std::string &text, Json &json) {
  if (text.size() > kMaxManifestBytes)
    return "expects at most " + std::to_string(kMaxManifestBytes) + " bytes";
  std::vector<std::set<std::string>> keys;
  std::string problem;
  auto watch = [&](int depth, Json::parse_event_t event, Json &parsed) {
    // What is dropped costs no memory: a refused text is skimmed to its end.
    if (!problem.empty())
      return false;
    if (depth > kMaxManifestDepth)
      problem = "expects at most " + std::to_string(kMaxManifestDepth) + " levels";
    else if (event == Json::parse_event_t::object_start)
      keys.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      keys.pop_back();
    else if (event == Json::parse_event_t::key) {
      auto key = parsed.get<std::string>();
      if (keys.back().size() == kMaxKeys)
        problem = "expects at most " + std::to_string(kMaxKeys) + " keys in an object";
      else if (!keys.back().insert(key).second)
        problem = "expects each key once, found " + inQuotes(key) + " twice";
    }
    return problem.empty();
  };
  json = Json::parse(text, watch, /*allow_exceptions=*/false);
  if (!problem.empty())
    return problem;
  return json.is_discarded() ? "expects JSON" : "";
}

std::string opc::readManifest(const std::string &text, Manifest &manifest) {
  manifest = {};
  // Nothing here should throw: every type is asked before it is used. Memory may still run out.
  try {
    Json json;
    Reader reader;
    reader.problem = parse(text, json);
    if (reader.problem.empty())
      reader.read(json, manifest);
    return reader.problem.empty() ? "" : "manifest.json: " + reader.problem;
  } catch (const std::exception &error) {
    return std::string("manifest.json: cannot be read: ") + error.what();
  }
}
