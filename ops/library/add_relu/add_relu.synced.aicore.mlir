!T = f16
// AddRelu at phase `synced`, all by hand: slots, addresses, flags. What the passes make of add_relu.aicore.mlir looks like
// this too; the file is for readers, and a test that the verifiers take a kernel no pass has touched.
//
//   at 0      x1: slot 0, slot 1
//   at 32768  x2: slot 0, slot 1        4096 elements a slot: 8192 bytes of f16, 16384 of f32
//   at 65536  y: slot 0, slot 1
//
// Three pipes work on three tiles at a time. Four flags keep them apart, each with an id for each slot:
//
//   mte2 -> v     both inputs of the tile are there
//   v -> mte2     they are used, the slot is free: set for both slots before the loop
//   v -> mte3     the result is there
//   mte3 -> v     it is stored, the slot is free: set for both slots before the loop

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

!tensor = memref<?x!T, #gm>
!part = memref<?x!T, strided<[1], offset: ?>, #gm>
!slots = memref<2x4096x!T, #ub>
!tile = memref<?x!T, strided<[1], offset: ?>, #ub>

func.func @add_relu_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x1">},
                           %max_blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "block_length"},
        index {aicore.name = "tile_length"}, index {aicore.name = "total_length"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %tile_length = arith.constant 4096 : index
  %tiles = arith.ceildivsi %n, %tile_length : index
  %some_tiles = arith.maxsi %tiles, %c1 : index
  %some_blocks = arith.maxsi %max_blocks, %c1 : index
  %tiles_of_block = arith.ceildivsi %some_tiles, %some_blocks : index
  %block_num = arith.ceildivsi %some_tiles, %tiles_of_block : index
  %block_length = arith.muli %tiles_of_block, %tile_length : index
  return %block_num, %block_length, %tile_length, %n : index, index, index, index
}

func.func @add_relu(%x1: !tensor, %x2: !tensor, %y: !tensor)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @add_relu_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x1_slots = aicore.buffer "x1" at 0 : !slots
  %x2_slots = aicore.buffer "x2" at 32768 : !slots
  %y_slots = aicore.buffer "y" at 65536 : !slots
  %block_length = aicore.tiling_data "block_length" min 1 : index
  %tile_length = aicore.tiling_data "tile_length" min 1 max 4096 : index
  %total_length = aicore.tiling_data "total_length" : index

  %block = aicore.block_idx : index
  %start = arith.muli %block, %block_length : index
  %left = arith.subi %total_length, %start : index
  %length = arith.minsi %left, %block_length : index
  %tile_num = arith.ceildivsi %length, %tile_length : index

  // Both slots are free.
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
    %x1_part = memref.subview %x1[%offset] [%count] [1] : !tensor to !part
    %x2_part = memref.subview %x2[%offset] [%count] [1] : !tensor to !part
    %y_part = memref.subview %y[%offset] [%count] [1] : !tensor to !part
    %x1_tile = memref.subview %x1_slots[%slot, 0] [1, %count] [1, 1] : !slots to !tile
    %x2_tile = memref.subview %x2_slots[%slot, 0] [1, %count] [1, 1] : !slots to !tile
    %y_tile = memref.subview %y_slots[%slot, 0] [1, %count] [1, 1] : !slots to !tile

    aicore.wait_flag v -> mte2 [%slot]
    aicore.load %x1_part -> %x1_tile : !part to !tile
    aicore.load %x2_part -> %x2_tile : !part to !tile
    aicore.set_flag mte2 -> v [%slot]

    aicore.wait_flag mte2 -> v [%slot]
    aicore.wait_flag mte3 -> v [%slot]
    aicore.vaddrelu ins(%x1_tile, %x2_tile : !tile, !tile) outs(%y_tile : !tile)
    aicore.set_flag v -> mte2 [%slot]
    aicore.set_flag v -> mte3 [%slot]

    aicore.wait_flag v -> mte3 [%slot]
    aicore.store %y_tile -> %y_part : !tile to !part
    aicore.set_flag mte3 -> v [%slot]
  }
  // The last two sets of each flag that is carried around the loop.
  aicore.wait_flag v -> mte2 [%c0]
  aicore.wait_flag v -> mte2 [%c1]
  aicore.wait_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c1]
  return
}
