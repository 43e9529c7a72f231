//===- VectorOps.td - intrinsics of the vector unit -----------------------------===//
//
// One class for each form of runtime/target/Intrinsics.h. The mnemonic is the intrinsic's name there; which types exist is
// the target's business. Rules that all forms share:
//
// * (vector_c1) operands are rank 1 tiles in UB whose elements lie together
// * (vector_c2) tiles of one element an output element have one length
// * (vector_c3) sources have one element type, and the destination too where the intrinsic does not convert
// * (vector_c4) the scalar has the element type of the first source
// * (vector_c5) a mask tile has element type ui8 and at least one bit for each element

class AICore_VectorOp<string opMnemonic, string effect> : AICore_PipeOp<opMnemonic, [VectorOpInterface]> {
  let summary = effect;
  let extraClassDefinition = [{
    ::opc::aicore::Pipe $cppClass::getPipe() { return ::opc::aicore::Pipe::V; }
    void $cppClass::getAccesses(::llvm::SmallVectorImpl<::opc::aicore::Access> &accesses) {
      ::opc::aicore::detail::appendVectorAccesses(getOperation(), accesses);
    }
  }];
}

/// dst[i] = f(src[i])
class AICore_UnaryOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$destination);
  let assemblyFormat = "`ins` `(` $source `:` type($source) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict";
  let description = "`" # effect # "` for every element.\n\n```mlir\naicore." # opMnemonic # [{ ins(%x : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<128xf32, #aicore.space<ub>>)
```
}];
}

/// dst[i] = f(src0[i], src1[i])
class AICore_BinaryOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AnyMemRef:$lhs, AnyMemRef:$rhs, AnyMemRef:$destination);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
  let description = "`" # effect # "` for every element.\n\n```mlir\naicore." # opMnemonic # [{ ins(%a, %b : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%y : memref<128xf16, #aicore.space<ub>>)
