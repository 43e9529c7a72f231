#include "runtime/core/cache/DiskCache.h"

#include "runtime/core/File.h"
#include "runtime/core/cache/EntryFile.h"
#include "runtime/program/format/Sha256.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace opc {

static bool lockFile(int fd, int how) {
  while (flock(fd, how) != 0)
    if (errno != EINTR)
      return false;
  return true;
}

/// Opens and locks a file; -1 on failure.
static int openLocked(const std::string &path, int flags, int how) {
  int fd = open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (fd >= 0 && !lockFile(fd, how)) {
    close(fd);
    fd = -1;
  }
  return fd;
}

/// Whether the path still names the open file, which may have been removed between opening and locking.
static bool stillThere(int fd, const std::string &path) {
  struct stat mine, there;
  return fstat(fd, &mine) == 0 && stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

std::optional<FileLock> FileLock::exclusive(const std::string &path) {
  while (true) {
    int fd = openLocked(path, O_RDWR | O_CREAT, LOCK_EX);
    if (fd < 0)
      return std::nullopt;
    FileLock lock(fd);
    if (stillThere(fd, path))
      return lock;
  }
}

std::optional<FileLock> FileLock::shared(const std::string &path) {
  int fd = openLocked(path, O_RDONLY, LOCK_SH | LOCK_NB);
  if (fd < 0)
    return std::nullopt;
  FileLock lock(fd);
  return stillThere(fd, path) ? std::optional(std::move(lock)) : std::nullopt;
}

std::optional<FileLock> FileLock::tryExclusive(const std::string &path) {
  int fd = openLocked(path, O_RDWR, LOCK_EX | LOCK_NB);
  if (fd < 0)
    return std::nullopt;
  FileLock lock(fd);
  return stillThere(fd, path) ? std::optional(std::move(lock)) : std::nullopt;
}

FileLock::FileLock(FileLock &&other) noexcept : fd(std::exchange(other.fd, -1)) {
}

FileLock::~FileLock() {
  if (fd >= 0)
    close(fd);
}

static bool cannotWrite(const std::string &path, const std::string &why, Diagnostics &diagnostics) {
  diagnostics.error(Code::E0620, {}, "cannot write the kernel cache at '" + printablePath(path) + "': " + why, {},
                    "'opc cache gc' makes room; ASCEND_CACHE_PATH names another folder");
  return false;
}

static bool makeFolders(const std::string &path, Diagnostics &diagnostics) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? cannotWrite(path, error.message(), diagnostics) : true;
}

std::string DiskCache::freshName(const std::string &below, const std::string &hash) const {
  static std::atomic<unsigned> counter{0};
  return root + "/" + below + "/" + hash + "." + std::to_string(getpid()) + "." + std::to_string(counter++);
}

std::optional<FileLock> DiskCache::lock(const std::string &hash, Diagnostics &diagnostics) {
  if (!makeFolders(root + "/locks", diagnostics))
    return std::nullopt;
  std::string path = root + "/locks/" + hash;
  std::optional<FileLock> lock = FileLock::exclusive(path);
  if (!lock)
    cannotWrite(path, std::strerror(errno), diagnostics);
  return lock;
}

bool DiskCache::setAside(const std::string &hash) {
  std::error_code error;
  fs::create_directories(root + "/aside", error);
  fs::rename(entryPath(hash), freshName("aside", hash), error);
  return !error;
}

static constexpr char kOtherKey[] = "its key is another entry's";

/// Checks an entry whose entry.json was read and has the right key. Returns the error, or empty after opening `folder`.
static std::string checkEntry(const std::string &path, const EntryFile &entry, std::optional<OpFolder> &folder) {
  Diagnostics diagnostics;
  std::optional<std::string> manifest = readFile(path + "/manifest.json", 16 << 20, diagnostics);
  if (!manifest || sha256(*manifest) != entry.manifestSha256)
    return "manifest.json is no longer the file that was written";
  folder = openOpFolder(path, *manifest, diagnostics);
  return folder ? std::string() : diagnostics.all().front().message;
}

