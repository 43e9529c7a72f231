// RUN: opc-opt %s --aicore-verify-synced=portable=true --split-input-file | FileCheck %s
// RUN: opc-opt %s --aicore-verify-synced --split-input-file 2> %t.told | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.told

// Sufficient orders: a verifier that refused them would require needless flags. A barrier on a pipe that completes in
// order is harmless, and told; with `portable` the vector pipe is none of those.
// REMARK: remark: 'pipe_barrier v' does nothing on Ascend310B1, where that pipe completes in order; so does 1 more of this kernel; other chips may need it (--portable)
// CHECK-COUNT-11: func.func @k

// The flags of a double-buffered loop.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  %c64 = arith.constant 64 : index
  %a = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 512 : memref<2x64xf32, #aicore.space<ub>>
  aicore.set_flag v -> mte2 [%c0]
  aicore.set_flag v -> mte2 [%c1]
  aicore.set_flag mte3 -> v [%c0]
  aicore.set_flag mte3 -> v [%c1]
  scf.for %i = %c0 to %len step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %off = arith.muli %i, %c64 : index
    %part = memref.subview %x[%off] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    %y_part = memref.subview %y[%off] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    %bt = memref.subview %b[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.wait_flag v -> mte2 [%slot]
    aicore.load %part -> %at : memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.set_flag mte2 -> v [%slot]
    aicore.wait_flag mte2 -> v [%slot]
    aicore.wait_flag mte3 -> v [%slot]
    aicore.vexp ins(%at : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%bt : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
    aicore.set_flag v -> mte2 [%slot]
    aicore.set_flag v -> mte3 [%slot]
    aicore.wait_flag v -> mte3 [%slot]
    aicore.store %bt -> %y_part : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    aicore.set_flag mte3 -> v [%slot]
  }
  aicore.wait_flag v -> mte2 [%c0]
  aicore.wait_flag v -> mte2 [%c1]
  aicore.wait_flag mte3 -> v [%c0]
  aicore.wait_flag mte3 -> v [%c1]
  return
}

// -----

// A barrier orders the pipe with itself.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
  aicore.pipe_barrier v
  aicore.pipe_barrier v
  aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// Two loads in turn need none: they touch different bytes.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  %x_part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  aicore.load %x_part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
  aicore.load %x_part -> %b : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
  return
}

// -----

// An order that leads over a third pipe: the store waits for v, which waited for the load.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %x_part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  aicore.load %x_part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
  aicore.set_flag mte2 -> v [%c0]
  aicore.wait_flag mte2 -> v [%c0]
  aicore.set_flag v -> mte3 [%c0]
  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %a -> %x_part : memref<64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  return
}

// -----

// What reads a whole tile comes after all rows that were written of it, and not after those that were read.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!tile = memref<1024xf32, #aicore.space<ub>>
!row = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !tile
  %b = aicore.buffer "b" at 4096 : !tile
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  aicore.pipe_barrier v
  scf.for %i = %c0 to %rows step %c1 {
    %at = arith.muli %i, %ld : index
    %from = memref.subview %a[%at] [%cols] [1] : !tile to !row
    %to = memref.subview %b[%at] [%cols] [1] : !tile to !row
    aicore.vexp ins(%from : !row) outs(%to : !row)
  }
  %c = aicore.buffer "c" at 8192 : !tile
  aicore.vexp ins(%a : !tile) outs(%c : !tile)
  return
}

// -----

// Each choice of trip counts has places of its own, thousands of them together.
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}, index {aicore.name = "k"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %n = arith.minsi %s, %c5 : index
  return %c1, %n, %n, %n : index, index, index, index
}
!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" max 5 : index
  %m = aicore.tiling_data "m" max 5 : index
  %k = aicore.tiling_data "k" max 5 : index
  %period = arith.remsi %n, %c2 : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  %n8 = arith.muli %n, %c8 : index
  %nm = arith.addi %n8, %m : index
  %nm8 = arith.muli %nm, %c8 : index
  %nmk = arith.addi %nm8, %k : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      scf.for %l = %c0 to %k step %c1 {
        %o0 = arith.muli %nmk, %c8 : index
        %o1 = arith.addi %o0, %i : index
        %o2 = arith.muli %o1, %c8 : index
        %o3 = arith.addi %o2, %j : index
        %o4 = arith.muli %o3, %c8 : index
        %o5 = arith.addi %o4, %l : index
        %off = arith.muli %o5, %c64 : index
        %x_part = memref.subview %x[%off] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
        %y_part = memref.subview %y[%off] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
        aicore.pipe_barrier mte2
        aicore.load %x_part -> %a : !part to memref<64xf32, #aicore.space<ub>>
        aicore.load %y_part -> %b : !part to memref<64xf32, #aicore.space<ub>>
      }
    }
  }
  %last_n = arith.cmpi eq, %n, %c5 : index
  %last_m = arith.cmpi eq, %m, %c5 : index
  %last_k = arith.cmpi eq, %k, %c5 : index
  %last_nm = arith.andi %last_n, %last_m : i1
  %last = arith.andi %last_nm, %last_k : i1
  scf.if %last {
    %x_end = memref.subview %x[%c0] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
    aicore.pipe_barrier mte2
    aicore.load %x_end -> %a : !part to memref<64xf32, #aicore.space<ub>>
  }
  return
}

