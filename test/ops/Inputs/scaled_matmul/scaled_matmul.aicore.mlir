!T = i8
// ScaledMatmul by hand, at phase `placed`: y = relu((x * w + bias) * scale) of bytes, w with its rows along k. The cube starts
// sums at the bias, FIX makes them float16 with the scale of their column. The vector unit has nothing to do.
//
//   gm --mte2--> L1 --mte1--> L0A, L0B, bias table --m--> L0C --fix: scale, relu--> gm

#gm = #aicore.space<gm>

!rows8 = memref<?x?xi8, strided<[?, 1], offset: ?>, #gm>
!rows16 = memref<?x?xf16, strided<[?, 1], offset: ?>, #gm>
!l1 = memref<32768xi8, #aicore.space<l1, nz>>

func.func @scaled_matmul_tiling(%m: index {aicore.size = #aicore.size<dim 0 of "x">},
                                %k: index {aicore.size = #aicore.size<dim 1 of "x">},
                                %n: index {aicore.size = #aicore.size<dim 0 of "w">},
                                %max_blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tiles_of_block"}, index {aicore.name = "tiles"},
        index {aicore.name = "tiles_across"}, index {aicore.name = "panels"}, index {aicore.name = "m"},
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
  %some_panels = arith.ceildivsi %k, %c256 : index
  %panels = arith.maxsi %some_panels, %c1 : index
  return %block_num, %tiles_of_block, %tiles, %tiles_across, %panels, %m, %k, %n
      : index, index, index, index, index, index, index, index
}

func.func @scaled_matmul(%x: memref<?xi8, #gm>, %w: memref<?xi8, #gm>, %bias: memref<?xi32, #gm>, %scale: memref<?xf32, #gm>,
                         %y: memref<?xf16, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @scaled_matmul_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i8
  %tiles_of_block = aicore.tiling_data "tiles_of_block" min 1 : index
  %tiles = aicore.tiling_data "tiles" : index
  %tiles_across = aicore.tiling_data "tiles_across" min 1 : index
  %panels = aicore.tiling_data "panels" min 1 : index
  %m = aicore.tiling_data "m" : index
  %k = aicore.tiling_data "k" : index
  %n = aicore.tiling_data "n" : index

  %block = aicore.block_idx : index
  %first = arith.muli %block, %tiles_of_block : index
  %left = arith.subi %tiles, %first : index
  %tile_num = arith.minsi %left, %tiles_of_block : index

  scf.for %i = %c0 to %tile_num step %c1 {
    %tile = arith.addi %first, %i : index
    %down = arith.floordivsi %tile, %tiles_across : index
    %across = arith.remsi %tile, %tiles_across : index
    %m0 = arith.muli %down, %c128 : index
    %n0 = arith.muli %across, %c128 : index
    %m_left = arith.subi %m, %m0 : index
    %n_left = arith.subi %n, %n0 : index
    %m_tile = arith.minsi %m_left, %c128 : index
    %n_tile = arith.minsi %n_left, %c128 : index

    // With one row the chip would read x in another form: there are two then, the second of zeros.
    %m_cube = arith.maxsi %m_tile, %c2 : index
    %is_one = arith.cmpi eq, %m_tile, %c1 : index
    %second_row = arith.select %is_one, %c1, %c0 : index

    // A row in L1 is one column of fractals after the other, each of one row.
    %bias_gm = memref.reinterpret_cast %bias to offset: [%n0], sizes: [1, %n_tile], strides: [%n, 1] : memref<?xi32, #gm> to memref<1x?xi32, strided<[?, 1], offset: ?>, #gm>
    %bias_l1 = aicore.buffer "bias_l1" : memref<128xi32, #aicore.space<l1, nz>>
    %bias_bt = aicore.buffer "bias_bt" : memref<128xi32, #aicore.space<bt>>
    aicore.load_nz %bias_gm -> %bias_l1 height %c1 : memref<1x?xi32, strided<[?, 1], offset: ?>, #gm> to memref<128xi32, #aicore.space<l1, nz>>
    aicore.load_bias %bias_l1 -> %bias_bt count %n_tile : memref<128xi32, #aicore.space<l1, nz>> to memref<128xi32, #aicore.space<bt>>
    %s0 = arith.muli %n0, %c2 : index
    %s_tile = arith.muli %n_tile, %c2 : index
    %s_gm = memref.reinterpret_cast %scale to offset: [%s0], sizes: [1, %s_tile], strides: [%s_tile, 1] : memref<?xf32, #gm> to memref<1x?xf32, strided<[?, 1], offset: ?>, #gm>
    %s_l1 = aicore.buffer "s_l1" : memref<256xf32, #aicore.space<l1, nz>>
    aicore.load_nz %s_gm -> %s_l1 height %c1 : memref<1x?xf32, strided<[?, 1], offset: ?>, #gm> to memref<256xf32, #aicore.space<l1, nz>>

    %sums = aicore.buffer "sums" : memref<16384xi32, #aicore.space<l0c, nz>>
    scf.for %panel = %c0 to %panels step %c1 {
      %k0 = arith.muli %panel, %c256 : index
      %k_left = arith.subi %k, %k0 : index
      %k_tile = arith.minsi %k_left, %c256 : index
      %k_fractals = arith.ceildivsi %k_tile, %c32 : index
      %x_row = arith.muli %m0, %k : index
      %x_offset = arith.addi %x_row, %k0 : index
      %x_gm = memref.reinterpret_cast %x to offset: [%x_offset], sizes: [%m_tile, %k_tile], strides: [%k, 1] : memref<?xi8, #gm> to !rows8
      %x_l1 = aicore.buffer "x_l1" : !l1
      aicore.fill %zero -> %x_l1 at %c1 rows %k_fractals of %second_row stride %c128 : i8 to !l1
      aicore.load_nz %x_gm -> %x_l1 height %c128 : !rows8 to !l1
      %w_row = arith.muli %n0, %k : index
      %w_offset = arith.addi %w_row, %k0 : index
      %w_gm = memref.reinterpret_cast %w to offset: [%w_offset], sizes: [%n_tile, %k_tile], strides: [%k, 1] : memref<?xi8, #gm> to !rows8
      %w_l1 = aicore.buffer "w_l1" : !l1
      aicore.load_nz %w_gm -> %w_l1 height %c128 : !rows8 to !l1
      %is_first = arith.cmpi eq, %panel, %c0 : index
      aicore.multiply ins(%x_l1[128], %w_l1[128] transpose : !l1, !l1) outs(%sums : memref<16384xi32, #aicore.space<l0c, nz>>) m %m_cube k %k_tile n %n_tile init %is_first bias %bias_bt : memref<128xi32, #aicore.space<bt>>
    }

    %y_row = arith.muli %m0, %n : index
    %y_offset = arith.addi %y_row, %n0 : index
    %y_gm = memref.reinterpret_cast %y to offset: [%y_offset], sizes: [%m_tile, %n_tile], strides: [%n, 1] : memref<?xf16, #gm> to !rows16
    aicore.fixpipe %sums -> %y_gm m %m_tile n %n_tile scale %s_l1 : memref<256xf32, #aicore.space<l1, nz>> relu : memref<16384xi32, #aicore.space<l0c, nz>> to !rows16
  }
  return
}
