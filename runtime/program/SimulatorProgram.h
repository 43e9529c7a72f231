// A program for the simulator: scalar code that enqueues pipe instructions, emitted from IR of phase `synced`.
//
// The scalar unit runs `code` in order. `issue k` captures the registers that pipe instruction k names and appends
// the instruction to the queue of its pipe, which performs it later. Flags and barriers are pipe instructions too. An
// operand names the logical buffer of its address, so that a checker can detect wrong addresses.

#ifndef OPC_RUNTIME_PROGRAM_SIMULATORPROGRAM_H
#define OPC_RUNTIME_PROGRAM_SIMULATORPROGRAM_H

#include "runtime/program/Bytecode.h"
#include "runtime/program/PipeInstruction.h"
#include "runtime/target/Target.h"

namespace opc {

/// An on-chip buffer with its planned address.
struct ProgramBuffer {
  std::string name;
  int64_t address = 0;   ///< bytes, of slot 0, in the window of its memory; in UB the planned address itself
  int64_t slotBytes = 0; ///< capacity of one slot
  int64_t slots = 1;

  Memory memory() const { return memoryAt(address); }
};

/// A location in the body; instructions refer to it by index.
struct ProgramLocation {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

/// The largest number of instructions of one ScalarOp::Work.
inline constexpr int64_t kMostScalarWork = 0xffffffff;

/// The pipe instruction that a ScalarOp::Work names.
inline uint32_t placeOfWork(const ScalarInstruction &work) {
  return work.a | uint32_t(work.b) << 16;
}

/// Version of the file format; readers accept only this one.
inline constexpr unsigned kSimulatorProgramVersion = 4;

struct SimulatorProgram {
  std::string kernel; ///< "add_relu_float16"
  std::string target; ///< soc version that it was planned for
  uint16_t numTensors = 0;
  std::vector<TilingField> tilingData; ///< outputs of the tiling function, then launch attributes
  std::vector<ProgramBuffer> buffers;
  std::vector<ProgramLocation> locations;
  std::vector<PipeInstruction> instructions;
  uint16_t numRegisters = 0;
  std::vector<ScalarInstruction> code;
};

/// Checks that every index, register, jump and enumerator is within bounds, that each instruction has the operands of
/// its kind and form, and that the target supports its types. Returns the error, empty when the program is valid. The
/// simulator checks the values of registers at run time (addresses, counts, ids).
std::string checkProgram(const SimulatorProgram &program);

/// The file format: magic, version, sections, little endian. `readProgram` accepts untrusted input and returns the
/// error, empty on success.
std::vector<uint8_t> writeProgram(const SimulatorProgram &program);
std::string readProgram(const uint8_t *data, size_t size, SimulatorProgram &program);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_SIMULATORPROGRAM_H
