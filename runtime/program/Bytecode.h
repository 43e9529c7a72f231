// The scalar machine: a register bytecode that runs tiling functions on the host and the scalar unit in the simulator.
//
//   r0 = const 8192            ; registers hold 64-bit integers
//   r1 = min r2, r0            ; overflow and zero divisors are typed errors, never undefined
//   jump_if_zero r1, 7         ; control and float ops: kernels only, never tiling functions
//
// A tiling function is straight-line code of the first twelve opcodes; its input registers hold values from the shapes
// of a launch, its output registers become the tiling data. A kernel's scalar program adds jumps, float registers (the
// bits of an f32 in the low half), reads of tiling data and `issue`, which enqueues an instruction in a pipe.

#ifndef OPC_RUNTIME_PROGRAM_BYTECODE_H
#define OPC_RUNTIME_PROGRAM_BYTECODE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// Stored in program files: values never change their meaning.
enum class ScalarOp : uint16_t {
  // Tiling functions and kernels; integers. Lt yields 0 or 1.
  Const = 0, ///< dst = imm
  Add = 1,
  Sub = 2,
  Mul = 3,
  FloorDiv = 4, ///< rounds toward minus infinity
  CeilDiv = 5,  ///< rounds toward plus infinity
  Rem = 6,      ///< sign of the dividend, as arith.remsi
  Min = 7,
  Max = 8,
  Lt = 9,
  Select = 10, ///< dst = a != 0 ? b : register imm
  Eq = 11,
  // Kernels only.
  Jump = 32,       ///< to instruction imm
  JumpIfZero = 33, ///< to instruction imm when a == 0
  Halt = 34,
  Param = 35,    ///< dst = tiling data field imm
  BlockIdx = 36, ///< dst = index of this logical block
  Issue = 37,    ///< enqueue pipe instruction imm with the current values of the registers that it names
  Read = 38,     ///< dst = one element of UB, as pipe instruction imm describes (a scalar read; does not wait)
  Work = 39,     ///< imm instructions of the scalar unit that the program does not hold, at the place of pipe
                 ///< instruction a + 65536 * b (ScalarWork)
  FAdd = 48,     ///< f32 in the low 32 bits of a register, round to nearest even
  FSub = 49,
  FMul = 50,
  FDiv = 51,
  FNeg = 52,
  FMax = 53,
  FMin = 54,
  FFromInt = 55, ///< dst = a as f32, to nearest even
};

/// 16 bytes, little endian in files.
struct ScalarInstruction {
  ScalarOp op;
  uint16_t dst = 0;
  uint16_t a = 0;
  uint16_t b = 0;
  int64_t imm = 0;
};
static_assert(sizeof(ScalarInstruction) == 16);

/// The source of an input register of a tiling function.
struct TilingInput {
  enum Kind : uint8_t {
    NumElements = 0, ///< of tensor `tensor`
    Dim = 1,         ///< size of dimension `dim` of tensor `tensor`; negative counts from the last; 1
                     ///< where there is none
    Rank = 2,
    MaxBlocks = 3, ///< blocks the device can use at once
    Reduced = 4,   ///< 1 when the launch reduces dimension `dim` of tensor `tensor`, else 0; 0 where there is
                   ///< no such dimension
  };
  Kind kind = NumElements;
  uint16_t tensor = 0; ///< position among inputs, then outputs
  int16_t dim = 0;
};

/// A field of the tiling data.
struct TilingField {
  enum Type : uint8_t { UInt32 = 0, UInt64 = 1, Float32 = 2 };
  std::string name;
  Type type = UInt64;
};

/// Name of the output that selects the kernel where a type row has several.
inline constexpr std::string_view kTilingKeyField = "tiling_key";
/// Number of tiling keys reserved for each type row: keys of a row start at row * kTilingKeysOfRow.
inline constexpr unsigned kTilingKeysOfRow = 256;
/// Value of "tiling_key" for a shape that no kernel supports.
inline constexpr int64_t kNoTilingKey = 0xffffffff;

/// A tiling function: inputs fill registers 0.., `code` is straight-line code, outputs name registers. The tiling
/// data of a kernel has one field for each output, then one for each launch attribute. The first output is always
/// "block_num", the number of logical blocks, at least 1.
struct TilingFunction {
  std::vector<TilingInput> inputs;
  uint16_t numRegisters = 0;
  std::vector<ScalarInstruction> code;
  struct Output {
    TilingField field;
    uint16_t reg = 0;
  };
  std::vector<Output> outputs;

  /// Position of the output with this name; nullopt when there is none.
  std::optional<size_t> findOutput(std::string_view name) const {
    for (size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i].field.name == name)
        return i;
    return std::nullopt;
  }
};

enum class EvalStatus : uint8_t { Ok, Overflow, DivisionByZero, BadProgram };
std::string_view evalStatusText(EvalStatus status);

/// Evaluates one integer operation, Add to Eq, with checks; Select returns `c` when a == 0. Other opcodes give
/// BadProgram. Tiling functions and the simulator's scalar unit both use this function.
EvalStatus evalInteger(ScalarOp op, int64_t a, int64_t b, int64_t c, int64_t &result);

/// Limits of straight-line code, so that all registers fit on the stack.
inline constexpr unsigned kMaxTilingRegisters = 1024;
inline constexpr size_t kMaxTilingInstructions = 16384;

/// Checks that straight-line code has only the opcodes Const to Eq and registers below `numRegisters`, and reads no
/// register before it is written; registers 0 to numInputs - 1 hold inputs. Returns the error, empty when the code
/// is valid.
std::string checkStraightLine(const std::vector<ScalarInstruction> &code, size_t numInputs, unsigned numRegisters);

/// Runs checked straight-line code on `registers`, which start with the inputs.
EvalStatus runStraightLine(const std::vector<ScalarInstruction> &code, int64_t *registers);

/// Runs a checked tiling function. `inputs` has one value for each input, `outputs` receives one value for each
/// output. A result that its field cannot hold (negative, or more than 32 bits) gives Overflow.
EvalStatus runTiling(const TilingFunction &function, const int64_t *inputs, int64_t *outputs);

/// Checks that registers, opcodes and counts are within bounds. Returns the error, empty when the function is valid.
std::string checkTiling(const TilingFunction &function);

/// The binary format, little endian and versioned. `readTiling` accepts untrusted input and returns the error, empty
/// on success.
std::vector<uint8_t> writeTiling(const TilingFunction &function);
std::string readTiling(const uint8_t *data, size_t size, TilingFunction &function);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_BYTECODE_H
