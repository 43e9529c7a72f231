// The check of a simulator program: all values that an interpreter uses as indices are in bounds.
//
// In order: the head (chip, registers, tiling data), buffers, the scalar code, then each pipe instruction by its
// kind. A vector instruction is checked against the form of its intrinsic (which operands exist, and in which memory)
// and the types that the target supports.

#include "runtime/program/SimulatorProgram.h"

#include "runtime/diagnostic/Diagnostic.h"

#include <algorithm>
#include <optional>

using namespace opc;

static constexpr int64_t kMaxSlots = 64;

namespace {

/// Each check returns the broken rule and what was found, or an empty text.
class Checker {
public:
  explicit Checker(const SimulatorProgram &program) : program(program) {}

  std::string check();

private:
  std::string checkHead();
  std::string checkBuffer(const ProgramBuffer &buffer) const;
  std::string checkScalar(const ScalarInstruction &instruction) const;
  std::string checkInstruction(const PipeInstruction &instruction) const;
  std::string checkRegisters(const PipeInstruction &instruction) const;
  std::string checkCopy(const PipeInstruction &instruction) const;
  std::string checkVector(const PipeInstruction &instruction) const;
  std::string checkSources(const PipeInstruction &instruction, IntrinsicForm form) const;
  std::string checkTypes(const PipeInstruction &instruction) const;
  std::string checkFlag(const PipeInstruction &instruction) const;
  std::string checkScalarRead(const PipeInstruction &instruction) const;
  std::string checkScalarWrite(const PipeInstruction &instruction) const;
  std::string checkCube(const PipeInstruction &instruction) const;
  std::string checkCubeTypes(const PipeInstruction &instruction) const;
  std::string checkScalarOperand(const ProgramOperand &operand, const std::string &what) const;
  std::string checkOperand(const ProgramOperand &operand, ProgramOperand::Space space, const std::string &what,
                           Memory memory = Memory::UB) const;

  bool isRegister(int64_t reg) const { return reg >= 0 && reg < program.numRegisters; }
  bool isOptionalRegister(uint16_t reg) const { return reg == kNoRegister || isRegister(reg); }

  const SimulatorProgram &program;
  const Target *target = nullptr;
};

} // namespace

static std::string inQuotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

std::string Checker::check() {
  if (std::string problem = checkHead(); !problem.empty())
    return problem;
  for (const ProgramBuffer &buffer : program.buffers)
    if (std::string problem = checkBuffer(buffer); !problem.empty())
      return "buffer " + inQuotes(buffer.name) + ": " + problem;
  for (size_t i = 0; i < program.code.size(); ++i)
    if (std::string problem = checkScalar(program.code[i]); !problem.empty())
      return "scalar instruction " + std::to_string(i) + ": " + problem;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    std::string problem = checkInstruction(program.instructions[i]);
    if (problem.empty())
      problem = checkRegisters(program.instructions[i]);
    if (!problem.empty())
      return "pipe instruction " + std::to_string(i) + ": " + problem;
  }
  return {};
}

std::string Checker::checkHead() {
  target = findTarget(program.target);
  if (!target)
    return "expects a known chip, found " + inQuotes(program.target);
  if (program.numRegisters == kNoRegister)
    return "expects fewer than " + std::to_string(kNoRegister) + " registers";
  if (program.buffers.size() >= kNoBuffer)
    return "expects fewer than " + std::to_string(kNoBuffer) + " buffers";
  if (program.code.empty() || program.code.back().op != ScalarOp::Halt)
    return "expects scalar code that ends with halt";
  for (const TilingField &field : program.tilingData)
    if (field.type > TilingField::Float32)
      return "expects a known type of tiling field " + inQuotes(field.name) + ", found type " +
             std::to_string(field.type);
  return {};
}

