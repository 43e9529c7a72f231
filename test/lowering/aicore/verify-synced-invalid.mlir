// RUN: opc-opt %s --aicore-verify-synced --verify-diagnostics

// Each rule of phase `synced` reports what it forbids. (sync_c2, bytes that another buffer took, is in
// test/unit/lowering/aicore: a plan that would allow it is refused before.)

// Kernels share a tiling function and take scalars as arguments. Constants, fields, buffers and views share lines.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#synced = #aicore.phase<synced>
!gm = memref<?xf32, #gm>
!gm32 = memref<32xf32, strided<[1]>, #gm>
!gm64 = memref<64xf32, strided<[1]>, #gm>
!gm64at = memref<64xf32, strided<[1], offset: ?>, #gm>
!ub64 = memref<64xf32, #ub>
!ub64i = memref<64xi32, #ub>
!slots = memref<2x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
!low = memref<32xf32, strided<[1]>, #ub>
!high = memref<32xf32, strided<[1], offset: 32>, #ub>
!some = memref<32xf32, strided<[1], offset: ?>, #ub>
!begin = memref<?xf32, strided<[1]>, #ub>

func.func @t(%x: index {aicore.size = #aicore.size<num_elements of "x">}) -> (
    index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}, index {aicore.name = "k"},
    index {aicore.name = "mode"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index  %c5 = arith.constant 5 : index
  %n = arith.minsi %x, %c5 : index  %mode = arith.remsi %x, %c2 : index
  return %c1, %n, %n, %n, %mode : index, index, index, index, index
}

// sync_c1: nothing makes the intrinsic wait for the load.
func.func @k1(%x: !gm64) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub64  aicore.set_flag v -> mte2 [%c0]  aicore.set_flag mte3 -> v [%c0]
  scf.for %i = %c0 to %n step %c1 {
    aicore.wait_flag v -> mte2 [%c0]  aicore.load %x -> %a : !gm64 to !ub64 // expected-note {{the other access is here}}
    aicore.wait_flag mte3 -> v [%c0]  aicore.vexp ins(%a : !ub64) outs(%a : !ub64) // expected-error {{[sync_c1] expects accesses to one byte to be ordered by flags or barriers; 'aicore.vexp' of iteration 0 on pipe v touches 'a' and nothing makes it come after 'aicore.load' of iteration 0 on pipe mte2}}
    aicore.set_flag v -> mte2 [%c0]  aicore.set_flag v -> mte3 [%c0]  aicore.wait_flag v -> mte3 [%c0]
    aicore.set_flag mte3 -> v [%c0]
  }
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag mte3 -> v [%c0]  return
}
// sync_c1: only the last of all choices of trip counts has a load without order, after thousands of other places.
func.func @k2(%x: !gm, %y: !gm) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index  %c8 = arith.constant 8 : index  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" max 5 : index  %m = aicore.tiling_data "m" max 5 : index
  %k = aicore.tiling_data "k" max 5 : index  %period = arith.remsi %n, %c2 : index  %a = aicore.buffer "a" at 0 : !ub64
  %b = aicore.buffer "b" at 256 : !ub64  %n8 = arith.muli %n, %c8 : index  %nm = arith.addi %n8, %m : index
  %nm8 = arith.muli %nm, %c8 : index  %nmk = arith.addi %nm8, %k : index
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1 { scf.for %l = %c0 to %k step %c1 {
    %o0 = arith.muli %nmk, %c8 : index  %o1 = arith.addi %o0, %i : index  %o2 = arith.muli %o1, %c8 : index
    %o3 = arith.addi %o2, %j : index  %o4 = arith.muli %o3, %c8 : index  %o5 = arith.addi %o4, %l : index
    %off = arith.muli %o5, %c64 : index  %from = memref.subview %x[%off] [64] [1] : !gm to !gm64at
    %other = memref.subview %y[%off] [64] [1] : !gm to !gm64at  aicore.pipe_barrier mte2
    aicore.load %from -> %a : !gm64at to !ub64 // expected-note {{the other access is here}}
    aicore.load %other -> %b : !gm64at to !ub64
  }}}
  %last_n = arith.cmpi eq, %n, %c5 : index  %last_m = arith.cmpi eq, %m, %c5 : index
  %last_k = arith.cmpi eq, %k, %c5 : index  %last_nm = arith.andi %last_n, %last_m : i1
  %last = arith.andi %last_nm, %last_k : i1  %begin = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.if %last { aicore.load %begin -> %a : !gm64 to !ub64 // expected-error {{'aicore.load' on pipe mte2 touches 'a' and nothing makes it come after 'aicore.load' of iteration 4, 4, 4 on pipe mte2}}
  }
  return
}
// sync_c1: two stores of one place need a barrier: the pipes that copy complete in no order.
func.func @k3(%y: !gm64, %one: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %a = aicore.buffer "a" at 0 : !ub64
  aicore.vbrc ins(%one : f32) outs(%a : !ub64)  aicore.set_flag v -> mte3 [%c0]  aicore.wait_flag v -> mte3 [%c0]
  aicore.store %a -> %y : !ub64 to !gm64 // expected-note {{the other access is here}}
  aicore.store %a -> %y : !ub64 to !gm64 // expected-error {{'aicore.store' on pipe mte3 touches argument 0 and nothing makes it come after 'aicore.store' on pipe mte3}}
  return
}
// sync_c1: a pipe that completes in order orders itself and no other: a set says nothing of what is computed after it.
func.func @k4(%y: !gm64, %one: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %a = aicore.buffer "a" at 0 : !ub64
  aicore.vbrc ins(%one : f32) outs(%a : !ub64)  aicore.set_flag v -> mte3 [%c0]
  aicore.vexp ins(%a : !ub64) outs(%a : !ub64) // expected-note {{the other access is here}}
  aicore.wait_flag v -> mte3 [%c0]  aicore.store %a -> %y : !ub64 to !gm64 // expected-error {{'aicore.store' on pipe mte3 touches 'a' and nothing makes it come after 'aicore.vexp' on pipe v}}
  return
}
// sync_c1: an offset in a tile that no walk has may be any. At its `max` this one leaves what was loaded alone.
func.func @k5(%x: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c32 = arith.constant 32 : index  %mode = aicore.tiling_data "mode" max 1 : index  %a = aicore.buffer "a" at 0 : !ub64
  %from = memref.subview %x[0] [32] [1] : !gm to !gm32  %low = memref.subview %a[0] [32] [1] : !ub64 to !low
  %off = arith.muli %mode, %c32 : index  %some = memref.subview %a[%off] [32] [1] : !ub64 to !some
  aicore.load %from -> %low : !gm32 to !low // expected-error {{'aicore.load' on pipe mte2 touches 'a'}}
  aicore.vbrc ins(%one : f32) outs(%some : !some) // expected-note {{the other access is here}}
  return
}
// sync_c1: a length that no walk has is the most that it may be. With the field at its `max` this one is 1.
func.func @k6(%x: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c32 = arith.constant 32 : index  %c33 = arith.constant 33 : index  %mode = aicore.tiling_data "mode" max 1 : index
  %a = aicore.buffer "a" at 0 : !ub64  %from = memref.subview %x[0] [32] [1] : !gm to !gm32
  %high = memref.subview %a[32] [32] [1] : !ub64 to !high  %whole = arith.muli %mode, %c32 : index
  %left = arith.subi %c33, %whole : index  %some = memref.subview %a[0] [%left] [1] : !ub64 to !begin
  aicore.load %from -> %high : !gm32 to !high // expected-error {{'aicore.load' on pipe mte2 touches 'a'}}
  aicore.vbrc ins(%one : f32) outs(%some : !begin) // expected-note {{the other access is here}}
  return
}

