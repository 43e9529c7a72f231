// Computes the figures of a profile from sums of instructions.

#include "tools/opc/profile/Profile.h"

#include "runtime/target/ElementKind.h"
#include "runtime/target/Sensitivity.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace opc::tool {

static constexpr Pipe kPipes[] = {Pipe::S, Pipe::MTE2, Pipe::V, Pipe::MTE3, Pipe::MTE1, Pipe::M, Pipe::FIX};
static constexpr size_t kPipesOfVectorKernels = 4;

static size_t indexOf(Pipe pipe) {
  return static_cast<size_t>(pipe);
}

static double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

/// The chip without start-up costs, so that only bytes at the rate and repeats count.
static Target withoutStartUp(const Target &target) {
  Target bare = target;
  for (std::string_view figure : {"load_start_cycles", "store_start_cycles", "copy_row_cycles", "vector_start_cycles",
                                  "cube_start_cycles", "fractal_start_cycles", "fixpipe_start_cycles"})
    bare = bare.withFigure(figure, 0);
  return bare;
}

/// Whether a copy is from memory. Rows of UB become fractals by the same instruction, on MTE3.
static bool readsGm(PipeInstruction::Kind kind, Pipe pipe) {
  return kind == PipeInstruction::Load || (kind == PipeInstruction::LoadNz && pipe == Pipe::MTE2);
}

namespace {
struct Roofs {
  double memory, vector;
};
} // namespace

static Roofs roofsOf(const WorkTally &work, const Target &target) {
  const PipeCycles bare = work.cost(withoutStartUp(target));
  return {std::max(bare[indexOf(Pipe::MTE2)], bare[indexOf(Pipe::MTE3)]),
          std::max(bare[indexOf(Pipe::V)], bare[indexOf(Pipe::M)])};
}

static void addWork(const SimResult &result, const Target &target, Profile &profile) {
  const PipeCycles cost = result.work.cost(target), bare = result.work.cost(withoutStartUp(target));
  auto isOfCubeKernel = [](const Work &work) { return isOfCube(work.kind); };
  const bool hasCube = std::any_of(result.work.work().begin(), result.work.work().end(), isOfCubeKernel);
  for (size_t i = 0; i < (hasCube ? std::size(kPipes) : kPipesOfVectorKernels); ++i) {
    const Pipe pipe = kPipes[i];
    const PipeUsage &usage = result.usage(pipe);
    PipeProfile of;
    of.pipe = pipe;
    of.busyCycles = usage.busyCycles;
    of.syncCycles = usage.syncCycles;
    of.startUpCycles = cost[indexOf(pipe)] - bare[indexOf(pipe)];
    // All steps of the scalar unit except instructions of other pipes.
    of.instructions = pipe == Pipe::S ? result.scalarSteps - result.pipeInstructions : usage.instructions;
    of.bytes = usage.bytes;
    of.idleShare = result.idleShare(pipe);
    profile.pipes.push_back(of);
  }
  for (const Work &work : result.work.work()) {
    const int64_t bytes = work.rows * work.rowBytes * work.times;
    const bool isLoad = readsGm(work.kind, work.pipe);
    CopyProfile *copies = isLoad ? &profile.loads : work.kind == PipeInstruction::Store ? &profile.stores : nullptr;
    if (copies) {
      copies->count += work.times;
      copies->bursts += work.rows * work.times;
      copies->bytes += bytes;
    }
    if (work.kind == PipeInstruction::Mmad)
      profile.flop += 2 * work.rows * work.rowBytes * work.count * work.times; // m, k and n
    if (work.kind == PipeInstruction::Fixpipe)
      profile.gmWrittenBytes += bytes;
    if (work.kind != PipeInstruction::Vector)
      continue;
    const int64_t elements = work.count * (work.reducesRows ? work.rows : 1);
    const int64_t operations = int64_t(arithmeticSteps(work.intrinsic)) * elements * work.times;
    (isFloat(work.types.source) ? profile.flop : profile.integerOps) += operations;
  }
  for (const Work &work : result.work.work())
    profile.memory.cachedBytes += work.cached * work.times;
  profile.memory.load = toGigabytes(target, target.figure("load_rate"));
  profile.memory.store = toGigabytes(target, target.figure("store_rate"));
  profile.memory.boards = boardRates(target);
  profile.gmReadBytes = profile.loads.bytes;
  profile.gmWrittenBytes += profile.stores.bytes;
  profile.loads.efficiency =
      share(double(profile.loads.bytes) / target.figure("load_rate"), double(result.usage(Pipe::MTE2).busyCycles));
  profile.stores.efficiency =
      share(double(profile.stores.bytes) / target.figure("store_rate"), double(result.usage(Pipe::MTE3).busyCycles));
}

