// The simulator and the verifier side by side, over mutants of every kernel that is shipped.
//
// Operators are found in ops/library. Each kernel is compiled to phase `synced`; then, one at a time, each flag and
// each barrier is deleted, and each buffer is moved onto every other one and by 32 bytes up and down. The verifier
// has to refuse every mutant that breaks something. The simulator runs the mutant unverified, over several sizes and
// numbers of blocks, and should end in an error or in other bytes than the kernel gives.
//
//   moves into free space    break nothing; told apart here by intervals and live ranges, without
//   the compiler's own
//                            analyses; the verifier and the simulator have to take them
//   what only a proof sees   a simulator sees one timing. Exactly one kind of mutant passes it, see
//   onlyAProofSees(); one
//                            more or one less is a failure

#include "lowering/aicore/verify/Rules.h"
#include "lowering/emit/simulator/EmitSimulator.h"
#include "lowering/pipelines/Compile.h"
#include "ops/contract/read/Reader.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/device/sim/Simulator.h"
#include "test/unit/Folders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cstring>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>

using namespace mlir;
using namespace opc;
using namespace opc::aicore;

namespace {

std::string told(const Diagnostics &diagnostics) {
  std::ostringstream os;
  for (const opc::Diagnostic &diagnostic : diagnostics.all())
    printText(os, diagnostic);
  return os.str();
}

std::string textOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

/// Ops of some kinds in the order of the text, so that an op of a clone is found again by its position.
template <typename... Ops> SmallVector<Operation *> opsOf(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<Ops...>(op))
      ops.push_back(op);
  });
  return ops;
}

/// Numbers in [1, 2) of a float type, any bits of another: no two neighbours alike, so that a tile in the
/// wrong place shows.
void fill(Tensor &tensor, std::mt19937 &random) {
  auto *bytes = static_cast<uint8_t *>(tensor.data());
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    uint32_t bits = random();
    if (tensor.type() == ElementType::Float32)
      bits = 0x3f800000u | (bits >> 9);
    else if (tensor.type() == ElementType::Float16)
      bits = 0x3c00u | (bits >> 22);
    std::memcpy(bytes + i * elementSize(tensor.type()), &bits, elementSize(tensor.type()));
  }
}

/// One launch of a kernel, with the outputs that the kernel as it is shipped leaves.
struct Trial {
  std::vector<Tensor> inputs;
  std::vector<int64_t> tiling;
  int64_t blocks = 1;
  std::vector<Shape> outputShapes;
  std::vector<ElementType> outputTypes;
  std::vector<std::string> expected;
  std::array<PipeUsage, kNumPipes> pipes{}; ///< what the kernel as it is shipped does
};

/// A kernel alone in its module, with the launches to judge mutants by.
struct Shipped {
  OwningOpRef<ModuleOp> module;
  std::vector<Trial> trials;
};

/// What the simulator leaves in the outputs; empty after an error. `pipes` receives what the pipes did.
std::vector<std::string> simulateTrial(const SimulatorProgram &program, const Target &target, const Trial &trial,
                                       std::array<PipeUsage, kNumPipes> *pipes = nullptr) {
  std::vector<SimTensor> tensors;
  for (const Tensor &input : trial.inputs)
    tensors.push_back({"input", const_cast<void *>(input.data()), input.numBytes(), input.type(), false});
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < trial.outputShapes.size(); ++i) {
    outputs.push_back(*Tensor::create(trial.outputTypes[i], trial.outputShapes[i]));
    std::memset(outputs.back().data(), 0xa5, size_t(outputs.back().numBytes()));
  }
  for (Tensor &output : outputs)
    tensors.push_back({"output", output.data(), output.numBytes(), output.type(), true});
  Diagnostics diagnostics;
  SimResult result = simulate(program, target, tensors, trial.tiling, trial.blocks, SimOptions(), diagnostics);
  if (!result.completed || diagnostics.hasErrors())
    return {};
  if (pipes)
    *pipes = result.pipes;
  std::vector<std::string> bytes;
  for (const Tensor &output : outputs)
    bytes.emplace_back(static_cast<const char *>(output.data()), size_t(output.numBytes()));
  return bytes;
}

