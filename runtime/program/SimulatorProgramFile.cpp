// The file format of a simulator program.
//
//   "OPCS" u32:version
//   string:kernel string:target u16:tensors
//   u32:fields       { string:name u8:type }                          tiling data
//   u32:buffers      { string:name i64:address i64:slotBytes i64:slots }
//   u32:files        { string }                                       of the locations
//   u32:locations    { u16:file u32:line u32:column }
//   u32:intrinsics   { string }                                       names used; instructions hold positions here
//   u32:instructions { ... }                                          see writeInstruction
//   u16:registers
//   u32:code         { u16:op u16:dst u16:a u16:b i64:imm }
//
// A string is u32:length and its bytes; everything is little endian. Intrinsics are stored by name, so that files
// remain valid when the table of intrinsics grows.

#include "runtime/program/ScalarCodeFile.h"
#include "runtime/program/SimulatorProgram.h"

#include "runtime/diagnostic/Diagnostic.h"

#include <algorithm>

using namespace opc;

static constexpr std::string_view kMagic = "OPCS";
static constexpr uint32_t kVersion = kSimulatorProgramVersion;

// The smallest size of an element in the file, in bytes.
static constexpr size_t kBufferBytes = 28, kStringBytes = 4, kLocationBytes = 10;
static constexpr size_t kOperandBytes = 12;
static constexpr size_t kInstructionBytes = 9 + (2 + kMaxSources) * kOperandBytes + 7 * 2;

/// Limit on the memory of all locations, in bytes: each has its own copy of its file's name.
static constexpr size_t kMaxLocationText = 1 << 24;

namespace {
/// Names in the order of their first use; positions fit 16 bits.
class NameTable {
public:
  uint16_t position(std::string_view name) {
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      found = names.insert(names.end(), std::string(name));
    return static_cast<uint16_t>(found - names.begin());
  }
  void write(ByteWriter &writer) const {
    writer.put(static_cast<uint32_t>(names.size()));
    for (const std::string &name : names)
      writer.putString(name);
  }

private:
  std::vector<std::string> names;
};
} // namespace

static std::vector<std::string> readNames(ByteReader &reader) {
  std::vector<std::string> names(reader.getCount(kStringBytes));
  for (std::string &name : names)
    name = reader.getString();
  return names;
}

static void writeOperand(ByteWriter &writer, const ProgramOperand &operand) {
  writer.put(static_cast<uint8_t>(operand.space));
  writer.put(static_cast<uint8_t>(operand.type));
  writer.put(operand.buffer);
  writer.put(operand.tensor);
  writer.put(operand.address);
  writer.put(operand.stride);
  writer.put(operand.length);
}

static ProgramOperand readOperand(ByteReader &reader) {
  ProgramOperand operand;
  operand.space = static_cast<ProgramOperand::Space>(reader.get<uint8_t>());
  operand.type = static_cast<ElementType>(reader.get<uint8_t>());
  operand.buffer = reader.get<uint16_t>();
  operand.tensor = reader.get<uint16_t>();
  operand.address = reader.get<uint16_t>();
  operand.stride = reader.get<uint16_t>();
  operand.length = reader.get<uint16_t>();
  return operand;
}

/// Bits of the byte that atomicAdd, partial, index, transposed, relu and packed share.
static constexpr unsigned kAtomicAdd = 1, kPartial = 2, kIndexShift = 2, kTransposed = 16, kRelu = 32, kPacked = 64;

