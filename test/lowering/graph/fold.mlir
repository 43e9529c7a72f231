// RUN: opc-opt %s --graph-legalize="contracts=%opc_source/ops/library" --graph-fold="contracts=%opc_source/ops/library" --graph-verify-folded | FileCheck %s
// The numbers of what is computed here are small on purpose: they were checked by hand.

// The form of exporters before opset 17: one kernel instead of nine, whose result has the name of the last piece.
// CHECK-LABEL: graph.model @layer_norm_pow
// CHECK-NOT: graph.instance
// CHECK: %y = graph.instance "LayerNorm"(%arg0, %arg1, %arg2) ["y"] {name = "y", parameters = {epsilon = {{9.99[0-9]*E-6}} : f64, has_beta = true}
// CHECK-NOT: graph.instance
graph.model @layer_norm_pow(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %v1 = graph.node "ReduceMean"(%x) ["v1"] {name = "v1", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Sub"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %two = graph.constant "two" dense<2.0> : tensor<f32>
  %v3 = graph.node "Pow"(%v2, %two) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "ReduceMean"(%v3) ["v4"] {name = "v4", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v5 = graph.node "Add"(%eps, %v4) ["v5"] {name = "v5"} : (tensor<f32>, !graph.unknown) -> !graph.unknown
  %v6 = graph.node "Sqrt"(%v5) ["v6"] {name = "v6"} : (!graph.unknown) -> !graph.unknown
  %v7 = graph.node "Div"(%v2, %v6) ["v7"] {name = "v7"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v8 = graph.node "Mul"(%v7, %g) ["v8"] {name = "v8"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  %y = graph.node "Add"(%b, %v8) ["y"] {name = "y"} : (tensor<8xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// PyTorch centres twice; equal instances are one.
// CHECK-LABEL: graph.model @layer_norm_twice
// CHECK-NOT: graph.instance
// CHECK: %y = graph.instance "LayerNorm"(%arg0, %arg1, %arg2) ["y"] {name = "y", parameters = {epsilon = {{9.99[0-9]*E-6}} : f64, has_beta = true}
// CHECK-NOT: graph.instance
graph.model @layer_norm_twice(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %v1 = graph.node "ReduceMean"(%x) ["v1"] {name = "v1", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Sub"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Sub"(%x, %v1) ["v3"] {name = "v3"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v4 = graph.node "Mul"(%v3, %v3) ["v4"] {name = "v4"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v5 = graph.node "ReduceMean"(%v4) ["v5"] {name = "v5", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v6 = graph.node "Add"(%v5, %eps) ["v6"] {name = "v6"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v7 = graph.node "Sqrt"(%v6) ["v7"] {name = "v7"} : (!graph.unknown) -> !graph.unknown
  %v8 = graph.node "Div"(%v2, %v7) ["v8"] {name = "v8"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v9 = graph.node "Mul"(%v8, %g) ["v9"] {name = "v9"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  %y = graph.node "Add"(%b, %v9) ["y"] {name = "y"} : (tensor<8xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// Other forms of the quotient.
// CHECK-LABEL: graph.model @layer_norm_reciprocal
// CHECK-NOT: graph.instance
// CHECK: %y = graph.instance "LayerNorm"(%arg0, %arg1, %arg2) ["y"] {name = "y", parameters = {epsilon = {{9.99[0-9]*E-6}} : f64, has_beta = true}
// CHECK-NOT: graph.instance
graph.model @layer_norm_reciprocal(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %v1 = graph.node "ReduceMean"(%x) ["v1"] {name = "v1", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Sub"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Mul"(%v2, %v2) ["v3"] {name = "v3"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v4 = graph.node "ReduceMean"(%v3) ["v4"] {name = "v4", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v5 = graph.node "Add"(%v4, %eps) ["v5"] {name = "v5"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v6 = graph.node "Sqrt"(%v5) ["v6"] {name = "v6"} : (!graph.unknown) -> !graph.unknown
  %v7 = graph.node "Reciprocal"(%v6) ["v7"] {name = "v7"} : (!graph.unknown) -> !graph.unknown
  %v8 = graph.node "Mul"(%v7, %v2) ["v8"] {name = "v8"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v9 = graph.node "Mul"(%v8, %g) ["v9"] {name = "v9"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  %y = graph.node "Add"(%b, %v9) ["y"] {name = "y"} : (tensor<8xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// Likewise.
// CHECK-LABEL: graph.model @layer_norm_one
// CHECK-NOT: graph.instance
// CHECK: %y = graph.instance "LayerNorm"(%arg0, %arg1, %arg2) ["y"] {name = "y", parameters = {epsilon = {{9.99[0-9]*E-6}} : f64, has_beta = true}
// CHECK-NOT: graph.instance
graph.model @layer_norm_one(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %v1 = graph.node "ReduceMean"(%x) ["v1"] {name = "v1", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Sub"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Mul"(%v2, %v2) ["v3"] {name = "v3"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v4 = graph.node "ReduceMean"(%v3) ["v4"] {name = "v4", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v5 = graph.node "Add"(%v4, %eps) ["v5"] {name = "v5"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %v6 = graph.node "Sqrt"(%v5) ["v6"] {name = "v6"} : (!graph.unknown) -> !graph.unknown
  %v7 = graph.node "Div"(%one, %v6) ["v7"] {name = "v7"} : (tensor<f32>, !graph.unknown) -> !graph.unknown
  %v8 = graph.node "Mul"(%v2, %v7) ["v8"] {name = "v8"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v9 = graph.node "Mul"(%v8, %g) ["v9"] {name = "v9"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  %y = graph.node "Add"(%b, %v9) ["y"] {name = "y"} : (tensor<8xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// Likewise.
// CHECK-LABEL: graph.model @layer_norm_power
// CHECK-NOT: graph.instance
// CHECK: %y = graph.instance "LayerNorm"(%arg0, %arg1, %arg2) ["y"] {name = "y", parameters = {epsilon = {{9.99[0-9]*E-6}} : f64, has_beta = true}
// CHECK-NOT: graph.instance
graph.model @layer_norm_power(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %v1 = graph.node "ReduceMean"(%x) ["v1"] {name = "v1", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Sub"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Mul"(%v2, %v2) ["v3"] {name = "v3"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v4 = graph.node "ReduceMean"(%v3) ["v4"] {name = "v4", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v5 = graph.node "Add"(%v4, %eps) ["v5"] {name = "v5"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %minus = graph.constant "minus" dense<-0.5> : tensor<f32>
  %v6 = graph.node "Pow"(%v5, %minus) ["v6"] {name = "v6"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v7 = graph.node "Mul"(%v2, %v6) ["v7"] {name = "v7"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v8 = graph.node "Mul"(%v7, %g) ["v8"] {name = "v8"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  %y = graph.node "Add"(%b, %v8) ["y"] {name = "y"} : (tensor<8xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// Likewise.
// CHECK-LABEL: graph.model @layer_norm_half
// CHECK-NOT: graph.instance
// CHECK: %y = graph.instance "LayerNorm"(%arg0, %arg1, %arg2) ["y"] {name = "y", parameters = {epsilon = {{9.99[0-9]*E-6}} : f64, has_beta = true}
// CHECK-NOT: graph.instance
graph.model @layer_norm_half(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %v1 = graph.node "ReduceMean"(%x) ["v1"] {name = "v1", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Sub"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Mul"(%v2, %v2) ["v3"] {name = "v3"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v4 = graph.node "ReduceMean"(%v3) ["v4"] {name = "v4", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v5 = graph.node "Add"(%v4, %eps) ["v5"] {name = "v5"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v6 = graph.node "Pow"(%v5, %half) ["v6"] {name = "v6"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v7 = graph.node "Div"(%v2, %v6) ["v7"] {name = "v7"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v8 = graph.node "Mul"(%v7, %g) ["v8"] {name = "v8"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  %y = graph.node "Add"(%b, %v8) ["y"] {name = "y"} : (tensor<8xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// Without scale and shift, of a model whose rows stay as they are: ones, and no beta.
// CHECK-LABEL: graph.model @layer_norm_bare
// CHECK-NOT: graph.instance
// CHECK-DAG: %[[ONES:.*]] = graph.constant "ones" dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[NONE:.*]] = graph.absent
// CHECK: graph.instance "LayerNorm"(%arg0, %[[ONES]], %[[NONE]]) {{.*}}has_beta = false
// CHECK-NOT: graph.instance
graph.model @layer_norm_bare(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v8"], phase = #graph.phase<imported>} {
  %v1 = graph.node "ReduceMean"(%x) ["v1"] {name = "v1", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Sub"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Sub"(%x, %v1) ["v3"] {name = "v3"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v4 = graph.node "Mul"(%v3, %v3) ["v4"] {name = "v4"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v5 = graph.node "ReduceMean"(%v4) ["v5"] {name = "v5", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v6 = graph.node "Add"(%v5, %eps) ["v6"] {name = "v6"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v7 = graph.node "Sqrt"(%v6) ["v7"] {name = "v7"} : (!graph.unknown) -> !graph.unknown
  %v8 = graph.node "Div"(%v2, %v7) ["v8"] {name = "v8"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %v8 : !graph.unknown
}

// A piece that something else reads stays, and so does what computes it.
// CHECK-LABEL: graph.model @layer_norm_used
// CHECK: %[[MEAN:.*]] = graph.instance "ReduceMean"(%arg0)
// CHECK: graph.instance "LayerNorm"
// CHECK-NOT: graph.instance
// CHECK: graph.output %{{.*}}, %[[MEAN]]
graph.model @layer_norm_used(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v9", "v1"], phase = #graph.phase<imported>} {
  %v1 = graph.node "ReduceMean"(%x) ["v1"] {name = "v1", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Sub"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %two = graph.constant "two" dense<2.0> : tensor<f32>
  %v3 = graph.node "Pow"(%v2, %two) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "ReduceMean"(%v3) ["v4"] {name = "v4", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v5 = graph.node "Add"(%eps, %v4) ["v5"] {name = "v5"} : (tensor<f32>, !graph.unknown) -> !graph.unknown
  %v6 = graph.node "Sqrt"(%v5) ["v6"] {name = "v6"} : (!graph.unknown) -> !graph.unknown
  %v7 = graph.node "Div"(%v2, %v6) ["v7"] {name = "v7"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v8 = graph.node "Mul"(%v7, %g) ["v8"] {name = "v8"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  %v9 = graph.node "Add"(%v8, %b) ["v9"] {name = "v9"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  graph.output %v9, %v1 : !graph.unknown, !graph.unknown
}

// Without the mean it is RmsNorm; its scale lies after dimensions of size 1.
// CHECK-LABEL: graph.model @rms_norm
// CHECK-NOT: graph.instance
// CHECK: %[[ROW:.*]] = graph.view %arg1 : tensor<1x1x8xf32> to tensor<8xf32>
// CHECK: graph.instance "RmsNorm"(%arg0, %[[ROW]])
// CHECK-NOT: graph.instance
graph.model @rms_norm(%x: tensor<2x3x8xf32>, %g: tensor<1x1x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v6"], phase = #graph.phase<imported>} {
  %two = graph.constant "two" dense<2.0> : tensor<f32>
  %v1 = graph.node "Pow"(%x, %two) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v2 = graph.node "ReduceMean"(%v1) ["v2"] {name = "v2", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v3 = graph.node "Add"(%v2, %eps) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Sqrt"(%v3) ["v4"] {name = "v4"} : (!graph.unknown) -> !graph.unknown
  %v5 = graph.node "Div"(%x, %v4) ["v5"] {name = "v5"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v6 = graph.node "Mul"(%g, %v5) ["v6"] {name = "v6"} : (tensor<1x1x8xf32>, !graph.unknown) -> !graph.unknown
  graph.output %v6 : !graph.unknown
}

// Softmax in five pieces.
// CHECK-LABEL: graph.model @softmax
// CHECK-NOT: graph.instance
// CHECK: graph.instance "Softmax"(%arg0)
// CHECK-NOT: graph.instance
graph.model @softmax(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v6"], phase = #graph.phase<imported>} {
  %v1 = graph.node "ReduceMax"(%x) ["v1"] {name = "v1", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Sub"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Exp"(%v2) ["v3"] {name = "v3"} : (!graph.unknown) -> !graph.unknown
  %last = graph.constant "last" dense<-1> : tensor<1xi64>
  %v5 = graph.node "ReduceSum"(%v3, %last) ["v5"] {name = "v5", parameters = {keepdims = 1 : i64}} : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  %v6 = graph.node "Div"(%v3, %v5) ["v6"] {name = "v6"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %v6 : !graph.unknown
}

// Gelu by its error function, however its factors are ordered.
// CHECK-LABEL: graph.model @gelu_last
// CHECK-NOT: graph.instance
// CHECK: graph.instance "Gelu"(%arg0)
// CHECK-NOT: graph.instance
graph.model @gelu_last(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v5"], phase = #graph.phase<imported>} {
  %root = graph.constant "root" dense<1.41421354> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v1 = graph.node "Div"(%x, %root) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v2 = graph.node "Erf"(%v1) ["v2"] {name = "v2"} : (!graph.unknown) -> !graph.unknown
  %v3 = graph.node "Add"(%v2, %one) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Mul"(%x, %v3) ["v4"] {name = "v4"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v5 = graph.node "Mul"(%v4, %half) ["v5"] {name = "v5"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  graph.output %v5 : !graph.unknown
}

// Gelu by its error function, however its factors are ordered.
// CHECK-LABEL: graph.model @gelu_mul
// CHECK-NOT: graph.instance
// CHECK: graph.instance "Gelu"(%arg0)
// CHECK-NOT: graph.instance
graph.model @gelu_mul(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v5"], phase = #graph.phase<imported>} {
  %root = graph.constant "root" dense<1.41421354> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %inverse = graph.constant "inverse" dense<0.70710677> : tensor<f32>
  %v1 = graph.node "Mul"(%x, %inverse) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v2 = graph.node "Erf"(%v1) ["v2"] {name = "v2"} : (!graph.unknown) -> !graph.unknown
  %v3 = graph.node "Add"(%one, %v2) ["v3"] {name = "v3"} : (tensor<f32>, !graph.unknown) -> !graph.unknown
  %v4 = graph.node "Mul"(%x, %half) ["v4"] {name = "v4"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v5 = graph.node "Mul"(%v4, %v3) ["v5"] {name = "v5"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %v5 : !graph.unknown
}

// Gelu by its error function, however its factors are ordered.
// CHECK-LABEL: graph.model @gelu_inner
// CHECK-NOT: graph.instance
// CHECK: graph.instance "Gelu"(%arg0)
// CHECK-NOT: graph.instance
graph.model @gelu_inner(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v5"], phase = #graph.phase<imported>} {
  %root = graph.constant "root" dense<1.41421354> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v1 = graph.node "Div"(%x, %root) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v2 = graph.node "Erf"(%v1) ["v2"] {name = "v2"} : (!graph.unknown) -> !graph.unknown
  %v3 = graph.node "Add"(%v2, %one) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Mul"(%half, %v3) ["v4"] {name = "v4"} : (tensor<f32>, !graph.unknown) -> !graph.unknown
  %v5 = graph.node "Mul"(%x, %v4) ["v5"] {name = "v5"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  graph.output %v5 : !graph.unknown
}

// Gelu by its error function, however its factors are ordered.
// CHECK-LABEL: graph.model @gelu_div
// CHECK-NOT: graph.instance
// CHECK: graph.instance "Gelu"(%arg0)
// CHECK-NOT: graph.instance
graph.model @gelu_div(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v5"], phase = #graph.phase<imported>} {
  %root = graph.constant "root" dense<1.41421354> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v1 = graph.node "Div"(%x, %root) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v2 = graph.node "Erf"(%v1) ["v2"] {name = "v2"} : (!graph.unknown) -> !graph.unknown
  %v3 = graph.node "Add"(%v2, %one) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Mul"(%v3, %x) ["v4"] {name = "v4"} : (!graph.unknown, tensor<2x3x8xf32>) -> !graph.unknown
  %two = graph.constant "two" dense<2.0> : tensor<f32>
  %v5 = graph.node "Div"(%v4, %two) ["v5"] {name = "v5"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  graph.output %v5 : !graph.unknown
}

// An operand that is a product itself, and a gate after it.
// CHECK-LABEL: graph.model @gelu_of_product
// CHECK: %[[P:.*]] = graph.instance "Mul"(%arg0, %arg1)
// CHECK-NEXT: %[[G:.*]] = graph.instance "Gelu"(%[[P]])
// CHECK-NEXT: graph.instance "Mul"(%[[G]], %arg2)
// CHECK-NOT: graph.instance
graph.model @gelu_of_product(%x: tensor<2x3x8xf32>, %z: tensor<2x3x8xf32>, %w: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v7"], phase = #graph.phase<imported>} {
  %v1 = graph.node "Mul"(%x, %z) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> !graph.unknown
  %root = graph.constant "root" dense<1.41421354> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v2 = graph.node "Div"(%v1, %root) ["v2"] {name = "v2"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v3 = graph.node "Erf"(%v2) ["v3"] {name = "v3"} : (!graph.unknown) -> !graph.unknown
  %v4 = graph.node "Add"(%v3, %one) ["v4"] {name = "v4"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v5 = graph.node "Mul"(%v1, %v4) ["v5"] {name = "v5"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v6 = graph.node "Mul"(%v5, %half) ["v6"] {name = "v6"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v7 = graph.node "Mul"(%v6, %w) ["v7"] {name = "v7"} : (!graph.unknown, tensor<2x3x8xf32>) -> !graph.unknown
  graph.output %v7 : !graph.unknown
}

// Its approximation, with the cube as a power, as a product, and with x taken out.
// CHECK-LABEL: graph.model @gelu_tanh_pow
// CHECK-NOT: graph.instance
// CHECK: graph.instance "GeluTanh"(%arg0)
// CHECK-NOT: graph.instance
graph.model @gelu_tanh_pow(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v8"], phase = #graph.phase<imported>} {
  %k = graph.constant "k" dense<0.797884583> : tensor<f32>
  %a = graph.constant "a" dense<0.044715> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %three = graph.constant "three" dense<3.0> : tensor<f32>
  %v1 = graph.node "Pow"(%x, %three) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v2 = graph.node "Mul"(%v1, %a) ["v2"] {name = "v2"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v3 = graph.node "Add"(%x, %v2) ["v3"] {name = "v3"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v4 = graph.node "Mul"(%v3, %k) ["v4"] {name = "v4"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v5 = graph.node "Mul"(%half, %x) ["v5"] {name = "v5"} : (tensor<f32>, tensor<2x3x8xf32>) -> !graph.unknown
  %v6 = graph.node "Tanh"(%v4) ["v6"] {name = "v6"} : (!graph.unknown) -> !graph.unknown
  %v7 = graph.node "Add"(%v6, %one) ["v7"] {name = "v7"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v8 = graph.node "Mul"(%v5, %v7) ["v8"] {name = "v8"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %v8 : !graph.unknown
}

// Its approximation, with the cube as a power, as a product, and with x taken out.
// CHECK-LABEL: graph.model @gelu_tanh_mul
// CHECK-NOT: graph.instance
// CHECK: graph.instance "GeluTanh"(%arg0)
// CHECK-NOT: graph.instance
graph.model @gelu_tanh_mul(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v9"], phase = #graph.phase<imported>} {
  %k = graph.constant "k" dense<0.797884583> : tensor<f32>
  %a = graph.constant "a" dense<0.044715> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v1 = graph.node "Mul"(%x, %x) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Mul"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Mul"(%a, %v2) ["v3"] {name = "v3"} : (tensor<f32>, !graph.unknown) -> !graph.unknown
  %v4 = graph.node "Add"(%v3, %x) ["v4"] {name = "v4"} : (!graph.unknown, tensor<2x3x8xf32>) -> !graph.unknown
  %v5 = graph.node "Mul"(%v4, %k) ["v5"] {name = "v5"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v6 = graph.node "Mul"(%half, %x) ["v6"] {name = "v6"} : (tensor<f32>, tensor<2x3x8xf32>) -> !graph.unknown
  %v7 = graph.node "Tanh"(%v5) ["v7"] {name = "v7"} : (!graph.unknown) -> !graph.unknown
  %v8 = graph.node "Add"(%v7, %one) ["v8"] {name = "v8"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v9 = graph.node "Mul"(%v6, %v8) ["v9"] {name = "v9"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %v9 : !graph.unknown
}

// Its approximation, with the cube as a power, as a product, and with x taken out.
// CHECK-LABEL: graph.model @gelu_tanh_square
// CHECK-NOT: graph.instance
// CHECK: graph.instance "GeluTanh"(%arg0)
// CHECK-NOT: graph.instance
graph.model @gelu_tanh_square(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v9"], phase = #graph.phase<imported>} {
  %k = graph.constant "k" dense<0.797884583> : tensor<f32>
  %a = graph.constant "a" dense<0.044715> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v1 = graph.node "Mul"(%x, %k) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v2 = graph.node "Mul"(%x, %a) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v3 = graph.node "Mul"(%v2, %x) ["v3"] {name = "v3"} : (!graph.unknown, tensor<2x3x8xf32>) -> !graph.unknown
  %v4 = graph.node "Add"(%v3, %one) ["v4"] {name = "v4"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v5 = graph.node "Mul"(%v1, %v4) ["v5"] {name = "v5"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v6 = graph.node "Mul"(%half, %x) ["v6"] {name = "v6"} : (tensor<f32>, tensor<2x3x8xf32>) -> !graph.unknown
  %v7 = graph.node "Tanh"(%v5) ["v7"] {name = "v7"} : (!graph.unknown) -> !graph.unknown
  %v8 = graph.node "Add"(%v7, %one) ["v8"] {name = "v8"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v9 = graph.node "Mul"(%v6, %v8) ["v9"] {name = "v9"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %v9 : !graph.unknown
}

// Swish, and one with a factor in its gate.
// CHECK-LABEL: graph.model @swish
// CHECK-NOT: graph.instance
// CHECK: graph.instance "Swish"(%arg0) {{.*}}beta = 1.000000e+00 : f64
// CHECK-NEXT: graph.instance "Swish"(%arg0) {{.*}}beta = 1.70{{.*}} : f64
// CHECK-NOT: graph.instance
graph.model @swish(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v2", "v5"], phase = #graph.phase<imported>} {
  %v1 = graph.node "Sigmoid"(%x) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Mul"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %f = graph.constant "f" dense<1.702> : tensor<f32>
  %v3 = graph.node "Mul"(%x, %f) ["v3"] {name = "v3"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Sigmoid"(%v3) ["v4"] {name = "v4"} : (!graph.unknown) -> !graph.unknown
  %v5 = graph.node "Mul"(%v4, %x) ["v5"] {name = "v5"} : (!graph.unknown, tensor<2x3x8xf32>) -> !graph.unknown
  graph.output %v2, %v5 : !graph.unknown, !graph.unknown
}

// As a quotient.
// CHECK-LABEL: graph.model @swish_quotient
// CHECK-NOT: graph.instance
// CHECK: graph.instance "Swish"(%arg0)
// CHECK-NOT: graph.instance
graph.model @swish_quotient(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v4"], phase = #graph.phase<imported>} {
  %v1 = graph.node "Neg"(%x) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Exp"(%v1) ["v2"] {name = "v2"} : (!graph.unknown) -> !graph.unknown
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %v3 = graph.node "Add"(%v2, %one) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Div"(%x, %v3) ["v4"] {name = "v4"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  graph.output %v4 : !graph.unknown
}

// HardSwish by HardSigmoid, and as mobile networks are exported.
// CHECK-LABEL: graph.model @hard_swish
// CHECK-NOT: graph.instance
// CHECK: graph.instance "HardSwish"(%arg0)
// CHECK-NEXT: graph.instance "HardSwish"(%arg1)
// CHECK-NOT: graph.instance
graph.model @hard_swish(%x: tensor<2x3x8xf32>, %z: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v2", "v6"], phase = #graph.phase<imported>} {
  %v1 = graph.node "HardSigmoid"(%x) ["v1"] {name = "v1", parameters = {alpha = 0.166666672 : f32, beta = 5.000000e-01 : f32}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Mul"(%x, %v1) ["v2"] {name = "v2"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %lo = graph.constant "lo" dense<0.0> : tensor<f32>
  %hi = graph.constant "hi" dense<6.0> : tensor<f32>
  %three = graph.constant "three" dense<3.0> : tensor<f32>
  %v3 = graph.node "Add"(%z, %three) ["v3"] {name = "v3"} : (tensor<2x3x8xf32>, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Clip"(%v3, %lo, %hi) ["v4"] {name = "v4"} : (!graph.unknown, tensor<f32>, tensor<f32>) -> !graph.unknown
  %v5 = graph.node "Mul"(%z, %v4) ["v5"] {name = "v5"} : (tensor<2x3x8xf32>, !graph.unknown) -> !graph.unknown
  %six = graph.constant "six" dense<6.0> : tensor<f32>
  %v6 = graph.node "Div"(%v5, %six) ["v6"] {name = "v6"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  graph.output %v2, %v6 : !graph.unknown, !graph.unknown
}

// Arithmetic with neutral operands, transposes that move nothing or undo each other, and unused results.
// CHECK-LABEL: graph.model @nothing
// CHECK-NOT: graph.instance
// CHECK: %[[V:.*]] = graph.view %arg0 : tensor<2x3x8xf32> to tensor<2x3x8x1xf32>
// CHECK: graph.output %arg0, %arg0, %[[V]]
graph.model @nothing(%x: tensor<2x3x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v4", "v6", "v9"], phase = #graph.phase<imported>} {
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %zero = graph.constant "zero" dense<0.0> : tensor<f32>
  %v1 = graph.node "Mul"(%one, %x) ["v1"] {name = "v1"} : (tensor<f32>, tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Div"(%v1, %one) ["v2"] {name = "v2"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v3 = graph.node "Add"(%v2, %zero) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Sub"(%v3, %zero) ["v4"] {name = "v4"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v5 = graph.node "Transpose"(%x) ["v5"] {name = "v5", parameters = {perm = array<i64: 2, 0, 1>}} : (tensor<2x3x8xf32>) -> !graph.unknown
  %v6 = graph.node "Transpose"(%v5) ["v6"] {name = "v6", parameters = {perm = array<i64: 1, 2, 0>}} : (!graph.unknown) -> !graph.unknown
  %axes = graph.constant "axes" dense<3> : tensor<1xi64>
  %v7 = graph.node "Unsqueeze"(%x, %axes) ["v7"] {name = "v7"} : (tensor<2x3x8xf32>, tensor<1xi64>) -> !graph.unknown
  %v8 = graph.node "Transpose"(%v7) ["v8"] {name = "v8", parameters = {perm = array<i64: 0, 3, 1, 2>}} : (!graph.unknown) -> !graph.unknown
  %v9 = graph.node "Transpose"(%v8) ["v9"] {name = "v9", parameters = {perm = array<i64: 0, 2, 3, 1>}} : (!graph.unknown) -> !graph.unknown
  %v10 = graph.node "Exp"(%x) ["v10"] {name = "v10"} : (tensor<2x3x8xf32>) -> !graph.unknown
  graph.output %v4, %v6, %v9 : !graph.unknown, !graph.unknown, !graph.unknown
}

// A product, its bias and a function of both.
// CHECK-LABEL: graph.model @product_gelu
// CHECK-NOT: graph.instance
// CHECK: graph.instance "MatMulGelu"(%arg0, %arg1, %arg2)
// CHECK-NOT: graph.instance
graph.model @product_gelu(%a: tensor<2x3x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v7"], phase = #graph.phase<imported>} {
  %v1 = graph.node "MatMul"(%a, %w) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<8x5xf32>) -> !graph.unknown
  %v2 = graph.node "Add"(%b, %v1) ["v2"] {name = "v2"} : (tensor<5xf32>, !graph.unknown) -> !graph.unknown
  %root = graph.constant "root" dense<1.41421354> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v3 = graph.node "Div"(%v2, %root) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Erf"(%v3) ["v4"] {name = "v4"} : (!graph.unknown) -> !graph.unknown
  %v5 = graph.node "Add"(%v4, %one) ["v5"] {name = "v5"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v6 = graph.node "Mul"(%v2, %v5) ["v6"] {name = "v6"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v7 = graph.node "Mul"(%v6, %half) ["v7"] {name = "v7"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  graph.output %v7 : !graph.unknown
}

// A product and its bias alone, whatever reads the sum.
// CHECK-LABEL: graph.model @product_bias
// CHECK-NOT: graph.instance
// CHECK: %[[Y:.*]] = graph.instance "MatMulBias"(%arg0, %arg1, %arg2)
// CHECK-NEXT: graph.instance "Tanh"(%[[Y]])
// CHECK-NEXT: graph.output
graph.model @product_bias(%a: tensor<2x3x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v3"], phase = #graph.phase<imported>} {
  %v1 = graph.node "MatMul"(%a, %w) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<8x5xf32>) -> !graph.unknown
  %v2 = graph.node "Add"(%v1, %b) ["v2"] {name = "v2"} : (!graph.unknown, tensor<5xf32>) -> !graph.unknown
  %v3 = graph.node "Tanh"(%v2) ["v3"] {name = "v3"} : (!graph.unknown) -> !graph.unknown
  graph.output %v3 : !graph.unknown
}

// A product, its bias and a function of both.
// CHECK-LABEL: graph.model @product_relu
// CHECK-NOT: graph.instance
// CHECK: graph.instance "MatMulRelu"(%arg0, %arg1, %arg2)
// CHECK-NOT: graph.instance
graph.model @product_relu(%a: tensor<2x3x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v3"], phase = #graph.phase<imported>} {
  %v1 = graph.node "MatMul"(%a, %w) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<8x5xf32>) -> !graph.unknown
  %v2 = graph.node "Add"(%b, %v1) ["v2"] {name = "v2"} : (tensor<5xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Relu"(%v2) ["v3"] {name = "v3"} : (!graph.unknown) -> !graph.unknown
  graph.output %v3 : !graph.unknown
}

// A product, its bias and a function of both.
// CHECK-LABEL: graph.model @product_swish
// CHECK-NOT: graph.instance
// CHECK: graph.instance "MatMulSwish"(%arg0, %arg1, %arg2)
// CHECK-NOT: graph.instance
graph.model @product_swish(%a: tensor<2x3x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v4"], phase = #graph.phase<imported>} {
  %v1 = graph.node "MatMul"(%a, %w) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<8x5xf32>) -> !graph.unknown
  %v2 = graph.node "Add"(%b, %v1) ["v2"] {name = "v2"} : (tensor<5xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Sigmoid"(%v2) ["v3"] {name = "v3"} : (!graph.unknown) -> !graph.unknown
  %v4 = graph.node "Mul"(%v2, %v3) ["v4"] {name = "v4"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %v4 : !graph.unknown
}

// A residual after a bias.
// CHECK-LABEL: graph.model @product_residual
// CHECK-NOT: graph.instance
// CHECK: graph.instance "MatMulAdd"(%arg0, %arg1, %arg2, %arg3)
// CHECK-NOT: graph.instance
graph.model @product_residual(%a: tensor<2x3x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>, %r: tensor<2x3x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v3"], phase = #graph.phase<imported>} {
  %v1 = graph.node "MatMul"(%a, %w) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<8x5xf32>) -> !graph.unknown
  %v2 = graph.node "Add"(%v1, %b) ["v2"] {name = "v2"} : (!graph.unknown, tensor<5xf32>) -> !graph.unknown
  %v3 = graph.node "Add"(%r, %v2) ["v3"] {name = "v3"} : (tensor<2x3x5xf32>, !graph.unknown) -> !graph.unknown
  graph.output %v3 : !graph.unknown
}

// One alone, with a bias of zeros.
// CHECK-LABEL: graph.model @product_residual_bare
// CHECK-NOT: graph.instance
// CHECK: %[[ZEROS:.*]] = graph.constant "zeros"
// CHECK: graph.instance "MatMulAdd"(%arg0, %arg1, %[[ZEROS]], %arg2)
// CHECK-NOT: graph.instance
graph.model @product_residual_bare(%a: tensor<2x3x8xf32>, %w: tensor<8x5xf32>, %r: tensor<2x3x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v2"], phase = #graph.phase<imported>} {
  %v1 = graph.node "MatMul"(%a, %w) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<8x5xf32>) -> !graph.unknown
  %v2 = graph.node "Add"(%v1, %r) ["v2"] {name = "v2"} : (!graph.unknown, tensor<2x3x5xf32>) -> !graph.unknown
  graph.output %v2 : !graph.unknown
}

// A product that two read stays by itself.
// CHECK-LABEL: graph.model @product_shared
// CHECK: graph.instance "MatMul"
// CHECK: graph.instance "Relu"
graph.model @product_shared(%a: tensor<2x3x8xf32>, %w: tensor<8x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v2", "v1"], phase = #graph.phase<imported>} {
  %v1 = graph.node "MatMul"(%a, %w) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<8x5xf32>) -> !graph.unknown
  %v2 = graph.node "Relu"(%v1) ["v2"] {name = "v2"} : (!graph.unknown) -> !graph.unknown
  graph.output %v2, %v1 : !graph.unknown, !graph.unknown
}

// PyTorch's linear layer: its matrix is transposed, and in float64 a factor after it became part of its weights.
// CHECK-LABEL: graph.model @linear
// CHECK-NOT: graph.instance
// CHECK-DAG: %[[W:.*]] = graph.constant "{{.*}}.transposed" dense<{{\[}}[2.000000e+00, 1.200000e+01], [4.000000e+00, 1.600000e+01], [6.000000e+00, 2.000000e+01]]> : tensor<3x2xf32>
// CHECK-DAG: %[[B:.*]] = graph.constant "folded.bias" dense<[4.000000e+00, 1.000000e+01]> : tensor<2xf32>
// CHECK: graph.instance "MatMulRelu"(%arg0, %[[W]], %[[B]])
// CHECK-NOT: graph.instance
graph.model @linear(%a: tensor<7x3xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v4"], phase = #graph.phase<imported>} {
  %w = graph.constant "w" dense<[[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %b = graph.constant "b" dense<[1.5, 2.25]> : tensor<2xf32>
  %f = graph.constant "f" dense<[2.0, 4.0]> : tensor<2xf32>
  %s = graph.constant "s" dense<[[1.0, 1.0]]> : tensor<1x2xf32>
  %v1 = graph.node "Gemm"(%a, %w, %b) ["v1"] {name = "v1", parameters = {transB = 1 : i64}} : (tensor<7x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> !graph.unknown
  %v2 = graph.node "Mul"(%v1, %f) ["v2"] {name = "v2"} : (!graph.unknown, tensor<2xf32>) -> !graph.unknown
  %v3 = graph.node "Add"(%v2, %s) ["v3"] {name = "v3"} : (!graph.unknown, tensor<1x2xf32>) -> !graph.unknown
  %v4 = graph.node "Relu"(%v3) ["v4"] {name = "v4"} : (!graph.unknown) -> !graph.unknown
  graph.output %v4 : !graph.unknown
}

// BatchNorm and a factor become part of the weights and the bias of a convolution, and then its Relu.
// (3 x + 1 - 2) / sqrt(4 - 1e-5 + 1e-5) * 8 + 5, times 2: 24 x + 2.
// CHECK-LABEL: graph.model @batch_norm
// CHECK-NOT: graph.instance
// CHECK-DAG: %[[W:.*]] = graph.constant "folded.weights" dense<2.4{{.*}}e+01> : tensor<1x1x1x1xf32>
// CHECK-DAG: %[[B:.*]] = graph.constant "folded.bias" dense<{{2.0|1.99}}{{.*}}> : tensor<1xf32>
// CHECK: graph.instance "Conv2dBiasRelu"(%arg0, %[[W]], %[[B]])
// CHECK-NOT: graph.instance
graph.model @batch_norm(%x: tensor<1x1x3x3xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v4"], phase = #graph.phase<imported>} {
  %w = graph.constant "w" dense<3.0> : tensor<1x1x1x1xf32>
  %b = graph.constant "b" dense<1.0> : tensor<1xf32>
  %gamma = graph.constant "gamma" dense<8.0> : tensor<1xf32>
  %beta = graph.constant "beta" dense<5.0> : tensor<1xf32>
  %mean = graph.constant "mean" dense<2.0> : tensor<1xf32>
  %variance = graph.constant "variance" dense<3.99999> : tensor<1xf32>
  %two = graph.constant "two" dense<2.0> : tensor<f32>
  %v1 = graph.node "Conv"(%x, %w, %b) ["v1"] {name = "v1", parameters = {dilations = array<i64: 1, 1>, group = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}} : (tensor<1x1x3x3xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> !graph.unknown
  %v2 = graph.node "BatchNormalization"(%v1, %gamma, %beta, %mean, %variance) ["v2"] {name = "v2"} : (!graph.unknown, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> !graph.unknown
  %v3 = graph.node "Mul"(%v2, %two) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v4 = graph.node "Relu"(%v3) ["v4"] {name = "v4"} : (!graph.unknown) -> !graph.unknown
  graph.output %v4 : !graph.unknown
}

// What follows a convolution joins it: a residual after a bias that is omitted, whose Relu has another reader; a slope;
// a Swish whose beta is not 1 does not.
// CHECK-LABEL: graph.model @after_convolution
// CHECK: %[[NONE:.*]] = graph.absent
// CHECK: %[[V2:.*]] = graph.instance "Conv2dBiasAdd"(%arg0, %w, %[[NONE]], %arg0) {{.*}}has_bias = false
// CHECK: %[[V4:.*]] = graph.instance "Conv2dBiasLeakyRelu"(%[[V2]], %w, %{{.*}}) {{.*}}alpha = 2.5
// CHECK: %[[V5:.*]] = graph.instance "Conv2d"(%[[V4]], %w, %{{.*}})
// CHECK: graph.instance "Swish"(%[[V5]])
// CHECK: graph.instance "Relu"(%[[V2]])
graph.model @after_convolution(%x: tensor<1x1x3x3xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v2", "v7", "v8"], phase = #graph.phase<imported>} {
  %w = graph.constant "w" dense<3.0> : tensor<1x1x1x1xf32>
  %beta = graph.constant "beta" dense<2.0> : tensor<f32>
  %v1 = graph.node "Conv"(%x, %w) ["v1"] {name = "v1", parameters = {dilations = array<i64: 1, 1>, group = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}} : (tensor<1x1x3x3xf32>, tensor<1x1x1x1xf32>) -> !graph.unknown
  %v2 = graph.node "Add"(%x, %v1) ["v2"] {name = "v2"} : (tensor<1x1x3x3xf32>, !graph.unknown) -> !graph.unknown
  %v3 = graph.node "Conv"(%v2, %w) ["v3"] {name = "v3", parameters = {dilations = array<i64: 1, 1>, group = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}} : (!graph.unknown, tensor<1x1x1x1xf32>) -> !graph.unknown
  %v4 = graph.node "LeakyRelu"(%v3) ["v4"] {name = "v4", parameters = {alpha = 2.5 : f64}} : (!graph.unknown) -> !graph.unknown
  %v5 = graph.node "Conv"(%v4, %w) ["v5"] {name = "v5", parameters = {dilations = array<i64: 1, 1>, group = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}} : (!graph.unknown, tensor<1x1x1x1xf32>) -> !graph.unknown
  %scaled = graph.node "Mul"(%v5, %beta) ["scaled"] {name = "scaled"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v6 = graph.node "Sigmoid"(%scaled) ["v6"] {name = "v6"} : (!graph.unknown) -> !graph.unknown
  %v7 = graph.node "Mul"(%v5, %v6) ["v7"] {name = "v7"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v8 = graph.node "Relu"(%v2) ["v8"] {name = "v8"} : (!graph.unknown) -> !graph.unknown
  graph.output %v2, %v7, %v8 : !graph.unknown, !graph.unknown, !graph.unknown
}

// A product of bytes, its scale and its bias; a scale of rows is none, and neither is a matrix that a run chooses.
// CHECK-LABEL: graph.model @dequantised
// CHECK-DAG: %[[W:.*]] = graph.constant "{{.*}}.transposed" dense<{{\[}}[1, 3, 5], [2, 4, 6]]> : tensor<2x3xi8>
// CHECK-DAG: %[[S:.*]] = graph.constant "scale" dense<2.500000e-01> : tensor<2xf32>
// CHECK: graph.instance "MatMulDequant"(%arg0, %[[W]], %[[S]], %b) ["y"]
// CHECK: graph.instance "MatMulInteger"(%arg0, %other)
// CHECK: graph.instance "Mul"
// CHECK: graph.instance "MatMulInteger"(%arg0, %arg1)
// CHECK-NOT: MatMulDequant
graph.model @dequantised(%a: tensor<7x3xi8>, %m: tensor<3x2xi8>, %r: tensor<7x1xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y", "y2", "y3"], phase = #graph.phase<imported>} {
  %w = graph.constant "w" dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %b = graph.constant "b" dense<[1.5, 2.25]> : tensor<2xf32>
  %s = graph.constant "s" dense<0.25> : tensor<f32>
  %v1 = graph.node "MatMulInteger"(%a, %w) ["v1"] {name = "v1"} : (tensor<7x3xi8>, tensor<3x2xi8>) -> !graph.unknown
  %v2 = graph.node "Cast"(%v1) ["v2"] {name = "v2", parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v3 = graph.node "Mul"(%v2, %s) ["v3"] {name = "v3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %y = graph.node "Add"(%b, %v3) ["y"] {name = "y"} : (tensor<2xf32>, !graph.unknown) -> !graph.unknown
  %other = graph.constant "other" dense<[[7, 8], [9, 10], [11, 12]]> : tensor<3x2xi8>
  %v4 = graph.node "MatMulInteger"(%a, %other) ["v4"] {name = "v4"} : (tensor<7x3xi8>, tensor<3x2xi8>) -> !graph.unknown
  %v5 = graph.node "Cast"(%v4) ["v5"] {name = "v5", parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %y2 = graph.node "Mul"(%v5, %r) ["y2"] {name = "y2"} : (!graph.unknown, tensor<7x1xf32>) -> !graph.unknown
  %v6 = graph.node "MatMulInteger"(%a, %m) ["v6"] {name = "v6"} : (tensor<7x3xi8>, tensor<3x2xi8>) -> !graph.unknown
  %v7 = graph.node "Cast"(%v6) ["v7"] {name = "v7", parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %y3 = graph.node "Mul"(%v7, %s) ["y3"] {name = "y3"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  graph.output %y, %y2, %y3 : !graph.unknown, !graph.unknown, !graph.unknown
}

// Factors and shifts of channels, as constants that are broadcast; one along the width is none.
// CHECK-LABEL: graph.model @channels
// CHECK-NOT: graph.instance
// CHECK-DAG: %[[W:.*]] = graph.constant "folded.weights" dense<{{\[\[\[}}[2.000000e+00]]], {{\[\[}}[6.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-DAG: %[[B:.*]] = graph.constant "folded.bias" dense<[-1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK: %[[C:.*]] = graph.instance "Conv2d"(%arg0, %[[W]], %[[B]]) {{.*}}has_bias = true
// CHECK-NEXT: graph.instance "Mul"(%[[C]], %wide)
// CHECK-NOT: graph.instance
graph.model @channels(%x: tensor<1x1x3x2xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v4"], phase = #graph.phase<imported>} {
  %w = graph.constant "w" dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %f = graph.constant "f" dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %s = graph.constant "s" dense<[[[[-1.0]], [[4.0]]]]> : tensor<1x2x1x1xf32>
  %wide = graph.constant "wide" dense<[1.5, 2.5]> : tensor<2xf32>
  %v1 = graph.node "Conv"(%x, %w) ["v1"] {name = "v1", parameters = {dilations = array<i64: 1, 1>, group = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}} : (tensor<1x1x3x2xf32>, tensor<2x1x1x1xf32>) -> !graph.unknown
  %v2 = graph.node "Mul"(%v1, %f) ["v2"] {name = "v2"} : (!graph.unknown, tensor<2x1x1xf32>) -> !graph.unknown
  %v3 = graph.node "Add"(%v2, %s) ["v3"] {name = "v3"} : (!graph.unknown, tensor<1x2x1x1xf32>) -> !graph.unknown
  %v4 = graph.node "Mul"(%v3, %wide) ["v4"] {name = "v4"} : (!graph.unknown, tensor<2xf32>) -> !graph.unknown
  graph.output %v4 : !graph.unknown
}

// A sum and a norm or an activation of it; one that is broadcast stays, and a Sum of three.
// CHECK-LABEL: graph.model @sums
// CHECK-NOT: graph.instance
// CHECK: graph.instance "AddRelu"(%arg0, %arg1)
// CHECK: graph.instance "BiasGelu"(%arg0, %arg2)
// CHECK: graph.instance "Add"(%arg1, %arg2)
// CHECK: graph.instance "Relu"
// CHECK: graph.instance "AddRelu"(%arg1, %arg0)
// CHECK: graph.instance "Sum"(%arg0, %arg1, %arg0)
// CHECK: graph.instance "Relu"
// CHECK-NOT: graph.instance
graph.model @sums(%x: tensor<2x3x8xf32>, %z: tensor<2x3x8xf32>, %b: tensor<8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v2", "v8", "v10", "v12", "v14"], phase = #graph.phase<imported>} {
  %v1 = graph.node "Add"(%x, %z) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "Relu"(%v1) ["v2"] {name = "v2"} : (!graph.unknown) -> !graph.unknown
  %v3 = graph.node "Add"(%b, %x) ["v3"] {name = "v3"} : (tensor<8xf32>, tensor<2x3x8xf32>) -> !graph.unknown
  %root = graph.constant "root" dense<1.41421354> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v4 = graph.node "Div"(%v3, %root) ["v4"] {name = "v4"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v5 = graph.node "Erf"(%v4) ["v5"] {name = "v5"} : (!graph.unknown) -> !graph.unknown
  %v6 = graph.node "Add"(%v5, %one) ["v6"] {name = "v6"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v7 = graph.node "Mul"(%v3, %v6) ["v7"] {name = "v7"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v8 = graph.node "Mul"(%v7, %half) ["v8"] {name = "v8"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v9 = graph.node "Add"(%z, %b) ["v9"] {name = "v9"} : (tensor<2x3x8xf32>, tensor<8xf32>) -> !graph.unknown
  %v10 = graph.node "Relu"(%v9) ["v10"] {name = "v10"} : (!graph.unknown) -> !graph.unknown
  %v11 = graph.node "Sum"(%z, %x) ["v11"] {name = "v11"} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> !graph.unknown
  %v12 = graph.node "Relu"(%v11) ["v12"] {name = "v12"} : (!graph.unknown) -> !graph.unknown
  %v13 = graph.node "Sum"(%x, %z, %x) ["v13"] {name = "v13"} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> !graph.unknown
  %v14 = graph.node "Relu"(%v13) ["v14"] {name = "v14"} : (!graph.unknown) -> !graph.unknown
  graph.output %v2, %v8, %v10, %v12, %v14 : !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown
}

// A residual and its norm.
// CHECK-LABEL: graph.model @add_norm
// CHECK-NOT: graph.instance
// CHECK: graph.instance "AddLayerNorm"(%arg0, %arg1, %arg2, %arg3)
// CHECK-NOT: graph.instance
graph.model @add_norm(%x: tensor<2x3x8xf32>, %z: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v10"], phase = #graph.phase<imported>} {
  %v1 = graph.node "Add"(%x, %z) ["v1"] {name = "v1"} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> !graph.unknown
  %v2 = graph.node "ReduceMean"(%v1) ["v2"] {name = "v2", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v3 = graph.node "Sub"(%v1, %v2) ["v3"] {name = "v3"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %two = graph.constant "two" dense<2.0> : tensor<f32>
  %v4 = graph.node "Pow"(%v3, %two) ["v4"] {name = "v4"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v5 = graph.node "ReduceMean"(%v4) ["v5"] {name = "v5", parameters = {axes = array<i64: -1>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %eps = graph.constant "eps" dense<1.0e-5> : tensor<f32>
  %v6 = graph.node "Add"(%eps, %v5) ["v6"] {name = "v6"} : (tensor<f32>, !graph.unknown) -> !graph.unknown
  %v7 = graph.node "Sqrt"(%v6) ["v7"] {name = "v7"} : (!graph.unknown) -> !graph.unknown
  %v8 = graph.node "Div"(%v3, %v7) ["v8"] {name = "v8"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v9 = graph.node "Mul"(%v8, %g) ["v9"] {name = "v9"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  %v10 = graph.node "Add"(%v9, %b) ["v10"] {name = "v10"} : (!graph.unknown, tensor<8xf32>) -> !graph.unknown
  graph.output %v10 : !graph.unknown
}

// The weights of attention: a scale and a mask of each matrix, a number for each score, and a transposed product alone.
// CHECK-LABEL: graph.model @scores
// CHECK-NOT: graph.instance
// CHECK: graph.instance "BatchMatMulSoftmax"(%arg0, %arg1, %arg4) {{.*}}has_mask = true, scale = 2.500000e-01
// CHECK-NOT: graph.instance
// CHECK: graph.instance "BatchMatMulAddSoftmax"(%arg0, %arg2, %arg5) {{.*}}scale = 1.000000e+00
// CHECK-NOT: graph.instance
// CHECK: graph.instance "BatchMatMulSoftmax"(%arg0, %arg3{{.*}}) {{.*}}has_mask = false, scale = 5.000000e-01
// CHECK-NOT: graph.instance
// CHECK: graph.instance "MatMulSoftmax"(%arg6, %arg7) {{.*}}scale = 1.250000e-01
// CHECK-NOT: graph.instance
graph.model @scores(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x8x5xf32>, %l: tensor<2x3x8x5xf32>, %r: tensor<8x5xf32>, %mask: tensor<2x1x1x5xf32>, %bias: tensor<4x5xf32>, %a: tensor<4x8xf32>, %b: tensor<5x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v4", "v7", "v10", "v13"], phase = #graph.phase<imported>} {
  %four = graph.constant "four" dense<4.0> : tensor<f32>
  %two = graph.constant "two" dense<2.0> : tensor<f32>
  %eighth = graph.constant "eighth" dense<0.125> : tensor<f32>
  %v1 = graph.node "MatMul"(%q, %k) ["v1"] {name = "v1"} : (tensor<2x3x4x8xf32>, tensor<2x3x8x5xf32>) -> !graph.unknown
  %v2 = graph.node "Div"(%v1, %four) ["v2"] {name = "v2"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v3 = graph.node "Add"(%v2, %mask) ["v3"] {name = "v3"} : (!graph.unknown, tensor<2x1x1x5xf32>) -> !graph.unknown
  %v4 = graph.node "Softmax"(%v3) ["v4"] {name = "v4", parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v5 = graph.node "MatMul"(%q, %l) ["v5"] {name = "v5"} : (tensor<2x3x4x8xf32>, tensor<2x3x8x5xf32>) -> !graph.unknown
  %v6 = graph.node "Add"(%bias, %v5) ["v6"] {name = "v6"} : (tensor<4x5xf32>, !graph.unknown) -> !graph.unknown
  %v7 = graph.node "Softmax"(%v6) ["v7"] {name = "v7", parameters = {axis = 3 : i64}} : (!graph.unknown) -> !graph.unknown
  %v8 = graph.node "MatMul"(%q, %r) ["v8"] {name = "v8"} : (tensor<2x3x4x8xf32>, tensor<8x5xf32>) -> !graph.unknown
  %v9 = graph.node "Div"(%v8, %two) ["v9"] {name = "v9"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v10 = graph.node "Softmax"(%v9) ["v10"] {name = "v10", parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v11 = graph.node "Gemm"(%a, %b) ["v11"] {name = "v11", parameters = {transB = 1 : i64}} : (tensor<4x8xf32>, tensor<5x8xf32>) -> !graph.unknown
  %v12 = graph.node "Mul"(%eighth, %v11) ["v12"] {name = "v12"} : (tensor<f32>, !graph.unknown) -> !graph.unknown
  %v13 = graph.node "Softmax"(%v12) ["v13"] {name = "v13", parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  graph.output %v4, %v7, %v10, %v13 : !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown
}
