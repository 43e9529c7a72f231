// RUN: opc-opt %s | opc-opt | FileCheck %s
// RUN: opc-opt %s --mlir-print-op-generic | opc-opt | FileCheck %s

// Every op in its text without types; results are inferred. The second run shows that the types are there.
// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<?x?xf16>, %r: tensor<1x?xf16>, %b: f32) -> tensor<?x?xf16> {
  // CHECK: te.add %{{.*}}, %{{.*}}
  %0 = te.add %x, %r
  // CHECK-NEXT: te.sub
  %1 = te.sub %0, %b
  // CHECK-NEXT: te.mul
  %2 = te.mul %b, %1
  // CHECK-NEXT: te.div
  %3 = te.div %2, %2
  // CHECK-NEXT: te.maximum
  %4 = te.maximum %3, %x
  // CHECK-NEXT: te.minimum
  %5 = te.minimum %4, %b
  // CHECK-NEXT: te.leaky_relu
  %6 = te.leaky_relu %5, %b
  // CHECK-NEXT: te.swish
  %7 = te.swish %6, %b
  // CHECK-NEXT: te.neg
  %8 = te.neg %7
  // CHECK-NEXT: te.abs
  %9 = te.abs %8
  // CHECK-NEXT: te.relu
  %10 = te.relu %9
  // CHECK-NEXT: te.exp
  %11 = te.exp %10
  // CHECK-NEXT: te.log
  %12 = te.log %11
  // CHECK-NEXT: te.sqrt
  %13 = te.sqrt %12
  // CHECK-NEXT: te.rsqrt
  %14 = te.rsqrt %13
  // CHECK-NEXT: te.reciprocal
  %15 = te.reciprocal %14
  // CHECK-NEXT: te.sigmoid
  %16 = te.sigmoid %15
  // CHECK-NEXT: te.tanh
  %17 = te.tanh %16
  // CHECK-NEXT: te.erf
  %18 = te.erf %17
  // CHECK-NEXT: te.gelu erf
  %19 = te.gelu erf %18
  // CHECK-NEXT: te.gelu tanh
  %20 = te.gelu tanh %19
  // CHECK-NEXT: te.floor
  %21 = te.floor %20
  // CHECK-NEXT: te.ceil
  %22 = te.ceil %21
  // CHECK-NEXT: te.round
  %23 = te.round %22
  // CHECK-NEXT: te.trunc
  %24 = te.trunc %23
  // CHECK-NEXT: te.sign
  %25 = te.sign %24
  // CHECK-NEXT: te.mod floor
  %26 = te.mod floor %25, %b
  // CHECK-NEXT: te.mod trunc
  %27 = te.mod trunc %26, %r
  // CHECK-NEXT: te.pow
  %28 = te.pow %27, %b
  // CHECK-NEXT: te.expm1
  %29 = te.expm1 %28
  // CHECK-NEXT: te.log1p
  %30 = te.log1p %29
  // CHECK-NEXT: te.sin
  %31 = te.sin %30
  // CHECK-NEXT: te.cos
  %32 = te.cos %31
  // CHECK-NEXT: te.softplus
  %33 = te.softplus %32
  return %33 : tensor<?x?xf16>
}

// Tests of floats and logic have truth values as elements, whatever shape their operands broadcast to.
// CHECK-LABEL: func.func @logic
func.func @logic(%x: tensor<?x?xf32>, %c: tensor<?xi1>, %b: i1) -> tensor<?x?xi1> {
  // CHECK: te.isnan
  %0 = te.isnan %x
  // CHECK-NEXT: te.isinf
  %1 = te.isinf %x
  // CHECK-NEXT: te.and
  %2 = te.and %0, %c
  // CHECK-NEXT: te.or
  %3 = te.or %2, %b
  // CHECK-NEXT: te.xor
  %4 = te.xor %3, %1
  // CHECK-NEXT: te.not
  %5 = te.not %4
  // CHECK-NEXT: return %{{.*}} : tensor<?x?xi1>
  return %5 : tensor<?x?xi1>
}

