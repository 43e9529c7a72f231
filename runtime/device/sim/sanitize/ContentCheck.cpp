// Checks reads against what earlier writes left, then records the instruction's own writes.

#include "runtime/device/sim/sanitize/ContentCheck.h"

#include <algorithm>
#include <cstring>

namespace opc::sim {

static constexpr uint32_t kAllBytes = ~0u;

ContentCheck::ContentCheck(const Launch &launch, const uint8_t *ub, bool lost) : launch(launch), ub(ub) {
  const size_t blocks = size_t((launch.onChipBytes() + kBlockBytes - 1) / kBlockBytes);
  owner.resize(blocks);
  written.resize(blocks);
  writer.resize(blocks);
  if (lost)
    results.resize(launch.program.instructions.size());
}

bool ContentCheck::blockStarts(int64_t, int64_t) {
  std::fill(owner.begin(), owner.end(), kNoBuffer);
  std::fill(written.begin(), written.end(), 0u);
  return true;
}

/// A mask of the bytes of block `block` in [begin, end).
static uint32_t bytesOf(int64_t block, int64_t begin, int64_t end) {
  const int64_t low = std::max<int64_t>(begin - block * kBlockBytes, 0);
  const int64_t high = std::min<int64_t>(end - block * kBlockBytes, kBlockBytes);
  return (high == kBlockBytes ? kAllBytes : (1u << high) - 1u) & ~((1u << low) - 1u);
}

bool ContentCheck::refuse(const SimInstruction &op, const SimAccess &access, int64_t block) const {
  const size_t index = size_t(block);
  const std::string buffer = launch.describe(*access.operand);
  const int64_t first = std::max(access.address, block * kBlockBytes);
  const std::string place = "bytes from " + std::to_string(first - windowOf(memoryAt(first)));
  if (owner[index] == kNoBuffer || owner[index] == access.operand->buffer) {
    launch.error(Code::E0566, *op.instruction,
                 launch.describe(*op.instruction) + " expects " + buffer + " to hold what it reads, found " + place +
                     " that nothing has written",
                 "sim_c20");
    return false;
  }
  Diagnostic &diagnostic = launch.error(Code::E0566, *op.instruction,
                                        launch.describe(*op.instruction) + " expects what was written through " +
                                            buffer + ", found " + place + " last written through buffer '" +
                                            printable(launch.program.buffers[owner[index]].name) + "'",
                                        "sim_c21");
  launch.note(diagnostic, launch.program.instructions[writer[index]], "wrote them");
  return false;
}

bool ContentCheck::checkRow(const SimInstruction &op, const SimAccess &access, int64_t begin, int64_t end) {
  if (begin >= end)
    return true;
  const int64_t first = begin / kBlockBytes, last = (end - 1) / kBlockBytes;
  const uint16_t buffer = access.operand->buffer;
  if (launch.options.recorded) { // UndefinedCheck decides which of these reads matter
    if (unread != 0)
      noteRead(first, last);
    return true;
  }
  for (int64_t block : {first, last}) {
    const uint32_t bytes = bytesOf(block, begin, end);
    if (owner[size_t(block)] != buffer || (written[size_t(block)] & bytes) != bytes)
      return refuse(op, access, block);
  }
  if (unread != 0)
    noteRead(first, last);
  // Whole blocks between the two: a branch-free pass finds out whether there is an error to locate.
  uint32_t wrong = 0;
  for (int64_t block = first + 1; block < last; ++block)
    wrong |= uint32_t(owner[size_t(block)] ^ buffer) | ~written[size_t(block)];
  if (wrong == 0)
    return true;
  for (int64_t block = first + 1; block < last; ++block)
    if (owner[size_t(block)] != buffer || written[size_t(block)] != kAllBytes)
      return refuse(op, access, block);
  return true;
}

void ContentCheck::read(uint32_t instruction) {
  if (results[instruction] != Result::Unread)
    return;
  results[instruction] = Result::Read;
  --unread;
}

void ContentCheck::noteRead(int64_t firstBlock, int64_t lastBlock) {
  for (int64_t block = firstBlock; block <= lastBlock && unread != 0; ++block)
    read(writer[size_t(block)]);
}

/// Whether an instruction accumulates into the tile that it writes: best = max(best, x). The last iteration of a loop
/// leaves such a result, and a short loop has no other iteration.
static bool accumulates(const SimInstruction &op) {
  if (op.instruction->kind == PipeInstruction::Mmad)
    return true;
  if (op.instruction->kind != PipeInstruction::Vector)
    return false;
  bool takesItself = false, takesOther = false;
  for (unsigned i = 1; i < op.numAccesses; ++i) {
    const SimAccess &access = op.accesses[i];
    if (access.write || access.operand->space != ProgramOperand::UB)
      continue;
    const bool isItself = access.address == op.accesses[0].address;
    takesItself = takesItself || isItself;
    takesOther = takesOther || !isItself;
  }
  return takesItself && takesOther;
}

/// Records that an instruction writes a result, which it computes or loads.
void ContentCheck::noteResult(const SimInstruction &op) {
  bool reads = false, writes = false;
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const SimAccess &access = op.accesses[i];
    stores |= access.write && access.operand->space == ProgramOperand::GM && access.end() > access.address;
    reads |= !access.write;
    writes |= access.write && access.operand->space == ProgramOperand::UB &&
              access.operand != &op.instruction->scratch && access.end() > access.address;
  }
  if (!reads || !writes || results[op.index] != Result::None || (launch.options.recorded && accumulates(op)))
    return;
  results[op.index] = Result::Unread;
  ++unread;
}

