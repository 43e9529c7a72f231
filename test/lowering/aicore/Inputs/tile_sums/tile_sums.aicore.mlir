!T = f32
// The loops of a matmul without its cube: tiles of y, the panels of each, and four pieces of a panel.

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!tensor = memref<?x!T, #gm>
!part = memref<1024x!T, strided<[1], offset: ?>, #gm>
!tile = memref<1024x!T, #ub>
!piece = memref<256x!T, strided<[1], offset: ?>, #ub>

func.func @tile_sums_tiling(%a: index {aicore.size = #aicore.size<num_elements of "a">},
                            %c: index {aicore.size = #aicore.size<num_elements of "c">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tiles"}, index {aicore.name = "panels"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %length = arith.constant 1024 : index
  %tiles = arith.ceildivsi %c, %length : index
  %some = arith.maxsi %c, %c1 : index
  %panels = arith.ceildivsi %a, %some : index
  return %c1, %tiles, %panels : index, index, index
}

func.func @tile_sums(%a: !tensor, %c: !tensor, %y: !tensor)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @tile_sums_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %tiles = aicore.tiling_data "tiles" : index
  %panels = aicore.tiling_data "panels" : index

  scf.for %tile = %c0 to %tiles step %c1 {
    %at = arith.muli %tile, %c1024 : index
    %c_gm = memref.subview %c[%at] [1024] [1] : !tensor to !part
    %y_gm = memref.subview %y[%at] [1024] [1] : !tensor to !part
    %sum = aicore.buffer "sum" : !tile
    aicore.load %c_gm -> %sum : !part to !tile
    %before = arith.muli %tile, %panels : index
    scf.for %panel = %c0 to %panels step %c1 {
      %number = arith.addi %before, %panel : index
      %from = arith.muli %number, %c1024 : index
      %a_gm = memref.subview %a[%from] [1024] [1] : !tensor to !part
      %a_tile = aicore.buffer "a" : !tile
      aicore.load %a_gm -> %a_tile : !part to !tile
      scf.for %piece = %c0 to %c4 step %c1 {
        %first = arith.muli %piece, %c256 : index
        %a_piece = memref.subview %a_tile[%first] [256] [1] : !tile to !piece
        %sum_piece = memref.subview %sum[%first] [256] [1] : !tile to !piece
        aicore.vadd ins(%a_piece, %sum_piece : !piece, !piece) outs(%sum_piece : !piece)
      }
    }
    aicore.store %sum -> %y_gm : !tile to !part
  }
  return
}
