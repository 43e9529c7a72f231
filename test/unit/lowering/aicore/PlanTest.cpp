// The planner's problem, its algorithms and what checks them, without kernels: rectangles cut into pieces have a plan
// that wastes no byte, and the exact search must find it.

#include "lowering/aicore/plan/Problem.h"
#include "test/unit/lowering/aicore/CutRectangles.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>

using namespace opc::aicore;
using namespace opc::aicore::test;

namespace {

constexpr int64_t kUnits = 253952 / 32; ///< UB of Ascend 310B in blocks

/// The piece that a pinwheel leaves in the middle, and the four around it.
PlanProblem pinwheel() {
  PlanProblem problem;
  problem.capacity = 30;
  problem.add("low", 10, 0, 19);
  problem.add("right", 20, 20, 29);
  problem.add("high", 10, 10, 29);
  problem.add("left", 20, 0, 9);
  problem.add("middle", 10, 10, 19);
  return problem;
}

/// Whether any addresses below the capacity are a solution: all are tried. For a few items alone.
bool hasPlan(const PlanProblem &problem) {
  std::vector<int64_t> addresses(problem.items.size(), 0);
  while (true) {
    if (problem.verify(addresses).empty())
      return true;
    size_t item = 0;
    for (; item < addresses.size(); ++item) {
      addresses[item] += problem.alignment;
      if (addresses[item] < problem.capacity)
        break;
      addresses[item] = 0;
    }
    if (item == addresses.size())
      return false;
  }
}

} // namespace

// 200 seeds, each cut both ways, of 6 to 40 pieces: first fit leaves most of those that no cut from side to side makes.
// The limit is of steps, so the answer does not depend on the machine; it is about a second of one that is busy.
TEST(Plan, FindsEveryFullRectangle) {
  unsigned byFirstFit = 0;
  uint64_t most = 0;
  for (unsigned seed = 1; seed <= 200; ++seed)
    for (bool guillotine : {true, false}) {
      std::mt19937 random(seed);
      size_t count = 6 + seed % 35;
      unsigned times = 12 + seed % 21;
      std::vector<Piece> pieces = cutRectangle(random, kUnits, times, count, guillotine);
      PlanProblem problem = problemOf(pieces, random, kUnits);
      SCOPED_TRACE("seed " + std::to_string(seed) + (guillotine ? ", guillotine" : ""));
      ASSERT_EQ(problem.check(), "");
      ASSERT_EQ(problem.peak().first, problem.capacity);
      PlanSolution first = planFirstFit(problem);
      byFirstFit += first.bytes <= problem.capacity;
      SearchEffort effort;
      std::optional<PlanSolution> found = planExactly(problem, effort);
      most = std::max(most, effort.nodes);
      ASSERT_TRUE(found.has_value()) << effort.nodes << " steps";
      EXPECT_EQ(problem.verify(found->addresses), "");
      EXPECT_EQ(found->bytes, problem.capacity);
    }
  // Else the instances would show nothing.
  EXPECT_LT(byFirstFit, 300u);
  RecordProperty("first_fit", std::to_string(byFirstFit));
  RecordProperty("steps", std::to_string(most));
}

// One byte less than the rectangle: no plan, and the search may say so without a limit.
TEST(Plan, ProvesThatNoneExists) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    PlanProblem problem = problemOf(cutRectangle(random, 64, 12, 12, false), random, 64);
    problem.capacity -= 32;
    SearchEffort effort;
    EXPECT_FALSE(planExactly(problem, effort).has_value());
    EXPECT_TRUE(effort.complete);
  }
}

// Against trying all addresses: small problems with room to spare, pairs that may begin together, and pairs that are
// kept apart. A search that leaves out a solution, or takes what is none, differs.
TEST(Plan, AgreesWithTryingAll) {
  unsigned withPlan = 0, without = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](unsigned limit) { return std::uniform_int_distribution<unsigned>(0, limit - 1)(random); };
    PlanProblem problem;
    problem.capacity = 5 + below(3);
    for (unsigned item = 0; item < 5; ++item) {
      unsigned first = below(6);
      problem.add("i" + std::to_string(item), 1 + below(3), first, first + below(6 - first));
    }
    // What touches in time may begin together.
    for (unsigned a = 0; a < 5; ++a)
      for (unsigned b = 0; b < 5; ++b)
        if (a != b && problem.items[a].times.back() + 1 == problem.items[b].times.front())
          (below(2) ? problem.coincident : problem.keptApart).push_back({a, b});
    SearchEffort effort;
    std::optional<PlanSolution> found = planExactly(problem, effort);
    ASSERT_TRUE(effort.complete || found.has_value());
    bool expected = hasPlan(problem);
    EXPECT_EQ(found.has_value(), expected) << "seed " << seed;
    (expected ? withPlan : without) += 1;
    if (found)
      EXPECT_EQ(problem.verify(found->addresses), "") << "seed " << seed;
    PlanSolution first = planFirstFit(problem);
    PlanProblem roomy = problem;
    roomy.capacity = first.bytes;
    EXPECT_EQ(roomy.verify(first.addresses), "") << "seed " << seed;
  }
  EXPECT_GT(withPlan, 20u);
  EXPECT_GT(without, 20u);
}

