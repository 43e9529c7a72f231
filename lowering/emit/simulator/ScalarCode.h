// The scalar part of a program while it is built: code, registers, constants, labels.
//
// Registers are allocated once and never reused: a body has a few hundred values, a program 65,534 registers.
// Constants are placed before the code, each once, so that loops do not reload them. A computation is not repeated
// within straight-line code (local common subexpressions): three tiles at one offset multiply it once. A `Term` is a
// value that is known now or held by a register. Arithmetic on terms folds known values, which keeps planned
// addresses out of the loops.

#ifndef OPC_LOWERING_EMIT_SIMULATOR_SCALARCODE_H
#define OPC_LOWERING_EMIT_SIMULATOR_SCALARCODE_H

#include "runtime/program/SimulatorProgram.h"

#include <map>
#include <optional>
#include <tuple>

namespace opc {

/// An integer that is known, or in a register.
struct Term {
  std::optional<int64_t> known = 0;
  uint16_t reg = kNoRegister;

  static Term constant(int64_t value) { return {value, kNoRegister}; }
  static Term inRegister(uint16_t reg) { return {std::nullopt, reg}; }
};

class ScalarCode {
public:
  using Label = size_t;

  uint16_t newRegister();
  /// The register that holds a constant from the start of the program.
  uint16_t constant(int64_t value);
  uint16_t registerOf(Term term) { return term.known ? constant(*term.known) : term.reg; }

  /// Appends an instruction.
  void append(ScalarOp op, uint16_t dst, uint16_t a = 0, uint16_t b = 0, int64_t imm = 0);
  /// A register with the result: a new one, or that of an equal computation in the same straight-line code.
  uint16_t compute(ScalarOp op, uint16_t a = 0, uint16_t b = 0, int64_t imm = 0);
  /// dst = source
  void copy(uint16_t dst, uint16_t source);

  /// Sum and product, folded if both are known. An overflow is left to the machine, which reports it.
  Term add(Term a, Term b);
  Term multiply(Term a, Term b);

  Label newLabel();
  /// Binds the label to the next instruction.
  void place(Label label);
  void jump(Label label);
  void jumpIfZero(uint16_t condition, Label label);

  /// Ends the program and moves the code into it. False if it needs more registers than there are.
  bool finish(SimulatorProgram &program);

private:
  Term fold(ScalarOp op, Term a, Term b);

  std::vector<ScalarInstruction> constants, code;
  std::map<int64_t, uint16_t> constantRegisters;
  /// Results computed since the last label or the last write to a carried register.
  std::map<std::tuple<ScalarOp, uint16_t, uint16_t, int64_t>, uint16_t> available;
  std::vector<size_t> labels; ///< position in `code`
  uint32_t numRegisters = 0;
};

} // namespace opc

#endif // OPC_LOWERING_EMIT_SIMULATOR_SCALARCODE_H