bool ContentCheck::launchEnds() {
  // Loops over an empty tensor have no iterations: results of instructions before them are not read. Such a launch
  // still stores results of other shapes, such as empty sums.
  if (!stores || std::any_of(launch.tensors.begin(), launch.tensors.end(),
                             [](const SimTensor &tensor) { return tensor.bytes == 0; }))
    return true;
  // A call in a kernel by hand may be many instructions, some of which have unused results.
  std::vector<bool> isReadAt(launch.options.recorded ? launch.program.locations.size() : 0);
  for (size_t i = 0; i < results.size() && !isReadAt.empty(); ++i)
    if (results[i] == Result::Read)
      isReadAt[launch.program.instructions[i].location] = true;
  for (size_t i = 0; i < results.size() && unread != 0; ++i) {
    if (results[i] != Result::Unread || (!isReadAt.empty() && isReadAt[launch.program.instructions[i].location]))
      continue;
    const PipeInstruction &instruction = launch.program.instructions[i];
    launch.error(Code::E0566, instruction,
                 launch.describe(instruction) + " expects a read of what it writes to " +
                     launch.describe(instruction.destination) + ", found none in the whole launch",
                 "init_c2", "read it, write it where it is read, or leave the instruction out");
    return false;
  }
  return true;
}

bool ContentCheck::checkGather(const SimInstruction &op) {
  const SimAccess &source = op.accesses[1], &offsets = op.accesses[2];
  if (!checkRow(op, offsets, offsets.address, offsets.end()))
    return false;
  const int64_t size = elementSize(source.operand->type);
  for (int64_t i = 0; i < op.count; ++i) {
    uint32_t offset;
    std::memcpy(&offset, ub + offsets.address + i * 4, sizeof(offset));
    const int64_t begin = source.address + offset;
    if (!checkRow(op, source, begin, begin + size))
      return false;
  }
  return true;
}

void ContentCheck::writeRow(const SimInstruction &op, uint16_t buffer, int64_t begin, int64_t end, bool defined) {
  if (begin >= end)
    return;
  const int64_t first = begin / kBlockBytes, last = (end - 1) / kBlockBytes;
  for (int64_t block : {first, last}) {
    const size_t index = size_t(block);
    const uint32_t bytes = bytesOf(block, begin, end);
    // A recorded call is an instruction for each tensor of a queue.
    const bool isSame =
        owner[index] != kNoBuffer &&
        (writer[index] == op.index ||
         (launch.options.recorded && launch.program.instructions[writer[index]].location == op.instruction->location));
    // A scalar replaces an element of a tile, which in a small launch may be the whole tile.
    const uint32_t whole = op.instruction->kind == PipeInstruction::ScalarWrite ? kAllBytes : written[index];
    // A kernel by hand may initialise a tile and set its final value later: that is useless, but not an error.
    const bool isSetAgain = launch.options.recorded && owner[index] == buffer;
    if (unread != 0 && ((whole & ~bytes) != 0 || isSetAgain) && owner[index] != kNoBuffer && !isSame)
      read(writer[index]);
    // This buffer must not read the rest of the block, which another buffer wrote.
    if (owner[index] != buffer)
      written[index] = 0;
    written[index] = defined ? written[index] | bytes : written[index] & ~bytes;
    owner[index] = buffer;
    writer[index] = op.index;
  }
  for (int64_t block = first + 1; block < last; ++block) {
    written[size_t(block)] = defined ? kAllBytes : 0u;
    owner[size_t(block)] = buffer;
    writer[size_t(block)] = op.index;
  }
}

/// The bytes of an access that the result depends on; without the lanes that pad a compare's last vector.
static int64_t meantBytes(const SimInstruction &op, const SimAccess &access) {
  if (op.instruction->kind != PipeInstruction::Vector)
    return access.rowBytes;
  const IntrinsicForm form = intrinsicInfo(op.instruction->intrinsic).form;
  return writesMask(form) ? op.count * elementSize(access.operand->type) : access.rowBytes;
}