DiskCache::Loaded DiskCache::load(const KernelKey &key) const {
  Loaded loaded;
  const std::string text = key.text(), path = entryPath(sha256(text));
  // Open the folder before its files, so that an entry that is published meanwhile is not mistaken for one
  // without entry.json.
  const int folderFd = open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folderFd < 0)
    return loaded;
  std::optional<FileLock> use = FileLock::shared(path + "/entry.json");
  if (!use) {
    // Another process is removing the entry, or entry.json is missing and the folder is still the same.
    bool lacks = faccessat(folderFd, "entry.json", F_OK, 0) != 0 && stillThere(folderFd, path);
    loaded.found = lacks ? Found::Damaged : Found::No;
    loaded.problem = lacks ? "entry.json is missing" : "";
  }
  close(folderFd);
  if (!use)
    return loaded;
  EntryFile entry;
  std::optional<OpFolder> folder;
  loaded.problem = readEntryFile(use->file(), path + "/entry.json", entry);
  if (loaded.problem.empty() && entry.key != text)
    loaded.problem = kOtherKey;
  if (loaded.problem.empty())
    loaded.problem = checkEntry(path, entry, folder);
  if (!loaded.problem.empty()) {
    loaded.found = Found::Damaged;
    return loaded;
  }
  futimens(use->file(), nullptr); // the time of last use
  loaded.found = Found::Yes;
  loaded.folder = std::move(*folder);
  loaded.folder.keep = std::make_shared<FileLock>(std::move(*use));
  loaded.bytes = entry.bytes;
  return loaded;
}

