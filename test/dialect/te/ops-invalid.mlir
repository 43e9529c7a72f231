// RUN: opc-opt %s -split-input-file -verify-diagnostics

// Memory has no place in an expression.
func.func @value_c1(%x: memref<?xf16>) {
  // expected-error @+1 {{'te.exp' op [value_c1] expects ranked tensors and scalars of numbers; operand 0 is 'memref<?xf16>'}}
  %0 = te.exp %x
  return
}

// -----

func.func @value_c1_unranked(%x: tensor<*xf16>) {
  // expected-error @+1 {{[value_c1] expects ranked tensors and scalars of numbers}}
  %0 = te.exp %x
  return
}

// -----

// A width that no chip stores.
func.func @value_c1_width(%x: tensor<?xi7>) {
  // expected-error @+1 {{[value_c1] expects ranked tensors and scalars of numbers}}
  %0 = te.neg %x
  return
}

// -----

// Which of the two types the result would have is the author's to say.
func.func @value_c2_types(%x: tensor<?xf16>, %y: tensor<?xf32>) {
  // expected-error @+1 {{[value_c2] expects tensors of one element type, found 'f16' and 'f32'}}
  %0 = te.add %x, %y
  return
}

// -----

func.func @value_c2_kinds(%x: tensor<?xf16>) {
  %one = te.constant 1
  // expected-error @+1 {{[value_c2] expects operands of one kind, found floats ('f16') and integers ('i64')}}
  %0 = te.add %x, %one
  return
}

// -----

func.func @value_c3(%x: tensor<3x4xf16>, %y: tensor<3x1x5xf16>) {
  // expected-error @+1 {{[value_c3] expects shapes that broadcast, found [3, 4] and [3, 1, 5]}}
  %0 = te.add %x, %y
  return
}

// -----

func.func @value_c4_float(%x: tensor<?xi32>) {
  // expected-error @+1 {{[value_c4] is defined for floats, found 'i32'}}
  %0 = te.exp %x
  return
}

// -----

func.func @value_c4_number(%x: tensor<?xi1>) {
  // expected-error @+1 {{[value_c4] is defined for numbers, found truth values (i1)}}
  %0 = te.add %x, %x
  return
}

// -----

func.func @value_c4_truth(%x: tensor<?xf16>) {
  // expected-error @+1 {{[value_c4] is defined for truth values (i1), found 'f16'}}
  %0 = te.and %x, %x
  return
}

// -----

func.func @value_c4_test(%x: tensor<?xi32>) {
  // expected-error @+1 {{[value_c4] is defined for floats, found 'i32'}}
  %0 = te.isnan %x
  return
}

// -----

// Two values that need each other, and a value that is nowhere: both are seen at the first use.
func.func @value_c5_circle(%x: tensor<?xf16>) {
  // expected-error @+1 {{[value_c5] expects a value that is defined above, found '%b'}}
  %a = te.add %x, %b
  %b = te.add %x, %a
  return
}

// -----

func.func @value_c5_missing(%x: tensor<?xf16>) {
  // expected-error @+1 {{[value_c5] expects a value that is defined above, found '%nothing'}}
  %a = te.select %nothing, %x, %x
  return
}

// -----

func.func @value_c5_itself(%x: tensor<?xf16>) {
  // expected-error @+1 {{[value_c5] expects a value that is defined above, found '%a'}}
  %a = te.add %a, %x
  return
}

// -----

func.func @value_c5_of_another_region(%x: tensor<?xf16>, %truth: i1) {
  scf.if %truth {
    %a = te.exp %x
  } else {
    // expected-error @+1 {{[value_c5] expects a value that is defined above, found '%a'}}
    %b = te.exp %a
  }
  return
}

// -----

func.func @value_c5_of_another_function(%a: tensor<?xf16>) {
  return
}
func.func @value_c5_of_another_function_2() {
  // expected-error @+1 {{[value_c5] expects a value that is defined above, found '%a'}}
  %b = te.exp %a
  return
}

// -----

