// The rules of each phase, as functions of one kernel; the verifier passes call them, one file for each phase.
//
// A kernel of a phase keeps the rules of all phases before it too. None of this shares code with the passes that
// lower: what they and their verifiers both get wrong would stay unseen.

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
mlir::LogicalResult verifySyncedRules(mlir::func::FuncOp kernel, const Target &target);

/// Verifies each kernel that is at `phase` by the rules of the phases up to it. Kernels of later phases are left to
/// their own verifier; one of an earlier phase is refused (placed_c3).
mlir::LogicalResult verifyKernelsAt(mlir::ModuleOp module, llvm::StringRef target, Phase phase, bool portable = false);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_RULES_H
