// RUN: opc-opt --aicore-specialize %s | FileCheck %s

// What the tiling function returns as a constant is one in the kernel; what depends on the launch stays a read.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[LENGTH:.+]] = arith.constant 512 : index
// CHECK-NOT: aicore.tiling_data "tile_length"
// CHECK: aicore.tiling_data "block_length"
// CHECK-NOT: aicore.tiling_data "tile_length"
// CHECK: memref.subview %{{.+}}[0] [%[[LENGTH]]] [1]
func.func @kernel(%x: memref<?xf32, #aicore.space<gm>> {aicore.name = "x"}, %y: memref<?xf32, #aicore.space<gm>> {aicore.name = "y"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @tiling} {
  %length = aicore.tiling_data "tile_length" min 1 max 512 : index
  %block = aicore.tiling_data "block_length" min 1 : index
  %ub = aicore.buffer "x" : memref<512xf32, #aicore.space<ub>>
  %tile = memref.subview %ub[0] [%length] [1] : memref<512xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %gm = memref.subview %x[%block] [%length] [1] : memref<?xf32, #aicore.space<gm>> to memref<?xf32, strided<[1], offset: ?>, #aicore.space<gm>>
  aicore.load %gm -> %tile : memref<?xf32, strided<[1], offset: ?>, #aicore.space<gm>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  return
}

func.func @tiling(%blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tile_length"}, index {aicore.name = "block_length"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %num = arith.maxsi %blocks, %c1 : index
  return %c1, %c512, %num : index, index, index
}