// sync_c2: both sides are walked, also the one that the largest value of the field does not take.
func.func @k7(%x: !gm64) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %mode = aicore.tiling_data "mode" cases [0, 1] : index
  %a = aicore.buffer "a" at 0 : !ub64  %moves = arith.cmpi eq, %mode, %c1 : index
  aicore.load %x -> %a : !gm64 to !ub64 // expected-note {{it was written here}}
  scf.if %moves {
    aicore.set_flag mte2 -> v [%c0]  aicore.wait_flag mte2 -> v [%c0]  aicore.vexp ins(%a : !ub64) outs(%a : !ub64)
  } else {
    aicore.vexp ins(%a : !ub64) outs(%a : !ub64) // expected-error {{[sync_c2] expects a read to see the last write through the same buffer; 'aicore.vexp' reads from 'a' what 'aicore.load' wrote}}
  }
  return
}
func.func @k8(%x: !gm64) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %mode = aicore.tiling_data "mode" cases [0, 1] : index
  %a = aicore.buffer "a" at 0 : !ub64  %moves = arith.cmpi ne, %mode, %c1 : index
  aicore.load %x -> %a : !gm64 to !ub64 // expected-note {{it was written here}}
  scf.if %moves { aicore.set_flag mte2 -> v [%c0]  aicore.wait_flag mte2 -> v [%c0] }
  aicore.vexp ins(%a : !ub64) outs(%a : !ub64) // expected-error {{'aicore.vexp' reads from 'a' what 'aicore.load' wrote}}
  return
}
// sync_c2: a counter that is compared with a number is walked until it has passed it.
func.func @k9(%x: !gm64) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c9 = arith.constant 9 : index
  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !ub64  %b = aicore.buffer "b" at 256 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    %late = arith.cmpi eq, %i, %c9 : index  aicore.set_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c0]
    // expected-note @+1 {{it was written here}}
    aicore.load %x -> %a : !gm64 to !ub64 // expected-note {{and overwritten here, by 'aicore.load' of iteration 8}}
    scf.if %late {} else { aicore.set_flag mte2 -> v [%c0]  aicore.wait_flag mte2 -> v [%c0] }
    aicore.vexp ins(%a : !ub64) outs(%b : !ub64) // expected-error {{'aicore.vexp' of iteration 9 reads from 'a'}}
  }
  return
}
// sync_c2: and so is a bound, outside of its loop.
func.func @k10(%x: !gm64) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c9 = arith.constant 9 : index
  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !ub64  %exactly = arith.cmpi eq, %n, %c9 : index
  scf.for %i = %c0 to %n step %c1 {}
  aicore.load %x -> %a : !gm64 to !ub64 // expected-note {{it was written here}}
  scf.if %exactly { aicore.vexp ins(%a : !ub64) outs(%a : !ub64) // expected-error {{'aicore.vexp' reads from 'a' what 'aicore.load' wrote}}
  }
  return
}

