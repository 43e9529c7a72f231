// memcheck. Later checks rely on earlier ones: counts, strides, addresses, overlaps.

#include "runtime/device/sim/sanitize/MemoryCheck.h"

#include "runtime/device/sim/launch/Capture.h"

#include <algorithm>
#include <cstring>

namespace opc::sim {

static std::string number(int64_t value) {
  return std::to_string(value);
}

static bool isScalarAccess(const PipeInstruction &instruction) {
  return instruction.kind == PipeInstruction::ScalarRead || instruction.kind == PipeInstruction::ScalarWrite;
}

/// One past the last byte; the type is wide enough for any register values.
static __int128 endOf(const SimAccess &access) {
  if (access.rows == 0 || access.rowBytes == 0)
    return access.address;
  return __int128(access.address) + __int128(access.rows - 1) * access.stride + access.rowBytes;
}

/// The bytes of an access, of a tensor or of the memory that `begin` is the window of.
static std::string rangeText(const SimAccess &access, int64_t begin = 0) {
  const __int128 end = endOf(access) - begin, first = __int128(access.address) - begin;
  auto text = [](__int128 byte) {
    return byte <= INT64_MAX && byte >= INT64_MIN ? number(int64_t(byte)) : "beyond 2^63";
  };
  return "bytes " + text(first) + " to " + text(end);
}

bool MemoryCheck::refuse(Code code, const SimInstruction &op, std::string found, std::string rule,
                         std::string fix) const {
  Diagnostic &diagnostic =
      launch.error(code, *op.instruction, launch.describe(*op.instruction) + " " + std::move(found), std::move(rule),
                   std::move(fix));
  if (op.block != 0)
    diagnostic.notes.push_back(Note{launch.locationOf(*op.instruction), "in block " + number(op.block)});
  return false;
}

bool MemoryCheck::issued(const SimInstruction &op) {
  if (op.instruction->kind == PipeInstruction::SetFlag || op.instruction->kind == PipeInstruction::WaitFlag ||
      op.instruction->kind == PipeInstruction::Barrier)
    return true;
  if (!checkCount(op))
    return false;
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const SimAccess &access = op.accesses[i];
    if (!checkStride(op, access))
      return false;
    if (!(access.operand->space == ProgramOperand::UB ? checkUnifiedBuffer(op, access) : checkGlobal(op, access)))
      return false;
  }
  return checkOverlap(op);
}

bool MemoryCheck::checkCount(const SimInstruction &op) const {
  const PipeInstruction &instruction = *op.instruction;
  if (op.count < 0 || op.rows < 0)
    return refuse(Code::E0563, op, "expects a count of 0 or more, found " + number(op.count < 0 ? op.count : op.rows),
                  "sim_c10");
  if (instruction.kind == PipeInstruction::Vector) {
    if (op.count == 0 && intrinsicInfo(instruction.intrinsic).form == IntrinsicForm::Reduce)
      return refuse(Code::E0563, op, "expects at least one element to reduce, found none", "sim_c10");
    return checkWhole(op);
  }
  if (isScalarAccess(instruction))
    return true;
  if (isOfCube(instruction.kind))
    return checkCube(op);
  if (op.rows > launch.target.maxCopyBlocks())
    return refuse(Code::E0563, op,
                  "expects at most " + number(launch.target.maxCopyBlocks()) + " rows, found " + number(op.rows),
                  "sim_c11", "copy in several steps");
  const int64_t size = elementSize(instruction.sources[0].type);
  if (op.count > launch.target.maxCopyBlockBytes() / size)
    return refuse(Code::E0563, op,
                  "expects rows of at most " + number(launch.target.maxCopyBlockBytes()) + " bytes, found " +
                      number(op.count) + " elements of " + number(size) + " bytes",
                  "sim_c11", "copy in several steps");
  return true;
}

