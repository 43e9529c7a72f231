// Kernels that do not end: the CPU form counts what it does, and stops.

#include "test/unit/lowering/cpu/CpuHarness.h"

#include "runtime/device/cpu/KernelLibrary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;
using ::testing::HasSubstr;
using ::testing::Not;

// A kernel with %n of its tiling data, and the tensor %y whose first element each store goes to.
static std::string kernelWith(const std::string &body) {
  return R"(
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
func.func @tiling(%n: index {aicore.size = #aicore.size<num_elements of "y">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  return %n, %n : index, index
}
func.func @kernel(%y: memref<?xi32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = aicore.tiling_data "n" : index
  %block = aicore.block_idx : index
  %b = aicore.buffer "b" : memref<8xi32, #ub>
)" + body +
         R"(
  return
}
)";
}

// Stores %number, an index, to element %at.
static std::string storeAt(const std::string &at) {
  return R"(
  %i = arith.index_cast %number : index to i32
  %tile = memref.subview %b[0] [1] [1] : memref<8xi32, #ub> to memref<1xi32, strided<[1]>, #ub>
  aicore.vbrc ins(%i : i32) outs(%tile : memref<1xi32, strided<[1]>, #ub>)
  %v = memref.subview %y[)" +
         at + R"(] [1] [1] : memref<?xi32, #gm> to memref<1xi32, strided<[1], offset: ?>, #gm>
  aicore.store %tile -> %v : memref<1xi32, strided<[1]>, #ub> to memref<1xi32, strided<[1], offset: ?>, #gm>
)";
}

static std::string launchErrors(const std::string &text, int64_t n, int64_t blocks = 1) {
  CpuHarness harness(text, 1, 2);
  EXPECT_TRUE(harness.ready()) << harness.errors();
  std::vector<int32_t> y(8, -1);
  EXPECT_FALSE(harness.launch({operand(ElementType::Int32, y)}, {blocks, n}, blocks));
  return harness.errors();
}

// What breaks without it: a loop with a wrong bound hangs `opc run`.
TEST(StepLimit, EndsALoopOfTooManyTrips) {
  std::string text = kernelWith("scf.for %number = %c0 to %n step %c1 {" + storeAt("%c0") + "}");
  std::string said = launchErrors(text, 1'000'000'000'000);
  EXPECT_THAT(said, HasSubstr("OPC-E0454"));
  EXPECT_THAT(said, HasSubstr("within 4295000064 steps"));
}

// The trips of all loops count together: none of these loops is long, and the innermost is the one that takes the time.
TEST(StepLimit, EndsANestOfLoops) {
  std::string text = kernelWith(R"(
  scf.for %i0 = %c0 to %n step %c1 {
    scf.for %i1 = %c0 to %n step %c1 {
      scf.for %number = %c0 to %n step %c1 {)" +
                                storeAt("%c0") + "} } }");
  EXPECT_THAT(launchErrors(text, 100'000), HasSubstr("OPC-E0454"));
}

// A variable that wraps around makes a loop that no bound ends.
TEST(StepLimit, EndsALoopWhoseVariableWrapsAround) {
  std::string text = kernelWith(R"(
  %large = arith.constant 9223372036854775807 : index
  %step = arith.constant 4611686018427387904 : index
  scf.for %number = %c0 to %large step %step {)" +
                                storeAt("%c0") + "}");
  EXPECT_THAT(launchErrors(text, 1), HasSubstr("OPC-E0454"));
}

// What breaks without it: a kernel goes on for hours after it has left its tensor. The trips are too many as well,
// but the first access ends the loop, so they are not reported.
TEST(StepLimit, AnAccessOutsideEndsAllLoops) {
  std::string text = kernelWith(R"(
  scf.for %i0 = %c0 to %n step %c1 {
    scf.for %number = %c0 to %n step %c1 {)" +
                                storeAt("%n") + "} }");
  std::string said = launchErrors(text, 1'000'000'000'000);
  EXPECT_THAT(said, HasSubstr("would leave its tensor"));
  EXPECT_THAT(said, Not(HasSubstr("OPC-E0454")));
}

TEST(StepLimit, ALoopThatDoesNotAdvanceIsTold) {
  std::string text = kernelWith("scf.for %number = %c0 to %c1 step %n {" + storeAt("%c0") + "}");
  EXPECT_THAT(launchErrors(text, 0), HasSubstr("a loop does not advance"));
}

// Blocks after a broken one do not run, on one thread or on several.
TEST(StepLimit, ABrokenBlockEndsTheLaunch) {
  std::string text = kernelWith("scf.for %number = %c0 to %n step %c1 {" + storeAt("%c0") + "}");
  EXPECT_THAT(launchErrors(text, 1'000'000'000'000, 64), HasSubstr("OPC-E0454"));
}

// The limit as the entry sees it, to the step: a trip and one lane, since the fill and the store share their loop.
// The lane of the last trip comes after the last look at the limit.
TEST(StepLimit, EachBlockHasTheWholeLimit) {
  std::string text = kernelWith("scf.for %number = %c0 to %n step %c1 {" + storeAt("%block") + "}");
  CpuHarness harness(text, 1, 2);
  ASSERT_TRUE(harness.ready()) << harness.errors();
  Diagnostics diagnostics;
  std::shared_ptr<KernelLibrary> library = KernelLibrary::open(harness.library(), diagnostics);
  ASSERT_TRUE(library);
  std::vector<int32_t> y(8, -1);
  void *tensors[] = {y.data()};
  const int64_t sizes[] = {8}, tiling[] = {1, 100};
  int64_t needed = 100 * (OPC_KERNEL_STEPS_A_TRIP + 1) - 1;
  opc_kernel_arguments arguments{tensors, sizes, tiling, needed};
  const opc_kernel_entry *entry = library->find("kernel");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->function(&arguments, 0, 8), 0);
  EXPECT_EQ(y, std::vector<int32_t>(8, 99));

  y.assign(8, -1);
  arguments.step_limit = needed - 1;
  EXPECT_EQ(entry->function(&arguments, 0, 8), OPC_KERNEL_STEP_LIMIT);
  EXPECT_EQ(y[0], 99) << "the trip that takes a step too many ends";
  EXPECT_EQ(y[1], -1) << "no block starts after a broken one";
}
