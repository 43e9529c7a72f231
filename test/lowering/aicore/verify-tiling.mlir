// RUN: opc-opt %s --aicore-verify-tiling | FileCheck %s

// Every operation of the closed set, and bounds that follow from minima, maxima, selections and remainders. A verifier that
// could not follow these would refuse tiling functions that are right.
// CHECK: func.func @t
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}, %blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}, index {aicore.name = "odd"}, index {aicore.name = "pick"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  %some = arith.maxsi %n, %c1 : index
  %some_blocks = arith.maxsi %blocks, %c1 : index
  %of_block = arith.ceildivsi %some, %some_blocks : index
  %block_num = arith.ceildivsi %some, %of_block : index
  %half = arith.floordivsi %n, %c7 : index
  %more = arith.addi %half, %c1 : index
  %len = arith.minsi %more, %c64 : index
  %odd = arith.remsi %n, %c7 : index
  %small = arith.cmpi slt, %n, %c64 : index
  %same = arith.cmpi eq, %n, %c64 : index
  %pick = arith.select %small, %odd, %len : index
  %both = arith.select %same, %c1, %pick : index
  %square = arith.muli %some, %some : index
  %down = arith.subi %square, %c1 : index
  return %block_num, %len, %odd, %both : index, index, index, index
}

// CHECK: func.func @k
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %block_num = aicore.tiling_data "block_num" min 1 : index
  %len = aicore.tiling_data "len" min 1 max 64 : index
  %odd = aicore.tiling_data "odd" max 6 : index
  %pick = aicore.tiling_data "pick" min 0 max 64 : index
  return
}

// Values that are few: constants that selects choose among, remainders, and what arithmetic makes of them. The branch of a kernel
// on such a field is proved for each.
// CHECK: func.func @modes
func.func @modes(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "flag"}, index {aicore.name = "mode"}, index {aicore.name = "four"}, index {aicore.name = "unit"})
    attributes {aicore.tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c1000 = arith.constant 1000 : index
  %flag = arith.minsi %n, %c1 : index
  %small = arith.cmpi slt, %n, %c8 : index
  %large = arith.cmpi slt, %c1000, %n : index
  %some = arith.select %large, %c8, %c2 : index
  %mode = arith.select %small, %c0, %some : index
  %rest = arith.remsi %n, %c2 : index
  %twice = arith.muli %rest, %c3 : index
  %four = arith.addi %twice, %c1 : index
  %unit = arith.floordivsi %mode, %c2 : index
  return %c1, %flag, %mode, %four, %unit : index, index, index, index, index
}
// CHECK: func.func @with_cases
func.func @with_cases(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @modes} {
  %flag = aicore.tiling_data "flag" cases [0, 1] : index
  %mode = aicore.tiling_data "mode" cases [0, 2, 8] : index
  %four = aicore.tiling_data "four" cases [1, 2, 4] : index
  %unit = aicore.tiling_data "unit" cases [0, 1, 4] : index
  return
}

// With the number of the shape key as the kernel's, selects on it are decided.
// CHECK: func.func @keys
func.func @keys(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tiling_key"}, index {aicore.name = "mode"}) attributes {aicore.tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %key = arith.remsi %n, %c8 : index
  %is = arith.cmpi eq, %key, %c0 : index
  %mode = arith.select %is, %c5, %c1 : index
  return %c1, %key, %mode : index, index, index
}
// CHECK: func.func @key_0
func.func @key_0(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @keys, aicore.tiling_key = 0 : i64} {
  %mode = aicore.tiling_data "mode" cases [5] : index
  return
}
