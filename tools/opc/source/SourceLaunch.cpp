#include "tools/opc/source/SourceLaunch.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace opc::tool {

/// More cycles than scalar code can run within its time limit.
static constexpr int64_t kMostCycles = int64_t(1) << 42;

/// Warns of an output to which the kernel stores nothing, since zeros look like a result.
static void warnEmpty(const SourceLaunch &launch, const std::string &name, Diagnostics &diagnostics) {
  Diagnostic warning;
  warning.severity = Severity::Warning;
  warning.code = Code::E0566;
  warning.location = launch.source->kernel.location;
  warning.rule = "init_c1";
  warning.message = "init (output never written): the kernel stores nothing to output '" + printable(name) + "'";
  warning.fix =
      "a store that is reached; a loop that cannot end, or another undefined step, lets the compiler drop code";
  diagnostics.add(std::move(warning));
}

/// Reports outputs that the kernel never stores to: an --input may be missing.
static void checkStores(const SourceLaunch &launch, const SimulatorProgram &program, Diagnostics &diagnostics) {
  std::vector<bool> stored(program.numTensors, false), loaded(program.numTensors, false);
  for (const PipeInstruction &instruction : program.instructions) {
    if (instruction.destination.space == ProgramOperand::GM)
      stored[instruction.destination.tensor] = true;
    if (instruction.sources[0].space == ProgramOperand::GM)
      loaded[instruction.sources[0].tensor] = true;
  }
  size_t tensor = 0;
  for (const KernelParameter &parameter : launch.parameters) {
    if (!parameter.tensor)
      continue;
    if (parameter.kind == KernelParameter::Output && !parameter.inPlace && loaded[tensor] && !stored[tensor])
      diagnostics.error(Code::E0804, launch.source->kernel.location,
                        "expects --input for parameter '" + printable(parameter.name) +
                            "', which the kernel reads and does not store to, found none",
                        {}, "--input " + parameter.name + "=@FILE.npy");
    else if (parameter.kind == KernelParameter::Output && !parameter.inPlace && !stored[tensor] &&
             parameter.tensor->numBytes() > 0)
      warnEmpty(launch, parameter.name, diagnostics);
    ++tensor;
  }
}

SimOptions simOptions(const SimSettings &settings) {
  SimOptions sim;
  sim.perturbUlps = settings.perturbUlps;
  sim.perturbSeed = settings.perturbSeed;
  sim.order = settings.order;
  sim.orderSeed = settings.orderSeed;
  sim.numerics = settings.numerics;
  sim.numericsSeed = settings.numericsSeed;
  sim.l2 = settings.memory.l2;
  sim.sanitize = settings.sanitize;
  return sim;
}

/// Reports the first scalar read whose value differs from that during recording.
static void compareReads(const SourceLaunch &launch, const std::vector<uint64_t> &reads, Diagnostics &diagnostics) {
  const ascendc::Recording &recording = launch.recording;
  const size_t count = std::min(reads.size(), recording.reads.size());
  for (size_t i = 0; i < count; ++i) {
    if (reads[i] == recording.reads[i])
      continue;
    Location place = launch.source->kernel.location;
    for (const PipeInstruction &instruction : recording.program.instructions)
      if (instruction.kind == PipeInstruction::ScalarRead) {
        const ProgramLocation &at = recording.program.locations[instruction.location];
        place = Location{at.file, at.line, at.column};
        break;
      }
    diagnostics.error(Code::E0822, place,
                      "race (unordered): GetValue number " + std::to_string(i) +
                          " of the kernel expects one value, found another in this order",
                      "ascendc_c18",
                      "SetFlag and WaitFlag<HardEvent::V_S>, or MTE2_S after a load; "
                      "--sanitize=race names both lines");
    return;
  }
}

SimResult simulateLaunch(SourceLaunch &launch, const Target &target, SimOptions sim, Diagnostics &diagnostics) {
  std::vector<SimTensor> tensors;
  std::vector<std::vector<uint64_t>> memories; // as they are on the device
  for (const KernelParameter &parameter : launch.parameters) {
    if (!parameter.tensor)
      continue;
    const bool isOutput = parameter.kind != KernelParameter::Input;
    const auto bytes = size_t(parameter.tensor->numBytes()), capacity = size_t(deviceBytes(*parameter.tensor));
    std::vector<uint64_t> &memory = memories.emplace_back(capacity / sizeof(uint64_t) + 1);
    auto *data = reinterpret_cast<uint8_t *>(memory.data());
    const void *before = parameter.inPlace ? launch.before.at(parameter.tensor).data() : parameter.tensor->data();
    if (bytes > 0 && (!isOutput || parameter.inPlace))
      std::memcpy(data, before, bytes);
    std::memset(data + bytes, kUnwritten, capacity - bytes);
    tensors.push_back({parameter.name, data, parameter.tensor->numBytes(), parameter.tensor->type(), isOutput,
                       parameter.inPlace, int64_t(capacity)});
  }
  std::vector<uint64_t> reads;
  sim.reservedEvents = true;
  sim.recorded = true;
  sim.cycleLimit = kMostCycles;
  sim.scalarReads = &reads;
  const SimResult result = simulate(launch.recording.program, target, tensors, {}, launch.blocks, sim, diagnostics);
  size_t number = 0;
  for (const KernelParameter &parameter : launch.parameters) {
    if (!parameter.tensor)
      continue;
    const SimTensor &from = tensors[number++];
    if (parameter.kind == KernelParameter::Output && from.bytes > 0)
      std::memcpy(const_cast<void *>(parameter.tensor->data()), from.data, size_t(from.bytes));
  }
  if (!result.completed || diagnostics.hasErrors())
    return result;
  compareReads(launch, reads, diagnostics);
  if (launch.recording.stopped && !diagnostics.hasErrors())
    diagnostics.error(Code::E0900, launch.source->kernel.location,
                      "recording stopped at an access that the simulation takes");
  return result;
}

