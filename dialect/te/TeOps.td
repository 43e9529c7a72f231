//===- TeOps.td - ops of the te dialect ---------------------------------------===//

#ifndef OPC_DIALECT_TE_TEOPS_TD
#define OPC_DIALECT_TE_TEOPS_TD

include "dialect/te/TeAttrs.td"
include "dialect/te/TeInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Type inference checks the labelled rules for values, because they concern more than one operand.
def Te_Value : Type<CPred<"::opc::te::isValueType($_self)">, "tensor or scalar of numbers">;

/// Computes each element of the result from the operands' elements at the same position.
def Te_Elementwise : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::opc::te";
}

class Te_Op<string opMnemonic, string effect, list<Trait> traits = []>
    : Op<Te_Dialect, opMnemonic, !listconcat(traits, [Pure, InferTypeOpAdaptor])> {
  let summary = effect;
  let results = (outs Te_Value:$result);
}

/// An elementwise op that is defined for some kinds of elements: "kFloats", "kNumbers", "kTruths" or "kAll" of
/// te::Kinds.
class Te_ElementwiseOp<string opMnemonic, string effect, string kinds> : Te_Op<opMnemonic, effect, [Te_Elementwise]> {
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::opc::te::inferElementwise(location, getOperationName(), adaptor.getOperands(),
                                         ::opc::te::Kinds::}] # kinds # [{, types);
    }
  }];
}

/// An elementwise op on floats whose result is a truth value.
class Te_FloatTestOp<string opMnemonic, string effect> : Te_Op<opMnemonic, effect, [Te_Elementwise]> {
  let arguments = (ins Te_Value:$operand);
  let assemblyFormat = "custom<TypedOperand>($operand, type($operand)) attr-dict";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::opc::te::inferTruth(location, getOperationName(), adaptor.getOperands(), ::opc::te::Kinds::kFloats,
                                   types);
    }
  }];
}

include "dialect/te/ElementwiseOps.td"
include "dialect/te/ShapeOps.td"

#endif // OPC_DIALECT_TE_TEOPS_TD
