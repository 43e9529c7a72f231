// Which cases `opc test` makes of a contract.

#include "tools/opc/test/TestCases.h"
#include "test/unit/Folders.h"

#include "ops/contract/read/Reader.h"
#include "runtime/core/tensor/Tensor.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace opc;
using namespace opc::tool;

/// A contract of one input and one output of these shapes, and what it says of dimensions.
static Contract contract(const std::string &input, const std::string &output, const std::string &dimensions = "") {
  Diagnostics diagnostics;
  std::string text = "schema: 1\nop_type: Scale\nversion: 1.0.0\nsummary: s\ninputs:\n  - name: x\n    types:\n"
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
TEST(TestCases, SizesTimesSeeds) {
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

// Without it: worst numerics run on nothing, on everything, or never on special values.
TEST(TestCases, Draws) {
  Contract pack = contract("      - ...S\n", "      - ...S\n");
  TestPlan plan;
  plan.sizes = {0, 17, 2000, 4096, 65537, 1000003};
  plan.seeds = 6;
  plan.largeSeeds = 1;
  plan.shapes = false;
  size_t refused = 0;
  std::vector<TestCase> cases = makeTestCases(pack, plan, refused);
  std::vector<bool> taken = sampleForDraws(cases, 6, 70000);
  ASSERT_EQ(taken.size(), cases.size());
  size_t random = 0;
  std::vector<int64_t> special;
  for (size_t i = 0; i < cases.size(); ++i) {
    const int64_t size = cases[i].inputs.front().front();
    if (taken[i]) {
      EXPECT_GT(size, 0);
      EXPECT_LE(size, 70000);
      random += !cases[i].special;
      if (cases[i].special)
        special.push_back(size);
    }
  }
  EXPECT_EQ(random, 4u) << "one of six of 6 + 6 + 6 + 1";
  EXPECT_EQ(special, (std::vector<int64_t>{2000, 4096, 65537}));
  plan.sizes = {1000003};
  cases = makeTestCases(pack, plan, refused);
  EXPECT_TRUE(sampleForDraws(cases, 6, 70000).front());
  // A case with an empty input compares nothing, though its other inputs have elements.
  auto of = [](std::vector<Shape> inputs) {
    TestCase one;
    one.inputs = std::move(inputs);
    return one;
  };
  EXPECT_EQ(sampleForDraws({of({{0, 3}, {5}}), of({{2, 3}, {5}})}, 6, 70000), (std::vector<bool>{false, true}));
  EXPECT_EQ(sampleForDraws({of({{0, 3}, {5}}), of({{80000}, {5}})}, 6, 70000), (std::vector<bool>{false, true}));
}

// Without it: an operator with symbols and equations is tested on shapes that it refuses, or on none.
TEST(TestCases, SymbolsFollowTheirRules) {
  Contract rows =
      contract("      - N\n      - M\n", "      - N\n", "dimensions:\n  - name: N\n    minimum: 1\n    maximum: 100\n");
  TestPlan plan;
  plan.sizes = {0, 1, 100, 101};
  size_t refused = 0;
  std::vector<TestCase> cases = makeTestCases(rows, plan, refused);
  EXPECT_EQ(refused, 2u);
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[1].inputs.front(), (Shape{100, 3}));
}

/// The contract of a shipped operator.
static Contract shipped(const std::string &folder) {
  Diagnostics diagnostics;
  std::optional<Contract> contract =
      loadContract(test::sourceFolder() + "/ops/library/" + folder + "/op_contract.yaml", diagnostics);
  EXPECT_TRUE(contract) << folder;
  return contract.value_or(Contract());
}

static bool has(const std::vector<TestCase> &cases, const std::vector<Shape> &inputs) {
  return std::any_of(cases.begin(), cases.end(), [&](const TestCase &one) { return one.inputs == inputs; });
}

// Without it: a broadcast pattern has a kernel that nothing runs.
TEST(TestCases, EveryPatternOfTwoInputs) {
  size_t refused = 0;
  std::vector<TestCase> cases = makeTestCases(shipped("add"), TestPlan(), refused);
  EXPECT_EQ(refused, 0u);
  EXPECT_TRUE(has(cases, {{}, {33}}));
  EXPECT_TRUE(has(cases, {{4097}, {1}}));
  EXPECT_TRUE(has(cases, {{33}, {5, 33}}));
  EXPECT_TRUE(has(cases, {{5, 33}, {5, 1}}));
  EXPECT_TRUE(has(cases, {{2, 4096}, {1, 4096}}));
  EXPECT_TRUE(has(cases, {{33}, {5, 1}}));
  EXPECT_TRUE(has(cases, {{2, 1}, {1, 4096}}));
  EXPECT_TRUE(has(cases, {{3, 4, 19}, {1, 19}}));
  EXPECT_TRUE(has(cases, {{2, 1, 2, 2, 1, 2, 3, 2}, {2, 1, 2, 2, 1, 2, 3, 2}}));
}

// Without it: launches that fit no pattern have a kernel that nothing runs.
TEST(TestCases, LaunchesOfAny) {
  size_t refused = 0;
  std::vector<TestCase> two = makeTestCases(shipped("add"), TestPlan(), refused);
  EXPECT_TRUE(has(two, {{2, 1, 2, 1, 2}, {1, 3, 1, 3, 1}}));
  EXPECT_TRUE(has(two, {{1, 2, 1, 2, 1, 2, 1, 3}, {2, 2, 3, 2, 2, 2, 2, 3}}));
  EXPECT_FALSE(has(two, {{37, 1}, {1, 129}}));
  // A third input is a column, a row, one element, full, or alternates too.
  std::vector<TestCase> three = makeTestCases(shipped("select"), TestPlan(), refused);
  EXPECT_TRUE(has(three, {{2, 1, 2, 1, 2}, {1, 3, 1, 3, 1}, {1, 1, 1, 1, 1}}));
  EXPECT_TRUE(has(three, {{1, 2, 1, 2, 1, 70}, {3, 1, 5, 1, 3, 1}, {3, 2, 5, 2, 3, 70}}));
  EXPECT_EQ(refused, 0u);
}

// Without it: rows of a length that kernels treat in another way are left out.
TEST(TestCases, LengthsOfRows) {
  size_t refused = 0;
  std::vector<TestCase> cases = makeTestCases(shipped("layer_norm"), TestPlan(), refused);
  for (auto [count, length] : {std::pair(1031, 1), {300, 7}, {3, 4096}, {2, 100000}})
    EXPECT_TRUE(has(cases, {{count, length}, {length}, {length}})) << length;
}

// Without it: axes are the contract's default alone.
TEST(TestCases, AxesOfReductions) {
  size_t refused = 0;
  TestPlan plan;
  plan.sizes = {33};
  std::vector<TestCase> cases = makeTestCases(shipped("reduce_sum"), plan, refused);
  auto over = [&](const Shape &shape, const std::vector<int64_t> &axes, bool keepDims) {
    return std::any_of(cases.begin(), cases.end(), [&](const TestCase &one) {
      return one.inputs.front() == shape && one.axes == axes && one.keepDims == keepDims;
    });
  };
  EXPECT_TRUE(over({3, 4096}, {-1}, true));
  EXPECT_TRUE(over({4096, 3}, {0}, false));
  EXPECT_TRUE(over({2, 3, 4, 5}, {0, 2}, true));
  EXPECT_TRUE(over({33}, {}, false));
  EXPECT_TRUE(over({3, 0}, {1}, false));
  // Empty tensors are refused where there is no largest element.
  makeTestCases(shipped("reduce_max"), TestPlan(), refused);
  EXPECT_GT(refused, 0u);
}

// Without it: the sample of a contract with many rows leaves cases out in every row.
TEST(TestCases, SamplesCoverAllCases) {
  size_t refused = 0;
  std::vector<TestCase> cases = makeTestCases(shipped("cast"), TestPlan(), refused);
  size_t sum = 0;
  for (uint64_t seed = 0; seed < 8; ++seed)
    sum += sampleCases(cases, 8, 8, seed).size();
  EXPECT_EQ(sum, cases.size());
  EXPECT_EQ(sampleCases(cases, 1, 1, 3).size(), cases.size());
}

static int64_t mostElements(const TestCase &one) {
  int64_t most = 0;
  for (const Shape &shape : one.inputs)
    most = std::max(most, checkedElements(shape).value_or(INT64_MAX));
  return most;
}

// Without it: every type row runs the largest cases, which take most of the time, or no row does.
TEST(TestCases, OneRowRunsALargeCase) {
  TestPlan plan;
  plan.sizes = {17, 65537, 200000, 1000003};
  size_t refused = 0;
  const std::vector<TestCase> cases = makeTestCases(shipped("add"), plan, refused);
  auto isLarge = [](const TestCase &one) { return mostElements(one) > kLargeCase; };
  const size_t large = size_t(std::count_if(cases.begin(), cases.end(), isLarge));
  ASSERT_GE(large, 2u);
  size_t found = 0;
  for (uint64_t row = 0; row < 3; ++row) {
    const std::vector<TestCase> sample = sampleCases(cases, 1, 3, row);
    const size_t ofRow = size_t(std::count_if(sample.begin(), sample.end(), isLarge));
    EXPECT_EQ(sample.size() - ofRow, cases.size() - large);
    found += ofRow;
  }
  EXPECT_EQ(found, large);
}

/// The elements of the largest input or output.
static int64_t largestTensor(const Contract &contract, const TestCase &one) {
  ShapeBinding binding;
  std::string reason;
  EXPECT_EQ(bindShapes(contract, {one.inputs.begin(), one.inputs.end()}, binding), "");
  const std::optional<Shape> result = outputShape(contract.outputs[0], binding, reason);
  EXPECT_TRUE(result) << reason;
  return std::max(mostElements(one), checkedElements(result.value_or(Shape())).value_or(INT64_MAX));
}

// Without it: a default run draws a million planes of one element, which exceed what the simulator runs (sim_c41).
TEST(TestCases, LargeSizesOfWindowsAreOfOnePlane) {
  TestPlan plan;
  plan.sizes = {17, 1000003};
  size_t refused = 0;
  const std::vector<TestCase> pools = makeTestCases(shipped("max_pool2d"), plan, refused);
  EXPECT_TRUE(has(pools, {{17, 3, 3, 3}}));
  EXPECT_TRUE(has(pools, {{1, 1, 3, 1000003}}));
  EXPECT_FALSE(has(pools, {{1000003, 1, 1, 1}}));
  plan.sizes = {1, 2, 3, 65537};
  const std::vector<TestCase> products = makeTestCases(shipped("conv2d"), plan, refused);
  EXPECT_TRUE(std::any_of(products.begin(), products.end(),
                          [](const TestCase &one) { return one.inputs.front() == Shape{1, 1, 3, 65537}; }));
  EXPECT_FALSE(std::any_of(products.begin(), products.end(),
                           [](const TestCase &one) { return one.inputs.front().front() == 65537; }));
}

// Without it: --max_elements leaves nothing out, or takes what it leaves out for shapes that the contract refuses; a
// border around planes of one element makes results of many times the elements that it allows.
TEST(TestCases, LeavesOutLargeShapes) {
  for (const char *name : {"add", "pad2d_edge"}) {
    const Contract contract = shipped(name);
    TestPlan plan;
    plan.sizes = {17, 5000};
    size_t refused = 0, refusedOfFew = 0;
    const std::vector<TestCase> all = makeTestCases(contract, plan, refused);
    plan.mostElements = 1000;
    const std::vector<TestCase> few = makeTestCases(contract, plan, refusedOfFew);
    EXPECT_EQ(refused, refusedOfFew);
    auto isFew = [&](const TestCase &one) { return largestTensor(contract, one) <= 1000; };
    EXPECT_TRUE(std::all_of(few.begin(), few.end(), isFew)) << name;
    EXPECT_EQ(few.size(), size_t(std::count_if(all.begin(), all.end(), isFew))) << name;
    EXPECT_LT(few.size(), all.size()) << name;
  }
}
