#include "tools/opc/process/GuardedChild.h"

#include "tools/opc/process/DeferredSignals.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <iterator>
#include <link.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

namespace opc::tool {

static constexpr uint64_t kMostMemory = uint64_t(4) << 30;
static constexpr uint64_t kMostStack = uint64_t(16) << 20;
static constexpr uint64_t kLongestPart = uint64_t(1) << 30;
static constexpr size_t kMostParts = 16;
static constexpr uint64_t kDone = 0x656e6f642d63706f;

namespace {
/// The state for the child's signal handler.
struct ChildState {
  ChildFault *fault = nullptr;
  uintptr_t codeBegin = 0, codeEnd = 0;
  void (*describe)(ChildFault &) = nullptr;
  pid_t pid = 0; ///< differs in processes that the child forked
};
} // namespace

static ChildState child;

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

static uintptr_t stackPointerOf(const ucontext_t *context) {
#if defined(__x86_64__)
  return uintptr_t(context->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return uintptr_t(context->uc_mcontext.sp);
#else
  return 0;
#endif
}

static uintptr_t programCounterOf(const ucontext_t *context) {
#if defined(__x86_64__)
  return uintptr_t(context->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return uintptr_t(context->uc_mcontext.pc);
#else
  return 0;
#endif
}

/// Signal handler: records where the guarded code was and ends the process.
static void onFault(int signal, siginfo_t *info, void *context) {
  ChildFault &fault = *child.fault;
  const auto *where = static_cast<const ucontext_t *>(context);
  auto isGuarded = [](uintptr_t at) { return at >= child.codeBegin && at < child.codeEnd; };
  fault.codeOffset = -1;
  if (child.describe)
    child.describe(fault);
  std::array<void *, 64> frames;
  const int count = backtrace(frames.data(), int(frames.size()));
  size_t numCallers = 0;
  for (int i = 0; i < count && numCallers < std::size(fault.callers); ++i)
    if (const auto frame = reinterpret_cast<uintptr_t>(frames[size_t(i)]); isGuarded(frame))
      fault.callers[numCallers++] = int64_t(frame - 1 - child.codeBegin);
  if (const uintptr_t at = programCounterOf(where); isGuarded(at))
    fault.codeOffset = int64_t(at - child.codeBegin);
  else if (numCallers != 0)
    fault.codeOffset = fault.callers[0];
  if (signal == SIGSEGV || signal == SIGBUS) {
    fault.address = reinterpret_cast<uintptr_t>(info->si_addr);
    const int64_t distance = int64_t(fault.address) - int64_t(stackPointerOf(where));
    fault.onStack = distance > -(int64_t(1) << 20) && distance < (int64_t(1) << 20);
  }
  fault.signal = signal;
  _exit(1);
}

static void findCode(void *handle) {
  link_map *map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
    return;
  child.codeBegin = child.codeEnd = map->l_addr;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *) {
        if (info->dlpi_addr == child.codeBegin)
          for (unsigned i = 0; i < info->dlpi_phnum; ++i)
            if (info->dlpi_phdr[i].p_type == PT_LOAD)
              child.codeEnd = std::max(
                  child.codeEnd, uintptr_t(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz));
        return 0;
      },
      nullptr);
}

void *ChildSide::load(const std::string &path, std::string &why) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle)
    findCode(handle);
  else
    why = dlerror();
  return handle;
}

uintptr_t ChildSide::codeBegin() const {
  return child.codeBegin;
}

void ChildSide::guard(unsigned seconds, void (*describe)(ChildFault &)) {
  child.describe = describe;
  void *warm[1];
  backtrace(warm, 1); // loads its libraries now, since signal handlers must not
  long pages = 0;
  if (FILE *statm = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(statm, "%ld", &pages) != 1)
      pages = 0;
    std::fclose(statm);
  }
  const uint64_t memory = uint64_t(pages) * uint64_t(sysconf(_SC_PAGESIZE)) + kMostMemory;
  const rlimit time = {seconds, seconds + 5}, space = {memory, memory}, stack = {kMostStack, kMostStack}, none = {0, 0};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_AS, &space);
  setrlimit(RLIMIT_STACK, &stack);
  setrlimit(RLIMIT_CORE, &none);

  static std::array<char, 1 << 16> alternative;
  stack_t signals = {};
  signals.ss_sp = alternative.data();
  signals.ss_size = alternative.size();
  sigaltstack(&signals, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU, SIGALRM})
    sigaction(signal, &action, nullptr);
  alarm(3 * seconds + 5); // for code that sleeps
  // Code that calls exit must not destroy state of the parent.
  on_exit([](int status, void *) { _exit(status); }, nullptr);
}

static void writeAll(int file, const void *data, size_t size) {
  const auto *bytes = static_cast<const char *>(data);
  while (size != 0) {
    const ssize_t count = write(file, bytes, size);
    if (count < 0 && errno != EINTR)
      _exit(1);
    bytes += count > 0 ? count : 0;
    size -= count > 0 ? size_t(count) : 0;
  }
}

