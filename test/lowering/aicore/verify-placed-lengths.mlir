// RUN: opc-opt %s --aicore-verify-placed --verify-diagnostics

// Lengths of results that differ from their sources', known or computed.

#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
!gm_nxf32 = memref<?xf32, #gm>
!ub_256xf32 = memref<256xf32, #ub>
!ub_256xui32 = memref<256xui32, #ub>
!ub_nxf32_flat = memref<?xf32, strided<[1]>, #ub>
!ub_4xf32_flat = memref<4xf32, strided<[1]>, #ub>
!ub_nxui32_flat = memref<?xui32, strided<[1]>, #ub>
!ub_128xf32_flat = memref<128xf32, strided<[1]>, #ub>
!ub_128xf32_off128 = memref<128xf32, strided<[1], offset: 128>, #ub>
!ub_64xf32 = memref<64xf32, #ub>
!ub_128xf32 = memref<128xf32, #ub>
!ub_64xui32 = memref<64xui32, #ub>
!ub_8192xf32 = memref<8192xf32, #ub>
!ub_8256xf32 = memref<8256xf32, #ub>
!ub_264xf32 = memref<264xf32, #ub>
!ub_8xf32 = memref<8xf32, #ub>
!ub_64xf32_off64 = memref<64xf32, strided<[1], offset: 64>, #ub>
!ub_512xui8 = memref<512xui8, #ub>
!ub_160xf32 = memref<160xf32, #ub>
!ub_16xf32 = memref<16xf32, #ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

func.func @k1(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %len = aicore.tiling_data "len" max 256 : index
  %groups = arith.ceildivsi %len, %c64 : index
  %blocks = arith.muli %groups, %c8 : index
  %pairs = arith.muli %groups, %c32 : index
  %odd = arith.floordivsi %len, %c2 : index
  %sorts = aicore.tiling_data "len" max 4 : index
  %scores = arith.muli %sorts, %c32 : index
  %sorted = arith.muli %scores, %c2 : index
  %a = aicore.buffer "a" : !ub_256xf32
  %b = aicore.buffer "b" : !ub_256xf32
  %i = aicore.buffer "i" : !ub_256xui32
  %source = memref.subview %a[0] [%len] [1] : !ub_256xf32 to !ub_nxf32_flat
  %one_a_repeat = memref.subview %b[0] [%groups] [1] : !ub_256xf32 to !ub_nxf32_flat
  aicore.vreduce_repeat_sum ins(%source : !ub_nxf32_flat) outs(%one_a_repeat : !ub_nxf32_flat)
  %one_a_block = memref.subview %b[0] [%blocks] [1] : !ub_256xf32 to !ub_nxf32_flat
  aicore.vreduce_block_sum ins(%source : !ub_nxf32_flat) outs(%one_a_block : !ub_nxf32_flat)
  %one_a_pair = memref.subview %b[0] [%pairs] [1] : !ub_256xf32 to !ub_nxf32_flat
  aicore.vreduce_pair_sum ins(%source : !ub_nxf32_flat) outs(%one_a_pair : !ub_nxf32_flat)
  %kept = memref.subview %b[0] [%odd] [1] : !ub_256xf32 to !ub_nxf32_flat
  aicore.vgather_pattern odd ins(%source : !ub_nxf32_flat) outs(%kept : !ub_nxf32_flat)
  // A constant that is long enough for every length.
  %most = memref.subview %b[0] [4] [1] : !ub_256xf32 to !ub_4xf32_flat
  aicore.vreduce_repeat_max ins(%source : !ub_nxf32_flat) outs(%most : !ub_4xf32_flat)
  // A length that is a multiple of 32 by how it is computed.
  %to_sort = memref.subview %a[0] [%scores] [1] : !ub_256xf32 to !ub_nxf32_flat
  %indices = memref.subview %i[0] [%scores] [1] : !ub_256xui32 to !ub_nxui32_flat
  %list = memref.subview %b[0] [%sorted] [1] : !ub_256xf32 to !ub_nxf32_flat
  aicore.vsort32 ins(%to_sort, %indices : !ub_nxf32_flat, !ub_nxui32_flat) outs(%list : !ub_nxf32_flat)
  // Two halves of one buffer are apart.
  %low = memref.subview %a[0] [128] [1] : !ub_256xf32 to !ub_128xf32_flat
  %high = memref.subview %a[128] [128] [1] : !ub_256xf32 to !ub_128xf32_off128
  aicore.vtrans5hd ins(%low : !ub_128xf32_flat) outs(%high : !ub_128xf32_off128)
  return
}