std::string Checker::checkBuffer(const ProgramBuffer &buffer) const {
  const Memory memory = buffer.memory();
  const int64_t capacity = target->memoryBytes(memory), address = buffer.address - windowOf(memory);
  if (buffer.slots < 1 || buffer.slots > kMaxSlots)
    return "expects 1 to " + std::to_string(kMaxSlots) + " slots, found " + std::to_string(buffer.slots);
  bool sizeFits = buffer.slotBytes >= 1 && buffer.slotBytes <= capacity;
  if (!sizeFits || address < 0 || address > capacity || buffer.slotBytes * buffer.slots > capacity - address)
    return "expects a place within the " + std::to_string(capacity) + " bytes of " + std::string(memoryName(memory)) +
           ", found " + std::to_string(buffer.slots) + " slots of " + std::to_string(buffer.slotBytes) + " bytes at " +
           std::to_string(address);
  return {};
}

std::string Checker::checkScalar(const ScalarInstruction &instruction) const {
  auto below = [&instruction](size_t size) {
    return instruction.imm >= 0 && static_cast<uint64_t>(instruction.imm) < size;
  };
  bool writes = true;
  unsigned reads = 2;
  switch (instruction.op) {
  case ScalarOp::Const:
  case ScalarOp::BlockIdx:
    reads = 0;
    break;
  case ScalarOp::Select:
    if (!isRegister(instruction.imm))
      return "expects a register to select, found " + std::to_string(instruction.imm);
    break;
  case ScalarOp::Param:
    reads = 0;
    if (!below(program.tilingData.size()))
      return "expects a field of the tiling data, found " + std::to_string(instruction.imm);
    break;
  case ScalarOp::Jump:
  case ScalarOp::JumpIfZero:
    writes = false;
    reads = instruction.op == ScalarOp::Jump ? 0 : 1;
    if (!below(program.code.size()))
      return "expects a jump within the code, found a jump to " + std::to_string(instruction.imm);
    break;
  case ScalarOp::Halt:
    writes = false;
    reads = 0;
    break;
  case ScalarOp::Issue:
  case ScalarOp::Read: {
    writes = instruction.op == ScalarOp::Read;
    reads = 0;
    if (!below(program.instructions.size()))
      return "expects a pipe instruction, found " + std::to_string(instruction.imm);
    const PipeInstruction &issued = program.instructions[static_cast<size_t>(instruction.imm)];
    if (issued.kind == PipeInstruction::ScalarWork)
      return "expects an instruction to issue or to read, found scalar work";
    if ((issued.kind == PipeInstruction::ScalarRead) != writes)
      return "expects reads to name a scalar read, and only them";
    break;
  }
  case ScalarOp::Work: {
    writes = false;
    reads = 0;
    const uint32_t place = placeOfWork(instruction);
    if (place >= program.instructions.size() || program.instructions[place].kind != PipeInstruction::ScalarWork)
      return "expects scalar work, found pipe instruction " + std::to_string(place);
    if (instruction.imm < 0 || instruction.imm > kMostScalarWork)
      return "expects 0 to " + std::to_string(kMostScalarWork) + " instructions of scalar work, found " +
             std::to_string(instruction.imm);
    break;
  }
  case ScalarOp::FNeg:
  case ScalarOp::FFromInt:
    reads = 1;
    break;
  default: {
    auto value = static_cast<uint16_t>(instruction.op);
    bool integer = value <= static_cast<uint16_t>(ScalarOp::Eq);
    bool real = value >= static_cast<uint16_t>(ScalarOp::FAdd) && value <= static_cast<uint16_t>(ScalarOp::FMin);
    if (!integer && !real)
      return "expects a known opcode, found " + std::to_string(value);
  }
  }
  if (writes && !isRegister(instruction.dst))
    return "expects a register to write, found " + std::to_string(instruction.dst);
  if ((reads >= 1 && !isRegister(instruction.a)) || (reads >= 2 && !isRegister(instruction.b)))
    return "expects registers to read, found " + std::to_string(instruction.a) + " and " +
           std::to_string(instruction.b);
  return {};
}

