// RUN: opc-opt %s --aicore-pipeline --split-input-file | FileCheck %s

// Loops in other shapes than one tile loop go through all passes, and the proof takes them. An inserter that thought of one
// loop only would be refused here.
// CHECK-COUNT-5: #aicore.phase<synced>

// A tile of the outer loop that the inner loop uses: it must not be loaded anew before the inner loop is done with it.
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!g = memref<?xf32, #gm>
!gv = memref<?xf32, strided<[1], offset: ?>, #gm>
!uv = memref<?xf32, strided<[1]>, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  return %c1, %n, %n, %c64 : index, index, index, index
}
func.func @k(%x: !g {aicore.name = "x"}, %w: !g {aicore.name = "w"}, %y: !g {aicore.name = "y"}) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %cols = aicore.tiling_data "cols" : index
  %len = aicore.tiling_data "len" min 1 max 64 : index
  scf.for %i = %c0 to %rows step %c1 {
    %offw = arith.muli %i, %len : index
    %g5 = memref.subview %w[%offw] [%len] [1] : !g to !gv
    %b_w = aicore.buffer "w" : memref<64xf32, #ub>
    %v6 = memref.subview %b_w[0] [%len] [1] : memref<64xf32, #ub> to !uv
    aicore.load %g5 -> %v6 : !gv to !uv
  scf.for %j = %c0 to %cols step %c1 {
    %r = arith.muli %i, %cols : index
    %t0 = arith.addi %r, %j : index
    %off = arith.muli %t0, %len : index
    %g7 = memref.subview %x[%off] [%len] [1] : !g to !gv
    %g8 = memref.subview %y[%off] [%len] [1] : !g to !gv
    %b_a = aicore.buffer "a" : memref<64xf32, #ub>
    %v9 = memref.subview %b_a[0] [%len] [1] : memref<64xf32, #ub> to !uv
    %b_b = aicore.buffer "b" : memref<64xf32, #ub>
    %v10 = memref.subview %b_b[0] [%len] [1] : memref<64xf32, #ub> to !uv
    aicore.load %g7 -> %v9 : !gv to !uv
    aicore.vadd ins(%v9, %v6 : !uv, !uv) outs(%v10 : !uv)
    aicore.vexp ins(%v10 : !uv) outs(%v10 : !uv)
    aicore.store %v10 -> %g8 : !uv to !gv
  }
  }
  return
}

// -----

// Two loops one after another with the same event ids: the presets of the second come after the drains of the first.
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!g = memref<?xf32, #gm>
!gv = memref<?xf32, strided<[1], offset: ?>, #gm>
!uv = memref<?xf32, strided<[1]>, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  return %c1, %n, %n, %c64 : index, index, index, index
}
func.func @k(%x: !g {aicore.name = "x"}, %w: !g {aicore.name = "w"}, %y: !g {aicore.name = "y"}) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %cols = aicore.tiling_data "cols" : index
  %len = aicore.tiling_data "len" min 1 max 64 : index
  scf.for %i1 = %c0 to %rows step %c1 {
    %off1 = arith.muli %i1, %len : index
    %g11 = memref.subview %x[%off1] [%len] [1] : !g to !gv
    %g12 = memref.subview %y[%off1] [%len] [1] : !g to !gv
    %b_a1 = aicore.buffer "a1" : memref<64xf32, #ub>
    %v13 = memref.subview %b_a1[0] [%len] [1] : memref<64xf32, #ub> to !uv
    %b_b1 = aicore.buffer "b1" : memref<64xf32, #ub>
    %v14 = memref.subview %b_b1[0] [%len] [1] : memref<64xf32, #ub> to !uv
    aicore.load %g11 -> %v13 : !gv to !uv
    aicore.vexp ins(%v13 : !uv) outs(%v14 : !uv)
    aicore.store %v14 -> %g12 : !uv to !gv
  }
  scf.for %i2 = %c0 to %rows step %c1 {
    %off2 = arith.muli %i2, %len : index
    %g15 = memref.subview %w[%off2] [%len] [1] : !g to !gv
    %g16 = memref.subview %y[%off2] [%len] [1] : !g to !gv
    %b_a2 = aicore.buffer "a2" : memref<64xf32, #ub>
    %v17 = memref.subview %b_a2[0] [%len] [1] : memref<64xf32, #ub> to !uv
    %b_b2 = aicore.buffer "b2" : memref<64xf32, #ub>
    %v18 = memref.subview %b_b2[0] [%len] [1] : memref<64xf32, #ub> to !uv
    aicore.load %g15 -> %v17 : !gv to !uv
    aicore.vrelu ins(%v17 : !uv) outs(%v18 : !uv)
    aicore.store %v18 -> %g16 : !uv to !gv
  }
  return
}

// -----

