// What is said of an applied change: that results change is not left out.

#include "tools/opc/compile/AppliedText.h"

#include "gtest/gtest.h"

using namespace opc;

static ScheduleRefusal refusal() {
  ScheduleRefusal refused;
  refused.kernel = "sigmoid_float16_flat";
  ScheduleFix smaller, other;
  smaller.entry.tile = ScheduleKnob{256, {}, true};
  smaller.cycles = 70;
  other.entry.expansion = ScheduleKnob{16, {}, true};
  other.cycles = 60;
  refused.fixes = {smaller, other};
  return refused;
}

TEST(AppliedText, TheFirstOfSeveral) {
  ScheduleRefusal refused = refusal();
  EXPECT_EQ(tool::appliedText(refused, "own.yaml"),
            "'sigmoid_float16_flat' did not fit UB: applied 'tile: 256' in 'own.yaml', the "
            "cheapest of 2 changes that would fit, about 70 cycles for 2^20 elements by the cost "
            "model");
  refused.dependsOn = {"load_rate", "store_rate"};
  std::string text = tool::appliedText(refused, "own.yaml");
  EXPECT_NE(text.find("; that it is the cheapest depends on assumed load_rate, store_rate"), std::string::npos) << text;
  EXPECT_EQ(text.find("changes results"), std::string::npos) << text;
}

// Where nothing else fits, an expansion in float16 is applied: its errors are the user's to judge.
TEST(AppliedText, ResultsThatChange) {
  ScheduleRefusal refused = refusal();
  refused.fixes.erase(refused.fixes.begin());
  EXPECT_EQ(tool::appliedText(refused, "own.yaml"),
            "'sigmoid_float16_flat' did not fit UB: applied 'expansion: float16' in 'own.yaml', "
            "the only change that would fit, about 60 cycles for 2^20 elements by the cost model; "
            "it changes results: 'opc test' says whether the contract's tolerance still holds");
}
