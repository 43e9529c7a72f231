// The interface between a kernel and its launch: tensors by position, the fields of the tiling data, attributes.
//
//   kernel arguments    %x1, %x2, %y (gm), %beta: f32
//   tensors             x1, x2, y                        positions 0, 1, 2
//   tiling data         block_num, block_length, ...     results of the tiling function
//                       beta                             then the launch attributes
//
// Both emitters and the manifest use this interface, so a field has the same position and type everywhere.
//
// Rules emit_c1 to emit_c4: lowering/emit/ascendc/Passes.td.

#ifndef OPC_LOWERING_EMIT_KERNEL_KERNELINTERFACE_H
#define OPC_LOWERING_EMIT_KERNEL_KERNELINTERFACE_H

#include "runtime/program/Bytecode.h"
#include "runtime/target/ElementType.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

struct KernelInterface {
  struct Tensor {
    std::string name;
    ElementType type;
  };
  std::string name; ///< "add_relu_float16"
  std::vector<Tensor> tensors;
  std::vector<TilingField> fields; ///< of the tiling data: results of the tiling function, then launch attributes
  std::vector<std::string> launchAttributes;
  mlir::func::FuncOp tiling;

  /// Index of a field in the tiling data.
  std::optional<size_t> findField(llvm::StringRef fieldName) const;
};

/// Reads the interface of a kernel. Reports the rule that the kernel breaks.
///
/// A field has 32 bits if every read of it in the module has a `max` below 2^32, otherwise 64; block_num has 32.
mlir::FailureOr<KernelInterface> readKernelInterface(mlir::func::FuncOp kernel);

/// Whether each field has 32 bits: all its reads in the module have that bound.
using FieldBounds = llvm::StringMap<bool>;
FieldBounds readFieldBounds(mlir::Operation *module);
/// As above, with the `bounds` of the kernel's module; faster for many kernels.
mlir::FailureOr<KernelInterface> readKernelInterface(mlir::func::FuncOp kernel, const FieldBounds &bounds);

/// Whether the function has the attribute `aicore.kernel`.
bool isKernel(mlir::func::FuncOp function);

} // namespace opc

#endif // OPC_LOWERING_EMIT_KERNEL_KERNELINTERFACE_H
