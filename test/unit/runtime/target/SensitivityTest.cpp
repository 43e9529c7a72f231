// Changed targets, and claims that stand on an assumption.

#include "runtime/target/Sensitivity.h"

#include <gtest/gtest.h>

using namespace opc;

static const Target &b1() {
  return *findTarget("Ascend310B1");
}

// A limit in this list would move plans and checks with a guess; an assumed cost left out would let a claim pass
// that stands on it.
TEST(Sensitivity, EveryAssumedCostIsHalvedAndDoubled) {
  size_t expected = 0;
  for (const Figure &figure : b1().figures())
    expected += figure.cost && figure.assumed() ? 2 : 0;
  const std::vector<ChangedTarget> changed = changedTargets(b1());
  EXPECT_EQ(changed.size(), expected);
  EXPECT_GE(expected, 40u);
  for (const ChangedTarget &change : changed) {
    EXPECT_EQ(change.target.figure(change.figure), b1().figure(change.figure) * change.factor);
    size_t different = 0;
    for (size_t i = 0; i < b1().figures().size(); ++i)
      different += b1().figures()[i].value != change.target.figures()[i].value;
    EXPECT_EQ(different, 1u) << change.figure;
    EXPECT_EQ(change.target.ubBytes(), b1().ubBytes());
    EXPECT_EQ(change.target.name(), b1().name());
  }
}

// What the vendor documents is no assumption, and what no plan may depend on is no limit.
TEST(Sensitivity, LimitsAndDocumentedFiguresStay) {
  for (const ChangedTarget &change : changedTargets(b1()))
    for (std::string_view fixed :
         {"ub_bytes", "copy_row_unit", "max_blocks", "floor_scratch_tiles", "reduce_partials_sum", "clock_mhz"})
      EXPECT_NE(change.figure, fixed);
  EXPECT_DEATH(b1().withFigure("ub_bytes", 1), "no figure 'ub_bytes' in the cost model");
}

// A tile of exp in float takes 16 + 4 * 128 = 528 cycles and loads in 100 + 4 + 32768 / 17 = 2032: twice 4, or half
// of 17, leaves the order as it is. Four exps and a divide, 5 * 528 = 2640 against 2032, do not: at half the cycles
// of exp they take 1616, and at half the rate the load takes 3960.
TEST(Sensitivity, NamesTheFiguresThatDecide) {
  const TypeRow row = {ElementType::Float32, ElementType::Float32};
  auto load = [](const Target &target) { return target.copyCycles(Pipe::MTE2, 1, 32768); };
  auto exp = [row](const Target &target) { return target.vectorCycles(Intrinsic::vexp, row, 8192); };
  auto loadBound = [&](const Target &target) { return load(target) > exp(target); };
  EXPECT_TRUE(loadBound(b1()));
  EXPECT_TRUE(decidingFigures(b1(), loadBound).empty());
  auto vectorBound = [&](const Target &target) {
    return 4 * exp(target) + target.vectorCycles(Intrinsic::vdiv, row, 8192) > load(target);
  };
  EXPECT_TRUE(vectorBound(b1()));
  EXPECT_EQ(decidingFigures(b1(), vectorBound), (std::vector<std::string_view>{"load_rate", "vector_exp_cycles"}));
  EXPECT_EQ(dependsText(decidingFigures(b1(), vectorBound)), "depends on assumed load_rate, vector_exp_cycles");
  EXPECT_EQ(dependsText({}), "");
}
