//===- AICoreDialect.td - the dialect of the AI Core ----------------------===//

#ifndef OPC_DIALECT_AICORE_AICOREDIALECT_TD
#define OPC_DIALECT_AICORE_AICOREDIALECT_TD

include "mlir/IR/DialectBase.td"

def AICore_Dialect : Dialect {
  let name = "aicore";
  let cppNamespace = "::opc::aicore";
  let summary = "What an AI Core does: tiles in on-chip memory, DMA, vector intrinsics, pipes, flags";
  let description = [{
    The AI Core is a scalar unit that hands instructions to queues, called pipes: `mte2` moves data from global memory
    (GM) to the unified buffer (UB), `v` computes on UB, `mte3` moves UB to GM. Each pipe issues in order; two pipes are
    ordered by flags alone.

    A **kernel** is a `func.func` with the attribute `aicore.kernel`. Its arguments are GM memrefs, inputs then outputs,
    then launch attributes as scalars. `aicore.phase` says how far it is lowered:

    | phase | a kernel in it |
    |---|---|
    | `placed` | has its tiles in UB, DMA and intrinsics; no slots, addresses or flags |
    | `rotated` | has slots for every buffer that DMA touches |
    | `planned` | has an address for every buffer |
    | `synced` | has every flag and barrier it needs |

    A **tiling function** is a `func.func` with the attribute `aicore.tiling`: straight-line index arithmetic from the
    sizes of a launch (argument attribute `aicore.size`) to the tiling data (result attribute `aicore.name`). The kernel
    names it in `aicore.tiling_function` and reads its results with `aicore.tiling_data`.

    Rules of functions and their attributes:

    * (kernel_c1) a kernel returns nothing
    * (kernel_c2) its arguments are memrefs in gm, then scalars of a number type
    * (kernel_c3) a tensor is a `memref<?xT, #aicore.space<gm>>`
    * (tiling_c1) arguments and results of a tiling function are `index`
    * (tiling_c2) each argument says which size it receives (`aicore.size`)
    * (tiling_c3) each result has a name (`aicore.name`), and names differ
    * (tiling_c4) the first result is `block_num`
    * (size_c1) `#aicore.size` names a tensor for the sizes that are of one, and none for the others
    * (size_c2) a dimension is -8 to 7; negative ones count from the last
    * (function_c1) attributes of the dialect are on functions, their arguments and results, and on ops that say so
    * (function_c2) an attribute has the type that its name asks for
    * (function_c3) a function has no unknown attribute of the dialect
    * (function_c4) `aicore.name` is a string, `aicore.size` an `#aicore.size`

    Rules that all vector intrinsics share:

    * (vector_c1) operands are rank 1 tiles in UB whose elements lie together
    * (vector_c2) tiles of one element an output element have one length
    * (vector_c3) sources have one element type, and the destination too where the intrinsic does not convert
    * (vector_c4) the scalar has the element type of the first source
    * (vector_c5) a mask tile has element type ui8 and at least one bit for each element; scratch of composed calls is ui8
    * (vector_c6) an intrinsic that moves elements to other places, or is composed of others, has its destination apart from
      its sources
    * (vector_c7) lengths are multiples of what the intrinsic works on at once
    * (vector_c8) the destination has as many elements as are written for those that are counted

    Six intrinsics have a **form for rows**, with the keyword `rows`: arithmetic on a tile of rows whose second
    source has a block of 32 bytes for each row. Four blocks of f32, so four rows of 128 elements,
    `y[i] = x[i] + b[i / 128 * 8 + i % 8]`:

    ```mlir
    aicore.vadd rows ins(%x, %b : memref<512xf32, #aicore.space<ub>>, memref<32xf32, #aicore.space<ub>>) outs(%y : memref<512xf32, #aicore.space<ub>>)
    ```

    It is the strided form of the same call: along a row the block stands still, or eight rows are worked on at once, a
    block of each in a repeat. Blocks lie one behind the other, so all bytes that are touched lie together.

    * (rows_c1) the second source has whole blocks, one for each row, and rows have as many elements each; those of several
      rows in whole blocks
    * (rows_c2) the form is said by the keyword, not by an attribute `aicore.rows`, and `vadd`, `vsub`, `vmul`, `vdiv`, `vmax`
      and `vmin` have it

    Which intrinsics and types a chip has is data of the target, checked by the phase verifiers, not by the ops.
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
    /// On a kernel that serves one shape key: the number under which its tiling function asks for it (integer).
    static constexpr ::llvm::StringLiteral kTilingKeyAttr = "aicore.tiling_key";
    /// On an instance of a te body, and on the kernel made of it (#aicore.needs, #aicore.schedule).
    static constexpr ::llvm::StringLiteral kNeedsAttr = "aicore.needs";
    /// On an instance: its needs under each schedule that changes them (array of #aicore.needs), the plain ones first.
    static constexpr ::llvm::StringLiteral kNeedsVariantsAttr = "aicore.needs_variants";
    static constexpr ::llvm::StringLiteral kScheduleAttr = "aicore.schedule";
    /// On a kernel of phase `synced` for which event ids were few: what was done about it, a sentence (string).
    static constexpr ::llvm::StringLiteral kEventIdsAttr = "aicore.event_ids";
    /// On an argument of a kernel: the tensor's or attribute's name in the contract; on a result of a tiling function:
    /// the field of the tiling data (string).
    static constexpr ::llvm::StringLiteral kNameAttr = "aicore.name";
  }];
}

#endif // OPC_DIALECT_AICORE_AICOREDIALECT_TD
