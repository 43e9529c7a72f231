// Rows of a matrix with gaps between them, padded in UB and added to the rows of another. The first element gets what lies
// after the first row instead, so that padding shows in the result.
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<512xf32, #ub>
!x_rows = memref<?x?xf32, strided<[?, 1], offset: 3>, #gm>
!y_rows = memref<?x?xf32, strided<[80, 1], offset: 2>, #gm>
!t_rows = memref<?x?xf32, strided<[64, 1]>, #ub>
func.func @rows_tiling(%rows: index {aicore.size = #aicore.size<dim 0 of "x">},
                       %row: index {aicore.size = #aicore.size<dim 1 of "x">},
                       %pitch: index {aicore.size = #aicore.size<dim 2 of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "row"},
        index {aicore.name = "pitch"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %rows, %row, %pitch : index, index, index, index
}
func.func @rows_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %y: memref<?xf32, #gm> {aicore.name = "y"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @rows_tiling} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 7.0 : f32
  %rows = aicore.tiling_data "rows" max 8 : index
  %row = aicore.tiling_data "row" max 64 : index
  %pitch = aicore.tiling_data "pitch" : index
  %t = aicore.buffer "t" at 64 : !t
  %x_gm = memref.reinterpret_cast %x to offset: [3], sizes: [%rows, %row], strides: [%pitch, 1] : memref<?xf32, #gm> to !x_rows
  %y_gm = memref.reinterpret_cast %y to offset: [2], sizes: [%rows, %row], strides: [80, 1] : memref<?xf32, #gm> to !y_rows
  %t_ub = memref.reinterpret_cast %t to offset: [0], sizes: [%rows, %row], strides: [64, 1] : !t to !t_rows
  aicore.load %x_gm -> %t_ub pad(%pad : f32) : !x_rows to !t_rows
  aicore.set_flag mte2 -> s [%c0]
  aicore.wait_flag mte2 -> s [%c0]
  // One lane after the first row: padding where the row does not end on 32 bytes.
  %behind = aicore.scalar_read %t[%row] : !t
  aicore.scalar_write %behind, %t[%c0] : !t
  aicore.set_flag s -> mte3 [%c0]
  aicore.wait_flag s -> mte3 [%c0]
  aicore.store %t_ub -> %y_gm atomic_add : !t_rows to !y_rows
  return
}
