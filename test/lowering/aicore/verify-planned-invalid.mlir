// RUN: opc-opt %s --aicore-verify-planned --verify-diagnostics

// Each rule of phase `planned` reports what it forbids.

#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
!gm_nxf32 = memref<?xf32, #gm>
!ub_64xf32 = memref<64xf32, #ub>
!ub_32xf32 = memref<32xf32, #ub>
!ub_32xf32_flat = memref<32xf32, strided<[1]>, #ub>
!ub_64xf16 = memref<64xf16, #ub>
!ub_2x64xf32 = memref<2x64xf32, #ub>
!gm_64xf32_at = memref<64xf32, strided<[1], offset: ?>, #gm>
!ub_64xf32_at = memref<64xf32, strided<[1], offset: ?>, #ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

// plan_c1: without an address there is nothing to emit.
func.func @k1(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  // expected-error @below {{[plan_c1] expects every buffer to have an address; 'a' has none}}
  %a = aicore.buffer "a" : !ub_64xf32
  return
}

// plan_c2: the vector unit addresses blocks of 32 bytes.
func.func @k2(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  // expected-error @below {{[plan_c2] expects an address that is a multiple of 32; 'a' is at 48}}
  %a = aicore.buffer "a" at 48 : !ub_64xf32
  return
}

// ub_c2: the last 8 KiB of the physical 256 are the system's.
func.func @k3(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" at 253696 : !ub_64xf32
  // expected-error @below {{[ub_c2] expects buffers to end within the 253952 bytes of UB on Ascend310B1; 'b' of 256 bytes is at 253728}}
  %b = aicore.buffer "b" at 253728 : !ub_64xf32
  return
}

// ub_c2: the largest address there is must not overflow.
func.func @k4(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  // expected-error @below {{[ub_c2]}}
  %a = aicore.buffer "a" at 9223372036854775776 : !ub_64xf32
  return
}

// plan_c3: b is still needed when c is written.
func.func @k5(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  // expected-note @below {{'b' is here}}
  %b = aicore.buffer "b" at 256 : !ub_64xf32
  // expected-error @below {{[plan_c3] expects buffers that are live at the same time to share no bytes; 'c' is at 256 to 511, 'b' at 256 to 511}}
  %c = aicore.buffer "c" at 256 : !ub_64xf32
  scf.for %i = %c0 to %len step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
    aicore.vexp ins(%a : !ub_64xf32) outs(%b : !ub_64xf32)
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%a : !ub_64xf32) outs(%c : !ub_64xf32)
    aicore.vadd ins(%b, %c : !ub_64xf32, !ub_64xf32) outs(%a : !ub_64xf32)
  }
  return
}

// plan_c3: one byte in common is enough.
func.func @k6(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  // expected-note @below {{'b' is here}}
  %b = aicore.buffer "b" at 256 : !ub_64xf32
  // expected-error @below {{[plan_c3]}}
  %c = aicore.buffer "c" at 480 : !ub_64xf32
  scf.for %i = %c0 to %len step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
    aicore.vexp ins(%a : !ub_64xf32) outs(%b : !ub_64xf32)
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%a : !ub_64xf32) outs(%c : !ub_64xf32)
    aicore.vadd ins(%b, %c : !ub_64xf32, !ub_64xf32) outs(%a : !ub_64xf32)
  }
  return
}

// plan_c3: what one iteration leaves to the next lives through the whole loop, though its last use stands above.
func.func @k7(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  %b = aicore.buffer "b" at 256 : !ub_64xf32
  // expected-error @below {{[plan_c3]}}
  %c = aicore.buffer "c" at 0 : !ub_64xf32
    aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
  scf.for %i = %c0 to %len step %c1 {
    aicore.vexp ins(%a : !ub_64xf32) outs(%b : !ub_64xf32)
    aicore.vexp ins(%b : !ub_64xf32) outs(%a : !ub_64xf32)
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%b : !ub_64xf32) outs(%c : !ub_64xf32)
    aicore.vadd ins(%b, %c : !ub_64xf32, !ub_64xf32) outs(%b : !ub_64xf32)
  }
  return
}

