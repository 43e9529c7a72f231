// The proof of order on nests of loops. It explores what each loop does to the order between pipes once for each state
// in which the loop is reached, instead of walking all combinations of trip counts. Here each combination is walked as
// well, for random nests with their flags and barriers, and with each of them deleted: both ways must give the same
// answer. No kernel that one walk refuses may be accepted.
//
// What the proof accepts also runs: on the simulator, under its sanitizers, in orders that flags and barriers leave
// open, bad ones first. Every order has to give the same numbers, also without a flag that the proof can spare.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/verify/Rules.h"
#include "lowering/emit/simulator/EmitSimulator.h"
#include "lowering/pipelines/Pipelines.h"
#include "runtime/device/sim/Simulator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <random>
#include <sstream>

using namespace mlir;
using namespace opc::aicore;

namespace {

/// Writes a kernel at phase `placed`: tiles of a result in the outer loops, panels of the operands in the inner ones,
/// and pieces of a panel in the innermost. Each loop may fill, load, compute and store before and after the loop in it.
class NestWriter {
public:
  explicit NestWriter(unsigned seed) : random(seed) {}

  std::string write() {
    depth = 2 + below(3);
    line("func.func @t(%n: index {aicore.size = #aicore.size<num_elements of \"x\">}) -> (index "
         "{aicore.name = \"block_num\"}, index {aicore.name = \"n0\"}, index {aicore.name = \"n1\"}, index "
         "{aicore.name = \"n2\"}) attributes {aicore.tiling} {");
    line("%c1 = arith.constant 1 : index");
    line("return %c1, %n, %n, %n : index, index, index, index");
    line("}");
    line("func.func @k(%x: !tensor {aicore.name = \"x\"}, %y: !tensor {aicore.name = \"y\"}) attributes "
         "{aicore.kernel, aicore.phase = #aicore.phase<placed>, "
         "aicore.tiling_function = @t} {");
    for (const char *number : {"0", "1", "2", "3", "16", "64"})
      line(std::string("%c") + number + " = arith.constant " + number + " : index");
    line("%one = arith.constant 1.0 : f32");
    for (const char *bound : {"n0", "n1", "n2"})
      line(std::string("%") + bound + " = aicore.tiling_data \"" + bound + "\" : index");
    loop(0, "", {});
    if (below(3) == 0)
      loop(depth - 1, "", {});
    line("return");
    line("}");
    return "!tensor = memref<?xf32, #aicore.space<gm>>\n"
           "!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>\n"
           "!tile = memref<64xf32, #aicore.space<ub>>\n"
           "!piece = memref<16xf32, strided<[1], offset: ?>, #aicore.space<ub>>\n" +
           text;
  }

private:
  unsigned below(unsigned limit) { return std::uniform_int_distribution<unsigned>(0, limit - 1)(random); }
  void line(const std::string &line) { text += line + "\n"; }
  std::string fresh(const char *stem) { return stem + std::to_string(++names); }
  const std::string &pick(const std::vector<std::string> &names) { return names[below(names.size())]; }

  /// A tile of the counter that runs through the nest.
  std::string part(const std::string &counter, const char *tensor) {
    const std::string offset = fresh("%offset"), view = fresh("%part");
    line(offset + " = arith.muli " + (below(6) ? counter : "%c3") + ", %c64 : index");
    line(view + " = memref.subview " + tensor + "[" + offset + "] [64] [1] : !tensor to !part");
    return view;
  }

  void work(std::vector<std::string> &tiles, const std::string &counter) {
    for (unsigned count = 1 + below(2); count; --count) {
      if (tiles.empty() || below(3) == 0) {
        const std::string name = fresh("tile");
        line("%" + name + " = aicore.buffer \"" + name + "\" : !tile");
        tiles.push_back("%" + name);
        if (below(3))
          line("aicore.load " + part(counter, "%x") + " -> %" + name + " : !part to !tile");
        else
          line("aicore.vbrc ins(%one : f32) outs(%" + name + " : !tile)");
      } else if (below(4) == 0) {
        line("aicore.store " + pick(tiles) + " -> " + part(counter, "%y") + " : !tile to !part");
      } else {
        line("aicore.vadd ins(" + pick(tiles) + ", " + pick(tiles) + " : !tile, !tile) outs(" + pick(tiles) +
             " : !tile)");
      }
    }
  }

