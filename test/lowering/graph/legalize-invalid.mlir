// The pass reads its contracts for each module of a split file: those that these nodes match, or nearly match, and no others.
// RUN: rm -rf %t && mkdir %t && cd %contract && cp -r add batch_mat_mul_integer cast* celu div* gather gemm is_nan linear %t
// RUN: cd %contract && cp -r mat_mul mat_mul_integer mat_mul_?? mul neg pad2d* reduce_prod relu sum tanh transpose %t
// RUN: opc-opt %s --graph-legalize="contracts=%t" --split-input-file --verify-diagnostics

// Kernels are bound to numbers.
// expected-error@+1 {{[legalize_c1] expects inputs to be tensors of a known element type whose sizes are numbers, found 'x' of float32[N, 4]}}
graph.model @open(%x: tensor<?x4xf32, #graph.dims<["N", ""]>> {graph.name = "x"}) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "Relu"(%x) ["y"] : (tensor<?x4xf32, #graph.dims<["N", ""]>>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// A file that lies about a size would have its consumers read other bytes.
graph.model @lie(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{[legalize_c2] expects results as the file states them, found 'r' of float32[4] for float32[5] at 'act' (Relu)}}
  %r = graph.node "Relu"(%x) ["r"] {name = "act"} : (tensor<4xf32>) -> tensor<5xf32>
  %y = graph.node "Neg"(%r) ["y"] : (tensor<5xf32>) -> tensor<?xf32, #graph.dims<["N"]>>
  graph.output %y : tensor<?xf32, #graph.dims<["N"]>>
}

// -----

// Sizes that an exporter stated for an output are of its own run; another element type is an error.
graph.model @own_run(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  // expected-warning@+1 {{[legalize_c2] 'y' is of float32[4], and the file states float32[5] for it}}
  %y = graph.node "Relu"(%x) ["y"] : (tensor<4xf32>) -> tensor<5xf32>
  // expected-error@+1 {{[legalize_c2] expects results as the file states them, found 'z' of int64[1] for float32[1] at a node (Shape)}}
  %z = graph.node "Shape"(%x) ["z"] : (tensor<4xf32>) -> tensor<1xf32>
  graph.output %y, %z : tensor<5xf32>, tensor<1xf32>
}

// -----

// A rank that an exporter left beside a name is reported, and no error.
graph.model @stale(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-warning@+1 {{[legalize_c2] 'y' is of float32[4], and the file states float32[1, N] for it}}
  %y = graph.node "Relu"(%x) ["y"] : (tensor<4xf32>) -> tensor<1x?xf32, #graph.dims<["", "N"]>>
  graph.output %y : tensor<1x?xf32, #graph.dims<["", "N"]>>
}

// -----

// All that is missing is reported at once, one line for each operator and reason; what depends on it where it is certain: Relu
// may fit, and Gather may be shape arithmetic.
graph.model @missing(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'a' (Det) and 1 more: no contract has it under 'onnx'}}
  // expected-note@+1 {{fix: }}
  %a = graph.node "Det"(%x) ["a"] {name = "a"} : (tensor<4xf32>) -> !graph.unknown
  %b = graph.node "Det"(%x) ["b"] {name = "b"} : (tensor<4xf32>) -> !graph.unknown
  %y = graph.node "Relu"(%a) ["y"] : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'd' (Celu): 'Celu': the contract has no place for attribute 'beta'}}
  // expected-note@+1 {{fix: }}
  %d = graph.node "Celu"(%a) ["d"] {name = "d", parameters = {beta = 1.0 : f32}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'e' (Unique): no contract has it under 'onnx'}}
  // expected-note@+1 {{fix: }}
  %e = graph.node "Unique"(%d) ["e"] {name = "e"} : (!graph.unknown) -> !graph.unknown
  %g = graph.node "Gather"(%d, %e) ["g"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for a node (own.Relo): no contract has it under 'onnx'}}
  // expected-note@+1 {{fix: }}
  %z = graph.node "Relo" of "own"(%x) ["z"] : (tensor<4xf32>) -> !graph.unknown
  graph.output %y, %z : !graph.unknown, !graph.unknown
}

