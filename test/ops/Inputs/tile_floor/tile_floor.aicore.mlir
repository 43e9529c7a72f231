!T = f32
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @tile_floor_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tile_num"}, index {aicore.name = "total_length"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %tile_length = arith.constant 1024 : index
  %tile_num = arith.ceildivsi %n, %tile_length : index
  return %c1, %tile_num, %n : index, index, index
}

func.func @tile_floor(%x: memref<?x!T, #gm>, %y: memref<?x!T, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @tile_floor_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %tile_num = aicore.tiling_data "tile_num" : index
  %total_length = aicore.tiling_data "total_length" : index

  scf.for %tile = %c0 to %tile_num step %c1 {
    %offset = arith.muli %tile, %c1024 : index
    %rest = arith.subi %total_length, %offset : index
    %count = arith.minsi %rest, %c1024 : index
    %x_gm = memref.subview %x[%offset] [%count] [1] : memref<?x!T, #gm> to memref<?x!T, strided<[1], offset: ?>, #gm>
    %y_gm = memref.subview %y[%offset] [%count] [1] : memref<?x!T, #gm> to memref<?x!T, strided<[1], offset: ?>, #gm>
    %x_tile = aicore.buffer "x" : memref<1024x!T, #ub>
    %copied = aicore.buffer "copied" : memref<1024x!T, #ub>
    %groups = aicore.buffer "groups" : memref<16x!T, #ub>
    %most = aicore.buffer "most" : memref<16x!T, #ub>
    %y_tile = aicore.buffer "y" : memref<1024x!T, #ub>
    %shared = aicore.buffer "shared" : memref<16384xui8, #ub>
    %x_ub = memref.subview %x_tile[0] [%count] [1] : memref<1024x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %copied_ub = memref.subview %copied[0] [%count] [1] : memref<1024x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %y_ub = memref.subview %y_tile[0] [%count] [1] : memref<1024x!T, #ub> to memref<?x!T, strided<[1]>, #ub>

    aicore.load %x_gm -> %x_ub : memref<?x!T, strided<[1], offset: ?>, #gm> to memref<?x!T, strided<[1]>, #ub>
    aicore.vcopy ins(%x_ub : memref<?x!T, strided<[1]>, #ub>) outs(%copied_ub : memref<?x!T, strided<[1]>, #ub>)
    // 64 elements of f32 are 256 bytes.
    %some = arith.ceildivsi %count, %c64 : index
    %groups_ub = memref.subview %groups[0] [%some] [1] : memref<16x!T, #ub> to memref<?x!T, strided<[1]>, #ub>
    %most_ub = memref.subview %most[0] [1] [1] : memref<16x!T, #ub> to memref<1x!T, strided<[1]>, #ub>
    aicore.vreduce_repeat_max ins(%copied_ub : memref<?x!T, strided<[1]>, #ub>) outs(%groups_ub : memref<?x!T, strided<[1]>, #ub>)
    aicore.vreduce_repeat_max ins(%groups_ub : memref<?x!T, strided<[1]>, #ub>) outs(%most_ub : memref<1x!T, strided<[1]>, #ub>)
    aicore.vfloor ins(%copied_ub : memref<?x!T, strided<[1]>, #ub>) outs(%y_ub : memref<?x!T, strided<[1]>, #ub>) scratch(%shared : memref<16384xui8, #ub>)
    %value = aicore.scalar_read %most_ub[%c0] : memref<1x!T, strided<[1]>, #ub>
    aicore.scalar_write %value, %y_ub[%c0] : memref<?x!T, strided<[1]>, #ub>
    aicore.store %y_ub -> %y_gm : memref<?x!T, strided<[1]>, #ub> to memref<?x!T, strided<[1], offset: ?>, #gm>
  }
  return
}
