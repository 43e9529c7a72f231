// RUN: opc-opt %s --aicore-verify-synced --verify-diagnostics --split-input-file

// Flags of a nest: tiles of a result, and the panels that are added up for each. Flags of the inner loop count on through
// the outer one. The first kernel has them all; each of the others has one mistake.
// All flags, for any number of tiles and panels.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s : index, index, index
}
func.func @k(%x: !gm, %y: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !slots  %sum = aicore.buffer "sum" at 512 : !slots
  aicore.set_flag mte3 -> v [%c0]  aicore.set_flag mte3 -> v [%c1]
  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %s = memref.subview %sum[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.wait_flag mte3 -> v [%turn]
    aicore.vbrc ins(%zero : f32) outs(%s : !slot)
    %before = arith.muli %i, %m : index
    scf.for %j = %c0 to %m step %c1 {
      %number = arith.addi %before, %j : index  %id = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      %offset = arith.muli %number, %c64 : index  %from = memref.subview %x[%offset] [64] [1] : !gm to !part
      aicore.wait_flag v -> mte2 [%id]
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      aicore.vadd ins(%at, %s : !slot, !slot) outs(%s : !slot)
      aicore.set_flag v -> mte2 [%id]
    }
    aicore.set_flag v -> mte3 [%turn]
    aicore.wait_flag v -> mte3 [%turn]
    %place = arith.muli %i, %c64 : index  %to = memref.subview %y[%place] [64] [1] : !gm to !part
    aicore.store %s -> %to : !slot to !part
    aicore.set_flag mte3 -> v [%turn]
  }
  aicore.wait_flag mte3 -> v [%c0]  aicore.wait_flag mte3 -> v [%c1]
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
  return
}


// -----

// Without a preset the first load into the second slot never starts.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s : index, index, index
}
func.func @k(%x: !gm, %y: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !slots  %sum = aicore.buffer "sum" at 512 : !slots
  aicore.set_flag mte3 -> v [%c0]  aicore.set_flag mte3 -> v [%c1]
  aicore.set_flag v -> mte2 [%c0]
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %s = memref.subview %sum[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.wait_flag mte3 -> v [%turn]
    aicore.vbrc ins(%zero : f32) outs(%s : !slot)
    %before = arith.muli %i, %m : index
    scf.for %j = %c0 to %m step %c1 {
      %number = arith.addi %before, %j : index  %id = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      %offset = arith.muli %number, %c64 : index  %from = memref.subview %x[%offset] [64] [1] : !gm to !part
      aicore.wait_flag v -> mte2 [%id]
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      aicore.vadd ins(%at, %s : !slot, !slot) outs(%s : !slot)
      aicore.set_flag v -> mte2 [%id]
    }
    aicore.set_flag v -> mte3 [%turn]
    aicore.wait_flag v -> mte3 [%turn]
    %place = arith.muli %i, %c64 : index  %to = memref.subview %y[%place] [64] [1] : !gm to !part
    aicore.store %s -> %to : !slot to !part
    aicore.set_flag mte3 -> v [%turn]
  }
  aicore.wait_flag mte3 -> v [%c0]  aicore.wait_flag mte3 -> v [%c1]
  // expected-error @below {{[sync_c6] expects every wait to be met; here the pipes deadlock: pipe mte2 waits for v, id 1}}
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
  return
}


// -----

