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
