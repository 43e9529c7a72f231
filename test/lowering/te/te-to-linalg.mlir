// RUN: opc-opt %s --te-verify-bound --te-to-linalg --te-verify-fused | FileCheck %s

// CHECK-DAG: #[[FULL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1) -> (0, 0)>

// A chain is one generic; what is stored as f16 is computed in f32, with one cast at each end; a scalar is brought to its
// type before the generic.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.*]]: memref<?xf16> {te.dims = array<i64: 0>, te.name = "x"}, %[[Y:.*]]: memref<?xf16> {{.*}}, %[[BETA:.*]]: f32 {te.name = "beta"})
// CHECK-SAME: te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[X]] restrict
// CHECK: %[[N:.*]] = tensor.dim %[[T]]
// CHECK: %[[MINUS:.*]] = arith.negf %[[BETA]] : f32
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?xf16>
// CHECK: %[[G:.*]] = linalg.generic {indexing_maps = [#[[ID:.*]], #[[ID]]], iterator_types = ["parallel"]} ins(%[[T]] : tensor<?xf16>) outs(%[[E]] : tensor<?xf16>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[IN]] : f16 to f32
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[W]], %[[MINUS]] : f32
// CHECK-NEXT: %[[EX:.*]] = math.exp %[[M]] : f32
// CHECK-NEXT: %[[D:.*]] = arith.divf %[[W]], %[[EX]] : f32
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[D]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[R]] : f16
// CHECK-NOT: linalg.generic
// CHECK: bufferization.materialize_in_destination %[[G]] in restrict writable %[[Y]] : (tensor<?xf16>, memref<?xf16>) -> ()
func.func @chain(%x: tensor<?xf16> {te.dims = array<i64: 0>, te.name = "x"}, %beta: f32 {te.name = "beta"})
    -> (tensor<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.compute = f32, te.kernel, te.phase = #te.phase<bound>, te.shape_key = "flat", te.type_row = 0 : i64} {
  %minus = te.neg %beta
  %t = te.mul %x, %minus
  %e = te.exp %t
  %y = te.div %x, %e
  return %y : tensor<?xf16>
}

// Without a compute type f16 stays f16, and the scalar becomes f16.
// CHECK-LABEL: func.func @storage(
// CHECK: %[[C:.*]] = arith.constant 9.997550e-02 : f16
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[IN]], %{{.*}} : f16
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[M]], %[[C]] : f16
// CHECK-NEXT: linalg.yield %[[A]] : f16
func.func @storage(%x: tensor<?xf16> {te.dims = array<i64: 0>, te.name = "x"}, %beta: f32 {te.name = "beta"})
    -> (tensor<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %t = te.mul %x, %beta
  %c = te.constant 0.1
  %y = te.add %t, %c
  return %y : tensor<?xf16>
}

// A constant is rounded once, to the type of the computation: 0.1 of a row that computes in f32 is not the f16 next to it.
// CHECK-LABEL: func.func @constant_in_compute_type(
// CHECK: arith.constant 1.000000e-01 : f32
func.func @constant_in_compute_type(%x: tensor<?xf16> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.compute = f32, te.kernel, te.phase = #te.phase<bound>} {
  %c = te.constant 0.1
  %y = te.add %x, %c
  return %y : tensor<?xf16>
}

// bf16 computes in f32 whatever the contract says of it.
// CHECK-LABEL: func.func @bf16(
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.addf %{{.*}} : f32
// CHECK: arith.maximumf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @bf16(%x: tensor<?xbf16> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xbf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %s = te.add %x, %x
  %y = te.relu %s
  return %y : tensor<?xbf16>
}

// Rows, columns and scalars are read by maps with a constant 0; the row's exponential joins all the same, since nothing
// else may be a kernel of its own.
// CHECK-LABEL: func.func @broadcast(
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[FULL]], #[[COLUMN]], #[[ONE]], #[[FULL]]], iterator_types = ["parallel", "parallel"]}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @broadcast(%x: tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"},
                     %r: tensor<1x?xf32> {te.dims = array<i64: -1, 1>, te.name = "r"},
                     %c: tensor<?x1xf32> {te.dims = array<i64: 0, -1>, te.name = "c"},
                     %s: tensor<1x1xf32> {te.dims = array<i64: -1, -1>, te.name = "s"})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %e = te.exp %r
  %0 = te.mul %x, %e
  %1 = te.sub %0, %c
  %y = te.div %1, %s
  return %y : tensor<?x?xf32>
}

