// Runs the blocks of a launch on oneTBB's threads.
//
// Each thread takes ranges of blocks. An entry depends on its range only, so the assignment of blocks to threads
// does not change results. Blocks that add to common elements (OPC_KERNEL_ENTRY_IN_ORDER) run in order on the
// caller's thread.

#include "runtime/device/cpu/CpuDevice.h"

#include "runtime/device/BundleDevice.h"
#include "runtime/device/cpu/KernelLibrary.h"
#include "runtime/device/cpu/PackedCopies.h"
#include "runtime/device/cpu/StreamThreshold.h"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace opc {

/// Most steps of a block. The work of useful kernels is proportional to the sizes of their tensors, and 4096 steps
/// per element are far more than any needs. The constant part takes a few seconds at most.
static int64_t stepLimit(const std::vector<int64_t> &sizes) {
  constexpr int64_t kLeast = int64_t(1) << 32, kAnElement = 4096, kMost = int64_t(1) << 62;
  int64_t limit = kLeast, more = 0;
  for (int64_t size : sizes)
    if (__builtin_mul_overflow(size, kAnElement, &more) || more > kMost - limit)
      return kMost;
    else
      limit += more;
  return limit;
}

namespace {

/// Runs blocks on `threads` threads (0: oneTBB's default); a single one takes all blocks at once. Each running launch
/// has its own arena; arenas are kept for later launches, since creating one takes ten microseconds.
class Workers {
public:
  explicit Workers(int threads) : threads(threads == 0 && tbb::info::default_concurrency() == 1 ? 1 : threads) {}
  template <typename Function> void execute(const Function &function) {
    if (threads == 0)
      return function();
    std::unique_ptr<tbb::task_arena> arena = take();
    arena->execute(function);
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(arena));
  }
  const int threads;

private:
  std::unique_ptr<tbb::task_arena> take() {
    std::lock_guard<std::mutex> lock(mutex);
    if (idle.empty())
      return std::make_unique<tbb::task_arena>(threads);
    std::unique_ptr<tbb::task_arena> arena = std::move(idle.back());
    idle.pop_back();
    return arena;
  }
  std::mutex mutex;
  std::vector<std::unique_ptr<tbb::task_arena>> idle; ///< as many as the most launches that ran at once
};

/// The state that all kernels of a device share.
struct DeviceState {
  explicit DeviceState(int threads) : workers(threads) {}
  Workers workers;
  PackedCopies copies;
};

/// The entry of a kernel and the threads for its blocks.
struct CpuEntry {
  const opc_kernel_entry &entry;
  std::shared_ptr<DeviceState> device;

  /// Status bits of all blocks.
  int32_t runAll(const opc_kernel_arguments &arguments, int64_t blocks) const;
  /// Runs all blocks and reports errors.
  bool run(const opc_kernel_arguments &arguments, int64_t blocks, Diagnostics &diagnostics) const;
  void explain(int32_t status, int64_t stepLimit, Diagnostics &diagnostics) const;
};

/// Computes sizes and tiling data once, so that a run only calls the entry.
class CpuPrepared : public PreparedKernel {
public:
  CpuPrepared(const CpuEntry &entry, const LaunchArguments &arguments)
      : entry(entry), tiling(arguments.tiling), blocks(arguments.blockNum) {
    for (const LaunchTensor &tensor : arguments.tensors)
      sizes.push_back(tensor.bytes / elementSize(tensor.type));
    steps = stepLimit(sizes);
  }
  bool run(void *const *tensors, Diagnostics &diagnostics) override {
    return entry.run(arguments(tensors, packing), blocks, diagnostics);
  }
  void keepConstants(void *const *tensors, const std::vector<bool> &constant) override;
  PackedConstant packed() const override { return {kept, kept ? bytesOf(keptElements) : 0}; }
  bool takePacked(const std::vector<bool> &constant, const PackedConstant &given) override;

private:
  /// An input that the entry packs.
  struct Choice {
    size_t input;
    int64_t place; ///< of OPC_KERNEL_PACKED_INPUT
  };
  std::optional<Choice> choose(const std::vector<bool> &constant) const;
  static size_t bytesOf(size_t elements) { return elements * 4 + OPC_KERNEL_BEHIND_PACKED; }
  opc_kernel_arguments arguments(void *const *tensors, int64_t packing) const {
    return {tensors, sizes.data(), tiling.data(), steps, streamThreshold, kept.get(), packing};
  }

