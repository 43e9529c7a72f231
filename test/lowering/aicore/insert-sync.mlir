// The vector pipe of the chip completes in order and gets no barrier (IN-ORDER); with `portable` it gets those that
// other chips need (CHECK). Barriers of the other pipes and all flags are the same. CHECK reads an outline: one line up
// to the next brace, `;` between two ops, `set a -> b [id]`, `wait a -> b [id]`, `barrier a`, names of ops on pipes.
// DEFINE: %{names} = sed -E 's/aicore.(load|store|v[a-z]+|scalar_read) .*/\1/; s/aicore.(set|wait)_flag|aicore.pipe_(barrier)/\1\2/'
// DEFINE: %{lines} = sed -zE 's/([^{}])\n *([^} ])/\1; \2/g'
// RUN: opc-opt %s --aicore-insert-sync=portable=true --aicore-verify-synced=portable=true > %t.portable.mlir
// RUN: %{names} %t.portable.mlir | %{lines} | FileCheck %s
// RUN: opc-opt %s --aicore-insert-sync --aicore-verify-synced > %t.mlir
// RUN: FileCheck %s --check-prefix=IN-ORDER --implicit-check-not="pipe_barrier v" --input-file=%t.mlir
// IN-ORDER-COUNT-4: aicore.pipe_barrier mte3
// RUN: grep -v "pipe_barrier v" %t.portable.mlir | diff - %t.mlir

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
// CHECK-NOT: wait
// CHECK: set v -> mte2 [%c0]; set v -> mte2 [%c1]; set mte3 -> v [%c0]; set mte3 -> v [%c1]; scf.for %[[I:.*]] = %c0
// CHECK-NEXT: %[[S:.*]] = arith.remsi %[[I]], %c2 : index;
// CHECK-NOT: set {{[a-z]}}
// CHECK-SAME: wait v -> mte2 [%[[S]]]; load; load; set mte2 -> v [%[[S]]]; wait mte2 -> v [%[[S]]];
// CHECK-SAME: {{^}} wait mte3 -> v [%[[S]]]; vadd; set v -> mte2 [%[[S]]]; set v -> mte3 [%[[S]]];
// CHECK-SAME: {{^}} wait v -> mte3 [%[[S]]]; store; set mte3 -> v [%[[S]]]{{$}}
// CHECK-NEXT: }
// CHECK-NEXT: wait mte3 -> v [%c0]; wait mte3 -> v [%c1]; wait v -> mte2 [%c0]; wait v -> mte2 [%c1]; return
func.func @k1(%x: !gm64, %y: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !slots  %r = aicore.buffer "r" at 1024 : !slots
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %bt = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %rt = memref.subview %r[%slot, 0] [1, 64] [1, 1] : !slots to !slot  %off = arith.muli %i, %c64 : index
    %to = memref.subview %y[%off] [64] [1] : !gm to !gm64at  aicore.load %x -> %at : !gm64 to !slot
    aicore.load %x -> %bt : !gm64 to !slot  aicore.vadd ins(%at, %bt : !slot, !slot) outs(%rt : !slot)
    aicore.store %rt -> %to : !slot to !gm64at
  }
  return
}

// Without slots the distance is 1 and one id is enough; the pipes take turns.
// CHECK-LABEL: func.func @k2(
// CHECK: set mte3 -> mte2 [%c0]; scf.for
// CHECK-NEXT: wait mte3 -> mte2 [%c0]; load; set mte2 -> mte3 [%c0]; wait mte2 -> mte3 [%c0]; store; set mte3 -> mte2 [%c0]
// CHECK-NEXT: }
// The scalar unit reads what the vector unit wrote, and v may not write it again before it was read.
// CHECK-NEXT: wait mte3 -> mte2 [%c0]; set s -> v [%c0]; scf.for
// CHECK-NEXT: wait s -> v [%c0]; vbrc; set v -> s [%c0]; wait v -> s [%c0]; %{{.*}} = scalar_read; set s -> v [%c0]
func.func @k2(%x: !gm64, %y: !gm, %one: f32)
    attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !ub64  %b = aicore.buffer "b" at 256 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    %off = arith.muli %i, %c64 : index  %to = memref.subview %y[%off] [64] [1] : !gm to !gm64at
    aicore.load %x -> %a : !gm64 to !ub64  aicore.store %a -> %to : !ub64 to !gm64at
  }
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)  %s = aicore.scalar_read %b[%c0] : !ub64
  }
  return
}

