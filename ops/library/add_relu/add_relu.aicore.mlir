!T = f16
// AddRelu by hand, at phase `placed`: tiles, DMA and one fused intrinsic. The first line is replaced for each type row.
// The compiler adds slots, addresses and flags.

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

// From the number of elements to blocks and tiles. Blocks are multiples of a full tile, so that only the last tile of the
// last block is short.
func.func @add_relu_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x1">},
                           %max_blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "block_length"},
        index {aicore.name = "tile_length"}, index {aicore.name = "total_length"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %tile_length = arith.constant 8192 : index
  %tiles = arith.ceildivsi %n, %tile_length : index
  %some_tiles = arith.maxsi %tiles, %c1 : index
  %some_blocks = arith.maxsi %max_blocks, %c1 : index
  %tiles_of_block = arith.ceildivsi %some_tiles, %some_blocks : index
  %block_num = arith.ceildivsi %some_tiles, %tiles_of_block : index
  %block_length = arith.muli %tiles_of_block, %tile_length : index
  return %block_num, %block_length, %tile_length, %n : index, index, index, index
}

func.func @add_relu(%x1: memref<?x!T, #gm>, %x2: memref<?x!T, #gm>, %y: memref<?x!T, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @add_relu_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block_length = aicore.tiling_data "block_length" min 1 : index
  %tile_length = aicore.tiling_data "tile_length" min 1 max 8192 : index
  %total_length = aicore.tiling_data "total_length" : index

  // What this block works on: from `start`, `length` elements.
  %block = aicore.block_idx : index
  %start = arith.muli %block, %block_length : index
  %left = arith.subi %total_length, %start : index
  %length = arith.minsi %left, %block_length : index
  %tile_num = arith.ceildivsi %length, %tile_length : index

  scf.for %tile = %c0 to %tile_num step %c1 {
    %done = arith.muli %tile, %tile_length : index
    %rest = arith.subi %length, %done : index
    %count = arith.minsi %rest, %tile_length : index
    %offset = arith.addi %start, %done : index

    %x1_gm = memref.subview %x1[%offset] [%count] [1] : memref<?x!T, #gm> to memref<?x!T, strided<[1], offset: ?>, #gm>
    %x2_gm = memref.subview %x2[%offset] [%count] [1] : memref<?x!T, #gm> to memref<?x!T, strided<[1], offset: ?>, #gm>
    %y_gm = memref.subview %y[%offset] [%count] [1] : memref<?x!T, #gm> to memref<?x!T, strided<[1], offset: ?>, #gm>

    %x1_tile = aicore.buffer "x1" : memref<8192x!T, #ub>
    %x2_tile = aicore.buffer "x2" : memref<8192x!T, #ub>
    %y_tile = aicore.buffer "y" : memref<8192x!T, #ub>
    %x1_ub = memref.subview %x1_tile[0] [%count] [1] : memref<8192x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %x2_ub = memref.subview %x2_tile[0] [%count] [1] : memref<8192x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %y_ub = memref.subview %y_tile[0] [%count] [1] : memref<8192x!T, #ub> to memref<?x!T, strided<[1]>, #ub>

    aicore.load %x1_gm -> %x1_ub : memref<?x!T, strided<[1], offset: ?>, #gm> to memref<?x!T, strided<[1]>, #ub>
    aicore.load %x2_gm -> %x2_ub : memref<?x!T, strided<[1], offset: ?>, #gm> to memref<?x!T, strided<[1]>, #ub>
    aicore.vaddrelu ins(%x1_ub, %x2_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>)
                    outs(%y_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.store %y_ub -> %y_gm : memref<?x!T, strided<[1]>, #ub> to memref<?x!T, strided<[1], offset: ?>, #gm>
  }
  return
}
