// Fused kernels that have no CPU form: each rule, broken by a small one, and what the error names. Operators of the
// library keep to these rules; without the errors a pass that leaves something else would crash the compiler or
// make wrong code.

#include "test/unit/lowering/cpu/vector/RowBodies.h"
#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;
using ::testing::HasSubstr;

static const std::vector<std::string> kFlatFields = {"block_num", "size0", "block_length"};

static void expectRefusal(const std::string &text, const std::vector<std::string> &tensors,
                          const std::vector<std::string> &fields, const std::string &said) {
  VectorHarness harness(text, tensors, fields, {levelsHere().front()});
  EXPECT_FALSE(harness.ready());
  EXPECT_EQ(harness.diagnostics().errorCount(), 1u) << harness.errors();
  EXPECT_THAT(harness.errors(), HasSubstr(said));
}

static std::string replaced(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

static std::string absKernel() {
  return flatKernel("k", {"f32", "f32"}, "%y = math.absf %0 : f32");
}

// What these break would else build; without this one the others could pass by accident.
TEST(VectorRefusals, TheKernelThatTheyBreakIsFine) {
  VectorHarness harness(absKernel(), {"x", "y"}, kFlatFields, {levelsHere().front()});
  EXPECT_TRUE(harness.ready()) << harness.errors();
}

TEST(VectorRefusals, Tensors) {
  expectRefusal(absKernel(), {"x"}, kFlatFields,
                "[cpu_c5]: 'func.func' op expects the contract's 1 tensors, found more");
  expectRefusal(flatKernel("k", {"i48", "i48"}, "%y = arith.addi %0, %0 : i48"), {"x", "y"}, kFlatFields,
                "[cpu_c5]: 'func.func' op expects tensors, then scalars, of element types "
                "that memory has");
  std::string backwards = replaced(absKernel(), "affine_map<(d0) -> (d0)>", "affine_map<(d0) -> (d0 + 1)>");
  expectRefusal(backwards, {"x", "y"}, kFlatFields,
                "[cpu_c5]: 'linalg.generic' op expects maps that project the loops in their "
                "order");
}

TEST(VectorRefusals, Operations) {
  expectRefusal(flatKernel("k", {"f32", "f32"}, "%y = math.asin %0 : f32"), {"x", "y"}, kFlatFields,
                "[cpu_c6]: expects operations that have a CPU form, found 'math.asin'");
}

TEST(VectorRefusals, TilingFields) {
  expectRefusal(absKernel(), {"x", "y"}, {"block_num", "block_length"},
                "[cpu_c7]: 'func.func' op expects a tiling function with the fields 'size0'");
}

// A sum that takes away what it has from the next element is none that parts of a row could be made of.
TEST(VectorRefusals, Reductions) {
  expectRefusal(replaced(kSoftmax, "arith.addf %a, %o", "arith.subf %a, %o"), {"x", "y"},
                {"block_num", "size0", "size1", "block_length"},
                "[cpu_c8]: 'linalg.generic' op expects a reduction to combine by one operation at its end");
}