  void pieces(const std::vector<std::string> &tiles) {
    if (tiles.empty())
      return;
    const std::string s = fresh("%s"), offset = fresh("%offset"), from = fresh("%from"), to = fresh("%to");
    line("scf.for " + s + " = %c0 to " + (below(2) ? "%c3" : "%c2") + " step %c1 {");
    line(offset + " = arith.muli " + s + ", %c16 : index");
    line(from + " = memref.subview " + pick(tiles) + "[" + offset + "] [16] [1] : !tile to !piece");
    line(to + " = memref.subview " + pick(tiles) + "[" + offset + "] [16] [1] : !tile to !piece");
    line("aicore.vadd ins(" + from + ", " + to + " : !piece, !piece) outs(" + to + " : !piece)");
    line("}");
  }

  void loop(unsigned level, const std::string &outer, std::vector<std::string> tiles) {
    const std::string bound = level < 3 && below(6) ? "%n" + std::to_string(level) : below(2) ? "%c3" : "%n0";
    const std::string i = fresh("%i");
    line("scf.for " + i + " = %c0 to " + bound + " step %c1 {");
    std::string counter = i;
    if (!outer.empty()) {
      const std::string product = fresh("%product");
      counter = fresh("%counter");
      line(product + " = arith.muli " + outer + ", " + bound + " : index");
      line(counter + " = arith.addi " + product + ", " + i + " : index");
    }
    if (below(2) || level + 1 == depth)
      work(tiles, counter);
    if (level + 1 < depth) {
      loop(level + 1, counter, tiles);
      if (below(4) == 0)
        loop(level + 1, counter, tiles);
    } else if (below(2)) {
      pieces(tiles);
    }
    if (below(2))
      work(tiles, counter);
    line("}");
  }