// -----

// A shape that is an input of the model is unknown before the model runs.
graph.model @computed(%x: tensor<4xf32>, %s: tensor<2xi64>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{[legalize_c4] expects the shape of a view to be known, found a node (Reshape): its 'shape' is computed while the model runs}}
  %y = graph.node "Reshape"(%x, %s) ["y"] : (tensor<4xf32>, tensor<2xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// Elements are neither lost nor made up.
graph.model @unfilled(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %s = graph.constant "s" dense<[3, -1]> : tensor<2xi64>
  // expected-error@+1 {{[legalize_c4] expects the shape of a view to be known, found a node (Reshape): 4 elements do not fill [3, -1]}}
  %y = graph.node "Reshape"(%x, %s) ["y"] : (tensor<4xf32>, tensor<2xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// A value has a rank of 64 at most, however it is made: 65 dimensions of size 1 are as few elements as one.
graph.model @rank(%x: tensor<1xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %s = graph.constant "s" dense<1> : tensor<65xi64>
  // expected-error@+1 {{[legalize_c4] expects the shape of a view to be known, found a node (Reshape): its rank is 65, more than 64}}
  %y = graph.node "Reshape"(%x, %s) ["y"] : (tensor<1xf32>, tensor<65xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// Each Gather doubles the rank: six of them make 2^6 + 1 dimensions, thirty would fill memory.
graph.model @doubling() attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %a = graph.constant "a" dense<0> : tensor<1x1xi64>
  %b = graph.node "Gather"(%a, %a) ["b"] : (tensor<1x1xi64>, tensor<1x1xi64>) -> !graph.unknown
  %c = graph.node "Gather"(%b, %b) ["c"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %d = graph.node "Gather"(%c, %c) ["d"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %e = graph.node "Gather"(%d, %d) ["e"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %f = graph.node "Gather"(%e, %e) ["f"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for a node (Gather)}}
  // expected-note@+1 {{fix: }}
  %y = graph.node "Gather"(%f, %f) ["y"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// Shapes of constants that are said in a few bytes: together they have at most 2^26 elements.
graph.model @many() attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["a", "b", "c"], phase = #graph.phase<imported>} {
  %s = graph.constant "s" dense<33554432> : tensor<1xi64>
  %a = graph.node "ConstantOfShape"(%s) ["a"] : (tensor<1xi64>) -> !graph.unknown
  %b = graph.node "ConstantOfShape"(%s) ["b"] : (tensor<1xi64>) -> !graph.unknown
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for a node (ConstantOfShape)}}
  // expected-note@+1 {{fix: }}
  %c = graph.node "ConstantOfShape"(%s) ["c"] : (tensor<1xi64>) -> !graph.unknown
  graph.output %a, %b, %c : !graph.unknown, !graph.unknown, !graph.unknown
}

// -----

// Sizes beside a 0 that no memory has: Flatten would multiply them.
// expected-error@+1 {{[legalize_c7] expects values that memory holds, less than 2^56 bytes together, found one of float32[2147483648, 2147483648, 3, 0]}}
graph.model @empty(%x: tensor<2147483648x2147483648x3x0xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "Flatten"(%x) ["y"] {parameters = {axis = 3 : i64}} : (tensor<2147483648x2147483648x3x0xf32>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// A product over no axes is its operand: 4 elements do not fill that shape, whereas a product would ask for 24.
graph.model @noop(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %c = graph.constant "c" dense<[2, 3, 4]> : tensor<3xi64>
  %p = graph.node "ReduceProd"(%c) ["p"] {parameters = {noop_with_empty_axes = 1 : i64}} : (tensor<3xi64>) -> !graph.unknown
  // expected-error@+1 {{[legalize_c4] expects the shape of a view to be known, found a node (Reshape): 4 elements do not fill [2, 3, 4]}}
  %y = graph.node "Reshape"(%x, %p) ["y"] : (tensor<4xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// A value that is not read is not zeros of float32.
graph.model @packed() attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %s = graph.constant "s" dense<4> : tensor<1xi64>
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for a node (ConstantOfShape)}}
  // expected-note@+1 {{fix: }}
  %y = graph.node "ConstantOfShape"(%s) ["y"] {parameters = {value = dense<[1, 2]> : tensor<2xi32>}} : (tensor<1xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// Where data decide a branch, both have to give the same sizes, and the condition is one truth value.
graph.model @branch(%c: tensor<i1>, %x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %w = graph.constant "w" dense<1.0> : tensor<1x4xf32>
  // expected-error@+2 {{[legalize_c5] expects a condition that is one truth value, and branches whose results have one type and the same sizes, found 'choose' (If): 'y' is of float32[4] or of float32[1, 4]}}
  // expected-note@+1 {{fix: make both branches give the same sizes; a condition that is a constant, or follows from sizes}}
  %y = graph.node "If"(%c) ["y"] {graphs = ["then_branch", "else_branch"], name = "choose"} : (tensor<i1>) -> !graph.unknown {
    graph.output %x : tensor<4xf32>
  }, {
    graph.output %w : tensor<1x4xf32>
  }
  graph.output %y : !graph.unknown
}

// -----

graph.model @many(%c: tensor<2xi1>, %x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{found 'choose' (If): its condition is of bool[2]}}
  // expected-note@+1 {{fix: make the condition one truth value}}
  %y = graph.node "If"(%c) ["y"] {graphs = ["then_branch", "else_branch"], name = "choose"} : (tensor<2xi1>) -> !graph.unknown {
    graph.output %x : tensor<4xf32>
  }, {
    graph.output %x : tensor<4xf32>
  }
  graph.output %y : !graph.unknown
}

// -----

// What a branch that may not be taken lacks is missing too.
graph.model @within(%c: tensor<i1>, %x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "If"(%c) ["y"] {graphs = ["then_branch", "else_branch"], name = "choose"} : (tensor<i1>) -> !graph.unknown {
    graph.output %x : tensor<4xf32>
  }, {
    // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for a node (Unheard)}}
    // expected-note@+1 {{fix: }}
    %u = graph.node "Unheard"(%x) ["u"] : (tensor<4xf32>) -> !graph.unknown
    graph.output %u : !graph.unknown
  }
  graph.output %y : !graph.unknown
}

// -----

// A branch is missing.
graph.model @half(%c: tensor<i1>, %x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c5] expects an If with two branches, found 'choose' (If): a branch is missing, has inputs, or has not its results}}
  // expected-note@+1 {{fix: export the model again}}
  %y = graph.node "If"(%c) ["y"] {graphs = ["then_branch"], name = "choose"} : (tensor<i1>) -> !graph.unknown {
    graph.output %x : tensor<4xf32>
  }
  graph.output %y : !graph.unknown
}

// -----

// The number of kept boxes is known only when the model runs. Boxes have a fixed shape.
graph.model @boxes(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %c: tensor<i1>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z", "w"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<3> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %y = graph.node "Cast"(%k) ["y"] {name = "cast", parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c5] expects a condition that is one truth value, and branches whose results have one type and the same sizes, found 'choose' (If): how many rows 'z' has}}
  // expected-note@+1 {{fix: make the value of the branch an output of the model}}
  %z = graph.node "If"(%c) ["z"] {graphs = ["then_branch", "else_branch"], name = "choose"} : (tensor<i1>) -> !graph.unknown {
    graph.output %y : !graph.unknown
  }, {
    graph.output %y : !graph.unknown
  }
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for a node (NonMaxSuppression): expects boxes of [batch, places, 4]}}
  // expected-note@+1 {{fix: }}
  %w = graph.node "NonMaxSuppression"(%s, %b, %most) ["w"] : (tensor<1x2x6xf32>, tensor<1x6x4xf32>, tensor<i64>) -> !graph.unknown
  graph.output %y, %z, %w : !graph.unknown, !graph.unknown, !graph.unknown
}

// -----

// After a missing operator the condition of a branch is unknown.
graph.model @behind(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for a node (Unheard)}}
  // expected-note@+1 {{fix: }}
  %u = graph.node "Unheard"(%x) ["u"] : (tensor<4xf32>) -> !graph.unknown
  %c = graph.node "IsNaN"(%u) ["c"] : (!graph.unknown) -> !graph.unknown
  %y = graph.node "If"(%c) ["y"] {graphs = ["then_branch", "else_branch"], name = "choose"} : (!graph.unknown) -> !graph.unknown {
    graph.output %x : tensor<4xf32>
  }, {
    graph.output %x : tensor<4xf32>
  }
  %s = graph.node "Size"(%u) ["s"] : (!graph.unknown) -> !graph.unknown
  %z = graph.node "If"(%s) ["z"] {graphs = ["then_branch", "else_branch"], name = "sized"} : (!graph.unknown) -> !graph.unknown {
    graph.output %x : tensor<4xf32>
  }, {
    graph.output %x : tensor<4xf32>
  }
  graph.output %y, %z : !graph.unknown, !graph.unknown
}

