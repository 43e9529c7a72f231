// RUN: opc-opt %s --aicore-rotate --aicore-verify-rotated | FileCheck %s

#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
!gm_nxf32 = memref<?xf32, #gm>
!gm_nxf32_at = memref<?xf32, strided<[1], offset: ?>, #gm>
!ub_64xf32 = memref<64xf32, #ub>
!ub_nxf32_flat = memref<?xf32, strided<[1]>, #ub>
!gm_64xf32_flat = memref<64xf32, strided<[1]>, #gm>
!ub_32xf32_off16 = memref<32xf32, strided<[1], offset: 16>, #ub>
!ub_8xf32_off24 = memref<8xf32, strided<[1], offset: 24>, #ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

// What DMA touches gets slots, what the vector unit alone touches stays; one subview picks slot and part. Without the
// slots mte2 would wait for v in every tile.
// CHECK-LABEL: func.func @k1(
// CHECK-SAME: aicore.phase = #aicore.phase<rotated>
// CHECK: %[[X:.*]] = aicore.buffer "x" : memref<2x64xf32, #ub>
// CHECK: %[[T:.*]] = aicore.buffer "t" : memref<64xf32, #ub>
// CHECK: scf.for %[[TILE:.*]] = %c0 to %{{.*}} step %c1 {
// CHECK-NEXT: %[[SLOT:.*]] = arith.remsi %[[TILE]], %c2 : index
// CHECK: %[[COUNT:.*]] = arith.minsi
// CHECK: %[[XV:.*]] = memref.subview %[[X]][%[[SLOT]], 0] [1, %[[COUNT]]] [1, 1] : memref<2x64xf32, #ub> to memref<?xf32, strided<[1], offset: ?>, #ub>
// CHECK: %[[TV:.*]] = memref.subview %[[T]][0] [%[[COUNT]]] [1]
// CHECK: aicore.load %{{.*}} -> %[[XV]]
// CHECK: aicore.vexp ins(%[[XV]] : {{.*}}) outs(%[[TV]] :
func.func @k1(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %tiles = arith.ceildivsi %n, %c64 : index
  scf.for %tile = %c0 to %tiles step %c1 {
    %done = arith.muli %tile, %c64 : index
    %rest = arith.subi %n, %done : index
    %count = arith.minsi %rest, %c64 : index
    %x_part = memref.subview %x[%done] [%count] [1] : !gm_nxf32 to !gm_nxf32_at
    %x_home = aicore.buffer "x" : !ub_64xf32
    %t_home = aicore.buffer "t" : !ub_64xf32
    %x_tile = memref.subview %x_home[0] [%count] [1] : !ub_64xf32 to !ub_nxf32_flat
    %t_tile = memref.subview %t_home[0] [%count] [1] : !ub_64xf32 to !ub_nxf32_flat
    aicore.load %x_part -> %x_tile : !gm_nxf32_at to !ub_nxf32_flat
    aicore.vexp ins(%x_tile : !ub_nxf32_flat) outs(%t_tile : !ub_nxf32_flat)
    aicore.vexp ins(%t_tile : !ub_nxf32_flat) outs(%x_tile : !ub_nxf32_flat)
    aicore.store %x_tile -> %x_part : !ub_nxf32_flat to !gm_nxf32_at
  }
  return
}

// A view of a view becomes one subview, and a whole buffer a view of its slot: otherwise a later phase would have to add up
// offsets to know the bytes.
// CHECK-LABEL: func.func @k2(
// CHECK: %[[X:.*]] = aicore.buffer "x" : memref<2x64xf32, #ub>
// CHECK: %[[SLOT:.*]] = arith.remsi
// CHECK: %[[ALL:.*]] = memref.subview %[[X]][%[[SLOT]], 0] [1, 64] [1, 1] : memref<2x64xf32, #ub> to memref<64xf32, strided<[1], offset: ?>, #ub>
// CHECK: %[[INNER:.*]] = memref.subview %[[X]][%[[SLOT]], 24] [1, 8] [1, 1]
// CHECK: aicore.load %{{.*}} -> %[[ALL]]
// CHECK: aicore.vexp ins(%[[INNER]] : {{.*}}) outs(%[[INNER]] :
func.func @k2(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = aicore.tiling_data "n" : index
  %x_part = memref.subview %x[0] [64] [1] : !gm_nxf32 to !gm_64xf32_flat
  scf.for %tile = %c0 to %n step %c1 {
    %x_home = aicore.buffer "x" : !ub_64xf32
    %half = memref.subview %x_home[16] [32] [1] : !ub_64xf32 to !ub_32xf32_off16
    %inner = memref.subview %half[8] [8] [1] : !ub_32xf32_off16 to !ub_8xf32_off24
    aicore.load %x_part -> %x_home : !gm_64xf32_flat to !ub_64xf32
    aicore.vexp ins(%inner : !ub_8xf32_off24) outs(%inner : !ub_8xf32_off24)
  }
  return
}

