// RUN: opc-opt %s --aicore-verify-synced --split-input-file | FileCheck %s

// What the proof takes for many, one kernel for each line of that section of docs/rationale/sync.md: every kernel here can go
// wrong, and the proof accepts it. A kernel that is refused one day leaves this file and the page.
// CHECK-COUNT-6: func.func @k

// Places in tensors are numbers, with large ones for tiling data: two stores that meet where 'n' is below 64.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "y">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!tile = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !tile
  %first = memref.subview %y[%c0] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
  %second = memref.subview %y[%n] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %a -> %first : !tile to !part
  aicore.store %a -> %second : !tile to !part
  return
}

// -----

// Two tensors have no byte in common: an output in the place of an input.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
!tile = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1]>, #aicore.space<gm>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" at 0 : !tile
  %b = aicore.buffer "b" at 256 : !tile
  %from = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
  %to = memref.subview %y[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %a -> %to : !tile to !part
  aicore.load %from -> %b : !part to !tile
  return
}

// -----

// A length is the most that it may be: of a short tile the rest is read that no load wrote.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %len = arith.minsi %n, %c64 : index
  return %c1, %len : index, index
}
!tile = memref<64xf32, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %len = aicore.tiling_data "len" max 64 : index
  %a = aicore.buffer "a" at 0 : !tile
  %b = aicore.buffer "b" at 256 : !tile
  %from = memref.subview %x[0] [%len] [1] : memref<?xf32, #aicore.space<gm>> to memref<?xf32, strided<[1]>, #aicore.space<gm>>
  %to = memref.subview %a[0] [%len] [1] : !tile to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  aicore.load %from -> %to : memref<?xf32, strided<[1]>, #aicore.space<gm>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  aicore.set_flag mte2 -> v [%c0]
  aicore.wait_flag mte2 -> v [%c0]
  aicore.vexp ins(%a : !tile) outs(%b : !tile)
  return
}

// -----

// A place in a tile that a counter moves by a constant is followed for the trips that are walked: with eleven the load is met.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = arith.minsi %n, %c16 : index
  return %c1, %rows : index, index
}
!row = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c640 = arith.constant 640 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" max 16 : index
  %a = aicore.buffer "a" at 0 : memref<1024xf32, #aicore.space<ub>>
  %from = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  %tenth = memref.subview %a[%c640] [64] [1] : memref<1024xf32, #aicore.space<ub>> to !row
  aicore.load %from -> %tenth : memref<64xf32, strided<[1]>, #aicore.space<gm>> to !row
  scf.for %i = %c0 to %n step %c1 {
    %at = arith.muli %i, %c64 : index
    %row = memref.subview %a[%at] [64] [1] : memref<1024xf32, #aicore.space<ub>> to !row
    aicore.vbrc ins(%one : f32) outs(%row : !row)
  }
  return
}

// -----

// A kernel is walked for one block: stores of two blocks to one place are not ordered.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "y">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c2 = arith.constant 2 : index
  return %c2 : index
}
!tile = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1]>, #aicore.space<gm>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" at 0 : !tile
  %to = memref.subview %y[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %a -> %to : !tile to !part
  return
}

// -----

// A bound that is computed anew takes mixtures of counts. From run to run these rise by one number, modulo ten here: no one trip
// and two trips stand an even number of runs apart, as they do for 'n2' = 3 in the third and the fifth run, which take one slot.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "n2"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!slot = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %n2 = aicore.tiling_data "n2" : index
  %a = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %from = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %at = memref.subview %a[%turn, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to !slot
    %product = arith.muli %i, %n2 : index
    %m = arith.floordivsi %product, %c5 : index
    scf.for %j = %c0 to %m step %c1 {
    }
    %is_one = arith.cmpi eq, %m, %c1 : index
    %is_two = arith.cmpi eq, %m, %c2 : index
    %is_three = arith.cmpi eq, %m, %c3 : index
    scf.if %is_three {
    }
    scf.if %is_one {
      aicore.pipe_barrier mte2
      aicore.load %from -> %at : memref<64xf32, strided<[1]>, #aicore.space<gm>> to !slot
    }
    scf.if %is_two {
      aicore.pipe_barrier v
      aicore.vbrc ins(%one : f32) outs(%at : !slot)
    }
  }
  return
}