// sync_c3: a fill of no elements writes none. (That a read of none reads none is what short rows of static operators need,
// test/ops/reduction-shapes.test.)
func.func @k11(%one: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %b = aicore.buffer "b" at 256 : !ub64
  %a = aicore.buffer "a" at 0 : !ub64 // expected-note {{'a' is here}}
  %none = memref.subview %a[0] [%c0] [1] : !ub64 to !begin
  aicore.vbrc ins(%one : f32) outs(%none : !begin)
  aicore.vexp ins(%a : !ub64) outs(%b : !ub64) // expected-error {{[sync_c3] expects a read of bytes that were written; 'aicore.vexp' reads 'a', where nothing was written}}
  return
}
// sync_c3: what lies between the results of a reduction of rows stays as it was, so it has to be filled.
func.func @k12(%one: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c8 = arith.constant 8 : index  %a = aicore.buffer "a" at 0 : !ub64  %w = aicore.buffer "w" at 512 : !ub64
  %b = aicore.buffer "b" at 256 : !ub64 // expected-note {{'b' is here}}
  aicore.vbrc ins(%one : f32) outs(%a : !ub64)
  aicore.vreduce_sum rows(%c8, %c8) ins(%a : !ub64) outs(%b : !ub64) scratch(%w : !ub64) // expected-error {{'aicore.vreduce_sum' reads 'b', where nothing was written}}
  return
}
// sync_c3: half of it was written.
func.func @k13(%one: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" at 0 : !ub64 // expected-note {{'a' is here}}
  %half = memref.subview %a[0] [32] [1] : !ub64 to !low
  aicore.vbrc ins(%one : f32) outs(%half : !low)  aicore.pipe_barrier v
  aicore.vexp ins(%a : !ub64) outs(%a : !ub64) // expected-error {{'aicore.vexp' reads 'a', where nothing was written}}
  return
}