// Another op may name a value before it is defined; an op of te may not.
func.func @value_c5_named_before(%x: tensor<?xf16>, %truth: i1) {
  cf.cond_br %truth, ^end(%a : tensor<?xf16>), ^next
^next:
  // expected-error @+1 {{[value_c5] expects a value that is defined above, found '%a'}}
  %b = te.exp %a
  %a = te.exp %x
  cf.br ^end(%a : tensor<?xf16>)
^end(%y: tensor<?xf16>):
  return
}

// -----

// An error within a region leaves no name behind.
func.func @error_in_the_middle(%x: tensor<?xf16>, %truth: i1) {
  scf.if %truth {
    %a = te.exp %x
    // expected-error @+1 {{custom op 'te.nothing' is unknown}}
    %b = te.nothing %a
  }
  return
}

// -----

func.func @value_c5_after_an_error_in_another_part() {
  // expected-error @+1 {{[value_c5] expects a value that is defined above, found '%a'}}
  %b = te.exp %a
  return
}

// -----

// Of a group of results, each has its number.
func.func @result_number_of_a_group(%x: tensor<?xf16>) {
  %a:2, %c = call @three(%x) : (tensor<?xf16>) -> (tensor<?xf16>, tensor<?xf16>, tensor<?xf16>)
  // expected-error @+1 {{reference to invalid result number}}
  %b = te.exp %a#2
  return
}
func.func private @three(tensor<?xf16>) -> (tensor<?xf16>, tensor<?xf16>, tensor<?xf16>)

// -----

// An argument has no number.
func.func @result_number_of_an_argument(%x: tensor<?xf16>) {
  // expected-error @+1 {{reference to invalid result number}}
  %b = te.exp %x#4294967295
  return
}

// -----

func.func @result_number(%x: tensor<?xf16>) {
  %a = te.exp %x
  // expected-error @+1 {{reference to invalid result number}}
  %b = te.exp %a#1
  return
}

// -----

func.func @select_c1(%x: tensor<?xf16>) {
  // expected-error @+1 {{[select_c1] expects a condition of truth values (i1), found 'tensor<?xf16>'}}
  %0 = te.select %x, %x, %x
  return
}

// -----

func.func @cast_c1(%x: tensor<?xf16>) {
  // expected-error @+1 {{[cast_c1] expects a number type to cast to, found 'index'}}
  %0 = te.cast %x to index
  return
}

// -----

// A rounding that can never show is a misunderstanding.
func.func @cast_c2(%x: tensor<?xf16>) {
  // expected-error @+1 {{[cast_c2] expects 'round' where a cast can round; from 'f16' to 'f32'}}
  %0 = te.cast %x to f32 round floor
  return
}

// -----

func.func @cast_c2_integers(%x: tensor<?xi32>) {
  // expected-error @+1 {{[cast_c2] expects 'round' where a cast can round; from 'i32' to 'i8'}}
  %0 = te.cast %x to i8 round trunc
  return
}

// -----

func.func @cast_c3(%x: tensor<?xf16>) {
  // expected-error @+1 {{[cast_c3] expects 'unsigned' of an integer type, found 'f32'}}
  %0 = te.cast %x to f32 unsigned
  return
}

// -----

func.func @cast_word(%x: tensor<?xf32>) {
  // expected-error @+2 {{expected one of [nearest_even, nearest_away, floor, ceil, trunc] for how a cast rounds, got: up}}
  // expected-error @+1 {{invalid value for property rounding}}
  %0 = te.cast %x to i8 round up
  return
}

// -----

// MLIR's own constant reports this at the next line.
func.func @constant_c1_integer() {
  // expected-error @+1 {{[constant_c1] expects a whole number for i8}}
  %0 = te.constant 0.5 : i8
  return
}

// -----

func.func @constant_c1_range() {
  // expected-error @+1 {{[constant_c1] expects a number that ui8 can hold, found 256}}
  %0 = te.constant 256 : ui8
  return
}

// -----

func.func @constant_c1_float_range() {
  // expected-error @+1 {{[constant_c1] expects a number that f16 can hold: this one is too large}}
  %0 = te.constant 1.0e6 : f16
  return
}

// -----

// Numbers that f64, in which constants are kept, has no number for: they read as infinity and as zero.
func.func @constant_c1_beyond_f64() {
  // expected-error @+1 {{[constant_c1] expects a number that f32 can hold: this one is too large}}
  %0 = te.constant 1.0e400
  return
}

// -----