class SimulatorMutants : public testing::Test {
protected:
  SimulatorMutants() : silence(&context, [](mlir::Diagnostic &) { return success(); }) {
    context.disableMultithreading();
    context
        .loadDialect<AICoreDialect, arith::ArithDialect, func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
    compileLibrary();
  }

  /// Every type row of every body by hand of the library.
  void compileLibrary();
  void addKernel(const ManifestKernel &kernel, const Manifest &manifest, const Contract &contract, ModuleOp all);

  static func::FuncOp kernelOf(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>())
      if (isKernel(function))
        return function;
    return {};
  }

  /// Whether a rule refuses the mutant.
  bool refused(ModuleOp mutant) { return failed(verifyKernelsAt(mutant, target->name(), Phase::Synced)); }

  /// Whether the simulator sees something: no program, an error, or other bytes than the kernel's.
  bool seen(const Shipped &shipped, ModuleOp mutant) {
    FailureOr<SimulatorProgram> program = emitSimulatorProgram(kernelOf(mutant), *target);
    return failed(program) || llvm::any_of(shipped.trials, [&](const Trial &trial) {
             return simulateTrial(*program, *target, trial) != trial.expected;
           });
  }

  const Target *target = findTarget("Ascend310B");
  MLIRContext context;
  ScopedDiagnosticHandler silence;
  std::vector<Shipped> kernels;
};

void SimulatorMutants::compileLibrary() {
  std::set<std::string> contracts;
  for (const auto &entry : std::filesystem::directory_iterator(test::sourceFolder() + "/ops/library"))
    if (std::filesystem::exists(entry.path() / "op_contract.yaml"))
      contracts.insert((entry.path() / "op_contract.yaml").string());
  for (const std::string &path : contracts) {
    Diagnostics diagnostics;
    std::optional<Contract> contract = loadContract(path, diagnostics);
    ASSERT_TRUE(contract) << told(diagnostics);
    for (const ContractBody &body : contract->bodies) {
      if (body.level != BodyLevel::AICore)
        continue;
      CompileOptions options;
      options.target = target;
      options.body = &body;
      CompileResult folder = compileOperator(*contract, options, diagnostics);
      options.stopAfter = "synced";
      CompileResult synced = compileOperator(*contract, options, diagnostics);
      ASSERT_FALSE(diagnostics.hasErrors()) << told(diagnostics);
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(synced.module, ParserConfig(&context));
      ASSERT_TRUE(module);
      Manifest manifest;
      for (const CompiledFile &file : folder.files)
        if (file.path == "manifest.json")
          ASSERT_EQ(readManifest(file.bytes, manifest), "");
      for (const ManifestKernel &kernel : manifest.kernels)
        addKernel(kernel, manifest, *contract, *module);
    }
  }
}

