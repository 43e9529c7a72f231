#include "runtime/opp/StagedFolder.h"

#include "runtime/program/PackageManifest.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace opc {

static constexpr const char *kStage = ".opc-stage-";
static constexpr const char *kOld = ".opc-old-";

static bool unwritable(Diagnostics &diagnostics, const std::string &path, const std::string &why) {
  diagnostics.error(Code::E0601, {}, "cannot write '" + printablePath(path) + "': " + why);
  return false;
}

/// Flushes the entries of a folder to the disk.
static bool flushFolder(const std::string &path) {
  int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return false;
  bool done = fsync(fd) == 0 || errno == EINVAL;
  close(fd);
  return done;
}

static std::string parentOf(const std::string &path) {
  std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

static std::string stageName(const std::string &parent) {
  static std::atomic<unsigned> counter{0};
  return parent + "/" + kStage + std::to_string(getpid()) + "-" + std::to_string(counter++);
}

std::optional<StagedFolder> StagedFolder::create(const std::string &target, Diagnostics &diagnostics) {
  std::error_code error;
  StagedFolder folder;
  folder.target = fs::absolute(target, error).lexically_normal().string();
  while (folder.target.size() > 1 && folder.target.back() == '/')
    folder.target.pop_back();
  std::string parent = parentOf(folder.target);
  fs::create_directories(parent, error);
  if (error) {
    unwritable(diagnostics, parent, error.message());
    return std::nullopt;
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = stageName(parent);
    if (mkdir(name.c_str(), 0755) == 0) {
      folder.staged = name;
      return folder;
    }
    if (errno != EEXIST)
      break;
  }
  unwritable(diagnostics, parent, std::strerror(errno));
  return std::nullopt;
}

bool StagedFolder::add(const std::string &path, std::string_view bytes, bool executable, Diagnostics &diagnostics) {
  if (std::string wrong = checkPackagePath(path); !wrong.empty())
    return unwritable(diagnostics, path, wrong);
  std::string whole = staged + "/" + path;
  std::error_code error;
  fs::create_directories(parentOf(whole), error);
  if (error)
    return unwritable(diagnostics, whole, error.message());
  int fd = open(whole.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, executable ? 0755 : 0644);
  if (fd < 0)
    return unwritable(diagnostics, whole, std::strerror(errno));
  int failure = 0;
  while (!bytes.empty() && !failure) {
    ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(static_cast<size_t>(count));
    else if (errno != EINTR)
      failure = errno;
  }
  if (!failure && fsync(fd) != 0 && errno != EINVAL)
    failure = errno;
  if (close(fd) != 0 && !failure)
    failure = errno;
  return failure ? unwritable(diagnostics, whole, std::strerror(failure)) : true;
}

/// Flushes a folder and all folders below. The order does not matter, since the tree is not visible yet.
static bool flushTree(const std::string &root) {
  std::error_code error;
  bool done = flushFolder(root);
  for (fs::recursive_directory_iterator entry(root, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_directory(error) && !entry->is_symlink(error))
      done = flushFolder(entry->path().string()) && done;
  return done && !error;
}

/// Exchanges two names atomically; returns 0 or errno.
static int exchangeNames(const std::string &a, const std::string &b) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0 ? 0 : errno;
#else
  static_cast<void>(a), static_cast<void>(b);
  return ENOSYS;
#endif
}

bool StagedFolder::publish(Diagnostics &diagnostics) {
  if (!flushTree(staged))
    return unwritable(diagnostics, staged, std::strerror(errno));
  std::string parent = parentOf(target);
  struct stat status;
  if (lstat(target.c_str(), &status) != 0) {
    if (std::rename(staged.c_str(), target.c_str()) != 0)
      return unwritable(diagnostics, target, std::strerror(errno));
    staged.clear();
    return flushFolder(parent) || unwritable(diagnostics, parent, std::strerror(errno));
  }
  if (!S_ISDIR(status.st_mode))
    return unwritable(diagnostics, target, "it is there and is no folder");
  if (exchangeNames(staged, target) == 0) {
    // `staged` is the old folder now.
    flushFolder(parent);
    removeFolder(std::exchange(staged, {}), diagnostics);
    return true;
  }
  // Without an atomic exchange the name does not exist for a moment; recover() restores the old folder if the process
  // ends there.
  std::string old = parent + "/" + kOld + fs::path(target).filename().string();
  std::error_code error;
  fs::remove_all(old, error);
  if (std::rename(target.c_str(), old.c_str()) != 0)
    return unwritable(diagnostics, target, std::strerror(errno));
  if (std::rename(staged.c_str(), target.c_str()) != 0) {
    int cause = errno;
    std::rename(old.c_str(), target.c_str());
    return unwritable(diagnostics, target, std::strerror(cause));
  }
  staged.clear();
  flushFolder(parent);
  fs::remove_all(old, error);
  return true;
}

StagedFolder::StagedFolder(StagedFolder &&other) noexcept
    : target(std::move(other.target)), staged(std::exchange(other.staged, {})) {
}

StagedFolder::~StagedFolder() {
  std::error_code error;
  if (!staged.empty())
    fs::remove_all(staged, error);
}

bool removeFolder(const std::string &path, Diagnostics &diagnostics) {
  std::string parent = parentOf(path), aside = path;
  std::string name = fs::path(path).filename().string();
  if (name.rfind(kStage, 0) != 0) {
    aside = stageName(parent);
    if (std::rename(path.c_str(), aside.c_str()) != 0)
      return unwritable(diagnostics, path, std::strerror(errno));
    flushFolder(parent);
  }
  // The rename made it invisible; recover() deletes later what cannot be deleted now.
  std::error_code error;
  fs::remove_all(aside, error);
  return true;
}

/// Whether the process that made a staging folder is gone.
static bool isStale(const std::string &name) {
  std::string_view rest = std::string_view(name).substr(std::strlen(kStage));
  int pid = 0;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), pid);
  if (error != std::errc() || pid <= 0)
    return false;
  return kill(pid, 0) != 0 && errno == ESRCH;
}

void recover(const std::string &parent, bool all) {
  std::error_code error;
  std::vector<fs::path> stages, olds;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.rfind(kStage, 0) == 0 && (all || isStale(name)))
      stages.push_back(entry->path());
    else if (name.rfind(kOld, 0) == 0)
      olds.push_back(entry->path());
  }
  for (const fs::path &old : olds) {
    std::string name = old.filename().string().substr(std::strlen(kOld));
    fs::path place = old.parent_path() / name;
    if (!fs::exists(fs::symlink_status(place, error)))
      std::rename(old.c_str(), place.c_str());
    else if (all)
      fs::remove_all(old, error);
  }
  for (const fs::path &stage : stages)
    fs::remove_all(stage, error);
}

} // namespace opc
