// RUN: opc-opt %s --aicore-verify-placed --split-input-file --verify-diagnostics

// What ops of the cube touch follows from bounds of their sizes; each rule reports what it forbids.

// placed_c23: a column of fractals more than the tile has would be the next tile.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %rows = memref.reinterpret_cast %x to offset: [%c0], sizes: [%c16, %m], strides: [%free, 1] : memref<?xf16, #aicore.space<gm>> to memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  // expected-error @below {{[placed_c23] expects 'destination' to have room for what the op touches, by bounds that are known; it has 512 bytes, and the op may touch 1024}}
  aicore.load_nz %rows -> %a height %c16 : memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>> to memref<256xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c23: without a bound there is no room.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %rows = memref.reinterpret_cast %x to offset: [%c0], sizes: [%c16, %c16], strides: [%free, 1] : memref<?xf16, #aicore.space<gm>> to memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  %zero = arith.constant 0.0 : f16
  // expected-error @below {{[placed_c23] expects 'destination' to have room for what the op touches, by bounds that are known; it has 512 bytes, and the op may touch any number of them: a size has no upper bound}}
  aicore.fill %zero -> %a at %free rows %c16 of %c16 stride %c16 : f16 to memref<256xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c23: rows beyond the height are rows of the next column.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %rows = memref.reinterpret_cast %x to offset: [%c0], sizes: [%m, %c16], strides: [%free, 1] : memref<?xf16, #aicore.space<gm>> to memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  // expected-error @below {{[placed_c23] expects the number of rows to be known to be at most the height; the number of rows is in [1, 32], the height in [16, 16]}}
  aicore.load_nz %rows -> %a height %c16 : memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>> to memref<256xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c23: the cube rounds sizes up to whole fractals.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %true = arith.constant true
  %c17 = arith.constant 17 : index
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l0a, zz>>
  %b = aicore.buffer "b" : memref<256xf16, #aicore.space<l0b, zn>>
  %c = aicore.buffer "c" : memref<512xf32, #aicore.space<l0c, nz>>
  // expected-error @below {{[placed_c23] expects 'lhs' to have room for what the op touches, by bounds that are known; it has 512 bytes, and the op may touch 1024}}
  aicore.mmad ins(%a, %b : memref<256xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%c : memref<512xf32, #aicore.space<l0c, nz>>) m %c17 k %c16 n %c16 init %true
  return
}

// -----

// placed_c24: the repeats of a call have 8 bits.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c4096 = arith.constant 4096 : index
  %a = aicore.buffer "a" : memref<65536xf16, #aicore.space<l1, nz>>
  %b = aicore.buffer "b" : memref<65536xf16, #aicore.space<l0b, zn>>
  // expected-error @below {{[placed_c24] expects at most 255 fractals in a row or a column on Ascend310B1; 'columns' is in [4096, 4096]}}
  aicore.load_fractals %a -> %b rows %c16 columns %c4096 height %c16 transpose : memref<65536xf16, #aicore.space<l1, nz>> to memref<65536xf16, #aicore.space<l0b, zn>>
  return
}

// -----

// placed_c24: a call may copy a column of fractals.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c4096 = arith.constant 4096 : index
  %a = aicore.buffer "a" : memref<65536xf16, #aicore.space<l1, nz>>
  %b = aicore.buffer "b" : memref<65536xf16, #aicore.space<l0b, zn>>
  // expected-error @below {{[placed_c24] expects at most 255 fractals in a row or a column on Ascend310B1; 'rows' is in [4096, 4096]}}
  aicore.load_fractals %a -> %b rows %c4096 columns %c16 height %c4096 transpose : memref<65536xf16, #aicore.space<l1, nz>> to memref<65536xf16, #aicore.space<l0b, zn>>
  return
}

// -----

