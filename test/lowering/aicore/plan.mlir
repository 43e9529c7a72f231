// RUN: opc-opt %s --aicore-plan --aicore-verify-planned --split-input-file | FileCheck %s

// What DMA moves keeps its bytes through the loop; of the temporaries each is written over the one that it is computed from
// and that nobody reads afterwards. Without sharing a chain of n steps would need n tiles.
// CHECK-LABEL: func.func @k(
// CHECK-SAME: aicore.phase = #aicore.phase<planned>
// CHECK: aicore.buffer "x" at 0 : memref<2x64xf32
// CHECK: aicore.buffer "a" at 512 : memref<64xf32
// CHECK: aicore.buffer "b" at 512 : memref<64xf32
// CHECK: aicore.buffer "c" at 512 : memref<64xf32
// CHECK: aicore.buffer "d" at 512 : memref<64xf32
// CHECK: aicore.buffer "y" at 768 : memref<2x64xf32
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!slots = memref<2x64xf32, #aicore.space<ub>>
!slot = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
!temp = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1]>, #aicore.space<gm>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index
  %x_home = aicore.buffer "x" : !slots
  %a = aicore.buffer "a" : !temp
  %b = aicore.buffer "b" : !temp
  %c = aicore.buffer "c" : !temp
  %d = aicore.buffer "d" : !temp
  %y_home = aicore.buffer "y" : !slots
  %part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %x_tile = memref.subview %x_home[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %y_tile = memref.subview %y_home[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.load %part -> %x_tile : !part to !slot
    aicore.vexp ins(%x_tile : !slot) outs(%a : !temp)
    aicore.vexp ins(%a : !temp) outs(%b : !temp)
    aicore.vexp ins(%b : !temp) outs(%c : !temp)
    aicore.vexp ins(%c : !temp) outs(%d : !temp)
    aicore.vexp ins(%d : !temp) outs(%y_tile : !slot)
    aicore.store %y_tile -> %part : !slot to !part
  }
  return
}

// -----

// A value that one iteration leaves to the next lives through the whole loop: `t` must not take the place of `sum`, though
// `sum` is read for the last time before `t` is written.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.buffer "sum" at 0
// CHECK: aicore.buffer "t" at 256
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!temp = memref<64xf32, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %sum = aicore.buffer "sum" : !temp
  %t = aicore.buffer "t" : !temp
  aicore.vbrc ins(%one : f32) outs(%sum : !temp)
  scf.for %i = %c0 to %n step %c1 {
    aicore.vexp ins(%sum : !temp) outs(%sum : !temp)
    aicore.vbrc ins(%one : f32) outs(%t : !temp)
    aicore.vexp ins(%t : !temp) outs(%t : !temp)
  }
  return
}

// -----

// In the order of the text the three do not fit beside each other; the larger one first, they do. A planner that gave up
// would refuse a kernel that fits.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.buffer "small" at 196608
// CHECK: aicore.buffer "large" at 0
// CHECK: aicore.buffer "late" at 196608
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!small = memref<8192xf32, #aicore.space<ub>>
!large = memref<49152xf32, #aicore.space<ub>>
!late = memref<12288xf32, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %small = aicore.buffer "small" : !small
  %large = aicore.buffer "large" : !large
  %late = aicore.buffer "late" : !late
  aicore.vbrc ins(%one : f32) outs(%small : !small)
  aicore.vbrc ins(%one : f32) outs(%large : !large)
  aicore.vexp ins(%small : !small) outs(%small : !small)
  aicore.vbrc ins(%one : f32) outs(%late : !late)
  aicore.vexp ins(%late : !late) outs(%late : !late)
  aicore.vexp ins(%large : !large) outs(%large : !large)
  return
}

// -----

// A gap that is 32 bytes too small is none: "c" comes when "a" is gone, but would reach into "b". A planner that is one
// block off shares bytes between two buffers that both hold something.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.buffer "a" at 0
// CHECK: aicore.buffer "b" at 256
// CHECK: aicore.buffer "c" at 512
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!temp = memref<64xf32, #aicore.space<ub>>
!wider = memref<72xf32, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" : !temp
  %b = aicore.buffer "b" : !temp
  %c = aicore.buffer "c" : !wider
  aicore.vbrc ins(%one : f32) outs(%a : !temp)
  aicore.vbrc ins(%one : f32) outs(%b : !temp)
  aicore.vexp ins(%a : !temp) outs(%a : !temp)
  aicore.vbrc ins(%one : f32) outs(%c : !wider)
  aicore.vexp ins(%c : !wider) outs(%c : !wider)
  aicore.vexp ins(%b : !temp) outs(%b : !temp)
  return
}