  std::mt19937 random;
  std::string text;
  unsigned names = 0, depth = 0;
};

/// The ops of each flag (its sets and waits, presets and drains), and each barrier.
llvm::MapVector<Attribute, SmallVector<Operation *>> edgesOf(func::FuncOp kernel) {
  llvm::MapVector<Attribute, SmallVector<Operation *>> edges;
  Builder builder(kernel.getContext());
  kernel.walk([&](Operation *op) {
    auto add = [&](unsigned from, unsigned to, unsigned own) {
      edges[builder.getArrayAttr({LocationAttr(op->getLoc()), builder.getIndexAttr(from), builder.getIndexAttr(to),
                                  builder.getIndexAttr(own)})]
          .push_back(op);
    };
    if (auto set = dyn_cast<SetFlagOp>(op))
      add(unsigned(set.getFrom()), unsigned(set.getTo()), 0);
    else if (auto wait = dyn_cast<WaitFlagOp>(op))
      add(unsigned(wait.getFrom()), unsigned(wait.getTo()), 0);
    else if (isa<PipeBarrierOp>(op))
      add(opc::kNumPipes, 0, edges.size() + 1);
  });
  return edges;
}

class Nests : public testing::Test {
protected:
  Nests()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            told += diagnostic.str() + "\n";
          return success();
        }) {
    context
        .loadDialect<AICoreDialect, arith::ArithDialect, func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
  }

  /// A random kernel of phase `synced`; null if it cannot have one.
  OwningOpRef<ModuleOp> synced(unsigned seed, bool portable) {
    told.clear();
    text = NestWriter(seed).write();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module) << told << text;
    PassManager passes(&context);
    opc::AicorePipelineOptions options;
    options.portable = portable;
    opc::buildAicorePipeline(passes, options);
    return module && succeeded(passes.run(*module)) ? std::move(module) : nullptr;
  }

  enum Answer { Accepted, Refused, TooMuch };
  Answer answer(LogicalResult result) {
    const bool tooMuch = told.find("[unroll_c1]") != std::string::npos;
    told.clear();
    return succeeded(result) ? Accepted : tooMuch ? TooMuch : Refused;
  }

  static func::FuncOp kernelOf(ModuleOp module) {
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (opc::isKernel(function))
        return function;
    return {};
  }

  /// What the kernel leaves in y, in the order of time (seed 0) or in another one, under sanitizers of order; the
  /// message of the first error instead if there is one.
  std::string run(func::FuncOp kernel, const opc::Target &target, uint64_t seed) {
    FailureOr<opc::SimulatorProgram> program = opc::emitSimulatorProgram(kernel, target);
    if (failed(program))
      return told;
    std::vector<float> x(kElements), y(kElements, -1);
    std::mt19937 random(7);
    for (float &value : x)
      value = float(random() % 64);
    auto tensor = [&](const char *name, std::vector<float> &values, bool writable) {
      return opc::SimTensor{name, values.data(), kElements * 4, opc::ElementType::Float32, writable};
    };
    opc::SimOptions options;
    options.sanitize = opc::Sanitize{true, true, false, true};
    options.order = seed ? opc::SimOrder::Adversarial : opc::SimOrder::Time;
    options.orderSeed = seed;
    opc::Diagnostics diagnostics;
    opc::SimResult result = opc::simulate(*program, target, {tensor("x", x, false), tensor("y", y, true)}, {1, 3, 2, 5},
                                          1, options, diagnostics);
    if (!result.completed || diagnostics.hasErrors()) {
      std::ostringstream os;
      for (const opc::Diagnostic &diagnostic : diagnostics.all())
        opc::printText(os, diagnostic);
      return os.str();
    }
    return std::string(reinterpret_cast<const char *>(y.data()), kElements * 4);
  }

  static constexpr int64_t kElements = 64 * 3 * 5 * 5 * 3 * 3;
  MLIRContext context;
  std::string told, text;
  ScopedDiagnosticHandler handler;
};

TEST_F(Nests, ExploringAndWalkingAgree) {
  const char *chosen = std::getenv("OPC_TEST_SEED"), *full = std::getenv("OPC_TEST_FULL");
  const unsigned first = chosen ? std::strtoul(chosen, nullptr, 10) : 0, kernels = full ? 400 : 16;
  unsigned taken = 0, compared = 0, refused = 0, kept = 0;
  for (unsigned seed = first; seed < first + kernels; ++seed) {
    const bool portable = seed % 4 == 3;
    OwningOpRef<ModuleOp> module = synced(seed, portable);
    if (!module) {
      EXPECT_TRUE(told.find("[event_c1]") != std::string::npos || told.find("[unroll_c1]") != std::string::npos)
          << "seed " << seed << ": " << told << text;
      continue;
    }
    ++taken;
    const opc::Target &chip = *opc::findTarget("Ascend310B1");
    const opc::Target target = portable ? chip.portable() : chip;
    func::FuncOp kernel = kernelOf(*module);
    const std::string expected = run(kernel, target, 0);
    ASSERT_EQ(expected.size(), size_t(kElements) * 4) << "seed " << seed << ": " << expected << text;
    auto givesTheSame = [&](func::FuncOp other) {
      for (uint64_t order = 0; order < 4; ++order)
        if (std::string found = run(other, target, order); found != expected)
          return testing::AssertionFailure() << "seed " << seed << ", order " << order << ": "
                                             << (found.size() < expected.size() ? found : "numbers");
      return testing::AssertionSuccess();
    };
    ASSERT_TRUE(givesTheSame(kernel)) << text;
    const size_t edges = edgesOf(kernel).size();
    // One edge of each kernel in the sample, all of them in the whole.
    std::mt19937 random(seed);
    for (size_t edge = 0; edge < edges; ++edge) {
      if (!full && edge != random() % edges && edge != 0)
        continue;
      for (bool alone : {false, true}) {
        OwningOpRef<ModuleOp> copy = module->clone();
        func::FuncOp mutant = kernelOf(*copy);
        SmallVector<Operation *> ops = (edgesOf(mutant).begin() + edge)->second;
        if (alone)
          ops = {ops[random() % ops.size()]};
        for (Operation *op : ops)
          op->erase();
        const Answer explored = answer(verifyOrder(mutant, target, OrderProof::Explored));
        const Answer walked = answer(verifyOrder(mutant, target, OrderProof::Walked));
        ASSERT_NE(explored, TooMuch) << "seed " << seed << text;
        if (walked == TooMuch)
          continue;
        ++compared;
        refused += walked == Refused;
        kept += walked == Accepted;
        ASSERT_EQ(explored, walked) << "seed " << seed << ", edge " << edge << "\n" << text;
        if (walked == Accepted)
          ASSERT_TRUE(givesTheSame(mutant)) << "edge " << edge << "\n" << text;
      }
    }
    ASSERT_EQ(answer(verifyOrder(kernel, target, OrderProof::Walked)) == Refused, false) << "seed " << seed << "\n"
                                                                                         << text;
  }
  RecordProperty("taken", taken);
  RecordProperty("compared", compared);
  RecordProperty("refused", refused);
  RecordProperty("kept", kept);
  EXPECT_GE(taken, kernels * 3 / 4);
  // Nearly all flags are needed: the inserter leaves none out of use but where places in tensors decide.
  EXPECT_GE(refused, compared * 9 / 10) << compared;
}

