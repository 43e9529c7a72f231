// The planner on the kernels of the library: no kernel takes more bytes than by first fit alone, and none makes its
// pipes wait for bytes that buffers share.
//
// OPC_TEST_FULL=1 takes all operators; else a share of them, by OPC_TEST_SEED.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/plan/Planner.h"
#include "lowering/pipelines/Compile.h"
#include "ops/contract/read/Reader.h"
#include "test/unit/Folders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace mlir;
using namespace opc;
using namespace opc::aicore;

static void holdToFirstFit(const Contract &contract, const ContractBody &body) {
  CompileOptions options;
  options.target = findTarget("Ascend310B1");
  options.body = &body;
  options.stopAfter = "rotated";
  Diagnostics diagnostics;
  CompileResult result = compileOperator(contract, options, diagnostics);
  ASSERT_FALSE(diagnostics.hasErrors()) << diagnostics.all().front().message;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<AICoreDialect, arith::ArithDialect, func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(result.module, &context);
  ASSERT_TRUE(module);
  SmallVector<func::FuncOp> kernels = kernelsOf(*module);
  ASSERT_FALSE(kernels.empty());
  for (func::FuncOp kernel : kernels) {
    SCOPED_TRACE(kernel.getName().str());
    KernelRanges ranges = rangesIn(liveRangesOf(kernel), Space::UB);
    PlanRequest request = planRequestOf(kernel, *options.target);
    PlanFailure failure;
    std::optional<KernelPlan> plan = planKernel(kernel, ranges, request, failure);
    ASSERT_TRUE(plan.has_value());
    PlanSolution first = planFirstFit(problemOf(ranges, plan->sharing, options.target->ubBytes(), request.alignment));
    EXPECT_LE(plan->solution.bytes, first.bytes);
    EXPECT_NE(plan->sharing, Sharing::Text);
    EXPECT_LE(plan->solution.bytes, options.target->ubBytes());
  }
}

TEST(PlanLibrary, MatchesOrBeatsFirstFit) {
  constexpr size_t share = 4;
  const char *chosen = std::getenv("OPC_TEST_SEED"), *full = std::getenv("OPC_TEST_FULL");
  bool all = full && std::string(full) == "1";
  size_t seed = chosen ? std::strtoul(chosen, nullptr, 10) : 0, position = 0;
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(test::sourceFolder() + "/ops/library"))
    if (std::filesystem::exists(entry.path() / "op_contract.yaml"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  for (const std::string &name : names) {
    Diagnostics diagnostics;
    std::optional<Contract> contract =
        loadContract(test::sourceFolder() + "/ops/library/" + name + "/op_contract.yaml", diagnostics);
    ASSERT_TRUE(contract.has_value()) << name;
    // Bodies by hand are few, and where bytes are shared.
    bool inShare = all || position++ % share == seed % share;
    for (const ContractBody &body : contract->bodies)
      if (body.devices == BodyDevices::All && (inShare || body.level == BodyLevel::AICore)) {
        SCOPED_TRACE(name);
        holdToFirstFit(*contract, body);
      }
  }
}
