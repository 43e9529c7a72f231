#include "test/unit/lowering/cpu/CpuHarness.h"

#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;

TEST(CpuLibrary, AddsTwoTensors) {
  std::string t = tileType("f32");
  CpuHarness harness(kernelOver({"f32", "f32", "f32"}, "aicore.vadd ins(%t0, %t1 : " + t + ", " + t + ") outs(%t2 : " + t + ")"), 3, 2);
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<float> a(1003), b(1003), y(1003);
  for (size_t i = 0; i < a.size(); ++i) { a[i] = float(i); b[i] = 0.5f * float(i); }
  ASSERT_TRUE(harness.launch({operand(ElementType::Float32, a), operand(ElementType::Float32, b), operand(ElementType::Float32, y)}, {1, 1003})) << harness.errors();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(y[i], a[i] + b[i]);
}