/// The number of elements that a mask keeps.
int64_t ContentCheck::keptBy(const SimAccess &mask, int64_t count) const {
  int64_t kept = 0;
  for (int64_t i = 0; i < count; ++i)
    kept += (ub[mask.address + i / 8] >> (i % 8)) & 1;
  return kept;
}

/// Records the write of a vector instruction that writes only parts of its destination, depending on its sources.
void ContentCheck::writeParts(const SimInstruction &op, IntrinsicForm form) {
  const SimAccess &destination = op.accesses[0];
  const uint16_t buffer = destination.operand->buffer;
  const int64_t size = elementSize(destination.operand->type);
  if (form == IntrinsicForm::GatherMask) {
    const int64_t end = destination.address + size * keptBy(op.accesses[1], op.count);
    writeRow(op, buffer, destination.address, end, true);
    return writeRow(op, buffer, end, destination.end(), false);
  }
  for (int64_t i = 0; i < op.count; ++i) {
    uint32_t offset;
    std::memcpy(&offset, ub + op.accesses[2].address + i * 4, sizeof(offset));
    const int64_t begin = destination.address + offset;
    writeRow(op, buffer, begin, begin + size, true);
  }
}

/// Fractals are copied whole, including unwritten rows, which are undefined in the copy too.
void ContentCheck::copyFractals(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  if (op.instruction->transposed && elementSize(to.operand->type) == 4)
    return copySquaresOfWords(op);
  // Transposed elements of 16 bits are a square of 16 rows, bytes one of 32: as many rows as a row has elements.
  const bool isTransposed = op.instruction->transposed;
  const int64_t size = elementSize(to.operand->type), rows = to.rowBytes / kFractalRowBytes;
  const uint32_t element = (1u << size) - 1;
  for (int64_t fractal = 0; fractal < op.rows; ++fractal) {
    const int64_t source = (from.address + fractal * from.stride) / kBlockBytes;
    const int64_t begin = to.address + fractal * to.stride, destination = begin / kBlockBytes;
    if (unread != 0)
      noteRead(source, source + rows - 1);
    uint32_t defined[kFractalRowBytes];
    for (int64_t row = 0; row < rows; ++row)
      defined[row] = owner[size_t(source + row)] == from.operand->buffer ? written[size_t(source + row)] : 0u;
    writeRow(op, to.operand->buffer, begin, begin + to.rowBytes, true);
    for (int64_t row = 0; row < rows; ++row) {
      uint32_t bytes = isTransposed ? 0u : defined[row];
      for (int64_t column = 0; column < rows && isTransposed; ++column)
        bytes |= (defined[column] >> (size * row) & element) << (size * column);
      written[size_t(destination + row)] = bytes;
    }
  }
}

/// A square of 16 x 16 elements of 32 bits is two fractals of 16 rows, each of 8 columns.
void ContentCheck::copySquaresOfWords(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  constexpr int64_t size = 4, width = kFractalRowBytes / size, side = kFractalRows;
  constexpr uint32_t element = (1u << size) - 1;
  const int64_t apart = to.rowBytes == kFractalBytes ? op.rows * to.stride : kFractalBytes;
  for (int64_t square = 0; square < op.rows; ++square) {
    const int64_t source = (from.address + square * from.stride) / kBlockBytes;
    if (unread != 0)
      noteRead(source, source + 2 * side - 1);
    uint32_t defined[2 * side];
    for (int64_t row = 0; row < 2 * side; ++row)
      defined[row] = owner[size_t(source + row)] == from.operand->buffer ? written[size_t(source + row)] : 0u;
    for (int64_t half = 0; half < 2; ++half) {
      const int64_t begin = to.address + square * to.stride + half * apart;
      writeRow(op, to.operand->buffer, begin, begin + kFractalBytes, true);
      for (int64_t row = 0; row < side; ++row) {
        uint32_t bytes = 0;
        for (int64_t column = 0; column < width; ++column) {
          // Element (row, column) of this half is element (column, row) of the source.
          const uint32_t block = defined[row / width * side + half * width + column];
          bytes |= (block >> (size * (row % width)) & element) << (size * column);
        }
        written[size_t(begin / kBlockBytes + row)] = bytes;
      }
    }
  }
}

