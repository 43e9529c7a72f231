// Removes te.window from a body: the key already gives the input the type of its windows (window_c1, window_c2).
//
//   func @pool(%x: !x) -> !y {                       func @pool(%x: !x {te.window = array<i64: ...>}) -> !y {
//     %windows = te.window %x over H, W
//     %y = te.reduce_max %windows axes [KH, KW]        %y = te.reduce_max %x axes [...]
//
// From then on the input is a tensor with dimensions for the elements of a window and for its positions. Kernels
// compute the addresses in memory from the strides and padding in `te.window` and the sizes in the tiling data.

#ifndef OPC_LOWERING_IMPORT_TE_INSTANCE_WINDOWS_H
#define OPC_LOWERING_IMPORT_TE_INSTANCE_WINDOWS_H

#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Replaces the windows of a bound function. Reports those that the contract does not have, and inputs with windows
/// that are read in another way.
mlir::LogicalResult takeWindows(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_INSTANCE_WINDOWS_H