void ChildSide::answer(const std::vector<std::string> &parts) {
  if (getpid() != child.pid)
    _exit(1);
  std::fflush(stdout); // what the code printed; its descriptor is that of stderr
  const uint64_t count = parts.size(), done = kDone;
  writeAll(file, &count, sizeof count);
  for (const std::string &part : parts) {
    const uint64_t length = part.size();
    writeAll(file, &length, sizeof length);
    writeAll(file, part.data(), part.size());
  }
  writeAll(file, &done, sizeof done);
  _exit(0); // exit without flushing or destroying state of the parent
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

static bool readWord(int file, uint64_t &offset, uint64_t &word) {
  const bool isRead = pread(file, &word, sizeof word, off_t(offset)) == ssize_t(sizeof word);
  offset += sizeof word;
  return isRead;
}

/// Reads the parts of an answer; false when it is incomplete.
static bool readParts(int file, std::vector<std::string> &parts) {
  uint64_t offset = 0, count = 0, length = 0, done = 0;
  if (!readWord(file, offset, count) || count > kMostParts)
    return false;
  for (uint64_t i = 0; i < count; ++i) {
    if (!readWord(file, offset, length) || length > kLongestPart)
      return false;
    std::string part(size_t(length), '\0');
    for (size_t filled = 0; filled < part.size();) {
      const ssize_t got = pread(file, part.data() + filled, part.size() - filled, off_t(offset + filled));
      if (got <= 0)
        return false;
      filled += size_t(got);
    }
    offset += length;
    parts.push_back(std::move(part));
  }
  return readWord(file, offset, done) && done == kDone;
}

/// Waits until the child ends, a minute after its limits, or a signal to this process; then ends it.
static int waitFor(pid_t pid, int held, unsigned seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(4 * int64_t(seconds) + 30);
  auto hasEnded = [pid] {
    siginfo_t info = {};
    return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
  };
  // The other end stays open until the child ends, unless the child closes it.
  for (bool isHeld = true; !hasEnded();) {
    if (std::chrono::steady_clock::now() > deadline || DeferredSignals::arrived())
      break;
    pollfd gone = {isHeld ? held : -1, POLLIN, 0};
    isHeld = poll(&gone, 1, isHeld ? 200 : 5) <= 0 && isHeld;
  }
  int status = 0;
  kill(-pid, SIGKILL); // with processes that the child started; no effect on a child that has ended
  kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

ChildRun ChildRun::run(unsigned seconds, const std::function<void(ChildSide &)> &work, Diagnostics &diagnostics) {
  ChildRun result;
  const int answerFile = memfd_create("opc-child", MFD_CLOEXEC);
  void *page = mmap(nullptr, sizeof(ChildFault), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2] = {-1, -1};
  pid_t pid = -1;
  if (answerFile >= 0 && page != MAP_FAILED && pipe2(ends, O_CLOEXEC) == 0) {
    auto *fault = new (page) ChildFault{};
    std::fflush(nullptr);
    const pid_t parent = getpid();
    pid = fork();
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent)
        _exit(1);
      DeferredSignals::forget();
      child.fault = fault;
      child.pid = getpid();
      setpgid(0, 0); // so that processes that the code starts can be killed with it
      dup2(2, 1);    // output of the code is not data of opc
      ChildSide side;
      side.file = answerFile;
      // An exception ends the child where it is thrown, and does not unwind into frames of the parent.
      [&]() noexcept { work(side); }();
      _exit(1);
    }
  }
  if (pid < 0)
    diagnostics.error(Code::E0901, {}, std::string("cannot start a process: ") + std::strerror(errno));
  if (ends[1] >= 0)
    close(ends[1]);
  if (pid > 0) {
    result.started = true;
    result.status = waitFor(pid, ends[0], seconds);
    result.answered = readParts(answerFile, result.parts);
    result.fault = *static_cast<const ChildFault *>(page);
  }
  if (ends[0] >= 0)
    close(ends[0]);
  if (page != MAP_FAILED)
    munmap(page, sizeof(ChildFault));
  if (answerFile >= 0)
    close(answerFile);
  return result;
}

void tellFault(const ChildRun &run, const std::string &who, const Location &place, unsigned seconds,
               const std::string &accessFix, Diagnostics &diagnostics) {
  const ChildFault &fault = run.fault;
  // A signal that the child's handler did not see ended it: the kill at the end of its time, or a fault before the
  // handler was there.
  const int ended = WIFSIGNALED(run.status) ? WTERMSIG(run.status) : 0;
  const int signal = fault.signal != 0 ? fault.signal : ended;
  const bool late = signal == SIGXCPU || signal == SIGALRM || signal == SIGKILL;
  if (late) {
    diagnostics.error(Code::E0812, place,
                      who + " expects its own code to end within " + std::to_string(seconds) +
                          " s, found it running on",
                      "ascendc_c15", "an end for the loop, or --timeout=SECONDS");
    return;
  }
  if (fault.signal == SIGSEGV && fault.onStack) {
    diagnostics.error(Code::E0813, place,
                      who + " expects at most " + std::to_string(kMostStack >> 20) + " MiB of stack, found more in use",
                      "ascendc_c16", "an end for the recursion, or smaller local variables");
    return;
  }
  std::string how = "exit status " + std::to_string(WIFEXITED(run.status) ? WEXITSTATUS(run.status) : 0);
  if (signal != 0) {
    const char *name = strsignal(signal);
    how = "signal " + std::to_string(signal) + " (" + (name ? name : "unknown") + ")";
  }
  const bool access = signal == SIGSEGV || signal == SIGBUS;
  diagnostics.error(Code::E0821, place, who + " ended its process: " + how, "ascendc_c17", access ? accessFix : "");
}

} // namespace opc::tool
