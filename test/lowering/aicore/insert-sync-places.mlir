// Places in tensors that follow from tiling data with a `max`. The inserter takes the largest number and the smallest.
// RUN: opc-opt %s --aicore-insert-sync --aicore-verify-synced > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#planned = #aicore.phase<planned>
!gm = memref<?xf32, #gm>
!gm_at = memref<?xf32, strided<[1], offset: ?>, #gm>
!gm64at = memref<64xf32, strided<[1], offset: ?>, #gm>
!gm8 = memref<8xf32, strided<[1]>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
!ub_at = memref<?xf32, strided<[1], offset: ?>, #ub>

func.func @t(%x: index {aicore.size = #aicore.size<num_elements of "x">}) -> (
    index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "parts"},
    index {aicore.name = "size"}, index {aicore.name = "length"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %x, %x, %x, %c1 : index, index, index, index, index
}

// Parts of a row are `length` elements apart and have at most as many, so their stores are apart for any length. A
// barrier between them would make the stores of long rows wait for each other.
// CHECK-LABEL: func.func @parts(
// CHECK-NOT: pipe_barrier mte3
// CHECK: return
func.func @parts(%x: !gm, %s: !gm8, %y: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" : index
  %size = aicore.tiling_data "size" : index
  %length = aicore.tiling_data "length" min 1 max 64 : index
  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : memref<8xf32, #ub>
  scf.for %i = %c0 to %rows step %c1 {
    aicore.load %s -> %b : !gm8 to memref<8xf32, #ub>
    scf.for %j = %c0 to %parts step %c1 {
      %slot = arith.remsi %j, %c2 : index
      %row = arith.muli %i, %size : index
      %from = arith.muli %j, %length : index
      %rest = arith.subi %size, %from : index
      %least = arith.minsi %rest, %length : index
      %count = arith.maxsi %least, %c1 : index
      %at = arith.addi %row, %from : index
      %tile = memref.subview %a[%slot, 0] [1, %count] [1, 1] : !slots to !ub_at
      %source = memref.subview %x[%at] [%count] [1] : !gm to !gm_at
      %to = memref.subview %y[%at] [%count] [1] : !gm to !gm_at
      aicore.load %source -> %tile : !gm_at to !ub_at
      aicore.store %tile -> %to : !ub_at to !gm_at
    }
  }
  return
}

// 64 elements that are `length` apart are apart only if it is 64: the proof, which takes the largest number, would
// accept stores without a barrier.
// CHECK-LABEL: func.func @close(
// CHECK: pipe_barrier mte3
// CHECK-NEXT: aicore.store
func.func @close(%x: !gm, %s: !gm8, %y: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" : index
  %size = aicore.tiling_data "size" : index
  %length = aicore.tiling_data "length" min 1 max 64 : index
  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : memref<8xf32, #ub>
  scf.for %i = %c0 to %rows step %c1 {
    aicore.load %s -> %b : !gm8 to memref<8xf32, #ub>
    scf.for %j = %c0 to %parts step %c1 {
      %slot = arith.remsi %j, %c2 : index
      %row = arith.muli %i, %size : index
      %from = arith.muli %j, %length : index
      %at = arith.addi %row, %from : index
      %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      %source = memref.subview %x[%at] [64] [1] : !gm to !gm64at
      %to = memref.subview %y[%at] [64] [1] : !gm to !gm64at
      aicore.load %source -> %tile : !gm64at to !slot
      aicore.store %tile -> %to : !slot to !gm64at
    }
  }
  return
}
