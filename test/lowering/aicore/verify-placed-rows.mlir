// RUN: opc-opt %s --aicore-verify-placed --verify-diagnostics

// Views of some rows of a tile, and of a part of a row (placed_c9): what proves that they lie within their buffer.

#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
!gm_nxf32 = memref<?xf32, #gm>
!ub_256xf32 = memref<256xf32, #ub>
!ub_nxf32 = memref<?xf32, strided<[1], offset: ?>, #ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

// From any row on, as many as are left.
func.func @rows(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %n = aicore.tiling_data "n" min 1 max 256 : index
  %wide = arith.ceildivsi %n, %c8 : index
  %ld = arith.muli %wide, %c8 : index
  %rows = arith.floordivsi %c256, %ld : index
  %any = aicore.tiling_data "n" : index
  %some = arith.maxsi %any, %c0 : index
  %first = arith.minsi %some, %rows : index
  %left = arith.subi %rows, %first : index
  %most = arith.minsi %any, %rows : index
  %count = arith.minsi %most, %left : index
  %at = arith.muli %first, %ld : index
  %length = arith.muli %count, %ld : index
  %a = aicore.buffer "a" : !ub_256xf32
  %view = memref.subview %a[%at] [%length] [1] : !ub_256xf32 to !ub_nxf32
  aicore.vabs ins(%view : !ub_nxf32) outs(%view : !ub_nxf32)
  return
}

// placed_c9: no row is left for as many as the tile has.
func.func @rows_beyond(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %n = aicore.tiling_data "n" min 1 max 256 : index
  %wide = arith.ceildivsi %n, %c8 : index
  %ld = arith.muli %wide, %c8 : index
  %rows = arith.floordivsi %c256, %ld : index
  %any = aicore.tiling_data "n" : index
  %some = arith.maxsi %any, %c0 : index
  %first = arith.minsi %some, %rows : index
  %count = arith.minsi %any, %rows : index
  %at = arith.muli %first, %ld : index
  %length = arith.muli %count, %ld : index
  // expected-note @below {{'a' has 256 elements}}
  %a = aicore.buffer "a" : !ub_256xf32
  %view = memref.subview %a[%at] [%length] [1] : !ub_256xf32 to !ub_nxf32
  // expected-error @below {{[placed_c9] expects a view to lie within its buffer, by bounds that are known; it may reach element }}
  aicore.vabs ins(%view : !ub_nxf32) outs(%view : !ub_nxf32)
  return
}

// placed_c9: the row may be one before the first.
func.func @rows_before(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %n = aicore.tiling_data "n" min 1 max 256 : index
  %wide = arith.ceildivsi %n, %c8 : index
  %ld = arith.muli %wide, %c8 : index
  %rows = arith.floordivsi %c256, %ld : index
  %any = aicore.tiling_data "n" : index
  %less = arith.subi %any, %c8 : index
  %first = arith.minsi %less, %rows : index
  %left = arith.subi %rows, %first : index
  %most = arith.minsi %any, %rows : index
  %count = arith.minsi %most, %left : index
  %at = arith.muli %first, %ld : index
  %length = arith.muli %count, %ld : index
  // expected-note @below {{'a' has 256 elements}}
  %a = aicore.buffer "a" : !ub_256xf32
  %view = memref.subview %a[%at] [%length] [1] : !ub_256xf32 to !ub_nxf32
  // expected-error @below {{[placed_c9] expects a view to lie within its buffer, by bounds that are known; its offset is in }}
  aicore.vabs ins(%view : !ub_nxf32) outs(%view : !ub_nxf32)
  return
}

// A part of a row, after its first elements; placed_c9: one that ends past the row.
func.func @part(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %n = aicore.tiling_data "n" min 1 max 256 : index
  %wide = arith.ceildivsi %n, %c8 : index
  %ld = arith.muli %wide, %c8 : index
  %rows = arith.floordivsi %c256, %ld : index
  %any = aicore.tiling_data "n" min 0 : index
  %blocks = arith.muli %any, %c8 : index
  %front = arith.minsi %blocks, %ld : index
  %behind = arith.subi %ld, %front : index
  %length = arith.minsi %n, %behind : index
  %b = aicore.buffer "b" : !ub_256xf32
  scf.for %row = %c0 to %rows step %c1 {
    %at = arith.muli %row, %ld : index
    %whole = memref.subview %b[%at] [%ld] [1] : !ub_256xf32 to !ub_nxf32
    %part = memref.subview %whole[%front] [%length] [1] : !ub_nxf32 to !ub_nxf32
    aicore.vabs ins(%part : !ub_nxf32) outs(%part : !ub_nxf32)
  }
  // expected-note @below {{'c' has 256 elements}}
  %c = aicore.buffer "c" : !ub_256xf32
  scf.for %row = %c0 to %rows step %c1 {
    %at = arith.muli %row, %ld : index
    %whole = memref.subview %c[%at] [%ld] [1] : !ub_256xf32 to !ub_nxf32
    %part = memref.subview %whole[%front] [%n] [1] : !ub_nxf32 to !ub_nxf32
    // expected-error @below {{[placed_c9] expects a view to lie within its buffer, by bounds that are known; it may reach element }}
    aicore.vabs ins(%part : !ub_nxf32) outs(%part : !ub_nxf32)
  }
  return
}
