// The verifiers against mutants of the kernels that are shipped: each flag and each barrier deleted, each buffer moved
// onto a neighbour. A verifier that lets one of them pass would let the same mistake of planner or sync inserter pass.
//
// Kernels come from the library's files, one for each type row, through the passes. Mutants are made on the IR, all
// in one process; what the verifier says goes nowhere.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/verify/Rules.h"
#include "lowering/pipelines/Pipelines.h"
#include "test/unit/Folders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

using namespace mlir;
using namespace opc::aicore;

namespace {

/// A body, of the library or of test/ops/Inputs, with its first line, the aliases of the type row, replaced.
std::string bodyOf(const std::string &file, const std::string &aliases) {
  std::ifstream stream(opc::test::sourceFolder() + "/" + file);
  std::stringstream text;
  text << stream.rdbuf();
  std::string body = text.str();
  return aliases + body.substr(body.find('\n'));
}

struct Case {
  const char *name, *file, *aliases;
  bool portable = false; ///< barriers on the vector pipe, as other chips need them
  unsigned shifts = 12;  ///< at least so many moves of buffers onto others of their memory
};

/// The name of the test says which case it is.
void PrintTo(const Case &value, std::ostream *os) {
  *os << value.name;
}

class Mutants : public testing::TestWithParam<Case> {
protected:
  Mutants() : silence(&context, [](mlir::Diagnostic &) { return success(); }) {
    context
        .loadDialect<AICoreDialect, arith::ArithDialect, func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
    module = parseSourceString<ModuleOp>(bodyOf(GetParam().file, GetParam().aliases), ParserConfig(&context));
    if (!module)
      return;
    PassManager passes(&context);
    opc::AicorePipelineOptions options;
    options.portable = GetParam().portable;
    opc::buildAicorePipeline(passes, options);
    lowered = succeeded(passes.run(*module));
  }

  /// Whether some rule refuses the module.
  static bool refused(ModuleOp mutant) {
    return failed(verifyKernelsAt(mutant, "Ascend310B1", Phase::Synced, GetParam().portable));
  }

  /// Whether flags, barriers and ownership alone, without the rules of the plan, refuse it.
  static bool refusedByOrder(ModuleOp mutant) {
    const opc::Target &chip = *opc::findTarget("Ascend310B1");
    const opc::Target target = GetParam().portable ? chip.portable() : chip;
    return llvm::any_of(kernelsOf(mutant),
                        [&](func::FuncOp kernel) { return failed(verifySyncedRules(kernel, target)); });
  }

  /// The ops of a kind, by position, so that an op of a clone is found again.
  template <typename... Ops> static SmallVector<Operation *> opsOf(ModuleOp module) {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<Ops...>(op))
        ops.push_back(op);
    });
    return ops;
  }

  MLIRContext context;
  ScopedDiagnosticHandler silence;
  OwningOpRef<ModuleOp> module;
  bool lowered = false;
};

std::string textOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

TEST_P(Mutants, OriginalIsTaken) {
  ASSERT_TRUE(lowered);
  EXPECT_FALSE(refused(*module));
}

// The vector pipe has barriers where it does not complete in order, and none where it does: else the mutants of those
// kernels would lack a kind, or the kernels have ops of no use.
TEST_P(Mutants, BarriersStandWhereTheyAreNeeded) {
  ASSERT_TRUE(lowered);
  const bool onVector = llvm::any_of(opsOf<PipeBarrierOp>(*module), [](Operation *op) {
    return cast<PipeBarrierOp>(op).getOn() == opc::aicore::Pipe::V;
  });
  EXPECT_EQ(onVector, GetParam().portable);
}

TEST_P(Mutants, EachDeletedFlagOrBarrierIsRefused) {
  ASSERT_TRUE(lowered);
  size_t count = opsOf<SetFlagOp, WaitFlagOp, PipeBarrierOp>(*module).size();
  ASSERT_GE(count, 16u);
  for (size_t i = 0; i < count; ++i) {
    OwningOpRef<ModuleOp> mutant = module->clone();
    Operation *op = opsOf<SetFlagOp, WaitFlagOp, PipeBarrierOp>(*mutant)[i];
    std::string text = textOf(op);
    op->erase();
    EXPECT_TRUE(refusedByOrder(*mutant)) << "without " << text << ", the " << i << "th";
  }
}

