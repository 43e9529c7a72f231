// The memory that runs of a prepared launch have between their nests.

#include "runtime/core/launch/WorkspacePool.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <cstring>

using namespace opc;

static std::vector<void *> tensorsOf(const WorkspacePool::Lease &lease) {
  std::vector<void *> tensors;
  lease.appendTo(tensors);
  return tensors;
}

// Tensors are aligned, and none begins within another: a run would overwrite what it wrote.
TEST(WorkspacePool, TensorsApart) {
  WorkspacePool pool({4, 0, 65, 128});
  const WorkspacePool::Lease lease(pool);
  ASSERT_TRUE(lease);
  const std::vector<void *> tensors = tensorsOf(lease);
  ASSERT_EQ(tensors.size(), 4u);
  const int64_t bytes[] = {4, 0, 65, 128};
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensors[i]) % 64, 0u);
    std::memset(tensors[i], int(i), size_t(bytes[i]));
    if (i > 0)
      EXPECT_GE(static_cast<char *>(tensors[i]) - static_cast<char *>(tensors[i - 1]), bytes[i - 1]);
  }
}

// Runs at once have memory of their own; one after another has that of the first.
TEST(WorkspacePool, Leases) {
  WorkspacePool pool({1000});
  void *first = nullptr;
  {
    const WorkspacePool::Lease one(pool), other(pool);
    first = tensorsOf(one).front();
    EXPECT_NE(first, tensorsOf(other).front());
  }
  const WorkspacePool::Lease again(pool), more(pool);
  EXPECT_TRUE(tensorsOf(again).front() == first || tensorsOf(more).front() == first);
}

// A size that no memory has is no crash.
TEST(WorkspacePool, TooLarge) {
  WorkspacePool pool({INT64_MAX / 2});
  EXPECT_FALSE(WorkspacePool::Lease(pool));
  // Sizes whose sum wraps around.
  WorkspacePool several({INT64_MAX / 2, INT64_MAX / 2, INT64_MAX / 2, INT64_MAX / 2, 1000});
  EXPECT_FALSE(WorkspacePool::Lease(several));
  EXPECT_GT(several.bytes(), size_t(INT64_MAX / 2));
  WorkspacePool most({INT64_MAX});
  EXPECT_FALSE(WorkspacePool::Lease(most));
}
