// Parts of tensors: te.slice and te.stack of a body become arguments and results of its function (slice_c1, slice_c2,
// stack_c2).
//
//   func @glu(%x: !x) -> !y {                        func @glu(%x__0: !x, %x__1: !x) -> !y {
//     %gate = te.slice %x along P at 0                 ...
//
// From then on a part is an ordinary tensor, and `te.part_of` names the whole. The tiling data has its offset in
// the whole.

#ifndef OPC_LOWERING_IMPORT_TE_INSTANCE_PARTS_H
#define OPC_LOWERING_IMPORT_TE_INSTANCE_PARTS_H

#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Replaces the parts of a bound function, whose arguments and results are whole tensors, by operands of the key.
/// `mark` gives the attributes of an operand. Reports invalid parts at their op.
mlir::LogicalResult takeParts(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key,
                              llvm::function_ref<mlir::DictionaryAttr(const ShapeKey::Operand &)> mark);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_INSTANCE_PARTS_H
