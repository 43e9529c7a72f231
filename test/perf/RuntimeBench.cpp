// Figures of the runtime, as JSON lines for ./dev bench: medians of what is measured in turns.
//
//   cached_launch      opc-side cost of a prepared launch of the null device, one thread and two at
//                      once, 3 and 16 tensors; the one-call form beside it, for information
//   first_use          an entry of the kernel cache, loaded from disk and launched once, in a cold
//                      runtime and a warm page cache
//   pool               the allocations of a ResNet-50-sized run, by the pool, by mmap, by malloc
//   caches             twelve operators over varying lengths, with caches and pool and without
//
// Usage: runtime_bench <folder for files>

#include "runtime/core/LaunchCache.h"
#include "runtime/core/PreparedLaunch.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/core/pool/MemoryPool.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/device/null/NullDevice.h"
#include "test/unit/runtime/device/conformance/ConformanceFolder.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
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

/// An operator of `tensors` tensors on the null device.
static std::shared_ptr<PreparedLaunch> nullLaunch(size_t tensors) {
  Manifest manifest = test::conformanceManifest();
  ManifestTensor input = manifest.inputs.front();
  manifest.inputs.clear();
  for (size_t i = 0; i + 1 < tensors; ++i) {
    input.name = "x" + std::to_string(i);
    manifest.inputs.push_back(input);
  }
  auto op = Operator::create({"", manifest, nullptr}, createNullDevice());
  std::vector<std::optional<TensorForm>> forms(tensors - 1,
                                               TensorForm{ElementType::Float32, {1024}});
  Diagnostics diagnostics;
  return PreparedLaunch::create(op, forms, {}, diagnostics);
}

/// Nanoseconds of a launch, batch after batch, on `threads` threads at once.
static std::vector<double> launchTimes(size_t tensors, int threads) {
  constexpr int kBatches = 2000, kBatch = 64;
  std::shared_ptr<PreparedLaunch> launch = nullLaunch(tensors);
  std::vector<std::vector<double>> times(static_cast<size_t>(threads));
  std::atomic<int> ready{0};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      std::vector<float> memory(tensors * 1024);
      std::vector<void *> data;
      for (size_t i = 0; i < tensors; ++i)
        data.push_back(memory.data() + i * 1024);
      std::vector<double> &mine = times[size_t(t)];
      mine.reserve(kBatches);
      ++ready;
      while (ready < threads) {
      }
      for (int batch = 0; batch < kBatches; ++batch) {
        Clock::time_point start = Clock::now();
        for (int i = 0; i < kBatch; ++i) {
          Diagnostics diagnostics;
          if (!launch->run(data.data(), diagnostics))
            std::abort();
        }
        mine.push_back(nanoseconds(start, Clock::now()) / kBatch);
      }
    });
  for (std::thread &thread : running)
    thread.join();
  std::vector<double> all;
  for (const std::vector<double> &some : times)
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

static void cachedLaunch() {
  for (int threads : {1, 2})
    for (size_t tensors : {size_t(3), size_t(16)}) {
      std::vector<double> times = launchTimes(tensors, threads);
      std::printf("{\"figure\": \"cached_launch\", \"threads\": %d, \"tensors\": %zu, \"p50_ns\": "
                  "%.1f, \"p99_ns\": %.1f}\n",
                  threads, tensors, percentile(times, 0.5), percentile(times, 0.99));
    }
}

// ---- the kernel cache ----

namespace {
class ReadyCompiler : public KernelCompiler {
public:
  explicit ReadyCompiler(std::vector<KernelFile> files) : files(std::move(files)) {}
  std::optional<Manifest> outline(const std::string &, Diagnostics &) override {
    return test::conformanceManifest();
  }
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
  std::printf("{\"figure\": \"first_use\", \"p50_ms\": %.4f, \"p99_ms\": %.4f}\n",
              percentile(times, 0.5), percentile(times, 0.99));
}

// ---- memory ----

namespace {
struct Step {
  bool allocate;
  size_t buffer, bytes;
};
} // namespace

/// Activations and workspaces of a network of ResNet-50's size, float32, batch 1, in the order of a
/// run: each block of a stage holds its input until its sum is done.
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
      size_t sum = layer(4 * channels[stage] * area);
      give(c);
      give(current);
      current = sum;
    }
  size_t pooled = layer(2048), logits = layer(1000);
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
        steps, [](size_t bytes) { return std::malloc(bytes); },
        [](void *memory, size_t) { std::free(memory); }));
  }
  PoolStatistics numbers = pool.statistics();
  std::printf("{\"figure\": \"pool\", \"pool_us\": %.1f, \"device_us\": %.1f, \"malloc_us\": %.1f, "
              "\"held_mb\": %.1f, \"peak_mb\": %.1f, \"hit_rate\": %.4f}\n",
              percentile(byPool, 0.5) / 1e3, percentile(byDevice, 0.5) / 1e3,
              percentile(byMalloc, 0.5) / 1e3, double(numbers.held()) / 1e6,
              double(numbers.peak) / 1e6, numbers.hitRate());
}

// ---- all caches ----

/// Milliseconds of each pass over the sequence; `peak` is what the device handed out at most.
static std::vector<double> playSequence(const std::string &folder, bool caches, size_t &peak) {
  class Counting : public DeviceAllocator {
  public:
    Counting(size_t &peak) : peak(peak) {}
    void *allocate(size_t bytes) override {
      now += bytes;
      peak = std::max(peak, now);
      return pages->allocate(bytes);
    }
    void release(void *memory, size_t bytes) override {
      now -= bytes;
      pages->release(memory, bytes);
    }

  private:
    size_t &peak, now = 0;
    std::unique_ptr<DeviceAllocator> pages = createMmapAllocator();
  };
  CacheSettings settings = settingsAt(folder);
  settings.disable = !caches;
  KernelCache cache(settings, createCpuDevice(1));
  LaunchCache launches(caches ? 10000 : 0);
  peak = 0;
  MemoryPool pool(std::make_unique<Counting>(peak));
  Diagnostics diagnostics;
  std::vector<double> times;
  for (int pass = 0; pass < 41; ++pass) {
    Clock::time_point start = Clock::now();
    void *input = nullptr;
    int64_t length = 4096 + int64_t(pass % 8) * 1000;
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
  size_t peakOn = 0, peakOff = 0;
  playSequence(folder, true, peakOn); // fills the disk
  std::vector<double> on = playSequence(folder, true, peakOn);
  std::vector<double> off = playSequence(folder, false, peakOff);
  double firstOn = on.front(), firstOff = off.front();
  on.erase(on.begin(), on.begin() + 9);
  off.erase(off.begin(), off.begin() + 9);
  std::printf("{\"figure\": \"caches\", \"on_ms\": %.4f, \"off_ms\": %.4f, \"first_on_ms\": %.3f, "
              "\"first_off_ms\": %.3f, \"peak_on_mb\": %.3f, \"peak_off_mb\": %.3f}\n",
              percentile(on, 0.5), percentile(off, 0.5), firstOn, firstOff, double(peakOn) / 1e6,
              double(peakOff) / 1e6);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: runtime_bench FOLDER\n");
    return 2;
  }
  std::string folder = argv[1];
  registerKernelCompiler(std::make_shared<ReadyCompiler>(folderFiles()));
  cachedLaunch();
  firstUse(folder);
  poolAgainstDevice();
  cachesOnAndOff(folder);
  return 0;
}