/// Rows of 32 bytes are copied as they are, whether they are written or not; padding is written, and rows of fractals
/// beyond the windows are not.
void ContentCheck::copyWindows(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  if (to.rowBytes == 0)
    return;
  const SimImage &image = op.image;
  const int64_t width = kFractalRowBytes / elementSize(to.operand->type), blocks = op.count / width;
  const int64_t firstRow = image.of(ImageNumber::FirstRow), firstBlock = image.of(ImageNumber::FirstColumn) / width;
  const int64_t start = from.address / kBlockBytes - image.blocksBefore(width) * image.places();
  const int64_t windows = image.windowsDown() * image.windowsAcross();
  std::vector<uint32_t> bytes(size_t(op.rows * blocks), 0u);
  for (int64_t i = 0; i < op.rows * blocks; ++i) {
    // Fractals of 16 rows follow one another.
    const int64_t fractal = i / kFractalRows, row = firstRow + fractal / blocks * kFractalRows + i % kFractalRows;
    if (row >= windows)
      continue;
    const int64_t place = image.source(row, firstBlock + fractal % blocks);
    if (place < 0) {
      bytes[size_t(i)] = ~0u;
      continue;
    }
    if (unread != 0)
      noteRead(start + place, start + place);
    if (owner[size_t(start + place)] == from.operand->buffer)
      bytes[size_t(i)] = written[size_t(start + place)];
  }
  writeRow(op, to.operand->buffer, to.address, to.address + to.rowBytes, true);
  std::copy(bytes.begin(), bytes.end(), written.begin() + to.address / kBlockBytes);
}

/// A copy to the bias table takes undefined bytes along: it moves units of 64 bytes.
void ContentCheck::copyBias(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  const int64_t source = from.address / kBlockBytes, destination = to.address / kBlockBytes;
  writeRow(op, to.operand->buffer, to.address, to.end(), true);
  for (int64_t block = 0; block < to.rowBytes / kBlockBytes; ++block) {
    if (unread != 0)
      noteRead(source + block, source + block);
    written[size_t(destination + block)] =
        owner[size_t(source + block)] == from.operand->buffer ? written[size_t(source + block)] : 0u;
  }
}

/// Rows beyond m are results of undefined rows of L0A.
void ContentCheck::writeProduct(const SimInstruction &op, const SimAccess &access) {
  const int64_t height = (op.rows + kFractalRows - 1) / kFractalRows * kFractalRows, row = kFractalRows * 4;
  for (int64_t begin = access.address; begin < access.end(); begin += height * row) {
    writeRow(op, access.operand->buffer, begin, begin + op.rows * row, true);
    writeRow(op, access.operand->buffer, begin + op.rows * row, begin + height * row, false);
  }
}

bool ContentCheck::performs(const SimInstruction &op) {
  const PipeInstruction &instruction = *op.instruction;
  const bool vector = instruction.kind == PipeInstruction::Vector;
  const IntrinsicForm form = vector ? intrinsicInfo(instruction.intrinsic).form : IntrinsicForm::Unary;
  const bool gather = vector && form == IntrinsicForm::Gather;
  if (!results.empty())
    noteResult(op);
  if (gather && !checkGather(op))
    return false;
  if (instruction.kind == PipeInstruction::LoadFractals) {
    copyFractals(op);
    return true;
  }
  if (instruction.kind == PipeInstruction::LoadIm2col) {
    copyWindows(op);
    return true;
  }
  if (instruction.kind == PipeInstruction::LoadBias) {
    copyBias(op);
    return true;
  }
  const bool mayMeanMore = launch.options.recorded || launch.options.leastCounts;
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const SimAccess &access = op.accesses[i];
    if (gather || access.write || access.operand->space != ProgramOperand::UB)
      continue;
    const int64_t bytes = meantBytes(op, access);
    for (int64_t row = 0; row < access.rows; ++row) {
      const int64_t begin = access.address + row * access.stride;
      if (!checkRow(op, access, begin, begin + bytes))
        return false;
      if (unread != 0 && mayMeanMore && access.rowBytes > bytes)
        noteRead(begin / kBlockBytes, (begin + access.rowBytes - 1) / kBlockBytes);
    }
  }
  if (vector && (form == IntrinsicForm::GatherMask || form == IntrinsicForm::Scatter)) {
    writeParts(op, form);
    return true;
  }
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const SimAccess &access = op.accesses[i];
    if (!access.write || access.operand->space != ProgramOperand::UB)
      continue;
    if (instruction.kind == PipeInstruction::Mmad) {
      writeProduct(op, access);
      continue;
    }
    const bool copied = instruction.kind == PipeInstruction::Load || instruction.kind == PipeInstruction::Fixpipe;
    for (int64_t row = 0; row < access.rows; ++row) {
      const int64_t begin = access.address + row * access.stride, end = begin + access.rowBytes;
      writeRow(op, access.operand->buffer, begin, end, access.operand != &instruction.scratch);
      // A copy leaves the end of a row's last block undefined, unless it has a padding value.
      if (copied && end % kBlockBytes != 0)
        writeRow(op, access.operand->buffer, end, (end / kBlockBytes + 1) * kBlockBytes, false);
    }
  }
  return true;
}

} // namespace opc::sim
