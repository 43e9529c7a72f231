#include "tools/opc/run/KernelServer.h"

#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/run/KernelProcess.h"
#include "tools/opc/run/RepeatedLaunch.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace opc::tool {

using std::chrono::milliseconds;

static constexpr std::string_view kLaunched = "launched";
static constexpr size_t kSharedBytes = size_t(1) << 30; ///< of addresses; pages are allocated on first use
static constexpr size_t kKeptBytes = size_t(8) << 20;   ///< that reset() leaves in use
static constexpr size_t kPage = 4096;
static constexpr char kGuard = '\x5a'; ///< bytes around outputs

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

SharedMemory::SharedMemory() : used(kPage) {
  void *memory = mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  begin = memory == MAP_FAILED ? nullptr : static_cast<char *>(memory);
}

SharedMemory::~SharedMemory() {
  if (begin)
    munmap(begin, kSharedBytes);
}

std::optional<Tensor> SharedMemory::make(ElementType type, const Shape &shape) {
  const std::optional<int64_t> elements = checkedElements(shape, 2 * int64_t(elementSize(type)));
  if (!elements)
    return std::nullopt;
  // A page between tensors, as with separate allocations.
  const size_t bytes = size_t(*elements) * elementSize(type), pages = bytes / kPage + 2;
  if (!begin || pages > (kSharedBytes - used) / kPage)
    return makeSharedTensor(type, shape);
  char *memory = begin + used;
  used += pages * kPage;
  return Tensor::over(type, shape, memory);
}

void SharedMemory::reset() {
  if (used > kKeptBytes)
    madvise(begin + kKeptBytes, used - kKeptBytes, MADV_REMOVE);
  used = kPage;
}

bool SharedMemory::holds(const void *data, int64_t bytes) const {
  const char *at = static_cast<const char *>(data);
  return bytes == 0 || (begin && at >= begin && at + bytes <= begin + kSharedBytes);
}

void SharedMemory::protect() {
  if (begin)
    mprotect(begin, kSharedBytes, PROT_READ);
}

/// Whether make() placed a tensor here; holds() is also true of an empty one elsewhere.
bool SharedMemory::isMine(const Tensor &tensor) const {
  const char *data = static_cast<const char *>(tensor.data());
  return begin && data >= begin + kPage && data < begin + kSharedBytes;
}

/// From the end of a tensor to the end of its last page, which precedes the next tensor.
static size_t bytesBehind(const Tensor &tensor) {
  return 2 * kPage - size_t(tensor.numBytes()) % kPage;
}

void SharedMemory::guard(Tensor &tensor) {
  if (!isMine(tensor))
    return;
  auto *data = static_cast<char *>(tensor.data());
  std::memset(data - kPage, kGuard, kPage);
  std::memset(data + tensor.numBytes(), kGuard, bytesBehind(tensor));
}

