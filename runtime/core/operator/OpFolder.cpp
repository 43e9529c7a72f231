// Each file of the folder is opened once, and its location, type and contents are checked on the same open file.

#include "runtime/core/operator/OpFolder.h"

#include "runtime/core/File.h"
#include "runtime/core/operator/UntrustedFolder.h"
#include "runtime/program/format/Sha256.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <utility>

namespace opc {

static constexpr int64_t kMaxManifest = 16 << 20;

/// Largest file of an op folder.
static constexpr int64_t kMaxFile = 256 << 20;

/// Why a file of the manifest cannot be used, empty when it can. When `checksum` is not empty, its contents are
/// compared; `changed` receives why it is not the file that was compiled.
static std::string checkFile(const UntrustedFolder &root, const std::string &name, const std::string &checksum,
                             std::string &changed) {
  // O_NONBLOCK: opening a pipe without a writer must not hang.
  const int flags = O_CLOEXEC | (checksum.empty() ? O_PATH : O_RDONLY | O_NONBLOCK);
  std::string why;
  const FileHandle file(root.openInside(name, flags, why));
  if (file.fd < 0) {
    if (why.empty())
      changed = std::string("cannot be read: ") + std::strerror(errno);
    return why;
  }
  struct stat status;
  if (fstat(file.fd, &status) != 0 || !S_ISREG(status.st_mode))
    return "is no regular file";
  if (checksum.empty())
    return {};
  Diagnostics diagnostics;
  std::optional<std::string> bytes = readOpenFile(file.fd, name, kMaxFile, diagnostics);
  if (!bytes)
    changed = "cannot be read: " + diagnostics.all().front().message;
  else if (sha256(*bytes) != checksum)
    changed = "is no longer the file that was compiled";
  return {};
}

/// Every file of a manifest, once with each of its checksums, or with an empty one when it has none.
static std::set<std::pair<std::string, std::string>> filesOf(const Manifest &manifest) {
  std::set<std::pair<std::string, std::string>> files;
  for (const ManifestFile &file : manifest.files)
    files.emplace(file.path, file.sha256);
  auto addNamed = [&files](const std::string &name) {
    auto found = files.lower_bound({name, ""});
    if (!name.empty() && (found == files.end() || found->first != name))
      files.emplace(name, "");
  };
  addNamed(manifest.cpuLibrary);
  for (const ManifestKernel &kernel : manifest.kernels)
    addNamed(kernel.simulatorProgram);
  return files;
}

static std::nullopt_t noFolder(const std::string &path, const char *why, Diagnostics &diagnostics) {
  diagnostics.error(Code::E0500, {}, "expects an op folder: '" + printablePath(path) + "' " + why, {},
                    "'opc compile <contract> --soc_version=Ascend310B --output=DIR' makes one");
  return std::nullopt;
}

static std::optional<OpFolder> openWith(const UntrustedFolder &root, const std::string &path, Manifest manifest,
                                        Diagnostics &diagnostics, const UsedFile &isUsed) {
  OpFolder folder;
  folder.path = path;
  folder.manifest = std::move(manifest);
  bool whole = true;
  std::string changedFile, changed;
  for (const auto &[file, checksum] : filesOf(folder.manifest)) {
    if (isUsed && !isUsed(folder.manifest, file))
      continue;
    std::string different;
    std::string why = checkFile(root, file, checksum, different);
    if (!different.empty() && changed.empty()) {
      changedFile = file;
      changed = different;
    }
    if (why.empty())
      continue;
    whole = false;
    diagnostics.error(Code::E0501, {root.shown("manifest.json")},
                      "every file of the manifest lies in the folder: '" + printable(file) + "' " + why);
  }
  if (!whole)
    return std::nullopt;
  if (!changed.empty()) {
    diagnostics.error(Code::E0501, {root.shown("manifest.json")},
                      "every file of the manifest has its checksum: '" + printable(changedFile) + "' " + changed, {},
                      "compile the operator again");
    return std::nullopt;
  }
  return folder;
}

std::optional<OpFolder> openOpFolder(const std::string &path, Manifest manifest, Diagnostics &diagnostics,
                                     const UsedFile &isUsed) {
  const UntrustedFolder root(path);
  if (!root.isFolder())
    return noFolder(path, "is no folder", diagnostics);
  return openWith(root, path, std::move(manifest), diagnostics, isUsed);
}

static std::optional<OpFolder> openText(const UntrustedFolder &root, const std::string &path, const std::string &text,
                                        Diagnostics &diagnostics) {
  Manifest manifest;
  if (std::string why = readManifest(text, manifest); !why.empty()) {
    diagnostics.error(Code::E0500, {root.shown("manifest.json")},
                      "the manifest cannot be taken: " + printable(why, 300));
    return std::nullopt;
  }
  return openWith(root, path, std::move(manifest), diagnostics, {});
}

std::optional<OpFolder> openOpFolder(const std::string &path, const std::string &manifestText,
                                     Diagnostics &diagnostics) {
  const UntrustedFolder root(path);
  if (!root.isFolder())
    return noFolder(path, "is no folder", diagnostics);
  return openText(root, path, manifestText, diagnostics);
}

std::optional<OpFolder> openOpFolder(const std::string &path, Diagnostics &diagnostics) {
  const UntrustedFolder root(path);
  if (!root.isFolder())
    return noFolder(path, "is no folder", diagnostics);
  if (!root.has("manifest.json"))
    return noFolder(path, "has no manifest.json", diagnostics);
  std::optional<std::string> text = readFile(root.shown("manifest.json"), kMaxManifest, diagnostics);
  return text ? openText(root, path, *text, diagnostics) : std::nullopt;
}

} // namespace opc
