// Plans of models: the text of the format, and plans that nobody may run.

#include "runtime/program/model/ModelPlan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using testing::HasSubstr;

/// x -> (A) -> a -> (B, with a weight) -> y; and y copied to z.
static ModelPlan sample() {
  ModelPlan plan;
  plan.arenaBytes = 128;
  plan.weightBytes = 80;
  plan.kernels = 2;
  plan.values = {{PlanValue::Input, 0, ElementType::Float32, {4}, "x"},
                 {PlanValue::Arena, 64, ElementType::Float32, {4}, "a"},
                 {PlanValue::Weights, 64, ElementType::Float32, {2, 2}, "w"},
                 {PlanValue::Output, 0, ElementType::Float32, {4}, "y"},
                 {PlanValue::Output, 1, ElementType::Float32, {4}, ""}};
  plan.steps = {{PlanStep::Launch, 0, "first", {}, {0, -1}, {1}},
                {PlanStep::Launch, 1, "second", {{"axis", "[1]"}, {"beta", "0.5"}}, {1, 2}, {3}},
                {PlanStep::Copy, 0, "", {}, {3}, {4}}};
  plan.inputs = {0};
  plan.outputs = {3, 4};
  return plan;
}

/// y = c ? A(x) : (d ? B(x) : copy of x); and n rows of boxes with their count.
static ModelPlan branched() {
  ModelPlan plan;
  plan.arenaBytes = 192;
  plan.kernels = 2;
  plan.values = {{PlanValue::Input, 0, ElementType::Float32, {4}, "x"},
                 {PlanValue::Input, 1, ElementType::Bool, {}, "c"},
                 {PlanValue::Input, 2, ElementType::Bool, {1}, "d"},
                 {PlanValue::Output, 0, ElementType::Float32, {4}, "y"},
                 {PlanValue::Arena, 0, ElementType::Float32, {4}, "t"},
                 {PlanValue::Output, 0, ElementType::Float32, {4}, "e"},
                 {PlanValue::Input, 3, ElementType::Float32, {1, 6, 4}, "boxes"},
                 {PlanValue::Input, 4, ElementType::Float32, {1, 2, 6}, "scores"},
                 {PlanValue::Output, 1, ElementType::Int64, {8, 3}, "kept"},
                 {PlanValue::Arena, 64, ElementType::Int64, {}, "count"}};
  plan.steps = {{PlanStep::Branch, 0, "outer", {}, {1}, {3}, 2, 3},
                {PlanStep::Launch, 0, "", {}, {0}, {4}},
                {PlanStep::Launch, 1, "", {}, {4}, {3}},
                {PlanStep::Branch, 0, "inner", {}, {2}, {5}, 1, 1},
                {PlanStep::Launch, 1, "", {}, {0}, {5}},
                {PlanStep::Copy, 0, "", {}, {0}, {5}},
                {PlanStep::Host, 0, "nms", {{"center_point_box", "1"}}, {6, 7}, {8, 9}}};
  plan.inputs = {0, 1, 2, 6, 7};
  plan.outputs = {3, 8};
  plan.counts = {-1, 9};
  return plan;
}

static std::string readBack(const ModelPlan &plan) {
  std::vector<uint8_t> bytes = writePlan(plan);
  ModelPlan read;
  return readPlan(bytes.data(), bytes.size(), read);
}

// Without it: what is written is not what is read.
TEST(ModelPlan, RoundTrip) {
  std::vector<uint8_t> bytes = writePlan(sample());
  ModelPlan read;
  ASSERT_EQ(readPlan(bytes.data(), bytes.size(), read), "");
  EXPECT_EQ(writePlan(read), bytes);
  EXPECT_EQ(read.steps[1].attributes[1].second, "0.5");
  EXPECT_EQ(read.values[2].name, "w");
  EXPECT_EQ(read.values[2].bytes(), 16u);
}

// Without it: a plan that was cut short, or has something after it, is run as far as it goes.
TEST(ModelPlan, EveryPrefixIsRefused) {
  std::vector<uint8_t> bytes = writePlan(branched());
  ModelPlan read;
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(readPlan(bytes.data(), size, read), "") << size;
  bytes.push_back(0);
  EXPECT_THAT(readPlan(bytes.data(), bytes.size(), read), HasSubstr("more bytes"));
  bytes[4] = 99;
  EXPECT_THAT(readPlan(bytes.data(), bytes.size(), read), HasSubstr("version 99"));
}