// Pipe v has barriers where a step takes what the one before wrote, and none between `b` and `c`. The last one also
// orders the next iteration's first write after the reads of `a`.
// CHECK-LABEL: func.func @k3(
// CHECK: scf.for
// CHECK-NEXT: barrier v; vbrc; barrier v; vexp; vsqrt; barrier v; vadd{{$}}
// CHECK-NEXT: }
// A loop's own barrier, needed from one iteration to the next, serves the first one too: there is none before the loop.
// Where `e` is read after the loop there is one: if the loop does not run, its barrier orders nothing.
// CHECK-NEXT: vbrc; scf.for
// CHECK-NEXT: barrier v; vadds
// CHECK-NEXT: }
// CHECK-NEXT: vbrc; vbrc; barrier v; scf.for
// CHECK-NEXT: barrier v; vadds
// CHECK-NEXT: }
// Rows of a tile share no byte: they need one barrier after the op that filled the tile, and none between rows.
// Views that reach beyond their row, in the second loop, meet the next one.
// CHECK-NEXT: vabs; vbrc; barrier v; scf.for
// CHECK-NOT: barrier
// CHECK: vexp
// CHECK-NEXT: }
// CHECK-NEXT: vbrc; scf.for
// CHECK-NEXT: {{.*}} barrier v; vexp
// CHECK-NEXT: }
// A loop orders nothing in iterations that do not run it: a barrier stays before it, although the barrier inside would
// be enough if all iterations had the same trip count.
// CHECK: scf.for
// CHECK: barrier v; scf.for
// CHECK-NEXT: barrier v; vadds
// CHECK: vabs
func.func @k3(%x: !gm64, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index  %n = aicore.tiling_data "n" min 2 max 8 : index  %m = aicore.tiling_data "m" : index
  %cols = aicore.tiling_data "cols" min 1 max 56 : index  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index  %more = arith.addi %ld, %c8 : index
  %a = aicore.buffer "a" at 0 : !ub64  %b = aicore.buffer "b" at 256 : !ub64  %c = aicore.buffer "c" at 512 : !ub64
  %d = aicore.buffer "d" at 768 : !ub64  %e = aicore.buffer "e" at 1024 : !ub64  %f = aicore.buffer "f" at 1280 : !ub64
  %g = aicore.buffer "g" at 1536 : !ub64  %p = aicore.buffer "p" at 2048 : !ub512
  %q = aicore.buffer "q" at 4096 : !ub512  %u = aicore.buffer "u" at 6144 : !slots
  %v = aicore.buffer "v" at 8192 : !ub512
  scf.for %i = %c0 to %m step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : !ub64)  aicore.vexp ins(%a : !ub64) outs(%b : !ub64)
    aicore.vsqrt ins(%a : !ub64) outs(%c : !ub64)  aicore.vadd ins(%b, %c : !ub64, !ub64) outs(%a : !ub64)
  }
  aicore.vbrc ins(%one : f32) outs(%f : !ub64)
  scf.for %i = %c0 to %m step %c1 { aicore.vadds ins(%f, %one : !ub64, f32) outs(%f : !ub64) }
  aicore.vbrc ins(%one : f32) outs(%e : !ub64)  aicore.vbrc ins(%one : f32) outs(%d : !ub64)
  scf.for %i = %c0 to %m step %c1 { aicore.vadds ins(%d, %one : !ub64, f32) outs(%d : !ub64) }
  aicore.vabs ins(%e : !ub64) outs(%g : !ub64)
  aicore.vbrc ins(%one : f32) outs(%p : !ub512)
  scf.for %i = %c0 to %n step %c1 {
    %off = arith.muli %i, %ld : index  %row = memref.subview %p[%off] [%cols] [1] : !ub512 to !ub_at
    aicore.vexp ins(%row : !ub_at) outs(%row : !ub_at)
  }
  aicore.vbrc ins(%one : f32) outs(%q : !ub512)
  scf.for %i = %c0 to %n step %c1 {
    %off = arith.muli %i, %ld : index  %row = memref.subview %q[%off] [%more] [1] : !ub512 to !ub_at
    aicore.vexp ins(%row : !ub_at) outs(%row : !ub_at)
  }
  aicore.vbrc ins(%one : f32) outs(%v : !ub512)
  %whole0 = memref.subview %u[0, 0] [1, 64] [1, 1] : !slots to !slot0
  %whole1 = memref.subview %u[1, 0] [1, 64] [1, 1] : !slots to !slot1
  aicore.load %x -> %whole0 : !gm64 to !slot0  aicore.load %x -> %whole1 : !gm64 to !slot1
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.remsi %i, %c2 : index  %here = memref.subview %u[%s, 0] [1, 64] [1, 1] : !slots to !slot
    %left = arith.subi %m, %i : index
    scf.for %j = %c0 to %left step %c1 { aicore.vadds ins(%here, %one : !slot, f32) outs(%here : !slot) }
    %next = arith.addi %i, %c1 : index  %turn = arith.remsi %next, %c2 : index  %off = arith.muli %i, %ld : index
    %there = memref.subview %u[%turn, 0] [1, %cols] [1, 1] : !slots to !ub_at
    %row = memref.subview %v[%off] [%cols] [1] : !ub512 to !ub_at  aicore.vabs ins(%there : !ub_at) outs(%row : !ub_at)
  }
  return
}

