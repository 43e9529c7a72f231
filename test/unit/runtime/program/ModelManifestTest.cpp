// model.json: what is written is read, and what leads out of the folder is refused.

#include "runtime/program/model/ModelManifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using testing::HasSubstr;

static ModelManifest sample() {
  const std::string hash(64, 'a');
  ModelManifest manifest;
  manifest.name = "m\"1";
  manifest.compiler = "opc";
  manifest.target = "Ascend310B1";
  manifest.inputs = {{"x", ElementType::Float32, {2, 3}}};
  manifest.outputs = {{"y", ElementType::Bool, {}}, {"n", ElementType::Int64, {7, 3}, true}};
  manifest.kernels = {"kernels/0-add"};
  manifest.files = {{"plan.opcplan", hash, 10},
                    {"weights.bin", hash, 0},
                    {"kernels/0-add/manifest.json", hash, 7},
                    {"kernels.opckernels", hash, 12}};
  return manifest;
}

// Without it: what is written is not what is read.
TEST(ModelManifest, RoundTrip) {
  ModelManifest read;
  ASSERT_EQ(readModelManifest(writeModelManifest(sample()), read), "");
  EXPECT_EQ(writeModelManifest(read), writeModelManifest(sample()));
  EXPECT_EQ(read.inputs[0].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(read.outputs[0].type, ElementType::Bool);
  EXPECT_FALSE(read.outputs[0].rowsDependOnData);
  EXPECT_TRUE(read.outputs[1].rowsDependOnData);
}

// Without each: files outside of the folder, or files that nobody lists, are opened.
TEST(ModelManifest, Refused) {
  auto refuse = [](auto change, const char *error) {
    ModelManifest manifest = sample(), read;
    change(manifest);
    EXPECT_THAT(readModelManifest(writeModelManifest(manifest), read), HasSubstr(error));
  };
  refuse([](ModelManifest &m) { m.files[2].path = "../evil"; }, "inside of the folder");
  refuse([](ModelManifest &m) { m.files[2].path = "/etc/passwd"; }, "absolute");
  refuse([](ModelManifest &m) { m.kernels[0] = "kernels/../../evil"; }, "inside of the folder");
  refuse([](ModelManifest &m) { m.kernels[0] = "kernels/1-other"; }, "is not listed");
  refuse([](ModelManifest &m) { m.files.erase(m.files.begin()); }, "'plan.opcplan' is not listed");
  refuse([](ModelManifest &m) { m.files.pop_back(); }, "'kernels.opckernels' is not listed");
  refuse([](ModelManifest &m) { m.files.push_back(m.files[0]); }, "is listed twice");
  refuse([](ModelManifest &m) { m.kernels.push_back(m.kernels[0]); }, "kernel 'kernels/0-add' is listed twice");
  refuse([](ModelManifest &m) { m.files[0].sha256 = "abc"; }, "has no SHA-256");
  refuse([](ModelManifest &m) { m.inputs.push_back(m.inputs[0]); }, "is there twice");
  refuse([](ModelManifest &m) { m.inputs[0].rowsDependOnData = true; }, "'x' has no rows that could depend on data");
  refuse([](ModelManifest &m) { m.outputs[0].rowsDependOnData = true; }, "'y' has no rows that could depend on data");
}

/// y has as many rows as x, from 1 to 3.
static ModelManifest openSample() {
  ModelManifest manifest = sample();
  manifest.sizes = {{"n", 1, 3, 1}};
  manifest.arenaBytes = 640;
  manifest.inputs[0] = {"x", ElementType::Float32, {kOpenSize, 3}, false, {"n", ""}};
  manifest.outputs[0].shape = {kOpenSize};
  manifest.files.erase(manifest.files.begin());
  for (const char *plan : {"plans/0.opcplan", "plans/1.opcplan", "plans/2.opcplan"})
    manifest.files.push_back({plan, std::string(64, 'b'), 10});
  return manifest;
}

// Without it: sizes are lost, or no run can choose an open dimension.
TEST(ModelManifest, OpenSizes) {
  ModelManifest read;
  ASSERT_EQ(readModelManifest(writeModelManifest(openSample()), read), "");
  EXPECT_EQ(writeModelManifest(read), writeModelManifest(openSample()));
  EXPECT_EQ(read.sizes[0].to, 3);
  EXPECT_EQ(read.arenaBytes, 640u);
  EXPECT_EQ(read.inputs[0].sizes, (std::vector<std::string>{"n", ""}));
  auto refuse = [](auto change, const char *error) {
    ModelManifest manifest = openSample(), again;
    change(manifest);
    EXPECT_THAT(readModelManifest(writeModelManifest(manifest), again), HasSubstr(error));
  };
  refuse([](ModelManifest &m) { m.files.pop_back(); }, "'plans/2.opcplan' is not listed");
  refuse([](ModelManifest &m) { m.sizes[0].to = 4; }, "'plans/3.opcplan' is not listed");
  refuse([](ModelManifest &m) { m.sizes[0].step = 0; }, "in whole steps");
  refuse([](ModelManifest &m) { m.sizes.push_back({"m", 1, 1, 1}); }, "no input has the size 'm'");
  refuse([](ModelManifest &m) { m.sizes.clear(); }, "an open dimension without a size");
  refuse([](ModelManifest &m) { m.inputs[0].sizes.clear(); }, "an open dimension without a size");
  refuse([](ModelManifest &m) { m.inputs[0].sizes.pop_back(); }, "another number of sizes than of dimensions");
  refuse([](ModelManifest &m) { m.inputs[0].sizes = {"", "n"}; }, "an open dimension without a size");
  refuse([](ModelManifest &m) { m.inputs[0].shape[0] = 3; }, "an open dimension without a size");
  refuse([](ModelManifest &m) { m.outputs[0].sizes = {"n"}; }, "'y' has open sizes that no input has");
  refuse(
      [](ModelManifest &m) {
        m.sizes.clear();
        m.inputs[0] = sample().inputs[0];
        m.files.push_back(sample().files[0]);
      },
      "'y' has open sizes that no input has");
}

// Without it: a text that is no manifest is taken for an empty one.
TEST(ModelManifest, NoManifest) {
  ModelManifest read;
  EXPECT_NE(readModelManifest("", read), "");
  EXPECT_NE(readModelManifest("{}", read), "");
  EXPECT_THAT(readModelManifest("{\"schema_version\": 5}", read), HasSubstr("name"));
}
