// Which instruction of the scalar machine an integer op is: one table for the tiling function's bytecode and the
// simulator's scalar code, which one interpreter runs.

#ifndef OPC_LOWERING_EMIT_KERNEL_INTEGEROPS_H
#define OPC_LOWERING_EMIT_KERNEL_INTEGEROPS_H

#include "runtime/program/Bytecode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>

namespace opc {

/// By the name of a signed arith op of two operands ("arith.addi"); none when there is no such instruction.
std::optional<ScalarOp> integerInstruction(llvm::StringRef name);

/// A comparison made of the two that the machine has: `op` of the operands, or of them swapped; its
/// opposite when `negated`.
struct IntegerComparison {
  ScalarOp op;
  bool swapped, negated;
};
/// None for unsigned predicates.
std::optional<IntegerComparison> integerComparison(mlir::arith::CmpIPredicate predicate);

} // namespace opc

#endif // OPC_LOWERING_EMIT_KERNEL_INTEGEROPS_H
