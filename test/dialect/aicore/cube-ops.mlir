// RUN: opc-opt %s | opc-opt | FileCheck %s

#l1 = #aicore.space<l1, nz>
#l0a = #aicore.space<l0a, zz>
#l0b = #aicore.space<l0b, zn>
#l0c = #aicore.space<l0c, nz>
!rows = memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>>

// Every op of the cube is printed as it was read: layouts are part of the spaces, sizes are operands.
// CHECK-LABEL: func.func @product
func.func @product(%x: !rows, %y: memref<?x?xf32, strided<[?, 1], offset: ?>, #aicore.space<gm>>,
                   %a1: memref<4096xf16, #l1>, %a: memref<4096xf16, #l0a>, %b: memref<4096xf16, #l0b>,
                   %c: memref<4096xf32, #l0c>, %u: memref<4096xf16, #aicore.space<ub>>, %n: index, %zero: f16, %first: i1) {
  // CHECK: aicore.fill %{{.*}} -> %{{.*}} at %[[N:.*]] rows %[[N]] of %[[N]] stride %[[N]] : f16 to memref<4096xf16, #l1_nz>
  aicore.fill %zero -> %a1 at %n rows %n of %n stride %n : f16 to memref<4096xf16, #l1>
  // CHECK: aicore.load_nz %{{.*}} -> %{{.*}} height %[[N]] : memref<?x?xf16, strided<[?, 1], offset: ?>, #gm> to memref<4096xf16, #l1_nz>
  aicore.load_nz %x -> %a1 height %n : !rows to memref<4096xf16, #l1>
  // CHECK: aicore.load_nz %{{.*}} -> %{{.*}} height %[[N]] packed : memref<?x?xf16, strided<[?, 1], offset: ?>, #gm> to memref<4096xf16, #l1_nz>
  aicore.load_nz %x -> %a1 height %n packed : !rows to memref<4096xf16, #l1>
  // CHECK: aicore.store_nz %{{.*}} -> %{{.*}} rows %[[N]] columns %[[N]] stride %[[N]] height %[[N]] : memref<4096xf16, #ub> to memref<4096xf16, #l1_nz>
  aicore.store_nz %u -> %a1 rows %n columns %n stride %n height %n : memref<4096xf16, #aicore.space<ub>> to memref<4096xf16, #l1>
  // CHECK: aicore.load_fractals %{{.*}} -> %{{.*}} rows %[[N]] columns %[[N]] height %[[N]] : memref<4096xf16, #l1_nz> to memref<4096xf16, #l0a_zz>
  aicore.load_fractals %a1 -> %a rows %n columns %n height %n : memref<4096xf16, #l1> to memref<4096xf16, #l0a>
  // CHECK: aicore.load_fractals %{{.*}} -> %{{.*}} rows %[[N]] columns %[[N]] height %[[N]] transpose : memref<4096xf16, #l1_nz> to memref<4096xf16, #l0b_zn>
  aicore.load_fractals %a1 -> %b rows %n columns %n height %n transpose : memref<4096xf16, #l1> to memref<4096xf16, #l0b>
  // CHECK: aicore.mmad ins(%{{.*}}, %{{.*}} : memref<4096xf16, #l0a_zz>, memref<4096xf16, #l0b_zn>) outs(%{{.*}} : memref<4096xf32, #l0c_nz>) m %[[N]] k %[[N]] n %[[N]] init %{{.*}}
  aicore.mmad ins(%a, %b : memref<4096xf16, #l0a>, memref<4096xf16, #l0b>) outs(%c : memref<4096xf32, #l0c>) m %n k %n n %n init %first
  // CHECK: aicore.fixpipe %{{.*}} -> %{{.*}} m %[[N]] n %[[N]] stride %[[N]] relu : memref<4096xf32, #l0c_nz> to memref<4096xf16, #ub>
  aicore.fixpipe %c -> %u m %n n %n stride %n relu : memref<4096xf32, #l0c> to memref<4096xf16, #aicore.space<ub>>
  // CHECK: aicore.fixpipe %{{.*}} -> %{{.*}} m %[[N]] n %[[N]] : memref<4096xf32, #l0c_nz> to memref<?x?xf32
  aicore.fixpipe %c -> %y m %n n %n : memref<4096xf32, #l0c> to memref<?x?xf32, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  return
}
