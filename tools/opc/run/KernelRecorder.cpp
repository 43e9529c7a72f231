// The child's answer is a memory file with several parts, each after its length, and a final mark. On a fault the
// child describes it in a shared page.

#include "tools/opc/run/KernelRecorder.h"

#include "tools/opc/process/DeferredSignals.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace opc::tool {

static constexpr uint64_t kMostMemory = uint64_t(4) << 30;
static constexpr uint64_t kMostStack = uint64_t(16) << 20;
static constexpr uint64_t kLongestPart = uint64_t(1) << 30;
static constexpr uint64_t kDone = 0x656e6f642d63706f;
static constexpr size_t kMostParameters = 64;

namespace {
/// How a kernel ended abnormally.
struct Fault {
  int signal; ///< 0: none
  int64_t codeOffset;
  uint64_t address;
  bool onStack;
  uint32_t line; ///< of the last call; 0 when there was none
  char file[512];
};

/// The state for the child's signal handler.
struct ChildState {
  Fault *fault = nullptr;
  uintptr_t codeBegin = 0, codeEnd = 0;
  const ascendc::Recorder *recorder = nullptr;
  pid_t pid = 0; ///< differs in processes that the kernel forked
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

static void writeLastCall(Fault &fault) {
  const ascendc::Place &place = child.recorder->lastCall();
  if (place.code)
    fault.codeOffset = int64_t(reinterpret_cast<uintptr_t>(place.code) - 1 - child.codeBegin);
  if (!place.file)
    return;
  fault.line = place.line;
  std::strncpy(fault.file, place.file, sizeof fault.file - 1);
}

/// Signal handler: records the location of the kernel and ends the process.
static void onFault(int signal, siginfo_t *info, void *context) {
  Fault &fault = *child.fault;
  const auto *where = static_cast<const ucontext_t *>(context);
  auto isKernel = [](uintptr_t at) { return at >= child.codeBegin && at < child.codeEnd; };
  fault.codeOffset = -1;
  writeLastCall(fault);
  if (const uintptr_t at = programCounterOf(where); isKernel(at)) {
    fault.codeOffset = int64_t(at - child.codeBegin);
  } else {
    std::array<void *, 64> frames;
    const int count = backtrace(frames.data(), int(frames.size()));
    for (int i = count; i-- > 0;)
      if (const auto frame = reinterpret_cast<uintptr_t>(frames[size_t(i)]); isKernel(frame))
        fault.codeOffset = int64_t(frame - 1 - child.codeBegin);
  }
  if (signal == SIGSEGV || signal == SIGBUS) {
    fault.address = reinterpret_cast<uintptr_t>(info->si_addr);
    const int64_t distance = int64_t(fault.address) - int64_t(stackPointerOf(where));
    fault.onStack = distance > -(int64_t(1) << 20) && distance < (int64_t(1) << 20);
  }
  fault.signal = signal;
  _exit(1);
}

static void limitChild(unsigned seconds) {
  long pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1)
      pages = 0;
    std::fclose(file);
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
  alarm(3 * seconds + 5); // for a kernel that sleeps
}

/// Places a tensor for the kernel: tensors are far apart, inputs are read-only, outputs are not accessible.
static uint8_t *placeTensor(uint8_t *region, size_t index, const void *data, int64_t bytes) {
  uint8_t *base = region + int64_t(index) * ascendc::kTensorSpan + ascendc::kTensorSpan / 2;
  if (data && bytes > 0 && mprotect(base, size_t(bytes), PROT_READ | PROT_WRITE) == 0) {
    std::memcpy(base, data, size_t(bytes));
    mprotect(base, size_t(bytes), PROT_READ);
  }
  return base;
}

static void writeAll(int fd, const void *data, size_t size) {
  const auto *bytes = static_cast<const char *>(data);
  while (size != 0) {
    const ssize_t count = write(fd, bytes, size);
    if (count < 0 && errno != EINTR)
      _exit(1);
    bytes += count > 0 ? count : 0;
    size -= count > 0 ? size_t(count) : 0;
  }
}

static void writePart(int fd, const void *data, size_t size) {
  const uint64_t length = size;
  writeAll(fd, &length, sizeof length);
  writeAll(fd, data, size);
}

[[noreturn]] static void answer(int fd, const Diagnostics &diagnostics, const ascendc::Recording &recording) {
  if (getpid() != child.pid)
    _exit(1);
  std::ostringstream text;
  for (const Diagnostic &diagnostic : diagnostics.all())
    printJson(text, diagnostic);
  const std::string told = text.str();
  const std::vector<uint8_t> program = writeProgram(recording.program);
  const uint64_t stopped = recording.stopped, done = kDone;
  writePart(fd, told.data(), told.size());
  writePart(fd, program.data(), program.size());
  writePart(fd, recording.reads.data(), recording.reads.size() * sizeof(uint64_t));
  writePart(fd, &stopped, sizeof stopped);
  writeAll(fd, &done, sizeof done);
  _exit(0); // exit without flushing or destroying state of the parent
}

[[noreturn]] static void refuseObject(int fd, const std::string &path, const std::string &why) {
  Diagnostics diagnostics;
  diagnostics.error(Code::E0800, {path}, "the kernel's object cannot be loaded: " + why);
  answer(fd, diagnostics, {});
}

template <size_t> using Address = uint8_t *;
template <size_t... I> static void callWith(void *function, uint8_t *const *arguments, std::index_sequence<I...>) {
  reinterpret_cast<void (*)(Address<I>...)>(function)(arguments[I]...);
}
template <size_t... N>
static void callKernel(void *function, const std::vector<uint8_t *> &arguments, std::index_sequence<N...>) {
  using Call = void (*)(void *, uint8_t *const *);
  static constexpr Call calls[] = {
      [](void *kernel, uint8_t *const *values) { callWith(kernel, values, std::make_index_sequence<N>()); }...};
  calls[arguments.size()](function, arguments.data());
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

[[noreturn]] static void runChild(const RecordRequest &request, int fd, Fault *fault) {
  DeferredSignals::forget();
  child.pid = getpid();
  setpgid(0, 0); // so that processes that the kernel starts can be killed with it
  dup2(2, 1);    // output of the kernel is not data of opc
  const std::string &path = request.source->object;
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    refuseObject(fd, path, dlerror());
  void *function = dlsym(handle, request.source->kernel.symbol.c_str());
  auto *machine = static_cast<ascendc::KernelMachine **>(dlsym(handle, "opc_kernel_machine"));
  if (!function || !machine)
    refuseObject(fd, path, "it lacks the kernel or opc's headers");

  const size_t places = request.parameters.size();
  auto *region = static_cast<uint8_t *>(mmap(nullptr, places * size_t(ascendc::kTensorSpan) + 4096, PROT_NONE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (region == MAP_FAILED)
    refuseObject(fd, path, "there is no address space for its tensors");
  ascendc::RecordSettings settings;
  settings.target = request.target;
  settings.kernel = request.source->kernel.name;
  settings.tilingKey = request.tilingKey;
  settings.blockNum = request.blockNum;
  std::vector<uint8_t *> arguments;
  std::vector<std::vector<uint64_t>> outputs; // for elements that the kernel reads
  for (size_t i = 0; i < places; ++i) {
    const KernelParameter &parameter = request.parameters[i];
    const bool isInput = parameter.kind == KernelParameter::Input;
    const Tensor *tensor = parameter.tensor;
    if (parameter.kind == KernelParameter::Tiling) {
      arguments.push_back(placeTensor(region, i, request.tiling.data(), int64_t(request.tiling.size())));
      settings.tiling = arguments.back();
      settings.tilingBytes = int64_t(request.tiling.size());
      continue;
    }
    arguments.push_back(placeTensor(region, i, isInput ? tensor->data() : nullptr, isInput ? tensor->numBytes() : 0));
    if (!tensor)
      continue;
    void *values = arguments.back();
    if (!isInput) {
      outputs.emplace_back(size_t(tensor->numBytes()) / sizeof(uint64_t) + 1);
      values = outputs.back().data();
    }
    settings.tensors.push_back({parameter.name, reinterpret_cast<intptr_t>(arguments.back()), tensor->numBytes(),
                                tensor->type(), !isInput, values});
  }
  child.fault = fault;
  findCode(handle);
  settings.autoSync = request.autoSync;
  settings.codeBase = intptr_t(child.codeBegin);

  Diagnostics diagnostics;
  ascendc::Recorder *recording = nullptr;
  ascendc::Recorder recorder(std::move(settings), diagnostics, [&] { answer(fd, diagnostics, recording->finish()); });
  recording = &recorder;
  child.recorder = &recorder;
  *machine = &recorder;
  void *warm[1];
  backtrace(warm, 1); // loads its libraries now, since signal handlers must not
  limitChild(request.seconds);
  for (int64_t block = 0; block < request.blockNum; ++block) {
    recorder.startBlock(block);
    callKernel(function, arguments, std::make_index_sequence<kMostParameters + 1>());
    recorder.endBlock();
  }
  answer(fd, diagnostics, recorder.finish());
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

/// Reads a part at `offset` and advances `offset`; false when it is incomplete.
static bool readPart(int fd, uint64_t &offset, std::string &part) {
  uint64_t length = 0;
  if (pread(fd, &length, sizeof length, off_t(offset)) != ssize_t(sizeof length) || length > kLongestPart)
    return false;
  offset += sizeof length;
  part.resize(size_t(length));
  for (size_t done = 0; done < part.size();) {
    const ssize_t count = pread(fd, part.data() + done, part.size() - done, off_t(offset + done));
    if (count <= 0)
      return false;
    done += size_t(count);
  }
  offset += length;
  return true;
}

static Location resolved(const RecordRequest &request, const Location &location) {
  if (location.file != ascendc::kCodeOffset)
    return location;
  return request.source->lineOf(location.line);
}

/// Reports what the simulator's check of programs says of a recording, at the call if it names one: "pipe instruction
/// 3: expects a rounding mode that this cast has".
static void tellRejected(const RecordRequest &request, const SimulatorProgram &program, const std::string &problem,
                         Diagnostics &diagnostics) {
  static constexpr std::string_view kInstruction = "pipe instruction ";
  Location place = request.source->kernel.location;
  std::string text = problem;
  if (const size_t colon = problem.find(": "); problem.rfind(kInstruction, 0) == 0 && colon != std::string::npos) {
    const size_t number = std::strtoull(problem.c_str() + kInstruction.size(), nullptr, 10);
    if (number < program.instructions.size()) {
      const PipeInstruction &instruction = program.instructions[number];
      if (instruction.location < program.locations.size()) {
        const ProgramLocation &at = program.locations[instruction.location];
        place = resolved(request, Location{at.file, at.line, at.column});
      }
      text = problem.substr(colon + 2);
      if (instruction.kind == PipeInstruction::Vector)
        text = "'" + std::string(intrinsicInfo(instruction.intrinsic).ascendC) + "' " + text;
    }
  }
  diagnostics.error(Code::E0563, place, "mem (count or type): " + printable(text, 300), "ascendc_c10");
}

/// Reads the child's answer; false when it is incomplete.
static bool readAnswer(const RecordRequest &request, int fd, ascendc::Recording &recording, Diagnostics &diagnostics) {
  uint64_t offset = 0, done = 0;
  std::string told, program, reads, stopped;
  if (!readPart(fd, offset, told) || !readPart(fd, offset, program) || !readPart(fd, offset, reads) ||
      !readPart(fd, offset, stopped) || pread(fd, &done, sizeof done, off_t(offset)) != ssize_t(sizeof done) ||
      done != kDone)
    return false;
  std::istringstream lines(told);
  for (std::string line; std::getline(lines, line);) {
    Diagnostic diagnostic;
    if (!readJson(line, diagnostic))
      return false;
    diagnostic.location = resolved(request, diagnostic.location);
    for (Note &note : diagnostic.notes)
      note.location = resolved(request, note.location);
    diagnostics.add(std::move(diagnostic));
  }
  recording.reads.resize(reads.size() / sizeof(uint64_t));
  reads.copy(reinterpret_cast<char *>(recording.reads.data()), recording.reads.size() * sizeof(uint64_t));
  recording.stopped = !stopped.empty() && stopped[0] != 0;
  if (diagnostics.hasErrors())
    return true;
  const std::string problem =
      readProgram(reinterpret_cast<const uint8_t *>(program.data()), program.size(), recording.program);
  if (!problem.empty())
    tellRejected(request, recording.program, problem, diagnostics);
  return true;
}

static void tellFault(const RecordRequest &request, const Fault &fault, int status, Diagnostics &diagnostics) {
  const std::string who = "kernel '" + printable(request.source->kernel.name) + "'";
  Location place = request.source->kernel.location;
  if (fault.line != 0)
    place = Location{std::string(fault.file, strnlen(fault.file, sizeof fault.file)), fault.line, 0};
  if (fault.signal != 0 && fault.codeOffset >= 0)
    place = request.source->lineOf(uint64_t(fault.codeOffset));
  const bool late = fault.signal == SIGXCPU || fault.signal == SIGALRM || (fault.signal == 0 && WIFSIGNALED(status));
  if (late) {
    diagnostics.error(Code::E0812, place,
                      who + " expects its own code to end within " + std::to_string(request.seconds) +
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
  std::string how = "exit status " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : 0);
  if (fault.signal != 0) {
    const char *name = strsignal(fault.signal);
    how = "signal " + std::to_string(fault.signal) + " (" + (name ? name : "unknown") + ")";
  }
  const bool access = fault.signal == SIGSEGV || fault.signal == SIGBUS;
  diagnostics.error(Code::E0821, place, who + " ended its process: " + how, "ascendc_c17",
                    access ? "UB and global memory are read by GetValue, written by SetValue and "
                             "vector calls, never through a pointer"
                           : "");
}

std::optional<ascendc::Recording> recordKernel(const RecordRequest &request, Diagnostics &diagnostics) {
  if (request.parameters.size() > kMostParameters) {
    diagnostics.error(Code::E0801, request.source->kernel.location,
                      "expects a kernel with at most " + std::to_string(kMostParameters) + " parameters, found " +
                          std::to_string(request.parameters.size()));
    return std::nullopt;
  }
  const int answerFile = memfd_create("opc-kernel", MFD_CLOEXEC);
  void *page = mmap(nullptr, sizeof(Fault), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2];
  if (answerFile < 0 || page == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0) {
    diagnostics.error(Code::E0901, {}, std::string("cannot start a process for the kernel: ") + std::strerror(errno));
    return std::nullopt;
  }
  auto *fault = new (page) Fault{};
  std::fflush(nullptr);
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(1);
    runChild(request, answerFile, fault);
  }
  close(ends[1]);
  // The other end stays open until the child ends, unless the child closes it.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(4 * int64_t(request.seconds) + 30);
  auto hasEnded = [pid] {
    siginfo_t info = {};
    return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
  };
  for (bool isHeld = true; pid > 0 && !hasEnded();) {
    if (std::chrono::steady_clock::now() > deadline || DeferredSignals::arrived())
      break;
    pollfd gone = {isHeld ? ends[0] : -1, POLLIN, 0};
    isHeld = poll(&gone, 1, isHeld ? 200 : 5) <= 0 && isHeld;
  }
  int status = 0;
  if (pid > 0) {
    kill(-pid, SIGKILL); // with processes that the kernel started; no effect on a child that has ended
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  ascendc::Recording recording;
  const bool answered = pid > 0 && readAnswer(request, answerFile, recording, diagnostics);
  const Fault found = *fault;
  munmap(page, sizeof(Fault));
  close(answerFile);
  if (!answered) {
    tellFault(request, found, status, diagnostics);
    return std::nullopt;
  }
  if (diagnostics.hasErrors())
    return std::nullopt;
  for (ProgramLocation &location : recording.program.locations) {
    const Location place = resolved(request, Location{location.file, location.line, location.column});
    location = {place.file, place.line, place.column};
  }
  return recording;
}

} // namespace opc::tool
