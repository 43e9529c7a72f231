#include "runtime/program/model/MappedFile.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace opc {

std::unique_ptr<MappedFile> MappedFile::open(const std::string &path, std::string &found) {
  // A pipe would wait for a writer; it is refused below since it is not a regular file.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    found = errno == ENOENT || errno == ENOTDIR ? "no such file" : std::string("'") + std::strerror(errno) + "'";
    return nullptr;
  }
  std::unique_ptr<MappedFile> file = of(fd, found);
  close(fd);
  return file;
}

std::unique_ptr<MappedFile> MappedFile::of(int fd, std::string &found) {
  struct stat status = {};
  bool known = fstat(fd, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    found = known && S_ISDIR(status.st_mode) ? "a folder" : "no plain file";
    return nullptr;
  }
  auto size = static_cast<size_t>(status.st_size);
  // An empty file has no pages to map.
  void *address = size == 0 ? nullptr : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (address == MAP_FAILED) {
    found = std::string("'") + std::strerror(errno) + "' when it is mapped";
    return nullptr;
  }
  return std::unique_ptr<MappedFile>(new MappedFile(address, size));
}

MappedFile::~MappedFile() {
  if (address)
    munmap(address, size);
}

} // namespace opc
