//===- Passes.td - passes of the CPU form ------------------------------------===//

#ifndef OPC_LOWERING_CPU_PASSES_TD
#define OPC_LOWERING_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def AICoreToLoopsPass : Pass<"convert-aicore-to-loops", "::mlir::ModuleOp"> {
  let summary = "kernels at any phase to plain loops over memory, in program order";
  let description = [{
    Takes kernels at any phase. Each becomes a function over the tensors, the tiling data, a range of blocks and one memory
    per buffer; tiling functions are dropped. DMA and intrinsics become loops over elements, each step rounded to the
    element type. Slots are kept, addresses, flags and barriers are dropped: loops in program order need none.

    Every copy and intrinsic first compares its extent with the tensor or buffer it lies in. One that would leave it is left
    out, the loops of the kernel end, and the function returns why (OPC_KERNEL_* in runtime/program/opc_kernel_library.h).
    Index divisions are guarded in the same way. Lanes and trips are counted, and a block that takes more of them than %limit
    ends too.

    Before:

    ```mlir
    func.func @k(%x: memref<?xf32, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>)
        attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @k_tiling} {
      ...
      aicore.vadd ins(%a, %b : ...) outs(%c : ...)
    ```

    After:

    ```mlir
    func.func @k(%x: memref<?xf32>, %y: memref<?xf32>, %tiling: memref<?xi64>, %first: index, %last: index,
                 %limit: index, %a: memref<64xf32>, ...) -> i32 {
      // block = %first to %last, while the status is 0
      scf.while ... {
        ...
        scf.for %i = %c0 to %n step %c1 {
          %0 = memref.load %a[%i] : memref<64xf32>
          ...
    ```

    * (cpu_c1) the kernel has a tiling function in the module, and every field it reads is one of its results
    * (cpu_c2) what a kernel holds has a CPU form: aicore ops, arith on scalars, scf.for, scf.if, views of tiles
    * (cpu_c3) the buffers of a kernel take at most 1 MiB together
    * (cpu_c4) the types of an intrinsic are a row of the target's table
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ExpandMathPass : Pass<"cpu-expand-math"> {
  let summary = "expands exp and log of f32 into arithmetic without calls";
  let description = [{
    The C library differs between machines and is no part of a kernel library. Both functions are within 1.1 ulp, for
    subnormal numbers too; special values are those of IEEE 754. Scalars and vectors alike.

    Before: `%y = math.exp %x : f32`. After: about twenty operations of `arith` and `math.fma`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def LoopsToLLVMPass : Pass<"cpu-loops-to-llvm", "::mlir::ModuleOp"> {
  let summary = "loops without views and without math calls to the LLVM dialect";
  let description = [{
    Memory is addressed by flat loads and stores, since `convert-aicore-to-loops` leaves no view. One conversion converts all
    dialects at once: a pass for each dialect would walk the module six times. Attributes of functions stay.

    Before: `scf.for`, `memref.load`, `arith`. After: blocks, `llvm.load`, `llvm.add`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // OPC_LOWERING_CPU_PASSES_TD
