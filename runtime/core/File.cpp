#include "runtime/core/File.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace opc {

static std::string reason(int error) {
  return std::strerror(error);
}

static std::nullopt_t unreadable(Diagnostics &diagnostics, const std::string &path, const std::string &why) {
  diagnostics.error(Code::E0600, {}, "cannot read '" + printablePath(path) + "': " + why);
  return std::nullopt;
}

std::optional<std::string> readOpenFile(int fd, const std::string &path, int64_t limit, Diagnostics &diagnostics) {
  struct stat status;
  if (fstat(fd, &status) != 0)
    return unreadable(diagnostics, path, reason(errno));
  if (!S_ISREG(status.st_mode))
    return unreadable(diagnostics, path, S_ISDIR(status.st_mode) ? "it is a folder" : "it is no regular file");
  if (status.st_size > limit)
    return unreadable(diagnostics, path,
                      "it is " + std::to_string(status.st_size) + " bytes long, at most " + std::to_string(limit) +
                          " are taken");
  std::string text(size_t(status.st_size), '\0');
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count = pread(fd, text.data() + done, std::min<size_t>(text.size() - done, 1 << 30), off_t(done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return unreadable(diagnostics, path, reason(errno));
    if (count == 0)
      break;
    done += size_t(count);
  }
  text.resize(done);
  return text;
}

std::optional<std::string> readFile(const std::string &path, int64_t limit, Diagnostics &diagnostics) {
  // O_NONBLOCK: opening a pipe without a writer must not hang.
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return unreadable(diagnostics, path, reason(errno));
  std::optional<std::string> text = readOpenFile(fd, path, limit, diagnostics);
  close(fd);
  return text;
}

static bool unwritable(Diagnostics &diagnostics, const std::string &path, int error) {
  diagnostics.error(Code::E0601, {}, "cannot write '" + printablePath(path) + "': " + reason(error));
  return false;
}

std::optional<AtomicFile> AtomicFile::create(const std::string &path, Diagnostics &diagnostics) {
  AtomicFile file;
  // Keep a symbolic link and replace the file that it points to.
  std::error_code error;
  file.path = std::filesystem::is_symlink(path, error) ? std::filesystem::weakly_canonical(path, error).string() : path;
  if (file.path.empty()) // a link to a pipe, as /dev/stdout may be, leads to no path
    file.path = path;
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    file.fd = S_ISDIR(status.st_mode) ? -1 : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (file.fd < 0) {
      unwritable(diagnostics, path, S_ISDIR(status.st_mode) ? EISDIR : errno);
      return std::nullopt;
    }
    fcntl(file.fd, F_SETFL, fcntl(file.fd, F_GETFL) & ~O_NONBLOCK);
    file.direct = true;
    return file;
  }
  // Do not replace a read-only file, although the folder permits it.
  if (access(path.c_str(), F_OK) == 0 && access(path.c_str(), W_OK) != 0) {
    unwritable(diagnostics, path, errno);
    return std::nullopt;
  }
  file.open(file.folder());
  if (file.fd < 0) {
    unwritable(diagnostics, path, errno);
    return std::nullopt;
  }
  return file;
}

std::string AtomicFile::folder() const {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// A name in the folder that is unique among processes and files.
static std::string temporaryName(const std::string &folder) {
  static std::atomic<unsigned> counter{0};
  return folder + ".opc-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".tmp";
}

void AtomicFile::open(const std::string &folder) {
  // The file has no name until commit, so that a killed process leaves nothing.
  fd = ::open(folder.empty() ? "." : folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (fd >= 0)
    return;
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary = temporaryName(folder);
    fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST)
      break;
  }
  if (fd < 0)
    temporary.clear();
}

int AtomicFile::giveName() {
  std::string unnamed = "/proc/self/fd/" + std::to_string(fd);
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = temporaryName(folder());
    if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary = name;
      return 0;
    }
    if (errno != EEXIST)
      break;
  }
  return errno;
}

bool AtomicFile::write(const void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size && !error) {
    ssize_t count = ::write(fd, bytes, std::min<size_t>(size, 1 << 30));
    if (count < 0) {
      if (errno != EINTR)
        error = errno;
      continue;
    }
    bytes += count;
    size -= size_t(count);
  }
  return !error;
}

int AtomicFile::reserve(int64_t size) {
  if (direct)
    return ESPIPE;
  const int code = size > 0 ? posix_fallocate(fd, 0, off_t(size)) : 0;
  if (code != 0 && code != EOPNOTSUPP && code != EINVAL)
    return code;
  return ftruncate(fd, off_t(size)) == 0 ? 0 : errno;
}

int AtomicFile::writeAt(const void *data, size_t size, int64_t offset) const {
  const char *bytes = static_cast<const char *>(data);
  while (size) {
    const ssize_t count = pwrite(fd, bytes, std::min<size_t>(size, 1 << 30), off_t(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno;
    bytes += count;
    offset += count;
    size -= size_t(count);
  }
  return 0;
}

bool AtomicFile::commit(Diagnostics &diagnostics) {
  return finish(true, diagnostics);
}

bool AtomicFile::commitUnflushed(Diagnostics &diagnostics) {
  return finish(false, diagnostics);
}

bool AtomicFile::failed(Diagnostics &diagnostics) const {
  return error && !unwritable(diagnostics, path, error);
}

bool AtomicFile::finish(bool flush, Diagnostics &diagnostics) {
  if (flush && !direct && !error && fsync(fd) != 0 && errno != EINVAL)
    error = errno;
  if (!direct && temporary.empty() && !error)
    error = giveName();
  if (close(std::exchange(fd, -1)) != 0 && !error)
    error = errno;
  if (!error && !direct) {
    if (rename(temporary.c_str(), path.c_str()) == 0)
      temporary.clear();
    else
      error = errno;
  }
  return error ? unwritable(diagnostics, path, error) : true;
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::exchange(other.temporary, {})), fd(std::exchange(other.fd, -1)),
      error(other.error), direct(other.direct) {
}

AtomicFile::~AtomicFile() {
  if (fd >= 0)
    close(fd);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

} // namespace opc