bool DiskCache::writeFolder(const std::string &path, const std::vector<KernelFile> &files, Diagnostics &diagnostics) {
  for (const KernelFile &file : files) {
    std::string whole = path + "/" + file.path;
    if (!makeFolders(whole.substr(0, whole.rfind('/')), diagnostics))
      return false;
    int fd = open(whole.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    size_t done = 0;
    while (fd >= 0 && done < file.bytes.size()) {
      ssize_t count = write(fd, file.bytes.data() + done, file.bytes.size() - done);
      if (count < 0 && errno != EINTR)
        break;
      done += count > 0 ? size_t(count) : 0;
    }
    int failure = fd < 0 || done < file.bytes.size() ? errno : 0;
    if (fd >= 0 && close(fd) != 0 && !failure)
      failure = errno;
    if (failure)
      return cannotWrite(whole, std::strerror(failure), diagnostics);
  }
  return true;
}

/// The names of all folders in `path`.
static std::vector<std::string> foldersIn(const std::string &path) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool DiskCache::publish(const KernelKey &key, const std::vector<KernelFile> &files, Diagnostics &diagnostics) {
  std::string hash = key.hash(), staging = root + "/staging";
  if (!makeFolders(staging, diagnostics) || !makeFolders(root + "/entries", diagnostics))
    return false;
  std::error_code error;
  // The caller holds the key's lock, so existing staging folders of this key are from processes that have ended.
  for (const std::string &name : foldersIn(staging))
    if (name.compare(0, hash.size() + 1, hash + ".") == 0)
      fs::remove_all(staging + "/" + name, error);
  std::string fresh = freshName("staging", hash);
  EntryFile entry;
  entry.key = key.text();
  for (const KernelFile &file : files) {
    entry.bytes += file.bytes.size();
    if (file.path == "manifest.json")
      entry.manifestSha256 = sha256(file.bytes);
  }
  std::vector<KernelFile> all = files;
  all.push_back({"entry.json", writeEntryFile(entry)});
  bool written = writeFolder(fresh, all, diagnostics);
  if (written) {
    // An existing entry was published by a process whose lock was not visible here; it is equivalent.
    if (rename(fresh.c_str(), entryPath(hash).c_str()) == 0)
      return true;
    written = errno == EEXIST || errno == ENOTEMPTY;
    if (!written)
      cannotWrite(entryPath(hash), std::strerror(errno), diagnostics);
  }
  fs::remove_all(fresh, error);
  return written;
}

std::vector<DiskEntry> DiskCache::list(bool verify) const {
  std::vector<DiskEntry> entries;
  for (const std::string &name : foldersIn(root + "/entries")) {
    std::string path = entryPath(name);
    DiskEntry entry;
    entry.hash = name;
    EntryFile file;
    entry.problem = readEntryFile(path + "/entry.json", file);
    struct stat status;
    if (stat((path + "/entry.json").c_str(), &status) == 0)
      entry.lastUsed = int64_t(status.st_mtime);
    else if (stat(path.c_str(), &status) != 0)
      continue; // removed meanwhile
    entry.bytes = file.bytes;
    std::optional<KernelKey> key = KernelKey::parse(file.key);
    if (key)
      entry.key = std::move(*key);
    else if (entry.problem.empty())
      entry.problem = "its key cannot be read";
    std::optional<OpFolder> folder;
    if (verify && entry.problem.empty())
      entry.problem = sha256(file.key) == name ? checkEntry(path, file, folder) : kOtherKey;
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(), [](const DiskEntry &a, const DiskEntry &b) {
    return a.lastUsed != b.lastUsed ? a.lastUsed > b.lastUsed : a.hash < b.hash;
  });
  return entries;
}

bool DiskCache::isStillDamaged(const std::string &hash) {
  Diagnostics ignored;
  std::optional<FileLock> alone = lock(hash, ignored);
  EntryFile file;
  std::optional<OpFolder> folder;
  std::string path = entryPath(hash);
  bool whole = readEntryFile(path + "/entry.json", file).empty() && KernelKey::parse(file.key) &&
               sha256(file.key) == hash && checkEntry(path, file, folder).empty();
  if (!whole && alone)
    setAside(hash);
  return !whole;
}

bool DiskCache::remove(const std::string &hash) {
  std::string path = entryPath(hash);
  std::optional<FileLock> alone = FileLock::tryExclusive(path + "/entry.json");
  std::error_code error;
  if (!alone && fs::exists(path + "/entry.json", error))
    return false; // in use
  // Rename first, which is atomic; the deletion may then take time.
  fs::create_directories(root + "/staging", error);
  std::string away = freshName("staging", hash);
  fs::rename(path, away, error);
  if (error)
    return false;
  fs::remove_all(away, error);
  return true;
}

DiskCache::Purged DiskCache::purge(uint64_t limit, unsigned remain) {
  Purged purged;
  std::vector<DiskEntry> entries = list();
  uint64_t total = 0;
  for (const DiskEntry &entry : entries)
    total += entry.bytes;
  if (total <= limit)
    return purged;
  uint64_t wanted = limit / 100 * remain + limit % 100 * remain / 100;
  for (auto entry = entries.rbegin(); entry != entries.rend() && total > wanted; ++entry) {
    if (!remove(entry->hash))
      continue;
    total -= entry->bytes;
    purged.bytes += entry->bytes;
    ++purged.entries;
  }
  return purged;
}

/// Whether the process of "<hash>.<pid>.<n>" is running.
static bool ownerLives(const std::string &name) {
  size_t first = name.find('.'), second = name.find('.', first + 1);
  if (first == std::string::npos || second == std::string::npos)
    return false;
  long pid = std::strtol(name.c_str() + first + 1, nullptr, 10);
  return pid > 0 && (kill(pid_t(pid), 0) == 0 || errno == EPERM);
}

DiskCache::Purged DiskCache::clearLeftovers() {
  Purged purged;
  std::error_code error;
  for (const std::string &name : foldersIn(root + "/staging"))
    if (!ownerLives(name) && fs::remove_all(root + "/staging/" + name, error) > 0)
      ++purged.leftovers;
  for (const std::string &name : foldersIn(root + "/locks"))
    if (std::optional<FileLock> alone = FileLock::tryExclusive(root + "/locks/" + name))
      fs::remove(root + "/locks/" + name, error);
  for (const std::string &name : foldersIn(root + "/aside"))
    if (fs::remove_all(root + "/aside/" + name, error) > 0)
      ++purged.leftovers;
  return purged;
}

} // namespace opc
