// RUN: opc-opt %s --aicore-rotate --aicore-verify-rotated --split-input-file | FileCheck %s

// What DMA touches gets slots, what the vector unit alone touches stays; one subview picks slot and part. Without the
// slots mte2 would wait for v in every tile.
// CHECK-LABEL: func.func @k(
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
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %tiles = arith.ceildivsi %n, %c64 : index
  scf.for %tile = %c0 to %tiles step %c1 {
    %done = arith.muli %tile, %c64 : index
    %rest = arith.subi %n, %done : index
    %count = arith.minsi %rest, %c64 : index
    %x_part = memref.subview %x[%done] [%count] [1] : memref<?xf32, #aicore.space<gm>> to memref<?xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    %x_home = aicore.buffer "x" : memref<64xf32, #aicore.space<ub>>
    %t_home = aicore.buffer "t" : memref<64xf32, #aicore.space<ub>>
    %x_tile = memref.subview %x_home[0] [%count] [1] : memref<64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
    %t_tile = memref.subview %t_home[0] [%count] [1] : memref<64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
    aicore.load %x_part -> %x_tile : memref<?xf32, strided<[1], offset: ?>, #aicore.space<gm>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
    aicore.vexp ins(%x_tile : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%t_tile : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
    aicore.vexp ins(%t_tile : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%x_tile : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
    aicore.store %x_tile -> %x_part : memref<?xf32, strided<[1]>, #aicore.space<ub>> to memref<?xf32, strided<[1], offset: ?>, #aicore.space<gm>>
  }
  return
}

// -----

// A view of a view becomes one subview, and a whole buffer a view of its slot: otherwise a later phase would have to add up
// offsets to know the bytes.
// CHECK-LABEL: func.func @k(
// CHECK: %[[X:.*]] = aicore.buffer "x" : memref<2x64xf32, #ub>
// CHECK: %[[SLOT:.*]] = arith.remsi
// CHECK: %[[ALL:.*]] = memref.subview %[[X]][%[[SLOT]], 0] [1, 64] [1, 1] : memref<2x64xf32, #ub> to memref<64xf32, strided<[1], offset: ?>, #ub>
// CHECK: %[[INNER:.*]] = memref.subview %[[X]][%[[SLOT]], 24] [1, 8] [1, 1]
// CHECK: aicore.load %{{.*}} -> %[[ALL]]
// CHECK: aicore.vexp ins(%[[INNER]] : {{.*}}) outs(%[[INNER]] :
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = aicore.tiling_data "n" : index
  %x_part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  scf.for %tile = %c0 to %n step %c1 {
    %x_home = aicore.buffer "x" : memref<64xf32, #aicore.space<ub>>
    %half = memref.subview %x_home[16] [32] [1] : memref<64xf32, #aicore.space<ub>> to memref<32xf32, strided<[1], offset: 16>, #aicore.space<ub>>
    %inner = memref.subview %half[8] [8] [1] : memref<32xf32, strided<[1], offset: 16>, #aicore.space<ub>> to memref<8xf32, strided<[1], offset: 24>, #aicore.space<ub>>
    aicore.load %x_part -> %x_home : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.vexp ins(%inner : memref<8xf32, strided<[1], offset: 24>, #aicore.space<ub>>) outs(%inner : memref<8xf32, strided<[1], offset: 24>, #aicore.space<ub>>)
  }
  return
}

// -----

// In a nest the counter runs on; a buffer of the outer loop changes its slot with the outer loop only; one outside of all
// loops has nothing to overlap with.
// CHECK-LABEL: func.func @k(
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
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = aicore.tiling_data "n" : index
  %part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  %once = aicore.buffer "once" : memref<64xf32, #aicore.space<ub>>
  aicore.load %part -> %once : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %n step %c1 {
    %row = aicore.buffer "row" : memref<64xf32, #aicore.space<ub>>
    aicore.load %part -> %row : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    scf.for %j = %c0 to %n step %c1 {
      %tile = aicore.buffer "x" : memref<64xf32, #aicore.space<ub>>
      aicore.load %part -> %tile : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
      aicore.vadd ins(%tile, %row : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%tile : memref<64xf32, #aicore.space<ub>>)
    }
  }
  return
}

// -----

// Where the inner trip count changes, the counter would skip and meet the slot in use: one slot is right, if slower.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.buffer "x" : memref<64xf32
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = aicore.tiling_data "n" : index
  %part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  scf.for %i = %c0 to %n step %c1 {
    %m = arith.subi %n, %i : index
    scf.for %j = %c0 to %m step %c1 {
      %tile = aicore.buffer "x" : memref<64xf32, #aicore.space<ub>>
      aicore.load %part -> %tile : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    }
  }
  return
}

// -----

// A kernel that enters at a later phase is left as it is.
// CHECK-LABEL: func.func @k(
// CHECK-SAME: #aicore.phase<planned>
// CHECK: aicore.buffer "x" at 64 : memref<64xf32
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>} {
  %a = aicore.buffer "x" at 64 : memref<64xf32, #aicore.space<ub>>
  return
}
