// One JSON object a diagnostic, on one line, keys in a fixed order. This file is compiled with
// exceptions because the JSON library throws; bytes that are no UTF-8 are replaced rather than
// thrown at, and nothing leaves the file.

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
  // A remark breaks no rule: it has no code.
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
