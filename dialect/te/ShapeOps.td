//===- ShapeOps.td - constants, broadcasts, reductions --------------------------===//

def Te_ConstantOp : Te_Op<"constant", "a number"> {
  let description = [{
    The result is a scalar. Its precision is that of the computation, not that of a stored type: in a body that computes
    in f32, `te.constant 0.1` is the f32 nearest to 0.1, in f16 type rows too. If no type is given, a number with a
    decimal point or an exponent, `inf` and `nan` have type f32, and whole numbers have type i64. `#NAME` is the value
    of an attribute that is bound at compile time, `#NAME[0]` an element of a list.

    * (constant_c1) the type is a number type, or a tensor type with such elements, and can represent the value

    ```mlir
    %half = te.constant 0.5
    %one = te.constant 1.0 : !T
    %epsilon = te.constant #epsilon
    ```
  }];
  // A float is kept as f64 whatever the type, an integer as i64.
  let arguments = (ins TypedAttrInterface:$value, TypeAttr:$element);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Te_BroadcastOp : Te_Op<"broadcast", "the operand broadcast to the shape of another value or of a result"> {
  let description = [{
    Elementwise ops broadcast their operands implicitly. This op makes a result of a shape that no operand has: the
    shape of another value, or of a result of the body, which its alias names.

    * (broadcast_c1) the operand broadcasts to the shape that follows `to`: aligned to the right, sizes are equal or the
      operand's size is 1
    * (broadcast_c2) a shape instead of a value is that of a result of the body, and of only one result if results with
      this shape have different dimensions

    ```mlir
    %y = te.broadcast %row to %x
    %z = te.broadcast %x to !z
    ```
  }];
  let arguments = (ins Te_Value:$operand, Optional<Te_Value>:$like, OptionalAttr<TypeAttr>:$shape);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `to` custom<ValueOrShape>($like, type($like), $shape) attr-dict
  }];
}

def Te_IotaOp : Te_Op<"iota", "the position of each element along a dimension"> {
  let description = [{
    The result has the shape that follows `to`, that of a value or of a result, which its alias names. Its elements are
    i32 and count from 0 along the dimension that `along` names; beyond 2^31 - 1 they wrap. `te.cast` converts them to
    another type. Masks, one-hot rows and matrices with a diagonal are comparisons of positions:

    | body | result |
    |---|---|
    | `te.compare le %column, %row` | true on and below the diagonal of `[N, M]` |
    | `te.compare eq %column, %indices` | one-hot rows, with `%indices` of `[N, 1]` |

    The dimension must be one of the two innermost loops of the kernel. Adjacent dimensions that all tensors treat
    alike, and along which no `te.iota` counts, are one loop: in `[...S, N, M]` the dimension may be N or M. In a body
    with reductions, the innermost loops are its last dimension and the reduced or kept one before it: with a sum over C
    of `[N, C, ...S]` a body may count along C.

    * (iota_c1) the shape is that of a tensor
    * (iota_c2) in a body, the dimension is one of the contract, which has a name, no pack, and is one of the two
      innermost loops; in its nest nothing is gathered from an input with 'values', multiplied or taken in parts
    * (iota_c3) the shape has the dimension

    ```mlir
    %row = te.iota along N to !y
    %column = te.iota along M to %x
    ```
  }];
  let arguments = (ins StrAttr:$dim, Optional<Te_Value>:$like, OptionalAttr<TypeAttr>:$shape, OptionalAttr<I64Attr>:$loop);
  let assemblyFormat = [{
    `along` custom<Dimension>($dim) `to` custom<ValueOrShape>($like, type($like), $shape) (`loop` $loop^)? attr-dict
  }];
}

