// From kernels at phase `synced` to Ascend C, through an EmitC module.
//
//   kernels  --buildAscendC-->  EmitC: emitc.file "<op>.cpp", "<op>_tiling.h"  --printAscendC-->  two texts
//
// There is only one form. Each kernel is a class over one TBuf that spans the planned bytes of UB: Init binds tensors
// and reads the tiling data, Process runs the kernel. Tiles are GetWithOffset at their planned addresses, and the
// flags and barriers are those of the kernel. With the vendor's queues, a library would choose buffers and flags, and
// the verified kernel would not be the one that runs. If the ops in the only tile loop are in the order MTE2, V,
// MTE3, the loop body is split into CopyIn, Compute and CopyOut. This preserves the order of each pipe, and only
// flags order different pipes.
//
// The toolchain builds a binary for each type row and names the row by macros (ORIG_DTYPE_<NAME>). So the classes of
// a row, and their branches in the entry, are inside an #if for that row. A build that defines no such macro contains
// all of them.
//
// The emitter makes no decisions: each op of a kernel is one call, with the op's operands.
//
// Rules emit_c1 to emit_c4 (KernelInterface.h) and ascendc_c1 to ascendc_c4: Passes.td.

#ifndef OPC_LOWERING_EMIT_ASCENDC_EMITASCENDC_H
#define OPC_LOWERING_EMIT_ASCENDC_EMITASCENDC_H

#include "runtime/target/ElementType.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <utility>
#include <vector>

namespace opc {

struct AscendCOperator {
  struct Kernel {
    std::string function;   ///< symbol of the kernel in the module
    uint64_t tilingKey = 0; ///< selects the kernel in the entry
    /// The tensors that a launch always has, with their types in this kernel's row; a build for one row selects its
    /// kernels by them. Empty: every build contains the kernel.
    std::vector<std::pair<std::string, ElementType>> types = {};
  };
  std::string name; ///< "add_relu": name of the entry and of the files; classes use it in upper camel case
  std::vector<Kernel> kernels;
  /// The last tensors of each kernel, if they lie in the workspace of a launch, where their fields "_at" say.
  std::vector<std::string> workspace = {};
};

/// Builds the EmitC module of an operator; `module` is not modified. Loads the EmitC dialect.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> buildAscendC(mlir::ModuleOp module, const AscendCOperator &op);

struct AscendCText {
  std::string kernelSource; ///< <op>.cpp
  std::string tilingHeader; ///< <op>_tiling.h
};

/// Prints the two files of a module made by buildAscendC.
mlir::FailureOr<AscendCText> printAscendC(mlir::ModuleOp emitted, llvm::StringRef name);

/// Registers --aicore-emit-ascendc, which replaces the module by the EmitC module of its kernels.
void registerEmitAscendCPass();

} // namespace opc

#endif // OPC_LOWERING_EMIT_ASCENDC_EMITASCENDC_H
