// Open sizes of a model: the choices, and the choice that the shapes of inputs select.

#include "runtime/program/model/ModelSizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using testing::HasSubstr;

using Shapes = std::vector<std::vector<int64_t>>;

/// x[seq, 3], ids[batch, seq]
static ModelManifest sample() {
  ModelManifest manifest;
  manifest.sizes = {{"seq", 16, 64, 16}, {"batch", 0, 2, 1}};
  manifest.inputs = {{"x", ElementType::Float32, {kOpenSize, 3}, false, {"seq", ""}},
                     {"ids", ElementType::Int64, {kOpenSize, kOpenSize}, false, {"batch", "seq"}}};
  return manifest;
}

// Without it: a run gets the plan of other sizes, or two choices have one plan.
TEST(ModelSizes, EachFormHasItsShapes) {
  const ModelManifest manifest = sample();
  ASSERT_EQ(checkModelSizes(manifest.sizes), "");
  ASSERT_EQ(numForms(manifest.sizes), 12u);
  std::string why;
  size_t form = 0;
  for (int64_t seq = 16; seq <= 64; seq += 16)
    for (int64_t batch = 0; batch <= 2; ++batch, ++form) {
      EXPECT_EQ(sizesOfForm(manifest.sizes, form), (std::vector<int64_t>{seq, batch}));
      EXPECT_EQ(formOfInputs(manifest, {{seq, 3}, {batch, seq}}, why), form) << why;
      EXPECT_EQ(planPath(manifest.sizes, form), "plans/" + std::to_string(form) + ".opcplan");
    }
  EXPECT_EQ(numForms({}), 1u);
  EXPECT_EQ(planPath({}, 0), "plan.opcplan");
}

// Without each: shapes that the model was not compiled for run with the plan of others.
TEST(ModelSizes, ShapesWithoutAForm) {
  const ModelManifest manifest = sample();
  auto refuse = [&](const Shapes &shapes, const char *error) {
    std::string why;
    EXPECT_FALSE(formOfInputs(manifest, shapes, why));
    EXPECT_THAT(why, HasSubstr(error));
  };
  refuse({{16, 3}}, "expects 2 inputs, found 1");
  refuse({{16}, {1, 16}}, "'x' to be float32 [seq, 3] with seq 16, 32, ... 64: found float32 [16]");
  refuse({{16, 4}, {1, 16}}, "found float32 [16, 4]");
  refuse({{0, 3}, {1, 0}}, "found float32 [0, 3]");
  refuse({{17, 3}, {1, 17}}, "found float32 [17, 3]");
  refuse({{80, 3}, {1, 80}}, "found float32 [80, 3]");
  refuse({{INT64_MIN, 3}, {1, 16}}, "found float32 [-9223372036854775808, 3]");
  refuse({{INT64_MAX, 3}, {1, 16}}, "found float32 [9223372036854775807, 3]");
  refuse({{16, 3}, {3, 16}}, "'ids' to be int64 [batch, seq] with batch 0 to 2; seq 16, 32, ... 64");
  refuse({{16, 3}, {1, 32}}, "where seq is 16 already");
}

// Without each: a folder has too many plans, or sizes that no run can have.
TEST(ModelSizes, RefusedSizes) {
  auto refuse = [](const std::vector<ModelSize> &sizes, const char *error) {
    EXPECT_THAT(checkModelSizes(sizes), HasSubstr(error));
  };
  refuse({{"", 1, 2, 1}}, "has no name");
  refuse({{"n", 1, 2, 1}, {"n", 3, 4, 1}}, "size 'n' is there twice");
  refuse({{"n", -1, 2, 1}}, "in whole steps");
  refuse({{"n", 3, 2, 1}}, "in whole steps");
  refuse({{"n", 1, 2, 0}}, "in whole steps");
  refuse({{"n", 1, 2, -1}}, "in whole steps");
  refuse({{"n", 1, 4, 2}}, "in whole steps");
  refuse({{"n", 0, INT64_MAX, 1}}, "at most 4096 choices");
  refuse({{"n", 1, 4097, 1}}, "at most 4096 choices");
  refuse({{"n", 1, 64, 1}, {"m", 1, 65, 1}}, "at most 4096 choices");
  EXPECT_EQ(checkModelSizes({{"n", 1, 64, 1}, {"m", 1, 64, 1}}), "");
  EXPECT_EQ(checkModelSizes({{"n", INT64_MAX, INT64_MAX, 1}, {"m", 0, INT64_MAX, INT64_MAX}}), "");
  // Each dimension of a file's inputs would be compared with each of its sizes.
  std::vector<ModelSize> many;
  for (int i = 0; i < 64; ++i)
    many.push_back({"n" + std::to_string(i), 1, 1, 1});
  EXPECT_EQ(checkModelSizes(many), "");
  many.push_back({"n", 1, 1, 1});
  refuse(many, "at most 64 open sizes, found 65");
}

TEST(ModelSizes, Texts) {
  EXPECT_EQ(sizeText({"n", 7, 7, 1}), "7");
  EXPECT_EQ(sizeText({"n", 1, 9, 1}), "1 to 9");
  EXPECT_EQ(sizeText({"n", 8, 16, 8}), "8, 16");
  EXPECT_EQ(sizeText({"n", 8, 24, 8}), "8, 16, ... 24");
}