// Without a drain a flag stays set.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s : index, index, index
}
func.func @k(%x: !gm, %y: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !slots  %sum = aicore.buffer "sum" at 512 : !slots
  aicore.set_flag mte3 -> v [%c0]  aicore.set_flag mte3 -> v [%c1]
  // expected-error @below {{[sync_c5] expects every set to be waited for; the flag v -> mte2, id 1, is still set at the end of the kernel}}
  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %s = memref.subview %sum[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.wait_flag mte3 -> v [%turn]
    aicore.vbrc ins(%zero : f32) outs(%s : !slot)
    %before = arith.muli %i, %m : index
    scf.for %j = %c0 to %m step %c1 {
      %number = arith.addi %before, %j : index  %id = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      %offset = arith.muli %number, %c64 : index  %from = memref.subview %x[%offset] [64] [1] : !gm to !part
      aicore.wait_flag v -> mte2 [%id]
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      aicore.vadd ins(%at, %s : !slot, !slot) outs(%s : !slot)
      aicore.set_flag v -> mte2 [%id]
    }
    aicore.set_flag v -> mte3 [%turn]
    aicore.wait_flag v -> mte3 [%turn]
    %place = arith.muli %i, %c64 : index  %to = memref.subview %y[%place] [64] [1] : !gm to !part
    aicore.store %s -> %to : !slot to !part
    aicore.set_flag mte3 -> v [%turn]
  }
  aicore.wait_flag mte3 -> v [%c0]  aicore.wait_flag mte3 -> v [%c1]
  aicore.wait_flag v -> mte2 [%c0]
  return
}


// -----

// A wait one iteration too early: the flag of this turn is set again before anybody waited for it.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s : index, index, index
}
func.func @k(%x: !gm, %y: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !slots  %sum = aicore.buffer "sum" at 512 : !slots
  aicore.set_flag mte3 -> v [%c0]  aicore.set_flag mte3 -> v [%c1]
  // expected-note @below {{the previous set, 'aicore.set_flag'}}
  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %s = memref.subview %sum[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.wait_flag mte3 -> v [%turn]
    aicore.vbrc ins(%zero : f32) outs(%s : !slot)
    %before = arith.muli %i, %m : index
    scf.for %j = %c0 to %m step %c1 {
      %number = arith.addi %before, %j : index  %id = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      %offset = arith.muli %number, %c64 : index  %from = memref.subview %x[%offset] [64] [1] : !gm to !part
      %next = arith.addi %number, %c1 : index  %wrong = arith.remsi %next, %c2 : index
      aicore.wait_flag v -> mte2 [%wrong]
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      aicore.vadd ins(%at, %s : !slot, !slot) outs(%s : !slot)
      // expected-error @below {{[sync_c4] expects a flag to be set only after the wait for its previous set; the flag v -> mte2, id 0, may be set before that wait is over}}
      aicore.set_flag v -> mte2 [%id]
    }
    aicore.set_flag v -> mte3 [%turn]
    aicore.wait_flag v -> mte3 [%turn]
    %place = arith.muli %i, %c64 : index  %to = memref.subview %y[%place] [64] [1] : !gm to !part
    aicore.store %s -> %to : !slot to !part
    aicore.set_flag mte3 -> v [%turn]
  }
  aicore.wait_flag mte3 -> v [%c0]  aicore.wait_flag mte3 -> v [%c1]
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
  return
}


// -----

// Two tiles in flight with one slot for the sum: only the second tile shows it.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s : index, index, index
}
func.func @k(%x: !gm, %y: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !slots  %sum = aicore.buffer "sum" at 512 : !slots
  aicore.set_flag mte3 -> v [%c0]  aicore.set_flag mte3 -> v [%c1]
  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %s = memref.subview %sum[%c0, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.wait_flag mte3 -> v [%turn]
    // expected-note @below {{the other access is here}}
    aicore.vbrc ins(%zero : f32) outs(%s : !slot)
    %before = arith.muli %i, %m : index
    scf.for %j = %c0 to %m step %c1 {
      %number = arith.addi %before, %j : index  %id = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      %offset = arith.muli %number, %c64 : index  %from = memref.subview %x[%offset] [64] [1] : !gm to !part
      aicore.wait_flag v -> mte2 [%id]
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      aicore.vadd ins(%at, %s : !slot, !slot) outs(%s : !slot)
      aicore.set_flag v -> mte2 [%id]
    }
    aicore.set_flag v -> mte3 [%turn]
    aicore.wait_flag v -> mte3 [%turn]
    %place = arith.muli %i, %c64 : index  %to = memref.subview %y[%place] [64] [1] : !gm to !part
    // expected-error @below {{[sync_c1] expects accesses to one byte to be ordered by flags or barriers; 'aicore.store' of iteration 0 on pipe mte3 touches 'sum' and nothing makes it come after 'aicore.vbrc' of iteration 1 on pipe v}}
    aicore.store %s -> %to : !slot to !part
    aicore.set_flag mte3 -> v [%turn]
  }
  aicore.wait_flag mte3 -> v [%c0]  aicore.wait_flag mte3 -> v [%c1]
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
  return
}