// A reduction to the stored type needs no second generic; sums are kept as the contract says, then stored.
// CHECK-LABEL: func.func @reduction_sum(
// CHECK: %[[FILL:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "reduction"]} ins(%{{.*}} : tensor<?x?x?xf16>) outs(%[[FILL]] : tensor<?xf32>)
// CHECK: arith.mulf %{{.*}} : f16
// CHECK: arith.extf
// CHECK: arith.addf %{{.*}} : f32
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<?xf32>) outs(%{{.*}} : tensor<?xf16>)
// CHECK: arith.truncf
func.func @reduction_sum(%x: tensor<?x?x?xf16> {te.dims = array<i64: 0, 1, 2>, te.name = "x"})
    -> (tensor<?xf16> {te.dims = array<i64: 1>, te.name = "y"})
    attributes {te.accumulate = f32, te.kernel, te.phase = #te.phase<bound>} {
  %q = te.mul %x, %x
  %y = te.reduce_sum %q axes [0, 2]
  return %y : tensor<?xf16>
}

// The largest is kept as it is computed, whatever sums are kept in, and its generic writes the output itself.
// CHECK-LABEL: func.func @reduction_max(
// CHECK: arith.constant 0xFC00 : f16
// CHECK: linalg.fill
// CHECK: %[[MAX:.*]] = linalg.generic
// CHECK: arith.maximumf %{{.*}} : f16
// CHECK-NOT: linalg.generic
// CHECK: materialize_in_destination %[[MAX]]
func.func @reduction_max(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.accumulate = f32, te.kernel, te.phase = #te.phase<bound>} {
  %y = te.reduce_max %x axes [1]
  return %y : tensor<?xf16>
}

// A mean divides in the type of the sum: 65536 elements do not fit f16, their sum neither.
// CHECK-LABEL: func.func @mean(
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK: %[[COUNT:.*]] = arith.sitofp %{{.*}} : i64 to f32
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<?xf32>)
// CHECK: arith.divf %{{.*}}, %[[COUNT]] : f32
// CHECK-NEXT: arith.truncf
func.func @mean(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?x1xf16> {te.dims = array<i64: 0, -1>, te.name = "y"})
    attributes {te.accumulate = f32, te.kernel, te.phase = #te.phase<bound>} {
  %y = te.reduce_mean %x axes [-1] keep
  return %y : tensor<?x1xf16>
}

// Softmax: the exponential has two users and stands alone; what has one joins. One value a row stays out of the loops over
// rows and columns (the reciprocal).
// CHECK-LABEL: func.func @softmax(
// CHECK: arith.maximumf
// CHECK: %[[E:.*]] = linalg.generic
// CHECK: arith.subf
// CHECK: math.exp
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[E]] : tensor<?x?xf32>)
// CHECK: arith.addf
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[S]] : tensor<?xf32>)
// CHECK: arith.divf
// CHECK: linalg.generic {{.*}} ins(%[[E]], %[[R]] : tensor<?x?xf32>, tensor<?xf32>)
// CHECK: arith.mulf
// CHECK: arith.truncf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @softmax(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.compute = f32, te.kernel, te.phase = #te.phase<bound>} {
  %m = te.reduce_max %x axes [-1] keep
  %d = te.sub %x, %m
  %e = te.exp %d
  %s = te.reduce_sum %e axes [-1] keep
  %r = te.reciprocal %s
  %y = te.mul %e, %r
  return %y : tensor<?x?xf16>
}

// Truth values are bytes in memory and i1 in between; integers without sign have ops without sign.
// CHECK-LABEL: func.func @truth(
// CHECK-SAME: memref<?xi8> {te.dims = array<i64: 0>, te.element = i1, te.name = "c"}, %{{.*}}: memref<?xi8> {te.dims = array<i64: 0>, te.element = ui8, te.name = "x"}
// CHECK: arith.maxui
// CHECK: arith.cmpi ult
// CHECK: arith.cmpi ne
// CHECK: arith.select
// CHECK: arith.extui %{{.*}} : i1 to i8
func.func @truth(%c: tensor<?xi1> {te.dims = array<i64: 0>, te.name = "c"},
                 %x: tensor<?xui8> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xi1> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %five = te.constant 5 : ui8
  %m = te.maximum %x, %five
  %l = te.compare lt %x, %m
  %y = te.select %c, %l, %c
  return %y : tensor<?xi1>
}

