// nlohmann-json throws; no exception leaves this file.

#include "runtime/core/cache/CacheRecords.h"

#include "runtime/core/File.h"
#include "runtime/core/cache/DiskCache.h"
#include "runtime/program/format/JsonText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace opc {

namespace {
struct Field {
  const char *name;
  uint64_t CacheCounters::*value;
};
} // namespace

static constexpr Field kFields[] = {
    {"memory_hits", &CacheCounters::memoryHits}, {"disk_hits", &CacheCounters::diskHits},
    {"compiles", &CacheCounters::compiles},      {"failures", &CacheCounters::failures},
    {"damaged", &CacheCounters::damaged},        {"purged", &CacheCounters::purged},
    {"unwritable", &CacheCounters::unwritable},
};

CacheCounters readCounters(const std::string &folder) {
  CacheCounters counters;
  Diagnostics ignored;
  std::optional<std::string> text = readFile(folder + "/statistics", 1 << 16, ignored);
  for (const Field &field : kFields) {
    size_t at = text ? text->find(std::string(field.name) + " ") : std::string::npos;
    if (at != std::string::npos)
      counters.*field.value = std::strtoull(text->c_str() + at + std::string(field.name).size(), nullptr, 10);
  }
  return counters;
}

void addCounters(const std::string &folder, const CacheCounters &more) {
  std::optional<FileLock> lock = FileLock::exclusive(folder + "/statistics.lock");
  if (!lock)
    return;
  CacheCounters sum = readCounters(folder);
  std::string text;
  for (const Field &field : kFields) {
    sum.*field.value += more.*field.value;
    text += std::string(field.name) + " " + std::to_string(sum.*field.value) + "\n";
  }
  Diagnostics ignored;
  std::optional<AtomicFile> file = AtomicFile::create(folder + "/statistics", ignored);
  if (file && file->write(text.data(), text.size()))
    file->commitUnflushed(ignored);
}

/// A single write per line, so that lines of several processes do not mix.
static void appendLine(const std::string &path, const nlohmann::ordered_json &json) {
  std::string line = writeJson(json) + "\n";
  int fd = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return;
  if (write(fd, line.data(), line.size()) < 0) {
    // The record is informational.
  }
  close(fd);
}

static std::vector<nlohmann::json> readLines(const std::string &path, int64_t limit) {
  std::vector<nlohmann::json> lines;
  Diagnostics ignored;
  std::optional<std::string> text = readFile(path, limit, ignored);
  for (size_t start = 0; text && start < text->size();) {
    size_t end = std::min(text->find('\n', start), text->size());
    nlohmann::json line = nlohmann::json::parse(text->substr(start, end - start), nullptr, false);
    lines.push_back(std::move(line));
    start = end + 1;
  }
  return lines;
}

void addCompileRecord(const std::string &folder, const CompileRecord &record) {
  std::string path = folder + "/compiles.jsonl";
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && status.st_size > (1 << 20))
    rename(path.c_str(), (path + ".old").c_str());
  appendLine(path, {{"schema_version", 1},
                    {"time", record.time},
                    {"op", record.opType},
                    {"key", record.hash},
                    {"reason", record.reason},
                    {"ms", record.milliseconds}});
}

std::vector<CompileRecord> readCompileRecords(const std::string &folder) {
  std::vector<CompileRecord> records;
  for (const nlohmann::json &line : readLines(folder + "/compiles.jsonl", 8 << 20)) {
    try {
      records.push_back({line.at("time").get<int64_t>(), line.at("op").get<std::string>(),
                         line.at("key").get<std::string>(), line.at("reason").get<std::string>(),
                         line.at("ms").get<double>()});
    } catch (const nlohmann::json::exception &) {
      // Ignore a truncated line.
    }
  }
  return records;
}

void addLookup(const std::string &file, const LookupRecord &record) {
  appendLine(file, {{"schema_version", 1},
                    {"key", record.hash},
                    {"label", record.label},
                    {"bytes", record.bytes},
                    {"kernels", record.kernels},
                    {"contract", record.request.contract},
                    {"target", record.request.target},
                    {"body", record.request.body},
                    {"types", record.request.types},
                    {"attributes", record.request.attributes}});
}

/// A whole number that is small enough for sums over a trace not to overflow.
static std::optional<uint64_t> sizeOf(const nlohmann::json &value) {
  constexpr uint64_t kMost = uint64_t(1) << 32;
  if (!value.is_number_unsigned() || value.get<uint64_t>() > kMost)
    return std::nullopt;
  return value.get<uint64_t>();
}

std::optional<std::vector<LookupRecord>> readTrace(const std::string &file, Diagnostics &diagnostics) {
  constexpr int64_t kLargest = int64_t(1) << 30;
  size_t before = diagnostics.errorCount();
  if (!readFile(file, kLargest, diagnostics) || diagnostics.errorCount() != before)
    return std::nullopt;
  auto refuse = [&](size_t line) {
    diagnostics.error(Code::E0114, {file, unsigned(line + 1), 0},
                      "expects a look-up of the kernel cache, a JSON object with 'key' and "
                      "'bytes'");
    return std::nullopt;
  };
  std::vector<LookupRecord> records;
  std::vector<nlohmann::json> lines = readLines(file, kLargest);
  for (size_t i = 0; i < lines.size(); ++i) {
    const nlohmann::json &line = lines[i];
    try {
      if (line.is_discarded() && i + 1 == lines.size())
        break;
      LookupRecord record;
      record.hash = line.at("key").get<std::string>();
      record.label = line.value("label", "");
      std::optional<uint64_t> bytes = sizeOf(line.at("bytes")),
                              kernels = sizeOf(line.value("kernels", nlohmann::json(0u)));
      if (!bytes || !kernels)
        return refuse(i);
      record.bytes = *bytes;
      record.kernels = *kernels;
      record.request.contract = line.value("contract", "");
      record.request.target = line.value("target", "Ascend310B");
      record.request.body = line.value("body", "");
      record.request.types = line.value("types", std::vector<std::string>());
      record.request.attributes = line.value("attributes", std::map<std::string, std::string>());
      records.push_back(std::move(record));
    } catch (const nlohmann::json::exception &) {
      return refuse(i);
    }
  }
  return records;
}

} // namespace opc
