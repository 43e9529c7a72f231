// Rows of a tile with a block each, of any number and length; offsets of a gather as whole numbers with a sign.
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!g = memref<?xf32, strided<[1]>, #gm>
!t = memref<?xf32, strided<[1]>, #ub>
!w = memref<?xi32, strided<[1]>, #ub>
func.func @row_blocks_tiling(%rows: index {aicore.size = #aicore.size<dim 0 of "x">},
                             %length: index {aicore.size = #aicore.size<dim 1 of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "length"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %rows, %length : index, index, index
}
func.func @row_blocks_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %i: memref<?xi32, #gm> {aicore.name = "i"},
                              %v: memref<?xf32, #gm> {aicore.name = "v"}, %spread: memref<?xf32, #gm> {aicore.name = "spread"},
                              %less: memref<?xf32, #gm> {aicore.name = "less"}, %parts: memref<?xf32, #gm> {aicore.name = "parts"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @row_blocks_tiling} {
  %c8 = arith.constant 8 : index
  %z0 = arith.constant 0 : index
  %z1 = arith.constant 1 : index
  %z2 = arith.constant 2 : index
  %z3 = arith.constant 3 : index
  %rows = aicore.tiling_data "rows" max 64 : index
  %length = aicore.tiling_data "length" max 16384 : index
  %a = aicore.buffer "a" at 0 : memref<20480xf32, #ub>
  %d = aicore.buffer "d" at 81920 : memref<20480xf32, #ub>
  %blocks = aicore.buffer "blocks" at 163840 : memref<512xf32, #ub>
  %places = aicore.buffer "places" at 165888 : memref<512xi32, #ub>
  %values = aicore.buffer "values" at 167936 : memref<64xf32, #ub>
  %n = arith.muli %rows, %length : index
  %lanes = arith.muli %rows, %c8 : index
  %x_gm = memref.subview %x[0] [%n] [1] : memref<?xf32, #gm> to !g
  %x_ub = memref.subview %a[0] [%n] [1] : memref<20480xf32, #ub> to !t
  aicore.load %x_gm -> %x_ub : !g to !t
  aicore.set_flag mte2 -> v [%z0]
  aicore.wait_flag mte2 -> v [%z0]
  %i_gm = memref.subview %i[0] [%lanes] [1] : memref<?xi32, #gm> to memref<?xi32, strided<[1]>, #gm>
  %i_ub = memref.subview %places[0] [%lanes] [1] : memref<512xi32, #ub> to !w
  aicore.load %i_gm -> %i_ub : memref<?xi32, strided<[1]>, #gm> to !w
  aicore.set_flag mte2 -> v [%z1]
  aicore.wait_flag mte2 -> v [%z1]
  %v_gm = memref.subview %v[0] [%rows] [1] : memref<?xf32, #gm> to !g
  %v_ub = memref.subview %values[0] [%rows] [1] : memref<64xf32, #ub> to !t
  aicore.load %v_gm -> %v_ub : !g to !t
  aicore.set_flag mte2 -> v [%z2]
  aicore.wait_flag mte2 -> v [%z2]

  %b_ub = memref.subview %blocks[0] [%lanes] [1] : memref<512xf32, #ub> to !t
  aicore.vgather ins(%v_ub, %i_ub : !t, !w) outs(%b_ub : !t)
  %spread_gm = memref.subview %spread[0] [%lanes] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%z0]
  aicore.wait_flag v -> mte3 [%z0]
  aicore.store %b_ub -> %spread_gm : !t to !g
  aicore.set_flag mte3 -> v [%z0]
  aicore.wait_flag mte3 -> v [%z0]

  %d_ub = memref.subview %d[0] [%n] [1] : memref<20480xf32, #ub> to !t
  aicore.vsub rows ins(%x_ub, %b_ub : !t, !t) outs(%d_ub : !t)
  %less_gm = memref.subview %less[0] [%n] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%z0]
  aicore.wait_flag v -> mte3 [%z0]
  aicore.store %d_ub -> %less_gm : !t to !g
  aicore.set_flag mte3 -> v [%z0]
  aicore.wait_flag mte3 -> v [%z0]
  aicore.vdiv rows ins(%x_ub, %b_ub : !t, !t) outs(%d_ub : !t)
  %parts_gm = memref.subview %parts[0] [%n] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%z0]
  aicore.wait_flag v -> mte3 [%z0]
  aicore.store %d_ub -> %parts_gm : !t to !g
  aicore.set_flag mte3 -> v [%z0]
  aicore.wait_flag mte3 -> v [%z0]
  return
}
