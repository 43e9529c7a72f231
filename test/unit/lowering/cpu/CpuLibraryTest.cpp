// The library as a whole: its file, its table, kernels of every phase, and kernels that do what they must not.

#include "test/unit/lowering/cpu/CpuHarness.h"

#include "runtime/device/cpu/KernelLibrary.h"

#include "llvm/Object/ELFObjectFile.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;
using ::testing::HasSubstr;

static std::string f32Tile() {
  return tileType("f32");
}

static std::string addKernel() {
  std::string t = f32Tile();
  return kernelOver({"f32", "f32", "f32"}, "aicore.vadd ins(%t0, %t1 : " + t + ", " + t + ") outs(%t2 : " + t + ")");
}

static std::vector<char> fileBytes(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

static std::vector<float> ramp(size_t count, float step) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = step * float(i) - 17.0f;
  return values;
}

TEST(CpuLibrary, AddsTwoTensorsOfAnyLength) {
  CpuHarness harness(addKernel(), 3, 2);
  ASSERT_TRUE(harness.ready()) << harness.errors();
  for (int64_t n : {0, 1, 15, 255, 256, 257, 1003}) {
    std::vector<float> a = ramp(n, 1.0f), b = ramp(n, 0.37f), y(n, -1.0f);
    ASSERT_TRUE(harness.launch(
        {operand(ElementType::Float32, a), operand(ElementType::Float32, b), operand(ElementType::Float32, y)}, {1, n}))
        << harness.errors();
    for (int64_t i = 0; i < n; ++i)
      EXPECT_EQ(y[i], a[i] + b[i]) << i << " of " << n;
  }
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

// What breaks without it: an op folder whose library needs a libc that the board does not have.
TEST(CpuLibrary, ExportsOneFunctionAndNeedsNothing) {
  std::string t = f32Tile();
  CpuHarness harness(kernelOver({"f32", "f32"}, "aicore.vexp ins(%t0 : " + t + ") outs(%t1 : " + t + ")"), 2, 2);
  ASSERT_TRUE(harness.ready()) << harness.errors();
  auto file = llvm::object::ObjectFile::createObjectFile(harness.library());
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  auto *elf = llvm::cast<llvm::object::ELFObjectFileBase>(file->getBinary());
  std::vector<std::string> names;
  for (const llvm::object::ELFSymbolRef &symbol : elf->getDynamicSymbolIterators()) {
    names.push_back(llvm::cantFail(symbol.getName()).str());
    EXPECT_FALSE(llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined) << names.back();
  }
  EXPECT_EQ(names, std::vector<std::string>{"opc_kernel_library_query"});
}

// What breaks without it: a folder that differs from machine to machine, or from run to run.
TEST(CpuLibrary, SameModuleGivesSameBytes) {
  CpuHarness one(addKernel(), 3, 2), other(addKernel(), 3, 2);
  ASSERT_TRUE(one.ready() && other.ready());
  EXPECT_EQ(fileBytes(one.library()), fileBytes(other.library()));
}

TEST(CpuLibrary, TableSaysWhatWasAskedFor) {
  CpuHarness harness(addKernel(), 3, 2);
  Diagnostics diagnostics;
  std::shared_ptr<KernelLibrary> library = KernelLibrary::open(harness.library(), diagnostics);
  ASSERT_TRUE(library);
  const opc_kernel_library &table = library->table();
  EXPECT_EQ(table.version, OPC_KERNEL_LIBRARY_VERSION);
  EXPECT_STREQ(table.op_type, "Test");
  ASSERT_EQ(table.level_count, 1u);
  EXPECT_STREQ(table.levels[0].cpu_level, "x86-64-v3");
  EXPECT_EQ(&library->level(), &table.levels[0]);
  ASSERT_EQ(table.levels[0].entry_count, 1u);
  const opc_kernel_entry &entry = table.levels[0].entries[0];
  EXPECT_STREQ(entry.name, "kernel");
  EXPECT_EQ(entry.tiling_key, 0u);
  EXPECT_EQ(entry.flags, 0u);
  TilingFunction tiling;
  tiling.outputs.resize(2);
  std::vector<uint8_t> expected = writeTiling(tiling);
  EXPECT_EQ(std::vector<uint8_t>(entry.tiling_code, entry.tiling_code + entry.tiling_size), expected);
  EXPECT_EQ(library->find("kernel"), &entry);
  EXPECT_EQ(library->find("kernels"), nullptr);
}

//===----------------------------------------------------------------------===//
// Phases and blocks
//===----------------------------------------------------------------------===//

// The same kernel as an AI Core gets it in the end: two slots, addresses, flags, and a running slot number.
static const char *const kSynced = R"(
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
func.func @tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @kernel(%x: memref<?xf16, #gm>, %y: memref<?xf16, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %three = arith.constant 3.0 : f16
  %n = aicore.tiling_data "n" : index
  %tiles = arith.ceildivsi %n, %c64 : index
  %xb = aicore.buffer "x" at 0 : memref<2x64xf16, #ub>
  %yb = aicore.buffer "y" at 256 : memref<2x64xf16, #ub>
  aicore.set_flag v -> mte2 [%c0]
  aicore.set_flag v -> mte2 [%c1]
  scf.for %tile = %c0 to %tiles step %c1 {
    %slot = arith.remsi %tile, %c2 : index
    %start = arith.muli %tile, %c64 : index
    %left = arith.subi %n, %start : index
    %count = arith.minsi %left, %c64 : index
    %xg = memref.subview %x[%start] [%count] [1] : memref<?xf16, #gm> to memref<?xf16, strided<[1], offset: ?>, #gm>
    %yg = memref.subview %y[%start] [%count] [1] : memref<?xf16, #gm> to memref<?xf16, strided<[1], offset: ?>, #gm>
    %xu = memref.subview %xb[%slot, 0] [1, %count] [1, 1] : memref<2x64xf16, #ub> to memref<?xf16, strided<[1], offset: ?>, #ub>
    %yu = memref.subview %yb[%slot, 0] [1, %count] [1, 1] : memref<2x64xf16, #ub> to memref<?xf16, strided<[1], offset: ?>, #ub>
    aicore.wait_flag v -> mte2 [%slot]
    aicore.load %xg -> %xu : memref<?xf16, strided<[1], offset: ?>, #gm> to memref<?xf16, strided<[1], offset: ?>, #ub>
    aicore.set_flag mte2 -> v [%slot]
    aicore.wait_flag mte2 -> v [%slot]
    aicore.vmuls ins(%xu, %three : memref<?xf16, strided<[1], offset: ?>, #ub>, f16) outs(%yu : memref<?xf16, strided<[1], offset: ?>, #ub>)
    aicore.pipe_barrier v
    aicore.set_flag v -> mte2 [%slot]
    aicore.store %yu -> %yg : memref<?xf16, strided<[1], offset: ?>, #ub> to memref<?xf16, strided<[1], offset: ?>, #gm>
  }
  return
}
)";

TEST(CpuLibrary, TakesKernelsWithSlotsAddressesAndFlags) {
  CpuHarness harness(kSynced, 2, 2);
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<uint16_t> x(1000, 0x3c00), y(1000, 0); // 1.0
  ASSERT_TRUE(harness.launch({operand(ElementType::Float16, x), operand(ElementType::Float16, y)}, {1, 1000}))
      << harness.errors();
  EXPECT_EQ(y, std::vector<uint16_t>(1000, 0x4200)); // 3.0
}

// Each block writes its index over its own part; adds into one common element at the end when asked.
static std::string blocksKernel(bool atomicAdd) {
  return std::string(R"(
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
func.func @tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
func.func @kernel(%y: memref<?xi32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @tiling} {
  %c0 = arith.constant 0 : index
  %block = aicore.block_idx : index
  %number = arith.index_cast %block : index to i32
  %b = aicore.buffer "b" : memref<8xi32, #ub>
  aicore.vbrc ins(%number : i32) outs(%b : memref<8xi32, #ub>)
  %c8 = arith.constant 8 : index
  %start = arith.muli %block, )") +
         (atomicAdd ? "%c0" : "%c8") + R"( : index
  %v = memref.subview %y[%start] [8] [1] : memref<?xi32, #gm> to memref<8xi32, strided<[1], offset: ?>, #gm>
  aicore.store %b -> %v )" +
         (atomicAdd ? "atomic_add " : "") +
         R"(: memref<8xi32, #ub> to memref<8xi32, strided<[1], offset: ?>, #gm>
  return
}
)";
}

