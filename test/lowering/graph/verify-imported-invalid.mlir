// RUN: opc-opt %s --graph-verify-imported --split-input-file --verify-diagnostics

// Two values of one name: `opc model extract` and messages would take one for the other.
graph.model @m(%x: tensor<2xf32> {graph.name = "x"}) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{[imported_c1] expects names of values once, found 'x' again}}
  %y = graph.node "Relu"(%x) ["x"] : (tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{[imported_c2] expects the version of its domain in 'opsets', found none for 'ai.onnx'}}
  %y = graph.node "Relu"(%x) ["y"] : (tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<2xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{[imported_c3] expects a reference to a parameter of the function around the node, found "alpha"}}
  %y = graph.node "Elu"(%x) ["y"] {parameters = {alpha = #graph.reference<"alpha">}} : (tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{[imported_c4] expects no view in phase imported}}
  %y = graph.view %x : tensor<2xf32> to tensor<2x1xf32>
  graph.output %y : tensor<2x1xf32>
}

// -----

graph.model @m() attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{[imported_c5] expects an absent operand to be one of nodes alone}}
  %y = graph.absent
  graph.output %y : none
}