void SimulatorMutants::addKernel(const ManifestKernel &kernel, const Manifest &manifest, const Contract &contract,
                                 ModuleOp all) {
  Shipped shipped;
  shipped.module = all.clone();
  for (auto function : llvm::make_early_inc_range(shipped.module->getOps<func::FuncOp>()))
    if (isKernel(function) && function.getName() != kernel.name)
      function.erase();
  ASSERT_TRUE(kernelOf(*shipped.module)) << kernel.name;
  FailureOr<SimulatorProgram> program = emitSimulatorProgram(kernelOf(*shipped.module), *target);
  ASSERT_TRUE(succeeded(program)) << kernel.name;

  // Many full tiles; two blocks with a tail of one element; a short tile alone; and tiles so small that starting a
  // copy costs more than the copy, which gives another order of the pipes.
  struct Launch {
    int64_t size, maxBlocks, tileLength;
  };
  std::mt19937 random(310);
  for (auto [size, maxBlocks, tileLength] : {Launch{5 * 8192, 1, 0}, Launch{4 * 8192 + 1, 2, 0}, Launch{33, 1, 0},
                                             Launch{8192, 1, 1024}, Launch{8192, 1, 256}, Launch{4096, 1, 64}}) {
    Trial trial;
    std::vector<const Tensor *> inputs;
    for (const ContractTensor &input : contract.inputs) {
      trial.inputs.push_back(*Tensor::create(input.types[kernel.typeRow], {size}));
      fill(trial.inputs.back(), random);
    }
    for (const Tensor &tensor : trial.inputs)
      inputs.push_back(&tensor);
    Diagnostics diagnostics;
    std::optional<BoundLaunch> launch = bindLaunch(manifest, inputs, {}, maxBlocks, diagnostics);
    ASSERT_TRUE(launch) << told(diagnostics);
    ASSERT_EQ(launch->kernel->name, kernel.name);
    trial.tiling = launch->tiling;
    for (size_t field = 0; tileLength && field < kernel.tiling.outputs.size(); ++field)
      if (kernel.tiling.outputs[field].field.name == "tile_length")
        trial.tiling[field] = tileLength;
    trial.blocks = launch->blockNum;
    for (const Tensor &output : launch->outputs) {
      trial.outputShapes.push_back(output.shape());
      trial.outputTypes.push_back(output.type());
    }
    trial.expected = simulateTrial(*program, *target, trial, &trial.pipes);
    ASSERT_FALSE(trial.expected.empty()) << kernel.name << " fails on the simulator, " << size << " elements";
    shipped.trials.push_back(std::move(trial));
  }
  ASSERT_GT(shipped.trials[1].blocks, 1) << kernel.name;
  kernels.push_back(std::move(shipped));
}

/// Bytes of UB and the time in which a buffer holds something, by position in the text. Said here a second time, and
/// more simply than by the planner: slots, and what a copy touches, are held through the whole kernel.
struct Interval {
  BufferOp buffer;
  int64_t begin, end, slots;
  unsigned first = 0, last = 0;
  bool loaded = false, stored = false; ///< by a copy

  bool meets(const Interval &other) const {
    return begin < other.end && other.begin < end && first <= other.last && other.first <= last;
  }
};

std::vector<Interval> intervalsOf(func::FuncOp kernel) {
  DenseMap<Operation *, unsigned> positions;
  kernel.walk([&](Operation *op) { positions[op] = positions.size(); });
  std::vector<Interval> intervals;
  for (Operation *op : opsOf<BufferOp>(kernel)) {
    auto buffer = cast<BufferOp>(op);
    Interval interval{buffer, *buffer.getAddress(), *buffer.getAddress() + buffer.getBytes(), buffer.getSlots(), ~0u,
                      0};
    SmallVector<Value> views = {buffer.getMemref()};
    for (size_t i = 0; i < views.size(); ++i)
      for (Operation *user : views[i].getUsers()) {
        if (isa<memref::SubViewOp>(user)) {
          views.push_back(user->getResult(0));
          continue;
        }
        interval.loaded |= isa<LoadOp>(user);
        interval.stored |= isa<StoreOp>(user);
        interval.first = std::min(interval.first, positions[user]);
        interval.last = std::max(interval.last, positions[user]);
      }
    if (buffer.getSlots() > 1 || interval.loaded || interval.stored) {
      interval.first = 0;
      interval.last = ~0u;
    }
    intervals.push_back(interval);
  }
  return intervals;
}

// The result's buffer exactly on an operand's: slot k of one is slot k of the other, computed in place. All that is
// wrong is that a tile is loaded into the slot while the result of two tiles before may still be on its way out,
// since the load waits for the vector pipe only:
//
//   mte2   load t+1 ............|load t+2 ......       a chip may be later with a store than this
//   one v      vector t | mte3            store t |
//
// Where a load takes longer than vector work and store together, the store is over each time.
bool onlyAProofSees(const Shipped &shipped, const Interval &place, const Interval &onto) {
  bool inPlace = place.begin == onto.begin && place.end == onto.end && place.slots == onto.slots &&
                 ((place.loaded && onto.stored) || (place.stored && onto.loaded));
  return inPlace && llvm::all_of(shipped.trials, [](const Trial &trial) {
           auto busy = [&](opc::Pipe pipe) { return trial.pipes[unsigned(pipe)].busyCycles; };
           return busy(opc::Pipe::MTE2) > busy(opc::Pipe::V) + busy(opc::Pipe::MTE3);
         });
}