// placed_c24: bytes are transposed in squares of 32 rows.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %a = aicore.buffer "a" : memref<65536xi8, #aicore.space<l1, nz>>
  %b = aicore.buffer "b" : memref<65536xi8, #aicore.space<l0b, zn>>
  // expected-error @below {{[placed_c24] expects a 'height' of whole squares of 32 for transposed bytes or f32; it is known to be a multiple of 48}}
  aicore.load_fractals %a -> %b rows %c16 columns %c16 height %c48 transpose : memref<65536xi8, #aicore.space<l1, nz>> to memref<65536xi8, #aicore.space<l0b, zn>>
  return
}

// -----

// placed_c24: bands of f32 have whole squares of 16 columns.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %a = aicore.buffer "a" : memref<16384xf32, #aicore.space<l1, nz>>
  %b = aicore.buffer "b" : memref<16384xf32, #aicore.space<l0b, zn>>
  // expected-error @below {{[placed_c24] expects a 'height' of whole squares of 16 for transposed bytes or f32; it is known to be a multiple of 24}}
  aicore.load_fractals %a -> %b rows %c16 columns %c16 height %c24 transpose : memref<16384xf32, #aicore.space<l1, nz>> to memref<16384xf32, #aicore.space<l0b, zn>>
  return
}

// -----

// placed_c26: one row is another form of the left operand; a launch with the fewest rows would use it.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %true = arith.constant true
  %a = aicore.buffer "a" : memref<512xf16, #aicore.space<l0a, zz>>
  %b = aicore.buffer "b" : memref<256xf16, #aicore.space<l0b, zn>>
  %c = aicore.buffer "c" : memref<512xf32, #aicore.space<l0c, nz>>
  // No row, two rows and whole fractals are none.
  aicore.mmad ins(%a, %b : memref<512xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%c : memref<512xf32, #aicore.space<l0c, nz>>) m %c0 k %c16 n %c16 init %true
  %two = arith.maxsi %m, %c2 : index
  aicore.mmad ins(%a, %b : memref<512xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%c : memref<512xf32, #aicore.space<l0c, nz>>) m %two k %c16 n %c16 init %true
  // expected-error @below {{[placed_c26] expects an m that is known not to be 1, with which the chip reads 'lhs' as a row; it is in [1, 32]}}
  aicore.mmad ins(%a, %b : memref<512xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%c : memref<512xf32, #aicore.space<l0c, nz>>) m %m k %c16 n %c16 init %true
  return
}

// -----

// placed_c24: sizes of a product have 12 bits.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %true = arith.constant true
  %c4096 = arith.constant 4096 : index
  %a = aicore.buffer "a" : memref<65536xf16, #aicore.space<l0a, zz>>
  %b = aicore.buffer "b" : memref<65536xf16, #aicore.space<l0b, zn>>
  %c = aicore.buffer "c" : memref<256xf32, #aicore.space<l0c, nz>>
  // expected-error @below {{[placed_c24] expects at most 4095 as 'k' on Ascend310B1; it is in [4096, 4096]}}
  aicore.mmad ins(%a, %b : memref<65536xf16, #aicore.space<l0a, zz>>, memref<65536xf16, #aicore.space<l0b, zn>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %c16 k %c4096 n %c16 init %true
  return
}

// -----

// placed_c8: rows in memory are those of the op.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c = aicore.buffer "c" : memref<1024xf32, #aicore.space<l0c, nz>>
  %out = memref.reinterpret_cast %y to offset: [%c0], sizes: [%m, %c16], strides: [%free, 1] : memref<?xf32, #aicore.space<gm>> to memref<?x?xf32, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  // expected-error @below {{[placed_c8] expects rows in gm whose number is 'm' and whose length is 'n', as the same values; found %}}
  aicore.fixpipe %c -> %out m %c32 n %c16 : memref<1024xf32, #aicore.space<l0c, nz>> to memref<?x?xf32, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  return
}

// -----

// placed_c15: a row in UB starts at a block.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c20 = arith.constant 20 : index
  %c = aicore.buffer "c" : memref<1024xf32, #aicore.space<l0c, nz>>
  %u = aicore.buffer "u" : memref<1024xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c15] expects rows in UB to start on 32 bytes; the stride is known to be a multiple of 80 bytes only}}
  aicore.fixpipe %c -> %u m %m n %c16 stride %c20 : memref<1024xf32, #aicore.space<l0c, nz>> to memref<1024xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c16: a tile of the cube consists of whole fractals.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  // expected-error @below {{[placed_c16] expects a buffer to be a multiple of 1024 bytes, found 256}}
  %c = aicore.buffer "c" : memref<64xf32, #aicore.space<l0c, nz>>
  return
}

