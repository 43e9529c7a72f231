#include "tools/opc/run/KernelProcess.h"

#include "tools/opc/process/LineChild.h"
#include "tools/opc/run/RepeatedLaunch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace opc::tool {

using std::chrono::milliseconds;

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

/// Loads and launches in this process; passes the time of each launch to `tell`. Several launches keep the constants of
/// the contract.
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
  const LaunchArguments arguments = launchArguments(inputs, launch);
  std::vector<bool> constant;
  if (times > 1)
    constant = constantsOf(folder.manifest, arguments);
  std::optional<RepeatedLaunch> repeated = RepeatedLaunch::create(device, *kernel, arguments, constant, diagnostics);
  if (!repeated)
    return std::nullopt;
  for (unsigned i = 0; i < times; ++i) {
    bool done = repeated->run(trace && i + 1 == times, outcome.report, diagnostics);
    if (!done && !failed())
      diagnostics.error(Code::E0900, {}, "the kernel failed without a reason");
    if (failed())
      return std::nullopt;
    outcome.seconds.push_back(outcome.report.seconds);
    tell(outcome.report.seconds);
  }
  return outcome;
}

/// Touches the pages of outputs before the first launch, so that it is not slower than the others.
static void touchPages(const std::vector<Tensor> &outputs) {
  constexpr int64_t kPage = 4096;
  for (const Tensor &output : outputs) {
    auto *bytes = static_cast<volatile char *>(const_cast<void *>(output.data()));
    for (int64_t at = 0; at < output.numBytes(); at += kPage)
      bytes[at] = bytes[at];
  }
}

milliseconds patienceFor(const std::vector<const Tensor *> &inputs, const std::vector<Tensor> &outputs) {
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

static Diagnostic &report(Code code, const ManifestKernel &kernel, const OpFolder &folder, const std::string &what,
                          Diagnostics &diagnostics) {
  return diagnostics.error(code, {folder.path + "/" + folder.manifest.cpuLibrary, 0, 0},
                           "kernel '" + printable(kernel.name) + "' " + what, "",
                           "compile the operator again, or use --device=sim");
}

Diagnostic &reportEnd(const ManifestKernel &kernel, const OpFolder &folder, int status, Diagnostics &diagnostics) {
  return report(Code::E0594, kernel, folder, "ended its process: " + endOf(status), diagnostics);
}

Diagnostic &reportLate(const ManifestKernel &kernel, const OpFolder &folder, milliseconds limit,
                       Diagnostics &diagnostics) {
  return report(Code::E0595, kernel, folder,
                "expects to end within " + std::to_string(double(limit.count()) / 1000.0) + " s, found it running on",
                diagnostics);
}

std::optional<LaunchOutcome> launchKernel(Device &device, const OpFolder &folder,
                                          const std::vector<const Tensor *> &inputs, BoundLaunch &launch,
                                          unsigned times, bool trace, Diagnostics &diagnostics,
                                          std::optional<milliseconds> patience) {
  if (!device.runsHostCode())
    return launchHere(device, folder, inputs, launch, times, trace, diagnostics, [](double) {});
  auto work = [&](const LineChild::Say &say, Diagnostics &found) {
    touchPages(launch.outputs);
    launchHere(device, folder, inputs, launch, times, trace, found, [&](double seconds) {
      char number[64];
      std::snprintf(number, sizeof number, "%.17g", seconds);
      say(number);
    });
  };
  std::optional<LineChild> child = LineChild::start(LineChild::Kind::Kernel, work, diagnostics);
  if (!child)
    return std::nullopt;
  LaunchOutcome outcome;
  auto takeSeconds = [&](const std::string &line) {
    char *end = nullptr;
    outcome.seconds.push_back(std::strtod(line.c_str(), &end));
    outcome.report.seconds = outcome.seconds.back();
    return !line.empty() && !*end;
  };
  size_t before = diagnostics.errorCount();
  milliseconds limit = patience.value_or(patienceFor(inputs, launch.outputs));
  bool answered = child->listen(limit, takeSeconds, diagnostics);
  bool failed = diagnostics.errorCount() != before;
  int status = child->end();
  if (answered && (failed || outcome.seconds.size() == times))
    return failed ? std::nullopt : std::optional(std::move(outcome));
  if (child->isLate())
    reportLate(*launch.kernel, folder, limit, diagnostics);
  else
    reportEnd(*launch.kernel, folder, status, diagnostics);
  return std::nullopt;
}

} // namespace opc::tool
