// The vector pipe of the chip completes in order and gets no barrier (IN-ORDER); with `portable` it gets those that
// other chips need (CHECK). Barriers of the other pipes and all flags are the same.
// RUN: opc-opt %s --aicore-insert-sync=portable=true --aicore-verify-synced=portable=true | FileCheck %s
// RUN: opc-opt %s --aicore-insert-sync --aicore-verify-synced > %t.mlir
// RUN: FileCheck %s --check-prefix=IN-ORDER --implicit-check-not="pipe_barrier v" --input-file=%t.mlir
// IN-ORDER-COUNT-4: aicore.pipe_barrier mte3
// RUN: opc-opt %s --aicore-insert-sync=portable=true | grep -v "pipe_barrier v" | diff - %t.mlir

// Kernels share a tiling function and take scalars as arguments. Constants, fields, buffers and views share lines.
#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
#planned = #aicore.phase<planned>
!gm = memref<?xf32, #gm>
!gm64 = memref<64xf32, strided<[1]>, #gm>
!gm64at = memref<64xf32, strided<[1], offset: ?>, #gm>
!gm_at = memref<?xf32, strided<[1], offset: ?>, #gm>
!ub64 = memref<64xf32, #ub>
!ub512 = memref<512xf32, #ub>
!slots = memref<2x64xf32, #ub>
!four = memref<4x64xf32, #ub>
!eight = memref<8x64xf32, #ub>
!slot = memref<64xf32, strided<[1], offset: ?>, #ub>
!slot0 = memref<64xf32, strided<[1]>, #ub>
!slot1 = memref<64xf32, strided<[1], offset: 64>, #ub>
!ub_at = memref<?xf32, strided<[1], offset: ?>, #ub>

func.func @t(%x: index {aicore.size = #aicore.size<num_elements of "x">}) -> (
    index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"},
    index {aicore.name = "cols"}, index {aicore.name = "length"}, index {aicore.name = "per"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %x, %x, %c1, %x, %c1 : index, index, index, index, index, index
}

// Two loads, an intrinsic and a store need four flags and no fewer; slots give each two ids, two presets, two drains.
// CHECK-LABEL: func.func @k1(
// CHECK-SAME: aicore.phase = #aicore.phase<synced>
// CHECK-NOT: aicore.wait_flag
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c1]
// CHECK-NEXT: aicore.set_flag mte3 -> v [%c0]
// CHECK-NEXT: aicore.set_flag mte3 -> v [%c1]
// CHECK-NEXT: scf.for %[[I:.*]] = %c0
// CHECK-NEXT: %[[SLOT:.*]] = arith.remsi %[[I]], %c2
// CHECK-NOT: aicore.set_flag
// CHECK: aicore.wait_flag v -> mte2 [%[[SLOT]]]
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> v [%[[SLOT]]]
// CHECK-NEXT: aicore.wait_flag mte2 -> v [%[[SLOT]]]
// CHECK-NEXT: aicore.wait_flag mte3 -> v [%[[SLOT]]]
// CHECK-NEXT: aicore.vadd
// CHECK-NEXT: aicore.set_flag v -> mte2 [%[[SLOT]]]
// CHECK-NEXT: aicore.set_flag v -> mte3 [%[[SLOT]]]
// CHECK-NEXT: aicore.wait_flag v -> mte3 [%[[SLOT]]]
// CHECK-NEXT: aicore.store
// CHECK-NEXT: aicore.set_flag mte3 -> v [%[[SLOT]]]
// CHECK-NEXT: }
// CHECK-NEXT: aicore.wait_flag mte3 -> v [%c0]
// CHECK-NEXT: aicore.wait_flag mte3 -> v [%c1]
// CHECK-NEXT: aicore.wait_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.wait_flag v -> mte2 [%c1]
// CHECK-NEXT: return
func.func @k1(%x: !gm, %y: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !slots  %r = aicore.buffer "r" at 1024 : !slots
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %bt = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %rt = memref.subview %r[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %off = arith.muli %i, %c64 : index  %to = memref.subview %y[%off] [64] [1] : !gm to !gm64at
    aicore.load %from -> %at : !gm64 to !slot  aicore.load %from -> %bt : !gm64 to !slot
    aicore.vadd ins(%at, %bt : !slot, !slot) outs(%rt : !slot)
    aicore.store %rt -> %to : !slot to !gm64at
  }
  return
}

// Without slots the distance is 1 and one id is enough; the pipes take turns.
// CHECK-LABEL: func.func @k2(
// CHECK: aicore.set_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: scf.for
// CHECK: aicore.wait_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> mte3 [%c0]
// CHECK-NEXT: aicore.wait_flag mte2 -> mte3 [%c0]
// CHECK-NEXT: aicore.store
// CHECK-NEXT: aicore.set_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: }
// CHECK-NEXT: aicore.wait_flag mte3 -> mte2 [%c0]
func.func @k2(%x: !gm, %y: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !ub64
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    %off = arith.muli %i, %c64 : index  %to = memref.subview %y[%off] [64] [1] : !gm to !gm64at
    aicore.load %from -> %a : !gm64 to !ub64
    aicore.store %a -> %to : !ub64 to !gm64at
  }
  return
}