// sync_c4: the second set finds the flag still set.
func.func @k14() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  aicore.set_flag v -> mte2 [%c0] // expected-note {{the previous set, 'aicore.set_flag'}}
  aicore.set_flag v -> mte2 [%c0] // expected-error {{[sync_c4] expects a flag to be set only after the wait for its previous set; the flag v -> mte2, id 0, may be set twice}}
  aicore.wait_flag v -> mte2 [%c0]  aicore.wait_flag v -> mte2 [%c0]  return
}
// sync_c4: whether the wait is over when the flag is set again depends on timing.
func.func @k15() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  aicore.set_flag mte2 -> v [%c0] // expected-note {{the previous set, 'aicore.set_flag'}}
  aicore.wait_flag mte2 -> v [%c0]
  aicore.set_flag mte2 -> v [%c0] // expected-error {{the flag mte2 -> v, id 0, may be set}}
  aicore.wait_flag mte2 -> v [%c0]  return
}
// sync_c4: the next run of a loop sets a flag while the drain of the last one may still wait.
func.func @k16() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %n = aicore.tiling_data "n" : index
  scf.for %o = %c0 to %n step %c1 {
    // expected-note @+1 {{the previous set, 'aicore.set_flag' of iteration 0}}
    aicore.set_flag mte3 -> v [%c0] // expected-error {{[sync_c4]}}
    aicore.wait_flag mte3 -> v [%c0]
  }
  return
}

// sync_c5: a flag that is left set meets the next kernel.
func.func @k17() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  aicore.set_flag mte3 -> v [%c0]
  aicore.set_flag mte3 -> v [%c1] // expected-error {{[sync_c5] expects every set to be waited for; the flag mte3 -> v, id 1, is still set at the end of the kernel}}
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index  aicore.wait_flag mte3 -> v [%slot]  aicore.set_flag v -> mte3 [%slot]
    aicore.wait_flag v -> mte3 [%slot]  aicore.set_flag mte3 -> v [%slot]
  }
  aicore.wait_flag mte3 -> v [%c0]  return
}

// sync_c6: each of two pipes waits for the other.
func.func @k18() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  aicore.wait_flag mte2 -> v [%c0] // expected-error {{[sync_c6] expects every wait to be met; here the pipes deadlock: pipe v waits for mte2, id 0; pipe mte2 waits for v, id 0}}
  aicore.set_flag v -> mte2 [%c0]
  aicore.wait_flag v -> mte2 [%c0] // expected-note {{pipe mte2 is blocked at 'aicore.wait_flag'}}
  aicore.set_flag mte2 -> v [%c0]  return
}
// sync_c6: the scalar unit issues nothing while it waits, so the set after its wait never comes.
func.func @k19() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  aicore.wait_flag v -> s [%c0] // expected-error {{here the pipes deadlock: pipe s waits for v, id 0}}
  aicore.set_flag v -> s [%c0] // expected-note {{pipe v is blocked at 'aicore.set_flag'}}
  return
}

