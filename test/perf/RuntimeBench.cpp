// Figures of the runtime, as JSON lines for ./dev bench: medians of what is measured in turns.
//
//   cached_launch      opc-side cost of a launch of the null device, prepared and in one call, one
//                      thread and two at once, 3 and 16 tensors of two dimensions
//   first_use          an entry of the kernel cache, loaded from disk and launched once, in a cold
//                      runtime and a warm page cache
//   pool               the allocations of a ResNet-50-sized run, by the pool, by mmap, by malloc
//   caches             twelve operators over varying lengths, with caches and pool and without
//   memory_peak        resident memory of their tensors: by the pool, each tensor kept until its
//                      pass is over, each given back to the system when nobody needs it
//
// Usage: runtime_bench <folder for files> [figure]

#include "runtime/api/opc_runtime.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/core/launch/LaunchCache.h"
#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/core/pool/MemoryPool.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/program/Manifest.h"
#include "test/unit/runtime/device/conformance/ConformanceFolder.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sys/mman.h>
#include <thread>

using namespace opc;
using Clock = std::chrono::steady_clock;

static double nanoseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::nano>(to - from).count();
}

static double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, size_t(share * double(values.size())))];
}

namespace {
/// An operator of `tensors` tensors of 4x256 floats, opened through the C interface on the null device. A thread has
/// its own memory and tensors.
class NullOperator {
public:
  NullOperator(const std::string &folder, size_t tensors) : tensors(tensors) {
    Manifest manifest = test::conformanceManifest();
    ManifestTensor input = manifest.inputs.front();
    manifest.inputs.clear();
    for (size_t i = 0; i + 1 < tensors; ++i) {
      input.name = "x" + std::to_string(i);
      manifest.inputs.push_back(input);
    }
    std::string path = folder + "/null" + std::to_string(tensors);
    std::filesystem::create_directories(path);
    std::ofstream(path + "/manifest.json") << writeManifest(manifest);
    opc_runtime_options options{};
    options.size = sizeof options;
    options.device = "null";
    must(opc_runtime_create(OPC_RUNTIME_API_VERSION, &options, &runtime));
    must(opc_operator_open(runtime, path.c_str(), &op));
    Memory memory(*this);
    must(opc_launch_prepare(op, memory.inputs(), tensors - 1, nullptr, 0, &launch));
  }
  ~NullOperator() {
    opc_launch_destroy(launch);
    opc_operator_close(op);
    opc_runtime_destroy(runtime);
  }

  class Memory {
  public:
    explicit Memory(const NullOperator &of) : memory(of.tensors * 1024), described(of.tensors) {
      for (size_t i = 0; i < of.tensors; ++i) {
        data.push_back(memory.data() + i * 1024);
        described[i] = {data.back(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0};
        pointers.push_back(&described[i]);
      }
    }
    const DLTensor *const *inputs() const { return pointers.data(); }
    const DLTensor *const *outputs() const { return &pointers.back(); }
    std::vector<void *> data;

  private:
    std::vector<float> memory;
    int64_t shape[2] = {4, 256};
    std::vector<DLTensor> described;
    std::vector<const DLTensor *> pointers;
  };
  opc_status runPrepared(Memory &memory) const { return opc_launch_run(launch, nullptr, memory.data.data(), tensors); }
  opc_status runOnce(Memory &memory) const {
    return opc_launch_once(op, nullptr, memory.inputs(), tensors - 1, memory.outputs(), 1, nullptr, 0);
  }
  const size_t tensors;

private:
  static void must(opc_status status) {
    if (status == OPC_OK)
      return;
    std::fprintf(stderr, "runtime_bench: %s\n", opc_last_error()->reason);
    std::exit(1);
  }
  opc_runtime *runtime = nullptr;
  opc_operator *op = nullptr;
  opc_launch *launch = nullptr;
};
} // namespace

static double threadNanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

/// Nanoseconds of a launch, batch after batch, on `threads` threads at once. Negative: the thread had less than 0.97
/// of a core meanwhile.
static std::vector<double> launchTimes(const NullOperator &op, bool prepared, int threads) {
  constexpr int kBatches = 2000, kBatch = 64;
  std::vector<std::vector<double>> times(static_cast<size_t>(threads));
  std::atomic<int> ready{0};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      NullOperator::Memory memory(op);
      std::vector<double> &mine = times[size_t(t)];
      mine.reserve(kBatches);
      ++ready;
      while (ready < threads) {
      }
      for (int batch = 0; batch < kBatches; ++batch) {
        // The thread's clock goes around the wall's: nobody who kept a core is dropped.
        double cpu = threadNanoseconds();
        Clock::time_point start = Clock::now();
        for (int i = 0; i < kBatch; ++i)
          if ((prepared ? op.runPrepared(memory) : op.runOnce(memory)) != OPC_OK)
            std::abort();
        double wall = nanoseconds(start, Clock::now());
        cpu = threadNanoseconds() - cpu;
        mine.push_back(cpu < 0.97 * wall ? -1 : wall / kBatch);
      }
    });
  for (std::thread &thread : running)
    thread.join();
  std::vector<double> together;
  for (const std::vector<double> &some : times)
    together.insert(together.end(), some.begin(), some.end());
  return together;
}

