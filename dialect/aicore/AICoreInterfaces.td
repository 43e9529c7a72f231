//===- AICoreInterfaces.td - what passes and checkers ask an op --------------===//

#ifndef OPC_DIALECT_AICORE_AICOREINTERFACES_TD
#define OPC_DIALECT_AICORE_AICOREINTERFACES_TD

include "mlir/IR/OpBase.td"

def PipeOpInterface : OpInterface<"PipeOpInterface"> {
  let cppNamespace = "::opc::aicore";
  let description = [{
    An op that the scalar unit hands to a pipe, or performs itself (pipe `s`). Planner, sync inserter, verifiers and
    emitters ask this interface, never an op's name.
  }];
  let methods = [
    InterfaceMethod<"The pipe that performs the op; for a flag the pipe on which it stands.",
      "::opc::aicore::Pipe", "getPipe">,
    InterfaceMethod<[{
      The memory the op touches: each memref operand once, with what is done to it. The bytes touched are those of the
      memref's elements (its whole extent). Flags and barriers touch none.
    }], "void", "getAccesses", (ins "::llvm::SmallVectorImpl<::opc::aicore::Access> &":$accesses)>,
  ];
}

class AICore_VectorMethod<string doc, string type, string method, string helper>
    : InterfaceMethod<doc, type, method, (ins), "", "return ::opc::aicore::detail::" # helper # "($_op.getOperation());">;

def VectorOpInterface : OpInterface<"VectorOpInterface", [PipeOpInterface]> {
  let cppNamespace = "::opc::aicore";
  let description = [{
    A vector intrinsic. Its name is the mnemonic of the op and its form is the target table's; operands stand in one order
    for all forms: sources and scalar as the form lists them, then the destination, then scratch.
  }];
  let methods = [
    StaticInterfaceMethod<"The intrinsic, whose name is the op's mnemonic.",
      "::opc::Intrinsic", "getIntrinsic", (ins), "", "return ConcreteOp::kIntrinsic;">,
    AICore_VectorMethod<"Tiles that are read, in the order of the form; without the destination.",
      "::llvm::SmallVector<::mlir::Value>", "getSourceTiles", "sourceTilesOf">,
    AICore_VectorMethod<"The tile that is written.", "::mlir::Value", "getDestinationTile", "destinationTileOf">,
    AICore_VectorMethod<"The scalar operand, or null.", "::mlir::Value", "getScalarOperand", "scalarOperandOf">,
    AICore_VectorMethod<"The scratch tile, or null.", "::mlir::Value", "getScratchTile", "scratchTileOf">,
    AICore_VectorMethod<"The rounding mode; `none` for all but casts.",
      "::opc::aicore::Rounding", "getRoundingMode", "roundingOf">,
    AICore_VectorMethod<"The comparison; `lt` for all but compares.",
      "::opc::aicore::Comparison", "getComparisonMode", "comparisonOf">,
    AICore_VectorMethod<"Which elements are kept; `all` for all but `vgather_pattern`.",
      "::opc::aicore::Keep", "getKeep", "keepOf">,
    AICore_VectorMethod<"Whether the last source has a block of 32 bytes for each row of the tile (`rows`).",
      "bool", "takesRows", "takesRows">,
    AICore_VectorMethod<[{
      Tiles of one element for each element that is counted. The rest (masks, gathered tiles, results of another length)
      has its own rule.
    }], "::llvm::SmallVector<::mlir::Value>", "getTilesOfOneLength", "tilesOfOneLength">,
    AICore_VectorMethod<"The tile whose length is the count; of a merge the first list.",
      "::mlir::Value", "getCountedTile", "countedTileOf">,
    AICore_VectorMethod<[{
      The row of types that the target must have: element type of the first source that is no mask (of the scalar for
      fills) and of the destination. Failure when one is none of the chip's.
    }], "::mlir::FailureOr<::opc::TypeRow>", "getTypeRow", "typeRowOf">,
  ];
  let verify = "return ::opc::aicore::detail::verifyVectorOp($_op);";
}

#endif // OPC_DIALECT_AICORE_AICOREINTERFACES_TD
