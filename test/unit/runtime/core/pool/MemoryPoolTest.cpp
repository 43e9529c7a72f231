// The pool against a device that counts what it handed out.

#include "runtime/core/pool/MemoryPool.h"
#include "runtime/core/pool/PoolMonitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <thread>

using namespace opc;
using testing::HasSubstr;

namespace {
struct Counters {
  size_t bytes = 0, calls = 0, most = SIZE_MAX;
};
class CountingAllocator : public DeviceAllocator {
public:
  explicit CountingAllocator(Counters &counters) : counters(counters) {}
  void *allocate(size_t bytes) override {
    if (bytes > counters.most - std::min(counters.most, counters.bytes))
      return nullptr;
    counters.bytes += bytes;
    ++counters.calls;
    EXPECT_EQ(bytes % 4096, 0u);
    return pages->allocate(bytes);
  }
  void release(void *memory, size_t bytes) override {
    counters.bytes -= bytes;
    pages->release(memory, bytes);
  }

private:
  Counters &counters;
  std::unique_ptr<DeviceAllocator> pages = createMmapAllocator();
};

class MemoryPoolTest : public testing::Test {
protected:
  std::unique_ptr<MemoryPool> make(PoolOptions options = {}) {
    return std::make_unique<MemoryPool>(std::make_unique<CountingAllocator>(counters), options);
  }
  Counters counters;
  Diagnostics diagnostics;
};
} // namespace

// Without it: blocks overlap, or start where the device cannot take them.
TEST_F(MemoryPoolTest, BlocksAreApartAndAligned) {
  auto pool = make();
  std::vector<std::pair<char *, size_t>> blocks;
  for (size_t bytes :
       {0u, 1u, 511u, 512u, 1024u, 1025u, 4096u, 4097u, 16384u, 16385u, 65536u, 65537u, 1000000u, 4194304u})
    for (int i = 0; i < 5; ++i) {
      auto *memory = static_cast<char *>(pool->allocate(bytes, diagnostics));
      ASSERT_TRUE(memory);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % (bytes <= 1024 ? 512 : 4096), 0u) << bytes;
      std::memset(memory, int(blocks.size()), std::max<size_t>(bytes, 1));
      blocks.emplace_back(memory, bytes);
    }
  for (size_t i = 0; i < blocks.size(); ++i)
    for (size_t j = 0; j < blocks[i].second; j += 97)
      ASSERT_EQ(blocks[i].first[j], char(i));
  EXPECT_EQ(pool->statistics().requested, [&] {
    size_t sum = 0;
    for (auto &[memory, bytes] : blocks)
      sum += std::max<size_t>(bytes, 1);
    return sum;
  }());
}

// Without it: what is given back is not handed out again, and the pool is a slow malloc.
TEST_F(MemoryPoolTest, TakesTheSameAgain) {
  auto pool = make();
  for (size_t bytes : {100u, 3000u, 10000u, 60000u, 5000000u}) {
    void *first = pool->allocate(bytes, diagnostics);
    ASSERT_TRUE(pool->release(first));
    size_t calls = counters.calls;
    EXPECT_EQ(pool->allocate(bytes, diagnostics), first);
    EXPECT_EQ(counters.calls, calls);
  }
  PoolStatistics numbers = pool->statistics();
  EXPECT_EQ(numbers.allocations, 10u);
  EXPECT_EQ(numbers.hits, 5u);
  EXPECT_DOUBLE_EQ(numbers.hitRate(), 0.5);
}

// Without it: a small tensor holds a piece of many times its size.
TEST_F(MemoryPoolTest, LargePiecesFitWithinAQuarter) {
  auto pool = make();
  void *large = pool->allocate(10 << 20, diagnostics);
  ASSERT_TRUE(pool->release(large));
  EXPECT_NE(pool->allocate(7 << 20, diagnostics), large);
  EXPECT_EQ(pool->allocate(9 << 20, diagnostics), large);
  EXPECT_EQ(pool->statistics().used, size_t(17 << 20));
}

