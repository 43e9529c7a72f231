// RUN: opc-opt %s --aicore-rotate --split-input-file --verify-diagnostics

// rotate_c1: a view that cannot be joined with the slot into one subview. The verifier of `placed` refuses it too; the pass
// alone must not crash on it.
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %part = memref.subview %x[0] [32] [1] : memref<?xf32, #aicore.space<gm>> to memref<32xf32, strided<[1]>, #aicore.space<gm>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
    %first = memref.subview %a[0] [32] [1] : memref<64xf32, #aicore.space<ub>> to memref<32xf32, strided<[1]>, #aicore.space<ub>>
    aicore.load %part -> %first : memref<32xf32, strided<[1]>, #aicore.space<gm>> to memref<32xf32, strided<[1]>, #aicore.space<ub>>
    // expected-error @below {{[rotate_c1] expects views of a buffer of rank 1 and stride 1, found 'memref<32xf32, strided<[2]>, #aicore.space<ub>>'}}
    %even = memref.subview %a[0] [32] [2] : memref<64xf32, #aicore.space<ub>> to memref<32xf32, strided<[2]>, #aicore.space<ub>>
    %s = aicore.scalar_read %even[%c0] : memref<32xf32, strided<[2]>, #aicore.space<ub>>
  }
  return
}

// -----

// rotate_c1: an op that is neither view nor pipe op.
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
    aicore.load %part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    // expected-error @below {{[rotate_c1] expects a buffer to be reached through subviews, found 'memref.load'}}
    %s = memref.load %a[%c0] : memref<64xf32, #aicore.space<ub>>
  }
  return
}
