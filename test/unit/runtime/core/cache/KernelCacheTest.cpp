// Look-ups in memory, on disk, from the compiler; bounds; what happens when the disk fails.

#include "runtime/core/cache/Advice.h"
#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/device/null/NullDevice.h"
#include "test/unit/runtime/core/cache/CacheHarness.h"

#include <gmock/gmock.h>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <thread>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

namespace {
class KernelCacheTest : public testing::Test {
protected:
  void SetUp() override {
    compiler = std::make_shared<CountingCompiler>(folder.path + "/compiles", 0);
    registerKernelCompiler(compiler);
    settings.path = folder.path + "/cache";
  }
  void TearDown() override { registerKernelCompiler(nullptr); }
  std::unique_ptr<KernelCache> open() { return std::make_unique<KernelCache>(settings, createNullDevice()); }
  KernelCache::Result get(KernelCache &cache, const std::string &contract) {
    return cache.get(requestFor(contract), "AddRelu_8", diagnostics);
  }
  TemporaryFolder folder;
  CacheSettings settings;
  std::shared_ptr<CountingCompiler> compiler;
  Diagnostics diagnostics;
};
} // namespace

// Without it: a kernel is compiled that was there, or a hit says it comes from elsewhere.
TEST_F(KernelCacheTest, MemoryThenDiskThenCompiler) {
  {
    auto cache = open();
    KernelCache::Result first = get(*cache, "a");
    ASSERT_TRUE(first.op);
    EXPECT_EQ(first.from, KernelCache::From::Compiler);
    EXPECT_EQ(first.reason, "first use");
    KernelCache::Result second = get(*cache, "a");
    EXPECT_EQ(second.from, KernelCache::From::Memory);
    EXPECT_EQ(second.op, first.op);
    EXPECT_EQ(get(*cache, "b").reason, "changed: source");
  }
  auto cache = open();
  EXPECT_EQ(get(*cache, "a").from, KernelCache::From::Disk);
  EXPECT_EQ(get(*cache, "a").from, KernelCache::From::Memory);
  EXPECT_EQ(compiler->compiles, 2u);
  EXPECT_FALSE(diagnostics.hasErrors());
  cache = nullptr;
  CacheCounters counters = readCounters(DiskCache(settings.path).folder());
  EXPECT_EQ(counters.compiles, 2u);
  EXPECT_EQ(counters.memoryHits, 2u);
  EXPECT_EQ(counters.diskHits, 1u);
  EXPECT_DOUBLE_EQ(counters.hitRate(), 0.6);
  auto records = readCompileRecords(DiskCache(settings.path).folder());
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1].reason, "changed: source");
}

// Without it: ACL_LOG_LEVEL=INFO says nothing, or another line than tools look for.
TEST_F(KernelCacheTest, LogsHits) {
  settings.logHits = true;
  auto cache = open();
  testing::internal::CaptureStderr();
  get(*cache, "a");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "Compiled kernel for AddRelu: first use\n");
  testing::internal::CaptureStderr();
  get(*cache, "a");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "Hit kernel cache for AddRelu_8\n");
}

// Without it: memory grows with every operator, or the wrong ones are dropped.
TEST_F(KernelCacheTest, MemoryIsBounded) {
  settings.kernels = 4; // each entry has two kernels
  auto cache = open();
  get(*cache, "a");
  get(*cache, "b");
  get(*cache, "a");
  get(*cache, "c"); // drops b
  EXPECT_EQ(cache->inMemory().kernels, 4u);
  EXPECT_EQ(get(*cache, "a").from, KernelCache::From::Memory);
  EXPECT_EQ(get(*cache, "b").from, KernelCache::From::Disk);
  cache = nullptr;
  settings.kernels = 100;
  settings.bytes = 1;
  cache = open();
  get(*cache, "a");
  EXPECT_EQ(cache->inMemory().kernels, 0u);
  EXPECT_EQ(get(*cache, "a").from, KernelCache::From::Disk);
  cache = nullptr;
  settings.bytes = 1 << 20;
  cache = open();
  get(*cache, "a");
  KernelRequest large = requestFor("large"); // does not fit even alone
  large.body = "large";
  EXPECT_TRUE(cache->get(large, "AddRelu_8", diagnostics).op);
  EXPECT_EQ(cache->inMemory().kernels, 2u);
  EXPECT_EQ(get(*cache, "a").from, KernelCache::From::Memory);
  cache = nullptr;
  settings.bytes = 1 << 30;
  settings.disable = true;
  cache = open();
  get(*cache, "a");
  EXPECT_EQ(get(*cache, "a").from, KernelCache::From::Disk);
}