// -----

// A branch has no inputs, and as many results as its node, of the types that the file states.
graph.model @inputs(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %c = graph.constant "c" dense<true> : tensor<i1>
  // expected-error@+2 {{[legalize_c5] expects an If with two branches, found 'choose' (If): a branch is missing, has inputs, or has not its results}}
  // expected-note@+1 {{fix: export the model again}}
  %y = graph.node "If"(%c) ["y"] {graphs = ["then_branch", "else_branch"], name = "choose"} : (tensor<i1>) -> !graph.unknown {
  ^bb0(%own: tensor<4xf32>):
    %n = graph.node "Neg"(%own) ["n"] : (tensor<4xf32>) -> !graph.unknown
    graph.output %n : !graph.unknown
  }, {
    graph.output %x : tensor<4xf32>
  }
  graph.output %y : !graph.unknown
}

// -----

graph.model @results(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %c = graph.constant "c" dense<true> : tensor<i1>
  // expected-error@+1 {{[legalize_c2] expects results as the file states them}}
  %y = graph.node "If"(%c) ["y"] {graphs = ["then_branch", "else_branch"], name = "choose"} : (tensor<i1>) -> tensor<5xf32> {
    graph.output %x : tensor<4xf32>
  }, {
    graph.output %x : tensor<4xf32>
  }
  graph.output %y : tensor<5xf32>
}

