// Checks of a launch before it starts, and descriptions of instructions and operands for messages.

#include "runtime/device/sim/launch/Launch.h"

#include "runtime/device/sim/launch/Kinds.h"

#include <cstdint>

namespace opc::sim {

static std::string inQuotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

unsigned Launch::eventIds() const {
  return options.reservedEvents ? unsigned(target.figure("event_ids")) : target.eventIds();
}

int64_t Launch::onChipBytes() const {
  for (const ProgramBuffer &buffer : program.buffers)
    if (buffer.memory() != Memory::UB)
      return kWindowsEnd;
  return target.ubBytes();
}

Location Launch::locationOf(const PipeInstruction &instruction) const {
  const ProgramLocation &location = program.locations[instruction.location];
  return Location{location.file, location.line, location.column};
}

std::string Launch::describe(const PipeInstruction &instruction) const {
  const std::string pipe(pipeName(instruction.pipe));
  const std::string other(pipeName(instruction.other));
  switch (instruction.kind) {
  case PipeInstruction::Load:
    return "'load' on pipe " + pipe;
  case PipeInstruction::Store:
    return "'store' on pipe " + pipe;
  case PipeInstruction::Vector:
    return "'" + std::string(intrinsicInfo(instruction.intrinsic).name) + "' on pipe " + pipe;
  case PipeInstruction::SetFlag:
    return "'set_flag " + pipe + " -> " + other + "'";
  case PipeInstruction::WaitFlag:
    return "'wait_flag " + other + " -> " + pipe + "'";
  case PipeInstruction::Barrier:
    return "'pipe_barrier " + pipe + "'";
  case PipeInstruction::ScalarRead:
    return "'scalar_read' on pipe " + pipe;
  case PipeInstruction::ScalarWrite:
    return "'scalar_write' on pipe " + pipe;
  case PipeInstruction::ScalarWork:
    return "scalar code on pipe " + pipe;
  case PipeInstruction::LoadNz:
    return (instruction.pipe == Pipe::MTE3 ? "'store_nz' on pipe " : "'load_nz' on pipe ") + pipe;
  case PipeInstruction::Fill:
    return "'fill' on pipe " + pipe;
  case PipeInstruction::LoadFractals:
    return "'load_fractals' on pipe " + pipe;
  case PipeInstruction::LoadIm2col:
    return "'load_im2col' on pipe " + pipe;
  case PipeInstruction::LoadBias:
    return "'load_bias' on pipe " + pipe;
  case PipeInstruction::Mmad:
    return "'mmad' on pipe " + pipe;
  case PipeInstruction::Fixpipe:
    return "'fixpipe' on pipe " + pipe;
  }
  return "an instruction";
}

std::string Launch::describe(const ProgramOperand &operand) const {
  if (operand.space == ProgramOperand::UB)
    return "buffer " + inQuotes(program.buffers[operand.buffer].name);
  return "tensor " + inQuotes(tensors[operand.tensor].name);
}

std::string Launch::onOtherChips(Pipe pipe) const {
  const Target *chip = findTarget(target.name());
  if (target.completesInOrder(pipe) || !chip || !chip->completesInOrder(pipe))
    return {};
  return ", for chips whose pipe " + std::string(pipeName(pipe)) + " does not complete in order, unlike on " +
         std::string(chip->name());
}

Diagnostic &Launch::error(Code code, const PipeInstruction &instruction, std::string message, std::string rule,
                          std::string fix) const {
  const Finding finding = findingOf(code, rule);
  if (!finding.kind.empty())
    message = std::string(finding.kind) + " (" + std::string(finding.word) + "): " + message;
  return diagnostics.error(code, locationOf(instruction), std::move(message), std::move(rule), std::move(fix));
}

void Launch::note(Diagnostic &diagnostic, const PipeInstruction &instruction, const std::string &role) const {
  diagnostic.notes.push_back(Note{locationOf(instruction), describe(instruction) + " " + role});
}

static bool refuse(const Launch &launch, std::string message, std::string rule) {
  launch.diagnostics.error(Code::E0551, {}, "kernel " + inQuotes(launch.program.kernel) + " " + std::move(message),
                           std::move(rule));
  return false;
}

static bool checkTensor(const Launch &launch, const SimTensor &tensor) {
  const int64_t size = elementSize(tensor.type);
  if (tensor.bytes < 0 || tensor.bytes % size != 0)
    return refuse(launch,
                  "expects whole elements in tensor " + inQuotes(tensor.name) + ", found " +
                      std::to_string(tensor.bytes) + " bytes",
                  "sim_c2");
  if (tensor.bytes != 0 && !tensor.data)
    return refuse(launch, "expects memory for tensor " + inQuotes(tensor.name) + ", found none", "sim_c2");
  if (reinterpret_cast<uintptr_t>(tensor.data) % uintptr_t(size) != 0)
    return refuse(launch, "expects tensor " + inQuotes(tensor.name) + " aligned to its elements", "sim_c2");
  return true;
}

/// Checks that the value of a 32-bit field fits.
static bool checkField(const Launch &launch, const TilingField &field, int64_t value) {
  const bool fits = field.type == TilingField::UInt64 || (value >= 0 && value <= UINT32_MAX) ||
                    (field.type == TilingField::Float32 && value >= INT32_MIN && value <= UINT32_MAX);
  if (fits)
    return true;
  return refuse(launch,
                "expects 32 bits in field " + inQuotes(field.name) + " of the tiling data, found " +
                    std::to_string(value),
                "sim_c3");
}

bool checkLaunch(const Launch &launch, int64_t blockNum) {
  const SimulatorProgram &program = launch.program;
  if (std::string problem = checkProgram(program); !problem.empty()) {
    launch.diagnostics.error(Code::E0550, {}, "kernel " + inQuotes(program.kernel) + ": " + problem, "sim_c1");
    return false;
  }
  if (program.target != launch.target.name())
    return refuse(launch,
                  "expects the chip it was planned for, " + program.target + ", found " +
                      std::string(launch.target.name()),
                  "sim_c1");
  if (launch.tensors.size() != program.numTensors)
    return refuse(launch,
                  "expects " + std::to_string(program.numTensors) + " tensors, found " +
                      std::to_string(launch.tensors.size()),
                  "sim_c2");
  for (const SimTensor &tensor : launch.tensors)
    if (!checkTensor(launch, tensor))
      return false;
  if (launch.tilingData.size() != program.tilingData.size())
    return refuse(launch,
                  "expects " + std::to_string(program.tilingData.size()) + " fields of tiling data, found " +
                      std::to_string(launch.tilingData.size()),
                  "sim_c3");
  for (size_t i = 0; i < program.tilingData.size(); ++i)
    if (!checkField(launch, program.tilingData[i], launch.tilingData[i]))
      return false;
  if (blockNum < 1 || blockNum > launch.target.maxBlocks())
    return refuse(launch,
                  "expects 1 to " + std::to_string(launch.target.maxBlocks()) + " blocks, found " +
                      std::to_string(blockNum),
                  "sim_c4");
  return true;
}

bool refuseMoreInstructions(const Launch &launch, const PipeInstruction &instruction) {
  launch.error(Code::E0451, instruction,
               "kernel '" + printable(launch.program.kernel) + "' expects to end within " +
                   std::to_string(launch.options.instructionLimit) + " pipe instructions, found another one",
               "sim_c42");
  return false;
}

} // namespace opc::sim
