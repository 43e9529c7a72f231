// Writes a profile or a comparison as a folder of files.

#include "runtime/core/File.h"
#include "tools/opc/profile/Profile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace opc::tool {

namespace fs = std::filesystem;

/// Writes all files as temporary ones before it renames the first.
static bool writeInto(const fs::path &path, const std::vector<ProfileFile> &files, Diagnostics &diagnostics) {
  std::vector<AtomicFile> staged;
  for (const ProfileFile &file : files) {
    std::optional<AtomicFile> out = AtomicFile::create((path / file.name).string(), diagnostics);
    if (!out)
      return false;
    out->write(file.bytes.data(), file.bytes.size());
    if (out->failed(diagnostics))
      return false;
    staged.push_back(std::move(*out));
  }
  return std::all_of(staged.begin(), staged.end(), [&](AtomicFile &file) { return file.commit(diagnostics); });
}

bool writeProfileFolder(const std::string &folder, const std::string &what, const std::vector<ProfileFile> &files,
                        Diagnostics &diagnostics) {
  std::error_code error;
  const fs::path path(folder);
  if (fs::exists(path, error) && !fs::is_directory(path, error)) {
    diagnostics.error(Code::E0601, {}, "cannot write '" + printablePath(folder) + "': it is there and is no folder");
    return false;
  }
  if (fs::exists(path, error) && !fs::is_empty(path, error) && !fs::is_regular_file(path / (what + ".json"), error)) {
    diagnostics.error(Code::E0604, {},
                      "expects a new folder, an empty one, or one with a " + what + ": '" + printablePath(folder) +
                          "' holds something else");
    return false;
  }
  const bool isNew = !fs::exists(path, error);
  fs::create_directories(path, error);
  if (error) {
    diagnostics.error(Code::E0601, {}, "cannot write '" + printablePath(folder) + "': " + error.message());
    return false;
  }
  if (writeInto(path, files, diagnostics))
    return true;
  if (isNew)
    fs::remove(path, error); // only if it is empty
  return false;
}

} // namespace opc::tool