TEST(CpuLibrary, BlocksRunOnceWhateverTheThreads) {
  for (int threads : {0, 1, 2, 3}) {
    CpuHarness harness(blocksKernel(false), 1, 1, 0, threads);
    ASSERT_TRUE(harness.ready()) << harness.errors();
    std::vector<int32_t> y(8 * 200, -1);
    ASSERT_TRUE(harness.launch({operand(ElementType::Int32, y)}, {200}, 200)) << harness.errors();
    for (int i = 0; i < 1600; ++i)
      ASSERT_EQ(y[i], i / 8);
  }
}

// What breaks without it: two threads that add to one element lose one of the sums.
TEST(CpuLibrary, BlocksThatAddToOnePlaceRunInOrder) {
  CpuHarness harness(blocksKernel(true), 1, 1);
  ASSERT_TRUE(harness.ready()) << harness.errors();
  Diagnostics diagnostics;
  std::shared_ptr<KernelLibrary> library = KernelLibrary::open(harness.library(), diagnostics);
  ASSERT_TRUE(library);
  EXPECT_EQ(library->find("kernel")->flags, OPC_KERNEL_ENTRY_IN_ORDER);
  std::vector<int32_t> y(8, 1);
  ASSERT_TRUE(harness.launch({operand(ElementType::Int32, y)}, {1000}, 1000)) << harness.errors();
  EXPECT_EQ(y, std::vector<int32_t>(8, 1 + 999 * 1000 / 2));
}

