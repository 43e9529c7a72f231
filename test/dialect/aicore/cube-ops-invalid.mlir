// RUN: opc-opt %s -split-input-file -verify-diagnostics

// A layout that a memory does not have: fractals row by row in L1.
// expected-error @+1 {{[space_c1] expects a layout that the memory has, nd in gm, ub and bt, nd or nz in l1, zz in l0a, zn in l0b, nz in l0c; found zz in l1}}
func.func private @space_c1(memref<256xf16, #aicore.space<l1, zz>>)

// -----

// The copy of an operand for L0A cannot take the bytes of L0B.
func.func @cube_c1(%a: memref<256xf16, #aicore.space<l0b, zn>>, %b: memref<256xf16, #aicore.space<l0b, zn>>,
                   %c: memref<256xf32, #aicore.space<l0c, nz>>, %n: index, %i: i1) {
  // expected-error @+1 {{operand #0 must be [cube_c1] a rank 1 tile in l0a with layout zz}}
  aicore.mmad ins(%a, %b : memref<256xf16, #aicore.space<l0b, zn>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %n k %n n %n init %i
  return
}

// -----

// A flat tensor has no rows.
func.func @cube_c2(%x: memref<?xf16, #aicore.space<gm>>, %t: memref<256xf16, #aicore.space<l1, nz>>, %n: index) {
  // expected-error @+1 {{[cube_c2] expects 'source' of rank 2 in gm whose rows are contiguous, found 'memref<?xf16, #aicore.space<gm>>'}}
  aicore.load_nz %x -> %t height %n : memref<?xf16, #aicore.space<gm>> to memref<256xf16, #aicore.space<l1, nz>>
  return
}

// -----

// A copy converts nothing.
func.func @cube_c3(%x: memref<?x?xf32, #aicore.space<gm>>, %t: memref<256xf16, #aicore.space<l1, nz>>, %n: index) {
  // expected-error @+1 {{[cube_c3] expects one element type, f16, bf16, f32 or i8, found 'f32' and 'f16'}}
  aicore.load_nz %x -> %t height %n : memref<?x?xf32, #aicore.space<gm>> to memref<256xf16, #aicore.space<l1, nz>>
  return
}

// -----

// A step of 'multiply' takes f32 in columns of fractals, and a transposed part would be in bands.
func.func @cube_c4(%a: memref<256xf32, #aicore.space<l1, nz>>, %b: memref<256xf32, #aicore.space<l1, nz>>, %c: memref<256xf32, #aicore.space<l0c, nz>>, %n: index, %i: i1) {
  // expected-error @+1 {{[cube_c4] expects f32 along k, 'lhs' without and 'rhs' with 'transpose'; other operands of f32 are transposed in bands, by 'aicore.load_fractals'}}
  aicore.multiply ins(%a[16], %b[16] : memref<256xf32, #aicore.space<l1, nz>>, memref<256xf32, #aicore.space<l1, nz>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %n k %n n %n init %i
  return
}

// -----

// The two fractals of a square are apart in l0a.
func.func @cube_c4_left(%s: memref<1024xi8, #aicore.space<l1, nz>>, %t: memref<1024xi8, #aicore.space<l0a, zz>>, %n: index) {
  // expected-error @+1 {{[cube_c4] expects elements of 16 bits or f32 for 'transpose', or i8 for l0b, found 'i8'}}
  aicore.load_fractals %s -> %t rows %n columns %n height %n transpose : memref<1024xi8, #aicore.space<l1, nz>> to memref<1024xi8, #aicore.space<l0a, zz>>
  return
}

// -----

// No f16 accumulator is documented for the chip.
func.func @cube_c5(%a: memref<256xf16, #aicore.space<l0a, zz>>, %b: memref<256xf16, #aicore.space<l0b, zn>>,
                   %c: memref<256xf16, #aicore.space<l0c, nz>>, %n: index, %i: i1) {
  // expected-error @+1 {{[cube_c5] expects 'lhs' and 'rhs' of one element type, f16, bf16 or f32 with 'result' of f32, or i8 with 'result' of i32, found 'f16', 'f16' and 'f16'}}
  aicore.mmad ins(%a, %b : memref<256xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%c : memref<256xf16, #aicore.space<l0c, nz>>) m %n k %n n %n init %i
  return
}

// -----

// With one row the chip would read fractals as a row.
func.func @cube_c6(%a: memref<256xf16, #aicore.space<l0a, zz>>, %b: memref<256xf16, #aicore.space<l0b, zn>>,
                   %c: memref<256xf32, #aicore.space<l0c, nz>>, %n: index, %i: i1) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{[cube_c6] expects m of 2 or more, found 1, with which the chip reads 'lhs' as a row; take 2 and a second row of zeros}}
  aicore.mmad ins(%a, %b : memref<256xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %c1 k %n n %n init %i
  return
}

// -----

// Rows in UB have a distance.
func.func @cube_c7(%c: memref<256xf32, #aicore.space<l0c, nz>>, %u: memref<256xf32, #aicore.space<ub>>, %n: index) {
  // expected-error @+1 {{[cube_c7] expects 'destination' of rank 1 in ub with 'stride', or of rank 2 in gm with contiguous rows and without 'stride', found 'memref<256xf32, #aicore.space<ub>>' without 'stride'}}
  aicore.fixpipe %c -> %u m %n n %n : memref<256xf32, #aicore.space<l0c, nz>> to memref<256xf32, #aicore.space<ub>>
  return
}

// -----

func.func @cube_c8(%c: memref<256xf32, #aicore.space<l0c, nz>>, %u: memref<256xi32, #aicore.space<ub>>, %n: index) {
  // expected-error @+1 {{[cube_c8] expects f32 in 'source' and f32, f16 or bf16 in 'destination', or i32 in both, or with 'scale' i32 and f16; found 'f32' and 'i32' without 'scale'}}
  aicore.fixpipe %c -> %u m %n n %n stride %n : memref<256xf32, #aicore.space<l0c, nz>> to memref<256xi32, #aicore.space<ub>>
  return
}

// -----

// What goes to L1 by pipe MTE3 comes from UB.
func.func @cube_c9(%x: memref<?xf16, #aicore.space<gm>>, %a: memref<256xf16, #aicore.space<l1, nz>>, %n: index) {
  // expected-error @+1 {{[cube_c9] expects 'source' of rank 1 in ub, found 'memref<?xf16, #aicore.space<gm>>'}}
  aicore.store_nz %x -> %a rows %n columns %n stride %n height %n : memref<?xf16, #aicore.space<gm>> to memref<256xf16, #aicore.space<l1, nz>>
  return
}

// -----

func.func @cube_c3_in_ub(%x: memref<256xf32, #aicore.space<ub>>, %a: memref<256xf16, #aicore.space<l1, nz>>, %n: index) {
  // expected-error @+1 {{[cube_c3] expects one element type, f16, bf16, f32 or i8, found 'f32' and 'f16'}}
  aicore.store_nz %x -> %a rows %n columns %n stride %n height %n : memref<256xf32, #aicore.space<ub>> to memref<256xf16, #aicore.space<l1, nz>>
  return
}

// -----

// A scale makes sums of bytes f16, and nothing else.
func.func @cube_c8_scale(%c: memref<256xf32, #aicore.space<l0c, nz>>, %u: memref<256xf16, #aicore.space<ub>>, %s: memref<64xf32, #aicore.space<l1, nz>>, %n: index) {
  // expected-error @+1 {{[cube_c8] expects f32 in 'source' and f32, f16 or bf16 in 'destination', or i32 in both, or with 'scale' i32 and f16; found 'f32' and 'f16' with 'scale'}}
  aicore.fixpipe %c -> %u m %n n %n stride %n scale %s : memref<64xf32, #aicore.space<l1, nz>> : memref<256xf32, #aicore.space<l0c, nz>> to memref<256xf16, #aicore.space<ub>>
  return
}

// -----

// The padding is an element of the image.
func.func @cube_c3_pad(%x: memref<256xf16, #aicore.space<l1, nz>>, %a: memref<256xf16, #aicore.space<l0a, zz>>, %n: index, %p: f32) {
  // expected-error @+1 {{[cube_c3] expects one element type, f16, bf16, f32 or i8, found 'f32' and 'f16'}}
  aicore.load_im2col %x -> %a rows %n from %n columns %n from %n channels %n pad %p image [%n, %n] pads [%n, %n, %n, %n] filter [%n, %n] strides [%n, %n] dilations [%n, %n] : f32, memref<256xf16, #aicore.space<l1, nz>> to memref<256xf16, #aicore.space<l0a, zz>>
  return
}

// -----

// The generic form can leave numbers out.
func.func @cube_c10(%x: memref<256xf16, #aicore.space<l1, nz>>, %a: memref<256xf16, #aicore.space<l0a, zz>>, %n: index, %p: f16) {
  // expected-error @+1 {{[cube_c10] expects 12 operands of an image, its sizes, pads, filter, strides and dilations; found 2}}
  "aicore.load_im2col"(%x, %a, %n, %n, %n, %n, %n, %p, %n, %n) : (memref<256xf16, #aicore.space<l1, nz>>, memref<256xf16, #aicore.space<l0a, zz>>, index, index, index, index, index, f16, index, index) -> ()
  return
}

// -----

// The table has numbers of the type of sums.
func.func @cube_c11(%x: memref<256xf16, #aicore.space<l1, nz>>, %b: memref<64xf16, #aicore.space<bt>>, %n: index) {
  // expected-error @+1 {{[cube_c11] expects biases of one element type, f32 or i32, found 'f16' and 'f16'}}
  aicore.load_bias %x -> %b count %n : memref<256xf16, #aicore.space<l1, nz>> to memref<64xf16, #aicore.space<bt>>
  return
}

// -----

func.func @cube_c11_sum(%a: memref<256xf16, #aicore.space<l0a, zz>>, %b: memref<256xf16, #aicore.space<l0b, zn>>,
                        %c: memref<256xf32, #aicore.space<l0c, nz>>, %t: memref<64xi32, #aicore.space<bt>>, %n: index, %i: i1) {
  // expected-error @+1 {{[cube_c11] expects 'bias' of the element type of 'result', found 'i32' and 'f32'}}
  aicore.mmad ins(%a, %b : memref<256xf16, #aicore.space<l0a, zz>>, memref<256xf16, #aicore.space<l0b, zn>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %n k %n n %n init %i bias %t : memref<64xi32, #aicore.space<bt>>
  return
}

// -----

// Half a fractal is no height.
func.func @cube_c12(%a: memref<256xf16, #aicore.space<l1, nz>>, %c: memref<256xf32, #aicore.space<l0c, nz>>, %n: index, %i: i1) {
  // expected-error @+1 {{[cube_c12] expects heights of whole fractals, 16 to 1048576 rows, for 'rhs' and, unless it has 'im2col', for 'lhs'; found 16 for 'rhs' and 8 for 'lhs' without 'im2col'}}
  aicore.multiply ins(%a[8], %a[16] : memref<256xf16, #aicore.space<l1, nz>>, memref<256xf16, #aicore.space<l1, nz>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %n k %n n %n init %i
  return
}

// -----

// More rows than L1 has bytes.
func.func @cube_c12_rows(%a: memref<256xf16, #aicore.space<l1, nz>>, %c: memref<256xf32, #aicore.space<l0c, nz>>, %n: index, %i: i1) {
  // expected-error @+1 {{[cube_c12] expects heights of whole fractals, 16 to 1048576 rows, for 'rhs' and, unless it has 'im2col', for 'lhs'; found 4611686018427387904 for 'rhs' and 16 for 'lhs' without 'im2col'}}
  aicore.multiply ins(%a[16], %a[4611686018427387904] : memref<256xf16, #aicore.space<l1, nz>>, memref<256xf16, #aicore.space<l1, nz>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %n k %n n %n init %i
  return
}

// -----

// An image has no height of columns.
func.func @cube_c12_image(%a: memref<256xf16, #aicore.space<l1, nz>>, %c: memref<256xf32, #aicore.space<l0c, nz>>, %n: index, %i: i1, %p: f16) {
  // expected-error @+1 {{[cube_c12] expects heights of whole fractals, 16 to 1048576 rows, for 'rhs' and, unless it has 'im2col', for 'lhs'; found 16 for 'rhs' and 32 for 'lhs' with 'im2col'}}
  aicore.multiply ins(%a[32], %a[16] : memref<256xf16, #aicore.space<l1, nz>>, memref<256xf16, #aicore.space<l1, nz>>) outs(%c : memref<256xf32, #aicore.space<l0c, nz>>) m %n k %n n %n init %i im2col rows from %n channels %n pad %p : f16 image [%n, %n] pads [%n, %n, %n, %n] filter [%n, %n] strides [%n, %n] dilations [%n, %n]
  return
}

// -----

// Scales come by way of L1.
func.func @cube_c13(%c: memref<256xi32, #aicore.space<l0c, nz>>, %u: memref<256xf16, #aicore.space<ub>>, %s: memref<64xf32, #aicore.space<ub>>, %n: index) {
  // expected-error @+1 {{[cube_c13] expects 'scale' of rank 1 and f32 in l1 with layout nz, found 'memref<64xf32, #aicore.space<ub>>'}}
  aicore.fixpipe %c -> %u m %n n %n stride %n scale %s : memref<64xf32, #aicore.space<ub>> : memref<256xi32, #aicore.space<l0c, nz>> to memref<256xf16, #aicore.space<ub>>
  return
}

// -----

// The vector unit works on rows.
func.func @cube_c14(%c: memref<256xf32, #aicore.space<l0c, nz>>, %u: memref<256xf16, #aicore.space<ub>>, %n: index) {
  // expected-error @+1 {{[cube_c14] expects 'destination' in gm for 'nz', found 'memref<256xf16, #aicore.space<ub>>'}}
  aicore.fixpipe %c -> %u m %n n %n stride %n nz : memref<256xf32, #aicore.space<l0c, nz>> to memref<256xf16, #aicore.space<ub>>
  return
}
