//===- Passes.td - from bound to fused, and the fences around ------------------===//
//
// Each pass takes the kernels of the phase before its own and leaves the others alone; each verifier refuses what
// breaks the invariant of its phase. The order stands in lowering/pipelines.

#ifndef OPC_LOWERING_COMPUTE_PASSES_TD
#define OPC_LOWERING_COMPUTE_PASSES_TD

include "mlir/Pass/PassBase.td"

class Te_Pass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::opc::te::TeDialect", "::mlir::func::FuncDialect"];
}

def TeToLinalgPass : Te_Pass<"te-to-linalg"> {
  let summary = "makes one linalg.generic of each chain of elementwise ops, in the types of the precision policy";
  let description = [{
    From `bound` to `fused`. Ops become nodes of a graph; a node whose users are all of one group, and whose loops are those
    of the group, joins it; every other node starts a group, reductions always do. A group is one `linalg.generic`, before
    which a reduction has its `linalg.fill`. Where a body has no reduction at all, everything joins one group, whatever its
    loops. Between groups stand tensors of the compute type (sums: of the type they accumulate in) without the dimensions
    that are 1.

    Inputs are converted to the compute type where they are read, results to the stored type where they are written; both
    conversions stand in the payload. bf16 is computed in f32 always. Scalars are converted once, in front of the generics.

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
    Statistic<"numGenerics", "generics", "linalg.generic ops that were made">,
    Statistic<"numJoined", "joined", "ops that joined the generic of their users">,
  ];
}

def VerifyBoundPass : Te_Pass<"te-verify-bound"> {
  let summary = "checks what a body keeps before it is lowered";
  let description = [{
    * (bound_c1) a kernel is one block that ends in `return`
    * (bound_c2) it holds ops of te and nothing else
    * (bound_c3) arguments are tensors with `te.name` and `te.dims`, then scalars with `te.name`; results are tensors with both
    * (bound_c4) a dimension is `?` where `te.dims` names a loop, 1 where it says -1
    * (bound_c5) dimensions that meet are of one loop: after a reduction without `keep` they may look alike and be others
    * (bound_c6) each result has the dimensions that the contract gives it
    * (bound_c7) tensors of a kernel have at most three loops
    * (bound_c8) reductions run over loops of `te.reducible`: the last dimension of rows, `#axes` where outputs have `reduces`
    * (bound_c9) an operator whose output has `reduces` has one reduction
    * (bound_c10) operations have no attributes in braces
  }];
}

def VerifyFusedPass : Te_Pass<"te-verify-fused"> {
  let summary = "checks what a kernel of phase fused keeps";
  let description = [{
    * (fused_c1) operations: `linalg.generic` and `linalg.fill` on tensors, `tensor.empty`, `tensor.dim`,
      `bufferization.to_tensor` and `materialize_in_destination`, scalars of arith, math and te
    * (fused_c2) arguments are memrefs without memory space whose dimensions are `?` or 1, then scalars
    * (fused_c3) tensors come from inputs by `to_tensor restrict`; each output is written once, by
      `materialize_in_destination ... restrict writable`
    * (fused_c4) te ops stand on scalars
    * (fused_c5) no generic without a reduction has a single user that runs over the same loops
    * (fused_c6) a kernel without reductions has one generic
    * (fused_c7) casts are explicit: elements of a generic's operands are those of its block's arguments, and scalar ops
      keep to the types of arith
  }];
}

#endif // OPC_LOWERING_COMPUTE_PASSES_TD