struct Score {
  unsigned total = 0, byVerifier = 0, bySimulator = 0;
};

std::ostream &operator<<(std::ostream &os, const Score &score) {
  return os << "verifier " << score.byVerifier << "/" << score.total << ", simulator " << score.bySimulator << "/"
            << score.total;
}

// Without this a simulator that calls everything an error would pass.
TEST_F(SimulatorMutants, KernelsThemselvesPass) {
  ASSERT_GE(kernels.size(), 4u) << "AddRelu and Swish with two type rows each";
  for (Shipped &shipped : kernels) {
    EXPECT_FALSE(refused(*shipped.module));
    EXPECT_FALSE(seen(shipped, *shipped.module));
  }
}

// A flag or barrier that can go unseen is one that the inserter may forget.
TEST_F(SimulatorMutants, DeletedFlagsAndBarriers) {
  Score score;
  for (Shipped &shipped : kernels) {
    size_t count = opsOf<SetFlagOp, WaitFlagOp, PipeBarrierOp>(*shipped.module).size();
    for (size_t i = 0; i < count; ++i) {
      OwningOpRef<ModuleOp> mutant = shipped.module->clone();
      Operation *deleted = opsOf<SetFlagOp, WaitFlagOp, PipeBarrierOp>(*mutant)[i];
      std::string what =
          kernelOf(*mutant).getName().str() + ": " + textOf(deleted) + ", the " + std::to_string(i) + "th";
      deleted->erase();
      ++score.total;
      bool byVerifier = refused(*mutant), bySimulator = seen(shipped, *mutant);
      score.byVerifier += byVerifier;
      score.bySimulator += bySimulator;
      EXPECT_TRUE(byVerifier) << "by the verifier: " << what;
      EXPECT_TRUE(bySimulator) << "by the simulator: " << what;
    }
  }
  std::cout << "deleted flags and barriers: " << score << "\n";
  EXPECT_GE(score.total, 60u);
}

// Two buffers that share bytes while both hold something are what a planner does wrong.
TEST_F(SimulatorMutants, MovedBuffers) {
  Score score;
  unsigned legal = 0, proofOnly = 0;
  for (Shipped &shipped : kernels) {
    std::vector<Interval> intervals = intervalsOf(kernelOf(*shipped.module));
    for (size_t moved = 0; moved < intervals.size(); ++moved)
      for (size_t onto = 0; onto < intervals.size(); ++onto)
        for (int64_t by : {-32, 0, 32}) {
          Interval place = intervals[moved];
          int64_t size = place.end - place.begin;
          place.begin = intervals[onto].begin + by;
          place.end = place.begin + size;
          if (place.begin < 0 || place.begin == intervals[moved].begin)
            continue;
          bool breaks = place.end > target->ubBytes();
          for (size_t other = 0; other < intervals.size(); ++other)
            breaks |= other != moved && place.meets(intervals[other]);
          OwningOpRef<ModuleOp> mutant = shipped.module->clone();
          cast<BufferOp>(opsOf<BufferOp>(*mutant)[moved]).setAddress(place.begin);
          std::string what = kernelOf(*mutant).getName().str() + ": " + textOf(intervals[moved].buffer) + " moved to " +
                             std::to_string(place.begin);
          bool byVerifier = refused(*mutant), bySimulator = seen(shipped, *mutant);
          EXPECT_EQ(byVerifier, breaks) << "by the verifier: " << what;
          bool unseen = breaks && onlyAProofSees(shipped, place, intervals[onto]);
          EXPECT_EQ(bySimulator, breaks && !unseen) << "by the simulator: " << what;
          proofOnly += unseen;
          legal += !breaks;
          score.total += breaks;
          score.byVerifier += breaks && byVerifier;
          score.bySimulator += breaks && bySimulator;
        }
  }
  std::cout << "moved buffers: " << score << " (" << proofOnly << " only a proof sees); into free space " << legal
            << "\n";
  EXPECT_GE(score.total, 60u);
}

} // namespace