// -----

// placed_c23: rows of UB are not more than a column of fractals has, nor more than either tile.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c20 = arith.constant 20 : index
  %a = aicore.buffer "a" : memref<512xf16, #aicore.space<l1, nz>>
  %u = aicore.buffer "u" : memref<512xf16, #aicore.space<ub>>
  // expected-error @below {{[placed_c23] expects 'rows' to be known to be at most the height; 'rows' is in [1, 32], the height in [16, 16]}}
  aicore.store_nz %u -> %a rows %m columns %c16 stride %c16 height %c16 : memref<512xf16, #aicore.space<ub>> to memref<512xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c23: nor wider than their distance.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c20 = arith.constant 20 : index
  %a = aicore.buffer "a" : memref<512xf16, #aicore.space<l1, nz>>
  %u = aicore.buffer "u" : memref<512xf16, #aicore.space<ub>>
  // expected-error @below {{[placed_c23] expects 'columns' to be known to be at most the stride; 'columns' is in [32, 32], the stride in [16, 16]}}
  aicore.store_nz %u -> %a rows %c16 columns %c32 stride %c16 height %c16 : memref<512xf16, #aicore.space<ub>> to memref<512xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c23: the source has all rows.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c20 = arith.constant 20 : index
  %a = aicore.buffer "a" : memref<512xf16, #aicore.space<l1, nz>>
  // expected-note @below {{'u' is here}}
  %u = aicore.buffer "u" : memref<512xf16, #aicore.space<ub>>
  // expected-error @below {{[placed_c23] expects 'source' to have room for what the op touches, by bounds that are known; it has 1024 bytes, and the op may touch 2048}}
  aicore.store_nz %u -> %a rows %c32 columns %c16 stride %c32 height %c32 : memref<512xf16, #aicore.space<ub>> to memref<512xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c23: the destination has all columns.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c20 = arith.constant 20 : index
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" : memref<512xf16, #aicore.space<l1, nz>>
  %u = aicore.buffer "u" : memref<512xf16, #aicore.space<ub>>
  // expected-error @below {{[placed_c23] expects 'destination' to have room for what the op touches, by bounds that are known; it has 1024 bytes, and the op may touch 1536}}
  aicore.store_nz %u -> %a rows %c16 columns %c32 stride %c32 height %c32 : memref<512xf16, #aicore.space<ub>> to memref<512xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c15: rows in UB start at blocks.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c20 = arith.constant 20 : index
  %a = aicore.buffer "a" : memref<512xf16, #aicore.space<l1, nz>>
  %u = aicore.buffer "u" : memref<512xf16, #aicore.space<ub>>
  // expected-error @below {{[placed_c15] expects rows in UB to start on 32 bytes; the stride is known to be a multiple of 40 bytes only}}
  aicore.store_nz %u -> %a rows %c16 columns %c16 stride %c20 height %c16 : memref<512xf16, #aicore.space<ub>> to memref<512xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c24: a copy has so many blocks at most.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c20 = arith.constant 20 : index
  %a = aicore.buffer "a" : memref<512xf16, #aicore.space<l1, nz>>
  %u = aicore.buffer "u" : memref<512xf16, #aicore.space<ub>>
  // expected-error @below {{[placed_c24] expects at most 4095 as 'rows' on Ascend310B1; it is in}}
  aicore.store_nz %u -> %a rows %free columns %c16 stride %c16 height %free : memref<512xf16, #aicore.space<ub>> to memref<512xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c15: columns of fractals are whole blocks.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %columns = memref.reinterpret_cast %x to offset: [%c0], sizes: [%c1, %m], strides: [%m, 1] : memref<?xf16, #aicore.space<gm>> to memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  // expected-error @below {{[placed_c15] expects columns of fractals in whole blocks of 32 bytes; their length is known to be a multiple of 2 bytes only}}
  aicore.load_nz %columns -> %a height %c16 packed : memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>> to memref<256xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c23: the last of them ends in its tile.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %m = aicore.tiling_data "m" min 1 max 2 : index
  %length = arith.muli %c16, %c16 : index
  %columns = memref.reinterpret_cast %x to offset: [%c0], sizes: [%m, %length], strides: [%length, 1] : memref<?xf16, #aicore.space<gm>> to memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  // expected-error @below {{[placed_c23] expects 'destination' to have room for what the op touches, by bounds that are known; it has 512 bytes, and the op may touch 1024}}
  aicore.load_nz %columns -> %a height %c16 packed : memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>> to memref<256xf16, #aicore.space<l1, nz>>
  return
}

