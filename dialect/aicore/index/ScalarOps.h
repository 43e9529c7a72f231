// Which instruction of the scalar machine an arith op is: one table for the tiling function's bytecode, the simulator's
// scalar code, which one interpreter runs, and for the C++ texts.

#ifndef OPC_DIALECT_AICORE_INDEX_SCALAROPS_H
#define OPC_DIALECT_AICORE_INDEX_SCALAROPS_H

#include "runtime/program/Bytecode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>

namespace opc {

/// Of an op of two operands on index or i64, i1 or f32; none when there is no such instruction. On i1, `and` is a
/// minimum and `or` a maximum. An unsigned op is the signed one where its operands are known not to be negative.
std::optional<ScalarOp> binaryInstruction(mlir::Operation *op);

/// The signed form of a comparison; none for an unsigned one whose operands may be negative.
std::optional<mlir::arith::CmpIPredicate> signedPredicate(mlir::arith::CmpIOp compare);

/// A comparison made of the two that the machine has: `op` of the operands, or of them swapped; its opposite when
/// `negated`.
struct IntegerComparison {
  ScalarOp op;
  bool swapped, negated;
};
/// None where signedPredicate has none.
std::optional<IntegerComparison> integerComparison(mlir::arith::CmpIOp compare);

} // namespace opc

#endif // OPC_DIALECT_AICORE_INDEX_SCALAROPS_H
