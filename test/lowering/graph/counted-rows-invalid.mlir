// Only these contracts matter, and each part of the file reads all that there are.
// RUN: rm -rf %t && mkdir %t && cp -r %contract/cast_int64 %contract/gather %contract/transpose %t
// RUN: opc-opt %s --graph-legalize="contracts=%t" --split-input-file --verify-diagnostics

// Rows of which data decide how many there are: what a node may not do with them, since memory has more.
// Sums over rows would add those that are not there.
graph.model @sum(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %axes = graph.constant "axes" dense<0> : tensor<1xi64>
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found 'sum' (ReduceSum): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it computes along the rows}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "ReduceSum"(%f, %axes) ["y"] {name = "sum"} : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @softmax(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Softmax): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it computes along the rows}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Softmax"(%f) ["y"] {parameters = {axis = 0 : i64}} : (!graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @best(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (ArgMax): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it computes along the rows}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "ArgMax"(%f) ["y"] : (!graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// Without axes a reduction takes all of them.
graph.model @all(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (ReduceMax): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it computes along the rows}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "ReduceMax"(%f) ["y"] : (!graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @range(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %one = graph.constant "one" dense<1> : tensor<1xi64>
  %two = graph.constant "two" dense<2> : tensor<1xi64>
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Slice): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it computes along the rows}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Slice"(%f, %one, %two) ["y"] : (!graph.unknown, tensor<1xi64>, tensor<1xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @first(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %zero = graph.constant "zero" dense<0> : tensor<i64>
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Gather): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it picks rows by their numbers, which need not be there}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Gather"(%f, %zero) ["y"] : (!graph.unknown, tensor<i64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @places(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Gather): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it gathers from counted rows at counted places}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Gather"(%f, %k) ["y"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @tile(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Tile): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and no rule says what its rows follow from}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Tile"(%f, %at) ["y"] : (!graph.unknown, tensor<2xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @number(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Shape): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and their number would be a value of the model}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Shape"(%f) ["y"] : (!graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @behind(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Concat): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it joins them to other rows, whose places depend on the number}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Concat"(%f, %f) ["y"] {parameters = {axis = 0 : i64}} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// Twelve rows beside as many as there are.
graph.model @beside(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Concat): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it combines them with rows that are counted apart}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Concat"(%f, %x) ["y"] {parameters = {axis = 1 : i64}} : (!graph.unknown, tensor<12x4xf32>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @added(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %columns = graph.constant "columns" dense<1.0> : tensor<12x3xf32>
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Add): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it combines them with rows of which there is always one number}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Add"(%f, %columns) ["y"] : (!graph.unknown, tensor<12x3xf32>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @others(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %l = graph.node "NonMaxSuppression"(%b, %s, %most) ["l"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %g = graph.node "Cast"(%l) ["g"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Add): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it combines rows that are counted apart}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Add"(%f, %g) ["y"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// The rows of one meet the columns of the other.
graph.model @across(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %t = graph.node "Transpose"(%f) ["t"] : (!graph.unknown) -> !graph.unknown
  %zero = graph.constant "zero" dense<0> : tensor<i64>
  %c = graph.node "Gather"(%f, %zero) ["c"] {parameters = {axis = 1 : i64}} : (!graph.unknown, tensor<i64>) -> !graph.unknown
  %one = graph.constant "one" dense<1> : tensor<1xi64>
  %d = graph.node "Unsqueeze"(%c, %one) ["d"] : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Mul): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it combines rows that are counted apart}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Mul"(%d, %t) ["y"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @cut(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %all = graph.constant "all" dense<-1> : tensor<1xi64>
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Reshape): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it cuts rows up, puts several into one, or has a size that is their number}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Reshape"(%f, %all) ["y"] : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// The rows of a right operand are added up.
graph.model @right(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (MatMul): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and no rule says what its rows follow from}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "MatMul"(%x, %f) ["y"] : (tensor<12x4xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @columns(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %t = graph.node "Transpose"(%f) ["t"] : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (MatMul): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it computes along the rows}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "MatMul"(%t, %x) ["y"] : (!graph.unknown, tensor<12x4xf32>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// A caller gets the first rows of a tensor.
graph.model @turned(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>, %at: tensor<2xi64>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %y = graph.node "Transpose"(%f) ["y"] : (!graph.unknown) -> !graph.unknown
  // expected-error@+1 {{[legalize_c8] expects rows that data count along the first dimension of an output, found 'y' with them along dimension 1}}
  graph.output %y : !graph.unknown
}

// -----

// Three rows of three numbers, beside the same with rows as columns.
graph.model @turned_beside(%b: tensor<1x3x4xf32>, %s: tensor<1x1x3xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<3> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<i64>) -> !graph.unknown
  %f = graph.node "Cast"(%k) ["f"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %t = graph.node "Transpose"(%f) ["t"] : (!graph.unknown) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Concat): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it combines them with rows that are counted apart}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Concat"(%f, %t) ["y"] {parameters = {axis = 1 : i64}} : (!graph.unknown, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// One place in each row of twelve.
graph.model @batches(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<12x4xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !graph.unknown
  %zero = graph.constant "zero" dense<0> : tensor<1xi64>
  %c = graph.node "Gather"(%k, %zero) ["c"] {parameters = {axis = 1 : i64}} : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (GatherND): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and no rule says what its rows follow from}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "GatherND"(%x, %c) ["y"] {parameters = {batch_dims = 1 : i64}} : (tensor<12x4xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// Indices of a dimension in a row: as many columns as there are elements.
graph.model @columns_of_places(%x: tensor<3x4xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "NonZero"(%x) ["y"] : (tensor<3x4xf32>) -> !graph.unknown
  // expected-error@+1 {{[legalize_c8] expects rows that data count along the first dimension of an output, found 'y' with them along dimension 1}}
  graph.output %y : !graph.unknown
}

// -----

// Eighteen elements are six rows of three: right for six rows alone.
graph.model @fixed(%b: tensor<1x6x4xf32>, %s: tensor<1x1x6xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<i64>) -> !graph.unknown
  %sizes = graph.constant "sizes" dense<[6, 3]> : tensor<2xi64>
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Reshape): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it cuts rows up, puts several into one, or has a size that is their number}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Reshape"(%k, %sizes) ["y"] : (!graph.unknown, tensor<2xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// With one row at most a size of 1 is not their number.
graph.model @one_flat(%b: tensor<1x6x4xf32>, %s: tensor<1x1x6xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<1> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<i64>) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Flatten): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it cuts rows up, puts several into one, or has a size that is their number}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Flatten"(%k) ["y"] {parameters = {axis = 0 : i64}} : (!graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @one_fixed(%b: tensor<1x6x4xf32>, %s: tensor<1x1x6xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<1> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<i64>) -> !graph.unknown
  %sizes = graph.constant "sizes" dense<[1, -1]> : tensor<2xi64>
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Reshape): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it cuts rows up, puts several into one, or has a size that is their number}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Reshape"(%k, %sizes) ["y"] : (!graph.unknown, tensor<2xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

// ONNX drops each dimension of size 1, also that of a single row.
graph.model @squeezed(%b: tensor<1x6x4xf32>, %s: tensor<1x1x6xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<i64>) -> !graph.unknown
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Squeeze): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it drops them as a dimension if there is one}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Squeeze"(%k) ["y"] : (!graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// -----

graph.model @one_squeezed(%b: tensor<1x6x4xf32>, %s: tensor<1x1x6xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<1> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<i64>) -> !graph.unknown
  %first = graph.constant "first" dense<0> : tensor<1xi64>
  // expected-error@+2 {{[legalize_c8] expects nodes to compute each row from the same row, where data decide how many there are, found a node (Squeeze): how many rows 'k' of 'NonMaxSuppression' has is only known when the model runs, and it drops them as a dimension if there is one}}
  // expected-note@+1 {{fix: make what it reads an output of the model}}
  %y = graph.node "Squeeze"(%k, %first) ["y"] : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}
