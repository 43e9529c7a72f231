// Each file of the folder is opened once, and its location, type and contents are checked on the same open file.

#include "runtime/core/operator/OpFolder.h"

#include "runtime/core/File.h"
#include "runtime/program/Sha256.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#if __has_include(<linux/openat2.h>) // since Linux 5.6
#include <linux/openat2.h>
#endif

namespace fs = std::filesystem;

namespace opc {

static constexpr int64_t kMaxManifest = 16 << 20;

/// Largest file of an op folder.
static constexpr int64_t kMaxFile = 256 << 20;

namespace {
/// An open file or folder, or none.
class Handle {
public:
  explicit Handle(int fd) : fd(fd) {}
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  ~Handle() {
    if (fd >= 0)
      close(fd);
  }
  const int fd;
};

/// A folder whose files are checked.
class Root {
public:
  explicit Root(const std::string &path) : path(path), folder(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  bool isFolder() const { return folder.fd >= 0; }
  bool has(const char *name) const { return faccessat(folder.fd, name, F_OK, 0) == 0; }
  /// The path of a file in messages, with links resolved.
  std::string shown(const char *name) const {
    std::error_code error;
    fs::path root = fs::canonical(path, error);
    return ((error ? fs::path(path) : root) / name).string();
  }
  /// Why a file of the manifest cannot be used, empty when it can. When `checksum` is not empty, its contents are
  /// compared; `changed` receives why it is not the file that was compiled.
  std::string check(const std::string &name, const std::string &checksum, std::string &changed) const;

private:
  int openInside(const std::string &name, int flags, std::string &why) const;
  int openByWay(const std::string &name, int flags, std::string &why) const;

  const std::string path;
  const Handle folder;
};
} // namespace

/// The fallback for every system: compares the canonical paths of the file and of the folder.
int Root::openByWay(const std::string &name, int flags, std::string &why) const {
  std::error_code error;
  fs::path root = fs::canonical(path, error);
  fs::path file = error ? fs::path() : fs::canonical(root / name, error);
  if (error) {
    why = "is missing";
    return -1;
  }
  std::string inside = file.lexically_relative(root).generic_string();
  if (inside.empty() || inside == ".." || inside.compare(0, 3, "../") == 0) {
    why = "leads out of the folder";
    return -1;
  }
  return open(file.c_str(), flags);
}

int Root::openInside(const std::string &name, int flags, std::string &why) const {
#ifdef SYS_openat2
  struct open_how how{};
  how.flags = uint64_t(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long fd = syscall(SYS_openat2, folder.fd, name.c_str(), &how, sizeof how);
  if (fd >= 0)
    return int(fd);
  if (errno == ENOENT || errno == ENOTDIR)
    why = "is missing";
  if (!why.empty() || errno == EACCES)
    return -1;
  // Older kernels lack openat2, and openat2 refuses absolute links that point back into the folder.
#endif
  return openByWay(name, flags, why);
}

std::string Root::check(const std::string &name, const std::string &checksum, std::string &changed) const {
  // O_NONBLOCK: opening a pipe without a writer must not hang.
  const int flags = O_CLOEXEC | (checksum.empty() ? O_PATH : O_RDONLY | O_NONBLOCK);
  std::string why;
  const Handle file(openInside(name, flags, why));
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

static std::optional<OpFolder> openWith(const Root &root, const std::string &path, const std::string &text,
                                        Diagnostics &diagnostics) {
  OpFolder folder;
  folder.path = path;
  if (std::string why = readManifest(text, folder.manifest); !why.empty()) {
    diagnostics.error(Code::E0500, {root.shown("manifest.json")},
                      "the manifest cannot be taken: " + printable(why, 300));
    return std::nullopt;
  }
  bool whole = true;
  std::string changedFile, changed;
  for (const auto &[file, checksum] : filesOf(folder.manifest)) {
    std::string different;
    std::string why = root.check(file, checksum, different);
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

std::optional<OpFolder> openOpFolder(const std::string &path, const std::string &manifestText,
                                     Diagnostics &diagnostics) {
  const Root root(path);
  if (!root.isFolder())
    return noFolder(path, "is no folder", diagnostics);
  return openWith(root, path, manifestText, diagnostics);
}

std::optional<OpFolder> openOpFolder(const std::string &path, Diagnostics &diagnostics) {
  const Root root(path);
  if (!root.isFolder())
    return noFolder(path, "is no folder", diagnostics);
  if (!root.has("manifest.json"))
    return noFolder(path, "has no manifest.json", diagnostics);
  std::optional<std::string> text = readFile(root.shown("manifest.json"), kMaxManifest, diagnostics);
  return text ? openWith(root, path, *text, diagnostics) : std::nullopt;
}

} // namespace opc
