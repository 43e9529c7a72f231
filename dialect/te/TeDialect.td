//===- TeDialect.td - the dialect of tensor expressions --------------------===//

#ifndef OPC_DIALECT_TE_TEDIALECT_TD
#define OPC_DIALECT_TE_TEDIALECT_TD

include "mlir/IR/DialectBase.td"

def Te_Dialect : Dialect {
  let name = "te";
  let cppNamespace = "::opc::te";
  let summary = "What one operator computes: values on tensors, written once for all types, ranks and shapes";
  let description = [{
    A **body** is a function that takes the contract's inputs, then the launch attributes as scalars, and returns the
    outputs. It says what is computed, never how: no loop, no memory, no type of an intermediate value.

    ```mlir
    !T = f16
    func.func @swish(%x: !x, %beta: f32) -> !y {
      %y = te.swish %x, %beta
      return %y : !y
    }
    ```

    The first line is replaced before the body is parsed, once for each row of the type table and each shape key:

    | alias | stands for |
    |---|---|
    | `!T` | the element type of the first input |
    | `!NAME`, of each tensor | its type: `tensor<?xf16>`, `tensor<?x?xf16>`, `tensor<1x?xf16>` |
    | `#NAME`, of each attribute that is bound at compile time | its value |
    | `#axes` of an operator that reduces | the axes that the launch says: the only ones that its body names |

    **Values** are ranked tensors or scalars of a number type. Sizes are unknown (`?`); a static 1 is a dimension that
    broadcasts. Result types are inferred, and operands need no types: the text names values alone. Operands of an
    elementwise op broadcast as NumPy's do, and a scalar meets a tensor of its kind (float or integer) whatever its
    width. Types `uiN` are unsigned, other integers signed, `i1` is a truth value.

    **Axes** of a reduction are the contract's, by number or by name: of `[B, N, M]` the last is `[2]`, `[-1]` or `[M]`,
    and where a shape has `...S` numbers count from the end that is known. Rows `[...S, N]` reduce their last dimension,
    operators whose output says `reduces` reduce `#axes`; every other axis is refused.

    **Rules** that several ops share; each stands in front of the error that tells of it:

    * (value_c1) operands are ranked tensors or scalars of numbers
    * (value_c2) tensors have one element type, and a scalar is of its kind: floats with floats, integers with integers
    * (value_c3) shapes broadcast: aligned to the right, sizes are equal or one of them is a static 1
    * (value_c4) elements are of a kind that the op is defined for
    * (value_c5) a value is defined before it is used
    * (body_c1) attributes of the dialect are on functions, known, and of the type that the table below says
    * (body_c2) on arguments and results `te.name` is a string, `te.dims` an array of i64, `te.element` a number type

    Values whose types are of one row are computed as the contract's `precision` says (`te.compute`, `te.accumulate`): a
    body has no casts for that.

    The ops `te.sigmoid`, `te.swish`, `te.gelu`, `te.tanh`, `te.erf` and `te.cast` live on as scalar ops in the payload of
    `linalg.generic`, until a device chooses how to compute them. On functions stand:

    | attribute | where | says |
    |---|---|---|
    | `te.kernel` | function | it is one instance of a body |
    | `te.phase` | function | `#te.phase<bound>` or `#te.phase<fused>` |
    | `te.type_row`, `te.shape_key` | function | which instance: a number, a name |
    | `te.compute`, `te.accumulate` | function | types in which floats are computed and sums are kept; absent: as stored |
    | `te.reducible` | function of phase bound | canonical loops that reductions of the body may run over; absent: all |
    | `te.name` | argument, result | the tensor or attribute of the contract |
    | `te.dims` | argument, result | for each dimension its canonical loop, -1 for a static 1 |
    | `te.element` | argument | the element type of the contract where the memref has another: `ui8`, `i1` |
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
    static constexpr ::llvm::StringLiteral kComputeAttr = "te.compute";
    static constexpr ::llvm::StringLiteral kAccumulateAttr = "te.accumulate";
    static constexpr ::llvm::StringLiteral kToleranceAttr = "te.tolerance";
    static constexpr ::llvm::StringLiteral kReducibleAttr = "te.reducible";
    static constexpr ::llvm::StringLiteral kNameAttr = "te.name";
    static constexpr ::llvm::StringLiteral kDimsAttr = "te.dims";
    static constexpr ::llvm::StringLiteral kElementAttr = "te.element";

    /// What the axes of the body that is being parsed mean (Axes.h); null: those of its tensors.
    const AxisFrame *axisFrame = nullptr;
  }];
}

#endif // OPC_DIALECT_TE_TEDIALECT_TD