// plan_c3: the same where the loop itself writes it for the first time, below the place that reads it again.
func.func @k8(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  // expected-note @below {{'b' is here}}
  %b = aicore.buffer "b" at 256 : !ub_64xf32
  // expected-error @below {{[plan_c3]}}
  %c = aicore.buffer "c" at 256 : !ub_64xf32
  aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
  scf.for %i = %c0 to %len step %c1 {
    %again = arith.cmpi sgt, %i, %c0 : index
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%a : !ub_64xf32) outs(%c : !ub_64xf32)
    aicore.vadd ins(%a, %c : !ub_64xf32, !ub_64xf32) outs(%a : !ub_64xf32)
    scf.if %again {
      aicore.vadd ins(%a, %b : !ub_64xf32, !ub_64xf32) outs(%a : !ub_64xf32)
    }
    aicore.vexp ins(%a : !ub_64xf32) outs(%b : !ub_64xf32)
  }
  return
}

// plan_c3: a write of one half leaves the other, which c destroys.
func.func @k9(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  // expected-note @below {{'b' is here}}
  %b = aicore.buffer "b" at 0 : !ub_64xf32
  // expected-error @below {{[plan_c3]}}
  %c = aicore.buffer "c" at 128 : !ub_32xf32
  %d = aicore.buffer "d" at 256 : !ub_32xf32
  %half = memref.subview %b[0] [32] [1] : !ub_64xf32 to !ub_32xf32_flat
  aicore.vbrc ins(%one : f32) outs(%b : !ub_64xf32)
  // expected-note @below {{both are live here}}
  aicore.vbrc ins(%one : f32) outs(%c : !ub_32xf32)
  aicore.vexp ins(%c : !ub_32xf32) outs(%d : !ub_32xf32)
  aicore.vexp ins(%d : !ub_32xf32) outs(%half : !ub_32xf32_flat)
  aicore.vexp ins(%b : !ub_64xf32) outs(%b : !ub_64xf32)
  return
}

// plan_c3: in place across widths: the first results would overwrite sources that are not read yet.
func.func @k10(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  // expected-note @below {{'h' is here}}
  %h = aicore.buffer "h" at 0 : !ub_64xf16
  // expected-error @below {{[plan_c3] expects buffers that are live at the same time to share no bytes; 'f' is at 0 to 255, 'h' at 0 to 127}}
  %f = aicore.buffer "f" at 0 : !ub_64xf32
  // expected-note @below {{both are live here}}
  aicore.vcast ins(%h : !ub_64xf16) outs(%f : !ub_64xf32) round none
  return
}

// plan_c3: the next tile is loaded before this one is computed; a result over its slot would destroy it.
func.func @k11(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" at 0 : !ub_2x64xf32
  // expected-error @below {{[plan_c3] expects buffers that are live at the same time to share no bytes; 'b' is at 256 to 511, 'a' at 0 to 511}}
  %b = aicore.buffer "b" at 256 : !ub_64xf32
  scf.for %i = %c0 to %len step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %after = arith.addi %i, %c1 : index
    %next = arith.remsi %after, %c2 : index
    %off = arith.muli %i, %c2 : index
    %x_part = memref.subview %x[%off] [64] [1] : !gm_nxf32 to !gm_64xf32_at
    %a_next = memref.subview %a[%next, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    %a_now = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    aicore.load %x_part -> %a_next : !gm_64xf32_at to !ub_64xf32_at
    // expected-note @below {{both are live here}}
    aicore.vexp ins(%a_now : !ub_64xf32_at) outs(%b : !ub_64xf32)
    aicore.vexp ins(%b : !ub_64xf32) outs(%b : !ub_64xf32)
  }
  return
}