static void cachedLaunch(const std::string &folder) {
  for (size_t tensors : {size_t(3), size_t(16)}) {
    NullOperator op(folder, tensors);
    for (bool prepared : {true, false})
      for (int threads : {1, 2}) {
        std::vector<double> times = launchTimes(op, prepared, threads);
        size_t all = times.size();
        times.erase(std::remove(times.begin(), times.end(), -1.0), times.end());
        if (times.empty())
          times.push_back(-1); // nothing can be said; `kept` says so
        std::printf("{\"figure\": \"cached_launch\", \"form\": \"%s\", \"threads\": %d, "
                    "\"tensors\": %zu, \"p50_ns\": %.1f, \"p99_ns\": %.1f, \"kept\": %zu, "
                    "\"dropped\": %zu}\n",
                    prepared ? "prepared" : "one_call", threads, tensors, percentile(times, 0.5),
                    percentile(times, 0.99), times.size(), all - times.size());
      }
  }
}

// ---- the kernel cache ----

namespace {
class ReadyCompiler : public KernelCompiler {
public:
  explicit ReadyCompiler(std::vector<KernelFile> files) : files(std::move(files)) {}
  std::optional<Manifest> outline(const std::string &, Diagnostics &) override { return test::conformanceManifest(); }
  std::optional<KernelKey> describe(const KernelRequest &request, Diagnostics &) override {
    KernelKey key;
    key.opType = "AddRelu";
    key.source = request.contract;
    return key;
  }
  std::vector<KernelFile> compile(const KernelRequest &, Diagnostics &) override { return files; }

private:
  std::vector<KernelFile> files;
};
} // namespace

static std::vector<KernelFile> folderFiles() {
  test::ConformanceFolder folder;
  std::vector<KernelFile> files;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file()) {
      std::ifstream stream(entry.path(), std::ios::binary);
      files.push_back({entry.path().lexically_relative(folder.path()).string(),
                       std::string(std::istreambuf_iterator<char>(stream), {})});
    }
  return files;
}

static KernelRequest requestOf(int op) {
  KernelRequest request;
  request.contract = "operator " + std::to_string(op);
  return request;
}

static CacheSettings settingsAt(const std::string &folder) {
  CacheSettings settings;
  settings.path = folder + "/cache";
  return settings;
}