std::string Checker::checkOperand(const ProgramOperand &operand, ProgramOperand::Space space, const std::string &what,
                                  Memory memory) const {
  static constexpr std::string_view spaces[] = {"no operand", "an operand in UB", "an operand in GM"};
  if (operand.space != space)
    return what + " expects " + std::string(spaces[space]) + ", found " +
           (operand.space <= ProgramOperand::GM ? std::string(spaces[operand.space])
                                                : "space " + std::to_string(operand.space));
  if (space == ProgramOperand::None)
    return {};
  if (static_cast<unsigned>(operand.type) >= kNumElementTypes)
    return what + " expects a known element type, found " + std::to_string(static_cast<unsigned>(operand.type));
  if (!isRegister(operand.address))
    return what + " expects a register with its address, found " + std::to_string(operand.address);
  if (!isOptionalRegister(operand.stride))
    return what + " expects a register with its stride, found " + std::to_string(operand.stride);
  if (!isOptionalRegister(operand.length))
    return what + " expects a register with its length, found " + std::to_string(operand.length);
  if (space == ProgramOperand::UB && operand.buffer >= program.buffers.size())
    return what + " expects one of " + std::to_string(program.buffers.size()) + " buffers, found " +
           std::to_string(operand.buffer);
  if (space == ProgramOperand::UB && program.buffers[operand.buffer].memory() != memory)
    return what + " expects a buffer in " + std::string(memoryName(memory)) + ", found one in " +
           std::string(memoryName(program.buffers[operand.buffer].memory()));
  if (space == ProgramOperand::GM && operand.tensor >= program.numTensors)
    return what + " expects one of " + std::to_string(program.numTensors) + " tensors, found " +
           std::to_string(operand.tensor);
  return {};
}

std::string Checker::checkInstruction(const PipeInstruction &instruction) const {
  if (static_cast<unsigned>(instruction.pipe) >= kNumPipes || static_cast<unsigned>(instruction.other) >= kNumPipes)
    return "expects known pipes";
  if (instruction.location >= program.locations.size())
    return "expects one of " + std::to_string(program.locations.size()) + " locations, found " +
           std::to_string(instruction.location);
  if (instruction.atomicAdd && instruction.kind != PipeInstruction::Store)
    return "expects an atomic add on stores only";
  if (instruction.partial && instruction.kind != PipeInstruction::Vector)
    return "expects lanes of a wider call on vector instructions only";
  if (instruction.index != ReduceIndex::None && instruction.kind != PipeInstruction::Vector)
    return "expects an index of a largest or smallest element only";
  if (instruction.transposed && instruction.kind != PipeInstruction::LoadFractals)
    return "expects fractals that are transposed in copies of fractals only";
  if (instruction.relu && instruction.kind != PipeInstruction::Fixpipe)
    return "expects a relu on the way out of L0C only";
  const bool isPackedLoad = instruction.kind == PipeInstruction::LoadNz && instruction.pipe == Pipe::MTE2;
  const bool isPackedStore =
      instruction.kind == PipeInstruction::Fixpipe && instruction.destination.space == ProgramOperand::GM;
  if (instruction.packed && !isPackedLoad && !isPackedStore)
    return "expects columns of fractals as they are in copies from global memory to L1, or from L0C to it, only";
  switch (instruction.kind) {
  case PipeInstruction::LoadNz:
  case PipeInstruction::Fill:
  case PipeInstruction::LoadFractals:
  case PipeInstruction::Mmad:
  case PipeInstruction::Fixpipe:
  case PipeInstruction::LoadIm2col:
  case PipeInstruction::LoadBias:
    return checkCube(instruction);
  case PipeInstruction::Load:
  case PipeInstruction::Store:
    return checkCopy(instruction);
  case PipeInstruction::Vector:
    return checkVector(instruction);
  case PipeInstruction::SetFlag:
  case PipeInstruction::WaitFlag:
    return checkFlag(instruction);
  case PipeInstruction::Barrier:
    return {};
  case PipeInstruction::ScalarRead:
    return checkScalarRead(instruction);
  case PipeInstruction::ScalarWrite:
    return checkScalarWrite(instruction);
  case PipeInstruction::ScalarWork:
    return instruction.pipe == Pipe::S ? "" : "expects scalar work on pipe s";
  }
  return "expects a known kind, found " + std::to_string(instruction.kind);
}

