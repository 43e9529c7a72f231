//===- AICoreInterfaces.td - interfaces of pipe ops and vector ops ------------===//

#ifndef OPC_DIALECT_AICORE_AICOREINTERFACES_TD
#define OPC_DIALECT_AICORE_AICOREINTERFACES_TD

include "mlir/IR/OpBase.td"

def PipeOpInterface : OpInterface<"PipeOpInterface"> {
  let cppNamespace = "::opc::aicore";
  let description = [{
    An op that the scalar unit issues to a pipe, or performs itself (pipe `s`). The planner, the sync inserter, the
    verifiers and the emitters use this interface and never the name of an op.
  }];
  let methods = [
    InterfaceMethod<"The pipe that performs the op. For a flag, the pipe whose queue holds it.",
      "::opc::aicore::Pipe", "getPipe">,
    InterfaceMethod<[{
      The memory accesses of the op: each memref operand once, with its kind of access. An access touches all bytes of
      the elements of the memref (its whole extent). Flags and barriers have no accesses.
    }], "void", "getAccesses", (ins "::llvm::SmallVectorImpl<::opc::aicore::Access> &":$accesses)>,
  ];
}

class AICore_VectorMethod<string doc, string type, string method, string helper>
    : InterfaceMethod<doc, type, method, (ins), "", "return ::opc::aicore::detail::" # helper # "($_op.getOperation());">;

def VectorOpInterface : OpInterface<"VectorOpInterface", [PipeOpInterface]> {
  let cppNamespace = "::opc::aicore";
  let description = [{
    A vector intrinsic. The mnemonic of the op is its name, and the table of the target defines its form. The order of
    the operands is the same for all forms: sources and scalar as the form lists them, then the destination, then the
    scratch tile.
  }];
  let methods = [
    StaticInterfaceMethod<"The intrinsic, whose name is the op's mnemonic.",
      "::opc::Intrinsic", "getIntrinsic", (ins), "", "return ConcreteOp::kIntrinsic;">,
    AICore_VectorMethod<"The source tiles in the order of the form, without the destination.",
      "::llvm::SmallVector<::mlir::Value>", "getSourceTiles", "sourceTilesOf">,
    AICore_VectorMethod<"The destination tile.", "::mlir::Value", "getDestinationTile", "destinationTileOf">,
    AICore_VectorMethod<"The scalar operand, or null.", "::mlir::Value", "getScalarOperand", "scalarOperandOf">,
    AICore_VectorMethod<"The scratch tile, or null.", "::mlir::Value", "getScratchTile", "scratchTileOf">,
    AICore_VectorMethod<"The rounding mode; `none` except for casts.",
      "::opc::aicore::Rounding", "getRoundingMode", "roundingOf">,
    AICore_VectorMethod<"The comparison; `lt` except for compares.",
      "::opc::aicore::Comparison", "getComparisonMode", "comparisonOf">,
    AICore_VectorMethod<"Which elements are kept; `all` except for `vgather_pattern`.",
      "::opc::aicore::Keep", "getKeep", "keepOf">,
    AICore_VectorMethod<"Whether the last source has a block of 32 bytes for each row of the tile (`rows`).",
      "bool", "takesRows", "takesRows">,
    AICore_VectorMethod<"For a reduction of each row: the number of rows, and of columns to reduce. Otherwise empty.",
      "::llvm::SmallVector<::mlir::Value, 2>", "getReducedRows", "reducedRowsOf">,
    AICore_VectorMethod<[{
      The tiles with one element for each element that the intrinsic counts. Other tiles (masks, gathered tiles, results
      of another length) have rules of their own.
    }], "::llvm::SmallVector<::mlir::Value>", "getTilesOfOneLength", "tilesOfOneLength">,
    AICore_VectorMethod<"The tile whose length is the count of elements; for a merge, the first list.",
      "::mlir::Value", "getCountedTile", "countedTileOf">,
    AICore_VectorMethod<[{
      The row of types that the target must have: the element type of the first source that is not a mask (for a fill,
      the type of the scalar) and that of the destination. Fails if the chip does not have one of them.
    }], "::mlir::FailureOr<::opc::TypeRow>", "getTypeRow", "typeRowOf">,
  ];
  let verify = "return ::opc::aicore::detail::verifyVectorOp($_op);";
}

#endif // OPC_DIALECT_AICORE_AICOREINTERFACES_TD