// Pipe v has barriers where a step takes what the one before wrote, and none between `b` and `c`. The last one also
// keeps the next iteration's first write behind the reads of `a`.
// CHECK-LABEL: func.func @k3(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vbrc
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vexp
// CHECK-NEXT: aicore.vsqrt
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadd
// CHECK-NEXT: }
func.func @k3(%one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub64  %b = aicore.buffer "b" at 256 : !ub64  %c = aicore.buffer "c" at 512 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : !ub64)
    aicore.vexp ins(%a : !ub64) outs(%b : !ub64)  aicore.vsqrt ins(%a : !ub64) outs(%c : !ub64)
    aicore.vadd ins(%b, %c : !ub64, !ub64) outs(%a : !ub64)
  }
  return
}

// A nest of which only the innermost body works is one sequence: presets and drains outside, ids of the counter.
// CHECK-LABEL: func.func @k4(
// CHECK: aicore.set_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: aicore.set_flag mte3 -> mte2 [%c1]
// CHECK-NEXT: scf.for %[[I:.*]] = %c0 to %[[N:.*]] step
// CHECK-NEXT: scf.for %[[J:.*]] = %c0 to %[[N]] step
// CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[I]], %[[N]]
// CHECK-NEXT: %[[COUNTER:.*]] = arith.addi %[[BASE]], %[[J]]
// CHECK: %[[SLOT:.*]] = arith.remsi %[[COUNTER]], %c2
// CHECK: aicore.wait_flag mte3 -> mte2 [
// CHECK-NOT: pipe_barrier
// CHECK: }
// CHECK-NEXT: }
// CHECK-NEXT: aicore.wait_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: aicore.wait_flag mte3 -> mte2 [%c1]
func.func @k4(%x: !gm, %y: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !slots
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %base = arith.muli %i, %n : index  %number = arith.addi %base, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      %off = arith.muli %number, %c64 : index  %to = memref.subview %y[%off] [64] [1] : !gm to !gm64at
      aicore.load %from -> %at : !gm64 to !slot
      aicore.store %at -> %to : !slot to !gm64at
    }
  }
  return
}

// A part never reaches beyond its row, wherever that begins: stores of parts need no barrier. Slots start anew in each
// row and tiles are drained between two rows.
// CHECK-LABEL: func.func @k5(
// CHECK-NOT: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @k5(%y: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %length = aicore.tiling_data "length" : index  %first = aicore.block_idx : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index  %parts = arith.ceildivsi %length, %cols : index
  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.addi %first, %i : index
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %parts step %c1 {
      %start = arith.muli %j, %cols : index  %rest = arith.subi %length, %start : index
      %least = arith.minsi %rest, %cols : index  %size = arith.maxsi %least, %c1 : index
      %from = arith.muli %row, %length : index  %off = arith.addi %from, %start : index
      %slot = arith.remsi %j, %c2 : index  %at = memref.subview %a[%slot, 0] [1, %size] [1, 1] : !slots to !ub_at
      %to = memref.subview %y[%off] [%size] [1] : !gm to !gm_at
      aicore.vbrc ins(%one : f32) outs(%at : !ub_at)
      aicore.store %at -> %to : !ub_at to !gm_at
    }
  }
  return
}

