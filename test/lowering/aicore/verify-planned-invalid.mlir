// RUN: opc-opt %s --aicore-verify-planned --split-input-file --verify-diagnostics

// Each rule of phase `planned` refuses what it is for.

// plan_c1: without an address there is nothing to emit.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  // expected-error @below {{[plan_c1] expects every buffer to have an address; 'a' has none}}
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  return
}

// -----

// plan_c2: the vector unit addresses blocks of 32 bytes.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  // expected-error @below {{[plan_c2] expects an address that is a multiple of 32; 'a' is at 48}}
  %a = aicore.buffer "a" at 48 : memref<64xf32, #aicore.space<ub>>
  return
}

// -----

// ub_c2: the last 8 KiB of the physical 256 are the system's.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" at 253696 : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[ub_c2] expects buffers to end within the 253952 bytes of UB on Ascend310B1; 'b' of 256 bytes is at 253728}}
  %b = aicore.buffer "b" at 253728 : memref<64xf32, #aicore.space<ub>>
  return
}

// -----

// ub_c2: the largest address there is must not overflow.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  // expected-error @below {{[ub_c2]}}
  %a = aicore.buffer "a" at 9223372036854775776 : memref<64xf32, #aicore.space<ub>>
  return
}

// -----

// plan_c3: b is still needed when c is written.
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
  // expected-note @below {{'b' is here}}
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[plan_c3] expects buffers that are live at the same time to share no bytes; 'c' is at 256 to 511, 'b' at 256 to 511}}
  %c = aicore.buffer "c" at 256 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %len step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%c : memref<64xf32, #aicore.space<ub>>)
    aicore.vadd ins(%b, %c : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  }
  return
}

// -----

// plan_c3: one byte in common is enough.
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
  // expected-note @below {{'b' is here}}
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[plan_c3]}}
  %c = aicore.buffer "c" at 480 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %len step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%c : memref<64xf32, #aicore.space<ub>>)
    aicore.vadd ins(%b, %c : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  }
  return
}

// -----

// plan_c3: what one iteration leaves to the next lives through the whole loop, though its last use stands above.
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
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[plan_c3]}}
  %c = aicore.buffer "c" at 0 : memref<64xf32, #aicore.space<ub>>
    aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
  scf.for %i = %c0 to %len step %c1 {
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%b : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%b : memref<64xf32, #aicore.space<ub>>) outs(%c : memref<64xf32, #aicore.space<ub>>)
    aicore.vadd ins(%b, %c : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
  }
  return
}

// -----

// plan_c3: the same where the loop itself writes it for the first time, below the place that reads it again.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  // expected-note @below {{'b' is here}}
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[plan_c3]}}
  %c = aicore.buffer "c" at 256 : memref<64xf32, #aicore.space<ub>>
  aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
  scf.for %i = %c0 to %len step %c1 {
    %again = arith.cmpi sgt, %i, %c0 : index
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%c : memref<64xf32, #aicore.space<ub>>)
    aicore.vadd ins(%a, %c : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    scf.if %again {
      aicore.vadd ins(%a, %b : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    }
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
  }
  return
}

// -----

// plan_c3: a write of one half leaves the other, which c destroys.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  // expected-note @below {{'b' is here}}
  %b = aicore.buffer "b" at 0 : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[plan_c3]}}
  %c = aicore.buffer "c" at 128 : memref<32xf32, #aicore.space<ub>>
  %d = aicore.buffer "d" at 256 : memref<32xf32, #aicore.space<ub>>
  %half = memref.subview %b[0] [32] [1] : memref<64xf32, #aicore.space<ub>> to memref<32xf32, strided<[1]>, #aicore.space<ub>>
  aicore.vbrc ins(%one : f32) outs(%b : memref<64xf32, #aicore.space<ub>>)
  // expected-note @below {{both are live here}}
  aicore.vbrc ins(%one : f32) outs(%c : memref<32xf32, #aicore.space<ub>>)
  aicore.vexp ins(%c : memref<32xf32, #aicore.space<ub>>) outs(%d : memref<32xf32, #aicore.space<ub>>)
  aicore.vexp ins(%d : memref<32xf32, #aicore.space<ub>>) outs(%half : memref<32xf32, strided<[1]>, #aicore.space<ub>>)
  aicore.vexp ins(%b : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// plan_c3: in place across widths: the first results would overwrite sources that are not read yet.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  // expected-note @below {{'h' is here}}
  %h = aicore.buffer "h" at 0 : memref<64xf16, #aicore.space<ub>>
  // expected-error @below {{[plan_c3] expects buffers that are live at the same time to share no bytes; 'f' is at 0 to 255, 'h' at 0 to 127}}
  %f = aicore.buffer "f" at 0 : memref<64xf32, #aicore.space<ub>>
  // expected-note @below {{both are live here}}
  aicore.vcast ins(%h : memref<64xf16, #aicore.space<ub>>) outs(%f : memref<64xf32, #aicore.space<ub>>) round none
  return
}

// -----

// plan_c3: the next tile is loaded before this one is computed; a result over its slot would destroy it.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  // expected-error @below {{[plan_c3] expects buffers that are live at the same time to share no bytes; 'b' is at 256 to 511, 'a' at 0 to 511}}
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %len step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %after = arith.addi %i, %c1 : index
    %next = arith.remsi %after, %c2 : index
    %off = arith.muli %i, %c2 : index
    %x_part = memref.subview %x[%off] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    %a_next = memref.subview %a[%next, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    %a_now = memref.subview %a[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.load %x_part -> %a_next : memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%a_now : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%b : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
  }
  return
}