// Casts: to an integer a scalar op of te says how, the rest is arith's; a narrower float is rounded to although the row
// computes in a wider one.
// CHECK-LABEL: func.func @casts(
// CHECK: te.cast %{{.*}} to i8 round floor unsigned
// CHECK: arith.uitofp %{{.*}} : i8 to f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: linalg.yield %{{.*}} : f32
func.func @casts(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.compute = f32, te.kernel, te.phase = #te.phase<bound>} {
  %0 = te.cast %x to ui8 round floor
  %1 = te.cast %0 to f32
  %2 = te.cast %1 to f16
  %y = te.cast %2 to f32
  return %y : tensor<?xf32>
}

// Integers that saturate are held to the limits of the type they go to, in the type they come from.
// CHECK-LABEL: func.func @saturate(
// CHECK-DAG: %[[MAX:.*]] = arith.constant 255 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: arith.minsi %{{.*}}, %[[MAX]] : i32
// CHECK: arith.maxsi %{{.*}}, %[[ZERO]] : i32
// CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @saturate(%x: tensor<?xi32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xui8> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %y = te.cast %x to ui8 saturate
  return %y : tensor<?xui8>
}

// An input that is returned is copied; two outputs of one shape come from one generic.
// CHECK-LABEL: func.func @two_outputs(
// CHECK: %[[G:.*]]:2 = linalg.generic
// CHECK: math.absf
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: materialize_in_destination %[[G]]#0
// CHECK: materialize_in_destination %[[G]]#1
func.func @two_outputs(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"}, tensor<?xf32> {te.dims = array<i64: 0>, te.name = "z"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %a = te.abs %x
  return %a, %x : tensor<?xf32>, tensor<?xf32>
}

// A sum over a broadcast row: its size is that of an input which takes no part.
// CHECK-LABEL: func.func @broadcast_sum(
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%{{.*}}, %{{.*}} : tensor<1x?xf32>, tensor<?x?xf32>)
func.func @broadcast_sum(%x: tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"},
                         %r: tensor<1x?xf32> {te.dims = array<i64: -1, 1>, te.name = "r"})
    -> (tensor<?xf32> {te.dims = array<i64: 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %w = te.broadcast %r to %x
  %y = te.reduce_sum %w axes [0]
  return %y : tensor<?xf32>
}

// A loop that only the result has: its size is that of the output's memory, which nothing else reads.
// CHECK-LABEL: func.func @broadcast_to_result(
// CHECK-SAME: %[[X:.*]]: memref<?x1xf32> {{.*}}, %[[Y:.*]]: memref<?x?xf32>
// CHECK: %[[SIZE:.*]] = memref.dim %[[Y]], %{{.*}}
// CHECK: tensor.empty(%{{.*}}, %[[SIZE]])
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<?x1xf32>)
func.func @broadcast_to_result(%x: tensor<?x1xf32> {te.dims = array<i64: 0, -1>, te.name = "x"})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %y = te.broadcast %x to tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// An output that is also an intermediate value of a wider type leaves its generic twice.
// CHECK-LABEL: func.func @output_and_intermediate(
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<?x?xf32>, tensor<?x?xf16>)
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f16
func.func @output_and_intermediate(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "s"}, tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.compute = f32, te.kernel, te.phase = #te.phase<bound>} {
  %s = te.add %x, %x
  %m = te.reduce_max %s axes [1] keep
  %y = te.sub %s, %m
  return %s, %y : tensor<?x?xf16>, tensor<?x?xf16>
}

// Integers: their own ops, before generics and in them; a sum of bytes in the wider type the contract accumulates in,
// extended by the sign of the element.
// CHECK-LABEL: func.func @integers(
// CHECK: %[[STEP:.*]] = arith.trunci %{{.*}} : i64 to i8
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?xi32>)
// CHECK: arith.addi %{{.*}}, %[[STEP]] : i8
// CHECK: arith.subi %{{.*}}, %{{.*}} : i8
// CHECK: math.absi
// CHECK: arith.maxsi
// CHECK: %[[W:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.addi %{{.*}}, %[[W]] : i32
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?xi32>) outs(%{{.*}} : tensor<?xi8>)
// CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @integers(%x: tensor<?x?xi8> {te.dims = array<i64: 0, 1>, te.name = "x"}, %step: i64 {te.name = "step"})
    -> (tensor<?xi8> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.accumulate = i32, te.kernel, te.phase = #te.phase<bound>} {
  %a = te.add %x, %step
  %b = te.neg %a
  %c = te.abs %b
  %d = te.relu %c
  %y = te.reduce_sum %d axes [1]
  return %y : tensor<?xi8>
}