// Without it: a failed compile is kept, or its error is lost.
TEST_F(KernelCacheTest, FailuresAreNotKept) {
  auto cache = open();
  KernelRequest request = requestFor("a");
  request.body = "broken";
  for (int i = 0; i < 2; ++i) {
    Diagnostics found;
    EXPECT_FALSE(cache->get(request, "AddRelu_8", found).op);
    ASSERT_EQ(found.errorCount(), 1u);
    EXPECT_EQ(found.all().front().message, "the body is broken");
  }
  EXPECT_EQ(compiler->compiles, 2u);
  registerKernelCompiler(nullptr);
  EXPECT_FALSE(get(*cache, "a").op);
  EXPECT_EQ(diagnostics.all().front().code, Code::E0621);
}

// Without it: threads that need one kernel compile it once each.
TEST_F(KernelCacheTest, OneCompileForManyThreads) {
  compiler = std::make_shared<CountingCompiler>(folder.path + "/compiles", 50000);
  registerKernelCompiler(compiler);
  auto cache = open();
  std::vector<std::thread> threads;
  std::atomic<unsigned> served{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      Diagnostics own;
      served += cache->get(requestFor("a"), "AddRelu_8", own).op != nullptr;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(served, 8u);
  EXPECT_EQ(compiler->compiles, 1u);
}

// Without it: a changed byte is executed.
TEST_F(KernelCacheTest, DamagedEntriesAreSetAsideAndBuiltAgain) {
  get(*open(), "a");
  std::vector<fs::path> files;
  std::string entries = DiskCache(settings.path).folder() + "/entries";
  std::string hash = fs::directory_iterator(entries)->path().filename().string();
  for (const auto &file : fs::recursive_directory_iterator(entries))
    if (file.is_regular_file())
      files.push_back(file.path());
  ASSERT_EQ(files.size(), 4u);
  unsigned damaged = 0;
  for (const fs::path &file : files) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(20);
    char byte = char(stream.get() ^ 1);
    stream.seekp(20);
    stream.put(byte);
    stream.close();
    auto cache = open();
    KernelCache::Result result = get(*cache, "a");
    ASSERT_TRUE(result.op) << file;
    EXPECT_EQ(result.from, KernelCache::From::Compiler) << file;
    EXPECT_THAT(result.reason, StartsWith("damaged entry: "));
    ++damaged;
    EXPECT_EQ(cache->counters().damaged, 1u);
    EXPECT_EQ(std::distance(fs::directory_iterator(DiskCache(settings.path).folder() + "/aside"), {}), damaged);
  }
  fs::remove(entries + "/" + hash + "/entry.json");
  EXPECT_EQ(get(*open(), "a").from, KernelCache::From::Compiler);
  fs::resize_file(files.front(), 3);
  EXPECT_EQ(get(*open(), "a").from, KernelCache::From::Compiler);
  EXPECT_EQ(get(*open(), "a").from, KernelCache::From::Disk);
}

