// Prints scalar instructions: result, mnemonic and operands.

#include "lowering/emit/tiling/ScalarText.h"

#include "llvm/ADT/STLExtras.h"

using namespace opc;

llvm::StringRef opc::tilingFieldTypeName(TilingField::Type type) {
  static constexpr llvm::StringLiteral names[] = {"uint32", "uint64", "float32"};
  return names[type];
}

static llvm::StringRef mnemonic(ScalarOp op) {
  switch (op) {
  case ScalarOp::Const:
    return "const";
  case ScalarOp::Add:
    return "add";
  case ScalarOp::Sub:
    return "sub";
  case ScalarOp::Mul:
    return "mul";
  case ScalarOp::FloorDiv:
    return "floor_div";
  case ScalarOp::CeilDiv:
    return "ceil_div";
  case ScalarOp::Rem:
    return "rem";
  case ScalarOp::Min:
    return "min";
  case ScalarOp::Max:
    return "max";
  case ScalarOp::Lt:
    return "lt";
  case ScalarOp::Select:
    return "select";
  case ScalarOp::Eq:
    return "eq";
  case ScalarOp::Jump:
    return "jump";
  case ScalarOp::JumpIfZero:
    return "jump_if_zero";
  case ScalarOp::Halt:
    return "halt";
  case ScalarOp::Param:
    return "param";
  case ScalarOp::BlockIdx:
    return "block_idx";
  case ScalarOp::Issue:
    return "issue";
  case ScalarOp::Read:
    return "read";
  case ScalarOp::Work:
    return "work";
  case ScalarOp::FAdd:
    return "fadd";
  case ScalarOp::FSub:
    return "fsub";
  case ScalarOp::FMul:
    return "fmul";
  case ScalarOp::FDiv:
    return "fdiv";
  case ScalarOp::FNeg:
    return "fneg";
  case ScalarOp::FMax:
    return "fmax";
  case ScalarOp::FMin:
    return "fmin";
  case ScalarOp::FFromInt:
    return "ffromint";
  }
  return "unknown";
}

void opc::printScalar(const ScalarInstruction &instruction, llvm::raw_ostream &os) {
  llvm::StringRef name = mnemonic(instruction.op);
  switch (instruction.op) {
  case ScalarOp::Const:
  case ScalarOp::Param:
    os << "r" << instruction.dst << " = " << name << " " << instruction.imm;
    return;
  case ScalarOp::BlockIdx:
  case ScalarOp::Read:
    os << "r" << instruction.dst << " = " << name;
    return;
  case ScalarOp::Jump:
  case ScalarOp::Work:
    os << name << " " << instruction.imm;
    return;
  case ScalarOp::JumpIfZero:
    os << name << " r" << instruction.a << ", " << instruction.imm;
    return;
  case ScalarOp::Halt:
  case ScalarOp::Issue:
    os << name;
    return;
  case ScalarOp::FNeg:
  case ScalarOp::FFromInt:
    os << "r" << instruction.dst << " = " << name << " r" << instruction.a;
    return;
  default:
    os << "r" << instruction.dst << " = " << name << " r" << instruction.a << ", r" << instruction.b;
    if (instruction.op == ScalarOp::Select)
      os << ", r" << instruction.imm;
  }
}

void opc::printTiling(const TilingFunction &function, llvm::raw_ostream &os) {
  static constexpr llvm::StringLiteral kinds[] = {"num_elements", "dim", "rank", "max_blocks", "reduced"};
  os << "tiling function, " << function.numRegisters << " registers\n";
  for (auto [i, input] : llvm::enumerate(function.inputs)) {
    os << "  r" << i << " = " << kinds[input.kind];
    if (input.kind == TilingInput::Dim || input.kind == TilingInput::Reduced)
      os << " " << input.dim;
    if (input.kind != TilingInput::MaxBlocks)
      os << " of tensor " << input.tensor;
    os << "\n";
  }
  for (const ScalarInstruction &instruction : function.code) {
    os << "  ";
    printScalar(instruction, os);
    os << "\n";
  }
  for (const TilingFunction::Output &output : function.outputs)
    os << "  " << output.field.name << ": " << tilingFieldTypeName(output.field.type) << " = r" << output.reg << "\n";
}