def Te_ScanOp : Te_Op<"scan", "the sum, the product or the maximum of the elements up to each one"> {
  let description = [{
    Element i of the result is the sum, the product or the maximum of the elements 0 to i along the dimension that
    `along` names; with `exclusive` it is that of the elements before i, so that the first one is 0, 1 or the lowest
    number of the type. With `reverse` it is that of the elements from i to the last. A 0 or 1 may follow both keywords,
    also as an attribute that is bound at compile time: `exclusive #exclusive`.

    Sums and products of floats are accumulated in the contract's accumulation type; those of integers wrap. A maximum
    is NaN from the first NaN on. The order of combination is unspecified: float sums may differ in their last bits
    between devices and sizes.

    The dimension must be one of the two innermost loops of the kernel. Adjacent dimensions that all tensors treat alike
    are one loop: in `[...S, N, C, D]` the dimension may be N.

    * (scan_c1) the operand is a tensor that has the dimension
    * (scan_c2) in a body, the dimension is one of the contract, which has a name, no pack, and is one of the two
      innermost loops; in its nest nothing is reduced, gathered, counted, multiplied or taken in parts
    * (scan_c3) all scans of a body have one direction, and there are no more than eight

    ```mlir
    %y = te.scan sum %x along N
    %z = te.scan max %x along N exclusive reverse
    ```
  }];
  // Only payloads have `loop` and `unsigned`: the loop that replaces the dimension, and the signedness of their types.
  let arguments = (ins Te_ScanProp:$form, Te_Value:$operand, StrAttr:$dim, UnitProp:$exclusive, UnitProp:$reverse,
                       UnitProp:$isUnsigned, OptionalAttr<I64Attr>:$loop);
  let assemblyFormat = [{
    $form custom<TypedOperand>($operand, type($operand)) `along` custom<Dimension>($dim)
    custom<ScanWays>($exclusive, $reverse) (`unsigned` $isUnsigned^)? (`loop` $loop^)? attr-dict
  }];
}

def Te_SortOp : Te_Op<"sort", "the elements of an input in order along a dimension, or where they come from"> {
  let description = [{
    Sorts the lines of an input along the dimension that `along` names; the result has the first elements of each line.
    Their number is the dimension that follows `to`, which replaces the sorted dimension in results of the contract. `x`
    of `[...S, N]` gives `[...S, K]`, the K smallest elements of each line. With `descending` they are the greatest; a 0
    or 1 may follow the keyword, also as an attribute that is bound at compile time. With `places` the result is the
    index of each element along the dimension, i32, instead of the element.

    The sort is stable: equal elements, and all NaN, are in the order of their indices. NaN count as greater than any
    number; -0 and 0 are equal. The contract must say that K is at most N: `equals: {min: [k, N]}`, or `equals: N` to
    sort whole lines.

    The CPU reads a line once for each 4096 results, or 2048 of 64 bits; the AI Core once for each 1024, or 128 along a
    dimension that is not the last, and sorts lines of at most 2^24 elements of up to 32 bits.

    * (sort_c1) the operand is a tensor of floats of up to 32 bits, or of integers
    * (sort_c2) in a body, the operand is an input as it is, which has the first dimension and not the second; results have
      the second, which is one of the two innermost loops; nothing is reduced, gathered, counted, scanned, multiplied or
      taken in parts
    * (sort_c3) all sorts of a body are of one input, which it reads in no other way, along one dimension and in one
      direction

    ```mlir
    %values = te.sort %x along N to K descending
    %indices = te.sort %x along N to K descending places
    ```
  }];
  // Only payloads have `loop`: the loop that replaces the second dimension.
  let arguments = (ins Te_Value:$operand, StrAttr:$dim, StrAttr:$to, UnitProp:$descending, UnitProp:$places,
                       UnitProp:$isUnsigned, OptionalAttr<I64Attr>:$loop);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `along` custom<Dimension>($dim) `to` custom<Dimension>($to)
    custom<SortWays>($descending, $places) (`unsigned` $isUnsigned^)? (`loop` $loop^)? attr-dict
  }];
}

