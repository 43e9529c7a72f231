// The kernels of a module by phase, and the target chip of a pass.

#ifndef OPC_LOWERING_AICORE_KERNELS_H
#define OPC_LOWERING_AICORE_KERNELS_H

#include "dialect/aicore/AICoreOps.h"
#include "runtime/target/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace opc::aicore {

/// The phase that a kernel's attribute names; nullopt if it has none.
std::optional<Phase> phaseOf(mlir::func::FuncOp kernel);
void setPhase(mlir::func::FuncOp kernel, Phase phase);

/// All kernels of a module that have a body, in order.
llvm::SmallVector<mlir::func::FuncOp> kernelsOf(mlir::ModuleOp module);
/// The kernels of one phase, as input of the pass that continues from it. Kernels of later phases are skipped. A
/// kernel of an earlier phase, or without one, is an error, because the pass would silently do nothing.
mlir::FailureOr<llvm::SmallVector<mlir::func::FuncOp>> kernelsAt(mlir::ModuleOp module, Phase phase);

/// The chip that a pass option names. Reports an unknown name at `module` and returns nullptr.
const Target *targetByName(mlir::ModuleOp module, llvm::StringRef name);

/// A constant of type index in the entry block of a kernel; an existing one is reused.
mlir::Value indexConstant(mlir::func::FuncOp kernel, int64_t value);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_KERNELS_H
