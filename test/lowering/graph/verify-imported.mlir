// RUN: opc-opt %s --graph-verify-imported | FileCheck %s

// Names may come again in subgraphs and functions, references in functions: nothing to refuse.
// CHECK: graph.function @own.F
graph.function @own.F(%x: !graph.unknown {graph.name = "x"}) attributes {
    domain = "own", name = "F", opsets = {ai.onnx = 21 : i64}, outputs = ["y"], parameters = {alpha}} {
  %y = graph.node "Elu"(%x) ["y"] {parameters = {alpha = #graph.reference<"alpha">}} : (!graph.unknown) -> !graph.unknown
  graph.output %y : !graph.unknown
}
graph.model @m(%x: tensor<2xf32> {graph.name = "x"}) attributes {
    opsets = {ai.onnx = 21 : i64, own = 1 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %none = graph.absent
  %a = graph.node "F" of "own"(%x) ["a"] : (tensor<2xf32>) -> tensor<2xf32>
  %y = graph.node "If"(%a, %none) ["y"] {graphs = ["then_branch"]} : (tensor<2xf32>, none) -> tensor<2xf32> {
    %a1 = graph.node "Neg"(%a) ["a"] : (tensor<2xf32>) -> tensor<2xf32>
    graph.output %a1 : tensor<2xf32>
  }
  graph.output %y : tensor<2xf32>
}
