#include "runtime/core/operator/UntrustedFolder.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<linux/openat2.h>) // since Linux 5.6
#include <linux/openat2.h>
#endif

namespace fs = std::filesystem;

namespace opc {

FileHandle::~FileHandle() {
  if (fd >= 0)
    close(fd);
}

UntrustedFolder::UntrustedFolder(const std::string &path)
    : path(path), folder(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
}

bool UntrustedFolder::has(const char *name) const {
  return faccessat(folder.fd, name, F_OK, 0) == 0;
}

std::string UntrustedFolder::shown(const char *name) const {
  std::error_code error;
  fs::path root = fs::canonical(path, error);
  return ((error ? fs::path(path) : root) / name).string();
}

/// The fallback for every system: compares the canonical paths of the file and of the folder.
int UntrustedFolder::openByWay(const std::string &name, int flags, std::string &why) const {
  std::error_code error;
  fs::path root = fs::canonical(path, error);
  fs::path file = error ? fs::path() : fs::canonical(root / name, error);
  if (error) {
    why = "is missing";
    return -1;
  }
  std::string inside = file.lexically_relative(root).generic_string();
  if (inside.empty() || inside == ".." || inside.compare(0, 3, "../") == 0) {
    why = "leads out of the folder";
    return -1;
  }
  return open(file.c_str(), flags);
}

int UntrustedFolder::openInside(const std::string &name, int flags, std::string &why) const {
#ifdef SYS_openat2
  struct open_how how{};
  how.flags = uint64_t(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long fd = syscall(SYS_openat2, folder.fd, name.c_str(), &how, sizeof how);
  if (fd >= 0)
    return int(fd);
  if (errno == ENOENT || errno == ENOTDIR)
    why = "is missing";
  if (!why.empty() || errno == EACCES)
    return -1;
  // Older kernels lack openat2, and openat2 refuses absolute links that point back into the folder.
#endif
  return openByWay(name, flags, why);
}

} // namespace opc
