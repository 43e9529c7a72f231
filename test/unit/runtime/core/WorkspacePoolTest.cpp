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
  Diagnostics diagnostics;
  const WorkspacePool::Lease lease(pool, diagnostics);
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
  Diagnostics diagnostics;
  {
    const WorkspacePool::Lease one(pool, diagnostics), other(pool, diagnostics);
    first = tensorsOf(one).front();
    EXPECT_NE(first, tensorsOf(other).front());
  }
  const WorkspacePool::Lease again(pool, diagnostics), more(pool, diagnostics);
  EXPECT_TRUE(tensorsOf(again).front() == first || tensorsOf(more).front() == first);
}

// A size that no memory has is no crash. The error has the operator and the bytes.
TEST(WorkspacePool, TooLarge) {
  Diagnostics diagnostics;
  WorkspacePool pool({INT64_MAX / 2}, "Center");
  EXPECT_FALSE(WorkspacePool::Lease(pool, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].message,
            "no memory for the workspace of 'Center', which has " + std::to_string(pool.bytes()) + " bytes");
  // Sizes whose sum wraps around.
  WorkspacePool several({INT64_MAX / 2, INT64_MAX / 2, INT64_MAX / 2, INT64_MAX / 2, 1000});
  EXPECT_FALSE(WorkspacePool::Lease(several, diagnostics));
  EXPECT_GT(several.bytes(), size_t(INT64_MAX / 2));
  WorkspacePool most({INT64_MAX});
  EXPECT_FALSE(WorkspacePool::Lease(most, diagnostics));
}

namespace {

/// Memory for one workspace of at most 1000 bytes at once.
class OneAtOnce final : public WorkspaceMemory {
public:
  void *allocate(size_t bytes, Diagnostics &diagnostics) override {
    ++asked;
    if (bytes <= 1000 && !isTaken) {
      isTaken = true;
      return memory;
    }
    diagnostics.error(Code::E0460, {}, "a limit of 1000 bytes", "pool_c1");
    return nullptr;
  }
  void release(void *released) override { isTaken = released != memory; }

  bool isTaken = false;
  int asked = 0;

private:
  alignas(64) char memory[1024];
};

} // namespace

// Memory that a caller bounds: a run takes its workspace from there, and gives it back. Where there is none, the error
// says whose workspace it is, and how large.
TEST(WorkspacePool, Bounded) {
  auto memory = std::make_shared<OneAtOnce>();
  WorkspacePool pool({100, 700}, "Center", memory);
  Diagnostics diagnostics;
  {
    const WorkspacePool::Lease one(pool, diagnostics);
    EXPECT_TRUE(one);
    EXPECT_TRUE(memory->isTaken);
    EXPECT_TRUE(diagnostics.all().empty());
    EXPECT_FALSE(WorkspacePool::Lease(pool, diagnostics));
    ASSERT_EQ(diagnostics.all().size(), 1u);
    EXPECT_EQ(diagnostics.all()[0].code, Code::E0460);
    ASSERT_EQ(diagnostics.all()[0].notes.size(), 1u);
    EXPECT_EQ(diagnostics.all()[0].notes[0].message, "for the workspace of 'Center', which has 832 bytes");
  }
  EXPECT_FALSE(memory->isTaken);
  EXPECT_TRUE(WorkspacePool::Lease(pool, diagnostics));
}

// A launch without elements between its nests takes no memory, whatever the limit.
TEST(WorkspacePool, Empty) {
  auto memory = std::make_shared<OneAtOnce>();
  memory->isTaken = true;
  WorkspacePool pool({0, 0}, "Center", memory);
  Diagnostics diagnostics;
  const WorkspacePool::Lease lease(pool, diagnostics);
  EXPECT_TRUE(lease);
  EXPECT_EQ(memory->asked, 0);
  EXPECT_EQ(tensorsOf(lease), std::vector<void *>(2));
}
