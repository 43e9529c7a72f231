// RUN: opc-opt %s -split-input-file -verify-diagnostics

// The vector unit sees UB alone.
func.func @vector_c1_space(%x: memref<16xf16, #aicore.space<gm>>) {
  // expected-error @+1 {{op operand #0 must be [vector_c1] a rank 1 tile in ub whose elements lie together}}
  aicore.vexp ins(%x : memref<16xf16, #aicore.space<gm>>) outs(%x : memref<16xf16, #aicore.space<gm>>)
  return
}

// -----

func.func @vector_c1_rank(%x: memref<2x16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{op operand #0 must be [vector_c1] a rank 1 tile}}
  aicore.vexp ins(%x : memref<2x16xf16, #aicore.space<ub>>) outs(%x : memref<2x16xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c1_stride(%x: memref<16xf16, strided<[2]>, #aicore.space<ub>>) {
  // expected-error @+1 {{op operand #0 must be [vector_c1] a rank 1 tile in ub whose elements lie together}}
  aicore.vexp ins(%x : memref<16xf16, strided<[2]>, #aicore.space<ub>>) outs(%x : memref<16xf16, strided<[2]>, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c2(%x: memref<16xf16, #aicore.space<ub>>, %y: memref<32xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c2] expects tiles of one length}}
  aicore.vadd ins(%x, %y : memref<16xf16, #aicore.space<ub>>, memref<32xf16, #aicore.space<ub>>) outs(%y : memref<32xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c3_sources(%x: memref<16xf16, #aicore.space<ub>>, %y: memref<16xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c3] expects sources of one element type, found 'f16' and 'f32'}}
  aicore.vadd ins(%x, %y : memref<16xf16, #aicore.space<ub>>, memref<16xf32, #aicore.space<ub>>) outs(%y : memref<16xf32, #aicore.space<ub>>)
  return
}

// -----

// Only casts and the compounds with a cast in their name convert.
func.func @vector_c3_destination(%x: memref<16xf16, #aicore.space<ub>>, %y: memref<16xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c3] expects the destination to have the element type of the sources 'f16', found 'f32'}}
  aicore.vadd ins(%x, %x : memref<16xf16, #aicore.space<ub>>, memref<16xf16, #aicore.space<ub>>) outs(%y : memref<16xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c3_offsets(%x: memref<16xf16, #aicore.space<ub>>, %o: memref<16xi16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c3] expects offsets of ui32 or i32, found 'i16'}}
  aicore.vgather ins(%x, %o : memref<16xf16, #aicore.space<ub>>, memref<16xi16, #aicore.space<ub>>) outs(%x : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

// A kernel cannot convert a scalar to half: attributes are converted on the host.
func.func @vector_c4(%x: memref<16xf16, #aicore.space<ub>>, %s: f32) {
  // expected-error @+1 {{[vector_c4] expects a scalar of the element type 'f16', found 'f32'}}
  aicore.vmuls ins(%x, %s : memref<16xf16, #aicore.space<ub>>, f32) outs(%x : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c4_fill(%x: memref<16xf16, #aicore.space<ub>>, %s: f32) {
  // expected-error @+1 {{[vector_c4] expects a scalar of the element type 'f16', found 'f32'}}
  aicore.vbrc ins(%s : f32) outs(%x : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

// One bit too few would leave the mask's neighbour overwritten.
func.func @vector_c5_short(%x: memref<136xf16, #aicore.space<ub>>, %m: memref<16xui8, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c5] expects a mask tile of ui8 with a bit for each element}}
  aicore.vcmp lt ins(%x, %x : memref<136xf16, #aicore.space<ub>>, memref<136xf16, #aicore.space<ub>>) outs(%m : memref<16xui8, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c5_type(%x: memref<16xf16, #aicore.space<ub>>, %m: memref<16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c5] expects a mask tile of ui8}}
  aicore.vsel ins(%m, %x, %x : memref<16xf16, #aicore.space<ub>>, memref<16xf16, #aicore.space<ub>>, memref<16xf16, #aicore.space<ub>>) outs(%x : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @reduce_c1(%x: memref<16xf32, #aicore.space<ub>>, %y: memref<0xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[reduce_c1] expects a destination of at least one element}}
  aicore.vreduce_sum ins(%x : memref<16xf32, #aicore.space<ub>>) outs(%y : memref<0xf32, #aicore.space<ub>>) scratch(%x : memref<16xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @reduce_c2(%x: memref<16xf32, #aicore.space<ub>>, %w: memref<16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[reduce_c2] expects a scratch tile of the element type 'f32', found 'f16'}}
  aicore.vreduce_sum ins(%x : memref<16xf32, #aicore.space<ub>>) outs(%x : memref<16xf32, #aicore.space<ub>>) scratch(%w : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @reduce_c3_numbers(%x: memref<16xf32, #aicore.space<ub>>, %y: memref<16xf32, #aicore.space<ub>>, %w: memref<16xf32, #aicore.space<ub>>, %n: index) {
  // expected-error @+1 {{[reduce_c3] expects two numbers, of rows and of columns, found 1}}
  aicore.vreduce_sum rows(%n) ins(%x : memref<16xf32, #aicore.space<ub>>) outs(%y : memref<16xf32, #aicore.space<ub>>) scratch(%w : memref<16xf32, #aicore.space<ub>>)
  return
}

// -----

// A reduction of a whole tile may write its result there; a reduction of rows would overwrite later rows.
func.func @reduce_c3_apart(%x: memref<16xf32, #aicore.space<ub>>, %w: memref<16xf32, #aicore.space<ub>>, %n: index) {
  // expected-error @+1 {{[reduce_c3] expects source, destination and scratch of rows to be three tiles}}
  aicore.vreduce_max rows(%n, %n) ins(%x : memref<16xf32, #aicore.space<ub>>) outs(%x : memref<16xf32, #aicore.space<ub>>) scratch(%w : memref<16xf32, #aicore.space<ub>>)
  return
}

// -----

// A mnemonic that is none of the chip's is no op.
func.func @unknown(%x: memref<16xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{unregistered operation 'aicore.vtanh'}}
  "aicore.vtanh"(%x) : (memref<16xf32, #aicore.space<ub>>) -> ()
  return
}

// -----

// A tile of the wrong width would be read as offsets all the same.
func.func @vector_c3_indices(%x: memref<32xf32, #aicore.space<ub>>, %i: memref<32xi32, #aicore.space<ub>>, %p: memref<64xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c3] expects indices of ui32 or f32, found 'i32'}}
  aicore.vsort32 ins(%x, %i : memref<32xf32, #aicore.space<ub>>, memref<32xi32, #aicore.space<ub>>) outs(%p : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c5_gather_mask(%m: memref<4xui8, #aicore.space<ub>>, %x: memref<64xf32, #aicore.space<ub>>, %y: memref<64xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c5] expects a mask tile of ui8 with a bit for each element}}
  aicore.vgather_mask ins(%m, %x : memref<4xui8, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%y : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c5_scratch(%x: memref<64xf32, #aicore.space<ub>>, %y: memref<64xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c5] expects a scratch tile of ui8, found 'f32'}}
  aicore.vfloor ins(%x : memref<64xf32, #aicore.space<ub>>) outs(%y : memref<64xf32, #aicore.space<ub>>) scratch(%y : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// Elements that move would be overwritten before they are read.
func.func @vector_c6(%x: memref<256xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c6] expects a destination apart from the sources, found one tile as both}}
  aicore.vtrans5hd ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%x : memref<256xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c6_composed(%x: memref<64xf32, #aicore.space<ub>>, %w: memref<2048xui8, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c6] expects a destination apart from the sources}}
  aicore.vfloor ins(%x : memref<64xf32, #aicore.space<ub>>) outs(%x : memref<64xf32, #aicore.space<ub>>) scratch(%w : memref<2048xui8, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c7_transpose(%x: memref<512xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c7] expects 256 elements, found 'memref<512xf16}}
  aicore.vtranspose ins(%x : memref<512xf16, #aicore.space<ub>>) outs(%x : memref<512xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c7_transpose_dynamic(%x: memref<?xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c7] expects 256 elements, found 'memref<?xf16}}
  aicore.vtranspose ins(%x : memref<?xf16, #aicore.space<ub>>) outs(%x : memref<?xf16, #aicore.space<ub>>)
  return
}

// -----

// 32 channels of 8 bits with 32 bytes each.
func.func @vector_c7_channels(%x: memref<512xi8, #aicore.space<ub>>, %y: memref<512xi8, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c7] expects a multiple of 1024 elements, found 'memref<512xi8}}
  aicore.vtrans5hd ins(%x : memref<512xi8, #aicore.space<ub>>) outs(%y : memref<512xi8, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c7_sort(%x: memref<48xf32, #aicore.space<ub>>, %i: memref<48xui32, #aicore.space<ub>>, %p: memref<96xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c7] expects a multiple of 32 elements}}
  aicore.vsort32 ins(%x, %i : memref<48xf32, #aicore.space<ub>>, memref<48xui32, #aicore.space<ub>>) outs(%p : memref<96xf32, #aicore.space<ub>>)
  return
}

// -----

// A list of half a pair.
func.func @vector_c7_merge(%a: memref<64xf16, #aicore.space<ub>>, %b: memref<34xf16, #aicore.space<ub>>, %p: memref<98xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c7] expects a multiple of 4 elements, found 'memref<34xf16}}
  aicore.vmrgsort ins(%a, %b : memref<64xf16, #aicore.space<ub>>, memref<34xf16, #aicore.space<ub>>) outs(%p : memref<98xf16, #aicore.space<ub>>)
  return
}

// -----

// Whole repeats are written: 8 results for 65 elements of f32 would leave 8 behind the tile.
func.func @vector_c8_blocks(%x: memref<65xf32, #aicore.space<ub>>, %y: memref<9xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c8] expects a destination of 16 elements for 65, found 'memref<9xf32}}
  aicore.vreduce_block_sum ins(%x : memref<65xf32, #aicore.space<ub>>) outs(%y : memref<9xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c8_pairs(%x: memref<64xf32, #aicore.space<ub>>, %y: memref<64xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c8] expects a destination of 32 elements for 64}}
  aicore.vreduce_pair_sum ins(%x : memref<64xf32, #aicore.space<ub>>) outs(%y : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c8_pattern(%x: memref<10xf32, #aicore.space<ub>>, %y: memref<3xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c8] expects a destination of 2 elements for 10}}
  aicore.vgather_pattern third ins(%x : memref<10xf32, #aicore.space<ub>>) outs(%y : memref<3xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c8_merge(%a: memref<64xf32, #aicore.space<ub>>, %b: memref<32xf32, #aicore.space<ub>>, %p: memref<128xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c8] expects a destination of 96 elements for 96}}
  aicore.vmrgsort ins(%a, %b : memref<64xf32, #aicore.space<ub>>, memref<32xf32, #aicore.space<ub>>) outs(%p : memref<128xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @merge_c1(%a: memref<64xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[merge_c1] expects 2 to 4 lists, found 1}}
  aicore.vmrgsort ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// The generic form can leave out what the custom form cannot.
func.func @merge_c1_none(%a: memref<64xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[merge_c1] expects 2 to 4 lists, found 0}}
  "aicore.vmrgsort"(%a) : (memref<64xf32, #aicore.space<ub>>) -> ()
  return
}

// -----

// A row whose block is another's would be computed with the wrong number.
func.func @rows_without_whole_blocks(%tile: memref<64xf32, #aicore.space<ub>>, %blocks: memref<12xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[rows_c1] expects a block of 8 elements for each row of whole blocks, found 'memref<12xf32, #aicore.space<ub>>' for 'memref<64xf32, #aicore.space<ub>>'}}
  aicore.vadd rows ins(%tile, %blocks : memref<64xf32, #aicore.space<ub>>, memref<12xf32, #aicore.space<ub>>) outs(%tile : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @blocks_without_whole_rows(%tile: memref<64xf32, #aicore.space<ub>>, %blocks: memref<24xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[rows_c1] expects a block of 8 elements for each row of whole blocks}}
  aicore.vmul rows ins(%tile, %blocks : memref<64xf32, #aicore.space<ub>>, memref<24xf32, #aicore.space<ub>>) outs(%tile : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @blocks_of_another_type(%tile: memref<64xf32, #aicore.space<ub>>, %blocks: memref<16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c3] expects sources of one element type}}
  aicore.vmax rows ins(%tile, %blocks : memref<64xf32, #aicore.space<ub>>, memref<16xf16, #aicore.space<ub>>) outs(%tile : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// An intrinsic without the form would take the first block for its whole source.
func.func @rows_c2(%x: memref<64xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[rows_c2] expects the form for rows as a keyword, 'aicore.vadd rows ins(...)', on vadd, vsub, vmul, vdiv, vmax or vmin}}
  aicore.vaddrelu ins(%x, %x : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%x : memref<64xf32, #aicore.space<ub>>) {aicore.rows}
  return
}

