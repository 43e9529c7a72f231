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

// Fractals of f32 are no squares.
func.func @cube_c4(%s: memref<256xf32, #aicore.space<l1, nz>>, %t: memref<256xf32, #aicore.space<l0b, zn>>, %n: index) {
  // expected-error @+1 {{[cube_c4] expects elements of 16 bits for 'transpose', or i8 for l0b, found 'f32'}}
  aicore.load_fractals %s -> %t rows %n columns %n height %n transpose : memref<256xf32, #aicore.space<l1, nz>> to memref<256xf32, #aicore.space<l0b, zn>>
  return
}

// -----

// The two fractals of a square are apart in l0a.
func.func @cube_c4_left(%s: memref<1024xi8, #aicore.space<l1, nz>>, %t: memref<1024xi8, #aicore.space<l0a, zz>>, %n: index) {
  // expected-error @+1 {{[cube_c4] expects elements of 16 bits for 'transpose', or i8 for l0b, found 'i8'}}
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
  // expected-error @+1 {{[cube_c8] expects f32 in 'source' and f32, f16 or bf16 in 'destination', or i32 in both, found 'f32' and 'i32'}}
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