//===----------------------------------------------------------------------===//
// What a kernel must not do
//===----------------------------------------------------------------------===//

// A kernel that copies %n elements from %from of x to a tile of 64 and back to y, by numbers of the tiling data.
static const char *const kUnchecked = R"(
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
func.func @tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "from"}, index {aicore.name = "n"}, index {aicore.name = "by"})
    attributes {aicore.tiling} {
  return %n, %n, %n, %n : index, index, index, index
}
func.func @kernel(%x: memref<?xf32, #gm>, %y: memref<?xf32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @tiling} {
  %from = aicore.tiling_data "from" : index
  %wanted = aicore.tiling_data "n" max 1000 : index
  %by = aicore.tiling_data "by" : index
  %n = arith.divsi %wanted, %by : index
  %b = aicore.buffer "b" : memref<64xf32, #ub>
  %u = memref.subview %b[0] [%n] [1] : memref<64xf32, #ub> to memref<?xf32, strided<[1]>, #ub>
  %xv = memref.subview %x[%from] [%n] [1] : memref<?xf32, #gm> to memref<?xf32, strided<[1], offset: ?>, #gm>
  %yv = memref.subview %y[%from] [%n] [1] : memref<?xf32, #gm> to memref<?xf32, strided<[1], offset: ?>, #gm>
  aicore.load %xv -> %u : memref<?xf32, strided<[1], offset: ?>, #gm> to memref<?xf32, strided<[1]>, #ub>
  aicore.store %u -> %yv : memref<?xf32, strided<[1]>, #ub> to memref<?xf32, strided<[1], offset: ?>, #gm>
  return
}
)";

// What breaks without it: a wrong body of a user writes over memory of the process that tests it.
TEST(CpuLibrary, AccessesOutsideAreLeftOutAndTold) {
  struct Launch {
    int64_t from, n, by;
    const char *said; ///< null: goes well
  };
  const Launch launches[] = {
      {0, 64, 1, nullptr},
      {36, 64, 1, nullptr},
      {100, 0, 1, nullptr},
      {0, 65, 1, "would leave its tile"},
      {37, 64, 1, "would leave its tensor"},
      {INT64_MAX, 1, 1, "would leave its tensor"},
      {101, 0, 1, "would leave its tensor"},
      {0, 1001, 1000, "outside of the range"},
      {0, 64, 0, "division has no result"},
      {-5, 5, 1, "outside of the range"},
      {0, -3, 1, "outside of the range"},
  };
  CpuHarness harness(kUnchecked, 2, 4);
  ASSERT_TRUE(harness.ready()) << harness.errors();
  for (const Launch &launch : launches) {
    // Guards on both sides of the output show what was written.
    std::vector<float> x(100, 1.0f), y(300, 7.0f);
    Operand output{ElementType::Float32, y.data() + 100, 400};
    size_t before = harness.errors().size();
    bool done = harness.launch({operand(ElementType::Float32, x), output}, {1, launch.from, launch.n, launch.by});
    EXPECT_EQ(done, launch.said == nullptr) << launch.from << " " << launch.n << " " << launch.by << harness.errors();
    if (launch.said)
      EXPECT_THAT(harness.errors().substr(before), HasSubstr(launch.said));
    for (size_t i = 0; i < 300; ++i)
      if (i < 100 || i >= 200)
        ASSERT_EQ(y[i], 7.0f) << i;
  }
}

