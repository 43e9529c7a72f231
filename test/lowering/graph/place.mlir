// RUN: opc-opt %s --split-input-file --graph-place --graph-verify-placed | FileCheck %s

// Two values that live together lie apart, a third takes the place of one that is over; the last is the caller's memory.
// CHECK-LABEL: graph.model @chain
// CHECK-SAME: arena = 192 : i64
// CHECK-SAME: phase = #graph.phase<placed>
// CHECK: graph.instance "A"({{.*}}) {{.*}}places = [#graph.place<arena 0>]
// CHECK: graph.instance "B"({{.*}}) {{.*}}places = [#graph.place<arena 128>]
// CHECK: graph.instance "C"({{.*}}) {{.*}}places = [#graph.place<arena 0>]
// CHECK: graph.instance "D"({{.*}}) {{.*}}places = [#graph.place<output 0>]
graph.model @chain(%x: tensor<32xf32>) attributes {opsets = {}, outputs = ["d"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %b = graph.instance "B"(%a) ["b"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<9xf32>
  %c = graph.instance "C"(%b) ["c"] {row = 0 : i64, source = ""} : (tensor<9xf32>) -> tensor<32xf32>
  %d = graph.instance "D"(%c) ["d"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  graph.output %d : tensor<32xf32>
}

// -----

// A view keeps its operand alive: what is read through it at the end is not written over.
// CHECK-LABEL: graph.model @view
// CHECK: graph.instance "A"{{.*}}places = [#graph.place<arena [[A:[0-9]+]]>]
// CHECK-NOT: graph.place<arena [[A]]>
// CHECK: graph.instance "C"
graph.model @view(%x: tensor<32xf32>) attributes {opsets = {}, outputs = ["c"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %v = graph.view %a : tensor<32xf32> to tensor<4x8xf32>
  %b = graph.instance "B"(%x) ["b"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<4x8xf32>
  %c = graph.instance "C"(%b, %v) ["c"] {row = 0 : i64, source = ""} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<32xf32>
  graph.output %c : tensor<32xf32>
}

// -----

// Outputs that are an input, a constant or one value again are copies; a view of a result is none.
// CHECK-LABEL: graph.model @ends
// CHECK: graph.constant "w" {place = #graph.place<weights 0>}
// CHECK: graph.instance "A"{{.*}}places = [#graph.place<output 0>]
// CHECK: graph.copy {{.*}}{place = #graph.place<output 1>} : tensor<32xf32>
// CHECK: graph.copy %arg0 {place = #graph.place<output 2>} : tensor<32xf32>
// CHECK: graph.copy %w {place = #graph.place<output 3>} : tensor<2xf32>
graph.model @ends(%x: tensor<32xf32>) attributes {opsets = {}, outputs = ["a", "b", "x", "w"], phase = #graph.phase<folded>} {
  %w = graph.constant "w" dense<[1.0, 2.0]> : tensor<2xf32>
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %v = graph.view %a : tensor<32xf32> to tensor<4x8xf32>
  graph.output %v, %a, %x, %w : tensor<4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<2xf32>
}

// -----

// Equal weights lie once.
// CHECK-LABEL: graph.model @weights
// CHECK: graph.constant "a" {place = #graph.place<weights 0>}
// CHECK: graph.constant "b" {place = #graph.place<weights 64>}
// CHECK: graph.constant "c" {place = #graph.place<weights 0>}
graph.model @weights() attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
  %a = graph.constant "a" dense<[1.0, 2.0]> : tensor<2xf32>
  %b = graph.constant "b" dense<[1.0, 3.0]> : tensor<2xf32>
  %c = graph.constant "c" dense<[1.0, 2.0]> : tensor<2xf32>
  %y = graph.instance "A"(%a, %b, %c) ["y"] {row = 0 : i64, source = ""} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}