bool MemoryCheck::checkCube(const SimInstruction &op) const {
  if (const std::optional<CubeSize> size = limits.beyond(op))
    return refuse(Code::E0563, op,
                  "expects " + number(size->least) + " to " + number(size->most) + " " + std::string(size->what) +
                      ", found " + number(size->value),
                  "sim_c11");
  const PipeInstruction &instruction = *op.instruction;
  if (instruction.kind == PipeInstruction::Mmad && op.rows == 1)
    return refuse(
        Code::E0563, op,
        "expects m of 2 or more: with 1 the chip reads its left operand as a row of k, not as fractals; found 1",
        "sim_c10", "m = 2, with a second row of zeros");
  if (instruction.kind == PipeInstruction::Mmad && op.scalar > 1)
    return refuse(Code::E0563, op, "expects 0 or 1 as the start value, found " + std::to_string(op.scalar), "sim_c10");
  if (instruction.packed && op.accesses[1].rowBytes % kFractalRowBytes != 0)
    return refuse(Code::E0561, op,
                  "expects columns of fractals in whole blocks of " + number(kFractalRowBytes) + " bytes, found " +
                      number(op.accesses[1].rowBytes),
                  "sim_c12");
  if (instruction.kind == PipeInstruction::LoadNz && instruction.pipe == Pipe::MTE3 && op.rows > 1 &&
      op.accesses[1].stride % kFractalRowBytes != 0)
    return refuse(Code::E0561, op,
                  "expects rows every multiple of " + number(kFractalRowBytes) + " bytes in UB, found every " +
                      number(op.accesses[1].stride),
                  "sim_c12");
  if (instruction.kind == PipeInstruction::LoadIm2col && !checkImage(op))
    return false;
  if (instruction.kind == PipeInstruction::Fixpipe && instruction.packed &&
      (op.count % kFractalRows != 0 || (op.accesses[0].rows > 1 && op.accesses[0].stride % kFractalRowBytes != 0)))
    return refuse(Code::E0561, op,
                  "expects whole columns of fractals every multiple of " + number(kFractalRowBytes) + " bytes, found " +
                      number(op.count) + " columns of elements every " + number(op.accesses[0].stride) + " bytes",
                  "sim_c12");
  const SimAccess &from = op.accesses[instruction.kind == PipeInstruction::Fixpipe ? 1 : 0];
  const int64_t unit = instruction.kind == PipeInstruction::Fixpipe        ? kResultFractalBytes
                       : instruction.kind == PipeInstruction::LoadFractals ? kFractalBytes
                                                                           : kFractalRowBytes;
  if (from.rows > 1 && from.stride % unit != 0)
    return refuse(Code::E0561, op,
                  "expects columns and fractals every multiple of " + number(unit) + " bytes, found every " +
                      number(from.stride),
                  "sim_c12");
  const int64_t repeat = instruction.repeatBytes();
  if (instruction.kind == PipeInstruction::LoadFractals && op.rows > 1 && op.accesses[1].stride % repeat != 0)
    return refuse(Code::E0561, op,
                  "expects fractals every multiple of " + number(repeat) + " bytes, found every " +
                      number(op.accesses[1].stride),
                  "sim_c12");
  return true;
}

/// Checks that a load of windows takes whole fractals of the matrix of windows, which has them. Its numbers are within
/// the limits of the call.
bool MemoryCheck::checkImage(const SimInstruction &op) const {
  if (op.rows == 0 || op.count == 0)
    return true;
  const SimImage &image = op.image;
  const int64_t width = kFractalRowBytes / elementSize(op.instruction->sources[0].type);
  const int64_t firstRow = image.of(ImageNumber::FirstRow), firstColumn = image.of(ImageNumber::FirstColumn);
  if (op.rows % kFractalRows != 0 || firstRow % kFractalRows != 0 || op.count % width != 0 ||
      firstColumn % width != 0 || image.of(ImageNumber::Channels) % width != 0)
    return refuse(Code::E0563, op,
                  "expects rows in sixteens, columns and channels in multiples of " + number(width) + ", found " +
                      number(op.rows) + " rows from " + number(firstRow) + ", " + number(op.count) + " columns from " +
                      number(firstColumn) + " and " + number(image.of(ImageNumber::Channels)) + " channels",
                  "sim_c45");
  const int64_t windows = image.windowsDown() * image.windowsAcross();
  const int64_t columns = image.of(ImageNumber::Channels) * image.elements();
  if (firstRow + op.rows - kFractalRows < windows && firstColumn + op.count <= columns)
    return true;
  return refuse(Code::E0563, op,
                "expects windows that the image has, " + number(windows) + " of " + number(columns) +
                    " elements, found rows " + number(firstRow) + " to " + number(firstRow + op.rows) +
                    " and columns " + number(firstColumn) + " to " + number(firstColumn + op.count),
                "sim_c45");
}

/// Checks the scales that an instruction is about to read: the chip drops the low bits of each.
bool MemoryCheck::checkScales(const SimInstruction &op) const {
  const int64_t dropped = 32 - launch.target.limit("fixpipe_scale_bits");
  for (int64_t column = 0; column < op.count && op.rows > 0; ++column) {
    uint64_t scale;
    std::memcpy(&scale, ub + op.accesses[2].address + column * kScaleBytes, sizeof scale);
    if ((scale & ((uint64_t(1) << dropped) - 1)) != 0 || scale >> 32 != 0)
      return refuse(Code::E0563, op,
                    "expects scales of " + number(launch.target.limit("fixpipe_scale_bits")) + " bits: the low " +
                        number(dropped) + " bits of each f32 are zeros, as are the 32 bits after it; found bits " +
                        std::to_string(scale) + " in column " + number(column),
                    "sim_c46", "round the scales to 10 bits of fraction");
  }
  return true;
}

