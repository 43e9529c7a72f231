// The child's answer has one line for each item: the seconds of a launch, errors in the form of --format=json, and
// "done" at the end. A child that ends without "done" has failed.

#include "tools/opc/run/KernelProcess.h"

#include "tools/opc/process/DeferredSignals.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace opc::tool {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

static constexpr const char *kDone = "done";
/// The longest answer of a child.
static constexpr size_t kLongestAnswer = size_t(64) << 20;

std::optional<Tensor> makeSharedTensor(ElementType type, const Shape &shape) {
  std::optional<int64_t> elements = checkedElements(shape, 2 * int64_t(elementSize(type)));
  if (!elements)
    return std::nullopt;
  size_t bytes = std::max<size_t>(size_t(*elements) * elementSize(type), 1);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return std::nullopt;
  auto release = [](void *end, void *data) {
    munmap(data, size_t(static_cast<char *>(end) - static_cast<char *>(data)));
  };
  return Tensor::over(type, shape, memory, {release, static_cast<char *>(memory) + bytes});
}

/// Loads and launches in this process; passes the time of each launch to `tell`.
static std::optional<LaunchOutcome> launchHere(Device &device, const OpFolder &folder,
                                               const std::vector<const Tensor *> &inputs, BoundLaunch &launch,
                                               unsigned times, bool trace, Diagnostics &diagnostics,
                                               const std::function<void(double)> &tell) {
  // A test session continues after a failed comparison, so `diagnostics` may have errors already.
  size_t before = diagnostics.errorCount();
  auto failed = [&] { return diagnostics.errorCount() != before; };
  LaunchOutcome outcome;
  std::unique_ptr<Kernel> kernel = device.load(folder.path, folder.manifest, *launch.kernel, diagnostics);
  if (!kernel || failed())
    return std::nullopt;
  LaunchArguments arguments = launchArguments(inputs, launch);
  for (unsigned i = 0; i < times; ++i) {
    arguments.trace = trace && i + 1 == times;
    outcome.report = LaunchReport();
    bool done = kernel->launch(arguments, outcome.report, diagnostics);
    if (!done && !failed())
      diagnostics.error(Code::E0900, {}, "the kernel failed without a reason");
    if (failed())
      return std::nullopt;
    outcome.seconds.push_back(outcome.report.seconds);
    tell(outcome.report.seconds);
  }
  return outcome;
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

/// Touches the pages of outputs before the first launch, so that it is not slower than the others.
static void touchPages(const std::vector<Tensor> &outputs) {
  constexpr int64_t kPage = 4096;
  for (const Tensor &output : outputs) {
    auto *bytes = static_cast<volatile char *>(const_cast<void *>(output.data()));
    for (int64_t at = 0; at < output.numBytes(); at += kPage)
      bytes[at] = bytes[at];
  }
}

static void sendAll(int fd, const std::string &text) {
  for (size_t sent = 0; sent < text.size();) {
    ssize_t count = write(fd, text.data() + sent, text.size() - sent);
    if (count < 0 && errno != EINTR)
      return;
    sent += count > 0 ? size_t(count) : 0;
  }
}

/// Sets up the child: a crash ends it by its signal, without a core file, and it ends when `parent` ends.
static void becomeChild(pid_t parent) {
  DeferredSignals::forget();
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS})
    std::signal(signal, SIG_DFL);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

namespace {
class Child {
public:
  Child(pid_t pid, int fd) : pid(pid), fd(fd) {}
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;
  ~Child() { close(fd); }

  /// Reads a line without its line break; nullopt when the child has ended, writes too much, or is silent for
  /// `patience`, and when this process received a termination signal.
  std::optional<std::string> readLine(milliseconds patience);
  bool isLate() const { return late; }
  void kill() { ::kill(pid, SIGKILL); }
  /// Waits for the end of the child; returns the status of waitpid.
  int wait();

private:
  pid_t pid;
  int fd;
  std::string buffer;
  bool late = false;
};
} // namespace