// Blocks of up to 16 rows reach the scalar's buffer in the same bytes; those of the few rows of a walk do not.
TEST_F(Nests, BytesThatNoWalkReaches) {
  const opc::Target &target = *opc::findTarget("Ascend310B1");
  for (const char *view : {"[0] [%size] [1] : !blocks to memref<?xf32, strided<[1]>, #ub>",
                           "[%at] [8] [1] : !blocks to memref<8xf32, strided<[1], offset: ?>, #ub>"})
    for (bool waits : {false, true})
      for (OrderProof how : {OrderProof::Explored, OrderProof::Walked}) {
        const std::string rows = view, type = rows.substr(rows.find("memref")),
                          flag = waits ? "aicore.set_flag s -> v [%c0]  aicore.wait_flag s -> v [%c0]\n" : "";
        text = "#ub = #aicore.space<ub>\n!blocks = memref<128xf32, #ub>\n!tile = memref<64xf32, #ub>\n"
               "func.func @k() attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>} {\n"
               "  %one = arith.constant 1.0 : f32  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index\n"
               "  %c8 = arith.constant 8 : index  %n = aicore.tiling_data \"n\" min 1 max 16 : index\n"
               "  %tile = aicore.buffer \"tile\" at 256 : !tile  %blocks = aicore.buffer \"blocks\" at 0 : !blocks\n"
               "  aicore.vbrc ins(%one : f32) outs(%tile : !tile)\n"
               "  aicore.set_flag v -> s [%c0]  aicore.wait_flag v -> s [%c0]\n"
               "  %s = aicore.scalar_read %tile[%c0] : !tile\n  " +
               flag +
               "  %size = arith.muli %n, %c8 : index\n"
               "  scf.for %i = %c0 to %n step %c1 {\n    %at = arith.muli %i, %c8 : index\n"
               "    %rows = memref.subview %blocks" +
               rows + "\n    aicore.vbrc ins(%s : f32) outs(%rows : " + type + ")\n  }\n  return\n}\n";
        OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
        ASSERT_TRUE(module) << told << text;
        EXPECT_EQ(answer(verifyOrder(kernelOf(*module), target, how)), waits ? Accepted : Refused) << text;
      }
}

} // namespace
