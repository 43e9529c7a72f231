// package.json: checks, writer and reader. The reader accepts exactly the keys that the writer writes.

#include "runtime/program/PackageManifest.h"

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/format/JsonText.h"

#include <nlohmann/json.hpp>

#include <set>

using namespace opc;
using Json = nlohmann::ordered_json;

static constexpr int kVersion = 1;
static constexpr JsonLimits kLimits = {16u << 20, 8, 64};
static constexpr size_t kMaxEntries = 1u << 16;
static constexpr size_t kMaxText = 1024;

static bool isAlpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

std::string opc::checkVendorName(std::string_view name) {
  if (name.empty() || name.size() > 64)
    return "expects 1 to 64 characters";
  if (!isAlpha(name.front()))
    return "expects a letter first";
  for (char c : name)
    if (!isAlpha(c) && !isDigit(c) && c != '_' && c != '-')
      return "expects letters, digits, '_' and '-' only";
  return {};
}

std::string opc::checkPackageVersion(std::string_view version) {
  size_t numbers = 0;
  while (true) {
    size_t end = std::min(version.find('.'), version.size());
    std::string_view number = version.substr(0, end);
    if (number.empty() || number.size() > 5 || (number.size() > 1 && number.front() == '0'))
      return "expects three numbers, as in 1.0.0";
    for (char c : number)
      if (!isDigit(c))
        return "expects three numbers, as in 1.0.0";
    ++numbers;
    if (end == version.size())
      break;
    version.remove_prefix(end + 1);
  }
  return numbers == 3 ? "" : "expects three numbers, as in 1.0.0";
}

std::string opc::checkPackagePath(std::string_view path) {
  if (path.empty() || path.size() > 400)
    return "expects a path of 1 to 400 bytes";
  if (path.front() == '/')
    return "expects a path inside of the folder, found an absolute one";
  for (char c : path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\')
      return "expects a path without control characters and backslashes";
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    std::string_view part = path.substr(at, end - at);
    if (part.empty() || part == "." || part == "..")
      return "expects a path inside of the folder, without '.', '..' and empty parts";
    if (part.size() > 255)
      return "expects parts of at most 255 bytes";
    at = end + 1;
  }
  return {};
}

