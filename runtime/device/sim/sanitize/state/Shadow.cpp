// The rows are determined once, from the operands of the program.

#include "runtime/device/sim/sanitize/state/Shadow.h"

#include <algorithm>

namespace opc::sim {

Way wayOf(const PipeInstruction &instruction, const SimAccess &access) {
  if (instruction.atomicAdd && access.operand->space == ProgramOperand::GM)
    return Way::Add;
  return access.write ? Way::Write : Way::Read;
}

static size_t memoryOf(const ProgramOperand &operand) {
  return operand.space == ProgramOperand::UB ? 0 : 1 + size_t(operand.tensor);
}

Shadow::Shadow(const Launch &launch) : memories(1 + launch.tensors.size()) {
  memories[0].block = launch.target.ubAlignment();
  auto add = [this](const ProgramOperand &operand, Pipe pipe, Way way) {
    if (operand.space == ProgramOperand::None)
      return;
    std::vector<Row> &rows = memories[memoryOf(operand)].rows;
    for (const Row &row : rows)
      if (row.pipe == pipe && row.way == way)
        return;
    rows.push_back({pipe, way});
  };
  for (const PipeInstruction &instruction : launch.program.instructions) {
    const bool atomic = instruction.atomicAdd;
    add(instruction.destination, instruction.pipe, atomic ? Way::Add : Way::Write);
    // Some also read their destination.
    if (instruction.kind == PipeInstruction::Vector || instruction.kind == PipeInstruction::Mmad)
      add(instruction.destination, instruction.pipe, Way::Read);
    add(instruction.scratch, instruction.pipe, Way::Write);
    for (const ProgramOperand &source : instruction.sources)
      add(source, instruction.pipe, Way::Read);
  }
  for (Memory &memory : memories) {
    if (std::all_of(memory.rows.begin(), memory.rows.end(), [](const Row &row) { return row.way == Way::Read; }))
      memory.rows.clear();
  }
  for (Row &row : memories[0].rows)
    row.blocks.resize(size_t((launch.onChipBytes() + memories[0].block - 1) / memories[0].block));
}

Shadow::Memory &Shadow::of(const SimAccess &access) {
  return memories[memoryOf(*access.operand)];
}

const Shadow::Memory &Shadow::of(const SimAccess &access) const {
  return memories[memoryOf(*access.operand)];
}

/// Calls `visit(begin, end)` for each contiguous run of an access; rows without gaps, in UB apart from the end of a
/// block, are one run.
template <typename Visit> static void forRuns(const Shadow::Memory &memory, const SimAccess &access, Visit visit) {
  if (access.rows <= 0 || access.rowBytes <= 0)
    return;
  const int64_t unit = memory.block ? memory.block : 1;
  const bool close = access.stride <= (access.rowBytes + unit - 1) / unit * unit;
  if (access.rows == 1 || close)
    return visit(access.address, access.end());
  for (int64_t row = 0; row < access.rows; ++row) {
    const int64_t begin = access.address + row * access.stride;
    visit(begin, begin + access.rowBytes);
  }
}

/// Calls `visit(number)` for the numbers of a row in the bytes of an access.
template <typename Visit>
static void forNumbers(const Shadow::Memory &memory, const Shadow::Row &row, const SimAccess &access, Visit visit) {
  forRuns(memory, access, [&](int64_t begin, int64_t end) {
    if (memory.block == 0) {
      row.ranges.forRanges(begin, end, [&](int64_t, int64_t, uint32_t number) { visit(number); });
      return;
    }
    const int64_t last = (end + memory.block - 1) / memory.block;
    for (int64_t i = begin / memory.block; i < last; ++i)
      visit(row.blocks[size_t(i)]);
  });
}

uint32_t Shadow::latest(const Memory &memory, const Row &row, const SimAccess &access) {
  uint32_t latest = 0;
  forNumbers(memory, row, access, [&latest](uint32_t number) { latest = std::max(latest, number); });
  return latest;
}

std::vector<uint32_t> Shadow::later(const Memory &memory, const Row &row, const SimAccess &access, uint32_t complete) {
  std::vector<uint32_t> places;
  forNumbers(memory, row, access, [&](uint32_t number) {
    if (number > complete && (places.empty() || places.back() != number))
      places.push_back(number);
  });
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

void Shadow::note(const Memory &memory, Row &row, const SimAccess &access, uint32_t placePlusOne) {
  forRuns(memory, access, [&](int64_t begin, int64_t end) {
    if (memory.block == 0)
      return row.ranges.assign(begin, end, placePlusOne);
    std::fill(row.blocks.begin() + begin / memory.block, row.blocks.begin() + (end + memory.block - 1) / memory.block,
              placePlusOne);
  });
  row.newest = std::max(row.newest, placePlusOne);
}

} // namespace opc::sim