// A nest of which only the innermost body works is one sequence: presets and drains outside, ids of the counter.
// CHECK-LABEL: func.func @k4(
// CHECK: set mte3 -> mte2 [%c0]; set mte3 -> mte2 [%c1]; scf.for %[[I:.*]] = %c0 to %[[N:.*]] step
// CHECK-NEXT: scf.for %[[J:.*]] = %c0 to %[[N]] step
// CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[I]], %[[N]] : index; %[[COUNTER:.*]] = arith.addi %[[BASE]], %[[J]] : index;
// CHECK-SAME: %[[SLOT:.*]] = arith.remsi %[[COUNTER]], %c2 : index; {{.*}} wait mte3 -> mte2 [%[[SLOT]]]; load;
// CHECK-NOT: barrier
// CHECK: }
// CHECK-NEXT: }
// CHECK-NEXT: wait mte3 -> mte2 [%c0]; wait mte3 -> mte2 [%c1]
func.func @k4(%x: !gm64, %y: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !slots
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %base = arith.muli %i, %n : index  %number = arith.addi %base, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      %off = arith.muli %number, %c64 : index  %to = memref.subview %y[%off] [64] [1] : !gm to !gm64at
      aicore.load %x -> %at : !gm64 to !slot  aicore.store %at -> %to : !slot to !gm64at
    }
  }
  return
}