static void firstUse(const std::string &folder) {
  std::vector<double> times;
  std::vector<float> memory(3 * 1024);
  void *data[] = {memory.data(), memory.data() + 1024, memory.data() + 2048};
  for (int turn = 0; turn < 200; ++turn) {
    KernelCache cache(settingsAt(folder), createCpuDevice(1));
    Diagnostics diagnostics;
    TensorForm form{ElementType::Float32, {1024}};
    Clock::time_point start = Clock::now();
    KernelCache::Result found = cache.get(requestOf(0), "AddRelu", diagnostics);
    auto launch = PreparedLaunch::create(found.op, {form, form}, {}, diagnostics);
    if (!launch || !launch->run(data, diagnostics))
      std::abort();
    if (turn) // the first one compiles
      times.push_back(nanoseconds(start, Clock::now()) / 1e6);
  }
  std::printf("{\"figure\": \"first_use\", \"p50_ms\": %.4f, \"p99_ms\": %.4f}\n", percentile(times, 0.5),
              percentile(times, 0.99));
}

// ---- memory ----

namespace {
struct Step {
  bool allocate;
  size_t buffer, bytes;
};
} // namespace

/// Activations and workspaces of a network of ResNet-50's size, float32, batch 1, in the order of a run: each
/// block of a stage holds its input until its sum is done. Shapes are those of table 1 of "Deep Residual Learning
/// for Image Recognition" (He et al., 2015); every layer also takes a workspace of half of its result and 256
/// bytes of tiling data.
static std::vector<Step> resnetRecord() {
  std::vector<Step> steps;
  size_t next = 0;
  auto take = [&](size_t elements) {
    steps.push_back({true, next, elements * 4});
    return next++;
  };
  auto give = [&](size_t buffer) { steps.push_back({false, buffer, 0}); };
  size_t current = take(3 * 224 * 224);
  auto layer = [&](size_t elements) {
    size_t workspace = take(elements / 2 + 256), tiling = take(64), result = take(elements);
    give(workspace);
    give(tiling);
    return result;
  };
  size_t stem = layer(64 * 112 * 112);
  give(current);
  current = layer(64 * 56 * 56);
  give(stem);
  const size_t blocks[] = {3, 4, 6, 3}, channels[] = {64, 128, 256, 512}, size[] = {56, 28, 14, 7};
  for (int stage = 0; stage < 4; ++stage)
    for (size_t block = 0; block < blocks[stage]; ++block) {
      size_t area = size[stage] * size[stage];
      size_t a = layer(channels[stage] * area), b = layer(channels[stage] * area);
      give(a);
      size_t c = layer(4 * channels[stage] * area);
      give(b);
      if (block == 0) { // the shortcut's projection
        size_t projected = layer(4 * channels[stage] * area);
        give(current);
        current = projected;
      }
      size_t sum = layer(4 * channels[stage] * area);
      give(c);
      give(current);
      current = sum;
    }
  size_t pooled = layer(2048), logits = layer(1000); // mean over 7 x 7, classifier
  give(current);
  give(pooled);
  give(logits);
  return steps;
}

/// Nanoseconds of one run of the record; one byte of every page of a buffer is written.
template <typename Allocate, typename Release>
static double playRecord(const std::vector<Step> &steps, Allocate allocate, Release release) {
  std::vector<std::pair<void *, size_t>> buffers(steps.size());
  Clock::time_point start = Clock::now();
  for (const Step &step : steps) {
    auto &[memory, bytes] = buffers[step.buffer];
    if (!step.allocate) {
      release(memory, bytes);
      continue;
    }
    bytes = step.bytes;
    memory = allocate(bytes);
    if (!memory)
      std::abort();
    for (size_t at = 0; at < bytes; at += 4096)
      static_cast<volatile char *>(memory)[at] = 1;
  }
  return nanoseconds(start, Clock::now());
}

