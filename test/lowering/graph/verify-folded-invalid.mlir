// RUN: opc-opt %s --graph-verify-folded --split-input-file --verify-diagnostics

// What holds of a legal model holds of a folded one.
// expected-error@+1 {{[folded_c1] expects a folded model to be legal}}
graph.model @node(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
  // expected-error@+1 {{[legal_c1] expects instances, views, parts, joins, copies, choices, functions of the host and constants alone in a legal model}}
  %y = graph.node "Relu"(%x) ["y"] : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// A piece that was merged would run in vain.
graph.model @dead(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
  // expected-error@+1 {{[folded_c2] expects a reader of what a folded model computes}}
  %w = graph.instance "Exp"(%x) ["w"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  %y = graph.instance "Relu"(%x) ["y"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// Patterns compare values: they would miss pieces that are computed twice.
graph.model @twice(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["a", "b"], phase = #graph.phase<folded>} {
  // expected-note@+1 {{the first is here}}
  %a = graph.instance "Exp"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{[folded_c3] expects instances of a folded model to differ}}
  %b = graph.instance "Exp"(%x) ["b"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// Other attributes are another instance.
graph.model @differ(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["a", "b"], phase = #graph.phase<folded>} {
  %a = graph.instance "Elu"(%x) ["a"] {parameters = {alpha = 1.0 : f64}, row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  %b = graph.instance "Elu"(%x) ["b"] {parameters = {alpha = 2.0 : f64}, row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %a, %b : tensor<4xf32>, tensor<4xf32>
}