// In a nest the counter runs on; a buffer of the outer loop changes its slot with the outer loop only; one outside of all
// loops has nothing to overlap with.
// CHECK-LABEL: func.func @k3(
// CHECK: aicore.buffer "once" : memref<64xf32
// CHECK: aicore.buffer "row" : memref<2x64xf32
// CHECK: aicore.buffer "x" : memref<2x64xf32
// CHECK: %[[N:.*]] = aicore.tiling_data "n"
// CHECK: scf.for %[[I:.*]] = %c0 to %[[N]]
// CHECK-NEXT: arith.remsi %[[I]], %c2
// CHECK: scf.for %[[J:.*]] = %c0 to %[[N]]
// CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[I]], %[[N]]
// CHECK-NEXT: %[[COUNTER:.*]] = arith.addi %[[BASE]], %[[J]]
// CHECK-NEXT: arith.remsi %[[COUNTER]], %c2
func.func @k3(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = aicore.tiling_data "n" : index
  %part = memref.subview %x[0] [64] [1] : !gm_nxf32 to !gm_64xf32_flat
  %once = aicore.buffer "once" : !ub_64xf32
  aicore.load %part -> %once : !gm_64xf32_flat to !ub_64xf32
  scf.for %i = %c0 to %n step %c1 {
    %row = aicore.buffer "row" : !ub_64xf32
    aicore.load %part -> %row : !gm_64xf32_flat to !ub_64xf32
    scf.for %j = %c0 to %n step %c1 {
      %tile = aicore.buffer "x" : !ub_64xf32
      aicore.load %part -> %tile : !gm_64xf32_flat to !ub_64xf32
      aicore.vadd ins(%tile, %row : !ub_64xf32, !ub_64xf32) outs(%tile : !ub_64xf32)
    }
  }
  return
}

// Where the inner trip count changes, the counter would skip and meet the slot in use: one slot is right, if slower.
// CHECK-LABEL: func.func @k4(
// CHECK: aicore.buffer "x" : memref<64xf32
func.func @k4(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = aicore.tiling_data "n" : index
  %part = memref.subview %x[0] [64] [1] : !gm_nxf32 to !gm_64xf32_flat
  scf.for %i = %c0 to %n step %c1 {
    %m = arith.subi %n, %i : index
    scf.for %j = %c0 to %m step %c1 {
      %tile = aicore.buffer "x" : !ub_64xf32
      aicore.load %part -> %tile : !gm_64xf32_flat to !ub_64xf32
    }
  }
  return
}

// An op that reads what the iteration before wrote takes the other slot. Its second operand has the slot of this one.
// CHECK-LABEL: func.func @k6(
// CHECK: %[[C:.*]] = aicore.buffer "c" : memref<2x256xf32, #l0c_nz>
// CHECK: scf.for %[[TILE:.*]] = %c0 to %{{.*}} step %c1 {
// CHECK-NEXT: %[[SLOT:.*]] = arith.remsi %[[TILE]], %c2 : index
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[TILE]], %c1 : index
// CHECK-NEXT: %[[BEFORE:.*]] = arith.remsi %[[NEXT]], %c2 : index
// CHECK-DAG: %[[WRITTEN:.*]] = memref.subview %[[C]][%[[SLOT]], 0]
// CHECK-DAG: %[[READ:.*]] = memref.subview %[[C]][%[[BEFORE]], 0]
// CHECK-DAG: %[[TO:.*]] = memref.subview %{{.*}}[%[[SLOT]], 0] {{.*}} #ub>
// CHECK: aicore.mmad {{.*}} outs(%[[WRITTEN]] :
// CHECK: aicore.fixpipe %[[READ]] -> %[[TO]]
func.func @k6(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l0a, zz>>
  %b = aicore.buffer "b" : memref<256xf16, #aicore.space<l0b, zn>>
  scf.for %i = %c0 to %n step %c1 {
    %c = aicore.buffer "c" : memref<256xf32, #aicore.space<l0c, nz>>
    %y = aicore.buffer "y" : memref<256xf32, #ub>
    aicore.mmad ins(%a, %b : memref<256xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %c16 k %c16 n %c16 init %true
    aicore.fixpipe %c -> %y m %c16 n %c16 stride %c16 {of_iteration_before} : memref<256xf32, #aicore.space<l0c, nz>> to memref<256xf32, #ub>
  }
  return
}

// A kernel that enters at a later phase is left as it is.
// CHECK-LABEL: func.func @k5(
// CHECK-SAME: #aicore.phase<planned>
// CHECK: aicore.buffer "x" at 64 : memref<64xf32
func.func @k5(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>} {
  %a = aicore.buffer "x" at 64 : !ub_64xf32
  return
}