// Without it: a full disk, or one that cannot be written, costs the result.
TEST_F(KernelCacheTest, ServesFromMemoryWhenTheDiskFails) {
  // A file where the folder should be.
  std::ofstream(settings.path) << "no folder";
  {
    auto cache = open();
    KernelCache::Result result = get(*cache, "a");
    ASSERT_TRUE(result.op);
    EXPECT_FALSE(diagnostics.hasErrors());
    ASSERT_FALSE(diagnostics.all().empty());
    EXPECT_EQ(diagnostics.all().front().code, Code::E0620);
    EXPECT_EQ(diagnostics.all().front().severity, Severity::Warning);
    EXPECT_THAT(diagnostics.all().front().fix, HasSubstr("ASCEND_CACHE_PATH"));
    TensorForm form{ElementType::Float32, {8}};
    EXPECT_TRUE(PreparedLaunch::create(result.op, {form, form}, {}, diagnostics));
    EXPECT_EQ(get(*cache, "a").from, KernelCache::From::Memory);
    EXPECT_EQ(cache->counters().unwritable, 1u);
  }
  fs::remove(settings.path);
  // The folder vanishes while it is used.
  auto cache = open();
  ASSERT_TRUE(get(*cache, "a").op);
  fs::remove_all(settings.path);
  EXPECT_EQ(get(*cache, "a").from, KernelCache::From::Memory);
  EXPECT_EQ(get(*cache, "b").from, KernelCache::From::Compiler);
}

// Without it: a disk that fills up in the middle of an entry leaves half of it as an entry.
TEST_F(KernelCacheTest, AFullDiskLeavesNothing) {
  DiskCache disk(settings.path);
  KernelKey key;
  key.opType = "AddRelu";
  Diagnostics found;
  std::optional<FileLock> lock = disk.lock(key.hash(), found);
  ASSERT_TRUE(lock);
  std::vector<KernelFile> compiled = conformanceFiles();
  // Files of at most 3000 bytes: what a write past that gets is what a full disk gives.
  signal(SIGXFSZ, SIG_IGN);
  rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 3000;
  setrlimit(RLIMIT_FSIZE, &small);
  bool published = disk.publish(key, compiled, found);
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(published);
  EXPECT_EQ(found.all().front().code, Code::E0620);
  EXPECT_TRUE(disk.list().empty());
  EXPECT_TRUE(fs::is_empty(disk.folder() + "/staging"));
  EXPECT_TRUE(disk.publish(key, compiled, found));
  EXPECT_EQ(disk.load(key).found, DiskCache::Found::Yes);
}

// Without it: the disk fills up, or the entries that are in use go first.
TEST_F(KernelCacheTest, PurgesTheLeastRecentlyUsed) {
  DiskCache disk(settings.path);
  Diagnostics found;
  std::vector<KernelKey> keys;
  for (int i = 0; i < 6; ++i) {
    KernelKey key;
    key.opType = "Op" + std::to_string(i);
    keys.push_back(key);
    ASSERT_TRUE(disk.publish(key, conformanceFiles(), found));
    timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
    utimensat(AT_FDCWD, (disk.folder() + "/entries/" + key.hash() + "/entry.json").c_str(), times, 0);
  }
  uint64_t one = disk.list().front().bytes;
  EXPECT_EQ(disk.purge(6 * one, 50).entries, 0u);
  DiskCache::Loaded held = disk.load(keys[1]);
  ASSERT_EQ(held.found, DiskCache::Found::Yes);
  timespec times[2] = {{1001, 0}, {1001, 0}};
  utimensat(AT_FDCWD, (held.folder.path + "/entry.json").c_str(), times, 0);
  DiskCache::Purged purged = disk.purge(6 * one - 1, 50);
  EXPECT_EQ(purged.entries, 4u);
  EXPECT_EQ(disk.load(keys[0]).found, DiskCache::Found::No);
  EXPECT_EQ(disk.load(keys[1]).found, DiskCache::Found::Yes); // in use
  EXPECT_EQ(disk.load(keys[5]).found, DiskCache::Found::Yes);
}