/// Checks that the tile of a reduction of rows is whole rows, which contain the reduced elements. Their strides are
/// checked like those of copies: capture() gives rows that are not whole a stride of 0.
bool MemoryCheck::checkReducedRows(const SimInstruction &op) const {
  const int64_t elements = op.accesses[2].rowBytes / elementSize(op.instruction->sources[0].type);
  if (op.rows == 0 ? elements == 0 : elements % op.rows == 0 && op.count <= elements / op.rows)
    return true;
  return refuse(Code::E0563, op,
                "expects whole rows of at least " + number(op.count) + " elements, found " + number(elements) +
                    " elements in " + number(op.rows) + " rows",
                "sim_c10");
}

/// Checks that counts are multiples of the unit of intrinsics that work on several elements at once.
bool MemoryCheck::checkWhole(const SimInstruction &op) const {
  const IntrinsicForm form = intrinsicInfo(op.instruction->intrinsic).form;
  const ElementType type = op.instruction->sources[0].type;
  const int64_t unit = countUnit(form, type), size = elementSize(type);
  if (form == IntrinsicForm::Transpose && op.count != unit)
    return refuse(Code::E0563, op, "expects " + number(unit) + " elements, found " + number(op.count), "sim_c10");
  if (takesRows(*op.instruction)) {
    const int64_t blocks = op.accesses[2].rowBytes / size, lanes = kBlockBytes / size;
    const bool whole = blocks == 0 ? op.count == 0 : blocks == lanes || op.count % blocks == 0;
    if (blocks >= 0 && blocks % lanes == 0 && whole)
      return true;
    return refuse(Code::E0563, op,
                  "expects rows of whole blocks of " + number(lanes) + " elements and a block for each, found " +
                      number(op.count) + " elements and " + number(blocks) + " of blocks",
                  "sim_c10");
  }
  if (reducesRows(*op.instruction))
    return checkReducedRows(op);
  if (form != IntrinsicForm::Merge && op.count % unit == 0)
    return true;
  if (form != IntrinsicForm::Merge)
    return refuse(Code::E0563, op, "expects a multiple of " + number(unit) + " elements, found " + number(op.count),
                  "sim_c10");
  for (unsigned i = 1; i < op.numAccesses; ++i) {
    const int64_t bytes = op.accesses[i].rowBytes;
    if (bytes % kPairBytes != 0 || bytes / kPairBytes > launch.target.maxMergePairs())
      return refuse(Code::E0563, op,
                    "expects lists of whole pairs, at most " + number(launch.target.maxMergePairs()) + ", found " +
                        number(bytes / size) + " elements in " + launch.describe(*op.accesses[i].operand),
                    "sim_c11");
  }
  return true;
}

/// Checks that the rows of a copy do not overlap and, in UB, start at whole blocks.
bool MemoryCheck::checkStride(const SimInstruction &op, const SimAccess &access) const {
  const bool overlaps = access.stride < access.rowBytes;
  const bool isAligned =
      access.operand->space != ProgramOperand::UB || access.stride % launch.target.ubAlignment() == 0;
  return access.rows <= 1 || (!overlaps && isAligned) || refuseStride(op, access);
}

bool MemoryCheck::refuseStride(const SimInstruction &op, const SimAccess &access) const {
  if (access.stride < access.rowBytes)
    return refuse(Code::E0561, op,
                  "expects rows of " + launch.describe(*access.operand) + " that do not overlap, found rows of " +
                      number(access.rowBytes) + " bytes every " + number(access.stride) + " bytes",
                  "sim_c12");
  return refuse(Code::E0561, op,
                "expects rows of " + launch.describe(*access.operand) + " every multiple of " +
                    number(launch.target.ubAlignment()) + " bytes, found every " + number(access.stride),
                "sim_c12");
}

