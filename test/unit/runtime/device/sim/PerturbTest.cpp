// Perturbed results: every one within its bound, all of the bound reached, edges kept.

#include "runtime/device/sim/numerics/bounds/Perturb.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

using namespace opc;
using namespace opc::sim;

// All half numbers: none moves further than it may, and each distance from -2 to 2 occurs.
TEST(Perturb, StaysWithinItsUnits) {
  std::vector<uint16_t> results(65536);
  for (size_t i = 0; i < results.size(); ++i)
    results[i] = uint16_t(i);
  perturb(results.data(), ElementType::Float16, int64_t(results.size()), 2, 7);
  std::set<int> moves;
  for (size_t i = 0; i < results.size(); ++i) {
    unsigned size = i & 0x7fff;
    if (size == 0 || size >= 0x7c00) {
      ASSERT_EQ(results[i], i) << "zeros, infinities and NaN stay";
      continue;
    }
    ASSERT_EQ(results[i] & 0x8000u, i & 0x8000u);
    int moved = int(results[i] & 0x7fff);
    ASSERT_GE(moved, 1);
    ASSERT_LT(moved, 0x7c00);
    ASSERT_LE(std::abs(moved - int(size)), 2);
    moves.insert(moved - int(size));
  }
  EXPECT_EQ(moves.size(), 5u);
}

// The same seed is the same run; another one is another.
TEST(Perturb, FollowsItsSeed) {
  std::vector<uint32_t> ones(100, 0x3f800000), same = ones, other = ones;
  perturb(ones.data(), ElementType::Float32, 100, 4, 1);
  perturb(same.data(), ElementType::Float32, 100, 4, 1);
  perturb(other.data(), ElementType::Float32, 100, 4, 2);
  EXPECT_EQ(ones, same);
  EXPECT_NE(ones, other);
}

// Exact units are exact: a difference there would be a wrong chip.
TEST(Perturb, OnlyWhatIsAssumed) {
  EXPECT_TRUE(hasAssumedUlp(Intrinsic::vdiv));
  EXPECT_TRUE(hasAssumedUlp(Intrinsic::vexp));
  EXPECT_FALSE(hasAssumedUlp(Intrinsic::vadd));
  EXPECT_FALSE(hasAssumedUlp(Intrinsic::vmax));
}