// Without it: what a killed process left stays for ever, or what a living one writes is removed.
TEST_F(KernelCacheTest, ClearsLeftovers) {
  DiskCache disk(settings.path);
  fs::create_directories(disk.folder() + "/staging/abc.999999999.0/sub");
  fs::create_directories(disk.folder() + "/staging/abc." + std::to_string(getpid()) + ".0");
  fs::create_directories(disk.folder() + "/aside/abc.1.0");
  EXPECT_EQ(disk.clearLeftovers().leftovers, 2u);
  EXPECT_TRUE(fs::exists(disk.folder() + "/staging/abc." + std::to_string(getpid()) + ".0"));
}

// Without it: two keys are one entry, or `why` compares nonsense.
TEST(KernelKey, TextIsReadBack) {
  KernelKey key;
  key.opType = "Op=;\n%";
  key.types = {"float16", "int8"};
  key.formats = {"ND", "N,C"};
  key.attributes = {{"axis", "1;2"}, {"mode", "a=b"}};
  key.target = "Ascend310B1";
  key.compiler = "opc 0.1.0";
  key.source = "x";
  std::optional<KernelKey> read = KernelKey::parse(key.text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text(), key.text());
  EXPECT_EQ(read->attributes, key.attributes);
  EXPECT_EQ(read->formats, key.formats);
  KernelKey other = key;
  other.attributes = {{"axis", "1"}, {"2;mode", "a=b"}};
  EXPECT_NE(other.hash(), key.hash());
  EXPECT_FALSE(KernelKey::parse("op_type=A\n"));
  EXPECT_FALSE(KernelKey::parse(key.text() + "x"));
  EXPECT_FALSE(KernelKey::parse("\xff%zz%"));
}

// Without it: `why` names another entry than the nearest.
TEST(KernelKey, FindsTheNearest) {
  KernelKey key;
  key.opType = "AddRelu";
  key.types = {"float16"};
  key.target = "Ascend310B1";
  std::vector<DiskEntry> entries(3);
  entries[0].key = entries[1].key = entries[2].key = key;
  entries[0].key.types = {"int8"};
  entries[0].key.target = "Ascend310B4";
  entries[1].key.types = {"float32"};
  entries[2].key.opType = "Swish";
  std::optional<NearestEntry> nearest = findNearest(key, entries);
  ASSERT_TRUE(nearest);
  ASSERT_EQ(nearest->differences.size(), 1u);
  EXPECT_EQ(nearest->differences[0].field, "types");
  EXPECT_EQ(nearest->differences[0].wanted, "float16");
  EXPECT_EQ(nearest->differences[0].found, "float32");
  key.opType = "Gelu";
  EXPECT_FALSE(findNearest(key, entries));
}

// Without it: the advice is a size that misses.
TEST(CacheAdvice, ReachesTheShare) {
  std::vector<LookupRecord> trace;
  for (int round = 0; round < 20; ++round)
    for (int key = 0; key < 10; ++key)
      trace.push_back({std::to_string(key), "", 100, 3, {}});
  CacheAdvice advice = adviseCacheSize(trace);
  EXPECT_EQ(advice.lookups, 200u);
  EXPECT_EQ(advice.keys, 10u);
  EXPECT_EQ(advice.entries, 10u); // a round robin misses always with one less
  EXPECT_EQ(advice.bytes, 1000u);
  EXPECT_EQ(advice.kernels, 30u);
  EXPECT_DOUBLE_EQ(advice.attainable, 0.95);
  EXPECT_DOUBLE_EQ(advice.reached, 0.95);
  for (int i = 0; i < 10000; ++i)
    trace.push_back({"0", "", 100, 3, {}});
  EXPECT_EQ(adviseCacheSize(trace).entries, 1u);
  EXPECT_EQ(adviseCacheSize({}).entries, 0u);
}
