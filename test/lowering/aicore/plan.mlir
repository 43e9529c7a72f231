// RUN: opc-opt %s --aicore-plan --aicore-verify-planned | FileCheck %s

#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
!gm_nxf32 = memref<?xf32, #gm>
!ub_2x64xf32 = memref<2x64xf32, #ub>
!ub_64xf32 = memref<64xf32, #ub>
!gm_64xf32_flat = memref<64xf32, strided<[1]>, #gm>
!ub_64xf32_at = memref<64xf32, strided<[1], offset: ?>, #ub>
!ub_8192xf32 = memref<8192xf32, #ub>
!ub_49152xf32 = memref<49152xf32, #ub>
!ub_12288xf32 = memref<12288xf32, #ub>
!ub_72xf32 = memref<72xf32, #ub>
!ub_40960xf32 = memref<40960xf32, #ub>
!ub_2x24576xf32 = memref<2x24576xf32, #ub>
!gm_24576xf32_flat = memref<24576xf32, strided<[1]>, #gm>
!ub_24576xf32_at = memref<24576xf32, strided<[1], offset: ?>, #ub>
!ub_21120xf32 = memref<21120xf32, #ub>
!ub_42368xf32 = memref<42368xf32, #ub>
!ub_64xf32_off64 = memref<64xf32, strided<[1], offset: 64>, #ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

// What DMA moves keeps its bytes through the loop; of the temporaries each is written over the one that it is computed from
// and that nobody reads afterwards. Without sharing a chain of n steps would need n tiles.
// CHECK-LABEL: func.func @k1(
// CHECK-SAME: aicore.phase = #aicore.phase<planned>
// CHECK: aicore.buffer "x" at 0 : memref<2x64xf32
// CHECK: aicore.buffer "a" at 512 : memref<64xf32
// CHECK: aicore.buffer "b" at 512 : memref<64xf32
// CHECK: aicore.buffer "c" at 512 : memref<64xf32
// CHECK: aicore.buffer "d" at 512 : memref<64xf32
// CHECK: aicore.buffer "y" at 768 : memref<2x64xf32
func.func @k1(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index
  %x_home = aicore.buffer "x" : !ub_2x64xf32
  %a = aicore.buffer "a" : !ub_64xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %c = aicore.buffer "c" : !ub_64xf32
  %d = aicore.buffer "d" : !ub_64xf32
  %y_home = aicore.buffer "y" : !ub_2x64xf32
  %part = memref.subview %x[0] [64] [1] : !gm_nxf32 to !gm_64xf32_flat
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %x_tile = memref.subview %x_home[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    %y_tile = memref.subview %y_home[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    aicore.load %part -> %x_tile : !gm_64xf32_flat to !ub_64xf32_at
    aicore.vexp ins(%x_tile : !ub_64xf32_at) outs(%a : !ub_64xf32)
    aicore.vexp ins(%a : !ub_64xf32) outs(%b : !ub_64xf32)
    aicore.vexp ins(%b : !ub_64xf32) outs(%c : !ub_64xf32)
    aicore.vexp ins(%c : !ub_64xf32) outs(%d : !ub_64xf32)
    aicore.vexp ins(%d : !ub_64xf32) outs(%y_tile : !ub_64xf32_at)
    aicore.store %y_tile -> %part : !ub_64xf32_at to !gm_64xf32_flat
  }
  return
}

// A value that one iteration leaves to the next lives through the whole loop: `t` must not take the place of `sum`, though
// `sum` is read for the last time before `t` is written.
// CHECK-LABEL: func.func @k2(
// CHECK: aicore.buffer "sum" at 0
// CHECK: aicore.buffer "t" at 256
func.func @k2(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %sum = aicore.buffer "sum" : !ub_64xf32
  %t = aicore.buffer "t" : !ub_64xf32
  aicore.vbrc ins(%one : f32) outs(%sum : !ub_64xf32)
  scf.for %i = %c0 to %n step %c1 {
    aicore.vexp ins(%sum : !ub_64xf32) outs(%sum : !ub_64xf32)
    aicore.vbrc ins(%one : f32) outs(%t : !ub_64xf32)
    aicore.vexp ins(%t : !ub_64xf32) outs(%t : !ub_64xf32)
  }
  return
}

// In the order of the text the three do not fit beside each other; the larger one first, they do. A planner that gave up
// would refuse a kernel that fits.
// CHECK-LABEL: func.func @k3(
// CHECK: aicore.buffer "small" at 196608
// CHECK: aicore.buffer "large" at 0
// CHECK: aicore.buffer "late" at 196608
func.func @k3(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %small = aicore.buffer "small" : !ub_8192xf32
  %large = aicore.buffer "large" : !ub_49152xf32
  %late = aicore.buffer "late" : !ub_12288xf32
  aicore.vbrc ins(%one : f32) outs(%small : !ub_8192xf32)
  aicore.vbrc ins(%one : f32) outs(%large : !ub_49152xf32)
  aicore.vexp ins(%small : !ub_8192xf32) outs(%small : !ub_8192xf32)
  aicore.vbrc ins(%one : f32) outs(%late : !ub_12288xf32)
  aicore.vexp ins(%late : !ub_12288xf32) outs(%late : !ub_12288xf32)
  aicore.vexp ins(%large : !ub_49152xf32) outs(%large : !ub_49152xf32)
  return
}

// A gap that is 32 bytes too small is none: "c" comes when "a" is gone, but would reach into "b". A planner that is one
// block off shares bytes between two buffers that both hold something.
// CHECK-LABEL: func.func @k4(
// CHECK: aicore.buffer "a" at 0
// CHECK: aicore.buffer "b" at 256
// CHECK: aicore.buffer "c" at 512
func.func @k4(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" : !ub_64xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %c = aicore.buffer "c" : !ub_72xf32
  aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
  aicore.vbrc ins(%one : f32) outs(%b : !ub_64xf32)
  aicore.vexp ins(%a : !ub_64xf32) outs(%a : !ub_64xf32)
  aicore.vbrc ins(%one : f32) outs(%c : !ub_72xf32)
  aicore.vexp ins(%c : !ub_72xf32) outs(%c : !ub_72xf32)
  aicore.vexp ins(%b : !ub_64xf32) outs(%b : !ub_64xf32)
  return
}

// A result over the source that dies there, element by element: two tiles of 160 KB together would not fit, one does. A cast
// to another width is no such thing, nor is a source that is read again.
// CHECK-LABEL: func.func @k5(
// CHECK: aicore.buffer "a" at 0
// CHECK: aicore.buffer "b" at 0
func.func @k5(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" : !ub_40960xf32
  %b = aicore.buffer "b" : !ub_40960xf32
  aicore.vbrc ins(%one : f32) outs(%a : !ub_40960xf32)
  aicore.vexp ins(%a : !ub_40960xf32) outs(%b : !ub_40960xf32)
  aicore.vexp ins(%b : !ub_40960xf32) outs(%b : !ub_40960xf32)
  return
}

// Where nothing else fits, what is loaded gives its place to what is computed from it, slot by slot.
// CHECK-LABEL: func.func @k6(
// CHECK: aicore.buffer "x" at 0 : memref<2x24576xf32
// CHECK: aicore.buffer "y" at 0 : memref<2x24576xf32
func.func @k6(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index
  %x_home = aicore.buffer "x" : !ub_2x24576xf32
  %y_home = aicore.buffer "y" : !ub_2x24576xf32
  %part = memref.subview %x[0] [24576] [1] : !gm_nxf32 to !gm_24576xf32_flat
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %x_tile = memref.subview %x_home[%slot, 0] [1, 24576] [1, 1] : !ub_2x24576xf32 to !ub_24576xf32_at
    %y_tile = memref.subview %y_home[%slot, 0] [1, 24576] [1, 1] : !ub_2x24576xf32 to !ub_24576xf32_at
    aicore.load %part -> %x_tile : !gm_24576xf32_flat to !ub_24576xf32_at
    aicore.vexp ins(%x_tile : !ub_24576xf32_at) outs(%y_tile : !ub_24576xf32_at)
    aicore.store %y_tile -> %part : !ub_24576xf32_at to !gm_24576xf32_flat
  }
  return
}

