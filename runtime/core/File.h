// Reads whole files up to a limit, and writes files atomically: a reader sees either the old or the new contents.

#ifndef OPC_RUNTIME_CORE_FILE_H
#define OPC_RUNTIME_CORE_FILE_H

#include "runtime/diagnostic/Diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>

namespace opc {

/// Reads a file. Returns nullopt after reporting E0600 when the file cannot be read, is not a regular file, or is
/// longer than `limit` bytes.
std::optional<std::string> readFile(const std::string &path, int64_t limit, Diagnostics &diagnostics);
/// Reads an open file from its beginning and leaves it open. `path` names it in messages.
std::optional<std::string> readOpenFile(int fd, const std::string &path, int64_t limit, Diagnostics &diagnostics);

/// A file that is written atomically: bytes go to a temporary file in the same folder, and `commit` renames it over the
/// old file. Without commit nothing is left; where the file system supports unnamed files (O_TMPFILE), not even after
/// the process was killed. A path that exists and is not a regular file (/dev/stdout, a pipe) is written to directly.
class AtomicFile {
public:
  /// Creates the temporary file; nullopt after reporting E0601 when the folder does not allow it.
  static std::optional<AtomicFile> create(const std::string &path, Diagnostics &diagnostics);
  bool write(const void *data, size_t size);
  /// Makes the file `size` bytes long, for writeAt; reserves space on the disk if the file system can. Returns errno, 0
  /// on success.
  int reserve(int64_t size);
  /// Writes at an offset of the file, from any thread. Returns errno, 0 on success.
  int writeAt(const void *data, size_t size, int64_t offset) const;
  /// Stores an error of reserve() or writeAt() for failed().
  void fail(int code) { error = code; }
  /// Whether a write failed, after reporting E0601. To write several files, check all of them before the first commit.
  bool failed(Diagnostics &diagnostics) const;
  /// Flushes to the disk and renames. Returns false after reporting E0601 when a write or the rename failed.
  bool commit(Diagnostics &diagnostics);
  /// As commit, but without the flush: for files whose loss in a power failure is detected and repaired.
  bool commitUnflushed(Diagnostics &diagnostics);

  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  ~AtomicFile();

private:
  AtomicFile() = default;
  /// The folder of the file with a trailing slash, or an empty text.
  std::string folder() const;
  /// Opens an unnamed file or, where the file system has none, the temporary file.
  void open(const std::string &folder);
  /// Gives the unnamed file the name of the temporary file; returns errno on failure.
  int giveName();
  bool finish(bool flush, Diagnostics &diagnostics);
  std::string path, temporary; ///< `temporary` is empty while the file has no name
  int fd = -1;
  int error = 0;
  bool direct = false; ///< written to `path` itself
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_FILE_H
