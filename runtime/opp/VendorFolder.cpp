#include "runtime/opp/VendorFolder.h"

#include "runtime/core/File.h"
#include "runtime/program/ManifestNames.h"
#include "runtime/program/SimulatorProgram.h"
#include "runtime/program/format/Sha256.h"
#include "runtime/program/opc_kernel_library.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace opc {

/// Largest file of a package, and largest manifest.
static constexpr uint64_t kMaxFile = 256u << 20;
static constexpr uint64_t kMaxManifest = 16u << 20;
/// Most files and folders of a package.
static constexpr size_t kMaxEntries = 1u << 17;

/// Opens a file below a folder, one path component at a time, without following links. Returns the error, empty
/// on success.
static std::string openBelow(const std::string &folder, const std::string &path, int &fd) {
  if (std::string wrong = checkPackagePath(path); !wrong.empty())
    return wrong;
  int at = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (at < 0)
    return std::strerror(errno);
  for (size_t from = 0; from < path.size();) {
    size_t to = std::min(path.find('/', from), path.size());
    std::string part = path.substr(from, to - from);
    bool last = to == path.size();
    int next = openat(at, part.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (last ? O_NONBLOCK : O_DIRECTORY));
    int error = errno;
    close(at);
    if (next < 0)
      return error == ELOOP || error == ENOTDIR ? "is a link, or leads through one"
             : error == ENOENT                  ? "is missing"
                                                : std::strerror(error);
    at = next;
    from = to + 1;
  }
  fd = at;
  return {};
}

/// Reads a regular file below a folder, which must have `size` bytes, or at most `limit` if `size` is UINT64_MAX.
/// Returns the error, empty on success.
static std::string readBelow(const std::string &folder, const std::string &path, uint64_t size, uint64_t limit,
                             std::string &bytes) {
  int fd = -1;
  if (std::string wrong = openBelow(folder, path, fd); !wrong.empty())
    return wrong;
  struct stat status;
  std::string wrong;
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
    wrong = "is no regular file";
  else if (size != UINT64_MAX && uint64_t(status.st_size) != size)
    wrong = "has " + std::to_string(status.st_size) + " bytes, the manifest says " + std::to_string(size);
  else if (uint64_t(status.st_size) > limit)
    wrong = "has " + std::to_string(status.st_size) + " bytes, at most " + std::to_string(limit) + " are taken";
  if (wrong.empty()) {
    bytes.resize(static_cast<size_t>(status.st_size));
    size_t done = 0;
    while (done < bytes.size()) {
      ssize_t count = read(fd, bytes.data() + done, bytes.size() - done);
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        break;
      done += static_cast<size_t>(count);
    }
    if (done != bytes.size())
      wrong = "cannot be read to its end";
  }
  close(fd);
  return wrong;
}

bool hasPackageManifest(const std::string &folder) {
  std::error_code error;
  return fs::exists(fs::symlink_status(folder + "/" + kPackageManifestName, error));
}

/// The vendor folder that a path refers to; empty, with the reason in `why`, when there is none or several.
static std::string findFolder(const std::string &path, std::string &why) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    why = "it is no folder";
    return {};
  }
  if (hasPackageManifest(path))
    return path;
  std::vector<std::string> found;
  for (fs::directory_iterator entry(path + "/vendors", error), end; !error && entry != end; entry.increment(error))
    if (hasPackageManifest(entry->path().string()))
      found.push_back(entry->path().string());
  if (found.size() == 1)
    return found.front();
  why = found.empty() ? "it has no package.json" : "it holds several vendors; name one of them";
  return {};
}

