// RUN: opc-opt --cpu-expand-math %s | FileCheck %s

// What breaks without it: exp stays, becomes a call of expf, and the library needs a libm.
// CHECK-LABEL: func.func @exp_of_a_scalar
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK-NOT: math.exp
// The argument's range is cut by selections, so that NaN passes and lanes that underflow cost nothing.
// CHECK: arith.cmpf olt, %[[X]]
// CHECK: arith.cmpf ogt, %[[X]]
// CHECK: %[[Y:.*]] = arith.select
// CHECK: %[[K:.*]] = math.fma %[[Y]]
// CHECK: arith.bitcast %[[K]]
// Two factors make 2^k, so that subnormal results are rounded once.
// CHECK: arith.shli
// CHECK: arith.mulf
// CHECK: arith.shli
// CHECK: arith.mulf
// CHECK: return
func.func @exp_of_a_scalar(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// What breaks without it: explicit vectors of a later schedule would need an expansion of their own.
// CHECK-LABEL: func.func @exp_of_a_vector
// CHECK-NOT: math.exp
// CHECK: arith.constant dense<0x4B400000> : vector<8xf32>
// CHECK: math.fma {{.*}} : vector<8xf32>
func.func @exp_of_a_vector(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp %x : vector<8xf32>
  return %y : vector<8xf32>
}

// CHECK-LABEL: func.func @log_of_a_scalar
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK-NOT: math.log
// Subnormal arguments are scaled.
// CHECK: arith.cmpf olt, %[[X]]
// CHECK: %[[SCALED:.*]] = arith.mulf %[[X]]
// CHECK: arith.select {{.*}}, %[[SCALED]], %[[X]]
// CHECK: arith.shrsi
// CHECK: math.fma
// Infinity, zero, negative numbers and NaN.
// CHECK: arith.cmpf oeq, %[[X]]
// CHECK: arith.cmpf oeq, %[[X]]
// CHECK: arith.cmpf oge, %[[X]]
// CHECK: return
func.func @log_of_a_scalar(%x: f32) -> f32 {
  %y = math.log %x : f32
  return %y : f32
}

// Other types and other functions are none of this pass's.
// CHECK-LABEL: func.func @left_alone
// CHECK: math.exp {{.*}} : f64
// CHECK: math.sqrt
func.func @left_alone(%x: f64, %y: f32) -> (f64, f32) {
  %a = math.exp %x : f64
  %b = math.sqrt %y : f32
  return %a, %b : f64, f32
}
