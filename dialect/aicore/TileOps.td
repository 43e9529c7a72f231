//===- TileOps.td - buffers, tiling data, block index -----------------------===//

def AICore_BufferOp : AICore_Op<"buffer", [OpAsmOpInterface]> {
  let summary = "a buffer for a tile in on-chip memory";
  let description = [{
    A one-dimensional buffer. Its name identifies it through all phases: two buffers that share bytes remain two
    buffers. A result of rank 2 has slots: the first dimension is their number, the second is the capacity of a slot.
    From phase `planned` on, `at` is the byte address of the first slot.

    The buffer is uninitialised at the start of the kernel. It keeps its contents from one iteration of a loop to the
    next only if it is outside the loop.

    * (buffer_c1) the result lies in on-chip memory, not in `gm`
    * (buffer_c2) the result has rank 1, or rank 2 with slots, a static shape without zeros, and the identity layout
    * (buffer_c3) the address is not negative
    * (buffer_c4) the name is an identifier

    ```mlir
    %x1 = aicore.buffer "x1" : memref<8192xf16, #aicore.space<ub>>
    %x2 = aicore.buffer "x2" at 32768 : memref<2x8192xf16, #aicore.space<ub>>
    ```
  }];
  let arguments = (ins StringProp:$name, OptionalProp<I64Prop>:$address);
  let results = (outs Res<AnyStaticShapeMemRef, "", [MemAlloc]>:$memref);
  let assemblyFormat = "$name (`at` $address^)? attr-dict `:` type($memref)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MemRefType getType() { return getMemref().getType(); }
    Space getSpace();
    /// Number of slots: the first dimension of a rank 2 result, else 1.
    int64_t getSlots();
    /// Elements of one slot.
    int64_t getCapacity();
    /// Bytes of one slot, and of all.
    int64_t getSlotBytes();
    int64_t getBytes() { return getSlots() * getSlotBytes(); }
    /// The address in the one range of all on-chip memories (Memories.h), in which addresses of two buffers compare.
    /// It must have an address.
    int64_t getWindowAddress();
    /// Printed IR calls the result by the buffer's name.
    void getAsmResultNames(::mlir::OpAsmSetValueNameFn setName);
  }];
}

def AICore_TilingDataOp : AICore_Op<"tiling_data", [Pure, OpAsmOpInterface,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "reads a field of the tiling data";
  let description = [{
    The result is the value that the kernel's tiling function returned under this name for the launch. `min` and `max`
    bound the value: the verifiers and the planner rely on these bounds, and the tiling function must respect them.
    `cases` lists all possible values. A field on which branches, event ids or slots depend must have `cases`, because
    the proof of order checks the kernel for each of them.

    * (tiling_data_c1) the name is an identifier
    * (tiling_data_c2) `min` is not greater than `max`, and not negative
    * (tiling_data_c3) `cases` has 1 to 16 values, none of them negative, in ascending order, and excludes `min` and
      `max`

    ```mlir
    %tile_length = aicore.tiling_data "tile_length" min 1 max 8192 : index
    %mode = aicore.tiling_data "mode" cases [0, 1, 4] : index
    ```
  }];
  let arguments = (ins StringProp:$name, OptionalProp<I64Prop>:$min, OptionalProp<I64Prop>:$max,
                       OptionalAttr<DenseI64ArrayAttr>:$cases);
  let results = (outs Index:$value);
  let assemblyFormat = "$name (`min` $min^)? (`max` $max^)? (`cases` $cases^)? attr-dict `:` type($value)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    void getAsmResultNames(::mlir::OpAsmSetValueNameFn setName);
    /// Bounds that are stated, by `cases` too: at least 0, and none above without either.
    int64_t getLeast();
    std::optional<int64_t> getMost();
  }];
}

def AICore_BlockIdxOp : AICore_Op<"block_idx", [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "the index of the logical block that runs the kernel, from 0";
  let description = [{
    ```mlir
    %block = aicore.block_idx : index
    ```
  }];
  let results = (outs Index:$value);
  let assemblyFormat = "attr-dict `:` type($value)";
}

def AICore_ScalarReadOp : AICore_PipeOp<"scalar_read", [
    TypesMatchWith<"result has the element type of 'tile'", "tile", "value",
                   "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "the scalar unit reads one element of a tile";
  let description = [{
    Pipe `s` reads element `index`. While the scalar unit waits for the flag before the read, it issues no instructions,
    so it is best to group such reads.

    * (scalar_c1) 'tile' is a rank 1 tile in UB

    ```mlir
    %max = aicore.scalar_read %tile[%i] : memref<64xf32, #aicore.space<ub>>
    ```
  }];
  let arguments = (ins AnyMemRef:$tile, Index:$index);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$tile `[` $index `]` attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def AICore_ScalarWriteOp : AICore_PipeOp<"scalar_write", [
    TypesMatchWith<"'value' has the element type of 'tile'", "tile", "value",
                   "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "the scalar unit writes one element of a tile";
  let description = [{
    * (scalar_c1) 'tile' is a rank 1 tile in UB

    ```mlir
    aicore.scalar_write %value, %tile[%i] : memref<64xf32, #aicore.space<ub>>
    ```
  }];
  let arguments = (ins AnyType:$value, AnyMemRef:$tile, Index:$index);
  let assemblyFormat = "$value `,` $tile `[` $index `]` attr-dict `:` type($tile)";
  let hasVerifier = 1;
}
