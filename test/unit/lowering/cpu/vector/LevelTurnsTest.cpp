// Which kernels a test run compiles for which level: each for one of -v3 and -v4, and both levels take half of them.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace opc::test;

TEST(LevelTurns, EachKernelHasOneLevel) {
  const bool takesAll = levelsHere().back() != "x86-64-v4" || std::getenv("OPC_TEST_FULL");
  for (const char *suffix : {"", "-vnni"}) {
    const std::string narrow = std::string("x86-64-v3") + suffix, wide = std::string("x86-64-v4") + suffix;
    size_t ofNarrow = 0;
    for (size_t number = 0; number < 8; ++number) {
      EXPECT_EQ(takesLevel(narrow, number) + takesLevel(wide, number), takesAll ? 2 : 1) << narrow << " " << number;
      ofNarrow += takesLevel(narrow, number);
    }
    EXPECT_EQ(ofNarrow, takesAll ? 8u : 4u) << narrow;
  }
  // A kernel that x86-64-v3 does not take has its bytes multiplied by that level with instructions for them.
  for (size_t number = 0; number < 2; ++number)
    EXPECT_EQ(takesLevel("x86-64-v3", number) + takesLevel("x86-64-v3-vnni", number), takesAll ? 2 : 1);
}