bool MemoryCheck::checkUnifiedBuffer(const SimInstruction &op, const SimAccess &access) const {
  const ProgramBuffer &buffer = launch.program.buffers[access.operand->buffer];
  const Memory memory = buffer.memory();
  const int64_t begin = windowOf(memory), bytes = launch.target.memoryBytes(memory);
  const __int128 end = endOf(access);
  if (access.address < begin || end > begin + bytes)
    return refusePlace(op, access, Misplaced::Outside, 0);
  const bool anyElement = isScalarAccess(*op.instruction) || op.instruction->partial;
  const int64_t alignment = anyElement ? elementSize(access.operand->type) : launch.target.memoryAlignment(memory);
  if (access.address % alignment != 0)
    return refusePlace(op, access, Misplaced::Unaligned, alignment);
  // The rest of the last slot's last block belongs to no other buffer.
  const int64_t offset = access.address - buffer.address;
  const int64_t unit = launch.target.ubAlignment();
  const int64_t capacity = (buffer.slots * buffer.slotBytes + unit - 1) / unit * unit;
  auto slotOf = [&buffer](int64_t byte) { return std::min(byte / buffer.slotBytes, buffer.slots - 1); };
  const bool inBuffer = offset >= 0 && offset <= capacity && end <= buffer.address + capacity;
  const bool inSlot =
      inBuffer && (end == access.address || slotOf(offset) == slotOf(int64_t(end) - 1 - buffer.address));
  return inSlot || refusePlace(op, access, Misplaced::OtherSlot, alignment);
}

bool MemoryCheck::refusePlace(const SimInstruction &op, const SimAccess &access, Misplaced how,
                              int64_t alignment) const {
  const ProgramBuffer &buffer = launch.program.buffers[access.operand->buffer];
  const Memory memory = buffer.memory();
  const int64_t begin = windowOf(memory);
  if (how == Misplaced::Outside)
    return refuse(Code::E0560, op,
                  "expects the " + number(launch.target.memoryBytes(memory)) + " bytes of " +
                      std::string(memoryName(memory)) + ", found " + rangeText(access, begin) + " as " +
                      launch.describe(*access.operand),
                  "sim_c13");
  if (how == Misplaced::Unaligned)
    return refuse(Code::E0561, op,
                  "expects an address of " + launch.describe(*access.operand) + " that is a multiple of " +
                      number(alignment) + ", found " + number(access.address - begin),
                  "sim_c14");
  return refuse(Code::E0562, op,
                "expects one slot of " + launch.describe(*access.operand) + " (" + number(buffer.slots) + " of " +
                    number(buffer.slotBytes) + " bytes from " + number(buffer.address - begin) + "), found " +
                    rangeText(access, begin),
                "sim_c15");
}

/// The chip has no booleans: kernels move them as bytes, 0 or 1.
static bool movesAs(ElementType moved, ElementType stored, bool isWritten) {
  // No copy takes elements of 64 bits: indices are read as pairs of words.
  if (stored == ElementType::Int64 && moved == ElementType::Int32)
    return !isWritten;
  return moved == stored || (stored == ElementType::Bool && moved == ElementType::Int8);
}

/// Checks that an access ends with its tensor. A copy of whole blocks may access the rest of the memory that a recorded
/// kernel's tensor has on the device: a remark. For a copy that counts bytes, an access after the end is always
/// an error.
bool MemoryCheck::checkEnd(const SimInstruction &op, const SimAccess &access) const {
  const SimTensor &tensor = launch.tensors[access.operand->tensor];
  const bool isBlocks = launch.options.recorded && access.rowBytes % kBlockBytes == 0;
  const int64_t capacity = isBlocks ? std::max(tensor.bytes, tensor.capacity) : tensor.bytes;
  if (access.address < 0 || endOf(access) > capacity)
    return refuse(Code::E0560, op,
                  "expects the " + number(tensor.bytes) + " bytes of " + launch.describe(*access.operand) + ", found " +
                      rangeText(access),
                  "sim_c17");
  if (endOf(access) > tensor.bytes && beyond.insert(op.instruction->location).second) {
    Diagnostic remark;
    remark.severity = Severity::Remark;
    remark.code = Code::E0560;
    remark.location = launch.locationOf(*op.instruction);
    remark.rule = "sim_c17";
    remark.message =
        launch.describe(*op.instruction) + (access.write ? " writes " : " reads ") +
        number(int64_t(endOf(access) - tensor.bytes)) + " bytes after the end of " + launch.describe(*access.operand) +
        ", in the blocks of 32 bytes with which its memory ends; they are " + (access.write ? "lost" : "undefined");
    remark.fix = "DataCopyPad moves the bytes of the tensor alone";
    launch.diagnostics.add(std::move(remark));
  }
  return true;
}

