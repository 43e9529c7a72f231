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

// -----

// What is joined is written into the memory of the join; an input, a constant and what another join has are copied. A
// join of a join lies in it.
// CHECK-LABEL: graph.model @join
// CHECK-SAME: arena = 128 : i64
// CHECK-SAME: arena_bound = 128 : i64
// CHECK: %[[A:.*]] = graph.instance "A"{{.*}}places = [#graph.place<arena 0>]
// CHECK: %[[B:.*]] = graph.instance "B"{{.*}}places = [#graph.place<arena 8>]
// CHECK: %[[X:.*]] = graph.copy %arg0 {place = #graph.place<arena 20>} : tensor<4xf32>
// CHECK: %[[J:.*]] = graph.join %[[A]], %[[B]], %[[X]] "j" {place = #graph.place<arena 0>}
// CHECK: %[[C:.*]] = graph.copy %[[A]] {place = #graph.place<arena 36>} : tensor<2xf32>
// CHECK: graph.join %[[J]], %[[C]] "k" {place = #graph.place<arena 0>}
// CHECK: graph.instance "C"{{.*}}places = [#graph.place<arena 64>]
// CHECK: graph.instance "D"{{.*}}places = [#graph.place<output 0>]
graph.model @join(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["d"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<2xf32>
  %b = graph.instance "B"(%a) ["b"] {row = 0 : i64, source = ""} : (tensor<2xf32>) -> tensor<3xf32>
  %j = graph.join %a, %b, %x "j" : (tensor<2xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<9xf32>
  %k = graph.join %j, %a "k" : (tensor<9xf32>, tensor<2xf32>) -> tensor<11xf32>
  %c = graph.instance "C"(%k) ["c"] {row = 0 : i64, source = ""} : (tensor<11xf32>) -> tensor<4xf32>
  %d = graph.instance "D"(%k, %c) ["d"] {row = 0 : i64, source = ""} : (tensor<11xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.output %d : tensor<4xf32>
}

// -----

// A join that is an output is written there, part by part; one of its parts that is an output too is a copy here.
// CHECK-LABEL: graph.model @joined_output
// CHECK: %[[A:.*]] = graph.instance "A"{{.*}}places = [#graph.place<output 0>]
// CHECK: %[[B:.*]] = graph.instance "B"{{.*}}places = [#graph.place<output 1>]
// CHECK: %[[C:.*]] = graph.copy %[[B]] {place = #graph.place<output 0 from 8>} : tensor<3xf32>
// CHECK: graph.join %[[A]], %[[C]] "j" {place = #graph.place<output 0>}
graph.model @joined_output(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["j", "b"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<2xf32>
  %b = graph.instance "B"(%a) ["b"] {row = 0 : i64, source = ""} : (tensor<2xf32>) -> tensor<3xf32>
  %j = graph.join %a, %b "j" : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  graph.output %j, %b : tensor<5xf32>, tensor<3xf32>
}

// -----

// A part keeps the whole alive, and has no memory of its own.
// CHECK-LABEL: graph.model @part
// CHECK: graph.instance "A"{{.*}}places = [#graph.place<arena 0>]
// CHECK: graph.instance "B"{{.*}}places = [#graph.place<arena 128>]
// CHECK: graph.instance "C"{{.*}}places = [#graph.place<output 0>]
graph.model @part(%x: tensor<32xf32>) attributes {opsets = {}, outputs = ["c"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<4x8xf32>
  %p = graph.part %a from 8 "p" : tensor<4x8xf32> to tensor<2x8xf32>
  %b = graph.instance "B"(%x) ["b"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %c = graph.instance "C"(%b, %p) ["c"] {row = 0 : i64, source = ""} : (tensor<32xf32>, tensor<2x8xf32>) -> tensor<32xf32>
  graph.output %c : tensor<32xf32>
}
