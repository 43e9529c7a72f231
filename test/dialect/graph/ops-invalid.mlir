// RUN: opc-opt %s --split-input-file --verify-diagnostics

// Without the name of its operator a node means nothing.
graph.model @m(%x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{'graph.node' op [graph_c1] expects the name of an operator, found none}}
  %y = graph.node ""(%x) ["y"] : (tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

// A result without a name could not be found in the file again.
graph.model @m(%x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{'graph.node' op [graph_c1] expects a name for each of 1 results, found 2}}
  %y = graph.node "Relu"(%x) ["y", "z"] : (tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<imported>} {
  // expected-error@+1 {{'graph.node' op [graph_c2] expects a name for each of 1 regions in 'graphs', found 0}}
  %y = graph.node "If"(%x) ["y"] : (tensor<2xf32>) -> tensor<2xf32> {
    graph.output
  }
  graph.output %y : tensor<2xf32>
}

// -----

// expected-error@+1 {{[graph_c3] expects a text for each of 1 dimensions in #graph.dims, found 2}}
graph.model @m(%x: tensor<?xf32, #graph.dims<["N", "M"]>>) attributes {opsets = {}, outputs = [], phase = #graph.phase<imported>} {
  graph.output
}

// -----

// expected-error@+1 {{[graph_c3] expects names for sizes that are not known, found "N" for 4}}
graph.model @m(%x: tensor<4xf32, #graph.dims<["N"]>>) attributes {opsets = {}, outputs = [], phase = #graph.phase<imported>} {
  graph.output
}

// -----

// expected-error@+1 {{'graph.model' op [graph_c4] expects a value for each of 2 outputs, found 1}}
graph.model @m(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["a", "b"], phase = #graph.phase<imported>} {
  graph.output %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'graph.model' op [graph_c4] expects 'graph.output' at its end}}
graph.model @m(%x: tensor<4xf32>) attributes {opsets = {}, outputs = [], phase = #graph.phase<imported>} {
  %none = graph.absent
}

// -----

// expected-error@+1 {{'graph.model' op [graph_c4] expects 'graph.name', a text, at an argument, found 'graph.size'}}
graph.model @m(%x: tensor<4xf32> {graph.size = 4 : i64}) attributes {opsets = {}, outputs = [], phase = #graph.phase<imported>} {
  graph.output
}

// -----

graph.model @m(%x: tensor<4xf32>) attributes {opsets = {}, outputs = [], phase = #graph.phase<imported>} {
  // expected-error@+1 {{'graph.view' op [graph_c5] expects one number of elements, found 4 and 5}}
  %y = graph.view %x : tensor<4xf32> to tensor<5xf32>
  graph.output
}

// -----

graph.model @m(%x: tensor<4xf32>) attributes {opsets = {}, outputs = [], phase = #graph.phase<imported>} {
  // expected-error@+1 {{'graph.view' op [graph_c5] expects one type of elements, found 'f32' and 'f16'}}
  %y = graph.view %x : tensor<4xf32> to tensor<4xf16>
  graph.output
}

// -----

graph.model @m() attributes {opsets = {}, outputs = [], phase = #graph.phase<imported>} {
  // expected-error@+1 {{[graph_c6] expects elements or #graph.sparse, found 4 : i64}}
  %y = graph.constant "y" 4 : i64
  graph.output
}

// -----

"graph.model"() <{sym_name = "m", opsets = {}, outputs = [], phase = #graph.phase<imported>}> ({
  // expected-error@+1 {{'graph.constant' op [graph_c6] expects the type of its value, found 'tensor<2xf32>'}}
  %y = "graph.constant"() <{name = "y", value = dense<1> : tensor<2xi32>}> : () -> tensor<2xf32>
  "graph.output"() : () -> ()
}) : () -> ()

// -----

// A result without a name cannot be compared, nor written to a file.
graph.model @m(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c7] expects a name for each of 1 results, found 0}}
  %y = graph.instance "Relu"(%x) [] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

graph.model @m(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  // expected-error@+1 {{[graph_c7] expects a place for each of 1 results, found 0}}
  %y = graph.instance "Relu"(%x) ["y"] {places = [], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// A part that leaves its operand would be read from somebody else's memory.
graph.model @m(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c8] expects a part of 4 elements, found 2 from 3 on}}
  %y = graph.part %x from 3 "y" : tensor<4xf32> to tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c8] expects a part of 4 elements, found 2 from -1 on}}
  %y = graph.part %x from -1 "y" : tensor<4xf32> to tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<4xf16>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c8] expects one type of elements, found 'f16' and 'f32'}}
  %y = graph.part %x from 0 "y" : tensor<4xf16> to tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<?xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c8] expects sizes that are numbers}}
  %y = graph.part %x from 0 "y" : tensor<?xf32> to tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c9] expects as many elements as its operands have, 4, found 'tensor<2xf32>'}}
  %y = graph.join %x "y" : (tensor<4xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<2xf16>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c9] expects one type of elements, found 'f16' and 'f32'}}
  %y = graph.join %x "y" : (tensor<2xf16>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<?xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c9] expects sizes that are numbers}}
  %y = graph.join %x "y" : (tensor<?xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%c: tensor<2xi1>, %x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c10] expects one truth value as condition, found 'tensor<2xi1>'}}
  %y = graph.choose %c then(%x) else(%x) ["y"] : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%c: tensor<i1>, %x: tensor<2xf32>, %z: tensor<3xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c10] expects values of the types of its results in both lists}}
  %y = graph.choose %c then(%x) else(%z) ["y"] : (tensor<i1>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%c: tensor<i1>, %x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c7] expects a name for each of 1 results, found 0}}
  %y = graph.choose %c then(%x) else(%x) [] : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%c: tensor<i1>, %x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
  // expected-error@+1 {{[graph_c10] expects values of the types of its results in both lists}}
  %y = graph.branch %c ["y"] : (tensor<i1>) -> tensor<2xf32> then {
    graph.output %x : tensor<2xf32>
  } else {
    graph.output
  }
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%c: tensor<i1>, %x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
  // expected-error@+1 {{[graph_c4] expects no arguments and 'graph.output' at the end of a region}}
  %y = graph.branch %c ["y"] : (tensor<i1>) -> tensor<2xf32> then {
    graph.output %x : tensor<2xf32>
  } else {
    %z = graph.view %x : tensor<2xf32> to tensor<1x2xf32>
  }
  graph.output %y : tensor<2xf32>
}

// -----

graph.model @m(%x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
  // expected-error@+1 {{[graph_c11] expects a result with a first dimension and the number of its rows, one 64-bit integer}}
  %y = graph.host "Unique"(%x) ["y"] : (tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}
