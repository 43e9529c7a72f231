// Reads manifest.json, which is untrusted.
//
// First the text is parsed to JSON, with limits on size and depth and without duplicate keys (JsonReader.h). Then
// `Reader` reads it key by key: each key must be present and have its type, unknown keys are refused. Last,
// `checkManifest` checks the result.

#include "runtime/program/Manifest.h"
#include "runtime/program/ManifestNames.h"
#include "runtime/program/format/JsonReader.h"

#include <algorithm>
#include <charconv>
#include <exception>

using namespace opc;

/// Instructions, inputs and outputs of the tiling functions of all kernels together: 64 MiB.
static constexpr size_t kMaxCopied = 1u << 22;

namespace {

class Reader : public JsonReader {
public:
  void read(const Json &json, Manifest &manifest);

private:
  bool read(const Json &json, const JsonPlace &where, ElementType &value);
  bool read(const Json &json, const JsonPlace &where, ManifestDim &value);
  bool read(const Json &json, const JsonPlace &where, ManifestTensor &value);
  bool read(const Json &json, const JsonPlace &where, ManifestAttribute &value);
  bool read(const Json &json, const JsonPlace &where, ScalarInstruction &value);
  bool read(const Json &json, const JsonPlace &where, ManifestSymbol &value);
  bool read(const Json &json, const JsonPlace &where, TilingInput &value);
  bool read(const Json &json, const JsonPlace &where, TilingFunction::Output &value);
  bool read(const Json &json, const JsonPlace &where, TilingFunction &value);
  bool read(const Json &json, const JsonPlace &where, ManifestReduction &value);
  bool read(const Json &json, const JsonPlace &where, ManifestValues &value);
  bool read(const Json &json, const JsonPlace &where, ManifestKernel &value);
  bool read(const Json &json, const JsonPlace &where, ManifestFile &value);
  template <typename T> bool readList(const Json &json, const JsonPlace &where, std::vector<T> &values) {
    return list(json, where, values,
                [this](const Json &element, const JsonPlace &at, T &value) { return read(element, at, value); });
  }
  bool defaultValue(const Json &json, const JsonPlace &where, ManifestAttribute &attribute);

  /// Tiling functions by position; each kernel gets a copy.
  std::vector<TilingFunction> tilings;
  size_t copied = 0; ///< instructions, inputs and outputs of all copies
};

} // namespace

bool Reader::read(const Json &json, const JsonPlace &where, ElementType &value) {
  std::string word;
  if (!text(json, where, word))
    return false;
  std::optional<ElementType> type = parseElementType(word);
  if (!type)
    return fail(where, "expects an element type, found " + inQuotes(word));
  value = *type;
  return true;
}

