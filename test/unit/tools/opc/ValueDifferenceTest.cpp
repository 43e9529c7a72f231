// How far a value of a model is from ONNX Runtime's.

#include "tools/opc/model/reference/ValueDifference.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

using namespace opc;
using namespace opc::tool;

static ValueDifference differenceOf(const std::vector<float> &found, const std::vector<float> &expected) {
  const Shape shape = {int64_t(expected.size())};
  Tensor reference = *Tensor::create(ElementType::Float32, shape);
  std::memcpy(reference.data(), expected.data(), expected.size() * sizeof(float));
  return compareValue(ElementType::Float32, shape, found.data(), reference);
}

TEST(ValueDifference, IsRelativeToTheRootMeanSquare) {
  EXPECT_TRUE(differenceOf({3, 4, 0}, {3, 4, 0}).holds());
  const ValueDifference off = differenceOf({3, 4, 0.001f}, {3, 4, 0});
  EXPECT_FALSE(off.holds());
  EXPECT_EQ(off.at, 2);
  EXPECT_NEAR(off.relative, 0.001 / 2.88675, 1e-6);
}

// Without it: a mask of -1e9 makes the mean square so large that every difference elsewhere is small beside it.
TEST(ValueDifference, LargeElementsHideNothing) {
  EXPECT_TRUE(differenceOf({1, 2, 3, -1e9f}, {1, 2, 3, -1e9f}).holds());
  const ValueDifference other = differenceOf({1, 2.5f, 3, -1e9f}, {1, 2, 3, -1e9f});
  EXPECT_FALSE(other.holds());
  EXPECT_EQ(other.at, 1);
  const ValueDifference large = differenceOf({1, 2, 3, -1.01e9f}, {1, 2, 3, -1e9f});
  EXPECT_FALSE(large.holds());
  EXPECT_EQ(large.at, 3);
  EXPECT_TRUE(differenceOf({1, 2, 3, -1.00001e9f}, {1, 2, 3, -1e9f}).holds());
}

TEST(ValueDifference, WhatTheReferenceIsOffByIsItsOwn) {
  const std::vector<float> found = {3.5e-6f, 1e-4f}, expected = {3.6e-6f, 1e-4f};
  std::optional<Tensor> reference = Tensor::create(ElementType::Float32, {2});
  std::memcpy(reference->data(), expected.data(), sizeof(float) * 2);
  EXPECT_FALSE(compareValue(ElementType::Float32, {2}, found.data(), *reference).holds());
  EXPECT_TRUE(compareValue(ElementType::Float32, {2}, found.data(), *reference, 0x1p-22).holds());
  // No more than that.
  const std::vector<float> wrong = {3.5e-6f, 1.1e-4f};
  EXPECT_FALSE(compareValue(ElementType::Float32, {2}, wrong.data(), *reference, 0x1p-22).holds());
}
