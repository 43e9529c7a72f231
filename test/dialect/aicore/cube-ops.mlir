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
                   %c: memref<4096xf32, #l0c>, %u: memref<4096xf16, #aicore.space<ub>>, %n: index, %zero: f16, %first: i1,
                   %fl: memref<64xf32, #l1>, %bt: memref<64xf32, #aicore.space<bt>>, %ci: memref<256xi32, #l0c>,
                   %z: !rows) {
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
  // CHECK: aicore.load_im2col %{{.*}} -> %{{.*}} rows %[[N]] from %[[N]] columns %[[N]] from %[[N]] channels %[[N]] pad %{{.*}} image [%[[N]], %[[N]]] pads [%[[N]], %[[N]], %[[N]], %[[N]]] filter [%[[N]], %[[N]]] strides [%[[N]], %[[N]]] dilations [%[[N]], %[[N]]] : f16, memref<4096xf16, #l1_nz> to memref<4096xf16, #l0a_zz>
  aicore.load_im2col %a1 -> %a rows %n from %n columns %n from %n channels %n pad %zero image [%n, %n] pads [%n, %n, %n, %n] filter [%n, %n] strides [%n, %n] dilations [%n, %n] : f16, memref<4096xf16, #l1> to memref<4096xf16, #l0a>
  // CHECK: aicore.load_bias %{{.*}} -> %{{.*}} count %[[N]] : memref<64xf32, #l1_nz> to memref<64xf32, #bt>
  aicore.load_bias %fl -> %bt count %n : memref<64xf32, #l1> to memref<64xf32, #aicore.space<bt>>
  // CHECK: aicore.mmad {{.*}} init %{{.*}} bias %{{.*}} : memref<64xf32, #bt>
  aicore.mmad ins(%a, %b : memref<4096xf16, #l0a>, memref<4096xf16, #l0b>) outs(%c : memref<4096xf32, #l0c>) m %n k %n n %n init %first bias %bt : memref<64xf32, #aicore.space<bt>>
  // CHECK: aicore.multiply ins(%{{.*}}[64], %{{.*}}[32] transpose : memref<4096xf16, #l1_nz>, memref<4096xf16, #l1_nz>) outs(%{{.*}} : memref<4096xf32, #l0c_nz>) m %[[N]] k %[[N]] n %[[N]] init %{{.*}}
  aicore.multiply ins(%a1[64], %a1[32] transpose : memref<4096xf16, #l1>, memref<4096xf16, #l1>) outs(%c : memref<4096xf32, #l0c>) m %n k %n n %n init %first
  // CHECK: aicore.multiply ins(%{{.*}}[64] transpose, %{{.*}}[32] : {{.*}} init %{{.*}} bias %{{.*}} : memref<64xf32, #bt>
  aicore.multiply ins(%a1[64] transpose, %a1[32] : memref<4096xf16, #l1>, memref<4096xf16, #l1>) outs(%c : memref<4096xf32, #l0c>) m %n k %n n %n init %first bias %bt : memref<64xf32, #aicore.space<bt>>
  // CHECK: aicore.multiply ins(%{{.*}}, %{{.*}}[32] : {{.*}} init %{{.*}} im2col rows from %[[N]] channels %[[N]] pad %{{.*}} : f16 image [%[[N]], %[[N]]] pads [
  aicore.multiply ins(%a1, %a1[32] : memref<4096xf16, #l1>, memref<4096xf16, #l1>) outs(%c : memref<4096xf32, #l0c>) m %n k %n n %n init %first im2col rows from %n channels %n pad %zero : f16 image [%n, %n] pads [%n, %n, %n, %n] filter [%n, %n] strides [%n, %n] dilations [%n, %n]
  // CHECK: aicore.fixpipe %{{.*}} -> %{{.*}} m %[[N]] n %[[N]] relu nz : memref<4096xf32, #l0c_nz> to memref<?x?xf16
  aicore.fixpipe %c -> %z m %n n %n relu nz : memref<4096xf32, #l0c> to !rows
  // CHECK: aicore.fixpipe %{{.*}} -> %{{.*}} m %[[N]] n %[[N]] stride %[[N]] scale %{{.*}} : memref<64xf32, #l1_nz> : memref<256xi32, #l0c_nz> to memref<4096xf16, #ub>
  aicore.fixpipe %ci -> %u m %n n %n stride %n scale %fl : memref<64xf32, #l1> : memref<256xi32, #l0c> to memref<4096xf16, #aicore.space<ub>>
  // CHECK: aicore.mmad ins(%{{.*}}, %{{.*}} : memref<4096xf16, #l0a_zz>, memref<4096xf16, #l0b_zn>) outs(%{{.*}} : memref<4096xf32, #l0c_nz>) m %[[N]] k %[[N]] n %[[N]] init %{{.*}}
  aicore.mmad ins(%a, %b : memref<4096xf16, #l0a>, memref<4096xf16, #l0b>) outs(%c : memref<4096xf32, #l0c>) m %n k %n n %n init %first
  // CHECK: aicore.fixpipe %{{.*}} -> %{{.*}} m %[[N]] n %[[N]] stride %[[N]] relu : memref<4096xf32, #l0c_nz> to memref<4096xf16, #ub>
  aicore.fixpipe %c -> %u m %n n %n stride %n relu : memref<4096xf32, #l0c> to memref<4096xf16, #aicore.space<ub>>
  // CHECK: aicore.fixpipe %{{.*}} -> %{{.*}} m %[[N]] n %[[N]] height %[[N]] stride %[[N]] : memref<4096xf32, #l0c_nz> to memref<4096xf16, #ub>
  aicore.fixpipe %c -> %u m %n n %n height %n stride %n : memref<4096xf32, #l0c> to memref<4096xf16, #aicore.space<ub>>
  // CHECK: aicore.fixpipe %{{.*}} -> %{{.*}} m %[[N]] n %[[N]] : memref<4096xf32, #l0c_nz> to memref<?x?xf32
  aicore.fixpipe %c -> %y m %n n %n : memref<4096xf32, #l0c> to memref<?x?xf32, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  return
}