// placed_c19: 33 scores would leave one unsorted.
func.func @k2(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %len = aicore.tiling_data "len" max 64 : index
  %a = aicore.buffer "a" : !ub_64xf32
  %b = aicore.buffer "b" : !ub_128xf32
  %i = aicore.buffer "i" : !ub_64xui32
  %scores = memref.subview %a[0] [%len] [1] : !ub_64xf32 to !ub_nxf32_flat
  %indices = memref.subview %i[0] [%len] [1] : !ub_64xui32 to !ub_nxui32_flat
  // expected-error @below {{[placed_c19] expects lengths known to be multiples of 32, found %}}
  aicore.vsort32 ins(%scores, %indices : !ub_nxf32_flat, !ub_nxui32_flat) outs(%b : !ub_128xf32)
  return
}

// placed_c19: the call takes no more pairs in a list.
func.func @k3(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : !ub_8192xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %c = aicore.buffer "c" : !ub_8256xf32
  // expected-error @below {{[placed_c19] expects lists of at most 4095 pairs on Ascend310B1, found up to 4096}}
  aicore.vmrgsort ins(%a, %b : !ub_8192xf32, !ub_64xf32) outs(%c : !ub_8256xf32)
  return
}

// placed_c20: whole repeats of eight results are written, one for each block is too short.
func.func @k4(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c8 = arith.constant 8 : index
  %len = aicore.tiling_data "len" max 256 : index
  %blocks = arith.ceildivsi %len, %c8 : index
  %a = aicore.buffer "a" : !ub_256xf32
  %b = aicore.buffer "b" : !ub_256xf32
  %source = memref.subview %a[0] [%len] [1] : !ub_256xf32 to !ub_nxf32_flat
  %results = memref.subview %b[0] [%blocks] [1] : !ub_256xf32 to !ub_nxf32_flat
  // expected-error @below {{[placed_c20] expects a destination as long as what is written, computed from the source's length or a constant of at least 32 for up to 256 elements, found %}}
  aicore.vreduce_block_max ins(%source : !ub_nxf32_flat) outs(%results : !ub_nxf32_flat)
  return
}

// placed_c20: a constant that is short by one.
func.func @k5(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %len = aicore.tiling_data "len" max 257 : index
  %a = aicore.buffer "a" : !ub_264xf32
  %b = aicore.buffer "b" : !ub_8xf32
  %source = memref.subview %a[0] [%len] [1] : !ub_264xf32 to !ub_nxf32_flat
  %results = memref.subview %b[0] [4] [1] : !ub_8xf32 to !ub_4xf32_flat
  // expected-error @below {{a constant of at least 5 for up to 257 elements, found 4}}
  aicore.vreduce_repeat_min ins(%source : !ub_nxf32_flat) outs(%results : !ub_4xf32_flat)
  return
}

// placed_c21: the destination begins in the middle of the source.
func.func @k6(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : !ub_256xf32
  %source = memref.subview %a[0] [128] [1] : !ub_256xf32 to !ub_128xf32_flat
  %kept = memref.subview %a[64] [64] [1] : !ub_256xf32 to !ub_64xf32_off64
  // expected-error @below {{[placed_c21] expects a destination apart from what the intrinsic reads; both are views of 'a' that may overlap}}
  aicore.vgather_pattern even ins(%source : !ub_128xf32_flat) outs(%kept : !ub_64xf32_off64)
  return
}

