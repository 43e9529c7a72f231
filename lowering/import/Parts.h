// Parts of tensors: te.slice and te.stack of a body become arguments and results of its function (slice_c1, slice_c2,
// stack_c2).
//
//   func @glu(%x: !x) -> !y {                        func @glu(%x__0: !x, %x__1: !x) -> !y {
//     %gate = te.slice %x along P at 0                 ...
//
// From here on a part is a tensor like any other, with `te.part_of` naming the whole. Kernels find it at a distance
// from the start of the whole, which the tiling data says.

#ifndef OPC_LOWERING_IMPORT_PARTS_H
#define OPC_LOWERING_IMPORT_PARTS_H

#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Replaces the parts of a bound function, whose arguments and results are whole tensors, by operands of the key.
/// `mark` gives the attributes of an operand. Reports parts that are none at their op.
mlir::LogicalResult takeParts(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key,
                              llvm::function_ref<mlir::DictionaryAttr(const ShapeKey::Operand &)> mark);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_PARTS_H
