#include "runtime/core/OpFolder.h"

#include "runtime/core/File.h"
#include "runtime/program/Sha256.h"

#include <algorithm>
#include <filesystem>

namespace opc {

static constexpr int64_t kMaxManifest = 16 << 20;

/// Largest file of an op folder.
static constexpr int64_t kMaxFile = 256 << 20;

/// Why a file is not the one that was compiled, empty when it is.
static std::string checkContent(const std::filesystem::path &file, const std::string &expected) {
  Diagnostics diagnostics;
  std::optional<std::string> bytes = readFile(file.string(), kMaxFile, diagnostics);
  if (!bytes)
    return "cannot be read: " + diagnostics.all().front().message;
  return sha256(*bytes) == expected ? std::string() : "is no longer the file that was compiled";
}

/// Why a file of the manifest cannot be used, empty when it can.
static std::string checkFile(const std::filesystem::path &root, const std::string &name) {
  std::error_code error;
  std::filesystem::path file = std::filesystem::canonical(root / name, error);
  if (error)
    return "is missing";
  if (!std::filesystem::is_regular_file(file, error))
    return "is no regular file";
  std::string inside = file.lexically_relative(root).generic_string();
  if (inside.empty() || inside == ".." || inside.compare(0, 3, "../") == 0)
    return "leads out of the folder";
  return {};
}

std::optional<OpFolder> openOpFolder(const std::string &path, Diagnostics &diagnostics) {
  std::error_code error;
  std::string shown = printablePath(path);
  std::filesystem::path root = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_directory(root, error)) {
    diagnostics.error(Code::E0500, {}, "expects an op folder: '" + shown + "' is no folder", {},
                      "'opc compile <contract> --soc_version=Ascend310B --output=DIR' makes one");
    return std::nullopt;
  }
  std::filesystem::path manifestPath = root / "manifest.json";
  if (!std::filesystem::exists(manifestPath, error)) {
    diagnostics.error(Code::E0500, {}, "expects an op folder: '" + shown + "' has no manifest.json",
                      {},
                      "'opc compile <contract> --soc_version=Ascend310B --output=DIR' makes one");
    return std::nullopt;
  }
  std::optional<std::string> text = readFile(manifestPath.string(), kMaxManifest, diagnostics);
  if (!text)
    return std::nullopt;
  OpFolder folder;
  folder.path = path;
  if (std::string why = readManifest(*text, folder.manifest); !why.empty()) {
    diagnostics.error(Code::E0500, {manifestPath.string()},
                      "the manifest cannot be taken: " + printable(why, 300));
    return std::nullopt;
  }
  const Manifest &manifest = folder.manifest;
  std::vector<std::string> files;
  for (const ManifestFile &file : manifest.files)
    files.push_back(file.path);
  if (!manifest.cpuLibrary.empty())
    files.push_back(manifest.cpuLibrary);
  for (const ManifestKernel &kernel : manifest.kernels)
    if (!kernel.simulatorProgram.empty())
      files.push_back(kernel.simulatorProgram);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  bool whole = true;
  for (const std::string &file : files) {
    std::string why = checkFile(root, file);
    if (why.empty())
      continue;
    whole = false;
    diagnostics.error(Code::E0501, {manifestPath.string()},
                      "every file of the manifest lies in the folder: '" + printable(file) + "' " +
                          why);
  }
  if (!whole)
    return std::nullopt;
  for (const ManifestFile &file : manifest.files) {
    std::string why = checkContent(root / file.path, file.sha256);
    if (why.empty())
      continue;
    diagnostics.error(Code::E0501, {manifestPath.string()},
                      "every file of the manifest has its checksum: '" + printable(file.path) +
                          "' " + why,
                      {}, "compile the operator again");
    return std::nullopt;
  }
  return folder;
}

} // namespace opc
