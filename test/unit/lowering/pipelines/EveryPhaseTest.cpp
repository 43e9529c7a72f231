// Every operator of the library at every phase: what the compiler prints there parses again, and the phase's verifier
// takes it. A phase that leaves something the next one mends would show here alone.
//
// OPC_TEST_FULL=1 takes all operators and type rows; else a share of both, by OPC_TEST_SEED. With sanitizers it has
// half as many operators: they share most ways through printer, parser and verifiers.

#include "dialect/aicore/AICoreOps.h"
#include "dialect/te/Reader.h"
#include "dialect/te/TeOps.h"
#include "lowering/aicore/Passes.h"
#include "lowering/pipelines/Compile.h"
#include "lowering/te/Passes.h"
#include "ops/contract/check/Devices.h"
#include "ops/contract/read/Reader.h"
#include "test/unit/Folders.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace mlir;
using namespace opc;

namespace {

#if __has_feature(address_sanitizer)
constexpr size_t kShare = 8; ///< one operator of so many
#else
constexpr size_t kShare = 4; ///< one operator of so many
#endif

struct PhaseCase {
  const char *name;
  std::unique_ptr<Pass> (*verifier)();
  /// Whether a function is at this phase; the verifier leaves others alone.
  bool (*isThere)(func::FuncOp function);
};

template <te::Phase phase> bool isTe(func::FuncOp function) {
  auto found = function->getAttrOfType<te::PhaseAttr>(te::TeDialect::kPhaseAttr);
  return found && found.getValue() == phase;
}
bool isTiled(func::FuncOp function) {
  return function->hasAttr(aicore::AICoreDialect::kScheduleAttr) && isTe<te::Phase::Fused>(function);
}
template <aicore::Phase phase> bool isAicore(func::FuncOp function) {
  auto found = function->getAttrOfType<aicore::PhaseAttr>(aicore::AICoreDialect::kPhaseAttr);
  return found && found.getValue() == phase;
}

const PhaseCase kPhases[] = {
    {"bound", [] { return te::createVerifyBoundPass(); }, isTe<te::Phase::Bound>},
    {"fused", [] { return te::createVerifyFusedPass(); }, isTe<te::Phase::Fused>},
    {"tiled", [] { return aicore::createVerifyTiledPass(); }, isTiled},
    {"placed", [] { return aicore::createVerifyPlacedPass(); }, isAicore<aicore::Phase::Placed>},
    {"rotated", [] { return aicore::createVerifyRotatedPass(); }, isAicore<aicore::Phase::Rotated>},
    {"planned", [] { return aicore::createVerifyPlannedPass(); }, isAicore<aicore::Phase::Planned>},
    {"synced", [] { return aicore::createVerifySyncedPass(); }, isAicore<aicore::Phase::Synced>},
};

std::vector<std::string> operators() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(test::sourceFolder() + "/ops/library"))
    if (std::filesystem::exists(entry.path() / "op_contract.yaml"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void holdToVerifier(const Contract &contract, unsigned row, const PhaseCase &phase) {
  CompileOptions options;
  options.target = findTarget("Ascend310B1");
  options.body = contract.findBody(BodyLevel::Te);
  options.typeRows = {row};
  options.stopAfter = phase.name;
  Diagnostics diagnostics;
  CompileResult result = compileOperator(contract, options, diagnostics);
  ASSERT_FALSE(diagnostics.hasErrors()) << diagnostics.all().front().message;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<aicore::AICoreDialect, te::TeDialect, affine::AffineDialect, arith::ArithDialect,
                      bufferization::BufferizationDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module = te::parseModule(result.module, context);
  ASSERT_TRUE(module) << "what is printed at the phase does not parse";
  auto functions = module->getOps<func::FuncOp>();
  EXPECT_GT(std::count_if(functions.begin(), functions.end(), phase.isThere), 0);
  PassManager passes(&context);
  passes.addPass(aicore::createVerifyTilingPass());
  passes.addPass(phase.verifier());
  EXPECT_TRUE(succeeded(passes.run(*module)));
}

} // namespace

TEST(EveryPhase, ItsVerifierTakesEveryOperator) {
  const char *chosen = std::getenv("OPC_TEST_SEED"), *full = std::getenv("OPC_TEST_FULL");
  bool all = full && std::string(full) == "1";
  size_t seed = chosen ? std::strtoul(chosen, nullptr, 10) : 0, position = 0;
  for (const std::string &name : operators()) {
    if (!all && position++ % kShare != seed % kShare)
      continue;
    Diagnostics diagnostics;
    std::optional<Contract> contract =
        loadContract(test::sourceFolder() + "/ops/library/" + name + "/op_contract.yaml", diagnostics);
    ASSERT_TRUE(contract.has_value()) << name;
    if (!contract->findBody(BodyLevel::Te))
      continue;
    for (unsigned row = 0; row < contract->typeRows(); ++row) {
      if (!all && row != seed % contract->typeRows())
        continue;
      for (const PhaseCase &phase : kPhases) {
        // A row for the CPU alone ends at `fused`.
        bool isFused = &phase <= &kPhases[1];
        if (!isFused && isForCpuAlone(*contract, *contract->findBody(BodyLevel::Te), row))
          continue;
        SCOPED_TRACE(name + ", row " + contract->typeRowName(row) + ", phase " + phase.name);
        holdToVerifier(*contract, row, phase);
      }
    }
  }
}
