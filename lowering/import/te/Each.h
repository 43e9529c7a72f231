// Inputs that represent several tensors, counted by an attribute (ContractTensor::count): a body has one argument of
// type #te.each for all of them, and is expanded here for the value of the attribute.
//
//   func @sum(%x: !x) -> !y {               func @sum(%x_0, %x_1, %x_2) -> !y {
//     %h = te.mul %x, %half                   %h_0 = te.mul %x_0, %half   (and %h_1, %h_2)
//     %y = te.fold add %h                     %s = te.add %h_0, %h_1
//                                             %y = te.add %s, %h_2

#ifndef OPC_LOWERING_IMPORT_TE_EACH_H
#define OPC_LOWERING_IMPORT_TE_EACH_H

#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Puts an argument for each tensor in the place of the last one, which the contract gives a count, and ops for each of
/// them in the place of those of all. `types` are those of the tensors. Expects the inputs that are there as arguments,
/// then attributes. Nothing to do for other contracts. Reports ops that want one value (fold_c2).
mlir::LogicalResult takeEach(mlir::func::FuncOp function, const Contract &contract, llvm::ArrayRef<mlir::Type> types);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_EACH_H