func.func @constant_c1_below_f64() {
  // expected-error @+1 {{[constant_c1] expects a number that f64 can hold: this one is too large}}
  %0 = te.constant -1.0e400 : f64
  return
}

// -----

func.func @constant_c1_nearer_than_f64() {
  // expected-error @+1 {{[constant_c1] expects a number that f32 can hold: this one is so small that it would be zero}}
  %0 = te.constant 1.0e-400
  return
}

// -----

func.func @constant_c1_nearer_than_f32() {
  // expected-error @+1 {{[constant_c1] expects a number that f32 can hold: this one is so small that it would be zero}}
  %0 = te.constant -1.0e-46
  return
}

// -----

func.func @constant_c1_whole_float() {
  // expected-error @+1 {{[constant_c1] expects a number that f16 can hold: this one is too large}}
  %0 = te.constant -70000 : f16
  return
}

// -----

func.func @constant_c1_negative() {
  // expected-error @+1 {{[constant_c1] expects a number that ui32 can hold, found -1}}
  %0 = te.constant -1 : ui32
  return
}

// -----

func.func @constant_c1_least() {
  // expected-error @+1 {{[constant_c1] expects a number that i16 can hold, found -32769}}
  %0 = te.constant -32769 : i16
  return
}

// -----

// Beside a tensor of integers a constant is one of them: 300 would compare as 44.
func.func @constant_c1_beside(%x: tensor<?xi8>) {
  %c = te.constant 300
  // expected-error @+1 {{[constant_c1] expects a number that i8 can hold, found 300, the type of the tensor beside it}}
  %0 = te.compare lt %x, %c
  return
}

// -----

func.func @constant_c1_truth() {
  // expected-error @+1 {{[constant_c1] expects a number that i1 can hold, found 2}}
  %0 = te.constant 2 : i1
  return
}

// -----

func.func @constant_c1_signs() {
  // expected-error @+1 {{[constant_c1] expects one sign}}
  %0 = te.constant --1
  return
}

// -----

func.func @constant_c1_type() {
  // expected-error @+1 {{[constant_c1] expects the type of a number, found index}}
  %0 = te.constant 1 : index
  return
}

// -----

func.func @constant_c1_long() {
  // expected-error @+1 {{[constant_c1] expects a whole number of 64 bits, found a longer one}}
  %0 = te.constant 99999999999999999999999999
  return
}

// -----

#name = "text"
func.func @constant_c1_attribute() {
  // expected-error @+1 {{[constant_c1] expects an attribute that is a number, found "text"}}
  %0 = te.constant #name
  return
}

// -----

// The generic form is held to the same.
func.func @constant_c1_generic() {
  // expected-error @+1 {{[constant_c1] expects a value of f64 or i64}}
  %0 = "te.constant"() <{element = f32, value = 1.0 : f32}> : () -> f32
  return
}

// -----

func.func @broadcast_c1(%x: tensor<?x3xf16>, %y: tensor<?x4xf16>) {
  // expected-error @+1 {{[broadcast_c1] expects a shape that stretches to [?, 4], found [?, 3]}}
  %0 = te.broadcast %x to %y
  return
}

// -----

func.func @broadcast_c1_number(%x: f16) {
  // expected-error @+1 {{[broadcast_c1] expects a tensor whose shape it takes, found 'f16'}}
  %0 = te.broadcast %x to f16
  return
}

// -----

func.func @broadcast_c2(%x: tensor<?xf16>) {
  // expected-error @+2 {{[broadcast_c2] expects a value or a shape, found both}}
  // expected-error @+1 {{'te.broadcast' op failed to infer returned types}}
  %0 = "te.broadcast"(%x, %x) <{shape = tensor<?xf16>}> : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xf16>
  return
}

// -----

func.func @broadcast_c1_nothing(%x: tensor<?xf16>) {
  // expected-error @+2 {{[broadcast_c1] expects a tensor whose shape it takes, found nothing}}
  // expected-error @+1 {{'te.broadcast' op failed to infer returned types}}
  %0 = "te.broadcast"(%x) : (tensor<?xf16>) -> tensor<?xf16>
  return
}

// -----