// -----

// Presets and drains around the inner loop: the vector unit presets the next tile's before mte2 has drained this one's.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s : index, index, index
}
func.func @k(%x: !gm, %y: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !slots  %sum = aicore.buffer "sum" at 512 : !slots
  aicore.set_flag mte3 -> v [%c0]  aicore.set_flag mte3 -> v [%c1]
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %s = memref.subview %sum[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.wait_flag mte3 -> v [%turn]
    aicore.vbrc ins(%zero : f32) outs(%s : !slot)
    %before = arith.muli %i, %m : index
    // expected-error @below {{[sync_c4] expects a flag to be set only after the wait for its previous set; the flag v -> mte2, id 0, may be set twice}}
    // expected-note @below {{the previous set, 'aicore.set_flag' of iteration 0}}
    aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
    scf.for %j = %c0 to %m step %c1 {
      %number = arith.addi %before, %j : index  %id = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      %offset = arith.muli %number, %c64 : index  %from = memref.subview %x[%offset] [64] [1] : !gm to !part
      aicore.wait_flag v -> mte2 [%id]
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      aicore.vadd ins(%at, %s : !slot, !slot) outs(%s : !slot)
      aicore.set_flag v -> mte2 [%id]
    }
    aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
    aicore.set_flag v -> mte3 [%turn]
    aicore.wait_flag v -> mte3 [%turn]
    %place = arith.muli %i, %c64 : index  %to = memref.subview %y[%place] [64] [1] : !gm to !part
    aicore.store %s -> %to : !slot to !part
    aicore.set_flag mte3 -> v [%turn]
  }
  aicore.wait_flag mte3 -> v [%c0]  aicore.wait_flag mte3 -> v [%c1]
  return
}


// -----

// The flag of a load after the loop: a panel is added before it is there.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s : index, index, index
}
func.func @k(%x: !gm, %y: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !slots  %sum = aicore.buffer "sum" at 512 : !slots
  aicore.set_flag mte3 -> v [%c0]  aicore.set_flag mte3 -> v [%c1]
  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %s = memref.subview %sum[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.wait_flag mte3 -> v [%turn]
    aicore.vbrc ins(%zero : f32) outs(%s : !slot)
    %before = arith.muli %i, %m : index
    scf.for %j = %c0 to %m step %c1 {
      %number = arith.addi %before, %j : index  %id = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      %offset = arith.muli %number, %c64 : index  %from = memref.subview %x[%offset] [64] [1] : !gm to !part
      aicore.wait_flag v -> mte2 [%id]
      aicore.load %from -> %at : !part to !slot
      aicore.vadd ins(%at, %s : !slot, !slot) outs(%s : !slot)
      aicore.set_flag v -> mte2 [%id]
    }
    // expected-error @below {{[sync_c4] expects a flag to be set only after the wait for its previous set; the flag mte2 -> v, id 0, may be set twice}}
    // expected-note @below {{the previous set, 'aicore.set_flag' of iteration 0}}
    aicore.set_flag mte2 -> v [%c0]
    aicore.wait_flag mte2 -> v [%c0]
    aicore.set_flag v -> mte3 [%turn]
    aicore.wait_flag v -> mte3 [%turn]
    %place = arith.muli %i, %c64 : index  %to = memref.subview %y[%place] [64] [1] : !gm to !part
    aicore.store %s -> %to : !slot to !part
    aicore.set_flag mte3 -> v [%turn]
  }
  aicore.wait_flag mte3 -> v [%c0]  aicore.wait_flag mte3 -> v [%c1]
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
  return
}


