//===- TeInterfaces.td - what passes ask of reductions ------------------------===//

#ifndef OPC_DIALECT_TE_TEINTERFACES_TD
#define OPC_DIALECT_TE_TEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Te_ReductionInterface : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::opc::te";
  let description = [{
    An op that combines the elements of its operand along some axes. Passes that only need the axes, and whether they
    are kept, use this interface instead of the names of ops.
  }];
  let methods = [
    InterfaceMethod<"The tensor whose elements are combined.", "::mlir::Value", "getOperand">,
    InterfaceMethod<"The axes of that tensor, as the text gives them: negative ones count from the last.",
      "::llvm::ArrayRef<int64_t>", "getAxes">,
    InterfaceMethod<"Whether the axes stay with size 1.", "bool", "getKeep">,
    InterfaceMethod<"Lets the axes stay, or drops them; the type of the result remains.", "void", "setKeep",
                    (ins "bool":$keep)>,
  ];
}

#endif // OPC_DIALECT_TE_TEINTERFACES_TD