// Issuing reads every register that is named, even if the kind does not use it.
std::string Checker::checkRegisters(const PipeInstruction &instruction) const {
  for (uint16_t reg : {instruction.flagId, instruction.scalar, instruction.count, instruction.rows, instruction.pad,
                       instruction.depth})
    if (!isOptionalRegister(reg))
      return "expects registers of the program, found " + std::to_string(reg);
  const bool hasImage = instruction.kind == PipeInstruction::LoadIm2col;
  for (uint16_t reg : instruction.image)
    if (hasImage ? !isRegister(reg) : reg != kNoRegister)
      return hasImage ? "expects registers with the numbers of an image, found " + std::to_string(reg)
                      : "expects an image in loads of windows only";
  return {};
}

std::string Checker::checkCopy(const PipeInstruction &instruction) const {
  bool load = instruction.kind == PipeInstruction::Load;
  if (instruction.pipe != (load ? Pipe::MTE2 : Pipe::MTE3))
    return load ? "expects a load on pipe mte2" : "expects a store on pipe mte3";
  auto from = load ? ProgramOperand::GM : ProgramOperand::UB;
  auto to = load ? ProgramOperand::UB : ProgramOperand::GM;
  if (std::string problem = checkOperand(instruction.destination, to, "destination"); !problem.empty())
    return problem;
  if (std::string problem = checkOperand(instruction.sources[0], from, "source"); !problem.empty())
    return problem;
  if (instruction.destination.type != instruction.sources[0].type)
    return "expects a copy between equal element types";
  if (!isRegister(instruction.count))
    return "expects a register with the element count, found " + std::to_string(instruction.count);
  if (!isOptionalRegister(instruction.rows) || !isOptionalRegister(instruction.pad))
    return "expects registers with rows and pad value";
  if (!load && instruction.pad != kNoRegister)
    return "expects a pad value on loads only";
  if (!load && (instruction.destination.length != kNoRegister || instruction.sources[0].length != kNoRegister))
    return "expects padding around the rows of a load only";
  return {};
}

namespace {
/// The form of an instruction of the cube: its pipe, and the memories of its operands. `None` for no operand.
struct CubeForm {
  std::string_view name;
  Pipe pipe;
  std::optional<Memory> destination, sources[3];
  bool scalar = false, depth = false;
};
} // namespace

/// The memory of an operand that an instruction may lack.
static std::optional<Memory> optional(const ProgramOperand &operand, Memory memory) {
  return operand.space == ProgramOperand::None ? std::nullopt : std::optional(memory);
}

/// A second memory of the destination is checked by the caller: L0A or L0B, UB or GM.
static CubeForm cubeForm(const PipeInstruction &instruction, Memory destination) {
  switch (instruction.kind) {
  case PipeInstruction::LoadNz:
    if (instruction.sources[0].space == ProgramOperand::UB)
      return {"store_nz", Pipe::MTE3, Memory::L1, {Memory::UB, std::nullopt}};
    return {"load_nz", Pipe::MTE2, Memory::L1, {Memory::GM, std::nullopt}};
  case PipeInstruction::Fill:
    return {"fill", Pipe::MTE2, Memory::L1, {std::nullopt, std::nullopt}, true};
  case PipeInstruction::LoadFractals:
    return {"load_fractals",
            Pipe::MTE1,
            destination == Memory::L0B ? Memory::L0B : Memory::L0A,
            {Memory::L1, std::nullopt}};
  case PipeInstruction::Mmad:
    return {"mmad", Pipe::M, Memory::L0C, {Memory::L0A, Memory::L0B, optional(instruction.sources[2], Memory::BT)},
            true,   true};
  case PipeInstruction::LoadIm2col:
    return {"load_im2col", Pipe::MTE1, Memory::L0A, {Memory::L1, std::nullopt}};
  case PipeInstruction::LoadBias:
    return {"load_bias", Pipe::MTE1, Memory::BT, {Memory::L1, std::nullopt}};
  default:
    return {"fixpipe",
            Pipe::FIX,
            destination == Memory::GM ? Memory::GM : Memory::UB,
            {Memory::L0C, optional(instruction.sources[1], Memory::L1)}};
  }
}

