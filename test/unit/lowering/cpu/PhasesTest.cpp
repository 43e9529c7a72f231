// A kernel gives the same bits from whichever phase its CPU form is made.
//
// What breaks without it: a slot that is read as part of the tile, or a pass that changes what a kernel computes. The
// shipped operators are taken through rotate, plan and insert-sync, and each step is built and run.

#include "test/unit/Folders.h"
#include "test/unit/lowering/cpu/CpuHarness.h"

#include "dialect/aicore/AICoreDialect.h"
#include "lowering/aicore/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include "runtime/target/Half.h"

#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace opc;
using namespace opc::test;

static std::string bodyOf(const std::string &path) {
  std::ifstream stream(sourceFolder() + "/ops/library/" + path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The kernel `name` at a later phase, called @kernel. `steps` counts the passes: 0 leaves the body as it is.
static std::string atPhase(const std::string &body, const std::string &name, unsigned steps) {
  mlir::DialectRegistry registry;
  registry.insert<aicore::AICoreDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(body, &context);
  if (!module)
    return {};
  mlir::SymbolTable symbols(*module);
  for (auto function : llvm::make_early_inc_range(module->getOps<mlir::func::FuncOp>()))
    if (function->hasAttr("aicore.kernel") && function.getName() != name)
      function.erase();
  symbols.lookup<mlir::func::FuncOp>(name).setName("kernel");
  mlir::PassManager passes(&context);
  if (steps > 0)
    passes.addPass(aicore::createRotatePass());
  if (steps > 1)
    passes.addPass(aicore::createPlanPass());
  if (steps > 2)
    passes.addPass(aicore::createInsertSyncPass());
  if (mlir::failed(passes.run(*module)))
    return {};
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

static std::vector<uint16_t> halves(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint16_t> values(count);
  for (uint16_t &value : values)
    value = toHalf(float(int32_t(random())) * 0x1p-28f).bits;
  return values;
}

TEST(Phases, AddReluIsTheSameFromEach) {
  constexpr int64_t kCount = 20001;
  std::vector<uint16_t> first;
  for (unsigned steps = 0; steps <= 3; ++steps) {
    std::string text = atPhase(bodyOf("add_relu/add_relu.aicore.mlir"), "add_relu", steps);
    CpuHarness harness(text, 3, 4);
    ASSERT_TRUE(harness.ready()) << steps << harness.errors();
    std::vector<uint16_t> a = halves(kCount, 1), b = halves(kCount, 2), y(kCount);
    ASSERT_TRUE(harness.launch(
        {operand(ElementType::Float16, a), operand(ElementType::Float16, b), operand(ElementType::Float16, y)},
        {2, 16384, 8192, kCount}, 2))
        << steps << harness.errors();
    for (int64_t i = 0; i < kCount; ++i) {
      float sum = toFloat(Half{a[i]}) + toFloat(Half{b[i]});
      ASSERT_EQ(toFloat(Half{y[i]}), toFloat(toHalf(sum < 0 ? 0.0f : sum))) << steps << " " << i;
    }
    if (steps == 0)
      first = y;
    EXPECT_EQ(y, first) << steps;
  }
}

TEST(Phases, SwishIsTheSameFromEach) {
  constexpr int64_t kCount = 20001;
  std::vector<uint16_t> first;
  for (unsigned steps = 0; steps <= 3; ++steps) {
    std::string text = atPhase(bodyOf("swish/swish.aicore.mlir"), "swish_float16", steps);
    CpuHarness harness(text, 2, 4, 1);
    ASSERT_TRUE(harness.ready()) << steps << harness.errors();
    std::vector<uint16_t> x = halves(kCount, 3), y(kCount);
    ASSERT_TRUE(harness.launch({operand(ElementType::Float16, x), operand(ElementType::Float16, y)},
                               {1, 24576, 8192, kCount, int64_t(floatBits(1.5f))}))
        << steps << harness.errors();
    if (steps == 0)
      first = y;
    EXPECT_EQ(y, first) << steps;
  }
}

TEST(Phases, AddReluSyncedByHand) {
  constexpr int64_t kCount = 20001;
  std::string text = atPhase(bodyOf("add_relu/add_relu.synced.aicore.mlir"), "add_relu", 0);
  CpuHarness harness(text, 3, 4);
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<uint16_t> a = halves(kCount, 1), b = halves(kCount, 2), y(kCount);
  ASSERT_TRUE(harness.launch(
      {operand(ElementType::Float16, a), operand(ElementType::Float16, b), operand(ElementType::Float16, y)},
      {2, 16384, 4096, kCount}, 2))
      << harness.errors();
  for (int64_t i = 0; i < kCount; ++i) {
    float sum = toFloat(Half{a[i]}) + toFloat(Half{b[i]});
    ASSERT_EQ(toFloat(Half{y[i]}), toFloat(toHalf(sum < 0 ? 0.0f : sum))) << i;
  }
}
