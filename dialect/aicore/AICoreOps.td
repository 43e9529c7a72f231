//===- AICoreOps.td - ops of the aicore dialect ------------------------------===//

#ifndef OPC_DIALECT_AICORE_AICOREOPS_TD
#define OPC_DIALECT_AICORE_AICOREOPS_TD

include "dialect/aicore/AICoreAttrs.td"
include "dialect/aicore/AICoreInterfaces.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class AICore_Op<string opMnemonic, list<Trait> traits = []> : Op<AICore_Dialect, opMnemonic, traits>;

/// An op that a pipe performs on memory; its memory effects follow from its accesses.
class AICore_PipeOp<string opMnemonic, list<Trait> traits = []>
    : AICore_Op<opMnemonic, !listconcat(traits, [PipeOpInterface, MemoryEffectsOpInterface])> {
  code pipeMethods = [{
    void getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      ::llvm::SmallVector<::opc::aicore::Access> accesses;
      getAccesses(accesses);
      ::opc::aicore::appendEffects(accesses, effects);
    }
    ::opc::aicore::Pipe getPipe();
    void getAccesses(::llvm::SmallVectorImpl<::opc::aicore::Access> &accesses);
  }];
  let extraClassDeclaration = pipeMethods;
}

include "dialect/aicore/TileOps.td"
include "dialect/aicore/DmaOps.td"
include "dialect/aicore/VectorOps.td"
include "dialect/aicore/CubeOps.td"
include "dialect/aicore/SyncOps.td"

#endif // OPC_DIALECT_AICORE_AICOREOPS_TD
