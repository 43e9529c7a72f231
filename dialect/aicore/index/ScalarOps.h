// The instruction of the scalar machine for each arith op: one table for the bytecode of tiling functions and the
// simulator's scalar code, which the same interpreter runs, and for both C++ texts.

#ifndef OPC_DIALECT_AICORE_INDEX_SCALAROPS_H
#define OPC_DIALECT_AICORE_INDEX_SCALAROPS_H

#include "runtime/program/Bytecode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>

namespace opc {

/// The instruction of an op with two operands of index or i64, i1 or f32; nullopt if there is none. On i1, `and` is a
/// minimum and `or` a maximum. An unsigned op counts as the signed one if its operands are known not to be negative.
std::optional<ScalarOp> binaryInstruction(mlir::Operation *op);

/// The signed form of a comparison; nullopt for an unsigned one whose operands may be negative.
std::optional<mlir::arith::CmpIPredicate> signedPredicate(mlir::arith::CmpIOp compare);

/// A comparison in terms of the two that the machine has: `op` applied to the operands, swapped if `swapped`, and the
/// result inverted if `negated`.
struct IntegerComparison {
  ScalarOp op;
  bool swapped, negated;
};
/// nullopt if signedPredicate returns nullopt.
std::optional<IntegerComparison> integerComparison(mlir::arith::CmpIOp compare);

} // namespace opc

#endif // OPC_DIALECT_AICORE_INDEX_SCALAROPS_H