std::optional<std::string> Child::readLine(milliseconds patience) {
  Clock::time_point end = Clock::now() + patience;
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

int Child::wait() {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

static std::string endOf(int status) {
  if (WIFSIGNALED(status)) {
    const char *name = strsignal(WTERMSIG(status));
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + (name ? name : "unknown") + ")";
  }
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

static milliseconds patienceFor(const std::vector<const Tensor *> &inputs, const std::vector<Tensor> &outputs) {
  constexpr int64_t kLeast = 60'000, kElementsInAMillisecond = 100, kMost = 1'000'000'000;
  int64_t most = kLeast;
  auto add = [&](const Tensor &tensor) {
    most = std::min(kMost, most + tensor.numElements() / kElementsInAMillisecond);
  };
  for (const Tensor *input : inputs)
    if (input)
      add(*input);
  for (const Tensor &output : outputs)
    add(output);
  return milliseconds(most);
}

/// Reads the child's answer line by line; false when the child ended or timed out without a complete answer.
static bool listen(Child &child, milliseconds patience, LaunchOutcome &outcome, Diagnostics &diagnostics) {
  while (std::optional<std::string> line = child.readLine(patience)) {
    if (*line == kDone)
      return true;
    Diagnostic diagnostic;
    if (readJson(*line, diagnostic)) {
      diagnostics.add(std::move(diagnostic));
      continue;
    }
    char *end = nullptr;
    outcome.seconds.push_back(std::strtod(line->c_str(), &end));
    if (line->empty() || *end)
      return false;
    outcome.report.seconds = outcome.seconds.back();
  }
  return false;
}

std::optional<LaunchOutcome> launchKernel(Device &device, const OpFolder &folder,
                                          const std::vector<const Tensor *> &inputs, BoundLaunch &launch,
                                          unsigned times, bool trace, Diagnostics &diagnostics,
                                          std::optional<milliseconds> patience) {
  if (!device.runsHostCode())
    return launchHere(device, folder, inputs, launch, times, trace, diagnostics, [](double) {});
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    diagnostics.error(Code::E0901, {}, std::string("cannot make a pipe: ") + std::strerror(errno));
    return std::nullopt;
  }
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    becomeChild(parent);
    Diagnostics found;
    std::ostringstream text;
    try {
      touchPages(launch.outputs);
      launchHere(device, folder, inputs, launch, times, trace, found, [&](double seconds) {
        char number[64];
        std::snprintf(number, sizeof number, "%.17g\n", seconds);
        sendAll(ends[1], number);
      });
      for (const Diagnostic &diagnostic : found.all())
        printJson(text, diagnostic);
    } catch (...) {
      _exit(1);
    }
    sendAll(ends[1], text.str() + kDone + "\n");
    // Exit without flushing or destroying state of the parent.
    _exit(0);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    diagnostics.error(Code::E0901, {}, std::string("cannot start a process for the kernel: ") + std::strerror(errno));
    return std::nullopt;
  }
  Child child(pid, ends[0]);
  LaunchOutcome outcome;
  size_t before = diagnostics.errorCount();
  milliseconds limit = patience.value_or(patienceFor(inputs, launch.outputs));
  bool answered = listen(child, limit, outcome, diagnostics);
  bool failed = diagnostics.errorCount() != before;
  if (answered && (failed || outcome.seconds.size() == times)) {
    child.wait();
    return failed ? std::nullopt : std::optional(std::move(outcome));
  }
  child.kill();
  int status = child.wait();
  std::string who = "kernel '" + printable(launch.kernel->name) + "'";
  Location library = {folder.path + "/" + folder.manifest.cpuLibrary, 0, 0};
  if (child.isLate())
    diagnostics.error(Code::E0595, library,
                      who + " expects to end within " + std::to_string(limit.count() / 1000.0) +
                          " s, found it running on",
                      "", "compile the operator again, or use --device=sim");
  else
    diagnostics.error(Code::E0594, library, who + " ended its process: " + endOf(status), "",
                      "compile the operator again, or use --device=sim");
  return std::nullopt;
}

} // namespace opc::tool
