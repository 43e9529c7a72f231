// The iterations of a nest of loops as one sequence. Slots of buffers and event ids of flags follow this sequence, so
// both are the number of an iteration modulo some count.

#ifndef OPC_LOWERING_AICORE_ITERATIONS_H
#define OPC_LOWERING_AICORE_ITERATIONS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace opc::aicore {

/// The number of the current iteration of a nest, which is given from the outside in: ((i0 * n1) + i1) * n2 + i2 for
/// trip counts n. The builder has to be in the innermost body. Numbers follow one another if the trip counts of inner
/// loops do not change between iterations of the outermost loop.
mlir::Value iterationOf(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::scf::ForOp> nest);

/// Name of an attribute of ops in placed kernels: the first operand is what the iteration before wrote to a buffer with
/// slots.
inline constexpr llvm::StringLiteral kOfIterationBefore = "of_iteration_before";

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_ITERATIONS_H