// Of numbers there is no truth, and of truth no sum, product or position.
func.func @value_c4_any(%x: tensor<?xf32>) {
  // expected-error @+1 {{'te.reduce_any' op [value_c4] is defined for truth values (i1), found 'f32'}}
  %0 = te.reduce_any %x axes [0]
  return
}

// -----

func.func @value_c4_arg(%x: tensor<?xi1>) {
  // expected-error @+1 {{'te.arg_max' op [value_c4] is defined for numbers, found truth values (i1)}}
  %0 = te.arg_max %x axes [0]
  return
}

// -----

// Reductions need something to reduce.
func.func @axes_c1(%x: f32) {
  // expected-error @+1 {{[axes_c1] expects a tensor to reduce, found the scalar 'f32'}}
  %0 = te.reduce_sum %x axes [0]
  return
}

// -----

func.func @axes_c2_range(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{[axes_c2] expects axes from -2 to 1 in 'tensor<?x?xf32>', found 2}}
  %0 = te.reduce_sum %x axes [2]
  return
}

// -----

// -1 and 1 are one axis.
func.func @axes_c2_twice(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{[axes_c2] expects each axis once, found 1 again}}
  %0 = te.reduce_max %x axes [-1, 1]
  return
}

// -----

func.func @axes_c2_none(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{[axes_c2] expects at least one axis, found none}}
  %0 = te.reduce_max %x axes []
  return
}

// -----

func.func @axes_c2_text(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{[axes_c2] expects axes as whole numbers, [0, -1], or names of dimensions, [N]}}
  %0 = te.reduce_max %x axes ["last"]
  return
}

// -----

func.func @axes_c2_attribute(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{[axes_c2] expects axes as whole numbers: [0, -1], found "last"}}
  %0 = te.reduce_max %x axes "last"
  return
}

// -----

// Names are a contract's, and a module has none.
func.func @axes_c3(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{[axes_c3] expects whole numbers where no contract names the dimensions, found 'N'}}
  %0 = te.reduce_max %x axes [-1, N]
  return
}

// -----

// A result type that is stated is held to the one inferred.
func.func @result(%x: tensor<?xf16>) {
  // expected-error @+2 {{'te.exp' op failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<?xf16>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  %0 = "te.exp"(%x) : (tensor<?xf16>) -> tensor<?xf32>
  return
}

// -----

// expected-error @+1 {{[body_c1] expects 'te.phase' to be an #te.phase, found "bound"}}
func.func @body_c1() attributes {te.phase = "bound"} { return }

// -----

// expected-error @+1 {{[body_c1] expects 'te.reducible' to be an array of i64, found 1 : i64}}
func.func @body_c1_reducible() attributes {te.reducible = 1} { return }

// -----

// expected-error @+1 {{[body_c1] expects 'te.outer' to be a unit attribute, found 1 : i64}}
func.func @body_c1_outer() attributes {te.outer = 1} { return }

// -----

// expected-error @+1 {{[body_c1] expects 'te.outer_runs' to be an i64 from 2 to 8, found 1 : i64}}
func.func @body_c1_outer_runs() attributes {te.outer_runs = 1} { return }

// -----

// expected-error @+1 {{[body_c1] has an unknown attribute 'te.kernle'}}
func.func @body_c1_unknown() attributes {te.kernle} { return }

// -----

// expected-error @+1 {{[body_c2] expects 'te.name', 'te.part_of', 'te.gathered_by' and 'te.scattered' to be strings}}
func.func @body_c2(%x: f32 {te.name = 3}) { return }

// -----

// Steps along a third dimension, and more numbers than the one of a depthwise product.
// expected-error @+1 {{[body_c2] expects}}
func.func @steps(%x: f32 {te.window = array<i64: 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1>}) { return }

// -----

// expected-error @+1 {{[body_c2] expects}}
func.func @depthwise(%x: f32 {te.window = array<i64: 1, 1, 0, 1, 1, 0, 1, 1, 0, 2>}) { return }

// -----

// expected-error @+1 {{[body_c2] expects}}
func.func @dilation(%x: f32 {te.window = array<i64: 1, 1, 0, 1, 1, 0, 1, 0, 0>}) { return }

// -----

func.func @slice_c1(%x: f32) {
  // expected-error @+1 {{'te.slice' op [slice_c1] expects an input with this dimension, found 'f32'}}
  %0 = te.slice %x along P at 0
  return
}