bool MemoryCheck::checkGlobal(const SimInstruction &op, const SimAccess &access) const {
  const SimTensor &tensor = launch.tensors[access.operand->tensor];
  // Kernels by hand have views of any type: the memory is bytes.
  const bool anyType = launch.options.recorded;
  if (!anyType && !movesAs(access.operand->type, tensor.type, access.write))
    return refuse(Code::E0563, op,
                  "expects elements of type " + std::string(elementTypeName(access.operand->type)) + " in " +
                      launch.describe(*access.operand) + ", found " + std::string(elementTypeName(tensor.type)),
                  "sim_c16");
  if (!checkEnd(op, access))
    return false;
  const int64_t size = elementSize(anyType ? access.operand->type : tensor.type);
  if (access.address % size != 0 || (access.rows > 1 && access.stride % size != 0))
    return refuse(Code::E0561, op,
                  "expects whole elements of " + launch.describe(*access.operand) + ", found rows from byte " +
                      number(access.address) + (access.rows > 1 ? " every " + number(access.stride) + " bytes" : ""),
                  "sim_c14");
  if (access.write && !tensor.writable)
    return refuse(Code::E0560, op, "expects an output to store to, found input " + launch.describe(*access.operand),
                  "sim_c18");
  return true;
}

/// A destination may be a source where lanes keep their positions: at the same address and with lanes of the same
/// width. A gather of a kernel by hand may overwrite its offsets: lane i needs only offset i. The result of any other
/// overlap depends on the order of lanes, which is not specified.
bool MemoryCheck::checkOverlap(const SimInstruction &op) const {
  if (op.instruction->kind != PipeInstruction::Vector)
    return true;
  const IntrinsicForm form = intrinsicInfo(op.instruction->intrinsic).form;
  const bool lanesStay = worksInPlace(form) && !reducesRows(*op.instruction);
  // Each step of a reduction writes before the elements that later steps read (docs/rationale/ascendc-in.md).
  const bool mayReuse = form == IntrinsicForm::Reduce && launch.options.recorded && !reducesRows(*op.instruction);
  // Kept elements move down: each is read before it is overwritten.
  const bool movesDown =
      (form == IntrinsicForm::GatherMask || form == IntrinsicForm::GatherPattern) && launch.options.recorded;
  const ProgramOperand *offsets =
      form == IntrinsicForm::Gather && launch.options.recorded ? &op.instruction->sources[1] : nullptr;
  const ProgramOperand *gathered =
      movesDown ? &op.instruction->sources[form == IntrinsicForm::GatherMask ? 1 : 0] : nullptr;
  for (unsigned w = 0; w < op.numAccesses; ++w)
    for (unsigned i = 0; i < op.numAccesses; ++i) {
      const SimAccess &written = op.accesses[w], &other = op.accesses[i];
      if (i == w || !written.write || (other.write && i < w))
        continue;
      if (written.end() <= other.address || other.end() <= written.address)
        continue;
      const bool inPlace = (lanesStay || other.operand == offsets) && !other.write &&
                           written.address == other.address && written.rowBytes == other.rowBytes;
      const bool isAbove = other.operand == gathered && written.address <= other.address;
      if (!inPlace && !isAbove && !(mayReuse && written.address == other.address))
        return refuse(Code::E0564, op,
                      "expects operands apart or one in place of the other, found " + rangeText(written) + " of " +
                          launch.describe(*written.operand) + " written and " + rangeText(other) + " of " +
                          launch.describe(*other.operand) + (other.write ? " written" : " read"),
                      "sim_c19");
    }
  return true;
}

bool MemoryCheck::performs(const SimInstruction &op) {
  if (op.instruction->kind == PipeInstruction::Fixpipe && op.instruction->sources[1].space != ProgramOperand::None)
    return checkScales(op);
  if (op.instruction->kind != PipeInstruction::Vector)
    return true;
  const IntrinsicForm form = intrinsicInfo(op.instruction->intrinsic).form;
  if (form != IntrinsicForm::Gather && form != IntrinsicForm::Scatter)
    return true;
  // The tile that offsets count in: a gather's source, a scatter's destination.
  const SimAccess &tile = op.accesses[form == IntrinsicForm::Gather ? 1 : 0];
  const SimAccess &offsets = op.accesses[2];
  const int64_t size = elementSize(tile.operand->type);
  for (int64_t i = 0; i < op.count; ++i) {
    uint32_t offset;
    std::memcpy(&offset, ub + offsets.address + i * 4, sizeof(offset));
    if (offset % size != 0 || int64_t(offset) + size > tile.rowBytes)
      return refuse(Code::E0560, op,
                    "expects offsets of whole elements within the " + number(tile.rowBytes) + " bytes of " +
                        launch.describe(*tile.operand) + ", found " + std::to_string(offset) + " in lane " + number(i),
                    "sim_c17");
  }
  return true;
}

} // namespace opc::sim