std::optional<int64_t> SharedMemory::findOverrun(const Tensor &tensor) const {
  if (!isMine(tensor))
    return std::nullopt;
  const auto *data = static_cast<const char *>(tensor.data());
  auto changed = [&](const char *from, size_t bytes) {
    return std::find_if(from, from + bytes, [](char byte) { return byte != kGuard; });
  };
  const char *end = data + tensor.numBytes();
  if (const char *at = changed(end, bytesBehind(tensor)); at != end + bytesBehind(tensor))
    return at - data;
  if (const char *at = changed(data - kPage, kPage); at != data)
    return at - data;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

/// Reads or ends the process: without its parent a child has nothing to do.
static void receive(int socket, void *data, size_t size) {
  for (auto *bytes = static_cast<char *>(data); size != 0;) {
    const ssize_t count = recv(socket, bytes, size, 0);
    if (count == 0 || (count < 0 && errno != EINTR))
      _exit(0);
    bytes += count > 0 ? count : 0;
    size -= count > 0 ? size_t(count) : 0;
  }
}

/// Launches, with the constants of the contract given before if `keeps`.
static bool launchInChild(const Device &device, Kernel &kernel, const Manifest &manifest,
                          const LaunchArguments &arguments, bool keeps, Diagnostics &diagnostics) {
  LaunchReport report;
  const std::vector<bool> constant = keeps ? constantsOf(manifest, arguments) : std::vector<bool>();
  std::optional<RepeatedLaunch> launch = RepeatedLaunch::create(device, kernel, arguments, constant, diagnostics);
  return launch && launch->run(/*trace=*/false, report, diagnostics);
}

/// A request is a number of words and the words: the kernel, whether constants are kept, blocks, tensors with address,
/// bytes and type, tiling data. Addresses are the same in both processes.
void KernelServer::serve(Device &device, const LineChild::Say &say) {
  inputs.protect();
  const std::vector<ManifestKernel> &kernels = device.kernels(folder.manifest);
  std::map<size_t, std::unique_ptr<Kernel>> loaded;
  for (;;) {
    uint64_t count = 0;
    receive(requests, &count, sizeof count);
    std::vector<int64_t> words(count);
    receive(requests, words.data(), words.size() * sizeof(int64_t));
    auto word = words.begin();
    const auto number = size_t(*word++);
    const bool keeps = *word++ != 0;
    LaunchArguments arguments;
    arguments.blockNum = *word++;
    arguments.tensors.resize(size_t(*word++));
    for (LaunchTensor &tensor : arguments.tensors) {
      tensor.data = reinterpret_cast<void *>(*word++);
      tensor.bytes = *word++;
      tensor.type = ElementType(*word++);
    }
    arguments.tiling.assign(word, words.end());

    Diagnostics found;
    std::unique_ptr<Kernel> &kernel = loaded[number];
    if (!kernel)
      kernel = device.load(folder.path, folder.manifest, kernels[number], found);
    const bool done = kernel && launchInChild(device, *kernel, folder.manifest, arguments, keeps, found);
    if (!done && !found.hasErrors())
      found.error(Code::E0900, {}, "the kernel failed without a reason");
    LineChild::report(say, found);
    say(std::string(kLaunched));
  }
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

KernelServer::~KernelServer() {
  stop();
}

void KernelServer::stop() {
  child.reset();
  if (requests >= 0)
    close(requests);
  requests = -1;
}

bool KernelServer::start(Device &device, Diagnostics &diagnostics) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    diagnostics.error(Code::E0901, {}, std::string("cannot make a socket: ") + std::strerror(errno));
    return false;
  }
  auto work = [&](const LineChild::Say &say, Diagnostics &) {
    close(ends[0]);
    requests = ends[1];
    serve(device, say);
  };
  std::optional<LineChild> started = LineChild::start(LineChild::Kind::Kernel, work, diagnostics);
  close(ends[1]);
  if (!started) {
    close(ends[0]);
    return false;
  }
  child.emplace(std::move(*started));
  requests = ends[0];
  deviceOfChild = &device;
  launchesOfChild = 0;
  return true;
}

/// False when the child has ended.
bool KernelServer::send(const LaunchArguments &arguments, size_t kernel, bool keeps) {
  std::vector<int64_t> words = {0, int64_t(kernel), keeps, arguments.blockNum, int64_t(arguments.tensors.size())};
  for (const LaunchTensor &tensor : arguments.tensors)
    words.insert(words.end(), {reinterpret_cast<int64_t>(tensor.data), tensor.bytes, int64_t(tensor.type)});
  words.insert(words.end(), arguments.tiling.begin(), arguments.tiling.end());
  words.front() = int64_t(words.size()) - 1;
  const char *bytes = reinterpret_cast<const char *>(words.data());
  for (size_t size = words.size() * sizeof(int64_t); size != 0;) {
    const ssize_t count = ::send(requests, bytes, size, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR)
      return false;
    bytes += count > 0 ? count : 0;
    size -= count > 0 ? size_t(count) : 0;
  }
  return true;
}

/// Whether the bytes around the outputs and the workspace of a launch are as they were. Returns false after reporting
/// an error.
bool KernelServer::isWithinOutputs(const BoundLaunch &launch, Diagnostics &diagnostics) const {
  const size_t numOutputs = launch.outputs.size();
  for (size_t i = 0; i < numOutputs + launch.workspace.size(); ++i) {
    const Tensor &tensor = i < numOutputs ? launch.outputs[i] : launch.workspace[i - numOutputs];
    const std::optional<int64_t> at = outputs.findOverrun(tensor);
    if (!at)
      continue;
    diagnostics.error(Code::E0592, {},
                      "kernel '" + printable(launch.kernel->name) + "' writes outside of output '" +
                          printable(folder.manifest.tensorAt(folder.manifest.inputs.size() + i).name) +
                          "', which has " + std::to_string(tensor.numBytes()) + " bytes: byte " + std::to_string(*at) +
                          " has changed",
                      "",
                      "a kernel that opc made never does: please report the operator; of a kernel by hand, "
                      "'opc test <contract> --device=sim' names the line");
    return false;
  }
  return true;
}

