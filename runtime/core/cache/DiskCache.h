// Op folders by key, on disk, shared by all processes of a user.
//
//   <path>/kernel_cache/v1/
//     entries/<hash>/            an op folder and entry.json: key, checksum of the manifest, bytes
//     staging/<hash>.<pid>.<n>/  an entry being written: renamed when it is complete
//     locks/<hash>               serialises compilations of a key across processes (flock)
//     aside/<hash>.<pid>.<n>/    entries that were found damaged
//
// The name of an entry is the SHA-256 of its key. A reader first checks every file against its checksum and holds a
// shared lock on entry.json while it uses the entry. A process that removes an entry takes that lock exclusively and
// renames the folder before it deletes it. A process that is killed leaves at most staging folders; the next process
// that holds the key's lock removes them. Files are not flushed: checksums detect files that a power failure damaged,
// and the entry is compiled again.

#ifndef OPC_RUNTIME_CORE_CACHE_DISKCACHE_H
#define OPC_RUNTIME_CORE_CACHE_DISKCACHE_H

#include "runtime/compiler.h"
#include "runtime/core/operator/OpFolder.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc {

/// A lock on a file; the destructor releases it.
class FileLock {
public:
  /// Waits for the lock, and creates the file if needed; nullopt when that fails.
  static std::optional<FileLock> exclusive(const std::string &path);
  /// Locks an existing file without waiting; nullopt when the file does not exist or another process holds the
  /// exclusive lock.
  static std::optional<FileLock> shared(const std::string &path);
  /// Does not wait; nullopt when another process holds the lock or has removed the file.
  static std::optional<FileLock> tryExclusive(const std::string &path);
  FileLock(FileLock &&other) noexcept;
  FileLock &operator=(FileLock &&) = delete;
  ~FileLock();
  /// The open file, which is at least readable.
  int file() const { return fd; }

private:
  explicit FileLock(int fd) : fd(fd) {}
  int fd;
};

/// An entry as `list` reports it.
struct DiskEntry {
  std::string hash;
  KernelKey key;
  uint64_t bytes = 0;
  int64_t lastUsed = 0; ///< seconds since 1970
  std::string problem;  ///< why the entry cannot be used, empty when it can
};

class DiskCache {
public:
  explicit DiskCache(std::string path) : root(std::move(path) + "/kernel_cache/v1") {}

  const std::string &folder() const { return root; }

  enum class Found { Yes, No, Damaged };
  struct Loaded {
    Found found = Found::No;
    OpFolder folder; ///< protects its entry from removal while it lives
    uint64_t bytes = 0;
    std::string problem; ///< of a damaged entry
  };
  /// Looks up an entry. Without the key's lock `Damaged` is provisional, since another process may have replaced the
  /// entry meanwhile; a caller that takes the lock and gets `Damaged` again may set the entry aside.
  Loaded load(const KernelKey &key) const;
  /// Takes the lock of a key by its hash; waits while another process compiles the key. Returns nullopt after
  /// reporting E0620 when the cache is not writable.
  std::optional<FileLock> lock(const std::string &hash, Diagnostics &diagnostics);
  /// Writes an entry to a staging folder and renames it to its final name. The caller must hold the key's lock.
  /// Returns false after reporting E0620 on failure; nothing is left then.
  bool publish(const KernelKey &key, const std::vector<KernelFile> &files, Diagnostics &diagnostics);

  /// All entries, most recently used first. With `verify` every file is compared with its checksum.
  std::vector<DiskEntry> list(bool verify = false) const;
  /// Removes an entry that is not in use. Returns whether it was removed.
  bool remove(const std::string &hash);
  /// Moves a damaged entry to aside/, for inspection. The caller must hold the key's lock, since otherwise it could
  /// move a new entry that has replaced the damaged one.
  bool setAside(const std::string &hash);
  /// Checks an entry again under the key's lock and sets it aside when it is damaged and the cache is writable.
  /// Returns false when it is not damaged, since another process has replaced it.
  bool isStillDamaged(const std::string &hash);
  struct Purged {
    size_t entries = 0, leftovers = 0; ///< leftovers: staging folders and entries set aside
    uint64_t bytes = 0;
  };
  /// When entries take more than `limit` bytes, evicts the least recently used ones until they take `remain` percent
  /// of it.
  Purged purge(uint64_t limit, unsigned remain);
  /// Removes staging folders of processes that have ended, and entries set aside.
  Purged clearLeftovers();

  /// Writes files below `path`, none of which may exist. Returns false after reporting E0620 on failure.
  static bool writeFolder(const std::string &path, const std::vector<KernelFile> &files, Diagnostics &diagnostics);

private:
  std::string entryPath(const std::string &hash) const { return root + "/entries/" + hash; }
  std::string freshName(const std::string &below, const std::string &hash) const;
  std::string root;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_DISKCACHE_H
