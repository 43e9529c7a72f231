#include "runtime/opp/Install.h"

#include "runtime/opp/LoadPriority.h"
#include "runtime/opp/StagedFolder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace opc {

/// How long to wait for the lock of another process, in seconds.
static constexpr int kLockSeconds = 30;

namespace {

/// The lock of a place; the system releases it when the process ends.
class PlaceLock {
public:
  PlaceLock(const OppPlace &place, Diagnostics &diagnostics) {
    std::string path = place.vendors + "/.opc.lock";
    fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0) {
      diagnostics.error(Code::E0601, {}, "cannot write '" + printablePath(path) + "': " + std::strerror(errno));
      return;
    }
    for (int tenths = 0; tenths < kLockSeconds * 10; ++tenths) {
      if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        held = true;
        return;
      }
      if (errno != EWOULDBLOCK && errno != EINTR)
        break;
      timespec pause = {0, 100'000'000};
      nanosleep(&pause, nullptr);
    }
    diagnostics.error(Code::E0547, {path}, "expects to be the only one that changes this place");
  }
  ~PlaceLock() {
    if (fd >= 0)
      close(fd);
  }
  PlaceLock(const PlaceLock &) = delete;
  PlaceLock &operator=(const PlaceLock &) = delete;
  bool held = false;

private:
  int fd = -1;
};

} // namespace

/// Finds operators of the package that another vendor at the place has too.
static bool findCollisions(const VendorFolder &package, const OppPlace &place, std::vector<Collision> &collisions,
                           Diagnostics &diagnostics) {
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator entry(place.vendors, error), end; !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.front() != '.' && name != package.manifest.vendor && entry->is_directory(error))
      folders.push_back(entry->path());
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path &folder : folders)
    for (const std::string &chip : package.manifest.chips) {
      auto declared = declaredOperators(folder.string(), chip, diagnostics);
      if (!declared)
        return false;
      for (const PackageOperator &op : package.manifest.operators)
        if (std::binary_search(declared->begin(), declared->end(), op.opType))
          collisions.push_back({op.opType, folder.filename().string()});
    }
  return true;
}

static bool refuseCollisions(const std::vector<Collision> &collisions, Diagnostics &diagnostics) {
  for (const Collision &collision : collisions)
    diagnostics.error(Code::E0544, {},
                      "expects operators that no other vendor has: '" + collision.opType + "' is also of '" +
                          printable(collision.vendor) + "'",
                      {}, "build the package with --prefix, or install it with --force");
  return collisions.empty();
}

/// Whether the existing folder of a vendor may be replaced; reports an error otherwise.
static bool mayReplace(const std::string &folder, Diagnostics &diagnostics) {
  std::error_code error;
  fs::file_status status = fs::symlink_status(folder, error);
  if (!fs::exists(status))
    return true;
  if (fs::is_directory(status) && (fs::is_empty(folder, error) || hasPackageManifest(folder)))
    return true;
  diagnostics.error(Code::E0540, {},
                    "expects a vendor that opc installed: '" + printablePath(folder) + "' was not installed by opc", {},
                    "give the package another vendor name, or remove that folder by hand");
  return false;
}

static bool stage(const VendorFolder &package, StagedFolder &folder, Diagnostics &diagnostics) {
  for (const PackageEntry &entry : package.manifest.files) {
    std::optional<std::string> bytes = readPackageFile(package, entry, diagnostics);
    if (!bytes || !folder.add(entry.path, *bytes, false, diagnostics))
      return false;
  }
  return folder.add(kPackageManifestName, writePackageManifest(package.manifest), false, diagnostics);
}

std::optional<InstallReport> installPackage(const VendorFolder &package, const OppPlace &place,
                                            const InstallOptions &options, Diagnostics &diagnostics) {
  const std::string &vendor = package.manifest.vendor;
  if (package.manifest.layout != "vendors") {
    diagnostics.error(Code::E0548, {package.path + "/" + kPackageManifestName},
                      "expects the layout 'vendors', found '" + package.manifest.layout + "'", {},
                      "opc pkg build --layout=vendors");
    return std::nullopt;
  }
  if (!checkFormats(package, diagnostics) || !verifyPackage(package, diagnostics))
    return std::nullopt;
  std::error_code error;
  fs::create_directories(place.vendors, error);
  if (error) {
    diagnostics.error(Code::E0601, {}, "cannot write '" + printablePath(place.vendors) + "': " + error.message());
    return std::nullopt;
  }
  PlaceLock lock(place, diagnostics);
  if (!lock.held)
    return std::nullopt;
  recover(place.vendors, /*all=*/true);

  InstallReport report;
  report.folder = place.vendors + "/" + vendor;
  std::optional<LoadPriority> priority = readLoadPriority(place.vendors, diagnostics);
  if (!priority || !mayReplace(report.folder, diagnostics) ||
      !findCollisions(package, place, report.collisions, diagnostics))
    return std::nullopt;
  if (!options.force && !refuseCollisions(report.collisions, diagnostics))
    return std::nullopt;

  report.replaced = hasPackageManifest(report.folder);
  std::optional<StagedFolder> folder = StagedFolder::create(report.folder, diagnostics);
  if (!folder || !stage(package, *folder, diagnostics) || !folder->publish(diagnostics))
    return std::nullopt;
  if (!priority->has(vendor)) {
    priority->vendors.insert(priority->vendors.begin(), vendor);
    if (!writeLoadPriority(place.vendors, *priority, diagnostics))
      return std::nullopt;
  }
  return report;
}

bool removeVendor(const std::string &vendor, const OppPlace &place, Diagnostics &diagnostics) {
  std::string folder = place.vendors + "/" + vendor;
  std::error_code error;
  if (!checkVendorName(vendor).empty() || !fs::is_directory(fs::symlink_status(folder, error))) {
    std::vector<std::string> names;
    for (fs::directory_iterator entry(place.vendors, error), end; !error && entry != end; entry.increment(error))
      if (entry->is_directory(error) && entry->path().filename().string().front() != '.')
        names.push_back(entry->path().filename().string());
    std::string nearest = nearestName(vendor, names);
    diagnostics.error(Code::E0545, {},
                      "expects a vendor at '" + printablePath(place.vendors) + "': found none named '" +
                          printable(vendor) + "'",
                      {}, nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    return false;
  }
  PlaceLock lock(place, diagnostics);
  if (!lock.held)
    return false;
  recover(place.vendors, /*all=*/true);
  if (!mayReplace(folder, diagnostics))
    return false;
  std::optional<LoadPriority> priority = readLoadPriority(place.vendors, diagnostics);
  if (!priority)
    return false;
  auto found = std::find(priority->vendors.begin(), priority->vendors.end(), vendor);
  if (found != priority->vendors.end()) {
    priority->vendors.erase(found);
    if (!writeLoadPriority(place.vendors, *priority, diagnostics))
      return false;
  }
  return removeFolder(folder, diagnostics);
}

} // namespace opc
