// nlohmann-json throws; no exception leaves this file.

#include "runtime/core/cache/EntryFile.h"

#include "runtime/core/File.h"
#include "runtime/program/format/JsonText.h"

#include <nlohmann/json.hpp>

namespace opc {

static constexpr int kSchemaVersion = 1;
static constexpr int64_t kMaxBytes = 1 << 20;

std::string writeEntryFile(const EntryFile &entry) {
  nlohmann::ordered_json json = {{"schema_version", kSchemaVersion},
                                 {"key", entry.key},
                                 {"manifest_sha256", entry.manifestSha256},
                                 {"bytes", entry.bytes}};
  return writeJson(json, 2) + "\n";
}

static std::string readEntry(const std::optional<std::string> &text, const Diagnostics &diagnostics, EntryFile &entry) {
  if (!text)
    return diagnostics.all().front().message;
  try {
    nlohmann::json json = nlohmann::json::parse(*text);
    if (json.at("schema_version").get<int>() != kSchemaVersion)
      return "entry.json has another version";
    entry.key = json.at("key").get<std::string>();
    entry.manifestSha256 = json.at("manifest_sha256").get<std::string>();
    entry.bytes = json.at("bytes").get<uint64_t>();
    return {};
  } catch (const nlohmann::json::exception &error) {
    return std::string("entry.json cannot be read: ") + printable(error.what(), 100);
  }
}

std::string readEntryFile(const std::string &path, EntryFile &entry) {
  Diagnostics diagnostics;
  return readEntry(readFile(path, kMaxBytes, diagnostics), diagnostics, entry);
}

std::string readEntryFile(int fd, const std::string &path, EntryFile &entry) {
  Diagnostics diagnostics;
  return readEntry(readOpenFile(fd, path, kMaxBytes, diagnostics), diagnostics, entry);
}

} // namespace opc
