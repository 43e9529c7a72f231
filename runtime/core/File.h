// Whole files: read with a limit, written so that a reader sees the old bytes or the new ones and
// never a part.

#ifndef OPC_RUNTIME_CORE_FILE_H
#define OPC_RUNTIME_CORE_FILE_H

#include "runtime/diagnostic/Diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>

namespace opc {

/// The file's bytes; nothing, with E0600, when it cannot be read, is no regular file, or is longer
/// than `limit`.
std::optional<std::string> readFile(const std::string &path, int64_t limit,
                                    Diagnostics &diagnostics);

/// A file that appears all at once: bytes go to a temporary one beside it, `commit` renames it over
/// the old. Without commit nothing is left. A path that exists and is no regular file (/dev/stdout,
/// a pipe) is written to directly.
class AtomicFile {
public:
  /// Creates the temporary file; nothing, with E0601, when the folder does not allow it.
  static std::optional<AtomicFile> create(const std::string &path, Diagnostics &diagnostics);
  bool write(const void *data, size_t size);
  /// Flushes to the disk and renames. False, with E0601, when any write failed.
  bool commit(Diagnostics &diagnostics);
  /// The same without the flush: for files whose loss in a power cut would be noticed and mended.
  bool commitUnflushed(Diagnostics &diagnostics);

  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  ~AtomicFile();

private:
  AtomicFile() = default;
  bool finish(bool flush, Diagnostics &diagnostics);
  std::string path, temporary; ///< temporary is empty when written directly
  int fd = -1;
  int error = 0;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_FILE_H