def Te_SliceOp : Te_Op<"slice", "a part or a range of an input along a dimension"> {
  let description = [{
    With `at`, the result is the **part** where the dimension has this index, which counts from 0. The compiler must
    know the size of the dimension, which most often is a factor: `x` of `[N, P*D]` with `P` of 2 has two halves of `[N,
    D]`. No other op may use the dimension, since parts are separate tensors in memory; so a body reads such an input
    only in parts.

    Without `at`, the dimension is a term of a sum, and the result is the **range** of this term: `x` of `[N, A+L+B]`
    has a range `[N, L]` that begins after `A` columns. Ranges have different lengths, so an op combines only ranges
    along the same term. A term may be a product, from which parts can be taken: with `A+L*T+B`, every T-th row from
    `A` on is the part along `T` at 0 of the range along `L*T`.

    * (slice_c1) the operand is an input that has the dimension, or a part or range of one along another dimension
    * (slice_c2) the index is less than the size of the dimension
    * (slice_c3) ranges that are combined, and the result that they are for, are along the same terms

    ```mlir
    %gate = te.slice %x along P at 0
    %value = te.slice %x along P at 1
    %middle = te.slice %x along L
    ```
  }];
  let arguments = (ins Te_Value:$operand, StrAttr:$dim, OptionalAttr<I64Attr>:$index);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `along` custom<Dimension>($dim) (`at` $index^)? attr-dict
  }];
}

def Te_StackOp : Te_Op<"stack", "a result of parts along a dimension"> {
  let description = [{
    The inverse of `te.slice`: operand number i is the part of the result where the dimension is i. Each part is written
    directly to its position, so that nothing is copied.

    * (stack_c1) the operands are tensors of one type
    * (stack_c2) there is an operand for each index of the dimension, and the result is one of the body, or a part of
      one along another dimension

    ```mlir
    %y = te.stack %low, %high along P
    ```
  }];
  let arguments = (ins Variadic<Te_Value>:$parts, StrAttr:$dim);
  let assemblyFormat = [{
    custom<TypedOperands>($parts, type($parts)) `along` custom<Dimension>($dim) attr-dict
  }];
}

def Te_ConcatOp : Te_Op<"concat", "concatenates ranges along a sum"> {
  let description = [{
    There is an operand for each term of the sum, which is a dimension of a result: `y` of `[N, A+B]` has `A` columns of the
    first operand, then `B` columns of the second. Each range is computed and written directly at its offset, so that
    nothing is copied. A scalar fills its range; a concat along a sum may be an operand of one along a sum further left.

    * (concat_c1) the operands are tensors of one element type, or scalars of its kind; at least one is a tensor
    * (concat_c2) the sum is a dimension of a result of the body, or of a range of one, and there is an operand for each term

    ```mlir
    %y = te.concat %a, %b along A+B
    %zero = te.constant 0.0
    %padded = te.concat %zero, %x, %zero along L+W+R
    ```
  }];
  let arguments = (ins Variadic<Te_Value>:$parts, StrAttr:$dim);
  let assemblyFormat = [{
    custom<TypedOperands>($parts, type($parts)) `along` custom<Dimension>($dim) attr-dict
  }];
}

def Te_WindowOp : Te_Op<"window", "the windows of an input"> {
  let description = [{
    In the contract, a dimension is the number of positions of a window over another one, such as `Ho` over `H` and `Wo`
    over `W`, with the window's size, stride, dilation and padding. The result of this op has the windows' dimensions
    instead of those of the input: `x` of `[N, C, H, W]` becomes `[N, C, KH, KW, Ho, Wo]`. Reductions and products run
    over the elements in a window, `KH` and `KW`:

    | contract | body |
    |---|---|
    | `x [N, C, H, W]`, `y [N, C, Ho, Wo]` | `te.reduce_max %windows axes [KH, KW]`: a pool |
    | `x [N, C, D, H, W]`, `y [N, C, Do, Ho, Wo]` | `te.reduce_max %windows axes [KD, KH, KW]`: a pool of volumes |
    | `x [N, C, H, W]`, `w [M, C, KH, KW]`, `y [N, M, Ho, Wo]` | `te.matmul %w, %windows axes [C, KH, KW]`: a convolution |
    | `x [N, G*C, H, W]`, `w [G*M, C, KH, KW]`, `y [N, G*M, Ho, Wo]` | the same, in G groups |
    | `w [C, 1, KH, KW]`, `y [N, C, Ho, Wo]` | `te.matmul %w, %windows axes [KH, KW]`: depthwise |
    | `x [N, C, D, H, W]`, `w [M, C, KD, KH, KW]`, `y [N, M, Do, Ho, Wo]` | `axes [C, KD, KH, KW]`: of volumes |

    Padding has no elements: a reduction skips it, so that a maximum is that of the actual elements and a mean is
    divided by their number, and a product uses 0 for it. Windows move over up to three dimensions.

    * (window_c1) the operand is an input, and the dimensions are those of it over which the contract has windows, in order
    * (window_c2) an input with windows is read by this op alone
    * (window_c3) a reduction of windows does not depend on another one

    ```mlir
    %windows = te.window %x over H, W
    ```
  }];
  let arguments = (ins Te_Value:$operand, StrArrayAttr:$dims);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `over` custom<Dimensions>($dims) attr-dict
  }];
}

