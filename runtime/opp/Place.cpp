#include "runtime/opp/Place.h"

#include "runtime/opp/LoadPriority.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace fs = std::filesystem;

namespace opc {

static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// Splits a list at ':'; drops empty entries.
static std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(':', at), text.size());
    if (end != at)
      parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// The absolute path without a trailing slash.
static fs::path normal(const std::string &path) {
  std::error_code error;
  fs::path whole = fs::absolute(path, error).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

static OppPlace placeAt(const std::string &path, const char *said) {
  fs::path root = normal(path);
  if (root.parent_path().filename() == "vendors")
    root = root.parent_path().parent_path();
  else if (root.filename() == "vendors")
    root = root.parent_path();
  return {root.string(), (root / "vendors").string(), said};
}

std::optional<OppPlace> findPlace(const std::string &installPath, Diagnostics &diagnostics) {
  if (!installPath.empty())
    return placeAt(installPath, "--install-path");
  std::optional<OppPlace> place;
  for (const std::string &path : split(variable("ASCEND_CUSTOM_OPP_PATH"))) {
    OppPlace next = placeAt(path, "ASCEND_CUSTOM_OPP_PATH");
    if (place && place->root != next.root) {
      diagnostics.error(Code::E0542, {},
                        "expects one place to install to: ASCEND_CUSTOM_OPP_PATH names '" + printablePath(place->root) +
                            "' and '" + printablePath(next.root) + "'",
                        {}, "say which with --install-path");
      return std::nullopt;
    }
    place = next;
  }
  if (place)
    return place;
  if (std::string path = variable("ASCEND_OPP_PATH"); !path.empty())
    return placeAt(path, "ASCEND_OPP_PATH");
  diagnostics.error(Code::E0542, {},
                    "expects a place: neither --install-path nor ASCEND_CUSTOM_OPP_PATH nor "
                    "ASCEND_OPP_PATH names one",
                    {}, "--install-path=DIR");
  return std::nullopt;
}

/// Appends all vendors of a place: those of load_priority, then the rest by name.
static void addPlace(const OppPlace &place, std::vector<std::string> &folders, Diagnostics &diagnostics) {
  std::error_code error;
  std::vector<std::string> names, rest;
  if (std::optional<LoadPriority> priority = readLoadPriority(place.vendors, diagnostics))
    names = priority->vendors;
  for (fs::directory_iterator entry(place.vendors, error), end; !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.front() != '.' && entry->is_directory(error) && std::find(names.begin(), names.end(), name) == names.end())
      rest.push_back(name);
  }
  std::sort(rest.begin(), rest.end());
  names.insert(names.end(), rest.begin(), rest.end());
  for (const std::string &name : names)
    if (fs::is_directory(fs::path(place.vendors) / name, error))
      folders.push_back(place.vendors + "/" + name);
}

std::string placesText(const std::string &installPath) {
  if (!installPath.empty())
    return "in '" + printablePath(placeAt(installPath, "").vendors) + "'";
  std::string text;
  for (const char *name : {"ASCEND_CUSTOM_OPP_PATH", "ASCEND_OPP_PATH"})
    if (std::string value = variable(name); !value.empty())
      text += (text.empty() ? "where " : " and ") + std::string(name) + "='" + printablePath(value) + "'";
  return text.empty() ? "to be found: neither --install-path nor ASCEND_CUSTOM_OPP_PATH nor "
                        "ASCEND_OPP_PATH names a place"
                      : text + " points";
}

std::vector<std::string> vendorFolders(const std::string &installPath, Diagnostics &diagnostics) {
  std::vector<std::string> folders;
  std::error_code error;
  if (!installPath.empty()) {
    OppPlace place = placeAt(installPath, "--install-path");
    if (fs::is_directory(place.root, error))
      addPlace(place, folders, diagnostics);
    else
      diagnostics.error(Code::E0542, {},
                        "expects a folder that holds 'vendors': '" + printablePath(place.root) + "' is none", {},
                        "look at the spelling of --install-path");
    return folders;
  }
  for (const std::string &path : split(variable("ASCEND_CUSTOM_OPP_PATH"))) {
    fs::path folder = normal(path);
    // An entry is a vendor folder, or a folder with `vendors`, which means all vendors in it.
    if (fs::is_directory(folder / "vendors", error))
      addPlace(placeAt(path, "ASCEND_CUSTOM_OPP_PATH"), folders, diagnostics);
    else if (fs::is_directory(folder, error))
      folders.push_back(folder.string());
  }
  if (std::string path = variable("ASCEND_OPP_PATH"); !path.empty())
    addPlace(placeAt(path, "ASCEND_OPP_PATH"), folders, diagnostics);
  std::vector<std::string> once;
  for (const std::string &folder : folders)
    if (std::find(once.begin(), once.end(), folder) == once.end())
      once.push_back(folder);
  return once;
}

} // namespace opc
