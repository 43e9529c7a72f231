// Sizes of tensors: overflow, emptiness, rank 0, alignment, DLPack's view.

#include "runtime/core/tensor/DLPack.h"

#include <gtest/gtest.h>

using namespace opc;

// Without it: a product that wraps around becomes a small allocation with a large shape.
TEST(Tensor, ProductsThatOverflowAreRefused) {
  EXPECT_EQ(checkedElements({1 << 20, 1 << 20, 1 << 20, 8}), std::nullopt);
  EXPECT_EQ(checkedElements({INT64_MAX}, 2), std::nullopt);
  EXPECT_EQ(checkedElements({-1}), std::nullopt);
  EXPECT_FALSE(Tensor::create(ElementType::Float64, {INT64_MAX / 8}));
}

// Without it: rank 0 has no element, or an empty tensor one.
TEST(Tensor, ScalarsAndEmptyOnes) {
  EXPECT_EQ(checkedElements({}), 1);
  EXPECT_EQ(checkedElements({INT64_MAX, INT64_MAX, 0}), 0);
  std::optional<Tensor> empty = Tensor::create(ElementType::Float32, {0});
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->numBytes(), 0);
  EXPECT_NE(empty->data(), nullptr);
}

// Without it: vector code that counts on whole aligned lines faults.
TEST(Tensor, StartsOnALine) {
  for (int64_t size : {1, 15, 16, 17, 1000003}) {
    std::optional<Tensor> tensor = Tensor::create(ElementType::Float16, {size});
    ASSERT_TRUE(tensor);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->data()) % 64, 0u);
  }
}

// Without it: what another framework sees of our memory has another type or shape.
TEST(Tensor, DescribesItselfToDLPack) {
  std::optional<Tensor> tensor = Tensor::create(ElementType::BFloat16, {2, 3});
  ASSERT_TRUE(tensor);
  DLTensor view = describe(*tensor);
  EXPECT_EQ(view.data, tensor->data());
  EXPECT_EQ(view.ndim, 2);
  EXPECT_EQ(view.shape[1], 3);
  EXPECT_EQ(view.dtype.code, kDLBfloat);
  EXPECT_EQ(view.dtype.bits, 16);
  EXPECT_EQ(view.device.device_type, kDLCPU);
}

// Without it: memory that a tensor was laid over is never given back, or is freed twice.
TEST(Tensor, GivesForeignMemoryBackOnce) {
  int released = 0;
  auto release = [](void *context, void *) { ++*static_cast<int *>(context); };
  float element = 3;
  {
    std::optional<Tensor> tensor = Tensor::over(ElementType::Float32, {1}, &element, {release, &released});
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->data(), &element);
    Tensor moved = std::move(*tensor);
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
  EXPECT_FALSE(Tensor::over(ElementType::Float32, {INT64_MAX, 4}, &element, {release, &released}));
  EXPECT_EQ(released, 1);
}
