// RUN: opc-opt %s --verify-diagnostics --graph-legalize="contracts=%opc_source/ops/library" --graph-fold="contracts=%opc_source/ops/library explain" --graph-verify-folded | FileCheck %s

// What nearly is an operator stays as it is, and says why: a factor of another number.
// CHECK-LABEL: graph.model @factor
// CHECK: graph.instance "Erf"
// CHECK-NOT: graph.instance "Gelu"
// expected-remark@+1 {{nearly Gelu at 'gate': its product has another factor}}
graph.model @factor(%x: tensor<2x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %root = graph.constant "root" dense<1.41421354> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.75> : tensor<f32>
  %u = graph.node "Div"(%x, %root) ["u"] : (tensor<2x8xf32>, tensor<f32>) -> !graph.unknown
  %e = graph.node "Erf"(%u) ["e"] {name = "erf"} : (!graph.unknown) -> !graph.unknown
  %g = graph.node "Add"(%e, %one) ["g"] {name = "gate"} : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %p = graph.node "Mul"(%x, %g) ["p"] : (tensor<2x8xf32>, !graph.unknown) -> !graph.unknown
  %y = graph.node "Mul"(%p, %half) ["y"] : (!graph.unknown, tensor<f32>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// An operand that is divided by something else than the root of 2.
// CHECK-LABEL: graph.model @root
// expected-remark@+1 {{nearly an activation at 'erf': the operand of its Erf is not divided by the square root of 2}}
graph.model @root(%x: tensor<2x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %root = graph.constant "root" dense<1.5> : tensor<f32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %u = graph.node "Div"(%x, %root) ["u"] : (tensor<2x8xf32>, tensor<f32>) -> !graph.unknown
  %e = graph.node "Erf"(%u) ["e"] {name = "erf"} : (!graph.unknown) -> !graph.unknown
  %g = graph.node "Add"(%e, %one) ["g"] : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %p = graph.node "Mul"(%x, %g) ["p"] : (tensor<2x8xf32>, !graph.unknown) -> !graph.unknown
  %y = graph.node "Mul"(%p, %half) ["y"] : (!graph.unknown, tensor<f32>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// Exponentials without the maximum overflow where Softmax does not.
// CHECK-LABEL: graph.model @softmax
// expected-remark@+1 {{nearly Softmax at 'y': no maximum of the rows is subtracted, so its exponentials overflow where Softmax does not}}
graph.model @softmax(%x: tensor<2x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %last = graph.constant "last" dense<-1> : tensor<1xi64>
  %e = graph.node "Exp"(%x) ["e"] : (tensor<2x8xf32>) -> !graph.unknown
  %s = graph.node "ReduceSum"(%e, %last) ["s"] {parameters = {keepdims = 1 : i64}} : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  %y = graph.node "Div"(%e, %s) ["y"] {name = "y"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// A norm over another dimension than the last.
// CHECK-LABEL: graph.model @first
// expected-remark@+1 {{nearly LayerNorm at 'q': its mean is not one of squares over the last dimension}}
graph.model @first(%x: tensor<2x8xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["q"], phase = #graph.phase<imported>} {
  %epsilon = graph.constant "epsilon" dense<1.0e-5> : tensor<f32>
  %m = graph.node "ReduceMean"(%x) ["m"] {parameters = {axes = array<i64: 0>, keepdims = 1 : i64}} : (tensor<2x8xf32>) -> !graph.unknown
  %c = graph.node "Sub"(%x, %m) ["c"] : (tensor<2x8xf32>, !graph.unknown) -> !graph.unknown
  %s = graph.node "Mul"(%c, %c) ["s"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %v = graph.node "ReduceMean"(%s) ["v"] {parameters = {axes = array<i64: 0>, keepdims = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %a = graph.node "Add"(%v, %epsilon) ["a"] : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %d = graph.node "Sqrt"(%a) ["d"] : (!graph.unknown) -> !graph.unknown
  %q = graph.node "Div"(%c, %d) ["q"] {name = "q"} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %q : !graph.unknown
}

// Statistics that the model computes, a function that no contract has after a product, and what contracts compute in parts.
// CHECK-LABEL: graph.model @parts
// expected-remark@+4 {{found BatchMatMulSoftmax at '' of 3}}
// expected-remark@+3 {{nearly BatchNorm in Conv2d at 'norm': its statistics are no constants}}
// expected-remark@+2 {{nearly a product with Tanh at 'tanh': no contract has this function after a product}}
// expected-remark@+1 {{nearly attention at 'mixed': scaled by 0.5, without a mask; no contract computes it as a whole, its parts run by themselves}}
graph.model @parts(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x1x1xf32>, %one: tensor<1xf32>, %m: tensor<4x4xf32>) attributes {opsets = {ai.onnx = 15 : i64}, outputs = ["n", "t", "y"], phase = #graph.phase<imported>} {
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %c = graph.node "Conv"(%x, %w) ["c"] : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> !graph.unknown
  %n = graph.node "BatchNormalization"(%c, %one, %one, %one, %one) ["n"] {name = "norm"} : (!graph.unknown, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> !graph.unknown
  %p = graph.node "MatMul"(%x, %m) ["p"] : (tensor<1x1x4x4xf32>, tensor<4x4xf32>) -> !graph.unknown
  %t = graph.node "Tanh"(%p) ["t"] {name = "tanh"} : (!graph.unknown) -> !graph.unknown
  %q = graph.node "MatMul"(%x, %x) ["q"] : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> !graph.unknown
  %s = graph.node "Mul"(%q, %half) ["s"] : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %f = graph.node "Softmax"(%s) ["f"] : (!graph.unknown) -> !graph.unknown
  %y = graph.node "MatMul"(%f, %x) ["y"] {name = "mixed"} : (!graph.unknown, tensor<1x1x4x4xf32>) -> !graph.unknown
  graph.output %n, %t, %y : !graph.unknown, !graph.unknown, !graph.unknown
}

// Long rows of short and of long keys, a mask of rows instead of columns, and a mask after a transposed product. Scores that
// have another reader stay, with a mask, too, and so does a product that its mask makes larger: nothing is said of them.
// CHECK-LABEL: graph.model @scores
// CHECK-COUNT-8: graph.instance "Softmax"
// expected-remark@+4 {{nearly softmax of scores at 'long': its rows are longer than 1024, up to which one kernel takes less time than two on the AI Core with 8 elements in a key}}
// expected-remark@+3 {{nearly softmax of scores at 'rows': its mask is no row of the scores' length}}
// expected-remark@+2 {{nearly softmax of scores at 'keys': its rows are longer than 256, up to which one kernel takes less time than two on the AI Core with 193 elements in a key}}
// expected-remark@+1 {{nearly softmax of scores at 'turned': no contract has a mask after this product}}
graph.model @scores(%q: tensor<2x4x8xf32>, %k: tensor<2x8x1025xf32>, %l: tensor<2x8x5xf32>, %r: tensor<2x8x5xf32>, %s: tensor<2x8x5xf32>, %mask: tensor<2x4x1xf32>, %a: tensor<4x8xf32>, %b: tensor<5x8xf32>, %row: tensor<5xf32>, %wide: tensor<2x4x193xf32>, %keys: tensor<2x193x257xf32>, %t: tensor<2x8x5xf32>, %c: tensor<8x5xf32>, %masks: tensor<2x1x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["v2", "v5", "v8", "v9", "v10", "v12", "v14", "v16", "v18", "v19", "v22"], phase = #graph.phase<imported>} {
  %v1 = graph.node "MatMul"(%q, %k) ["v1"] : (tensor<2x4x8xf32>, tensor<2x8x1025xf32>) -> !graph.unknown
  %v2 = graph.node "Softmax"(%v1) ["v2"] {name = "long", parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v3 = graph.node "MatMul"(%q, %l) ["v3"] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> !graph.unknown
  %v4 = graph.node "Add"(%v3, %mask) ["v4"] : (!graph.unknown, tensor<2x4x1xf32>) -> !graph.unknown
  %v5 = graph.node "Softmax"(%v4) ["v5"] {name = "rows", parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v6 = graph.node "Gemm"(%a, %b) ["v6"] {parameters = {transB = 1 : i64}} : (tensor<4x8xf32>, tensor<5x8xf32>) -> !graph.unknown
  %v7 = graph.node "Add"(%v6, %row) ["v7"] : (!graph.unknown, tensor<5xf32>) -> !graph.unknown
  %v8 = graph.node "Softmax"(%v7) ["v8"] {name = "turned", parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v9 = graph.node "MatMul"(%q, %r) ["v9"] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> !graph.unknown
  %v10 = graph.node "Softmax"(%v9) ["v10"] {parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  %half = graph.constant "half" dense<0.5> : tensor<f32>
  %v11 = graph.node "MatMul"(%q, %s) ["v11"] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> !graph.unknown
  %v12 = graph.node "Mul"(%v11, %half) ["v12"] : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v13 = graph.node "Mul"(%v12, %half) ["v13"] : (!graph.unknown, tensor<f32>) -> !graph.unknown
  %v14 = graph.node "Softmax"(%v13) ["v14"] {parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v15 = graph.node "MatMul"(%wide, %keys) ["v15"] : (tensor<2x4x193xf32>, tensor<2x193x257xf32>) -> !graph.unknown
  %v16 = graph.node "Softmax"(%v15) ["v16"] {name = "keys", parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v17 = graph.node "MatMul"(%q, %t) ["v17"] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> !graph.unknown
  %v18 = graph.node "Add"(%v17, %row) ["v18"] : (!graph.unknown, tensor<5xf32>) -> !graph.unknown
  %v19 = graph.node "Softmax"(%v18) ["v19"] {parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  %v20 = graph.node "MatMul"(%a, %c) ["v20"] : (tensor<4x8xf32>, tensor<8x5xf32>) -> !graph.unknown
  %v21 = graph.node "Add"(%v20, %masks) ["v21"] : (!graph.unknown, tensor<2x1x5xf32>) -> !graph.unknown
  %v22 = graph.node "Softmax"(%v21) ["v22"] {parameters = {axis = -1 : i64}} : (!graph.unknown) -> !graph.unknown
  graph.output %v2, %v5, %v8, %v9, %v10, %v12, %v14, %v16, %v18, %v19, %v22 : !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown
}
