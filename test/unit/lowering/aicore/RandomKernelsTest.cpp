// Random kernels through all passes: loops in loops and one after another, branches, tiles carried from one iteration
// to the next, reads by the scalar unit. Planner and sync inserter on the one side and the verifiers on the other share
// no code, so each kernel is a question asked twice. Without this only the shapes of today's operators would be tried.

#include "lowering/aicore/Kernels.h"
#include "lowering/pipelines/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace opc::aicore;

namespace {

/// Writes the text of a kernel at phase `placed`. What is read was written before, by the text alone: a loop may not
/// run and a branch may not be taken.
class KernelWriter {
public:
  explicit KernelWriter(unsigned seed) : random(seed) {}

  std::string write() {
    line("func.func @t(%n: index {aicore.size = #aicore.size<num_elements of \"x\">}) -> (index "
         "{aicore.name = \"block_num\"}, "
         "index {aicore.name = \"n\"}, index {aicore.name = \"m\"}) attributes {aicore.tiling} {");
    line("%c1 = arith.constant 1 : index");
    line("return %c1, %n, %n : index, index, index");
    line("}");
    line("func.func @k(%x: !tensor, %y: !tensor) attributes {aicore.kernel, aicore.phase = "
         "#aicore.phase<placed>, "
         "aicore.tiling_function = @t} {");
    line("%c0 = arith.constant 0 : index");
    line("%c1 = arith.constant 1 : index");
    line("%c3 = arith.constant 3 : index");
    line("%c64 = arith.constant 64 : index");
    line("%one = arith.constant 1.0 : f32");
    line("%n = aicore.tiling_data \"n\" : index");
    line("%m = aicore.tiling_data \"m\" : index");
    block({}, {}, 0);
    line("return");
    line("}");
    return "!tensor = memref<?xf32, #aicore.space<gm>>\n"
           "!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>\n"
           "!tile = memref<64xf32, #aicore.space<ub>>\n" +
           text;
  }

private:
  unsigned below(unsigned limit) { return std::uniform_int_distribution<unsigned>(0, limit - 1)(random); }
  void line(const std::string &line) { text += line + "\n"; }
  std::string fresh(const char *stem) { return stem + std::to_string(++names); }
  const std::string &pick(const std::vector<std::string> &names) { return names[below(names.size())]; }

  std::string part(const std::vector<std::string> &counters) {
    std::string offset = "%c0";
    if (!counters.empty() && below(5)) {
      offset = fresh("%offset");
      line(offset + " = arith.muli " + counters.back() + ", %c64 : index");
    }
    std::string view = fresh("%part");
    line(view + " = memref.subview " + (below(2) ? "%x" : "%y") + "[" + offset + "] [64] [1] : !tensor to !part");
    return view;
  }

  // `tiles` have been written; a block adds its own and forgets them at its end.
  void block(std::vector<std::string> tiles, std::vector<std::string> counters, unsigned depth) {
    for (unsigned count = 2 + below(5); count; --count)
      step(tiles, counters, depth);
  }

  void step(std::vector<std::string> &tiles, const std::vector<std::string> &counters, unsigned depth) {
    unsigned kind = below(10);
    if (kind < 2 && depth < 2)
      return loop(tiles, counters, depth);
    if (kind == 2 && depth < 3 && !counters.empty())
      return branch(tiles, counters, depth);
    if (tiles.empty() || kind < 5) {
      std::string name = fresh("tile");
      line("%" + name + " = aicore.buffer \"" + name + "\" : !tile");
      if (below(2))
        line("aicore.vbrc ins(%one : f32) outs(%" + name + " : !tile)");
      else
        line("aicore.load " + part(counters) + " -> %" + name + " : !part to !tile");
      tiles.push_back("%" + name);
      return;
    }
    const std::string &tile = pick(tiles);
    switch (below(5)) {
    case 0:
      return line("aicore.store " + tile + " -> " + part(counters) + " : !tile to !part");
    case 1:
      return line("aicore.load " + part(counters) + " -> " + tile + " : !part to !tile");
    case 2:
      if (below(3) == 0)
        return line(fresh("%s") + " = aicore.scalar_read " + tile + "[%c0] : !tile");
      [[fallthrough]];
    case 3:
      return line("aicore.vexp ins(" + pick(tiles) + " : !tile) outs(" + tile + " : !tile)");
    default:
      return line("aicore.vadd ins(" + pick(tiles) + ", " + pick(tiles) + " : !tile, !tile) outs(" + tile +
                  " : !tile)");
    }
  }

  void loop(const std::vector<std::string> &tiles, std::vector<std::string> counters, unsigned depth) {
    std::string bound = std::vector<std::string>{"%n", "%m", "%c3"}[below(3)];
    if (!counters.empty() && below(4) == 0) {
      bound = fresh("%bound");
      line(bound + " = arith.subi %n, " + counters.back() + " : index");
    }
    counters.push_back(fresh("%i"));
    line("scf.for " + counters.back() + " = %c0 to " + bound + " step %c1 {");
    block(tiles, counters, depth + 1);
    line("}");
  }

  void branch(const std::vector<std::string> &tiles, const std::vector<std::string> &counters, unsigned depth) {
    std::string condition = fresh("%p");
    line(condition + " = arith.cmpi slt, " + counters.back() + ", %c1 : index");
    line("scf.if " + condition + " {");
    block(tiles, counters, depth + 1);
    line("}");
  }

  std::mt19937 random;
  std::string text;
  unsigned names = 0;
};

TEST(RandomKernels, PassesAndVerifiersAgree) {
  MLIRContext context;
  context.loadDialect<AICoreDialect, arith::ArithDialect, func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
  unsigned tooManyIds = 0, tooLarge = 0, notRepeating = 0, taken = 0;
  std::string told;
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      told += diagnostic.str() + "\n";
    return success();
  });
  const char *chosen = std::getenv("OPC_TEST_SEED"), *full = std::getenv("OPC_TEST_FULL");
  const unsigned first = chosen ? std::strtoul(chosen, nullptr, 10) : 0, kernels = full ? 5000 : 300;
  for (unsigned seed = first; seed < first + kernels; ++seed) {
    told.clear();
    std::string text = KernelWriter(seed).write();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    ASSERT_TRUE(module) << told << text;
    PassManager passes(&context);
    // Each second one with barriers on the vector pipe, as other chips need them.
    opc::AicorePipelineOptions options;
    options.portable = seed % 2;
    opc::buildAicorePipeline(passes, options);
    if (succeeded(passes.run(*module))) {
      ++taken;
      continue;
    }
    // Six event ids may be too few for a dozen loops, a deep nest too large for the proof, and slots that count on
    // through a loop whose bound changes need not repeat. Nothing else may happen.
    bool ids = told.find("[event_c1]") != std::string::npos, large = told.find("[unroll_c1]") != std::string::npos,
         unlisted = told.find("[sync_c8]") != std::string::npos;
    tooManyIds += ids;
    tooLarge += large;
    notRepeating += unlisted;
    EXPECT_TRUE(ids || large || unlisted) << "seed " << seed << ": " << told << text;
    if (HasFailure())
      return;
  }
  RecordProperty("taken", taken);
  EXPECT_GE(taken, kernels * 3 / 4) << tooManyIds << " need too many event ids, " << tooLarge << " are too large, "
                                    << notRepeating << " have slots that do not repeat";
}

} // namespace
