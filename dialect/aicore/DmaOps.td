//===- DmaOps.td - data between global memory and tiles ----------------------===//

def AICore_LoadOp : AICore_PipeOp<"load", [AttrSizedOperandSegments]> {
  let summary = "copies from global memory to a tile (pipe mte2)";
  let description = [{
    Copies whole rows of any byte length, as `DataCopyPad` does. A rank 2 operand has rows: the elements of a row are
    contiguous, and the stride between rows is arbitrary. In UB, every row starts at a multiple of 32 bytes. The rest of
    the last 32 bytes of a row is filled with `pad` if it is given, and is undefined otherwise.

    With `stride`, the tile has rank 1: row i of a rank 2 source is copied to the elements from `i * stride` on, and the
    copy touches the whole extent of the tile.

    * (load_c1) 'source' is in gm, 'destination' in ub
    * (load_c2) both have the same shape of rank 1 or 2; with `stride`, 'source' has rank 2 and 'destination' rank 1
    * (load_c3) both have the same element type, and 'pad' has it too (the signless type for an unsigned element type)
    * (load_c4) the elements of a row are contiguous in both

    ```mlir
    aicore.load %x[%offset] ... // a view: memref.subview %x[%offset] [%count] [1]
    aicore.load %x_gm -> %x_ub : memref<?xf16, strided<[1], offset: ?>, #aicore.space<gm>> to memref<?xf16, strided<[1]>, #aicore.space<ub>>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$destination, Optional<Index>:$rowStride, Optional<AnyType>:$pad);
  let assemblyFormat = [{
    $source `->` $destination (`stride` $rowStride^)? (`pad` `(` $pad^ `:` type($pad) `)`)? attr-dict `:` type($source) `to` type($destination)
  }];
  let hasVerifier = 1;
}

def AICore_StoreOp : AICore_PipeOp<"store"> {
  let summary = "copies from a tile to global memory (pipe mte3)";
  let description = [{
    The counterpart of `aicore.load`. It writes exactly the bytes of the rows and never their padding. With
    `atomic_add`, the elements are added to those in global memory.

    * (store_c1) 'source' is in ub, 'destination' in gm
    * (store_c2) both have the same shape of rank 1 or 2; with `stride`, 'source' has rank 1 and 'destination' rank 2
    * (store_c3) both have the same element type
    * (store_c4) the elements of a row are contiguous in both
    * (store_c5) `atomic_add` requires element type i16, f16, i32 or f32

    ```mlir
    aicore.store %y_ub -> %y_gm : memref<?xf16, strided<[1]>, #aicore.space<ub>> to memref<?xf16, strided<[1], offset: ?>, #aicore.space<gm>>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$destination, Optional<Index>:$rowStride, UnitProp:$atomicAdd);
  let assemblyFormat = [{
    $source `->` $destination (`stride` $rowStride^)? (`atomic_add` $atomicAdd^)? attr-dict `:` type($source) `to` type($destination)
  }];
  let hasVerifier = 1;
}
