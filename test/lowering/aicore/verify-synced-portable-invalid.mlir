// Ops of the vector pipe that depend on each other with nothing between them: right on this chip, whose vector pipe completes in
// order, and refused with `portable`, as chips need a barrier there on which it does not.
// RUN: opc-opt %s --aicore-verify-synced=portable=true --split-input-file --verify-diagnostics
// RUN: opc-opt %s --aicore-verify-synced --split-input-file 2>&1 | FileCheck %s --implicit-check-not=error:
// CHECK-COUNT-7: func.func @k

// sync_c1: dependent steps of the vector unit need a barrier.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  // expected-note @below {{the other access is here}}
  aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
  // expected-error @below {{[sync_c1] expects accesses to one byte to be ordered by flags or barriers; 'aicore.vexp' on pipe v touches 'a' and nothing makes it come after 'aicore.vbrc' on pipe v}}
  aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// sync_c1: rows need no barrier between them, but one after what wrote the whole tile.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!tile = memref<1024xf32, #aicore.space<ub>>
!row = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !tile
  // expected-note @below {{the other access is here}}
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  scf.for %i = %c0 to %rows step %c1 {
    %at = arith.muli %i, %ld : index
    %row = memref.subview %a[%at] [%cols] [1] : !tile to !row
    // expected-error @below {{[sync_c1] expects accesses to one byte to be ordered by flags or barriers; 'aicore.vexp' of iteration 0 on pipe v touches 'a' and nothing makes it come after 'aicore.vbrc' on pipe v}}
    aicore.vexp ins(%row : !row) outs(%row : !row)
  }
  return
}

// -----

// sync_c1: rows that are longer than the way to the next one meet it.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!tile = memref<1024xf32, #aicore.space<ub>>
!row = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !tile
  %more = arith.addi %ld, %c8 : index
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  aicore.pipe_barrier v
  scf.for %i = %c0 to %rows step %c1 {
    %at = arith.muli %i, %ld : index
    %row = memref.subview %a[%at] [%more] [1] : !tile to !row
    // expected-error @below {{'aicore.vexp' of iteration 1 on pipe v touches 'a' and nothing makes it come after 'aicore.vexp' of iteration 0 on pipe v}}
    // expected-note @below {{the other access is here}}
    aicore.vexp ins(%row : !row) outs(%row : !row)
  }
  return
}

// -----

// sync_c1: another buffer in the first bytes of a tile of rows. How long rows are is not known, so any of them may lie
// there: it is not enough that the first ones are complete.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!tile = memref<1024xf32, #aicore.space<ub>>
!row = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !tile
  %b = aicore.buffer "b" at 0 : memref<8xf32, #aicore.space<ub>>
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  scf.for %i = %c0 to %rows step %c1 {
    aicore.pipe_barrier v
    %at = arith.muli %i, %ld : index
    %row = memref.subview %a[%at] [%cols] [1] : !tile to !row
    // expected-note @below {{the other access is here}}
    aicore.vexp ins(%row : !row) outs(%row : !row)
  }
  // expected-error @below {{'aicore.vbrc' on pipe v touches 'b' and nothing makes it come after 'aicore.vexp' of iteration 1 on pipe v}}
  aicore.vbrc ins(%one : f32) outs(%b : memref<8xf32, #aicore.space<ub>>)
  return
}

// -----

// sync_c1: what writes a whole tile comes after all rows that were read of it.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!tile = memref<1024xf32, #aicore.space<ub>>
!row = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !tile
  %b = aicore.buffer "b" at 4096 : !tile
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  aicore.pipe_barrier v
  scf.for %i = %c0 to %rows step %c1 {
    %at = arith.muli %i, %ld : index
    %from = memref.subview %a[%at] [%cols] [1] : !tile to !row
    %to = memref.subview %b[%at] [%cols] [1] : !tile to !row
    // expected-note @below {{the other access is here}}
    aicore.vexp ins(%from : !row) outs(%to : !row)
  }
  // expected-error @below {{'aicore.vbrc' on pipe v touches 'a' and nothing makes it come after 'aicore.vexp' of iteration 1 on pipe v}}
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  return
}

// -----

// sync_c1: and what reads one after all rows that were written, of whichever part it begins with.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!tile = memref<1024xf32, #aicore.space<ub>>
!row = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !tile
  %b = aicore.buffer "b" at 4096 : !tile
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  aicore.pipe_barrier v
  scf.for %i = %c0 to %rows step %c1 {
    %at = arith.muli %i, %ld : index
    %from = memref.subview %a[%at] [%cols] [1] : !tile to !row
    %to = memref.subview %b[%at] [%cols] [1] : !tile to !row
    // expected-note @below {{the other access is here}}
    aicore.vexp ins(%from : !row) outs(%to : !row)
  }
  %c = aicore.buffer "c" at 8192 : memref<8xf32, #aicore.space<ub>>
  %first = memref.subview %b[0] [8] [1] : !tile to memref<8xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{'aicore.vexp' on pipe v touches 'b' and nothing makes it come after 'aicore.vexp' of iteration 1 on pipe v}}
  aicore.vexp ins(%first : memref<8xf32, strided<[1]>, #aicore.space<ub>>) outs(%c : memref<8xf32, #aicore.space<ub>>)
  return
}

// -----

// sync_c1: rows of one length are told apart by their numbers; where a tile is worked on in rows of two lengths, a row may
// reach into any other.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "short"}, index {aicore.name = "long"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!row = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %shorts = aicore.tiling_data "short" min 1 max 8 : index
  %short = arith.muli %shorts, %c8 : index
  %longs = aicore.tiling_data "long" min 1 max 8 : index
  %long = arith.muli %longs, %c8 : index
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" at 0 : memref<512xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 2048 : memref<512xf32, #aicore.space<ub>>
  aicore.vbrc ins(%one : f32) outs(%a : memref<512xf32, #aicore.space<ub>>)
  aicore.vbrc ins(%one : f32) outs(%b : memref<512xf32, #aicore.space<ub>>)
  aicore.pipe_barrier v
  scf.for %i = %c0 to %c4 step %c1 {
    %here = arith.muli %i, %long : index
    %there = arith.muli %i, %short : index
    %written = memref.subview %a[%here] [%long] [1] : memref<512xf32, #aicore.space<ub>> to !row
    %read = memref.subview %a[%there] [%short] [1] : memref<512xf32, #aicore.space<ub>> to !row
    %result = memref.subview %b[%there] [%short] [1] : memref<512xf32, #aicore.space<ub>> to !row
    // expected-error @below {{[sync_c1]}}
    aicore.vbrc ins(%one : f32) outs(%written : !row)
    aicore.pipe_barrier v
    // expected-note @below {{the other access is here}}
    aicore.vexp ins(%read : !row) outs(%result : !row)
  }
  return
}