// Two passes over the columns of each row, with a scalar read between them.
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!g = memref<?xf32, #gm>
!gv = memref<?xf32, strided<[1], offset: ?>, #gm>
!uv = memref<?xf32, strided<[1]>, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  return %c1, %n, %n, %c64 : index, index, index, index
}
func.func @k(%x: !g {aicore.name = "x"}, %w: !g {aicore.name = "w"}, %y: !g {aicore.name = "y"}) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %cols = aicore.tiling_data "cols" : index
  %len = aicore.tiling_data "len" min 1 max 64 : index
  scf.for %i = %c0 to %rows step %c1 {
    %base = arith.muli %i, %cols : index
    %b_acc = aicore.buffer "acc" : memref<64xf32, #ub>
    %v19 = memref.subview %b_acc[0] [%len] [1] : memref<64xf32, #ub> to !uv
    aicore.vbrc ins(%one : f32) outs(%v19 : !uv)
  scf.for %j = %c0 to %cols step %c1 {
    %t0 = arith.addi %base, %j : index
    %off = arith.muli %t0, %len : index
    %g20 = memref.subview %x[%off] [%len] [1] : !g to !gv
    %b_a = aicore.buffer "a" : memref<64xf32, #ub>
    %v21 = memref.subview %b_a[0] [%len] [1] : memref<64xf32, #ub> to !uv
    aicore.load %g20 -> %v21 : !gv to !uv
    aicore.vmax ins(%v19, %v21 : !uv, !uv) outs(%v19 : !uv)
  }
    %sc = aicore.scalar_read %v19[%c0] : !uv
  scf.for %j2 = %c0 to %cols step %c1 {
    %t1 = arith.addi %base, %j2 : index
    %off2 = arith.muli %t1, %len : index
    %g22 = memref.subview %x[%off2] [%len] [1] : !g to !gv
    %g23 = memref.subview %y[%off2] [%len] [1] : !g to !gv
    %b_a2 = aicore.buffer "a2" : memref<64xf32, #ub>
    %v24 = memref.subview %b_a2[0] [%len] [1] : memref<64xf32, #ub> to !uv
    %b_b2 = aicore.buffer "b2" : memref<64xf32, #ub>
    %v25 = memref.subview %b_b2[0] [%len] [1] : memref<64xf32, #ub> to !uv
    aicore.load %g22 -> %v24 : !gv to !uv
    aicore.vadds ins(%v24, %sc : !uv, f32) outs(%v25 : !uv)
    aicore.store %v25 -> %g23 : !uv to !gv
  }
  }
  return
}

// -----

// The inner trip count changes with the outer iteration: one slot, and still in order.
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!g = memref<?xf32, #gm>
!gv = memref<?xf32, strided<[1], offset: ?>, #gm>
!uv = memref<?xf32, strided<[1]>, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  return %c1, %n, %n, %c64 : index, index, index, index
}
func.func @k(%x: !g {aicore.name = "x"}, %w: !g {aicore.name = "w"}, %y: !g {aicore.name = "y"}) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %cols = aicore.tiling_data "cols" : index
  %len = aicore.tiling_data "len" min 1 max 64 : index
  scf.for %i = %c0 to %rows step %c1 {
    %rest = arith.subi %cols, %i : index
  scf.for %j = %c0 to %rest step %c1 {
    %r = arith.muli %i, %cols : index
    %t0 = arith.addi %r, %j : index
    %off = arith.muli %t0, %len : index
    %g26 = memref.subview %x[%off] [%len] [1] : !g to !gv
    %g27 = memref.subview %y[%off] [%len] [1] : !g to !gv
    %b_a = aicore.buffer "a" : memref<64xf32, #ub>
    %v28 = memref.subview %b_a[0] [%len] [1] : memref<64xf32, #ub> to !uv
    %b_b = aicore.buffer "b" : memref<64xf32, #ub>
    %v29 = memref.subview %b_b[0] [%len] [1] : memref<64xf32, #ub> to !uv
    aicore.load %g26 -> %v28 : !gv to !uv
    aicore.vexp ins(%v28 : !uv) outs(%v29 : !uv)
    aicore.store %v29 -> %g27 : !uv to !gv
  }
  }
  return
}

// -----

// A branch that loads and computes: a branch not taken leaves every flag as it was.
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!g = memref<?xf32, #gm>
!gv = memref<?xf32, strided<[1], offset: ?>, #gm>
!uv = memref<?xf32, strided<[1]>, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}, index {aicore.name = "len"}, index {aicore.name = "every"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c3 = arith.constant 3 : index
  %rest = arith.remsi %n, %c3 : index
  %every = arith.addi %rest, %c1 : index
  return %c1, %n, %n, %c64, %every : index, index, index, index, index
}
func.func @k(%x: !g {aicore.name = "x"}, %w: !g {aicore.name = "w"}, %y: !g {aicore.name = "y"}) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %cols = aicore.tiling_data "cols" : index
  %every = aicore.tiling_data "every" cases [1, 2, 3] : index
  %len = aicore.tiling_data "len" min 1 max 64 : index
  scf.for %i = %c0 to %rows step %c1 {
    %off = arith.muli %i, %len : index
    %g34 = memref.subview %x[%off] [%len] [1] : !g to !gv
    %g35 = memref.subview %y[%off] [%len] [1] : !g to !gv
    %g36 = memref.subview %w[%off] [%len] [1] : !g to !gv
    %b_a = aicore.buffer "a" : memref<64xf32, #ub>
    %v37 = memref.subview %b_a[0] [%len] [1] : memref<64xf32, #ub> to !uv
    %b_b = aicore.buffer "b" : memref<64xf32, #ub>
    %v38 = memref.subview %b_b[0] [%len] [1] : memref<64xf32, #ub> to !uv
    %b_w = aicore.buffer "w" : memref<64xf32, #ub>
    %v39 = memref.subview %b_w[0] [%len] [1] : memref<64xf32, #ub> to !uv
    aicore.load %g34 -> %v37 : !gv to !uv
    aicore.vexp ins(%v37 : !uv) outs(%v38 : !uv)
    %odd = arith.remsi %i, %every : index
    %p = arith.cmpi slt, %odd, %c1 : index
    scf.if %p {
    aicore.load %g36 -> %v39 : !gv to !uv
    aicore.vadd ins(%v39, %v38 : !uv, !uv) outs(%v38 : !uv)
    }
    aicore.store %v38 -> %g35 : !uv to !gv
  }
  return
}