// -----

// A loop without end, whose steps have no nodes.
graph.model @endless(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<9223372036854775807> : tensor<i64>
  %go = graph.constant "go" dense<true> : tensor<i1>
  // expected-error@+2 {{[legalize_c5] expects no loop, found 'again' (Loop): it has no steps, only the run knows how many, or they are more than 2^16 nodes}}
  // expected-note@+1 {{fix: export the model with the steps written out}}
  %y = graph.node "Loop"(%most, %go, %x) ["y"] {graphs = ["body"], name = "again"} : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> !graph.unknown {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %carried: tensor<4xf32>):
    graph.output %on, %carried : tensor<i1>, tensor<4xf32>
  }
  graph.output %y : !graph.unknown
}

// -----

// Data say how often a loop repeats.
graph.model @loop(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c5] expects no loop, found 'again' (Loop): it has no steps, only the run knows how many, or they are more than 2^16 nodes}}
  // expected-note@+1 {{fix: export the model with the steps written out}}
  %y = graph.node "Loop"(%x) ["y"] {graphs = ["body"], name = "again"} : (tensor<4xf32>) -> !graph.unknown {
    graph.output %x : tensor<4xf32>
  }
  graph.output %y : !graph.unknown
}

// -----

// Operands that a file leaves out, of nodes that would become several.
graph.model @left_out(%x: tensor<2x3xf32>, %b: tensor<3xi8>, %u: tensor<ui8>, %r: tensor<f32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["a", "c", "d", "e"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'sum' (Sum)}}
  // expected-note@+1 {{fix: }}
  %a = graph.node "Sum"() ["a"] {name = "sum"} : () -> !graph.unknown
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'gemm' (Gemm): 'Gemm': operand 2, 'b' of the contract, is left out}}
  // expected-note@+1 {{fix: }}
  %c = graph.node "Gemm"(%x) ["c"] {name = "gemm"} : (tensor<2x3xf32>) -> !graph.unknown
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'div' (Div): 'Div': operand 2, 'x2' of the contract, is left out}}
  // expected-note@+1 {{fix: }}
  %d = graph.node "Div"(%b) ["d"] {name = "div"} : (tensor<3xi8>) -> !graph.unknown
  // Filters without dimensions.
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'conv' (QLinearConv)}}
  // expected-note@+1 {{fix: }}
  %e = graph.node "QLinearConv"(%u, %r, %u, %u, %r, %u, %r, %u) ["e"] {name = "conv"} : (tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> !graph.unknown
  graph.output %a, %c, %d, %e : !graph.unknown, !graph.unknown, !graph.unknown, !graph.unknown
}