// The same with slots that take turns through all rows, so that the loop over parts is carried.
// CHECK-LABEL: func.func @k6(
// CHECK-NOT: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @k6(%y: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %length = aicore.tiling_data "length" : index  %first = aicore.block_idx : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index  %parts = arith.ceildivsi %length, %cols : index
  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.addi %first, %i : index
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %parts step %c1 {
      %start = arith.muli %j, %cols : index  %rest = arith.subi %length, %start : index
      %least = arith.minsi %rest, %cols : index  %size = arith.maxsi %least, %c1 : index
      %from = arith.muli %row, %length : index  %off = arith.addi %from, %start : index
      %before = arith.muli %i, %parts : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, %size] [1, 1] : !slots to !ub_at
      %to = memref.subview %y[%off] [%size] [1] : !gm to !gm_at
      aicore.vbrc ins(%one : f32) outs(%at : !ub_at)
      aicore.store %at -> %to : !ub_at to !gm_at
    }
  }
  return
}

// Parts that are not cut off at the end of their row, parts that are longer than what lies between them, and tiles that
// are stored to one place: only a barrier on mte3 says which store comes last.
// CHECK-LABEL: func.func @k7(
// CHECK: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: scf.for
// CHECK: pipe_barrier mte3
// CHECK-NEXT: aicore.store
func.func @k7(%y: !gm, %z: !gm, %r: !gm, %one: f32)
    attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index  %c32 = arith.constant 32 : index  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index  %n = aicore.tiling_data "n" : index  %first = aicore.block_idx : index
  %parts = arith.ceildivsi %c100, %c64 : index  %size = arith.minsi %c64, %c64 : index
  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !ub64  %c = aicore.buffer "c" at 1024 : !slots
  %d = aicore.buffer "d" at 768 : !ub64  %to = memref.subview %r[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.addi %first, %i : index
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, %size] [1, 1] : !slots to !ub_at
      %start = arith.muli %j, %c64 : index  %from = arith.muli %row, %c100 : index
      %off = arith.addi %from, %start : index  %part = memref.subview %y[%off] [%size] [1] : !gm to !gm_at
      aicore.vbrc ins(%one : f32) outs(%at : !ub_at)
      aicore.store %at -> %part : !ub_at to !gm_at
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %c4 step %c1 {
      %slot = arith.remsi %j, %c2 : index  %at = memref.subview %c[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      %start = arith.muli %j, %c32 : index  %from = arith.muli %i, %c100 : index
      %off = arith.addi %from, %start : index  %part = memref.subview %z[%off] [64] [1] : !gm to !gm64at
      aicore.vbrc ins(%one : f32) outs(%at : !slot)
      aicore.store %at -> %part : !slot to !gm64at
    }
  }
  aicore.vbrc ins(%one : f32) outs(%d : !ub64)
  scf.for %i = %c0 to %n step %c1 { aicore.store %d -> %to : !ub64 to !gm64 }
  return
}

// The scalar unit reads what the vector unit wrote, and v may not write it again before it was read.
// CHECK-LABEL: func.func @k8(
// CHECK: aicore.set_flag s -> v [%c0]
// CHECK-NEXT: scf.for
// CHECK: aicore.wait_flag s -> v [%c0]
// CHECK: aicore.vbrc
// CHECK-NEXT: aicore.set_flag v -> s [%c0]
// CHECK-NEXT: aicore.wait_flag v -> s [%c0]
// CHECK-NEXT: aicore.scalar_read
// CHECK-NEXT: aicore.set_flag s -> v [%c0]
func.func @k8(%one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : !ub64)
    %s = aicore.scalar_read %a[%c0] : !ub64
  }
  return
}

// Rows of a tile share no byte: they need one barrier behind what filled the tile and none, a wait per row, between.
// Views that reach beyond their row, in the second loop, meet the next one.
// CHECK-LABEL: func.func @k9(
// CHECK: aicore.vbrc
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: scf.for
// CHECK-NOT: aicore.pipe_barrier
// CHECK: aicore.vexp
// CHECK-NEXT: }
// CHECK-NEXT: aicore.vbrc
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vexp
func.func @k9(%one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c8 = arith.constant 8 : index
  %n = aicore.tiling_data "n" min 2 max 8 : index  %cols = aicore.tiling_data "cols" min 1 max 56 : index
  %blocks = arith.ceildivsi %cols, %c8 : index  %ld = arith.muli %blocks, %c8 : index
  %more = arith.addi %ld, %c8 : index  %a = aicore.buffer "a" at 0 : !ub512  %b = aicore.buffer "b" at 2048 : !ub512
  aicore.vbrc ins(%one : f32) outs(%a : !ub512)
  scf.for %i = %c0 to %n step %c1 {
    %off = arith.muli %i, %ld : index  %row = memref.subview %a[%off] [%cols] [1] : !ub512 to !ub_at
    aicore.vexp ins(%row : !ub_at) outs(%row : !ub_at)
  }
  aicore.vbrc ins(%one : f32) outs(%b : !ub512)
  scf.for %i = %c0 to %n step %c1 {
    %off = arith.muli %i, %ld : index  %row = memref.subview %b[%off] [%more] [1] : !ub512 to !ub_at
    aicore.vexp ins(%row : !ub_at) outs(%row : !ub_at)
  }
  return
}

