//===- TeDialect.td - the dialect of tensor expressions --------------------===//

#ifndef OPC_DIALECT_TE_TEDIALECT_TD
#define OPC_DIALECT_TE_TEDIALECT_TD

include "mlir/IR/DialectBase.td"

def Te_Dialect : Dialect {
  let name = "te";
  let cppNamespace = "::opc::te";
  let summary = "Tensor expressions: what an operator computes, written once for all types, ranks and shapes";
  let description = [{
    A **body** is a function that takes the contract's inputs, then the launch attributes as scalars, and returns the
    outputs. It specifies what is computed, not how: it has no loops, no memory and no types of intermediate values.

    ```mlir
    !T = f16
    func.func @swish(%x: !x, %beta: f32) -> !y {
      %y = te.swish %x, %beta
      return %y : !y
    }
    ```

    The importer replaces the first line before it parses the body, once for each type row and each shape key:

    | alias | replaced by |
    |---|---|
    | `!T` | the element type of the first input |
    | `!NAME`, for each tensor | the type of the tensor: `tensor<?xf16>`, `tensor<?x?xf16>`, `tensor<1x?xf16>` |
    | `#NAME`, for each attribute that is bound at compile time | the value of the attribute |
    | `#axes`, for an operator that reduces | the axes that the launch gives: the only axes that its body may name |

    **Values** are ranked tensors or scalars of a number type. Sizes are unknown (`?`); a static 1 is a dimension that
    broadcasts. An input has size 1 at each dimension of the largest shape that its own shape omits, and its dimensions
    are in the order of the results, even if the contract has another order; a product, `H*D`, is one dimension for each
    factor. Result types are inferred, and the assembly format has no operand types. Operands of an elementwise op
    broadcast as in NumPy. A scalar may be combined with a tensor of the same kind (float or integer) and any width.
    An integer that a launch gives is converted to the tensor's type first and wraps if it does not fit: beside a
    tensor of int8, 300 is 44. A constant that does not fit is refused (constant_c1).
    Types `uiN` are unsigned, other integers are signed, and `i1` is a truth value.

    **Axes** of a reduction are dimensions of the contract, given by number or by name: the last dimension of
    `[B, N, M]` is `[2]`, `[-1]` or `[M]`. In a shape with a pack `...S`, a number is valid only if the pack is not
    between the dimension and the end from which the number counts; `[S]` is all its dimensions. If a dimension is a
    product, axes must be names. The operand of a reduction has the dimensions that it reduces. Reductions of one
    body may be over different dimensions, also where one depends on another. An operator whose output has `reduces`
    reduces `#axes`.

    **Nests.** A body with reductions over different dimensions is divided into nests of loops, which a launch runs one
    after the other; so is one that scans, gathers, takes parts or pools beside other of these or beside a reduction.
    What a nest computes for another lies in the workspace of the launch. A softmax of a part is one nest; a gather, a
    softmax of the rows and a sum over the batch are three. Rules about loops, and about what stands beside an op, are
    for one nest. No nests are beside a product, a sort or a scatter.

    **Rules** that several ops share. The label of a rule precedes the text of its error:

    * (value_c1) operands are ranked tensors or scalars of numbers
    * (value_c2) tensors have the same element type, and a scalar has the same kind: floats with floats, integers with
      integers
    * (value_c3) shapes broadcast: aligned to the right, sizes are equal or one of them is a static 1
    * (value_c4) the op is defined for the kind of the elements
    * (value_c5) a value is defined before it is used
    * (body_c1) attributes of the dialect are on functions, or `te.loop` on `linalg.index`, are known, and have the type
      that the table below gives
    * (body_c2) on arguments and results `te.name`, `te.part_of`, `te.gathered_by` and `te.scattered` are strings,
      `te.dims` an array of i64, `te.of_launch`, `te.across`, `te.still`, `te.from_end` and `te.sorted` unit attributes,
      `te.places` strings, `te.window` two or three strides and dilations from 1 and paddings from 0, each at most 2^24,
      `te.element` a number type

    The contract's `precision` determines the types in which values are computed and accumulated (`te.compute`,
    `te.accumulate`); a body needs no casts for this.

    The ops `te.sigmoid`, `te.swish`, `te.gelu`, `te.tanh`, `te.erf`, `te.softplus`, `te.sign`, `te.mod` and `te.cast`
    remain as scalar ops in the payload of `linalg.generic` until the lowering for a device expands them. So does
    `te.scan`, whose result depends on other elements; its kernel runs the loop in order. `te.sort` remains too: its
    operand is then the element at this position of the sorted order, and the kernel knows its index in the line.
    Functions have these attributes:

    | attribute | on | meaning |
    |---|---|---|
    | `te.kernel` | function | the function is an instance of a body |
    | `te.phase` | function | the phase: `#te.phase<bound>` or `#te.phase<fused>` |
    | `te.type_row`, `te.shape_key` | function | the type row (a number) and the shape key (a name) of the instance |
    | `te.compute`, `te.accumulate` | function | the types that compute floats and accumulate sums; absent: as stored |
    | `te.tolerance` | function | the error that all outputs may have: ulps of float32, and an absolute error; absent: exact forms only |
    | `te.reducible` | function of phase bound | the canonical loops that the body may reduce; absent: all |
    | `te.batched` | function | up to two batch loops run around the canonical loops of a shape key with reductions; an i64 is their number where a launch makes more of them |
    | `te.outer_runs` | function | the outermost loop of a shape key with reductions consists of this many runs of dimensions that are not neighbours, each with a stride in each tensor; absent: one |
    | `te.batch_runs` | function | likewise the outer batch loop |
    | `te.of_pairs` | function | what is reduced is computed from several inputs, none of which has all loops |
    | `te.nest` | function | the number of this nest; a launch runs all nests of a body with ranges, or with reductions of different dimensions |
    | `te.tensors` | function with `te.nest` | the names of all tensors of the contract; the nest has some of them |
    | `te.unrounded` | `te.cast` | a value goes to the workspace of a launch, or comes from there: it keeps the type in which it is computed |
    | `te.name` | argument, result | the tensor or attribute of the contract |
    | `te.dims` | argument, result | the canonical loop of each dimension, -1 for a static 1 |
    | `te.of_launch` | argument | in the shape key `any`: the launch decides which of its loops the input has |
    | `te.still` | argument | in the shape key `rows_strided`: the tensor is the same in all batches; in `strided`, `counted`, `scanned` and `lookup`: it is one element, the same in all batches |
    | `te.across` | argument | in the shape key `any`: the input is contiguous along the outer loop; with `te.places`: it is contiguous neither along the inner loop nor, if the input lacks it, along the last of these dimensions |
    | `te.window` | argument | an input with windows: stride, dilation and begin padding along each of two or three dimensions; a 1 after those if filters do not share it (depthwise) |
    | `te.gathered_by` | argument | in the shape key `gather`: the argument whose values are the indices of its rows or elements |
    | `te.places` | argument | in the shape key `lookup`: the dimensions along which payloads compute indices of its elements; with `te.gathered_by`: the dimension along which an input gives an index for each element |
    | `te.loop` | `linalg.index` | the loop of the kernel along which it counts, 0 to 2; absent: it counts the reduced elements |
    | `te.sorted` | argument | in the shape key `sorted`: its lines are sorted, and have the loop of the results |
    | `te.scattered` | result, then argument | in the shape key `scattered`: the argument that initialises the result |
    | `te.from_end` | argument with `te.gathered_by` | -1 is the last of these indices |
    | `te.element` | argument | the element type of the contract if the memref has a different one: `ui8`, `i1` |
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kKernelAttr = "te.kernel";
    static constexpr ::llvm::StringLiteral kPhaseAttr = "te.phase";
    static constexpr ::llvm::StringLiteral kTypeRowAttr = "te.type_row";
    static constexpr ::llvm::StringLiteral kShapeKeyAttr = "te.shape_key";
    /// The shape key of a function without the number of its nest: "columns" of "columns_n1"; empty without one.
    static ::llvm::StringRef shapeKeyOf(::mlir::Operation *function);
    static constexpr ::llvm::StringLiteral kComputeAttr = "te.compute";
    static constexpr ::llvm::StringLiteral kAccumulateAttr = "te.accumulate";
    static constexpr ::llvm::StringLiteral kToleranceAttr = "te.tolerance";
    static constexpr ::llvm::StringLiteral kReducibleAttr = "te.reducible";
    static constexpr ::llvm::StringLiteral kBatchedAttr = "te.batched";
    static constexpr ::llvm::StringLiteral kOuterRunsAttr = "te.outer_runs";
    static constexpr ::llvm::StringLiteral kBatchRunsAttr = "te.batch_runs";
    static constexpr ::llvm::StringLiteral kOfPairsAttr = "te.of_pairs";
    /// The numbers of runs that the outermost loop of a function, and its outer batch loop, consist of.
    static unsigned outerRunsOf(::mlir::Operation *function);
    static unsigned batchRunsOf(::mlir::Operation *function);
    static constexpr ::llvm::StringLiteral kNestAttr = "te.nest";
    static constexpr ::llvm::StringLiteral kTensorsAttr = "te.tensors";
    /// On te.cast to the type of a workspace or from it: the value of a launch's workspace is not rounded.
    static constexpr ::llvm::StringLiteral kUnroundedAttr = "te.unrounded";
    static constexpr ::llvm::StringLiteral kNameAttr = "te.name";
    static constexpr ::llvm::StringLiteral kDimsAttr = "te.dims";
    /// On linalg.index: the loop of the kernel along which a body counts (te.iota). Without it the index is the
    /// position of an element among those that a reduction compares (te.arg_max).
    static constexpr ::llvm::StringLiteral kLoopAttr = "te.loop";
    static constexpr ::llvm::StringLiteral kOfLaunchAttr = "te.of_launch";
    static constexpr ::llvm::StringLiteral kStillAttr = "te.still";
    static constexpr ::llvm::StringLiteral kAcrossAttr = "te.across";
    static constexpr ::llvm::StringLiteral kPartOfAttr = "te.part_of";
    static constexpr ::llvm::StringLiteral kWindowAttr = "te.window";
    static constexpr ::llvm::StringLiteral kGatheredByAttr = "te.gathered_by";
    static constexpr ::llvm::StringLiteral kFromEndAttr = "te.from_end";
    static constexpr ::llvm::StringLiteral kPlacesAttr = "te.places";
    static constexpr ::llvm::StringLiteral kSortedAttr = "te.sorted";
    static constexpr ::llvm::StringLiteral kScatteredAttr = "te.scattered";
    static constexpr ::llvm::StringLiteral kElementAttr = "te.element";
    /// On an argument in columns of fractals (FRACTAL_NZ); its shape is that of the matrix, or, with kBatchedAttr, of
    /// several that follow each other.
    static constexpr ::llvm::StringLiteral kPackedAttr = "te.packed";

    /// What the axes of the body that is being parsed mean (Axes.h); null: those of its tensors.
    const AxisFrame *axisFrame = nullptr;
    /// The values of the text that is being parsed, by name (Reader.h); null: another reader parses it.
    NamedValues *namedValues = nullptr;
  }];
}

#endif // OPC_DIALECT_TE_TEDIALECT_TD
