#include "tools/opc/compile/model/ModelContracts.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace opc::tool {

namespace fs = std::filesystem;

/// Contracts of ops/library, by the path of each.
static const std::pair<const char *, const char *> kLibrary[] = {
#include "tools/opc/Library.inc"
};

/// The bodies of these contracts, by path.
static const std::pair<const char *, const char *> kBodies[] = {
#include "tools/opc/LibraryBodies.inc"
};

bool ModelContracts::read(const std::vector<std::string> &folders, Diagnostics &diagnostics) {
  auto bodyText = [](const std::string &path) -> std::string {
    auto found =
        std::find_if(std::begin(kBodies), std::end(kBodies), [&](const auto &each) { return path == each.first; });
    return found == std::end(kBodies) ? "" : found->second;
  };
  for (const auto &[path, text] : kLibrary)
    if (!addOfLibrary(text, path, bodyText, diagnostics))
      return false;
  return std::all_of(folders.begin(), folders.end(),
                     [&](const std::string &folder) { return addFolder(folder, /*ofUser=*/true, diagnostics); });
}

std::string libraryFolder() {
  if (const char *named = std::getenv("OPC_LIBRARY"); named && *named)
    return named;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return (program.parent_path().parent_path() / "share" / "opc" / "library").string();
}

std::string contractFile(const std::string &path) {
  bool ofLibrary =
      std::any_of(std::begin(kLibrary), std::end(kLibrary), [&](const auto &each) { return path == each.first; });
  return ofLibrary ? (fs::path(libraryFolder()) / path).string() : path;
}

} // namespace opc::tool
