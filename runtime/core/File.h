// Whole files: read with a limit, written so that a reader sees the old bytes or the new ones and never a part.

#ifndef OPC_RUNTIME_CORE_FILE_H
#define OPC_RUNTIME_CORE_FILE_H

#include "runtime/diagnostic/Diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>

namespace opc {

/// The file's bytes; nothing, with E0600, when it cannot be read, is no regular file, or is longer than `limit`.
std::optional<std::string> readFile(const std::string &path, int64_t limit, Diagnostics &diagnostics);
/// The same of an open file, from its beginning; it stays open. `path` names it in messages.
std::optional<std::string> readOpenFile(int fd, const std::string &path, int64_t limit, Diagnostics &diagnostics);

/// A file that appears all at once: bytes go to a temporary one in its folder, `commit` renames it over the old.
/// Without commit nothing is left, even of a process that is killed where the file system has files without a name. A
/// path that exists and is no regular file (/dev/stdout, a pipe) is written to directly.
class AtomicFile {
public:
  /// Creates the temporary file; nothing, with E0601, when the folder does not allow it.
  static std::optional<AtomicFile> create(const std::string &path, Diagnostics &diagnostics);
  bool write(const void *data, size_t size);
  /// Whether a write failed, with E0601: asked of all files before the first one is committed.
  bool failed(Diagnostics &diagnostics) const;
  /// Flushes to the disk and renames. False, with E0601, when any write failed.
  bool commit(Diagnostics &diagnostics);
  /// The same without the flush: for files whose loss in a power cut would be noticed and mended.
  bool commitUnflushed(Diagnostics &diagnostics);

  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  ~AtomicFile();

private:
  AtomicFile() = default;
  /// Where the file lies, with a slash behind it, or nothing.
  std::string folder() const;
  /// Opens a file without a name, or, where there are none, the temporary one.
  void open(const std::string &folder);
  /// Makes the file without a name the temporary one; errno when that fails.
  int giveName();
  bool finish(bool flush, Diagnostics &diagnostics);
  std::string path, temporary; ///< temporary is empty while the file has no name
  int fd = -1;
  int error = 0;
  bool direct = false; ///< written to `path` itself
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_FILE_H
