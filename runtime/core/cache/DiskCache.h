// Op folders by key, on disk, shared by all processes of a user.
//
//   <path>/kernel_cache/v1/
//     entries/<hash>/            an op folder and entry.json: key, checksum of the manifest, bytes
//     staging/<hash>.<pid>.<n>/  an entry on its way: renamed when it is whole
//     locks/<hash>               one compile a key, whoever asks (flock)
//     aside/<hash>.<pid>.<n>/    entries that were found damaged
//
// The address of an entry is the SHA-256 of its key. A reader holds a shared lock on entry.json while it uses the
// entry, and checks every file against its checksum first; whoever removes an entry takes that lock alone and renames
// the folder away before deleting it. A process that is killed at any moment leaves staging folders and nothing else;
// the next one to hold the key's lock clears them. Files are not flushed: what a power cut tears, the checksums find,
// and it is built again.

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

/// A lock on a file, released with the object.
class FileLock {
public:
  /// Waits; nothing when the file cannot be made.
  static std::optional<FileLock> exclusive(const std::string &path);
  /// Of a file that exists; nothing when there is none or somebody holds it alone.
  static std::optional<FileLock> shared(const std::string &path);
  /// Does not wait; nothing when somebody holds it, or removed the file meanwhile.
  static std::optional<FileLock> tryExclusive(const std::string &path);
  FileLock(FileLock &&other) noexcept;
  FileLock &operator=(FileLock &&) = delete;
  ~FileLock();
  /// The open file, for reading at least.
  int file() const { return fd; }

private:
  explicit FileLock(int fd) : fd(fd) {}
  int fd;
};

/// What `list` tells of an entry.
struct DiskEntry {
  std::string hash;
  KernelKey key;
  uint64_t bytes = 0;
  int64_t lastUsed = 0; ///< seconds since 1970
  std::string problem;  ///< why it cannot be used, empty when it can
};

class DiskCache {
public:
  explicit DiskCache(std::string path) : root(std::move(path) + "/kernel_cache/v1") {}

  const std::string &folder() const { return root; }

  enum class Found { Yes, No, Damaged };
  struct Loaded {
    Found found = Found::No;
    OpFolder folder; ///< keeps its entry from being removed while it lives
    uint64_t bytes = 0;
    std::string problem; ///< of a damaged entry
  };
  /// Without the key's lock `Damaged` is a suspicion: the entry may have been replaced meanwhile. Whoever takes the
  /// lock and finds it again may set the entry aside.
  Loaded load(const KernelKey &key) const;
  /// Waits for whoever builds the key of this hash; nothing, with E0620, when the cache cannot be written.
  std::optional<FileLock> lock(const std::string &hash, Diagnostics &diagnostics);
  /// Writes an entry and renames it into its place; the caller holds the key's lock. False, with E0620, when it could
  /// not; nothing is left then.
  bool publish(const KernelKey &key, const std::vector<KernelFile> &files, Diagnostics &diagnostics);

  /// Every entry, most recently used first. With `verify` every file is read and compared.
  std::vector<DiskEntry> list(bool verify = false) const;
  /// Removes an entry that nobody uses; whether it is gone.
  bool remove(const std::string &hash);
  /// Moves an entry out of the way, for whoever wants to look at it. The caller holds the key's lock: without it a
  /// new entry in the place of the damaged one would go.
  bool setAside(const std::string &hash);
  /// Looks once more with the key's lock and sets the entry aside when it is damaged, as far as the cache can be
  /// written. False when it was replaced since.
  bool isStillDamaged(const std::string &hash);
  struct Purged {
    size_t entries = 0, leftovers = 0; ///< leftovers: staging folders and entries set aside
    uint64_t bytes = 0;
  };
  /// When entries take more than `limit` bytes, removes the least recently used ones until they take
  /// `remain` percent of it.
  Purged purge(uint64_t limit, unsigned remain);
  /// Removes what is left of processes that ended, and entries set aside.
  Purged clearLeftovers();

  /// Writes an op folder at `path`, which must not exist; false, with E0620.
  static bool writeFolder(const std::string &path, const std::vector<KernelFile> &files, Diagnostics &diagnostics);

private:
  std::string entryPath(const std::string &hash) const { return root + "/entries/" + hash; }
  std::string freshName(const std::string &below, const std::string &hash) const;
  std::string root;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_DISKCACHE_H