// -----

func.func @window_c1(%x: f32) {
  // expected-error @+1 {{'te.window' op [window_c1] expects an input with these dimensions, found 'f32'}}
  %0 = te.window %x over H
  return
}

// -----

#sizes = [2, 3]
func.func @constant_c1_element() {
  // expected-error @+1 {{[constant_c1] expects an element from 0 to 1 of a list of 2, found 2}}
  %0 = te.constant #sizes[2]
  return
}

// -----

func.func @stack_c1(%x: tensor<?xf32>, %y: tensor<1xf32>) {
  // expected-error @+1 {{'te.stack' op [stack_c1] expects tensors of one type, found 'tensor<?xf32>' and 'tensor<1xf32>'}}
  %0 = te.stack %x, %y along P
  return
}

// -----

func.func @concat_c1(%x: tensor<?xf32>, %y: tensor<?xf16>) {
  // expected-error @+1 {{[concat_c1] expects tensors of one element type, found 'tensor<?xf32>' and 'tensor<?xf16>'}}
  %0 = te.concat %x, %y along A+B
  return
}

// -----

func.func @concat_c1_scalars(%x: f32) {
  // expected-error @+1 {{[concat_c1] expects at least one tensor beside the fill values, found none}}
  %0 = te.concat %x, %x along A+B
  return
}

// -----

func.func @scan_c1_scalar(%x: f32) {
  // expected-error @+1 {{'te.scan' op [scan_c1] expects a tensor, found a number}}
  %0 = te.scan sum %x along N
  return
}

// -----

func.func @scan_of_truths(%x: tensor<?x?xi1>) {
  // expected-error @+1 {{'te.scan' op [value_c4] is defined for numbers, found truth values (i1)}}
  %0 = te.scan max %x along N
  return
}

// -----

func.func @sort_c1_scalar(%x: f32) {
  // expected-error @+1 {{'te.sort' op [sort_c1] expects a tensor, found a number}}
  %0 = te.sort %x along N to K
  return
}

// -----

func.func @sort_c1_wide(%x: tensor<?x?xf64>) {
  // expected-error @+1 {{'te.sort' op [sort_c1] expects floats of up to 32 bits or integers, found 'f64'}}
  %0 = te.sort %x along N to K
  return
}

// -----

func.func @scatter_c1_scalar(%x: tensor<?xf32>, %i: tensor<?xi32>, %u: f32) {
  // expected-error @+1 {{'te.scatter' op [scatter_c1] expects tensors, found 'f32'}}
  %0 = te.scatter set %u into %x by %i along V
  return
}

// -----

func.func @scatter_c1_indices(%x: tensor<?xf32>, %i: tensor<?xi16>) {
  // expected-error @+1 {{'te.scatter' op [scatter_c1] expects indices of i32 or i64, found 'i16'}}
  %0 = te.scatter set %x into %x by %i along V
  return
}

// -----

func.func @scatter_c1_updates(%x: tensor<?xf32>, %i: tensor<?xi32>, %u: tensor<?xf16>) {
  // expected-error @+1 {{'te.scatter' op [scatter_c1] expects updates of 'f32', found 'f16'}}
  %0 = te.scatter set %u into %x by %i along V
  return
}

// -----

func.func @scatter_c1_truths(%x: tensor<?xi1>, %i: tensor<?xi32>) {
  // expected-error @+1 {{'te.scatter' op [scatter_c1] expects numbers to combine, found truth values (i1)}}
  %0 = te.scatter max %x into %x by %i along V
  return
}

// -----

func.func @iota_c1_scalar(%x: f32) {
  // expected-error @+1 {{'te.iota' op [iota_c1] expects a tensor whose shape it takes, found a number}}
  %0 = te.iota along N to %x
  return
}

// -----

func.func @iota_c1_shape() {
  // expected-error @+1 {{'te.iota' op [iota_c1] expects a tensor whose shape it takes, found a number}}
  %0 = te.iota along N to f32
  return
}

// -----

func.func @gather_c1_index(%x: tensor<?xf32>, %p: tensor<?xf32>) {
  // expected-error @+1 {{[gather_c1] expects indices of i32 or i64, found 'f32'}}
  %0 = te.gather %x, %p along V
  return
}