/// Whether a launch runs in the child.
bool KernelServer::isShared(Device &device, const std::vector<const Tensor *> &given, const BoundLaunch &launch) const {
  auto isOurs = [&](const Tensor &tensor) { return outputs.holds(tensor.data(), tensor.numBytes()); };
  return device.runsHostCode() &&
         std::all_of(given.begin(), given.end(),
                     [&](const Tensor *tensor) {
                       // An output may overwrite an input.
                       return !tensor || inputs.holds(tensor->data(), tensor->numBytes()) ||
                              outputs.holds(tensor->data(), tensor->numBytes());
                     }) &&
         std::all_of(launch.outputs.begin(), launch.outputs.end(), isOurs) &&
         std::all_of(launch.workspace.begin(), launch.workspace.end(), isOurs);
}

void KernelServer::guardOutputs(BoundLaunch &launch) {
  for (auto *tensors : {&launch.outputs, &launch.workspace})
    for (Tensor &tensor : *tensors)
      outputs.guard(tensor);
}

bool KernelServer::launchWithConstants(Device &device, const std::vector<const Tensor *> &given, BoundLaunch &launch,
                                       Diagnostics &diagnostics) {
  if (!child && !start(device, diagnostics))
    return false;
  guardOutputs(launch);
  const auto kernel = size_t(launch.kernel - device.kernels(folder.manifest).data());
  const size_t before = diagnostics.errorCount();
  const milliseconds limit = patienceFor(given, launch.outputs);
  if (!send(launchArguments(given, launch), kernel, /*keeps=*/true) ||
      !child->listenUpTo(kLaunched, limit, diagnostics)) {
    const bool late = child->isLate();
    const int status = child->end();
    stop();
    if (DeferredSignals::arrived())
      return false;
    Diagnostic &told = late ? reportLate(*launch.kernel, folder, limit, diagnostics)
                            : reportEnd(*launch.kernel, folder, status, diagnostics);
    told.notes.push_back({{},
                          "its constants were given before, as opc_launch_keep_constants does; without that the "
                          "launch succeeds"});
    return false;
  }
  ++launchesOfChild;
  return diagnostics.errorCount() == before && isWithinOutputs(launch, diagnostics);
}

bool KernelServer::launch(Device &device, const std::vector<const Tensor *> &given, BoundLaunch &launch,
                          Diagnostics &diagnostics, std::optional<milliseconds> patience) {
  if (!isShared(device, given, launch))
    return launchKernel(device, folder, given, launch, 1, /*trace=*/false, diagnostics, patience).has_value();
  const milliseconds limit = patience.value_or(patienceFor(given, launch.outputs));
  const auto kernel = size_t(launch.kernel - device.kernels(folder.manifest).data());
  const LaunchArguments arguments = launchArguments(given, launch);
  auto isAnswered = [&] {
    if (!send(arguments, kernel) || !child->listenUpTo(kLaunched, limit, diagnostics))
      return false;
    ++launchesOfChild;
    return true;
  };
  if (child && deviceOfChild != &device)
    stop();
  if (!child && !start(device, diagnostics))
    return false;
  guardOutputs(launch);
  const size_t before = diagnostics.errorCount();
  if (isAnswered())
    return diagnostics.errorCount() == before && isWithinOutputs(launch, diagnostics);
  bool late = child->isLate(), succeedsAlone = false;
  const bool hadOthers = launchesOfChild != 0;
  int status = child->end();
  stop();
  if (DeferredSignals::arrived())
    return false;
  if (hadOthers && !late) {
    // The result in a fresh child is reported, unless the launch succeeds there.
    if (!start(device, diagnostics))
      return false;
    if (isAnswered()) {
      if (diagnostics.errorCount() != before)
        return false;
      succeedsAlone = true;
    } else {
      late = child->isLate();
      status = child->end();
      stop();
      if (DeferredSignals::arrived())
        return false;
    }
  }
  if (late) {
    reportLate(*launch.kernel, folder, limit, diagnostics);
    return false;
  }
  Diagnostic &told = reportEnd(*launch.kernel, folder, status, diagnostics);
  const bool isKilled = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (succeedsAlone)
    told.notes.push_back({{},
                          std::string("in a process of its own this launch succeeds: ") +
                              (isKilled ? "the first one was ended from outside, as the system does without memory"
                                        : "a launch before it wrote where it must not")});
  return false;
}

} // namespace opc::tool
