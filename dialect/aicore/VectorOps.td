//===- VectorOps.td - intrinsics of the vector unit -----------------------------===//
//
// One class for each form of runtime/target/Intrinsics.h. The mnemonic is the intrinsic's name there; the target
// defines which types exist. Rules that all forms share, vector_c1 to vector_c8, are in the dialect's description.
//
// vadd, vsub, vmul, vdiv, vmax and vmin have a form for rows (AICoreDialect.td).

/// An operand of the vector unit. The rule is part of the constraint, so that errors carry its label.
def AICore_UBTile : Type<And<[
    CPred<"::llvm::isa<::mlir::MemRefType>($_self)">,
    CPred<"::opc::aicore::isVectorTile(::llvm::cast<::mlir::MemRefType>($_self))">]>,
    "[vector_c1] a rank 1 tile in ub whose elements lie together", "::mlir::MemRefType">;

class AICore_VectorOp<string opMnemonic, string effect> : AICore_PipeOp<opMnemonic, [VectorOpInterface]> {
  let summary = effect;
  let extraClassDeclaration = pipeMethods # "static constexpr ::opc::Intrinsic kIntrinsic = ::opc::Intrinsic::" # opMnemonic # ";";
  let extraClassDefinition = [{
    ::opc::aicore::Pipe $cppClass::getPipe() { return ::opc::aicore::Pipe::V; }
    void $cppClass::getAccesses(::llvm::SmallVectorImpl<::opc::aicore::Access> &accesses) {
      ::opc::aicore::detail::appendVectorAccesses(getOperation(), accesses);
    }
  }];
}

/// dst[i] = f(src[i])
class AICore_UnaryOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AICore_UBTile:$source, AICore_UBTile:$destination);
  let assemblyFormat = "`ins` `(` $source `:` type($source) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict";
  let description = "`" # effect # "` for every element.\n\n```mlir\naicore." # opMnemonic # [{ ins(%x : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<128xf32, #aicore.space<ub>>)
```
}];
}

/// dst[i] = f(src0[i], src1[i])
class AICore_BinaryOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AICore_UBTile:$lhs, AICore_UBTile:$rhs, AICore_UBTile:$destination);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
  let description = "`" # effect # "` for every element.\n\n```mlir\naicore." # opMnemonic # [{ ins(%a, %b : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%y : memref<128xf16, #aicore.space<ub>>)
```
}];
}

/// dst[i] = f(src0[i], src1[i]), and the form for rows: see the dialect's description.
class AICore_RowsOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AICore_UBTile:$lhs, AICore_UBTile:$rhs, AICore_UBTile:$destination, UnitAttr:$rows);
  let assemblyFormat = [{
    (`rows` $rows^)? `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
  let description = "`" # effect # "` for every element. With `rows`, `rhs` has a block of 32 bytes for each row of "
                    # "the tile.\n\n```mlir\naicore." # opMnemonic # [{ ins(%a, %b : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%y : memref<128xf16, #aicore.space<ub>>)
