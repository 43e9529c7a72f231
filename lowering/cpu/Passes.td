//===- Passes.td - lowering of kernels for the CPU -----------------------------===//

#ifndef OPC_LOWERING_CPU_PASSES_TD
#define OPC_LOWERING_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def AICoreToLoopsPass : Pass<"convert-aicore-to-loops", "::mlir::ModuleOp"> {
  let summary = "converts kernels of any phase to loops over memory in program order";
  let description = [{
    Each kernel becomes a function whose arguments are the tensors, the tiling data, a range of blocks and one memref
    for each buffer. Tiling functions are removed. DMA and intrinsics become loops over elements, and each step is
    rounded to the element type. Slots are kept. Addresses, flags and barriers are removed, because loops in program
    order do not need them.

    Before every copy and intrinsic, the function compares its extent with that of its tensor or buffer. If the access
    would be out of bounds, the function skips it, ends the loops of the kernel and returns the reason (OPC_KERNEL_* in
    runtime/program/opc_kernel_library.h). Index divisions are guarded in the same way. The function counts lanes and
    loop iterations, and ends a block that takes more of them than %limit.

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

    * (cpu_c1) the kernel has a tiling function in the module, and every field that it reads is a result of this
      function
    * (cpu_c2) every op of a kernel has a CPU form: aicore ops, arith on scalars, scf.for, scf.if, views of tiles
    * (cpu_c3) the buffers of a kernel take at most 1 MiB in total
    * (cpu_c4) the types of an intrinsic are a row of the target's table
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ExpandMathPass : Pass<"cpu-expand-math"> {
  let summary = "expands exp and log of f32 into arithmetic without calls";
  let description = [{
    The C library differs between machines and is not part of a kernel library. Both expansions are accurate to 1.1 ulp,
    including subnormal numbers, and return the special values of IEEE 754. The pass expands scalar and vector ops.

    Before: `%y = math.exp %x : f32`. After: about twenty operations of `arith` and `math.fma`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def LoopsToLLVMPass : Pass<"cpu-loops-to-llvm", "::mlir::ModuleOp"> {
  let summary = "converts loops without views and math calls to the LLVM dialect";
  let description = [{
    Loads and stores are one-dimensional, because `convert-aicore-to-loops` leaves no views. One conversion converts all
    dialects at once; a pass for each dialect would walk the module six times. Function attributes are preserved.

    Before: `scf.for`, `memref.load`, `arith`. After: blocks, `llvm.load`, `llvm.add`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // OPC_LOWERING_CPU_PASSES_TD