static Roofline rooflineOf(const SimResult &result, const Target &target, const Profile &profile) {
  Roofline roof;
  const Roofs roofs = roofsOf(result.work, target);
  const double flop = double(profile.flop);
  const double bytes = double(profile.gmReadBytes + profile.gmWrittenBytes);
  roof.memoryCycles = roofs.memory;
  roof.vectorCycles = roofs.vector;
  roof.memoryBound = roofs.memory >= roofs.vector;
  roof.flopPerByte = share(flop, bytes);
  roof.flopPerCycle = share(flop, double(result.cycles));
  roof.computeRoof = share(flop, roofs.vector);
  roof.memoryRoof = share(bytes, roofs.memory);
  roof.roofShare = share(std::max(roofs.memory, roofs.vector), double(result.cycles));
  roof.dependsOn = decidingFigures(target, [&](const Target &changed) {
    const Roofs other = roofsOf(result.work, changed);
    return (other.memory >= other.vector) == roof.memoryBound;
  });
  return roof;
}

static std::string typesText(const PipeInstruction &instruction) {
  const ElementType to = instruction.destination.type;
  const ElementType from = instruction.sources[0].space == ProgramOperand::None ? to : instruction.sources[0].type;
  return from == to ? std::string(elementTypeName(from))
                    : std::string(elementTypeName(from)) + ">" + std::string(elementTypeName(to));
}

static void addSums(const ProfiledLaunch &launch, const Profiler &profiler, Profile &profile) {
  std::map<std::pair<std::string, std::string>, IntrinsicProfile> intrinsics;
  std::map<std::pair<std::string, unsigned>, LineProfile> lines;
  std::map<std::pair<size_t, bool>, CopyProfile> traffic;
  int64_t vector = 0, all = 0;
  for (size_t i = 0; i < profiler.sums().size(); ++i) {
    const InstructionSums &sums = profiler.sums()[i];
    const PipeInstruction &instruction = launch.program->instructions[i];
    if (sums.calls == 0 || isSync(instruction))
      continue;
    all += sums.cycles;
    const ProgramLocation &place = launch.program->locations[instruction.location];
    LineProfile &line = lines[{place.file, place.line}];
    line.file = place.file;
    line.line = place.line;
    line.calls += sums.calls;
    line.cycles += sums.cycles;
    if (instruction.kind == PipeInstruction::ScalarWork) {
      profile.codeInstructions += sums.elements;
      profile.codeCycles += sums.cycles;
    }
    const bool load = readsGm(instruction.kind, instruction.pipe);
    if (load || instruction.kind == PipeInstruction::Store) {
      const ProgramOperand &global = load ? instruction.sources[0] : instruction.destination;
      CopyProfile &copies = traffic[{global.tensor, !load}];
      copies.count += sums.calls;
      copies.bursts += sums.rows;
      copies.bytes += sums.bytes;
      const double rate = launch.target->figure(load ? "load_rate" : "store_rate");
      copies.efficiency += double(sums.cycles) * rate; // temporarily the bytes at the full rate
    } else if (instruction.kind == PipeInstruction::Vector) {
      const std::string name(intrinsicInfo(instruction.intrinsic).name);
      IntrinsicProfile &of = intrinsics[{name, typesText(instruction)}];
      of.name = name;
      of.types = typesText(instruction);
      of.calls += sums.calls;
      of.elements += sums.elements;
      of.cycles += sums.cycles;
      vector += sums.cycles;
    }
  }
  for (auto &[key, of] : intrinsics) {
    of.share = share(double(of.cycles), double(vector));
    profile.intrinsics.push_back(of);
  }
  for (auto &[key, of] : lines) {
    of.share = share(double(of.cycles), double(all));
    profile.lines.push_back(of);
  }
  std::sort(profile.intrinsics.begin(), profile.intrinsics.end(), [](const auto &a, const auto &b) {
    return std::tie(b.cycles, a.name, a.types) < std::tie(a.cycles, b.name, b.types);
  });
  std::sort(profile.lines.begin(), profile.lines.end(), [](const auto &a, const auto &b) {
    return std::tie(b.cycles, a.file, a.line) < std::tie(a.cycles, b.file, b.line);
  });
  for (auto &[key, copies] : traffic) {
    const auto [tensor, written] = key;
    copies.efficiency = share(double(copies.bytes), copies.efficiency);
    profile.tensors.push_back({launch.tensors[tensor].name, written, copies});
  }
}