static void writeInstruction(ByteWriter &writer, const PipeInstruction &instruction, NameTable &intrinsics) {
  writer.put(static_cast<uint8_t>(instruction.kind));
  writer.put(static_cast<uint8_t>(instruction.pipe));
  writer.put(static_cast<uint8_t>(instruction.other));
  bool vector = instruction.kind == PipeInstruction::Vector;
  writer.put(vector ? intrinsics.position(intrinsicInfo(instruction.intrinsic).name) : static_cast<uint16_t>(0));
  writer.put(static_cast<uint8_t>(instruction.rounding));
  writer.put(static_cast<uint8_t>(instruction.compare));
  writer.put(static_cast<uint8_t>(instruction.pattern));
  writer.put(static_cast<uint8_t>((instruction.atomicAdd ? kAtomicAdd : 0) | (instruction.partial ? kPartial : 0) |
                                  (unsigned(instruction.index) << kIndexShift) |
                                  (instruction.transposed ? kTransposed : 0) | (instruction.relu ? kRelu : 0) |
                                  (instruction.packed ? kPacked : 0)));
  writeOperand(writer, instruction.destination);
  for (const ProgramOperand &source : instruction.sources)
    writeOperand(writer, source);
  writeOperand(writer, instruction.scratch);
  for (uint16_t value : {instruction.flagId, instruction.scalar, instruction.count, instruction.rows, instruction.pad,
                         instruction.depth, instruction.location})
    writer.put(value);
  if (instruction.kind == PipeInstruction::LoadIm2col)
    for (uint16_t value : instruction.image)
      writer.put(value);
}

/// Returns false when the instruction's intrinsic is not in the file's table.
static bool readInstruction(ByteReader &reader, const std::vector<Intrinsic> &intrinsics,
                            PipeInstruction &instruction) {
  instruction.kind = static_cast<PipeInstruction::Kind>(reader.get<uint8_t>());
  instruction.pipe = static_cast<Pipe>(reader.get<uint8_t>());
  instruction.other = static_cast<Pipe>(reader.get<uint8_t>());
  auto position = reader.get<uint16_t>();
  instruction.rounding = static_cast<RoundingMode>(reader.get<uint8_t>());
  instruction.compare = static_cast<CompareMode>(reader.get<uint8_t>());
  instruction.pattern = static_cast<GatherPattern>(reader.get<uint8_t>());
  auto bits = reader.get<uint8_t>();
  instruction.atomicAdd = (bits & kAtomicAdd) != 0;
  instruction.partial = (bits & kPartial) != 0;
  instruction.index = static_cast<ReduceIndex>((bits >> kIndexShift) & 3);
  instruction.transposed = (bits & kTransposed) != 0;
  instruction.relu = (bits & kRelu) != 0;
  instruction.packed = (bits & kPacked) != 0;
  instruction.destination = readOperand(reader);
  for (ProgramOperand &source : instruction.sources)
    source = readOperand(reader);
  instruction.scratch = readOperand(reader);
  for (uint16_t *value : {&instruction.flagId, &instruction.scalar, &instruction.count, &instruction.rows,
                          &instruction.pad, &instruction.depth, &instruction.location})
    *value = reader.get<uint16_t>();
  if (instruction.kind == PipeInstruction::LoadIm2col)
    for (uint16_t &value : instruction.image)
      value = reader.get<uint16_t>();
  if (bits >= 2 * kPacked)
    return false;
  if (instruction.kind != PipeInstruction::Vector)
    return position == 0;
  if (position >= intrinsics.size())
    return false;
  instruction.intrinsic = intrinsics[position];
  return true;
}