  CpuEntry entry;
  std::vector<int64_t> sizes, tiling;
  int64_t blocks, steps = 0, streamThreshold = streamThresholdBytes();
  PackedCopy kept; ///< of an input that the entry packs
  size_t keptElements = 0;
  int64_t packing = OPC_KERNEL_UNPACKED; ///< in runs
};

class CpuKernel : public Kernel {
public:
  CpuKernel(std::shared_ptr<KernelLibrary> library, const opc_kernel_entry &entry, size_t tensors, size_t fields,
            std::shared_ptr<DeviceState> state)
      : library(std::move(library)), entry{entry, std::move(state)}, tensors(tensors), fields(fields) {}

  bool launch(const LaunchArguments &arguments, LaunchReport &report, Diagnostics &diagnostics) override;
  std::unique_ptr<PreparedKernel> prepare(const LaunchArguments &arguments, Diagnostics &diagnostics) override {
    if (!accepts(arguments, diagnostics))
      return nullptr;
    return std::make_unique<CpuPrepared>(entry, arguments);
  }

private:
  bool accepts(const LaunchArguments &arguments, Diagnostics &diagnostics) const;

  std::shared_ptr<KernelLibrary> library;
  CpuEntry entry;
  size_t tensors, fields;
};

class CpuDevice : public Device, public BundleDevice {
public:
  explicit CpuDevice(std::shared_ptr<DeviceState> state) : state(std::move(state)) {}
  std::string_view name() const override { return "cpu"; }
  bool runsHostCode() const override { return true; }
  int64_t maxBlocks() const override { return kCpuMaxBlocks; }
  const std::vector<ManifestKernel> &kernels(const Manifest &manifest) const override {
    return manifest.cpuKernels.empty() ? manifest.kernels : manifest.cpuKernels;
  }
  std::unique_ptr<Kernel> load(const std::string &folder, const Manifest &manifest, const ManifestKernel &kernel,
                               Diagnostics &diagnostics) override;
  std::optional<std::vector<std::shared_ptr<Device>>> openBundle(const std::string &path,
                                                                 Diagnostics &diagnostics) override;

protected:
  std::shared_ptr<DeviceState> state;
};

} // namespace

bool CpuKernel::accepts(const LaunchArguments &arguments, Diagnostics &diagnostics) const {
  if (arguments.tensors.size() == tensors && arguments.tiling.size() == fields && arguments.blockNum >= 1)
    return true;
  diagnostics.error(Code::E0900, {},
                    "a launch of '" + printable(entry.entry.name) + "' expects " + std::to_string(tensors) +
                        " tensors and " + std::to_string(fields) + " fields of tiling data, found " +
                        std::to_string(arguments.tensors.size()) + " and " + std::to_string(arguments.tiling.size()));
  return false;
}

int32_t CpuEntry::runAll(const opc_kernel_arguments &arguments, int64_t blocks) const {
  if (blocks == 1 || device->workers.threads == 1 || (entry.flags & OPC_KERNEL_ENTRY_IN_ORDER))
    return entry.function(&arguments, 0, blocks);
  std::atomic<int32_t> status{0};
  auto run = [&](const tbb::blocked_range<int64_t> &range) {
    // After a failed block the outputs are undefined: skip the rest.
    if (status.load(std::memory_order_relaxed))
      return;
    if (int32_t found = entry.function(&arguments, range.begin(), range.end()))
      status.fetch_or(found, std::memory_order_relaxed);
  };
  // Each thread takes one run of adjacent blocks, which share the panels that an entry packs: smaller pieces would pack
  // them again.
  const tbb::static_partitioner inEqualRuns;
  device->workers.execute([&] { tbb::parallel_for(tbb::blocked_range<int64_t>(0, blocks), run, inEqualRuns); });
  return status;
}

static std::string brokenRules(int32_t status) {
  std::string text;
  auto say = [&](int32_t bit, const char *what) {
    if (status & bit)
      text += (text.empty() ? "" : "; ") + std::string(what);
  };
  say(OPC_KERNEL_OUTSIDE_TENSOR, "a copy would leave its tensor");
  say(OPC_KERNEL_OUTSIDE_TILE, "a copy or an intrinsic would leave its tile, or its tiles differ in length");
  say(OPC_KERNEL_TILING_DATA, "a field of the tiling data is outside of the range that the kernel states");
  say(OPC_KERNEL_DIVISION, "an index division has no result, or a loop does not advance");
  return text.empty() ? "status " + std::to_string(status) : text;
}

