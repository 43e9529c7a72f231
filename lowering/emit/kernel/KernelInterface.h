// What stands between a kernel and whoever launches it: tensors by position, the fields of the tiling data, attributes.
//
//   kernel arguments    %x1, %x2, %y (gm), %beta: f32
//   tensors             x1, x2, y                        positions 0, 1, 2
//   tiling data         block_num, block_length, ...     results of the tiling function
//                       beta                             then the launch attributes
//
// Both emitters and the manifest are written from this one answer, so a field has one place and one type everywhere.
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

  /// Position of a field in the tiling data.
  std::optional<size_t> findField(llvm::StringRef fieldName) const;
};

/// Reads the interface of a kernel; reports the rule that it breaks.
///
/// A field takes 32 bits when no kernel of the module reads it without a `max` below 2^32, else 64; block_num takes 32.
mlir::FailureOr<KernelInterface> readKernelInterface(mlir::func::FuncOp kernel);

/// Which fields take 32 bits: by field, whether every reader of the module promises that bound.
using FieldBounds = llvm::StringMap<bool>;
FieldBounds readFieldBounds(mlir::Operation *module);
/// For one of many kernels: `bounds` are those of its module.
mlir::FailureOr<KernelInterface> readKernelInterface(mlir::func::FuncOp kernel, const FieldBounds &bounds);

/// Whether the kernel's attribute says `aicore.kernel`.
bool isKernel(mlir::func::FuncOp function);

} // namespace opc

#endif // OPC_LOWERING_EMIT_KERNEL_KERNELINTERFACE_H
