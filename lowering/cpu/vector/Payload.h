// Emits the body of a linalg.generic over lanes: each scalar operation becomes the same operation on vectors, or on
// scalars if `lanes` is 0.
//
// Values of f16 and bf16 are held as f32. Operations of those types round their result, but the rounding is delayed
// until it can be observed: max, min, negation and select commute with it, and a store rounds in any case.

#ifndef OPC_LOWERING_CPU_VECTOR_PAYLOAD_H
#define OPC_LOWERING_CPU_VECTOR_PAYLOAD_H

#include "lowering/cpu/vector/code/Memory.h"
#include "lowering/cpu/vector/code/VectorMath.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace opc::cpu {

/// A value in registers.
struct Lane {
  llvm::Value *value = nullptr;
  bool rounds = false; ///< rounding to the element type is pending
};

/// Which exponentials a body may use.
enum class ExpForm {
  Rounded,  ///< subnormal results are computed correctly
  Flushed,  ///< results below 2^-125 become 0
  Decaying, ///< as Flushed, for arguments that are at most 0, or NaN
};

/// The cost of an operation in registers and time, which determines the unrolling.
struct PayloadCost {
  unsigned widestBits = 8;    ///< of the widest lane
  unsigned innerBits = 0;     ///< of the widest lane inside of divisions and powers of integers
  bool usesFunctions = false; ///< exp and similar functions, which take dozens of operations
};

class Payload {
public:
  /// `lookup` returns the scalar for a value from outside the body.
  Payload(CodeBuilder &b, unsigned lanes, std::function<llvm::Value *(mlir::Value)> lookup)
      : b(b), math(b), lanes(lanes), lookup(std::move(lookup)) {}

  ExpForm expForm = ExpForm::Rounded;
  /// The value of linalg.index, as i32: the positions of the lanes along a loop of the kernel, or, for nullopt, among
  /// the elements of a reduction (te.arg_max).
  std::function<llvm::Value *(std::optional<unsigned> loop)> position;
  /// Makes the results of a scan, or of a sort, from its operand's elements.
  std::function<llvm::Value *(mlir::Operation &scan, llvm::Value *)> scan;
  /// Reads elements of a tensor at indices, one value for each dimension that a te.gather names.
  std::function<llvm::Value *(mlir::Operation &gather, llvm::ArrayRef<llvm::Value *> places)> lookUp;
  /// The result of an operation that was computed before; nullopt if it is computed here. If this function is null, all
  /// operations are computed here.
  std::function<std::optional<Lane>(mlir::Operation &)> before;
  /// Emits the body for its arguments. False if the body is not accepted by checkPayload.
  bool run(mlir::Block &body, llvm::ArrayRef<Lane> arguments, llvm::SmallVectorImpl<Lane> &results);
  /// The result of an operation of the body, after run().
  Lane result(mlir::Value value) { return operand(value); }
  /// Emits a single operation on operands in registers.
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

/// The loop of the kernel along which a linalg.index counts; nullopt for the position among reduced elements.
std::optional<unsigned> countedLoop(mlir::linalg::IndexOp index);
/// Whether the body of a generic uses positions along one of these loops of the kernel.
bool countsAlong(mlir::linalg::GenericOp generic, llvm::ArrayRef<unsigned> loops);

/// Whether an operation, in a body or outside, has a CPU form; reports an error (cpu_c6) if not. Adds to `cost`.
bool checkOperation(mlir::Operation &op, PayloadCost &cost);
/// Whether a body has a CPU form; reports an error (cpu_c6) at the first operation without one. Adds to `cost`.
bool checkPayload(mlir::Block &body, PayloadCost &cost);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_PAYLOAD_H