// -----

// placed_c24: a row of the matrix of windows in the middle of a fractal.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  %l0 = aicore.buffer "l0" : memref<256xf16, #aicore.space<l0a, zz>>
  // expected-error @below {{[placed_c24] expects the first row to be a multiple of 16; it is known to be a multiple of 1 only}}
  aicore.load_im2col %a -> %l0 rows %c16 from %m columns %c16 from %c0 channels %c16 pad %zero image [%c1, %c16] pads [%c0, %c0, %c0, %c0] filter [%c1, %c1] strides [%c1, %c1] dilations [%c1, %c1] : f16, memref<256xf16, #aicore.space<l1, nz>> to memref<256xf16, #aicore.space<l0a, zz>>
  return
}

// -----

// placed_c24: without a bound the call may not have the bits.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  %l0 = aicore.buffer "l0" : memref<256xf16, #aicore.space<l0a, zz>>
  // expected-error @below {{[placed_c24] expects at most 65535 as 'rows' on Ascend310B1; it is in [0, any]}}
  aicore.load_im2col %a -> %l0 rows %free from %c0 columns %c16 from %c0 channels %c16 pad %zero image [%c1, %c16] pads [%c0, %c0, %c0, %c0] filter [%c1, %c1] strides [%c1, %c1] dilations [%c1, %c1] : f16, memref<256xf16, #aicore.space<l1, nz>> to memref<256xf16, #aicore.space<l0a, zz>>
  return
}

// -----

// placed_c24: no stride, no windows.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  %l0 = aicore.buffer "l0" : memref<256xf16, #aicore.space<l0a, zz>>
  // expected-error @below {{[placed_c24] expects at least 1 as a stride; it is in [0, 0]}}
  aicore.load_im2col %a -> %l0 rows %c16 from %c0 columns %c16 from %c0 channels %c16 pad %zero image [%c1, %c16] pads [%c0, %c0, %c0, %c0] filter [%c1, %c1] strides [%c1, %c0] dilations [%c1, %c1] : f16, memref<256xf16, #aicore.space<l1, nz>> to memref<256xf16, #aicore.space<l0a, zz>>
  return
}

// -----

// placed_c23: the image of several rows is longer than the tile.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  // expected-note @below {{'a' is here}}
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  %l0 = aicore.buffer "l0" : memref<256xf16, #aicore.space<l0a, zz>>
  // expected-error @below {{[placed_c23] expects 'source' to have room for what the op touches, by bounds that are known; it has 512 bytes, and the op may touch 16384}}
  aicore.load_im2col %a -> %l0 rows %c16 from %c0 columns %c16 from %c0 channels %c16 pad %zero image [%m, %c16] pads [%c0, %c0, %c0, %c0] filter [%c1, %c1] strides [%c1, %c1] dilations [%c1, %c1] : f16, memref<256xf16, #aicore.space<l1, nz>> to memref<256xf16, #aicore.space<l0a, zz>>
  return
}

