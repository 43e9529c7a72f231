!T = f16
// A convolution by hand, at phase `placed`, with bias and relu: images, filters and results in the format of the chip,
// NC1HWC0, so that the cube loads windows of the image as rows of a matrix and no matrix of windows is stored.
//
//   gm --mte2--> L1 --mte1: windows--> L0A --m: + bias--> L0C --fix: relu, f16, fractals--> gm
//
// Strides are 2 down and 1 across, dilations 1 and 2, pads 1 at the top, 2 at the bottom, 3 on the left and 0 on the right.
//
// A tile is 128 places of the result by 128 filters: as many rows of places as 128 has, or a part of one row. L1 has the
// rows of the image that its windows reach, for 16 channels at a time. The tiles of a block are one loop.

#gm = #aicore.space<gm>

!columns = memref<?x?xf16, strided<[?, 1], offset: ?>, #gm>
!row = memref<?x?xf32, strided<[?, 1], offset: ?>, #gm>
!image = memref<65536xf16, #aicore.space<l1, nz>>
!filters = memref<114688xf16, #aicore.space<l1, nz>>
!bias_l1 = memref<128xf32, #aicore.space<l1, nz>>
!bias = memref<128xf32, #aicore.space<bt>>
!l0c = memref<16384xf32, #aicore.space<l0c, nz>>