// Without it: a megabyte of operands and results, each compared with each, keeps the reader for minutes.
TEST(ModelPlan, ManyOfAStep) {
  ModelPlan plan = sample();
  plan.steps[0].operands.assign(256, 0);
  EXPECT_EQ(readBack(plan), "");
  plan.steps[0].operands.push_back(0);
  EXPECT_THAT(readBack(plan), HasSubstr("step 0 has more operands or results than 256"));
}

// Without it: one changed byte makes the runtime write where it must not. A plan that is accepted has all its values in
// memory that is there.
TEST(ModelPlan, ChangedBytes) {
  for (const ModelPlan &original : {sample(), branched()})
    for (size_t place = 0, size = writePlan(original).size(); place < size * 4; ++place) {
      constexpr uint8_t changes[] = {0x01, 0x40, 0x80, 0xff};
      std::vector<uint8_t> changed = writePlan(original);
      changed[place / 4] ^= changes[place % 4];
      ModelPlan plan;
      if (!readPlan(changed.data(), changed.size(), plan).empty())
        continue;
      for (const PlanValue &value : plan.values)
        if (value.memory == PlanValue::Arena || value.memory == PlanValue::Weights) {
          EXPECT_LE(value.offset + value.bytes(),
                    value.memory == PlanValue::Arena ? plan.arenaBytes : plan.weightBytes);
        }
      for (const PlanStep &step : plan.steps)
        for (uint32_t result : step.results)
          ASSERT_LT(result, plan.values.size());
    }
}

struct Broken {
  const char *name;
  void (*change)(ModelPlan &);
  const char *error;
};

class BrokenPlan : public testing::TestWithParam<Broken> {};

// Without each: the plan would read or write memory that is not its own, or bytes that nobody wrote.
TEST_P(BrokenPlan, IsRefused) {
  ModelPlan plan = sample();
  GetParam().change(plan);
  EXPECT_THAT(readBack(plan), HasSubstr(GetParam().error));
}

static const Broken kBroken[] = {
    {"beyond", [](ModelPlan &p) { p.values[1].offset = 128; }, "leaves the arena"},
    {"wraps", [](ModelPlan &p) { p.values[1].offset = uint64_t(0) - 64; }, "leaves the arena"},
    {"askew", [](ModelPlan &p) { p.values[1].offset = 66; }, "is not aligned"},
    {"weights", [](ModelPlan &p) { p.weightBytes = 79; }, "leaves the weights"},
    {"huge", [](ModelPlan &p) { p.values[1].shape = {int64_t(1) << 40, int64_t(1) << 40}; }, "fits no memory"},
    {"negative", [](ModelPlan &p) { p.values[1].shape = {-4}; }, "fits no memory"},
    {"arena", [](ModelPlan &p) { p.arenaBytes = uint64_t(1) << 60; }, "fit no memory"},
    {"type", [](ModelPlan &p) { p.values[1].type = static_cast<ElementType>(200); }, "no type"},
    {"memory", [](ModelPlan &p) { p.values[1].memory = static_cast<PlanValue::Memory>(9); }, "no memory that there is"},
    {"noInput", [](ModelPlan &p) { p.values[0].offset = 7; }, "input or output that is not there"},
    {"largerInput", [](ModelPlan &p) { p.values.push_back({PlanValue::Input, 0, ElementType::Float32, {5}, ""}); },
     "leaves its input"},
    {"swapped", [](ModelPlan &p) { std::swap(p.outputs[0], p.outputs[1]); }, "is not the caller's memory"},
    {"noValue", [](ModelPlan &p) { p.inputs[0] = 99; }, "is a value that is not there"},
    {"kernel", [](ModelPlan &p) { p.steps[1].kernel = 2; }, "runs a kernel that is not there"},
    {"kind", [](ModelPlan &p) { p.steps[1].kind = static_cast<PlanStep::Kind>(7); },
     "is no launch, copy, join, branch or function of the host"},
    {"operand", [](ModelPlan &p) { p.steps[1].operands[0] = 99; }, "reads a value that is not there"},
    {"below", [](ModelPlan &p) { p.steps[1].operands[0] = -2; }, "reads a value that is not there"},
    {"result", [](ModelPlan &p) { p.steps[1].results[0] = 99; }, "writes a value that is not there"},
    {"toWeights", [](ModelPlan &p) { p.steps[1].results[0] = 2; }, "writes to weights"},
    {"toInput", [](ModelPlan &p) { p.steps[1].results[0] = 0; }, "writes to weights or to an input"},
    {"overItself", [](ModelPlan &p) { p.steps[2] = {PlanStep::Copy, 0, "", {}, {1}, {1}}; }, "writes over its operand"},
    {"overAPart",
     [](ModelPlan &p) {
       p.values.push_back({PlanValue::Arena, p.values[1].offset + 4, ElementType::Float32, {4}, "o"});
       p.steps[1].results = {5};
     },
     "writes over its operand"},
    {"overOtherElements",
     [](ModelPlan &p) {
       p.values.push_back({PlanValue::Arena, p.values[1].offset, ElementType::Float16, {8}, "o"});
       p.steps[1].results = {5};
     },
     "writes over its operand"},
    {"twice", [](ModelPlan &p) { p.steps[0].results = {1, 1}; }, "two results to one place"},
    {"unwritten", [](ModelPlan &p) { p.steps.erase(p.steps.begin()); }, "that no step wrote for it"},
    {"copy", [](ModelPlan &p) { p.steps[2].operands = {3, 3}; }, "does not copy one value to one"},
    {"noOutput", [](ModelPlan &p) { p.steps.pop_back(); }, "output 1 is not written"},
};