// -----

// placed_c23: two fractals in the room of one.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  // expected-note @below {{'l0' is here}}
  %l0 = aicore.buffer "l0" : memref<256xf16, #aicore.space<l0a, zz>>
  // expected-error @below {{[placed_c23] expects 'destination' to have room for what the op touches, by bounds that are known; it has 512 bytes, and the op may touch 1024}}
  aicore.load_im2col %a -> %l0 rows %m from %c0 columns %c16 from %c0 channels %c16 pad %zero image [%c1, %c16] pads [%c0, %c0, %c0, %c0] filter [%c1, %c1] strides [%c1, %c1] dilations [%c1, %c1] : f16, memref<256xf16, #aicore.space<l1, nz>> to memref<256xf16, #aicore.space<l0a, zz>>
  return
}

// -----

// placed_c23: biases are copied 16 at a time.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  // expected-note @below {{'l1' is here}}
  %l1 = aicore.buffer "l1" : memref<16xf32, #aicore.space<l1, nz>>
  %bt = aicore.buffer "bt" : memref<16xf32, #aicore.space<bt>>
  // expected-error @below {{[placed_c23] expects 'source' to have room for what the op touches, by bounds that are known; it has 64 bytes, and the op may touch 128}}
  aicore.load_bias %l1 -> %bt count %m : memref<16xf32, #aicore.space<l1, nz>> to memref<16xf32, #aicore.space<bt>>
  return
}

// -----

// placed_c8: n is not known to be whole fractals.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %c = aicore.buffer "c" : memref<1024xf32, #aicore.space<l0c, nz>>
  %length = arith.muli %c16, %c16 : index
  %rows = memref.reinterpret_cast %y to offset: [%c0], sizes: [%m, %length], strides: [%length, 1] : memref<?xf16, #aicore.space<gm>> to memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  // expected-error @below {{[placed_c8] expects n / 16 rows of m * 16 elements in gm for 'nz', as the same values: n and the length of a row are products with 16; found %m and %0}}
  aicore.fixpipe %c -> %rows m %c16 n %m nz : memref<1024xf32, #aicore.space<l0c, nz>> to memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>>
  return
}

// -----

// placed_c1: a product of operands in L1 has no pipe.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "free"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %n : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %m = aicore.tiling_data "m" min 1 max 32 : index
  %free = aicore.tiling_data "free" : index
  %a = aicore.buffer "a" : memref<256xf16, #aicore.space<l1, nz>>
  %c = aicore.buffer "c" : memref<256xf32, #aicore.space<l0c, nz>>
  %true = arith.constant true
  // expected-error @below {{[placed_c1] expects 'aicore.multiply' to be replaced by its steps, by aicore-expand-multiply at phase 'placed', before a kernel is verified}}
  aicore.multiply ins(%a[16], %a[16] : memref<256xf16, #aicore.space<l1, nz>>, memref<256xf16, #aicore.space<l1, nz>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %c16 k %c16 n %c16 init %true
  return
}

// -----

