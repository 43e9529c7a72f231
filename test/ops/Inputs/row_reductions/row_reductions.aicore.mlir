!T = f32
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @row_reductions_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tile_num"}, index {aicore.name = "total_length"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %tile_length = arith.constant 2048 : index
  %tile_num = arith.ceildivsi %n, %tile_length : index
  return %c1, %tile_num, %n : index, index, index
}

func.func @row_reductions(%x: memref<?x!T, #gm>, %y: memref<?x!T, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @row_reductions_tiling} {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c220 = arith.constant 220 : index
  %c256 = arith.constant 256 : index
  %c2048 = arith.constant 2048 : index
  %tile_num = aicore.tiling_data "tile_num" : index
  %total_length = aicore.tiling_data "total_length" : index
  // Lane i belongs to row i / 8, whose result is 32 bytes after the previous one.
  %offsets = aicore.buffer "offsets" : memref<64xi32, #ub>
  aicore.varange ins(%zero : i32) outs(%offsets : memref<64xi32, #ub>)
  aicore.vshr ins(%offsets, %three : memref<64xi32, #ub>, i32) outs(%offsets : memref<64xi32, #ub>)
  aicore.vshl ins(%offsets, %five : memref<64xi32, #ub>, i32) outs(%offsets : memref<64xi32, #ub>)

  scf.for %tile = %c0 to %tile_num step %c1 {
    %offset = arith.muli %tile, %c2048 : index
    %rest = arith.subi %total_length, %offset : index
    %count = arith.minsi %rest, %c2048 : index
    %rows = arith.ceildivsi %count, %c256 : index
    %whole = arith.muli %rows, %c256 : index
    %lanes = arith.muli %rows, %c8 : index
    %x_gm = memref.subview %x[%offset] [%count] [1] : memref<?x!T, #gm> to memref<?x!T, strided<[1], offset: ?>, #gm>
    %y_gm = memref.subview %y[%offset] [%count] [1] : memref<?x!T, #gm> to memref<?x!T, strided<[1], offset: ?>, #gm>
    %x_tile = aicore.buffer "x" : memref<2048x!T, #ub>
    %y_tile = aicore.buffer "y" : memref<2048x!T, #ub>
    %blocks = aicore.buffer "blocks" : memref<64x!T, #ub>
    %results = aicore.buffer "results" : memref<64x!T, #ub>
    %scratch = aicore.buffer "scratch" : memref<2048x!T, #ub>
    %r_ub = memref.subview %results[0] [%lanes] [1] : memref<64x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %w_ub = memref.subview %scratch[0] [%whole] [1] : memref<2048x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %x_ub = memref.subview %x_tile[0] [%count] [1] : memref<2048x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %x_rows = memref.subview %x_tile[0] [%whole] [1] : memref<2048x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %y_ub = memref.subview %y_tile[0] [%count] [1] : memref<2048x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %y_rows = memref.subview %y_tile[0] [%whole] [1] : memref<2048x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %o_ub = memref.subview %offsets[0] [%lanes] [1] : memref<64xi32, #ub> to memref<?xi32, strided<[1]>, #ub>
    %b_ub = memref.subview %blocks[0] [%lanes] [1] : memref<64x!T, #ub> to memref<?x!T, strided<[1]>, #ub>

    // The missing elements of the last row; the load pads its last block.
    aicore.vbrc ins(%one : f32) outs(%x_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.load %x_gm -> %x_ub pad(%one : f32) : memref<?x!T, strided<[1], offset: ?>, #gm> to memref<?x!T, strided<[1]>, #ub>
    aicore.vbrc ins(%none : f32) outs(%r_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vreduce_sum rows(%rows, %c220) ins(%x_rows : memref<?x!T, strided<[1]>, #ub>) outs(%r_ub : memref<?x!T, strided<[1]>, #ub>) scratch(%w_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vgather ins(%r_ub, %o_ub : memref<?x!T, strided<[1]>, #ub>, memref<?xi32, strided<[1]>, #ub>) outs(%b_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vsub rows ins(%x_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.vbrc ins(%none : f32) outs(%r_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vreduce_sum rows(%rows, %c256) ins(%x_rows : memref<?x!T, strided<[1]>, #ub>) outs(%r_ub : memref<?x!T, strided<[1]>, #ub>) scratch(%w_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vgather ins(%r_ub, %o_ub : memref<?x!T, strided<[1]>, #ub>, memref<?xi32, strided<[1]>, #ub>) outs(%b_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vmul rows ins(%y_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.vbrc ins(%none : f32) outs(%r_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vreduce_max rows(%rows, %c220) ins(%x_rows : memref<?x!T, strided<[1]>, #ub>) outs(%r_ub : memref<?x!T, strided<[1]>, #ub>) scratch(%w_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vgather ins(%r_ub, %o_ub : memref<?x!T, strided<[1]>, #ub>, memref<?xi32, strided<[1]>, #ub>) outs(%b_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vadd rows ins(%y_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.vbrc ins(%none : f32) outs(%r_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vreduce_min rows(%rows, %c256) ins(%x_rows : memref<?x!T, strided<[1]>, #ub>) outs(%r_ub : memref<?x!T, strided<[1]>, #ub>) scratch(%w_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vgather ins(%r_ub, %o_ub : memref<?x!T, strided<[1]>, #ub>, memref<?xi32, strided<[1]>, #ub>) outs(%b_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vmax rows ins(%y_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.store %y_ub -> %y_gm : memref<?x!T, strided<[1]>, #ub> to memref<?x!T, strided<[1], offset: ?>, #gm>
  }
  return
}