// -----

// A loop whose steps have few nodes that become many.
graph.model @many(%x: tensor<500x1x1xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<9223372036854775807> : tensor<i64>
  %go = graph.constant "go" dense<true> : tensor<i1>
  %w = graph.constant "w" dense<1.0> : tensor<1x1x1xf32>
  %shape = graph.constant "shape" dense<[500, 1, 1]> : tensor<3xi64>
  // expected-error@+2 {{[legalize_c5] expects no loop}}
  // expected-note@+1 {{fix: export the model with the steps written out}}
  %y = graph.node "Loop"(%most, %go, %x) ["y"] {graphs = ["body"], name = "again"} : (tensor<i64>, tensor<i1>, tensor<500x1x1xf32>) -> !graph.unknown {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %carried: !graph.unknown):
    %a = graph.node "RNN"(%carried, %w, %w) ["a"] {parameters = {hidden_size = 1 : i64}} : (!graph.unknown, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> !graph.unknown
    %b = graph.node "Reshape"(%a, %shape) ["b"] : (!graph.unknown, tensor<3xi64>) -> !graph.unknown
    graph.output %on, %b : tensor<i1>, !graph.unknown
  }
  graph.output %y : !graph.unknown
}

// -----

// Zero points of another type or with more dimensions than what they belong to, and biases that are no list.
graph.model @zeros(%x: tensor<2x3xui8>, %w: tensor<3x4xi8>, %many: tensor<4x1x1xui8>, %real: tensor<f32>, %i: tensor<1x1x4x4xui8>, %k: tensor<4x1x1x1xui8>, %z: tensor<ui8>, %bias: tensor<2x2xi32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["a", "b", "c"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'ranks' (MatMulInteger)}}
  // expected-note@+1 {{fix: }}
  %a = graph.node "MatMulInteger"(%x, %w, %many) ["a"] {name = "ranks"} : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<4x1x1xui8>) -> !graph.unknown
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'types' (ConvInteger)}}
  // expected-note@+1 {{fix: }}
  %b = graph.node "ConvInteger"(%i, %k, %real) ["b"] {name = "types"} : (tensor<1x1x4x4xui8>, tensor<4x1x1x1xui8>, tensor<f32>) -> !graph.unknown
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'bias' (QLinearConv)}}
  // expected-note@+1 {{fix: }}
  %c = graph.node "QLinearConv"(%i, %real, %z, %k, %real, %z, %real, %z, %bias) ["c"] {name = "bias"} : (tensor<1x1x4x4xui8>, tensor<f32>, tensor<ui8>, tensor<4x1x1x1xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<2x2xi32>) -> !graph.unknown
  graph.output %a, %b, %c : !graph.unknown, !graph.unknown, !graph.unknown
}