```
}];
}

/// dst[i] = f(src[i], scalar)
class AICore_ScalarFormOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AICore_UBTile:$source, AnyType:$scalar, AICore_UBTile:$destination);
  let assemblyFormat = [{
    `ins` `(` $source `,` $scalar `:` type($source) `,` type($scalar) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
  let description = "`" # effect # "` for every element. The scalar is a register of the scalar unit.\n\n```mlir\naicore." # opMnemonic # [{ ins(%x, %s : memref<128xf32, #aicore.space<ub>>, f32) outs(%y : memref<128xf32, #aicore.space<ub>>)
```
}];
}

def AICore_VAddOp : AICore_RowsOp<"vadd", "dst = lhs + rhs">;
def AICore_VSubOp : AICore_RowsOp<"vsub", "dst = lhs - rhs">;
def AICore_VMulOp : AICore_RowsOp<"vmul", "dst = lhs * rhs">;
def AICore_VDivOp : AICore_RowsOp<"vdiv", "dst = lhs / rhs">;
def AICore_VMaxOp : AICore_RowsOp<"vmax", "dst = max(lhs, rhs)">;
def AICore_VMinOp : AICore_RowsOp<"vmin", "dst = min(lhs, rhs)">;

def AICore_VAddsOp : AICore_ScalarFormOp<"vadds", "dst = source + scalar">;
def AICore_VMulsOp : AICore_ScalarFormOp<"vmuls", "dst = source * scalar">;
def AICore_VMaxsOp : AICore_ScalarFormOp<"vmaxs", "dst = max(source, scalar)">;
def AICore_VMinsOp : AICore_ScalarFormOp<"vmins", "dst = min(source, scalar)">;
def AICore_VLeakyReluOp : AICore_ScalarFormOp<"vleakyrelu", "dst = source >= 0 ? source : source * scalar">;

def AICore_VExpOp : AICore_UnaryOp<"vexp", "dst = e ^ source">;
def AICore_VLnOp : AICore_UnaryOp<"vln", "dst = ln(source)">;
def AICore_VSqrtOp : AICore_UnaryOp<"vsqrt", "dst = sqrt(source)">;
def AICore_VRsqrtOp : AICore_UnaryOp<"vrsqrt", "dst = 1 / sqrt(source)">;
def AICore_VRecOp : AICore_UnaryOp<"vrec", "dst = 1 / source">;
def AICore_VReluOp : AICore_UnaryOp<"vrelu", "dst = max(source, 0)">;
def AICore_VAbsOp : AICore_UnaryOp<"vabs", "dst = |source|">;

// Compound: each step is rounded to the type it works in.
def AICore_VAddReluOp : AICore_BinaryOp<"vaddrelu", "dst = max(lhs + rhs, 0)">;
def AICore_VSubReluOp : AICore_BinaryOp<"vsubrelu", "dst = max(lhs - rhs, 0)">;
def AICore_VAddReluCastOp : AICore_BinaryOp<"vaddrelucast", "dst = convert(max(lhs + rhs, 0))">;
def AICore_VSubReluCastOp : AICore_BinaryOp<"vsubrelucast", "dst = convert(max(lhs - rhs, 0))">;
def AICore_VMulCastOp : AICore_BinaryOp<"vmulcast", "dst = convert(lhs * rhs)">;

class AICore_ScratchOp<string opMnemonic, string effect, dag sources, string types, string example>
    : AICore_VectorOp<opMnemonic, effect> {
  let arguments = !con(sources, (ins AICore_UBTile:$destination, AICore_UBTile:$scratch));
  let assemblyFormat = "`ins` `(` " # types # " `)` `outs` `(` $destination `:` type($destination) `)` "
                       # "`scratch` `(` $scratch `:` type($scratch) `)` attr-dict";
  let description = "`" # effect # [{` for every element. The call is composed of other calls and overwrites the
scratch tile, which has element type ui8. The target defines the size of the scratch tile.

```mlir
aicore.}] # opMnemonic # example # [{ scratch(%w : memref<2048xui8, #aicore.space<ub>>)
```
}];
}

def AICore_VFloorOp : AICore_ScratchOp<"vfloor", "dst = floor(source)",
  (ins AICore_UBTile:$source), "$source `:` type($source)",
  " ins(%x : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<128xf32, #aicore.space<ub>>)">;
def AICore_VXorOp : AICore_ScratchOp<"vxor", "dst = lhs ^ rhs",
  (ins AICore_UBTile:$lhs, AICore_UBTile:$rhs), "$lhs `,` $rhs `:` type($lhs) `,` type($rhs)",
  " ins(%a, %b : memref<128xi16, #aicore.space<ub>>, memref<128xi16, #aicore.space<ub>>) outs(%y : memref<128xi16, #aicore.space<ub>>)">;

// The destination is read as well.
def AICore_VFmaOp : AICore_BinaryOp<"vfma", "dst = lhs * dst + rhs">;
def AICore_VMulAddReluOp : AICore_BinaryOp<"vmuladdrelu", "dst = max(lhs * dst + rhs, 0)">;
def AICore_VMulAddOp : AICore_BinaryOp<"vmuladd", "dst = lhs * rhs + dst">;
def AICore_VAxpyOp : AICore_ScalarFormOp<"vaxpy", "dst = source * scalar + dst">;

// Logic on bits.
def AICore_VAndOp : AICore_BinaryOp<"vand", "dst = lhs & rhs">;
def AICore_VOrOp : AICore_BinaryOp<"vor", "dst = lhs | rhs">;
def AICore_VNotOp : AICore_UnaryOp<"vnot", "dst = ~source">;
def AICore_VShlOp : AICore_ScalarFormOp<"vshl", "dst = source << scalar">;
def AICore_VShrOp : AICore_ScalarFormOp<"vshr", "dst = source >> scalar, arithmetic for signed types">;