// What a reduction starts from is the neutral number of its type: of unsigned bytes 0 and 255, of signed 127, of f32 inf.
// CHECK-LABEL: func.func @neutral(
// CHECK-DAG: %[[U:.*]] = arith.constant 0 : i8
// CHECK-DAG: %[[S:.*]] = arith.constant 127 : i8
// CHECK-DAG: %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK: linalg.fill ins(%[[U]] : i8)
// CHECK: arith.maxui
// CHECK: linalg.fill ins(%[[S]] : i8)
// CHECK: arith.minsi
// CHECK: linalg.fill ins(%[[INF]] : f32)
// CHECK: arith.minimumf
func.func @neutral(%u: tensor<?x?xui8> {te.dims = array<i64: 0, 1>, te.name = "u"},
                   %s: tensor<?x?xi8> {te.dims = array<i64: 0, 1>, te.name = "s"},
                   %f: tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "f"})
    -> (tensor<?xui8> {te.dims = array<i64: 0>, te.name = "a"}, tensor<?xi8> {te.dims = array<i64: 0>, te.name = "b"},
        tensor<?xf32> {te.dims = array<i64: 0>, te.name = "c"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %a = te.reduce_max %u axes [1]
  %b = te.reduce_min %s axes [1]
  %c = te.reduce_min %f axes [1]
  return %a, %b, %c : tensor<?xui8>, tensor<?xi8>, tensor<?xf32>
}

// Formulas that stand for ops of te: the slope of leaky relu where the operand is negative, NaN included in neither; the
// reciprocal as a quotient. A scalar that nothing needs is gone.
// CHECK-LABEL: func.func @formulas(
// CHECK-NOT: te.tanh
// CHECK: linalg.generic
// CHECK: %[[SCALED:.*]] = arith.mulf %[[X:.*]], %{{.*}} : f32
// CHECK: %[[POSITIVE:.*]] = arith.cmpf oge, %[[X]], %{{.*}} : f32
// CHECK: %[[LEAKY:.*]] = arith.select %[[POSITIVE]], %[[X]], %[[SCALED]] : f32
// CHECK: arith.divf %{{.*}}, %[[LEAKY]] : f32
// CHECK: te.gelu tanh
// CHECK: arith.cmpf une
// CHECK: arith.select
func.func @formulas(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"}, %slope: f32 {te.name = "slope"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %unused = te.tanh %slope
  %l = te.leaky_relu %x, %slope
  %r = te.reciprocal %l
  %g = te.gelu tanh %r
  %c = te.compare ne %g, %x
  %y = te.select %c, %g, %slope
  return %y : tensor<?xf32>
}

// A mean goes on in the type of the row, not in that of the sum.
// CHECK-LABEL: func.func @mean_and_more(
// CHECK: arith.divf %{{.*}} : f32
// CHECK-NEXT: arith.truncf %{{.*}} : f32 to f16
// CHECK-NEXT: arith.addf %{{.*}} : f16
func.func @mean_and_more(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.accumulate = f32, te.kernel, te.phase = #te.phase<bound>} {
  %mean = te.reduce_mean %x axes [1]
  %half = te.constant 0.5
  %y = te.add %mean, %half
  return %y : tensor<?xf16>
}

// Roundings and functions that MLIR has are its operations; those of small whole exponents are products.
// CHECK-LABEL: func.func @words(
// CHECK: math.floor
// CHECK-NEXT: math.ceil
// CHECK-NEXT: math.roundeven
// CHECK-NEXT: math.trunc
// CHECK-NEXT: te.sign %
// CHECK-NEXT: math.expm1
// CHECK-NEXT: math.log1p
// CHECK-NEXT: math.sin
// CHECK-NEXT: math.cos
// CHECK-NEXT: te.softplus %
// CHECK-NEXT: te.mod trunc %
// CHECK-NEXT: math.powf
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[BASE:.*]], %[[BASE]] : f32
// CHECK-NEXT: arith.mulf %[[SQUARE]], %[[BASE]] : f32
// CHECK-NOT: math.powf
func.func @words(%x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "flat", te.type_row = 0 : i64} {
  %0 = te.floor %x
  %1 = te.ceil %0
  %2 = te.round %1
  %3 = te.trunc %2
  %4 = te.sign %3
  %5 = te.expm1 %4
  %6 = te.log1p %5
  %7 = te.sin %6
  %8 = te.cos %7
  %9 = te.softplus %8
  %10 = te.mod trunc %9, %x
  %11 = te.pow %10, %x
  %three = te.constant 3.0
  %y = te.pow %11, %three
  return %y : tensor<?xf32>
}