// CHECK-LABEL: func.func @truth
func.func @truth(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xi8> {
  // CHECK: te.compare eq
  %0 = te.compare eq %x, %y
  // CHECK-NEXT: te.compare ge
  %1 = te.compare ge %x, %y
  // CHECK-NEXT: te.compare ne
  %2 = te.compare ne %0, %1
  // CHECK-NEXT: te.select
  %3 = te.select %2, %x, %y
  // CHECK-NEXT: te.cast %{{.*}} to i8 round trunc saturate
  %4 = te.cast %3 to i8 round trunc saturate
  // The element type of a tensor type counts.
  // CHECK-NEXT: te.cast %{{.*}} to ui8{{$}}
  %5 = te.cast %4 to tensor<7xui8>
  // CHECK-NEXT: te.cast %{{.*}} to i8 unsigned
  %6 = te.cast %3 to i8 unsigned
  // CHECK: return %{{.*}} : tensor<?xi8>
  return %6 : tensor<?xi8>
}

// A constant has the type that stands after it, f32 or i64 without one.
// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: te.constant 5.000000e-01 : f32
  %0 = te.constant 0.5
  // CHECK-NEXT: te.constant -7 : i64
  %1 = te.constant -7
  // CHECK-NEXT: te.constant 1.000000e+00 : f16
  %2 = te.constant 1 : f16
  // CHECK-NEXT: te.constant -inf : bf16
  %3 = te.constant -inf : tensor<4xbf16>
  // CHECK-NEXT: te.constant nan : f32
  %4 = te.constant nan
  // CHECK-NEXT: te.constant 255 : ui8
  %5 = te.constant 255 : ui8
  // CHECK-NEXT: te.constant -128 : i8
  %6 = te.constant -128 : i8
  // CHECK-NEXT: te.constant 1 : i1
  %7 = te.constant true : i1
  // CHECK-NEXT: te.constant -9223372036854775808 : i64
  %8 = te.constant -9223372036854775808
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<?x?x?xf32>, %i: tensor<?xi32>) -> (tensor<?x1x?xf32>, tensor<?xf32>, tensor<i32>) {
  // CHECK: te.reduce_sum %{{.*}} axes [1] keep
  %0 = te.reduce_sum %x axes [1] keep
  // CHECK-NEXT: te.reduce_mean %{{.*}} axes [0, -1]
  %1 = te.reduce_mean %x axes [0, -1]
  // CHECK-NEXT: te.reduce_max %{{.*}} axes [0]
  %2 = te.reduce_max %i axes 0
  // CHECK-NEXT: te.reduce_min %{{.*}} axes [0]
  %3 = te.reduce_min %i axes array<i64: 0>
  // CHECK-NEXT: te.reduce_prod %{{.*}} axes [0] keep
  %4 = te.reduce_prod %i axes [0] keep
  // CHECK-NEXT: te.arg_max %{{.*}} axes [1] keep last
  %5 = te.arg_max %x axes [1] keep last
  // CHECK-NEXT: te.arg_min %{{.*}} axes [0]
  %6 = te.arg_min %i axes [0]
  // CHECK-NEXT: te.broadcast %{{.*}} to %{{.*}}
  %7 = te.broadcast %1 to %x
  // CHECK-NEXT: te.broadcast %{{.*}} to tensor<?x?x?xf16>
  %8 = te.broadcast %1 to tensor<?x?x?xf16>
  // CHECK: return %{{.*}} : tensor<?x1x?xf32>, tensor<?xf32>, tensor<i32>
  return %0, %1, %3 : tensor<?x1x?xf32>, tensor<?xf32>, tensor<i32>
}

// Scalars are values like tensors; a known size beside an unknown one is the result's.
// CHECK-LABEL: func.func @scalars
func.func @scalars(%a: f32, %b: f16, %x: tensor<?x1xf32>, %y: tensor<3x?xf32>) -> (f32, tensor<3x?xf32>) {
  %0 = te.add %a, %b
  %1 = te.sigmoid %0
  %2 = te.mul %x, %y
  // CHECK: return %{{.*}}, %{{.*}} : f32, tensor<3x?xf32>
  return %1, %2 : f32, tensor<3x?xf32>
}

// Parts name a dimension of the contract, which types do not show.
// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: te.slice %{{.*}} along P at 1
  %0 = te.slice %x along P at 1
  // CHECK-NEXT: te.stack %{{.*}}, %{{.*}}, %{{.*}} along Heads
  %1 = te.stack %0, %x, %0 along Heads
  return %1 : tensor<?x?xf32>
}

