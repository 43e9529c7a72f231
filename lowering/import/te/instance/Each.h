// Inputs that represent several tensors, counted by an attribute (ContractTensor::count): a body has one argument of
// type #te.each for all of them, and is expanded here for the value of the attribute.
//
//   func @sum(%x: !x) -> !y {               func @sum(%x_0, %x_1, %x_2) -> !y {
//     %h = te.mul %x, %half                   %h_0 = te.mul %x_0, %half   (and %h_1, %h_2)
//     %y = te.fold add %h                     %s = te.add %h_0, %h_1
//                                             %y = te.add %s, %h_2

#ifndef OPC_LOWERING_IMPORT_TE_INSTANCE_EACH_H
#define OPC_LOWERING_IMPORT_TE_INSTANCE_EACH_H

#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Replaces the last argument, which has a count in the contract, by one argument for each tensor, and the ops on it by
/// one op for each tensor. `types` are the types of the tensors. Expects the present inputs as arguments, then
/// attributes. Does nothing for other contracts. Reports ops that need a single value (fold_c2).
mlir::LogicalResult takeEach(mlir::func::FuncOp function, const Contract &contract, llvm::ArrayRef<mlir::Type> types);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_INSTANCE_EACH_H
