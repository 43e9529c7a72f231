// RUN: opc-opt %s --aicore-plan --split-input-file --verify-diagnostics

// ub_c1: the tiles that live at the peak are reported with sizes, at the lines of the body that its author has to change. And what
// would fit, with cycles by the cost model.
// expected-note-re @below {{would fit: one slot a buffer ('slots = 1' in the kernel's #aicore.schedule), 192 KB; about {{[0-9]+}} cycles for as many elements instead of {{[0-9]+}}, by the cost model}}
// expected-note-re @below {{would fit: tiles of 15360 elements instead of 16384, 248 KB; about {{[0-9]+}} cycles}}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>} {
  %one = arith.constant 1.0 : f32
  // expected-note @below {{'x' takes 128 KB, 2 slots of 64 KB}}
  %x_home = aicore.buffer "x" : memref<2x16384xf32, #aicore.space<ub>>
  // expected-note @below {{'t' takes 128 KB}}
  %t = aicore.buffer "t" : memref<32768xf32, #aicore.space<ub>>
  %gone = aicore.buffer "gone" : memref<8xf32, #aicore.space<ub>>
  %c0 = arith.constant 0 : index
  %tile = memref.subview %x_home[0, 0] [1, 16384] [1, 1] : memref<2x16384xf32, #aicore.space<ub>> to memref<16384xf32, strided<[1]>, #aicore.space<ub>>
  %part = memref.subview %x[0] [16384] [1] : memref<?xf32, #aicore.space<gm>> to memref<16384xf32, strided<[1]>, #aicore.space<gm>>
  aicore.vbrc ins(%one : f32) outs(%gone : memref<8xf32, #aicore.space<ub>>)
  aicore.load %part -> %tile : memref<16384xf32, strided<[1]>, #aicore.space<gm>> to memref<16384xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{[ub_c1] expects tiles that live at one time to fit the 248 KB of UB on Ascend310B1, found 256 KB here}}
  aicore.vbrc ins(%one : f32) outs(%t : memref<32768xf32, #aicore.space<ub>>)
  aicore.store %tile -> %part : memref<16384xf32, strided<[1]>, #aicore.space<ub>> to memref<16384xf32, strided<[1]>, #aicore.space<gm>>
  return
}

// -----

// expected-error @below {{expects phase 'rotated' here, found none}}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel} {
  return
}

// -----

// plan_c4: each memory of the cube has a plan of its own, and says who fills it.
func.func @k(%x: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>} {
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %true = arith.constant true
  %l1 = aicore.buffer "in_l1" : memref<65536xf16, #aicore.space<l1, nz>>
  // expected-note @below {{'first' takes 64 KB}}
  %first = aicore.buffer "first" : memref<32768xf16, #aicore.space<l0a, zz>>
  // expected-note @below {{'second' takes 64 KB}}
  %second = aicore.buffer "second" : memref<32768xf16, #aicore.space<l0a, zz>>
  %right = aicore.buffer "right" : memref<256xf16, #aicore.space<l0b, zn>>
  %sum = aicore.buffer "sum" : memref<256xf32, #aicore.space<l0c, nz>>
  aicore.load_fractals %l1 -> %first rows %c16 columns %c16 height %c256 : memref<65536xf16, #aicore.space<l1, nz>> to memref<32768xf16, #aicore.space<l0a, zz>>
  // expected-error @below {{[plan_c4] expects tiles that live at one time to fit the 64 KB of L0A on Ascend310B1, found 128 KB here}}
  aicore.load_fractals %l1 -> %second rows %c16 columns %c16 height %c256 : memref<65536xf16, #aicore.space<l1, nz>> to memref<32768xf16, #aicore.space<l0a, zz>>
  aicore.mmad ins(%first, %right : memref<32768xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%sum : memref<256xf32, #aicore.space<l0c, nz>>) m %c16 k %c16 n %c16 init %true
  aicore.mmad ins(%second, %right : memref<32768xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%sum : memref<256xf32, #aicore.space<l0c, nz>>) m %c16 k %c16 n %c16 init %true
  return
}
