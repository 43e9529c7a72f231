// RUN: opc-opt %s | opc-opt | FileCheck %s

// Copies of one row and of several, with and without a pad value; the types on both sides are printed, since they differ.
// CHECK-LABEL: func.func @copies
func.func @copies(%x: memref<?xf16, #aicore.space<gm>>, %m: memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>>,
                  %t: memref<?xf16, #aicore.space<ub>>, %r: memref<?x?xf16, strided<[?, 1]>, #aicore.space<ub>>, %p: f16) {
  // CHECK: aicore.load %{{.*}} -> %{{.*}} : memref<?xf16, #gm> to memref<?xf16, #ub>
  aicore.load %x -> %t : memref<?xf16, #aicore.space<gm>> to memref<?xf16, #aicore.space<ub>>
  // CHECK: aicore.load %{{.*}} -> %{{.*}} pad(%{{.*}} : f16) : memref<?x?xf16
  aicore.load %m -> %r pad(%p : f16) : memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>> to memref<?x?xf16, strided<[?, 1]>, #aicore.space<ub>>
  // CHECK: aicore.store %{{.*}} -> %{{.*}} : memref<?xf16, #ub> to memref<?xf16, #gm>
  aicore.store %t -> %x : memref<?xf16, #aicore.space<ub>> to memref<?xf16, #aicore.space<gm>>
  // CHECK: aicore.store %{{.*}} -> %{{.*}} atomic_add : memref<?xf16
  aicore.store %t -> %x atomic_add : memref<?xf16, #aicore.space<ub>> to memref<?xf16, #aicore.space<gm>>
  return
}
