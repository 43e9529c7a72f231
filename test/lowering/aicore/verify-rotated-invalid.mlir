// RUN: opc-opt %s --aicore-verify-rotated --verify-diagnostics

// Each rule of phase `rotated` reports what it forbids.

#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
!gm_nxf32 = memref<?xf32, #gm>
!ub_64xf32 = memref<64xf32, #ub>
!ub_2x64xf32 = memref<2x64xf32, #ub>
!ub_2x64xf32_s64_1_flat = memref<2x64xf32, strided<[64, 1]>, #ub>
!ub_64xf32_at = memref<64xf32, strided<[1], offset: ?>, #ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

// rotated_c1: a buffer in a loop has no place for the whole kernel.
func.func @k1(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  scf.for %i = %c0 to %len step %c1 {
    // expected-error @below {{[rotated_c1] expects buffers at the entry of the kernel, found 'a' in 'scf.for'}}
    %a = aicore.buffer "a" : !ub_64xf32
  }
  return
}

// rotated_c2: an intrinsic over both slots would touch the tile that DMA works on.
func.func @k2(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : !ub_2x64xf32
  // expected-error @below {{[rotated_c2] expects a view of a buffer with slots to pick one of them, found 'memref<2x64xf32, strided<[64, 1]>, #aicore.space<ub>>'}}
  %b = memref.subview %a[0, 0] [2, 64] [1, 1] : !ub_2x64xf32 to !ub_2x64xf32_s64_1_flat
  return
}

// rotated_c3: the tile counter itself soon points past the second slot.
func.func @k3(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  // expected-note @below {{'a' has 2 slots}}
  %a = aicore.buffer "a" : !ub_2x64xf32
  scf.for %i = %c0 to %len step %c1 {
    // expected-error @below {{[rotated_c3] expects a slot between 0 and 1, found one in [0, any]}}
    %b = memref.subview %a[%i, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
  }
  return
}

// rotated_c3: three values for two slots.
func.func @k4(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  %c3 = arith.constant 3 : index
  // expected-note @below {{'a' has 2 slots}}
  %a = aicore.buffer "a" : !ub_2x64xf32
  scf.for %i = %c0 to %len step %c1 {
    %slot = arith.remsi %i, %c3 : index
    // expected-error @below {{[rotated_c3] expects a slot between 0 and 1, found one in [0, 2]}}
    %b = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
  }
  return
}

// rotated_c4: pipe v works on one tile at a time; two slots of a temporary only cost memory.
func.func @k5(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  // expected-error @below {{[rotated_c4] expects buffers with slots to be touched by DMA; 'a' is not; one slot is enough}}
  %a = aicore.buffer "a" : !ub_2x64xf32
  scf.for %i = %c0 to %len step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %b = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    aicore.vexp ins(%b : !ub_64xf32_at) outs(%b : !ub_64xf32_at)
  }
  return
}

// placed_c3: a phase that is not reached would go unchecked without a word.
// expected-error @below {{[placed_c3] expects a kernel to have reached phase 'rotated'; '@k6' is at 'placed'}}
func.func @k6(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  return
}

// placed_c10: addresses come after the slots.
func.func @k7(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<rotated>, aicore.tiling_function = @t} {
  // expected-error @below {{[placed_c10] expects no address in phase 'rotated', found 64}}
  %a = aicore.buffer "a" at 64 : !ub_64xf32
  return
}