// -----

// The flag of a store in the inner loop: set once for each panel, and waited for once for each tile.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s : index, index, index
}
func.func @k(%x: !gm, %y: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !slots  %sum = aicore.buffer "sum" at 512 : !slots
  aicore.set_flag mte3 -> v [%c0]  aicore.set_flag mte3 -> v [%c1]
  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %s = memref.subview %sum[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.wait_flag mte3 -> v [%turn]
    aicore.vbrc ins(%zero : f32) outs(%s : !slot)
    %before = arith.muli %i, %m : index
    scf.for %j = %c0 to %m step %c1 {
      %number = arith.addi %before, %j : index  %id = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      %offset = arith.muli %number, %c64 : index  %from = memref.subview %x[%offset] [64] [1] : !gm to !part
      aicore.wait_flag v -> mte2 [%id]
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      aicore.vadd ins(%at, %s : !slot, !slot) outs(%s : !slot)
      aicore.set_flag v -> mte2 [%id]
      aicore.set_flag mte3 -> v [%turn]
    }
    aicore.set_flag v -> mte3 [%turn]
    aicore.wait_flag v -> mte3 [%turn]
    %place = arith.muli %i, %c64 : index  %to = memref.subview %y[%place] [64] [1] : !gm to !part
    aicore.store %s -> %to : !slot to !part
  }
  // expected-error @below {{[sync_c6] expects every wait to be met; here the pipes deadlock: pipe v waits for mte3, id 0}}
  aicore.wait_flag mte3 -> v [%c0]  aicore.wait_flag mte3 -> v [%c1]
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
  return
}


// -----

// The store waits for the fill of its tile, and not for the panels.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s : index, index, index
}
func.func @k(%x: !gm, %y: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !slots  %sum = aicore.buffer "sum" at 512 : !slots
  aicore.set_flag mte3 -> v [%c0]  aicore.set_flag mte3 -> v [%c1]
  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index
    %s = memref.subview %sum[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.wait_flag mte3 -> v [%turn]
    aicore.vbrc ins(%zero : f32) outs(%s : !slot)
    aicore.set_flag v -> mte3 [%turn]
    %before = arith.muli %i, %m : index
    scf.for %j = %c0 to %m step %c1 {
      %number = arith.addi %before, %j : index  %id = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      %offset = arith.muli %number, %c64 : index  %from = memref.subview %x[%offset] [64] [1] : !gm to !part
      aicore.wait_flag v -> mte2 [%id]
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      // expected-note @below {{the other access is here}}
      aicore.vadd ins(%at, %s : !slot, !slot) outs(%s : !slot)
      aicore.set_flag v -> mte2 [%id]
    }
    aicore.wait_flag v -> mte3 [%turn]
    %place = arith.muli %i, %c64 : index  %to = memref.subview %y[%place] [64] [1] : !gm to !part
    // expected-error @below {{[sync_c1] expects accesses to one byte to be ordered by flags or barriers; 'aicore.store' of iteration 0 on pipe mte3 touches 'sum' and nothing makes it come after 'aicore.vadd' of iteration 0, 0 on pipe v}}
    aicore.store %s -> %to : !slot to !part
    aicore.set_flag mte3 -> v [%turn]
  }
  aicore.wait_flag mte3 -> v [%c0]  aicore.wait_flag mte3 -> v [%c1]
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
  return
}


// -----

