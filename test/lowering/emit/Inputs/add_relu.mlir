// AddRelu at `synced`, all by hand: two slots for each buffer that a copy touches, addresses, flags. Shared by the tests of
// the emitters.

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!gm_tile = memref<?xf16, strided<[1], offset: ?>, #gm>
!ub_tile = memref<?xf16, strided<[1], offset: ?>, #ub>

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

func.func @add_relu_float16(%x1: memref<?xf16, #gm> {aicore.name = "x1"}, %x2: memref<?xf16, #gm> {aicore.name = "x2"},
                            %y: memref<?xf16, #gm> {aicore.name = "y"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @add_relu_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %block_length = aicore.tiling_data "block_length" min 1 : index
  %tile_length = aicore.tiling_data "tile_length" min 1 max 8192 : index
  %total_length = aicore.tiling_data "total_length" : index
  %block = aicore.block_idx : index
  %start = arith.muli %block, %block_length : index
  %left = arith.subi %total_length, %start : index
  %length = arith.minsi %left, %block_length : index
  %tile_num = arith.ceildivsi %length, %tile_length : index
  %x1_tile = aicore.buffer "x1" at 0 : memref<2x8192xf16, #ub>
  %x2_tile = aicore.buffer "x2" at 32768 : memref<2x8192xf16, #ub>
  %y_tile = aicore.buffer "y" at 65536 : memref<2x8192xf16, #ub>
  aicore.set_flag v -> mte2 [%c0]
  aicore.set_flag v -> mte2 [%c1]
  aicore.set_flag mte3 -> v [%c0]
  aicore.set_flag mte3 -> v [%c1]
  scf.for %tile = %c0 to %tile_num step %c1 {
    %slot = arith.remsi %tile, %c2 : index
    %done = arith.muli %tile, %tile_length : index
    %rest = arith.subi %length, %done : index
    %count = arith.minsi %rest, %tile_length : index
    %offset = arith.addi %start, %done : index
    %x1_gm = memref.subview %x1[%offset] [%count] [1] : memref<?xf16, #gm> to !gm_tile
    %x2_gm = memref.subview %x2[%offset] [%count] [1] : memref<?xf16, #gm> to !gm_tile
    %y_gm = memref.subview %y[%offset] [%count] [1] : memref<?xf16, #gm> to !gm_tile
    %x1_ub = memref.subview %x1_tile[%slot, 0] [1, %count] [1, 1] : memref<2x8192xf16, #ub> to !ub_tile
    %x2_ub = memref.subview %x2_tile[%slot, 0] [1, %count] [1, 1] : memref<2x8192xf16, #ub> to !ub_tile
    %y_ub = memref.subview %y_tile[%slot, 0] [1, %count] [1, 1] : memref<2x8192xf16, #ub> to !ub_tile
    aicore.wait_flag v -> mte2 [%slot]
    aicore.load %x1_gm -> %x1_ub : !gm_tile to !ub_tile
    aicore.load %x2_gm -> %x2_ub : !gm_tile to !ub_tile
    aicore.set_flag mte2 -> v [%slot]
    aicore.wait_flag mte3 -> v [%slot]
    aicore.wait_flag mte2 -> v [%slot]
    aicore.vaddrelu ins(%x1_ub, %x2_ub : !ub_tile, !ub_tile) outs(%y_ub : !ub_tile)
    aicore.set_flag v -> mte2 [%slot]
    aicore.set_flag v -> mte3 [%slot]
    aicore.wait_flag v -> mte3 [%slot]
    aicore.store %y_ub -> %y_gm : !ub_tile to !gm_tile
    aicore.set_flag mte3 -> v [%slot]
  }
  aicore.wait_flag v -> mte2 [%c0]
  aicore.wait_flag v -> mte2 [%c1]
  aicore.wait_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c1]
  return
}