// What breaks without it: offsets that are data lead anywhere.
TEST(CpuLibrary, GatherStaysInItsTile) {
  std::string text = kernelOver({"ui32", "f32"}, R"(
    %table = aicore.buffer "table" : memref<64xf32, #aicore.space<ub>>
    %one = arith.constant 1.0 : f32
    aicore.vbrc ins(%one : f32) outs(%table : memref<64xf32, #aicore.space<ub>>)
    aicore.vgather ins(%table, %t0 : memref<64xf32, #aicore.space<ub>>, )" +
                                                     tileType("ui32") + ") outs(%t1 : " + f32Tile() + ")");
  CpuHarness harness(text, 2, 2);
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<float> y(4);
  std::vector<uint32_t> good = {0, 4, 252, 128};
  EXPECT_TRUE(harness.launch({operand(ElementType::UInt32, good), operand(ElementType::Float32, y)}, {1, 4}))
      << harness.errors();
  EXPECT_EQ(y, std::vector<float>(4, 1.0f));
  for (uint32_t bad : {256u, 2u, 0xfffffffcu}) {
    std::vector<uint32_t> offsets = {0, bad, 0, 0};
    EXPECT_FALSE(harness.launch({operand(ElementType::UInt32, offsets), operand(ElementType::Float32, y)}, {1, 4}))
        << bad;
  }
}

//===----------------------------------------------------------------------===//
// What cannot be compiled
//===----------------------------------------------------------------------===//

static std::string refusal(const std::string &text) {
  CpuHarness harness(text, 2, 2);
  EXPECT_FALSE(harness.ready());
  EXPECT_FALSE(std::filesystem::exists(harness.library())) << "nothing half-written is left";
  return harness.errors();
}

TEST(CpuLibrary, RefusesCallsOfLibraries) {
  std::string t = f32Tile();
  std::string said = refusal(
      kernelOver({"f32", "f32"},
                 "%z = math.sin %s : f32\naicore.vmuls ins(%t0, %z : " + t + ", f32) outs(%t1 : " + t + ")", "f32"));
  EXPECT_THAT(said, HasSubstr("OPC-E0373"));
  EXPECT_THAT(said, HasSubstr("'sinf'"));
}

TEST(CpuLibrary, RefusesTypesThatTheChipLacks) {
  std::string t = tileType("f64");
  std::string said =
      refusal(kernelOver({"f64", "f64"}, "aicore.vadd ins(%t0, %t0 : " + t + ", " + t + ") outs(%t1 : " + t + ")"));
  EXPECT_THAT(said, HasSubstr("OPC-E0370 [cpu_c4]"));
  EXPECT_THAT(said, HasSubstr("body.mlir:"));
}

TEST(CpuLibrary, RefusesBuffersBeyondTheStack) {
  std::string said = refusal(kernelOver({"f32", "f32"}, R"(
    %big = aicore.buffer "big" : memref<300000xf32, #aicore.space<ub>>)"));
  EXPECT_THAT(said, HasSubstr("OPC-E0410 [cpu_c3]"));
}

TEST(CpuLibrary, SaysWhenTheOutputCannotBeWritten) {
  Diagnostics diagnostics;
  TilingFunction tiling;
  tiling.outputs.resize(2);
  EXPECT_FALSE(buildLibrary(addKernel(), {"kernel"}, "/nowhere/at/all.so", tiling, diagnostics));
  ASSERT_EQ(diagnostics.errorCount(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code, Code::E0601);
}

TEST(CpuLibrary, SaysWhichKernelIsMissing) {
  Diagnostics diagnostics;
  TilingFunction tiling;
  EXPECT_FALSE(buildLibrary(addKernel(), {"colonel"}, "unused.so", tiling, diagnostics));
  ASSERT_EQ(diagnostics.errorCount(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code, Code::E0371);
}
