// Every intrinsic whose call takes repeats or parameters of its own, over lengths that change from launch to launch. One
// statement after the other: every copy waits for what is before it and is waited for.
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!g = memref<?xf32, strided<[1]>, #gm>
!t = memref<?xf32, strided<[1]>, #ub>
!b = memref<16896xf32, #ub>
func.func @parts_tiling(%n: index {aicore.size = #aicore.size<dim 0 of "x">},
                        %groups: index {aicore.size = #aicore.size<dim 1 of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "groups"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %groups : index, index, index
}
func.func @parts_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %m: memref<?xui8, #gm> {aicore.name = "m"},
                         %i: memref<?xui32, #gm> {aicore.name = "i"}, %copied: memref<?xf32, #gm> {aicore.name = "copied"},
                         %repeats: memref<?xf32, #gm> {aicore.name = "repeats"}, %blocks: memref<?xf32, #gm> {aicore.name = "blocks"},
                         %pairs: memref<?xf32, #gm> {aicore.name = "pairs"}, %masked: memref<?xf32, #gm> {aicore.name = "masked"},
                         %thirds: memref<?xf32, #gm> {aicore.name = "thirds"}, %last: memref<?xf32, #gm> {aicore.name = "last"},
                         %sorted: memref<?xf32, #gm> {aicore.name = "sorted"}, %merged: memref<?xf32, #gm> {aicore.name = "merged"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @parts_tiling} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %n = aicore.tiling_data "n" max 16896 : index
  %groups = aicore.tiling_data "groups" max 132 : index
  %a = aicore.buffer "a" at 0 : !b
  %d = aicore.buffer "d" at 67584 : !b
  %w = aicore.buffer "w" at 135168 : memref<16896xui32, #ub>
  %bits = aicore.buffer "bits" at 202752 : memref<2112xui8, #ub>
  %mask_bytes = arith.ceildivsi %n, %c8 : index
  // What the intrinsics over whole groups take too.
  %grouped = arith.muli %groups, %c128 : index
  %size = arith.maxsi %n, %grouped : index
  %size_gm = memref.subview %x[0] [%size] [1] : memref<?xf32, #gm> to !g
  %size_ub = memref.subview %a[0] [%size] [1] : !b to !t
  aicore.load %size_gm -> %size_ub : !g to !t
  aicore.set_flag mte2 -> v [%c0]
  aicore.wait_flag mte2 -> v [%c0]
  %x_ub = memref.subview %a[0] [%n] [1] : !b to !t
  %m_gm = memref.subview %m[0] [%mask_bytes] [1] : memref<?xui8, #gm> to memref<?xui8, strided<[1]>, #gm>
  %m_ub = memref.subview %bits[0] [%mask_bytes] [1] : memref<2112xui8, #ub> to memref<?xui8, strided<[1]>, #ub>
  aicore.load %m_gm -> %m_ub : memref<?xui8, strided<[1]>, #gm> to memref<?xui8, strided<[1]>, #ub>
  aicore.set_flag mte2 -> v [%c2]
  aicore.wait_flag mte2 -> v [%c2]

  %n_ub = memref.subview %d[0] [%n] [1] : !b to !t
  aicore.vcopy ins(%x_ub : !t) outs(%n_ub : !t)
  %copied_gm = memref.subview %copied[0] [%n] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %n_ub -> %copied_gm : !t to !g
  aicore.set_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c0]

  %r = arith.ceildivsi %n, %c64 : index
  %r_ub = memref.subview %d[0] [%r] [1] : !b to !t
  aicore.vreduce_repeat_max ins(%x_ub : !t) outs(%r_ub : !t)
  %repeats_gm = memref.subview %repeats[0] [%r] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %r_ub -> %repeats_gm : !t to !g
  aicore.set_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c0]

  %b = arith.muli %r, %c8 : index
  %b_ub = memref.subview %d[0] [%b] [1] : !b to !t
  aicore.vreduce_block_sum ins(%x_ub : !t) outs(%b_ub : !t)
  %blocks_gm = memref.subview %blocks[0] [%b] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %b_ub -> %blocks_gm : !t to !g
  aicore.set_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c0]

  %p = arith.muli %r, %c32 : index
  %p_ub = memref.subview %d[0] [%p] [1] : !b to !t
  aicore.vreduce_pair_sum ins(%x_ub : !t) outs(%p_ub : !t)
  %pairs_gm = memref.subview %pairs[0] [%p] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %p_ub -> %pairs_gm : !t to !g
  aicore.set_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c0]

  aicore.vgather_mask ins(%m_ub, %x_ub : memref<?xui8, strided<[1]>, #ub>, !t) outs(%n_ub : !t)
  %masked_gm = memref.subview %masked[0] [%n] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %n_ub -> %masked_gm : !t to !g
  aicore.set_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c0]

  %q = arith.floordivsi %n, %c4 : index
  %q_ub = memref.subview %d[0] [%q] [1] : !b to !t
  aicore.vgather_pattern fourth ins(%x_ub : !t) outs(%q_ub : !t)
  %thirds_gm = memref.subview %thirds[0] [%q] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %q_ub -> %thirds_gm : !t to !g
  aicore.set_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c0]

  // Sixteen channels of whole blocks.
  %planes = arith.muli %groups, %c128 : index
  %planes_ub = memref.subview %a[0] [%planes] [1] : !b to !t
  %last_ub = memref.subview %d[0] [%planes] [1] : !b to !t
  aicore.vtrans5hd ins(%planes_ub : !t) outs(%last_ub : !t)
  %last_gm = memref.subview %last[0] [%planes] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %last_ub -> %last_gm : !t to !g
  aicore.set_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c0]

  %scores = arith.muli %groups, %c64 : index
  %scores_ub = memref.subview %a[0] [%scores] [1] : !b to !t
  %i_gm = memref.subview %i[0] [%scores] [1] : memref<?xui32, #gm> to memref<?xui32, strided<[1]>, #gm>
  %i_ub = memref.subview %w[0] [%scores] [1] : memref<16896xui32, #ub> to memref<?xui32, strided<[1]>, #ub>
  aicore.load %i_gm -> %i_ub : memref<?xui32, strided<[1]>, #gm> to memref<?xui32, strided<[1]>, #ub>
  aicore.set_flag mte2 -> v [%c4]
  aicore.wait_flag mte2 -> v [%c4]
  %list = arith.muli %scores, %c2 : index
  %list_ub = memref.subview %d[0] [%list] [1] : !b to !t
  aicore.vsort32 ins(%scores_ub, %i_ub : !t, memref<?xui32, strided<[1]>, #ub>) outs(%list_ub : !t)
  %sorted_gm = memref.subview %sorted[0] [%list] [1] : memref<?xf32, #gm> to !g
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %list_ub -> %sorted_gm : !t to !g
  aicore.set_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c0]

  // The first two groups of each launch become one list, and with the first again a list of three.
  %first = memref.subview %d[0] [64] [1] : !b to memref<64xf32, strided<[1]>, #ub>
  %second = memref.subview %d[64] [64] [1] : !b to memref<64xf32, strided<[1], offset: 64>, #ub>
  %two = memref.subview %a[0] [128] [1] : !b to memref<128xf32, strided<[1]>, #ub>
  aicore.vmrgsort ins(%first, %second : memref<64xf32, strided<[1]>, #ub>, memref<64xf32, strided<[1], offset: 64>, #ub>) outs(%two : memref<128xf32, strided<[1]>, #ub>)
  %three = memref.subview %a[128] [256] [1] : !b to memref<256xf32, strided<[1], offset: 128>, #ub>
  aicore.pipe_barrier v
  aicore.vmrgsort ins(%two, %first, %second : memref<128xf32, strided<[1]>, #ub>, memref<64xf32, strided<[1]>, #ub>, memref<64xf32, strided<[1], offset: 64>, #ub>) outs(%three : memref<256xf32, strided<[1], offset: 128>, #ub>)
  %all = memref.subview %a[0] [384] [1] : !b to memref<384xf32, strided<[1]>, #ub>
  %merged_gm = memref.subview %merged[0] [384] [1] : memref<?xf32, #gm> to memref<384xf32, strided<[1]>, #gm>
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %all -> %merged_gm : memref<384xf32, strided<[1]>, #ub> to memref<384xf32, strided<[1]>, #gm>
  aicore.set_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c0]
  return
}