bool Reader::read(const Json &json, const JsonPlace &where, ManifestDim &value) {
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

bool Reader::read(const Json &json, const JsonPlace &where, ManifestTensor &value) {
  if (!object(json, where, {"name", "types", "formats", "shape", "required", "broadcast"},
              {"reduces", "values", "constant"}))
    return false;
  if (json.contains("constant") && !truth(json["constant"], where + ".constant", value.isConstant))
    return false;
  if (json.contains("values") && !read(json["values"], where + ".values", value.values.emplace()))
    return false;
  if (json.contains("reduces") && !read(json["reduces"], where + ".reduces", value.reduces.emplace()))
    return false;
  return name(json["broadcast"], where + ".broadcast", kBroadcastNames, value.broadcast) &&
         text(json["name"], where + ".name", value.name) && readList(json["types"], where + ".types", value.types) &&
         texts(json["formats"], where + ".formats", value.formats) &&
         readList(json["shape"], where + ".shape", value.shape) &&
         truth(json["required"], where + ".required", value.required);
}

bool Reader::read(const Json &json, const JsonPlace &where, ManifestValues &value) {
  return object(json, where, {"along", "from_end"}, {"size"}) && text(json["along"], where + ".along", value.along) &&
         truth(json["from_end"], where + ".from_end", value.fromEnd) &&
         (!json.contains("size") || integer(json["size"], where + ".size", value.size));
}

bool Reader::read(const Json &json, const JsonPlace &where, ManifestReduction &value) {
  return object(json, where, {"input", "axes", "keep_dims"}) && text(json["input"], where + ".input", value.input) &&
         text(json["axes"], where + ".axes", value.axes) &&
         text(json["keep_dims"], where + ".keep_dims", value.keepDims);
}

bool Reader::defaultValue(const Json &json, const JsonPlace &where, ManifestAttribute &attribute) {
  switch (attribute.type) {
  case ManifestAttribute::Float:
    return real(json, where, attribute.defaultValue.emplace<double>());
  case ManifestAttribute::Int:
    return integer(json, where, attribute.defaultValue.emplace<int64_t>());
  case ManifestAttribute::Bool:
    return truth(json, where, attribute.defaultValue.emplace<bool>());
  case ManifestAttribute::String:
    return text(json, where, attribute.defaultValue.emplace<std::string>());
  case ManifestAttribute::ListFloat:
    return reals(json, where, attribute.defaultValue.emplace<std::vector<double>>());
  case ManifestAttribute::ListInt:
    return integers(json, where, attribute.defaultValue.emplace<std::vector<int64_t>>());
  case ManifestAttribute::ListBool:
    return truths(json, where, attribute.defaultValue.emplace<std::vector<bool>>());
  case ManifestAttribute::ListString:
    return texts(json, where, attribute.defaultValue.emplace<std::vector<std::string>>());
  }
  return false;
}

bool Reader::read(const Json &json, const JsonPlace &where, ManifestAttribute &value) {
  if (!object(json, where, {"name", "type", "bind"}, {"default", "minimum", "maximum"}) ||
      !text(json["name"], where + ".name", value.name) ||
      !name(json["type"], where + ".type", kAttributeTypeNames, value.type) ||
      !name(json["bind"], where + ".bind", kBindNames, value.bind))
    return false;
  if (json.contains("default") && !defaultValue(json["default"], where + ".default", value))
    return false;
  if (json.contains("minimum") && !real(json["minimum"], where + ".minimum", value.minimum.emplace()))
    return false;
  return !json.contains("maximum") || real(json["maximum"], where + ".maximum", value.maximum.emplace());
}

/// Reads a number of an instruction's text from the start of `rest` and removes it.
template <typename T> static bool takeNumber(std::string_view &rest, T &value) {
  if (rest.empty() || rest.front() != ' ')
    return false;
  rest.remove_prefix(1);
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  return error == std::errc();
}

bool Reader::read(const Json &json, const JsonPlace &where, ScalarInstruction &value) {
  std::string line;
  if (!text(json, where, line))
    return false;
  std::string_view rest = line;
  std::string_view op = rest.substr(0, rest.find(' '));
  rest.remove_prefix(op.size());
  auto known = std::find(std::begin(kScalarOpNames), std::end(kScalarOpNames), op);
  if (known == std::end(kScalarOpNames) || !takeNumber(rest, value.dst) || !takeNumber(rest, value.a) ||
      !takeNumber(rest, value.b) || !takeNumber(rest, value.imm) || !rest.empty())
    return fail(where, "expects an instruction as 'add 4 2 3 0', its name and dst, a, b, imm; "
                       "found " +
                           inQuotes(line));
  value.op = static_cast<ScalarOp>(known - std::begin(kScalarOpNames));
  return true;
}

bool Reader::read(const Json &json, const JsonPlace &where, ManifestSymbol &value) {
  return object(
             json, where,
             {"name", "minimum", "maximum", "minimum_rank", "maximum_rank", "inputs", "registers", "code", "label"}) &&
         text(json["name"], where + ".name", value.name) &&
         integer(json["minimum_rank"], where + ".minimum_rank", value.minimumRank) &&
         integer(json["maximum_rank"], where + ".maximum_rank", value.maximumRank) &&
         integer(json["minimum"], where + ".minimum", value.minimum) &&
         integer(json["maximum"], where + ".maximum", value.maximum) &&
         texts(json["inputs"], where + ".inputs", value.inputs) &&
         integer(json["registers"], where + ".registers", value.numRegisters) &&
         readList(json["code"], where + ".code", value.code) && text(json["label"], where + ".label", value.label);
}

bool Reader::read(const Json &json, const JsonPlace &where, TilingInput &value) {
  return object(json, where, {"kind", "tensor", "dim"}) &&
         name(json["kind"], where + ".kind", kTilingInputNames, value.kind) &&
         integer(json["tensor"], where + ".tensor", value.tensor) && integer(json["dim"], where + ".dim", value.dim);
}

bool Reader::read(const Json &json, const JsonPlace &where, TilingFunction::Output &value) {
  return object(json, where, {"name", "type", "register"}) && text(json["name"], where + ".name", value.field.name) &&
         name(json["type"], where + ".type", kTilingFieldNames, value.field.type) &&
         integer(json["register"], where + ".register", value.reg);
}

bool Reader::read(const Json &json, const JsonPlace &where, TilingFunction &value) {
  return object(json, where, {"inputs", "registers", "code", "outputs"}) &&
         readList(json["inputs"], where + ".inputs", value.inputs) &&
         integer(json["registers"], where + ".registers", value.numRegisters) &&
         readList(json["code"], where + ".code", value.code) &&
         readList(json["outputs"], where + ".outputs", value.outputs);
}

bool Reader::read(const Json &json, const JsonPlace &where, ManifestKernel &value) {
  size_t tiling = 0;
  std::string fixToV;
  bool done =
      object(json, where, {"name", "tiling_key", "type_row", "simulator_program", "tiling", "launch_attributes"},
             {"cpu_alone", "fix_to_v"}) &&
      text(json["name"], where + ".name", value.name) &&
      integer(json["tiling_key"], where + ".tiling_key", value.tilingKey) &&
      integer(json["type_row"], where + ".type_row", value.typeRow) &&
      text(json["simulator_program"], where + ".simulator_program", value.simulatorProgram) &&
      integer(json["tiling"], where + ".tiling", tiling) &&
      texts(json["launch_attributes"], where + ".launch_attributes", value.launchAttributes) &&
      (!json.contains("cpu_alone") || text(json["cpu_alone"], where + ".cpu_alone", value.cpuAlone)) &&
      (!json.contains("fix_to_v") || text(json["fix_to_v"], where + ".fix_to_v", fixToV));
  if (!done)
    return false;
  value.assumesFixToV = fixToV == "direct";
  if (!fixToV.empty() && !value.assumesFixToV)
    return fail(where + ".fix_to_v", "expects 'direct', found '" + printable(fixToV) + "'");
  if (tiling >= tilings.size())
    return fail(where + ".tiling", "expects one of " + std::to_string(tilings.size()) + " tiling functions, found " +
                                       std::to_string(tiling));
  // Without a limit, a short text that names a long function many times would use up all memory.
  value.tiling = tilings[tiling];
  copied += value.tiling.code.size() + value.tiling.inputs.size() + value.tiling.outputs.size();
  if (copied > kMaxCopied)
    return fail(where + ".tiling",
                "expects tiling functions of at most " + std::to_string(kMaxCopied) + " instructions in all kernels");
  return true;
}

bool Reader::read(const Json &json, const JsonPlace &where, ManifestFile &value) {
  return object(json, where, {"path", "sha256"}) && text(json["path"], where + ".path", value.path) &&
         text(json["sha256"], where + ".sha256", value.sha256);
}

void Reader::read(const Json &json, Manifest &manifest) {
  int version = 0;
  // Check the version first: another version may have other keys.
  if (!json.is_object() || !json.contains("schema_version")) {
    fail("", "expects an object with a key 'schema_version'");
    return;
  }
  if (!integer(json["schema_version"], "schema_version", version))
    return;
  if (version != kManifestVersion) {
    fail("schema_version", "expects " + std::to_string(kManifestVersion) + ", found " + std::to_string(version));
    return;
  }
  unsigned body = 0, mode = 0;
  bool done =
      object(json, "",
             {"schema_version",  "op_type", "name",          "version",     "compiler",   "target",     "body",
              "contract_sha256", "op_mode", "refuses_empty", "inputs",      "outputs",    "attributes", "symbols",
              "tilings",         "kernels", "cpu_kernels",   "cpu_library", "cpu_levels", "files"},
             {"workspace"}) &&
      text(json["op_type"], "op_type", manifest.opType) && text(json["name"], "name", manifest.name) &&
      text(json["version"], "version", manifest.version) && text(json["compiler"], "compiler", manifest.compiler) &&
      text(json["target"], "target", manifest.target) && name(json["body"], "body", kBodyNames, body) &&
      text(json["contract_sha256"], "contract_sha256", manifest.contractSha256) &&
      name(json["op_mode"], "op_mode", kOpModeNames, mode) &&
      truth(json["refuses_empty"], "refuses_empty", manifest.refusesEmpty) &&
      readList(json["inputs"], "inputs", manifest.inputs) && readList(json["outputs"], "outputs", manifest.outputs) &&
      (!json.contains("workspace") || readList(json["workspace"], "workspace", manifest.workspace)) &&
      readList(json["attributes"], "attributes", manifest.attributes) &&
      readList(json["symbols"], "symbols", manifest.symbols) && readList(json["tilings"], "tilings", tilings) &&
      readList(json["kernels"], "kernels", manifest.kernels) &&
      readList(json["cpu_kernels"], "cpu_kernels", manifest.cpuKernels) &&
      text(json["cpu_library"], "cpu_library", manifest.cpuLibrary) &&
      texts(json["cpu_levels"], "cpu_levels", manifest.cpuLevels) && readList(json["files"], "files", manifest.files);
  if (!done)
    return;
  manifest.body = kBodyNames[body];
  manifest.isStatic = mode == 1;
  problem = checkManifest(manifest);
}

std::string opc::readManifest(const std::string &text, Manifest &manifest) {
  manifest = {};
  // Types are checked before use, so only a failed allocation can throw.
  try {
    Reader::Json json;
    Reader reader;
    if (reader.parse(text, json))
      reader.read(json, manifest);
    return reader.problem.empty() ? "" : "manifest.json: " + reader.problem;
  } catch (const std::exception &error) {
    return std::string("manifest.json: cannot be read: ") + error.what();
  }
}