// A temporary of the vector unit may lie where another one is dead: that mutant is as good as the original. So a shift
// is excused from flags and ownership when the plan's own rules take it too; none of these kernels has such a pair.
TEST_P(Mutants, EachShiftedAddressIsRefused) {
  ASSERT_TRUE(lowered);
  SmallVector<Operation *> buffers = opsOf<BufferOp>(*module);
  unsigned shifts = 0;
  for (size_t moved = 0; moved < buffers.size(); ++moved)
    for (size_t onto = 0; onto < buffers.size(); ++onto)
      for (int64_t by : {-32, 0, 32}) {
        bool sameKernel = buffers[moved]->getParentOp() == buffers[onto]->getParentOp() &&
                          cast<BufferOp>(buffers[moved]).getSpace() == cast<BufferOp>(buffers[onto]).getSpace();
        int64_t address = *cast<BufferOp>(buffers[onto]).getAddress() + by;
        if (moved == onto || !sameKernel || address < 0)
          continue;
        OwningOpRef<ModuleOp> mutant = module->clone();
        cast<BufferOp>(opsOf<BufferOp>(*mutant)[moved]).setAddress(address);
        ++shifts;
        EXPECT_TRUE(refused(*mutant)) << textOf(buffers[moved]) << " at " << address;
        EXPECT_TRUE(refusedByOrder(*mutant)) << "by order: " << textOf(buffers[moved]) << " at " << address;
      }
  EXPECT_GE(shifts, GetParam().shifts);
}

/// A pipe that is neither of two.
opc::aicore::Pipe anotherPipe(opc::aicore::Pipe a, opc::aicore::Pipe b) {
  using opc::aicore::Pipe;
  for (Pipe pipe : {Pipe::M, Pipe::S, Pipe::MTE2})
    if (pipe != a && pipe != b)
      return pipe;
  return Pipe::V;
}

// Event ids of one flag exchanged on one side, or a barrier on another pipe: order that is there, but
// not the right one.
TEST_P(Mutants, EachFlagOfAnotherPipeIsRefused) {
  ASSERT_TRUE(lowered);
  size_t count = opsOf<SetFlagOp, WaitFlagOp, PipeBarrierOp>(*module).size();
  for (size_t i = 0; i < count; ++i) {
    OwningOpRef<ModuleOp> mutant = module->clone();
    Operation *op = opsOf<SetFlagOp, WaitFlagOp, PipeBarrierOp>(*mutant)[i];
    std::string text = textOf(op);
    if (auto set = dyn_cast<SetFlagOp>(op))
      set.setTo(anotherPipe(set.getFrom(), set.getTo()));
    else if (auto wait = dyn_cast<WaitFlagOp>(op))
      wait.setFrom(anotherPipe(wait.getFrom(), wait.getTo()));
    else if (auto barrier = cast<PipeBarrierOp>(op); barrier.getOn() == opc::aicore::Pipe::MTE2)
      barrier.setOn(opc::aicore::Pipe::MTE3);
    else
      barrier.setOn(opc::aicore::Pipe::MTE2);
    EXPECT_TRUE(refusedByOrder(*mutant)) << text << ", the " << i << "th";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Library, Mutants,
    testing::Values(Case{"AddReluF16", "ops/library/add_relu/add_relu.aicore.mlir", "!T = f16"},
                    Case{"AddReluF32", "ops/library/add_relu/add_relu.aicore.mlir", "!T = f32"},
                    Case{"Swish", "ops/library/swish/swish.aicore.mlir", "!T = f16"},
                    Case{"SwishPortable", "ops/library/swish/swish.aicore.mlir", "!T = f16", true},
                    Case{"AddMatmul", "test/ops/Inputs/add_matmul/add_matmul.aicore.mlir", "!T = f32", false, 10},
                    Case{"ByHandF16", "ops/library/add_relu/add_relu.synced.aicore.mlir", "!T = f16"},
                    Case{"ByHandF32", "ops/library/add_relu/add_relu.synced.aicore.mlir", "!T = f32"}),
    [](const testing::TestParamInfo<Case> &info) { return info.param.name; });

} // namespace
