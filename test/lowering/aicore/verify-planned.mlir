// RUN: opc-opt %s --aicore-verify-planned --split-input-file | FileCheck %s

// Sharing that is fine: a verifier that refused it would forbid what the planner is for.
// CHECK-COUNT-4: func.func @k

// c takes the place of b, which nobody reads any more.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  %c = aicore.buffer "c" at 256 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %len step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
    aicore.vadd ins(%a, %b : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%c : memref<64xf32, #aicore.space<ub>>)
    aicore.vadd ins(%a, %c : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  }
  return
}

// -----

// In place: b is read for the last time where c of the same width is written.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  %c = aicore.buffer "c" at 256 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %len step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%b : memref<64xf32, #aicore.space<ub>>) outs(%c : memref<64xf32, #aicore.space<ub>>)
    aicore.vadd ins(%a, %c : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  }
  return
}

// -----

// Two loops: what the first one moves is not there any more in the second.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 0 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %len step %c1 {
    %off = arith.muli %i, %c2 : index
    %x_part = memref.subview %x[%off] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    aicore.load %x_part -> %a : memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.store %a -> %x_part : memref<64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
  }
  scf.for %i = %c0 to %len step %c1 {
    %off = arith.muli %i, %c2 : index
    %x_part = memref.subview %x[%off] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    aicore.load %x_part -> %b : memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.store %b -> %x_part : memref<64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
  }
  return
}

// -----

// What is loaded gives its place to what is computed from it, slot by slot: pipes wait for each other, which flags see to.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 0 : memref<2x64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %len step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %off = arith.muli %i, %c64 : index
    %x_part = memref.subview %x[%off] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    %a_tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    %b_tile = memref.subview %b[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.load %x_part -> %a_tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.vexp ins(%a_tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%b_tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
    aicore.store %b_tile -> %x_part : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
  }
  return
}
