// The owner of a staging folder is recorded twice: by the process id in its name, and by a lock that ends with the
// process. A folder without a running process and without a lock is stale and is removed. (The process id alone is
// not enough: a process in another container looks like one that has ended.)

#include "tools/opc/process/StagedFolder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

namespace opc::tool {

namespace fs = std::filesystem;

/// Opens and locks a folder; -1 when another process holds the lock.
static int lockFolder(const fs::path &folder) {
  int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  if (fd >= 0)
    close(fd);
  return -1;
}

static bool isAlive(const std::string &number) {
  int pid = 0;
  const char *first = number.data(), *last = first + number.size();
  auto [end, error] = std::from_chars(first, last, pid);
  bool isNumber = error == std::errc() && end == last && pid > 0;
  return !isNumber || kill(pid, 0) == 0 || errno != ESRCH;
}

static void removeAbandoned(const fs::path &parent, const std::string &prefix) {
  std::error_code error;
  std::vector<fs::path> abandoned;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.compare(0, prefix.size(), prefix) == 0 && !isAlive(name.substr(prefix.size())))
      abandoned.push_back(entry->path());
  }
  for (const fs::path &path : abandoned) {
    int fd = lockFolder(path);
    if (fd < 0)
      continue;
    fs::remove_all(path, error);
    close(fd);
  }
}

StagedFolder::StagedFolder(const fs::path &target) {
  std::string prefix = "." + target.filename().string() + ".opc-";
  removeAbandoned(target.parent_path(), prefix);
  folder = target.parent_path() / (prefix + std::to_string(getpid()));
  // An earlier process had the same id.
  fs::remove_all(folder, failure);
  fs::create_directory(folder, failure);
  if (!failure)
    lock = lockFolder(folder);
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!failure)
    fs::remove_all(folder, ignored);
  if (lock >= 0)
    close(lock);
}

} // namespace opc::tool