// A part never reaches beyond its row, wherever that begins: stores of parts need no barrier. In the first nest slots
// start anew in each row and tiles are drained between two rows; in the second they take turns through all rows, so
// that the loop over parts is carried. In the third the list of instructions tells the rows of two batches apart, which
// a region cannot.
// CHECK-LABEL: func.func @k5(
// CHECK-NOT: barrier mte3
// CHECK: return
func.func @k5(%y: !gm, %z: !gm, %r: !gm, %one: f32)
    attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %length = aicore.tiling_data "length" : index  %first = aicore.block_idx : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index  %parts = arith.ceildivsi %length, %cols : index
  %c64 = arith.constant 64 : index  %m = aicore.tiling_data "m" : index  %per = aicore.tiling_data "per" min 1 : index
  %d = aicore.buffer "d" at 1280 : !slots
  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !ub64  %c = aicore.buffer "c" at 768 : !slots
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.addi %first, %i : index  aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %parts step %c1 {
      %start = arith.muli %j, %cols : index  %rest = arith.subi %length, %start : index
      %least = arith.minsi %rest, %cols : index  %size = arith.maxsi %least, %c1 : index
      %from = arith.muli %row, %length : index  %off = arith.addi %from, %start : index
      %slot = arith.remsi %j, %c2 : index  %at = memref.subview %a[%slot, 0] [1, %size] [1, 1] : !slots to !ub_at
      %to = memref.subview %y[%off] [%size] [1] : !gm to !gm_at  aicore.vbrc ins(%one : f32) outs(%at : !ub_at)
      aicore.store %at -> %to : !ub_at to !gm_at
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.addi %first, %i : index  aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %parts step %c1 {
      %start = arith.muli %j, %cols : index  %rest = arith.subi %length, %start : index
      %least = arith.minsi %rest, %cols : index  %size = arith.maxsi %least, %c1 : index
      %from = arith.muli %row, %length : index  %off = arith.addi %from, %start : index
      %before = arith.muli %i, %parts : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %c[%slot, 0] [1, %size] [1, 1] : !slots to !ub_at
      %to = memref.subview %z[%off] [%size] [1] : !gm to !gm_at  aicore.vbrc ins(%one : f32) outs(%at : !ub_at)
      aicore.store %at -> %to : !ub_at to !gm_at
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index  %at = memref.subview %d[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.vbrc ins(%one : f32) outs(%at : !slot)
    scf.for %j = %c0 to %m step %c1 { aicore.vadds ins(%at, %one : !slot, f32) outs(%at : !slot) }
    %batch = arith.floordivsi %i, %per : index  %behind = arith.muli %batch, %length : index
    %row = arith.remsi %i, %per : index  %within = arith.muli %row, %c64 : index
    %off = arith.addi %behind, %within : index  %to = memref.subview %r[%off] [64] [1] : !gm to !gm64at
    aicore.store %at -> %to : !slot to !gm64at
  }
  return
}

// Parts that are not cut off at the end of their row, parts that are longer than what lies between them, tiles that are
// stored to one place, and rows that may lie in each other: only a barrier on mte3 says which store comes last.
// CHECK-LABEL: func.func @k6(
// CHECK: barrier mte3; {{.*}}store
// CHECK: barrier mte3; {{.*}}store
// CHECK: scf.for
// CHECK-NEXT: barrier mte3; store
// CHECK: barrier mte3; store
func.func @k6(%y: !gm, %z: !gm, %r: !gm, %s: !gm, %one: f32)
    attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index  %c32 = arith.constant 32 : index  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index  %n = aicore.tiling_data "n" : index  %first = aicore.block_idx : index
  %parts = arith.ceildivsi %c100, %c64 : index  %size = arith.minsi %c64, %c64 : index
  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !ub64  %c = aicore.buffer "c" at 1024 : !slots
  %d = aicore.buffer "d" at 768 : !ub64  %e = aicore.buffer "e" at 1536 : !slots
  %m = aicore.tiling_data "m" : index  %few = aicore.tiling_data "cols" min 1 max 3 : index
  %to = memref.subview %r[0] [64] [1] : !gm to !gm64
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.addi %first, %i : index  aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, %size] [1, 1] : !slots to !ub_at
      %start = arith.muli %j, %c64 : index  %from = arith.muli %row, %c100 : index
      %off = arith.addi %from, %start : index  %part = memref.subview %y[%off] [%size] [1] : !gm to !gm_at
      aicore.vbrc ins(%one : f32) outs(%at : !ub_at)  aicore.store %at -> %part : !ub_at to !gm_at
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %c4 step %c1 {
      %slot = arith.remsi %j, %c2 : index  %at = memref.subview %c[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      %start = arith.muli %j, %c32 : index  %from = arith.muli %i, %c100 : index
      %off = arith.addi %from, %start : index  %part = memref.subview %z[%off] [64] [1] : !gm to !gm64at
      aicore.vbrc ins(%one : f32) outs(%at : !slot)  aicore.store %at -> %part : !slot to !gm64at
    }
  }
  aicore.vbrc ins(%one : f32) outs(%d : !ub64)
  scf.for %i = %c0 to %n step %c1 { aicore.store %d -> %to : !ub64 to !gm64 }
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index  %at = memref.subview %e[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.vbrc ins(%one : f32) outs(%at : !slot)
    scf.for %j = %c0 to %m step %c1 { aicore.vadds ins(%at, %one : !slot, f32) outs(%at : !slot) }
    %row = arith.remsi %i, %few : index  %off = arith.muli %row, %c64 : index
    %there = memref.subview %s[%off] [64] [1] : !gm to !gm64at  aicore.store %at -> %there : !slot to !gm64at
  }
  return
}