std::string Checker::checkCubeTypes(const PipeInstruction &instruction) const {
  using T = ElementType;
  const T from = instruction.sources[0].type, to = instruction.destination.type;
  const bool isHalf = from == T::Float16 || from == T::BFloat16;
  const bool isOperand = isHalf || from == T::Float32 || from == T::Int8;
  auto isFloat = [](T type) { return type == T::Float16 || type == T::BFloat16 || type == T::Float32; };
  switch (instruction.kind) {
  case PipeInstruction::LoadNz:
    return from == to && (isOperand || from == T::Int32) ? ""
                                                         : "expects load_nz of f16, bf16, f32, i8 or i32, of one type";
  case PipeInstruction::Fill: // bytes are filled two by two
    return isFloat(to) || to == T::Int16 ? "" : "expects fill of f16, bf16, f32 or i16";
  case PipeInstruction::LoadFractals:
    if (from != to || !isOperand)
      return "expects load_fractals of f16, bf16, f32 or i8, of one type";
    if (!instruction.transposed || isHalf || from == T::Float32)
      return "";
    return from == T::Int8 && program.buffers[instruction.destination.buffer].memory() == Memory::L0B
               ? ""
               : "expects fractals of 16-bit elements or squares of f32 to transpose, or squares of i8 on the way to "
                 "L0B";
  case PipeInstruction::Mmad:
    if (instruction.sources[2].space != ProgramOperand::None && instruction.sources[2].type != to)
      return "expects biases of the type of the result";
    return from == instruction.sources[1].type && isOperand && to == (from == T::Int8 ? T::Int32 : T::Float32)
               ? ""
               : "expects mmad of two operands of f16, bf16 or f32, of one type, into f32, or of i8 into i32";
  case PipeInstruction::LoadIm2col:
    return from == to && isOperand ? "" : "expects load_im2col of f16, bf16, f32 or i8, of one type";
  case PipeInstruction::LoadBias:
    return from == to && (to == T::Float32 || to == T::Int32) ? "" : "expects load_bias of f32 or i32, of one type";
  default:
    if (instruction.sources[1].space != ProgramOperand::None)
      return from == T::Int32 && to == T::Float16 && instruction.sources[1].type == T::Float32
                 ? ""
                 : "expects fixpipe with scales of f32 to make i32 f16";
    return (from == T::Float32 && isFloat(to)) || (from == T::Int32 && to == from)
               ? ""
               : "expects fixpipe of f32 to f32, f16 or bf16, or of i32 to i32";
  }
}

