// The body of a linalg.generic over lanes: each scalar operation becomes the same operation on vectors, or on scalars
// when `lanes` is 0.
//
// Values of f16 and bf16 are held as f32. Operations of those types round their result to the type, but a rounding
// waits until somebody can see it: max, min, negation and select commute with it, and a store rounds anyway.

#ifndef OPC_LOWERING_CPU_VECTOR_PAYLOAD_H
#define OPC_LOWERING_CPU_VECTOR_PAYLOAD_H

#include "lowering/cpu/vector/Memory.h"
#include "lowering/cpu/vector/VectorMath.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace opc::cpu {

/// A value in registers.
struct Lane {
  llvm::Value *value = nullptr;
  bool rounds = false; ///< still to be rounded to its element type
};

/// What is known of a body's exponentials, and what is asked of them.
enum class ExpForm {
  Rounded,  ///< subnormal results, too
  Flushed,  ///< 0 for what is below 2^-125
  Decaying, ///< the same; arguments are 0 at most, or NaN
};

/// What an operation asks of registers and time; decides how much is unrolled.
struct PayloadCost {
  unsigned widestBits = 8;    ///< of a lane
  bool usesFunctions = false; ///< exp and the like: dozens of operations
};

class Payload {
public:
  /// `lookup` gives values from outside of the body, as scalars.
  Payload(CodeBuilder &b, unsigned lanes, std::function<llvm::Value *(mlir::Value)> lookup)
      : b(b), math(b), lanes(lanes), lookup(std::move(lookup)) {}

  ExpForm expForm = ExpForm::Rounded;
  /// Runs the body over its arguments; false when the body is not one that checkPayload takes.
  bool run(mlir::Block &body, llvm::ArrayRef<Lane> arguments, llvm::SmallVectorImpl<Lane> &results);
  /// One operation over operands in registers.
  Lane apply(mlir::Operation &op, llvm::ArrayRef<Lane> operands);

private:
  Lane operand(mlir::Value value);
  llvm::Value *rounded(Lane lane, mlir::Type type);
  Lane arithmetic(mlir::Operation &op, llvm::ArrayRef<llvm::Value *> x);
  Lane conversion(mlir::Operation &op, llvm::ArrayRef<llvm::Value *> x);
  llvm::Value *function(mlir::Operation &op, llvm::ArrayRef<llvm::Value *> x);
  llvm::Value *divide(llvm::Value *x, llvm::Value *y, bool isSigned, bool remainder);
  llvm::Value *splat(llvm::Value *scalar);

  CodeBuilder &b;
  VectorMath math;
  unsigned lanes;
  std::function<llvm::Value *(mlir::Value)> lookup;
  llvm::DenseMap<mlir::Value, Lane> known;
};

/// Whether an operation, of a body or outside of bodies, has a CPU form; an error (cpu_c6) if not.
bool checkOperation(mlir::Operation &op, PayloadCost &cost);
/// Whether a body has a CPU form; an error at the operation that has none (cpu_c6). Adds to `cost`.
bool checkPayload(mlir::Block &body, PayloadCost &cost);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_PAYLOAD_H