func.func @conv_image_tiling(%images: index {aicore.size = #aicore.size<dim 0 of "x">},
                             %blocks: index {aicore.size = #aicore.size<dim 1 of "x">},
                             %h: index {aicore.size = #aicore.size<dim 2 of "x">},
                             %w: index {aicore.size = #aicore.size<dim 3 of "x">},
                             %kh: index {aicore.size = #aicore.size<dim 1 of "w">},
                             %kw: index {aicore.size = #aicore.size<dim 2 of "w">},
                             %o1: index {aicore.size = #aicore.size<dim 1 of "y">},
                             %ho: index {aicore.size = #aicore.size<dim 2 of "y">},
                             %wo: index {aicore.size = #aicore.size<dim 3 of "y">},
                             %max_blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tiles_of_block"}, index {aicore.name = "tiles"},
        index {aicore.name = "filter_tiles"}, index {aicore.name = "parts"}, index {aicore.name = "groups"},
        index {aicore.name = "rows"}, index {aicore.name = "blocks"}, index {aicore.name = "height"},
        index {aicore.name = "width"}, index {aicore.name = "filter_height"}, index {aicore.name = "filter_width"},
        index {aicore.name = "filter_blocks"}, index {aicore.name = "places_down"}, index {aicore.name = "places_across"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %c4096 = arith.constant 4096 : index
  // Bounds of the contract, where the kernel relies on them.
  %some_w = arith.maxsi %w, %c1 : index
  %width = arith.minsi %some_w, %c512 : index
  %some_kh = arith.maxsi %kh, %c1 : index
  %filter_height = arith.minsi %some_kh, %c7 : index
  %some_kw = arith.maxsi %kw, %c1 : index
  %filter_width = arith.minsi %some_kw, %c7 : index
  %across = arith.maxsi %wo, %c1 : index

  // Rows of places in a tile: those that 128 has, and of which L1 has the image: (rows - 1) * 2 + filter_height rows of it.
  %in_tile = arith.floordivsi %c128, %across : index
  %in_l1 = arith.floordivsi %c4096, %width : index
  %beyond = arith.subi %in_l1, %filter_height : index
  %more = arith.floordivsi %beyond, %c2 : index
  %fit = arith.addi %more, %c1 : index
  %least = arith.minsi %in_tile, %fit : index
  %rows = arith.maxsi %least, %c1 : index
  %groups_of_image = arith.ceildivsi %ho, %rows : index
  %groups = arith.maxsi %groups_of_image, %c1 : index
  %places = arith.muli %rows, %across : index
  %parts = arith.ceildivsi %places, %c128 : index
  %filter_parts = arith.ceildivsi %o1, %c8 : index
  %filter_tiles = arith.maxsi %filter_parts, %c1 : index

  %of_image = arith.muli %groups_of_image, %parts : index
  %of_images = arith.muli %of_image, %images : index
  %some = arith.minsi %wo, %c1 : index
  %of_places = arith.muli %of_images, %some : index
  %tiles = arith.muli %of_places, %filter_parts : index
  %some_tiles = arith.maxsi %tiles, %c1 : index
  %some_blocks = arith.maxsi %max_blocks, %c1 : index
  %tiles_of_block = arith.ceildivsi %some_tiles, %some_blocks : index
  %block_num = arith.ceildivsi %some_tiles, %tiles_of_block : index
  %least_parts = arith.maxsi %parts, %c1 : index
  %some_parts = arith.minsi %least_parts, %c8 : index
  %some_channels = arith.maxsi %blocks, %c1 : index
  return %block_num, %tiles_of_block, %tiles, %filter_tiles, %some_parts, %groups, %rows, %some_channels, %h, %width,
      %filter_height, %filter_width, %o1, %ho, %across
      : index, index, index, index, index, index, index, index, index, index, index, index, index, index, index
}

func.func @conv_image(%x: memref<?xf16, #gm>, %w: memref<?xf16, #gm>, %b: memref<?xf32, #gm>, %y: memref<?xf16, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @conv_image_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f16
  %tiles_of_block = aicore.tiling_data "tiles_of_block" min 1 : index
  %tiles = aicore.tiling_data "tiles" : index
  %filter_tiles = aicore.tiling_data "filter_tiles" min 1 : index
  %parts = aicore.tiling_data "parts" min 1 max 8 : index
  %groups = aicore.tiling_data "groups" min 1 : index
  %rows = aicore.tiling_data "rows" min 1 : index
  %blocks = aicore.tiling_data "blocks" min 1 : index
  %height = aicore.tiling_data "height" : index
  %width = aicore.tiling_data "width" min 1 max 512 : index
  %filter_height = aicore.tiling_data "filter_height" min 1 max 7 : index
  %filter_width = aicore.tiling_data "filter_width" min 1 max 7 : index
  %filter_blocks = aicore.tiling_data "filter_blocks" : index
  %places_down = aicore.tiling_data "places_down" : index
  %places_across = aicore.tiling_data "places_across" min 1 : index

  %filters = arith.muli %filter_blocks, %c16 : index
  %elements = arith.muli %filter_height, %filter_width : index
  %k = arith.muli %elements, %c16 : index
  %of_filter = arith.muli %filters, %c16 : index
  %of_block = arith.muli %elements, %of_filter : index
  %rows_in_l1 = arith.floordivsi %c4096, %width : index
  %places = arith.muli %places_down, %places_across : index
  %of_result = arith.muli %places, %c16 : index

  %block = aicore.block_idx : index
  %first = arith.muli %block, %tiles_of_block : index
  %left_tiles = arith.subi %tiles, %first : index
  %tile_num = arith.minsi %left_tiles, %tiles_of_block : index

  scf.for %i = %c0 to %tile_num step %c1 {
    // The tile is part %part of group %group of the rows of places of an image, and tile %across of the filters.
    %tile = arith.addi %first, %i : index
    %of_places = arith.floordivsi %tile, %filter_tiles : index
    %across = arith.remsi %tile, %filter_tiles : index
    %of_groups = arith.floordivsi %of_places, %parts : index
    %part = arith.remsi %of_places, %parts : index
    %image = arith.floordivsi %of_groups, %groups : index
    %group = arith.remsi %of_groups, %groups : index

    %row0 = arith.muli %group, %rows : index
    %rows_left = arith.subi %places_down, %row0 : index
    %tile_rows = arith.minsi %rows_left, %rows : index
    %place0 = arith.muli %part, %c128 : index
    %tile_places = arith.muli %tile_rows, %places_across : index
    %places_left = arith.subi %tile_places, %place0 : index
    %m = arith.minsi %places_left, %c128 : index
    %o0 = arith.muli %across, %c8 : index
    %o_left = arith.subi %filter_blocks, %o0 : index
    %n1 = arith.minsi %o_left, %c8 : index
    %n = arith.muli %n1, %c16 : index

    // The rows of the image under the windows: from 2 * row0 - 1 on, as far as the image has them.
    %down = arith.muli %row0, %c2 : index
    %begin = arith.subi %down, %c1 : index
    %between = arith.subi %tile_rows, %c1 : index
    %distance = arith.muli %between, %c2 : index
    %reach = arith.addi %distance, %filter_height : index
    %end = arith.addi %begin, %reach : index
    %start = arith.maxsi %begin, %c0 : index
    %stop = arith.minsi %end, %height : index
    %there = arith.subi %stop, %start : index
    %some = arith.maxsi %there, %c1 : index
    %image_rows = arith.minsi %some, %rows_in_l1 : index
    %top = arith.subi %start, %begin : index
    %above = arith.minsi %top, %c1 : index
    %bottom = arith.subi %end, %stop : index
    %below = arith.minsi %bottom, %c2 : index

    // With one row the chip would read windows in another form: there are two then, the second of a row of places that a
    // larger pad gives.
    %m_cube = arith.maxsi %m, %c2 : index
    %is_one = arith.cmpi eq, %m, %c1 : index
    %second = arith.select %is_one, %c2, %c0 : index
    %pad_below = arith.addi %below, %second : index

    %o_first = arith.muli %o0, %c16 : index
    %b_gm = memref.reinterpret_cast %b to offset: [%o_first], sizes: [1, %n], strides: [%filters, 1] : memref<?xf32, #gm> to memref<1x?xf32, strided<[?, 1], offset: ?>, #gm>
    %b_l1 = aicore.buffer "b_l1" : !bias_l1
    %b_bt = aicore.buffer "b_bt" : !bias
    aicore.load_nz %b_gm -> %b_l1 height %c1 : memref<1x?xf32, strided<[?, 1], offset: ?>, #gm> to !bias_l1
    aicore.load_bias %b_l1 -> %b_bt count %n : !bias_l1 to !bias

    %sums = aicore.buffer "sums" : !l0c
    scf.for %c = %c0 to %blocks step %c1 {
      // One block of channels of the image: places of 32 bytes.
      %x_places = arith.muli %image_rows, %width : index
      %x_length = arith.muli %x_places, %c16 : index
      %x_block = arith.muli %image, %blocks : index
      %x_of = arith.addi %x_block, %c : index
      %x_rows = arith.muli %x_of, %height : index
      %x_row = arith.addi %x_rows, %start : index
      %x_place = arith.muli %x_row, %width : index
      %x_offset = arith.muli %x_place, %c16 : index
      %x_gm = memref.reinterpret_cast %x to offset: [%x_offset], sizes: [1, %x_length], strides: [%x_length, 1] : memref<?xf16, #gm> to memref<1x?xf16, strided<[?, 1], offset: ?>, #gm>
      %x_l1 = aicore.buffer "x_l1" : !image
      aicore.load_nz %x_gm -> %x_l1 height %x_places packed : memref<1x?xf16, strided<[?, 1], offset: ?>, #gm> to !image

      // The filters of the tile for these channels: for each element of the window, 32 bytes of each filter.
      %w_block = arith.muli %c, %of_block : index
      %w_first = arith.muli %o_first, %c16 : index
      %w_offset = arith.addi %w_block, %w_first : index
      %w_length = arith.muli %n, %c16 : index
      %w_gm = memref.reinterpret_cast %w to offset: [%w_offset], sizes: [%elements, %w_length], strides: [%of_filter, 1] : memref<?xf16, #gm> to !columns
      %w_l1 = aicore.buffer "w_l1" : !filters
      aicore.load_nz %w_gm -> %w_l1 height %c128 packed : !columns to !filters

      %is_first = arith.cmpi eq, %c, %c0 : index
      aicore.multiply ins(%x_l1, %w_l1[128] transpose : !image, !filters) outs(%sums : !l0c) m %m_cube k %k n %n init %is_first bias %b_bt : !bias im2col rows from %place0 channels %c16 pad %zero : f16 image [%image_rows, %width] pads [%above, %pad_below, %c3, %c0] filter [%filter_height, %filter_width] strides [%c2, %c1] dilations [%c1, %c2]
    }

    // The places of the tile follow one another in each block of filters.
    %y_block = arith.muli %image, %filter_blocks : index
    %y_of = arith.addi %y_block, %o0 : index
    %y_start = arith.muli %y_of, %of_result : index
    %y_row = arith.muli %row0, %places_across : index
    %y_place = arith.addi %y_row, %place0 : index
    %y_in = arith.muli %y_place, %c16 : index
    %y_offset = arith.addi %y_start, %y_in : index
    %y_length = arith.muli %m, %c16 : index
    %y_gm = memref.reinterpret_cast %y to offset: [%y_offset], sizes: [%n1, %y_length], strides: [%of_result, 1] : memref<?xf16, #gm> to !columns
    aicore.fixpipe %sums -> %y_gm m %m n %n relu nz : !l0c to !columns
  }
  return
}
