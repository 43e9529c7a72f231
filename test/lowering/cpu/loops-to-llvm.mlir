// RUN: opc-opt --cpu-loops-to-llvm %s | FileCheck %s

// What breaks without it: translation to LLVM IR refuses what is left, or calls a function without knowing its buffers.
// CHECK-LABEL: llvm.func @scale
// CHECK-SAME: cpu.buffers = array<i64: 256>, cpu.tensors = 2 : i64
// CHECK: llvm.load
// CHECK: llvm.fmul
// CHECK: llvm.store
// CHECK-NOT: memref
// CHECK-NOT: scf
func.func @scale(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %beta: f32) attributes {cpu.tensors = 2 : i64, cpu.buffers = array<i64: 256>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = arith.mulf %a, %beta : f32
    memref.store %b, %y[%i] : memref<?xf32>
  }
  return
}
