// Plans of life times: shared where they may be, apart where they must be.

#include "runtime/core/pool/LifeTimeTable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

using namespace opc;
using testing::HasSubstr;

// Without it: two models that take turns need memory for both.
TEST(LifeTimeTable, ModelsThatTakeTurnsShare) {
  LifeTimeTable table;
  ASSERT_TRUE(table.add({"a", "x", 4096, 0, 1}));
  ASSERT_TRUE(table.add({"a", "y", 8192, 1, 2}));
  ASSERT_TRUE(table.add({"b", "x", 8192, 3, 4}));
  ASSERT_TRUE(table.add({"b", "y", 4096, 4, 5}));
  LifeTimePlan plan = table.plan();
  EXPECT_EQ(verifyPlan(table, plan), "");
  EXPECT_EQ(plan.arena, 12288u);
  EXPECT_EQ(table.bytesApart(), 24576u);
}

// Without it: a planner and a verifier that agree on a mistake.
TEST(LifeTimeTable, RandomPlansHoldAndAreNoWorseThanApart) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    LifeTimeTable table;
    for (unsigned i = 0, n = random() % 40; i < n; ++i) {
      int64_t first = random() % 20;
      ASSERT_TRUE(table.add({"m", std::to_string(i), random() % 20000, first, first + int64_t(random() % 8)}));
    }
    LifeTimePlan plan = table.plan();
    ASSERT_EQ(verifyPlan(table, plan), "");
    ASSERT_LE(plan.arena, table.bytesApart());
    for (size_t offset : plan.offsets)
      ASSERT_EQ(offset % 512, 0u);
  }
}

// Without it: the verifier finds nothing.
TEST(LifeTimeTable, VerifierFindsSharing) {
  LifeTimeTable table;
  ASSERT_TRUE(table.add({"a", "x", 1000, 0, 3}));
  ASSERT_TRUE(table.add({"b", "y", 1000, 3, 5}));
  EXPECT_THAT(verifyPlan(table, {{0, 512}, 2048}), HasSubstr("'y' of b shares bytes with 'x' of a at step 3"));
  EXPECT_THAT(verifyPlan(table, {{0, 1536}, 2048}), HasSubstr("'y' leaves the arena"));
  EXPECT_THAT(verifyPlan(table, {{0}, 2048}), HasSubstr("an offset for each"));
  EXPECT_EQ(verifyPlan(table, {{0, 1024}, 2048}), "");
}

// Without it: sizes wrap around, and a life that ends before it begins shares with everybody.
TEST(LifeTimeTable, RefusesWhatCannotBe) {
  LifeTimeTable table;
  EXPECT_FALSE(table.add({"a", "x", 100, 3, 2}));
  EXPECT_FALSE(table.add({"a", "x", SIZE_MAX, 0, 0}));
  EXPECT_TRUE(table.add({"a", "x", SIZE_MAX / 2, 0, 0}));
  EXPECT_FALSE(table.add({"a", "y", SIZE_MAX / 2, 0, 0}));
  EXPECT_EQ(table.rows().size(), 1u);
}
