// Simulator programs by hand, for tests: registers are handed out, instructions are issued as they are written down,
// and each has a line of its own in "kernel.mlir".

#ifndef OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_PROGRAMBUILDER_H
#define OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_PROGRAMBUILDER_H

#include "runtime/device/sim/Simulator.h"
#include "runtime/target/Half.h"

#include <sstream>
#include <string>
#include <vector>

namespace opc::test {

class ProgramBuilder {
public:
  using Reg = uint16_t;

  explicit ProgramBuilder(uint16_t numTensors = 3) {
    program.kernel = "test_kernel";
    program.target = "Ascend310B1";
    program.numTensors = numTensors;
  }

  // The scalar unit.
  Reg fresh() { return program.numRegisters++; }
  Reg constant(int64_t value) { return scalar({ScalarOp::Const, fresh(), 0, 0, value}); }
  Reg constant(float value) { return constant(int64_t(floatBits(value))); }
  Reg param(const std::string &name, TilingField::Type type = TilingField::UInt64) {
    program.tilingData.push_back({name, type});
    return scalar({ScalarOp::Param, fresh(), 0, 0, int64_t(program.tilingData.size()) - 1});
  }
  Reg blockIndex() { return scalar({ScalarOp::BlockIdx, fresh(), 0, 0, 0}); }
  Reg compute(ScalarOp op, Reg a, Reg b) { return scalar({op, fresh(), a, b, 0}); }
  void assign(Reg to, ScalarOp op, Reg a, Reg b) { scalar({op, to, a, b, 0}); }
  size_t here() const { return program.code.size(); }
  /// Returns the index of the jump, to be aimed later.
  size_t jump(size_t to = 0) {
    program.code.push_back({ScalarOp::Jump, 0, 0, 0, int64_t(to)});
    return here() - 1;
  }
  size_t jumpIfZero(Reg value, size_t to = 0) {
    program.code.push_back({ScalarOp::JumpIfZero, 0, value, 0, int64_t(to)});
    return here() - 1;
  }
  void aim(size_t jump) { program.code[jump].imm = int64_t(here()); }

  // Memory.
  uint16_t buffer(const std::string &name, int64_t address, int64_t slotBytes, int64_t slots = 1) {
    program.buffers.push_back({name, address, slotBytes, slots});
    return uint16_t(program.buffers.size() - 1);
  }
  ProgramOperand ub(uint16_t buffer, Reg address, ElementType type, Reg stride = kNoRegister) {
    return {ProgramOperand::UB, type, buffer, 0, address, stride};
  }
  /// The first slot of a buffer.
  ProgramOperand ub(uint16_t buffer, ElementType type) {
    return ub(buffer, constant(program.buffers[buffer].address), type);
  }
  ProgramOperand gm(uint16_t tensor, Reg offset, ElementType type, Reg stride = kNoRegister) {
    return {ProgramOperand::GM, type, kNoBuffer, tensor, offset, stride};
  }

  // Instructions; each returns a reference that is good until the next one.
  PipeInstruction &load(ProgramOperand to, ProgramOperand from, Reg count) {
    return copy(PipeInstruction::Load, Pipe::MTE2, to, from, count);
  }
  PipeInstruction &store(ProgramOperand to, ProgramOperand from, Reg count) {
    return copy(PipeInstruction::Store, Pipe::MTE3, to, from, count);
  }
  PipeInstruction &vector(Intrinsic intrinsic, ProgramOperand to, std::vector<ProgramOperand> from, Reg count,
                          Reg scalar = kNoRegister) {
    PipeInstruction instruction;
    instruction.kind = PipeInstruction::Vector;
    instruction.pipe = Pipe::V;
    instruction.intrinsic = intrinsic;
    instruction.destination = to;
    for (size_t i = 0; i < from.size(); ++i)
      instruction.sources[i] = from[i];
    instruction.count = count;
    instruction.scalar = scalar;
    return issue(instruction);
  }
  PipeInstruction &perform(PipeInstruction instruction) { return issue(instruction); }
  void set(Pipe from, Pipe to, Reg id) { flag(PipeInstruction::SetFlag, from, to, id); }
  void wait(Pipe from, Pipe to, Reg id) { flag(PipeInstruction::WaitFlag, to, from, id); }
  void barrier(Pipe pipe) {
    PipeInstruction instruction;
    instruction.kind = PipeInstruction::Barrier;
    instruction.pipe = pipe;
    issue(instruction);
  }
  Reg read(ProgramOperand from) {
    PipeInstruction instruction;
    instruction.kind = PipeInstruction::ScalarRead;
    instruction.sources[0] = from;
    add(instruction);
    return scalar({ScalarOp::Read, fresh(), 0, 0, int64_t(program.instructions.size()) - 1});
  }