// sync_c7: ids 6 and 7 are the system's.
func.func @k20() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c6 = arith.constant 6 : index
  aicore.set_flag v -> mte2 [%c6] // expected-error {{[sync_c7] expects event ids between 0 and 5 on Ascend310B1, found 6 in 'aicore.set_flag'}}
  aicore.wait_flag v -> mte2 [%c6]  return
}
// sync_c7: the chip has no flag from FIX to V, whatever the id.
func.func @k21() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  aicore.set_flag fix -> v [%c0] // expected-error {{[sync_c7] expects flags between pipes that have them; Ascend310B1 has none from fix to v}}
  aicore.wait_flag fix -> v [%c0]  return
}
// sync_c7: the vendor's TPipe has set these ids when a kernel starts; another set would be the second one.
func.func @k22() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c2 = arith.constant 2 : index
  aicore.set_flag m -> mte1 [%c2] // expected-error {{[sync_c7] expects event ids from 3 on from m to mte1 on Ascend310B1, where the vendor's TPipe has set those below, found 2 in 'aicore.set_flag'}}
  aicore.wait_flag m -> mte1 [%c2]  return
}

// sync_c8: a branch on a value of the tile cannot be followed.
func.func @k23() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %one = arith.constant 1 : i32  %a = aicore.buffer "a" at 0 : !ub64i
  aicore.vbrc ins(%one : i32) outs(%a : !ub64i)  aicore.set_flag v -> s [%c0]  aicore.wait_flag v -> s [%c0]
  %r = aicore.scalar_read %a[%c0] : !ub64i // expected-note {{an element of a tile is known when the kernel runs}}
  %p = arith.cmpi eq, %r, %one : i32
  scf.if %p {} // expected-error {{[sync_c8] expects branches, event ids and slots that follow from constants, tiling data with 'cases', and loop counters by remainders and comparisons with these}}
  return
}
// sync_c8: between `min` and `max` lie numbers that no walk has.
func.func @k24() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c1 = arith.constant 1 : index
  %mode = aicore.tiling_data "mode" min 0 max 1 : index // expected-note {{"mode" states no 'cases'}}
  %moves = arith.cmpi eq, %mode, %c1 : index
  scf.if %moves {} else { aicore.pipe_barrier mte2 } // expected-error {{[sync_c8]}}
  return
}
// sync_c8: a remainder by an unknown number may have any period.
func.func @k25() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %n = aicore.tiling_data "n" : index
  %mode = aicore.tiling_data "mode" min 1 max 2 : index // expected-note {{"mode" states no 'cases'}}
  scf.for %i = %c0 to %n step %c1 {
    %id = arith.remsi %i, %mode : index
    aicore.set_flag mte2 -> v [%id] // expected-error {{[sync_c8]}}
    aicore.wait_flag mte2 -> v [%id]
  }
  return
}
// sync_c8: a slot that is chosen by a select.
func.func @k26(%x: !gm64) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %a = aicore.buffer "a" at 0 : !slots
  %mode = aicore.tiling_data "mode" max 1 : index // expected-note {{"mode" states no 'cases'}}
  %first = arith.cmpi eq, %mode, %c0 : index  %slot = arith.select %first, %c0, %c1 : index
  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot // expected-error {{[sync_c8]}}
  aicore.load %x -> %at : !gm64 to !slot  return
}
// sync_c8: each block has an index of its own.
func.func @k27() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %block = aicore.block_idx : index // expected-note {{the block's index differs from block to block}}
  %first = arith.cmpi eq, %block, %c0 : index
  scf.if %first {} // expected-error {{[sync_c8]}}
  return
}
// sync_c8: a quotient of a counter changes after more iterations than are walked.
func.func @k28() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index  %n = aicore.tiling_data "n" : index
  scf.for %i = %c0 to %n step %c1 {
    %tens = arith.floordivsi %i, %c10 : index // expected-note {{this does not repeat from iteration to iteration}}
    %odd = arith.remsi %tens, %c2 : index
    aicore.set_flag mte2 -> v [%odd] // expected-error {{[sync_c8]}}
    aicore.wait_flag mte2 -> v [%odd]
  }
  return
}