def Te_GatherOp : Te_Op<"gather", "elements of an input at places that another input gives, or that are computed"> {
  let description = [{
    Reads the operand at each of the `indices` along the dimension that `along` names; in the result, the dimensions of
    the indices replace that dimension: `table` of `[V, N]` and `indices` of `[...I]` give `[...I, N]`, one row of the
    table for each index. Dimensions match by name: with `table` of `[B, V, N]` and `indices` of `[B, I]` each b has its
    own table and its own indices.

    An index out of range is replaced by the nearest valid one and never becomes an address. Indices are int32 or int64.
    Operations on the result are computed while elements are read. For computed indices, `beyond` may give indices out
    of range another meaning: with `from_end`, -1 is the last index; `reflect` mirrors at the first and the last index,
    which are not repeated; and `wrap` continues with the first index after the last.

    If the indices are an unchanged input, the contract says that its values are indices along the dimension, and
    whether -1 is the last one. Then the AI Core copies rows, one for each index: contiguous elements along the
    innermost loop of the results. If each element has its own index, the AI Core gathers from a line that all rows
    share, as along the last dimension, and copies other elements one by one.

    Otherwise the body **computes** the indices, from positions, inputs and numbers; for several dimensions there is an
    index for each. The AI Core computes them in 32 bits: a body that computes int64 indices runs only on the CPU,
    unless another gather reads them from an input. No result has a gathered dimension; the indices have another
    dimension, whose size an equation of the contract gives:

    | contract | body | |
    |---|---|---|
    | `x [N]`, `y [M]`, M equals N | `te.gather %x, %p along N beyond from_end`, `%p` is -1 minus the position | reversed |
    | `x [...S, H, W]`, `y [...S, Ho, Wo]` | `te.gather %x, %row, %column along H, W` | resized, padded by edges |
    | `indices [...I, K]` | `te.gather %indices, %zero along K` with `te.constant 0 : i32` | the first of K indices |

    * (gather_c1) the first operand is a tensor, the indices are integers of 32 or 64 bits, and there is an index for each
      dimension
    * (gather_c2) in a body, the first operand is an input as it is, and the dimensions are all of it that are gathered;
      an index along one dimension that is an input as it is has 'values' in the contract
    * (gather_c3) a body reads an input that it gathers from in no other way

    ```mlir
    %row = te.gather %x, %p along V
    ```
  }];
  let arguments = (ins Te_Value:$operand, Variadic<Te_Value>:$indices, StrArrayAttr:$dims, Te_BeyondProp:$beyond);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `,` custom<TypedOperands>($indices, type($indices))
    `along` custom<Dimensions>($dims) (`beyond` $beyond^)? attr-dict
  }];
}

def Te_ScatterOp : Te_Op<"scatter", "an input with elements replaced or combined at places that another input gives"> {
  let description = [{
    The result is `data` in which each update replaces the element or row at its index (`set`), or is combined with it
    (`add`, `mul`, `max` or `min`). `data` and the result have the dimension that `along` names; updates have the
    dimensions of the indices instead: updates of `[...I, N]` at indices of `[...I]` go into `[V, N]`. The body may
    compute the updates; the op's result must be the result of the body. `te.broadcast %one to %indices` are updates that
    count: what is added to zeros is a histogram.

    Updates run in the order of their elements, so that the later of two updates at one index wins, and sums have a
    fixed order. An index out of range is replaced by the nearest valid one and never becomes an address. Each
    combination is rounded to the type of the result.

    Kernels copy `data` first, and run in one block, so that updates have one order.

    * (scatter_c1) the operands are tensors, data and updates of one element type, and indices of 32 or 64 bits
    * (scatter_c2) in a body, data is an input as it is that has the dimension, and indices the input whose 'values' are
      places along it; updates have no such dimension
    * (scatter_c3) a body has one scatter, whose result is its only result, and reads data in no other way

    ```mlir
    %y = te.scatter add %updates into %data by %indices along V
    ```
  }];
  let arguments = (ins Te_ScatterProp:$form, Te_Value:$updates, Te_Value:$operand, Te_Value:$indices, StrAttr:$dim);
  let assemblyFormat = [{
    $form custom<TypedOperand>($updates, type($updates)) `into` custom<TypedOperand>($operand, type($operand))
    `by` custom<TypedOperand>($indices, type($indices)) `along` custom<Dimension>($dim) attr-dict
  }];
}