static void addBuffers(const ProfiledLaunch &launch, const Profiler &profiler, Profile &profile) {
  for (const ProgramBuffer &buffer : launch.program->buffers)
    profile.buffers.push_back({buffer.name, "", 0, buffer.memory(), buffer.address - windowOf(buffer.memory()),
                               buffer.slotBytes, buffer.slots, 0, 0});
  for (const BufferLife &life : profiler.lives()) {
    BufferProfile &buffer = profile.buffers[life.buffer];
    if (buffer.lives++ == 0) {
      const ProgramLocation &place = launch.program->locations[launch.program->instructions[life.writer].location];
      buffer.file = place.file;
      buffer.line = place.line;
    }
    buffer.heldShare += double(life.end - life.start);
  }
  for (BufferProfile &buffer : profile.buffers)
    buffer.heldShare = share(buffer.heldShare, double(profile.cycles) * double(buffer.slots));
  for (unsigned i = unsigned(Memory::UB); i < kNumMemories; ++i) {
    const auto memory = Memory(i);
    auto isHere = [memory](const BufferProfile &buffer) { return buffer.memory == memory; };
    if (memory == Memory::UB || std::any_of(profile.buffers.begin(), profile.buffers.end(), isHere))
      profile.memories.push_back({memory, launch.target->memoryBytes(memory), profiler.peakBytes(memory)});
  }
}

Profile makeProfile(const ProfiledLaunch &launch, const SimResult &result, const Profiler &profiler) {
  Profile profile;
  profile.cycles = result.cycles;
  profile.microseconds = double(result.cycles) / launch.target->clockMHz();
  profile.bound = busiestPipe(result.work.busy(*launch.target));
  profile.boundShare = 1 - result.idleShare(profile.bound);
  profile.boundDependsOn = figuresThatDecideBound(result.work, *launch.target);
  profile.idleShare = 1 - share(double(profiler.workedCycles()), double(result.cycles));
  addWork(result, *launch.target, profile);
  profile.roofline = rooflineOf(result, *launch.target, profile);
  addSums(launch, profiler, profile);
  addBuffers(launch, profiler, profile);
  profile.steps = int64_t(profiler.steps().size());
  profile.droppedSteps = profiler.droppedSteps();
  profile.lives = int64_t(profiler.lives().size());
  profile.droppedLives = profiler.droppedLives();
  return profile;
}

std::string_view tablePipeName(Pipe pipe) {
  switch (pipe) {
  case Pipe::S:
    return "SCALAR";
  case Pipe::V:
    return "VECTOR";
  case Pipe::M:
    return "CUBE";
  case Pipe::FIX:
    return "FIXP";
  default:
    return ascendCPipeName(pipe);
  }
}

} // namespace opc::tool