void CpuEntry::explain(int32_t status, int64_t stepLimit, Diagnostics &diagnostics) const {
  std::string who = "kernel '" + printable(entry.name) + "' ";
  // When another rule broke too, report that one.
  if (status == OPC_KERNEL_STEP_LIMIT)
    diagnostics.error(Code::E0454, {},
                      who + "expects each block to end within " + std::to_string(stepLimit) +
                          " steps, found one running on",
                      "", "look for a loop without an end, or for one that does the same work again");
  else
    diagnostics.error(Code::E0592, {}, who + "performs an invalid operation: " + brokenRules(status), "",
                      "'opc test <contract> --device=sim' runs it on one block and on several, and names "
                      "the line");
}

bool CpuEntry::run(const opc_kernel_arguments &arguments, int64_t blocks, Diagnostics &diagnostics) const {
  int32_t status = 0;
  // oneTBB throws when it cannot allocate its tasks; kernels do not throw.
  try {
    status = runAll(arguments, blocks);
  } catch (const std::exception &error) {
    diagnostics.error(Code::E0901, {},
                      "the blocks of '" + printable(entry.name) + "' cannot be started: " + error.what());
    return false;
  }
  if (__builtin_expect(status == 0, true))
    return true;
  explain(status, arguments.step_limit, diagnostics);
  return false;
}

// If both operands are constant (the product was not folded), the larger one is packed.
std::optional<CpuPrepared::Choice> CpuPrepared::choose(const std::vector<bool> &constant) const {
  std::optional<Choice> choice;
  for (int64_t each = 0; each < OPC_KERNEL_PACKED_PLACES; ++each) {
    const int64_t number = OPC_KERNEL_PACKED_INPUT(entry.entry.flags, each);
    if (number < 0 || number >= static_cast<int64_t>(sizes.size()) || !constant[static_cast<size_t>(number)])
      continue;
    if (choice && sizes[choice->input] >= sizes[static_cast<size_t>(number)])
      continue;
    choice = {static_cast<size_t>(number), each};
  }
  return choice && sizes[choice->input] != 0 ? choice : std::nullopt;
}

// Without memory for it, or if the launch cannot use it, the input is read unpacked.
void CpuPrepared::keepConstants(void *const *tensors, const std::vector<bool> &constant) {
  const std::optional<Choice> choice = choose(constant);
  if (!choice)
    return;
  keptElements = static_cast<size_t>(sizes[choice->input]);
  kept = entry.device->copies.create(keptElements);
  if (!kept)
    return;
  const opc_kernel_arguments asked = arguments(tensors, OPC_KERNEL_PACK(choice->place));
  if (entry.entry.function(&asked, 0, 0) != 0) {
    kept.reset();
    return;
  }
  kept = entry.device->copies.shared(tensors[choice->input], std::move(kept), keptElements);
  packing = OPC_KERNEL_READ_PACKED(choice->place);
}

bool CpuPrepared::takePacked(const std::vector<bool> &constant, const PackedConstant &given) {
  constexpr uintptr_t kAlignment = 64;
  const std::optional<Choice> choice = choose(constant);
  if (!choice || !given.memory || reinterpret_cast<uintptr_t>(given.memory.get()) % kAlignment != 0 ||
      given.bytes != bytesOf(static_cast<size_t>(sizes[choice->input])))
    return false;
  // Entries only read it.
  kept = std::const_pointer_cast<void>(given.memory);
  keptElements = static_cast<size_t>(sizes[choice->input]);
  packing = OPC_KERNEL_READ_PACKED(choice->place);
  return true;
}

bool CpuKernel::launch(const LaunchArguments &arguments, LaunchReport &report, Diagnostics &diagnostics) {
  if (!accepts(arguments, diagnostics))
    return false;
  std::vector<void *> pointers;
  std::vector<int64_t> sizes;
  for (const LaunchTensor &tensor : arguments.tensors) {
    pointers.push_back(tensor.data);
    sizes.push_back(tensor.data ? tensor.bytes / elementSize(tensor.type) : 0);
  }
  auto start = std::chrono::steady_clock::now();
  bool done = entry.run({pointers.data(), sizes.data(), arguments.tiling.data(), stepLimit(sizes),
                         streamThresholdBytes(), nullptr, OPC_KERNEL_UNPACKED},
                        arguments.blockNum, diagnostics);
  report = LaunchReport();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return done;
}

static std::unique_ptr<Kernel> hasNoLibrary(const std::string &folder, Diagnostics &diagnostics) {
  diagnostics.error(Code::E0502, {folder, 0, 0}, "expects an op folder with a CPU library, found none", "",
                    "compile the operator again, without --cpu-levels=none, or use --device=sim");
  return nullptr;
}

