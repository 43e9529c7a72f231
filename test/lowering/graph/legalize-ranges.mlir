// RUN: opc-opt %s --graph-legalize="contracts=%opc_source/ops/library" --graph-verify-legal | FileCheck %s

// Nodes that only say which elements lie where, where that is one range of bytes; any type, any number of operands. The contracts are a
// user's here, and asked first; none has unsigned integers of 16 bits.

// After dimensions of 1 the operands of a Concat are contiguous; otherwise they are not.
// CHECK-LABEL: graph.model @concat
// CHECK: graph.join %arg0, %arg1, %arg0 "y" : (tensor<1x3x5xui16>, tensor<1x4x5xui16>, tensor<1x3x5xui16>) -> tensor<1x10x5xui16>
// CHECK: graph.instance "ConcatChannels"(%arg2, %arg2) ["z"]
graph.model @concat(%x: tensor<1x3x5xui16>, %w: tensor<1x4x5xui16>, %v: tensor<2x3xf32>) attributes {opsets = {ai.onnx = 9 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %y = graph.node "Concat"(%x, %w, %x) ["y"] {parameters = {axis = 1 : i64}} : (tensor<1x3x5xui16>, tensor<1x4x5xui16>, tensor<1x3x5xui16>) -> tensor<1x10x5xui16>
  %z = graph.node "Concat"(%v, %v) ["z"] {parameters = {axis = -1 : i64}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  graph.output %y, %z : tensor<1x10x5xui16>, tensor<2x6xf32>
}

// Of one place of the first dimension, some of the second; of two places, all of the second alone are a range. With a step
// that is longer than what is taken, one place.
// CHECK-LABEL: graph.model @slice
// CHECK: graph.part %arg0 from 25 "a" : tensor<2x3x5xui16> to tensor<1x1x5xui16>
// CHECK: graph.instance "Slice"(%arg1) ["b"]
// CHECK: graph.part %arg0 from 15 "c" : tensor<2x3x5xui16> to tensor<1x3x5xui16>
// CHECK: graph.output %{{.*}}, %{{.*}}, %{{.*}}, %arg0
graph.model @slice(%x: tensor<2x3x5xui16>, %w: tensor<2x3x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["a", "b", "c", "d"], phase = #graph.phase<imported>} {
  %zero = graph.constant "zero" dense<0> : tensor<1xi64>
  %one = graph.constant "one" dense<1> : tensor<1xi64>
  %two = graph.constant "two" dense<2> : tensor<1xi64>
  %last = graph.constant "last" dense<[1, -1]> : tensor<2xi64>
  %far = graph.constant "far" dense<9223372036854775807> : tensor<2xi64>
  %end = graph.constant "end" dense<9> : tensor<1xi64>
  %a = graph.node "Slice"(%x, %last, %far) ["a"] : (tensor<2x3x5xui16>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x5xui16>
  %b = graph.node "Slice"(%w, %zero, %two, %one) ["b"] : (tensor<2x3x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2x5xf32>
  %c = graph.node "Slice"(%x, %one, %end, %zero, %two) ["c"] : (tensor<2x3x5xui16>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x3x5xui16>
  %d = graph.node "Slice"(%x, %zero, %end, %one) ["d"] : (tensor<2x3x5xui16>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3x5xui16>
  graph.output %a, %b, %c, %d : tensor<1x1x5xui16>, tensor<2x2x5xf32>, tensor<1x3x5xui16>, tensor<2x3x5xui16>
}

// One index takes a range where the dimensions before are 1; its shape is part of the result's.
// CHECK-LABEL: graph.model @gather
// CHECK: graph.part %arg0 from 10 "a" : tensor<1x3x5xui16> to tensor<1x5xui16>
// CHECK: graph.part %arg0 from 5 "b" : tensor<1x3x5xui16> to tensor<1x1x1x5xui16>
// CHECK: graph.instance "Gather"(%arg1
graph.model @gather(%x: tensor<1x3x5xui16>, %w: tensor<1x3x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["a", "b", "c"], phase = #graph.phase<imported>} {
  %last = graph.constant "last" dense<-1> : tensor<i64>
  %one = graph.constant "one" dense<1> : tensor<1x1xi32>
  %a = graph.node "Gather"(%x, %last) ["a"] {parameters = {axis = 1 : i64}} : (tensor<1x3x5xui16>, tensor<i64>) -> tensor<1x5xui16>
  %b = graph.node "Gather"(%x, %one) ["b"] {parameters = {axis = 1 : i64}} : (tensor<1x3x5xui16>, tensor<1x1xi32>) -> tensor<1x1x1x5xui16>
  %c = graph.node "Gather"(%w, %last) ["c"] {parameters = {axis = 2 : i64}} : (tensor<1x3x5xf32>, tensor<i64>) -> tensor<1x3xf32>
  graph.output %a, %b, %c : tensor<1x5xui16>, tensor<1x1x1x5xui16>, tensor<1x3xf32>
}

// Of constants a range is a constant.
// CHECK-LABEL: graph.model @constants
// CHECK-DAG: graph.constant "a" dense<[3, 4]> : tensor<2xui16>
// CHECK-DAG: graph.constant "b" dense<[1, 2, 3, 4, 3, 4]> : tensor<6xui16>
graph.model @constants() attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["a", "b"], phase = #graph.phase<imported>} {
  %w = graph.constant "w" dense<[1, 2, 3, 4]> : tensor<4xui16>
  %sizes = graph.constant "sizes" dense<[2, 2]> : tensor<2xi64>
  %rest, %a = graph.node "Split"(%w, %sizes) ["rest", "a"] {parameters = {axis = 0 : i64}} : (tensor<4xui16>, tensor<2xi64>) -> (tensor<2xui16>, tensor<2xui16>)
  %b = graph.node "Concat"(%w, %a) ["b"] {parameters = {axis = 0 : i64}} : (tensor<4xui16>, tensor<2xui16>) -> tensor<6xui16>
  graph.output %a, %b : tensor<2xui16>, tensor<6xui16>
}