static bool isHash(const std::string &text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

static std::string inQuotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

static std::string checkOperator(const PackageOperator &op) {
  for (char c : op.opType)
    if (!isAlpha(c) && !isDigit(c))
      return "operator " + inQuotes(op.opType) + ": expects letters and digits";
  if (op.opType.empty() || op.opType.size() > 64 || op.name.empty() || op.name.size() > 96)
    return "operator " + inQuotes(op.opType) + ": expects a type of 1 to 64 and a name of 1 to 96 characters";
  for (char c : op.name)
    if (!(c >= 'a' && c <= 'z') && !isDigit(c) && c != '_')
      return "operator " + inQuotes(op.opType) + ": its name " + inQuotes(op.name) +
             " expects lower-case letters, digits and '_'";
  if (std::string wrong = checkPackageVersion(op.version); !wrong.empty())
    return "operator " + inQuotes(op.opType) + ": version: " + wrong;
  if (!isHash(op.contractSha256))
    return "operator " + inQuotes(op.opType) + ": expects the contract's hash";
  if (std::string wrong = checkPackagePath(op.folder); !wrong.empty())
    return "operator " + inQuotes(op.opType) + ": folder: " + wrong;
  return {};
}

std::string opc::checkPackageManifest(const PackageManifest &manifest) {
  if (std::string wrong = checkVendorName(manifest.vendor); !wrong.empty())
    return "vendor: " + wrong;
  if (std::string wrong = checkPackageVersion(manifest.version); !wrong.empty())
    return "version: " + wrong;
  if (manifest.layout != "vendors" && manifest.layout != "custom")
    return "layout: expects 'vendors' or 'custom', found " + inQuotes(manifest.layout);
  if (manifest.chips.empty())
    return "chips: expects at least one";
  for (const std::string &chip : manifest.chips)
    if (!checkVendorName(chip).empty())
      return "chips: expects names, found " + inQuotes(chip);
  std::set<std::string_view> types, names, paths;
  for (const PackageOperator &op : manifest.operators) {
    if (std::string wrong = checkOperator(op); !wrong.empty())
      return wrong;
    if (!types.insert(op.opType).second || !names.insert(op.name).second)
      return "operator " + inQuotes(op.opType) + " is there twice";
  }
  for (const PackageEntry &file : manifest.files) {
    if (std::string wrong = checkPackagePath(file.path); !wrong.empty())
      return "file " + inQuotes(file.path) + ": " + wrong;
    if (!isHash(file.sha256))
      return "file " + inQuotes(file.path) + ": expects a sha256 of 64 hex digits";
    if (file.path == kPackageManifestName)
      return "the manifest does not list itself";
    if (!paths.insert(file.path).second)
      return "file " + inQuotes(file.path) + " is there twice";
  }
  for (const PackageAbsence &absence : manifest.absent) {
    if (std::string wrong = checkPackagePath(absence.path); !wrong.empty())
      return "absent file " + inQuotes(absence.path) + ": " + wrong;
    if (!paths.insert(absence.path).second)
      return "absent file " + inQuotes(absence.path) + " is there twice, or there";
  }
  return {};
}

std::string opc::writePackageManifest(const PackageManifest &manifest) {
  Json operators = Json::array(), absent = Json::array(), files = Json::array();
  for (const PackageOperator &op : manifest.operators)
    operators.push_back({{"op_type", op.opType},
                         {"name", op.name},
                         {"version", op.version},
                         {"contract_sha256", op.contractSha256},
                         {"folder", op.folder},
                         {"shadows_builtin", op.shadowsBuiltin}});
  for (const PackageAbsence &absence : manifest.absent)
    absent.push_back({{"path", absence.path}, {"needs", absence.needs}});
  for (const PackageEntry &file : manifest.files)
    files.push_back({{"path", file.path}, {"sha256", file.sha256}, {"size", file.size}});
  Json object = {{"schema_version", kVersion},
                 {"vendor", manifest.vendor},
                 {"version", manifest.version},
                 {"layout", manifest.layout},
                 {"compiler", manifest.compiler},
                 {"target", manifest.target},
                 {"chips", manifest.chips},
                 {"formats",
                  {{"manifest", manifest.formats.manifest},
                   {"simulator_program", manifest.formats.simulatorProgram},
                   {"kernel_library", manifest.formats.kernelLibrary}}},
                 {"operators", std::move(operators)},
                 {"absent", std::move(absent)},
                 {"files", std::move(files)}};
  return writeJson(object, 2) + "\n";
}

namespace {

/// Reads the JSON and keeps the first error.
class Reader {
public:
  std::string problem;

  bool fail(const std::string &where, const std::string &what) {
    if (problem.empty())
      problem = where + ": " + what;
    return false;
  }
  bool keys(const Json &json, const std::string &where, std::set<std::string_view> expected) {
    if (!json.is_object())
      return fail(where, std::string("expects an object, found ") + json.type_name());
    for (const auto &[key, value] : json.items())
      if (expected.erase(key) == 0)
        return fail(where, "expects no key " + inQuotes(key));
    return expected.empty() || fail(where, "expects a key " + inQuotes(*expected.begin()));
  }
  void text(const Json &json, const char *key, const std::string &where, std::string &value) {
    if (!problem.empty())
      return;
    const Json &item = json[key];
    if (!item.is_string())
      fail(where + "." + key, std::string("expects a string, found ") + item.type_name());
    else if (value = item.get<std::string>(); value.size() > kMaxText || value.find('\0') != std::string::npos)
      fail(where + "." + key, "expects at most 1024 bytes and no NUL");
  }
  template <typename T>
  void number(const Json &json, const char *key, const std::string &where, uint64_t limit, T &value) {
    if (!problem.empty())
      return;
    const Json &item = json[key];
    if (!item.is_number_unsigned() || item.get<uint64_t>() > limit)
      fail(where + "." + key, "expects a whole number up to " + std::to_string(limit));
    else
      value = static_cast<T>(item.get<uint64_t>());
  }
  template <typename T, typename Read> void list(const Json &json, const char *key, std::vector<T> &values, Read read) {
    if (!problem.empty())
      return;
    const Json &items = json[key];
    if (!items.is_array() || items.size() > kMaxEntries) {
      fail(key, "expects a list of at most 65536 items");
      return;
    }
    for (size_t i = 0; i < items.size() && problem.empty(); ++i) {
      values.emplace_back();
      read(items[i], std::string(key) + "[" + std::to_string(i) + "]", values.back());
    }
  }
};

} // namespace

static void readAll(Reader &reader, const Json &json, PackageManifest &manifest) {
  if (!reader.keys(json, "package.json",
                   {"schema_version", "vendor", "version", "layout", "compiler", "target", "chips", "formats",
                    "operators", "absent", "files"}))
    return;
  unsigned version = 0;
  reader.number(json, "schema_version", "package.json", UINT32_MAX, version);
  if (reader.problem.empty() && version != kVersion)
    reader.fail("schema_version",
                "expects 1, found " + std::to_string(version) + "; another version of opc wrote this package");
  reader.text(json, "vendor", "package.json", manifest.vendor);
  reader.text(json, "version", "package.json", manifest.version);
  reader.text(json, "layout", "package.json", manifest.layout);
  reader.text(json, "compiler", "package.json", manifest.compiler);
  reader.text(json, "target", "package.json", manifest.target);
  reader.list(json, "chips", manifest.chips, [&](const Json &item, const std::string &where, std::string &value) {
    Json wrapped = {{"item", item}};
    reader.text(wrapped, "item", where, value);
  });
  if (!reader.problem.empty())
    return;
  const Json &formats = json["formats"];
  if (!reader.keys(formats, "formats", {"manifest", "simulator_program", "kernel_library"}))
    return;
  reader.number(formats, "manifest", "formats", UINT16_MAX, manifest.formats.manifest);
  reader.number(formats, "simulator_program", "formats", UINT16_MAX, manifest.formats.simulatorProgram);
  reader.number(formats, "kernel_library", "formats", UINT16_MAX, manifest.formats.kernelLibrary);
  reader.list(
      json, "operators", manifest.operators, [&](const Json &item, const std::string &where, PackageOperator &op) {
        if (!reader.keys(item, where, {"op_type", "name", "version", "contract_sha256", "folder", "shadows_builtin"}))
          return;
        reader.text(item, "op_type", where, op.opType);
        reader.text(item, "name", where, op.name);
        reader.text(item, "version", where, op.version);
        reader.text(item, "contract_sha256", where, op.contractSha256);
        reader.text(item, "folder", where, op.folder);
        if (!item["shadows_builtin"].is_boolean())
          reader.fail(where, "expects true or false");
        else
          op.shadowsBuiltin = item["shadows_builtin"].get<bool>();
      });
  reader.list(json, "absent", manifest.absent,
              [&](const Json &item, const std::string &where, PackageAbsence &absence) {
                if (!reader.keys(item, where, {"path", "needs"}))
                  return;
                reader.text(item, "path", where, absence.path);
                reader.text(item, "needs", where, absence.needs);
              });
  reader.list(json, "files", manifest.files, [&](const Json &item, const std::string &where, PackageEntry &file) {
    if (!reader.keys(item, where, {"path", "sha256", "size"}))
      return;
    reader.text(item, "path", where, file.path);
    reader.text(item, "sha256", where, file.sha256);
    reader.number(item, "size", where, uint64_t(1) << 40, file.size);
  });
}

std::string opc::readPackageManifest(const std::string &text, PackageManifest &manifest) {
  Json json;
  JsonProblem problem;
  if (!parseJson(text, kLimits, json, problem))
    return problem.text();
  Reader reader;
  manifest = {};
  readAll(reader, json, manifest);
  return reader.problem.empty() ? checkPackageManifest(manifest) : reader.problem;
}