// -----

// A branch on tiling data, with what each of its cases needs on its side.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}, index {aicore.name = "mode"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.remsi %n, %c2 : index
  return %c1, %n, %m : index, index, index
}
!tile = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1]>, #aicore.space<gm>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %mode = aicore.tiling_data "mode" cases [0, 1] : index
  %a = aicore.buffer "a" at 0 : !tile
  %b = aicore.buffer "b" at 256 : !tile
  %part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
  %moves = arith.cmpi eq, %mode, %c1 : index
  scf.if %moves {
    aicore.load %part -> %a : !part to !tile
    aicore.set_flag mte2 -> v [%c0]
    aicore.wait_flag mte2 -> v [%c0]
    aicore.vexp ins(%a : !tile) outs(%b : !tile)
  } else {
    aicore.vbrc ins(%one : f32) outs(%a : !tile)
    aicore.pipe_barrier v
    aicore.vexp ins(%a : !tile) outs(%b : !tile)
  }
  return
}

// -----

// A field that is read twice has one value; event ids may follow from it.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}, index {aicore.name = "mode"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.remsi %n, %c2 : index
  return %c1, %n, %m : index, index, index
}
!tile = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1]>, #aicore.space<gm>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %mode = aicore.tiling_data "mode" cases [1, 2] : index
  %len = aicore.tiling_data "len" : index
  %again = aicore.tiling_data "mode" : index
  %odd = arith.remsi %mode, %c2 : index
  scf.for %i = %c0 to %len step %c1 {
    %id = arith.remsi %i, %mode : index
    aicore.set_flag v -> mte2 [%id]
    aicore.wait_flag v -> mte2 [%id]
    aicore.set_flag mte2 -> v [%id]
    aicore.wait_flag mte2 -> v [%id]
  }
  %same = arith.cmpi eq, %mode, %again : index
  scf.if %same {
  } else {
    aicore.wait_flag v -> mte2 [%odd]
  }
  return
}

// -----

// What is done ahead of the last iteration: a counter against its own bound.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}, index {aicore.name = "mode"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.remsi %n, %c2 : index
  return %c1, %n, %m : index, index, index
}
!tile = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1]>, #aicore.space<gm>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>, %y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %len = aicore.tiling_data "len" : index
  %a = aicore.buffer "a" at 0 : !tile
  %b = aicore.buffer "b" at 256 : !tile
  %part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
  scf.for %i = %c0 to %len step %c1 {
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %len : index
    scf.if %more {
      aicore.set_flag v -> mte2 [%c0]
      aicore.wait_flag v -> mte2 [%c0]
      aicore.load %part -> %a : !part to !tile
    aicore.set_flag mte2 -> v [%c0]
    aicore.wait_flag mte2 -> v [%c0]
      aicore.pipe_barrier v
    aicore.vexp ins(%a : !tile) outs(%b : !tile)
    }
  }
  return
}

// -----

// Five loops with sixteen ops: 7776 choices of trip counts, of which most show what another one shows.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n0"}, index {aicore.name = "n1"}, index {aicore.name = "n2"}, index {aicore.name = "n3"}, index {aicore.name = "n4"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %n, %n, %n : index, index, index, index, index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %n0 = aicore.tiling_data "n0" : index
  %n1 = aicore.tiling_data "n1" : index
  %n2 = aicore.tiling_data "n2" : index
  %n3 = aicore.tiling_data "n3" : index
  %n4 = aicore.tiling_data "n4" : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      scf.for %i2 = %c0 to %n2 step %c1 {
        scf.for %i3 = %c0 to %n3 step %c1 {
          scf.for %i4 = %c0 to %n4 step %c1 {
            %turn = arith.remsi %i4, %c2 : index
            aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
            aicore.pipe_barrier v
            aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
            aicore.pipe_barrier v
            aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
            aicore.pipe_barrier v
            aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
            aicore.pipe_barrier v
            aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
            aicore.pipe_barrier v
            aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
            aicore.pipe_barrier v
            aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
            aicore.pipe_barrier v
            aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
            aicore.pipe_barrier v
          }
        }
      }
    }
  }
  return
}

// -----

// A kernel that states that it assumes flags between FIX and V may have them, in both directions.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func @k() attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t, aicore.fix_to_v = "direct"} {
  %c0 = arith.constant 0 : index
  aicore.set_flag fix -> v [%c0]
  aicore.wait_flag fix -> v [%c0]
  aicore.set_flag v -> fix [%c0]
  aicore.wait_flag v -> fix [%c0]
  return
}
