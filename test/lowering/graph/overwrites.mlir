// RUN: sed "s@LIBRARY@%opc_source/ops/library@" %s | opc-opt --split-input-file --graph-legalize="contracts=%opc_source/ops/library" --graph-fold="contracts=%opc_source/ops/library" --graph-place="contracts=%opc_source/ops/library" --graph-verify-placed="contracts=%opc_source/ops/library" | FileCheck %s

// Elementwise steps write over an operand that ends there, also one after another, and through a view; a matrix product
// does not, and neither does the step that writes the output.
// CHECK-LABEL: graph.model @chain
// CHECK-SAME: arena = 2048 : i64, arena_bound = 2048 : i64
// CHECK: graph.instance "MatMul"{{.*}}places = [#graph.place<arena [[A:[0-9]+]]>]
// CHECK: graph.instance "Sin"{{.*}}places = [#graph.place<arena [[A]]>]
// CHECK: graph.instance "Cos"{{.*}}places = [#graph.place<arena [[A]]>]
// CHECK-NOT: graph.place<arena [[A]]>
// CHECK: graph.instance "MatMul"
// CHECK: graph.instance "Exp"{{.*}}places = [#graph.place<output 0>]
graph.model @chain(%x: tensor<16x16xf32> {graph.name = "x"}) attributes {opsets = {ai.onnx = 17 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %a = graph.node "MatMul"(%x, %x) ["a"] : (tensor<16x16xf32>, tensor<16x16xf32>) -> !graph.unknown
  %b = graph.node "Sin"(%a) ["b"] : (!graph.unknown) -> !graph.unknown
  %v = graph.node "Flatten"(%b) ["v"] : (!graph.unknown) -> !graph.unknown
  %c = graph.node "Cos"(%v) ["c"] : (!graph.unknown) -> !graph.unknown
  %d = graph.node "MatMul"(%c, %x) ["d"] : (!graph.unknown, tensor<16x16xf32>) -> !graph.unknown
  %y = graph.node "Exp"(%d) ["y"] : (!graph.unknown) -> tensor<16x16xf32>
  graph.output %y : tensor<16x16xf32>
}

// -----

// What is read later stays, and so do operands with fewer elements, or with elements of another size.
// CHECK-LABEL: graph.model @kept
// CHECK: graph.instance "Sin"{{.*}}places = [#graph.place<arena [[S:[0-9]+]]>]
// CHECK: graph.instance "Cos"{{.*}}places = [#graph.place<arena [[C:[0-9]+]]>]
// CHECK-NOT: graph.place<arena [[S]]>
// CHECK: graph.instance "Add"
// CHECK-SAME: places = [#graph.place<arena [[C]]>]
// CHECK: graph.instance "Mul"
// CHECK-NOT: graph.place<arena [[C]]>
// CHECK: graph.instance "Sub"
graph.model @kept(%x: tensor<8x16xf32> {graph.name = "x"}, %r: tensor<16xf32> {graph.name = "r"}) attributes {opsets = {ai.onnx = 17 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %s = graph.node "Sin"(%r) ["s"] : (tensor<16xf32>) -> !graph.unknown
  %c = graph.node "Cos"(%x) ["c"] : (tensor<8x16xf32>) -> !graph.unknown
  %a = graph.node "Add"(%c, %s) ["a"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
  %m = graph.node "Mul"(%a, %x) ["m"] : (!graph.unknown, tensor<8x16xf32>) -> !graph.unknown
  %y = graph.node "Sub"(%m, %a) ["y"] : (!graph.unknown, !graph.unknown) -> tensor<8x16xf32>
  graph.output %y : tensor<8x16xf32>
}

// -----

// An operand that is whole beside another that is a part of it stays.
// CHECK-LABEL: graph.model @part
// CHECK: graph.instance "Sin"{{.*}}places = [#graph.place<arena [[S:[0-9]+]]>]
// CHECK: graph.part
// CHECK: graph.instance "Add"
// CHECK-NOT: graph.place<arena [[S]]>
// CHECK: graph.instance "MatMul"
graph.model @part(%x: tensor<4x4xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
  %s = graph.instance "Sin"(%x) ["s"] {row = 1 : i64, source = "LIBRARY/sin/op_contract.yaml"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = graph.part %s from 4 "p" : tensor<4x4xf32> to tensor<4xf32>
  %a = graph.instance "Add"(%s, %p) ["a"] {row = 1 : i64, source = "LIBRARY/add/op_contract.yaml"} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %y = graph.instance "MatMul"(%a, %x) ["y"] {row = 1 : i64, source = "LIBRARY/mat_mul/op_contract.yaml"} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  graph.output %y : tensor<4x4xf32>
}