// Eight slots would take eight ids on each pair of pipes; there are six: flags take four, four tiles are in work.
// CHECK-LABEL: func.func @k7(
// CHECK-SAME: aicore.event_ids = "event ids: flags from v to mte2 would need 8, Ascend310B1 has 6: 1 lets fewer tiles be in flight"
// CHECK-COUNT-4: set v -> mte2
// CHECK-NOT: set {{[a-z]}}
// CHECK-SAME: scf.for %[[I:.*]] = %c0
// CHECK: %[[ID:.*]] = arith.remsi %[[I]], %c4 {{.*}} wait v -> mte2 [%[[ID]]]; load; set mte2 -> v [%[[ID]]];
// CHECK: }
// CHECK-NEXT: {{^ *(wait v -> mte2 [^;]*; ){4,4} ?}}return
func.func @k7(%x: !gm64) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c8 = arith.constant 8 : index
  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !eight
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c8 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !eight to !slot
    aicore.load %x -> %at : !gm64 to !slot  aicore.vexp ins(%at : !slot) outs(%at : !slot)
  }
  return
}

// The slot of the load before the inner loop is any slot; in the list it is another one than that of the load
// before, and the flag of the inner loop is enough for all of them.
// CHECK-LABEL: func.func @k8(
// CHECK: scf.for
// CHECK: wait mte2 -> v
// CHECK-NOT: {{barrier|wait mte2 -> v}}
// CHECK: scf.for
// CHECK: wait mte2 -> v
func.func @k8(%x: !gm64) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !ub64  %g = aicore.buffer "g" at 1024 : !ub64  %d = aicore.buffer "d" at 1280 : !ub64
  %runs = arith.cmpi slt, %c0, %m : index
  scf.for %i = %c0 to %n step %c1 {
    aicore.load %x -> %g : !gm64 to !ub64  aicore.vabs ins(%g : !ub64) outs(%d : !ub64)
    %first = arith.muli %i, %m : index
    scf.if %runs {
      %slot = arith.remsi %first, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %x -> %at : !gm64 to !slot
    }
    scf.for %j = %c0 to %m step %c1 {
      %next = arith.addi %j, %c1 : index  %more = arith.cmpi slt, %next, %m : index
      scf.if %more {
        %number = arith.addi %first, %next : index  %slot = arith.remsi %number, %c2 : index
        %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot  aicore.load %x -> %at : !gm64 to !slot
      }
      %number = arith.addi %first, %j : index  %slot = arith.remsi %number, %c2 : index
      %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot  aicore.vabs ins(%at : !slot) outs(%b : !ub64)
    }
  }
  return
}

// Slots run on from a loop around: which is first is open, the one after the next is the same again. A load waits for
// what read its slot two iterations before, and mte2 works beside v in a loop that runs more or less often each time.
// CHECK-LABEL: func.func @k9(
// CHECK: scf.for
// CHECK: set v -> mte2 [%c0]; set v -> mte2 [%c1]; {{.*}}scf.for %[[J:.*]] = %c0
// CHECK-NEXT: %[[ID:.*]] = arith.remsi %[[J]], %c2 {{.*}} wait v -> mte2 [%[[ID]]]; load; {{.*}} set v -> mte2 [%[[ID]]]
func.func @k9(%x: !gm64, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" cases [2, 3] : index
  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)  %left = arith.subi %m, %i : index
    scf.for %j = %c0 to %left step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %x -> %at : !gm64 to !slot  aicore.vabs ins(%at : !slot) outs(%b : !ub64)
    }
  }
  return
}