// Eight slots would take eight ids on each pair of pipes; there are six: flags take four, four tiles are in work.
// CHECK-LABEL: func.func @k10(
// CHECK-SAME: aicore.event_ids = "event ids: flags from v to mte2 would need 8, Ascend310B1 has 6: 1 lets fewer tiles be in flight"
// CHECK-COUNT-4: aicore.set_flag v -> mte2
// CHECK-NOT: aicore.set_flag
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK: %[[ID:.*]] = arith.remsi %[[I]], %c4
// CHECK: aicore.wait_flag v -> mte2 [%[[ID]]]
// CHECK: aicore.set_flag mte2 -> v [%[[ID]]]
// CHECK: }
// CHECK-COUNT-4: aicore.wait_flag v -> mte2
// CHECK-NEXT: return
func.func @k10(%x: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c8 = arith.constant 8 : index
  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !eight
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c8 : index
    %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !eight to !slot
    aicore.load %from -> %at : !gm64 to !slot
    aicore.vexp ins(%at : !slot) outs(%at : !slot)
  }
  return
}

// A loop's own barrier, needed from one iteration to the next, serves the first one too: none stands in front of it.
// Where `b` is read behind the loop one does: the loop may not run, and then its barrier is none.
// CHECK-LABEL: func.func @k11(
// CHECK: aicore.vbrc
// CHECK-NOT: aicore.pipe_barrier
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadds
// CHECK-NOT: aicore.pipe_barrier
// CHECK: aicore.vbrc
// CHECK-NEXT: aicore.vbrc
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadds
// CHECK-NEXT: }
// CHECK-NEXT: aicore.vabs
func.func @k11(%one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub64  %b = aicore.buffer "b" at 256 : !ub64  %c = aicore.buffer "c" at 512 : !ub64
  %d = aicore.buffer "d" at 768 : !ub64
  aicore.vbrc ins(%one : f32) outs(%c : !ub64)
  scf.for %i = %c0 to %n step %c1 { aicore.vadds ins(%c, %one : !ub64, f32) outs(%c : !ub64) }
  aicore.vbrc ins(%one : f32) outs(%b : !ub64)  aicore.vbrc ins(%one : f32) outs(%a : !ub64)
  scf.for %i = %c0 to %n step %c1 { aicore.vadds ins(%a, %one : !ub64, f32) outs(%a : !ub64) }
  aicore.vabs ins(%b : !ub64) outs(%d : !ub64)
  return
}

// A region cannot tell the rows of one batch from another's, the list of instructions can: no store waits for the one
// before. Where rows may lie in each other, in the second loop, each does.
// CHECK-LABEL: func.func @k12(
// CHECK-NOT: aicore.pipe_barrier mte3
// CHECK: aicore.store
// CHECK: aicore.pipe_barrier mte3
// CHECK-NEXT: aicore.store
func.func @k12(%y: !gm, %z: !gm, %one: f32)
    attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index
  %per = aicore.tiling_data "per" min 1 : index  %stride = aicore.tiling_data "length" : index
  %few = aicore.tiling_data "cols" min 1 max 3 : index  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !slots
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.vbrc ins(%one : f32) outs(%at : !slot)
    scf.for %j = %c0 to %m step %c1 { aicore.vadds ins(%at, %one : !slot, f32) outs(%at : !slot) }
    %batch = arith.floordivsi %i, %per : index  %behind = arith.muli %batch, %stride : index
    %row = arith.remsi %i, %per : index  %within = arith.muli %row, %c64 : index
    %off = arith.addi %behind, %within : index  %to = memref.subview %y[%off] [64] [1] : !gm to !gm64at
    aicore.store %at -> %to : !slot to !gm64at
  }
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index  %at = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.vbrc ins(%one : f32) outs(%at : !slot)
    scf.for %j = %c0 to %m step %c1 { aicore.vadds ins(%at, %one : !slot, f32) outs(%at : !slot) }
    %row = arith.remsi %i, %few : index  %off = arith.muli %row, %c64 : index
    %to = memref.subview %z[%off] [64] [1] : !gm to !gm64at
    aicore.store %at -> %to : !slot to !gm64at
  }
  return
}

