// From kernels at phase `synced` to Ascend C, through an EmitC module.
//
//   kernels  --buildAscendC-->  EmitC: emitc.file "<op>.cpp", "<op>_tiling.h"  --printAscendC-->  two texts
//
// There is one form. Each kernel is a class over one TBuf that spans the planned bytes of UB: Init binds tensors and
// reads the tiling data, Process runs. Tiles are GetWithOffset at their planned addresses, and the flags and barriers
// are those of the kernel: with the vendor's queues a library would place buffers and set flags, and what was
// verified would not be what runs. Where the pipes of the one tile loop come in the order MTE2, V, MTE3, its body is
// split into CopyIn, Compute and CopyOut; each pipe keeps its own order, and nothing else orders pipes but flags.
//
// The toolchain builds a binary for each type row and says by macros which (ORIG_DTYPE_<NAME>), so the classes of a
// row and their branches of the entry stand in an #if of that row. A build that says nothing has all of them.
//
// Nothing is decided here: each op of a kernel is one call, with the operands it has.
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
    uint64_t tilingKey = 0; ///< what the entry tells kernels apart by
    /// Tensors that a launch always has, with their types in this kernel's row: by what a build for one row knows its
    /// kernels. Empty: every build has the kernel.
    std::vector<std::pair<std::string, ElementType>> types = {};
  };
  std::string name; ///< "add_relu": of the entry, of files, and of classes in upper camel case
  std::vector<Kernel> kernels;
};

/// The EmitC module of an operator; `module` stays as it is. Loads the EmitC dialect.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> buildAscendC(mlir::ModuleOp module, const AscendCOperator &op);

struct AscendCText {
  std::string kernelSource; ///< <op>.cpp
  std::string tilingHeader; ///< <op>_tiling.h
};

/// The two files of a module that buildAscendC made.
mlir::FailureOr<AscendCText> printAscendC(mlir::ModuleOp emitted, llvm::StringRef name);

/// Registers --aicore-emit-ascendc: the module becomes the EmitC module of its kernels.
void registerEmitAscendCPass();

} // namespace opc

#endif // OPC_LOWERING_EMIT_ASCENDC_EMITASCENDC_H
