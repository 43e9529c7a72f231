#include "runtime/device/sim/profile/WorkTally.h"

#include "runtime/device/sim/launch/Capture.h"
#include "runtime/target/MemoryModel.h"
#include "runtime/target/Sensitivity.h"

#include <algorithm>

namespace opc {

size_t WorkTally::Hash::operator()(const Key &key) const {
  uint64_t hash = key.instruction;
  for (int64_t part : {key.count, key.rows, key.rowBytes, key.rowLength, key.cached})
    hash = (hash ^ uint64_t(part)) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
  return hash;
}

double Work::cost(const Target &target) const {
  switch (kind) {
  case PipeInstruction::Load:
  case PipeInstruction::Store:
    return copyCost(target, pipe, rows, rowBytes, cached);
  case PipeInstruction::LoadNz:
    return pipe == Pipe::MTE3 ? double(cycles(target)) : copyCost(target, pipe, rows, rowBytes, cached);
  case PipeInstruction::Vector:
    if (reducesRows)
      return ReducedRows{types.source, rows, count, rowLength}.cost(
          intrinsic, [&](Intrinsic call, int64_t elements) { return target.vectorCost(call, types, elements); });
    return takesRows ? rowsCost(target, intrinsic, types, count, rows) : target.vectorCost(intrinsic, types, count);
  default:
    return double(cycles(target));
  }
}

int64_t Work::cycles(const Target &target) const {
  switch (kind) {
  case PipeInstruction::Fill:
    return target.fillCycles(rows * rowBytes);
  case PipeInstruction::LoadFractals:
    return target.fractalCycles(memory, rows * rowBytes);
  case PipeInstruction::LoadIm2col:
    return target.im2colCycles(rowBytes);
  case PipeInstruction::LoadBias:
    return target.biasCycles(rowBytes);
  case PipeInstruction::Mmad:
    return target.cubeCycles(rows, rowBytes, count, types.source);
  case PipeInstruction::Fixpipe:
    return target.fixpipeCycles(rows, count);
  case PipeInstruction::LoadNz:
    return pipe == Pipe::MTE3 ? target.fillCycles(rows * rowBytes) : copyCycles(target, pipe, rows, rowBytes, cached);
  case PipeInstruction::Load:
  case PipeInstruction::Store:
    return copyCycles(target, pipe, rows, rowBytes, cached);
  case PipeInstruction::Vector:
    if (reducesRows)
      return ReducedRows{types.source, rows, count, rowLength}.cost(
          intrinsic, [&](Intrinsic call, int64_t elements) { return target.vectorCycles(call, types, elements); });
    return takesRows ? rowsCycles(target, intrinsic, types, count, rows) : target.vectorCycles(intrinsic, types, count);
  case PipeInstruction::ScalarRead:
    return target.scalarReadCycles();
  case PipeInstruction::ScalarWrite:
    return target.scalarWriteCycles();
  case PipeInstruction::SetFlag:
  case PipeInstruction::WaitFlag:
  case PipeInstruction::Barrier:
  case PipeInstruction::ScalarWork: // among the scalar unit's own instructions
    return 0;
  }
  return 0;
}

void WorkTally::add(const SimInstruction &op) {
  const PipeInstruction &instruction = *op.instruction;
  Work work;
  work.kind = instruction.kind;
  work.pipe = instruction.pipe;
  work.instruction = op.index;
  work.cached = op.cached;
  if (instruction.kind == PipeInstruction::Vector) {
    work.intrinsic = instruction.intrinsic;
    work.types = sim::typeRowOf(instruction);
    work.count = op.count;
    work.takesRows = sim::takesRows(instruction);
    work.reducesRows = sim::reducesRows(instruction);
    if (work.reducesRows) {
      work.rows = op.rows;
      work.rowLength = sim::reducedRowsOf(op).length;
    }
    if (work.takesRows)
      work.rows = op.accesses[2].rowBytes / kBlockBytes;
  } else if (isOfCube(instruction.kind)) {
    work.rows = op.rows;
    work.types.source = instruction.sources[0].type;
    if (instruction.kind == PipeInstruction::LoadIm2col || instruction.kind == PipeInstruction::LoadBias)
      work.rowBytes = op.accesses[0].rowBytes;
    else if (instruction.kind == PipeInstruction::LoadNz)
      work.rowBytes = op.accesses[1].rowBytes;
    else if (instruction.kind == PipeInstruction::Fill)
      work.rowBytes = op.accesses[0].rowBytes;
    else if (instruction.kind == PipeInstruction::LoadFractals) {
      work.memory = memoryAt(op.accesses[0].address);
      work.rowBytes = instruction.repeatBytes();
    } else
      work.count = op.count;
    if (instruction.kind == PipeInstruction::Mmad)
      work.rowBytes = op.depth;
    else if (instruction.kind == PipeInstruction::Fixpipe && instruction.destination.space == ProgramOperand::GM)
      work.rowBytes = op.accesses[0].rowBytes;
  } else if (instruction.kind == PipeInstruction::Load || instruction.kind == PipeInstruction::Store) {
    work.rows = op.rows;
    work.rowBytes = op.accesses[instruction.kind == PipeInstruction::Load ? 1 : 0].rowBytes;
  }
  if (latest.size() <= op.index)
    latest.resize(op.index + 1, 0);
  if (size_t place = latest[op.index]) {
    Work &last = all[place - 1];
    if (last.count == work.count && last.rows == work.rows && last.rowBytes == work.rowBytes &&
        last.rowLength == work.rowLength && last.cached == work.cached) {
      ++last.times;
      return;
    }
  }
  auto [found, isNew] =
      places.try_emplace(Key{op.index, work.count, work.rows, work.rowBytes, work.rowLength, work.cached}, all.size());
  if (isNew)
    all.push_back(work);
  ++all[found->second].times;
  latest[op.index] = found->second + 1;
}

/// Sums the cost of all work, and adds that of the scalar unit's own instructions.
template <typename CostOf>
static PipeCycles sum(const std::vector<Work> &all, const Target &target, int64_t instructions, int64_t issues,
                      CostOf costOf) {
  PipeCycles cycles{};
  for (const Work &work : all) {
    cycles[static_cast<unsigned>(work.pipe)] += double(work.times) * double(costOf(work));
    if (work.kind == PipeInstruction::ScalarRead) // a scalar read is not issued to a pipe
      issues -= work.times;
  }
  cycles[static_cast<unsigned>(Pipe::S)] +=
      double(instructions) * target.figure("scalar_cycles") + double(issues) * target.figure("issue_cycles");
  return cycles;
}

PipeCycles WorkTally::busy(const Target &target) const {
  return sum(all, target, scalarInstructions, scalarIssues, [&](const Work &work) { return work.cycles(target); });
}

PipeCycles WorkTally::cost(const Target &target) const {
  return sum(all, target, scalarInstructions, scalarIssues, [&](const Work &work) { return work.cost(target); });
}

Pipe busiestPipe(const PipeCycles &busy) {
  return Pipe(std::max_element(busy.begin(), busy.end()) - busy.begin());
}

std::vector<std::string_view> figuresThatDecideBound(const WorkTally &tally, const Target &target) {
  const Pipe bound = busiestPipe(tally.busy(target));
  return decidingFigures(target, [&](const Target &changed) { return busiestPipe(tally.busy(changed)) == bound; });
}

} // namespace opc