  /// Scalar code that the program does not hold.
  void work(int64_t instructions) {
    PipeInstruction instruction;
    instruction.kind = PipeInstruction::ScalarWork;
    add(instruction);
    const auto place = uint32_t(program.instructions.size()) - 1;
    program.code.push_back({ScalarOp::Work, 0, uint16_t(place), uint16_t(place >> 16), instructions});
  }

  void write(ProgramOperand to, Reg value) {
    PipeInstruction instruction;
    instruction.kind = PipeInstruction::ScalarWrite;
    instruction.destination = to;
    instruction.scalar = value;
    issue(instruction);
  }

  SimulatorProgram finish() {
    program.code.push_back({ScalarOp::Halt});
    return program;
  }

private:
  Reg scalar(ScalarInstruction instruction) {
    program.code.push_back(instruction);
    return instruction.dst;
  }
  PipeInstruction &copy(PipeInstruction::Kind kind, Pipe pipe, ProgramOperand to, ProgramOperand from, Reg count) {
    PipeInstruction instruction;
    instruction.kind = kind;
    instruction.pipe = pipe;
    instruction.destination = to;
    instruction.sources[0] = from;
    instruction.count = count;
    return issue(instruction);
  }
  void flag(PipeInstruction::Kind kind, Pipe pipe, Pipe other, Reg id) {
    PipeInstruction instruction;
    instruction.kind = kind;
    instruction.pipe = pipe;
    instruction.other = other;
    instruction.flagId = id;
    issue(instruction);
  }
  PipeInstruction &add(PipeInstruction instruction) {
    instruction.location = uint16_t(program.locations.size());
    program.locations.push_back({"kernel.mlir", uint32_t(program.locations.size()) + 1, 3});
    program.instructions.push_back(instruction);
    return program.instructions.back();
  }
  PipeInstruction &issue(PipeInstruction instruction) {
    scalar({ScalarOp::Issue, 0, 0, 0, int64_t(program.instructions.size())});
    return add(instruction);
  }

  SimulatorProgram program;
};

template <typename T> ElementType typeOf();
template <> inline ElementType typeOf<Half>() {
  return ElementType::Float16;
}
template <> inline ElementType typeOf<float>() {
  return ElementType::Float32;
}
template <> inline ElementType typeOf<int16_t>() {
  return ElementType::Int16;
}
template <> inline ElementType typeOf<int32_t>() {
  return ElementType::Int32;
}
template <> inline ElementType typeOf<uint8_t>() {
  return ElementType::UInt8;
}
template <> inline ElementType typeOf<uint32_t>() {
  return ElementType::UInt32;
}

template <typename T> SimTensor tensor(const std::string &name, std::vector<T> &values, bool writable = false) {
  return {name, values.data(), int64_t(values.size() * sizeof(T)), typeOf<T>(), writable};
}

/// A launch with its diagnostics; `first()` is the first one as text.
struct Outcome {
  SimResult result;
  Diagnostics diagnostics;

  std::string text() const {
    std::ostringstream os;
    for (const Diagnostic &diagnostic : diagnostics.all())
      printText(os, diagnostic);
    return os.str();
  }
  Code code() const { return diagnostics.all().empty() ? Code{} : diagnostics.all().front().code; }
};

inline Outcome run(const SimulatorProgram &program, const std::vector<SimTensor> &tensors,
                   const std::vector<int64_t> &tilingData = {}, const SimOptions &options = {}, int64_t blocks = 1,
                   const Target &target = *findTarget("Ascend310B1")) {
  Outcome outcome;
  outcome.result = simulate(program, target, tensors, tilingData, blocks, options, outcome.diagnostics);
  return outcome;
}

} // namespace opc::test

#endif // OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_PROGRAMBUILDER_H