static void poolAgainstDevice() {
  std::vector<Step> steps = resnetRecord();
  MemoryPool pool(createMmapAllocator());
  std::unique_ptr<DeviceAllocator> device = createMmapAllocator();
  Diagnostics diagnostics;
  auto pages = [](size_t bytes) { return (bytes + 4095) / 4096 * 4096; };
  std::vector<double> byPool, byDevice, byMalloc;
  for (int turn = 0; turn < 31; ++turn) {
    byPool.push_back(playRecord(
        steps, [&](size_t bytes) { return pool.allocate(bytes, diagnostics); },
        [&](void *memory, size_t) { pool.release(memory); }));
    byDevice.push_back(playRecord(
        steps, [&](size_t bytes) { return device->allocate(pages(bytes)); },
        [&](void *memory, size_t bytes) { device->release(memory, pages(bytes)); }));
    byMalloc.push_back(playRecord(
        steps, [](size_t bytes) { return std::malloc(bytes); }, [](void *memory, size_t) { std::free(memory); }));
  }
  PoolStatistics numbers = pool.statistics();
  std::printf("{\"figure\": \"pool\", \"pool_us\": %.1f, \"device_us\": %.1f, \"malloc_us\": %.1f, "
              "\"held_mb\": %.1f, \"peak_mb\": %.1f, \"hit_rate\": %.4f}\n",
              percentile(byPool, 0.5) / 1e3, percentile(byDevice, 0.5) / 1e3, percentile(byMalloc, 0.5) / 1e3,
              double(numbers.held()) / 1e6, double(numbers.peak) / 1e6, numbers.hitRate());
}

// ---- all caches ----

/// Elements of the sequence's tensors in a pass.
static int64_t lengthOf(int pass) {
  return 4096 + int64_t(pass % 8) * 1000;
}

/// Milliseconds of each pass over the sequence.
static std::vector<double> playSequence(const std::string &folder, bool caches) {
  CacheSettings settings = settingsAt(folder);
  settings.disable = !caches;
  KernelCache cache(settings, createCpuDevice(1));
  LaunchCache launches(caches ? 10000 : 0);
  MemoryPool pool(createMmapAllocator());
  Diagnostics diagnostics;
  std::vector<double> times;
  for (int pass = 0; pass < 41; ++pass) {
    Clock::time_point start = Clock::now();
    void *input = nullptr;
    int64_t length = lengthOf(pass);
    for (int op = 0; op < 12; ++op) {
      LaunchKey key;
      key.add(uint64_t(op));
      key.add(uint64_t(length));
      const std::shared_ptr<PreparedLaunch> *found = launches.find(key);
      std::shared_ptr<PreparedLaunch> launch = found ? *found : nullptr;
      if (!launch) {
        TensorForm form{ElementType::Float32, {length}};
        auto result = cache.get(requestOf(op), "AddRelu", diagnostics);
        launch = PreparedLaunch::create(result.op, {form, form}, {}, diagnostics);
        if (!launch)
          std::abort();
        launches.insert(key, launch);
      }
      size_t bytes = size_t(length) * 4;
      if (!input) {
        input = pool.allocate(bytes, diagnostics);
        std::memset(input, 0, bytes);
      }
      void *output = pool.allocate(bytes, diagnostics);
      void *data[] = {input, input, output};
      if (!launch->run(data, diagnostics))
        std::abort();
      pool.release(input);
      input = output;
      if (!caches)
        pool.trim();
    }
    pool.release(input);
    times.push_back(nanoseconds(start, Clock::now()) / 1e6);
  }
  return times;
}

static void cachesOnAndOff(const std::string &folder) {
  playSequence(folder, true); // fills the disk
  std::vector<double> times[2], first[2];
  for (int turn = 0; turn < 11; ++turn)
    for (bool caches : {false, true}) {
      std::vector<double> passes = playSequence(folder, caches);
      first[caches].push_back(passes.front());
      // Each of the eight lengths was met once before it counts.
      times[caches].insert(times[caches].end(), passes.begin() + 9, passes.end());
    }
  std::printf("{\"figure\": \"caches\", \"on_ms\": %.4f, \"off_ms\": %.4f, \"first_on_ms\": %.3f, "
              "\"first_off_ms\": %.3f}\n",
              percentile(times[1], 0.5), percentile(times[0], 0.5), percentile(first[1], 0.5),
              percentile(first[0], 0.5));
}