// Powers of integers: products where the exponent is known, a wider power of bytes, the square of that of half the exponent
// where it is unsigned.
// CHECK-LABEL: func.func @powers(
// CHECK: %[[POWER:.*]] = math.ipowi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: %[[SQUARE:.*]] = arith.muli %[[POWER]], %[[POWER]] : i32
// CHECK-NEXT: %[[FIFTH:.*]] = arith.muli %[[SQUARE]], %[[SQUARE]] : i32
// CHECK-NEXT: arith.muli %[[FIFTH]], %[[POWER]] : i32
// CHECK-NOT: math.ipowi
// CHECK: arith.extui %{{.*}} : i8 to i16
// CHECK: math.ipowi %{{.*}}, %{{.*}} : i16
// CHECK-NEXT: arith.trunci %{{.*}} : i16 to i8
// CHECK: %[[HALF:.*]] = arith.shrui %{{.*}}, %{{.*}} : i32
// CHECK: math.ipowi %{{.*}}, %[[HALF]] : i32
func.func @powers(%x: tensor<?xi32> {te.dims = array<i64: 0>, te.name = "x"}, %z: tensor<?xi32> {te.dims = array<i64: 0>, te.name = "z"},
                  %b: tensor<?xui8> {te.dims = array<i64: 0>, te.name = "b"}, %w: tensor<?xui32> {te.dims = array<i64: 0>, te.name = "w"})
    -> (tensor<?xi32> {te.dims = array<i64: 0>, te.name = "y"}, tensor<?xui8> {te.dims = array<i64: 0>, te.name = "c"},
        tensor<?xui32> {te.dims = array<i64: 0>, te.name = "v"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "flat", te.type_row = 0 : i64} {
  %five = te.constant 5
  %0 = te.pow %x, %z
  %y = te.pow %0, %five
  %c = te.pow %b, %b
  %v = te.pow %w, %w
  return %y, %c, %v : tensor<?xi32>, tensor<?xui8>, tensor<?xui32>
}

// The divisor is added to a remainder of integers that is not 0 and has another sign than the divisor.
// CHECK-LABEL: func.func @remainders(
// CHECK: %[[QUOTIENT:.*]] = arith.divsi %[[A:.*]], %[[B:.*]] : i32
// CHECK-NEXT: %[[REST:.*]] = arith.remsi %[[QUOTIENT]], %[[B]] : i32
// CHECK-DAG: %[[SIGN:.*]] = arith.cmpi slt, %[[REST]], %[[ZERO:.*]] : i32
// CHECK-DAG: %[[OWN:.*]] = arith.cmpi slt, %[[B]], %[[ZERO]] : i32
// CHECK-DAG: %[[DIFFER:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : i1
// CHECK: %[[LEFT:.*]] = arith.cmpi ne, %[[REST]], %[[ZERO]] : i32
// CHECK-NEXT: %[[MOVES:.*]] = arith.andi %[[DIFFER]], %[[LEFT]] : i1
// CHECK-NEXT: %[[MOVED:.*]] = arith.addi %[[REST]], %[[B]] : i32
// CHECK-NEXT: %[[FLOOR:.*]] = arith.select %[[MOVES]], %[[MOVED]], %[[REST]] : i32
// CHECK-NEXT: arith.remsi %[[FLOOR]], %[[B]] : i32
func.func @remainders(%x: tensor<?xi32> {te.dims = array<i64: 0>, te.name = "x"}, %z: tensor<?xi32> {te.dims = array<i64: 0>, te.name = "z"})
    -> (tensor<?xi32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "flat", te.type_row = 0 : i64} {
  %0 = te.div %x, %z
  %1 = te.mod floor %0, %z
  %y = te.mod trunc %1, %z
  return %y : tensor<?xi32>
}

// The sign of an integer is two bounds, that of an unsigned one a single bound. Tests of floats and exclusive or are
// comparisons.
// CHECK-LABEL: func.func @signs_and_tests(
// CHECK: arith.maxsi
// CHECK-NEXT: arith.minsi
// CHECK: arith.minui
// CHECK: arith.cmpf une, %[[X:.*]], %[[X]] : f32
// CHECK: math.absf
// CHECK: arith.cmpf oeq
// CHECK: arith.cmpi ne, %{{.*}}, %{{.*}} : i1
// CHECK: arith.andi %{{.*}}, %{{.*}} : i1
func.func @signs_and_tests(%i: tensor<?xi32> {te.dims = array<i64: 0>, te.name = "i"}, %u: tensor<?xui8> {te.dims = array<i64: 0>, te.name = "u"},
                           %x: tensor<?xf32> {te.dims = array<i64: 0>, te.name = "x"})
    -> (tensor<?xi32> {te.dims = array<i64: 0>, te.name = "y"}, tensor<?xui8> {te.dims = array<i64: 0>, te.name = "z"}, tensor<?xi1> {te.dims = array<i64: 0>, te.name = "t"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "flat", te.type_row = 0 : i64} {
  %y = te.sign %i
  %z = te.sign %u
  %nan = te.isnan %x
  %inf = te.isinf %x
  %one = te.xor %nan, %inf
  %t = te.and %one, %nan
  return %y, %z, %t : tensor<?xi32>, tensor<?xui8>, tensor<?xi1>
}

// A product starts from 1 and is accumulated in the contract's type: 8 bits of it wrap at the end.
// CHECK-LABEL: func.func @product(
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: linalg.fill ins(%[[ONE]] : i32)
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK-NEXT: arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @product(%x: tensor<?x?xui8> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?xui8> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.accumulate = i32, te.kernel, te.phase = #te.phase<bound>} {
  %y = te.reduce_prod %x axes [1]
  return %y : tensor<?xui8>
}

// Truth values are reduced as bytes of 0 and 1: the largest says whether one is true, the smallest whether all are. Any byte
// but 0 is true, so that what is loaded is brought to 0 or 1 first.
// CHECK-LABEL: func.func @some_or_all(
// CHECK-DAG: %[[NO:.*]] = arith.constant 0 : i8
// CHECK-DAG: %[[YES:.*]] = arith.constant 1 : i8
// CHECK: linalg.fill ins(%[[YES]] : i8)
// CHECK: %[[T:.*]] = arith.cmpi ne, %{{.*}}, %[[NO]] : i8
// CHECK-NEXT: %[[B:.*]] = arith.extui %[[T]] : i1 to i8
// CHECK-NEXT: arith.minui %[[B]], %{{.*}} : i8
// CHECK: linalg.fill ins(%[[NO]] : i8)
// CHECK: arith.maxui
func.func @some_or_all(%x: tensor<?x?xi1> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?xi1> {te.dims = array<i64: 0>, te.name = "all"}, tensor<?xi1> {te.dims = array<i64: 0>, te.name = "any"})
    attributes {te.kernel, te.phase = #te.phase<bound>} {
  %all = te.reduce_all %x axes [1]
  %any = te.reduce_any %x axes [1]
  return %all, %any : tensor<?xi1>, tensor<?xi1>
}

// A position takes two reductions: the maximum, in the type that is computed in, and the first of the positions at which it
// stands; a NaN, which is equal to nothing, is such a place too. Others have a number that no position is.
// CHECK-LABEL: func.func @first(
// CHECK: %[[NONE:.*]] = arith.constant 2147483647 : i32
// CHECK: %[[M:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: arith.maximumf
// CHECK: linalg.fill ins(%[[NONE]] : i32)
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%{{.*}}, %[[M]] : tensor<?x?xf16>, tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f16, %[[MOST:.*]]: f32, %[[SO_FAR:.*]]: i32):
// CHECK-NEXT: %[[X:.*]] = arith.extf %[[IN]] : f16 to f32
// CHECK-NEXT: %[[I:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[HERE:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT: %[[SAME:.*]] = arith.cmpf oeq, %[[X]], %[[MOST]] : f32
// CHECK-NEXT: %[[FOUND:.*]] = arith.select %[[SAME]], %[[HERE]], %[[NONE]] : i32
// CHECK-NEXT: %[[NAN:.*]] = arith.cmpf une, %[[X]], %[[X]] : f32
// CHECK-NEXT: %[[OR:.*]] = arith.select %[[NAN]], %[[HERE]], %[[FOUND]] : i32
// CHECK-NEXT: arith.minsi %[[SO_FAR]], %[[OR]] : i32
func.func @first(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?xi32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.compute = f32, te.kernel, te.phase = #te.phase<bound>, te.shape_key = "rows_short"} {
  %y = te.arg_max %x axes [1]
  return %y : tensor<?xi32>
}

// The last position of the smallest unsigned byte: integers are compared alone, and the largest position counts.
// CHECK-LABEL: func.func @last(
// CHECK: arith.constant -2147483648 : i32
// CHECK: arith.minui
// CHECK: arith.cmpi eq
// CHECK-NEXT: arith.select
// CHECK-NEXT: arith.maxsi
func.func @last(%x: tensor<?x?xui8> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?x1xi32> {te.dims = array<i64: 0, -1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "rows_short"} {
  %y = te.arg_min %x axes [1] keep last
  return %y : tensor<?x1xi32>
}

// A matrix product is one generic over three loops, whatever the order of dimensions in memory; its sum is f32, which what
// follows reads before it is rounded.
// CHECK-LABEL: func.func @turned_matrices(
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[LEFT:.*]], #[[RIGHT:.*]], #[[OUT:.*]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<?x?xf16>, tensor<?x?xf16>) outs(%{{.*}} : tensor<?x?xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f16, %[[ACC:.*]]: f32):
// CHECK-NEXT: %[[WIDE_A:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-NEXT: %[[WIDE_B:.*]] = arith.extf %[[B]] : f16 to f32
// CHECK-NEXT: %[[TERM:.*]] = arith.mulf %[[WIDE_A]], %[[WIDE_B]] : f32
// CHECK-NEXT: arith.addf %[[ACC]], %[[TERM]] : f32
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %{{.*}} : tensor<?x?xf32>, tensor<1x?xf16>) outs(%{{.*}} : tensor<?x?xf16>)
func.func @turned_matrices(%a: tensor<?x?xf16> {te.dims = array<i64: 2, 0>, te.name = "a"},
                   %b: tensor<?x?xf16> {te.dims = array<i64: 1, 2>, te.name = "b"},
                   %bias: tensor<1x?xf16> {te.dims = array<i64: -1, 1>, te.name = "bias"})
    -> (tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.compute = f32, te.kernel, te.phase = #te.phase<bound>, te.shape_key = "contraction"} {
  %product = te.matmul %a, %b axes [0, 1]
  %y = te.add %product, %bias
  return %y : tensor<?x?xf16>
}

