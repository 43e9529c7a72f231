// nlohmann-json throws; no exception leaves this file.

#include "runtime/core/cache/CacheSettings.h"

#include "runtime/core/File.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sys/stat.h>

namespace opc {

namespace {
struct Setting {
  const char *name;
  const char *variable;
};
/// A value as text, and its origin.
struct Found {
  std::string text, origin;
};
} // namespace

static constexpr Setting kSettings[] = {
    {"path", "ASCEND_CACHE_PATH"},
    {"kernels", "ACLNN_KERNEL_CACHE_SIZE"},
    {"bytes", "OPC_CACHE_BYTES"},
    {"launches", "ACLNN_CACHE_LIMIT"},
    {"disable", "ACLNN_DISABLE_CACHE"},
    {"disk_mb", "ASCEND_MAX_OP_CACHE_SIZE"},
    {"remain_percent", "ASCEND_REMAIN_CACHE_SIZE_RATIO"},
    {"log", "ACL_LOG_LEVEL"},
    {"trace", "OPC_CACHE_TRACE"},
};

static std::vector<std::string> settingNames() {
  std::vector<std::string> names;
  for (const Setting &setting : kSettings)
    names.push_back(setting.name);
  return names;
}

std::vector<std::string> cacheVariables() {
  std::vector<std::string> names;
  for (const Setting &setting : kSettings)
    names.emplace_back(setting.variable);
  return names;
}

/// An XDG folder of opc; empty when HOME is not set.
static std::string xdgFolder(const char *variable, const char *below) {
  const char *folder = std::getenv(variable);
  if (folder && folder[0] == '/')
    return std::string(folder) + "/opc";
  const char *home = std::getenv("HOME");
  return home && home[0] == '/' ? std::string(home) + below + "/opc" : std::string();
}

static bool unreadable(const Found &found, const std::string &name, const std::string &expected,
                       Diagnostics &diagnostics) {
  diagnostics.error(Code::E0113, {},
                    "setting '" + name + "' expects " + expected + ", found '" + printable(found.text) + "' (" +
                        printablePath(found.origin) + ")");
  return false;
}

/// Reads the settings of config.json as texts; false after an error when the file is malformed.
static bool readConfig(std::map<std::string, Found> &found, Diagnostics &diagnostics) {
  std::string folder = xdgFolder("XDG_CONFIG_HOME", "/.config");
  std::string path = folder + "/config.json";
  struct stat status;
  if (folder.empty() || (stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR)))
    return true;
  std::optional<std::string> text = readFile(path, 1 << 20, diagnostics);
  if (!text)
    return false;
  auto refuse = [&](const std::string &why) {
    diagnostics.error(Code::E0113, {path}, "expects settings as JSON: " + printable(why, 200));
    return false;
  };
  nlohmann::json json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return refuse(json.is_discarded() ? "it cannot be parsed" : "it is no object");
  auto cache = json.find("cache");
  // Ignore other parts of the file, but report a misspelt 'cache'.
  for (const auto &[name, value] : json.items())
    if (name != "cache" && !nearestName(name, {"cache"}).empty())
      return refuse("it has no part '" + printable(name) + "'; did you mean 'cache'?");
  if (cache == json.end())
    return true;
  if (!cache->is_object())
    return refuse("'cache' is no object");
  std::vector<std::string> names = settingNames();
  for (const auto &[name, value] : cache->items()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string nearest = nearestName(name, names);
      return refuse("'cache' has no setting '" + printable(name) + "'" +
                    (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    }
    std::string shown = value.is_string()    ? value.get<std::string>()
                        : value.is_boolean() ? (value.get<bool>() ? "1" : "0")
                                             : value.dump(-1, ' ', true);
    found[name] = {shown, path};
  }
  return true;
}

/// Parses a decimal number of digits only, at most `most`.
static bool readNumber(const Found &found, const std::string &name, uint64_t most, uint64_t &value,
                       Diagnostics &diagnostics) {
  uint64_t number = 0;
  bool whole = !found.text.empty();
  for (char digit : found.text) {
    whole &= digit >= '0' && digit <= '9';
    if (!whole || __builtin_mul_overflow(number, uint64_t(10), &number) ||
        __builtin_add_overflow(number, uint64_t(digit - '0'), &number)) {
      whole = false;
      break;
    }
  }
  if (!whole || number > most)
    return unreadable(found, name, "a number of 0 to " + std::to_string(most), diagnostics);
  value = number;
  return true;
}

static bool apply(CacheSettings &settings, const std::string &name, const Found &found, Diagnostics &diagnostics) {
  settings.origins[name] = found.origin;
  uint64_t number = 0;
  if (name == "path") {
    if (found.text.empty())
      return unreadable(found, name, "a folder", diagnostics);
    settings.path = found.text;
    return true;
  }
  if (name == "trace") {
    settings.trace = found.text;
    return true;
  }
  if (name == "log") {
    // The vendor's names and numbers of log levels.
    static const std::vector<std::string> levels = {"DEBUG", "INFO", "WARNING", "ERROR", "NULL"};
    std::string upper = found.text;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return char(c >= 'a' && c <= 'z' ? c - 32 : c); });
    auto level = std::find(levels.begin(), levels.end(), upper);
    size_t index = size_t(level - levels.begin());
    if (level == levels.end()) {
      if (upper.size() != 1 || upper[0] < '0' || upper[0] > '4')
        return unreadable(found, name, "DEBUG, INFO, WARNING, ERROR or NULL", diagnostics);
      index = size_t(upper[0] - '0');
    }
    settings.logHits = index <= 1;
    settings.logWarnings = index <= 2;
    return true;
  }
  constexpr uint64_t kMany = 1'000'000'000;
  uint64_t most = name == "disable" ? 1 : name == "remain_percent" ? 100 : name == "bytes" ? UINT64_MAX / 2 : kMany;
  if (!readNumber(found, name, most, number, diagnostics))
    return false;
  if (name == "kernels")
    settings.kernels = number;
  else if (name == "bytes")
    settings.bytes = number;
  else if (name == "launches")
    settings.launches = number;
  else if (name == "disable")
    settings.disable = number != 0;
  else if (name == "disk_mb")
    settings.diskMegabytes = number;
  else
    settings.remainPercent = unsigned(number);
  return true;
}