```
}];
}

/// dst[i] = f(src[i], scalar)
class AICore_ScalarFormOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AnyMemRef:$source, AnyType:$scalar, AnyMemRef:$destination);
  let assemblyFormat = [{
    `ins` `(` $source `,` $scalar `:` type($source) `,` type($scalar) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
  let description = "`" # effect # "` for every element; the scalar is a register of the scalar unit.\n\n```mlir\naicore." # opMnemonic # [{ ins(%x, %s : memref<128xf32, #aicore.space<ub>>, f32) outs(%y : memref<128xf32, #aicore.space<ub>>)
```
}];
}

def AICore_VAddOp : AICore_BinaryOp<"vadd", "dst = lhs + rhs">;
def AICore_VSubOp : AICore_BinaryOp<"vsub", "dst = lhs - rhs">;
def AICore_VMulOp : AICore_BinaryOp<"vmul", "dst = lhs * rhs">;
def AICore_VDivOp : AICore_BinaryOp<"vdiv", "dst = lhs / rhs">;
def AICore_VMaxOp : AICore_BinaryOp<"vmax", "dst = max(lhs, rhs)">;
def AICore_VMinOp : AICore_BinaryOp<"vmin", "dst = min(lhs, rhs)">;

def AICore_VAddsOp : AICore_ScalarFormOp<"vadds", "dst = source + scalar">;
def AICore_VMulsOp : AICore_ScalarFormOp<"vmuls", "dst = source * scalar">;
def AICore_VMaxsOp : AICore_ScalarFormOp<"vmaxs", "dst = max(source, scalar)">;
def AICore_VMinsOp : AICore_ScalarFormOp<"vmins", "dst = min(source, scalar)">;
def AICore_VLeakyReluOp : AICore_ScalarFormOp<"vleakyrelu", "dst = source >= 0 ? source : source * scalar">;

def AICore_VExpOp : AICore_UnaryOp<"vexp", "dst = e ^ source">;
def AICore_VLnOp : AICore_UnaryOp<"vln", "dst = natural logarithm of source">;
def AICore_VSqrtOp : AICore_UnaryOp<"vsqrt", "dst = square root of source">;
def AICore_VRsqrtOp : AICore_UnaryOp<"vrsqrt", "dst = 1 / square root of source">;
def AICore_VRecOp : AICore_UnaryOp<"vrec", "dst = 1 / source">;
def AICore_VReluOp : AICore_UnaryOp<"vrelu", "dst = max(source, 0)">;
def AICore_VAbsOp : AICore_UnaryOp<"vabs", "dst = |source|">;

// Compound: each step is rounded to the type it works in.
def AICore_VAddReluOp : AICore_BinaryOp<"vaddrelu", "dst = max(lhs + rhs, 0)">;
def AICore_VSubReluOp : AICore_BinaryOp<"vsubrelu", "dst = max(lhs - rhs, 0)">;
def AICore_VAddReluCastOp : AICore_BinaryOp<"vaddrelucast", "dst = convert(max(lhs + rhs, 0))">;
def AICore_VSubReluCastOp : AICore_BinaryOp<"vsubrelucast", "dst = convert(max(lhs - rhs, 0))">;
def AICore_VMulCastOp : AICore_BinaryOp<"vmulcast", "dst = convert(lhs * rhs)">;

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
    `dst[i]` is the element of `lhs` at byte offset `rhs[i]` from its first; `rhs` has element type ui32.

    ```mlir
    aicore.vgather ins(%x, %offsets : memref<128xf16, #aicore.space<ub>>, memref<256xui32, #aicore.space<ub>>) outs(%y : memref<256xf16, #aicore.space<ub>>)
    ```
  }];
}

def AICore_VCastOp : AICore_VectorOp<"vcast", "dst = convert(source) under a rounding mode"> {
  let description = [{
    Values outside the range of an integer destination saturate. `none` states that the conversion is exact.

    ```mlir
    aicore.vcast ins(%x : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<128xf16, #aicore.space<ub>>) round rint
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$destination, AICore_RoundingProp:$rounding);
  let assemblyFormat = [{
    `ins` `(` $source `:` type($source) `)` `outs` `(` $destination `:` type($destination) `)` `round` $rounding attr-dict
  }];
}

def AICore_VCmpOp : AICore_VectorOp<"vcmp", "bit i of dst = lhs[i] compares to rhs[i]"> {
  let description = [{
    The destination is a mask: one bit an element, eight to a byte, lowest first. The chip processes whole 256 bytes of the
    sources.

    ```mlir
    aicore.vcmp lt ins(%a, %b : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%m : memref<32xui8, #aicore.space<ub>>)
    ```
  }];
  let arguments = (ins AICore_CompareProp:$comparison, AnyMemRef:$lhs, AnyMemRef:$rhs, AnyMemRef:$destination);
  let assemblyFormat = [{
    $comparison `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
}

def AICore_VCmpsOp : AICore_VectorOp<"vcmps", "bit i of dst = source[i] compares to scalar"> {
  let description = [{
    As `aicore.vcmp`, against a scalar.

    ```mlir
    aicore.vcmps ge ins(%x, %s : memref<128xf16, #aicore.space<ub>>, f16) outs(%m : memref<32xui8, #aicore.space<ub>>)
    ```
  }];
  let arguments = (ins AICore_CompareProp:$comparison, AnyMemRef:$source, AnyType:$scalar, AnyMemRef:$destination);
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
  let arguments = (ins AnyMemRef:$mask, AnyMemRef:$lhs, AnyMemRef:$rhs, AnyMemRef:$destination);
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
  let arguments = (ins AnyMemRef:$mask, AnyMemRef:$source, AnyType:$scalar, AnyMemRef:$destination);
  let assemblyFormat = [{
    `ins` `(` $mask `,` $source `,` $scalar `:` type($mask) `,` type($source) `,` type($scalar) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
}

class AICore_ReduceOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$destination, AnyMemRef:$scratch);
  let assemblyFormat = [{
    `ins` `(` $source `:` type($source) `)` `outs` `(` $destination `:` type($destination) `)` `scratch` `(` $scratch `:` type($scratch) `)` attr-dict
  }];
  let description = "`" # effect # [{`: the whole source becomes the first element of the destination. The scratch tile is
    overwritten; how large it is is a fact of the target.

    * (reduce_c1) the destination has at least one element
    * (reduce_c2) the scratch tile has the element type of the source

```mlir
aicore.}] # opMnemonic # [{ ins(%x : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<8xf32, #aicore.space<ub>>) scratch(%w : memref<64xf32, #aicore.space<ub>>)
```
}];
}

def AICore_VReduceSumOp : AICore_ReduceOp<"vreduce_sum", "dst[0] = sum of source">;
def AICore_VReduceMaxOp : AICore_ReduceOp<"vreduce_max", "dst[0] = maximum of source">;
def AICore_VReduceMinOp : AICore_ReduceOp<"vreduce_min", "dst[0] = minimum of source">;

class AICore_FillOp<string opMnemonic, string effect> : AICore_VectorOp<opMnemonic, effect> {
  let arguments = (ins AnyType:$scalar, AnyMemRef:$destination);
  let assemblyFormat = [{
    `ins` `(` $scalar `:` type($scalar) `)` `outs` `(` $destination `:` type($destination) `)` attr-dict
  }];
  let description = "`" # effect # "` for every element i.\n\n```mlir\naicore." # opMnemonic # [{ ins(%s : f16) outs(%y : memref<128xf16, #aicore.space<ub>>)
```
}];
}

def AICore_VBrcOp : AICore_FillOp<"vbrc", "dst[i] = scalar">;
def AICore_VArangeOp : AICore_FillOp<"varange", "dst[i] = scalar + i">;