// Without it: statistics do not add up to what the device handed out.
TEST_F(MemoryPoolTest, NumbersAddUp) {
  auto pool = make();
  std::mt19937 random(1);
  std::vector<void *> blocks;
  size_t peak = 0;
  for (int step = 0; step < 5000; ++step) {
    if (blocks.empty() || random() % 2) {
      blocks.push_back(pool->allocate(size_t(1) << random() % 21, diagnostics));
      ASSERT_TRUE(blocks.back());
    } else {
      size_t index = random() % blocks.size();
      ASSERT_TRUE(pool->release(blocks[index]));
      blocks.erase(blocks.begin() + long(index));
    }
    PoolStatistics numbers = pool->statistics();
    peak = std::max(peak, numbers.used);
    ASSERT_EQ(numbers.held(), counters.bytes);
    ASSERT_EQ(numbers.peak, peak);
    ASSERT_LE(numbers.requested, numbers.used);
    ASSERT_GE(numbers.fragmentation(), 0);
    if (step % 1000 == 999)
      pool->trim();
  }
  for (void *block : blocks)
    ASSERT_TRUE(pool->release(block));
  size_t held = counters.bytes;
  EXPECT_EQ(pool->trim(), held);
  EXPECT_EQ(pool->statistics().cached, 0u);
  EXPECT_EQ(counters.bytes, 0u);
}

// Without it: memory of another origin, or given back twice, corrupts the lists.
TEST_F(MemoryPoolTest, RefusesWhatIsNotItsOwn) {
  auto pool = make();
  int other = 0;
  EXPECT_FALSE(pool->release(&other));
  void *memory = pool->allocate(100, diagnostics);
  EXPECT_FALSE(pool->release(static_cast<char *>(memory) + 1));
  EXPECT_TRUE(pool->release(memory));
  EXPECT_FALSE(pool->release(memory));
  EXPECT_TRUE(pool->release(nullptr));
}

// Without it: a limit is a wish, or memory that is merely kept counts against a caller.
TEST_F(MemoryPoolTest, KeepsToItsLimit) {
  PoolOptions options;
  options.limit = 8 << 20;
  auto pool = make(options);
  void *first = pool->allocate(6 << 20, diagnostics);
  ASSERT_TRUE(first);
  EXPECT_FALSE(pool->allocate(3 << 20, diagnostics));
  ASSERT_EQ(diagnostics.errorCount(), 1u);
  EXPECT_EQ(diagnostics.all().front().code, Code::E0460);
  EXPECT_EQ(diagnostics.all().front().rule, "pool_c1");
  EXPECT_THAT(diagnostics.all().front().message,
              HasSubstr("no memory for 3145728 bytes: the pool has a limit of 8388608 bytes, "
                        "6291456 are held by callers and 0 are kept"));
  ASSERT_TRUE(pool->release(first));
  EXPECT_TRUE(pool->allocate(3 << 20, diagnostics)); // the kept piece went back
  EXPECT_LE(counters.bytes, options.limit);
  EXPECT_EQ(pool->statistics().refused, 1u);
  EXPECT_FALSE(pool->allocate(SIZE_MAX, diagnostics));
  EXPECT_FALSE(pool->allocate(SIZE_MAX - 5000, diagnostics));
  pool->setLimit(0);
  EXPECT_FALSE(pool->allocate(1, diagnostics));
}

// Without it: a device that is full ends the process, although the pool keeps what would do.
TEST_F(MemoryPoolTest, GivesBackBeforeItGivesUp) {
  counters.most = 4 << 20;
  auto pool = make();
  ASSERT_TRUE(pool->release(pool->allocate(3 << 20, diagnostics)));
  EXPECT_TRUE(pool->allocate(2 << 20, diagnostics));
  EXPECT_FALSE(pool->allocate(3 << 20, diagnostics));
  EXPECT_EQ(diagnostics.all().back().code, Code::E0460);
}

