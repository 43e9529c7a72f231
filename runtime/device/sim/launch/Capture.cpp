// Computes the accesses of an instruction from its kind, the form of its intrinsic and its count.
//
// Accesses are in the order destination, sources, scratch. An instruction that also reads its destination
// (accumulation, atomic add) has a second access for it. The source of a gather and the destination of a scatter
// count as a whole tile, since the elements that are accessed are known only at execution.

#include "runtime/device/sim/launch/Capture.h"

#include <algorithm>
#include <limits>

namespace opc::sim {

static constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

static int64_t times(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? kHuge : result;
}

static int64_t roundUp(int64_t value, int64_t unit) {
  int64_t result;
  return __builtin_add_overflow(value, unit - 1, &result) ? kHuge : result / unit * unit;
}

TypeRow typeRowOf(const PipeInstruction &instruction) {
  const IntrinsicForm form = intrinsicInfo(instruction.intrinsic).form;
  if (form == IntrinsicForm::Fill)
    return {instruction.destination.type, instruction.destination.type};
  return {instruction.sources[hasMask(form) ? 1 : 0].type, instruction.destination.type};
}

int64_t wholeVectors(const Target &target, const PipeInstruction &instruction, int64_t count) {
  return roundUp(count, target.vectorBytes() / elementSize(instruction.sources[0].type));
}

namespace {

class Accesses {
public:
  Accesses(const Launch &launch, const int64_t *registers, SimInstruction &result)
      : launch(launch), registers(registers), result(result) {}

  void copy();
  void vector();
  void loadNz();
  void fill();
  void loadFractals();
  void loadIm2col();
  void loadBias();
  void mmad();
  void fixpipe();
  void add(const ProgramOperand &operand, bool write, int64_t rowBytes, int64_t rows = 1, int64_t stride = 0) {
    SimAccess &access = result.accesses[result.numAccesses++];
    access = SimAccess{&operand, write, registers[operand.address], rowBytes, rows, stride};
  }

private:
  void destination(IntrinsicForm form);
  void countLists();
  void reduceRows();
  int64_t bytesOf(const ProgramOperand &operand) const;
  void addRows(const ProgramOperand &operand, bool write, int64_t rowBytes, int64_t step) {
    add(operand, write, rowBytes, result.rows, operand.stride == kNoRegister ? step : registers[operand.stride]);
  }
  void addElements(const ProgramOperand &operand, bool write, int64_t count) {
    add(operand, write, times(count, elementSize(operand.type)));
  }