// The slot of the load in front of the inner loop is any slot; in the list it is another one than that of the load
// before, and the flag of the inner loop is enough for all of them.
// CHECK-LABEL: func.func @k13(
// CHECK: scf.for
// CHECK: aicore.wait_flag mte2 -> v
// CHECK-NOT: aicore.pipe_barrier
// CHECK-NOT: aicore.wait_flag mte2 -> v
// CHECK: scf.for
// CHECK: aicore.wait_flag mte2 -> v
// CHECK: return
func.func @k13(%x: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !ub64  %g = aicore.buffer "g" at 1024 : !ub64  %d = aicore.buffer "d" at 1280 : !ub64
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64  %runs = arith.cmpi slt, %c0, %m : index
  scf.for %i = %c0 to %n step %c1 {
    aicore.load %from -> %g : !gm64 to !ub64  aicore.vabs ins(%g : !ub64) outs(%d : !ub64)
    %first = arith.muli %i, %m : index
    scf.if %runs {
      %slot = arith.remsi %first, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %at : !gm64 to !slot
    }
    scf.for %j = %c0 to %m step %c1 {
      %next = arith.addi %j, %c1 : index  %more = arith.cmpi slt, %next, %m : index
      scf.if %more {
        %number = arith.addi %first, %next : index  %slot = arith.remsi %number, %c2 : index
        %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
        aicore.load %from -> %at : !gm64 to !slot
      }
      %number = arith.addi %first, %j : index  %slot = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.vabs ins(%at : !slot) outs(%b : !ub64)
    }
  }
  return
}

// Slots run on from a loop around: which is first is open, the one after the next is the same again. A load waits for
// what read its slot two iterations before, and mte2 works beside v in a loop that runs more or less often each time.
// CHECK-LABEL: func.func @k14(
// CHECK: scf.for
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK: aicore.set_flag v -> mte2 [%c1]
// CHECK: scf.for %[[J:.*]] = %c0
// CHECK: %[[ID:.*]] = arith.remsi %[[J]], %c2
// CHECK: aicore.wait_flag v -> mte2 [%[[ID]]]
// CHECK-NEXT: aicore.load
// CHECK: aicore.set_flag v -> mte2 [%[[ID]]]
func.func @k14(%x: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" cases [2, 3] : index
  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !ub64
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    %left = arith.subi %m, %i : index
    scf.for %j = %c0 to %left step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %at : !gm64 to !slot
      aicore.vabs ins(%at : !slot) outs(%b : !ub64)
    }
  }
  return
}

// Two passes over each row are carried through the loop over rows: their flags are outside of it, have ids of their own
// and count on from row to row. No flag stands around a pass, so mte2 loads the next one while v ends this one.
// CHECK-LABEL: func.func @k15(
// CHECK: aicore.set_flag v -> mte2 [%c2]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c3]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c1]
// CHECK-NOT: _flag
// CHECK: scf.for %[[I:.*]] = %c0 to %[[ROWS:.*]] step
// CHECK-NOT: _flag
// CHECK: scf.for %[[J:.*]] = %c0 to %[[PARTS:.*]] step
// CHECK-DAG: %[[BEFORE:.*]] = arith.muli %[[I]], %[[PARTS]]
// CHECK-DAG: %[[RUNNING:.*]] = arith.addi %[[BEFORE]], %[[J]]
// CHECK: %[[ID:.*]] = arith.remsi %[[RUNNING]], %c2
// CHECK: aicore.wait_flag v -> mte2 [%[[ID]]]
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> v [%[[ID]]]
// CHECK: aicore.vmax
// CHECK-NEXT: aicore.set_flag v -> mte2 [%[[ID]]]
// CHECK: }
// CHECK-NOT: _flag
// CHECK: scf.for
// CHECK: %[[TURN:.*]] = arith.remsi %{{.*}}, %c2
// CHECK: arith.addi %[[TURN]], %c2
// CHECK-NOT: arith.addi %[[TURN]], %c0
// CHECK: aicore.wait_flag v -> mte2
// CHECK-NEXT: aicore.load
// CHECK: aicore.set_flag v -> mte2
// CHECK: }
// CHECK-NOT: _flag
// CHECK: }
// CHECK-COUNT-4: aicore.wait_flag v -> mte2
// CHECK-NOT: _flag
// CHECK: return
func.func @k15(%x: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !slots  %d = aicore.buffer "d" at 1024 : !ub64  %e = aicore.buffer "e" at 1280 : !ub64
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !ub64)
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %at : !gm64 to !slot
      aicore.vmax ins(%at, %d : !slot, !ub64) outs(%d : !ub64)
    }
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %bt = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %bt : !gm64 to !slot
      aicore.vsub ins(%bt, %d : !slot, !ub64) outs(%e : !ub64)
    }
  }
  return
}