def AICore_VGatherOp : AICore_BinaryOp<"vgather", "dst = element of lhs at byte offset rhs"> {
  let description = [{
    `dst[i]` is the element of `lhs` at byte offset `rhs[i]` from its first; `rhs` has element type ui32 or i32.

    ```mlir
    aicore.vgather ins(%x, %offsets : memref<128xf16, #aicore.space<ub>>, memref<256xui32, #aicore.space<ub>>) outs(%y : memref<256xf16, #aicore.space<ub>>)
    ```
  }];
}

def AICore_VCopyOp : AICore_UnaryOp<"vcopy", "dst = source">;

def AICore_VGatherMaskOp : AICore_BinaryOp<"vgather_mask", "dst = elements of rhs whose bit in lhs is set"> {
  let description = [{
    Packs the elements of `rhs` whose bit in the mask `lhs` is set, in the order of `rhs`. The destination has as many
    elements as `rhs`; the elements after the kept ones must not be read. The op does not return the number of kept
    elements: a kernel knows it from the way in which it computes the mask.

    ```mlir
    aicore.vgather_mask ins(%m, %x : memref<16xui8, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%y : memref<128xf16, #aicore.space<ub>>)
    ```
  }];
}

def AICore_VGatherPatternOp : AICore_VectorOp<"vgather_pattern", "dst = elements of source that a pattern keeps"> {
  let description = [{
    `even` and `odd` keep every second element, `first` to `fourth` keep one of every four elements, and `all` keeps
    all, according to their index in the source. The kept elements are packed.

    ```mlir
    aicore.vgather_pattern odd ins(%x : memref<128xf16, #aicore.space<ub>>) outs(%y : memref<64xf16, #aicore.space<ub>>)
    ```
  }];
  let arguments = (ins AICore_KeepProp:$keep, AICore_UBTile:$source, AICore_UBTile:$destination);
  let assemblyFormat = "$keep `ins` `(` $source `:` type($source) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict";
}

def AICore_VScatterOp : AICore_BinaryOp<"vscatter", "element of dst at byte offset rhs = lhs"> {
  let description = [{
    Writes `lhs[i]` to the element of the destination at byte offset `rhs[i]` from its first element; `rhs` has element
    type ui32. The other elements of the destination keep their values, so the destination is read as well. If two
    offsets are equal, the later one wins.

    ```mlir
    aicore.vscatter ins(%x, %offsets : memref<128xf16, #aicore.space<ub>>, memref<128xui32, #aicore.space<ub>>) outs(%y : memref<256xf16, #aicore.space<ub>>)
    ```
  }];
}

def AICore_VTransposeOp : AICore_UnaryOp<"vtranspose", "dst[j][i] = source[i][j]"> {
  let description = [{
    Transposes a matrix of 16 x 16 elements of 16 bits in row-major order. The destination may be the source.

    ```mlir
    aicore.vtranspose ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%y : memref<256xf16, #aicore.space<ub>>)
    ```
  }];
}

def AICore_VTrans5HDOp : AICore_UnaryOp<"vtrans5hd", "dst[p][c] = source[c][p]"> {
  let description = [{
    Converts channels first to channels last (NCHW to NC1HWC0) for one group of C0 channels. C0 is 32 for 8-bit types
    and 16 for others. Each channel of the source is a plane of n / C0 elements, a multiple of 32 bytes.

    ```mlir
    aicore.vtrans5hd ins(%x : memref<512xf16, #aicore.space<ub>>) outs(%y : memref<512xf16, #aicore.space<ub>>)
    ```
  }];
}

def AICore_VSort32Op : AICore_BinaryOp<"vsort32", "dst = pairs of lhs and rhs, every 32 in descending order of lhs"> {
  let description = [{
    A pair has eight bytes: a score from `lhs` (for f16, two bytes of 0 follow) and an index from `rhs`, 32 bits that
    move with the score and have no meaning to the op: ui32, or f32, in which a kernel can count. Every 32 pairs are
    sorted in descending order of the scores; the sort is stable. The destination has the element type of the scores: a
    pair takes two elements of f32 or four of f16.

    ```mlir
    aicore.vsort32 ins(%x, %indices : memref<64xf32, #aicore.space<ub>>, memref<64xui32, #aicore.space<ub>>) outs(%y : memref<128xf32, #aicore.space<ub>>)
    ```
  }];
}