// Two passes over each row are carried through the loop over rows: their flags are outside of it, have ids of their own
// and count on from row to row. There is no flag around a pass, so mte2 loads the next one while v ends this one.
// CHECK-LABEL: func.func @k10(
// CHECK: set v -> mte2 [%c2]; set v -> mte2 [%c3]; set v -> mte2 [%c0]; set v -> mte2 [%c1];
// CHECK-NOT: ->
// CHECK-SAME: scf.for %[[I:.*]] = %c0 to %[[ROWS:.*]] step
// CHECK-NEXT: barrier v; vbrc; scf.for %[[J:.*]] = %c0 to %[[M:.*]] step
// CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[I]], %[[M]] : index; %[[AT:.*]] = arith.addi %[[BASE]], %[[J]] : index;
// CHECK-SAME: {{^}} %[[ID:.*]] = arith.remsi %[[AT]], %c2 : index; {{.*}} wait v -> mte2 [%[[ID]]]; load;
// CHECK-SAME: {{^}} set mte2 -> v [%[[ID]]]; {{.*}} vmax; set v -> mte2 [%[[ID]]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[TURN:.*]] = arith.remsi %{{[^;]*}}, %c2 : index; %{{[^;]*}} = arith.addi %[[TURN]], %c2
// CHECK-NOT: arith.addi %[[TURN]], %c0
// CHECK-SAME: wait v -> mte2 {{[^;]*}}; load; {{.*}} set v -> mte2
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: {{^ *(wait v -> mte2 [^;]*; ){4,4} ?}}return
func.func @k10(%x: !gm64, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !slots  %d = aicore.buffer "d" at 1024 : !ub64  %e = aicore.buffer "e" at 1280 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !ub64)
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %x -> %at : !gm64 to !slot  aicore.vmax ins(%at, %d : !slot, !ub64) outs(%d : !ub64)
    }
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %bt = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %x -> %bt : !gm64 to !slot  aicore.vsub ins(%bt, %d : !slot, !ub64) outs(%e : !ub64)
    }
  }
  return
}

// Two passes with four slots would need eight ids: none is carried, ids are used again by each pass.
// CHECK-LABEL: func.func @k11(
// CHECK-SAME: aicore.event_ids = "event ids: flags from v to mte2 would need 8, Ascend310B1 has 6: loops start anew in each run"
// CHECK-NOT: set v -> mte2
// CHECK: scf.for
// CHECK: set v -> mte2 [%c0]; set v -> mte2 [%c1]; set v -> mte2 [%c2]; set v -> mte2 [%c3]; {{.*}}scf.for
func.func @k11(%x: !gm64, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c4 = arith.constant 4 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !four
  %b = aicore.buffer "b" at 1024 : !four  %d = aicore.buffer "d" at 2048 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !ub64)
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c4 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !four to !slot
      aicore.load %x -> %at : !gm64 to !slot  aicore.vmax ins(%at, %d : !slot, !ub64) outs(%d : !ub64)
    }
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c4 : index  %at = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !four to !slot
      aicore.load %x -> %at : !gm64 to !slot  aicore.vmax ins(%at, %d : !slot, !ub64) outs(%d : !ub64)
    }
  }
  return
}

// Two views whose slots run on from different places may be the same slot in any iteration.
// CHECK-LABEL: func.func @k12(
// CHECK: set v -> mte2 [%c0]
// CHECK-NOT: set v -> mte2 [%c1]
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NEXT: {{.*}} wait v -> mte2 [%c0]; load
func.func @k12(%x: !gm64, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : !ub64)
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      %other = arith.addi %i, %j : index  %turn = arith.remsi %other, %c2 : index
      %other_at = memref.subview %a[%turn, 0] [1, 64] [1, 1] : !slots to !slot  aicore.load %x -> %at : !gm64 to !slot
      aicore.vabs ins(%other_at : !slot) outs(%b : !ub64)
    }
  }
  return
}

