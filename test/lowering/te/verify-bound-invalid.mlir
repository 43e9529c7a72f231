// RUN: opc-opt %s --te-verify-bound -split-input-file -verify-diagnostics

// A kernel has one line of thought.
// expected-error @+1 {{[bound_c1] expects a body of one block that ends in 'return'}}
func.func @bound_c1() attributes {te.kernel, te.phase = #te.phase<bound>} {
  cf.br ^end
^end:
  return
}

// -----

func.func @bound_c2_slice(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"}) attributes {te.kernel, te.phase = #te.phase<bound>} {
  // expected-error @+1 {{[bound_c2] expects parts, windows, gathered and scattered tensors to be arguments and results, which the importer makes of them}}
  %y = te.slice %x along P at 0
  return %y : tensor<?xf32>
}

// -----

func.func @bound_c2_fold(%x: tensor<?xf32, #te.each> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"}) attributes {te.kernel, te.phase = #te.phase<bound>} {
  // expected-error @+1 {{[bound_c2] expects each tensor of an input with a count to be an argument, which the importer makes of it}}
  %y = te.fold add %x
  return %y : tensor<?xf32>
}

// -----

func.func @bound_c2_window(%x: tensor<?x?x?xf32> {te.dims = array<i64: 0, 1, 2>, te.name = "x"})
    -> (tensor<?x?x?xf32> {te.dims = array<i64: 0, 1, 2>, te.name = "y"}) attributes {te.kernel, te.phase = #te.phase<bound>} {
  // expected-error @+1 {{[bound_c2] expects parts, windows, gathered and scattered tensors to be arguments and results}}
  %y = te.window %x over H
  return %y : tensor<?x?x?xf32>
}

// -----

