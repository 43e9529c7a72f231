!T = f32
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @row_steps_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tile_num"}, index {aicore.name = "total_length"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %tile_length = arith.constant 1024 : index
  %tile_num = arith.ceildivsi %n, %tile_length : index
  return %c1, %tile_num, %n : index, index, index
}

func.func @row_steps(%x: memref<?x!T, #gm>, %y: memref<?x!T, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @row_steps_tiling} {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %tile_num = aicore.tiling_data "tile_num" : index
  %total_length = aicore.tiling_data "total_length" : index
  // Lane i is one of row i / 8, which begins 128 bytes after the one before.
  %offsets = aicore.buffer "offsets" : memref<256xi32, #ub>
  aicore.varange ins(%zero : i32) outs(%offsets : memref<256xi32, #ub>)
  aicore.vshr ins(%offsets, %three : memref<256xi32, #ub>, i32) outs(%offsets : memref<256xi32, #ub>)
  aicore.vshl ins(%offsets, %seven : memref<256xi32, #ub>, i32) outs(%offsets : memref<256xi32, #ub>)

  scf.for %tile = %c0 to %tile_num step %c1 {
    %offset = arith.muli %tile, %c1024 : index
    %rest = arith.subi %total_length, %offset : index
    %count = arith.minsi %rest, %c1024 : index
    %rows = arith.ceildivsi %count, %c32 : index
    %whole = arith.muli %rows, %c32 : index
    %lanes = arith.muli %rows, %c8 : index
    %x_gm = memref.subview %x[%offset] [%count] [1] : memref<?x!T, #gm> to memref<?x!T, strided<[1], offset: ?>, #gm>
    %y_gm = memref.subview %y[%offset] [%count] [1] : memref<?x!T, #gm> to memref<?x!T, strided<[1], offset: ?>, #gm>
    %x_tile = aicore.buffer "x" : memref<1024x!T, #ub>
    %y_tile = aicore.buffer "y" : memref<1024x!T, #ub>
    %blocks = aicore.buffer "blocks" : memref<256x!T, #ub>
    %x_ub = memref.subview %x_tile[0] [%count] [1] : memref<1024x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %x_rows = memref.subview %x_tile[0] [%whole] [1] : memref<1024x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %y_ub = memref.subview %y_tile[0] [%count] [1] : memref<1024x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %y_rows = memref.subview %y_tile[0] [%whole] [1] : memref<1024x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %o_ub = memref.subview %offsets[0] [%lanes] [1] : memref<256xi32, #ub> to memref<?xi32, strided<[1]>, #ub>
    %b_ub = memref.subview %blocks[0] [%lanes] [1] : memref<256x!T, #ub> to memref<?x!T, strided<[1]>, #ub>

    // What the last row lacks; the load pads its last block.
    aicore.vbrc ins(%one : f32) outs(%x_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.load %x_gm -> %x_ub pad(%one : f32) : memref<?x!T, strided<[1], offset: ?>, #gm> to memref<?x!T, strided<[1]>, #ub>
    aicore.vgather ins(%x_rows, %o_ub : memref<?x!T, strided<[1]>, #ub>, memref<?xi32, strided<[1]>, #ub>) outs(%b_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vsub rows ins(%x_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.vmul rows ins(%y_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.vadd rows ins(%y_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.vmax rows ins(%y_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.vdiv rows ins(%y_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.vmin rows ins(%y_rows, %b_ub : memref<?x!T, strided<[1]>, #ub>, memref<?x!T, strided<[1]>, #ub>) outs(%y_rows : memref<?x!T, strided<[1]>, #ub>)
    aicore.store %y_ub -> %y_gm : memref<?x!T, strided<[1]>, #ub> to memref<?x!T, strided<[1], offset: ?>, #gm>
  }
  return
}
