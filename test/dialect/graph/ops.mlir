// What is printed is parsed again, and is the same text.
// RUN: opc-opt %s | FileCheck %s
// RUN: opc-opt %s | opc-opt | FileCheck %s

// CHECK: graph.model @tiny(%[[X:.*]]: tensor<?x8xf32, #graph.dims<["N", ""]>> {graph.name = "x"}) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
graph.model @tiny(%x: tensor<?x8xf32, #graph.dims<["N", ""]>> {graph.name = "x"}) attributes {
    opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  // CHECK: %[[W:.*]] = graph.constant "w" {overridable} dense<1.000000e+00> : tensor<8xf32>
  %w = graph.constant "w" {overridable} dense<1.0> : tensor<8xf32>
  // CHECK: graph.constant "thin" #graph.sparse<dense<{{.*}}> : tensor<2xf32> at dense<[0, 4]> : tensor<2xi64> in tensor<9xf32>>
  %thin = graph.constant "thin" #graph.sparse<dense<[1.0, 2.0]> : tensor<2xf32> at dense<[0, 4]> : tensor<2xi64> in tensor<9xf32>>
  // CHECK: graph.constant "big" dense_resource<wabc> : tensor<100xf32>
  %big = graph.constant "big" dense_resource<wabc> : tensor<100xf32>
  // CHECK: %[[NONE:.*]] = graph.absent
  %none = graph.absent
  // CHECK: %{{.*}}, %{{.*}} = graph.node "Twins" of "com.example"(%[[X]], %[[NONE]], %[[W]]) ["a/b", ""] {name = "t", parameters = {axis = -1 : i64}} : (tensor<?x8xf32, #graph.dims<["N", ""]>>, none, tensor<8xf32>) -> (!graph.unknown, !graph.sequence<tensor<*xf32>>)
  %a:2 = graph.node "Twins" of "com.example"(%x, %none, %w) ["a/b", ""] {name = "t", parameters = {axis = -1 : i64}}
      : (tensor<?x8xf32, #graph.dims<["N", ""]>>, none, tensor<8xf32>) -> (!graph.unknown, !graph.sequence<tensor<*xf32>>)
  // CHECK: graph.node "If"(%{{.*}}) ["y"] {graphs = ["then_branch", "else_branch"]} : (!graph.unknown) -> tensor<?x8xf32> {
  // CHECK: graph.output %[[X]]
  // CHECK: }, {
  %y = graph.node "If"(%a#0) ["y"] {graphs = ["then_branch", "else_branch"]} : (!graph.unknown) -> tensor<?x8xf32> {
    graph.output %x : tensor<?x8xf32, #graph.dims<["N", ""]>>
  }, {
    graph.output %w : tensor<8xf32>
  }
  // CHECK: graph.output %{{.*}} : tensor<?x8xf32>
  graph.output %y : tensor<?x8xf32>
}

// CHECK: graph.function @own.Types(%{{.*}}: !graph.map<i64, !graph.optional<!graph.unknown>>, %{{.*}}: !graph.opaque<"d", "n">, %{{.*}}: !graph.sparse_tensor<tensor<2xf32>>, %{{.*}}: tensor<2x!graph.string>)
graph.function @own.Types(%a: !graph.map<i64, !graph.optional<!graph.unknown>>, %b: !graph.opaque<"d", "n">,
    %c: !graph.sparse_tensor<tensor<2xf32>>, %d: tensor<2x!graph.string>) attributes {
    domain = "own", name = "Types", opsets = {}, outputs = [], parameters = {alpha, beta = 1.0 : f32}} {
  // CHECK: graph.output
  graph.output
}

// CHECK: graph.view %{{.*}} : tensor<2x3xf32> to tensor<6xf32>
graph.function @own.Flat(%x: tensor<2x3xf32>) attributes {
    domain = "own", name = "Flat", opsets = {}, outputs = ["y"], parameters = {}} {
  %y = graph.view %x : tensor<2x3xf32> to tensor<6xf32>
  graph.output %y : tensor<6xf32>
}

// CHECK: graph.part %{{.*}} from 3 "second" : tensor<2x3xf32> to tensor<3xf32>
// CHECK: graph.join %{{.*}}, %{{.*}} "y" {place = #graph.place<output 0 from 4>} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<9xf32>
graph.model @ranges(%x: tensor<2x3xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %p = graph.part %x from 3 "second" : tensor<2x3xf32> to tensor<3xf32>
  %y = graph.join %p, %x "y" {place = #graph.place<output 0 from 4>} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<9xf32>
  graph.output %y : tensor<9xf32>
}