INSTANTIATE_TEST_SUITE_P(All, BrokenPlan, testing::ValuesIn(kBroken),
                         [](const auto &info) { return std::string(info.param.name); });

// Without it: no elementwise step of a model may overwrite its operand, of which nobody reads the rest.
TEST(ModelPlan, LaunchesOverwrite) {
  ModelPlan plan = sample();
  plan.values.push_back({PlanValue::Arena, plan.values[1].offset, ElementType::Int32, {2, 2}, "o"});
  plan.steps[1].results = {5};
  plan.steps.insert(plan.steps.begin() + 2, {PlanStep::Launch, 0, "", {}, {5}, {3}});
  EXPECT_EQ(readBack(plan), "");
}

// Without it: a value that was written over is read as if it were whole.
TEST(ModelPlan, OverwrittenInPart) {
  ModelPlan plan = sample();
  plan.arenaBytes = 256;
  plan.values[1] = {PlanValue::Arena, 0, ElementType::Float32, {32}, "a"};
  plan.values.push_back({PlanValue::Arena, 64, ElementType::Float32, {4}, "b"});
  PlanStep over = {PlanStep::Launch, 0, "over", {}, {0}, {5}};
  plan.steps.insert(plan.steps.begin() + 1, over);
  EXPECT_THAT(readBack(plan), HasSubstr("reads bytes of 'a' that no step wrote for it"));
}

