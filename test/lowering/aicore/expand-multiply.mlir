// RUN: opc-opt %s --aicore-expand-multiply --split-input-file --verify-diagnostics | FileCheck %s

#gm = #aicore.space<gm>
#l1 = #aicore.space<l1, nz>
#l0c = #aicore.space<l0c, nz>

// A product of operands in L1 becomes steps of k: here of 128, the most for which 128 x k fits L0A twice. k differs between the
// trips of the loop, so every trip has the steps of the longest one, for slots to alternate. Where columns are along k, a part
// begins so many rows later; a part of the tile that no step reads past the end of is constant.
// CHECK-LABEL: func.func @steps
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[C16384:.*]] = arith.constant 16384 : index
// CHECK-DAG: %[[C2048:.*]] = arith.constant 2048 : index
// CHECK: scf.for
// CHECK: %[[K:.*]] = arith.minsi
// CHECK: scf.for %[[STEP:.*]] = %[[C0]] to %[[C2]]
// CHECK: %[[K0:.*]] = arith.muli %[[STEP]], %[[C128]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[K]], %[[K0]]
// CHECK: %[[MOST:.*]] = arith.minsi %[[LEFT]], %[[C128]]
// CHECK: %[[PART:.*]] = arith.maxsi %[[MOST]], %[[C0]]
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[STEP]], %[[C0]]
// CHECK: %[[INIT:.*]] = arith.andi %{{.*}}, %[[FIRST]] : i1
// CHECK: %[[A:.*]] = aicore.buffer "a_l0" : memref<16384xf16, #l0a_zz>
// CHECK: %[[B:.*]] = aicore.buffer "b_l0" : memref<8192xf16, #l0b_zn>
// CHECK: %[[AT:.*]] = arith.muli %[[STEP]], %[[C16384]]
// CHECK: %[[PARTA:.*]] = memref.subview %{{.*}}[%[[AT]]] [16384] [1]
// CHECK: aicore.load_fractals %[[PARTA]] -> %[[A]] rows %{{.*}} columns %[[PART]] height %[[C128]] :
// CHECK: %[[BT:.*]] = arith.muli %[[STEP]], %[[C2048]]
// CHECK: %[[PARTB:.*]] = memref.subview %{{.*}}[%[[BT]]] [14336] [1]
// CHECK: aicore.load_fractals %[[PARTB]] -> %[[B]] rows %[[PART]] columns %{{.*}} height %{{.*}} transpose
// CHECK: aicore.mmad ins(%[[A]], %[[B]] {{.*}} k %[[PART]] n %{{.*}} init %[[INIT]]
func.func @steps(%x: memref<?xf16, #gm>, %first: i1) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %m = aicore.tiling_data "m" min 2 max 128 : index
  %k = aicore.tiling_data "k" : index
  %n = aicore.tiling_data "n" min 1 max 64 : index
  %a = aicore.buffer "a" : memref<32768xf16, #l1>
  %b = aicore.buffer "b" : memref<16384xf16, #l1>
  %c = aicore.buffer "c" : memref<8192xf32, #l0c>
  scf.for %i = %c0 to %k step %c1 {
    %left = arith.subi %k, %i : index
    %part = arith.minsi %left, %c256 : index
    aicore.multiply ins(%a[128], %b[256] : memref<32768xf16, #l1>, memref<16384xf16, #l1>) outs(%c : memref<8192xf32, #l0c>) m %m k %part n %n init %first
  }
  return
}

// -----

#l1 = #aicore.space<l1, nz>
#l0c = #aicore.space<l0c, nz>

// One part of k is no loop, and needs no views. Names of buffers stay different.
// CHECK-LABEL: func.func @one
// CHECK-NOT: scf.for
// CHECK-NOT: memref.subview
// CHECK: aicore.buffer "a_l0" : memref<1024xf16, #l0a_zz>
// CHECK: aicore.buffer "a_l0_2" : memref<512xf16, #l0b_zn>
// CHECK: aicore.load_fractals {{.*}} transpose
// CHECK: aicore.load_fractals %{{[^ ]*}} -> %{{[^ ]*}} rows %{{[^ ]*}} columns %{{[^ ]*}} height %{{[^ ]*}} :
// CHECK: aicore.mmad {{.*}} bias
func.func @one(%first: i1) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %a = aicore.buffer "a" : memref<4096xf16, #l1>
  %c = aicore.buffer "c" : memref<1024xf32, #l0c>
  %bt = aicore.buffer "bt" : memref<16xf32, #aicore.space<bt>>
  aicore.multiply ins(%a[32] transpose, %a[32] transpose : memref<4096xf16, #l1>, memref<4096xf16, #l1>) outs(%c : memref<1024xf32, #l0c>) m %c20 k %c20 n %c16 init %first bias %bt : memref<16xf32, #aicore.space<bt>>
  return
}

// -----

#l1 = #aicore.space<l1, nz>
#l0c = #aicore.space<l0c, nz>

// The windows of an image: k is outside of the loop and says how many steps there are. Parts of k are columns, not views.
// CHECK-LABEL: func.func @windows
// CHECK: %[[PARTS:.*]] = arith.ceildivsi %[[K:.*]], %{{.*}} : index
// CHECK: %[[STEPS:.*]] = arith.maxsi %[[PARTS]], %{{.*}} : index
// CHECK: scf.for
// CHECK: scf.for %[[STEP:.*]] = %{{.*}} to %[[STEPS]]
// CHECK: %[[K0:.*]] = arith.muli %[[STEP]]
// CHECK: aicore.load_im2col %{{.*}} -> %{{.*}} rows %{{.*}} from %{{.*}} columns %[[PART:.*]] from %[[K0]] channels
// CHECK: aicore.load_fractals {{.*}} rows %[[PART]] columns
func.func @windows(%first: i1) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %tiles = aicore.tiling_data "tiles" : index
  %m = aicore.tiling_data "m" min 2 max 128 : index
  %k = aicore.tiling_data "k" min 1 max 784 : index
  %n = aicore.tiling_data "n" min 1 max 128 : index
  %a = aicore.buffer "a" : memref<4096xf16, #l1>
  %b = aicore.buffer "b" : memref<114688xf16, #l1>
  %c = aicore.buffer "c" : memref<16384xf32, #l0c>
  scf.for %i = %c0 to %tiles step %c1 {
    aicore.multiply ins(%a, %b[128] transpose : memref<4096xf16, #l1>, memref<114688xf16, #l1>) outs(%c : memref<16384xf32, #l0c>) m %m k %k n %n init %first im2col rows from %c0 channels %c16 pad %zero : f16 image [%c16, %c16] pads [%c0, %c1, %c0, %c1] filter [%c3, %c3] strides [%c1, %c1] dilations [%c1, %c1]
  }
  return
}

// -----

#l1 = #aicore.space<l1, nz>

// expand_c1: a part of a view without a constant length has none either.
func.func @expand_c1(%first: i1) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %n = aicore.tiling_data "n" min 1 max 256 : index
  %a = aicore.buffer "a" : memref<256xf16, #l1>
  %v = memref.subview %a[0] [%n] [1] : memref<256xf16, #l1> to memref<?xf16, strided<[1]>, #l1>
  %c = aicore.buffer "c" : memref<256xf32, #aicore.space<l0c, nz>>
  // expected-error @below {{[expand_c1] expects operands of a constant length, found 'memref<?xf16, strided<[1]>, #aicore.space<l1, nz>>'}}
  aicore.multiply ins(%v[16], %a[16] : memref<?xf16, strided<[1]>, #l1>, memref<256xf16, #l1>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %c16 k %c16 n %c16 init %first
  return
}

// -----

#l1 = #aicore.space<l1, nz>

// expand_c1: the name of the buffers in L0 is that of the operand's.
func.func @expand_c1_select(%first: i1) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %b = aicore.buffer "b" : memref<256xf16, #l1>
  %d = aicore.buffer "d" : memref<256xf16, #l1>
  %a = arith.select %first, %b, %d : memref<256xf16, #l1>
  %c = aicore.buffer "c" : memref<256xf32, #aicore.space<l0c, nz>>
  // expected-error @below {{[expand_c1] expects operands to be views of a buffer}}
  aicore.multiply ins(%a[16], %a[16] : memref<256xf16, #l1>, memref<256xf16, #l1>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %c16 k %c16 n %c16 init %first
  return
}

// -----

#l1 = #aicore.space<l1, nz>

// expand_c2: buffers need bounds.
func.func @expand_c2(%first: i1) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" : memref<256xf16, #l1>
  %c = aicore.buffer "c" : memref<256xf32, #aicore.space<l0c, nz>>
  // expected-error @below {{[expand_c2] expects m to be known to be at most 4095; it is in [0, any]}}
  aicore.multiply ins(%a[16], %a[16] : memref<256xf16, #l1>, memref<256xf16, #l1>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %n k %c16 n %c16 init %first
  return
}

// -----

#l1 = #aicore.space<l1, nz>

// expand_c2: 2,048 rows of 16 elements are all of L0A.
func.func @expand_c2_room(%first: i1) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %c2048 = arith.constant 2048 : index
  %a = aicore.buffer "a" : memref<32768xf16, #l1>
  %c = aicore.buffer "c" : memref<32768xf32, #aicore.space<l0c, nz>>
  // expected-error @below {{[expand_c2] expects operands of which L0A and L0B can have 16 of k twice; m is at most 2048, n 16}}
  aicore.multiply ins(%a[2048], %a[16] : memref<32768xf16, #l1>, memref<32768xf16, #l1>) outs(%c : memref<32768xf32, #aicore.space<l0c, nz>>) m %c2048 k %c16 n %c16 init %first
  return
}