/// A kernel of a library at `path`; checks that it is the manifest's.
static std::unique_ptr<Kernel> kernelOf(std::shared_ptr<KernelLibrary> library, const std::string &path,
                                        const Manifest &manifest, const ManifestKernel &kernel,
                                        const std::shared_ptr<DeviceState> &state, Diagnostics &diagnostics) {
  const opc_kernel_entry *entry = library->find(kernel.name);
  bool same = entry && manifest.opType == library->table().op_type && entry->tiling_key == kernel.tilingKey;
  const bool isPacked = std::any_of(manifest.inputs.begin(), manifest.inputs.end(),
                                    [&](const ManifestTensor &input) { return input.isPacked(kernel.typeRow); });
  if (!entry && isPacked) {
    diagnostics.error(Code::E0502, {path, 0, 0},
                      "expects inputs that the CPU reads, found a weight that is packed for the AI Core: '" +
                          printable(kernel.name) + "' of '" + printable(manifest.opType) +
                          "' has no kernel for the CPU",
                      "", "--device=sim, or the matrix it was packed from");
    return nullptr;
  }
  if (!same) {
    diagnostics.error(Code::E0501, {path, 0, 0},
                      "expects the kernels that the manifest names; '" + printable(kernel.name) + "' of '" +
                          printable(manifest.opType) + "' is not among them",
                      "", "compile the operator again");
    return nullptr;
  }
  // The kernel reads tiling data by position, so its tiling function must be the manifest's.
  std::vector<uint8_t> tiling = writeTiling(kernel.tiling);
  if (!std::equal(tiling.begin(), tiling.end(), entry->tiling_code, entry->tiling_code + entry->tiling_size)) {
    diagnostics.error(Code::E0501, {path, 0, 0},
                      "expects a library of the launch's tiling functions; that of '" + printable(kernel.name) +
                          "' is another one",
                      "", "compile the operator again");
    return nullptr;
  }
  return std::make_unique<CpuKernel>(std::move(library), *entry, manifest.numTensors(),
                                     kernel.tiling.outputs.size() + kernel.launchAttributes.size(), state);
}

std::unique_ptr<Kernel> CpuDevice::load(const std::string &folder, const Manifest &manifest,
                                        const ManifestKernel &kernel, Diagnostics &diagnostics) {
  if (manifest.cpuLibrary.empty())
    return hasNoLibrary(folder, diagnostics);
  std::string path = folder + "/" + manifest.cpuLibrary;
  std::shared_ptr<KernelLibrary> library = KernelLibrary::open(path, diagnostics);
  return library ? kernelOf(std::move(library), path, manifest, kernel, state, diagnostics) : nullptr;
}

namespace {

/// The CPU with the kernels of one op folder of a bundle.
class PlaceInBundle : public CpuDevice {
public:
  PlaceInBundle(std::shared_ptr<KernelLibrary> library, std::string path, std::shared_ptr<DeviceState> state)
      : CpuDevice(std::move(state)), library(std::move(library)), path(std::move(path)) {}
  std::string packedForm() const override { return library ? std::string(library->level().cpu_level) : ""; }
  std::unique_ptr<Kernel> load(const std::string &folder, const Manifest &manifest, const ManifestKernel &kernel,
                               Diagnostics &diagnostics) override {
    return library ? kernelOf(library, path, manifest, kernel, state, diagnostics) : hasNoLibrary(folder, diagnostics);
  }

private:
  std::shared_ptr<KernelLibrary> library; ///< null: the operator has none
  std::string path;
};

} // namespace

std::optional<std::vector<std::shared_ptr<Device>>> CpuDevice::openBundle(const std::string &path,
                                                                          Diagnostics &diagnostics) {
  std::shared_ptr<KernelBundle> bundle = KernelBundle::open(path, diagnostics);
  if (!bundle)
    return std::nullopt;
  std::vector<std::shared_ptr<Device>> places;
  for (size_t i = 0; i < bundle->size(); ++i)
    places.push_back(std::make_shared<PlaceInBundle>(bundle->library(i), path, state));
  return places;
}

std::unique_ptr<Device> createCpuDevice(int threads) {
  // oneTBB warns on stderr when there are more threads than cores.
  return std::make_unique<CpuDevice>(
      std::make_shared<DeviceState>(std::clamp(threads, 0, tbb::info::default_concurrency())));
}

} // namespace opc