def AICore_VMrgSortOp : AICore_VectorOp<"vmrgsort", "dst = sorted pairs of two to four sorted lists"> {
  let description = [{
    Merges lists of pairs in the format of `aicore.vsort32` into one list. Each list is in descending order of its
    scores. If scores are equal, the pair of the earlier list comes first. The target defines the maximum length of a
    list.

    * (merge_c1) there are two to four lists

    ```mlir
    aicore.vmrgsort ins(%a, %b : memref<64xf32, #aicore.space<ub>>, memref<128xf32, #aicore.space<ub>>) outs(%y : memref<192xf32, #aicore.space<ub>>)
    ```
  }];
  let arguments = (ins Variadic<AICore_UBTile>:$lists, AICore_UBTile:$destination);
  let assemblyFormat = "`ins` `(` $lists `:` type($lists) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict";
}

def AICore_VCastOp : AICore_VectorOp<"vcast", "dst = convert(source) under a rounding mode"> {
  let description = [{
    Values outside the range of an integer destination saturate, except that f32 to i64 keeps the low 64 bits of the
    whole number. f32 to f32 rounds to a whole number. The rounding mode `none` states that the conversion is exact.

    ```mlir
    aicore.vcast ins(%x : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<128xf16, #aicore.space<ub>>) round rint
    ```
  }];
  let arguments = (ins AICore_UBTile:$source, AICore_UBTile:$destination, AICore_RoundingProp:$rounding);
  let assemblyFormat = [{
    `ins` `(` $source `:` type($source) `)` `outs` `(` $destination `:` type($destination) `)` `round` $rounding attr-dict
  }];
}

