!T = f16
// Swish by hand, at phase `placed`: y = x / (1 + exp(-beta * x)), computed in f32 whatever the storage type. Dividing x by
// the sum is the form that is known to be right on the chip; x * (1 / sum) loses a bit and the case of an infinite sum.
// Each type row has a kernel of its own: one casts, the other splits the exponent (f16 cannot hold what the split would
// save). beta arrives with the launch.

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

!half_gm = memref<?xf16, strided<[1], offset: ?>, #gm>
!half_ub = memref<?xf16, strided<[1]>, #ub>
!float_gm = memref<?xf32, strided<[1], offset: ?>, #gm>
!float_ub = memref<?xf32, strided<[1]>, #ub>

// From the number of elements to blocks and tiles, as in AddRelu.
func.func @swish_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">},
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

func.func @swish_float16(%x: memref<?xf16, #gm>, %y: memref<?xf16, #gm>, %beta: f32)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @swish_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %minus_beta = arith.negf %beta : f32
  %block_length = aicore.tiling_data "block_length" min 1 : index
  %tile_length = aicore.tiling_data "tile_length" min 1 max 8192 : index
  %total_length = aicore.tiling_data "total_length" : index

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

    %x_gm = memref.subview %x[%offset] [%count] [1] : memref<?xf16, #gm> to !half_gm
    %y_gm = memref.subview %y[%offset] [%count] [1] : memref<?xf16, #gm> to !half_gm
    %x_tile = aicore.buffer "x" : memref<8192xf16, #ub>
    %y_tile = aicore.buffer "y" : memref<8192xf16, #ub>
    %wide_tile = aicore.buffer "wide" : memref<8192xf32, #ub>
    %sum_tile = aicore.buffer "sum" : memref<8192xf32, #ub>
    %x_ub = memref.subview %x_tile[0] [%count] [1] : memref<8192xf16, #ub> to !half_ub
    %y_ub = memref.subview %y_tile[0] [%count] [1] : memref<8192xf16, #ub> to !half_ub
    %wide = memref.subview %wide_tile[0] [%count] [1] : memref<8192xf32, #ub> to !float_ub
    %sum = memref.subview %sum_tile[0] [%count] [1] : memref<8192xf32, #ub> to !float_ub

    aicore.load %x_gm -> %x_ub : !half_gm to !half_ub
    aicore.vcast ins(%x_ub : !half_ub) outs(%wide : !float_ub) round none
    aicore.vmuls ins(%wide, %minus_beta : !float_ub, f32) outs(%sum : !float_ub)
    aicore.vexp ins(%sum : !float_ub) outs(%sum : !float_ub)
    aicore.vadds ins(%sum, %one : !float_ub, f32) outs(%sum : !float_ub)
    aicore.vdiv ins(%wide, %sum : !float_ub, !float_ub) outs(%sum : !float_ub)
    aicore.vcast ins(%sum : !float_ub) outs(%y_ub : !half_ub) round rint
    aicore.store %y_ub -> %y_gm : !half_ub to !half_gm
  }
  return
}

func.func @swish_float32(%x: memref<?xf32, #gm>, %y: memref<?xf32, #gm>, %beta: f32)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @swish_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %limit = arith.constant 88.0 : f32
  %minus_limit = arith.constant -88.0 : f32
  %minus_beta = arith.negf %beta : f32
  %block_length = aicore.tiling_data "block_length" min 1 : index
  %tile_length = aicore.tiling_data "tile_length" min 1 max 8192 : index
  %total_length = aicore.tiling_data "total_length" : index

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

    %x_gm = memref.subview %x[%offset] [%count] [1] : memref<?xf32, #gm> to !float_gm
    %y_gm = memref.subview %y[%offset] [%count] [1] : memref<?xf32, #gm> to !float_gm
    %x_tile = aicore.buffer "x" : memref<8192xf32, #ub>
    %y_tile = aicore.buffer "y" : memref<8192xf32, #ub>
    %sum_tile = aicore.buffer "sum" : memref<8192xf32, #ub>
    %x_ub = memref.subview %x_tile[0] [%count] [1] : memref<8192xf32, #ub> to !float_ub
    %y_ub = memref.subview %y_tile[0] [%count] [1] : memref<8192xf32, #ub> to !float_ub
    %sum = memref.subview %sum_tile[0] [%count] [1] : memref<8192xf32, #ub> to !float_ub

    aicore.load %x_gm -> %x_ub : !float_gm to !float_ub
    // exp overflows where -beta * x passes 88.7, yet a large x there has a quotient that f32 can hold. So the exponent is
    // split at 88: x / (1 + exp(min(t, 88))) / exp(max(t, 88) - 88). Below the limit the second divisor is exactly 1.
    aicore.vmuls ins(%x_ub, %minus_beta : !float_ub, f32) outs(%sum : !float_ub)
    aicore.vmaxs ins(%sum, %limit : !float_ub, f32) outs(%y_ub : !float_ub)
    aicore.vmins ins(%sum, %limit : !float_ub, f32) outs(%sum : !float_ub)
    aicore.vexp ins(%sum : !float_ub) outs(%sum : !float_ub)
    aicore.vadds ins(%sum, %one : !float_ub, f32) outs(%sum : !float_ub)
    aicore.vdiv ins(%x_ub, %sum : !float_ub, !float_ub) outs(%sum : !float_ub)
    aicore.vadds ins(%y_ub, %minus_limit : !float_ub, f32) outs(%y_ub : !float_ub)
    aicore.vexp ins(%y_ub : !float_ub) outs(%y_ub : !float_ub)
    aicore.vdiv ins(%sum, %y_ub : !float_ub, !float_ub) outs(%y_ub : !float_ub)
    aicore.store %y_ub -> %y_gm : !float_ub to !float_gm
  }
  return
}
