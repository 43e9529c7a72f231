// RUN: opc-opt %s -split-input-file -verify-diagnostics

// A buffer in GM would be an allocation that nobody on the chip can make.
func.func @buffer_c1() {
  // expected-error @+1 {{[buffer_c1] expects a result in on-chip memory}}
  %0 = aicore.buffer "x" : memref<16xf16, #aicore.space<gm>>
  return
}

// -----

// No space at all is no on-chip memory either.
func.func @buffer_c1_none() {
  // expected-error @+1 {{[buffer_c1] expects a result in on-chip memory}}
  %0 = aicore.buffer "x" : memref<16xf16>
  return
}

// -----

// Rank 3 has no reading as slots and capacity.
func.func @buffer_c2_rank() {
  // expected-error @+1 {{[buffer_c2] expects rank 1, or rank 2 with slots}}
  %0 = aicore.buffer "x" : memref<2x2x16xf16, #aicore.space<ub>>
  return
}

// -----

func.func @buffer_c2_zero() {
  // expected-error @+1 {{[buffer_c2] expects rank 1, or rank 2 with slots, a static shape without zeros}}
  %0 = aicore.buffer "x" : memref<0xf16, #aicore.space<ub>>
  return
}

// -----

// index has no size on the chip.
func.func @buffer_c2_type() {
  // expected-error @+1 {{elements of a number type}}
  %0 = aicore.buffer "x" : memref<16xindex, #aicore.space<ub>>
  return
}

// -----

// Sizes whose product in bytes would not fit 64 bits never reach the planner.
func.func @buffer_c2_huge() {
  // expected-error @+1 {{[buffer_c2] expects dimensions of at most 1048576}}
  %0 = aicore.buffer "x" : memref<4611686018427387904x4xf32, #aicore.space<ub>>
  return
}

// -----

func.func @buffer_static() {
  // expected-error @+1 {{must be statically shaped memref}}
  %0 = aicore.buffer "x" : memref<?xf16, #aicore.space<ub>>
  return
}

// -----

func.func @buffer_c3() {
  // expected-error @+1 {{[buffer_c3] expects an address that is not negative, found -32}}
  %0 = aicore.buffer "x" at -32 : memref<16xf16, #aicore.space<ub>>
  return
}

// -----

// The name becomes an identifier in emitted C++.
func.func @buffer_c4() {
  // expected-error @+1 {{[buffer_c4] expects an identifier as name, found "x 1"}}
  %0 = aicore.buffer "x 1" : memref<16xf16, #aicore.space<ub>>
  return
}

// -----

func.func @tiling_data_c1() {
  // expected-error @+1 {{[tiling_data_c1] expects an identifier as name, found "1st"}}
  %0 = aicore.tiling_data "1st" : index
  return
}

// -----

func.func @tiling_data_c2_negative() {
  // expected-error @+1 {{[tiling_data_c2] expects a 'min' that is not negative, found -1}}
  %0 = aicore.tiling_data "n" min -1 : index
  return
}

// -----

func.func @tiling_data_c2_order() {
  // expected-error @+1 {{[tiling_data_c2] expects 'min' not above 'max', found 9 and 8}}
  %0 = aicore.tiling_data "n" min 9 max 8 : index
  return
}

// -----

// The proof of order walks a kernel once for each case.
func.func @tiling_data_c3_none() {
  // expected-error @+1 {{[tiling_data_c3] expects 1 to 16 values as 'cases', found 0}}
  %0 = aicore.tiling_data "n" cases [] : index
  return
}

// -----

func.func @tiling_data_c3_many() {
  // expected-error @+1 {{[tiling_data_c3] expects 1 to 16 values as 'cases', found 17}}
  %0 = aicore.tiling_data "n" cases [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] : index
  return
}

// -----

func.func @tiling_data_c3_negative() {
  // expected-error @+1 {{[tiling_data_c3] expects 'cases' that are not negative, found -1}}
  %0 = aicore.tiling_data "n" cases [-1, 1] : index
  return
}

// -----

func.func @tiling_data_c3_order() {
  // expected-error @+1 {{[tiling_data_c3] expects 'cases' in ascending order, found 1 after 1}}
  %0 = aicore.tiling_data "n" cases [1, 1] : index
  return
}

// -----

// Two places for one bound could differ.
func.func @tiling_data_c3_bounds() {
  // expected-error @+1 {{[tiling_data_c3] expects 'cases' without 'min' and 'max': they are the first and the last of the cases}}
  %0 = aicore.tiling_data "n" max 4 cases [0, 1] : index
  return
}

// -----

// The scalar unit reads UB; GM it reads through DMA.
func.func @scalar_c1(%t: memref<16xf32, #aicore.space<gm>>, %i: index) {
  // expected-error @+1 {{[scalar_c1] expects 'tile' to be of rank 1 in ub}}
  %0 = aicore.scalar_read %t[%i] : memref<16xf32, #aicore.space<gm>>
  return
}

// -----

func.func @scalar_c1_write(%t: memref<4x4xf32, #aicore.space<ub>>, %i: index, %v: f32) {
  // expected-error @+1 {{[scalar_c1] expects 'tile' to be of rank 1 in ub}}
  aicore.scalar_write %v, %t[%i] : memref<4x4xf32, #aicore.space<ub>>
  return
}
