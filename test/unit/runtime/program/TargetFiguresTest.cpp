// Files of figures: what is written is read, and what would move a plan or a check is refused.

#include "runtime/program/TargetFigures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using testing::HasSubstr;

static std::string refusal(const std::string &text) {
  TargetFigures figures;
  return readTargetFigures(text, figures);
}
static std::string withFigure(const std::string &figure) {
  return R"({"schema_version": 1, "target": "Ascend310B1", "figures": [)" + figure + "]}";
}

TEST(TargetFigures, WrittenIsRead) {
  const TargetFigures figures = {"Ascend310B1", {{"load_rate", 14.25, 0.125}, {"flag_cycles", 3, 0}}};
  TargetFigures read;
  ASSERT_EQ(readTargetFigures(writeTargetFigures(figures), read), "");
  EXPECT_EQ(read.target, "Ascend310B1");
  ASSERT_EQ(read.figures.size(), 2u);
  EXPECT_EQ(read.figures[0].value, 14.25);
  EXPECT_EQ(read.figures[0].standardError, 0.125);
  const Target changed = withFigures(*findTarget("Ascend310B1"), read);
  EXPECT_EQ(changed.figure("load_rate"), 14.25);
  EXPECT_EQ(changed.flagCycles(), 3);
  EXPECT_EQ(changed.figure("store_rate"), 17);
}

// A limit in such a file would let a kernel pass here that fails on the board.
TEST(TargetFigures, TakesCostsAlone) {
  EXPECT_THAT(refusal(withFigure(R"({"name": "ub_bytes", "value": 1000000})")),
              HasSubstr("expects a figure of the cost model, found 'ub_bytes'"));
  EXPECT_THAT(refusal(withFigure(R"({"name": "load_rates", "value": 17})")), HasSubstr("did you mean 'load_rate'?"));
}

TEST(TargetFigures, RefusesWhatIsNoFigure) {
  for (const char *value : {"0", "-1", "1e10", "1e999", "\"17\"", "null", "[17]"})
    EXPECT_NE(refusal(withFigure(R"({"name": "load_rate", "value": )" + std::string(value) + "}")), "") << value;
  EXPECT_NE(refusal(withFigure(R"({"name": "load_rate", "value": 1, "standard_error": -1})")), "");
  EXPECT_THAT(refusal(withFigure(R"({"name": "load_rate", "value": 1}, {"name": "load_rate", "value": 2})")),
              HasSubstr("names 'load_rate' twice"));
  EXPECT_NE(refusal(""), "");
  EXPECT_NE(refusal("[]"), "");
  EXPECT_NE(refusal(R"({"schema_version": 2, "target": "Ascend310B1", "figures": []})"), "");
  EXPECT_THAT(refusal(R"({"schema_version": 1, "target": "Ascend310B", "figures": []})"), HasSubstr("expects a chip"));
}
