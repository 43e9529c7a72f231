// RUN: opc-opt %s --graph-legalize="contracts=%opc_source/ops/library" --graph-verify-legal | FileCheck %s

// Nodes that several contracts compute together. The results have the names of the node, which comparisons need.

// Any number of operands is one instance.
// CHECK-LABEL: graph.model @concat
// CHECK: graph.instance "Concat"(%arg0, %arg0, %arg1, %arg0, %arg0) ["y"] {name = "join", parameters = {axis = 1 : i64, n = 5 : i64}
graph.model @concat(%x: tensor<2x3x5xf32>, %z: tensor<2x4x5xf32>) attributes {opsets = {ai.onnx = 9 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "Concat"(%x, %x, %z, %x, %x) ["y"] {name = "join", parameters = {axis = 1 : i64}} : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x4x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x16x5xf32>
  graph.output %y : tensor<2x16x5xf32>
}

// More operands than a contract accepts are several instances.
// CHECK-LABEL: graph.model @any_number
// CHECK-NEXT: graph.instance "Sum"(%arg0, %arg0, %arg0) ["s"] {parameters = {n = 3 : i64}
// CHECK-NEXT: graph.instance "Mean"(%arg0, %arg0, %arg0) ["m"] {parameters = {n = 3 : i64}
// CHECK-NEXT: %[[A:.*]] = graph.instance "Maximum"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0)
// CHECK-NEXT: graph.instance "Maximum"(%[[A]], %arg0) ["w"] {name = "Max/1", parameters = {n = 2 : i64}
// CHECK-NEXT: %[[B:.*]] = graph.instance "Sum"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0)
// CHECK-NEXT: %[[C:.*]] = graph.instance "Sum"(%[[B]], %arg0)
// CHECK: graph.instance "Mul"(%[[C]], %{{.*}}) ["v"]
graph.model @any_number(%x: tensor<2x3xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["s", "m", "w", "v"], phase = #graph.phase<imported>} {
  %s = graph.node "Sum"(%x, %x, %x) ["s"] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = graph.node "Mean"(%x, %x, %x) ["m"] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %w = graph.node "Max"(%x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x) ["w"] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = graph.node "Mean"(%x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x) ["v"] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  graph.output %s, %m, %w, %v : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// A Slice of two axes, from the end, with bounds far outside; a Slice of everything is no step.
// CHECK-LABEL: graph.model @slice
// CHECK: %[[A:.*]] = graph.instance "Slice"(%arg0) {{.*}}axis = 1 : i64, end = 3 : i64, start = 1 : i64
// CHECK: graph.instance "Slice"(%[[A]]) ["y"] {name = "cut", parameters = {axis = 2 : i64, end = 4 : i64, start = 0 : i64}
// CHECK: graph.output %y, %arg0
graph.model @slice(%x: tensor<2x3x5xf32>) attributes {opsets = {ai.onnx = 9 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %y = graph.node "Slice"(%x) ["y"] {name = "cut", parameters = {axes = array<i64: 1, -1>, starts = array<i64: -2, 0>, ends = array<i64: 9223372036854775807, -1>}} : (tensor<2x3x5xf32>) -> tensor<2x2x4xf32>
  %z = graph.node "Slice"(%x) ["z"] {parameters = {axes = array<i64: 0>, starts = array<i64: 0>, ends = array<i64: 100>}} : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  graph.output %y, %z : tensor<2x2x4xf32>, tensor<2x3x5xf32>
}

// A step becomes a dimension; the last place of an odd size has no whole step after it.
// CHECK-LABEL: graph.model @step
// CHECK: %[[A:.*]] = graph.instance "Slice"(%arg0) {{.*}}axis = 1 : i64, end = 4 : i64, start = 0 : i64
// CHECK: %[[V:.*]] = graph.view %[[A]] : tensor<2x4xf32> to tensor<2x2x2xf32>
// CHECK: %[[B:.*]] = graph.instance "Slice"(%[[V]]) {{.*}}axis = 2 : i64, end = 1 : i64, start = 0 : i64
// CHECK: %[[W:.*]] = graph.view %[[B]] : tensor<2x2x1xf32> to tensor<2x2xf32>
// CHECK: %[[C:.*]] = graph.instance "Slice"(%arg0) {{.*}}axis = 1 : i64, end = 5 : i64, start = 4 : i64
// CHECK: graph.instance "Concat"(%[[W]], %[[C]]) ["y"]
graph.model @step(%x: tensor<2x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %zero = graph.constant "zero" dense<0> : tensor<1xi64>
  %end = graph.constant "end" dense<5> : tensor<1xi64>
  %one = graph.constant "one" dense<1> : tensor<1xi64>
  %two = graph.constant "two" dense<2> : tensor<1xi64>
  %y = graph.node "Slice"(%x, %zero, %end, %one, %two) ["y"] : (tensor<2x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3xf32>
  graph.output %y : tensor<2x3xf32>
}

// Parts of a Split, with sizes that follow from their number.
// CHECK-LABEL: graph.model @split
// CHECK: graph.instance "Slice"(%arg0) ["a"] {{.*}}end = 3 : i64, start = 0 : i64
// CHECK: graph.instance "Slice"(%arg0) ["b"] {{.*}}end = 6 : i64, start = 3 : i64
// CHECK: graph.instance "Slice"(%arg0) ["c"] {{.*}}end = 7 : i64, start = 6 : i64
graph.model @split(%x: tensor<2x7xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["a", "b", "c"], phase = #graph.phase<imported>} {
  %a, %b, %c = graph.node "Split"(%x) ["a", "b", "c"] {parameters = {axis = 1 : i64, num_outputs = 3 : i64}} : (tensor<2x7xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x1xf32>)
  graph.output %a, %b, %c : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x1xf32>
}

// Borders are constants that are joined; what repeats is a product with ones.
// CHECK-LABEL: graph.model @borders
// CHECK: %[[B:.*]] = graph.constant {{.*}}dense<5.000000e-01> : tensor<2x2xf32>
// CHECK: graph.instance "Concat"(%[[B]], %arg0) ["y"]
// CHECK: %[[O:.*]] = graph.constant {{.*}}dense<1.000000e+00> : tensor<4x1x1xf32>
// CHECK: graph.instance "Mul"(%arg0, %[[O]]) ["z"] {{.*}} -> tensor<4x2x5xf32>
graph.model @borders(%x: tensor<2x5xf32>) attributes {opsets = {ai.onnx = 10 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %shape = graph.constant "shape" dense<[4, 1, 5]> : tensor<3xi64>
  %y = graph.node "Pad"(%x) ["y"] {parameters = {pads = array<i64: 0, 2, 0, 0>, value = 5.0e-01 : f32}} : (tensor<2x5xf32>) -> tensor<2x7xf32>
  %z = graph.node "Expand"(%x, %shape) ["z"] : (tensor<2x5xf32>, tensor<3xi64>) -> tensor<4x2x5xf32>
  graph.output %y, %z : tensor<2x7xf32>, tensor<4x2x5xf32>
}

// Windows that do not overlap: a convolution with windows of 1 and blocks.
// CHECK-LABEL: graph.model @transposed
// CHECK: %[[R:.*]] = graph.view %arg1 : tensor<3x2x2x2xf32> to tensor<1x3x2x4x1xf32>
// CHECK: %[[T:.*]] = graph.instance "Transpose"(%[[R]]) {{.*}}perm = array<i64: 0, 2, 3, 1, 4>
// CHECK: %[[V:.*]] = graph.view %[[T]] : tensor<1x2x4x3x1xf32> to tensor<8x3x1x1xf32>
// CHECK: %[[C:.*]] = graph.instance "Conv2d"(%arg0, %[[V]], %{{[0-9]+}}) {{.*}}has_bias = false
// CHECK: %[[S:.*]] = graph.instance "PixelShuffle"(%[[C]])
// CHECK: %[[B:.*]] = graph.view %arg2 : tensor<2xf32> to tensor<2x1x1xf32>
// CHECK: graph.instance "Add"(%[[S]], %[[B]]) ["y"]
graph.model @transposed(%x: tensor<1x3x4x5xf32>, %w: tensor<3x2x2x2xf32>, %b: tensor<2xf32>) attributes {opsets = {ai.onnx = 11 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "ConvTranspose"(%x, %w, %b) ["y"] {parameters = {strides = array<i64: 2, 2>}} : (tensor<1x3x4x5xf32>, tensor<3x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x8x10xf32>
  graph.output %y : tensor<1x2x8x10xf32>
}

// Powers of integers of two types are computed in the wider one, and have the type of the base.
// CHECK-LABEL: graph.model @powers
// CHECK: %[[W:.*]] = graph.instance "CastInt64"(%arg0)
// CHECK: %[[P:.*]] = graph.instance "PowIntegers"(%[[W]], %arg1)
// CHECK: graph.instance "CastInt64"(%[[P]]) ["y"]
// CHECK: %[[V:.*]] = graph.instance "CastInt64"(%arg0)
// CHECK: graph.instance "PowIntegers"(%arg1, %[[V]]) ["z"]
graph.model @powers(%x: tensor<2x5xi32>, %e: tensor<5xi64>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %y = graph.node "Pow"(%x, %e) ["y"] : (tensor<2x5xi32>, tensor<5xi64>) -> tensor<2x5xi32>
  %z = graph.node "Pow"(%e, %x) ["z"] : (tensor<5xi64>, tensor<2x5xi32>) -> tensor<2x5xi64>
  graph.output %y, %z : tensor<2x5xi32>, tensor<2x5xi64>
}

// A Cast to what there is, one of truth values, and an attribute that says nothing beside axes.
// CHECK-LABEL: graph.model @small
// CHECK: graph.instance "ReduceSum"(%arg0)
// CHECK: %[[ONE:.*]] = graph.constant {{.*}}dense<1.000000e+00> : tensor<f32>
// CHECK: %[[ZERO:.*]] = graph.constant {{.*}}dense<0.000000e+00> : tensor<f32>
// CHECK: graph.instance "Select"(%arg1, %[[ONE]], %[[ZERO]])
// CHECK: graph.output %arg0
graph.model @small(%x: tensor<2x5xf32>, %t: tensor<2x5xi1>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["a", "b", "c"], phase = #graph.phase<imported>} {
  %last = graph.constant "last" dense<-1> : tensor<1xi64>
  %a = graph.node "Cast"(%x) ["a"] {parameters = {to = 1 : i64}} : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %b = graph.node "ReduceSum"(%x, %last) ["b"] {parameters = {noop_with_empty_axes = 1 : i64}} : (tensor<2x5xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %c = graph.node "Cast"(%t) ["c"] {parameters = {to = 1 : i64}} : (tensor<2x5xi1>) -> tensor<2x5xf32>
  graph.output %a, %b, %c : tensor<2x5xf32>, tensor<2x1xf32>, tensor<2x5xf32>
}

// Bounds that are computed, or one alone: a maximum and a minimum, in this order, since the upper bound wins. Two that are
// known are attributes of one kernel; none is no computation.
// CHECK-LABEL: graph.model @bounds
// CHECK: %[[M:.*]] = graph.instance "Maximum"(%arg0, %arg1)
// CHECK: graph.instance "Minimum"(%[[M]], %arg2) ["a"]
// CHECK: graph.instance "Minimum"(%arg0, %arg2) ["b"]
// CHECK: graph.instance "Minimum"(%arg0, %{{.*}}) ["c"]
// CHECK: graph.instance "Clip"(%arg0) ["d"]
// CHECK: graph.output {{.*}}, %arg0 :
graph.model @bounds(%x: tensor<2x5xf32>, %low: tensor<f32>, %high: tensor<f32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["a", "b", "c", "d", "e"], phase = #graph.phase<imported>} {
  %none = graph.absent
  %two = graph.constant "two" dense<2.0> : tensor<f32>
  %a = graph.node "Clip"(%x, %low, %high) ["a"] : (tensor<2x5xf32>, tensor<f32>, tensor<f32>) -> tensor<2x5xf32>
  %b = graph.node "Clip"(%x, %none, %high) ["b"] : (tensor<2x5xf32>, none, tensor<f32>) -> tensor<2x5xf32>
  %c = graph.node "Clip"(%x, %none, %two) ["c"] : (tensor<2x5xf32>, none, tensor<f32>) -> tensor<2x5xf32>
  %one = graph.constant "one" dense<1.0> : tensor<f32>
  %d = graph.node "Clip"(%x, %one, %two) ["d"] : (tensor<2x5xf32>, tensor<f32>, tensor<f32>) -> tensor<2x5xf32>
  %e = graph.node "Clip"(%x) ["e"] : (tensor<2x5xf32>) -> tensor<2x5xf32>
  graph.output %a, %b, %c, %d, %e : tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>
}

// A product of transposed matrices with factors and a sum: the product, and the others around it.
// CHECK-LABEL: graph.model @factors
// CHECK: %[[P:.*]] = graph.instance "MatMulTt"(%arg0, %arg1)
// CHECK: %[[A:.*]] = graph.instance "Mul"(%[[P]], %{{.*}})
// CHECK: %[[C:.*]] = graph.instance "Mul"(%arg2, %{{.*}})
// CHECK: graph.instance "Add"(%[[A]], %[[C]]) ["y"]
graph.model @factors(%a: tensor<4x3xf32>, %b: tensor<5x4xf32>, %c: tensor<1x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "Gemm"(%a, %b, %c) ["y"] {parameters = {alpha = 2.5e-01 : f32, beta = 3.5e-01 : f32, transA = 1 : i64, transB = 1 : i64}} : (tensor<4x3xf32>, tensor<5x4xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
  graph.output %y : tensor<3x5xf32>
}

// Without a sum: the product alone, and the product with its factor.
// CHECK-LABEL: graph.model @products
// CHECK: graph.instance "MatMul"(%arg0, %arg1) ["y"]
// CHECK: %[[P:.*]] = graph.instance "MatMul"(%arg0, %arg1)
// CHECK-NOT: ["z"]
// CHECK: graph.instance "Mul"(%[[P]], %{{.*}}) ["z"]
// CHECK: %[[Q:.*]] = graph.instance "MatMulTt"(%arg1, %arg0)
// CHECK: graph.instance "Mul"(%[[Q]], %{{.*}}) ["w"]
graph.model @products(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y", "z", "w"], phase = #graph.phase<imported>} {
  %y = graph.node "Gemm"(%a, %b) ["y"] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %z = graph.node "Gemm"(%a, %b) ["z"] {parameters = {alpha = 2.5e-01 : f32}} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %w = graph.node "Gemm"(%b, %a) ["w"] {parameters = {alpha = 2.5e-01 : f32, transA = 1 : i64, transB = 1 : i64}} : (tensor<4x5xf32>, tensor<3x4xf32>) -> tensor<5x3xf32>
  graph.output %y, %z, %w : tensor<3x5xf32>, tensor<3x5xf32>, tensor<5x3xf32>
}

// Slices that are read backwards, and borders that are no constants, are gathers at places that are known.
// CHECK-LABEL: graph.model @backwards
// CHECK: %[[B:.*]] = graph.constant {{.*}}dense<[4, 2, 0]> : tensor<3xi64>
// CHECK: graph.instance "Gather"(%arg0, %[[B]]) ["y"] {{.*}}axis = 1
// CHECK: %[[M:.*]] = graph.constant {{.*}}dense<[2, 1, 0, 1, 2, 3, 4, 3]> : tensor<8xi64>
// CHECK: graph.instance "Gather"(%arg0, %[[M]]) ["z"] {{.*}}axis = 1
// CHECK: %[[E:.*]] = graph.constant {{.*}}dense<[0, 0, 1, 1]> : tensor<4xi64>
// CHECK: graph.instance "Gather"(%arg0, %[[E]]) ["w"] {{.*}}axis = 0
graph.model @backwards(%x: tensor<2x5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y", "z", "w"], phase = #graph.phase<imported>} {
  %starts = graph.constant "starts" dense<[-1]> : tensor<1xi64>
  %ends = graph.constant "ends" dense<[-9223372036854775807]> : tensor<1xi64>
  %axes = graph.constant "axes" dense<[1]> : tensor<1xi64>
  %steps = graph.constant "steps" dense<[-2]> : tensor<1xi64>
  %pads = graph.constant "pads" dense<[0, 2, 0, 1]> : tensor<4xi64>
  %above = graph.constant "above" dense<[1, 0, 1, 0]> : tensor<4xi64>
  %y = graph.node "Slice"(%x, %starts, %ends, %axes, %steps) ["y"] : (tensor<2x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3xf32>
  %z = graph.node "Pad"(%x, %pads) ["z"] {parameters = {mode = "reflect"}} : (tensor<2x5xf32>, tensor<4xi64>) -> tensor<2x8xf32>
  %w = graph.node "Pad"(%x, %above) ["w"] {parameters = {mode = "edge"}} : (tensor<2x5xf32>, tensor<4xi64>) -> tensor<4x5xf32>
  graph.output %y, %z, %w : tensor<2x3xf32>, tensor<2x8xf32>, tensor<4x5xf32>
}

// Negative numbers take slices away, and what is left repeats.
// CHECK-LABEL: graph.model @cropped
// CHECK: %[[W:.*]] = graph.constant {{.*}}dense<[2, 3, 4, 2, 3, 4]> : tensor<6xi64>
// CHECK: graph.instance "Gather"(%arg0, %[[W]]) ["y"] {{.*}}axis = 1
// CHECK: %[[R:.*]] = graph.constant {{.*}}dense<[2, 1, 0, 1, 2]> : tensor<5xi64>
// CHECK: graph.instance "Gather"(%arg0, %[[R]]) ["z"] {{.*}}axis = 1
graph.model @cropped(%x: tensor<2x5xf32>) attributes {opsets = {ai.onnx = 19 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %front = graph.constant "front" dense<[0, -2, 0, 3]> : tensor<4xi64>
  %back = graph.constant "back" dense<[0, 2, 0, -2]> : tensor<4xi64>
  %y = graph.node "Pad"(%x, %front) ["y"] {parameters = {mode = "wrap"}} : (tensor<2x5xf32>, tensor<4xi64>) -> tensor<2x6xf32>
  %z = graph.node "Pad"(%x, %back) ["z"] {parameters = {mode = "reflect"}} : (tensor<2x5xf32>, tensor<4xi64>) -> tensor<2x5xf32>
  graph.output %y, %z : tensor<2x6xf32>, tensor<2x5xf32>
}

// Of four dimensions a border of the last two is one operator. Resize is one of our own domain, with the numbers of its mode.
// CHECK-LABEL: graph.model @planes
// CHECK: graph.instance "Pad2dReflect"(%arg0) ["y"]
// CHECK: graph.instance "ResizeLinear2d"(%arg0) ["z"] {{.*}}divide = array<f64: 1.500000e+00, 2.000000e+00>{{.*}}offset = -5.000000e-01
// CHECK: %[[V:.*]] = graph.view %arg1 : tensor<3x5xf32> to tensor<1x1x3x5xf32>
// CHECK: %[[R:.*]] = graph.instance "ResizeNearest2d"(%[[V]]) {{.*}}size = array<i64: 3, 10>
// CHECK: graph.view %[[R]] : tensor<1x1x3x10xf32> to tensor<3x10xf32>
graph.model @planes(%x: tensor<1x2x12x13xf32>, %v: tensor<3x5xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y", "z", "w"], phase = #graph.phase<imported>} {
  %none = graph.absent
  %pads = graph.constant "pads" dense<[0, 0, 1, 2, 0, 0, 1, 2]> : tensor<8xi64>
  %sizes = graph.constant "sizes" dense<[1, 2, 18, 26]> : tensor<4xi64>
  %scales = graph.constant "scales" dense<[1.0, 2.0]> : tensor<2xf32>
  %y = graph.node "Pad"(%x, %pads) ["y"] {parameters = {mode = "reflect"}} : (tensor<1x2x12x13xf32>, tensor<8xi64>) -> tensor<1x2x14x17xf32>
  %z = graph.node "Resize"(%x, %none, %none, %sizes) ["z"] {parameters = {mode = "linear"}} : (tensor<1x2x12x13xf32>, none, none, tensor<4xi64>) -> tensor<1x2x18x26xf32>
  %w = graph.node "Resize"(%v, %none, %scales) ["w"] : (tensor<3x5xf32>, none, tensor<2xf32>) -> tensor<3x10xf32>
  graph.output %y, %z, %w : tensor<1x2x14x17xf32>, tensor<1x2x18x26xf32>, tensor<3x10xf32>
}

// A border of planes without a number is one of zeros, which Pad2d has as an operand. Wider borders than those of Pad2d are
// joined.
// CHECK-LABEL: graph.model @bordered_planes
// CHECK: graph.instance "Pad2d"(%arg0) ["y"] {{.*}}parameters = {bottom = 3 : i64, left = 2 : i64, right = 0 : i64, top = 1 : i64, value = 0.000000e+00 : f64}
// CHECK-NOT: Pad2d
// CHECK: graph.instance "Concat"({{.*}}) ["z"]
graph.model @bordered_planes(%x: tensor<1x2x1x2xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %pads = graph.constant "pads" dense<[0, 0, 1, 2, 0, 0, 3, 0]> : tensor<8xi64>
  %wide = graph.constant "wide" dense<[0, 0, 0, 11, 0, 0, 0, 0]> : tensor<8xi64>
  %y = graph.node "Pad"(%x, %pads) ["y"] : (tensor<1x2x1x2xf32>, tensor<8xi64>) -> tensor<1x2x5x4xf32>
  %z = graph.node "Pad"(%x, %wide) ["z"] : (tensor<1x2x1x2xf32>, tensor<8xi64>) -> tensor<1x2x1x13xf32>
  graph.output %y, %z : tensor<1x2x5x4xf32>, tensor<1x2x1x13xf32>
}

// A border that is longer than those of the operator for planes is a gather along each axis.
// CHECK-LABEL: graph.model @long
// CHECK-NOT: Pad2dEdge
// CHECK: %[[L:.*]] = graph.constant {{.*}}dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]> : tensor<13xi64>
// CHECK: graph.instance "Gather"(%arg0, %[[L]]) ["y"] {{.*}}axis = 3
graph.model @long(%x: tensor<1x2x1x2xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %pads = graph.constant "pads" dense<[0, 0, 0, 11, 0, 0, 0, 0]> : tensor<8xi64>
  %y = graph.node "Pad"(%x, %pads) ["y"] {parameters = {mode = "edge"}} : (tensor<1x2x1x2xf32>, tensor<8xi64>) -> tensor<1x2x1x13xf32>
  graph.output %y : tensor<1x2x1x13xf32>
}

// Zero points are sums beside a product of bytes. One number for all rows is taken while it is computed; of constant weights
// there is one sum for each column. Zeros are no zero points.
// CHECK-LABEL: graph.model @offset
// CHECK: %[[S:.*]] = graph.instance "MatMulInteger"(%{{.*}}, %arg2)
// CHECK: %[[O:.*]] = graph.instance "MulIntegers"(%{{.*}}, %[[S]])
// CHECK: %[[V:.*]] = graph.view %[[O]] : tensor<1x4xi32> to tensor<4xi32>
// CHECK: graph.instance "MatMulIntegerOffset"(%arg0, %arg2, %[[V]]) ["y"]
graph.model @offset(%a: tensor<2x3xui8>, %zero: tensor<ui8>, %b: tensor<3x4xi8>) attributes {opsets = {ai.onnx = 10 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %none = graph.constant "none" dense<0> : tensor<4xi8>
  %y = graph.node "MatMulInteger"(%a, %b, %zero, %none) ["y"] : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<ui8>, tensor<4xi8>) -> tensor<2x4xi32>
  graph.output %y : tensor<2x4xi32>
}

// One for each row and each column.
// CHECK-LABEL: graph.model @zeros
// CHECK: graph.view %{{.*}} : tensor<2xi32> to tensor<2x1xi32>
// CHECK: %[[S:.*]] = graph.instance "MatMulInteger"(%{{.*}}, %arg2)
// CHECK: graph.instance "MulIntegers"(%{{.*}}, %[[S]]) {{.*}} -> tensor<2x4xi32>
// CHECK: %[[R:.*]] = graph.instance "MatMulInteger"(%arg0, %{{.*}}) {{.*}} -> tensor<2x1xi32>
// CHECK: graph.constant {{.*}}dense<3> : tensor<1xi32>
// CHECK: graph.instance "SubIntegers"(%[[R]], %{{.*}})
// CHECK: graph.instance "SubIntegers"({{.*}}) ["y"]
graph.model @zeros(%a: tensor<2x3xui8>, %za: tensor<2xui8>, %b: tensor<3x4xui8>, %zb: tensor<4xui8>) attributes {opsets = {ai.onnx = 10 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "MatMulInteger"(%a, %b, %za, %zb) ["y"] : (tensor<2x3xui8>, tensor<3x4xui8>, tensor<2xui8>, tensor<4xui8>) -> tensor<2x4xi32>
  graph.output %y : tensor<2x4xi32>
}

// Pads that follow from the size of the result; pools of volumes, also with padding that counts and rounds up;
// convolutions of volumes.
// CHECK-LABEL: graph.model @windows
// CHECK: graph.instance "MaxPool2d"(%arg0) ["a"] {{.*}}pads = array<i64: 0, 0, 1, 1>
// CHECK: graph.instance "MaxPool3d"(%arg1) ["b"] {{.*}}kernel_shape = array<i64: 2, 2, 3>
// CHECK: graph.instance "AveragePool3d"({{.*}}) {{.*}}ceil_mode = 1{{.*}}pads = array<i64: 0, 0, 0, 0, 0, 0>
// CHECK: graph.instance "Conv3d"(%arg1, %arg2, %{{.*}}) ["c"] {{.*}}has_bias = false
// CHECK: graph.instance "Conv3d"({{.*}}) ["e"] {{.*}}pads = array<i64: 0, 1, 1, 1, 1, 1>
graph.model @windows(%x: tensor<1x2x5x5xf32>, %v: tensor<1x2x4x5x6xf32>, %w: tensor<3x2x2x1x1xf32>, %u: tensor<3x2x2x3x3xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["a", "b", "d", "c", "e"], phase = #graph.phase<imported>} {
  %a = graph.node "MaxPool"(%x) ["a"] {parameters = {auto_pad = "SAME_UPPER", kernel_shape = array<i64: 2, 2>}} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %b = graph.node "MaxPool"(%v) ["b"] {parameters = {kernel_shape = array<i64: 2, 2, 3>}} : (tensor<1x2x4x5x6xf32>) -> tensor<1x2x3x4x4xf32>
  %d = graph.node "AveragePool"(%v) ["d"] {parameters = {ceil_mode = 1, count_include_pad = 1, kernel_shape = array<i64: 2, 2, 2>, pads = array<i64: 1, 0, 0, 0, 0, 1>, strides = array<i64: 2, 2, 2>}} : (tensor<1x2x4x5x6xf32>) -> tensor<1x2x3x3x3xf32>
  %c = graph.node "Conv"(%v, %w) ["c"] : (tensor<1x2x4x5x6xf32>, tensor<3x2x2x1x1xf32>) -> tensor<1x3x3x5x6xf32>
  %e = graph.node "Conv"(%v, %u) ["e"] {parameters = {auto_pad = "SAME_UPPER"}} : (tensor<1x2x4x5x6xf32>, tensor<3x2x2x3x3xf32>) -> tensor<1x3x4x5x6xf32>
  graph.output %a, %b, %d, %c, %e : tensor<1x2x5x5xf32>, tensor<1x2x3x4x4xf32>, tensor<1x2x3x3x3xf32>, tensor<1x3x3x5x6xf32>, tensor<1x3x4x5x6xf32>
}

// Places and weights that are constants: of one axis the elements around each place, and their sum by weights.
// CHECK-LABEL: graph.model @curve
// CHECK: %[[AT:.*]] = graph.constant {{.*}}dense<{{\[}}[0, 0, 1, 2], [0, 1, 2, 2]]> : tensor<2x4xi64>
// CHECK: %[[G:.*]] = graph.instance "Gather"(%arg0, %[[AT]]) {{.*}} -> tensor<1x1x2x4xf32>
// CHECK: %[[M:.*]] = graph.instance "Mul"(%[[G]], %{{.*}})
// CHECK: graph.instance "ReduceSum"(%[[M]]) ["y"] {{.*}}axes = array<i64: 3>
graph.model @curve(%x: tensor<1x1x3xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %none = graph.absent
  %sizes = graph.constant "sizes" dense<[1, 1, 2]> : tensor<3xi64>
  %y = graph.node "Resize"(%x, %none, %none, %sizes) ["y"] {parameters = {mode = "cubic"}} : (tensor<1x1x3xf32>, none, none, tensor<3xi64>) -> tensor<1x1x2xf32>
  graph.output %y : tensor<1x1x2xf32>
}

// Rows of a norm, channels of a Softmax, a vector as a matrix, and positions as ONNX has them.
// CHECK-LABEL: graph.model @rows
// CHECK: %[[R:.*]] = graph.view %arg0 : tensor<2x3x4xf32> to tensor<2x12xf32>
// CHECK: graph.instance "LayerNorm"(%[[R]], %{{.*}}, %{{.*}}) {{.*}} -> tensor<2x12xf32>
// CHECK: %[[C:.*]] = graph.view %arg0 : tensor<2x3x4xf32> to tensor<1x2x12xf32>
// CHECK: graph.instance "SoftmaxChannels"(%[[C]])
// CHECK: graph.instance "MatMul"({{.*}} : (tensor<2x3x4xf32>, tensor<4x1xf32>) -> tensor<2x3x1xf32>
// CHECK: %[[A:.*]] = graph.instance "ArgMax"(%arg0) {{.*}} -> tensor<2x1x4xi32>
// CHECK: %[[K:.*]] = graph.view %[[A]] : tensor<2x1x4xi32> to tensor<2x4xi32>
// CHECK: graph.instance "CastInt64"(%[[K]]) ["d"]
graph.model @rows(%x: tensor<2x3x4xf32>, %g: tensor<3x4xf32>, %v: tensor<4xf32>) attributes {opsets = {ai.onnx = 17 : i64}, outputs = ["a", "b", "c", "d"], phase = #graph.phase<imported>} {
  %a = graph.node "LayerNormalization"(%x, %g) ["a"] {parameters = {axis = 1 : i64}} : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %b = graph.node "Softmax"(%x) ["b"] {parameters = {axis = 0 : i64}} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %c = graph.node "MatMul"(%x, %v) ["c"] : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  %d = graph.node "ArgMax"(%x) ["d"] {parameters = {axis = 1 : i64, keepdims = 0 : i64}} : (tensor<2x3x4xf32>) -> tensor<2x4xi64>
  graph.output %a, %b, %c, %d : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3xf32>, tensor<2x4xi64>
}

// The greatest elements, whose positions ONNX has as int64.
// CHECK-LABEL: graph.model @greatest
// CHECK: %v, %[[P:.*]] = graph.instance "TopK"(%arg0) {{.*}} -> (tensor<2x3x2xf32>, tensor<2x3x2xi32>)
// CHECK: graph.instance "CastInt64"(%[[P]]) ["i"]
graph.model @greatest(%x: tensor<2x3x4xf32>) attributes {opsets = {ai.onnx = 17 : i64}, outputs = ["v", "i"], phase = #graph.phase<imported>} {
  %k = graph.constant "k" dense<2> : tensor<1xi64>
  %v, %i = graph.node "TopK"(%x, %k) ["v", "i"] {parameters = {sorted = 0 : i64}} : (tensor<2x3x4xf32>, tensor<1xi64>) -> (tensor<2x3x2xf32>, tensor<2x3x2xi64>)
  graph.output %v, %i : tensor<2x3x2xf32>, tensor<2x3x2xi64>
}

// The steps of a sequence, the last first: what they have in common is one product. Contracts that a user gives come before
// ranges of bytes, which these slices and the join are otherwise.
// CHECK-LABEL: graph.model @steps
// CHECK: graph.instance "MatMul"({{.*}} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: graph.instance "Slice"({{.*}}start = 1 : i64
// CHECK: %[[LAST:.*]] = graph.instance "Tanh"
// CHECK: %[[L:.*]] = graph.view %[[LAST]]
// CHECK: graph.instance "Slice"({{.*}}start = 0 : i64
// CHECK: graph.instance "MatMul"(%[[LAST]],
// CHECK: %[[FIRST:.*]] = graph.instance "Tanh"
// CHECK: %[[F:.*]] = graph.view %[[FIRST]]
// CHECK: graph.instance "Concat"(%[[F]], %[[L]])
graph.model @steps(%x: tensor<2x1x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) attributes {opsets = {ai.onnx = 14 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "RNN"(%x, %w, %r) ["y"] {parameters = {direction = "reverse", hidden_size = 4 : i64}} : (tensor<2x1x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> tensor<2x1x1x4xf32>
  graph.output %y : tensor<2x1x1x4xf32>
}

// A constant of a type that no kernel has, rounded once; a slice of no elements.
// CHECK-LABEL: graph.model @said
// CHECK: graph.constant "a" dense<{{\[}}1.00097656, -2.500000e+00]> : tensor<2xf32>
// CHECK: graph.constant {{.*}} : tensor<2x0xf32>
graph.model @said(%x: tensor<2x3xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["a", "b"], phase = #graph.phase<imported>} {
  %wide = graph.constant "wide" dense<[1.0009765625, -2.5]> : tensor<2xf64>
  %a = graph.node "Cast"(%wide) ["a"] {parameters = {to = 1 : i64}} : (tensor<2xf64>) -> tensor<2xf32>
  %five = graph.constant "five" dense<5> : tensor<1xi64>
  %one = graph.constant "one" dense<1> : tensor<1xi64>
  %b = graph.node "Slice"(%x, %five, %five, %one) ["b"] : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x0xf32>
  graph.output %a, %b : tensor<2xf32>, tensor<2x0xf32>
}

// A scale and a zero point from the least and the largest number.
// CHECK-LABEL: graph.model @bytes
// CHECK: %[[S:.*]] = graph.instance "Select"
// CHECK: %[[Z:.*]] = graph.instance "CastTrunc"({{.*}}) {{.*}} -> tensor<ui8>
// CHECK: graph.instance "Quantize"(%arg0, %[[S]], %[[Z]]) ["b"]
// CHECK: graph.output {{.*}}, %[[S]], %[[Z]] :
graph.model @bytes(%f: tensor<5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["b", "c", "d"], phase = #graph.phase<imported>} {
  %b, %c, %d = graph.node "DynamicQuantizeLinear"(%f) ["b", "c", "d"] : (tensor<5xf32>) -> (tensor<5xui8>, tensor<f32>, tensor<ui8>)
  graph.output %b, %c, %d : tensor<5xui8>, tensor<f32>, tensor<ui8>
}

// Sizes of 0 stay where they are: a Reshape would else take those of its operand.
// CHECK-LABEL: graph.model @empty
// CHECK: graph.view %arg0 : tensor<3x0xf32> to tensor<1x3x0xf32>
// CHECK: graph.view %arg1 : tensor<0x5xf32> to tensor<1x0x5xf32>
// CHECK: graph.instance "{{.*}}MatMul"({{.*}} -> tensor<1x3x5xf32>
// CHECK: graph.view %arg2 : tensor<8x0xf32> to tensor<4x2x0xf32>
// CHECK: graph.view %{{.*}} : tensor<4x1x0xf32> to tensor<4x0xf32>
// CHECK: graph.view %{{.*}} : tensor<2x0x3x4xf32> to tensor<0x3x4xf32>
graph.model @empty(%a: tensor<3x0xf32>, %b: tensor<0x5xf32>, %s: tensor<8x0xf32>, %x: tensor<2x0x3x4xf32>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "z", "w"], phase = #graph.phase<imported>} {
  %y = graph.node "Einsum"(%a, %b) ["y"] {parameters = {equation = "ij,jk->ik"}} : (tensor<3x0xf32>, tensor<0x5xf32>) -> tensor<3x5xf32>
  %zero = graph.constant "zero" dense<0> : tensor<1xi64>
  %end = graph.constant "end" dense<8> : tensor<1xi64>
  %two = graph.constant "two" dense<2> : tensor<1xi64>
  %z = graph.node "Slice"(%s, %zero, %end, %zero, %two) ["z"] : (tensor<8x0xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x0xf32>
  %w = graph.node "Softmax"(%x) ["w"] {parameters = {axis = 2 : i64}} : (tensor<2x0x3x4xf32>) -> tensor<2x0x3x4xf32>
  graph.output %y, %z, %w : tensor<3x5xf32>, tensor<4x0xf32>, tensor<2x0x3x4xf32>
}

// Places along the fifth axis, which contracts do not name.
// CHECK-LABEL: graph.model @behind
// CHECK: graph.view %arg0 : tensor<1x2x3x4x5x6xf32> to tensor<24x5x6xf32>
// CHECK: graph.instance "Gather"({{.*}}axis = 1 : i64{{.*}} -> tensor<24x2x6xf32>
// CHECK: graph.view {{.*}} : tensor<24x2x6xf32> to tensor<1x2x3x4x2x6xf32>
graph.model @behind(%x: tensor<1x2x3x4x5x6xf32>, %p: tensor<2xi64>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "Gather"(%x, %p) ["y"] {parameters = {axis = -2 : i64}} : (tensor<1x2x3x4x5x6xf32>, tensor<2xi64>) -> tensor<1x2x3x4x2x6xf32>
  graph.output %y : tensor<1x2x3x4x2x6xf32>
}

// Padding that would count, and is not there.
// CHECK-LABEL: graph.model @counted
// CHECK: graph.instance "AveragePool2d"(%arg0) ["y"] {{.*}}ceil_mode = 1 : i64
graph.model @counted(%x: tensor<1x1x4x4xf32>) attributes {opsets = {ai.onnx = 19 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "AveragePool"(%x) ["y"] {parameters = {ceil_mode = 1 : i64, count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>}} : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  graph.output %y : tensor<1x1x2x2xf32>
}

// Logarithms at the labels, weighted; an ignored label need not be a class, and adds nothing.
// CHECK-LABEL: graph.model @loss
// CHECK: %[[T:.*]] = graph.instance "Transpose"(%arg0) {{.*}}perm = array<i64: 0, 2, 1>
// CHECK: %[[R:.*]] = graph.view %[[T]] : tensor<3x2x5xf32> to tensor<6x5xf32>
// CHECK: %[[L:.*]] = graph.instance "LogSoftmax"(%[[R]])
// CHECK: %[[A:.*]] = graph.view %arg1 : tensor<3x2xi64> to tensor<6xi64>
// CHECK: %[[I:.*]] = graph.instance "Equal"(%[[A]], %{{.*}})
// CHECK: %[[C:.*]] = graph.instance "SelectIntegers"(%[[I]], %{{.*}}, %[[A]])
// CHECK: graph.instance "GatherElements"(%[[L]], %{{.*}}) {{.*}} -> tensor<6x1xf32>
// CHECK: %[[N:.*]] = graph.instance "Neg"
// CHECK: %[[W:.*]] = graph.instance "Gather"(%arg2, %[[C]])
// CHECK: %[[M:.*]] = graph.instance "Mul"(%[[N]], %[[W]])
// CHECK: %[[E:.*]] = graph.instance "Select"(%[[I]], %{{.*}}, %[[M]])
// CHECK: %[[F:.*]] = graph.instance "Select"(%[[I]], %{{.*}}, %[[W]])
// CHECK: %[[S:.*]] = graph.instance "ReduceSum"(%[[E]])
// CHECK: %[[U:.*]] = graph.instance "ReduceSum"(%[[F]])
// CHECK: %[[Y:.*]] = graph.instance "Div"(%[[S]], %[[U]]) ["y"] {name = "loss"
// CHECK: %[[V:.*]] = graph.view %[[L]] : tensor<6x5xf32> to tensor<3x2x5xf32>
// CHECK: %[[G:.*]] = graph.instance "Transpose"(%[[V]])
// CHECK: graph.output %[[Y]], %[[G]]
graph.model @loss(%x: tensor<3x5x2xf32>, %labels: tensor<3x2xi64>, %w: tensor<5xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y", "log"], phase = #graph.phase<imported>} {
  %y, %log = graph.node "SoftmaxCrossEntropyLoss"(%x, %labels, %w) ["y", "log"] {name = "loss", parameters = {ignore_index = -5 : i64, reduction = "mean"}} : (tensor<3x5x2xf32>, tensor<3x2xi64>, tensor<5xf32>) -> (tensor<f32>, tensor<3x5x2xf32>)
  graph.output %y, %log : tensor<f32>, tensor<3x5x2xf32>
}

// Sums of float16 are computed in float32; without weights and ignored labels, all rows count equally.
// CHECK-LABEL: graph.model @half_loss
// CHECK: graph.instance "GatherElements"(%arg0, %{{.*}}) {{.*}} -> tensor<3x1xf16>
// CHECK: %[[N:.*]] = graph.instance "Neg"
// CHECK: %[[W:.*]] = graph.instance "Cast"(%[[N]]) {{.*}} -> tensor<3xf32>
// CHECK: graph.instance "ReduceMean"(%[[W]])
// CHECK: graph.instance "Cast"(%{{.*}}) ["y"] {{.*}} -> tensor<f16>
graph.model @half_loss(%x: tensor<3x5xf16>, %labels: tensor<3xi32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "NegativeLogLikelihoodLoss"(%x, %labels) ["y"] : (tensor<3x5xf16>, tensor<3xi32>) -> tensor<f16>
  graph.output %y : tensor<f16>
}

// Pairs of indices within batches: computed indices of rows; an index outside of its dimension is after all rows.
// CHECK-LABEL: graph.model @batched
// CHECK: %[[D:.*]] = graph.constant {{.*}}dense<[3, 4]> : tensor<2xi64>
// CHECK: %[[B:.*]] = graph.instance "Less"(%arg1, %{{.*}})
// CHECK: %[[A:.*]] = graph.instance "AddIntegers"(%arg1, %[[D]])
// CHECK: %[[F:.*]] = graph.instance "SelectIntegers"(%[[B]], %[[A]], %arg1)
// CHECK: graph.instance "Less"(%[[F]], %{{.*}})
// CHECK: graph.instance "Less"(%[[F]], %[[D]])
// CHECK: %[[I:.*]] = graph.instance "And"
// CHECK: %[[S:.*]] = graph.constant {{.*}}dense<[4, 1]> : tensor<2xi64>
// CHECK: %[[P:.*]] = graph.instance "MulIntegers"(%[[F]], %[[S]])
// CHECK: %[[M:.*]] = graph.constant {{.*}}dense<24> : tensor<i64>
// CHECK: graph.instance "SelectIntegers"(%[[I]], %[[P]], %[[M]])
// CHECK: graph.constant {{.*}}dense<{{\[}}[0], [12]]> : tensor<2x1xi32>
// CHECK: %[[R:.*]] = graph.view %arg0 : tensor<2x3x4x5xf32> to tensor<24x5xf32>
// CHECK: graph.instance "Gather"(%[[R]], %{{.*}}) {{.*}} -> tensor<14x5xf32>
graph.model @batched(%x: tensor<2x3x4x5xf32>, %i: tensor<2x7x2xi64>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "GatherND"(%x, %i) ["y"] {name = "pick", parameters = {batch_dims = 1 : i64}} : (tensor<2x3x4x5xf32>, tensor<2x7x2xi64>) -> tensor<2x7x5xf32>
  graph.output %y : tensor<2x7x5xf32>
}

// Updates at pairs are updates of rows.
// CHECK-LABEL: graph.model @scattered
// CHECK: graph.constant {{.*}}dense<[4, 1]> : tensor<2xi64>
// CHECK: graph.constant {{.*}}dense<12> : tensor<i64>
// CHECK: graph.instance "ScatterNDMax"(%{{.*}}, %{{.*}}, %arg2) {{.*}} (tensor<12x5xf32>, tensor<7x1xi64>, tensor<7x5xf32>)
graph.model @scattered(%x: tensor<3x4x5xf32>, %i: tensor<7x2xi64>, %u: tensor<7x5xf32>) attributes {opsets = {ai.onnx = 18 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "ScatterND"(%x, %i, %u) ["y"] {parameters = {reduction = "max"}} : (tensor<3x4x5xf32>, tensor<7x2xi64>, tensor<7x5xf32>) -> tensor<3x4x5xf32>
  graph.output %y : tensor<3x4x5xf32>
}

// Norms along other axes than the last.
// CHECK-LABEL: graph.model @norms
// CHECK: graph.instance "RmsNorm"(%{{.*}}, %{{.*}}) {{.*}}epsilon = 0.00{{.*}} (tensor<2x12xf32>, tensor<12xf32>)
// CHECK: %[[N:.*]] = graph.instance "ReduceL1"(%arg0) {{.*}}axes = array<i64: 1>, keepdims = true
// CHECK: %[[Z:.*]] = graph.instance "Equal"(%[[N]], %{{.*}})
// CHECK: %[[D:.*]] = graph.instance "Select"(%[[Z]], %{{.*}}, %[[N]])
// CHECK: graph.instance "Div"(%arg0, %[[D]]) ["l"]
// CHECK: %[[T:.*]] = graph.instance "Transpose"(%arg0) {{.*}}perm = array<i64: 0, 2, 1>
// CHECK: %[[L:.*]] = graph.instance "LogSumExp"(%[[T]]) {{.*}} -> tensor<2x4x1xf32>
// CHECK: graph.view %[[L]] : tensor<2x4x1xf32> to tensor<2x4xf32>
graph.model @norms(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>) attributes {opsets = {ai.onnx = 23 : i64}, outputs = ["r", "l", "s"], phase = #graph.phase<imported>} {
  %r = graph.node "RMSNormalization"(%x, %s) ["r"] {parameters = {axis = 1 : i64, epsilon = 1.000000e-03 : f32}} : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %l = graph.node "LpNormalization"(%x) ["l"] {parameters = {axis = 1 : i64, p = 1 : i64}} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %axes = graph.constant "axes" dense<1> : tensor<1xi64>
  %e = graph.node "ReduceLogSumExp"(%x, %axes) ["s"] {parameters = {keepdims = 0 : i64}} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x4xf32>
  graph.output %r, %l, %e : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x4xf32>
}

// Values that the file states are known before the model runs.
// CHECK-LABEL: graph.model @known
// CHECK: %[[Y:.*]] = graph.constant {{.*}}dense<{{\[}}[0, 1, 0], [0, 0, 1]]> : tensor<2x3xi64>
// CHECK: %[[M:.*]] = graph.constant {{.*}}dense<true> : tensor<2x3xi1>
// CHECK: %[[E:.*]] = graph.constant {{.*}}dense<0xFF800000> : tensor<2xf32>
// CHECK: graph.output %[[Y]], %arg1, %[[M]], %[[E]]
graph.model @known(%x: tensor<2x3xi32>, %d: tensor<2x3xf32>, %e: tensor<2x0xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y", "d", "m", "e"], phase = #graph.phase<imported>} {
  %y = graph.node "EyeLike"(%x) ["y"] {parameters = {dtype = 7 : i64, k = 1 : i64}} : (tensor<2x3xi32>) -> tensor<2x3xi64>
  %drop, %m = graph.node "Dropout"(%d) ["d", "m"] : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi1>)
  %none = graph.node "ReduceMax"(%e) ["e"] {parameters = {axes = array<i64: 1>, keepdims = 0 : i64}} : (tensor<2x0xf32>) -> tensor<2xf32>
  graph.output %y, %drop, %m, %none : tensor<2x3xi64>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2xf32>
}

// Maxima without elements.
// CHECK-LABEL: graph.model @no_maxima
// CHECK-NOT: graph.instance
// CHECK: %[[NONE:.*]] = graph.constant {{.*}} : tensor<1x0xf32>
// CHECK: graph.output %[[NONE]]
graph.model @no_maxima(%x: tensor<3x0xf32>) attributes {opsets = {ai.onnx = 13 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "ReduceMax"(%x) ["y"] {parameters = {axes = array<i64: 0>}} : (tensor<3x0xf32>) -> tensor<1x0xf32>
  graph.output %y : tensor<1x0xf32>
}

// Classes along another axis; indices that are floats.
// CHECK-LABEL: graph.model @one_hot
// CHECK: %[[H:.*]] = graph.instance "OneHot"(%arg0) {{.*}}depth = 5 : i64, off = 0 : i64, on = 1 : i64{{.*}} -> tensor<2x3x5xf32>
// CHECK: graph.instance "Transpose"(%[[H]]) ["y"] {{.*}}perm = array<i64: 0, 2, 1>
// CHECK: %[[I:.*]] = graph.instance "CastTruncInt64"(%arg1)
// CHECK: graph.instance "OneHotInt64"(%[[I]]) ["z"]
graph.model @one_hot(%i: tensor<2x3xi32>, %f: tensor<4xf32>) attributes {opsets = {ai.onnx = 11 : i64}, outputs = ["y", "z"], phase = #graph.phase<imported>} {
  %depth = graph.constant "depth" dense<5> : tensor<i64>
  %ends = graph.constant "ends" dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = graph.node "OneHot"(%i, %depth, %ends) ["y"] {parameters = {axis = 1 : i64}} : (tensor<2x3xi32>, tensor<i64>, tensor<2xf32>) -> tensor<2x5x3xf32>
  %z = graph.node "OneHot"(%f, %depth, %ends) ["z"] : (tensor<4xf32>, tensor<i64>, tensor<2xf32>) -> tensor<4x5xf32>
  graph.output %y, %z : tensor<2x5x3xf32>, tensor<4x5xf32>
}

// Blocks of a dimension, each with a scale, become a separate dimension; 16 bits are bounded in float32.
// CHECK-LABEL: graph.model @blocks
// CHECK: %[[X:.*]] = graph.view %{{.*}} : tensor<2x6xf32> to tensor<2x3x2xf32>
// CHECK: %[[S:.*]] = graph.view %arg1 : tensor<2x3xf32> to tensor<2x3x1xf32>
// CHECK: graph.instance "Mul"(%[[X]], %[[S]])
// CHECK: graph.instance "Round"
// CHECK: graph.constant {{.*}}dense<-3.276800e+04>
// CHECK: graph.constant {{.*}}dense<3.276700e+04>
// CHECK: graph.instance "CastTrunc"(%{{.*}}) ["q"]
graph.model @blocks(%x: tensor<2x6xui8>, %s: tensor<2x3xf32>, %f: tensor<4xf32>, %one: tensor<f32>, %zero: tensor<i16>) attributes {opsets = {ai.onnx = 21 : i64}, outputs = ["y", "q"], phase = #graph.phase<imported>} {
  %y = graph.node "DequantizeLinear"(%x, %s) ["y"] {parameters = {axis = 1 : i64, block_size = 2 : i64}} : (tensor<2x6xui8>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %q = graph.node "QuantizeLinear"(%f, %one, %zero) ["q"] : (tensor<4xf32>, tensor<f32>, tensor<i16>) -> tensor<4xi16>
  graph.output %y, %q : tensor<2x6xf32>, tensor<4xi16>
}

// Means of several operands, infinities of one sign, comparisons of integers by the one in the library.
// CHECK-LABEL: graph.model @numbers
// CHECK: graph.instance "Mean"(%arg0, %arg0, %arg0) ["m"] {parameters = {n = 3 : i64}
// CHECK: %[[I:.*]] = graph.constant {{.*}}dense<0xFF800000> : tensor<f32>
// CHECK: graph.instance "Equal"(%arg0, %[[I]]) ["n"]
// CHECK: %[[L:.*]] = graph.instance "Less"(%arg1, %arg1)
// CHECK: graph.instance "Not"(%[[L]]) ["c"]
// CHECK: %[[V:.*]] = graph.view %arg2 : tensor<1xf32> to tensor<f32>
// CHECK: %[[W:.*]] = graph.instance "Mul"(%[[V]], %{{.*}}) {{.*}} -> tensor<2xf32>
// CHECK: graph.instance "Concat"(%arg0, %[[W]]) ["p"]
graph.model @numbers(%x: tensor<3xf32>, %i: tensor<3xi16>, %v: tensor<1xf32>) attributes {opsets = {ai.onnx = 16 : i64}, outputs = ["m", "n", "c", "p"], phase = #graph.phase<imported>} {
  %m = graph.node "Mean"(%x, %x, %x) ["m"] : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %n = graph.node "IsInf"(%x) ["n"] {parameters = {detect_positive = 0 : i64}} : (tensor<3xf32>) -> tensor<3xi1>
  %c = graph.node "GreaterOrEqual"(%i, %i) ["c"] : (tensor<3xi16>, tensor<3xi16>) -> tensor<3xi1>
  %pads = graph.constant "pads" dense<[0, 2]> : tensor<2xi64>
  %p = graph.node "Pad"(%x, %pads, %v) ["p"] : (tensor<3xf32>, tensor<2xi64>, tensor<1xf32>) -> tensor<5xf32>
  graph.output %m, %n, %c, %p : tensor<3xf32>, tensor<3xi1>, tensor<3xi1>, tensor<5xf32>
}

// A CastLike is a Cast: its second operand gives the type alone. A Range of numbers is a constant of their type.
// CHECK-LABEL: graph.model @types_and_numbers
// CHECK: graph.instance "Cast"(%arg0) ["c"]{{.*}}-> tensor<2x3xf16>
// CHECK: graph.constant "r" dense<[1.000000e+00, 1.500000e+00, 2.000000e+00]> : tensor<3xf16>
// CHECK: graph.constant "n" dense<[10, 7]> : tensor<2xi16>
// CHECK: graph.constant "e" dense<> : tensor<0xbf16>
// CHECK: graph.output %{{.*}}, %arg0,
graph.model @types_and_numbers(%x: tensor<2x3xf32>, %h: tensor<4xf16>) attributes {opsets = {ai.onnx = 19 : i64}, outputs = ["c", "s", "r", "n", "e"], phase = #graph.phase<imported>} {
  %half = graph.constant "half" dense<5.0e-01> : tensor<f16>
  %one = graph.constant "one" dense<1.0> : tensor<f16>
  %far = graph.constant "far" dense<2.2> : tensor<f16>
  %ten = graph.constant "ten" dense<10> : tensor<i16>
  %six = graph.constant "six" dense<6> : tensor<i16>
  %down = graph.constant "down" dense<-3> : tensor<i16>
  %a = graph.constant "a" dense<2.0> : tensor<bf16>
  %b = graph.constant "b" dense<1.0> : tensor<bf16>
  %c = graph.node "CastLike"(%x, %h) ["c"] : (tensor<2x3xf32>, tensor<4xf16>) -> tensor<2x3xf16>
  %s = graph.node "CastLike"(%x, %x) ["s"] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = graph.node "Range"(%one, %far, %half) ["r"] : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<3xf16>
  %n = graph.node "Range"(%ten, %six, %down) ["n"] : (tensor<i16>, tensor<i16>, tensor<i16>) -> tensor<2xi16>
  %e = graph.node "Range"(%a, %b, %b) ["e"] : (tensor<bf16>, tensor<bf16>, tensor<bf16>) -> tensor<0xbf16>
  graph.output %c, %s, %r, %n, %e : tensor<2x3xf16>, tensor<2x3xf32>, tensor<3xf16>, tensor<2xi16>, tensor<0xbf16>
}

// Heads that share keys are more rows of one product; keys of the past come first; keys after the mask's are masked.
// CHECK-LABEL: graph.model @attention(
// CHECK: %[[Q:.*]] = graph.view %arg0 : tensor<2x4x5x8xf32> to tensor<2x2x10x8xf32>
// CHECK: %[[K:.*]] = graph.instance "Concat"(%arg4, %arg1) ["k"]
// CHECK: %[[V:.*]] = graph.instance "Concat"(%arg5, %arg2) ["v"]
// CHECK: %[[SCALE:.*]] = graph.constant {{.*}}dense<0.353553385> : tensor<f32>
// CHECK: %[[T:.*]] = graph.instance "Transpose"(%[[K]])
// CHECK: %[[P:.*]] = graph.instance "BatchMatMul"(%[[Q]], %[[T]]) {{.*}} -> tensor<2x2x10x7xf32>
// CHECK: graph.instance "Mul"(%[[P]], %[[SCALE]])
// CHECK: graph.instance "Div"
// CHECK: graph.instance "Tanh"
// CHECK: %[[CAPPED:.*]] = graph.instance "Mul"
// CHECK: %[[KEYS:.*]] = graph.constant {{.*}}[0.{{0*}}e+00, 1.{{0*}}e+00, 2.{{0*}}e+00, 3.{{0*}}e+00, 4.{{0*}}e+00, 5.{{0*}}e+00, 6.{{0*}}e+00]]>
// CHECK: %[[LAST:.*]] = graph.constant {{.*}}[1.{{0*}}e+00], [2.{{0*}}e+00], [3.{{0*}}e+00], [4.{{0*}}e+00], [5.{{0*}}e+00]]>
// CHECK: %[[SEEN:.*]] = graph.instance "LessEqual"(%[[KEYS]], %[[LAST]])
// CHECK: %[[MASK:.*]] = graph.instance "Concat"(%arg3, %{{.*}}) {{.*}} (tensor<5x4xi1>, tensor<5x3xi1>) -> tensor<5x7xi1>
// CHECK: %[[BOTH:.*]] = graph.instance "And"(%[[MASK]], %[[SEEN]])
// CHECK: %[[BIAS:.*]] = graph.instance "Select"(%[[BOTH]], %{{.*}}, %{{.*}})
// CHECK: %[[SUM:.*]] = graph.instance "Add"(%[[CAPPED]], %[[BIAS]])
// CHECK: %[[BEST:.*]] = graph.instance "ReduceMax"(%[[BIAS]])
// CHECK: %[[NONE:.*]] = graph.instance "Equal"(%[[BEST]],
// CHECK: %[[W:.*]] = graph.instance "Softmax"(%[[SUM]])
// CHECK: graph.instance "Select"(%[[NONE]], %{{.*}}, %[[W]]) ["s"]
// CHECK: graph.instance "BatchMatMul"(%{{.*}}, %[[V]])
// CHECK: graph.instance "Select"(%[[NONE]], {{.*}}) ["y"]
graph.model @attention(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x3xf32>, %m: tensor<5x4xi1>, %pk: tensor<2x2x1x8xf32>, %pv: tensor<2x2x1x3xf32>) attributes {opsets = {ai.onnx = 24 : i64}, outputs = ["y", "k", "v", "s"], phase = #graph.phase<imported>} {
  %y, %pk1, %pv1, %s = graph.node "Attention"(%q, %k, %v, %m, %pk, %pv) ["y", "k", "v", "s"] {name = "att", parameters = {is_causal = 1 : i64, softcap = 2.0 : f32, qk_matmul_output_mode = 3 : i64}} : (tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x3xf32>, tensor<5x4xi1>, tensor<2x2x1x8xf32>, tensor<2x2x1x3xf32>) -> (tensor<2x4x5x3xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x3xf32>, tensor<2x4x5x7xf32>)
  graph.output %y, %pk1, %pv1, %s : tensor<2x4x5x3xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x3xf32>, tensor<2x4x5x7xf32>
}

// Heads side by side. float16 is scaled before its sums can overflow; the number of keys gives the place of a query.
// CHECK-LABEL: graph.model @attention_rows
// CHECK: graph.view %arg0 : tensor<1x5x16xf16> to tensor<1x5x2x8xf16>
// CHECK: %[[Q:.*]] = graph.instance "Transpose"
// CHECK: %[[SCALED:.*]] = graph.instance "Mul"(%[[Q]],
// CHECK: %[[P:.*]] = graph.instance "BatchMatMul"(%[[SCALED]],
// CHECK: %[[N:.*]] = graph.instance "CastInt64"(%arg2)
// CHECK: %[[COUNT:.*]] = graph.view %[[N]] : tensor<1xf32> to tensor<1x1x1x1xf32>
// CHECK: %[[PLACES:.*]] = graph.constant {{.*}}[-6.{{0*}}e+00], [-5.{{0*}}e+00], [-4.{{0*}}e+00], [-3.{{0*}}e+00], [-2.{{0*}}e+00]]>
// CHECK: %[[FIRST:.*]] = graph.instance "Add"(%[[COUNT]], %[[PLACES]])
// CHECK: graph.instance "GreaterEqual"(%[[KEYS:.*]], %[[FIRST]])
// CHECK: graph.instance "Less"(%[[KEYS]], %[[COUNT]])
// CHECK: graph.instance "Add"(%[[P]],
// CHECK: graph.view %{{.*}} : tensor<1x5x2x8xf16> to tensor<1x5x16xf16>
graph.model @attention_rows(%q: tensor<1x5x16xf16>, %k: tensor<1x6x16xf16>, %n: tensor<1xi64>) attributes {opsets = {ai.onnx = 25 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %none = graph.absent
  %y = graph.node "Attention"(%q, %k, %k, %none, %none, %none, %n) ["y"] {parameters = {q_num_heads = 2 : i64, kv_num_heads = 2 : i64, left_window_size = 1 : i64}} : (tensor<1x5x16xf16>, tensor<1x6x16xf16>, tensor<1x6x16xf16>, none, none, none, tensor<1xi64>) -> tensor<1x5x16xf16>
  graph.output %y : tensor<1x5x16xf16>
}

// Every query of a causal attention sees a key: nothing is tested for rows without any.
// CHECK-LABEL: graph.model @attention_causal
// CHECK-NOT: "ReduceMax"
// CHECK: graph.instance "BatchMatMul"(%{{.*}}, %arg1) ["y"]
graph.model @attention_causal(%q: tensor<1x2x5x8xf32>, %k: tensor<1x2x6x8xf32>) attributes {opsets = {ai.onnx = 23 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "Attention"(%q, %k, %k) ["y"] {parameters = {is_causal = 1 : i64}} : (tensor<1x2x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x5x8xf32>
  graph.output %y : tensor<1x2x5x8xf32>
}

// A window around each query: from two keys before it to one after it.
// CHECK-LABEL: graph.model @attention_window
// CHECK: %[[KEYS:.*]] = graph.constant {{.*}}[0.{{0*}}e+00, 1.{{0*}}e+00, 2.{{0*}}e+00, 3.{{0*}}e+00, 4.{{0*}}e+00, 5.{{0*}}e+00]]>
// CHECK: %[[LAST:.*]] = graph.constant {{.*}}[1.{{0*}}e+00], [2.{{0*}}e+00], [3.{{0*}}e+00]]>
// CHECK: %[[TO:.*]] = graph.instance "LessEqual"(%[[KEYS]], %[[LAST]])
// CHECK: %[[FIRST:.*]] = graph.constant {{.*}}[-2.{{0*}}e+00], [-1.{{0*}}e+00], [0.{{0*}}e+00]]>
// CHECK: %[[FROM:.*]] = graph.instance "GreaterEqual"(%[[KEYS]], %[[FIRST]])
// CHECK: graph.instance "And"(%[[TO]], %[[FROM]])
graph.model @attention_window(%q: tensor<1x2x3x8xf32>, %k: tensor<1x2x6x8xf32>) attributes {opsets = {ai.onnx = 25 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "Attention"(%q, %k, %k) ["y"] {parameters = {left_window_size = 2 : i64, right_window_size = 1 : i64}} : (tensor<1x2x3x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x3x8xf32>
  graph.output %y : tensor<1x2x3x8xf32>
}

// Numbers of keys for each batch: the last query of a causal attention stands at the last of them, and needs no bound.
// CHECK-LABEL: graph.model @attention_lengths
// CHECK: %[[COUNT:.*]] = graph.view %{{.*}} : tensor<2xf32> to tensor<2x1x1x1xf32>
// CHECK: %[[PLACES:.*]] = graph.constant {{.*}}[-3.{{0*}}e+00], [-2.{{0*}}e+00], [-1.{{0*}}e+00]]>
// CHECK: %[[LAST:.*]] = graph.instance "Add"(%[[COUNT]], %[[PLACES]])
// CHECK: graph.instance "LessEqual"(%{{.*}}, %[[LAST]])
// CHECK-NOT: graph.instance "Less"(
// CHECK: graph.instance "Select"
// CHECK: graph.instance "ReduceMax"
graph.model @attention_lengths(%q: tensor<2x2x3x8xf32>, %k: tensor<2x2x6x8xf32>, %n: tensor<2xi64>) attributes {opsets = {ai.onnx = 25 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %none = graph.absent
  %y = graph.node "Attention"(%q, %k, %k, %none, %none, %none, %n) ["y"] {parameters = {is_causal = 1 : i64}} : (tensor<2x2x3x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, none, none, none, tensor<2xi64>) -> tensor<2x2x3x8xf32>
  graph.output %y : tensor<2x2x3x8xf32>
}

// Angles by the places of tokens, the first features of each head, pairs side by side.
// CHECK-LABEL: graph.model @rotary
// CHECK: %[[HEADS:.*]] = graph.instance "Transpose"
// CHECK: %[[REST:.*]] = graph.instance "Slice"(%[[HEADS]]) {{.*}}end = 8 : i64, start = 4 : i64
// CHECK: graph.instance "Slice"(%[[HEADS]]) {{.*}}end = 4 : i64, start = 0 : i64
// CHECK: graph.instance "Transpose"{{.*}}perm = array<i64: 0, 1, 2, 4, 3>
// CHECK: %[[COS:.*]] = graph.instance "Gather"(%arg1, %arg3)
// CHECK: %[[SIN:.*]] = graph.instance "Gather"(%arg2, %arg3)
// CHECK: graph.instance "RotaryEmbedding"(%{{.*}}, %[[COS]], %[[SIN]])
// CHECK: graph.instance "Transpose"{{.*}}perm = array<i64: 0, 1, 2, 4, 3>
// CHECK: graph.instance "Concat"(%{{.*}}, %[[REST]])
// CHECK: graph.view %{{.*}} : tensor<2x3x2x8xf32> to tensor<2x3x16xf32>
graph.model @rotary(%x: tensor<2x3x16xf32>, %c: tensor<9x2xf32>, %s: tensor<9x2xf32>, %p: tensor<2x3xi64>) attributes {opsets = {ai.onnx = 23 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "RotaryEmbedding"(%x, %c, %s, %p) ["y"] {parameters = {num_heads = 2 : i64, interleaved = 1 : i64, rotary_embedding_dim = 4 : i64}} : (tensor<2x3x16xf32>, tensor<9x2xf32>, tensor<9x2xf32>, tensor<2x3xi64>) -> tensor<2x3x16xf32>
  graph.output %y : tensor<2x3x16xf32>
}

// Windows of a pool that reach beyond the operand have zeros there.
// CHECK-LABEL: graph.model @functions
// CHECK: %[[FIRST:.*]] = graph.instance "ArgMax"{{.*}}select_last_index = 0 : i64
// CHECK: graph.instance "Equal"(%[[FIRST]],
// CHECK: %[[SIN:.*]] = graph.instance "Sin"(%arg0)
// CHECK: %[[COS:.*]] = graph.instance "Cos"(%arg0)
// CHECK: graph.instance "Div"(%[[SIN]], %[[COS]]) ["b"]
// CHECK: graph.instance "Sigmoid"
// CHECK: graph.instance "Mul"(%{{.*}}, %b) ["c"]
// CHECK: graph.instance "AveragePool2dPadded"{{.*}}pads = array<i64: 0, 0, 1, 1>
// CHECK: %[[SUM:.*]] = graph.instance "Mul"
// CHECK: graph.instance "Pow"(%[[SUM]], %{{.*}}) ["e"]
graph.model @functions(%x: tensor<2x3x4x5xf32>) attributes {opsets = {ai.onnx = 28 : i64}, outputs = ["a", "b", "c", "e"], phase = #graph.phase<imported>} {
  %a = graph.node "Hardmax"(%x) ["a"] {parameters = {axis = 1 : i64}} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %b = graph.node "Tan"(%x) ["b"] : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %c = graph.node "SwiGLU"(%x, %b) ["c"] {parameters = {alpha = 0.5 : f32}} : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %e = graph.node "LpPool"(%x) ["e"] {parameters = {kernel_shape = array<i64: 3, 2>, strides = array<i64: 2, 2>, ceil_mode = 1 : i64, p = 3 : i64}} : (tensor<2x3x4x5xf32>) -> tensor<2x3x2x3xf32>
  graph.output %a, %b, %c, %e : tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>, tensor<2x3x2x3xf32>
}

// CHECK-LABEL: graph.model @upsample
// CHECK: graph.instance "UpsampleNearest"(%arg0) ["a"] {{.*}}scale_h = 2 : i64, scale_w = 2 : i64
graph.model @upsample(%x: tensor<1x2x3x4xf32>) attributes {opsets = {ai.onnx = 7 : i64}, outputs = ["a"], phase = #graph.phase<imported>} {
  %a = graph.node "Upsample"(%x) ["a"] {parameters = {scales = array<f32: 1.0, 1.0, 2.0, 2.0>}} : (tensor<1x2x3x4xf32>) -> tensor<1x2x6x8xf32>
  graph.output %a : tensor<1x2x6x8xf32>
}

// Rows of channels at four elements around each place; those outside of the image are the row of zeros after all others.
// CHECK-LABEL: graph.model @sampled
// CHECK: %[[ROWS:.*]] = graph.instance "Concat"{{.*}} -> tensor<41x3xf32>
// CHECK: graph.instance "Minimum"
// CHECK-COUNT-4: graph.instance "Gather"(%[[ROWS]],
// CHECK-NOT: "Gather"
// CHECK: graph.view %{{.*}} : tensor<2x3x42xf16> to tensor<2x3x6x7xf16>
graph.model @sampled(%x: tensor<2x3x4x5xf16>, %g: tensor<2x6x7x2xf16>) attributes {opsets = {ai.onnx = 22 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
  %y = graph.node "GridSample"(%x, %g) ["y"] {parameters = {mode = "linear"}} : (tensor<2x3x4x5xf16>, tensor<2x6x7x2xf16>) -> tensor<2x3x6x7xf16>
  graph.output %y : tensor<2x3x6x7xf16>
}

// Spectra: of real numbers that are cut, their first half; back from a half, whose numbers stand for two, but for both ends;
// of frames.
// CHECK-LABEL: graph.model @spectra
// CHECK: graph.instance "Slice"(%arg0) {{.*}}end = 6 : i64
// CHECK: %[[COS:.*]] = graph.constant {{.*}}tensor<6x4xf32>
// CHECK: %[[SIN:.*]] = graph.constant {{.*}}tensor<6x4xf32>
// CHECK: graph.instance "MatMul"(%{{.*}}, %[[COS]])
// CHECK: graph.instance "MatMul"(%{{.*}}, %[[SIN]])
// CHECK: graph.instance "Concat"({{.*}}) ["a"]
// CHECK: graph.constant {{.*}}[0.166666672, {{.*}}], [0.333333343, {{.*}}], [0.333333343, {{.*}}], [0.166666672, {{.*}}]]> : tensor<4x6xf32>
// CHECK: graph.instance "Sub"
// CHECK: graph.instance "Conv1d"({{.*}}strides = array<i64: 4>
// CHECK: graph.instance "Transpose"({{.*}}) ["c"] {{.*}}perm = array<i64: 0, 3, 2, 1>
graph.model @spectra(%x: tensor<2x8x3x1xf32>, %s: tensor<1x40x1xf32>) attributes {opsets = {ai.onnx = 20 : i64}, outputs = ["a", "b", "c"], phase = #graph.phase<imported>} {
  %none = graph.absent
  %axis = graph.constant "axis" dense<1> : tensor<i64>
  %length = graph.constant "length" dense<6> : tensor<i64>
  %step = graph.constant "step" dense<4> : tensor<i64>
  %window = graph.constant "window" dense<0.5> : tensor<16xf32>
  %a = graph.node "DFT"(%x, %length, %axis) ["a"] {parameters = {onesided = 1 : i64}} : (tensor<2x8x3x1xf32>, tensor<i64>, tensor<i64>) -> tensor<2x4x3x2xf32>
  %b = graph.node "DFT"(%a, %none, %axis) ["b"] {parameters = {inverse = 1 : i64, onesided = 1 : i64}} : (tensor<2x4x3x2xf32>, none, tensor<i64>) -> tensor<2x6x3x1xf32>
  %c = graph.node "STFT"(%s, %step, %window) ["c"] : (tensor<1x40x1xf32>, tensor<i64>, tensor<16xf32>) -> tensor<1x7x9x2xf32>
  graph.output %a, %b, %c : tensor<2x4x3x2xf32>, tensor<2x6x3x1xf32>, tensor<1x7x9x2xf32>
}

// CHECK-LABEL: graph.model @places
// CHECK: %[[GRID:.*]] = graph.constant {{.*}}tensor<3x30xf32>
// CHECK: graph.instance "MatMul"(%arg0, %[[GRID]])
// CHECK: graph.instance "Slice"(%arg1) {{.*}}end = 7 : i64, start = 1 : i64
// CHECK: graph.instance "Concat"({{.*}}) ["b"]
graph.model @places(%t: tensor<2x2x3xf32>, %x: tensor<2x9x4xf32>) attributes {opsets = {ai.onnx = 20 : i64}, outputs = ["a", "b"], phase = #graph.phase<imported>} {
  %size = graph.constant "size" dense<[2, 3, 5, 6]> : tensor<4xi64>
  %shape = graph.constant "shape" dense<[6, 7]> : tensor<2xi64>
  %a = graph.node "AffineGrid"(%t, %size) ["a"] : (tensor<2x2x3xf32>, tensor<4xi64>) -> tensor<2x5x6x2xf32>
  %b = graph.node "CenterCropPad"(%x, %shape) ["b"] {parameters = {axes = array<i64: 1, 2>}} : (tensor<2x9x4xf32>, tensor<2xi64>) -> tensor<2x6x7xf32>
  graph.output %a, %b : tensor<2x5x6x2xf32>, tensor<2x6x7xf32>
}
