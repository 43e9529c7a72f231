// Prepared launches found again: by the whole key, up to a capacity, from many threads.

#include "runtime/core/launch/LaunchCache.h"
#include "runtime/device/null/NullDevice.h"
#include "test/unit/runtime/device/conformance/ConformanceFolder.h"

#include <gtest/gtest.h>

#include <thread>

using namespace opc;

namespace {
class LaunchCacheTest : public testing::Test {
protected:
  std::shared_ptr<PreparedLaunch> launchOf(int64_t n) {
    TensorForm form{ElementType::Float32, {n}};
    return PreparedLaunch::create(op, {form, form}, {}, diagnostics);
  }
  LaunchKey keyOf(uint64_t n) {
    LaunchKey key;
    key.add(op->id());
    key.add(n);
    return key;
  }
  Diagnostics diagnostics;
  std::shared_ptr<Operator> op = Operator::create({"", test::conformanceManifest()}, createNullDevice());
};
} // namespace

// Without it: a second launch of one shape binds again, or finds another's.
TEST_F(LaunchCacheTest, FindsWhatWasInserted) {
  LaunchCache cache(100);
  EXPECT_EQ(cache.find(keyOf(1)), nullptr);
  std::vector<std::shared_ptr<PreparedLaunch>> launches;
  for (uint64_t n = 0; n < 100; ++n) {
    launches.push_back(launchOf(int64_t(n)));
    ASSERT_TRUE(launches.back());
    cache.insert(keyOf(n), launches.back());
  }
  for (int turn = 0; turn < 3; ++turn)
    for (uint64_t n = 0; n < 100; ++n) {
      const std::shared_ptr<PreparedLaunch> *found = cache.find(keyOf(n));
      ASSERT_TRUE(found);
      EXPECT_EQ(*found, launches[n]);
    }
  LaunchCache::Statistics statistics = cache.statistics();
  EXPECT_EQ(statistics.entries, 100u);
  EXPECT_EQ(statistics.misses, 1u);
}

// Without it: a cache grows without end, or drops what is in use.
TEST_F(LaunchCacheTest, DropsTheLeastRecentlyUsed) {
  LaunchCache cache(2);
  cache.insert(keyOf(1), launchOf(1));
  cache.insert(keyOf(2), launchOf(2));
  std::thread([&] { EXPECT_TRUE(cache.find(keyOf(1))); }).join(); // past this thread's front
  cache.insert(keyOf(3), launchOf(3));
  EXPECT_EQ(cache.statistics().entries, 2u);
  EXPECT_EQ(cache.statistics().dropped, 1u);
  EXPECT_TRUE(cache.find(keyOf(1)));
  EXPECT_FALSE(cache.find(keyOf(2)));
  EXPECT_TRUE(cache.find(keyOf(3)));
}

// Without it: ACLNN_CACHE_LIMIT=0 keeps launches all the same.
TEST_F(LaunchCacheTest, CapacityZeroKeepsNothing) {
  LaunchCache cache(0);
  cache.insert(keyOf(1), launchOf(1));
  EXPECT_EQ(cache.find(keyOf(1)), nullptr);
  EXPECT_EQ(cache.statistics().entries, 0u);
}

// Without it: keys that agree in their hash, or in their first words, are taken for one.
TEST_F(LaunchCacheTest, ComparesWholeKeys) {
  LaunchKey a, b, c;
  for (uint64_t i = 0; i < 300; ++i) {
    a.add(i);
    b.add(i == 299 ? 7 : i);
  }
  c.addText("beta");
  LaunchKey d;
  d.addText("beta12345");
  EXPECT_TRUE(a.equals(a.copy()));
  EXPECT_FALSE(b.equals(a.copy()));
  EXPECT_FALSE(d.equals(c.copy()));
  EXPECT_EQ(a.copy().size(), 300u);
  EXPECT_NE(a.hash(), b.hash());
  EXPECT_EQ(d.size(), 3u);
}

// Without it: a closed operator's kernels stay loaded for as long as the runtime lives.
TEST_F(LaunchCacheTest, ForgetsAnOperator) {
  LaunchCache cache(10);
  cache.insert(keyOf(1), launchOf(1));
  cache.forget(op->id() + 1);
  EXPECT_EQ(cache.statistics().entries, 1u);
  cache.forget(op->id());
  EXPECT_EQ(cache.statistics().entries, 0u);
}

// Without it: two caches of one process, or two after each other, answer for each other.
TEST_F(LaunchCacheTest, CachesAreApart) {
  {
    LaunchCache first(10);
    first.insert(keyOf(1), launchOf(1));
    ASSERT_TRUE(first.find(keyOf(1)));
  }
  LaunchCache second(10);
  EXPECT_FALSE(second.find(keyOf(1)));
}