class Te_ReduceOp<string kind, string effect, string kinds, string more>
    : Te_Op<"reduce_" # kind, effect # " over some axes", [Te_ReductionInterface]> {
  let arguments = (ins Te_Value:$operand, DenseI64ArrayAttr:$axes, UnitProp:$keep);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `axes`
    custom<Axes>(ref(type($operand)), $axes) (`keep` $keep^)? attr-dict
  }];
  let description = [{
    Axes are numbers or names of dimensions of the contract; negative numbers count from the last dimension. The reduced
    dimensions are dropped; with `keep` they stay with static size 1, so that the result broadcasts against the operand.
    Where dimensions match by name, what a reduction dropped may be combined with inputs that lack these dimensions:
    `c: [C]` with a sum of `x: [N, C, S]` over N and S.
    }] # more # [{

    * (axes_c1) the operand is a tensor
    * (axes_c2) there is at least one axis, and each axis is a dimension of the operand, given once
    * (axes_c3) in a body, the contract allows the body to reduce each axis

    ```mlir
    %r = te.reduce_}] # kind # [{ %x axes [-1] keep
    ```
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::opc::te::inferReduction(location, getOperationName(), adaptor.getOperand(), adaptor.getAxes(),
                                       adaptor.getKeep(), ::opc::te::Kinds::}] # kinds # [{, types);
    }
  }];
}

def Te_ReduceSumOp : Te_ReduceOp<"sum", "the sum", "kNumbers",
  "The sum is accumulated in the type that the contract names.">;
def Te_ReduceMeanOp : Te_ReduceOp<"mean", "the mean", "kFloats",
  "The mean is the sum divided by the number of elements. It is NaN if there are none.">;
def Te_ReduceProdOp : Te_ReduceOp<"prod", "the product", "kNumbers",
  "The product is accumulated in the type that the contract names for sums. Integers wrap. It is 1 if there are no "
  # "elements.">;
def Te_ReduceMaxOp : Te_ReduceOp<"max", "the maximum", "kNumbers",
  "The result is NaN if an element is NaN. It is -infinity or the smallest integer if there are no elements.">;
def Te_ReduceMinOp : Te_ReduceOp<"min", "the minimum", "kNumbers",
  "The result is NaN if an element is NaN. It is infinity or the largest integer if there are no elements.">;
def Te_ReduceAnyOp : Te_ReduceOp<"any", "whether an element is true", "kTruths",
  "Elements are truth values. The result is false if there are none.">;
def Te_ReduceAllOp : Te_ReduceOp<"all", "whether all elements are true", "kTruths",
  "Elements are truth values. The result is true if there are none.">;

