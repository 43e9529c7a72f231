// Writes each diagnostic as a JSON object on one line, with keys in a fixed order. The JSON library throws, so this
// file is compiled with exceptions; no exception leaves it. Bytes that are not UTF-8 are replaced.

#include "runtime/diagnostic/Diagnostic.h"

#include <nlohmann/json.hpp>

using namespace opc;
using Json = nlohmann::ordered_json;

static constexpr int kSchemaVersion = 1;

static void putLocation(Json &object, const Location &location) {
  object["file"] = location.file;
  object["line"] = location.line;
  object["column"] = location.column;
}

static const char *severityName(Severity severity) {
  if (severity == Severity::Error)
    return "error";
  return severity == Severity::Warning ? "warning" : "remark";
}

void opc::printJson(std::ostream &os, const Diagnostic &diagnostic) {
  Json object;
  object["schema_version"] = kSchemaVersion;
  object["severity"] = severityName(diagnostic.severity);
  // Remarks have no code.
  if (diagnostic.severity == Severity::Remark)
    object["code"] = nullptr;
  else
    object["code"] = std::string(codeInfo(diagnostic.code).name);
  putLocation(object, diagnostic.location);
  object["rule"] = diagnostic.rule;
  object["message"] = diagnostic.message;
  object["fix"] = diagnostic.fix;
  object["notes"] = Json::array();
  for (const Note &note : diagnostic.notes) {
    Json entry;
    putLocation(entry, note.location);
    entry["message"] = note.message;
    object["notes"].push_back(std::move(entry));
  }
  os << object.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

static bool take(const Json &object, const char *key, std::string &value) {
  auto found = object.find(key);
  if (found == object.end() || !found->is_string())
    return false;
  value = found->get<std::string>();
  return true;
}

static bool take(const Json &object, const char *key, unsigned &value) {
  auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned())
    return false;
  value = found->get<unsigned>();
  return true;
}

static bool takeLocation(const Json &object, Location &location) {
  return take(object, "file", location.file) && take(object, "line", location.line) &&
         take(object, "column", location.column);
}

static bool takeSeverity(const Json &object, Diagnostic &diagnostic) {
  std::string severity, code;
  if (!take(object, "severity", severity))
    return false;
  for (Severity known : {Severity::Error, Severity::Warning, Severity::Remark})
    if (severity == severityName(known)) {
      diagnostic.severity = known;
      if (known == Severity::Remark)
        return true;
      const CodeInfo *info = take(object, "code", code) ? findCode(code) : nullptr;
      if (info)
        diagnostic.code = info->code;
      return info != nullptr;
    }
  return false;
}

bool opc::readJson(std::string_view line, Diagnostic &diagnostic) {
  Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  unsigned version = 0;
  if (!object.is_object() || !take(object, "schema_version", version) || version != kSchemaVersion ||
      !takeSeverity(object, diagnostic) || !takeLocation(object, diagnostic.location) ||
      !take(object, "rule", diagnostic.rule) || !take(object, "message", diagnostic.message) ||
      !take(object, "fix", diagnostic.fix))
    return false;
  auto notes = object.find("notes");
  if (notes == object.end() || !notes->is_array())
    return false;
  for (const Json &entry : *notes) {
    Note note;
    if (!entry.is_object() || !takeLocation(entry, note.location) || !take(entry, "message", note.message))
      return false;
    diagnostic.notes.push_back(std::move(note));
  }
  return true;
}