static std::optional<CacheSettings> read(const std::map<std::string, std::string> &flags, Diagnostics &diagnostics,
                                         bool needsPath) {
  std::map<std::string, Found> found;
  if (!readConfig(found, diagnostics))
    return std::nullopt;
  for (const Setting &setting : kSettings) {
    const char *value = std::getenv(setting.variable);
    if (value && (value[0] || std::string(setting.name) != "trace"))
      found[setting.name] = {value, setting.variable};
  }
  for (const auto &[name, value] : flags)
    found[name] = {value, "the command line"};
  CacheSettings settings;
  for (const Setting &setting : kSettings)
    settings.origins[setting.name] = "default";
  bool good = true;
  for (const auto &[name, value] : flags) {
    std::vector<std::string> names = settingNames();
    if (std::find(names.begin(), names.end(), name) != names.end())
      continue;
    std::string nearest = nearestName(name, names);
    diagnostics.error(Code::E0113, {}, "the cache has no setting '" + printable(name) + "' (the command line)", {},
                      nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    return std::nullopt;
  }
  for (const auto &[name, value] : found)
    good &= apply(settings, name, value, diagnostics);
  if (settings.path.empty())
    settings.path = xdgFolder("XDG_CACHE_HOME", "/.cache");
  if (good && needsPath && settings.path.empty()) {
    diagnostics.error(Code::E0113, {}, "setting 'path' expects a folder, and there is no HOME", {},
                      "set ASCEND_CACHE_PATH");
    good = false;
  }
  return good ? std::optional(settings) : std::nullopt;
}

std::optional<CacheSettings> readCacheSettings(const std::map<std::string, std::string> &flags,
                                               Diagnostics &diagnostics, bool needsPath) {
  try {
    return read(flags, diagnostics, needsPath);
  } catch (const nlohmann::json::exception &error) {
    diagnostics.error(Code::E0113, {}, std::string("settings cannot be read: ") + printable(error.what(), 200));
    return std::nullopt;
  }
}

} // namespace opc