// Positions are indices of loops, whatever else a generic reads; what says their shape is not read.
// CHECK-LABEL: func.func @positions(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?x?xf16>) outs(%{{.*}} : tensor<?x?xf16>)
// CHECK: %[[COLUMN:.*]] = linalg.index 1 {te.loop = 1 : i64} : index
// CHECK-NEXT: %[[COLUMN32:.*]] = arith.index_cast %[[COLUMN]] : index to i32
// CHECK-NEXT: %[[ROW:.*]] = linalg.index 0 {te.loop = 0 : i64} : index
// CHECK-NEXT: %[[ROW32:.*]] = arith.index_cast %[[ROW]] : index to i32
// CHECK-NEXT: arith.cmpi sle, %[[COLUMN32]], %[[ROW32]] : i32
func.func @positions(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"},
                     %z: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "z"})
    -> (tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "counted"} {
  %row = te.iota along N to %z loop 0
  %column = te.iota along M to tensor<?x?xf16> loop 1
  %keep = te.compare le %column, %row
  %zero = te.constant 0 : f16
  %y = te.select %keep, %x, %zero
  return %y : tensor<?x?xf16>
}

// A sort stays, of elements and of places, along a loop of its generic; what is computed from both is one kernel.
// CHECK-LABEL: func.func @sorted(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: %[[VALUE:.*]] = te.sort %{{.*}} along N to K descending loop 1
// CHECK: %[[PLACE:.*]] = te.sort %{{.*}} along N to K descending places loop 1
// CHECK: arith.extsi %[[PLACE]] : i32 to i64
func.func @sorted(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x", te.sorted})
    -> (tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "y"}, tensor<?x?xi64> {te.dims = array<i64: 0, 1>, te.name = "z"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "sorted"} {
  %y = te.sort %x along N to K descending loop 1
  %p = te.sort %x along N to K descending places loop 1
  %z = te.cast %p to i64
  return %y, %z : tensor<?x?xf16>, tensor<?x?xi64>
}

// A scan stays, in the type that sums are accumulated in, along a loop of its generic.
// CHECK-LABEL: func.func @scanned(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT: %[[SUM:.*]] = te.scan sum %[[WIDE]] along N exclusive reverse loop 0
// CHECK-NEXT: arith.truncf %[[SUM]] : f32 to f16
func.func @scanned(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "scanned", te.accumulate = f32} {
  %y = te.scan sum %x along N exclusive reverse loop 0
  return %y : tensor<?x?xf16>
}

// A gather at computed places stays too, before what is read is made wider: its first operand stands for an address.
// CHECK-LABEL: func.func @lookup(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: ^bb0(%[[FIRST:.*]]: f16, %{{.*}}: f32):
// CHECK: %[[PLACE:.*]] = arith.subi
// CHECK-NEXT: %[[FOUND:.*]] = te.gather %[[FIRST]], %[[PLACE]] along H beyond reflect
// CHECK-NEXT: arith.extf %[[FOUND]] : f16 to f32
func.func @lookup(%x: tensor<?x1xf16> {te.dims = array<i64: 0, -1>, te.name = "x", te.places = ["H"]})
    -> (tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<bound>, te.shape_key = "lookup", te.compute = f32} {
  %column = te.iota along M to tensor<?x?xf32> loop 1
  %two = te.constant 2 : i32
  %place = te.sub %column, %two
  %found = te.gather %x, %place along H beyond reflect
  %y = te.cast %found to f32
  return %y : tensor<?x?xf32>
}

// A value with a dimension of size 1 that is returned twice: a tensor between generics has no such dimension, and each output
// is written by one of its own.
// CHECK-LABEL: func.func @returned_twice(
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK: %[[MEAN:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<?xf32>)
// CHECK: arith.divf
// CHECK: linalg.generic {{.*}} ins(%[[MEAN]] : tensor<?xf32>) outs(%{{.*}} : tensor<?x1xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[MEAN]] : tensor<?xf32>) outs(%{{.*}} : tensor<?x1xf32>)
func.func @returned_twice(%x: tensor<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?x1xf32> {te.dims = array<i64: 0, -1>, te.name = "y"},
        tensor<?x1xf32> {te.dims = array<i64: 0, -1>, te.name = "z"})
    attributes {te.accumulate = f32, te.kernel, te.phase = #te.phase<bound>} {
  %y = te.reduce_mean %x axes [-1] keep
  return %y, %y : tensor<?x1xf32>, tensor<?x1xf32>
}

// What is reduced already has one element along the axes: it stays, and its position is 0. No generic reduces it.
// CHECK-LABEL: func.func @reduced_twice(
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<?x?xf16>)
// CHECK-NOT: "reduction"
// CHECK: %[[ONE:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[SUM]] : tensor<?xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[ONE]] : tensor<?x?xf16>, tensor<?xf32>)
// CHECK: arith.mulf
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: linalg.yield %c0{{.*}} : i32
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @reduced_twice(%x: tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"})
    -> (tensor<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "y"}, tensor<?x1xi32> {te.dims = array<i64: 0, -1>, te.name = "z"})
    attributes {te.compute = f32, te.accumulate = f32, te.kernel, te.phase = #te.phase<bound>, te.shape_key = "rows_short"} {
  %s = te.reduce_sum %x axes [1] keep
  %m = te.reduce_mean %s axes [1] keep
  %p = te.reduce_max %m axes [1] keep
  %y = te.mul %x, %p
  %z = te.arg_max %s axes [1] keep
  return %y, %z : tensor<?x?xf16>, tensor<?x1xi32>
}
