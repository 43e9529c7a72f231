//===- AICoreDialect.td - the dialect of the AI Core ----------------------===//

#ifndef OPC_DIALECT_AICORE_AICOREDIALECT_TD
#define OPC_DIALECT_AICORE_AICOREDIALECT_TD

include "mlir/IR/DialectBase.td"

def AICore_Dialect : Dialect {
  let name = "aicore";
  let cppNamespace = "::opc::aicore";
  let summary = "Kernels for an AI Core: tiles in on-chip memory, DMA, vector intrinsics, pipes, flags";
  let description = [{
    The scalar unit of an AI Core issues instructions to queues, called pipes: `mte2` copies data from global memory
    (GM) to the unified buffer (UB), `v` computes on UB, and `mte3` copies data from UB to GM. Each pipe issues in
    order. Only flags order the instructions of two different pipes.

    The cube multiplies matrices. Four pipes work for it: `mte2` also copies from GM to L1, `mte1` copies from L1 to L0A
    and L0B, `m` multiplies them into L0C, and `fix` copies results from L0C to UB or GM:

    ```text
    gm --mte2--> l1 --mte1--> l0a --+
                  |                 m--> l0c --fix--> ub or gm
                  +-----mte1--> l0b-+
    ```

    A **kernel** is a `func.func` with the attribute `aicore.kernel`. Its arguments are GM memrefs (inputs, then
    outputs), followed by the launch attributes as scalars. `aicore.phase` states how far the kernel is lowered:

    | phase | a kernel of this phase |
    |---|---|
    | `placed` | has tiles in UB, DMA and intrinsics, but no slots, addresses or flags |
    | `rotated` | has slots for every buffer that DMA touches |
    | `planned` | has an address for every buffer |
    | `synced` | has all flags and barriers that it needs |

    A **tiling function** is a `func.func` with the attribute `aicore.tiling`: straight-line index arithmetic from the
    sizes of a launch (argument attribute `aicore.size`) to the tiling data (result attribute `aicore.name`). The kernel
    names it in `aicore.tiling_function` and reads its results with `aicore.tiling_data`.

    Rules of functions and their attributes:

    * (kernel_c1) a kernel returns nothing
    * (kernel_c2) the arguments of a kernel are memrefs in gm, then scalars of a number type
    * (kernel_c3) a tensor is a `memref<?xT, #aicore.space<gm>>`
    * (tiling_c1) arguments and results of a tiling function have type `index`
    * (tiling_c2) each argument of a tiling function states which size it receives (`aicore.size`)
    * (tiling_c3) each result of a tiling function has a name (`aicore.name`), and the names are distinct
    * (tiling_c4) the first result of a tiling function is `block_num`
    * (size_c1) `#aicore.size` names a tensor if the size is that of a tensor, and names none otherwise
    * (size_c2) a dimension is between -8 and 7; negative dimensions count from the last
    * (function_c1) attributes of the dialect are on functions, their arguments and results, and on ops that define them
    * (function_c2) an attribute has the type that its name requires
    * (function_c3) a function has no unknown attribute of the dialect
    * (function_c4) `aicore.name` is a string, `aicore.size` an `#aicore.size`

    Rules that all vector intrinsics share:

    * (vector_c1) operands are rank 1 tiles in UB with contiguous elements
    * (vector_c2) tiles that have one element for each element of the result have the same length
    * (vector_c3) sources have the same element type; unless the intrinsic converts, the destination has it too
    * (vector_c4) the scalar has the element type of the first source
    * (vector_c5) a mask tile has element type ui8 and at least one bit for each element; the scratch tile of a composed
      call has element type ui8
    * (vector_c6) the destination is none of the sources if the intrinsic moves elements to other positions or is
      composed of other calls
    * (vector_c7) lengths are multiples of the number of elements that the intrinsic processes at once
    * (vector_c8) the destination has as many elements as the intrinsic writes for its source

    Six intrinsics have a **form for rows**, with the keyword `rows`: arithmetic on a tile of rows whose second source
    has a block of 32 bytes for each row. With four blocks of f32, and therefore four rows of 128 elements,
    `y[i] = x[i] + b[i / 128 * 8 + i % 8]`:

    ```mlir
    aicore.vadd rows ins(%x, %b : memref<512xf32, #aicore.space<ub>>, memref<32xf32, #aicore.space<ub>>) outs(%y : memref<512xf32, #aicore.space<ub>>)
    ```

    The form is the strided form of the same call. Either the call processes one row and the block has stride 0, or it
    processes eight rows at once, one block of each row in a repeat. The blocks are contiguous, and so are all bytes
    that the call touches.

    * (rows_c1) the second source consists of whole blocks, one for each row, and all rows have the same number of
      elements; if there is more than one row, a row consists of whole blocks
    * (rows_c2) the keyword selects the form, not an attribute `aicore.rows`, and only `vadd`, `vsub`, `vmul`, `vdiv`,
      `vmax` and `vmin` have it

    The target defines which intrinsics and types a chip has. The verifiers of the phases check this; the ops do not.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// On a function: it is a kernel (unit attribute).
    static constexpr ::llvm::StringLiteral kKernelAttr = "aicore.kernel";
    /// On a kernel: how far it is lowered (#aicore.phase).
    static constexpr ::llvm::StringLiteral kPhaseAttr = "aicore.phase";
    /// On a kernel: its tiling function (flat symbol reference).
    static constexpr ::llvm::StringLiteral kTilingFunctionAttr = "aicore.tiling_function";
    /// On a function: it is a tiling function (unit attribute).
    static constexpr ::llvm::StringLiteral kTilingAttr = "aicore.tiling";
    /// On an argument of a tiling function: which size of the launch it receives (#aicore.size).
    static constexpr ::llvm::StringLiteral kSizeAttr = "aicore.size";
    /// On a kernel that serves one shape key: the number by which its tiling function refers to it (integer).
    static constexpr ::llvm::StringLiteral kTilingKeyAttr = "aicore.tiling_key";
    /// On an instance of a te body, and on the kernel made of it (#aicore.needs, #aicore.schedule).
    static constexpr ::llvm::StringLiteral kNeedsAttr = "aicore.needs";
    /// On an instance: its needs under each schedule that changes them (array of #aicore.needs), the plain ones first.
    static constexpr ::llvm::StringLiteral kNeedsVariantsAttr = "aicore.needs_variants";
    /// On an instance: the names of the tensors of which it loads lines whole (array of strings).
    static constexpr ::llvm::StringLiteral kLinesAttr = "aicore.lines";
    static constexpr ::llvm::StringLiteral kScheduleAttr = "aicore.schedule";
    /// On a kernel of phase `synced` for which event ids were few: what was done about it, a sentence (string).
    static constexpr ::llvm::StringLiteral kEventIdsAttr = "aicore.event_ids";
    /// On a kernel of phase `synced` with flags between FIX and V: "direct", since it assumes that the chip has them.
    static constexpr ::llvm::StringLiteral kFixToVAttr = "aicore.fix_to_v";
    static constexpr ::llvm::StringLiteral kDirect = "direct";
    /// On an argument of a kernel: the tensor's or attribute's name in the contract; on a result of a tiling function:
    /// the field of the tiling data (string).
    static constexpr ::llvm::StringLiteral kNameAttr = "aicore.name";
  }];
}

#endif // OPC_DIALECT_AICORE_AICOREDIALECT_TD