// First fit finds no place for "right" in the order of the text, and none for "high" when larger ones come first. The exact
// search finds one for all: they fill UB as a pinwheel does a square.
// CHECK-LABEL: func.func @k7(
// CHECK: aicore.buffer "low" at 0
// CHECK: aicore.buffer "middle" at 84480
// CHECK: aicore.buffer "left" at 84480
// CHECK: aicore.buffer "high" at 169472
// CHECK: aicore.buffer "right" at 0
func.func @k7(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %low = aicore.buffer "low" : !ub_21120xf32
  %middle = aicore.buffer "middle" : !ub_21120xf32
  %left = aicore.buffer "left" : !ub_42368xf32
  %high = aicore.buffer "high" : !ub_21120xf32
  %right = aicore.buffer "right" : !ub_42368xf32
  aicore.vbrc ins(%one : f32) outs(%low : !ub_21120xf32)
  aicore.vbrc ins(%one : f32) outs(%left : !ub_42368xf32)
  aicore.vexp ins(%left : !ub_42368xf32) outs(%left : !ub_42368xf32)
  aicore.vbrc ins(%one : f32) outs(%high : !ub_21120xf32)
  aicore.vbrc ins(%one : f32) outs(%middle : !ub_21120xf32)
  aicore.vexp ins(%middle : !ub_21120xf32) outs(%middle : !ub_21120xf32)
  aicore.vexp ins(%low : !ub_21120xf32) outs(%low : !ub_21120xf32)
  aicore.vbrc ins(%one : f32) outs(%right : !ub_42368xf32)
  aicore.vexp ins(%right : !ub_42368xf32) outs(%right : !ub_42368xf32)
  aicore.vexp ins(%high : !ub_21120xf32) outs(%high : !ub_21120xf32)
  return
}

// "tile" is written row by row, so all of it counts as kept wherever it may be read again; but not before the loop in
// which its first row is written. What is done with there shares its place.
// CHECK-LABEL: func.func @k8(
// CHECK: aicore.buffer "once" at 0
// CHECK: aicore.buffer "tile" at 0
func.func @k8(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %once = aicore.buffer "once" : !ub_40960xf32
  %small = aicore.buffer "small" : !ub_64xf32
  %tile = aicore.buffer "tile" : !ub_40960xf32
  aicore.vbrc ins(%one : f32) outs(%once : !ub_40960xf32)
  %part = memref.subview %once[64] [64] [1] : !ub_40960xf32 to !ub_64xf32_off64
  aicore.vexp ins(%part : !ub_64xf32_off64) outs(%small : !ub_64xf32)
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.remsi %i, %c2 : index
    %offset = arith.muli %row, %c64 : index
    %written = memref.subview %tile[%offset] [64] [1] : !ub_40960xf32 to !ub_64xf32_at
    aicore.vexp ins(%small : !ub_64xf32) outs(%written : !ub_64xf32_at)
    aicore.vexp ins(%tile : !ub_40960xf32) outs(%tile : !ub_40960xf32)
  }
  return
}