// Three loads take all six ids of a pair, and the load before the loop needs one: two of the loop's flags become
// one in both directions. Elementwise operators of four float16 inputs, one of them a single element, are such kernels.
// CHECK-LABEL: func.func @k13(
// CHECK-SAME: aicore.event_ids = "event ids: flags from mte2 to v would need 7, Ascend310B1 has 6: {{[0-9]+ (is|are)}} merged with another"
// CHECK: load; set mte2 -> v [%c4]; {{.*}}wait mte2 -> v [%c4]; {{.*}}scf.for
func.func @k13(%x: !gm64) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !slots
  %c = aicore.buffer "c" at 1024 : !slots  %p = aicore.buffer "p" at 2048 : !ub64
  %q = aicore.buffer "q" at 2304 : !ub64  %r = aicore.buffer "r" at 2560 : !ub64  %s = aicore.buffer "s" at 4096 : !ub64
  %t = aicore.buffer "t" at 4352 : !ub64
  aicore.load %x -> %s : !gm64 to !ub64  aicore.vexp ins(%s : !ub64) outs(%t : !ub64)
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %bt = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %ct = memref.subview %c[%slot, 0] [1, 64] [1, 1] : !slots to !slot  aicore.load %x -> %at : !gm64 to !slot
    aicore.load %x -> %bt : !gm64 to !slot  aicore.load %x -> %ct : !gm64 to !slot
    aicore.vexp ins(%at : !slot) outs(%p : !ub64)  aicore.vexp ins(%bt : !slot) outs(%q : !ub64)
    aicore.vexp ins(%ct : !slot) outs(%r : !ub64)
  }
  return
}

// A loop over panels with a loop over pieces in it is carried through the loop over tiles, pieces and all: no flag
// is around it, ids count on from tile to tile, and the first loads of a tile wait for slots alone.
// CHECK-LABEL: func.func @k14(
// CHECK: set v -> mte2 [%c0]; set v -> mte2 [%c1]; {{.*}}scf.for %[[I:.*]] = %c0 to %{{.*}} step
// CHECK-NOT: mte2
// CHECK: scf.for %[[J:.*]] = %c0 to %[[M:.*]] step
// CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[I]], %[[M]] : index; %[[AT:.*]] = arith.addi %[[BASE]], %[[J]] : index;
// CHECK-SAME: {{^}} %[[ID:.*]] = arith.remsi %[[AT]], %c2 : index; {{.*}} wait v -> mte2 [%[[ID]]]; load;
// CHECK-SAME: {{^}} set mte2 -> v [%[[ID]]]; wait mte2 -> v [%[[ID]]]; scf.for
// CHECK-NEXT: barrier v; vadd{{$}}
// CHECK-NEXT: }
// CHECK-NEXT: set v -> mte2 [%[[ID]]]{{$}}
// CHECK-NEXT: }
// CHECK-NOT: mte2
// CHECK: }
// CHECK: wait v -> mte2 [%c0]; wait v -> mte2 [%c1]
func.func @k14(%x: !gm64, %y: !gm, %one: f32)
    attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index  %c64 = arith.constant 64 : index  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !slots  %b = aicore.buffer "b" at 512 : !slots
  scf.for %i = %c0 to %n step %c1 {
    %turn = arith.remsi %i, %c2 : index  %bt = memref.subview %b[%turn, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.vbrc ins(%one : f32) outs(%bt : !slot)
    scf.for %j = %c0 to %m step %c1 {
      %before = arith.muli %i, %m : index  %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index  %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %x -> %at : !gm64 to !slot
      scf.for %k = %c0 to %c3 step %c1 { aicore.vadd ins(%at, %bt : !slot, !slot) outs(%bt : !slot) }
    }
    %offset = arith.muli %i, %c64 : index  %to = memref.subview %y[%offset] [64] [1] : !gm to !gm64at
    aicore.store %bt -> %to : !slot to !gm64at
  }
  return
}