// An item of several times far apart, as a temporary that is used again, leaves room between them.
TEST(Plan, TimesMayHaveGaps) {
  PlanProblem problem;
  problem.capacity = 2;
  problem.items = {{"often", 1, {0, 1, 5, 6}}, {"a", 2, {3, 4}}, {"b", 1, {1, 2, 6}}};
  SearchEffort effort;
  std::optional<PlanSolution> found = planExactly(problem, effort);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(problem.verify(found->addresses), "");
}

// Addresses are multiples of the alignment, and the last item may end at an odd byte.
TEST(Plan, Alignment) {
  PlanProblem problem;
  problem.alignment = 32;
  problem.capacity = 96 + 8;
  problem.add("a", 40, 0, 1);
  problem.add("b", 40, 0, 1);
  SearchEffort effort;
  std::optional<PlanSolution> found = planExactly(problem, effort);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->bytes, 104);
  EXPECT_EQ(problem.verify(found->addresses), "");
  problem.capacity = 103;
  EXPECT_FALSE(planExactly(problem, effort).has_value());
  EXPECT_TRUE(effort.complete);
}

// Each byte moved is reported: the verifier of solutions is not the search's own opinion.
TEST(Plan, MovedItemsAreRefused) {
  PlanProblem problem = pinwheel();
  SearchEffort effort;
  std::optional<PlanSolution> found = planExactly(problem, effort);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(problem.verify(found->addresses), "");
  for (size_t item = 0; item < problem.items.size(); ++item)
    for (int64_t by : {-1, 1}) {
      std::vector<int64_t> moved = found->addresses;
      moved[item] += by;
      EXPECT_NE(problem.verify(moved), "") << problem.items[item].name << " by " << by;
    }
  EXPECT_NE(problem.verify({0, 0}), "");
}

// What coincides begins at one address or lies apart: one byte in common at another one is refused.
TEST(Plan, CoincidentItems) {
  PlanProblem problem;
  problem.capacity = 12;
  problem.add("a", 8, 0, 0);
  problem.add("b", 8, 1, 1);
  problem.coincident = {{0, 1}};
  EXPECT_EQ(problem.verify({0, 0}), "");
  EXPECT_EQ(problem.verify({4, 4}), "");
  EXPECT_NE(problem.verify({0, 4}), "");
  problem.capacity = 16;
  EXPECT_EQ(problem.verify({0, 8}), "");
  EXPECT_EQ(planFirstFit(problem).bytes, 8);
}

// Sizes near the end of 64 bits are reported, not added up.
TEST(Plan, ChecksItsInput) {
  constexpr int64_t most = INT64_MAX;
  auto told = [](int64_t capacity, int64_t alignment, std::vector<int64_t> sizes) {
    PlanProblem problem;
    problem.capacity = capacity;
    problem.alignment = alignment;
    for (int64_t size : sizes)
      problem.add("x", size, 0, 0);
    return problem.check();
  };
  EXPECT_EQ(told(100, 32, {1, 2}), "");
  EXPECT_NE(told(-1, 32, {}), "");
  EXPECT_NE(told(100, 0, {}), "");
  EXPECT_NE(told(100, 32, {0}), "");
  EXPECT_NE(told(100, 32, {-5}), "");
  EXPECT_NE(told(100, 32, {most}), "");
  EXPECT_NE(told(100, 32, {most / 2, most / 2, most / 2}), "");
  EXPECT_NE(told(100, most, {1}), "");
  PlanProblem pairs;
  pairs.add("x", 1, 0, 0);
  pairs.coincident = {{0, 1}};
  EXPECT_NE(pairs.check(), "");
  PlanProblem times;
  times.items = {{"x", 1, {2, 1}}};
  EXPECT_NE(times.check(), "");
  PlanProblem none;
  SearchEffort effort;
  EXPECT_TRUE(planExactly(none, effort).has_value());
}
