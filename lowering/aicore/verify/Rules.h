// The rules of each phase, as functions of a kernel. The verifier passes call them; each phase has a file of its own.
//
// A kernel must satisfy the rules of its phase and of all earlier phases. The rules share no code with the lowering
// passes: an error in shared code would go unnoticed.

#ifndef OPC_LOWERING_AICORE_VERIFY_RULES_H
#define OPC_LOWERING_AICORE_VERIFY_RULES_H

#include "dialect/aicore/AICoreOps.h"
#include "runtime/target/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace opc::aicore {

mlir::LogicalResult verifyPlacedRules(mlir::func::FuncOp kernel, const Target &target);
mlir::LogicalResult verifyRotatedRules(mlir::func::FuncOp kernel, const Target &target);
mlir::LogicalResult verifyPlannedRules(mlir::func::FuncOp kernel, const Target &target);
/// How the order of a kernel is proved. Both methods give the same answer; tests compare them.
enum class OrderProof {
  Chosen,   ///< walked, or explored if there are many walks
  Explored, ///< explored; walked if that does not decide
  Walked,   ///< walked; nested loops can exceed its limit (unroll_c1)
};
mlir::LogicalResult verifyOrder(mlir::func::FuncOp kernel, const Target &target, OrderProof how);
mlir::LogicalResult verifySyncedRules(mlir::func::FuncOp kernel, const Target &target);

/// Verifies each kernel that is at `phase` by the rules of all phases up to it. Kernels of later phases are skipped,
/// since they have verifiers of their own; a kernel of an earlier phase is refused (placed_c3).
mlir::LogicalResult verifyKernelsAt(mlir::ModuleOp module, llvm::StringRef target, Phase phase, bool portable = false);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_RULES_H