namespace {
/// The system's memory, with an eye on how much of it was ever touched.
class Watched : public DeviceAllocator {
public:
  void *allocate(size_t bytes) override {
    void *memory = pages->allocate(bytes);
    if (memory)
      held[memory] = bytes;
    return memory;
  }
  void release(void *memory, size_t bytes) override {
    held.erase(memory);
    pages->release(memory, bytes);
  }
  size_t resident() const {
    size_t count = 0;
    for (const auto &[memory, bytes] : held) {
      std::vector<unsigned char> seen((bytes + 4095) / 4096);
      if (mincore(memory, bytes, seen.data()) == 0)
        count += size_t(std::count_if(seen.begin(), seen.end(), [](auto page) { return page & 1; }));
    }
    return count * 4096;
  }

private:
  std::unique_ptr<DeviceAllocator> pages = createMmapAllocator();
  std::map<void *, size_t> held;
};
} // namespace

/// Plays the tensors of the sequence, each written as a whole, an operator's input given back after it; returns the
/// most bytes that were resident.
template <typename Allocate, typename Release>
static size_t mostResident(const Watched &memory, Allocate allocate, Release release, bool keepForPass) {
  size_t most = 0;
  for (int pass = 0; pass < 17; ++pass) {
    size_t bytes = size_t(lengthOf(pass)) * 4;
    std::vector<void *> live;
    for (int tensor = 0; tensor <= 12; ++tensor) {
      live.push_back(allocate(bytes));
      std::memset(live.back(), 1, bytes);
      most = std::max(most, memory.resident());
      if (!keepForPass && live.size() > 1) {
        release(live.front(), bytes);
        live.erase(live.begin());
      }
    }
    for (void *one : live)
      release(one, bytes);
  }
  return most;
}

static void memoryPeak() {
  auto watched = std::make_unique<Watched>();
  Watched &underPool = *watched;
  MemoryPool pool(std::move(watched));
  Diagnostics diagnostics;
  size_t byPool = mostResident(
      underPool, [&](size_t bytes) { return pool.allocate(bytes, diagnostics); },
      [&](void *one, size_t) { pool.release(one); }, false);
  size_t most[2];
  for (bool keep : {false, true}) {
    Watched system;
    auto pages = [](size_t bytes) { return (bytes + 4095) / 4096 * 4096; };
    most[keep] = mostResident(
        system, [&](size_t bytes) { return system.allocate(pages(bytes)); },
        [&](void *one, size_t bytes) { system.release(one, pages(bytes)); }, keep);
  }
  std::printf("{\"figure\": \"memory_peak\", \"pool_mb\": %.3f, \"kept_mb\": %.3f, "
              "\"at_once_mb\": %.3f}\n",
              double(byPool) / 1e6, double(most[true]) / 1e6, double(most[false]) / 1e6);
}

int main(int argc, char **argv) {
  const std::pair<const char *, void (*)(const std::string &)> figures[] = {
      {"cached_launch", cachedLaunch},
      {"first_use", firstUse},
      {"pool", [](const std::string &) { poolAgainstDevice(); }},
      {"caches", cachesOnAndOff},
      {"memory_peak", [](const std::string &) { memoryPeak(); }}};
  auto wanted = [&](const char *name) { return argc == 2 || std::strcmp(argv[2], name) == 0; };
  // An option is no folder: it would be made.
  if (argc < 2 || argc > 3 || argv[1][0] == '-' ||
      !std::any_of(std::begin(figures), std::end(figures), [&](auto &one) { return wanted(one.first); })) {
    std::string names;
    for (const auto &[name, measure] : figures)
      names += (names.empty() ? "" : "|") + std::string(name);
    std::fprintf(stderr, "usage: runtime_bench FOLDER [%s]\n", names.c_str());
    return 2;
  }
  registerKernelCompiler(std::make_shared<ReadyCompiler>(folderFiles()));
  for (const auto &[name, measure] : figures)
    if (wanted(name))
      measure(argv[1]);
  return 0;
}
