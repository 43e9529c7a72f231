// Many processes on one cache, and processes that are killed. OPC_SOAK makes the small numbers large.

#include "runtime/device/null/NullDevice.h"
#include "test/unit/runtime/core/cache/CacheHarness.h"

#include <csignal>
#include <cstdlib>
#include <random>
#include <sys/wait.h>
#include <thread>

using namespace opc;
using namespace opc::test;
namespace fs = std::filesystem;

static bool soak() {
  return std::getenv("OPC_SOAK") != nullptr;
}

static CacheSettings settingsAt(const std::string &path) {
  CacheSettings settings;
  settings.path = path;
  return settings;
}

/// Gets every key from several threads; 0 when all were served without an error.
static int useCache(const std::string &path, const std::string &log, int threads, int keys, unsigned microseconds) {
  registerKernelCompiler(std::make_shared<CountingCompiler>(log, microseconds));
  std::atomic<int> failures{0};
  {
    KernelCache cache(settingsAt(path), createNullDevice());
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        for (int i = 0; i < keys; ++i) {
          Diagnostics diagnostics;
          std::string contract = "key" + std::to_string((i + t) % keys);
          if (!cache.get(requestFor(contract), "AddRelu_8", diagnostics).op || !diagnostics.all().empty())
            ++failures;
        }
      });
    for (std::thread &thread : running)
      thread.join();
  }
  return failures ? 1 : 0;
}

// Without it: processes that start together compile each kernel once each, or trip over each other.
TEST(CacheProcesses, OneCompileAKey) {
  const int processes = soak() ? 32 : 6, threads = soak() ? 16 : 4, keys = 8;
  TemporaryFolder folder;
  std::string log = folder.path + "/compiles";
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      _exit(useCache(folder.path + "/cache", log, threads, keys, 2000));
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_EQ(fs::file_size(log), uintmax_t(keys));
  CacheCounters counters = readCounters(DiskCache(folder.path + "/cache").folder());
  EXPECT_EQ(counters.compiles, uint64_t(keys));
  EXPECT_EQ(counters.lookups(), uint64_t(processes * threads * keys));
}

// Without it: an entry that is published or removed between two looks at it counts as damaged, is set aside, and
// is compiled again.
TEST(CacheProcesses, ComingAndGoingIsNoDamage) {
  TemporaryFolder folder;
  DiskCache disk(folder.path + "/cache");
  CountingCompiler compiler(folder.path + "/compiles", 0);
  Diagnostics diagnostics;
  KernelKey key = *compiler.describe(requestFor("a"), diagnostics);
  std::atomic<bool> ending{false};
  std::atomic<int> loaded{0}, absent{0};
  std::vector<std::string> damage(2);
  std::vector<std::thread> readers;
  for (std::string &problem : damage)
    readers.emplace_back([&] {
      while (!ending) {
        DiskCache::Loaded found = disk.load(key);
        if (found.found == DiskCache::Found::Damaged)
          problem = found.problem;
        ++(found.found == DiskCache::Found::Yes ? loaded : absent);
      }
    });
  std::vector<KernelFile> files = conformanceFiles();
  const int rounds = soak() ? 20000 : 100;
  for (int i = 0; i < rounds || ((loaded == 0 || absent == 0) && i < 100 * rounds); ++i) {
    disk.publish(key, files, diagnostics);
    disk.remove(key.hash());
  }
  ending = true;
  for (std::thread &reader : readers)
    reader.join();
  EXPECT_EQ(damage, std::vector<std::string>(2));
  EXPECT_GT(loaded, 0);
  EXPECT_GT(absent, 0);
}

// Without it: a process that is killed while it writes leaves an entry that is half there.
TEST(CacheProcesses, KilledAtAnyMoment) {
  const int kills = soak() ? 1000 : 25;
  TemporaryFolder folder;
  std::string path = folder.path + "/cache", log = folder.path + "/compiles";
  std::mt19937 random(310);
  DiskCache disk(path);
  CountingCompiler compiler(log, 0);
  std::vector<KernelFile> files = conformanceFiles();
  int loaded = 0;
  for (int i = 0; i < kills; ++i) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // Writes and removes without end.
      Diagnostics diagnostics;
      for (unsigned n = 0;; ++n) {
        KernelKey key = *compiler.describe(requestFor("key" + std::to_string(n % 4)), diagnostics);
        std::optional<FileLock> lock = disk.lock(key.hash(), diagnostics);
        disk.publish(key, files, diagnostics);
        if (n % 3 == 2)
          disk.remove(key.hash());
      }
    }
    // A slow machine gets longer, until something was published in time.
    usleep((2000 + random() % 10000) * (loaded ? 1 : 1 + i));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    // No lock is left behind, and every entry is whole or not there.
    for (int n = 0; n < 4; ++n) {
      Diagnostics diagnostics;
      KernelKey key = *compiler.describe(requestFor("key" + std::to_string(n)), diagnostics);
      ASSERT_TRUE(disk.lock(key.hash(), diagnostics));
      DiskCache::Loaded found = disk.load(key);
      ASSERT_NE(found.found, DiskCache::Found::Damaged) << found.problem;
      loaded += found.found == DiskCache::Found::Yes;
    }
    for (const DiskEntry &entry : disk.list(/*verify=*/true))
      ASSERT_EQ(entry.problem, "");
  }
  EXPECT_GT(loaded, 0);
  disk.clearLeftovers();
  EXPECT_TRUE(fs::is_empty(disk.folder() + "/staging"));
}
