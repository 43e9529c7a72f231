// Which cases `opc test` makes of a contract.

#include "tools/opc/TestCases.h"

#include "ops/contract/Reader.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace opc;
using namespace opc::tool;

/// A contract of one input and one output of these shapes, and what it says of dimensions.
static Contract contract(const std::string &input, const std::string &output,
                         const std::string &dimensions = "") {
  Diagnostics diagnostics;
  std::string text =
      "schema: 1\nop_type: Scale\nversion: 1.0.0\nsummary: s\ninputs:\n  - name: x\n    types:\n"
      "      - float32\n    formats: ND\n    shape:\n" +
      input + "outputs:\n  - name: y\n    types:\n      - float32\n    formats: ND\n    shape:\n" +
      output + dimensions +
      "precision:\n  compute: storage\n  tolerance:\n    - type: float32\n      max_ulp: 1\n"
      "bodies:\n  - level: aicore\n    file: scale.aicore.mlir\nreference: reference.py\n";
  std::optional<Contract> parsed = parseContract(text, "op_contract.yaml", diagnostics);
  EXPECT_TRUE(parsed) << diagnostics.all().front().message;
  return parsed.value_or(Contract());
}

static size_t count(const std::vector<TestCase> &cases, const Shape &shape, bool special) {
  return size_t(std::count_if(cases.begin(), cases.end(), [&](const TestCase &one) {
    return one.inputs.front() == shape && one.special == special;
  }));
}

// Without it: sizes, seeds or special values are left out without a word.
TEST(TestCases, sizesTimesSeeds) {
  Contract pack = contract("      - ...S\n", "      - ...S\n");
  TestPlan plan;
  plan.sizes = {0, 17, 4096, 1000003};
  plan.seeds = 5;
  plan.largeSeeds = 2;
  size_t refused = 0;
  std::vector<TestCase> cases = makeTestCases(pack, plan, refused);
  EXPECT_EQ(refused, 0u);
  EXPECT_EQ(count(cases, {0}, false), 5u);
  EXPECT_EQ(count(cases, {17}, false), 5u);
  EXPECT_EQ(count(cases, {1000003}, false), 2u);
  EXPECT_EQ(count(cases, {4096}, true), 1u);
  // Ranks 0, 2 and 3 too, and a tensor that is empty in the middle.
  EXPECT_EQ(count(cases, {}, false), 5u);
  EXPECT_EQ(count(cases, {3, 0, 2}, false), 5u);
}

// Without it: an operator with symbols and equations is tested on shapes that it refuses, or on
// none.
TEST(TestCases, symbolsFollowTheirRules) {
  Contract rows = contract("      - N\n      - M\n", "      - N\n",
                           "dimensions:\n  - name: N\n    minimum: 1\n    maximum: 100\n");
  TestPlan plan;
  plan.sizes = {0, 1, 100, 101};
  size_t refused = 0;
  std::vector<TestCase> cases = makeTestCases(rows, plan, refused);
  EXPECT_EQ(refused, 2u);
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[1].inputs.front(), (Shape{100, 3}));
}
