// Rounds of everything that a long-lived process does: runtimes, operators, launches, streams, memory, errors, the
// kernel cache. After a warm-up neither memory nor handles nor threads grow. OPC_SOAK_SECONDS makes the seconds of
// the test longer; it prints what it saw then.

#include "runtime/api/opc_runtime.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "test/unit/runtime/core/cache/CacheHarness.h"

#include <chrono>
#include <cstdio>
#include <malloc.h>

using namespace opc;
using namespace opc::test;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

namespace {
/// What a process holds.
struct Holdings {
  size_t resident = 0; ///< bytes of its own pages in memory
  size_t heap = 0;     ///< bytes that malloc handed out; 0 where it does not tell
  size_t handles = 0, threads = 0;
};
} // namespace

static Holdings holdings() {
  Holdings now;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("RssAnon:", 0) == 0)
      now.resident = std::stoull(line.substr(8)) * 1024;
  now.heap = mallinfo2().uordblks + mallinfo2().hblkhd;
  now.handles = size_t(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
  now.threads = size_t(std::distance(fs::directory_iterator("/proc/self/task"), {}));
  return now;
}

/// Launches of a folder through the C interface, those that fail among them.
static void useInterface(const std::string &folder, unsigned round) {
  opc_runtime_options options{};
  options.size = sizeof options;
  options.threads = 2;
  options.poison = round % 2;
  opc_runtime *runtime = nullptr;
  opc_operator *op = nullptr;
  opc_stream *stream = nullptr;
  ASSERT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION, &options, &runtime), OPC_OK);
  ASSERT_EQ(opc_operator_open(runtime, folder.c_str(), &op), OPC_OK) << opc_last_error()->reason;
  ASSERT_EQ(opc_stream_create(runtime, &stream), OPC_OK);
  for (int64_t n = 1; n < 20; ++n) {
    int64_t shape[] = {n, 7};
    void *memory[3];
    for (void *&each : memory)
      ASSERT_EQ(opc_memory_allocate(runtime, size_t(n) * 7 * 4, &each), OPC_OK);
    std::fill_n(static_cast<float *>(memory[0]), n * 7, 1.0f);
    std::fill_n(static_cast<float *>(memory[1]), n * 7, 2.0f);
    DLTensor x1{memory[0], {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0}, x2 = x1, y = x1;
    x2.data = memory[1];
    y.data = memory[2];
    const DLTensor *inputs[] = {&x1, &x2}, *outputs[] = {&y};
    ASSERT_EQ(opc_launch_once(op, n % 2 ? stream : nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_OK);
    opc_launch *launch = nullptr;
    ASSERT_EQ(opc_launch_prepare(op, inputs, 2, nullptr, 0, &launch), OPC_OK);
    ASSERT_EQ(opc_stream_synchronize(stream), OPC_OK);
    ASSERT_EQ(opc_launch_run(launch, nullptr, memory, 3), OPC_OK);
    EXPECT_EQ(static_cast<float *>(memory[2])[n * 7 - 1], 3.0f);
    opc_launch_destroy(launch);
    int64_t other[] = {7, n};
    x2.shape = n == 7 ? shape : other;
    x2.dtype = n == 7 ? DLDataType{kDLInt, 8, 1} : x2.dtype;
    EXPECT_NE(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_OK);
    for (void *each : memory)
      ASSERT_EQ(opc_memory_release(runtime, each), OPC_OK);
  }
  opc_stream_destroy(stream);
  opc_operator_close(op);
  opc_runtime_destroy(runtime);
  opc_operator *none = nullptr;
  EXPECT_EQ(opc_runtime_create(999, nullptr, &runtime), OPC_USAGE);
  EXPECT_EQ(none, nullptr);
}

/// Kernels from memory, from disk and from the compiler, more of them than stay in memory.
static void useKernelCache(const std::string &path, unsigned round) {
  CacheSettings settings;
  settings.path = path;
  settings.kernels = 4;
  KernelCache cache(settings, createCpuDevice(1));
  DiskCache &disk = cache.disk();
  for (int turn = 0; turn < 8; ++turn) {
    Diagnostics diagnostics;
    KernelCache::Result result = cache.get(requestFor("key" + std::to_string(turn % 5)), "AddRelu_8", diagnostics);
    ASSERT_TRUE(result.op);
    TensorForm form{ElementType::Float32, {8}};
    auto launch = PreparedLaunch::create(result.op, {form, form}, {}, diagnostics);
    ASSERT_TRUE(launch);
    float a[8] = {1}, b[8] = {2}, y[8];
    void *data[] = {a, b, y};
    ASSERT_TRUE(launch->run(data, diagnostics));
    EXPECT_EQ(y[0], 3.0f);
    if (turn == 4 && round % 16 == 0)
      disk.remove(result.hash);
  }
}

// Without it: a process that runs for days ends in the middle of one.
TEST(Growth, NothingGrows) {
  const char *given = std::getenv("OPC_SOAK_SECONDS");
  const double seconds = given ? std::atof(given) : 2;
  // The longest cycle of a round's work is 16 rounds.
#ifdef OPC_PAGES_OF_OTHERS
  constexpr unsigned kWarmUp = 16;
#else
  constexpr unsigned kWarmUp = 48;
#endif
  TemporaryFolder folder;
  ConformanceFolder operators;
  registerKernelCompiler(std::make_shared<CountingCompiler>(folder.path + "/compiles", 0));
  std::vector<Holdings> warm;
  Holdings now;
  Clock::time_point start = Clock::now();
  double told = 0;
  unsigned round = 0;
  for (bool ending = false; !ending; ++round) {
    useInterface(operators.path(), round);
    useKernelCache(folder.path + "/cache", round);
    ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    double passed = std::chrono::duration<double>(Clock::now() - start).count();
    ending = round >= 3 * kWarmUp && round % 16 == 0 && passed >= seconds;
    if (round >= kWarmUp && round < 2 * kWarmUp)
      warm.push_back(holdings());
    if (ending || (given && passed >= told)) {
      now = holdings();
      told = passed + seconds / 20;
      if (given)
        std::printf("%6.0f s, round %u: %zu KB resident, %zu KB of the heap, %zu handles, %zu "
                    "threads\n",
                    passed, round, now.resident >> 10, now.heap >> 10, now.handles, now.threads);
      std::fflush(stdout);
    }
  }
  registerKernelCompiler(nullptr);
  Holdings most;
  for (const Holdings &each : warm) {
    most.resident = std::max(most.resident, each.resident);
    most.heap = std::max(most.heap, each.heap);
    most.handles = std::max(most.handles, each.handles);
    most.threads = std::max(most.threads, each.threads);
  }
  EXPECT_LE(now.handles, most.handles) << round << " rounds";
  EXPECT_LE(now.threads, most.threads) << round << " rounds";
  EXPECT_LE(now.heap, most.heap + (16 << 10)) << round << " rounds";
#ifndef OPC_PAGES_OF_OTHERS
  // Sanitizers keep what was released, an emulator what it translated.
  EXPECT_LE(now.resident, most.resident + (1 << 20)) << round << " rounds";
#endif
}
