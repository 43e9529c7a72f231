// A verifier that reports an error and then succeeds would stop no compilation. The lit tests compare the text; here
// each of their cases must also make its pass fail, and so must rule sync_c2, which no valid plan can break.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/verify/Rules.h"
#include "lowering/pipelines/Pipelines.h"
#include "test/unit/Folders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

using namespace mlir;
using namespace opc::aicore;
using testing::HasSubstr;

namespace {

class Refusals : public testing::Test {
protected:
  Refusals()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          told += diagnostic.str() + "\n";
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            told += "note: " + note.str() + "\n";
          return success();
        }) {
    context.loadDialect<AICoreDialect, arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                        memref::MemRefDialect, scf::SCFDialect>();
    context.printOpOnDiagnostic(false);
  }

  static std::string read(const std::string &file) {
    std::stringstream text;
    text << std::ifstream(opc::test::sourceFolder() + "/" + file).rdbuf();
    return text.str();
  }

  MLIRContext context;
  std::string told;
  ScopedDiagnosticHandler handler;
};

TEST_F(Refusals, EachInvalidCaseFailsItsPass) {
  registerAICorePasses();
  unsigned cases = 0;
  for (const char *name : {"rotate", "plan", "insert-sync", "verify-tiling", "verify-placed", "verify-rotated",
                           "verify-planned", "verify-synced"}) {
    std::string text = read("test/lowering/aicore/" + std::string(name) + "-invalid.mlir");
    SmallVector<StringRef> parts;
    StringRef(text).split(parts, "// -----");
    for (StringRef part : parts) {
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(part, ParserConfig(&context));
      ASSERT_TRUE(module) << name << ": " << told << part.str();
      // Each kernel of a module by itself; a module of tiling functions as it is.
      size_t kernels = kernelsOf(*module).size();
      for (size_t kept = 0; kept < std::max<size_t>(kernels, 1); ++kept) {
        OwningOpRef<ModuleOp> one = module->clone();
        for (auto [i, kernel] : llvm::enumerate(kernelsOf(*one)))
          if (i != kept)
            kernel.erase();
        PassManager passes(&context);
        ASSERT_TRUE(succeeded(parsePassPipeline("aicore-" + std::string(name), passes)));
        EXPECT_TRUE(failed(passes.run(*one))) << name << ", kernel " << kept << ": " << part.str();
        ++cases;
      }
    }
  }
  EXPECT_GE(cases, 75u);
}

// Two loads into the same bytes are in order on their pipe, and one of the tiles is lost all the same.
TEST_F(Refusals, OwnershipOfBytes) {
  std::string body = read("ops/library/add_relu/add_relu.synced.aicore.mlir");
  auto module = parseSourceString<ModuleOp>(body, ParserConfig(&context));
  ASSERT_TRUE(module) << told;
  module->walk([](BufferOp buffer) {
    if (buffer.getName() == "x2")
      buffer.setAddress(0);
  });
  // A barrier between the loads leaves nothing to flags.
  module->walk([](LoadOp load) {
    OpBuilder builder(load);
    PipeBarrierOp::create(builder, load.getLoc(), opc::aicore::Pipe::MTE2);
  });
  func::FuncOp kernel = kernelsOf(*module).front();
  EXPECT_TRUE(failed(verifySyncedRules(kernel, *opc::findTarget("Ascend310B1"))));
  EXPECT_THAT(told, HasSubstr("[sync_c2] expects a read to see the last write through the same buffer; "
                              "'aicore.vaddrelu' of iteration 0 reads from 'x1' what 'aicore.load' of iteration 0 "
                              "wrote"));
  EXPECT_THAT(told, HasSubstr("note: it was written here"));
  EXPECT_THAT(told, HasSubstr("note: and overwritten here, by 'aicore.load' of iteration 0"));
}

// The order of the phases, by name: --stop-after takes these words and no others.
TEST_F(Refusals, NamesOfPhases) {
  EXPECT_EQ(opc::aicoreStopByName("placed"), opc::AicoreStop::Placed);
  EXPECT_EQ(opc::aicoreStopByName("synced"), opc::AicoreStop::Synced);
  EXPECT_EQ(opc::aicoreStopByName("emitted"), std::nullopt);
}

} // namespace