// placed_c23: the rows of a result are at most its height.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "rows"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %c1 : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  %m = aicore.tiling_data "m" min 1 max 16 : index
  %rows = aicore.tiling_data "rows" min 1 max 48 : index
  %c = aicore.buffer "c" : memref<1024xf32, #aicore.space<l0c, nz>>
  %u = aicore.buffer "u" : memref<1024xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c23] expects 'm' to be known to be at most the height; 'm' is in [1, 48], the height in [32, 32]}}
  aicore.fixpipe %c -> %u m %rows n %c16 height %c32 stride %c16 : memref<1024xf32, #aicore.space<l0c, nz>> to memref<1024xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c24: the height has the range of its parameter.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "rows"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %c1 : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c32768 = arith.constant 32768 : index
  %c64 = arith.constant 64 : index
  %m = aicore.tiling_data "m" min 1 max 16 : index
  %rows = aicore.tiling_data "rows" min 1 max 48 : index
  %c = aicore.buffer "c" : memref<1024xf32, #aicore.space<l0c, nz>>
  %u = aicore.buffer "u" : memref<1024xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c24] expects at most 16384 as 'height' on Ascend310B1; it is in [32768, 32768]}}
  aicore.fixpipe %c -> %u m %m n %c16 height %c32768 stride %c16 : memref<1024xf32, #aicore.space<l0c, nz>> to memref<1024xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c24: columns of fractals are whole fractals apart.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "rows"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %c1 : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  %m = aicore.tiling_data "m" min 1 max 16 : index
  %rows = aicore.tiling_data "rows" min 1 max 48 : index
  %c = aicore.buffer "c" : memref<1024xf32, #aicore.space<l0c, nz>>
  %u = aicore.buffer "u" : memref<1024xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c24] expects 'height' to be a multiple of 16; it is known to be a multiple of 40 only}}
  aicore.fixpipe %c -> %u m %m n %c16 height %c40 stride %c16 : memref<1024xf32, #aicore.space<l0c, nz>> to memref<1024xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c23: the last column of a higher result is beyond the tile.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "rows"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %c1 : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  %m = aicore.tiling_data "m" min 1 max 16 : index
  %rows = aicore.tiling_data "rows" min 1 max 48 : index
  // expected-note @below {{'c' is here}}
  %c = aicore.buffer "c" : memref<1024xf32, #aicore.space<l0c, nz>>
  %u = aicore.buffer "u" : memref<1024xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c23] expects 'source' to have room for what the op touches, by bounds that are known; it has 4096 bytes, and the op may touch 5120}}
  aicore.fixpipe %c -> %u m %m n %c32 height %c64 stride %c32 : memref<1024xf32, #aicore.space<l0c, nz>> to memref<1024xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c23: a view that may have no elements has room for an op that then has no rows, by the same condition.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "m"}, index {aicore.name = "rows"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %c1, %c1 : index, index, index
}
func.func @k(%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %m = aicore.tiling_data "m" min 1 max 16 : index
  %free = aicore.tiling_data "rows" : index
  // expected-note @below {{'c' is here}}
  %c = aicore.buffer "c" : memref<256xf32, #aicore.space<l0c, nz>>
  %u = aicore.buffer "u" : memref<256xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %free step %c1 {
    %is_there = arith.cmpi slt, %c0, %i : index
    %is_last = arith.cmpi slt, %i, %m : index
    %most = arith.select %is_there, %c16, %c0 : index
    %length = arith.select %is_there, %c256, %c0 : index
    %other = arith.select %is_last, %c256, %c0 : index
    %rows = arith.minsi %m, %most : index
    %view = memref.subview %c[0] [%length] [1] : memref<256xf32, #aicore.space<l0c, nz>> to memref<?xf32, strided<[1]>, #aicore.space<l0c, nz>>
    %others = memref.subview %c[0] [%other] [1] : memref<256xf32, #aicore.space<l0c, nz>> to memref<?xf32, strided<[1]>, #aicore.space<l0c, nz>>
    aicore.fixpipe %view -> %u m %rows n %c16 stride %c16 : memref<?xf32, strided<[1]>, #aicore.space<l0c, nz>> to memref<256xf32, #aicore.space<ub>>
    // expected-error @below {{[placed_c23] expects 'source' to have room for what the op touches, by bounds that are known; it has 0 bytes, and the op may touch 1024}}
    aicore.fixpipe %others -> %u m %rows n %c16 stride %c16 : memref<?xf32, strided<[1]>, #aicore.space<l0c, nz>> to memref<256xf32, #aicore.space<ub>>
  }
  return
}