// -----

// Without a count of both the first of two places would be that of the second dimension.
func.func @gather_c1_count(%x: tensor<?xf32>, %p: tensor<?xi32>) {
  // expected-error @+1 {{[gather_c1] expects an index for each dimension, found 1 for 2}}
  %0 = te.gather %x, %p along H, W
  return
}

// -----

func.func @gather_c1_scalar(%x: f32, %p: tensor<?xi32>) {
  // expected-error @+1 {{[gather_c1] expects a tensor before the indices, found 'f32'}}
  %0 = te.gather %x, %p along V
  return
}

// -----

func.func @stack_c1_scalar(%x: f32) {
  // expected-error @+1 {{[stack_c1] expects tensors, found 'f32'}}
  %0 = te.stack %x, %x along P
  return
}

// -----

func.func @stack_c1_none() {
  // expected-error @+2 {{[stack_c1] expects a tensor for each part, found none}}
  // expected-error @+1 {{'te.stack' op failed to infer returned types}}
  %0 = "te.stack"() <{dim = "P"}> : () -> tensor<?xf32>
  return
}

// -----

func.func @matmul_c1(%x: tensor<?xf32>, %y: tensor<?x?xf32>) {
  // expected-error @+1 {{'te.matmul' op [matmul_c1] expects tensors of two dimensions, found 'tensor<?xf32>'}}
  %0 = te.matmul %x, %y axes [0, 0]
  return
}

// -----

func.func @matmul_c1_elements(%x: tensor<?x?xi16>) {
  // expected-error @+1 {{[matmul_c1] expects elements of f16, bf16, f32, i8 or ui8, found 'i16'}}
  %0 = te.matmul %x, %x axes [1, 0]
  return
}

// -----

func.func @matmul_c1_axes(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{[matmul_c1] expects an axis, 0 or 1, of each operand}}
  %0 = te.matmul %x, %x axes [1, 2]
  return
}

// -----

func.func @matmul_c1_sizes(%x: tensor<?x1xf32>, %y: tensor<?x?xf32>) {
  // expected-error @+1 {{[matmul_c1] expects axes of one size, found 'tensor<?x1xf32>' and 'tensor<?x?xf32>'}}
  %0 = te.matmul %x, %y axes [1, 0]
  return
}

// -----

func.func @matmul_value_c2(%x: tensor<?x?xf32>, %y: tensor<?x?xf16>) {
  // expected-error @+1 {{'te.matmul' op [value_c2] expects tensors of one element type, found 'f32' and 'f16'}}
  %0 = te.matmul %x, %y axes [1, 0]
  return
}

// -----

func.func @matmul_c2(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{[matmul_c2] expects an axis of each operand, as numbers, where no contract names the dimensions, found 'K'}}
  %0 = te.matmul %x, %x axes [K]
  return
}

// -----

// A fold of one value would be that value, and the body would not be for any number of tensors.
func.func @fold_c1(%x: tensor<?xf16>) {
  // expected-error @+1 {{'te.fold' op [fold_c1] expects an input that has a count, or what is computed of each of its tensors, found one value}}
  %0 = te.fold add %x
  return
}

// -----

func.func @fold_kinds(%x: tensor<?xf16, #te.each>) {
  // expected-error @+1 {{[value_c4] is defined for truth values (i1), found 'f16'}}
  %0 = te.fold or %x
  return
}

// -----

func.func @fold_truths(%x: tensor<?xi1, #te.each>) {
  // expected-error @+1 {{[value_c4] is defined for numbers, found truth values (i1)}}
  %0 = te.fold maximum %x
  return
}

// -----

func.func @fold_c2(%x: tensor<?x?xf16, #te.each>) {
  // expected-error @+1 {{'te.reduce_sum' op [fold_c2] expects one tensor; operand 0 stands for each of an input that has a count}}
  %0 = te.reduce_sum %x axes [1]
  return
}

// -----

func.func @fold_c2_broadcast(%x: tensor<?xf16, #te.each>, %y: tensor<?xf16>) {
  // expected-error @+1 {{'te.broadcast' op [fold_c2] expects one tensor; operand 1}}
  %0 = te.broadcast %y to %x
  return
}