// Windows name dimensions of the contract. An element of a list is a number.
#sizes = [2, 3]
// CHECK-LABEL: func.func @windows
func.func @windows(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, f32) {
  // CHECK: te.window %{{.*}} over H, W
  %0 = te.window %x over H, W
  // CHECK-NEXT: te.constant 3.0{{.*}} : f32
  %1 = te.constant #sizes[1] : f32
  return %0, %1 : tensor<?x?x?xf32>, f32
}

// Matrix products: any axis of an operand may be the one that is summed.
// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>) -> (tensor<?x?xf16>, tensor<?x?xf16>) {
  // CHECK: te.matmul %{{.*}}, %{{.*}} axes [1, 0]
  %0 = te.matmul %a, %b axes [1, 0]
  // CHECK-NEXT: te.matmul %{{.*}}, %{{.*}} axes [0, 1]
  %1 = te.matmul %a, %b axes [0, 1]
  return %0, %1 : tensor<?x?xf16>, tensor<?x?xf16>
}

// CHECK-LABEL: func.func @ranges
func.func @ranges(%x: tensor<?x?xf32>, %one: tensor<1x1xf32>, %c: f32) -> tensor<?x?xf32> {
  // CHECK: te.slice %{{.*}} along L*T
  %0 = te.slice %x along L * T
  // CHECK-NEXT: te.concat %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} along 2+A+L*T+2*B
  %1 = te.concat %c, %0, %x, %one along 2+A + L*T + 2*B
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @scan
func.func @scan(%x: tensor<?x?xf16>, %n: f32) -> (tensor<?x?xf16>, tensor<?x?xf16>, f32) {
  // CHECK: te.scan sum %{{.*}} along N{{ *$}}
  %0 = te.scan sum %x along N exclusive 0
  // CHECK: te.scan product %{{.*}} along N exclusive reverse{{ *$}}
  %1 = te.scan product %0 along N exclusive 1 reverse true
  // CHECK: te.scan max %{{.*}} along M reverse loop 1
  %2 = te.scan max %n along M reverse loop 1
  return %0, %1, %2 : tensor<?x?xf16>, tensor<?x?xf16>, f32
}

// CHECK-LABEL: func.func @sort
func.func @sort(%x: tensor<?x?xf16>, %n: f32) -> (tensor<?x?xf16>, tensor<?x?xi32>, i32) {
  // CHECK: te.sort %{{[^ ]*}} along N to K{{ *$}}
  %0 = te.sort %x along N to K descending 0
  // CHECK: te.sort %{{[^ ]*}} along N to K descending places{{ *$}}
  %1 = te.sort %x along N to K descending 1 places
  // CHECK: te.sort %{{.*}} along N to K descending places loop 1
  %2 = te.sort %n along N to K descending places loop 1
  return %0, %1, %2 : tensor<?x?xf16>, tensor<?x?xi32>, i32
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<?x?xf16>, %i: tensor<?x1xi64>, %u: tensor<?x?xf16>) -> tensor<?x?xf16> {
  // CHECK: te.scatter set %{{.*}} into %{{.*}} by %{{.*}} along V
  %0 = te.scatter set %u into %x by %i along V
  // CHECK: te.scatter max %{{.*}} into %{{.*}} by %{{.*}} along V
  %1 = te.scatter max %0 into %x by %i along V
  return %1 : tensor<?x?xf16>
}

// CHECK-LABEL: func.func @iota
func.func @iota(%x: tensor<?x?xf16>) -> (tensor<?x?xi32>, tensor<?x?xi32>) {
  // CHECK: te.iota along N to %{{.*}}
  %0 = te.iota along N to %x
  // CHECK: te.iota along M to tensor<?x?xf16> loop 1
  %1 = te.iota along M to tensor<?x?xf16> loop 1
  return %0, %1 : tensor<?x?xi32>, tensor<?x?xi32>
}

// CHECK-LABEL: func.func @gather
func.func @gather(%x: tensor<?x?xf32>, %p: tensor<?x1xi64>) -> tensor<?x?xf32> {
  // CHECK: te.gather %{{.*}}, %{{.*}} along V
  %0 = te.gather %x, %p along V
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @lookup
func.func @lookup(%x: tensor<1x1xf32>, %p: tensor<?x1xi32>, %q: tensor<1x?xi64>, %k: i32) -> (tensor<?x?xf32>, f32) {
  // CHECK: te.gather %{{.*}}, %{{.*}}, %{{.*}} along H, W beyond reflect
  %0 = te.gather %x, %p, %q along H, W beyond reflect
  // CHECK: te.gather %{{.*}}, %{{.*}} along V{{$}}
  %s = te.constant 1.0 : f32
  %1 = te.gather %s, %k along V beyond nearest
  return %0, %1 : tensor<?x?xf32>, f32
}

// CHECK-LABEL: func.func @each(%{{.*}}: tensor<?x?xf16, #te.each>
func.func @each(%x: tensor<?x?xf16, #te.each>, %y: tensor<?xf16>) -> (tensor<?x?xf16>, tensor<?x?xi1>, tensor<?x?xf16>) {
  // Elementwise ops apply to each tensor.
  %0 = te.add %x, %y
  %1 = te.compare lt %0, %x
  %2 = te.select %1, %x, %y
  %3 = te.cast %2 to f16
  // CHECK: te.fold add %{{.*}}
  %4 = te.fold add %3
  // CHECK: te.fold or %{{.*}}
  %5 = te.fold or %1
  // CHECK: te.concat %{{.*}}, %{{.*}} along B+A[n]
  %6 = te.concat %4, %0 along B + A[n]
  return %4, %5, %6 : tensor<?x?xf16>, tensor<?x?xi1>, tensor<?x?xf16>
}

// The type of an operand is that of the innermost value of its name: results in groups, arguments of blocks, of regions
// and of functions, values around a region, and equal names in regions side by side.
// CHECK-LABEL: func.func @names
func.func @names(%x: tensor<?xf16>, %truth: i1, %way: i32) -> (tensor<?xf16>, tensor<?xi32>) {
  %pair:2, %single = call @three(%x) : (tensor<?xf16>) -> (tensor<?xf16>, tensor<?xi32>, tensor<?xf32>)
  // CHECK: te.neg %[[PAIR:.*]]#1
  %0 = te.neg %pair#1
  // CHECK: te.add %[[PAIR]]#0, %
  %1 = te.add %pair, %x
  // CHECK: te.exp %[[PAIR]]#2
  %2 = te.exp %single
  // CHECK: scf.if
  %3:2 = scf.if %truth -> (tensor<?xf32>, tensor<?xi32>) {
    %y = te.add %2, %single
    scf.yield %y, %0 : tensor<?xf32>, tensor<?xi32>
  } else {
    // %y is an i32 here, and a float above.
    %y = te.add %0, %pair#1
    %z = te.exp %single
    scf.yield %z, %y : tensor<?xf32>, tensor<?xi32>
  }
  // CHECK: te.abs %{{.*}}#1
  %4 = te.abs %3#1
  %y = te.abs %x
  cf.switch %way : i32, [default: ^later(%y : tensor<?xf16>), 0: ^other]
^other:
  %5 = te.relu %y
  cf.br ^later(%5 : tensor<?xf16>)
^later(%a: tensor<?xf16>):
  %6 = te.add %a, %y
  return %6, %4 : tensor<?xf16>, tensor<?xi32>
}

// An op may have arguments with the names of values around it: after it, these are meant again.
// CHECK-LABEL: func.func @names_around_an_expression
func.func @names_around_an_expression(%x: f32) -> f32 {
  %0 = emitc.expression %x : (f32) -> f32 {
    %y = emitc.unary_minus %x : (f32) -> f32
    emitc.yield %y : f32
  }
  // CHECK: te.exp %{{.*}}
  %y = te.exp %x
  // CHECK: te.add
  %1 = te.add %y, %0
  return %1 : f32
}

// The names of the function above are free again.
// CHECK-LABEL: func.func @names_of_another_function
func.func @names_of_another_function(%x: tensor<?xi32>, %pair: f32, %a: tensor<?xi1>) -> (tensor<?xi32>, f32) {
  // CHECK: te.not
  %y = te.not %a
  %0 = te.exp %pair
  %z = te.neg %x
  return %z, %0 : tensor<?xi32>, f32
}
func.func private @three(tensor<?xf16>) -> (tensor<?xf16>, tensor<?xi32>, tensor<?xf32>)
