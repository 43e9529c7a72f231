// RUN: opc-opt %s --aicore-verify-tiling --split-input-file --verify-diagnostics

// Each rule of tiling functions reports what it forbids. (tiling_c1 to tiling_c4 are the dialect's.)

// tiling_c5: unsigned division is none of the machine's instructions.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{[tiling_c5] expects arith.constant, addi, subi, muli, floordivsi, ceildivsi, remsi, minsi, maxsi, select, and cmpi slt or eq, on index; found 'arith.divui' of 'index'}}
  %a = arith.divui %n, %c1 : index
  return %c1 : index
}

// -----

// tiling_c5: other comparisons are written with the operands exchanged.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{[tiling_c5] expects arith.constant, addi, subi, muli, floordivsi, ceildivsi, remsi, minsi, maxsi, select, and cmpi slt or eq, on index; found 'arith.cmpi' sge of 'index'}}
  %a = arith.cmpi sge, %n, %c1 : index
  return %c1 : index
}

// -----

// tiling_c5: numbers are index.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{found 'arith.constant' of 'i32'}}
  %a = arith.constant 1 : i32
  return %c1 : index
}

// -----

// tiling_c5: no loops: a launch must cost nanoseconds, and end.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{found 'scf.for'}}
  scf.for %i = %c1 to %n step %c1 {
  }
  return %c1 : index
}

// -----

// tiling_c5: no branches either.
// expected-error @below {{[tiling_c5] expects a tiling function to be one straight line; '@t' has 2 blocks}}
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  cf.br ^next
^next:
  return %n : index
}

// -----

// tiling_c5: a declaration computes nothing.
// expected-error @below {{'@t' has 0 blocks}}
func.func private @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling}

// -----

// tiling_c6: an empty tensor would divide by zero.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{[tiling_c6] expects a divisor that is known to be at least 1, found one in [0, any]; arith.maxsi with 1 makes it so}}
  %a = arith.ceildivsi %c1, %n : index
  return %c1 : index
}

// -----

// tiling_c6: the same of a remainder, and a difference may be negative.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %d = arith.subi %c1, %n : index
  // expected-error @below {{[tiling_c6] expects a divisor that is known to be at least 1, found one in [any, 1]}}
  %a = arith.remsi %c1, %d : index
  return %c1 : index
}

// -----

// tiling_c7: a kernel sizes its buffers by `max`.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c9000 = arith.constant 9000 : index
  // expected-error @below {{[tiling_c7] expects results within the bounds that a kernel states: "len" of '@t' is known to be in [0, 9000]}}
  %len = arith.minsi %n, %c9000 : index
  return %c1, %len : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-note @below {{here it is stated to be in [0, 8192]}}
  %len = aicore.tiling_data "len" max 8192 : index
  return
}

// -----

// tiling_c7: and divides by what has `min` 1.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{[tiling_c7] expects results within the bounds that a kernel states: "len" of '@t' is known to be in [0, any]}}
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-note @below {{here it is stated to be in [1, any]}}
  %len = aicore.tiling_data "len" min 1 : index
  return
}

// -----

// tiling_c7: tiling data are not negative, also where the kernel states nothing.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{[tiling_c7]}}
  %less = arith.subi %n, %c1 : index
  return %c1, %less : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-note @below {{here it is stated to be in [0, any]}}
  %len = aicore.tiling_data "len"  : index
  return
}

// -----

// tiling_c8: no blocks, no work, and a launch of none is an error on the chip.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{[tiling_c8] expects "block_num" to be known to be at least 1, found it in [0, any]; arith.maxsi with 1 makes it so}}
  %a = arith.ceildivsi %n, %c1 : index
  return %a : index
}

// -----

// tiling_c9: a value that no kernel expects takes a branch without a proof.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "mode"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expected-error @below {{[tiling_c9] expects results that are known to be one of the 'cases' that a kernel states: "mode" of '@t' is known to be in [0, 1, 2]}}
  %mode = arith.remsi %n, %c3 : index
  return %c1, %mode : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-note @below {{here it is stated to be in [0, 2]}}
  %mode = aicore.tiling_data "mode" cases [0, 2] : index
  return
}

// -----

// tiling_c9: what has no last value is no list of cases.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "mode"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{[tiling_c9] expects results that are known to be one of the 'cases' that a kernel states: "mode" of '@t' is known to be in [1, any]}}
  %mode = arith.maxsi %n, %c1 : index
  return %c1, %mode : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-note @below {{here it is stated to be in [1, 2]}}
  %mode = aicore.tiling_data "mode" cases [1, 2] : index
  return
}