func.func @bound_c2(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  // expected-error @+2 {{'arith.negf' op [bound_c2] is no operation of te}}
  // expected-note @+1 {{fix: docs/reference/te.md lists the operations of te}}
  %y = arith.negf %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// expected-error @+1 {{[bound_c3] expects argument 0 to be a ranked tensor of numbers, found 'memref<?xf32>'}}
func.func @bound_c3(%x: memref<?xf32> {te.name = "x"}) attributes {te.kernel, te.phase = #te.phase<bound>} { return }

// -----

// expected-error @+1 {{[bound_c3] expects argument 0 to have 'te.name' and 'te.dims'}}
func.func @bound_c3_names(%x: tensor<?xf32> {te.name = "x"}) attributes {te.kernel, te.phase = #te.phase<bound>} { return }

// -----

// expected-error @+1 {{[bound_c3] expects tensors before scalars; argument 1 comes after one}}
func.func @bound_c3_order(%b: f32 {te.name = "b"}, %x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    attributes {te.kernel, te.phase = #te.phase<bound>} { return }

// -----

// expected-error @+1 {{[bound_c4] expects argument 0 to have an entry in 'te.dims' for each of its 2 dimensions, found 1}}
func.func @bound_c4_rank(%x: tensor<?x?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    attributes {te.kernel, te.phase = #te.phase<bound>} { return }

// -----

// A size that is known is no size of a loop.
// expected-error @+1 {{[bound_c4] expects argument 0 to have size ? where 'te.dims' names a loop and 1 where it says -1}}
func.func @bound_c4(%x: tensor<3xf32> {te.dims = array<i64: 0>, te.name = "x"})
    attributes {te.kernel, te.phase = #te.phase<bound>} { return }

// -----

// The largest values of rows [m] against [m, n]: by their types they would broadcast, over the wrong loop.
func.func @bound_c5(%x: tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %m = te.reduce_max %x axes [-1]
  // expected-error @+2 {{[bound_c5] expects operands whose dimensions belong together: dimension -1 is loop 1 in one operand and loop 0 in another}}
  // expected-note @+1 {{fix: a reduction with 'keep' leaves dimensions where they are}}
  %y = te.sub %x, %m
  return %y : tensor<?x?xf32>
}

// -----

// Of a square the types agree as well.
func.func @bound_c6(%x: tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %y = te.reduce_sum %x axes [0]
  // expected-error @+2 {{[bound_c6] expects output "y" to run over (loop 0), found a value that runs over (loop 1)}}
  // expected-note @+1 {{fix: 'te.broadcast' stretches a value}}
  return %y : tensor<?xf32>
}

// -----

// The loops of a result may be of none of the arguments; a value that has others is no such result.
func.func @bound_c6_loops(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  // expected-error @+2 {{[bound_c6] expects output "y" to run over (loop 1), found a value that runs over (loop 0)}}
  // expected-note @+1 {{fix: 'te.broadcast' stretches a value}}
  return %x : tensor<?xf32>
}

// -----

func.func @broadcast_c2(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  // expected-error @+2 {{[broadcast_c2] expects the shape of a result of the body, found another}}
  // expected-note @+1 {{fix: name a result as the header does, '!y', or a value of that shape}}
  %w = te.broadcast %x to tensor<?x?xf32>
  return %x : tensor<?xf32>
}

// -----

func.func @broadcast_c2_several(%x: tensor<1xf32> {te.dims = array<i64: -1>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"}, tensor<?xf32> {te.dims = array<i64: 1>, te.name = "z"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  // expected-error @+2 {{[broadcast_c2] expects the shape of one result, found that of several, whose dimensions differ}}
  // expected-note @+1 {{fix: name a value of that shape}}
  %w = te.broadcast %x to tensor<?xf32>
  return %w, %w : tensor<?xf32>, tensor<?xf32>
}

// -----

// expected-error @+1 {{[bound_c7] expects argument 0 to run over loops 0 to 2, each once, found loop 3}}
func.func @bound_c7(%x: tensor<?xf32> {te.dims = array<i64: 3>, te.name = "x"})
    attributes {te.kernel, te.phase = #te.phase<bound>} { return }

// -----

// expected-error @+1 {{[bound_c7] expects argument 0 to run over loops 0 to 2, each once, found loop 0}}
func.func @bound_c7_twice(%x: tensor<?x?xf32> {te.dims = array<i64: 0, 0>, te.name = "x"})
    attributes {te.kernel, te.phase = #te.phase<bound>} { return }

// -----

// Rows of [...S, N] are one loop whatever the rank: nobody knows which axes a sum over it would be of.
func.func @bound_c8(%x: tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.reducible = array<i64: 1>} {
  %good = te.reduce_max %x axes [1] keep
  // A static 1 is no loop.
  %same = te.reduce_max %good axes [-1] keep
  // expected-error @+2 {{'te.reduce_sum' op [bound_c8] expects axes that the contract's shapes let a body reduce, here [-1], found -2: the dimensions before the last are one loop in a kernel}}
  // expected-note @+1 {{fix: shapes [...S, N] let a body reduce N}}
  %sum = te.reduce_sum %x axes [-1, -2] keep
  %y = te.sub %x, %same
  return %y : tensor<?x?xf32>
}

// -----

// Without `keep` the last dimension is another one.
func.func @bound_c8_gone(%x: tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.reducible = array<i64: 1>} {
  %most = te.reduce_max %x axes [-1]
  // expected-error @+2 {{[bound_c8] expects axes that the contract's shapes let a body reduce, of which this operand has none, found -1}}
  // expected-note @+1 {{fix: shapes [...S, N] let a body reduce N}}
  %y = te.reduce_mean %most axes [-1] keep
  return %most : tensor<?xf32>
}

// -----

func.func @bound_c8_elementwise(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.reducible = array<i64>} {
  // expected-error @+2 {{[bound_c8] expects no reduction, as the contract's shapes have no dimension of its own to reduce}}
  // expected-note @+1 {{fix: shapes [...S, N] let a body reduce N}}
  %least = te.reduce_min %x axes [0] keep
  %y = te.add %x, %least
  return %y : tensor<?xf32>
}

// -----

// A row that computes in f16 has no number for these; one that computes in f32 has.
func.func @constant_c1_large(%x: tensor<?xf16> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %c = te.constant 70000.0
  // expected-error @+1 {{'te.minimum' op [constant_c1] expects a number that f16 can hold: this one is too large, in which this row computes: 'compute: float32' in the contract's precision holds more}}
  %y = te.minimum %x, %c
  return %y : tensor<?xf16>
}

// -----

// Kernels of reductions go over their input once. Reductions that nobody reads are none.
func.func @bound_c9(%x: tensor<?x?x?xf32> {te.dims = array<i64: 0, 1, 2>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "reduce_rows_short"} {
  %a = te.reduce_min %x axes [0, 2] keep
  // expected-note @+1 {{'te.reduce_max' is the first one}}
  %b = te.reduce_max %x axes [0, 2] keep
  %below = te.sub %x, %b
  %unread = te.reduce_sum %below axes [0, 2]
  // expected-note @+2 {{fix: an operator for each reduction}}
  // expected-error @+1 {{'te.reduce_sum' op [bound_c9] expects reductions that do not depend on each other in an operator whose output says 'reduces'}}
  %c = te.reduce_sum %below axes [0, 2]
  return %c : tensor<?xf32>
}

// -----

func.func @constant_c1_small(%c: tensor<?xi1> {te.dims = array<i64: 0>, te.name = "c"},
                             %x: tensor<?xf16> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %epsilon = te.constant 1.0e-12
  // expected-error @+1 {{[constant_c1] expects a number that f16 can hold: this one is so small that it would be zero}}
  %y = te.select %c, %x, %epsilon
  return %y : tensor<?xf16>
}

// -----

// Without it: '{round = "floor"}' compiles and does nothing.
func.func @bound_c10(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "flat"} {
  // expected-note @+2 {{fix: leave the braces out}}
  // expected-error @+1 {{'te.neg' op [bound_c10] expects no attributes in braces, found '"fast"'}}
  %y = te.neg %x {fast}
  return %y : tensor<?xf32>
}

// -----

// Axes that a launch gives have no loop whose counter is the position.
func.func @arg_c1(%x: tensor<?x?x?xf32> {te.dims = array<i64: 0, 1, 2>, te.name = "x"})
    -> (tensor<?xi32> {te.dims = array<i64: 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "reduce_rows_short"} {
  // expected-note @+2 {{fix: dimensions with names, as in [N, C, ...S], and axes [C]}}
  // expected-error @+1 {{'te.arg_max' op [arg_c1] expects axes that follow each other and are known when compiling}}
  %y = te.arg_max %x axes [0, 2]
  return %y : tensor<?xi32>
}

// -----

// Windows are swept once.
func.func @window_c3(%x: tensor<?x?x?xf32> {te.dims = array<i64: 0, 1, 2>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 2>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "windows"} {
  %sum = te.reduce_sum %x axes [0, 1] keep
  %apart = te.sub %x, %sum
  // expected-note @+2 {{fix: two operators: one for what is reduced first}}
  // expected-error @+1 {{'te.reduce_max' op [window_c3] expects a reduction of windows that does not depend on another one}}
  %y = te.reduce_max %apart axes [0, 1]
  return %y : tensor<?xf32>
}

// -----

// A tile has whole rows of results, and not whole columns.
func.func @matmul_c3_columns(%a: tensor<?x?xf32> {te.dims = array<i64: 0, 2>, te.name = "a"},
                             %b: tensor<?x?xf32> {te.dims = array<i64: 2, 1>, te.name = "b"})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "contraction", te.reducible = array<i64: 0, 1, 2>} {
  %0 = te.matmul %a, %b axes [1, 0]
  // expected-note @+2 {{fix: an operator of its own for the reduction}}
  // expected-error @+1 {{'te.reduce_sum' op [matmul_c3] expects a reduction beside a matrix product to be over whole rows of its results, after it}}
  %1 = te.reduce_sum %0 axes [0] keep
  %y = te.add %0, %1
  return %y : tensor<?x?xf32>
}

// -----

// Without it a kernel would have two products, of which the CPU's computes one.
func.func @matmul_c3(%a: tensor<?x?xf32> {te.dims = array<i64: 0, 2>, te.name = "a"},
                     %b: tensor<?x?xf32> {te.dims = array<i64: 2, 1>, te.name = "b"})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "contraction"} {
  // expected-note @+1 {{'te.matmul' is the first one}}
  %0 = te.matmul %a, %b axes [1, 0]
  // expected-note @+2 {{fix: an operator of its own for each product}}
  // expected-error @+1 {{'te.matmul' op [matmul_c3] expects one matrix product in a body}}
  %1 = te.matmul %a, %b axes [1, 0]
  %y = te.add %0, %1
  return %y : tensor<?x?xf32>
}

// -----

func.func @matmul_c3_operand(%a: tensor<?x?xf32> {te.dims = array<i64: 0, 2>, te.name = "a"},
                             %b: tensor<?x?xf32> {te.dims = array<i64: 2, 1>, te.name = "b"})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "contraction"} {
  %c = te.scan sum %a along d2 {loop = 2 : i64}
  // expected-note @+2 {{fix: an operator of its own for what comes before the product}}
  // expected-error @+1 {{'te.matmul' op [matmul_c3] expects an operand that is an input, or computed from one element by element; found a value of 'te.scan'}}
  %y = te.matmul %c, %b axes [1, 0]
  return %y : tensor<?x?xf32>
}

// -----

// The sum of two inputs with the summed dimension is no operand that lies in memory.
func.func @matmul_c3_two(%a: tensor<?x?xf32> {te.dims = array<i64: 0, 2>, te.name = "a"},
                         %b: tensor<?x?xf32> {te.dims = array<i64: 2, 1>, te.name = "b"},
                         %g: tensor<1x?xf32> {te.dims = array<i64: -1, 2>, te.name = "g"})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "contraction"} {
  %c = te.mul %a, %g
  // expected-note @+2 {{fix: an operator of its own for what comes before the product}}
  // expected-error @+1 {{'te.matmul' op [matmul_c3] expects an operand that is computed from one input with the summed dimension, found 2}}
  %y = te.matmul %c, %b axes [1, 0]
  return %y : tensor<?x?xf32>
}

// -----

func.func @matmul_c3_bytes(%a: tensor<?x?xi8> {te.dims = array<i64: 0, 2>, te.name = "a"},
                           %b: tensor<?x?xi8> {te.dims = array<i64: 2, 1>, te.name = "b"})
    -> (tensor<?x?xi32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "contraction"} {
  %c = te.neg %a
  // expected-note @+2 {{fix: an operator of its own for what comes before the product, or 'te.cast' to float32}}
  // expected-error @+1 {{'te.matmul' op [matmul_c3] expects a computed operand of f16, bf16 or f32, found 'i8'}}
  %y = te.matmul %c, %b axes [1, 0]
  return %y : tensor<?x?xi32>
}

// -----

func.func @matmul_c3_windows(%w: tensor<?x?xf16> {te.dims = array<i64: 0, 2>, te.name = "w"},
                             %x: tensor<?x?xf16> {te.dims = array<i64: 2, 1>, te.name = "x", te.window = array<i64: 1, 1, 0, 1, 1, 0>})
    -> (tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "contraction"} {
  %c = te.neg %x
  // expected-note @+2 {{fix: an operator of its own for what comes before the product}}
  // expected-error @+1 {{'te.matmul' op [matmul_c3] expects windows as they are, found windows that the body computes with}}
  %y = te.matmul %w, %c axes [1, 0]
  return %y : tensor<?x?xf16>
}

// -----

// Rows of one operand would be summed with columns of the other.
func.func @matmul_loops(%a: tensor<?x?xf32> {te.dims = array<i64: 0, 2>, te.name = "a"},
                        %b: tensor<?x?xf32> {te.dims = array<i64: 2, 1>, te.name = "b"})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "contraction"} {
  // expected-error @+1 {{'te.matmul' op [bound_c5] expects axes that are the same loop in both operands, found 2 and 1}}
  %y = te.matmul %a, %b axes [1, 1]
  return %y : tensor<?x?xf32>
}

// -----

func.func @iota_c3(%x: tensor<?x1xf16> {te.dims = array<i64: 0, -1>, te.name = "x"})
    -> (tensor<?x1xi32> {te.dims = array<i64: 0, -1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "counted"} {
  // expected-error @+2 {{'te.iota' op [iota_c3] expects a shape that has 'M', found one without it}}
  // expected-note @+1 {{fix: name a result as the header does, '!y', or a value that has the dimension}}
  %y = te.iota along M to %x loop 1
  return %y : tensor<?x1xi32>
}

// -----

func.func @scan_c1(%x: tensor<?x1xf16> {te.dims = array<i64: 0, -1>, te.name = "x"})
    -> (tensor<?x1xf16> {te.dims = array<i64: 0, -1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "scanned"} {
  // expected-error @+2 {{'te.scan' op [scan_c1] expects a tensor that has 'M', found one without it}}
  // expected-note @+1 {{fix: 'te.broadcast %x to !y' gives it the shape of a result}}
  %y = te.scan sum %x along M loop 1
  return %y : tensor<?x1xf16>
}