std::vector<uint8_t> opc::writeProgram(const SimulatorProgram &program) {
  NameTable files, intrinsics;
  ByteWriter instructions, writer;
  for (const PipeInstruction &instruction : program.instructions)
    writeInstruction(instructions, instruction, intrinsics);
  for (const ProgramLocation &location : program.locations)
    files.position(location.file);

  writer.putBytes(kMagic);
  writer.put(kVersion);
  writer.putString(program.kernel);
  writer.putString(program.target);
  writer.put(program.numTensors);
  writer.put(static_cast<uint32_t>(program.tilingData.size()));
  for (const TilingField &field : program.tilingData)
    writeTilingField(writer, field);
  writer.put(static_cast<uint32_t>(program.buffers.size()));
  for (const ProgramBuffer &buffer : program.buffers) {
    writer.putString(buffer.name);
    writer.put(buffer.address);
    writer.put(buffer.slotBytes);
    writer.put(buffer.slots);
  }
  files.write(writer);
  writer.put(static_cast<uint32_t>(program.locations.size()));
  for (const ProgramLocation &location : program.locations) {
    writer.put(files.position(location.file));
    writer.put(location.line);
    writer.put(location.column);
  }
  intrinsics.write(writer);
  writer.put(static_cast<uint32_t>(program.instructions.size()));
  std::vector<uint8_t> instructionBytes = instructions.take();
  writer.putBytes({reinterpret_cast<const char *>(instructionBytes.data()), instructionBytes.size()});
  writer.put(program.numRegisters);
  writeScalarCode(writer, program.code);
  return writer.take();
}

static std::string readLocations(ByteReader &reader, SimulatorProgram &program) {
  std::vector<std::string> files = readNames(reader);
  program.locations.resize(reader.getCount(kLocationBytes));
  size_t textBytes = 0;
  for (ProgramLocation &location : program.locations) {
    auto file = reader.get<uint16_t>();
    location.line = reader.get<uint32_t>();
    location.column = reader.get<uint32_t>();
    if (reader.failed())
      break;
    if (file >= files.size())
      return "expects locations in one of " + std::to_string(files.size()) + " files, found file " +
             std::to_string(file);
    textBytes += files[file].size();
    if (textBytes > kMaxLocationText)
      return "expects file names of locations that take at most " + std::to_string(kMaxLocationText) + " bytes in all";
    location.file = files[file];
  }
  return {};
}

static std::string readInstructions(ByteReader &reader, SimulatorProgram &program) {
  std::vector<Intrinsic> intrinsics;
  for (const std::string &name : readNames(reader)) {
    std::optional<Intrinsic> intrinsic = findIntrinsic(name);
    if (!intrinsic)
      return "expects intrinsics this version knows, found '" + printable(name) + "'";
    intrinsics.push_back(*intrinsic);
  }
  program.instructions.resize(reader.getCount(kInstructionBytes));
  for (size_t i = 0; i < program.instructions.size(); ++i)
    if (!readInstruction(reader, intrinsics, program.instructions[i]) && !reader.failed())
      return "pipe instruction " + std::to_string(i) + ": expects an intrinsic of the file";
  return {};
}

std::string opc::readProgram(const uint8_t *data, size_t size, SimulatorProgram &program) {
  ByteReader reader(data, size);
  if (!reader.skipBytes(kMagic))
    return "expects a simulator program, found other bytes";
  auto version = reader.get<uint32_t>();
  if (!reader.failed() && version != kVersion)
    return "expects version " + std::to_string(kVersion) + " of simulator programs, found version " +
           std::to_string(version);
  program = {};
  program.kernel = reader.getString();
  program.target = reader.getString();
  program.numTensors = reader.get<uint16_t>();
  program.tilingData.resize(reader.getCount(kTilingFieldBytes));
  for (TilingField &field : program.tilingData)
    readTilingField(reader, field);
  program.buffers.resize(reader.getCount(kBufferBytes));
  for (ProgramBuffer &buffer : program.buffers) {
    buffer.name = reader.getString();
    buffer.address = reader.get<int64_t>();
    buffer.slotBytes = reader.get<int64_t>();
    buffer.slots = reader.get<int64_t>();
  }
  if (std::string problem = readLocations(reader, program); !problem.empty())
    return problem;
  if (std::string problem = readInstructions(reader, program); !problem.empty())
    return problem;
  program.numRegisters = reader.get<uint16_t>();
  readScalarCode(reader, program.code);
  if (reader.failed())
    return "the simulator program is cut short";
  if (!reader.atEnd())
    return "expects the end of the simulator program, found more bytes";
  return checkProgram(program);
}