def AICore_VCmpOp : AICore_VectorOp<"vcmp", "bit i of dst = comparison of lhs[i] with rhs[i]"> {
  let description = [{
    The destination is a mask with one bit for each element, eight bits to a byte, lowest bit first. The chip processes
    whole repeats of 256 bytes of the sources.

    ```mlir
    aicore.vcmp lt ins(%a, %b : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%m : memref<32xui8, #aicore.space<ub>>)
    ```
  }];
  let arguments = (ins AICore_CompareProp:$comparison, AICore_UBTile:$lhs, AICore_UBTile:$rhs, AICore_UBTile:$destination);
  let assemblyFormat = [{
    $comparison `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
}

def AICore_VCmpsOp : AICore_VectorOp<"vcmps", "bit i of dst = comparison of source[i] with scalar"> {
  let description = [{
    Like `aicore.vcmp`, but compares with a scalar.

    ```mlir
    aicore.vcmps ge ins(%x, %s : memref<128xf16, #aicore.space<ub>>, f16) outs(%m : memref<32xui8, #aicore.space<ub>>)
    ```
  }];
  let arguments = (ins AICore_CompareProp:$comparison, AICore_UBTile:$source, AnyType:$scalar, AICore_UBTile:$destination);
  let assemblyFormat = [{
    $comparison `ins` `(` $source `,` $scalar `:` type($source) `,` type($scalar) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
}

def AICore_VSelOp : AICore_VectorOp<"vsel", "dst[i] = bit i of mask ? lhs[i] : rhs[i]"> {
  let description = [{
    ```mlir
    aicore.vsel ins(%m, %a, %b : memref<32xui8, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%y : memref<128xf16, #aicore.space<ub>>)
    ```
  }];
  let arguments = (ins AICore_UBTile:$mask, AICore_UBTile:$lhs, AICore_UBTile:$rhs, AICore_UBTile:$destination);
  let assemblyFormat = [{
    `ins` `(` $mask `,` $lhs `,` $rhs `:` type($mask) `,` type($lhs) `,` type($rhs) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
}

def AICore_VSelsOp : AICore_VectorOp<"vsels", "dst[i] = bit i of mask ? source[i] : scalar"> {
  let description = [{
    ```mlir
    aicore.vsels ins(%m, %a, %s : memref<32xui8, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>, f16) outs(%y : memref<128xf16, #aicore.space<ub>>)
    ```
  }];
  let arguments = (ins AICore_UBTile:$mask, AICore_UBTile:$source, AnyType:$scalar, AICore_UBTile:$destination);
  let assemblyFormat = [{
    `ins` `(` $mask `,` $source `,` $scalar `:` type($mask) `,` type($source) `,` type($scalar) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
}

class AICore_ReduceOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins Variadic<Index>:$extent, AICore_UBTile:$source, AICore_UBTile:$destination, AICore_UBTile:$scratch);
  let assemblyFormat = [{
    (`rows` `(` $extent^ `)`)? `ins` `(` $source `:` type($source) `)` `outs` `(` $destination `:` type($destination) `)` `scratch` `(` $scratch `:` type($scratch) `)` attr-dict
  }];
  let description = "`" # effect # [{`. Reduces the whole source to the first element of the destination and
overwrites the scratch tile. The target defines the size of the scratch tile.

With `rows(%rows, %columns)` the source is a tile of rows, and each row is reduced: the first `columns` elements of row
r are reduced to element r * s of the destination, where s is the destination's length divided by `rows`. The other
elements of the destination keep their values, so the destination is read as well. A row and s are whole blocks of 32
bytes. The order of operations is that of the cheapest calls for this number of rows and columns
(runtime/target/RowForm.h): adjacent elements are combined in pairs, level by level; or adjacent repeats of 256 bytes
are combined lane by lane until one repeat is left, and then its elements; or rows are reduced one by one, like a tile.

* (reduce_c1) the destination has at least one element
* (reduce_c2) the scratch tile has the element type of the source
* (reduce_c3) `rows` has two numbers, of rows and of columns; source, destination and scratch are three different tiles

```mlir
aicore.}] # opMnemonic # [{ ins(%x : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<8xf32, #aicore.space<ub>>) scratch(%w : memref<64xf32, #aicore.space<ub>>)
```
}];
}

def AICore_VReduceSumOp : AICore_ReduceOp<"vreduce_sum", "dst[0] = sum of source">;
def AICore_VReduceMaxOp : AICore_ReduceOp<"vreduce_max", "dst[0] = maximum of source">;
def AICore_VReduceMinOp : AICore_ReduceOp<"vreduce_min", "dst[0] = minimum of source">;

class AICore_PartReduceOp<string opMnemonic, string effect, string rule, string lengths>
    : AICore_UnaryOp<opMnemonic, effect> {
  let description = "`" # effect # "`. " # rule # "\n\n```mlir\naicore." # opMnemonic # " ins(%x : memref<256xf32, #aicore.space<ub>>) outs(%y : memref<"
                    # lengths # [{xf32, #aicore.space<ub>>)
```
}];
}

class AICore_RepeatReduceOp<string opMnemonic, string what>
    : AICore_PartReduceOp<opMnemonic, "dst[g] = " # what # " of the g-th 256 bytes of source", [{A source
of n elements, L of which take 256 bytes, has ceil(n / L) results; the last group may be shorter. Adjacent elements are
combined in pairs, level by level, and each step is rounded.}], "4">;
def AICore_VReduceRepeatSumOp : AICore_RepeatReduceOp<"vreduce_repeat_sum", "sum">;
def AICore_VReduceRepeatMaxOp : AICore_RepeatReduceOp<"vreduce_repeat_max", "maximum">;
def AICore_VReduceRepeatMinOp : AICore_RepeatReduceOp<"vreduce_repeat_min", "minimum">;

class AICore_BlockReduceOp<string opMnemonic, string what, string rest>
    : AICore_PartReduceOp<opMnemonic, "dst[g] = " # what # " of the g-th 32 bytes of source", [{A source
of n elements, L of which take 256 bytes, has 8 * ceil(n / L) results, because whole repeats are written. The results of
blocks after the end of the source are }] # rest # ".", "32">;
def AICore_VReduceBlockSumOp : AICore_BlockReduceOp<"vreduce_block_sum", "sum", "0">;
def AICore_VReduceBlockMaxOp : AICore_BlockReduceOp<"vreduce_block_max", "maximum",
  "minus infinity (f32) or -65504 (f16)">;
def AICore_VReduceBlockMinOp : AICore_BlockReduceOp<"vreduce_block_min", "minimum", "infinity (f32) or 65504 (f16)">;

def AICore_VReducePairSumOp : AICore_PartReduceOp<"vreduce_pair_sum", "dst[i] = source[2i] + source[2i + 1]",
  [{A source of n elements, L of which take 256 bytes, has ceil(n / L) * L / 2 results, because whole repeats are
written. The sum of an element without a neighbour is the element; the results of pairs after the end of the source are
0.}], "128">;

class AICore_FillOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AnyType:$scalar, AICore_UBTile:$destination);
  let assemblyFormat = [{
    `ins` `(` $scalar `:` type($scalar) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
  let description = "`" # effect # "` for every element i.\n\n```mlir\naicore." # opMnemonic # [{ ins(%s : f16) outs(%y : memref<128xf16, #aicore.space<ub>>)
```
}];
}

def AICore_VBrcOp : AICore_FillOp<"vbrc", "dst[i] = scalar">;
def AICore_VArangeOp : AICore_FillOp<"varange", "dst[i] = scalar + i">;