// -----

// A result over the source that dies there, element by element: two tiles of 160 KB together would not fit, one does. A cast
// to another width is no such thing, nor is a source that is read again.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.buffer "a" at 0
// CHECK: aicore.buffer "b" at 0
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!large = memref<40960xf32, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" : !large
  %b = aicore.buffer "b" : !large
  aicore.vbrc ins(%one : f32) outs(%a : !large)
  aicore.vexp ins(%a : !large) outs(%b : !large)
  aicore.vexp ins(%b : !large) outs(%b : !large)
  return
}

// -----

// Where nothing else fits, what is loaded gives its place to what is computed from it, slot by slot.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.buffer "x" at 0 : memref<2x24576xf32
// CHECK: aicore.buffer "y" at 0 : memref<2x24576xf32
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!slots = memref<2x24576xf32, #aicore.space<ub>>
!slot = memref<24576xf32, strided<[1], offset: ?>, #aicore.space<ub>>
!part = memref<24576xf32, strided<[1]>, #aicore.space<gm>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index
  %x_home = aicore.buffer "x" : !slots
  %y_home = aicore.buffer "y" : !slots
  %part = memref.subview %x[0] [24576] [1] : memref<?xf32, #aicore.space<gm>> to !part
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %x_tile = memref.subview %x_home[%slot, 0] [1, 24576] [1, 1] : !slots to !slot
    %y_tile = memref.subview %y_home[%slot, 0] [1, 24576] [1, 1] : !slots to !slot
    aicore.load %part -> %x_tile : !part to !slot
    aicore.vexp ins(%x_tile : !slot) outs(%y_tile : !slot)
    aicore.store %y_tile -> %part : !slot to !part
  }
  return
}

// -----

// First fit finds no place for "right" in the order of the text, and none for "high" when larger ones come first. The exact
// search finds one for all: they fill UB as a pinwheel does a square.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.buffer "low" at 0
// CHECK: aicore.buffer "middle" at 84480
// CHECK: aicore.buffer "left" at 84480
// CHECK: aicore.buffer "high" at 169472
// CHECK: aicore.buffer "right" at 0
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!third = memref<21120xf32, #aicore.space<ub>>
!rest = memref<42368xf32, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %low = aicore.buffer "low" : !third
  %middle = aicore.buffer "middle" : !third
  %left = aicore.buffer "left" : !rest
  %high = aicore.buffer "high" : !third
  %right = aicore.buffer "right" : !rest
  aicore.vbrc ins(%one : f32) outs(%low : !third)
  aicore.vbrc ins(%one : f32) outs(%left : !rest)
  aicore.vexp ins(%left : !rest) outs(%left : !rest)
  aicore.vbrc ins(%one : f32) outs(%high : !third)
  aicore.vbrc ins(%one : f32) outs(%middle : !third)
  aicore.vexp ins(%middle : !third) outs(%middle : !third)
  aicore.vexp ins(%low : !third) outs(%low : !third)
  aicore.vbrc ins(%one : f32) outs(%right : !rest)
  aicore.vexp ins(%right : !rest) outs(%right : !rest)
  aicore.vexp ins(%high : !third) outs(%high : !third)
  return
}

// -----

// "tile" is written row by row, so all of it counts as kept wherever it may be read again; but not in front of the loop in
// which its first row is written. What is done with there shares its place.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.buffer "once" at 0
// CHECK: aicore.buffer "tile" at 0
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!large = memref<40960xf32, #aicore.space<ub>>
!row = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %once = aicore.buffer "once" : !large
  %small = aicore.buffer "small" : memref<64xf32, #aicore.space<ub>>
  %tile = aicore.buffer "tile" : !large
  aicore.vbrc ins(%one : f32) outs(%once : !large)
  %part = memref.subview %once[64] [64] [1] : !large to memref<64xf32, strided<[1], offset: 64>, #aicore.space<ub>>
  aicore.vexp ins(%part : memref<64xf32, strided<[1], offset: 64>, #aicore.space<ub>>) outs(%small : memref<64xf32, #aicore.space<ub>>)
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.remsi %i, %c2 : index
    %offset = arith.muli %row, %c64 : index
    %written = memref.subview %tile[%offset] [64] [1] : !large to !row
    aicore.vexp ins(%small : memref<64xf32, #aicore.space<ub>>) outs(%written : !row)
    aicore.vexp ins(%tile : !large) outs(%tile : !large)
  }
  return
}