// -----

// Borders whose places would fill the memory.
graph.model @borders(%x: tensor<1x1x1x1xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %pads = graph.constant "pads" dense<8000000> : tensor<8xi64>
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'pad' (Pad)}}
  // expected-note@+1 {{fix: }}
  %y = graph.node "Pad"(%x, %pads) ["y"] {name = "pad", parameters = {mode = "edge"}} : (tensor<1x1x1x1xf32>, tensor<8xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// Lists of a Scan that differ: a step would read past the shorter one.
graph.model @lists(%x: tensor<4x2xf32>, %z: tensor<3x2xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c5] expects no loop, found 'each' (Scan): its lists have sizes that are not known or differ, or it has not what its graph takes and gives}}
  // expected-note@+1 {{fix: export the model with the steps written out}}
  %y = graph.node "Scan"(%x, %z) ["y"] {graphs = ["body"], name = "each", parameters = {num_scan_inputs = 2 : i64}} : (tensor<4x2xf32>, tensor<3x2xf32>) -> !graph.unknown {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    graph.output %a : tensor<2xf32>
  }
  graph.output %y : !graph.unknown
}

// -----

// A Scan that has a batch.
graph.model @batch(%x: tensor<4x2xf32>) attributes {opsets = {ai.onnx = 8 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c5] expects no loop, found 'each' (Scan): before opset 9 a Scan has a batch and lengths of sequences}}
  // expected-note@+1 {{fix: export the model with the steps written out}}
  %y = graph.node "Scan"(%x) ["y"] {graphs = ["body"], name = "each", parameters = {num_scan_inputs = 1 : i64}} : (tensor<4x2xf32>) -> !graph.unknown {
  ^bb0(%a: tensor<2xf32>):
    graph.output %a : tensor<2xf32>
  }
  graph.output %y : !graph.unknown
}

// -----

// expected-error@+1 {{[legalize_c1] expects inputs to be tensors of a known element type whose sizes are numbers, found 'x' of ?[2]}}
graph.model @type(%x: tensor<2xi2> {graph.name = "x"}) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  graph.output %x : tensor<2xi2>
}

// -----

// A node of another domain that has a graph is no loop.
graph.model @foreign(%x: tensor<4x2xf32>) attributes {opsets = {ai.onnx = 21 : i64, vendor = 1 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c5] expects a node without graphs, found 'each' (vendor.Map): opc runs the graphs of If, Loop and Scan alone}}
  // expected-note@+1 {{fix: export the model with its operators of ONNX alone}}
  %y = graph.node "Map"(%x) ["y"] {domain = "vendor", graphs = ["body"], name = "each"} : (tensor<4x2xf32>) -> !graph.unknown {
  ^bb0(%a: tensor<2xf32>):
    graph.output %a : tensor<2xf32>
  }
  graph.output %y : !graph.unknown
}

// -----

// A form of an operator that others of its kind are rewritten from.
graph.model @double_softmax(%q: tensor<1x2x3x4xf32>) attributes {opsets = {ai.onnx = 23 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+2 {{[legalize_c3] expects a contract for each node, found none for 'att' (Attention): simpler nodes replace it, but not with these attributes, types and sizes}}
  // expected-note@+1 {{fix: composition: MatMul, Mul, Add, Softmax and MatMul}}
  %y = graph.node "Attention"(%q, %q, %q) ["y"] {name = "att", parameters = {softmax_precision = 11 : i64}} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.output %y : tensor<1x2x3x4xf32>
}