/// Whether the simulator can continue after an error: it is about order or content, not an access outside of
/// all memory.
static bool isFinding(const Diagnostic &diagnostic) {
  return diagnostic.code == Code::E0566 || diagnostic.code == Code::E0570 || diagnostic.code == Code::E0574 ||
         diagnostic.code == Code::E0822;
}

/// Adds the diagnostics of an attempt, with errors as warnings if the kernel continued.
static void addAttempt(const Diagnostics &attempt, bool wentOn, Diagnostics &diagnostics) {
  for (Diagnostic diagnostic : attempt.all()) {
    if (diagnostic.severity == Severity::Error && wentOn)
      diagnostic.severity = Severity::Warning;
    diagnostics.add(std::move(diagnostic));
  }
}

const Tensor *SourceLaunch::output(const std::string &name) const {
  for (const KernelParameter &parameter : parameters)
    if (parameter.name == name && parameter.kind == KernelParameter::Output)
      return parameter.sameAs >= 0 ? parameters[size_t(parameter.sameAs)].tensor : parameter.tensor;
  return nullptr;
}

/// Keeps the first values of tensors in place; a further run starts from them again.
static void keepValues(SourceLaunch &launch) {
  for (const KernelParameter &parameter : launch.parameters) {
    if (!parameter.inPlace || !parameter.tensor)
      continue;
    auto *data = const_cast<char *>(static_cast<const char *>(parameter.tensor->data()));
    const auto bytes = size_t(parameter.tensor->numBytes());
    const auto [kept, isNew] = launch.before.try_emplace(parameter.tensor, data, bytes);
    if (!isNew && bytes > 0)
      std::memcpy(data, kept->second.data(), bytes);
  }
}

bool recordLaunch(SourceLaunch &launch, const Target &target, Diagnostics &diagnostics) {
  keepValues(launch);
  RecordRequest request;
  request.source = launch.source;
  request.parameters = launch.parameters;
  request.tiling = launch.tiling;
  request.tilingKey = launch.tilingKey;
  request.blockNum = launch.blocks;
  request.seconds = launch.seconds;
  request.autoSync = launch.autoSync;
  request.target = &target;
  std::optional<ascendc::Recording> recording = recordKernel(request, diagnostics);
  if (!recording)
    return false;
  launch.recording = std::move(*recording);
  // A recording that stopped lacks the stores after that access.
  if (!launch.recording.stopped)
    checkStores(launch, launch.recording.program, diagnostics);
  return !diagnostics.hasErrors();
}

/// Adds the diagnostics of recording, with warnings (the scalar unit's cache, counts) as errors for a sanitizer.
/// Returns whether there are any.
static bool addHazards(const Diagnostics &recorded, bool areErrors, Diagnostics &diagnostics) {
  bool hasHazards = false;
  for (Diagnostic diagnostic : recorded.all()) {
    const bool isHazard =
        diagnostic.code == Code::E0823 || (diagnostic.code == Code::E0563 && diagnostic.severity == Severity::Warning);
    hasHazards = hasHazards || isHazard;
    if (isHazard && areErrors)
      diagnostic.severity = Severity::Error;
    diagnostics.add(std::move(diagnostic));
  }
  return hasHazards;
}

std::optional<SourceOutcome> runSourceLaunch(SourceLaunch &launch, const Target &target, const SimSettings &settings,
                                             std::string *trace, Diagnostics &diagnostics) {
  Diagnostics recorded;
  const bool isRecorded = recordLaunch(launch, target, recorded);
  const bool hasHazards = addHazards(recorded, settings.sanitize.has_value(), diagnostics);
  if (!isRecorded || diagnostics.hasErrors())
    return std::nullopt;
  SourceOutcome outcome;
  SimOptions sim = simOptions(settings);
  sim.traceText = trace;
  const auto start = std::chrono::steady_clock::now();
  Diagnostics attempt;
  outcome.result = simulateLaunch(launch, target, sim, attempt);
  const std::vector<Diagnostic> &told = attempt.all();
  outcome.hasFindings = attempt.hasErrors() && !settings.sanitize &&
                        std::all_of(told.begin(), told.end(), [](const Diagnostic &diagnostic) {
                          return diagnostic.severity != Severity::Error || isFinding(diagnostic);
                        });
  addAttempt(attempt, outcome.hasFindings, diagnostics);
  if (outcome.hasFindings && !outcome.result.completed) {
    // Without the check that stopped it the kernel may still end.
    sim.sanitize = Sanitize();
    if (trace)
      trace->clear();
    Diagnostics again;
    outcome.result = simulateLaunch(launch, target, sim, again);
    addAttempt(again, outcome.result.completed, diagnostics);
  }
  outcome.hasFindings = outcome.hasFindings || hasHazards;
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!outcome.result.completed || diagnostics.hasErrors())
    return std::nullopt;
  return outcome;
}

} // namespace opc::tool
