// The simulator's program: a scalar program that enqueues pipe instructions, written from the `synced` IR.
//
// The scalar unit runs `code` in order. `issue k` captures the registers that pipe instruction k names and appends it
// to its pipe's queue; the pipe performs it later. Flags and barriers are pipe instructions like any other. Addresses
// keep the logical buffer they belong to, so that a checker can tell a wrong address from a right one.

#ifndef OPC_RUNTIME_PROGRAM_SIMULATORPROGRAM_H
#define OPC_RUNTIME_PROGRAM_SIMULATORPROGRAM_H

#include "runtime/program/Bytecode.h"
#include "runtime/target/Target.h"

namespace opc {

inline constexpr uint16_t kNoRegister = 0xffff;
inline constexpr uint16_t kNoBuffer = 0xffff;

/// A UB buffer with its planned place.
struct ProgramBuffer {
  std::string name;
  int64_t address = 0;   ///< bytes, of slot 0
  int64_t slotBytes = 0; ///< capacity of one slot
  int64_t slots = 1;
};

/// A place of the body; instructions name it by index.
struct ProgramLocation {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

/// One memory operand. UB: register `address` holds the byte address. GM: register `address` holds the byte offset
/// from the start of tensor `tensor`.
struct ProgramOperand {
  enum Space : uint8_t { None = 0, UB = 1, GM = 2 };
  Space space = None;
  ElementType type = ElementType::UInt8;
  uint16_t buffer = kNoBuffer;    ///< UB: index into buffers, which logical buffer is meant
  uint16_t tensor = 0;            ///< GM: position among inputs, then outputs
  uint16_t address = kNoRegister; ///< register
  uint16_t stride = kNoRegister;  ///< copies: register with the bytes between starts of rows; none for one row
  /// Register with the elements of the operand where the instruction's count does not say it: each list of a merge,
  /// the tile that a scatter writes into or a gather reads from. A gathered tile without one reaches to the end of
  /// its slot. In the destination of a padded load: the elements of padding before each row, at most 32 bytes.
  uint16_t length = kNoRegister;
};

/// What a largest or smallest element is told by: itself, or with its place in the tile (from 0, in bits of the
/// element's width; the first of equal ones).
enum class ReduceIndex : uint8_t { None = 0, ValueIndex = 1, IndexValue = 2, OnlyIndex = 3 };

struct PipeInstruction {
  enum Kind : uint8_t {
    Load = 0,
    Store = 1,
    Vector = 2,
    SetFlag = 3,
    WaitFlag = 4,
    Barrier = 5,
    ScalarRead = 6,
    ScalarWrite = 7 ///< `scalar` is the value; destination in UB or GM, as a read's source
  };
  Kind kind = Barrier;
  Pipe pipe = Pipe::S;           ///< the pipe that performs it; for SetFlag the setting, for WaitFlag the waiting pipe
  Pipe other = Pipe::S;          ///< flags: the pipe at the other end
  uint16_t flagId = kNoRegister; ///< flags: register with the event id
  Intrinsic intrinsic{};         ///< Vector
  RoundingMode rounding = RoundingMode::None;
  CompareMode compare = CompareMode::Lt;
  ProgramOperand destination;
  GatherPattern pattern = GatherPattern::All;
  /// In the order of the intrinsic's form; select: mask, src0, src1; gather: src, offsets.
  ProgramOperand sources[kMaxSources];
  ProgramOperand scratch;
  uint16_t scalar = kNoRegister; ///< register with the scalar operand, or the value that a scalar write stores: f32
                                 ///< bits for float types, else an integer
  uint16_t count = kNoRegister;  ///< register: elements of the destination, or of the source where countsSource()
                                 ///< says so; none for a merge; copies: of a row
  uint16_t rows = kNoRegister;   ///< copies: register with the number of rows; none for one
  bool atomicAdd = false;        ///< Store: adds into GM
  /// Vector: lanes of a wider call that a mask or a stride cuts out; operands start at an element, else at a
  /// block of 32 bytes.
  bool partial = false;
  /// Vector: vreduce_max, vreduce_min, vreduce_repeat_max, vreduce_repeat_min.
  ReduceIndex index = ReduceIndex::None;
  uint16_t pad = kNoRegister; ///< Load: register with the value that fills a row up to 32 B; none leaves
                              ///< these bytes undefined
  uint16_t location = 0;
};

/// Of the file form; readers take this one only.
inline constexpr unsigned kSimulatorProgramVersion = 2;

struct SimulatorProgram {
  std::string kernel; ///< "add_relu_float16"
  std::string target; ///< soc version it was planned for
  uint16_t numTensors = 0;
  std::vector<TilingField> tilingData; ///< outputs of the tiling function, then launch attributes
  std::vector<ProgramBuffer> buffers;
  std::vector<ProgramLocation> locations;
  std::vector<PipeInstruction> instructions;
  uint16_t numRegisters = 0;
  std::vector<ScalarInstruction> code;
};

/// Whether results are pairs of a value and its place.
inline bool hasPairs(ReduceIndex index) {
  return index == ReduceIndex::ValueIndex || index == ReduceIndex::IndexValue;
}

/// Whether every index, register, jump and enumerator is within bounds, each instruction has the operands of its kind
/// and form, and the target has its types; the text says what is wrong, empty when all is well. What registers hold
/// at run time (addresses, counts, ids) is the simulator's to check.
std::string checkProgram(const SimulatorProgram &program);

/// The file form: magic, version, sections, little endian. `read` never trusts its input.
std::vector<uint8_t> writeProgram(const SimulatorProgram &program);
std::string readProgram(const uint8_t *data, size_t size, SimulatorProgram &program);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_SIMULATORPROGRAM_H