// Without it: a model whose data decide what runs is not run, or a folder that lies about it is: steps are run twice or
// never, a result is read that nobody wrote, or boxes are written past their memory.
TEST(ModelPlan, Branched) {
  const ModelPlan plan = branched();
  std::vector<uint8_t> bytes = writePlan(plan);
  ModelPlan read;
  ASSERT_EQ(readPlan(bytes.data(), bytes.size(), read), "");
  EXPECT_EQ(writePlan(read), bytes);
  EXPECT_EQ(read.steps[0].ifTrue, 2u);
  EXPECT_EQ(read.steps[0].ifFalse, 3u);
  EXPECT_EQ(read.counts, (std::vector<int32_t>{-1, 9}));
  auto broken = [&](auto change, const char *error) {
    ModelPlan changed = plan;
    change(changed);
    EXPECT_THAT(readBack(changed), HasSubstr(error));
  };
  broken([](ModelPlan &p) { p.steps[0].ifTrue = 8; }, "step 0 has more steps than there are");
  broken([](ModelPlan &p) { p.steps[0].ifFalse = UINT32_MAX; }, "step 0 has more steps than there are");
  // The inner branch would take the step after the outer one.
  broken([](ModelPlan &p) { p.steps[3].ifFalse = 2; }, "step 3 has more steps than there are");
  broken([](ModelPlan &p) { p.steps[0].operands = {0}; }, "step 0 does not branch by one truth value");
  broken([](ModelPlan &p) { p.values[2].shape = {2}; }, "step 3 does not branch by one truth value");
  broken([](ModelPlan &p) { p.steps[0].operands = {1, 2}; }, "step 0 does not branch by one value");
  broken([](ModelPlan &p) { p.steps[0].operands = {-1}; }, "step 0 does not branch by one value");
  // One list writes the result, the other does not; what was there before is not it.
  broken([](ModelPlan &p) { p.steps[0].ifTrue = 1, p.steps[0].ifFalse = 4; },
         "has a list that does not write its results");
  broken([](ModelPlan &p) { p.steps[5].results = {4}; }, "step 3 has a list that does not write its results");
  broken(
      [](ModelPlan &p) {
        p.steps[2].results = {4};
        p.steps[2].operands = {0};
        p.steps.insert(p.steps.begin(), {PlanStep::Copy, 0, "", {}, {0}, {3}});
      },
      "step 1 has a list that does not write its results");
  // What a list wrote is not there for the other, nor after the branch.
  broken([](ModelPlan &p) { p.steps[4].operands = {4}; }, "step 4 reads bytes of 't' that no step wrote for it");
  broken([](ModelPlan &p) { p.steps.push_back({PlanStep::Launch, 0, "", {}, {4}, {4}}); }, "step 7 reads bytes of 't'");
  // What a list may have written over is lost.
  broken(
      [](ModelPlan &p) {
        p.values.push_back({PlanValue::Arena, 0, ElementType::Float32, {4}, "before"});
        p.values.push_back({PlanValue::Arena, 128, ElementType::Float32, {4}, "after"});
        p.steps.insert(p.steps.begin(), {PlanStep::Launch, 0, "", {}, {0}, {10}});
        p.steps.push_back({PlanStep::Launch, 0, "", {}, {10}, {11}});
      },
      "step 8 reads bytes of 'before' that no step wrote for it");
  broken([](ModelPlan &p) { p.steps[6].kernel = 2; }, "calls a function that is not there");
  broken([](ModelPlan &p) { p.steps[6].kernel = 1; }, "calls 'NonZero', which expects one operand");
  broken(
      [](ModelPlan &p) {
        p.steps[6].kernel = 1;
        p.steps[6].operands.resize(1);
        p.steps[6].attributes.clear();
        p.values[8].shape[1] = 2;
      },
      "has results that its function does not have");
  broken([](ModelPlan &p) { p.steps[6].attributes[0].second = "2"; }, "expects the attribute center_point_box alone");
  broken([](ModelPlan &p) { p.steps[6].operands = {6}; }, "expects boxes, scores and at most three numbers");
  broken([](ModelPlan &p) { p.steps[6].operands = {-1, 7}; }, "expects boxes, scores and at most three numbers");
  broken([](ModelPlan &p) { p.steps[6].operands = {7, 6}; }, "expects boxes of [batch, places, 4]");
  broken([](ModelPlan &p) { p.steps[6].operands = {6, 7, 0}; }, "expects the most boxes of a class as one int64");
  broken([](ModelPlan &p) { p.steps[6].operands = {6, 7, -1, 0}; }, "expects thresholds of one float32 each");
  broken([](ModelPlan &p) { p.values[6].type = ElementType::Int32; }, "expects boxes and scores of float32");
  broken([](ModelPlan &p) { p.values[8].shape = {13, 3}; }, "has results that its function does not have");
  broken([](ModelPlan &p) { p.values[8].shape = {8, 2}; }, "has results that its function does not have");
  broken([](ModelPlan &p) { p.steps[6].results = {8}; }, "has results that its function does not have");
  broken([](ModelPlan &p) { p.counts[1] = 99; }, "output 1 has a count that is not there");
  broken([](ModelPlan &p) { p.counts[1] = -2; }, "output 1 has a count that is not there");
  broken([](ModelPlan &p) { p.counts[1] = 8; }, "output 1 has a count that is no number of its rows");
  broken([](ModelPlan &p) { p.counts[0] = 4; }, "output 0 has a count that is no number of its rows");
  broken(
      [](ModelPlan &p) {
        p.values.push_back({PlanValue::Arena, 128, ElementType::Int64, {}, "other"});
        p.counts[1] = 10;
      },
      "output 1 has a count that no step wrote");
}