def Te_MatmulOp : Te_Op<"matmul", "the matrix product of two inputs"> {
  let description = [{
    Products of elements of both operands, summed over the dimensions that `axes` names. Dimensions match by name: the
    summed ones are in both operands and in no result. In a contract:

    | a | b | result | |
    |---|---|---|---|
    | `[M, K]` | `[K, N]` | `[M, N]` | |
    | `[M, K]` | `[N, K]` | `[M, N]` | the right operand is transposed |
    | `[K, M]` | `[K, N]` | `[M, N]` | the left one is |
    | `[...S, M, K]` | `[K, N]` | `[...S, M, N]` | one matrix for all of S |
    | `[B, M, K]` | `[B, K, N]` | `[B, M, N]` | a product for each b |
    | `[B, G*R, M, K]` | `[B, G, K, N]` | `[B, G*R, M, N]` | R heads share a matrix |

    Elements are float16, bfloat16 or float32, and sums are accumulated in float32 at least; the contract's
    `accumulate` names a wider type. Operands of int8 and uint8, also mixed, give an exact int32 result: sums over k up
    to 33025 fit, and longer ones may wrap around. Elementwise operations on the result are computed while it is in
    registers or in the innermost cache, and those on an operand while panels of it are made: `te.cast %b to f16` of
    int8 weights, `te.mul %b, %scale` with an element for each column of `[K, N]` or each row of `[M, K]`. The AI Core
    computes one of both operands, of float16 or bfloat16.

    Rows of the result may be reduced, over the last dimensions of a result of the body, which the right operand alone
    has: a softmax of scores, a norm after a projection. A tile then has whole rows; the AI Core has no kernel for rows
    that are longer than a tile.

    * (matmul_c1) the operands are tensors of two dimensions with the same elements, and the type of the elements is
      f16, bf16 or f32; or elements of each are i8 or ui8
    * (matmul_c2) in a body, the operands are the two inputs that have the dimensions, or computed from them, and the
      axes are all dimensions over which products are summed
    * (matmul_c3) a body has one matrix product, of inputs as they are or of floats that elementwise operations compute
      from one input; reductions beside it are of whole rows of its results, after it; windows are inputs of floats

    In a module that the compiler printed, axes are those of the tensors, first of the left operand.

    ```mlir
    %y = te.matmul %a, %b axes [1, 0]
    ```
  }];
  let arguments = (ins Te_Value:$lhs, Te_Value:$rhs, DenseI64ArrayAttr:$axes);
  let assemblyFormat = "custom<Product>($lhs, type($lhs), $rhs, type($rhs), $axes) attr-dict";
  let extraClassDeclaration = [{
    /// The axis of an operand that is summed, and the one that is kept.
    int64_t getLhsSum() { return getAxes()[0]; }
    int64_t getRhsSum() { return getAxes()[1]; }
    int64_t getLhsKept() { return 1 - getAxes()[0]; }
    int64_t getRhsKept() { return 1 - getAxes()[1]; }
  }];
}

class Te_ArgOp<string kind, string effect> : Te_Op<"arg_" # kind, effect # " along an axis", [Te_ReductionInterface]> {
  let arguments = (ins Te_Value:$operand, DenseI64ArrayAttr:$axes, UnitProp:$keep, UnitProp:$last);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `axes`
    custom<Axes>(ref(type($operand)), $axes) (`keep` $keep^)? custom<LastWay>($last) attr-dict
  }];
  let description = [{
    The result is an i32 that counts from 0: the first position, with `last` the last one. A 0 or 1 may follow the
    keyword, also as an attribute that is bound at compile time: `last #select_last_index`. Where an element is NaN, it
    is the position of a NaN, as in `te.reduce_}] # kind # [{`. Axes and `keep` are those of reductions (axes_c1 to
    axes_c3). If names stand for several dimensions, positions count over all of them in their order. The AI Core counts
    up to 2^30 elements. Where there are none, the result is 2^31 - 1.

    * (arg_c1) in a body, the axes follow each other, no tensor has some of them alone, and they are known when compiling

    ```mlir
    %p = te.arg_}] # kind # [{ %x axes [C] last
    ```
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
        std::optional<::mlir::Location> location, Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      if (::llvm::failed(::opc::te::inferReduction(location, getOperationName(), adaptor.getOperand(),
                                                   adaptor.getAxes(), adaptor.getKeep(),
                                                   ::opc::te::Kinds::kNumbers, types)))
        return ::llvm::failure();
      auto values = ::llvm::cast<::mlir::RankedTensorType>(types.back());
      types.back() = values.clone(::mlir::IntegerType::get(context, 32));
      return ::llvm::success();
    }
  }];
}

def Te_ArgMaxOp : Te_ArgOp<"max", "the position of the maximum">;
def Te_ArgMinOp : Te_ArgOp<"min", "the position of the minimum">;
