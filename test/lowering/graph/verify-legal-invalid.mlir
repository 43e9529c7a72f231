// RUN: opc-opt %s --graph-verify-legal --split-input-file --verify-diagnostics

// A node that is left has no kernel.
graph.model @node(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[legal_c1] expects instances, views, parts, joins, copies, choices, functions of the host and constants alone in a legal model}}
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
  // expected-error@+1 {{[legal_c3] expects an absent operand to be one of instances and functions of the host alone}}
  %y = graph.absent
  graph.output %y : none
}

// -----

// The runtime has no such function.
graph.model @function(%x: tensor<4x3xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[legal_c4] expects a function of the runtime with its operands, attributes and results}}
  %y, %n = graph.host "Unique"(%x) ["y", ""] : (tensor<4x3xf32>) -> (tensor<4x3xi64>, tensor<i64>)
  graph.output %y : tensor<4x3xi64>
}

// -----

// More rows than there can be.
graph.model @rows(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[legal_c4] expects a function of the runtime with its operands, attributes and results}}
  %y, %n = graph.host "NonMaxSuppression"(%b, %s) ["y", ""] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> (tensor<13x3xi64>, tensor<i64>)
  graph.output %y : tensor<13x3xi64>
}

// -----

// Nobody would know how many rows the output has.
graph.model @uncounted(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>) attributes {opsets = {}, outputs = ["z"], phase = #graph.phase<legal>} {
  %y, %n = graph.host "NonMaxSuppression"(%b, %s) ["y", ""] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> (tensor<12x3xi64>, tensor<i64>)
  // expected-error@+1 {{[legal_c4] expects an output that follows from rows of a function to have their number}}
  %z = graph.instance "Neg"(%y) ["z"] {row = 0 : i64, source = ""} : (tensor<12x3xi64>) -> tensor<12x3xi64>
  graph.output %z : tensor<12x3xi64>
}

// -----

// The number is one of 12 rows, and these are 3.
graph.model @turned(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>) attributes {opsets = {}, outputs = ["z"], phase = #graph.phase<legal>} {
  %y, %n = graph.host "NonMaxSuppression"(%b, %s) ["y", ""] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> (tensor<12x3xi64>, tensor<i64>)
  %t = graph.view %y : tensor<12x3xi64> to tensor<3x12xi64>
  // expected-error@+1 {{[legal_c4] expects the number of rows of a function, and as many rows as that gives}}
  %z = graph.rows %t, %n : tensor<3x12xi64>, tensor<i64>
  graph.output %z : tensor<3x12xi64>
}

// -----

// A number that no function gives.
graph.model @given(%x: tensor<12xf32>, %n: tensor<i64>) attributes {opsets = {}, outputs = ["z"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[legal_c4] expects the number of rows of a function, and as many rows as that gives}}
  %z = graph.rows %x, %n : tensor<12xf32>, tensor<i64>
  graph.output %z : tensor<12xf32>
}

// -----

graph.model @inner(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>) attributes {opsets = {}, outputs = ["z"], phase = #graph.phase<legal>} {
  %y, %n = graph.host "NonMaxSuppression"(%b, %s) ["y", ""] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> (tensor<12x3xi64>, tensor<i64>)
  // expected-error@+1 {{[legal_c4] expects the output of the model alone to read what it gives}}
  %r = graph.rows %y, %n : tensor<12x3xi64>, tensor<i64>
  %z = graph.view %r : tensor<12x3xi64> to tensor<36xi64>
  graph.output %z : tensor<36xi64>
}

// -----

graph.model @number(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>) attributes {opsets = {}, outputs = ["n"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[legal_c4] expects outputs alone to read its number of rows}}
  %y, %n = graph.host "NonMaxSuppression"(%b, %s) ["y", ""] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> (tensor<12x3xi64>, tensor<i64>)
  graph.output %n : tensor<i64>
}