std::string Checker::checkCube(const PipeInstruction &instruction) const {
  const ProgramOperand &to = instruction.destination;
  const bool isOnChip = to.space == ProgramOperand::UB && to.buffer < program.buffers.size();
  const CubeForm form = cubeForm(instruction, isOnChip ? program.buffers[to.buffer].memory() : Memory::GM);
  if (instruction.pipe != form.pipe)
    return "expects " + std::string(form.name) + " on pipe " + std::string(pipeName(form.pipe));
  auto check = [this](const ProgramOperand &operand, std::optional<Memory> memory, const std::string &what) {
    if (!memory)
      return checkOperand(operand, ProgramOperand::None, what);
    return checkOperand(operand, *memory == Memory::GM ? ProgramOperand::GM : ProgramOperand::UB, what, *memory);
  };
  if (std::string problem = check(to, form.destination, "destination"); !problem.empty())
    return problem;
  for (unsigned i = 0; i < kMaxSources; ++i)
    if (std::string problem =
            check(instruction.sources[i], i < 3 ? form.sources[i] : std::nullopt, "source " + std::to_string(i));
        !problem.empty())
      return problem;
  if (std::string problem = checkOperand(instruction.scratch, ProgramOperand::None, "scratch"); !problem.empty())
    return problem;
  const bool isCounted = instruction.kind != PipeInstruction::LoadFractals;
  if (!isCounted && instruction.count != kNoRegister)
    return "expects fractals to copy, and no count of elements";
  const bool hasRows = instruction.kind != PipeInstruction::LoadBias;
  if (!hasRows && instruction.rows != kNoRegister)
    return "expects units to copy, and no rows";
  if ((hasRows && !isRegister(instruction.rows)) || (isCounted && !isRegister(instruction.count)) ||
      (instruction.kind == PipeInstruction::LoadIm2col && !isRegister(instruction.pad)) ||
      (form.scalar && !isRegister(instruction.scalar)) || (form.depth && !isRegister(instruction.depth)))
    return "expects registers with the sizes and the value of " + std::string(form.name);
  return checkCubeTypes(instruction);
}

std::string Checker::checkVector(const PipeInstruction &instruction) const {
  if (instruction.pipe != Pipe::V)
    return "expects a vector instruction on pipe v";
  if (static_cast<size_t>(instruction.intrinsic) >= allIntrinsics().size())
    return "expects a known intrinsic";
  IntrinsicForm form = intrinsicInfo(instruction.intrinsic).form;
  if (std::string problem = checkOperand(instruction.destination, ProgramOperand::UB, "destination"); !problem.empty())
    return problem;
  if (std::string problem = checkSources(instruction, form); !problem.empty())
    return problem;
  if (std::string problem =
          checkOperand(instruction.scratch, hasScratch(form) ? ProgramOperand::UB : ProgramOperand::None, "scratch");
      !problem.empty())
    return problem;
  if (takesScalar(form) ? !isRegister(instruction.scalar) : instruction.scalar != kNoRegister)
    return takesScalar(form) ? "expects a register with the scalar operand" : "expects no scalar operand";
  if (form == IntrinsicForm::Merge ? instruction.count != kNoRegister : !isRegister(instruction.count))
    return form == IntrinsicForm::Merge
               ? "expects the lengths of its lists and no count"
               : "expects a register with the element count, found " + std::to_string(instruction.count);
  const bool hasRows = form == IntrinsicForm::Reduce && instruction.rows != kNoRegister;
  if (hasRows && (!isRegister(instruction.sources[0].length) || !isRegister(instruction.destination.length)))
    return "expects registers with the lengths of source and destination of a reduction of rows";
  if (hasRows && instruction.index != ReduceIndex::None)
    return "expects no index of a reduction of rows";
  if (form == IntrinsicForm::Scatter && !isRegister(instruction.destination.length))
    return "destination expects a register with its length";
  return checkTypes(instruction);
}

std::string Checker::checkSources(const PipeInstruction &instruction, IntrinsicForm form) const {
  const SourceCount count = sourceCount(form);
  for (unsigned i = 0; i < kMaxSources; ++i) {
    const ProgramOperand &source = instruction.sources[i];
    // After the required sources the list ends at the first missing one.
    const bool open = i >= count.least && i < count.most;
    const bool present = i < count.least || (open && source.space != ProgramOperand::None &&
                                             instruction.sources[i - 1].space != ProgramOperand::None);
    const std::string what = "source " + std::to_string(i);
    if (std::string problem = checkOperand(source, present ? ProgramOperand::UB : ProgramOperand::None, what);
        !problem.empty())
      return problem;
    if (present && form == IntrinsicForm::Merge && !isRegister(source.length))
      return what + " expects a register with its length";
  }
  return {};
}

