// Reads the ops-info JSON of a vendor folder, from any vendor: its keys are types of operators.

#include "runtime/opp/VendorFolder.h"

#include "runtime/core/File.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace opc {

static constexpr int64_t kMaxBytes = 16 << 20;
static constexpr int kMaxDepth = 16;
static constexpr size_t kMaxOperators = 1u << 14;

std::optional<std::vector<std::string>> operatorNames(const std::string &text) {
  bool deep = false;
  auto callback = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json &) {
    deep |= depth > kMaxDepth;
    // Drop nested values: only the outer keys are needed.
    return depth <= 1;
  };
  nlohmann::json json = nlohmann::json::parse(text, callback, /*allow_exceptions=*/false);
  if (deep || json.is_discarded() || !json.is_object() || json.size() > kMaxOperators)
    return std::nullopt;
  std::vector<std::string> names;
  for (const auto &[key, value] : json.items())
    if (key.size() <= 256)
      names.push_back(key);
  return names;
}

std::optional<std::vector<std::string>> declaredOperators(const std::string &folder, const std::string &chip,
                                                          Diagnostics &diagnostics) {
  std::vector<std::string> names;
  std::error_code error;
  for (const char *tree : {"/op_impl/ai_core/tbe/config/", "/op_impl/custom/ai_core/tbe/config/"}) {
    std::string file = folder + tree + chip + "/aic-" + chip + "-ops-info.json";
    if (!fs::exists(fs::symlink_status(file, error)))
      continue;
    std::optional<std::string> text = readFile(file, kMaxBytes, diagnostics);
    std::optional<std::vector<std::string>> keys;
    if (text)
      keys = operatorNames(*text);
    if (!keys) {
      if (text)
        diagnostics.error(Code::E0540, {file}, "expects a JSON object of operators, at most 16 levels deep");
      return std::nullopt;
    }
    names.insert(names.end(), keys->begin(), keys->end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

} // namespace opc