  const Launch &launch;
  const int64_t *registers;
  SimInstruction &result;
};

} // namespace

void Accesses::copy() {
  const PipeInstruction &instruction = *result.instruction;
  const int64_t rowBytes = times(result.count, elementSize(instruction.sources[0].type));
  const int64_t alignment = launch.target.ubAlignment();
  // Without a stride, rows are contiguous in GM and start at whole blocks in UB. Padding fills the last block of a row.
  int64_t blocks = roundUp(rowBytes, alignment);
  const bool isPadded = result.padBefore != 0 || result.padAfter != 0;
  if (isPadded && rowBytes > 0) {
    const int64_t size = elementSize(instruction.sources[0].type);
    const int64_t before = times(result.padBefore, size), after = times(result.padAfter, size);
    const bool fits =
        before >= 0 && before <= alignment && after >= 0 && after <= alignment && rowBytes < kHuge - 3 * alignment;
    blocks = fits ? roundUp(before + rowBytes + after, alignment) : kHuge;
  }
  if (instruction.kind == PipeInstruction::Load) {
    addRows(instruction.destination, true, instruction.pad == kNoRegister && !isPadded ? rowBytes : blocks, blocks);
    addRows(instruction.sources[0], false, rowBytes, rowBytes);
    return;
  }
  addRows(instruction.destination, true, rowBytes, rowBytes);
  if (instruction.atomicAdd)
    addRows(instruction.destination, false, rowBytes, rowBytes);
  addRows(instruction.sources[0], false, rowBytes, blocks);
}

/// The size in bytes of a gathered or scattered tile: by its length register, else to the end of its slot.
int64_t Accesses::bytesOf(const ProgramOperand &operand) const {
  if (operand.length != kNoRegister)
    return times(registers[operand.length], elementSize(operand.type));
  const ProgramBuffer &buffer = launch.program.buffers[operand.buffer];
  const int64_t address = registers[operand.address];
  const bool inside = address >= buffer.address && address < buffer.address + buffer.slots * buffer.slotBytes;
  return inside ? buffer.slotBytes - (address - buffer.address) % buffer.slotBytes : kHuge;
}

void Accesses::destination(IntrinsicForm form) {
  const PipeInstruction &instruction = *result.instruction;
  const ProgramOperand &operand = instruction.destination;
  const int64_t perResult = hasPairs(instruction.index) ? 2 : 1;
  switch (form) {
  case IntrinsicForm::Compare:
  case IntrinsicForm::CompareScalar:
    return add(operand, true, roundUp(wholeVectors(launch.target, instruction, result.count), 8) / 8);
  case IntrinsicForm::Reduce:
    return addElements(operand, true, perResult);
  case IntrinsicForm::Scatter:
    return add(operand, true, bytesOf(operand));
  default:
    return addElements(
        operand, true,
        times(resultLength(form, typeRowOf(instruction).source, instruction.pattern).of(result.count), perResult));
  }
}

// A total that overflows 64 bits becomes the largest number; a negative length makes the total negative. MemoryCheck
// refuses both.
void Accesses::countLists() {
  result.count = 0;
  for (const ProgramOperand &source : result.instruction->sources) {
    if (source.space == ProgramOperand::None)
      return;
    const int64_t length = registers[source.length];
    if (length < 0) {
      result.count = -1;
      return;
    }
    if (__builtin_add_overflow(result.count, length, &result.count))
      result.count = kHuge;
  }
}

void Accesses::vector() {
  const PipeInstruction &instruction = *result.instruction;
  const IntrinsicForm form = intrinsicInfo(instruction.intrinsic).form;
  if (form == IntrinsicForm::Merge)
    countLists();
  if (reducesRows(instruction))
    return reduceRows();
  destination(form);
  if (form == IntrinsicForm::Accumulate || form == IntrinsicForm::AccumulateScalar)
    addElements(instruction.destination, false, result.count);

  const bool isWhole = writesMask(form) && !comparesPart(instruction);
  const int64_t lanes = isWhole ? wholeVectors(launch.target, instruction, result.count) : result.count;
  for (unsigned i = 0; i < kMaxSources; ++i) {
    const ProgramOperand &source = instruction.sources[i];
    if (source.space == ProgramOperand::None)
      break;
    if (hasMask(form) && i == 0)
      add(source, false, roundUp(lanes, 8) / 8);
    else if (form == IntrinsicForm::Gather && i == 0)
      add(source, false, bytesOf(source));
    else
      addElements(source, false,
                  form == IntrinsicForm::Merge || (i == 1 && takesRows(instruction)) ? registers[source.length]
                                                                                     : lanes);
  }
  if (hasScratch(form))
    add(instruction.scratch, true,
        launch.target.scratchBytes(instruction.intrinsic, instruction.sources[0].type, result.count));
}

// The length of a row of the tile, and of the results, is the tile's length divided by the number of rows. Rows that
// are not whole get a stride of 0, which MemoryCheck refuses.
void Accesses::reduceRows() {
  const PipeInstruction &instruction = *result.instruction;
  const ProgramOperand &to = instruction.destination, &from = instruction.sources[0];
  const int64_t size = elementSize(from.type), rows = std::max<int64_t>(result.rows, 0);
  auto strideOf = [&](const ProgramOperand &operand) {
    const int64_t length = registers[operand.length];
    return rows > 0 && length > 0 && length % rows == 0 ? times(length / rows, size) : 0;
  };
  add(to, true, result.count > 0 ? size : 0, rows, strideOf(to));
  add(from, false, times(result.count, size), rows, strideOf(from));
  add(instruction.scratch, true, times(registers[from.length], size));
}

// Sizes of the cube are checked after the capture; until then they may be any numbers, so no product may overflow.

/// Rows of fractals that hold `size` elements.
static int64_t wholeFractals(int64_t size, int64_t unit) {
  return size <= 0 ? 0 : (size - 1) / unit + 1;
}

static int64_t perFractalRow(const ProgramOperand &operand) {
  return kFractalRowBytes / elementSize(operand.type);
}

// A column of fractals is `rows` rows of 32 bytes; columns are a stride apart.
void Accesses::loadNz() {
  const PipeInstruction &instruction = *result.instruction;
  const ProgramOperand &from = instruction.sources[0], &to = instruction.destination;
  if (instruction.packed) {
    const int64_t bytes = times(result.count, elementSize(from.type));
    addRows(to, true, bytes, bytes);
    return addRows(from, false, bytes, bytes);
  }
  const int64_t columns = wholeFractals(result.count, perFractalRow(from));
  const int64_t columnBytes = times(result.rows, kFractalRowBytes);
  add(to, true, columnBytes, columns, to.stride == kNoRegister ? columnBytes : registers[to.stride]);
  const int64_t rowBytes = times(result.count, elementSize(from.type));
  add(from, false, rowBytes, result.rows, from.stride == kNoRegister ? rowBytes : registers[from.stride]);
}

void Accesses::fill() {
  const ProgramOperand &to = result.instruction->destination;
  addRows(to, true, times(result.count, kFractalRowBytes), times(result.count, kFractalRowBytes));
}

void Accesses::loadFractals() {
  const ProgramOperand &to = result.instruction->destination;
  const int64_t bytes = result.instruction->repeatBytes();
  if (result.instruction->splitsSquares(launch.program.buffers[to.buffer].memory()))
    add(to, true, kFractalBytes, times(result.rows, 2),
        to.stride == kNoRegister ? kFractalBytes : registers[to.stride]);
  else
    addRows(to, true, bytes, bytes);
  addRows(result.instruction->sources[0], false, bytes, bytes);
}

// The blocks of channels that the columns reach, whole: order and places are of memory that the instruction may read.
void Accesses::loadIm2col() {
  const PipeInstruction &instruction = *result.instruction;
  const ProgramOperand &from = instruction.sources[0];
  for (unsigned i = 0; i < kNumImageNumbers; ++i)
    result.image.numbers[i] = registers[instruction.image[i]];
  const SimImage &image = result.image;
  auto number = [&](ImageNumber of) { return std::max<int64_t>(image.of(of), 1); };
  const bool isEmpty = result.rows <= 0 || result.count <= 0;
  add(instruction.destination, true,
      isEmpty ? 0 : times(times(result.rows, result.count), elementSize(instruction.destination.type)));
  const int64_t elements = times(number(ImageNumber::FilterHeight), number(ImageNumber::FilterWidth));
  const int64_t perBlock = times(elements, perFractalRow(from));
  const int64_t first = std::max<int64_t>(image.of(ImageNumber::FirstColumn), 0);
  const int64_t end = first > kHuge - std::max<int64_t>(result.count, 0) ? kHuge : first + result.count;
  const int64_t before = first / perBlock, blocks = isEmpty ? 0 : wholeFractals(end, perBlock) - before;
  const int64_t blockBytes = times(times(number(ImageNumber::Height), number(ImageNumber::Width)), kFractalRowBytes);
  add(from, false, times(blocks, blockBytes));
  SimAccess &source = result.accesses[result.numAccesses - 1];
  if (__builtin_add_overflow(source.address, times(before, blockBytes), &source.address))
    source.address = kHuge;
}

void Accesses::loadBias() {
  const int64_t bytes = times(result.count, kBiasUnitBytes);
  add(result.instruction->destination, true, bytes);
  add(result.instruction->sources[0], false, bytes);
}

// The rows of L0A and L0C and the columns of L0B beyond m and n are not read: they only affect unused results. All of k
// is read, rounded up to whole fractals: one page says that the chip ignores the rest, but no kernel should rely on it.
void Accesses::mmad() {
  const PipeInstruction &instruction = *result.instruction;
  const ProgramOperand &to = instruction.destination, &left = instruction.sources[0], &right = instruction.sources[1];
  const int64_t rows = wholeFractals(result.rows, kFractalRows), columns = wholeFractals(result.count, kFractalRows);
  const int64_t depth = wholeFractals(result.depth, perFractalRow(left));
  const int64_t resultBytes = times(times(rows, columns), kResultFractalBytes);
  add(to, true, resultBytes);
  if (result.scalar == 0)
    add(to, false, times(result.rows, kFractalRows * 4), columns, times(rows, kResultFractalBytes));
  const int64_t whole = std::max<int64_t>(result.rows, 0) / kFractalRows, rest = result.rows - whole * kFractalRows;
  add(left, false, times(times(whole, depth), kFractalBytes));
  if (rest > 0) {
    add(left, false, times(rest, kFractalRowBytes), depth, kFractalBytes);
    SimAccess &last = result.accesses[result.numAccesses - 1];
    if (__builtin_add_overflow(last.address, times(times(whole, depth), kFractalBytes), &last.address))
      last.address = kHuge;
  }
  // A fractal of L0B is stored column by column, and so are the fractals of one row.
  add(right, false, times(result.count, kFractalRowBytes), depth, times(columns, kFractalBytes));
  if (instruction.sources[2].space != ProgramOperand::None && result.scalar != 0)
    add(instruction.sources[2], false, times(result.count, elementSize(to.type)));
}

void Accesses::fixpipe() {
  const PipeInstruction &instruction = *result.instruction;
  const ProgramOperand &from = instruction.sources[0], &to = instruction.destination;
  const int64_t columns = wholeFractals(result.count, kFractalRows);
  const int64_t rowBytes =
      times(instruction.packed ? times(result.rows, kFractalRows) : result.count, elementSize(to.type));
  if (instruction.packed)
    add(to, true, rowBytes, columns, to.stride == kNoRegister ? rowBytes : registers[to.stride]);
  else
    addRows(to, true, rowBytes, rowBytes);
  const int64_t columnBytes = times(result.rows, kFractalRows * 4);
  add(from, false, columnBytes, columns, from.stride == kNoRegister ? columnBytes : registers[from.stride]);
  if (instruction.sources[1].space != ProgramOperand::None)
    add(instruction.sources[1], false, times(result.count, kScaleBytes));
}

void capture(const Launch &launch, uint32_t index, const int64_t *registers, SimInstruction &result) {
  const PipeInstruction &instruction = launch.program.instructions[index];
  auto value = [registers](uint16_t reg, int64_t otherwise) { return reg == kNoRegister ? otherwise : registers[reg]; };
  result.instruction = &instruction;
  result.index = index;
  result.count = value(instruction.count, 0);
  result.rows = value(instruction.rows, 1);
  result.depth = value(instruction.depth, 0);
  result.flagId = value(instruction.flagId, 0);
  result.scalar = uint64_t(value(instruction.scalar, 0));
  result.pad = uint64_t(value(instruction.pad, 0));
  const bool isLoad = instruction.kind == PipeInstruction::Load;
  result.padBefore = isLoad ? value(instruction.destination.length, 0) : 0;
  result.padAfter = isLoad ? value(instruction.sources[0].length, 0) : 0;
  result.numAccesses = 0;
  Accesses accesses(launch, registers, result);
  switch (instruction.kind) {
  case PipeInstruction::Load:
  case PipeInstruction::Store:
    return accesses.copy();
  case PipeInstruction::Vector:
    return accesses.vector();
  case PipeInstruction::LoadNz:
    return accesses.loadNz();
  case PipeInstruction::Fill:
    return accesses.fill();
  case PipeInstruction::LoadFractals:
    return accesses.loadFractals();
  case PipeInstruction::LoadIm2col:
    return accesses.loadIm2col();
  case PipeInstruction::LoadBias:
    return accesses.loadBias();
  case PipeInstruction::Mmad:
    return accesses.mmad();
  case PipeInstruction::Fixpipe:
    return accesses.fixpipe();
  case PipeInstruction::ScalarRead:
    result.count = 1;
    return accesses.add(instruction.sources[0], false, elementSize(instruction.sources[0].type));
  case PipeInstruction::ScalarWrite:
    result.count = 1;
    return accesses.add(instruction.destination, true, elementSize(instruction.destination.type));
  case PipeInstruction::SetFlag:
  case PipeInstruction::WaitFlag:
  case PipeInstruction::Barrier:
  case PipeInstruction::ScalarWork:
    return;
  }
}

} // namespace opc::sim
