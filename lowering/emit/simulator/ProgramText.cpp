// Prints a checked program.

#include "lowering/emit/simulator/ProgramText.h"

#include "lowering/emit/tiling/ScalarText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace opc;

static void printOperand(const SimulatorProgram &program, const ProgramOperand &operand, llvm::raw_ostream &os) {
  static constexpr llvm::StringLiteral memories[kNumMemories] = {"gm", "ub", "l1", "l0a", "l0b", "l0c", "bt"};
  if (operand.space == ProgramOperand::UB)
    os << memories[unsigned(program.buffers[operand.buffer].memory())] << "[" << program.buffers[operand.buffer].name;
  else
    os << "gm[" << operand.tensor;
  os << ": r" << operand.address;
  if (operand.stride != kNoRegister)
    os << ", stride r" << operand.stride;
  if (operand.length != kNoRegister)
    os << ", length r" << operand.length;
  os << "] " << mlirTypeName(operand.type);
}

static void printVector(const SimulatorProgram &program, const PipeInstruction &instruction, llvm::raw_ostream &os) {
  const IntrinsicInfo &info = intrinsicInfo(instruction.intrinsic);
  os << info.name;
  if (info.form == IntrinsicForm::Cast)
    os << " " << roundingModeName(instruction.rounding);
  if (writesMask(info.form))
    os << " " << compareModeName(instruction.compare);
  if (info.form == IntrinsicForm::GatherPattern)
    os << " " << gatherPatternName(instruction.pattern);
  os << " ";
  printOperand(program, instruction.destination, os);
  os << " <-";
  for (const ProgramOperand &source : instruction.sources) {
    if (source.space == ProgramOperand::None)
      continue;
    os << " ";
    printOperand(program, source, os);
  }
  if (instruction.scalar != kNoRegister)
    os << " scalar r" << instruction.scalar;
  if (instruction.scratch.space != ProgramOperand::None) {
    os << " scratch ";
    printOperand(program, instruction.scratch, os);
  }
  if (instruction.count != kNoRegister)
    os << ", count r" << instruction.count;
  if (instruction.rows != kNoRegister)
    os << ", rows r" << instruction.rows;
}

static void printCopy(const SimulatorProgram &program, const PipeInstruction &instruction, llvm::raw_ostream &os) {
  os << (instruction.kind == PipeInstruction::Load ? "load " : "store ");
  printOperand(program, instruction.destination, os);
  os << " <- ";
  printOperand(program, instruction.sources[0], os);
  os << ", count r" << instruction.count;
  if (instruction.rows != kNoRegister)
    os << ", rows r" << instruction.rows;
  if (instruction.pad != kNoRegister)
    os << ", pad r" << instruction.pad;
  if (instruction.atomicAdd)
    os << ", atomic add";
}

static void printCube(const SimulatorProgram &program, const PipeInstruction &instruction, llvm::raw_ostream &os) {
  switch (instruction.kind) {
  case PipeInstruction::LoadNz:
    os << (instruction.pipe == Pipe::MTE3 ? "store_nz " : "load_nz ");
    break;
  case PipeInstruction::Fill:
    os << "fill ";
    break;
  case PipeInstruction::LoadFractals:
    os << "load_fractals ";
    break;
  case PipeInstruction::LoadIm2col:
    os << "load_im2col ";
    break;
  case PipeInstruction::LoadBias:
    os << "load_bias ";
    break;
  case PipeInstruction::Mmad:
    os << "mmad ";
    break;
  default:
    os << "fixpipe ";
  }
  printOperand(program, instruction.destination, os);
  if (instruction.sources[0].space != ProgramOperand::None)
    os << " <-";
  for (const ProgramOperand &source : instruction.sources) {
    if (source.space == ProgramOperand::None)
      continue;
    os << " ";
    printOperand(program, source, os);
  }
  for (auto [reg, name] : {std::pair(instruction.rows, "rows"),
                           {instruction.count, "count"},
                           {instruction.depth, "depth"},
                           {instruction.scalar, "value"},
                           {instruction.pad, "pad"}})
    if (reg != kNoRegister)
      os << ", " << name << " r" << reg;
  if (instruction.kind == PipeInstruction::LoadIm2col) {
    os << ", image [";
    for (auto [i, reg] : llvm::enumerate(instruction.image))
      os << (i == 0 ? "r" : " r") << reg;
    os << "]";
  }
  if (instruction.transposed)
    os << ", transposed";
  if (instruction.packed)
    os << ", packed";
  if (instruction.relu)
    os << ", relu";
}

static void printInstruction(const SimulatorProgram &program, const PipeInstruction &instruction,
                             llvm::raw_ostream &os) {
  os << pipeName(instruction.pipe) << ": ";
  switch (instruction.kind) {
  case PipeInstruction::Load:
  case PipeInstruction::Store:
    printCopy(program, instruction, os);
    break;
  case PipeInstruction::Vector:
    printVector(program, instruction, os);
    break;
  case PipeInstruction::SetFlag:
    os << "set_flag -> " << pipeName(instruction.other) << " [r" << instruction.flagId << "]";
    break;
  case PipeInstruction::WaitFlag:
    os << "wait_flag <- " << pipeName(instruction.other) << " [r" << instruction.flagId << "]";
    break;
  case PipeInstruction::Barrier:
    os << "barrier";
    break;
  case PipeInstruction::ScalarRead:
    printOperand(program, instruction.sources[0], os);
    break;
  case PipeInstruction::ScalarWrite:
    os << "scalar_write ";
    printOperand(program, instruction.destination, os);
    os << " <- r" << instruction.scalar;
    break;
  case PipeInstruction::ScalarWork:
    os << "scalar code";
    break;
  case PipeInstruction::LoadNz:
  case PipeInstruction::Fill:
  case PipeInstruction::LoadFractals:
  case PipeInstruction::Mmad:
  case PipeInstruction::Fixpipe:
  case PipeInstruction::LoadIm2col:
  case PipeInstruction::LoadBias:
    printCube(program, instruction, os);
    break;
  }
  const ProgramLocation &location = program.locations[instruction.location];
  if (location.line != 0)
    os << "  ; " << llvm::sys::path::filename(location.file) << ":" << location.line << ":" << location.column;
}

void opc::printProgram(const SimulatorProgram &program, llvm::raw_ostream &os) {
  os << "program " << program.kernel << " for " << program.target << ", " << program.numTensors << " tensors, "
     << program.numRegisters << " registers\n";
  for (auto [i, field] : llvm::enumerate(program.tilingData))
    os << "field " << i << ": " << field.name << " " << tilingFieldTypeName(field.type) << "\n";
  for (const ProgramBuffer &buffer : program.buffers)
    os << "buffer " << buffer.name << ": " << buffer.slots << " x " << buffer.slotBytes << " bytes at "
       << buffer.address - windowOf(buffer.memory())
       << (buffer.memory() == Memory::UB ? std::string() : " of " + std::string(memoryName(buffer.memory()))) << "\n";
  for (auto [i, instruction] : llvm::enumerate(program.code)) {
    os << "  " << i << ": ";
    printScalar(instruction, os);
    if (instruction.op == ScalarOp::Issue || instruction.op == ScalarOp::Read) {
      os << " ";
      printInstruction(program, program.instructions[static_cast<size_t>(instruction.imm)], os);
    } else if (instruction.op == ScalarOp::Work) {
      os << " ";
      printInstruction(program, program.instructions[placeOfWork(instruction)], os);
    }
    os << "\n";
  }
}