// Two passes with four slots would need eight ids: none is carried, ids are used again by each pass.
// CHECK-LABEL: func.func @k16(
// CHECK-SAME: aicore.event_ids = "event ids: flags from v to mte2 would need 8, Ascend310B1 has 6: loops start anew in each run"
// CHECK-NOT: aicore.set_flag v -> mte2
// CHECK: scf.for
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c1]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c2]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c3]
// CHECK-NEXT: scf.for
// CHECK: scf.for
// CHECK: return
func.func @k16(%x: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c4 = arith.constant 4 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !four
  %b = aicore.buffer "b" at 1024 : !four  %d = aicore.buffer "d" at 2048 : !ub64
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !ub64)
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c4 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !four to !slot
      aicore.load %from -> %at : !gm64 to !slot
      aicore.vmax ins(%at, %d : !slot, !ub64) outs(%d : !ub64)
    }
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c4 : index  %at = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !four to !slot
      aicore.load %from -> %at : !gm64 to !slot
      aicore.vmax ins(%at, %d : !slot, !ub64) outs(%d : !ub64)
    }
  }
  return
}

// Two views whose slots run on from different places may be the same slot in any iteration.
// CHECK-LABEL: func.func @k17(
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK-NOT: aicore.set_flag v -> mte2 [%c1]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: aicore.wait_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.load
func.func @k17(%x: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !ub64  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      %other = arith.addi %i, %j : index  %turn = arith.remsi %other, %c2 : index
      %other_at = memref.subview %a[%turn, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %at : !gm64 to !slot
      aicore.vabs ins(%other_at : !slot) outs(%b : !ub64)
    }
  }
  return
}

// A loop covers nothing in iterations that do not run it: a barrier stays in front of it, though with any one number of
// trips for all iterations its own would do.
// CHECK-LABEL: func.func @k18(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadds
// CHECK: aicore.vabs
func.func @k18(%x: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index  %n = aicore.tiling_data "n" max 8 : index  %m = aicore.tiling_data "m" : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index  %a = aicore.buffer "a" at 0 : !slots  %c = aicore.buffer "c" at 512 : !ub512
  aicore.vbrc ins(%one : f32) outs(%c : !ub512)
  %whole0 = memref.subview %a[0, 0] [1, 64] [1, 1] : !slots to !slot0
  %whole1 = memref.subview %a[1, 0] [1, 64] [1, 1] : !slots to !slot1
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  aicore.load %from -> %whole0 : !gm64 to !slot0  aicore.load %from -> %whole1 : !gm64 to !slot1
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.remsi %i, %c2 : index  %here = memref.subview %a[%s, 0] [1, 64] [1, 1] : !slots to !slot
    %rest = arith.subi %m, %i : index
    scf.for %j = %c0 to %rest step %c1 { aicore.vadds ins(%here, %one : !slot, f32) outs(%here : !slot) }
    %next = arith.addi %i, %c1 : index  %p = arith.remsi %next, %c2 : index  %off = arith.muli %i, %ld : index
    %there = memref.subview %a[%p, 0] [1, %cols] [1, 1] : !slots to !ub_at
    %row = memref.subview %c[%off] [%cols] [1] : !ub512 to !ub_at
    aicore.vabs ins(%there : !ub_at) outs(%row : !ub_at)
  }
  return
}