// Without it: a plan of nothing but branches in one another overflows the stack.
TEST(ModelPlan, Depth) {
  ModelPlan plan = branched();
  plan.steps.assign(40, {PlanStep::Branch, 0, "", {}, {1}, {}, 0, 0});
  for (size_t i = 0; i < plan.steps.size(); ++i)
    plan.steps[i].ifTrue = static_cast<uint32_t>(plan.steps.size() - 1 - i);
  EXPECT_THAT(readBack(plan), HasSubstr("is in more than 32 branches"));
}

/// Two steps that write the two parts of 'j', which the third reads; the parts of output 0 likewise.
static ModelPlan joined() {
  ModelPlan plan;
  plan.arenaBytes = 64;
  plan.kernels = 1;
  plan.values = {{PlanValue::Input, 0, ElementType::Float32, {6}, "x"},
                 {PlanValue::Input, 0, ElementType::Float32, {2}, "part", 12},
                 {PlanValue::Arena, 0, ElementType::Float32, {1}, "a"},
                 {PlanValue::Arena, 4, ElementType::Float32, {2}, "b"},
                 {PlanValue::Arena, 0, ElementType::Float32, {3}, "j"},
                 {PlanValue::Output, 0, ElementType::Float32, {3}, "y"},
                 {PlanValue::Output, 0, ElementType::Float32, {1}, "left", 0},
                 {PlanValue::Output, 0, ElementType::Float32, {2}, "right", 4}};
  plan.steps = {{PlanStep::Launch, 0, "", {}, {1}, {2}},  {PlanStep::Launch, 0, "", {}, {0}, {3}},
                {PlanStep::Join, 0, "", {}, {2, 3}, {4}}, {PlanStep::Launch, 0, "", {}, {4}, {6}},
                {PlanStep::Copy, 0, "", {}, {3}, {7}},    {PlanStep::Join, 0, "", {}, {6, 7}, {5}}};
  plan.inputs = {0};
  plan.outputs = {5};
  return plan;
}

// Without it: a model with parts is not run, or a folder that lies about them is.
TEST(ModelPlan, Joined) {
  const ModelPlan plan = joined();
  EXPECT_EQ(readBack(plan), "");
  auto broken = [&](auto change, const char *error) {
    ModelPlan changed = plan;
    change(changed);
    EXPECT_THAT(readBack(changed), HasSubstr(error));
  };
  broken([](ModelPlan &p) { p.values[1].start = 20; }, "leaves its input or output");
  broken([](ModelPlan &p) { p.values[1].start = uint64_t(0) - 4; }, "leaves its input or output");
  broken([](ModelPlan &p) { p.values[1].start = 13; }, "is not aligned");
  broken([](ModelPlan &p) { p.values[2].start = 4; }, "begins twice");
  broken([](ModelPlan &p) { p.values[5].start = 4; }, "leaves its input or output");
  broken([](ModelPlan &p) { p.values[3].offset = 8; }, "joins values that do not lie one after another");
  broken([](ModelPlan &p) { p.steps[2].operands = {2}; }, "joins values that do not fill its result");
  broken([](ModelPlan &p) { p.steps[2].operands = {2, -1}; }, "joins a value that is not there");
  broken([](ModelPlan &p) { p.steps[2].operands = {1, 3}; }, "joins values that do not lie one after another");
  broken([](ModelPlan &p) { p.steps[2].results = {}; }, "joins to no value, or to several");
  broken([](ModelPlan &p) { p.steps[2].results = {1}; }, "writes to weights or to an input");
  broken([](ModelPlan &p) { p.steps.erase(p.steps.begin() + 1); }, "that no step wrote for it");
  broken([](ModelPlan &p) { p.steps.erase(p.steps.begin() + 2); }, "that no step wrote for it");
  broken([](ModelPlan &p) { p.steps.pop_back(); }, "output 0 is not written");
  broken(
      [](ModelPlan &p) {
        p.steps[4].results = {6};
        p.steps[4].operands = {2};
      },
      "that no step wrote for it");
  // A part of the output that is written again makes the whole another than was joined.
  broken([](ModelPlan &p) { p.steps.push_back({PlanStep::Copy, 0, "", {}, {3}, {7}}); }, "output 0 is not written");
}