// Without it: a write through a released pointer is found by whoever gets the memory next.
TEST_F(MemoryPoolTest, FindsWritesToReleasedMemory) {
  PoolOptions options;
  options.poison = true;
  auto pool = make(options);
  for (size_t bytes : {100u, 200000u}) {
    auto *memory = static_cast<char *>(pool->allocate(bytes, diagnostics));
    ASSERT_TRUE(memory);
    std::memset(memory, 1, bytes);
    ASSERT_TRUE(pool->release(memory));
    EXPECT_EQ(memory[0], char(0xa5));
    EXPECT_EQ(pool->allocate(bytes, diagnostics), memory);
    ASSERT_TRUE(pool->release(memory));
    memory[50] = 7;
    Diagnostics found;
    EXPECT_FALSE(pool->allocate(bytes, found));
    ASSERT_EQ(found.errorCount(), 1u);
    EXPECT_EQ(found.all().front().code, Code::E0461);
    EXPECT_EQ(found.all().front().rule, "pool_c2");
  }
}

// Without it: threads get one block twice.
TEST_F(MemoryPoolTest, ThreadsShareIt) {
  MemoryPool pool(createMmapAllocator());
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&pool, t] {
      std::mt19937 random(t);
      Diagnostics own;
      std::vector<std::pair<unsigned char *, size_t>> mine;
      for (int step = 0; step < 2000; ++step) {
        if (mine.size() < 20) {
          size_t bytes = size_t(1) << random() % 18;
          auto *memory = static_cast<unsigned char *>(pool.allocate(bytes, own));
          ASSERT_TRUE(memory);
          memory[0] = memory[bytes - 1] = static_cast<unsigned char>(t);
          mine.emplace_back(memory, bytes);
        } else {
          auto [memory, bytes] = mine[random() % mine.size()];
          ASSERT_EQ(memory[0], t);
          ASSERT_EQ(memory[bytes - 1], t);
          ASSERT_TRUE(pool.release(memory));
          mine.erase(std::find(mine.begin(), mine.end(), std::make_pair(memory, bytes)));
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// Without it: the monitor never acts, or acts on noise.
TEST_F(MemoryPoolTest, MonitorGivesBackAfterASurge) {
  auto pool = make();
  SystemMemory system{1000, 500};
  PoolMonitor monitor(*pool, [&system] { return system; });
  EXPECT_EQ(monitor.sample().trimmed, 0u);
  ASSERT_TRUE(pool->release(pool->allocate(10 << 20, diagnostics)));
  EXPECT_EQ(monitor.sample().trimmed, 0u); // below the noise
  ASSERT_TRUE(pool->release(pool->allocate(100 << 20, diagnostics)));
  EXPECT_EQ(monitor.sample().trimmed, size_t(110 << 20));
  EXPECT_EQ(counters.bytes, 0u);
  // A surge that a check finds while a caller holds it is given back when the caller does, once.
  void *held = pool->allocate(100 << 20, diagnostics);
  EXPECT_EQ(monitor.sample().trimmed, 0u);
  ASSERT_TRUE(pool->release(held));
  EXPECT_EQ(monitor.sample().trimmed, size_t(100 << 20));
  ASSERT_TRUE(pool->release(pool->allocate(1 << 20, diagnostics)));
  EXPECT_EQ(monitor.sample().trimmed, 0u);
  system.available = 99;
  PoolMonitor::Sample last = monitor.sample();
  EXPECT_EQ(last.trimmed, size_t(1 << 20));
  EXPECT_EQ(last.system.available, 99u);
  EXPECT_EQ(monitor.history().size(), 7u);
  // Of a surge that callers keep, as many bytes are given back, and then the pool may keep what they release.
  system.available = 500;
  void *kept = pool->allocate(400 << 20, diagnostics);
  EXPECT_EQ(monitor.sample().trimmed, 0u);
  for (size_t left = 5; left-- > 0;) {
    ASSERT_TRUE(pool->release(pool->allocate(100 << 20, diagnostics)));
    EXPECT_EQ(monitor.sample().trimmed, left ? size_t(100 << 20) : 0u) << left;
  }
  ASSERT_TRUE(pool->release(kept));
  EXPECT_GT(readSystemMemory().total, readSystemMemory().available);
}

// Without it: the monitor's thread is never there, or outlives the monitor.
TEST_F(MemoryPoolTest, MonitorSamplesByItself) {
  auto pool = make();
  PoolMonitor monitor(*pool);
  ASSERT_TRUE(monitor.start(std::chrono::milliseconds(1)));
  for (int i = 0; i < 5000 && monitor.history().size() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_GE(monitor.history().size(), 3u);
}