// placed_c12: a composed call without the scratch that it may need.
func.func @k7(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : !ub_64xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %w = aicore.buffer "w" : !ub_512xui8
  // expected-error @below {{[placed_c12] expects a scratch tile as long as the source in whole blocks, or of a constant length of at least 1024 bytes for up to 64 elements}}
  aicore.vfloor ins(%a : !ub_64xf32) outs(%b : !ub_64xf32) scratch(%w : !ub_512xui8)
  return
}

// placed_c22: as many blocks as there are elements in a row, and not as there are rows.
func.func @k8(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c8 = arith.constant 8 : index
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %other = arith.addi %rows, %rows : index
  %length = arith.constant 32 : index
  %n = arith.muli %rows, %length : index
  %lanes = arith.muli %other, %c8 : index
  %a = aicore.buffer "a" : !ub_256xf32
  %b = aicore.buffer "b" : !ub_128xf32
  %tile = memref.subview %a[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  %blocks = memref.subview %b[0] [%lanes] [1] : !ub_128xf32 to !ub_nxf32_flat
  // expected-error @below {{[placed_c22] expects a block of 8 elements for each row, both lengths products of one number of rows}}
  aicore.vadd rows ins(%tile, %blocks : !ub_nxf32_flat, !ub_nxf32_flat) outs(%tile : !ub_nxf32_flat)
  return
}

// placed_c22: rows that end within a block.
func.func @k9(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c8 = arith.constant 8 : index
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %length = arith.constant 20 : index
  %n = arith.muli %rows, %length : index
  %lanes = arith.muli %rows, %c8 : index
  %a = aicore.buffer "a" : !ub_160xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %tile = memref.subview %a[0] [%n] [1] : !ub_160xf32 to !ub_nxf32_flat
  %blocks = memref.subview %b[0] [%lanes] [1] : !ub_64xf32 to !ub_nxf32_flat
  // expected-error @below {{[placed_c22] expects a block of 8 elements for each row}}
  aicore.vmul rows ins(%tile, %blocks : !ub_nxf32_flat, !ub_nxf32_flat) outs(%tile : !ub_nxf32_flat)
  return
}

// placed_c22: two blocks, and a tile of which nothing says that it has two rows of one length.
func.func @k10(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %length = arith.constant 3 : index
  %n = arith.muli %rows, %length : index
  %a = aicore.buffer "a" : !ub_160xf32
  %b = aicore.buffer "b" : !ub_16xf32
  %tile = memref.subview %a[0] [%n] [1] : !ub_160xf32 to !ub_nxf32_flat
  // expected-error @below {{[placed_c22] expects a block of 8 elements for each row}}
  aicore.vmul rows ins(%tile, %b : !ub_nxf32_flat, !ub_16xf32) outs(%tile : !ub_nxf32_flat)
  return
}
// Rows of 32 elements, 20 of which are reduced to 8 elements each.
func.func @k11(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %c8 = arith.constant 8 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %n = arith.muli %rows, %c32 : index
  %m = arith.muli %rows, %c8 : index
  %a = aicore.buffer "a" : !ub_256xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %w = aicore.buffer "w" : !ub_256xf32
  %tile = memref.subview %a[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  %results = memref.subview %b[0] [%m] [1] : !ub_64xf32 to !ub_nxf32_flat
  %scratch = memref.subview %w[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  aicore.vreduce_sum rows(%rows, %c20) ins(%tile : !ub_nxf32_flat) outs(%results : !ub_nxf32_flat) scratch(%scratch : !ub_nxf32_flat)
  return
}

// placed_c25: a row has fewer elements than are reduced.
func.func @k12(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %c8 = arith.constant 8 : index
  %c33 = arith.constant 33 : index
  %c32 = arith.constant 32 : index
  %n = arith.muli %rows, %c32 : index
  %m = arith.muli %rows, %c8 : index
  %a = aicore.buffer "a" : !ub_256xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %w = aicore.buffer "w" : !ub_256xf32
  %tile = memref.subview %a[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  %results = memref.subview %b[0] [%m] [1] : !ub_64xf32 to !ub_nxf32_flat
  %scratch = memref.subview %w[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  // expected-error @below {{[placed_c25] expects to reduce 1 element of each row or more, and at most the row}}
  aicore.vreduce_sum rows(%rows, %c33) ins(%tile : !ub_nxf32_flat) outs(%results : !ub_nxf32_flat) scratch(%scratch : !ub_nxf32_flat)
  return
}

// placed_c25: results of half a block.
func.func @k13(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %n = arith.muli %rows, %c32 : index
  %m = arith.muli %rows, %c4 : index
  %a = aicore.buffer "a" : !ub_256xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %w = aicore.buffer "w" : !ub_256xf32
  %tile = memref.subview %a[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  %results = memref.subview %b[0] [%m] [1] : !ub_64xf32 to !ub_nxf32_flat
  %scratch = memref.subview %w[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  // expected-error @below {{[placed_c25] expects a tile and results of whole rows, each of whole blocks of 8 elements}}
  aicore.vreduce_sum rows(%rows, %c32) ins(%tile : !ub_nxf32_flat) outs(%results : !ub_nxf32_flat) scratch(%scratch : !ub_nxf32_flat)
  return
}

// placed_c25: the tile has another number of rows than the results.
func.func @k14(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %c8 = arith.constant 8 : index
  %a = aicore.buffer "a" : !ub_256xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %w = aicore.buffer "w" : !ub_256xf32
  %m = arith.muli %rows, %c8 : index
  %results = memref.subview %b[0] [%m] [1] : !ub_64xf32 to !ub_nxf32_flat
  // expected-error @below {{[placed_c25] expects a tile and results of whole rows}}
  aicore.vreduce_min rows(%rows, %c8) ins(%a : !ub_256xf32) outs(%results : !ub_nxf32_flat) scratch(%w : !ub_256xf32)
  return
}

// placed_c25: scratch of one row, which calls on all rows would exceed.
func.func @k15(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %n = arith.muli %rows, %c32 : index
  %m = arith.muli %rows, %c8 : index
  %a = aicore.buffer "a" : !ub_256xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %w = aicore.buffer "w" : !ub_64xf32
  %tile = memref.subview %a[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  %results = memref.subview %b[0] [%m] [1] : !ub_64xf32 to !ub_nxf32_flat
  // expected-error @below {{[placed_c25] expects a scratch tile as long as the tile of rows}}
  aicore.vreduce_max rows(%rows, %c32) ins(%tile : !ub_nxf32_flat) outs(%results : !ub_nxf32_flat) scratch(%w : !ub_64xf32)
  return
}

// placed_c25: results without elements, all of which would be the first one.
func.func @k16(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = arith.muli %rows, %c32 : index
  %m = arith.muli %rows, %c0 : index
  %a = aicore.buffer "a" : !ub_256xf32
  %b = aicore.buffer "b" : !ub_64xf32
  %w = aicore.buffer "w" : !ub_256xf32
  %tile = memref.subview %a[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  %results = memref.subview %b[0] [%m] [1] : !ub_64xf32 to !ub_nxf32_flat
  %scratch = memref.subview %w[0] [%n] [1] : !ub_256xf32 to !ub_nxf32_flat
  // expected-error @below {{[placed_c25] expects a tile and results of whole rows, each of whole blocks of 8 elements}}
  aicore.vreduce_sum rows(%rows, %c32) ins(%tile : !ub_nxf32_flat) outs(%results : !ub_nxf32_flat) scratch(%scratch : !ub_nxf32_flat)
  return
}