std::string Checker::checkTypes(const PipeInstruction &instruction) const {
  const IntrinsicInfo &info = intrinsicInfo(instruction.intrinsic);
  const ProgramOperand *sources = instruction.sources;
  unsigned first = hasMask(info.form) ? 1 : 0, last = 0;
  while (last < kMaxSources && sources[last].space != ProgramOperand::None)
    ++last;
  const ProgramOperand &words = sources[last == 0 ? 0 : last - 1];
  if (hasWords(info.form))
    --last;
  TypeRow row{last > first ? sources[first].type : instruction.destination.type, instruction.destination.type};
  if (!target->supports(instruction.intrinsic, row))
    return "expects types that '" + std::string(info.name) + "' has on " + std::string(target->name()) + ", found " +
           std::string(mlirTypeName(row.source)) + " to " + std::string(mlirTypeName(row.destination));
  for (unsigned i = first; i < last; ++i)
    if (sources[i].type != row.source)
      return "expects sources of one element type";
  if (hasMask(info.form) && sources[0].type != ElementType::UInt8)
    return "expects a mask of element type ui8";
  const bool isSort = info.form == IntrinsicForm::Sort;
  const bool asOther = isSort ? words.type == ElementType::Float32
                              : info.form == IntrinsicForm::Gather && words.type == ElementType::Int32;
  if (hasWords(info.form) && words.type != ElementType::UInt32 && !asOther)
    return isSort ? "expects indices of element type ui32 or f32" : "expects offsets of element type ui32";
  if (hasByteScratch(info.form) && instruction.scratch.type != ElementType::UInt8)
    return "expects a scratch tile of element type ui8";
  if (!isGatherPattern(instruction.pattern))
    return "expects a known pattern";
  const Intrinsic op = instruction.intrinsic;
  if (instruction.index != ReduceIndex::None && op != Intrinsic::vreduce_max && op != Intrinsic::vreduce_min &&
      op != Intrinsic::vreduce_repeat_max && op != Intrinsic::vreduce_repeat_min)
    return "expects an index of a largest or smallest element only";
  if (static_cast<unsigned>(instruction.compare) > static_cast<unsigned>(CompareMode::Ne))
    return "expects a known comparison";
  if (info.form != IntrinsicForm::Cast)
    return {};
  std::vector<RoundingMode> modes = target->castRoundings(row);
  if (std::find(modes.begin(), modes.end(), instruction.rounding) == modes.end())
    return "expects a rounding mode that this cast has";
  return {};
}

std::string Checker::checkFlag(const PipeInstruction &instruction) const {
  if (instruction.pipe == instruction.other)
    return "expects a flag between two pipes, found one";
  if (!isRegister(instruction.flagId))
    return "expects a register with the event id, found " + std::to_string(instruction.flagId);
  return {};
}

std::string Checker::checkScalarRead(const PipeInstruction &instruction) const {
  if (instruction.pipe != Pipe::S)
    return "expects a scalar read on pipe s";
  return checkScalarOperand(instruction.sources[0], "source");
}

std::string Checker::checkScalarWrite(const PipeInstruction &instruction) const {
  if (instruction.pipe != Pipe::S)
    return "expects a scalar write on pipe s";
  if (!isRegister(instruction.scalar))
    return "expects a register with the value to write, found " + std::to_string(instruction.scalar);
  return checkScalarOperand(instruction.destination, "destination");
}

/// The scalar unit can access both memories.
std::string Checker::checkScalarOperand(const ProgramOperand &operand, const std::string &what) const {
  const bool global = operand.space == ProgramOperand::GM;
  return checkOperand(operand, global ? ProgramOperand::GM : ProgramOperand::UB, what);
}

std::string opc::checkProgram(const SimulatorProgram &program) {
  return Checker(program).check();
}