std::optional<VendorFolder> openPackage(const std::string &path, Diagnostics &diagnostics) {
  VendorFolder package;
  std::string why, text;
  std::string given = path;
  while (given.size() > 1 && given.back() == '/')
    given.pop_back();
  package.path = findFolder(given, why);
  if (why.empty())
    why = readBelow(package.path, kPackageManifestName, UINT64_MAX, kMaxManifest, text);
  else
    why = "expects a package: '" + printablePath(path) + "': " + why;
  if (!package.path.empty() && why.empty())
    why = readPackageManifest(text, package.manifest);
  if (why.empty())
    return package;
  if (package.path.empty())
    diagnostics.error(Code::E0540, {}, why, {}, "'opc pkg build <contracts> --version=1.0.0 --output=DIR' makes one");
  else
    diagnostics.error(Code::E0540, {package.path + "/" + kPackageManifestName},
                      "expects a package's manifest: " + printable(why, 300));
  return std::nullopt;
}

static void damaged(const VendorFolder &package, const std::string &path, const std::string &why,
                    Diagnostics &diagnostics) {
  diagnostics.error(Code::E0541, {package.path + "/" + kPackageManifestName},
                    "expects every file as the manifest lists it: '" + printable(path, 200) + "' " + why, {},
                    "build or install the package again");
}

std::optional<std::string> readPackageFile(const VendorFolder &package, const PackageEntry &entry,
                                           Diagnostics &diagnostics) {
  std::string bytes;
  std::string wrong = readBelow(package.path, entry.path, entry.size, kMaxFile, bytes);
  if (wrong.empty() && sha256(bytes) != entry.sha256)
    wrong = "has other bytes than its checksum says";
  if (wrong.empty())
    return bytes;
  damaged(package, entry.path, wrong, diagnostics);
  return std::nullopt;
}

/// Reports files that the manifest does not list, links, and special files.
static void checkForeign(const VendorFolder &package, Diagnostics &diagnostics) {
  std::vector<std::string> known = {kPackageManifestName};
  for (const PackageEntry &file : package.manifest.files)
    known.push_back(file.path);
  for (const PackageAbsence &absence : package.manifest.absent)
    known.push_back(absence.path);
  std::sort(known.begin(), known.end());
  std::error_code error;
  size_t count = 0;
  for (fs::recursive_directory_iterator entry(package.path, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string path = entry->path().lexically_relative(package.path).generic_string();
    if (++count > kMaxEntries) {
      damaged(package, path, "is one of more files than a package may have", diagnostics);
      return;
    }
    fs::file_status status = entry->symlink_status(error);
    if (fs::is_directory(status))
      continue;
    bool listed = std::binary_search(known.begin(), known.end(), path);
    if (fs::is_symlink(status))
      damaged(package, path, "is a link", diagnostics);
    else if (!fs::is_regular_file(status))
      damaged(package, path, "is no regular file", diagnostics);
    else if (!listed)
      damaged(package, path, "is not listed", diagnostics);
  }
  if (error)
    damaged(package, ".", "cannot be walked through: " + error.message(), diagnostics);
}

bool verifyPackage(const VendorFolder &package, Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  checkForeign(package, diagnostics);
  for (const PackageEntry &entry : package.manifest.files)
    readPackageFile(package, entry, diagnostics);
  return diagnostics.errorCount() == before;
}

bool checkFormats(const VendorFolder &package, Diagnostics &diagnostics) {
  const PackageFormats &formats = package.manifest.formats;
  bool good = true;
  auto check = [&](const char *what, unsigned found, unsigned expected) {
    if (found == expected)
      return;
    good = false;
    diagnostics.error(Code::E0546, {package.path + "/" + kPackageManifestName},
                      std::string("expects ") + what + " of version " + std::to_string(expected) + ", found " +
                          std::to_string(found) + " (written by " + printable(package.manifest.compiler) + ")",
                      {}, "build the package again with this opc");
  };
  check("manifests", formats.manifest, kManifestVersion);
  check("simulator programs", formats.simulatorProgram, kSimulatorProgramVersion);
  check("CPU libraries", formats.kernelLibrary, OPC_KERNEL_LIBRARY_VERSION);
  return good;
}

} // namespace opc
