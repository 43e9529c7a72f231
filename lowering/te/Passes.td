//===- Passes.td - from bound to fused, and the verifiers of both phases --------===//
//
// Each pass lowers the kernels of the preceding phase and leaves the others unchanged; each verifier rejects kernels
// that break the invariant of its phase. lowering/pipelines defines the order.

#ifndef OPC_LOWERING_COMPUTE_PASSES_TD
#define OPC_LOWERING_COMPUTE_PASSES_TD

include "mlir/Pass/PassBase.td"

class Te_Pass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::opc::te::TeDialect", "::mlir::func::FuncDialect"];
}

def TeToLinalgPass : Te_Pass<"te-to-linalg"> {
  let summary = "fuses chains of elementwise ops into linalg.generic ops and applies the precision policy";
  let description = [{
    Lowers `bound` to `fused`. The pass builds a graph of the ops of a body and divides it into groups. A node joins the
    group of its users if all users are in the same group and the node has the loops of this group. Every other node
    starts a new group; a reduction always does. Each group becomes one `linalg.generic`; that of a reduction is
    preceded by a `linalg.fill`. A body without reductions becomes one group, for any loops of its nodes. The tensors
    between groups have the compute type (for sums, the accumulation type) and lack the dimensions of size 1.

    The payload converts inputs to the compute type when it reads them and results to the stored type when it writes
    them. bf16 is always computed in f32. Scalars are converted once, before the generics.

    Before:

    ```mlir
    func.func @scale_float16_flat(%x: tensor<?xf16> {te.dims = array<i64: 0>, te.name = "x"}, %beta: f32 {te.name = "beta"})
        -> (tensor<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
        attributes {te.compute = f32, te.kernel, te.phase = #te.phase<bound>, te.shape_key = "flat", te.type_row = 0 : i64} {
      %y = te.mul %x, %beta
      return %y : tensor<?xf16>
    }
    ```

    After:

    ```mlir
    func.func @scale_float16_flat(%x: memref<?xf16>, %y: memref<?xf16>, %beta: f32) ... {
      %0 = bufferization.to_tensor %x restrict : memref<?xf16> to tensor<?xf16>
      %1 = tensor.empty(%n) : tensor<?xf16>
      %2 = linalg.generic ... ins(%0) outs(%1) {
      ^bb0(%in: f16, %out: f16):
        %3 = arith.extf %in : f16 to f32
        %4 = arith.mulf %3, %beta : f32
        %5 = arith.truncf %4 : f32 to f16
        linalg.yield %5 : f16
      }
      bufferization.materialize_in_destination %2 in restrict writable %y
    ```
  }];
  let dependentDialects = ["::opc::te::TeDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numGenerics", "generics", "linalg.generic ops created">,
    Statistic<"numJoined", "joined", "ops that joined the generic of their users">,
  ];
}

def VerifyBoundPass : Te_Pass<"te-verify-bound"> {
  let summary = "verifies the invariant of phase bound";
  let description = [{
    * (bound_c1) a kernel consists of one block that ends in `return`
    * (bound_c2) a kernel contains only ops of te, and parts of tensors are arguments and results, with `te.part_of`
    * (bound_c3) arguments are tensors with `te.name` and `te.dims`, then scalars with `te.name`; results are tensors
      with both attributes
    * (bound_c4) a dimension is `?` if `te.dims` names a loop for it, and 1 if `te.dims` has -1
    * (bound_c5) dimensions that are combined belong to the same loop; after a reduction without `keep`, two `?`
      dimensions may belong to different loops
    * (bound_c6) each result has the dimensions that the contract specifies
    * (bound_c7) tensors of a kernel have at most three loops
    * (bound_c8) reductions run over loops of `te.reducible`: the last dimension of rows, or `#axes` if an output has
      `reduces`
    * (bound_c9) in a kernel of one pass, whose key is `reduce_*`, no reduction depends on another one
    * (bound_c10) operations have no attributes in braces
  }];
}

def VerifyFusedPass : Te_Pass<"te-verify-fused"> {
  let summary = "verifies the invariant of phase fused";
  let description = [{
    * (fused_c1) the operations are `linalg.generic` and `linalg.fill` on tensors, `tensor.empty`, `tensor.dim`,
      `bufferization.to_tensor` and `materialize_in_destination`, and scalar ops of arith, math and te
    * (fused_c2) arguments are memrefs without memory space whose dimensions are `?` or 1, then scalars
    * (fused_c3) inputs are read by `to_tensor restrict`; each output is written once, by
      `materialize_in_destination ... restrict writable`, and read only for its size by `memref.dim`
    * (fused_c4) te ops have scalar operands
    * (fused_c5) no generic without a reduction has a single user that runs over the same loops
    * (fused_c6) a kernel without reductions has one generic
    * (fused_c7) casts are explicit: the operands of a generic have the element types of its block arguments, and the
      types of scalar ops are those of arith
  }];
}

#endif // OPC_LOWERING_COMPUTE_PASSES_TD
