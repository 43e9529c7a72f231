// The answer has one line for each item: what the work says, its diagnostics in the form of --format=json, and "done"
// at the end. A child that ends without "done" has failed.

#include "tools/opc/process/LineChild.h"

#include "tools/opc/process/DeferredSignals.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace opc::tool {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

static constexpr std::string_view kDone = "done";
/// Maximum length of a line, and of unread bytes.
static constexpr size_t kLongestAnswer = size_t(64) << 20;

std::string endOf(int status) {
  if (WIFSIGNALED(status)) {
    const char *name = strsignal(WTERMSIG(status));
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + (name ? name : "unknown") + ")";
  }
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

static void sendAll(int fd, std::string_view text) {
  for (size_t sent = 0; sent < text.size();) {
    ssize_t count = write(fd, text.data() + sent, text.size() - sent);
    if (count < 0 && errno != EINTR)
      return;
    sent += count > 0 ? size_t(count) : 0;
  }
}

void LineChild::report(const Say &say, const Diagnostics &found) {
  for (const Diagnostic &diagnostic : found.all()) {
    std::ostringstream text;
    printJson(text, diagnostic);
    std::string line = text.str();
    line.pop_back(); // its line break, which `say` adds
    say(line);
  }
}

static void becomeChild(pid_t parent, LineChild::Kind kind) {
  DeferredSignals::forget();
  if (kind == LineChild::Kind::Kernel) {
    for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS})
      std::signal(signal, SIG_DFL);
    rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
}

[[noreturn]] static void answer(int fd, const LineChild::Work &work) {
  try {
    Diagnostics found;
    const LineChild::Say say = [fd](const std::string &line) { sendAll(fd, line + '\n'); };
    work(say, found);
    LineChild::report(say, found);
    say(std::string(kDone));
  } catch (...) {
    _exit(1);
  }
  // Exit without flushing or destroying state of the parent.
  _exit(0);
}

std::optional<LineChild> LineChild::start(Kind kind, const Work &work, Diagnostics &diagnostics) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    diagnostics.error(Code::E0901, {}, std::string("cannot make a pipe: ") + std::strerror(errno));
    return std::nullopt;
  }
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    becomeChild(parent, kind);
    answer(ends[1], work);
  }
  const int reason = errno;
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    diagnostics.error(Code::E0901, {}, std::string("cannot start a process: ") + std::strerror(reason));
    return std::nullopt;
  }
  return LineChild(kind, pid, ends[0]);
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

LineChild::LineChild(LineChild &&other) noexcept
    : kind(other.kind), pid(std::exchange(other.pid, 0)), fd(std::exchange(other.fd, -1)),
      buffer(std::move(other.buffer)), late(other.late), done(other.done) {
}

LineChild::~LineChild() {
  end();
  if (fd >= 0)
    close(fd);
}

/// Reads a line without its line break.
std::optional<std::string> LineChild::readLine(milliseconds patience) {
  const Clock::time_point end = Clock::now() + patience;
  for (;;) {
    if (size_t newline = buffer.find('\n'); newline != std::string::npos) {
      std::string line = buffer.substr(0, newline);
      buffer.erase(0, newline + 1);
      return line;
    }
    auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now()).count();
    late = left <= 0;
    if (late || buffer.size() > kLongestAnswer || DeferredSignals::arrived())
      return std::nullopt;
    pollfd descriptor = {fd, POLLIN, 0};
    int ready = poll(&descriptor, 1, int(std::min<long long>(left, 1000)));
    if (ready < 0 && errno != EINTR)
      return std::nullopt;
    if (ready <= 0)
      continue;
    char bytes[1 << 12];
    ssize_t count = read(fd, bytes, sizeof bytes);
    if (count == 0 || (count < 0 && errno != EINTR))
      return std::nullopt;
    if (count > 0)
      buffer.append(bytes, size_t(count));
  }
}

bool LineChild::readUpTo(std::string_view last, milliseconds patience,
                         const std::function<bool(const std::string &)> &take, Diagnostics &diagnostics) {
  while (std::optional<std::string> line = readLine(patience)) {
    if (*line == last)
      return true;
    Diagnostic diagnostic;
    if (readJson(*line, diagnostic))
      diagnostics.add(std::move(diagnostic));
    else if (!take(*line))
      return false;
  }
  return false;
}

bool LineChild::listen(milliseconds patience, const std::function<bool(const std::string &)> &take,
                       Diagnostics &diagnostics) {
  return done = readUpTo(kDone, patience, take, diagnostics);
}

bool LineChild::listenUpTo(std::string_view last, milliseconds patience, Diagnostics &diagnostics) {
  return readUpTo(last, patience, [](const std::string &) { return false; }, diagnostics);
}

int LineChild::end() {
  int status = 0;
  if (!pid)
    return status;
  if (!done)
    kill(pid, kind == Kind::Kernel ? SIGKILL : SIGTERM);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  pid = 0;
  return status;
}

} // namespace opc::tool