// A loop that runs more or less often each time is carried where its flags need no numbers: with one slot there is one
// id, and the op that used the slot last sets it. The first load of a run waits for the last read of the run before.
// CHECK-LABEL: func.func @k15(
// CHECK: set v -> mte2 [%c0]; scf.for
// CHECK-NOT: ->
// CHECK: scf.for
// CHECK-NEXT: wait v -> mte2 [%c0]; load; set mte2 -> v [%c0]; wait mte2 -> v [%c0]; {{.*}}vmax; set v -> mte2 [%c0]{{$}}
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: wait v -> mte2 [%c0]; return
func.func @k15(%x: !gm64, %one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index  %a = aicore.buffer "a" at 0 : !ub64  %d = aicore.buffer "d" at 512 : !ub64
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !ub64)  %left = arith.subi %m, %i : index
    scf.for %j = %c0 to %left step %c1 {
      aicore.load %x -> %a : !gm64 to !ub64  aicore.vmax ins(%a, %d : !ub64, !ub64) outs(%d : !ub64)
    }
  }
  return
}

// Parts of a buffer that a loop loads one after another are distinct, so nothing is between the loads. The part of the
// next round at the same place comes after V, which the flag back says.
// CHECK-LABEL: func.func @k16(
// CHECK: set v -> mte2 [%c0]; {{.*}}scf.for
// CHECK-NEXT: {{.*}}wait v -> mte2 [%c0]; scf.for
// CHECK-NOT: barrier mte2
// CHECK: load{{$}}
// CHECK-NEXT: }
// CHECK-NEXT: set mte2 -> v [%c0]; wait mte2 -> v [%c0]; wait mte3 -> v [%c0]; vadd; set v -> mte2 [%c0]
// CHECK: return
func.func @k16(%x: !gm64, %y: !gm) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index  %c192 = arith.constant 192 : index  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : memref<192xf32, #ub>  %b = aicore.buffer "b" at 1024 : memref<192xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %at = arith.muli %j, %c64 : index
      %part = memref.subview %a[%at] [64] [1] : memref<192xf32, #ub> to !slot
      aicore.load %x -> %part : !gm64 to !slot
    }
    aicore.vadd ins(%a, %a : memref<192xf32, #ub>, memref<192xf32, #ub>) outs(%b : memref<192xf32, #ub>)
    %off = arith.muli %i, %c192 : index
    %to = memref.subview %y[%off] [192] [1] : !gm to memref<192xf32, strided<[1], offset: ?>, #gm>
    aicore.store %b -> %to : memref<192xf32, #ub> to memref<192xf32, strided<[1], offset: ?>, #gm>
  }
  return
}

// Blocks of rows reach the bytes of a scalar that was read before for many rows alone. So the flag from the scalar unit
// stays, although no list of instructions has that many rows.
// CHECK-LABEL: func.func @k17(
// CHECK: scalar_read; {{.*}}set s -> v [%c0]
// CHECK: wait s -> v [%c0]
// CHECK: return
func.func @k17(%one: f32) attributes {aicore.kernel, aicore.phase = #planned, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c8 = arith.constant 8 : index
  %n = aicore.tiling_data "n" : index  %m = aicore.tiling_data "m" min 1 max 16 : index
  %scalar = aicore.buffer "scalar" at 256 : !ub64  %blocks = aicore.buffer "blocks" at 0 : memref<128xf32, #ub>
  aicore.vbrc ins(%one : f32) outs(%scalar : !ub64)  %s = aicore.scalar_read %scalar[%c0] : !ub64
  %size = arith.muli %m, %c8 : index
  %rows = memref.subview %blocks[0] [%size] [1] : memref<128xf32, #ub> to memref<?xf32, strided<[1]>, #ub>
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%rows : memref<?xf32, strided<[1]>, #ub>)
    scf.for %j = %c0 to %m step %c1 {
      aicore.vadds ins(%rows, %s : memref<?xf32, strided<[1]>, #ub>, f32) outs(%rows : memref<?xf32, strided<[1]>, #ub>)
    }
  }
  return
}