// unroll_c1: 17 is prime: slots and ids of such a kernel repeat after 34 iterations.
func.func @k29() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} { // expected-error {{[unroll_c1] expects slots and event ids that repeat after at most 16 iterations}}
  %c17 = arith.constant 17 : index  %n = aicore.tiling_data "n" : index  %slot = arith.remsi %n, %c17 : index  return
}
// unroll_c1: seven nested loops, all combinations of trips, are too many.
func.func @k30() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} { // expected-error {{[unroll_c1] expects a kernel that can be unrolled for a few trips of each loop; '@k30' has too many loops or instructions}}
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c4 = arith.constant 4 : index
  %n0 = aicore.tiling_data "n" : index  %n1 = arith.addi %n0, %c1 : index  %n2 = arith.addi %n0, %c1 : index
  %n3 = arith.addi %n0, %c1 : index  %n4 = arith.addi %n0, %c1 : index  %n5 = arith.addi %n0, %c1 : index
  %n6 = arith.addi %n0, %c1 : index  %slot = arith.remsi %n0, %c4 : index
  scf.for %i0 = %c0 to %n0 step %c1 { scf.for %i1 = %c0 to %n1 step %c1 { scf.for %i2 = %c0 to %n2 step %c1 {
    scf.for %i3 = %c0 to %n3 step %c1 { scf.for %i4 = %c0 to %n4 step %c1 { scf.for %i5 = %c0 to %n5 step %c1 {
      scf.for %i6 = %c0 to %n6 step %c1 { aicore.pipe_barrier v }
    }}}
  }}}
  return
}
// unroll_c1: passing 1000 takes as many trips.
func.func @k31() attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c1000 = arith.constant 1000 : index
  %n = aicore.tiling_data "n" : index
  scf.for %i = %c0 to %n step %c1 { // expected-error {{[unroll_c1] expects branches that a loop takes alike after at most 64 iterations, found one that compares its counter or bound with more}}
    %late = arith.cmpi slt, %i, %c1000 : index  scf.if %late {}
  }
  return
}

// sync_c1: blocks of up to 16 rows reach a buffer in the same bytes that the scalar unit reads; those of the few rows
// of a walk do not.
func.func @k32(%one: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c8 = arith.constant 8 : index
  %n = aicore.tiling_data "n" min 1 max 16 : index  %scalar = aicore.buffer "scalar" at 256 : !ub64
  %blocks = aicore.buffer "blocks" at 0 : memref<128xf32, #ub>
  aicore.vbrc ins(%one : f32) outs(%scalar : !ub64)
  aicore.set_flag v -> s [%c0]  aicore.wait_flag v -> s [%c0]
  %s = aicore.scalar_read %scalar[%c0] : !ub64 // expected-note {{the other access is here}}
  %size = arith.muli %n, %c8 : index
  %rows = memref.subview %blocks[0] [%size] [1] : memref<128xf32, #ub> to !begin
  aicore.vbrc ins(%one : f32) outs(%rows : !begin) // expected-error {{[sync_c1] expects accesses to one byte to be ordered by flags or barriers; 'aicore.vbrc' on pipe v touches 'blocks' and nothing makes it come after 'aicore.scalar_read' on pipe s}}
  scf.for %i = %c0 to %n step %c1 { aicore.vadds ins(%rows, %s : !begin, f32) outs(%rows : !begin) }
  return
}
// sync_c1: likewise, where each row is written by itself.
func.func @k33(%one: f32) attributes {aicore.kernel, aicore.phase = #synced, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index  %scalar = aicore.buffer "scalar" at 256 : !ub64
  %blocks = aicore.buffer "blocks" at 0 : memref<128xf32, #ub>
  aicore.vbrc ins(%one : f32) outs(%scalar : !ub64)
  aicore.set_flag v -> s [%c0]  aicore.wait_flag v -> s [%c0]
  %s = aicore.scalar_read %scalar[%c0] : !ub64 // expected-note {{the other access is here}}
  scf.for %i = %c0 to %c16 step %c1 {
    %at = arith.muli %i, %c8 : index
    %row = memref.subview %blocks[%at] [8] [1] : memref<128xf32, #ub> to memref<8xf32, strided<[1], offset: ?>, #ub>
    aicore.vbrc ins(%s : f32) outs(%row : memref<8xf32, strided<[1], offset: ?>, #ub>) // expected-error {{[sync_c1]}}
  }
  return
}
