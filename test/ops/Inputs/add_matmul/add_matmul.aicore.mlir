!T = f16
// AddMatmul by hand, at phase `placed`: y = x1 * x2 + bias. The cube multiplies tiles of 128 x 256 by 256 x 128 in L1, the
// vector unit adds the bias to the result on its way out. Steps of k, slots, addresses and flags are the compiler's.
//
//   gm --mte2--> L1 --mte1--> L0A, L0B --m--> L0C --fix--> UB --v: + bias--> UB --mte3--> gm
//
// The tiles of a block are one loop over rows and columns of tiles, so that a nest has few loops. M, N and K are any
// numbers: sizes of the last tile of each are operands, and what fills fractals up beyond K is zero.

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

!rows16 = memref<?x?xf16, strided<[?, 1], offset: ?>, #gm>
!rows32 = memref<?x?xf32, strided<[?, 1], offset: ?>, #gm>
!slice = memref<?xf32, strided<[1], offset: ?>, #gm>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
!front = memref<?xf32, strided<[1]>, #ub>
!l1 = memref<32768xf16, #aicore.space<l1, nz>>
!l0c = memref<16384xf32, #aicore.space<l0c, nz>>

// From the sizes to tiles of 128 x 128 of the result, which blocks share evenly.
func.func @add_matmul_tiling(%m: index {aicore.size = #aicore.size<dim 0 of "x1">},
                             %k: index {aicore.size = #aicore.size<dim 1 of "x1">},
                             %n: index {aicore.size = #aicore.size<dim 1 of "x2">},
                             %max_blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tiles_of_block"}, index {aicore.name = "tiles"},
        index {aicore.name = "tiles_across"}, index {aicore.name = "steps"}, index {aicore.name = "m"},
        index {aicore.name = "k"}, index {aicore.name = "n"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %tiles_down = arith.ceildivsi %m, %c128 : index
  %across = arith.ceildivsi %n, %c128 : index
  %tiles = arith.muli %tiles_down, %across : index
  %tiles_across = arith.maxsi %across, %c1 : index
  %some_tiles = arith.maxsi %tiles, %c1 : index
  %some_blocks = arith.maxsi %max_blocks, %c1 : index
  %tiles_of_block = arith.ceildivsi %some_tiles, %some_blocks : index
  %block_num = arith.ceildivsi %some_tiles, %tiles_of_block : index
  // Without any k there is one step over nothing, which leaves zeros.
  %some_steps = arith.ceildivsi %k, %c256 : index
  %steps = arith.maxsi %some_steps, %c1 : index
  return %block_num, %tiles_of_block, %tiles, %tiles_across, %steps, %m, %k, %n
      : index, index, index, index, index, index, index, index
}

func.func @add_matmul(%x1: memref<?xf16, #gm>, %x2: memref<?xf16, #gm>, %bias: memref<?xf32, #gm>, %y: memref<?xf32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @add_matmul_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f16
  %tiles_of_block = aicore.tiling_data "tiles_of_block" min 1 : index
  %tiles = aicore.tiling_data "tiles" : index
  %tiles_across = aicore.tiling_data "tiles_across" min 1 : index
  %steps = aicore.tiling_data "steps" min 1 : index
  %m = aicore.tiling_data "m" : index
  %k = aicore.tiling_data "k" : index
  %n = aicore.tiling_data "n" : index

  %block = aicore.block_idx : index
  %first = arith.muli %block, %tiles_of_block : index
  %left = arith.subi %tiles, %first : index
  %tile_num = arith.minsi %left, %tiles_of_block : index

  scf.for %i = %c0 to %tile_num step %c1 {
    // The tile at row m0 and column n0 of the result has m_tile rows and n_tile columns.
    %tile = arith.addi %first, %i : index
    %down = arith.floordivsi %tile, %tiles_across : index
    %across = arith.remsi %tile, %tiles_across : index
    %m0 = arith.muli %down, %c128 : index
    %n0 = arith.muli %across, %c128 : index
    %m_left = arith.subi %m, %m0 : index
    %n_left = arith.subi %n, %n0 : index
    %m_tile = arith.minsi %m_left, %c128 : index
    %n_tile = arith.minsi %n_left, %c128 : index
    %n_fractals = arith.ceildivsi %n_tile, %c16 : index

    // With one row the chip would read x1 in another form: there are two then, the second of zeros.
    %m_cube = arith.maxsi %m_tile, %c2 : index
    %is_one = arith.cmpi eq, %m_tile, %c1 : index
    %second_row = arith.select %is_one, %c1, %c0 : index

    %bias_tile = aicore.buffer "bias" : memref<128xf32, #ub>
    %bias_ub = memref.subview %bias_tile[0] [%n_tile] [1] : memref<128xf32, #ub> to !front
    %bias_gm = memref.subview %bias[%n0] [%n_tile] [1] : memref<?xf32, #gm> to !slice
    aicore.load %bias_gm -> %bias_ub : !slice to !front

    %product = aicore.buffer "product" : !l0c
    scf.for %step = %c0 to %steps step %c1 {
      %k0 = arith.muli %step, %c256 : index
      %k_left = arith.subi %k, %k0 : index
      %k_tile = arith.minsi %k_left, %c256 : index
      %k_fractals = arith.ceildivsi %k_tile, %c16 : index
      %k_whole = arith.muli %k_fractals, %c16 : index

      // x1 is m x k. Its rows end in zeros; a second row of zeros is block 1 of each column of fractals.
      %x1_row = arith.muli %m0, %k : index
      %x1_offset = arith.addi %x1_row, %k0 : index
      %x1_gm = memref.reinterpret_cast %x1 to offset: [%x1_offset], sizes: [%m_tile, %k_tile], strides: [%k, 1] : memref<?xf16, #gm> to !rows16
      %x1_l1 = aicore.buffer "x1_l1" : !l1
      aicore.fill %zero -> %x1_l1 at %c1 rows %k_fractals of %second_row stride %c128 : f16 to !l1
      aicore.load_nz %x1_gm -> %x1_l1 height %c128 : !rows16 to !l1

      // x2 is k x n. Rows beyond k are the end of the last fractal of each column of fractals.
      %x2_row = arith.muli %k0, %n : index
      %x2_offset = arith.addi %x2_row, %n0 : index
      %x2_gm = memref.reinterpret_cast %x2 to offset: [%x2_offset], sizes: [%k_tile, %n_tile], strides: [%n, 1] : memref<?xf16, #gm> to !rows16
      %x2_l1 = aicore.buffer "x2_l1" : !l1
      %is_whole = arith.cmpi eq, %k_tile, %k_whole : index
      %rows_beyond = arith.select %is_whole, %c0, %c16 : index
      %last = arith.subi %k_whole, %c16 : index
      %last_fractal = arith.maxsi %last, %c0 : index
      aicore.fill %zero -> %x2_l1 at %last_fractal rows %n_fractals of %rows_beyond stride %c256 : f16 to !l1
      aicore.load_nz %x2_gm -> %x2_l1 height %c256 : !rows16 to !l1

      %is_first = arith.cmpi eq, %step, %c0 : index
      aicore.multiply ins(%x1_l1[128], %x2_l1[256] : !l1, !l1) outs(%product : !l0c) m %m_cube k %k_tile n %n_tile init %is_first
    }

    // Rows of the tile begin 128 elements apart in UB.
    %sum = aicore.buffer "sum" : memref<16384xf32, #ub>
    aicore.fixpipe %product -> %sum m %m_tile n %n_tile stride %c128 : !l0c to memref<16384xf32, #ub>
    scf.for %row = %c0 to %m_tile step %c1 {
      %at = arith.muli %row, %c128 : index
      %sum_row = memref.subview %sum[%at] [%n_tile] [1] : memref<16384xf32, #ub> to !part
      aicore.vadd ins(%sum_row, %bias_ub : !part, !front) outs(%sum_row : !part)
    }
    %y_row = arith.muli %m0, %n : index
    %y_offset = arith.addi %y_row, %n0 : index
    %y_gm = memref.reinterpret_cast %y to offset: [%y_offset], sizes: [%m_tile, %n_tile], strides: [%n, 1] : memref<?xf32, #gm> to !rows32
    %span = arith.muli %m_tile, %c128 : index
    %sum_ub = memref.subview %sum[0] [%span] [1] : memref<16384xf32, #ub> to !front
    aicore.store %sum_ub -> %y_gm stride %c128 : !front to !rows32
  }
  return
}