// Five loops with one counter through all of them: 7776 combinations of trip counts, and a handful of states.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n0"}, index {aicore.name = "n1"}, index {aicore.name = "n2"}, index {aicore.name = "n3"},
    index {aicore.name = "n4"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s, %s, %s, %s : index, index, index, index, index, index
}
func.func @k(%x: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n0 = aicore.tiling_data "n0" : index  %n1 = aicore.tiling_data "n1" : index  %n2 = aicore.tiling_data "n2" : index
  %n3 = aicore.tiling_data "n3" : index  %n4 = aicore.tiling_data "n4" : index
  %a = aicore.buffer "a" at 0 : !slots  %from = memref.subview %x[%c0] [64] [1] : !gm to !part
  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
  scf.for %i0 = %c0 to %n0 step %c1 { scf.for %i1 = %c0 to %n1 step %c1 { scf.for %i2 = %c0 to %n2 step %c1 {
    scf.for %i3 = %c0 to %n3 step %c1 { scf.for %i4 = %c0 to %n4 step %c1 {
      %p1 = arith.muli %i0, %n1 : index  %r1 = arith.addi %p1, %i1 : index  %p2 = arith.muli %r1, %n2 : index
      %r2 = arith.addi %p2, %i2 : index  %p3 = arith.muli %r2, %n3 : index  %r3 = arith.addi %p3, %i3 : index
      %p4 = arith.muli %r3, %n4 : index  %r4 = arith.addi %p4, %i4 : index  %id = arith.remsi %r4, %c2 : index
      %at = memref.subview %a[%id, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.wait_flag v -> mte2 [%id]
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      aicore.vabs ins(%at : !slot) outs(%at : !slot)
      aicore.set_flag v -> mte2 [%id]
    }}
  }}}
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
  return
}


// -----

// Five loops, whose slots begin anew in each run of the innermost one while ids count on: an odd number of panels shows it.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!part = memref<64xf32, strided<[1], offset: ?>, #gm>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
func.func @t(%s: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"},
    index {aicore.name = "n0"}, index {aicore.name = "n1"}, index {aicore.name = "n2"}, index {aicore.name = "n3"},
    index {aicore.name = "n4"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %s, %s, %s, %s, %s : index, index, index, index, index, index
}
func.func @k(%x: !gm, %zero: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n0 = aicore.tiling_data "n0" : index  %n1 = aicore.tiling_data "n1" : index  %n2 = aicore.tiling_data "n2" : index
  %n3 = aicore.tiling_data "n3" : index  %n4 = aicore.tiling_data "n4" : index
  %a = aicore.buffer "a" at 0 : !slots  %from = memref.subview %x[%c0] [64] [1] : !gm to !part
  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte2 [%c1]
  scf.for %i0 = %c0 to %n0 step %c1 { scf.for %i1 = %c0 to %n1 step %c1 { scf.for %i2 = %c0 to %n2 step %c1 {
    scf.for %i3 = %c0 to %n3 step %c1 { scf.for %i4 = %c0 to %n4 step %c1 {
      %p1 = arith.muli %i0, %n1 : index  %r1 = arith.addi %p1, %i1 : index  %p2 = arith.muli %r1, %n2 : index
      %r2 = arith.addi %p2, %i2 : index  %p3 = arith.muli %r2, %n3 : index  %r3 = arith.addi %p3, %i3 : index
      %p4 = arith.muli %r3, %n4 : index  %r4 = arith.addi %p4, %i4 : index  %id = arith.remsi %r4, %c2 : index
      %slot = arith.remsi %i4, %c2 : index
      %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.wait_flag v -> mte2 [%id]
      // expected-error @below {{[sync_c1] expects accesses to one byte to be ordered by flags or barriers; 'aicore.load' of iteration 0, 0, 0, 1, 0 on pipe mte2 touches 'a' and nothing makes it come after 'aicore.load' of iteration 0, 0, 0, 0, 0 on pipe mte2}}
      // expected-note @below {{the other access is here}}
      aicore.load %from -> %at : !part to !slot
      aicore.set_flag mte2 -> v [%id]
      aicore.wait_flag mte2 -> v [%id]
      aicore.vabs ins(%at : !slot) outs(%at : !slot)
      aicore.set_flag v -> mte2 [%id]
    }}
  }}}
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c1]
  return
}
