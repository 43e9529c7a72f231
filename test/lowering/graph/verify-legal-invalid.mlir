// RUN: opc-opt %s --graph-verify-legal --split-input-file --verify-diagnostics

// A node that is left has no kernel.
graph.model @node(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[legal_c1] expects instances, views, parts, joins, copies and constants alone in a legal model}}
  %y = graph.node "Relu"(%x) ["y"] : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// Memory is planned by sizes.
graph.model @open(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[legal_c2] expects sizes that are numbers and a type of elements, found 'tensor<?xf32>'}}
  %y = graph.instance "Relu"(%x) ["y"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<?xf32>
  graph.output %y : tensor<?xf32>
}

// -----

// expected-error@+1 {{[legal_c2] expects sizes that are numbers and a type of elements, found 'tensor<?xf32>'}}
graph.model @input(%x: tensor<?xf32>) attributes {opsets = {}, outputs = ["x"], phase = #graph.phase<legal>} {
  graph.output %x : tensor<?xf32>
}

// -----

// Nothing but an instance knows what a missing operand means.
graph.model @absent() attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[legal_c3] expects an absent operand to be one of instances alone}}
  %y = graph.absent
  graph.output %y : none
}
