// RUN: opc-opt %s --aicore-verify-placed --split-input-file --verify-diagnostics

// Lengths of results that differ from their sources', known or computed.

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
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
  %a = aicore.buffer "a" : memref<256xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<256xf32, #aicore.space<ub>>
  %i = aicore.buffer "i" : memref<256xui32, #aicore.space<ub>>
  %source = memref.subview %a[0] [%len] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %one_a_repeat = memref.subview %b[0] [%groups] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  aicore.vreduce_repeat_sum ins(%source : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%one_a_repeat : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  %one_a_block = memref.subview %b[0] [%blocks] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  aicore.vreduce_block_sum ins(%source : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%one_a_block : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  %one_a_pair = memref.subview %b[0] [%pairs] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  aicore.vreduce_pair_sum ins(%source : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%one_a_pair : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  %kept = memref.subview %b[0] [%odd] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  aicore.vgather_pattern odd ins(%source : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%kept : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  // A constant that is long enough for every length.
  %most = memref.subview %b[0] [4] [1] : memref<256xf32, #aicore.space<ub>> to memref<4xf32, strided<[1]>, #aicore.space<ub>>
  aicore.vreduce_repeat_max ins(%source : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%most : memref<4xf32, strided<[1]>, #aicore.space<ub>>)
  // A length that is a multiple of 32 by how it is computed.
  %to_sort = memref.subview %a[0] [%scores] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %indices = memref.subview %i[0] [%scores] [1] : memref<256xui32, #aicore.space<ub>> to memref<?xui32, strided<[1]>, #aicore.space<ub>>
  %list = memref.subview %b[0] [%sorted] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  aicore.vsort32 ins(%to_sort, %indices : memref<?xf32, strided<[1]>, #aicore.space<ub>>, memref<?xui32, strided<[1]>, #aicore.space<ub>>) outs(%list : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  // Two halves of one buffer are apart.
  %low = memref.subview %a[0] [128] [1] : memref<256xf32, #aicore.space<ub>> to memref<128xf32, strided<[1]>, #aicore.space<ub>>
  %high = memref.subview %a[128] [128] [1] : memref<256xf32, #aicore.space<ub>> to memref<128xf32, strided<[1], offset: 128>, #aicore.space<ub>>
  aicore.vtrans5hd ins(%low : memref<128xf32, strided<[1]>, #aicore.space<ub>>) outs(%high : memref<128xf32, strided<[1], offset: 128>, #aicore.space<ub>>)
  return
}

// -----

// placed_c19: 33 scores would leave one unsorted.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %len = aicore.tiling_data "len" max 64 : index
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<128xf32, #aicore.space<ub>>
  %i = aicore.buffer "i" : memref<64xui32, #aicore.space<ub>>
  %scores = memref.subview %a[0] [%len] [1] : memref<64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %indices = memref.subview %i[0] [%len] [1] : memref<64xui32, #aicore.space<ub>> to memref<?xui32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{[placed_c19] expects lengths known to be multiples of 32, found %}}
  aicore.vsort32 ins(%scores, %indices : memref<?xf32, strided<[1]>, #aicore.space<ub>>, memref<?xui32, strided<[1]>, #aicore.space<ub>>) outs(%b : memref<128xf32, #aicore.space<ub>>)
  return
}

// -----

// placed_c19: the call takes no more pairs in a list.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<8192xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<64xf32, #aicore.space<ub>>
  %c = aicore.buffer "c" : memref<8256xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c19] expects lists of at most 4095 pairs on Ascend310B1, found up to 4096}}
  aicore.vmrgsort ins(%a, %b : memref<8192xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%c : memref<8256xf32, #aicore.space<ub>>)
  return
}

// -----

// placed_c20: whole repeats of eight results are written, one for each block is too short.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c8 = arith.constant 8 : index
  %len = aicore.tiling_data "len" max 256 : index
  %blocks = arith.ceildivsi %len, %c8 : index
  %a = aicore.buffer "a" : memref<256xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<256xf32, #aicore.space<ub>>
  %source = memref.subview %a[0] [%len] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %results = memref.subview %b[0] [%blocks] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{[placed_c20] expects a destination as long as what is written, computed from the source's length or a constant of at least 32 for up to 256 elements, found %}}
  aicore.vreduce_block_max ins(%source : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%results : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  return
}

// -----

// placed_c20: a constant that is short by one.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %len = aicore.tiling_data "len" max 257 : index
  %a = aicore.buffer "a" : memref<264xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<8xf32, #aicore.space<ub>>
  %source = memref.subview %a[0] [%len] [1] : memref<264xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %results = memref.subview %b[0] [4] [1] : memref<8xf32, #aicore.space<ub>> to memref<4xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{a constant of at least 5 for up to 257 elements, found 4}}
  aicore.vreduce_repeat_min ins(%source : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%results : memref<4xf32, strided<[1]>, #aicore.space<ub>>)
  return
}

// -----

// placed_c21: the destination begins in the middle of the source.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<256xf32, #aicore.space<ub>>
  %source = memref.subview %a[0] [128] [1] : memref<256xf32, #aicore.space<ub>> to memref<128xf32, strided<[1]>, #aicore.space<ub>>
  %kept = memref.subview %a[64] [64] [1] : memref<256xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: 64>, #aicore.space<ub>>
  // expected-error @below {{[placed_c21] expects a destination apart from what the intrinsic reads; both are views of 'a' that may overlap}}
  aicore.vgather_pattern even ins(%source : memref<128xf32, strided<[1]>, #aicore.space<ub>>) outs(%kept : memref<64xf32, strided<[1], offset: 64>, #aicore.space<ub>>)
  return
}

// -----

// placed_c12: a composed call without the scratch that it may need.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<64xf32, #aicore.space<ub>>
  %w = aicore.buffer "w" : memref<512xui8, #aicore.space<ub>>
  // expected-error @below {{[placed_c12] expects a scratch tile as long as the source in whole blocks, or of a constant length of at least 1024 bytes for up to 64 elements}}
  aicore.vfloor ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>) scratch(%w : memref<512xui8, #aicore.space<ub>>)
  return
}

// -----

// placed_c22: as many blocks as there are elements in a row, and not as there are rows.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c8 = arith.constant 8 : index
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %other = arith.addi %rows, %rows : index
  %length = arith.constant 32 : index
  %n = arith.muli %rows, %length : index
  %lanes = arith.muli %other, %c8 : index
  %a = aicore.buffer "a" : memref<256xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<128xf32, #aicore.space<ub>>
  %tile = memref.subview %a[0] [%n] [1] : memref<256xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %blocks = memref.subview %b[0] [%lanes] [1] : memref<128xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{[placed_c22] expects a block of 8 elements for each row, both lengths products of one number of rows}}
  aicore.vadd rows ins(%tile, %blocks : memref<?xf32, strided<[1]>, #aicore.space<ub>>, memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%tile : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  return
}

// -----

// placed_c22: rows that end within a block.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c8 = arith.constant 8 : index
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %length = arith.constant 20 : index
  %n = arith.muli %rows, %length : index
  %lanes = arith.muli %rows, %c8 : index
  %a = aicore.buffer "a" : memref<160xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<64xf32, #aicore.space<ub>>
  %tile = memref.subview %a[0] [%n] [1] : memref<160xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %blocks = memref.subview %b[0] [%lanes] [1] : memref<64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{[placed_c22] expects a block of 8 elements for each row}}
  aicore.vmul rows ins(%tile, %blocks : memref<?xf32, strided<[1]>, #aicore.space<ub>>, memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%tile : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  return
}

// -----

// placed_c22: two blocks, and a tile of which nothing says that it has two rows of one length.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %rows = aicore.tiling_data "len" min 1 max 8 : index
  %length = arith.constant 3 : index
  %n = arith.muli %rows, %length : index
  %a = aicore.buffer "a" : memref<160xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<16xf32, #aicore.space<ub>>
  %tile = memref.subview %a[0] [%n] [1] : memref<160xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{[placed_c22] expects a block of 8 elements for each row}}
  aicore.vmul rows ins(%tile, %b : memref<?xf32, strided<[1]>, #aicore.space<ub>>, memref<16xf32, #aicore.space<ub>>) outs(%tile : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  return
}