// Three loads take all six ids of a pair, and the load in front of the loop needs one: two of the loop's flags become
// one, to and fro. Such are elementwise operators of four inputs in float16, one of which is a single element.
// CHECK-LABEL: func.func @k19(
// CHECK-SAME: aicore.event_ids = "event ids: flags from mte2 to v would need 7, Ascend310B1 has 6: {{[0-9]+ (is|are)}} merged with another"
// CHECK: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> v [%c4]
// CHECK: aicore.wait_flag mte2 -> v [%c4]
// CHECK: scf.for
func.func @k19(%x: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !slots
  %c = aicore.buffer "c" at 1024 : !slots  %p = aicore.buffer "p" at 2048 : !ub64
  %q = aicore.buffer "q" at 2304 : !ub64  %r = aicore.buffer "r" at 2560 : !ub64
  %s = aicore.buffer "s" at 4096 : !ub64  %t = aicore.buffer "t" at 4352 : !ub64
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  aicore.load %from -> %s : !gm64 to !ub64  aicore.vexp ins(%s : !ub64) outs(%t : !ub64)
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %bt = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %ct = memref.subview %c[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.load %from -> %at : !gm64 to !slot  aicore.load %from -> %bt : !gm64 to !slot
    aicore.load %from -> %ct : !gm64 to !slot
    aicore.vexp ins(%at : !slot) outs(%p : !ub64)  aicore.vexp ins(%bt : !slot) outs(%q : !ub64)
    aicore.vexp ins(%ct : !slot) outs(%r : !ub64)
  }
  return
}

// A loop over panels with a loop over pieces in it is carried through the loop over tiles, pieces and all: no flag stands
// around it, ids count on from tile to tile, and the first loads of a tile wait for slots alone.
// CHECK-LABEL: func.func @k20(
// CHECK-DAG: aicore.set_flag v -> mte2 [%c0]
// CHECK-DAG: aicore.set_flag v -> mte2 [%c1]
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step
// CHECK-NOT: mte2
// CHECK: scf.for %[[J:.*]] = %c0 to %[[PANELS:.*]] step
// CHECK-DAG: %[[BEFORE:.*]] = arith.muli %[[I]], %[[PANELS]]
// CHECK-DAG: %[[RUNNING:.*]] = arith.addi %[[BEFORE]], %[[J]]
// CHECK: %[[ID:.*]] = arith.remsi %[[RUNNING]], %c2
// CHECK: aicore.wait_flag v -> mte2 [%[[ID]]]
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> v [%[[ID]]]
// CHECK-NEXT: aicore.wait_flag mte2 -> v [%[[ID]]]
// CHECK-NEXT: scf.for
// CHECK-NOT: _flag
// CHECK: }
// CHECK-NEXT: aicore.set_flag v -> mte2 [%[[ID]]]
// CHECK-NEXT: }
// CHECK-NOT: mte2
// CHECK: }
// CHECK-DAG: aicore.wait_flag v -> mte2 [%c0]
// CHECK-DAG: aicore.wait_flag v -> mte2 [%c1]
// CHECK: return
func.func @k20(%x: !gm, %y: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !slots
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index  %bt = memref.subview %b[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.vbrc ins(%one : f32) outs(%bt : !slot)
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %at : !gm64 to !slot
      scf.for %k = %c0 to %c3 step %c1 {
        aicore.vadd ins(%at, %bt : !slot, !slot) outs(%bt : !slot)
      }
    }
    %offset = arith.muli %i, %c64 : index  %to = memref.subview %y[%offset] [64] [1] : !gm to !gm64at
    aicore.store %bt -> %to : !slot to !gm64at
  }
  return
}

// A loop that runs more or less often each time is carried where its flags need no numbers: with one slot there is one id,
// set by whoever used the slot last. The first load of a run waits for the last read of the run before.
// CHECK-LABEL: func.func @k21(
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK: scf.for
// CHECK-NOT: _flag
// CHECK: scf.for
// CHECK: aicore.wait_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> v [%c0]
// CHECK-NEXT: aicore.wait_flag mte2 -> v [%c0]
// CHECK-NEXT: aicore.vmax
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c0]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: aicore.wait_flag v -> mte2 [%c0]
// CHECK-NEXT: return
func.func @k21(%x: !gm, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !ub64  %d = aicore.buffer "d" at 512 : !ub64
  %from = memref.subview %x[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !ub64)
    %left = arith.subi %m, %i : index
    scf.for %j = %c0 to %left step %c1 {
      aicore.load %from -> %a : !gm64 to !ub64
      aicore.vmax ins(%a, %d : !ub64, !ub64) outs(%d : !ub64)
    }
  }
  return
}
