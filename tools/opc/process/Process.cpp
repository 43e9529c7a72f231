// Starts programs by posix_spawn with two pipes, and reads both by poll until they close.

#include "tools/opc/process/Process.h"

#include "tools/opc/process/DeferredSignals.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace opc::tool {

using Clock = std::chrono::steady_clock;

/// Appends available bytes; false when the other end is closed.
static bool readSome(int fd, std::string &text) {
  char buffer[1 << 16];
  ssize_t count = read(fd, buffer, sizeof buffer);
  if (count > 0)
    text.append(buffer, size_t(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

/// Reads both pipes until they close or the time is up; true when they have closed.
static bool collect(int out, int err, ProcessResult &result, Clock::time_point end) {
  bool outOpen = true, errOpen = true;
  while (outOpen || errOpen) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0)
      return false;
    pollfd fds[2] = {{outOpen ? out : -1, POLLIN, 0}, {errOpen ? err : -1, POLLIN, 0}};
    if (poll(fds, 2, int(std::min<long long>(left, 1000))) < 0 && errno != EINTR)
      return true;
    if (fds[0].revents)
      outOpen = readSome(out, result.out);
    if (fds[1].revents)
      errOpen = readSome(err, result.err);
  }
  return true;
}

ProcessResult runProcess(const std::vector<std::string> &arguments, unsigned timeoutSeconds, uint64_t memoryBytes) {
  ProcessResult result;
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0) {
    result.error = std::strerror(errno);
    return result;
  }
  if (pipe2(err, O_CLOEXEC) != 0) {
    result.error = std::strerror(errno);
    close(out[0]);
    close(out[1]);
    return result;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  int status = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(err[1]);
  if (status != 0) {
    result.error = std::strerror(status);
  } else {
    result.started = true;
    if (memoryBytes != 0) {
      const rlimit limit = {memoryBytes, memoryBytes};
      prlimit(pid, RLIMIT_AS, &limit, nullptr);
    }
    if (!collect(out[0], err[0], result, Clock::now() + std::chrono::seconds(timeoutSeconds))) {
      result.timedOut = true;
      kill(pid, SIGKILL);
    }
    int wait = 0;
    while (waitpid(pid, &wait, 0) < 0 && errno == EINTR) {
    }
    result.exitCode = WIFEXITED(wait) ? WEXITSTATUS(wait) : 128 + WTERMSIG(wait);
  }
  close(out[0]);
  close(err[0]);
  return result;
}

std::string Conversation::start(const std::vector<std::string> &arguments) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0)
    return std::strerror(errno);
  if (pipe2(out, O_CLOEXEC) != 0) {
    int error = errno;
    close(in[0]);
    close(in[1]);
    return std::strerror(error);
  }
  // When the program has ended, reading fails; a write must not raise SIGPIPE.
  std::signal(SIGPIPE, SIG_IGN);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  int status = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  toChild = in[1];
  fromChild = out[0];
  if (status != 0)
    pid = -1;
  return status != 0 ? std::strerror(status) : std::string();
}

Conversation::~Conversation() {
  if (toChild >= 0)
    close(toChild);
  if (fromChild >= 0)
    close(fromChild);
  if (pid <= 0)
    return;
  // Nothing reads the answers of a running program any more: kill it.
  if (!ended)
    kill(pid, SIGKILL);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Conversation::write(const void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size) {
    ssize_t count = ::write(toChild, bytes, size);
    if (count < 0 && errno != EINTR)
      return false;
    if (count > 0) {
      bytes += count;
      size -= size_t(count);
    }
  }
  return true;
}

/// Reads once into the buffer; false at the end, on an error, after a timeout, or when a termination signal arrived.
bool Conversation::fill(unsigned timeoutSeconds) {
  if (taken == buffer.size()) {
    buffer.clear();
    taken = 0;
  }
  pollfd descriptor = {fromChild, POLLIN, 0};
  int ready = poll(&descriptor, 1, int(timeoutSeconds) * 1000);
  if (ready < 0 && errno == EINTR)
    return !DeferredSignals::arrived();
  if (ready > 0)
    ended = !readSome(fromChild, buffer);
  return ready > 0 && !ended;
}

bool Conversation::readLine(std::string &line, unsigned timeoutSeconds) {
  size_t end;
  while ((end = buffer.find('\n', taken)) == std::string::npos)
    if (!fill(timeoutSeconds))
      return false;
  line = buffer.substr(taken, end - taken);
  taken = end + 1;
  return true;
}

bool Conversation::read(void *data, size_t size, unsigned timeoutSeconds) {
  char *bytes = static_cast<char *>(data);
  while (size) {
    size_t count = std::min(size, buffer.size() - taken);
    std::memcpy(bytes, buffer.data() + taken, count);
    taken += count;
    bytes += count;
    size -= count;
    if (size && !fill(timeoutSeconds))
      return false;
  }
  return true;
}

std::vector<std::string> findAllInPath(const std::string &name) {
  std::vector<std::string> found;
  const char *path = std::getenv("PATH");
  std::string rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (size_t start = 0; start <= rest.size();) {
    size_t end = std::min(rest.find(':', start), rest.size());
    std::filesystem::path file = std::filesystem::path(rest.substr(start, end - start)) / name;
    start = end + 1;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error) || access(file.c_str(), X_OK) != 0)
      continue;
    std::string real = std::filesystem::weakly_canonical(file, error).string();
    if (std::find(found.begin(), found.end(), real) == found.end())
      found.push_back(real);
  }
  return found;
}

std::string findInPath(const std::string &name) {
  std::vector<std::string> all = findAllInPath(name);
  return all.empty() ? std::string() : all.front();
}

} // namespace opc::tool
