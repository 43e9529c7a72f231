// RUN: opc-opt %s --graph-legalize="contracts=%opc_source/ops/library" --graph-verify-legal | FileCheck %s

// A node becomes an instance of its contract, with the row of its types, its attributes, and a shape that follows.
// CHECK-LABEL: graph.model @instance
// CHECK-SAME: phase = #graph.phase<legal>
// CHECK: %y = graph.instance "LeakyRelu"(%{{[a-z0-9]+}}) ["y"] {name = "leak", parameters = {alpha = 0.10000000149011612 : f64}, row = 1 : i64, source = "{{.*}}leaky_relu/op_contract.yaml"} : (tensor<4xf32>) -> tensor<4xf32>
graph.model @instance(%x: tensor<4xf32> {graph.name = "x"}) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "LeakyRelu"(%x) ["y"] {name = "leak", parameters = {alpha = 1.000000e-01 : f32}} : (tensor<4xf32>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// Two contracts have MatMul: with one matrix on the right it is the special one, with a batch the general one.
// CHECK-LABEL: graph.model @special
// CHECK: graph.instance "MatMul"({{.*}}) {{.*}} : (tensor<2x3x5xf32>, tensor<5x7xf32>) -> tensor<2x3x7xf32>
// CHECK: graph.instance "BatchMatMul"({{.*}}) {{.*}} : (tensor<2x3x5xf32>, tensor<2x5x7xf32>) -> tensor<2x3x7xf32>
graph.model @special(%x: tensor<2x3x5xf32>, %w: tensor<5x7xf32>, %b: tensor<2x5x7xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %y = graph.node "MatMul"(%x, %w) ["y"] : (tensor<2x3x5xf32>, tensor<5x7xf32>) -> !graph.unknown
  %z = graph.node "MatMul"(%x, %b) ["z"] : (tensor<2x3x5xf32>, tensor<2x5x7xf32>) -> !graph.unknown
  graph.output %y, %z : !graph.unknown, !graph.unknown
}

// Stacks that broadcast are not written out, and a vector is a matrix of a row or a column beside them.
// CHECK-LABEL: graph.model @broadcast
// CHECK-NOT: Expand
// CHECK: graph.instance "BatchMatMul"({{.*}}) {{.*}} : (tensor<2x1x3x5xf32>, tensor<4x5x7xf32>) -> tensor<2x4x3x7xf32>
// CHECK: graph.instance "BatchMatMul"({{.*}}) {{.*}} : (tensor<1x5xf32>, tensor<4x5x7xf32>) -> tensor<4x1x7xf32>
// CHECK-NOT: Expand
// CHECK: graph.output
graph.model @broadcast(%x: tensor<2x1x3x5xf32>, %v: tensor<5xf32>, %b: tensor<4x5x7xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %y = graph.node "MatMul"(%x, %b) ["y"] : (tensor<2x1x3x5xf32>, tensor<4x5x7xf32>) -> !graph.unknown
  %z = graph.node "MatMul"(%v, %b) ["z"] : (tensor<5xf32>, tensor<4x5x7xf32>) -> !graph.unknown
  graph.output %y, %z : !graph.unknown, !graph.unknown
}

// Likewise parts of one length before parts of several.
// CHECK-LABEL: graph.model @parts
// CHECK: graph.instance "ConcatChannels"
// CHECK: graph.instance "Concat"
graph.model @parts(%x: tensor<2x3x5xf32>, %w: tensor<2x4x5xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %y = graph.node "Concat"(%x, %x) ["y"] {parameters = {axis = 1 : i64}} : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> !graph.unknown
  %z = graph.node "Concat"(%x, %w) ["z"] {parameters = {axis = 1 : i64}} : (tensor<2x3x5xf32>, tensor<2x4x5xf32>) -> !graph.unknown
  graph.output %y, %z : !graph.unknown, !graph.unknown
}

// PyTorch's linear layer.
// CHECK-LABEL: graph.model @linear
// CHECK: graph.instance "Linear"({{.*}}) {{.*}} -> tensor<3x7xf32>
graph.model @linear(%x: tensor<3x5xf32>, %w: tensor<7x5xf32>, %b: tensor<7xf32>) attributes {opsets = {ai.onnx = 17 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "Gemm"(%x, %w, %b) ["y"] {parameters = {alpha = 1.0 : f32, beta = 1.0 : f32, transB = 1 : i64}} : (tensor<3x5xf32>, tensor<7x5xf32>, tensor<7xf32>) -> tensor<3x7xf32>
  graph.output %y : tensor<3x7xf32>
}

// Shape arithmetic goes away; a Reshape whose shape it gave is a view, one that changes nothing is its operand.
// CHECK-LABEL: graph.model @arithmetic
// CHECK-NEXT: %[[V:.*]] = graph.view %{{[a-z0-9]+}} : tensor<2x3x4xf32> to tensor<6x4xf32>
// CHECK-NEXT: graph.output %[[V]], %{{[a-z0-9]+}}
graph.model @arithmetic(%x: tensor<2x3x4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %first = graph.constant "first" dense<0> : tensor<i64>
  %second = graph.constant "second" dense<1> : tensor<1xi64>
  %zero = graph.constant "zero" dense<0> : tensor<1xi64>
  %open = graph.constant "open" dense<-1> : tensor<1xi64>
  %shape = graph.node "Shape"(%x) ["shape"] : (tensor<2x3x4xf32>) -> !graph.unknown
  %a = graph.node "Gather"(%shape, %first) ["a"] : (!graph.unknown, tensor<i64>) -> !graph.unknown
  %b = graph.node "Slice"(%shape, %second, %second) ["b"] {name = "empty"} : (!graph.unknown, tensor<1xi64>, tensor<1xi64>) -> !graph.unknown
  %c = graph.node "Gather"(%shape, %second) ["c"] : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  %d = graph.node "Unsqueeze"(%a, %zero) ["d"] : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  %e = graph.node "Mul"(%d, %c) ["e"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %f = graph.node "Concat"(%b, %e, %open) ["f"] {parameters = {axis = 0 : i64}} : (!graph.unknown, !graph.unknown, tensor<1xi64>) -> !graph.unknown
  %y = graph.node "Reshape"(%x, %f) ["y"] : (tensor<2x3x4xf32>, !graph.unknown) -> !graph.unknown
  %z = graph.node "Reshape"(%x, %shape) ["z"] : (tensor<2x3x4xf32>, !graph.unknown) -> !graph.unknown
  graph.output %y, %z : !graph.unknown, !graph.unknown
}

// A call becomes the nodes of its function, with the call's attributes in the place of references, or the default.
// CHECK-NOT: graph.function
// CHECK-LABEL: graph.model @call
// CHECK: %[[A:.*]] = graph.instance "LeakyRelu"(%{{[a-z0-9]+}}) ["leak/t"] {name = "leak/LeakyRelu", parameters = {alpha = 5.000000e-01 : f64}
// CHECK: graph.instance "Relu"(%[[A]])
// CHECK: graph.instance "LeakyRelu"({{.*}}) {{.*}}alpha = 2.500000e-01
graph.function @own.Leak(%a: !graph.unknown {graph.name = "a"}) attributes {domain = "own", name = "Leak", opsets = {ai.onnx = 21 : i64}, outputs = ["b"], parameters = {slope = 2.500000e-01 : f32}} {
  %t = graph.node "LeakyRelu"(%a) ["t"] {parameters = {alpha = #graph.reference<"slope">}} : (!graph.unknown) -> !graph.unknown
  %b = graph.node "Relu"(%t) ["b"] : (!graph.unknown) -> !graph.unknown
  graph.output %b : !graph.unknown
}
graph.model @call(%x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64, own = 1 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %h = graph.node "Leak" of "own"(%x) ["h"] {name = "leak", parameters = {slope = 5.000000e-01 : f32}} : (tensor<4xf32>) -> !graph.unknown
  %y = graph.node "Leak" of "own"(%h) ["y"] : (!graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// Constants of a shape, of any type: exporters write weights in this way where they leave them out.
// CHECK-LABEL: graph.model @shaped
// CHECK: graph.constant "w" dense<2.500000e-01> : tensor<3x4xf32>
// CHECK: graph.constant "z" dense<0.000000e+00> : tensor<3x4xf32>
graph.model @shaped() attributes {opsets = {ai.onnx = 9 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %shape = graph.constant "shape" dense<[3, 4]> : tensor<2xi64>
  %w = graph.node "ConstantOfShape"(%shape) ["w"] {parameters = {value = dense<2.500000e-01> : tensor<1xf32>}} : (tensor<2xi64>) -> tensor<3x4xf32>
  %z = graph.node "ConstantOfShape"(%shape) ["z"] : (tensor<2xi64>) -> tensor<3x4xf32>
  %y = graph.node "Add"(%w, %z) ["y"] : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  graph.output %y : tensor<3x4xf32>
}

// Views: each way to write one. A mask of a Dropout that nobody reads is nothing.
// CHECK-LABEL: graph.model @views
// CHECK: graph.view %{{[a-z0-9]+}} : tensor<1x6x1x4xf32> to tensor<6x4xf32>
// CHECK: graph.view %{{.*}} : tensor<6x4xf32> to tensor<6x1x4xf32>
// CHECK: graph.view %{{.*}} : tensor<6x1x4xf32> to tensor<6x4xf32>
// CHECK: graph.view %{{.*}} : tensor<6x4xf32> to tensor<2x3x4xf32>
// CHECK-NOT: Dropout
graph.model @views(%x: tensor<1x6x1x4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %axes = graph.constant "axes" dense<-2> : tensor<1xi64>
  %shape = graph.constant "shape" dense<[2, -1, 4]> : tensor<3xi64>
  %a = graph.node "Squeeze"(%x) ["a"] : (tensor<1x6x1x4xf32>) -> !graph.unknown
  %b = graph.node "Unsqueeze"(%a, %axes) ["b"] : (!graph.unknown, tensor<1xi64>) -> !graph.unknown
  %c = graph.node "Flatten"(%b) ["c"] {parameters = {axis = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %d, %mask = graph.node "Dropout"(%c) ["d", "mask"] : (!graph.unknown) -> (!graph.unknown, !graph.unknown)
  %e = graph.node "Identity"(%d) ["e"] : (!graph.unknown) -> !graph.unknown
  %y = graph.node "Reshape"(%e, %shape) ["y"] : (!graph.unknown, tensor<3xi64>) -> !graph.unknown
  graph.output %y : !graph.unknown
}

// An If that data decide: the nodes of both branches, one in another too, and a choice of their values, whose types follow.
// CHECK-LABEL: graph.model @choice
// CHECK-DAG: %[[N:.*]] = graph.instance "Neg"
// CHECK-DAG: %[[E:.*]] = graph.instance "Exp"
// CHECK-DAG: %[[I:.*]] = graph.choose %{{[a-z0-9]+}} then(%[[E]]) else(%[[N]]) ["i"] {name = "inner"}
// CHECK-DAG: %[[R:.*]] = graph.instance "Relu"
// CHECK: %[[Y:.*]], %[[Z:.*]] = graph.choose %{{[a-z0-9]+}} then(%[[I]], %[[N]]) else(%[[R]], %{{[a-z0-9]+}}) ["y", "z"]
// CHECK: graph.output %[[Y]], %[[Z]] : tensor<4xf32>, tensor<4xf32>
graph.model @choice(%c: tensor<i1>, %e: tensor<1xi1>, %x: tensor<4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %y, %z = graph.node "If"(%c) ["y", "z"] {graphs = ["else_branch", "then_branch"]} : (tensor<i1>) -> (tensor<4xf32>, !graph.unknown) {
    %r = graph.node "Relu"(%x) ["r"] : (tensor<4xf32>) -> !graph.unknown
    graph.output %r, %x : !graph.unknown, tensor<4xf32>
  }, {
    %n = graph.node "Neg"(%x) ["n"] : (tensor<4xf32>) -> !graph.unknown
    %i = graph.node "If"(%e) ["i"] {graphs = ["then_branch", "else_branch"], name = "inner"} : (tensor<1xi1>) -> !graph.unknown {
      %f = graph.node "Exp"(%x) ["f"] : (tensor<4xf32>) -> !graph.unknown
      graph.output %f : !graph.unknown
    }, {
      graph.output %n : !graph.unknown
    }
    graph.output %i, %n : !graph.unknown, !graph.unknown
  }
  graph.output %y, %z : tensor<4xf32>, !graph.unknown
}

// Boxes: room for as many as a constant says, or for all, or for none where ONNX's default is none.
// CHECK-LABEL: graph.model @boxes
// CHECK: graph.host "NonMaxSuppression"({{.*}}) ["k", ""] {name = "nms", parameters = {center_point_box = 1 : i64}} {{.*}} -> (tensor<4x3xi64>, tensor<i64>)
// CHECK: graph.host "NonMaxSuppression"({{.*}}) ["l", ""] {{.*}} -> (tensor<12x3xi64>, tensor<i64>)
// CHECK: graph.host "NonMaxSuppression"({{.*}}) ["m", ""] {{.*}} -> (tensor<0x3xi64>, tensor<i64>)
graph.model @boxes(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %given: tensor<1xi64>) attributes {opsets = {ai.onnx = 11 : i64}, outputs = ["k", "l", "m"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<2> : tensor<i64>
  %none = graph.absent
  %least = graph.constant "least" dense<0.5> : tensor<1xf32>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most, %none, %least) ["k"] {name = "nms", parameters = {center_point_box = 1 : i64}} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>, none, tensor<1xf32>) -> tensor<?x3xi64>
  %l = graph.node "NonMaxSuppression"(%b, %s, %given) ["l"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<1xi64>) -> !graph.unknown
  %m = graph.node "NonMaxSuppression"(%b, %s) ["m"] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> !graph.unknown
  graph.output %k, %l, %m : tensor<?x3xi64>, !graph.unknown, !graph.unknown
}

// What a branch chooses has no counted rows, though the last node of a branch has.
// CHECK-LABEL: graph.model @apart
// CHECK: %[[Y:.*]] = graph.rows %{{.*}}, %{{.*}} : tensor<6x3xf32>, tensor<i64>
// CHECK-NEXT: graph.output %[[Y]], %z : tensor<6x3xf32>, tensor<6xf32>
graph.model @apart(%b: tensor<1x6x4xf32>, %s: tensor<1x1x6xf32>, %c: tensor<i1>, %x: tensor<6xf32>, %v: tensor<6xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %most = graph.constant "most" dense<6> : tensor<i64>
  %k = graph.node "NonMaxSuppression"(%b, %s, %most) ["k"] : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<i64>) -> !graph.unknown
  %y = graph.node "Cast"(%k) ["y"] {parameters = {to = 1 : i64}} : (!graph.unknown) -> !graph.unknown
  %z = graph.node "If"(%c) ["z"] {graphs = ["then_branch", "else_branch"]} : (tensor<i1>) -> !graph.unknown {
    graph.output %x : tensor<6xf32>
  }, {
    %n = graph.node "Neg"(%y) ["n"] : (!graph.unknown) -> !graph.unknown
    graph.output %v : tensor<6xf32>
  }
  graph.output %y, %z : !graph.unknown, !graph.unknown
}
