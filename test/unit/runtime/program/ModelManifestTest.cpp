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

// Without it: a text that is no manifest is taken for an empty one.
TEST(ModelManifest, NoManifest) {
  ModelManifest read;
  EXPECT_NE(readModelManifest("", read), "");
  EXPECT_NE(readModelManifest("{}", read), "");
  EXPECT_THAT(readModelManifest("{\"schema_version\": 4}", read), HasSubstr("name"));
}
