// The order of questions: is it possible, is it a mutant, does the verifier refuse it, does a sanitizer. Of what is
// in order but another kernel: do its results differ.

#include "test/mutants/KernelMutants.h"

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/verify/Rules.h"
#include "lowering/emit/simulator/EmitSimulator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

using namespace mlir;

namespace opc::mutants {

/// Instructions of a launch past which it shows nothing new, and of one of a kernel that has no shorter launch.
static constexpr size_t kManySteps = 4'000, kMostSteps = 20'000;

KernelMutants::KernelMutants(func::FuncOp whole, Launches given, const Target &target)
    : launches(std::move(given)), target(target), module(ModuleOp::create(whole.getLoc())) {
  auto builder = OpBuilder::atBlockEnd(module->getBody());
  auto all = whole->getParentOfType<ModuleOp>();
  if (auto tiling = whole->getAttrOfType<FlatSymbolRefAttr>("aicore.tiling_function"))
    if (Operation *function = all.lookupSymbol(tiling.getValue()))
      builder.clone(*function);
  kernel = cast<func::FuncOp>(builder.clone(*whole));
  pipeOps = pipeOpsOf(kernel);
}

std::optional<SimulatorProgram> KernelMutants::emit(func::FuncOp changed) const {
  FailureOr<SimulatorProgram> program = emitSimulatorProgram(changed, target);
  if (failed(program))
    return std::nullopt;
  return std::move(*program);
}

/// Makes a joined kernel the kernel of one of its nests again, as it was when it was proved.
static void keepNest(func::FuncOp kernel, size_t number) {
  const SmallVector<scf::IfOp> nests = nestsOf(kernel);
  for (Operation &op : llvm::make_early_inc_range(kernel.getBody().front().without_terminator()))
    if (isa<scf::IfOp, aicore::SetFlagOp, aicore::WaitFlagOp, aicore::PipeBarrierOp>(op) && &op != nests[number])
      op.erase();
  scf::IfOp nest = nests[number];
  for (Operation &op : llvm::make_early_inc_range(nest.thenBlock()->without_terminator()))
    op.moveBefore(nest);
  nest.erase();
  SmallVector<Operation *> rest;
  for (Operation &op : kernel.getBody().front().without_terminator())
    rest.push_back(&op);
  for (Operation *op : llvm::reverse(rest))
    if (op->getNumResults() > 0 && op->use_empty())
      op->erase();
}

bool KernelMutants::refusedByVerifier(ModuleOp changed) const {
  auto isRefused = [&](ModuleOp module) {
    return failed(aicore::verifyKernelsAt(module, std::string(target.name()), aicore::Phase::Synced,
                                          /*portable=*/!target.completesInOrder(Pipe::V)));
  };
  const StringRef name = func::FuncOp(kernel).getName();
  const size_t nests = nestsOf(changed.lookupSymbol<func::FuncOp>(name)).size();
  if (nests == 0)
    return isRefused(changed);
  for (size_t number = 0; number < nests; ++number) {
    OwningOpRef<ModuleOp> alone = changed.clone();
    keepNest(alone->lookupSymbol<func::FuncOp>(name), number);
    if (isRefused(*alone))
      return true;
  }
  return false;
}

bool KernelMutants::refusedBySanitizer(const SimulatorProgram &program) const {
  SimOptions options;
  options.sanitize = Sanitize::all();
  for (const std::unique_ptr<KernelLaunch> &launch : launches) {
    Diagnostics found;
    if (!simulate(program, target, launch->tensors, launch->bound.tiling, launch->bound.blockNum, options, found)
             .completed)
      return true;
  }
  return false;
}

std::optional<Trace> KernelMutants::record(const SimulatorProgram &program, const KernelLaunch &launch,
                                           const std::vector<unsigned> &ops) const {
  Recorder recorder(program, ops, mostSteps);
  SimOptions options;
  options.sanitize = Sanitize();
  options.observers = {&recorder};
  Diagnostics ignored;
  recorder.trace.completed =
      simulate(program, target, launch.tensors, launch.bound.tiling, launch.bound.blockNum, options, ignored).completed;
  if (!recorder.trace.completed)
    return std::nullopt;
  return std::move(recorder.trace);
}

std::string KernelMutants::prepare() {
  isWrong = true;
  if (refusedByVerifier(*module))
    return "the verifier refuses it as it is";
  std::optional<SimulatorProgram> program = emit(kernel);
  if (!program || program->instructions.size() != pipeOps.size())
    return "its program has " + std::to_string(program ? program->instructions.size() : size_t(0)) +
           " instructions, the kernel " + std::to_string(pipeOps.size()) + " pipe ops";
  isWrong = false;
  if (launches.empty())
    return "no shape of the tests reaches it";
  std::vector<unsigned> ops(pipeOps.size());
  for (unsigned i = 0; i < ops.size(); ++i)
    ops[i] = i;
  for (size_t limit : {kManySteps, kMostSteps}) {
    mostSteps = limit;
    std::vector<std::optional<Trace>> recorded;
    for (const std::unique_ptr<KernelLaunch> &launch : launches)
      recorded.push_back(record(*program, *launch, ops));
    if (std::any_of(recorded.begin(), recorded.end(), [](const auto &trace) { return trace.has_value(); }))
      chooseLaunches(std::move(recorded));
    if (!traces.empty())
      break;
  }
  if (traces.empty())
    return "each of its launches has more than " + std::to_string(kMostSteps) + " instructions";
  if (refusedBySanitizer(*program))
    return "a sanitizer refuses it as it is";
  for (const Trace &trace : traces) {
    facts.push_back(std::make_unique<Facts>(trace, target));
    if (!facts.back()->allOrdered())
      return "it is out of order as it is";
  }
  results = resultsOf(*program);
  infiniteResults = resultsOfInfinities(*program);
  return "";
}

// Outputs are cleared first: what a kernel leaves unwritten is not what the run before left there.
KernelMutants::Results KernelMutants::resultsOf(const SimulatorProgram &program) const {
  Results all;
  SimOptions options;
  options.sanitize = Sanitize();
  for (const std::unique_ptr<KernelLaunch> &launch : launches) {
    for (Tensor &output : launch->bound.outputs)
      if (output.numBytes() > 0)
        std::memset(output.data(), 0, size_t(output.numBytes()));
    Diagnostics ignored;
    simulate(program, target, launch->tensors, launch->bound.tiling, launch->bound.blockNum, options, ignored);
    for (const Tensor &output : launch->bound.outputs) {
      const auto *bytes = static_cast<const uint8_t *>(output.data());
      all.emplace_back(bytes, bytes + output.numBytes());
    }
  }
  return all;
}

// An infinity that is left beyond k in one operand, times the zero of the other one, is no number. Elsewhere all
// results of products are infinite then, as they are of the unchanged kernel.
KernelMutants::Results KernelMutants::resultsOfInfinities(const SimulatorProgram &program) const {
  std::vector<std::vector<uint8_t>> finite;
  for (const std::unique_ptr<KernelLaunch> &launch : launches)
    for (Tensor &input : launch->inputs) {
      auto *bytes = static_cast<uint8_t *>(input.data());
      finite.emplace_back(bytes, bytes + input.numBytes());
      const uint32_t infinity = input.type() == ElementType::Float32    ? 0x7f800000u
                                : input.type() == ElementType::Float16  ? 0x7c00u
                                : input.type() == ElementType::BFloat16 ? 0x7f80u
                                                                        : 0u;
      const auto size = size_t(elementSize(input.type()));
      for (int64_t i = 0; infinity && i < input.numBytes(); i += int64_t(size))
        std::memcpy(bytes + i, &infinity, size);
    }
  Results infinite = resultsOf(program);
  size_t place = 0;
  for (const std::unique_ptr<KernelLaunch> &launch : launches)
    for (Tensor &input : launch->inputs) {
      std::copy(finite[place].begin(), finite[place].end(), static_cast<uint8_t *>(input.data()));
      ++place;
    }
  return infinite;
}

/// Copies of a launch: as many as it moves tiles.
static size_t copiesOf(const Trace &trace) {
  return size_t(std::count_if(trace.steps.begin(), trace.steps.end(), [](const Step &step) {
    return step.kind == PipeInstruction::Load || step.kind == PipeInstruction::Store;
  }));
}

/// The length of rows of the results.
static int64_t widthOf(const KernelLaunch &launch) {
  int64_t width = 0;
  for (const Tensor &output : launch.bound.outputs)
    width = std::max(width, output.shape().empty() ? 1 : output.shape().back());
  return width;
}

/// The shorter of the last two dimensions of the results.
static int64_t squareOf(const KernelLaunch &launch) {
  int64_t square = 0;
  for (const Tensor &output : launch.bound.outputs)
    if (const Shape &shape = output.shape(); shape.size() > 1)
      square = std::max(square, std::min(shape[shape.size() - 1], shape[shape.size() - 2]));
  return square;
}

void KernelMutants::chooseLaunches(std::vector<std::optional<Trace>> recorded) {
  std::set<size_t> chosen;
  for (bool several : {false, true}) {
    std::optional<size_t> smallest, most, widest, squarest;
    for (size_t i = 0; i < launches.size(); ++i) {
      if (!recorded[i] || (launches[i]->bound.blockNum > 1) != several)
        continue;
      if (!smallest)
        smallest = i;
      if (!widest || widthOf(*launches[i]) > widthOf(*launches[*widest]))
        widest = i;
      if (!squarest || squareOf(*launches[i]) > squareOf(*launches[*squarest]))
        squarest = i;
      if (!most || copiesOf(*recorded[i]) > copiesOf(*recorded[*most]))
        most = i;
    }
    // Rows of one element hide what differs along a row, also where the rows are columns of the result.
    if (!several && smallest)
      chosen.insert({*smallest, *widest, *squarest});
    if (most)
      chosen.insert(*most);
  }
  Launches kept;
  for (size_t i : chosen) {
    kept.push_back(std::move(launches[i]));
    traces.push_back(std::move(*recorded[i]));
  }
  launches = std::move(kept);
}

Verdict KernelMutants::judge(const SimulatorProgram &program, const std::vector<unsigned> &ops) const {
  Verdict verdict = Verdict::Same;
  for (size_t i = 0; i < launches.size(); ++i) {
    std::optional<Trace> trace = record(program, *launches[i], ops);
    if (!trace)
      return Verdict::Different;
    const Verdict one = compare(*facts[i], Facts(*trace, target));
    if (one == Verdict::Different)
      return one;
    if (one == Verdict::OtherFlow)
      verdict = one;
  }
  return verdict;
}

void KernelMutants::tryOne(const Mutation &mutation, bool numbers, Score &score) {
  IRMapping mapping;
  OwningOpRef<ModuleOp> changed = cast<ModuleOp>(module->getOperation()->clone(mapping));
  auto changedKernel = cast<func::FuncOp>(mapping.lookup(kernel.getOperation()));
  if (!mutation.apply(changedKernel, mapping) || failed(mlir::verify(*changed))) {
    ++score.impossible;
    return;
  }
  std::optional<SimulatorProgram> program = emit(changedKernel);
  if (program && !mutation.counts) {
    llvm::DenseMap<Operation *, unsigned> places;
    for (unsigned i = 0; i < pipeOps.size(); ++i)
      if (Operation *clone = mapping.lookupOrNull(pipeOps[i]))
        places[clone] = i;
    std::vector<unsigned> ops;
    for (Operation *op : pipeOpsOf(changedKernel))
      ops.push_back(places.lookup(op));
    const Verdict verdict = judge(*program, ops);
    if (verdict == Verdict::Same) {
      ++score.same;
      return;
    }
    if (verdict == Verdict::OtherFlow && StringRef(mutation.kind) == "swap") {
      if (!numbers || resultsOf(*program) == results) {
        ++score.otherFlow;
        return;
      }
      auto &[killed, all] = score.byKind["order"];
      ++killed, ++all;
      ++score.mutants, ++score.killed, ++score.byNumbers;
      return;
    }
  }
  const bool byVerifier = refusedByVerifier(*changed);
  // What cannot be emitted was refused by the emitter's rules, and the verifier is asked alone.
  const bool bySanitizer = program && refusedBySanitizer(*program);
  // Fractals at other places are in order, and are other numbers.
  const bool changesNumbers = llvm::is_contained({"stride", "layout", "zeros"}, StringRef(mutation.kind));
  bool byNumbers = program && changesNumbers && !byVerifier && !bySanitizer && resultsOf(*program) != results;
  if (StringRef(mutation.kind) == "zeros" && program && !byVerifier && !bySanitizer && !byNumbers) {
    byNumbers = resultsOfInfinities(*program) != infiniteResults;
    // What is left there is a number, which the other operand multiplies by zero.
    if (!byNumbers && mutation.isOfIntegers) {
      ++score.same;
      return;
    }
  }
  ++score.mutants;
  score.byVerifier += byVerifier;
  score.bySanitizer += bySanitizer;
  score.byNumbers += byNumbers;
  auto &[killed, all] = score.byKind[mutation.kind];
  ++all;
  if (byVerifier || bySanitizer || byNumbers) {
    ++score.killed;
    ++killed;
  } else {
    score.survivors.push_back(std::string(mutation.kind) + ": " + mutation.text);
  }
}

Score KernelMutants::run(const Sample &sample) {
  std::vector<Launched> launched;
  for (size_t i = 0; i < traces.size(); ++i)
    launched.push_back({&traces[i], facts[i].get()});
  std::vector<Mutation> mutations = mutationsOf(kernel, launched, target.eventIds());
  std::mt19937_64 random(sample.seed);
  std::map<std::string, std::vector<const Mutation *>> byKind;
  for (const Mutation &mutation : mutations)
    byKind[mutation.kind].push_back(&mutation);
  Score score;
  for (auto &[kind, list] : byKind) {
    if (sample.ofKind && list.size() > sample.ofKind) {
      // The first so many of a shuffle that is the same on any machine.
      for (size_t i = 0; i < sample.ofKind; ++i)
        std::swap(list[i], list[i + random() % (list.size() - i)]);
      list.resize(sample.ofKind);
    }
    for (const Mutation *mutation : list)
      tryOne(*mutation, sample.numbers, score);
  }
  return score;
}

} // namespace opc::mutants
