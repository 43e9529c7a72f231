// The kernels of a module by phase, and the chip a pass was asked for.

#ifndef OPC_LOWERING_AICORE_KERNELS_H
#define OPC_LOWERING_AICORE_KERNELS_H

#include "dialect/aicore/AICoreOps.h"
#include "runtime/target/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace opc::aicore {

/// The phase a kernel says it is in; nullopt when it says none.
std::optional<Phase> phaseOf(mlir::func::FuncOp kernel);
void setPhase(mlir::func::FuncOp kernel, Phase phase);

/// All kernels of a module with a body, in order.
llvm::SmallVector<mlir::func::FuncOp> kernelsOf(mlir::ModuleOp module);
/// Those of one phase, for the pass that takes them on from there. A kernel that is past the phase is left alone; one
/// before it, or of none, is an error: the pass would silently do nothing.
mlir::FailureOr<llvm::SmallVector<mlir::func::FuncOp>> kernelsAt(mlir::ModuleOp module, Phase phase);

/// The chip of a pass option; reports an unknown one at `module` and returns nullptr.
const Target *targetByName(mlir::ModuleOp module, llvm::StringRef name);

/// A constant of type index at the entry of a kernel; an equal one there is used again.
mlir::Value indexConstant(mlir::func::FuncOp kernel, int64_t value);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_KERNELS_H
